#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::{fmt::Write as _, fs};

use proptest::prelude::*;

use super::*;

fn qrels(text: &str) -> Result<Qrels, String> {
    Qrels::parse("qrels.txt".to_owned(), text.as_bytes().to_vec()).map_err(|error| error.to_string())
}

/// The documents of each topic as `visit` gets them: by the topic's id, which is a letter from `a` and what follows.
type Lists = Vec<Option<List>>;
/// Documents with their score's bits and their rank.
type List = Vec<(String, u64, i64)>;

fn lists(text: &[u8], topics: &[String]) -> Result<Read<List>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.txt");
    fs::write(&path, text).unwrap();
    let find = |id: &[u8]| topics.iter().position(|topic| topic.as_bytes() == id);
    let visit = |_, lines: &mut Vec<Line<'_>>| {
        let one = |line: &Line<'_>| Ok((line.text()?.to_owned(), line.score.to_bits(), line.rank()?));
        lines.iter().map(one).collect::<Result<Vec<_>, Refused>>()
    };
    let read = RunFile::open(&path).unwrap().read(topics.len(), &find, &visit);
    read.map_err(|error| error.to_string().replace(&folder.path().display().to_string(), ""))
}

fn names(topics: &[&str]) -> Vec<String> {
    topics.iter().map(|topic| (*topic).to_owned()).collect()
}

#[test]
fn judgments_are_read_past_marks_comments_blank_lines_and_any_white_space() {
    let qrels = qrels("\u{FEFF}q1 0 b 1\r\n# q9 0 b 1\n\n \t\nq2\t0\tc#2   0.5\nq1 0 a -1").unwrap();
    let of =
        |topic: &Topic| topic.judged.iter().map(|judged| (qrels.document(judged).to_owned(), judged.grade)).collect();
    let read: Vec<(&str, Vec<(String, f64)>)> = qrels.topics().iter().map(|topic| (&*topic.id, of(topic))).collect();
    let own = |id: &str, grade| (id.to_owned(), grade);
    assert_eq!(read, [("q1", vec![own("a", -1.0), own("b", 1.0)]), ("q2", vec![own("c#2", 0.5)])]);
    assert_eq!((qrels.find(b"q2"), qrels.find(b"q9")), (Some(1), None));
}

#[test]
fn what_is_wrong_with_judgments_is_said_with_its_line_and_value() {
    let cases = [
        (
            "q1 0 a 1\n\nq1 0 b\n",
            "qrels.txt:3: 3 columns; expected 4 columns: topic, iteration, document, grade, apart by white space",
        ),
        (
            "q1 0 a 1 2",
            "qrels.txt:1: 5 columns; expected 4 columns: topic, iteration, document, grade, apart by white space",
        ),
        ("q1 0 a 1\nq1 0 b good\n", "qrels.txt:2: grade is \"good\"; expected a number, as 0, 1 or 0.5"),
        ("q1 0 a 1\nq1 0 b NaN\n", "qrels.txt:2: grade is \"NaN\"; expected a number, as 0, 1 or 0.5"),
        (
            "q1 0 a 1\nq2 0 a 0\nq1 0 a 0\n",
            "qrels.txt:3: document \"a\" of topic \"q1\" stands on line 1 already with another grade",
        ),
        ("# nothing\n\n", "qrels.txt has no line with 4 columns: topic, iteration, document, grade"),
    ];
    for (text, expected) in cases {
        assert_eq!(qrels(text).unwrap_err(), expected, "{text}");
    }
    assert!(qrels("q1 0 a 1\nq1 0 a 1\n").is_ok(), "the same judgment again says nothing else");
}

#[test]
fn trec_eval_gets_no_grade_that_it_would_cut_and_no_judgment_twice() {
    let refused = |text: &str| qrels(text).unwrap().refuse_what_trec_eval_cannot().map_err(|error| error.to_string());
    assert_eq!(
        refused("q1 0 a 1\nq1 0 b 1.9\n").unwrap_err(),
        "qrels.txt:2: grade is \"1.9\"; expected a whole number: trec_eval cuts a fraction off"
    );
    assert_eq!(
        refused("q1 0 a 1\nq1 0 a 1\n").unwrap_err(),
        "qrels.txt:2: document \"a\" of topic \"q1\" stands on line 1 already"
    );
    assert!(refused("q1 0 a 1.0\nq1 0 b -1\n").is_ok());
}

#[test]
fn a_run_is_read_past_marks_comments_blank_lines_and_what_follows_its_name() {
    let text = b"\xEF\xBB\xBF\n# x Q0 a 1 1 r\nx\tQ0\ta\t1\t 2.5\tr and more\r\ny Q0 b#1 1 -1e3 r\nz Q0 b 1 1 last";
    let read = lists(text, &names(&["y", "x", "w"])).unwrap();
    let expected: Lists = vec![
        Some(vec![("b#1".to_owned(), (-1e3_f64).to_bits(), 1)]),
        Some(vec![("a".to_owned(), 2.5_f64.to_bits(), 1)]),
        None,
    ];
    assert_eq!(read.topics, expected);
    assert_eq!((read.lines, read.name.as_str(), read.foreign), (3, "last", names(&["z"])));
    let marked = lists(b"\xEF\xBB\xBFx Q0 a 1 1 r\n", &names(&["x"])).unwrap();
    assert!(marked.topics[0].is_some());
}

#[test]
fn what_is_wrong_with_a_run_is_said_with_its_line_and_value() {
    let columns =
        "columns; expected 6 columns: topic, Q0, document, rank, score, name of the run, apart by white space";
    let cases: [(&[u8], String); 7] = [
        (b"x Q0 a 1 2 r\nx Q0 b 2\n", format!("/run.txt:2: 4 {columns}")),
        (b"x Q0 a 1 2\nx Q0 b 2 1 r\n", format!("/run.txt:1: 5 {columns}")),
        (b"x Q0 a 1 high r\n", "/run.txt:1: score is \"high\"; expected a number".to_owned()),
        (b"x Q0 a 1 NaN r\n", "/run.txt:1: score is \"NaN\"; expected a number".to_owned()),
        (b"x Q0 a first 1 r\n", "/run.txt:1: rank is \"first\"; expected a whole number".to_owned()),
        (b"\n\nx Q0 \xFF 1 1 r\n", "/run.txt:3: document is \"\u{FFFD}\"; expected UTF-8".to_owned()),
        (b"", "/run.txt has no line with 6 columns: topic, Q0, document, rank, score, name of the run".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(lists(text, &names(&["x"])).unwrap_err(), expected, "{:?}", shown(text));
    }
    // In scattered topics the first wrong line is told as well.
    let scattered = b"x Q0 a 1 1 r\ny Q0 a 1 1 r\nx Q0 b 2 1 r\ny Q0 b 2\nx Q0 c\n";
    assert_eq!(lists(scattered, &names(&["x", "y"])).unwrap_err(), format!("/run.txt:4: 4 {columns}"));
}

#[test]
fn two_lines_of_one_document_are_found_and_told_by_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.txt");
    fs::write(&path, "x Q0 a 1 3 r\nx Q0 documents-01 2 2 r\nx Q0 b 3 1 r\nx Q0 documents-01 4 0 r\n").unwrap();
    let read = RunFile::open(&path).unwrap().read(1, &|_| Some(0), &|_, lines| match Places::new(lines) {
        Err((a, b)) => Err(lines[b].refuse_twice(&lines[a], "x")),
        Ok(_) => Ok(()),
    });
    let said = read.unwrap_err().to_string();
    assert!(said.ends_with("run.txt:4: document \"documents-01\" of topic \"x\" stands on line 2 already"), "{said}");
}

/// A run of so many topics, large enough for several parts and blocks.
fn large(topics: usize, depth: usize) -> Vec<String> {
    let line = |topic: usize, rank: usize| {
        format!("t{topic} Q0 document-{:07}-{topic} {rank} {}.25 large\n", topic * rank, depth - rank)
    };
    (0..topics).flat_map(|topic| (0..depth).map(move |rank| line(topic, rank))).collect()
}

#[test]
fn a_large_run_gives_every_topic_all_its_lines_in_order_together_or_scattered() {
    for (topics, depth) in [(700, 100), (3, 25_000), (60_000, 1)] {
        let mut lines = large(topics, depth);
        let ids: Vec<String> = (0..topics.min(700)).map(|topic| format!("t{topic}")).collect();
        let expected: Lists = (0..ids.len())
            .map(|topic| {
                let one = |rank: usize| {
                    let score = (depth - rank) as f64 + 0.25;
                    (format!("document-{:07}-{topic}", topic * rank), score.to_bits(), i64::try_from(rank).unwrap())
                };
                Some((0..depth).map(one).collect())
            })
            .collect();
        let read = lists(lines.concat().as_bytes(), &ids).unwrap();
        assert_eq!(read.lines, (topics * depth) as u64);
        assert!(read.topics == expected, "{topics} topics together");
        // By rank: the lines of each topic keep their order, and no two of them stand together.
        lines = (0..depth)
            .flat_map(|rank| (0..topics).map(move |topic| topic * depth + rank))
            .map(|at| lines[at].clone())
            .collect();
        let read = lists(lines.concat().as_bytes(), &ids).unwrap();
        assert_eq!(read.lines, (topics * depth) as u64);
        assert!(read.topics == expected, "{topics} topics scattered");
        assert_eq!(read.foreign.len(), topics - ids.len());
    }
}

proptest! {
    #[test]
    fn a_run_in_any_order_is_the_run_that_a_plain_reader_sees(
        lines in prop::collection::vec(("[a-e]", "[a-z#é]{1,9}", -9_i64..99, -50_i32..50, "[ \t]{1,2}", "\r?"), 1..60)
    ) {
        let topics = names(&["a", "b", "c", "d"]);
        let mut text = String::new();
        let mut expected: Lists = vec![None; 4];
        for (topic, document, rank, score, white, end) in &lines {
            let score = f64::from(*score) / 8.0;
            writeln!(text, "{topic}{white}Q0{white}{document} {rank} {score}{white}run{end}").unwrap();
            if let Some(at) = topics.iter().position(|known| known == topic) {
                expected[at].get_or_insert_default().push((document.clone(), score.to_bits(), *rank));
            }
        }
        prop_assert_eq!(lists(text.as_bytes(), &topics).unwrap().topics, expected);
    }
}
