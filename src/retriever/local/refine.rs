//! The stages that only take away: near-identical passages, those below the score floor, those above the cap of a document.

use std::{collections::HashMap, sync::Arc};

use crate::domain::{
    chunk::Chunk,
    ranking::{Dropped, Hit, Stage},
    text::words,
};

/// A chunk on its way to the list, with the score of the last stage that scored; `None` where that stage did not score it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) chunk: Arc<Chunk>,
    pub(super) score: Option<f64>,
}

/// So many words in a row are compared as one.
const SHINGLE: usize = 5;

/// Two texts of which this share of all shingles stands in both are near-identical.
const NEAR: f64 = 0.9;

/// Drops a passage whose text is nearly that of one before it: the resemblance of their shingles (Broder, *On the resemblance and
/// containment of documents*, 1997), words folded, is at least 0.9. A passage without words resembles none.
pub(super) fn dedupe(candidates: &mut Vec<Candidate>) -> Stage {
    let mut kept: Vec<Vec<u64>> = Vec::new();
    filter("dedupe", candidates, |candidate| {
        let shingles = shingles(&candidate.chunk.text);
        if !shingles.is_empty() && kept.iter().any(|other| resemblance(other, &shingles) >= NEAR) {
            return false;
        }
        kept.push(shingles);
        true
    })
}

/// Drops what the last scoring stage scored below `floor`, or did not score.
pub(super) fn floor(candidates: &mut Vec<Candidate>, floor: f64) -> Stage {
    filter("floor", candidates, |candidate| candidate.score.is_some_and(|score| score >= floor))
}

/// Drops what comes after `cap` passages of the same document.
pub(super) fn cap(candidates: &mut Vec<Candidate>, cap: usize) -> Stage {
    let mut seen: HashMap<String, usize> = HashMap::new();
    filter("cap", candidates, |candidate| {
        let seen = seen.entry(candidate.chunk.document.clone()).or_default();
        *seen += 1;
        *seen <= cap
    })
}

/// The ranking of a stage as it stands.
pub(super) fn ranking(candidates: &[Candidate]) -> Vec<Hit> {
    candidates.iter().map(|candidate| Hit::new(candidate.chunk.id.clone(), candidate.score)).collect()
}

/// The stage of that name; what it drops is dropped for the reason of that name.
fn filter(name: &str, candidates: &mut Vec<Candidate>, mut keep: impl FnMut(&Candidate) -> bool) -> Stage {
    let mut dropped = Vec::new();
    candidates.retain(|candidate| {
        let keep = keep(candidate);
        if !keep {
            dropped.push(Dropped { id: candidate.chunk.id.clone(), why: name.to_owned() });
        }
        keep
    });
    Stage { name: name.to_owned(), ranking: ranking(candidates), dropped }
}

/// The hashes of all runs of words, sorted, each once. A text of fewer words is one run.
fn shingles(text: &str) -> Vec<u64> {
    let words: Vec<String> = words(text).collect();
    let hash = |run: &[String]| {
        let hash = blake3::hash(run.join(" ").as_bytes());
        let (eights, _) = hash.as_bytes().as_chunks::<8>();
        u64::from_le_bytes(eights[0])
    };
    let mut shingles: Vec<u64> = match words.len() {
        0 => Vec::new(),
        1..SHINGLE => vec![hash(&words)],
        _ => words.windows(SHINGLE).map(hash).collect(),
    };
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

/// The share of all shingles of two texts that stands in both, from 0 to 1.
fn resemblance(a: &[u64], b: &[u64]) -> f64 {
    // They cannot resemble each other more than their sizes do, which spares most comparisons.
    let (few, many) = (a.len().min(b.len()), a.len().max(b.len()));
    if many == 0 || (few as f64) < NEAR * many as f64 {
        return 0.0;
    }
    let both = a.iter().filter(|shingle| b.binary_search(shingle).is_ok()).count();
    both as f64 / (a.len() + b.len() - both) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn candidate(id: &str, document: &str, text: &str, score: Option<f64>) -> Candidate {
        let chunk = Chunk {
            id: id.into(),
            document: document.to_owned(),
            heading: Vec::new(),
            text: text.to_owned(),
            position: 0,
            section: 0,
            scope: Vec::new(),
            origin: None,
            fields: Vec::new(),
        };
        Candidate { chunk: Arc::new(chunk), score }
    }

    fn kept(stage: &Stage) -> String {
        stage.ranking.iter().map(|hit| hit.id.to_string()).collect()
    }

    fn dropped(stage: &Stage) -> Vec<(String, &str)> {
        stage.dropped.iter().map(|gone| (gone.id.to_string(), gone.why.as_str())).collect()
    }

    #[test]
    fn the_cap_lets_the_first_of_each_document_through() {
        let mut candidates =
            ["aX", "bY", "cX", "dX", "eY"].map(|name| candidate(&name[..1], &name[1..], "", None)).to_vec();
        let stage = cap(&mut candidates, 2);
        assert_eq!((stage.name.as_str(), kept(&stage)), ("cap", "abce".to_owned()));
        assert_eq!(dropped(&stage), [("d".to_owned(), "cap")]);
        assert_eq!(candidates.len(), 4);
    }

    #[test]
    fn the_floor_drops_what_is_below_it_or_was_not_scored() {
        let scores = [("a", Some(0.5)), ("b", Some(0.3)), ("c", Some(0.29)), ("d", None)];
        let mut candidates = scores.map(|(id, score)| candidate(id, "X", "", score)).to_vec();
        let stage = floor(&mut candidates, 0.3);
        assert_eq!((stage.name.as_str(), kept(&stage)), ("floor", "ab".to_owned()));
        assert_eq!(dropped(&stage), [("c".to_owned(), "floor"), ("d".to_owned(), "floor")]);
    }

    #[test]
    fn the_later_of_two_near_identical_passages_goes_and_a_changed_figure_is_not_nearly_the_same() {
        let long = |figure: &str| {
            format!(
                "Damage has to be reported to the carrier within {figure} working days of the delivery, in writing, with \
                 photographs of the goods and of the packing, by the person who signed for them at the ramp."
            )
        };
        let longer = format!("{} Thank you.", ["The same words over and over, none of them new"; 20].join(" and "));
        let texts = [
            ("a", long("seven")),
            ("b", long("SEVEN").replace(", ", " – ")),
            ("c", long("five")),
            ("d", String::new()),
            ("e", String::new()),
            ("f", "Yes.".to_owned()),
            ("g", "yes".to_owned()),
            ("h", longer.clone()),
            ("i", longer),
        ];
        let mut candidates = texts.map(|(id, text)| candidate(id, "X", &text, None)).to_vec();
        let stage = dedupe(&mut candidates);
        assert_eq!(kept(&stage), "acdefh");
        assert_eq!(dropped(&stage), ["b", "g", "i"].map(|id| (id.to_owned(), "dedupe")));
    }

    proptest! {
        #[test]
        fn a_stage_keeps_or_drops_each_and_changes_no_order(
            made in prop::collection::vec((0_u8..4, "[ab ]{0,12}", prop::option::of(0.0_f64..1.0)), 0..40),
            limit in 1_usize..4,
        ) {
            let made = made.iter().enumerate();
            let before: Vec<Candidate> = made
                .map(|(at, (document, text, score))| candidate(&at.to_string(), &document.to_string(), text, *score))
                .collect();
            for at in 0..3 {
                let mut after = before.clone();
                let stage = match at {
                    0 => dedupe(&mut after),
                    1 => floor(&mut after, 0.5),
                    _ => cap(&mut after, limit),
                };
                let order: Vec<usize> = stage.ranking.iter().filter_map(|hit| hit.id.as_str().parse().ok()).collect();
                prop_assert!(order.is_sorted());
                prop_assert_eq!(order.len() + stage.dropped.len(), before.len());
                prop_assert_eq!(ranking(&after), stage.ranking);
            }
        }
    }
}
