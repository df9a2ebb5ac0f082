#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use jiff::civil::date;

use super::*;
use crate::eval::testing::{World, chunk};

/// What these cases cover in the corpus of the last of them.
fn look(worlds: &[World], subsets: &[(&str, Option<usize>)]) -> Coverage {
    let cases: Vec<Case> = worlds.iter().map(|world| world.case.clone()).collect();
    let resolved: Vec<Resolved> = worlds.iter().map(|world| world.resolved.clone()).collect();
    let targets: Vec<Target> =
        subsets.iter().map(|(name, cases)| Target { name: (*name).to_owned(), cases: *cases }).collect();
    let outline = worlds.last().map(|world| world.outline.clone()).unwrap_or_default();
    coverage(&cases, &resolved, &outline, &targets, date(2026, 12, 1))
}

fn added(day: &str) -> World {
    let mut world = World::new("a", "");
    world.case.added = Some(day.to_owned());
    world
}

#[test]
fn labeled_unlabeled_unanswerable_and_broken_are_counted_apart() {
    let mut unanswerable = World::new("", "d");
    unanswerable.case.answerable = false;
    let mut broken = World::new("a", "");
    broken.break_a_label();
    let counts = look(&[World::new("a", ""), World::new("", ""), unanswerable, broken], &[]).counts;
    let expected = Counts { cases: 4, labeled: 2, unlabeled: 1, unanswerable: 1, broken: 1, unreadable: 0 };
    assert_eq!(counts, expected);
}

#[test]
fn a_case_is_of_this_week_for_seven_days_and_of_this_month_for_thirty() {
    let days = [
        "2026-12-01",
        "2026-11-24", // week
        "2026-11-23",
        "2026-11-01", // month
        "2026-10-31",
        "2019-01-01", // older
        "2026-12-02", // later
        "yesterday",
        "2026-02-30",
        "",
    ];
    let mut worlds: Vec<World> = days.iter().map(|day| added(day)).collect();
    worlds.push(World::new("a", ""));
    let ages = look(&worlds, &[]).ages;
    assert_eq!((ages.week, ages.month, ages.older, ages.later, ages.unknown), (2, 2, 2, 1, 4));
    assert_eq!(ages.newest, Some(date(2026, 12, 2)));
}

#[test]
fn a_set_without_a_new_case_for_two_months_is_stale() {
    let cases = [
        (&["2026-10-01", "2020-01-01"][..], true),
        (&["2026-10-02", "2020-01-01"], false),
        (&["2026-12-24"], false),
        // Nobody knows.
        (&["soon"], false),
        (&[], false),
    ];
    for (days, stale) in cases {
        let worlds: Vec<World> = days.iter().map(|day| added(day)).collect();
        assert_eq!(look(&worlds, &[]).ages.stale, stale, "{days:?}");
    }
}

#[test]
fn subsets_are_held_against_their_targets_and_empty_ones_are_shown() {
    let tagged = |supporting: &str, tags: &[&str]| World::new(supporting, "").tagged("x", tags);
    let worlds = [tagged("a", &["negation", "negation"]), tagged("", &["negation", "zoo"]), tagged("a", &["api"])];
    let rows = look(&worlds, &[("exact_token", Some(3)), ("negation", Some(4)), ("api", Some(1)), ("multi_hop", None)]);
    let told: Vec<_> =
        rows.subsets.iter().map(|row| (row.name.as_str(), row.cases, row.labeled, row.enough())).collect();
    let expected = [
        ("exact_token", 0, 0, Enough::Empty),
        ("negation", 2, 1, Enough::Thin { lacks: 2 }),
        ("api", 1, 1, Enough::Enough),
        ("multi_hop", 0, 0, Enough::Empty),
        ("zoo", 1, 0, Enough::Enough),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_pair_of_tags_counts_each_case_once() {
    let tagged = |tags: &[&str]| World::new("a", "").tagged("x", tags);
    let worlds = [tagged(&["a", "b", "a"]), tagged(&["b", "a"]), tagged(&["b", "c"]), tagged(&[])];
    let together = look(&worlds, &[("c", None)]).together;
    assert_eq!(together.tags, ["c", "a", "b"]);
    assert_eq!(together.cases, [[1, 0, 1], [0, 2, 2], [1, 2, 3]]);
    assert_eq!(together.pairs(), [("a", "b", 2), ("c", "b", 1)]);
}

/// A case whose labels keep what all these tags promise, in a corpus where `a` and `b` are narrow.
fn kept() -> World {
    let mut world = World::new("a b", "").tagged("pol-001", &[]);
    world.corpus(["a", "b", "c"].map(|id| {
        let scope: &[&str] = if id == "c" { &[] } else { &["warehouse"] };
        chunk(id, &format!("Document {id}"), "the pallet", scope)
    }));
    world.case.question = "what does ERR_4417 mean for the PJ-220".to_owned();
    world.case.asker = Some("warehouse_lead".to_owned());
    world.case.context = vec!["my upload fails".to_owned()];
    world
}

#[test]
fn a_tag_that_the_case_does_not_bear_out_is_told() {
    type Change = fn(&mut World);
    let one = |world: &mut World| world.resolved.supporting.truncate(1);
    let open: Change = |world| {
        world.resolved.supporting.truncate(1);
        world.resolved.supporting[0].any_of = vec!["c".into()];
    };
    let cases: [(&str, Change, &[Doubt]); 8] = [
        ("exact_token", |world| world.case.question = "how long may it stay, in A4".to_owned(), &[Doubt::NoToken]),
        ("multi_chunk", one, &[Doubt::OneRequirement]),
        ("multi_hop", one, &[Doubt::OneDocument]),
        ("permission_narrow", |world| world.case.asker = None, &[Doubt::NoAsker]),
        ("permission_narrow", open, &[Doubt::ForEverybody]),
        ("follow_up", |world| world.case.context.clear(), &[Doubt::NoContext]),
        // Without labels that resolve, nothing speaks against a tag that is about labels.
        ("multi_chunk", |world| world.resolved.supporting.clear(), &[]),
        ("multi_hop", |world| (world.resolved.supporting.truncate(1), world.break_a_label()).1, &[]),
    ];
    for (tag, change, expected) in cases {
        let mut world = kept().tagged("pol-001", &[tag]);
        assert_eq!(look(std::slice::from_ref(&world), &[]).contradictions, [], "{tag} as it should be");
        change(&mut world);
        let found = look(std::slice::from_ref(&world), &[]).contradictions;
        assert_eq!(found.iter().map(|found| found.doubt).collect::<Vec<_>>(), expected, "{tag}");
        assert!(found.iter().all(|found| found.doubt.tag() == tag && found.case == "pol-001"));
        // Without the tag nothing is promised.
        assert_eq!(look(&[world.tagged("pol-001", &["other"])], &[]).contradictions, []);
    }
}

#[test]
fn a_question_made_of_its_answers_words_is_easy_from_four_fifths_on() {
    let text = "A broken pallet jack gets a red tag and is taken to the workshop.";
    let cases = [
        // broken, pallet, jack, taken, workshop
        ("is the broken pallet jack taken to the workshop", Some((5, 5, true))),
        ("Broken PALLET jack: taken to a bakery?", Some((4, 5, true))),
        ("broken pallet jack driven to a bakery", Some((3, 5, false))),
        // The document's name is what a search finds it by too.
        ("broken pallet rules", Some((3, 3, true))),
        // Two telling words are how people look things up.
        ("broken pallet", None),
        ("", None),
    ];
    for (question, expected) in cases {
        let mut world = World::new("a", "");
        world.corpus([chunk("a", "Warehouse Rules", text, &[]), chunk("b", "Other", question, &[])]);
        question.clone_into(&mut world.case.question);
        let easy = Easy::compare(&world.case, &world.resolved, &world.outline);
        let told = easy.map(|easy| (easy.shared, easy.words, easy.is_easy()));
        assert_eq!(told, expected, "{question}");
    }
}

#[test]
fn the_supporting_chunk_that_shares_most_decides_and_sources_are_told_apart() {
    let from = |source: Option<Source>, supporting: &str, question: &str| {
        let mut world = World::new(supporting, "");
        world.corpus([chunk("a", "A", "nothing here", &[]), chunk("b", "B", "pallet broken jack", &[])]);
        world.case.source = source;
        question.clone_into(&mut world.case.question);
        world
    };
    let worlds = [
        from(Some(Source::Generated), "a|b", "broken pallet jack"),
        from(Some(Source::Generated), "b", "broken pallet truck elsewhere"),
        from(Some(Source::Generated), "", "broken pallet jack"),
        from(Some(Source::Team), "a", "broken pallet jack"),
        from(None, "b", "jack"),
    ];
    let coverage = look(&worlds, &[]);
    let told: Vec<_> = coverage.sources.iter().map(|row| (row.source, row.cases, row.compared, row.easy)).collect();
    let expected = [
        (Some(Source::ProductionLog), 0, 0, 0),
        (Some(Source::SupportTicket), 0, 0, 0),
        (Some(Source::Team), 1, 1, 0),
        (Some(Source::Generated), 3, 2, 1),
        (None, 1, 0, 0),
    ];
    assert_eq!(told, expected);
    assert_eq!(coverage.easy.iter().map(|easy| easy.chunk.as_str()).collect::<Vec<_>>(), ["b"]);
    assert!(coverage.mostly_generated());
    assert!(!look(&worlds[1..], &[]).mostly_generated(), "half is not most");
}

#[test]
fn a_document_is_forgotten_if_no_label_of_any_kind_points_into_it() {
    let mut world = World::new("a|b", "c");
    world.corpus([
        chunk("a", "A", "", &[]),
        chunk("b", "B", "", &[]),
        chunk("c", "C", "", &[]),
        chunk("d", "D", "", &[]),
        chunk("d2", "D", "", &[]),
    ]);
    let coverage = look(&[world], &[]);
    assert_eq!((coverage.forgotten, coverage.documents), (vec!["D".to_owned()], Some(4)));
}

#[test]
fn labeled_cases_without_a_tag_are_listed() {
    let named = |id: &str, supporting: &str, tags: &[&str]| World::new(supporting, "").tagged(id, tags);
    let worlds = [named("a", "a", &[]), named("b", "", &[]), named("c", "a", &["t"])];
    assert_eq!(look(&worlds, &[]).untagged, ["a"]);
}

#[test]
fn nothing_at_all_is_covered_without_a_fault() {
    let coverage = look(&[], &[("negation", Some(3))]);
    assert_eq!((coverage.counts, coverage.documents), (Counts::default(), Some(0)));
    assert_eq!(coverage.subsets[0].enough(), Enough::Empty);
    assert!(!coverage.mostly_generated());
    assert_eq!(coverage.sources.first().unwrap().cases, 0);
}
