//! Inspect: further requests, a kept run beside the case, repetitions, and a wrong label.

use std::sync::Arc;

use super::{open, open_in, open_whole, world};
use crate::{
    casefile::edit::Edit,
    domain::{
        asker::Asker,
        chunk::ChunkId,
        ranking::{Answer, Dropped},
    },
    eval::{
        asked::Cut,
        diagnosis::{
            Basis, Probed,
            probe::{Probe, ProbeKind},
        },
        run::{Header, LabeledChunk, Labels, RunCase, RunHit, RunOutcome},
    },
    tui::{
        effect::{Effect, Experiment, Job, Slot},
        msg::{Kept, KeptRun, Msg, Output},
        testing::TestApp,
        theme::Theme,
    },
};

/// The case below the window, asked of a retriever that tells no stages.
pub(super) fn by_the_list_alone(mut app: TestApp) -> TestApp {
    let config = &mut app.app.data.about.configs[0];
    config.means.without = vec!["rerank".to_owned()];
    let app = app.goes_to("below").keys("r");
    let (ticket, _) = app.last(Slot::RunOne).unwrap();
    app.answer_to(ticket, Output::Answered { case: "below".to_owned(), answer: Ok(Arc::new(listed("below"))) })
        .answer_to(ticket, Output::RunEnded)
}

fn listed(case: &str) -> Answer {
    Answer { stages: Vec::new(), ..Arc::unwrap_or_clone(world::answer(case).unwrap()) }
}

fn employee() -> Asker {
    world::about().askers.find(None).unwrap()
}

/// The same question, deeper.
pub(super) fn deeper(ids: &str) -> Probed {
    let Probed { result, .. } = without("", ids);
    Probed { probe: Probe { kind: ProbeKind::Deeper, asker: employee(), depth: 30 }, result }
}

/// The same question with a stage switched off.
pub(super) fn without(stage: &str, ids: &str) -> Probed {
    let kind = ProbeKind::Without { stage: stage.to_owned() };
    Probed {
        probe: Probe { kind, asker: employee(), depth: 6 },
        result: Ok(Answer { results: world::hits(ids), ..Answer::default() }),
    }
}

impl TestApp {
    /// What came of one further request.
    pub(super) fn probes(self, case: &str, probed: Probed) -> Self {
        let (ticket, _) = self.last(Slot::Experiment).expect("nothing was asked further");
        self.answer_to(ticket, Output::Probed { case: case.to_owned(), probed: Box::new(probed) })
    }

    fn ends(self, slot: Slot) -> Self {
        let (ticket, _) = self.last(slot).unwrap();
        self.answer_to(ticket, Output::RunEnded)
    }

    /// The kept runs of the case that is shown.
    pub(super) fn holds(self, runs: Vec<KeptRun>) -> Self {
        let Some((ticket, Job::Kept { case, config })) = self.last(Slot::Kept) else { panic!("no run was sought") };
        let now = Header { config, started: String::new(), ..made("2026-11-28T08:00:00Z") };
        self.answer_to(ticket, Output::Kept(Box::new(Kept { case, now, runs })))
    }

    /// One more answer to the same question.
    fn repeats(self, case: &str, results: &str) -> Self {
        let (ticket, _) = self.last(Slot::Repeat).unwrap();
        let answer = Answer { results: world::hits(results), ..Answer::default() };
        self.answer_to(ticket, Output::Answered { case: case.to_owned(), answer: Ok(Arc::new(answer)) })
    }

    fn basis(&self, case: &str) -> Basis {
        self.app.data.results[case].diagnosis.as_ref().unwrap().basis
    }

    fn verdict(&self, case: &str) -> &'static str {
        self.app.data.results[case].diagnosis.as_ref().unwrap().kind.word()
    }
}

fn made(started: &str) -> Header {
    Header {
        tool: "0.1.0".to_owned(),
        config: "keyword".to_owned(),
        retriever: "local".to_owned(),
        baseline: true,
        params: "{}".to_owned(),
        reach: None,
        cut: Cut { k: 3, depth: 6, recall_at: vec![1, 3, 5] },
        cases: String::new(),
        labels: String::new(),
        corpus: "today".to_owned(),
        commit: None,
        started: started.to_owned(),
    }
}

/// A run that has the case below the window with these results.
pub(super) fn kept(name: &str, committed: bool, header: Header, results: &str) -> KeptRun {
    let hit = |id: &str| RunHit { id: id.into(), score: None, leaked: Some(false), known: true };
    let pickup: ChunkId = "carrier#pickup".into();
    let outline = world::outline();
    let text = outline.chunk(&pickup).map(|chunk| chunk.fingerprint());
    KeptRun {
        name: name.to_owned(),
        committed,
        header,
        case: RunCase {
            id: "below".to_owned(),
            question: "When are pallets fetched?".to_owned(),
            tags: Vec::new(),
            asker: "employee".to_owned(),
            labels: Labels { needed: vec![vec![pickup.clone()]], distractors: Vec::new(), answerable: true },
            outcome: RunOutcome::Answered {
                results: results.split_whitespace().map(hit).collect(),
                latency: std::time::Duration::from_millis(9),
                partial: None,
            },
            chunks: vec![LabeledChunk { id: pickup, text, ranks: Vec::new() }],
            verdict: Some(("found".to_owned(), "found: the answer is in the window, first at rank 1".to_owned())),
        },
    }
}

/// A baseline in which the pallets were found, and a run of another config.
pub(super) fn runs() -> Vec<KeptRun> {
    let other = Header { params: r#"{"boost":2}"#.to_owned(), ..made("2026-11-27T10:00:00Z") };
    vec![
        kept("main", true, made("2026-11-20T23:44:58Z"), "carrier#pickup damaged#0 rota#0"),
        kept(
            "2026-11-27T10-00-00Z-keyword",
            false,
            other,
            "damaged#0 rota#0 returns#0 carrier#contacts carrier#pickup",
        ),
    ]
}

#[test]
fn further_requests_are_put_when_they_are_asked_for_and_each_is_shown_as_it_comes() {
    let app = by_the_list_alone(open());
    assert!(app.last(Slot::Experiment).is_none(), "each is a request to production");
    assert_eq!((app.verdict("below"), app.basis("below")), ("below_window", Basis::List { depth: 6 }));
    assert!(
        app.text().contains("alone, 6 results asked for)") && app.text().contains("e ask further"),
        "{}",
        app.text()
    );
    let app = app.keys("e");
    let Some((_, Job::Experiment(started))) = app.last(Slot::Experiment) else { panic!("nothing was asked further") };
    let Experiment { config, case, .. } = *started;
    assert_eq!((config.as_str(), case.id.as_str()), ("keyword", "below"));
    assert!(app.text().contains("asking further of below: 0 of at most 12 requests"), "{}", app.text());
    let app = app.probes("below", without("rerank", "carrier#pickup damaged#0"));
    assert!(app.text().contains("● without rerank: rank 1"), "{}", app.text());
    assert!(app.text().contains("1 of at most 12 requests"), "{}", app.text());
    let app = app.probes("below", deeper("damaged#0 rota#0")).ends(Slot::Experiment);
    assert!(app.text().contains("○ deeper, 30 results: not found"), "{}", app.text());
    assert_eq!((app.verdict("below"), app.basis("below")), ("demoted", Basis::Experiment { requests: 2 }));
    assert!(app.text().contains("by experiment, 2 requests beside the"), "{}", app.text());
    assert!(!app.text().contains("e ask further"), "nothing is left to find out");
    let app = app.keys("e");
    assert!(app.text().contains("2 requests were put, and no further one would tell more"), "{}", app.text());
}

#[test]
fn a_new_run_of_the_case_forgets_what_was_asked_further() {
    let app = by_the_list_alone(open()).keys("e").probes("below", without("rerank", "carrier#pickup"));
    assert_eq!(app.verdict("below"), "demoted");
    let app = by_the_list_alone(app);
    assert_eq!((app.verdict("below"), app.basis("below")), ("below_window", Basis::List { depth: 6 }));
    assert!(!app.text().contains("without rerank"), "{}", app.text());
}

#[test]
fn further_requests_are_stopped_by_a_key_and_what_came_is_kept() {
    for key in ["esc", "."] {
        let app = by_the_list_alone(open()).keys("e").probes("below", without("rerank", "carrier#pickup"));
        let (ticket, _) = app.last(Slot::Experiment).unwrap();
        let app = app.keys(key);
        assert!(app.effects.contains(&Effect::Cancel(Slot::Experiment)), "{key}");
        assert!(app.text().contains("[Inspect]"), "{key} stops and stays");
        let late = Output::Probed { case: "below".to_owned(), probed: Box::new(without("fuse", "carrier#pickup")) };
        let app = app.answer_to(ticket, late);
        assert_eq!(app.basis("below"), Basis::Experiment { requests: 1 });
        assert!(app.keys("esc").text().contains("[Cases]"));
    }
}

#[test]
fn where_nothing_is_to_be_found_out_no_request_is_put_and_the_reason_is_said() {
    let app = open().goes_to("demoted").keys("r").runs(Slot::RunOne);
    assert!(!app.text().contains("ask further"));
    let app = app.keys("e");
    assert!(app.last(Slot::Experiment).is_none());
    assert!(app.text().contains("the retriever's own trace tells it"), "{}", app.text());
    let app = open().goes_to("found").keys("enter e");
    assert!(app.text().contains("not run: r runs it first"), "{}", app.text());
}

#[test]
fn a_failed_request_is_shown_and_is_evidence_of_nothing() {
    let failed = Probed { result: Err("503".to_owned()), ..without("rerank", "") };
    let app = by_the_list_alone(open()).keys("e").probes("below", failed).ends(Slot::Experiment);
    assert!(app.text().contains("! without rerank: failed, which says nothing: 503"), "{}", app.text());
    assert_eq!((app.verdict("below"), app.basis("below")), ("below_window", Basis::List { depth: 6 }));
}

#[test]
fn b_goes_from_the_newest_baseline_to_kept_runs_to_none() {
    let app = by_the_list_alone(open_in(Theme::Colour, (120, 30))).keys("b").holds(runs());
    assert!(app.text().contains("beside baseline main, 2026-11-20"), "{}", app.text());
    assert!(app.text().contains("recall 0 ▼ 1  mrr 0.00 ▼ 1.00"), "{}", app.text());
    assert!(app.under_cursor().contains("5   1 ▼ ● supporting"), "{}", app.under_cursor());
    assert_eq!(app.verdict("below"), "demoted", "it fell below its rank in the baseline");
    assert!(app.text().contains("fell from 1 in main to 5"), "{}", app.text());
    assert!(app.text().contains("▼ since main, 2026-11-20: regressed"), "{}", app.text());
    assert!(app.text().contains("differs: nothing"), "{}", app.text());
    let app = app.keys("b");
    assert!(app.text().contains("beside run 2026-11-27T10-00-00Z-keyword"), "{}", app.text());
    assert!(app.under_cursor().contains("5   5 = ● supporting"), "{}", app.under_cursor());
    assert!(app.text().contains(r#"differs: params: {"boost":2} -> {}"#), "{}", app.text());
    assert_eq!(app.verdict("below"), "below_window");
    let app = app.keys("b");
    assert!(!app.text().contains("beside run") && !app.text().contains("was"), "{}", app.text());
    assert_eq!(app.started().iter().filter(|(_, job)| matches!(job, Job::Kept { .. })).count(), 1);
    let app = app.keys("b");
    assert!(matches!(app.started().last(), Some((_, Job::Kept { .. }))), "what was kept meanwhile is found");
}

#[test]
fn the_run_beside_a_case_stays_beside_the_next_one_and_is_no_evidence_for_the_last() {
    let app = by_the_list_alone(open()).keys("b").holds(runs());
    assert_eq!(app.verdict("below"), "demoted");
    let app = app.keys("p");
    let Some((_, Job::Kept { case, .. })) = app.last(Slot::Kept) else { panic!("no run was sought") };
    assert_eq!(case, "demoted");
    assert_eq!(app.verdict("below"), "below_window", "nothing of a kept run hangs on in the list of cases");
    let app = app.keys("r").runs(Slot::RunOne).holds(Vec::new());
    assert!(app.text().contains("main does not hold this case"), "{}", app.text());
}

#[test]
fn a_case_that_no_kept_run_holds_says_how_to_keep_one() {
    let app = by_the_list_alone(open()).keys("b").holds(Vec::new());
    assert!(app.text().contains("no kept run holds below"), "{}", app.text());
}

#[test]
fn a_repeated_case_says_what_varies() {
    let app = by_the_list_alone(open_in(Theme::Colour, (120, 30))).keys("*");
    let Some((_, Job::Repeat { times, depth, .. })) = app.last(Slot::Repeat) else { panic!("nothing was repeated") };
    assert_eq!((times, depth), (5, 6));
    let app = app.repeats("below", "rota#0 carrier#pickup");
    assert!(app.text().contains("asking below again: 1 of 5"), "{}", app.text());
    let same = ["rota#0 carrier#pickup"; 4].into_iter().fold(app, |app, results| app.repeats("below", results));
    let same = same.ends(Slot::Repeat);
    assert!(same.text().contains("= asked 5 times: the same ranks and verdict each time"), "{}", same.text());
    let app = same.keys("*");
    let lists = [
        "rota#0 carrier#pickup",
        "returns#0 rota#0 damaged#0 carrier#pickup",
        "carrier#pickup",
        "carrier#pickup",
        "rota#0",
    ];
    let app = lists.into_iter().fold(app, |app, results| app.repeats("below", results)).ends(Slot::Repeat);
    let said =
        "≈ asked 5 times, not the same: Carrier Handbook › Pickup rank 2 4 1 1 –; verdict changed 3 times: found";
    assert!(app.text().contains(said), "{}", app.text());
    assert_eq!(app.verdict("below"), "below_window", "what is shown is the run, not a repetition");
}

#[test]
fn a_case_of_the_holdout_is_not_repeated() {
    let split = crate::eval::split::Split { train: 0.0, seed: 1 };
    let app = super::open_whole_with(Some(split)).keys("enter *");
    assert!(app.last(Slot::Repeat).is_none());
    assert!(app.text().contains("not run"), "{}", app.text());
}

#[test]
fn a_wrong_label_is_written_with_its_reason_shown_undone_and_taken_back() {
    let app = by_the_list_alone(open()).keys("!").types("policy moved in March").keys("enter").save();
    let reason = |app: &TestApp| app.app.data.case("below").unwrap().label_wrong.clone();
    assert_eq!(app.edits().last().unwrap().1, Edit::SetLabelWrong(Some("policy moved in March".to_owned())));
    assert!(app.text().contains("≠ the label is wrong: policy moved in March"), "{}", app.text());
    let listed = app.keys("esc / s t a t e : w r o n g enter");
    assert!(listed.text().contains("1 of 9 cases") && listed.under_cursor().contains("≠below"), "{}", listed.text());
    assert!(listed.text().contains("≠ the label is wrong: policy moved in March"), "{}", listed.text());
    let app = listed.keys("enter u").save();
    assert_eq!(reason(&app), None, "undo takes it back");
    let app = app.keys("U").save().keys("! ctrl-u enter").save();
    assert_eq!((reason(&app), app.edits().len()), (None, 2), "an empty reason takes it back");
    let app = app.keys("! enter !").types("q").keys("esc").save();
    assert_eq!((reason(&app), app.edits().len()), (None, 2), "esc leaves it as it is");
}

#[test]
fn a_reason_may_be_pasted() {
    let app = by_the_list_alone(open()).keys("!").send(Msg::Paste("two\nlines".to_owned())).keys("enter");
    assert_eq!(app.edits().last().unwrap().1, Edit::SetLabelWrong(Some("two lines".to_owned())));
}

#[test]
fn a_dropped_chunk_has_the_word_of_the_stage_that_threw_it_away() {
    let mut answer = Arc::unwrap_or_clone(world::answer("below").unwrap());
    answer.results.retain(|hit| hit.id.as_str() != "carrier#pickup");
    answer.stages[1].ranking.retain(|hit| hit.id.as_str() != "carrier#pickup");
    answer.stages[1].dropped = vec![Dropped { id: "carrier#pickup".into(), why: "floor".to_owned() }];
    let app = open().goes_to("below").keys("r");
    let (ticket, _) = app.last(Slot::RunOne).unwrap();
    let app = app.answer_to(ticket, Output::Answered { case: "below".to_owned(), answer: Ok(Arc::new(answer)) });
    assert!(app.under_cursor().trim_end().ends_with("5     ✗ floor"), "{}", app.under_cursor());
    let app = app.resize(60, 24);
    assert!(app.under_cursor().contains("not found"), "{}", app.text());
}

#[test]
fn the_stage_where_a_chunk_fell_has_a_glyph() {
    let app = open_whole().goes_to("demoted").keys("r").runs(Slot::RunOne);
    assert!(app.under_cursor().trim_end().ends_with("4 ▼"), "{}", app.under_cursor());
}

#[test]
fn a_verdict_that_is_cut_is_shown_whole_by_a_key() {
    let app = by_the_list_alone(open_in(Theme::Colour, (80, 24))).keys("b").holds(runs()).keys("e");
    let app = app.probes("below", without("rerank", "rota#0 carrier#pickup")).ends(Slot::Experiment);
    let app = app.keys("! m o v e d enter");
    assert!(app.text().contains("… v"), "{}", app.text());
    let whole = app.keys("v");
    assert!(!whole.text().contains("… v") && whole.text().contains("without rerank"), "{}", whole.text());
    assert!(whole.text().contains("● supporting"), "the ranking keeps a place:\n{}", whole.text());
}
