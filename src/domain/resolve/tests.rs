//! What references mean, by example and by property.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::HashSet, path::Path};

use proptest::prelude::*;

use super::*;
use crate::domain::case::Requirement;

/// A corpus from rows of document, heading path with ` > ` between its parts, section ordinal, text; ids count from 0.
fn corpus(rows: &[(&str, &str, u32, &str)]) -> Outline {
    Outline::new(rows.iter().enumerate().map(|(at, (document, heading, section, text))| {
        Arc::new(Chunk {
            id: format!("c{at}").into(),
            document: (*document).to_owned(),
            heading: path(heading),
            text: (*text).to_owned(),
            position: u32::try_from(at).unwrap(),
            section: *section,
            scope: Vec::new(),
            origin: None,
            fields: Vec::new(),
        })
    }))
}

fn path(heading: &str) -> Vec<String> {
    heading.split(" > ").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn section(document: &str, heading: &str) -> Target {
    Target::Section { document: document.to_owned(), heading: path(heading), quote: None }
}

fn quoted(document: &str, heading: &str, quote: &str) -> Target {
    Target::Section { document: document.to_owned(), heading: path(heading), quote: Some(quote.to_owned()) }
}

fn case(supporting: Vec<Requirement>, distractors: Vec<Target>) -> Case {
    Case {
        id: "pol-004".to_owned(),
        question: "What now?".to_owned(),
        asker: None,
        tags: Vec::new(),
        source: None,
        added: None,
        supporting,
        distractors: distractors.into_iter().map(Reference::from).collect(),
        context: Vec::new(),
        answerable: true,
        label_wrong: None,
        notes: None,
        place: Place { file: Path::new("cases/policies.yaml").into(), line: 3, column: 5 },
    }
}

fn alone(target: Target) -> Requirement {
    Reference::from(target).into()
}

fn group(targets: Vec<Target>) -> Requirement {
    Requirement { any_of: targets.into_iter().map(Reference::from).collect(), group: true }
}

/// The ids that a reference means, blank between them, or the name of what is wrong.
fn outcome(target: &Target, outline: &Outline) -> String {
    match look_up(target, outline) {
        Ok(found) => found.iter().map(ChunkId::as_str).collect::<Vec<_>>().join(" "),
        Err(trouble) => match trouble.kind {
            ProblemKind::NoDocument => "NoDocument".to_owned(),
            ProblemKind::ManyDocuments(_) => "ManyDocuments".to_owned(),
            ProblemKind::NoSection => "NoSection".to_owned(),
            ProblemKind::ManySections(firsts) => {
                format!("ManySections {}", firsts.iter().map(ChunkId::as_str).collect::<Vec<_>>().join(" "))
            }
            ProblemKind::EmptySection => "EmptySection".to_owned(),
            ProblemKind::NoQuote => "NoQuote".to_owned(),
            ProblemKind::Moved { to, .. } => {
                format!("Moved {}", to.iter().map(ChunkId::as_str).collect::<Vec<_>>().join(" "))
            }
            ProblemKind::NoChunk => "NoChunk".to_owned(),
            ProblemKind::Contradiction(_) => "Contradiction".to_owned(),
        },
    }
}

fn candidates_of(target: &Target, outline: &Outline) -> Vec<Target> {
    look_up(target, outline).unwrap_err().candidates
}

fn returns() -> Outline {
    corpus(&[
        ("Returns Policy", "Returns Policy", 0, "Goods may come back."),
        ("Returns Policy", "Returns Policy > Time limits", 1, "Machines: thirty days after delivery."),
        ("Returns Policy", "Returns Policy > Time limits", 1, "after delivery. Small parts: ten days, sealed."),
        ("Returns Policy", "Returns Policy > Time limits > Machines", 2, "Ask the “workshop” first – it’s quick."),
        ("Returns Policy", "Returns Policy > Escalation > Contacts", 3, "Call the desk on extension 4411."),
        ("Carrier Handbook", "", 0, "Read this before the first shipment."),
        ("Carrier Handbook", "Claims > Contacts", 1, "Write to claims at the carrier."),
        ("Carrier Handbook", "Returns > Contacts", 2, "Write to the returns desk."),
        ("Plain", "", 0, "First page of plain text."),
        ("Plain", "", 0, "Second page of plain text."),
    ])
}

#[test]
fn a_section_reference_means_the_chunks_directly_under_its_heading() {
    let outline = returns();
    for (document, heading, expected) in [
        ("Returns Policy", "Returns Policy > Time limits", "c1 c2"),
        ("Returns Policy", "Time limits", "c1 c2"),
        ("returns  POLICY", "time   LIMITS", "c1 c2"),
        ("Returns Policy", "Machines", "c3"),
        ("Returns Policy", "Time limits > Machines", "c3"),
        ("Returns Policy", "Returns Policy", "c0"),
        ("Returns Policy", "", "c0"),
        ("Carrier Handbook", "", "c5"),
        ("Carrier Handbook", "Carrier Handbook > Claims > Contacts", "c6"),
        ("Plain", "", "c8 c9"),
        ("Plain", "Plain", "c8 c9"),
        ("Carrier Handbook", "Contacts", "ManySections c6 c7"),
        ("Returns Policy", "Escalation", "EmptySection"),
        ("Returns Policy", "Limits", "NoSection"),
        ("Nowhere", "Limits", "NoDocument"),
    ] {
        assert_eq!(outcome(&section(document, heading), &outline), expected, "{document} › {heading}");
    }
}

#[test]
fn a_quote_narrows_a_section_to_the_chunk_that_holds_it() {
    let outline = returns();
    for (document, heading, quote, expected) in [
        ("Returns Policy", "Time limits", "Small parts", "c2"),
        ("Returns Policy", "Time limits", "after delivery.", "c1 c2"),
        ("Returns Policy", "Time limits", "SMALL\n  parts:", "c2"),
        ("Returns Policy", "Machines", "the \"workshop\" first - it's", "c3"),
        ("Returns Policy", "Machines", "the \u{feff}“work\u{ad}shop”\u{a0}first", "c3"),
        ("Returns Policy", "Time limits", "thirty days after delivery. Small parts: ten", "c1 c2"),
        ("Carrier Handbook", "Contacts", "claims at the carrier", "c6"),
        ("Carrier Handbook", "Contacts", "Write to", "ManySections c6 c7"),
        ("Carrier Handbook", "", "claims at the carrier", "c6"),
        ("Carrier Handbook", "", "Write to", "ManySections c6 c7"),
        ("Plain", "", "page of plain text", "c8 c9"),
        ("Plain", "", "plain text. Second page", "c8 c9"),
        ("Returns Policy", "Time limits", "the desk on extension 4411", "Moved c4"),
        ("Returns Policy", "Deadlines", "Small parts: ten days", "Moved c2"),
        ("Returns Policy", "Time limits", "Small parts: twelve days, sealed", "Moved c2"),
        ("Returns Policy", "Time limits", "Lorries are never taken back", "NoQuote"),
        ("Returns Policy", "Time limits", "", "NoQuote"),
        ("Returns Policy", "Time limits", " \n\u{200b}", "NoQuote"),
        ("Returns Policy", "Deadlines", "Lorries are never taken back", "NoSection"),
    ] {
        assert_eq!(outcome(&quoted(document, heading, quote), &outline), expected, "{document} › {heading} “{quote}”");
    }
}

#[test]
fn a_quote_may_be_cut_inside_a_word_and_over_several_chunks() {
    let outline = corpus(&[
        ("D", "", 0, "Alpha beta gam"),
        ("D", "", 0, "ma delta"),
        ("D", "", 0, "epsilon zeta"),
        ("D", "", 0, "zeta eta theta"),
    ]);
    for (quote, expected) in [
        ("beta gamma", "c0 c1"),
        ("delta epsilon", "c1 c2"),
        ("gamma delta epsilon", "c0 c1 c2"),
        ("epsilon zeta eta", "c2 c3"),
        ("beta gamma delta epsilon zeta eta", "c0 c1 c2 c3"),
    ] {
        assert_eq!(outcome(&quoted("D", "", quote), &outline), expected, "{quote}");
    }
}

#[test]
fn the_same_words_in_two_sections_are_one_passage_only_where_the_chunks_overlap() {
    let overlapping = corpus(&[
        ("D", "A", 0, "One two. The rule of three holds."),
        ("D", "B", 1, "The rule of three holds. Four five."),
    ]);
    assert_eq!(outcome(&quoted("D", "", "rule of three"), &overlapping), "c0 c1");
    let repeated =
        corpus(&[("D", "A", 0, "See the rule of three for more."), ("D", "B", 1, "Not the rule of three again.")]);
    assert_eq!(outcome(&quoted("D", "", "rule of three"), &repeated), "ManySections c0 c1");
}

#[test]
fn a_moved_quote_offers_the_reference_that_resolves() {
    let outline = returns();
    for (target, instead) in [
        (
            quoted("Returns Policy", "Deadlines", "Small parts: ten days"),
            quoted("Returns Policy", "Time limits", "Small parts: ten days"),
        ),
        (
            quoted("Returns Policy", "Time limits", "Small parts: twelve days, sealed"),
            quoted("Returns Policy", "Time limits", "Small parts: ten days, sealed"),
        ),
    ] {
        assert_eq!(candidates_of(&target, &outline), std::slice::from_ref(&instead));
        assert_eq!(outcome(&instead, &outline), "c2");
    }
}

#[test]
fn two_wordings_about_equally_near_are_for_a_person_to_choose_from() {
    let outline = corpus(&[
        ("D", "A", 0, "Pallets are returned within 10 days of arrival."),
        ("D", "A", 0, "Pallets are returned within 20 days of arrival."),
    ]);
    let target = quoted("D", "A", "Pallets are returned within 30 days of arrival.");
    assert_eq!(outcome(&target, &outline), "NoQuote");
    let offered = candidates_of(&target, &outline);
    assert_eq!(offered.iter().map(|target| outcome(target, &outline)).collect::<Vec<_>>(), ["c0", "c1"]);
}

#[test]
fn a_heading_that_stands_twice_is_ambiguous_and_both_places_are_offered() {
    let outline = corpus(&[
        ("B10_duplicate.md", "Windows", 0, ""),
        ("B10_duplicate.md", "Windows > Setup", 1, "Run the msi file."),
        ("B10_duplicate.md", "Windows > Setup", 2, "Second block with the same title: portable zip."),
        ("B10_duplicate.md", "Linux", 3, ""),
        ("B10_duplicate.md", "Linux > setup", 4, "Use the package manager."),
    ]);
    assert_eq!(outcome(&section("B10_duplicate.md", "Linux > setup"), &outline), "c4");
    let both = section("B10_duplicate.md", "Windows > Setup");
    assert_eq!(outcome(&both, &outline), "ManySections c1 c2");
    let offered: Vec<_> = candidates_of(&both, &outline).iter().map(|target| outcome(target, &outline)).collect();
    assert_eq!(offered, ["c1", "c2"]);
    assert_eq!(outcome(&quoted("B10_duplicate.md", "Windows > Setup", "portable ZIP"), &outline), "c2");
    assert_eq!(outcome(&section("B10_duplicate.md", "Setup"), &outline), "ManySections c1 c2 c4");
    assert_eq!(outcome(&section("B10_duplicate.md", "Windows"), &outline), "c0");
}

#[test]
fn a_dead_label_offers_the_near_heading_and_documents_that_have_the_heading() {
    let outline =
        corpus(&[("manual.md", "Billing", 0, ""), ("manual.md", "Billing > Refund window", 1, "Thirty days.")]);
    let renamed = section("manual.md", "Billing > Refunds");
    assert_eq!(outcome(&renamed, &outline), "NoSection");
    assert_eq!(candidates_of(&renamed, &outline)[0], section("manual.md", "Billing > Refund window"));
    assert_eq!(candidates_of(&section("gone.md", "Billing"), &outline), [section("manual.md", "Billing")]);
    assert_eq!(candidates_of(&section("manuel.md", "Billing"), &outline)[0], section("manual.md", "Billing"));
    let renamed_document = quoted("old.md", "Money", "Thirty days.");
    assert_eq!(outcome(&renamed_document, &outline), "NoDocument");
    let ids = candidates_of(&Target::Chunk("C1x".into()), &outline);
    assert_eq!(ids[0], Target::Chunk("c1".into()));
}

#[test]
fn a_quote_leads_to_the_document_that_holds_it_now() {
    let outline =
        corpus(&[("new.md", "Money", 0, "You have thirty days to ask."), ("old2.md", "Else", 0, "Nothing here.")]);
    let target = quoted("old.md", "Billing", "have thirty days to ask");
    assert_eq!(candidates_of(&target, &outline)[0], section("new.md", "Money"));
}

#[test]
fn without_a_quote_each_chunk_is_a_requirement_and_in_a_group_an_alternative() {
    let outline = returns();
    let limits = || section("Returns Policy", "Time limits");
    let needed = |supporting| {
        let resolved = resolve(&case(supporting, Vec::new()), &outline);
        assert_eq!(resolved.problems, []);
        let ids = |needed: &Needed| needed.any_of.iter().map(ChunkId::as_str).collect::<Vec<_>>().join("|");
        resolved.supporting.iter().map(|needed| format!("{}:{}", needed.requirement, ids(needed))).collect::<Vec<_>>()
    };
    assert_eq!(needed(vec![alone(limits())]), ["0:c1", "0:c2"]);
    assert_eq!(needed(vec![group(vec![limits()])]), ["0:c1|c2"]);
    assert_eq!(needed(vec![group(vec![limits(), Target::Chunk("c3".into())])]), ["0:c1|c2|c3"]);
    assert_eq!(needed(vec![alone(quoted("Returns Policy", "Time limits", "after delivery"))]), ["0:c1|c2"]);
    assert_eq!(needed(vec![alone(Target::Chunk("c2".into())), alone(limits())]), ["0:c2", "1:c1"]);
}

#[test]
fn a_chunk_that_is_both_supporting_and_distractor_is_a_contradiction() {
    let outline = returns();
    let resolved = resolve(
        &case(
            vec![alone(Target::Chunk("c2".into()))],
            vec![section("Returns Policy", "Time limits"), Target::Chunk("c1".into())],
        ),
        &outline,
    );
    assert_eq!(resolved.distractors, ["c1".into(), "c2".into()]);
    assert_eq!(resolved.problems.len(), 1);
    assert_eq!(resolved.problems[0].kind, ProblemKind::Contradiction("c2".into()));
    assert_eq!(resolved.problems[0].target, section("Returns Policy", "Time limits"));
}

#[test]
fn a_problem_says_where_it_stands_what_is_wrong_what_is_near_and_what_to_do() {
    let outline =
        corpus(&[("manual.md", "Billing", 0, ""), ("manual.md", "Billing > Refund window", 1, "Thirty days.")]);
    let resolved = resolve(&case(vec![alone(section("manual.md", "Billing > Refunds"))], Vec::new()), &outline);
    assert_eq!(
        resolved.problems[0].to_string(),
        "cases/policies.yaml:3:5: case pol-004: manual.md › Billing › Refunds\n  \
         the document “manual.md” has no heading “Billing › Refunds”\n  \
         nearest: manual.md › Billing › Refund window\n  \
         put one of these in its place, or correct the reference"
    );
}

#[test]
fn a_label_names_its_chunk_by_its_whole_heading_and_a_quote_where_needed() {
    let outline = returns();
    for (id, expected) in [
        ("c0", section("Returns Policy", "")),
        ("c1", quoted("Returns Policy", "Time limits", "Machines: thirty days after delivery.")),
        ("c2", quoted("Returns Policy", "Time limits", "Small parts: ten days, sealed.")),
        ("c3", section("Returns Policy", "Time limits > Machines")),
        ("c4", section("Returns Policy", "Escalation > Contacts")),
        ("c5", quoted("Carrier Handbook", "", "Read this before the first shipment.")),
        ("c6", section("Carrier Handbook", "Claims > Contacts")),
        ("c8", quoted("Plain", "", "First page of plain text.")),
    ] {
        let chunk = outline.chunk(&id.into()).unwrap();
        assert_eq!(target_for(chunk, &outline, false), expected, "{id}");
        assert_eq!(target_for(chunk, &outline, true), Target::Chunk(id.into()));
    }
}

#[test]
fn a_quote_avoids_tables_and_line_breaks_and_ends_with_a_word() {
    let outline = corpus(&[
        (
            "D",
            "A",
            0,
            "| SKU | days |\n| --- | --- |\n| PJ-220 | 14 |\n\n- Lead times are counted in working days from the day on which the order is confirmed by us\n",
        ),
        ("D", "A", 0, "| SKU | days |\n| --- | --- |\n| PJ-330 | 21 |\n"),
        ("D", "A", 0, "发货前请检查所有货物。发货前请检查所有托盘并拍照。"),
    ]);
    let quote = |id: &str| match target_for(outline.chunk(&id.into()).unwrap(), &outline, false) {
        Target::Section { quote, .. } => quote.unwrap(),
        Target::Chunk(id) => panic!("{id} by its id"),
    };
    assert_eq!(quote("c0"), "Lead times are counted in working days from the day on which the order");
    assert!(quote("c1").contains("PJ-330"));
    assert_eq!(quote("c2"), "发货前请检查所有货物。");
}

#[test]
fn a_long_quote_that_changed_is_found_in_a_long_document() {
    let word = |n: usize| format!("w{} ", n * 7919 % 10_007);
    let text: String = (0..35_000).map(word).collect();
    let chunks: Vec<String> = text.split_inclusive(' ').collect::<Vec<_>>().chunks(200).map(<[&str]>::concat).collect();
    let rows: Vec<(&str, &str, u32, &str)> = chunks.iter().map(|text| ("D", "", 0, text.as_str())).collect();
    let outline = corpus(&rows);
    let quote = chunks[150].replace('9', "x");
    assert_eq!(outcome(&quoted("D", "", &quote), &outline), "Moved c150");
    assert_eq!(outcome(&quoted("D", "", &"zz ".repeat(5_000)), &outline), "NoQuote");
}

fn any_outline() -> impl Strategy<Value = Outline> {
    let text = prop_oneof![
        Just(String::new()),
        "[ab]{0,3}",
        "(the|rule|of|three|\n|\\||Öl|。|\\.) ?".prop_map(|word| word),
        prop::collection::vec(
            prop_oneof!["the", "rule", "of", "three. ", "\n", "| ", "Öl", "O\u{308}l", "规则。"],
            0..20
        )
        .prop_map(|words| words.join(" ")),
    ];
    let heading = prop::collection::vec(prop_oneof!["A", "a", "B", "D", "Setup"], 0..4);
    let row = (prop_oneof!["D", "E"], heading, 0u32..4, text);
    prop::collection::vec(row, 1..12).prop_map(|rows| {
        let rows: Vec<(String, String, u32, String)> = rows
            .into_iter()
            .map(|(document, heading, section, text)| (document, heading.join(" > "), section, text))
            .collect();
        let rows: Vec<(&str, &str, u32, &str)> = rows
            .iter()
            .map(|(document, heading, section, text)| (document.as_str(), heading.as_str(), *section, text.as_str()))
            .collect();
        corpus(&rows)
    })
}

proptest! {
    #[test]
    fn a_label_means_exactly_the_chunk_that_it_was_made_for(outline in any_outline()) {
        for chunk in outline.documents().iter().flat_map(|document| &document.chunks) {
            let target = target_for(chunk, &outline, false);
            prop_assert_eq!(look_up(&target, &outline), Ok(vec![chunk.id.clone()]), "{}", target);
        }
    }

    #[test]
    fn every_reference_gives_chunks_or_a_problem_whose_candidates_exist(
        outline in any_outline(),
        document in "(D|E|F|d)",
        heading in "(A|B|D|Setup|X)?( > (A|Setup))?",
        quote in proptest::option::of("(the |rule |of |three|\u{200b}|Öl|x){0,6}"),
    ) {
        let target = Target::Section { document, heading: path(&heading), quote };
        match look_up(&target, &outline) {
            Ok(found) => {
                prop_assert!(!found.is_empty());
                prop_assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len());
            }
            Err(trouble) => {
                for candidate in trouble.candidates {
                    prop_assert!(look_up(&candidate, &outline).is_ok(), "{} offers {}", target, candidate);
                }
            }
        }
    }
}
