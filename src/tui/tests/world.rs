//! A small corpus, cases of every kind, and what a retriever answers to each.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use crate::{
    corpus::Found,
    domain::{
        asker::{Asker, Askers},
        case::{Case, Place, Reference, Requirement, Source, Target},
        chunk::{Chunk, Origin},
        outline::Outline,
        ranking::{Answer, Hit, Stage},
    },
    eval::{
        diagnosis::probe::Means,
        gate::{Metric, Threshold},
    },
    project::resolve_all,
    tui::{
        data::{About, Config, Gated},
        msg::{CaseSet, Loaded},
    },
};

/// Id, document, heading path, section, text: twelve chunks in four documents. The limits are one section of two chunks, the
/// rota is for the warehouse only.
const CHUNKS: [(&str, &str, &[&str], u32, &str); 12] = [
    (
        "returns#0",
        "Returns Policy",
        &["Returns Policy"],
        0,
        "Goods may be sent back under the rules below. They hold for every customer.",
    ),
    (
        "returns#limits-1",
        "Returns Policy",
        &["Returns Policy", "Time limits"],
        1,
        "Machines may be returned within thirty days after delivery.\n\n- unopened: full price\n- opened: less a fifth",
    ),
    (
        "returns#limits-2",
        "Returns Policy",
        &["Returns Policy", "Time limits"],
        1,
        "Small parts may be returned within ten days, sealed and with their bag.",
    ),
    (
        "returns#escalation",
        "Returns Policy",
        &["Returns Policy", "Escalation"],
        2,
        "Until March the returns desk was the place to escalate to. It no longer is.",
    ),
    (
        "damaged#0",
        "Damaged Goods Policy",
        &["Damaged Goods Policy"],
        0,
        "A shipment is damaged when its seal is broken or its pallet leans.",
    ),
    (
        "damaged#escalation",
        "Damaged Goods Policy",
        &["Damaged Goods Policy", "Escalation"],
        1,
        "A damaged shipment is escalated to the shift lead first, then to the claims desk, within one working day.",
    ),
    (
        "damaged#photos",
        "Damaged Goods Policy",
        &["Damaged Goods Policy", "Photos"],
        2,
        "Take three photos of a damaged shipment before anything is moved: label, seal and pallet.",
    ),
    (
        "carrier#claims",
        "Carrier Handbook",
        &["Carrier Handbook", "Claims"],
        0,
        "The carrier answers for damage between pickup and delivery.",
    ),
    (
        "carrier#contacts",
        "Carrier Handbook",
        &["Carrier Handbook", "Claims", "Contacts"],
        1,
        "Claims desk: extension 4411, weekdays from eight to five. 返金 is handled by the Osaka office.",
    ),
    (
        "carrier#pickup",
        "Carrier Handbook",
        &["Carrier Handbook", "Pickup"],
        2,
        "The carrier comes at two in the afternoon. Pallets stand ready at gate 3 by one.",
    ),
    ("rota#0", "Warehouse Rota", &["Warehouse Rota"], 0, "The rota is made on Thursdays by the shift leads."),
    (
        "rota#night",
        "Warehouse Rota",
        &["Warehouse Rota", "Night shift"],
        1,
        "The night shift takes over at ten. Its lead signs for the keys of gate 3.",
    ),
];

pub(super) fn outline() -> Arc<Outline> {
    let mut position = BTreeMap::<&str, u32>::new();
    let chunks = CHUNKS.map(|(id, document, heading, section, text)| {
        let at = position.entry(document).or_default();
        *at += 1;
        let warehouse = document == "Warehouse Rota";
        Arc::new(Chunk {
            id: id.into(),
            document: document.to_owned(),
            heading: strings(heading),
            text: text.to_owned(),
            position: *at - 1,
            section,
            scope: if warehouse { strings(&["warehouse"]) } else { Vec::new() },
            origin: Some(Origin { file: format!("{}.md", document.to_lowercase().replace(' ', "-")), line: *at * 4 }),
            fields: if warehouse { vec![("owner".to_owned(), "shift leads".to_owned())] } else { Vec::new() },
        })
    });
    Arc::new(Outline::new(chunks))
}

pub(super) fn section(document: &str, heading: &[&str]) -> Target {
    Target::Section { document: document.to_owned(), heading: strings(heading), quote: None }
}

pub(super) fn quoted(document: &str, heading: &[&str], quote: &str) -> Target {
    Target::Section { document: document.to_owned(), heading: strings(heading), quote: Some(quote.to_owned()) }
}

fn case(line: u32, id: &str, question: &str, tags: &[&str]) -> Case {
    Case {
        id: id.to_owned(),
        question: question.to_owned(),
        asker: None,
        tags: strings(tags),
        source: Some(Source::SupportTicket),
        added: Some("2026-11-30".to_owned()),
        supporting: Vec::new(),
        distractors: Vec::new(),
        context: Vec::new(),
        answerable: true,
        label_wrong: None,
        notes: None,
        place: Place { file: Arc::from(Path::new("cases/policies.yaml")), line, column: 3 },
    }
}

fn one(target: Target) -> Requirement {
    Reference::from(target).into()
}

/// Cases of every kind, named after it: found, partly found, demoted, below the window, two unlabeled ones, a broken label, an
/// unanswerable one, and one whose call fails.
pub(super) fn cases() -> CaseSet {
    let found = Case {
        supporting: vec![one(quoted("Returns Policy", &["Time limits"], "Machines may be returned"))],
        distractors: vec![section("Returns Policy", &["Escalation"]).into()],
        ..case(2, "found", "How long may a machine be returned?", &["paraphrase"])
    };
    let partly = Case {
        supporting: vec![
            one(section("Damaged Goods Policy", &["Escalation"])),
            Requirement {
                any_of: vec![
                    section("Carrier Handbook", &["Contacts"]).into(),
                    Target::Chunk("carrier#claims".into()).into(),
                ],
                group: true,
            },
        ],
        ..case(
            9,
            "partly",
            "Who handles a damaged shipment, and under which extension?",
            &["multi_chunk", "exact_token"],
        )
    };
    let demoted = Case {
        asker: Some("warehouse_lead".to_owned()),
        context: strings(&["Who takes over at ten?", "The night shift."]),
        supporting: vec![one(section("Warehouse Rota", &["Night shift"]))],
        ..case(20, "demoted", "and who signs for the keys?", &["follow_up", "permission_narrow"])
    };
    let below = Case {
        supporting: vec![one(section("Carrier Handbook", &["Pickup"]))],
        ..case(30, "below", "When are pallets fetched?", &["paraphrase"])
    };
    let open = case(38, "open", "What is the escalation path for a damaged shipment?", &[]);
    let broken = Case {
        supporting: vec![one(section("Returns Policy", &["Time limit"]))],
        ..case(41, "broken", "How long may small parts be returned?", &["paraphrase"])
    };
    let nowhere = Case {
        answerable: false,
        distractors: vec![Target::Chunk("carrier#claims".into()).into()],
        ..case(48, "nowhere", "Do we insure shipments to the moon?", &["negation"])
    };
    let short = Case {
        place: Place { file: Arc::from(Path::new("cases/practice.jsonl")), line: 1, column: 1 },
        source: None,
        added: None,
        ..case(1, "short", "gate 3 keys", &["exact_token"])
    };
    let failing = Case {
        supporting: vec![one(Target::Chunk("damaged#photos".into()))],
        ..case(56, "failing", "How many photos does a claim need?", &["exact_token", "claims"])
    };
    CaseSet { cases: vec![found, partly, demoted, below, open, broken, nowhere, failing, short], ..CaseSet::default() }
}

pub(super) fn loaded() -> Loaded {
    let (outline, cases) = (outline(), cases());
    let resolved = resolve_all(&cases.cases, &outline);
    Loaded { outline, cases, resolved }
}

/// What the retriever answers to a case, in two stages.
pub(super) fn answer(case: &str) -> Result<Arc<Answer>, String> {
    let (keyword, rerank) = match case {
        "found" => ("returns#limits-1 returns#0 returns#limits-2", "returns#limits-1 returns#limits-2 returns#0"),
        "partly" => (
            "damaged#escalation damaged#0 damaged#photos returns#escalation",
            "damaged#escalation damaged#photos damaged#0 returns#escalation",
        ),
        "demoted" => {
            ("rota#night rota#0 carrier#contacts carrier#pickup", "rota#0 carrier#contacts carrier#pickup rota#night")
        }
        "below" => (
            "returns#0 damaged#0 damaged#0 rota#0 carrier#pickup gone#1",
            "damaged#0 rota#0 damaged#0 returns#0 carrier#pickup gone#1",
        ),
        "open" => {
            ("damaged#escalation returns#escalation damaged#0", "returns#escalation damaged#escalation damaged#0")
        }
        "nowhere" => ("carrier#claims carrier#pickup", "carrier#pickup carrier#claims"),
        "broken" => ("returns#limits-2 returns#limits-1", "returns#limits-2 returns#limits-1"),
        "short" => ("", ""),
        _ => return Err("POST http://127.0.0.1:8080/retrieve: connection refused; is the service running?".to_owned()),
    };
    let stage = |name: &str, ids: &str| Stage { name: name.to_owned(), ranking: hits(ids), dropped: Vec::new() };
    Ok(Arc::new(Answer {
        results: hits(rerank),
        stages: vec![stage("keyword", keyword), stage("rerank", rerank)],
        partial: None,
        latency: Duration::from_micros(12_300),
    }))
}

pub(super) fn hits(ids: &str) -> Vec<Hit> {
    let ids = ids.split_whitespace().enumerate();
    ids.map(|(at, id)| Hit::new(id, Some(9.5 - 0.75 * at as f64))).collect()
}

/// Hits of a search, by their ids.
pub(super) fn found(ids: &str) -> Vec<Found> {
    let outline = outline();
    let chunk = |id: &str| Arc::clone(outline.chunk(&id.into()).unwrap_or_else(|| panic!("no chunk {id}")));
    ids.split_whitespace().zip(1u8..).map(|(id, at)| Found { chunk: chunk(id), score: 12.0 - f32::from(at) }).collect()
}

pub(super) fn about() -> About {
    let config = |name: &str, retriever: &str| Config {
        name: name.to_owned(),
        retriever: retriever.to_owned(),
        k: 3,
        depth: 6,
        baseline: retriever == "local",
        means: Means { without: Vec::new(), unscoped: None, limit: 12 },
    };
    let target = |name: &str, target| (name.to_owned(), target);
    About {
        configs: vec![config("keyword", "local"), config("hybrid", "production")],
        recall_at: vec![1, 3, 5],
        askers: Askers {
            named: [("employee", None), ("warehouse_lead", Some("warehouse"))]
                .map(|(name, group)| {
                    let groups = group.map(str::to_owned).into_iter().collect();
                    (name.to_owned(), Asker { name: Some(name.to_owned()), id: None, groups: Some(groups) })
                })
                .into(),
            default: Some("employee".to_owned()),
        },
        subsets: vec![
            target("exact_token", Some(4)),
            target("paraphrase", Some(3)),
            target("negation", Some(6)),
            target("multi_chunk", None),
            target("permission_narrow", Some(2)),
            target("follow_up", Some(1)),
        ],
        split: None,
        gates: gates(),
        today: jiff::civil::date(2026, 12, 5),
    }
}

/// What subsets are held to: all met, missed, implied by nothing, and one of which the number is in no report.
fn gates() -> Vec<Gated> {
    let gate = |subset: &str, thresholds: &[(&str, f64)]| Gated {
        subset: subset.to_owned(),
        thresholds: thresholds
            .iter()
            .map(|&(metric, value)| Threshold { metric: Metric::parse(metric).expect("it is a metric"), value })
            .collect(),
        against: None,
    };
    vec![
        gate("all", &[("recall", 0.4), ("recall@2", 0.3)]),
        gate("exact_token", &[("recall", 0.9), ("mrr", 0.9)]),
        gate("paraphrase", &[("recall", 0.75)]),
    ]
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
