#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeSet;

use super::*;
use crate::{
    domain::ranking::Answer,
    eval::{
        diagnosis::{Basis, Before, Diagnosis, Kind, Probed, diagnose_with},
        testing::{World, answer, chunk},
    },
};

/// The short name of a probe, as the tables write it.
fn name(probe: &Probe) -> String {
    let asker = probe.asker.label();
    match &probe.kind {
        ProbeKind::Deeper => "deeper".to_owned(),
        ProbeKind::Without { stage } => format!("-{stage}"),
        ProbeKind::Unscoped => asker.to_owned(),
        ProbeKind::OwnWords { chunk, .. } => format!("{chunk} as {asker}"),
    }
}

fn auditor() -> Asker {
    let groups: BTreeSet<String> = ["board".to_owned()].into();
    Asker { name: Some("auditor".to_owned()), id: None, groups: Some(groups) }
}

fn means(without: &str) -> Means {
    let without = without.split_whitespace().map(str::to_owned).collect();
    Means { without, unscoped: Some(auditor()), limit: 12 }
}

/// Puts every probe that is asked for. `script` holds `name: results` for each; `name! reason` fails, and `name~ results` is
/// answered in part. What is asked and not in the script is answered with no results.
fn experiment(world: &World, base: &Answer, means: &Means, script: &[&str]) -> (Vec<String>, Evidence) {
    let World { case, resolved, asker, outline, cut } = world;
    let asked = Asked { case, resolved, asker, outline, cut };
    let mut evidence = Evidence::default();
    while let Some(probe) = next(&asked, Outcome::Answered(base), means, &evidence) {
        let name = name(&probe);
        let line = script.iter().find_map(|line| line.strip_prefix(&name));
        let result = match line.map(|line| line.split_at(1)) {
            Some((":", results)) => Ok(answer(results, &[])),
            Some(("~", results)) => Ok(Answer { partial: Some("a shard".to_owned()), ..answer(results, &[]) }),
            Some((_, reason)) => Err(reason.trim().to_owned()),
            None => Ok(answer("", &[])),
        };
        evidence.probes.push(Probed { probe, result });
        assert!(evidence.probes.len() <= means.limit, "more than it may");
    }
    (evidence.probes.iter().map(|put| self::name(&put.probe)).collect(), evidence)
}

fn diagnosed(world: &World, base: &Answer, evidence: &Evidence) -> Diagnosis {
    let World { case, resolved, asker, outline, cut } = world;
    let asked = Asked { case, resolved, asker, outline, cut };
    diagnose_with(&asked, Outcome::Answered(base), evidence).unwrap()
}

fn sentence(diagnosis: &Diagnosis) -> String {
    diagnosis.sentence(&|id| id.to_string())
}

const FULL: &str = "b c d e f g h i j k";

/// What is needed, the list (k = 3, depth 10), the stages that can be switched off, what probes come to; what is asked then, and
/// the verdict.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str], &'static str, &'static str);

const EXPERIMENTS: &[Row] = &[
    ("a", "a b c", "rerank cap", &[], "", "found: the answer is in the window, first at rank 1"),
    ("a", "b a", "rerank", &["-rerank: b a"], "-rerank", "found: the answer is in the window, first at rank 2"),
    (
        "a",
        "b c a",
        "rerank cap",
        &["-rerank: a b c", "-cap: b c a"],
        "-rerank -cap",
        "demoted: rerank moved a from 1 to 3",
    ),
    (
        "a",
        "b c d a",
        "rerank",
        &["-rerank: b c d a"],
        "-rerank",
        "below_window: a stands at rank 4, below the window of 3",
    ),
    // The fall cost nothing: below the window with the stage and without it.
    (
        "a",
        "b c d e a",
        "rerank",
        &["-rerank: b c d a"],
        "-rerank",
        "below_window: a stands at rank 5, below the window of 3",
    ),
    // Further down than was asked.
    (
        "a",
        FULL,
        "",
        &["deeper: b c d e f g h i j k l a"],
        "deeper",
        "below_window: a stands at rank 12, below the window of 3",
    ),
    (
        "a",
        FULL,
        "rerank",
        &["deeper: b c d e f g h i j k l a", "-rerank: b a"],
        "deeper -rerank",
        "demoted: rerank moved a from 2 to 12",
    ),
    // A list that ends above depth needs no deeper one.
    (
        "a",
        "b c",
        "rerank cap",
        &["-cap: b c a"],
        "-rerank -cap",
        "dropped: cap dropped a (without that stage it stands at rank 3)",
    ),
    // Without the stage before it there was room as well: the later one threw it away.
    (
        "a",
        "b c",
        "rerank cap",
        &["-rerank: a b", "-cap: b c a"],
        "-rerank -cap",
        "dropped: cap dropped a (without that stage it stands at rank 3)",
    ),
    (
        "a",
        FULL,
        "floor",
        &["deeper: b c", "-floor: b c d e a"],
        "deeper -floor",
        "dropped: floor dropped a (without that stage it stands at rank 5)",
    ),
    // Nothing brings it back.
    (
        "a",
        "b",
        "cap",
        &["a as auditor: a", "a as anonymous: b a"],
        "-cap auditor a as auditor a as anonymous",
        "never_candidate: a is not in the list, which ends at 1; its own words find it at rank 1",
    ),
    (
        "a",
        "b",
        "",
        &["auditor: b c", "a as auditor: b"],
        "auditor a as auditor",
        "not_indexed: not even its own words, asked as auditor, find a: the index lacks it, or a stage always removes it",
    ),
    ("a", "b", "", &["auditor: b a"], "auditor", "out_of_scope: anonymous does not get a, which auditor gets"),
    (
        "a",
        "b",
        "",
        &["a as auditor: a", "a as anonymous: b"],
        "auditor a as auditor a as anonymous",
        "out_of_scope: anonymous does not get a, which auditor gets",
    ),
    // Of alternatives one is enough, for a verdict and for its undoing.
    (
        "a|z",
        "b",
        "",
        &["z as auditor: z", "z as anonymous: z"],
        "auditor a as auditor z as auditor z as anonymous",
        "never_candidate: z is not in the list, which ends at 1; its own words find it at rank 1",
    ),
];

#[test]
fn an_experiment_tells_where_a_chunk_was_lost_and_asks_no_more_than_that_needs() {
    for (needed, results, without, script, expected_probes, expected) in EXPERIMENTS {
        let world = World::new(needed, "");
        let base = answer(results, &[]);
        let (probes, evidence) = experiment(&world, &base, &means(without), script);
        assert_eq!(probes.join(" "), *expected_probes, "{results}, {script:?}");
        let found = diagnosed(&world, &base, &evidence);
        assert_eq!(sentence(&found), *expected, "{results}, {script:?}");
        let basis =
            if probes.is_empty() { Basis::List { depth: 10 } } else { Basis::Experiment { requests: probes.len() } };
        assert_eq!(found.basis, basis);
    }
}

#[test]
fn a_failed_or_partial_probe_is_evidence_of_nothing() {
    let world = World::new("a", "");
    let first = "never_candidate: a is not among the first 10";
    for (base, script, expected) in [
        (FULL, &["deeper! HTTP 502", "auditor! HTTP 502", "a as auditor! HTTP 502"][..], first),
        (FULL, &["deeper~ b c", "auditor: b", "a as auditor~ b"], first),
        // What a partial answer has is there all the same.
        (FULL, &["deeper~ b c d a"], "below_window: a stands at rank 4, below the window of 3"),
        (
            "b",
            &["auditor! HTTP 502", "a as auditor! HTTP 502"],
            "never_candidate: a is not in the list, which ends at 1",
        ),
    ] {
        let base = answer(base, &[]);
        let (_, evidence) = experiment(&world, &base, &means(""), script);
        assert_eq!(sentence(&diagnosed(&world, &base, &evidence)), expected, "{script:?}");
    }
    // Nothing went deeper, so that nobody can say it was thrown away.
    let base = answer(FULL, &[]);
    let (_, evidence) = experiment(&world, &base, &means("rerank"), &["deeper! HTTP 502", "-rerank: b a"]);
    assert_eq!(sentence(&diagnosed(&world, &base, &evidence)), "demoted: rerank lost a, which stood at 2");
}

#[test]
fn without_somebody_who_may_read_everything_only_a_chunk_that_the_asker_may_read_is_called_not_indexed() {
    let alone = Means { unscoped: None, ..means("") };
    let base = answer("b", &[]);
    let mut world = World::new("a", "");
    let (probes, evidence) = experiment(&world, &base, &alone, &[]);
    assert_eq!(probes, ["a as anonymous"]);
    let expected = "not_indexed: not even its own words, asked as anonymous, find a: the index lacks it, or a stage always removes it";
    assert_eq!(sentence(&diagnosed(&world, &base, &evidence)), expected);

    // Hidden or not indexed: that cannot be told apart, and is not.
    world.corpus([chunk("a", "A", "", &["board"]), chunk("b", "B", "", &[])]);
    world.asker = Asker { name: Some("lead".to_owned()), id: None, groups: None };
    let (_, evidence) = experiment(&world, &base, &alone, &[]);
    let expected = "never_candidate: a is not in the list, which ends at 1";
    assert_eq!(sentence(&diagnosed(&world, &base, &evidence)), expected);
}

#[test]
fn a_trace_is_asked_no_more_than_it_cannot_tell() {
    let world = World::new("a", "");
    for (results, stages, expected_probes, expected) in [
        ("b c a", &["keyword: a b c", "rerank: b c a"][..], "", "demoted: rerank moved a from 1 to 3"),
        ("b c", &["keyword: a b c", "cap: b c - a=cap"], "", "dropped: cap dropped a (cap)"),
        ("b", &["keyword: b"], "auditor a as auditor", "not_indexed: not even its own words, asked as auditor, find a"),
    ] {
        let base = answer(results, stages);
        let (probes, evidence) = experiment(&world, &base, &means("rerank cap"), &[]);
        assert_eq!(probes.join(" "), expected_probes, "{stages:?}");
        let found = diagnosed(&world, &base, &evidence);
        assert_eq!(sentence(&found), expected);
        let requests = probes.len();
        assert_eq!(found.basis, if requests > 0 { Basis::Experiment { requests } } else { Basis::Trace });
    }
    let base = answer("b", &["keyword: b"]);
    let (_, evidence) = experiment(&world, &base, &means(""), &["a as auditor: a", "a as anonymous: a"]);
    let found = diagnosed(&world, &base, &evidence);
    let expected =
        "never_candidate: a is not among the 1 candidates that the retriever told of; its own words find it at rank 1";
    assert_eq!((sentence(&found).as_str(), found.basis), (expected, Basis::Trace));
}

#[test]
fn nothing_is_asked_where_no_answer_would_tell_more() {
    let base = answer("b", &[]);
    let mut forbidden = World::new("a", "");
    forbidden.corpus([chunk("a", "A", "", &["board"]), chunk("b", "B", "", &[])]);
    let mut unanswerable = World::new("", "d");
    unanswerable.case.answerable = false;
    let mut broken = World::new("a", "");
    broken.break_a_label();
    for world in [forbidden, unanswerable, broken, World::new("", "")] {
        assert_eq!(experiment(&world, &base, &means("cap"), &[]).0, Vec::<String>::new());
    }
    let few = Means { limit: 2, ..means("rerank floor cap") };
    assert_eq!(experiment(&World::new("a", ""), &base, &few, &[]).0, ["-rerank", "-floor"]);
    // An asker who may read everything needs no other.
    let mut world = World::new("a", "");
    world.asker = auditor();
    assert_eq!(experiment(&world, &base, &means(""), &[]).0, ["a as auditor"]);
}

#[test]
fn probes_share_what_they_can_between_the_parts_of_an_answer() {
    let world = World::new("a y z", "");
    let base = answer("b", &[]);
    let script = ["-cap: b a", "z as auditor: z", "z as anonymous: z"];
    let (probes, evidence) = experiment(&world, &base, &means("cap"), &script);
    assert_eq!(probes.join(", "), "-cap, auditor, y as auditor, z as auditor, z as anonymous");
    let found = diagnosed(&world, &base, &evidence);
    let told: Vec<_> = found.requirements.iter().map(|verdict| verdict.kind.word()).collect();
    assert_eq!(told, ["dropped", "not_indexed", "never_candidate"]);
    assert_eq!(found.kind.word(), "dropped", "of all its chunks, one is reached");
}

#[test]
fn a_probe_asks_five_times_k_or_five_times_what_is_asked_anyway() {
    for (k, depth, expected) in [(3, 10, 15), (6, 10, 30), (3, 15, 75), (10, 100, 500)] {
        assert_eq!(deeper(&Cut { k, depth, recall_at: vec![1] }), expected, "{k} of {depth}");
    }
}

#[test]
fn the_own_words_of_a_chunk_are_its_last_heading_and_the_beginning_of_its_text() {
    let mut world = World::new("a", "");
    let text = "word ".repeat(100);
    world.corpus([chunk("a", "Returns Policy", &text, &[]), chunk("b", "B", "", &[])]);
    let (_, evidence) = experiment(&world, &answer("b", &[]), &Means { unscoped: None, ..means("") }, &[]);
    let ProbeKind::OwnWords { words, .. } = &evidence.probes[0].probe.kind else { panic!("{evidence:?}") };
    assert!(words.starts_with("Returns Policy word word"), "{words}");
    assert_eq!((words.split(' ').count(), evidence.probes[0].probe.depth), (40, 15));
}

#[test]
fn a_chunk_below_its_baseline_rank_is_demoted_even_inside_the_window() {
    let since = |results: &str| Evidence {
        probes: Vec::new(),
        baseline: Some(Before { run: "main".to_owned(), results: crate::eval::testing::ids(results) }),
    };
    for (now, stages, before, expected) in [
        ("b c a", &[][..], "a b", "demoted: a fell from 1 in main to 3"),
        ("b c d a", &[], "b a", "demoted: a fell from 2 in main to 4"),
        ("b c", &[], "a", "demoted: a is gone, which stood at 1 in main"),
        ("a b", &[], "b a", "found: the answer is in the window, first at rank 1"),
        // It was below the window then as well.
        ("b c d e a", &[], "b c d a", "below_window: a stands at rank 5, below the window of 3"),
        // A stage that cost as much tells more.
        ("b c a", &["keyword: a b c", "rerank: b c a"], "a b c", "demoted: rerank moved a from 1 to 3"),
        ("b c a", &["keyword: b a c", "rerank: b c a"], "a b c", "demoted: a fell from 1 in main to 3"),
        // The trace is certain.
        ("b", &["keyword: b"], "a", "never_candidate: a is not among the 1 candidates that the retriever told of"),
    ] {
        let world = World::new("a", "");
        let found = diagnosed(&world, &answer(now, stages), &since(before));
        assert_eq!(sentence(&found), expected, "{now} after {before}");
    }
    let gone = diagnosed(&World::new("a", ""), &answer("b", &[]), &since("a"));
    assert!(matches!(gone.kind, Kind::Demoted { to: None, .. }));
}

#[test]
fn that_the_index_lacks_a_chunk_is_claimed_only_where_no_stage_can_have_removed_it() {
    let world = World::new("a", "");
    let base = answer("b", &[]);
    let next = |means: &Means, script: &[&str]| {
        let found = diagnosed(&world, &base, &experiment(&world, &base, means, script).1);
        (sentence(&found), found.next_step())
    };
    let (said, step) = next(&means(""), &[]);
    assert!(said.ends_with("find a: the index lacks it, or a stage always removes it"), "{said}");
    assert!(step.starts_with("name the stages in `[configs.NAME.without]` and ask again"), "{step}");
    let (said, step) = next(&means("dedupe"), &["-dedupe: b c"]);
    assert!(said.ends_with("asked as auditor, find a"), "{said}");
    assert!(step.starts_with("see why production's index lacks it"), "{step}");
    // A switch that could not be tried rules nothing out.
    let (said, _) = next(&means("dedupe"), &["-dedupe! HTTP 502"]);
    assert!(said.ends_with("or a stage always removes it"), "{said}");
    // A trace that says that it was thrown away says that it is there.
    let mut evidence = experiment(&world, &base, &means(""), &[]).1;
    for put in &mut evidence.probes {
        put.result = Ok(answer("b", &["keyword: b - a=dedupe"]));
    }
    assert!(matches!(diagnosed(&world, &base, &evidence).kind, Kind::NeverCandidate { .. }));
}

#[test]
fn results_that_the_corpus_does_not_know_are_not_asked_further() {
    let world = World::new("a", "");
    assert!(experiment(&world, &answer("1108 1109", &[]), &means("cap"), &[]).0.is_empty());
    assert!(!experiment(&world, &answer("1108 b", &[]), &means("cap"), &[]).0.is_empty(), "one is known");
    assert!(!experiment(&world, &answer("", &[]), &means("cap"), &[]).0.is_empty(), "there are none");
}

#[test]
fn what_would_tell_more_and_was_not_asked_is_said() {
    let mut world = World::new("a", "");
    let base = answer("b", &[]);
    let left = |world: &World, means: &Means, script: &[&str]| {
        let (_, evidence) = experiment(world, &base, means, script);
        let World { case, resolved, asker, outline, cut } = world;
        let asked = Asked { case, resolved, asker, outline, cut };
        left_out(&asked, Outcome::Answered(&base), means, &evidence)
    };
    let nothing = LeftOut::default();
    assert_eq!(left(&world, &means("cap"), &[]), nothing);
    let cut = left(&world, &Means { limit: 1, ..means("cap") }, &[]);
    assert_eq!(cut, LeftOut { limit: Some(1), unscoped: false });
    assert_eq!(
        cut.explain("lead"),
        ["cut short: another request would tell more, and `probes` in [diagnosis] allows 1 request"]
    );
    let alone = Means { unscoped: None, ..means("") };
    assert_eq!(left(&world, &alone, &[]), nothing, "the chunk is for everybody");
    world.corpus([chunk("a", "A", "", &["board"]), chunk("b", "B", "", &[])]);
    world.asker = Asker { name: Some("lead".to_owned()), id: None, groups: None };
    let unsure = left(&world, &alone, &[]);
    assert_eq!(unsure, LeftOut { limit: None, unscoped: true });
    assert!(unsure.explain("lead")[0].contains("name an `unscoped_asker` in [diagnosis]"));
    assert_eq!(left(&world, &alone, &["a as lead: a"]), nothing, "its own words find it");
    assert_eq!(left(&world, &means(""), &[]), nothing, "somebody is named");
}

#[test]
fn a_list_that_ends_above_what_was_asked_for_says_where() {
    let probe = Probe::new(ProbeKind::Deeper, &Asker::default(), 15);
    let came = |results: &str| {
        let put = Probed { probe: probe.clone(), result: Ok(answer(results, &[])) };
        put.came(&["a".into()], &|id| id.to_string())
    };
    assert_eq!(came("b c d e f"), "a not found, the list ends at 5");
    assert_eq!(came(""), "a not found, no results");
    assert_eq!(came("b c d e f g h i j k l m n o p"), "a not in 15");
    assert_eq!(came("b a"), "a at 2");
}
