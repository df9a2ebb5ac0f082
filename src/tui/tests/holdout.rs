//! A holdout case is labeled like any other, and neither run nor shown.

use super::{HITS, open_whole_with, world};
use crate::{
    eval::{evaluate::Mark, split::Split},
    tui::{
        effect::{Job, Slot},
        testing::TestApp,
    },
};

/// Of the cases of the world, these fall into the holdout under [`split`].
const HOLDOUT: [&str; 3] = ["partly", "below", "open"];

/// A split under which [`HOLDOUT`] are exactly the holdout cases.
fn split() -> Split {
    let ids: Vec<String> = world::cases().cases.into_iter().map(|case| case.id).filter(|id| id != "broken").collect();
    let fits = |split: &Split| ids.iter().all(|id| split.is_holdout(id) == HOLDOUT.contains(&id.as_str()));
    (0..100_000).map(|seed| Split { train: 0.6, seed }).find(fits).unwrap()
}

fn open() -> TestApp {
    open_whole_with(Some(split()))
}

fn runs(app: &TestApp) -> usize {
    app.started().iter().filter(|(_, job)| matches!(job, Job::Run { .. })).count()
}

#[test]
fn a_run_of_all_asks_no_holdout_case_and_says_how_many_stay_hidden() {
    let app = open().keys("R");
    let Some((_, Job::Run { cases, .. })) = app.last(Slot::RunAll) else { panic!("nothing was run") };
    assert_eq!(cases.len(), 5);
    assert!(cases.iter().all(|case| !HOLDOUT.contains(&case.id.as_str())));
    let app = app.runs(Slot::RunAll);
    assert!(HOLDOUT.iter().all(|id| !app.app.data.results.contains_key(*id)));
    assert!(app.text().contains("5 of 5 cases run; the holdout's 3 stay hidden"), "{}", app.text());
    assert_eq!(app.text().lines().filter(|line| line.ends_with(" holdout")).count(), 3, "{}", app.text());
}

#[test]
fn a_holdout_case_by_itself_is_not_run_under_any_config_or_window() {
    let app = open().goes_to("below").keys("r");
    let text = app.text();
    assert!(text.contains("[Inspect]") && text.contains("not run: this is a holdout case"), "{text}");
    assert!(text.contains("holdout: the result of this case stays hidden; `caselight run --open-holdout`"), "{text}");
    let app = app.keys("c").keys("+ + + + +").keys("r");
    assert_eq!((runs(&app), app.app.data.results.len()), (0, 0));
    assert_eq!(app.app.data.running_one, None);
}

#[test]
fn a_holdout_case_is_labeled_and_stays_unscored() {
    let app = open().labels("open").keys("1");
    assert_eq!(app.app.data.mark("open", &HITS.split(' ').next().unwrap().into()), Mark::Supporting);
    let app = app.keys("r");
    assert_eq!((runs(&app), app.app.data.summary().counts.scored), (0, 0));
}

#[test]
fn the_filter_finds_holdout_cases_labeled_or_not() {
    let listed = |app: &TestApp| {
        let text = app.text();
        HOLDOUT.iter().chain(&["found", "nowhere"]).filter(|id| text.contains(&format!("{id} "))).count()
    };
    let app = open().keys("/").types("state:holdout").keys("enter");
    assert_eq!(listed(&app), 3, "{}", app.text());
    assert!(app.text().contains("unlabeled holdout"), "{}", app.text());
    let app = open().keys("/").types("state:not-run below").keys("enter");
    assert!(app.text().contains("no case passes"), "{}", app.text());
}
