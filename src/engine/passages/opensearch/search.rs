//! What an index is asked where no copy of it is made: words, whole documents, single chunks, and what state it is in.

use serde_json::{Value, json};

use super::Open;
use crate::engine::{
    client::CallError,
    passages::{Read, fields::Passage},
};

/// How much more a word in the heading or the document's name counts.
const TITLE_BOOST: &str = "1.5";
/// How many names or ids are asked for at once.
const MANY: usize = 500;

/// How the fields of an index are made, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The field that holds the document's name as a whole.
    document: String,
    /// The field that holds the id as a whole; `None` asks by the engine's own.
    id: Option<String>,
    /// The fields that are searched by words, with their weight.
    words: Vec<String>,
}

impl Open {
    /// Looks at the fields of the index. An error names one that is missing or cannot be looked up.
    pub async fn mapping(&self) -> Result<Mapping, CallError> {
        let fields = &self.index.fields;
        let whole = |name: &str| [name.to_owned(), format!("{name}.keyword")];
        let mut names: Vec<String> = whole(&fields.document).into();
        names.extend(fields.id.iter().flat_map(|id| whole(id)));
        names.extend([fields.heading.clone(), fields.text.clone()]);
        let path = self.path(&format!("_field_caps?fields={}", names.join(",")));
        let caps = self.server.call("GET", &path, None).await?;
        let is = |name: &str, kinds: &[&str]| kinds.iter().any(|kind| caps["fields"][name][*kind].is_object());
        let exact = |name: &str, setting: &str| {
            let found = whole(name).into_iter().find(|name| is(name, &["keyword", "constant_keyword", "wildcard"]));
            found.ok_or_else(|| {
                let what = if is(name, &["text"]) {
                    "is only searched by words: it needs a sub-field `keyword`"
                } else {
                    "is not there as a keyword"
                };
                self.wrong(format!(
                    "its field `{name}`, the setting `{setting}`, {what}, for chunks are looked up by it"
                ))
            })
        };
        if !is(&fields.text, &["text", "match_only_text", "keyword"]) {
            return Err(self.wrong(format!("it has no field `{}`: name another as `text_field`", fields.text)));
        }
        let mut words = vec![fields.text.clone()];
        let titles =
            [&fields.heading, &fields.document].into_iter().filter(|name| is(name, &["text", "match_only_text"]));
        words.extend(titles.map(|name| format!("{name}^{TITLE_BOOST}")));
        Ok(Mapping {
            document: exact(&fields.document, "document_field")?,
            id: fields.id.as_deref().map(|id| exact(id, "id_field")).transpose()?,
            words,
        })
    }

    /// The best `limit` passages for any word of `text`, each with its score; with `begins`, its last word may go on.
    ///
    /// The text is plain words, never a query language.
    pub async fn search(
        &self,
        mapping: &Mapping,
        text: &str,
        begins: bool,
        limit: usize,
    ) -> Result<Vec<(Passage, f64)>, CallError> {
        let words = |kind: &str| json!({ "multi_match": { "query": text, "fields": mapping.words, "type": kind, "lenient": true } });
        let mut any = vec![words("most_fields")];
        if begins {
            any.push(words("bool_prefix"));
        }
        let path = self.path("_search?search_type=dfs_query_then_fetch&allow_partial_search_results=false");
        let body = json!({
            "size": limit,
            "query": { "bool": { "should": any } },
            "_source": self.index.fields.names(),
        });
        let mut page = self.server.call("POST", &path, Some(body)).await?;
        self.passages(&mut page)
    }

    /// Every passage of the documents of these names, in order.
    pub async fn documents(&self, mapping: &Mapping, names: &[String]) -> Result<Vec<Passage>, CallError> {
        let mut found = Vec::new();
        for names in names.chunks(MANY) {
            self.collect(json!({ "terms": { &mapping.document: names } }), &mut found).await?;
        }
        found.sort_by(Passage::order);
        Ok(found)
    }

    /// The names of documents that are called `name` but for upper and lower case, at most `limit`.
    pub async fn called(&self, mapping: &Mapping, name: &str, limit: usize) -> Result<Vec<String>, CallError> {
        let path = self.path("_search?allow_partial_search_results=false");
        let body = json!({
            "size": limit,
            "query": { "term": { &mapping.document: { "value": name, "case_insensitive": true } } },
            "_source": self.index.fields.names(),
        });
        let mut page = self.server.call("POST", &path, Some(body)).await?;
        let found = self.passages(&mut page)?;
        Ok(found.into_iter().map(|(passage, _)| passage.document().to_owned()).collect())
    }

    /// The passages of these ids, in no order; an id that is not there gives none.
    pub async fn chunks(&self, mapping: &Mapping, ids: &[String]) -> Result<Vec<Passage>, CallError> {
        let mut found = Vec::new();
        for ids in ids.chunks(MANY) {
            let query = match &mapping.id {
                Some(field) => json!({ "terms": { field: ids } }),
                None => json!({ "ids": { "values": ids } }),
            };
            self.collect(query, &mut found).await?;
        }
        Ok(found)
    }

    /// How many passages there are.
    pub async fn count(&self) -> Result<u64, CallError> {
        let answer = self.server.call("GET", &self.path("_count"), None).await?;
        self.whole(&answer)?;
        answer["count"]
            .as_u64()
            .ok_or_else(|| self.wrong("`_count` gives no `count`: is this OpenSearch or Elasticsearch?"))
    }

    /// A text that changes whenever a passage is added, changed or removed; `None` where the engine does not tell.
    ///
    /// It is made of the identity of each index, and of how many documents there are and the numbers of the writes that made them.
    pub async fn state(&self) -> Option<String> {
        let settings = self.server.call("GET", &self.path("_settings"), None).await.ok()?;
        let mut indexes: Vec<&str> = Vec::new();
        for index in settings.as_object()?.values() {
            indexes.push(index["settings"]["index"]["uuid"].as_str()?);
        }
        if indexes.is_empty() {
            return None;
        }
        indexes.sort_unstable();
        let body = json!({
            "size": 0,
            "track_total_hits": true,
            "aggs": { "writes": { "stats": { "field": "_seq_no" } } },
        });
        let answer = self.server.call("POST", &self.path("_search"), Some(body)).await.ok()?;
        self.whole(&answer).ok()?;
        let (total, writes) = (&answer["hits"]["total"], &answer["aggregations"]["writes"]);
        // Without its writes an index that was changed in place would look the same.
        writes["sum"].is_number().then(|| format!("{} {total} {} {}", indexes.join(" "), writes["max"], writes["sum"]))
    }

    async fn collect(&self, query: Value, found: &mut Vec<Passage>) -> Result<(), CallError> {
        let read = &mut |read: Read| {
            if let Read::Passage(passage) = read {
                found.push(passage);
            }
            Ok(())
        };
        self.scroll(query, read).await
    }
}
