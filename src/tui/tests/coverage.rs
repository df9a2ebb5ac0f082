//! Coverage: the numbers are those of the report and the gate, they come as answers come, and enter leads to the cases.

use super::{open, open_whole, open_whole_with, world};
use crate::{
    eval::{
        aggregate::{Numbers, Subset, Summary, Tally},
        asked::Cut,
        gate::Metric,
        split::Split,
    },
    tui::{
        data::{Stands, Surveyed},
        effect::{Effect, Job, Slot},
        msg::{Output, PastRun},
        testing::TestApp,
    },
};

/// A run kept on that day of November, in which every case is a `paraphrase` and these recalls are their mean.
pub(super) fn kept(day: u8, recall: f64) -> PastRun {
    let numbers = Numbers {
        recall,
        mrr: recall / 2.0,
        precision: recall / 3.0,
        precision_ceiling: 1.0 / 3.0,
        completeness: recall,
        distractor_above: 0,
        recall_at: Vec::new(),
        mrr_at_max: None,
    };
    let subset = |name: &str| Subset {
        name: name.to_owned(),
        cases: 4,
        n: 4,
        numbers: Some(numbers.clone()),
        marks: Vec::new(),
    };
    let cut = Cut { k: 3, depth: 6, recall_at: vec![1, 3, 5] };
    let nothing = Tally::new::<&str>(&cut, &[]).summary();
    let summary = Summary { all: subset("all"), subsets: vec![subset("paraphrase")], ..nothing };
    PastRun { name: format!("run-{day}"), started: format!("2026-11-{day:02}T08:00:00Z"), summary }
}

fn surveyed<'a>(app: &'a TestApp, name: &str) -> &'a Surveyed {
    app.app.data.survey().unwrap().rows.iter().find(|row| row.name == name).unwrap()
}

fn line(app: &TestApp, subset: &str) -> String {
    let text = app.text();
    let found = text.lines().skip(4).find(|line| line.trim_start_matches(['▸', '◔', '∅', ' ']).starts_with(subset));
    found.unwrap_or_else(|| panic!("no row of {subset}:\n{text}")).to_owned()
}

fn answer(app: TestApp, case: &str) -> TestApp {
    let (ticket, _) = app.last(Slot::RunAll).unwrap();
    app.answer_to(ticket, Output::Answered { case: case.to_owned(), answer: world::answer(case) })
}

#[test]
fn numbers_appear_as_answers_come_and_a_threshold_waits_for_the_whole_subset() {
    let app = open_whole().keys("c");
    assert!(line(&app, "paraphrase").contains("not run"), "{}", app.text());
    assert!(app.text().contains("weak  not known: R runs every case"));
    let app = answer(app.keys("R"), "found");
    assert_eq!(surveyed(&app, "paraphrase").stands(), Stands::Part);
    assert!(line(&app, "paraphrase").contains("~1.00") && line(&app, "paraphrase").contains('…'), "{}", app.text());
    let app = answer(app, "below");
    let row = surveyed(&app, "paraphrase");
    assert_eq!((row.stands(), row.asked, row.may), (Stands::Fails, 2, 2));
    assert!((row.numbers().unwrap().1.recall - 0.5).abs() < 1e-12);
    assert!(line(&app, "paraphrase").contains("✗0.75"), "{}", app.text());
    assert!(app.text().contains("✗ paraphrase recall 0.50 of 0.75"), "{}", app.text());
}

#[test]
fn the_numbers_are_those_of_the_report_and_the_gate() {
    let app = open_whole().keys("c R").runs(Slot::RunAll);
    let (survey, report) = (app.app.data.survey().unwrap(), app.app.data.summary());
    for subset in report.subsets.iter().chain([&report.all]) {
        let row = surveyed(&app, &subset.name);
        let shown = row.numbers().map(|(shown, numbers)| (shown.n, numbers.recall, numbers.mrr));
        let known = subset.numbers.as_ref().map(|numbers| (subset.n, numbers.recall, numbers.mrr));
        assert_eq!(shown, known, "{}", subset.name);
    }
    assert_eq!(survey.rows[0].name, "all");
    let misses = surveyed(&app, "all").recall().unwrap();
    assert!(
        misses.met() && surveyed(&app, "all").misses_left() == Some(0),
        "2 of 4 with a threshold of 0.4: {misses:?}"
    );
    // No gate names it, and what an asker may read has no tolerance.
    let narrow = surveyed(&app, "permission_narrow");
    assert!(narrow.stands() == Stands::Fails && narrow.held[0].implied);
    assert_eq!(surveyed(&app, "negation").stands(), Stands::Free);
}

#[test]
fn a_threshold_on_a_recall_that_no_report_shows_is_measured_and_one_above_depth_is_not_known() {
    let mut app = open_whole();
    app.app.data.about.gates[0].thresholds[1].metric = Metric::RecallAt(2);
    let app = app.keys("c R").runs(Slot::RunAll);
    assert!(!app.app.data.cut().recall_at.contains(&2));
    let all = surveyed(&app, "all");
    assert!(all.held.iter().any(|held| held.threshold.metric == Metric::RecallAt(2)) && all.unmeasured.is_empty());
    let mut app = open_whole();
    app.app.data.about.gates[0].thresholds[1].metric = Metric::RecallAt(50);
    let app = app.keys("c R").runs(Slot::RunAll);
    let all = surveyed(&app, "all");
    assert_eq!((&all.unmeasured[..], all.stands()), (&[Metric::RecallAt(50)][..], Stands::Fails));
    assert!(app.text().contains("recall@50 is not known"), "{}", app.text());
}

#[test]
fn a_label_or_a_tag_that_changes_is_counted_anew() {
    let app = open_whole().keys("c");
    assert_eq!((surveyed(&app, "negation").row.cases, surveyed(&app, "all").row.labeled), (1, 5));
    let app = app.keys("esc").labels("open").keys("1 t 3 esc").save().keys("esc c");
    assert_eq!((surveyed(&app, "negation").row.cases, surveyed(&app, "all").row.labeled), (2, 6), "{}", app.text());
    let app = app.outside(|set| set.cases.retain(|case| case.id != "open")).send(crate::tui::msg::Msg::FilesChanged);
    let app = app.save();
    assert_eq!((surveyed(&app, "negation").row.cases, surveyed(&app, "all").row.labeled), (1, 5));
}

#[test]
fn enter_lists_the_cases_of_the_subset_and_esc_comes_back_to_it() {
    let app = open_whole().keys("c down down enter");
    assert!(app.text().contains("[Cases]") && app.text().contains("/ tag:paraphrase"), "{}", app.text());
    assert_eq!(app.app.data.current.as_deref(), Some("found"));
    let app = app.keys("down enter");
    assert!(app.text().contains("[Inspect]"));
    let app = app.keys("esc esc");
    assert!(app.text().contains("[Coverage]") && app.under_cursor().contains("paraphrase"), "{}", app.text());
    let app = app.keys("esc");
    assert!(app.text().contains("[Cases]") && !app.text().contains("tag:paraphrase"), "the filter is gone");
    // A filter of one's own is taken off where it is.
    let app = app.keys("c enter / n e g enter esc");
    assert!(app.text().contains("[Cases]"), "{}", app.text());
    assert!(app.keys("c home enter").text().contains("8 cases"), "of every case nothing is filtered");
}

#[test]
fn the_cursor_stays_on_its_subset_when_others_come_and_goes_to_all_when_it_goes() {
    let app = open_whole().keys("c end");
    assert!(app.under_cursor().contains("claims"), "{}", app.under_cursor());
    let app =
        app.outside(|set| set.cases[0].tags.push("a_new_tag".to_owned())).send(crate::tui::msg::Msg::FilesChanged);
    let app = app.save();
    assert!(app.text().contains("a_new_tag") && app.under_cursor().contains("claims"), "{}", app.text());
    let app = app
        .outside(|set| set.cases.iter_mut().for_each(|case| case.tags.retain(|tag| tag != "claims")))
        .send(crate::tui::msg::Msg::FilesChanged)
        .save();
    assert!(app.under_cursor().contains("all"), "{}", app.under_cursor());
}

#[test]
fn esc_stops_a_run_before_it_goes_back() {
    let app = answer(open_whole().keys("c R"), "found").keys("esc");
    assert!(app.text().contains("[Coverage]") && app.effects.contains(&Effect::Cancel(Slot::RunAll)));
    assert!(app.keys("esc").text().contains("[Cases]"));
}

#[test]
fn kept_runs_are_of_the_config_and_the_window_that_are_shown() {
    let app = open_whole().keys("c").remembers(&[0.25, 0.5, 0.75]);
    assert!(app.text().contains("▂▄▆ 0.25 → 0.75, 2026-11-01 to 2026-11-03"), "{}", app.text());
    assert!(app.keys("j").text().contains("no kept run of keyword has it"));
    let app = open_whole().keys("c").remembers(&[0.5]);
    assert!(app.text().contains("in the kept run ▄ 0.50, 2026-11-01"), "{}", app.text());
    let app = app.keys("esc enter +").keys("esc c");
    assert!(app.text().contains("reading the kept runs"), "another window: {}", app.text());
    let Some((_, Job::Past { k, .. })) = app.last(Slot::Past) else { panic!("no kept run was sought") };
    assert_eq!(k, 4);
}

#[test]
fn the_holdout_is_counted_and_never_scored() {
    let ids: Vec<String> = world::cases().cases.into_iter().map(|case| case.id).filter(|id| id != "broken").collect();
    let fits = |split: &Split| ids.iter().all(|id| split.is_holdout(id) == (id == "below" || id == "demoted"));
    let split = (0..100_000).map(|seed| Split { train: 0.75, seed }).find(fits).unwrap();
    let app = open_whole_with(Some(split)).keys("c R").runs(Slot::RunAll);
    let row = surveyed(&app, "paraphrase");
    assert_eq!((row.row.cases, row.asked, row.may, row.numbers().unwrap().0.n), (2, 1, 1, 1));
    assert!(app.text().contains("the holdout's 2 stay hidden"), "{}", app.text());
    assert!(line(&app, "follow_up").contains("all of its cases are in the holdout"), "{}", app.text());
}

#[test]
fn every_section_is_reached_in_a_small_terminal_and_all_stand_beside_each_other_in_a_wide_one() {
    let titles = ["all: ", "tagged together", "came from", "left out and doubtful"];
    let mut app = open().resize(80, 24).keys("c");
    for title in titles {
        let text = app.text();
        let first = text.lines().skip_while(|line| !line.starts_with("── █")).nth(1).unwrap().to_owned();
        assert!(first.trim_start().starts_with(title), "{title}: {text}");
        app = app.keys("v");
    }
    assert!(app.text().contains(" all: "), "and around: {}", app.text());
    let app = app.keys("J J J J J J J J J J J J J J J J");
    assert!(app.text().contains("documents without any case: 0 of 4"), "to the end: {}", app.text());
    let text = app.resize(200, 60).text();
    assert!(titles.iter().all(|title| text.contains(title)), "{text}");
}

#[test]
fn while_the_corpus_is_not_open_nothing_is_claimed() {
    let app =
        TestApp::opening(world::about(), world::cases(), crate::tui::theme::Theme::Colour, (80, 24)).keys("c v j R");
    assert!(app.text().contains("known once the corpus is open"), "{}", app.text());
    let (ticket, _) = app.last(Slot::Load).unwrap();
    let app = app.answer_to(ticket, Output::Failed("../documents: no such folder".to_owned()));
    assert!(app.text().contains("the corpus is not open, so it is not known"), "{}", app.text());
}
