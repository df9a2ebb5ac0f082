#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;

use super::*;

fn made_with() -> Header {
    Header {
        tool: "0.1.0".to_owned(),
        config: "hybrid+rerank".to_owned(),
        retriever: "production".to_owned(),
        baseline: false,
        params: r#"{"mode":"hybrid","alpha":0.35}"#.to_owned(),
        reach: None,
        cut: Cut { k: 6, depth: 10, recall_at: vec![1, 5, 10] },
        cases: "c0".to_owned(),
        labels: "1a".to_owned(),
        corpus: "c1".to_owned(),
        commit: Some("0123abc".to_owned()),
        started: "2026-11-30T23:44:58Z".to_owned(),
    }
}

fn answered() -> RunCase {
    let hit = |id: &str, score, leaked| RunHit { id: id.into(), score, leaked, known: leaked.is_some() };
    RunCase {
        id: "pol-004".to_owned(),
        question: "who is \"in charge\"?".to_owned(),
        tags: vec!["paraphrase".to_owned()],
        asker: "employee".to_owned(),
        labels: Labels {
            needed: vec![vec!["7".into()], vec!["a".into(), "b".into()]],
            distractors: vec!["d".into()],
            answerable: true,
        },
        outcome: RunOutcome::Answered {
            results: vec![
                hit("d", Some(0.5), Some(false)),
                hit("215250709085334181", None, None),
                hit("s", None, Some(true)),
            ],
            latency: Duration::from_micros(1391),
            partial: None,
        },
        chunks: vec![LabeledChunk {
            id: "7".into(),
            text: Some("58ec4bcc27359720".to_owned()),
            ranks: vec![("keyword".to_owned(), Some(12)), ("rerank".to_owned(), None)],
        }],
        verdict: Some(("outranked".to_owned(), "outranked by d".to_owned())),
    }
}

fn failed() -> RunCase {
    RunCase { outcome: RunOutcome::Failed("HTTP 502".to_owned()), verdict: None, chunks: Vec::new(), ..answered() }
}

const HEADER: &str = r#"{"caselight_run":1,"tool":"0.1.0","started":"2026-11-30T23:44:58Z","commit":"0123abc","config":"hybrid+rerank","retriever":"production","baseline":false,"k":6,"depth":10,"recall_at":[1,5,10],"params":{"mode":"hybrid","alpha":0.35},"cases":"c0","labels":"1a","corpus":"c1"}"#;
const ANSWERED: &str = r#"{"id":"pol-004","question":"who is \"in charge\"?","tags":["paraphrase"],"asker":"employee","answerable":true,"needed":[["7"],["a","b"]],"distractors":["d"],"verdict":{"kind":"outranked","text":"outranked by d"},"latency_ms":1.391,"chunks":[{"id":"7","text":"58ec4bcc27359720","ranks":[["keyword",12],["rerank",null]]}],"results":[{"id":"d","score":0.5,"leaked":false},{"id":"215250709085334181","score":null,"leaked":null},{"id":"s","score":null,"leaked":true}]}"#;
const FAILED: &str = r#"{"id":"pol-004","question":"who is \"in charge\"?","tags":["paraphrase"],"asker":"employee","answerable":true,"needed":[["7"],["a","b"]],"distractors":["d"],"verdict":null,"error":"HTTP 502","chunks":[]}"#;

#[test]
fn the_fields_stand_in_this_order_and_ids_are_text() {
    assert_eq!(header_line(&made_with()), format!("{HEADER}\n"));
    assert_eq!(case_line(&answered()), format!("{ANSWERED}\n"));
    assert_eq!(case_line(&failed()), format!("{FAILED}\n"));
}

#[test]
fn what_was_written_is_read() {
    assert_eq!(header(HEADER), Ok(made_with()));
    assert_eq!(case(ANSWERED), Ok(answered()));
    assert_eq!(case(FAILED), Ok(failed()));
    // As where git changed the line ends.
    assert_eq!(case(&format!("{ANSWERED}\r")), Ok(answered()));
}

#[test]
fn fields_of_another_version_are_left_alone() {
    let more = |line: &str| line.replacen('{', r#"{"new":{"a":[1]},"#, 1);
    assert_eq!(header(&more(HEADER)), Ok(made_with()));
    assert_eq!(case(&more(ANSWERED)), Ok(answered()));
    assert_eq!(case_id(&more(ANSWERED)).as_deref(), Some("pol-004"));
}

#[test]
fn a_first_line_that_this_version_cannot_read_says_why() {
    let cases = [
        ("", "this is no run"),
        ("{\"caselight_run\":1", "this is no run"),
        ("{\"question_id\":\"a\"}", "this is no run"),
        ("{\"caselight_run\":2}", "version 2; this Caselight reads up to version 1"),
        ("{\"caselight_run\":\"x\"}", "version \"x\""),
        ("{\"caselight_run\":1}", "missing field `tool`"),
        (&HEADER.replace("\"k\":6", "\"k\":-6"), "column 159: invalid value: integer `-6`, expected usize"),
        (&HEADER.replace("\"k\":6", "\"k\":0"), "`k` must be at least 1"),
        (&HEADER.replace("\"depth\":10", "\"depth\":5"), "`depth` at least `k`"),
    ];
    for (line, expected) in cases {
        let error = header(line).unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn a_line_of_a_case_that_is_wrong_says_where_and_what() {
    let cases = [
        (ANSWERED.replace("\"results\"", "\"result\""), "a case has `results`"),
        (ANSWERED.replace("1.391", "-1"), "`latency_ms` must be a number of milliseconds from 0, and is -1"),
        (ANSWERED.replace("1.391", "1e300"), "`latency_ms` must be"),
        (ANSWERED.replace("1.391", "1e999"), "number out of range"),
        (
            ANSWERED.replace("\"215250709085334181\"", "215250709085334181"),
            "invalid type: integer `215250709085334181`",
        ),
        (ANSWERED[..100].to_owned(), "column 100: EOF while parsing"),
        ("[]".to_owned(), "column"),
    ];
    for (line, expected) in cases {
        let error = case(&line).unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("at line"), "{line}: {error}");
    }
}

#[test]
fn a_score_that_is_no_number_is_null() {
    for score in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut case = answered();
        let RunOutcome::Answered { results, .. } = &mut case.outcome else { unreachable!() };
        results[0].score = Some(score);
        let line = case_line(&case);
        assert!(line.contains(r#"{"id":"d","score":null,"leaked":false}"#), "{line}");
    }
}

prop_compose! {
    fn any_case()(
        id in any::<String>(), texts in prop::collection::vec(any::<String>(), 4), ids in prop::collection::vec("[0-9a\"\\\\é\n]{0,4}", 6),
        score in prop::option::of(-1e6..1e6), leaked in any::<Option<bool>>(), micros in 0_u64..10_000_000_000,
        error in any::<Option<String>>(), partial in any::<Option<String>>(), odd in any::<bool>(), answerable in any::<bool>(), rank in prop::option::of(1_usize..100), n in 0_usize..4,
    ) -> RunCase {
        let chunk = |at: usize| ChunkId::from(ids[at].as_str());
        let results = (0..n).map(|at| RunHit { id: chunk(at), score, leaked, known: leaked.is_some() != odd }).collect();
        RunCase {
            id, question: texts[0].clone(), tags: texts[..n].to_vec(), asker: texts[1].clone(),
            labels: Labels { needed: vec![vec![chunk(4), chunk(5)]; n], distractors: vec![chunk(0); n], answerable },
            outcome: error.map_or(RunOutcome::Answered { results, latency: Duration::from_micros(micros), partial }, RunOutcome::Failed),
            chunks: vec![LabeledChunk { id: chunk(1), text: rank.map(|_| texts[2].clone()), ranks: vec![(texts[3].clone(), rank)] }; n],
            verdict: rank.map(|_| (texts[0].clone(), texts[3].clone())),
        }
    }
}

proptest! {
    /// Scores are for display: 15 digits of them are kept, and those exactly.
    #[test]
    fn every_case_is_one_line_that_reads_and_writes_back_the_same(case in any_case()) {
        let line = case_line(&case);
        prop_assert_eq!(line.find('\n'), Some(line.len() - 1));
        let mut read = super::case(&line).unwrap();
        prop_assert_eq!(case_line(&read), line.clone());
        let id = case_id(&line);
        prop_assert_eq!(id.as_deref(), Some(case.id.as_str()));
        if let (RunOutcome::Answered { results, .. }, RunOutcome::Answered { results: before, .. }) = (&mut read.outcome, &case.outcome) {
            for (hit, before) in results.iter_mut().zip(before) {
                prop_assert_eq!(hit.score.is_some(), before.score.is_some());
                let off = hit.score.unwrap_or(0.0) - before.score.unwrap_or(0.0);
                prop_assert!(off.abs() <= 1e-14 * before.score.unwrap_or(0.0).abs());
                hit.score = before.score;
            }
        }
        prop_assert_eq!(read, case);
    }

    #[test]
    fn no_line_makes_reading_panic(line in any::<String>(), cut in 0_usize..400, byte in any::<char>()) {
        let mut near = ANSWERED.to_owned();
        near.insert(near.floor_char_boundary(cut), byte);
        for line in [line.as_str(), near.as_str(), &ANSWERED[..cut]] {
            let (_, _, _) = (header(line), super::case(line), case_id(line));
        }
    }
}
