//! Labeling: every mark sits on the hit that was selected when its key was read.

use super::{HITS, open, world};
use crate::{
    casefile::edit::Edit,
    domain::case::Target,
    eval::evaluate::Mark,
    tui::{
        data::Tone,
        effect::{Effect, Job, Slot},
        msg::Output,
        screen::label::PAUSE,
        testing::TestApp,
    },
};

fn marks(app: &TestApp, case: &str) -> Vec<(&'static str, Mark)> {
    ["damaged#escalation", "returns#escalation", "damaged#photos", "carrier#contacts", "rota#night"]
        .map(|id| (id, app.app.data.mark(case, &id.into())))
        .into_iter()
        .filter(|(_, mark)| *mark != Mark::Unjudged)
        .collect()
}

fn message(app: &TestApp) -> &str {
    app.app.data.message.as_ref().map_or("", |(_, text)| text)
}

#[test]
fn marking_a_hit_is_one_write_of_its_section_and_marking_it_again_takes_it_off() {
    let app = open().labels("open");
    let before = app.app.data.current().unwrap().clone();
    let app = app.keys("enter");
    let target = world::section("Damaged Goods Policy", &["Escalation"]);
    assert_eq!(app.edits(), [(before, Edit::AddSupporting(target))]);
    assert_eq!(marks(&app, "open"), [("damaged#escalation", Mark::Supporting)]);
    let seen = app.app.data.current().unwrap().clone();
    let app = app.keys("enter");
    assert_eq!(app.edits()[1..], [(seen, Edit::RemoveSupporting { requirement: 0, alternative: 0 })]);
    assert_eq!(marks(&app, "open"), []);
}

#[test]
fn a_section_of_several_chunks_is_labeled_with_a_quote() {
    let app = open().goes_to("open").keys("l").finds("returns#limits-2").keys("1");
    let (_, edit) = app.edits().remove(0);
    let Edit::AddSupporting(Target::Section { heading, quote, .. }) = edit else { panic!("{edit:?}") };
    assert_eq!(heading, ["Time limits"]);
    assert!(quote.unwrap().starts_with("Small parts may be returned"));
    assert_eq!(app.app.data.mark("open", &"returns#limits-1".into()), Mark::Unjudged);
}

#[test]
fn a_case_in_the_short_form_is_labeled_by_id() {
    let app = open().labels("short").keys("1");
    assert_eq!(app.edits()[0].1, Edit::AddSupporting(Target::Chunk("damaged#escalation".into())));
}

#[test]
fn marking_the_other_way_changes_sides() {
    let app = open().labels("open").keys("1 d");
    let target = world::section("Damaged Goods Policy", &["Escalation"]);
    let edits: Vec<Edit> = app.edits().into_iter().map(|(_, edit)| edit).collect();
    let off = Edit::RemoveSupporting { requirement: 0, alternative: 0 };
    assert_eq!(edits, [Edit::AddSupporting(target.clone()), off, Edit::AddDistractor(target.clone())]);
    assert_eq!(marks(&app, "open"), [("damaged#escalation", Mark::Distractor)]);
    let app = app.save().keys("1").save();
    assert_eq!(marks(&app, "open"), [("damaged#escalation", Mark::Supporting)]);
    let case = app.on_disk().iter().find(|case| case.id == "open").unwrap();
    assert_eq!((case.supporting.len(), case.distractors.len()), (1, 0));
}

#[test]
fn a_mark_that_cannot_change_sides_stays_where_it_is() {
    let app = open().goes_to("nowhere").keys("l").finds("carrier#claims damaged#0").keys("1");
    assert_eq!(app.edits(), []);
    assert_eq!(app.app.data.mark("nowhere", &"carrier#claims".into()), Mark::Distractor);
    assert!(!message(&app).is_empty());
}

#[test]
fn the_nth_digit_marks_the_nth_visible_hit_and_moves_the_cursor_there() {
    let app = open().labels("open").keys("4");
    assert_eq!(marks(&app, "open"), [("carrier#contacts", Mark::Supporting)]);
    assert!(app.under_cursor().contains("Contacts"));
    let app = app.keys("9");
    assert_eq!(app.edits().len(), 1, "there is no ninth hit");
}

#[test]
fn digits_count_from_the_first_row_that_is_visible() {
    let many = "returns#0 returns#limits-1 returns#limits-2 returns#escalation damaged#0 damaged#escalation damaged#photos \
                carrier#claims carrier#contacts carrier#pickup rota#0 rota#night";
    let app = open().resize(80, 16).goes_to("open").keys("l").finds(many).keys("end");
    let text = app.text();
    let first = text.lines().find(|line| line.starts_with("1 ") || line.starts_with("1▸")).unwrap().to_owned();
    assert!(!first.contains("Returns Policy  "), "the list has moved on");
    let app = app.keys("1");
    let now = app.text();
    let marked = now.lines().find(|line| line.contains('▸')).unwrap();
    assert!(marked.contains('●'), "{now}");
    let title = |line: &str| line.chars().skip(9).take(20).collect::<String>();
    assert_eq!(title(&first), title(marked));
}

#[test]
fn label_and_down_in_a_row_each_sit_on_their_own_hit() {
    let want = [
        ("damaged#escalation", Mark::Supporting),
        ("returns#escalation", Mark::Distractor),
        ("damaged#photos", Mark::Supporting),
    ];
    let app = open().labels("open").keys("enter down d down enter");
    assert_eq!(marks(&app, "open"), want);
    assert_eq!(marks(&app.save(), "open"), want);
    // The same with saves and a slow search coming in between.
    let app = open().labels("open").keys("enter down").save_one().keys("d").finds(HITS).keys("down").save_one();
    let app = app.keys("enter").save();
    assert_eq!(marks(&app, "open"), want);
    let case = app.on_disk().iter().find(|case| case.id == "open").unwrap();
    assert_eq!((case.supporting.len(), case.distractors.len()), (2, 1));
}

#[test]
fn a_mark_toggled_three_times_in_a_row_is_on_while_its_writes_end_one_by_one() {
    let app = open().labels("open").keys("1 1 1");
    let app = app.save_one();
    assert_eq!(marks(&app, "open"), [("damaged#escalation", Mark::Supporting)], "after the first write");
    let app = app.save_one();
    assert_eq!(marks(&app, "open"), [("damaged#escalation", Mark::Supporting)], "after the second");
    assert_eq!(marks(&app.save_one(), "open"), [("damaged#escalation", Mark::Supporting)]);
}

#[test]
fn label_and_next_in_a_row_labels_the_case_that_was_shown() {
    let app = open().labels("open").keys("1 n 1");
    assert_eq!(app.app.data.current.as_deref(), Some("short"));
    let edited: Vec<String> = app.edits().into_iter().map(|(seen, _)| seen.id).collect();
    assert_eq!(edited, ["open"], "the next case has no hits yet, so its digit does nothing");
    let app = app.finds("rota#night").keys("1");
    assert_eq!(app.edits().last().unwrap().0.id, "short");
}

#[test]
fn an_alternative_joins_the_last_requirement() {
    let app = open().labels("open").keys("1 down down a");
    let target = world::section("Damaged Goods Policy", &["Photos"]);
    assert_eq!(app.edits()[1].1, Edit::AddAlternative { requirement: 0, target });
    assert_eq!(app.app.data.current().unwrap().supporting[0].any_of.len(), 2);
    let app = app.keys("a");
    assert_eq!(app.edits().len(), 2, "once is enough");
    assert!(message(&app).contains("already"));
}

#[test]
fn an_alternative_without_a_supporting_chunk_says_what_it_needs() {
    let app = open().labels("open").keys("a");
    assert_eq!(app.edits(), []);
    assert_eq!(app.app.data.message.as_ref().unwrap().0, Tone::Warning);
    assert!(message(&app).contains("supporting"), "{}", message(&app));
}

#[test]
fn a_chunk_that_the_asker_may_not_read_is_marked_with_a_warning() {
    let app = open().labels("open").keys("5");
    assert_eq!(app.edits().len(), 1);
    assert!(message(&app).contains("may not read"), "{}", message(&app));
}

#[test]
fn nothing_answers_is_said_and_taken_back_but_not_of_a_labeled_case() {
    let app = open().labels("open").keys("0 0");
    let edits: Vec<Edit> = app.edits().into_iter().map(|(_, edit)| edit).collect();
    assert_eq!(edits, [Edit::SetAnswerable(false), Edit::SetAnswerable(true)]);
    let app = open().labels("found").keys("0");
    assert_eq!(app.edits(), []);
    assert!(message(&app).contains("supporting"), "{}", message(&app));
}

#[test]
fn every_letter_restarts_the_search_after_a_pause() {
    let app = open().labels("open").keys("/ ctrl-u");
    let before = app.effects.len();
    let app = app.keys("q u");
    let typed = |effect: &Effect| match effect {
        Effect::Start { ticket, after, job: Job::Search { typed, .. } } => {
            assert_eq!((ticket.slot, *after), (Slot::Search, PAUSE));
            typed.clone()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(app.effects[before..].iter().map(typed).collect::<Vec<_>>(), ["q", "qu"]);
}

#[test]
fn hits_of_an_older_search_are_dropped_however_late_they_are() {
    let app = open().labels("open").keys("/ ctrl-u p");
    let (older, _) = app.last(Slot::Search).unwrap();
    let app = app.keys("a").finds("carrier#pickup");
    let late = Output::Hits { typed: "pa".to_owned(), hits: world::found("rota#0") };
    let app = app.answer_to(older, late);
    assert!(app.under_cursor().contains("Pickup"), "{}", app.under_cursor());
    // Nothing is shown of a search that was typed away.
    let app = app.keys("ctrl-u").answer_to(older, Output::Hits { typed: String::new(), hits: world::found("rota#0") });
    assert!(!app.text().contains('▸'));
}

#[test]
fn hits_that_come_again_for_the_same_text_keep_the_cursor_on_its_chunk() {
    let app = open().labels("open").keys("down down");
    let app = app.finds("rota#night carrier#contacts damaged#photos damaged#escalation");
    assert!(app.under_cursor().contains("Photos"), "{}", app.under_cursor());
    let app = app.keys("enter");
    assert_eq!(marks(&app, "open"), [("damaged#photos", Mark::Supporting)]);
}

#[test]
fn what_is_typed_while_the_corpus_is_opened_stays_typed() {
    use crate::tui::theme::Theme;
    let app = TestApp::opening(world::about(), world::cases(), Theme::Colour, (100, 30));
    let load = app.last(Slot::Load).unwrap().0;
    let app = app.goes_to("open").keys("l / ctrl-u d a m");
    let app = match app.last(Slot::Search) {
        Some((ticket, _)) => app.answer_to(ticket, Output::Failed("the corpus is not open yet".to_owned())),
        None => app,
    };
    let app = app.answer_to(load, Output::Loaded(Box::new(world::loaded())));
    assert!(!app.text().contains("not open yet"), "{}", app.text());
    let app = app.keys("a g e 1").finds("damaged#0");
    assert!(app.text().contains("/ damage1"), "{}", app.text());
    assert_eq!(app.edits(), [], "letters are no commands");
    assert!(app.under_cursor().contains("Damaged Goods Policy"));
}

#[test]
fn a_broken_label_is_pointed_to_its_nearest_candidate_by_one_key() {
    let app = open().labels("broken").keys("e c");
    let target = world::section("Returns Policy", &["Time limits"]);
    assert_eq!(app.edits()[0].1, Edit::ReplaceSupporting { requirement: 0, alternative: 0, target });
    assert_eq!(app.app.data.problems("broken"), []);
    let app = app.keys("c");
    assert_eq!(app.edits().len(), 1);
    assert!(message(&app).contains("not broken"), "{}", message(&app));
}

#[test]
fn a_label_is_taken_off_in_the_list_of_labels() {
    let app = open().labels("partly").keys("e down x");
    assert_eq!(app.edits()[0].1, Edit::RemoveSupporting { requirement: 1, alternative: 0 });
    let app = app.keys("x x x");
    assert_eq!(app.edits().len(), 3, "and none once all are gone");
    assert_eq!(app.app.data.current().unwrap().references().count(), 0);
    let app = app.keys("1");
    assert_eq!(app.edits().len(), 4, "the focus is back on the hits");
}

#[test]
fn tags_are_toggled_by_one_key_and_a_new_one_is_typed() {
    let app = open()
        .labels("open")
        .keys("t 2 1 1 a")
        .types("late fee")
        .keys("enter backspace backspace backspace backspace")
        .types("_fee")
        .keys("enter esc");
    let edits: Vec<Edit> = app.edits().into_iter().map(|(_, edit)| edit).collect();
    let tag = |tag: &str| Edit::AddTag(tag.to_owned());
    let off = Edit::RemoveTag("exact_token".to_owned());
    assert_eq!(edits, [tag("paraphrase"), tag("exact_token"), off, tag("late_fee")]);
    assert!(app.keys("down").under_cursor().contains("Returns"), "the list is closed");
}

#[test]
fn the_current_case_is_searched_anew_when_an_undo_leads_to_another_one() {
    let app = open().labels("open").keys("1").save().keys("n").finds("rota#night").keys("u").save();
    assert_eq!(app.app.data.current.as_deref(), Some("open"));
    let Some((_, Job::Search { typed, .. })) = app.last(Slot::Search) else { panic!("nothing was searched") };
    assert_eq!(typed, "What is the escalation path for a damaged shipment?");
    let app = app.keys("1");
    assert_eq!(app.edits().len(), 1, "the hits of the other case are gone");
}

#[test]
fn a_key_that_is_faster_than_the_search_waits_for_its_hits() {
    // One case after the other, in one burst: nothing is lost and nothing lands on the hits before.
    let app = open().keys("n l 2 n 1 t");
    assert_eq!(app.edits(), [], "no hits are there yet");
    let app = app.finds(HITS);
    assert_eq!(app.edits().len(), 1);
    assert_eq!(app.edits()[0].0.id, "open");
    assert_eq!(
        app.app.data.current.as_deref(),
        Some("short"),
        "the next key waited too, then the next case waits again"
    );
    let app = app.finds("rota#night");
    let edits = app.edits();
    assert_eq!((edits.len(), edits[1].0.id.as_str()), (2, "short"));
    assert!(app.text().contains("tags of short"));
}

#[test]
fn a_mark_right_behind_the_search_line_is_of_its_hits_and_not_of_those_before() {
    let app = open().labels("open").keys("/").types("rota").keys("enter 1");
    assert_eq!(app.edits(), []);
    let app = app.finds("rota#night");
    let edits = app.edits();
    assert_eq!(edits.len(), 1);
    assert!(edits[0].1.describe().contains("Rota"), "{}", edits[0].1.describe());
}

#[test]
fn keys_that_wait_for_a_search_that_fails_are_forgotten() {
    let app = open().keys("n l 1");
    let (ticket, _) = app.last(Slot::Search).unwrap();
    let app = app.answer_to(ticket, Output::Failed("the index is gone".to_owned())).keys("esc");
    assert_eq!(app.edits(), []);
    assert!(app.text().contains("[Cases]"));
}

#[test]
fn a_search_that_failed_says_so_and_shows_no_hits_of_another() {
    let app = open().labels("open").keys("/").types("rota");
    let (ticket, _) = app.last(Slot::Search).unwrap();
    let app = app.answer_to(ticket, Output::Failed("the database is down".to_owned()));
    let text = app.text();
    assert!(text.contains("the search failed") && text.contains("the database is down"), "{text}");
    assert!(!text.contains("searching"), "{text}");
    let app = app.types("s");
    assert!(app.text().contains("searching") && !app.text().contains("the search failed"), "{}", app.text());
}
