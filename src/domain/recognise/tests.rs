use std::sync::Arc;

use super::{By, Passage, Recogniser};
use crate::domain::{chunk::Chunk, outline::Outline};

const ESCALATION: &str = "A damaged shipment goes to the shift lead first, then to the carrier desk within four hours, \
    and from there to the insurer, who wants photographs of the packaging and of the label.";
const FEES: &str = "Late pick-ups cost twelve euros for each pallet and each begun day, from the third day on, unless the \
    customer has told the depot in writing before noon of the second day.";

fn chunk(id: &str, document: &str, heading: &[&str], section: u32, text: &str) -> Arc<Chunk> {
    Arc::new(Chunk {
        id: id.into(),
        document: document.to_owned(),
        heading: heading.iter().map(|&part| part.to_owned()).collect(),
        text: text.to_owned(),
        position: section,
        section,
        scope: Vec::new(),
        origin: None,
        fields: Vec::new(),
    })
}

fn outline() -> Outline {
    Outline::new([
        chunk("dg-1", "Damaged Goods", &["Damaged Goods", "Escalation"], 0, ESCALATION),
        chunk("fees-1", "Tariff", &["Tariff", "Fees", "Late"], 0, FEES),
        chunk("fees-2", "Tariff", &["Tariff", "Fees", "Late"], 0, "Holidays do not count."),
        chunk("twin-a", "North", &["Contacts"], 0, "Call the desk."),
        chunk("twin-b", "South", &["Contacts"], 0, "Call the desk."),
    ])
}

fn passage(document: &str, heading: &[&str], text: &str) -> Passage {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let heading = heading.iter().map(|&part| part.to_owned()).collect();
    Passage { id: None, document: some(document), heading, text: some(text) }
}

#[test]
fn a_hit_is_known_by_its_document_and_heading_and_in_a_section_of_many_by_its_text() {
    let recogniser = Recogniser::new(By::Heading, outline());
    for (hit, expected) in [
        (passage("damaged goods", &["ESCALATION"], "whatever"), "dg-1"),
        (passage("Damaged Goods", &["Damaged Goods", "Escalation"], ""), "dg-1"),
        (passage("Damaged Goods", &["Damaged Goods > Escalation"], ""), "dg-1"),
        (passage("Damaged Goods", &[], ""), "dg-1"),
        (passage("Tariff", &["Fees", "Late"], "holidays  do not count."), "fees-2"),
        (passage("Tariff", &["Fees / Late"], &FEES[..120]), "fees-1"),
        (passage("Tariff", &["Fees", "Late"], "Something else entirely."), "Tariff › Fees › Late"),
        (passage("Tariff", &["Fees", "Late"], ""), "Tariff › Fees › Late"),
        (passage("Tariff", &["Refunds"], FEES), "Tariff › Refunds"),
        (passage("", &["Fees", "Late"], FEES), "Fees › Late"),
    ] {
        assert_eq!(recogniser.chunk(&hit).as_str(), expected, "{hit:?}");
    }
}

#[test]
fn a_hit_is_known_by_its_text_where_enough_of_it_is_one_chunks_alone() {
    let recogniser = Recogniser::new(By::Text, outline());
    let longer = format!("Escalation\n\n{ESCALATION}\n\nSee also the carrier handbook.");
    for (hit, expected) in [
        (passage("", &[], &ESCALATION.to_uppercase()), "dg-1"),
        (passage("", &[], &ESCALATION[10..150]), "dg-1"),
        (passage("", &[], &longer), "dg-1"),
        (passage("", &[], "Holidays do not count."), "fees-2"),
        (passage("South", &[], "call the desk."), "twin-b"),
        (passage("", &[], "Call the desk."), "“Call the desk.”"),
        (
            passage("", &[], "Nothing of this stands anywhere in the corpus, not one run of four words."),
            "“Nothing of this stands anywhere in the corpus, not one run o…”",
        ),
        (Passage { id: Some("dg-1".to_owned()), ..passage("", &[], "Another text.") }, "the server's dg-1"),
        (Passage { id: Some("p-9".to_owned()), ..passage("", &[], "Another text.") }, "p-9"),
        (Passage { id: Some("\u{1b}[2J".to_owned()), ..Passage::default() }, "␛[2J"),
        (Passage::default(), "a hit without id, text or heading"),
    ] {
        assert_eq!(recogniser.chunk(&hit).as_str(), expected, "{hit:?}");
    }
}
