//! A query for the beginning of a word of five letters or more, scored as if it were one word.
//!
//! Every word of the dictionary that begins so counts, however many there are: with a limit, the list would go empty
//! while a word is typed. Shorter beginnings have entries of their own and need no such walk.

use std::{collections::HashMap, fmt, sync::Arc};

use tantivy::{
    DocId, DocSet, InvertedIndexReader, Score, SegmentReader, TERMINATED, TantivyError,
    fieldnorm::FieldNormReader,
    index::SegmentId,
    postings::Postings,
    query::{Bm25StatisticsProvider, Bm25Weight, EnableScoring, Explanation, Query, Scorer, Weight},
    schema::{Field, IndexRecordOption},
};

/// Chunks with a word that begins with `prefix` in one of `fields`; the first field's length is the one that scores.
#[derive(Clone)]
pub(super) struct PrefixQuery {
    pub(super) fields: Vec<Field>,
    pub(super) prefix: String,
}

impl fmt::Debug for PrefixQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrefixQuery({:?})", self.prefix)
    }
}

impl Query for PrefixQuery {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let Some(searcher) = scoring.searcher() else {
            return Err(TantivyError::InvalidArgument("a prefix query needs an index to look into".to_owned()));
        };
        let mut hits = HashMap::new();
        let mut found = 0_u64;
        for segment in searcher.segment_readers() {
            let list = self.hits(segment)?;
            found += list.len() as u64;
            hits.insert(segment.segment_id(), Arc::new(list));
        }
        let field = self.fields[0];
        let (docs, tokens) = (searcher.total_num_docs()?, searcher.total_num_tokens(field)?);
        let average = tokens as Score / docs.max(1) as Score;
        let score = Bm25Weight::for_one_term_without_explain(found, docs.max(found), average);
        Ok(Box::new(PrefixWeight { field, hits, score }))
    }
}

impl PrefixQuery {
    /// The documents of one segment with a word that begins so, and how many such words each holds.
    fn hits(&self, segment: &SegmentReader) -> tantivy::Result<Vec<(DocId, u32)>> {
        let mut hits = Vec::new();
        for &field in &self.fields {
            let index = segment.inverted_index(field)?;
            collect(&index, self.prefix.as_bytes(), &mut hits)?;
        }
        hits.sort_unstable_by_key(|&(doc, _)| doc);
        hits.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Ok(hits)
    }
}

fn collect(index: &InvertedIndexReader, prefix: &[u8], hits: &mut Vec<(DocId, u32)>) -> tantivy::Result<()> {
    let mut terms = index.terms().range().ge(prefix).into_stream()?;
    while terms.advance() {
        if !terms.key().starts_with(prefix) {
            break;
        }
        let mut postings = index.read_postings_from_terminfo(terms.value(), IndexRecordOption::WithFreqs)?;
        let mut doc = postings.doc();
        while doc != TERMINATED {
            hits.push((doc, postings.term_freq()));
            doc = postings.advance();
        }
    }
    Ok(())
}

struct PrefixWeight {
    field: Field,
    hits: HashMap<SegmentId, Arc<Vec<(DocId, u32)>>>,
    score: Bm25Weight,
}

impl Weight for PrefixWeight {
    fn scorer(&self, segment: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(PrefixScorer {
            hits: self.hits.get(&segment.segment_id()).cloned().unwrap_or_default(),
            at: 0,
            lengths: segment.get_fieldnorms_reader(self.field)?,
            score: self.score.boost_by(boost),
        }))
    }

    fn explain(&self, segment: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        let mut scorer = self.scorer(segment, 1.0)?;
        let score = if scorer.seek(doc) == doc { scorer.score() } else { 0.0 };
        Ok(Explanation::new("words that begin so, as one word", score))
    }
}

struct PrefixScorer {
    hits: Arc<Vec<(DocId, u32)>>,
    at: usize,
    lengths: FieldNormReader,
    score: Bm25Weight,
}

impl DocSet for PrefixScorer {
    fn advance(&mut self) -> DocId {
        self.at = (self.at + 1).min(self.hits.len());
        self.doc()
    }

    fn doc(&self) -> DocId {
        self.hits.get(self.at).map_or(TERMINATED, |&(doc, _)| doc)
    }

    fn size_hint(&self) -> u32 {
        u32::try_from(self.hits.len()).unwrap_or(u32::MAX)
    }
}

impl Scorer for PrefixScorer {
    fn score(&mut self) -> Score {
        match self.hits.get(self.at) {
            Some(&(doc, count)) => self.score.score(self.lengths.fieldnorm_id(doc), count),
            None => 0.0,
        }
    }
}
