//! The two ways to ask an index: as the labeler types, and as the `local` retriever does.

use tantivy::{
    Order, Term,
    collector::{
        TopDocs,
        sort_key::{SortBySimilarityScore, SortByString},
    },
    query::{BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query as EngineQuery, TermQuery},
    schema::{Field, IndexRecordOption},
};

use super::{
    CorpusError, Found, Index,
    prefix::PrefixQuery,
    schema::{EVERYBODY, Fields, ORDER, TITLE_BOOST, group},
    tokenizer::{Query, START},
};
use crate::domain::asker::Asker;

/// How many times as much an identifier found whole counts as one of its parts, so that the very one stands above its sisters.
const WHOLE_BOOST: f32 = 3.0;

/// How much a word that only begins as typed counts, beside one that is typed whole.
const PREFIX_BOOST: f32 = 0.5;

type Clause = (Occur, Box<dyn EngineQuery>);

impl Index {
    /// The labeler's search box: chunks that hold any word of `typed`, best first; the last word counts as the beginning of one unless a blank follows it.
    ///
    /// What is typed is plain text, never a query language. The hits of the last word are all chunks with a word that begins so.
    /// Text without letters and digits finds nothing (see [`is_searchable`](super::is_searchable)).
    pub fn search(&self, typed: &str, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let query = Query::parse(typed, true);
        let mut clauses = whole_words(self.fields, &query);
        for prefix in &query.prefixes {
            let prefix = begins_with(self.fields, prefix);
            clauses.push((Occur::Should, Box::new(BoostQuery::new(prefix, PREFIX_BOOST))));
        }
        self.top(clauses, limit)
    }

    /// BM25 over whole words, best first; ties in the source's order. Only chunks that `asker` may read are found, so `limit` is full where enough of them match.
    ///
    /// `None` reads everything: for experiments of the diagnosis only, an evaluated question always has an asker.
    pub fn keyword(&self, question: &str, asker: Option<&Asker>, limit: usize) -> Result<Vec<Found>, CorpusError> {
        let clauses = whole_words(self.fields, &Query::parse(question, false));
        let Some(asker) = asker.filter(|_| !clauses.is_empty()) else {
            return self.top(clauses, limit);
        };
        let readable = std::iter::once(EVERYBODY.to_owned()).chain(asker.known_groups().map(group));
        let readable = readable
            .map(|scope| (Occur::Should, term(self.fields.scope, &scope, IndexRecordOption::Basic)))
            .collect::<Vec<_>>();
        let readable = ConstScoreQuery::new(Box::new(BooleanQuery::new(readable)), 0.0);
        self.top(vec![(Occur::Must, Box::new(BooleanQuery::new(clauses))), (Occur::Must, Box::new(readable))], limit)
    }

    fn top(&self, clauses: Vec<Clause>, limit: usize) -> Result<Vec<Found>, CorpusError> {
        if clauses.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        // More than there are chunks is the same as all of them, and is not set aside in memory.
        let limit = limit.min(self.len().max(1));
        let order = (SortBySimilarityScore, (SortByString::for_field(ORDER), Order::Asc));
        let top = self
            .searcher
            .search(&BooleanQuery::new(clauses), &TopDocs::with_limit(limit).order_by(order))
            .map_err(self.engine())?;
        top.into_iter().map(|((score, _), address)| Ok(Found { chunk: self.load(address)?, score })).collect()
    }
}

fn whole_words(fields: Fields, query: &Query) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for word in &query.words {
        let boost = if query.compounds.contains(word) { WHOLE_BOOST } else { 1.0 };
        for (field, field_boost) in [(fields.body, 1.0), (fields.title, TITLE_BOOST)] {
            let found = term(field, word, IndexRecordOption::WithFreqs);
            clauses
                .push((Occur::Should, Box::new(BoostQuery::new(found, boost * field_boost)) as Box<dyn EngineQuery>));
        }
    }
    clauses
}

fn begins_with(fields: Fields, prefix: &str) -> Box<dyn EngineQuery> {
    if prefix.chars().count() <= START {
        term(fields.start, prefix, IndexRecordOption::WithFreqs)
    } else {
        Box::new(PrefixQuery { fields: vec![fields.body, fields.title], prefix: prefix.to_owned() })
    }
}

fn term(field: Field, text: &str, option: IndexRecordOption) -> Box<dyn EngineQuery> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), option))
}
