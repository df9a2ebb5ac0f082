//! pgvector in `PostgreSQL`: a statement over one table, for the nearest vectors or for any of the question's words.

use super::Options;
use crate::engine::postgres::identifier as name;

/// How near two vectors are, as an operator and the score that is shown for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// `<=>`, the score is the cosine.
    #[default]
    Cosine,
    /// `<->`, the score is the distance, negated.
    L2,
    /// `<#>`, the score is the inner product.
    Inner,
}

/// What it can do, in the words of `params.mode`.
pub const MODES: [&str; 2] = ["vector", "keyword"];

/// The statement of one mode over the table that `options.collection` names. Equal scores are told apart by the id.
/// <https://github.com/pgvector/pgvector#querying>, words by <https://www.postgresql.org/docs/current/textsearch-controls.html>.
#[must_use]
pub fn statement(options: &Options, mode: &str, metric: Metric, language: &str) -> String {
    let id = name(options.id_field.as_deref().unwrap_or("id"));
    let text = name(&options.text_field);
    let mut columns = vec![format!("{id}::text AS id"), format!("{text} AS text")];
    for (field, column) in [(&options.document_field, "document"), (&options.heading_field, "heading")] {
        columns.extend(field.as_deref().map(|field| format!("{} AS {column}", name(field))));
    }
    let table: Vec<String> = options.collection.split('.').map(name).collect();
    let mut conditions = Vec::new();
    if let Some(scope) = options.scope_field.as_deref().map(name) {
        conditions.push(format!(
            "({scope} IS NULL OR cardinality({scope}) = 0 OR {scope}::text[] && {{{{ asker.groups }}}}::text[])"
        ));
    }
    let (score, order) = if mode == "keyword" {
        let language = language.replace('\'', "''");
        let words = format!("to_tsvector('{language}', {text})");
        // No word has a blank, so that the `&` within one, as in an address, stays.
        let asked = format!("replace(plainto_tsquery('{language}', {{{{ question }}}})::text, ' & ', ' | ')::tsquery");
        conditions.push(format!("{words} @@ {asked}"));
        (format!("ts_rank_cd({words}, {asked})"), "score DESC".to_owned())
    } else {
        let field = name(options.vector_field.as_deref().unwrap_or("embedding"));
        // The operator itself has to stand there, or no index is used.
        let (operator, score) = match metric {
            Metric::Cosine => ("<=>", "1 - "),
            Metric::L2 => ("<->", "- "),
            Metric::Inner => ("<#>", "- "),
        };
        let distance = format!("({field} {operator} {{{{ vector }}}}::vector)");
        (format!("{score}{distance}"), distance)
    };
    let conditions = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    format!(
        "SELECT {}, {score} AS score FROM {}{conditions} ORDER BY {order}, {id} LIMIT {{{{ depth }}}}",
        columns.join(", "),
        table.join("."),
    )
}
