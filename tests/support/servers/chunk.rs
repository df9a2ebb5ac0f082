//! What is loaded into a server: passages, each with its vector.

use std::path::Path;

use caselight::corpus::{self, Source};

/// A passage as a team's own system would hold it.
#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    /// Unique.
    pub(crate) id: String,
    /// The name of its document.
    pub(crate) document: String,
    /// The headings above it, joined by ` › `.
    pub(crate) heading: String,
    /// The passage.
    pub(crate) text: String,
    /// The groups that may read it; empty means everybody.
    pub(crate) scope: Vec<String>,
    /// Its embedding; all of one load have the same length. Empty for an engine that is loaded without.
    pub(crate) vector: Vec<f32>,
}

impl Chunk {
    /// The passages of the demo, document by document, without vectors.
    pub(crate) fn demo() -> Vec<Self> {
        let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus-index/documents");
        let folder = tempfile::tempdir().unwrap();
        let index = corpus::open(&Source::detect(&documents).unwrap(), folder.path(), &|_| ()).unwrap();
        let outline = index.outline().unwrap();
        let chunks = outline.documents().iter().flat_map(|document| &document.chunks);
        chunks
            .map(|chunk| Self {
                id: chunk.id.as_str().to_owned(),
                document: chunk.document.clone(),
                heading: chunk.heading.join(" › "),
                text: chunk.text.clone(),
                scope: chunk.scope.clone(),
                vector: Vec::new(),
            })
            .collect()
    }

    /// Three passages with vectors of three numbers: `refund` near the first axis, `returns` between, `damage` on the second.
    pub(crate) fn three() -> Vec<Self> {
        let chunk = |id: &str, heading: &str, text: &str, scope: &[&str], vector: [f32; 3]| Self {
            id: id.to_owned(),
            document: "Policies".to_owned(),
            heading: heading.to_owned(),
            text: text.to_owned(),
            scope: scope.iter().map(|group| (*group).to_owned()).collect(),
            vector: vector.to_vec(),
        };
        vec![
            chunk("refund", "Refunds", "A refund is paid within five days.", &[], [1.0, 0.0, 0.0]),
            chunk(
                "returns",
                "Returns › Label",
                "It's sent back with the label that came in the box.",
                &[],
                [0.8, 0.6, 0.0],
            ),
            chunk("damage", "Damage", "Damaged pallets go to bay 7.", &["warehouse"], [0.0, 1.0, 0.0]),
        ]
    }
}
