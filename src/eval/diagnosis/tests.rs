#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::eval::testing::{World, answer, chunk};

/// The sentence with chunk ids for titles.
fn sentence(world: &World, results: &str, stages: &[&str]) -> String {
    let answer = answer(results, stages);
    let diagnosis = world.evaluate(Outcome::Answered(&answer)).diagnosis.unwrap();
    diagnosis.sentence(&|id| id.to_string())
}

fn diagnosis(world: &World, results: &str) -> Diagnosis {
    world.list(results).diagnosis.unwrap()
}

#[test]
fn the_list_alone_tells_where_a_chunk_stands() {
    // needed, distractors, results (k = 3): the verdict
    let cases = [
        ("a", "", "a b c", "found: the answer is in the window, first at rank 1"),
        ("a", "d", "a d c", "found: the answer is in the window, first at rank 1"),
        ("a", "", "b c d a", "below_window: a stands at rank 4, below the window of 3"),
        ("a", "d", "d b c a", "below_window: a stands at rank 4, below the window of 3"),
        ("a", "", "b c d", "never_candidate: a is not in the list, which ends at 3"),
        ("a", "", "b c d e f g h i j k", "never_candidate: a is not among the first 10"),
        ("a", "", "", "never_candidate: a was not found: no results"),
        ("a", "d", "b d a", "outranked: d, a distractor, stands at rank 2, above a at 3"),
        ("a b", "", "c b", "partly_found: 1 of 2 things that the answer needs are in the window"),
        // An alternative is as good; the nearest one is spoken of.
        ("a|b", "", "c b", "found: the answer is in the window, first at rank 2"),
        ("a|b", "", "c d e f b a", "below_window: b stands at rank 5, below the window of 3"),
        // The case's verdict is about the nearest supporting chunk.
        ("a b", "", "c d e b", "below_window: b stands at rank 4, below the window of 3"),
        // A distractor above what is found is said before a part that is missing.
        ("a b", "d", "d a", "outranked: d, a distractor, stands at rank 1, above a at 2"),
    ];
    for (needed, distractors, results, expected) in cases {
        let world = World::new(needed, distractors);
        assert_eq!(sentence(&world, results, &[]), expected, "{needed} in {results}");
    }
}

#[test]
fn a_stage_trace_tells_which_stage_lost_a_chunk() {
    let cases: &[(&str, &[&str], &str)] = &[
        // Fell inside the window, fell out of it, and lost altogether.
        ("b c a", &["keyword: a b c", "rerank: b c a"], "demoted: rerank moved a from 1 to 3"),
        ("b c d a", &["keyword: a b c d", "rerank: b c d a"], "demoted: rerank moved a from 1 to 4"),
        ("b c d", &["keyword: a b c d", "rerank: b c d"], "demoted: rerank lost a, which stood at 1"),
        ("b c a", &["keyword: a b c"], "demoted: the step after the last stage moved a from 1 to 3"),
        // It came back: nothing was lost.
        (
            "a b c",
            &["keyword: a b c", "fuse: b c a", "rerank: a b c"],
            "found: the answer is in the window, first at rank 1",
        ),
        // It was below the window anyway: the fall cost nothing.
        (
            "b c d e a",
            &["keyword: b c d a e", "rerank: b c d e a"],
            "below_window: a stands at rank 5, below the window of 3",
        ),
        // Two sources side by side are not steps of each other, and a fusion is held to the worse of them.
        ("b a", &["keyword: a b", "vector: b a", "fuse: b a"], "found: the answer is in the window, first at rank 2"),
        ("b c a", &["keyword: a b c", "vector: b a c", "fuse: b c a"], "demoted: fuse moved a from 2 to 3"),
        // An unknown stage that brings chunks of its own is a source.
        ("b a", &["keyword: a", "graph: b a", "fuse: b a"], "found: the answer is in the window, first at rank 2"),
        ("b a", &["keyword: a b", "polish: b a"], "demoted: polish moved a from 1 to 2"),
        // Thrown away.
        ("b c", &["keyword: a b c", "cap: b c - a=cap"], "dropped: cap dropped a (cap)"),
        ("b a", &["keyword: b a - a=floor"], "found: the answer is in the window, first at rank 2"),
        // The list ends above it, a stage still has its rank.
        (
            "b c d",
            &["keyword: b c d e f a"],
            "below_window: a stands at rank 6 of stage keyword, below the window of 3",
        ),
        ("b c d", &["keyword: b a", "vector: b c d", "fuse: b c d"], "demoted: fuse lost a, which stood at 2"),
        ("b c", &["keyword: b c d e"], "never_candidate: a is not among the 4 candidates that the retriever told of"),
    ];
    for (results, stages, expected) in cases {
        let world = World::new("a", "");
        assert_eq!(sentence(&world, results, stages), *expected, "{stages:?}");
    }
}

#[test]
fn labels_and_failed_calls_come_before_any_ranking() {
    let mut world = World::new("a", "");
    let failed = world.evaluate(Outcome::Failed("HTTP 502")).diagnosis.unwrap();
    assert_eq!(failed.sentence(&|id| id.to_string()), "retriever_error: HTTP 502");
    world.break_a_label();
    let broken = "label_broken: a reference of this case resolves to nothing certain";
    assert_eq!(sentence(&world, "a", &[]), broken);
    let failed = world.evaluate(Outcome::Failed("HTTP 502")).diagnosis.unwrap();
    assert_eq!(failed.sentence(&|id| id.to_string()), broken);
    let mut vanished = World::new("a", "");
    vanished.resolved.supporting.clear();
    assert_eq!(sentence(&vanished, "a", &[]), broken);
}

#[test]
fn what_the_asker_may_not_read_is_out_of_scope_even_when_it_leaks() {
    let mut world = World::new("a", "");
    world.corpus([chunk("a", "A", "", &["board"]), chunk("b", "B", "", &[])]);
    assert_eq!(sentence(&world, "b", &[]), "out_of_scope: anonymous may not read a");
    let leak = "out_of_scope: anonymous may not read a, yet it was returned at rank 2: a leak";
    assert_eq!(sentence(&world, "b a", &[]), leak);
    world.asker.groups = Some(["board".to_owned()].into());
    assert_eq!(sentence(&world, "b a", &[]), "found: the answer is in the window, first at rank 2");

    // An alternative that may be read is the one to find.
    let mut world = World::new("a|b", "");
    world.corpus([chunk("a", "A", "", &["board"]), chunk("b", "B", "", &[])]);
    assert_eq!(sentence(&world, "c", &[]), "never_candidate: b is not in the list, which ends at 1");
}

#[test]
fn every_requirement_that_the_window_does_not_satisfy_has_its_own_verdict() {
    let mut world = World::new("a b|c x y", "");
    world.corpus([chunk("a", "A", "", &[]), chunk("x", "X", "", &["board"])]);
    let found = diagnosis(&world, "a d e f c");
    assert_eq!(found.kind, Kind::PartlyFound { found: 1, of: 4 });
    let told: Vec<_> = found.requirements.iter().map(|verdict| (verdict.needed, verdict.kind.word())).collect();
    assert_eq!(told, [(1, "below_window"), (2, "out_of_scope"), (3, "never_candidate")]);
}

#[test]
fn a_question_that_nothing_answers_is_clean_or_distracted_by_its_window() {
    let mut world = World::new("", "d");
    assert_eq!(world.list("a").diagnosis, None, "an unlabeled case has nothing to explain");
    world.case.answerable = false;
    assert_eq!(diagnosis(&world, "a b c d").kind, Kind::UnanswerableClean);
    assert_eq!(diagnosis(&world, "a d").kind, Kind::UnanswerableDistracted { by: "d".into(), rank: 2 });
    assert_eq!(diagnosis(&world, "").kind, Kind::UnanswerableClean);
}

#[test]
fn a_verdict_says_what_it_rests_on() {
    let world = World::new("a", "");
    assert_eq!(diagnosis(&world, "a").basis, Basis::List { depth: 10 });
    let traced = world.evaluate(Outcome::Answered(&answer("a", &["keyword: a"]))).diagnosis.unwrap();
    assert_eq!(traced.basis, Basis::Trace);
}

mod causes {
    use super::*;

    const LONG: &str = "Machines may be sent back within thirty days of delivery in their crate";

    fn causes(question: &str, label: &str, window: [&str; 3]) -> Vec<Cause> {
        let mut world = World::new("a", "");
        question.clone_into(&mut world.case.question);
        let mut chunks = vec![chunk("a", "Returns Policy", label, &[])];
        let others = ["b", "c", "d"].into_iter().zip(window);
        chunks.extend(others.map(|(id, text)| chunk(id, &format!("Other {id}"), text, &[])));
        world.corpus(chunks);
        diagnosis(&world, "b c d a").causes
    }

    #[test]
    fn an_exact_token_is_ignored_if_nothing_in_the_window_holds_it() {
        let asked = "lead time for SKU-4411?";
        let ignored = Cause::ExactTokenIgnored { chunk: "a".into(), token: "SKU-4411".to_owned() };
        assert_eq!(causes(asked, "The time for (sku-4411) is a week.", ["SKU-4412", "SKU-44110", ""]), [ignored]);
        assert_eq!(causes(asked, "The time for SKU-4411 is a week.", ["SKU-4411", "", ""]), []);
        assert_eq!(causes(asked, "The time is a week.", ["", "", ""]), []);
    }

    #[test]
    fn words_in_common_are_telling_ones_and_their_inflections() {
        let none = [Cause::NoCommonWord { chunk: "a".into() }];
        assert_eq!(causes("how do i get my money back", "The fee is repaid.", [""; 3]), none);
        assert_eq!(causes("where is my refund", "What we do if it is late.", [""; 3]), none, "is, my: grammar");
        assert_eq!(causes("which batteries", "A battery is not taken back.", [""; 3]), []);
        assert_eq!(causes("what about returning", "", [""; 3]), [], "the document's name counts");
        assert_eq!(causes("Rückgabe der Ware", "Die WARE.", [""; 3]), []);
        assert_eq!(causes("???", "The fee is repaid.", [""; 3]), [], "no word was asked");
    }

    #[test]
    fn earlier_turns_count_as_words_of_the_question() {
        let mut world = World::new("a", "");
        world.case.question = "and for machines?".to_owned();
        world.case.context = vec!["what is the fee".to_owned(), "when is it repaid".to_owned()];
        world.corpus([chunk("a", "A", "It is repaid at once.", &[])]);
        assert_eq!(diagnosis(&world, "b").causes, []);
    }

    #[test]
    fn a_near_identical_text_in_the_window_is_a_twin() {
        let twin = Cause::Twin { chunk: "a".into(), twin: "c".into(), rank: 2 };
        let almost = LONG.replace("crate", "box");
        assert_eq!(causes("machines", LONG, ["", &almost, ""]), [twin]);
        assert_eq!(causes("machines", LONG, ["", "Machines may be sent back later", ""]), []);
        assert_eq!(causes("short", "A short text", ["A short text", "", ""]), [], "too short to tell");
    }

    #[test]
    fn a_window_full_of_one_document_is_crowded_once() {
        let mut world = World::new("a z", "");
        world.case.question = "pallet".to_owned();
        let crowd = ["b", "c", "d"].map(|id| chunk(id, "Carrier Handbook", "pallet", &[]));
        let labels = ["a", "z"].map(|id| chunk(id, "Returns", "pallet", &[]));
        world.corpus(crowd.into_iter().chain(labels));
        let crowded = Cause::CrowdedOut { chunk: "a".into(), document: "Carrier Handbook".to_owned(), chunks: 3 };
        assert_eq!(diagnosis(&world, "b c d a").causes, [crowded]);
        assert_eq!(diagnosis(&world, "b b b a").causes, [], "repeats are not a crowd");
    }
}

#[test]
fn a_failed_call_is_run_again_only_where_that_may_help() {
    let step = |reason: &str| Kind::RetrieverError { reason: reason.to_owned() }.next_step();
    for reason in [
        "POST http://127.0.0.1:1/retrieve: connection refused: nothing listens there",
        "POST http://h/retrieve: 429 Too Many Requests; tried 3 times",
        "POST http://h/retrieve: 503 Service Unavailable",
        "HTTP 502",
        "timed out",
        "no whole answer within 30 s: look why the server is slow, or raise `timeout`",
    ] {
        assert!(step(reason).starts_with("run the case again"), "{reason}");
    }
    for reason in [
        "POST http://127.0.0.1:500/retrieve: 401 Unauthorized; look at the headers that say who asks",
        "POST http://h/retrieve: 501 Not Implemented",
        "nothing at `$.results[*]` where its hits should stand; it has: error",
        "relation \"chunks\" does not exist",
    ] {
        assert!(step(reason).starts_with("mend what the reason says, then run again"), "{reason}");
    }
}

#[test]
fn a_verdict_by_the_list_alone_says_that_one_can_ask_further() {
    let world = World::new("a", "");
    let next = |stages: &[&str]| {
        let answer = answer("b c", stages);
        world.evaluate(Outcome::Answered(&answer)).diagnosis.unwrap().next_step()
    };
    assert!(next(&[]).starts_with("`caselight inspect ID` asks further (e in the screens)"), "{}", next(&[]));
    assert!(next(&["keyword: b c"]).starts_with("see whether the retriever's index has it"));
}
