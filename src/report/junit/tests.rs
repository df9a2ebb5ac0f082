#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::{aggregate::summarize, evaluate::Outcome, testing::World};

fn report(results: &[CaseResult]) -> String {
    let world = World::new("a", "");
    let summary = summarize(results, &world.cut, &[""; 0]);
    let report = Report { config: "hybrid+rerank", retriever: "http", baseline: false, summary: &summary, results };
    junit(&report, &world.outline)
}

#[test]
fn each_case_is_a_test_that_ends_as_the_case_did() {
    let case = |id: &str, tags: &[&str], list: &str| World::new("a", "d").tagged(id, tags).list(list);
    let mut unanswerable = World::new("", "d").tagged("off-topic", &[]);
    unanswerable.case.answerable = false;
    let mut leaked = case("leak-001", &["permission_narrow"], "a b");
    leaked.results[1].leaked = true;
    let results = [
        case("spc-001", &["exact_token", "multi_hop"], "d a b"),
        case("pol-001", &["negation"], "b c"),
        World::new("a", "").tagged("err-001", &[]).evaluate(Outcome::Failed("timed out")),
        World::new("", "").tagged("new-001", &[]).list("a"),
        unanswerable.list("d"),
        leaked,
    ];
    let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"caselight\" tests=\"6\" failures=\"2\" errors=\"1\" skipped=\"2\" time=\"0.050\">
  <testsuite name=\"retrieval hybrid+rerank k=3\" tests=\"6\" failures=\"2\" errors=\"1\" skipped=\"2\" time=\"0.050\">
    <properties>
      <property name=\"config\" value=\"hybrid+rerank\"/>
      <property name=\"k\" value=\"3\"/>
      <property name=\"retriever\" value=\"http\"/>
      <property name=\"scored\" value=\"3\"/>
      <property name=\"leaks\" value=\"1\"/>
      <property name=\"note\" value=\"the means are over 3 of 4 labeled cases: 1 call failed\"/>
      <property name=\"recall\" value=\"0.6667\"/>
      <property name=\"mrr\" value=\"0.5000\"/>
      <property name=\"precision\" value=\"0.2778\"/>
      <property name=\"completeness\" value=\"0.6667\"/>
      <property name=\"distractor_above\" value=\"1\"/>
    </properties>
    <testcase classname=\"exact_token\" name=\"spc-001\" time=\"0.010\"/>
    <testcase classname=\"negation\" name=\"pol-001\" time=\"0.010\">
      <failure type=\"never_candidate\" message=\"never_candidate: Document a is not in the list, which ends at 2\">\
how long may the pallet stay
never_candidate: Document a is not in the list, which ends at 2
next: `caselight inspect ID` asks further (e in the screens): deeper, and for its own words
  1 unjudged  Document b
  2 unjudged  Document c</failure>
    </testcase>
    <testcase classname=\"untagged\" name=\"err-001\" time=\"0.000\">
      <error type=\"retriever_error\" message=\"retriever_error: timed out\">how long may the pallet stay
retriever_error: timed out
next: run the case again; the call failed, so nothing is known about the ranking</error>
    </testcase>
    <testcase classname=\"untagged\" name=\"new-001\" time=\"0.000\">
      <skipped message=\"unlabeled\"/>
    </testcase>
    <testcase classname=\"untagged\" name=\"off-topic\" time=\"0.010\">
      <skipped message=\"unanswerable_distracted: nothing answers, and Document d, a distractor, stands at rank 1\"/>
    </testcase>
    <testcase classname=\"permission_narrow\" name=\"leak-001\" time=\"0.010\">
      <failure type=\"found\" message=\"leaked: Document b, which anonymous may not read; found: the answer is in the window, first at rank 1\">\
how long may the pallet stay
found: the answer is in the window, first at rank 1
next: retrieval is fine, look downstream
  1 supporting  Document a
  2 unjudged, leaked  Document b</failure>
    </testcase>
  </testsuite>
</testsuites>
";
    assert_eq!(report(&results).replace("new-001\" time=\"0.010\"", "new-001\" time=\"0.000\""), expected);
}

#[test]
fn whatever_a_case_holds_the_file_is_xml() {
    let mut world = World::new("a", "").tagged("<id & \"quote\">", &["t'ag\u{1b}[31m"]);
    world.case.question = "]]> </failure> \0\u{b}\u{fffe}\u{ffff} \u{1f680} & <b>".to_owned();
    let out = report(&[world.list("b"), world.evaluate(Outcome::Failed("\u{1b}[0m<503>"))]);
    assert!(out.chars().all(|c| c == '\n' || !c.is_control() && !['\u{fffe}', '\u{ffff}'].contains(&c)), "{out}");
    assert!(out.contains("classname=\"t&apos;ag\u{fffd}[31m\" name=\"&lt;id &amp; &quot;quote&quot;&gt;\""), "{out}");
    // Every tag that is opened is closed, and in order.
    let mut open = Vec::new();
    for part in out.split('<').skip(2) {
        let (tag, _) = part.split_once('>').unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert_eq!(open, [""; 0]);
}
