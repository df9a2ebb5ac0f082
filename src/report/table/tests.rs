#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::{
    aggregate::{Numbers, summarize},
    evaluate::{CaseResult, Cut, Outcome},
    testing::World,
};

fn report(results: &[CaseResult], subsets: &[&str], baseline: bool) -> String {
    let summary = summarize(results, &World::new("a", "").cut, subsets);
    table(&Report { config: "hybrid+rerank", retriever: "local", baseline, summary: &summary, results })
}

fn row(name: &str, n: usize, means: [f64; 4], distractor_above: usize, marked: bool) -> Subset {
    let [recall, mrr, precision, completeness] = means;
    let numbers = Numbers {
        recall,
        mrr,
        precision,
        precision_ceiling: 1.0,
        completeness,
        distractor_above,
        recall_at: Vec::new(),
        mrr_at_max: None,
    };
    let marks = if marked { vec![Reason::DistractorAbove(distractor_above)] } else { Vec::new() };
    Subset { name: name.to_owned(), cases: n, n, numbers: Some(numbers), marks }
}

#[test]
fn the_subset_table_has_its_columns_where_they_belong() {
    let mut summary = summarize(&[], &Cut::new(6), &[""; 0]);
    summary.all = row("all", 34, [0.97, 0.71, 0.38, 0.89], 2, false);
    summary.subsets = vec![
        row("exact_token", 11, [1.0, 0.82, 0.41, 0.95], 0, false),
        row("negation", 4, [0.75, 0.44, 0.29, 0.625], 2, true),
        row("permission_narrow", 5, [1.0, 0.77, 0.39, 0.90], 0, false),
        Subset { name: "follow_up".to_owned(), cases: 0, n: 0, numbers: None, marks: Vec::new() },
    ];
    let mut out = String::new();
    subsets(&mut out, &summary);
    let expected = "\
subset              n   recall   mrr   prec   compl   distractor↑
all                34    0.97   0.71   0.38    0.89         2
exact_token        11    1.00   0.82   0.41    0.95         0
negation            4    0.75   0.44   0.29    0.63         2  ⚠️
permission_narrow   5    1.00   0.77   0.39    0.90         0
follow_up           0    no cases

⚠️ negation: 2 cases have a distractor above the answer

recall with its 95 % interval; below 10 cases it is too few to tell
all                  0.97  0.85 to 0.99
exact_token          1.00  0.74 to 1.00
negation             0.75  0.30 to 0.95  too few to tell
permission_narrow    1.00  0.57 to 1.00  too few to tell

precision 0.38 of at most 1.00
";
    assert_eq!(out, expected);
}

#[test]
fn a_whole_report_reads_from_the_table_to_the_work_queue() {
    let case = |id: &str, tags: &[&str], list: &str| World::new("a", "d").tagged(id, tags).list(list);
    let mut unanswerable = World::new("", "d").tagged("off-topic", &[]);
    unanswerable.case.answerable = false;
    let results = [
        case("spc-001", &["exact_token"], "a b c"),
        case("spc-002", &["exact_token"], "b a a"),
        case("pol-001", &["negation"], "d b c a"),
        case("pol-002", &["negation"], "b c ?"),
        case("pol-003", &["negation"], ""),
        case("pol-004", &["slow"], "a").clone(),
        World::new("a", "").tagged("err-001", &["slow"]).evaluate(Outcome::Failed("timed out")),
        World::new("", "").tagged("new-001", &[]).list("a"),
        unanswerable.list("d"),
    ];
    let expected = "\
retrieval eval — 9 cases, config: hybrid+rerank, k=3

subset              n   recall   mrr   prec   compl   distractor↑
all                 6    0.50   0.42   0.28    0.50         1
exact_token         2    1.00   0.75   0.33    1.00         0
multi_hop           0    no cases
negation            3    0.00   0.00   0.00    0.00         1  ⚠️
slow                1    1.00   1.00   1.00    1.00         0

⚠️ negation: 1 case has a distractor above the answer; recall is 0.50 under all

recall with its 95 % interval; below 10 cases it is too few to tell
all                  0.50  0.19 to 0.81  too few to tell
exact_token          1.00  0.34 to 1.00  too few to tell
negation             0.00  0.00 to 0.56  too few to tell
slow                 1.00  0.21 to 1.00  too few to tell

precision 0.28 of at most 0.39

recall@1  0.333
recall@5  0.667
recall@10  0.667
MRR@10    0.458
  exact_token  recall@10 1.000  (n=2)
  negation     recall@10 0.333  (n=3)
  slow         recall@10 1.000  (n=1)

latency   p50 10.0 ms, p95 10.0 ms  (n=8)

2 total misses (no supporting chunk in the first 10):
  pol-002  how long may the pallet stay
  pol-003  how long may the pallet stay

9 cases: 6 scored, 1 of them with no results (scored 0), 1 error (not scored), 1 unlabeled, 1 unanswerable (0 clean, 1 distracted)
1 repeat of a chunk that stands above already
1 of 16 returned ids is not in the corpus, ?: it can match no label; where production's ids are others, the retriever's `recognise = \"heading\"` or `\"text\"` finds the chunks
scope unknown for 1 of 16 results (not known to the corpus): whether they leaked is not known
the means are over 6 of 7 labeled cases: 1 call failed

failed:
  timed out
    err-001

recall@10 is between 0.60 and 0.85. Start where it is weakest: the weakest subset is negation (recall@10 0.333).

retriever local: baseline, not production
";
    assert_eq!(report(&results, &["exact_token", "multi_hop"], true), expected);
}

#[test]
fn text_of_a_case_cannot_steer_the_terminal() {
    let mut world = World::new("a", "").tagged("x\u{1b}[2J", &["t\u{202e}ag"]);
    world.case.question = "first\nsecond\u{7}\n".to_owned();
    let out = report(&[world.list("b")], &[], false);
    assert!(out.contains("  x␛[2J  first second␇\n"), "{out}");
    assert!(out.lines().all(|line| !line.contains(char::is_control) && !line.contains('\u{202e}')), "{out}");
    assert!(!out.contains("baseline"));
}

#[test]
fn a_name_wider_than_its_column_widens_the_column() {
    let long = "a_tag_of_more_than_eighteen";
    let out = report(&[World::new("a", "").tagged("x", &[long, "返品"]).list("a")], &[], false);
    let columns: Vec<usize> = out
        .lines()
        .skip(2)
        .take(4)
        .map(|line| line.split_once("  1").map_or_else(|| line.find("  n ").unwrap(), |(name, _)| name.width()))
        .collect();
    assert_eq!(columns, [long.len() + 1; 4], "{out}");
}

#[test]
fn a_k_above_depth_prints_a_dash() {
    let mut world = World::new("a", "").tagged("x", &["tag"]);
    world.cut.depth = 5;
    let results = [world.list("a")];
    let summary = summarize(&results, &world.cut, &[""; 0]);
    let out = table(&Report { config: "c", retriever: "r", baseline: false, summary: &summary, results: &results });
    for line in ["recall@5  1.000", "recall@10  –", "MRR@10    –", "  tag          recall@10 –  (n=1)"] {
        assert!(out.lines().any(|found| found == line), "{line} in {out}");
    }
}
