//! The statement that searches by words.

use super::columns::Columns;

/// How much of a long paste is looked at, in characters.
const LINE: usize = 4000;
/// How much of a run without blanks, in bytes; Postgres refuses a word of more than 2046.
const RUN: usize = 500;
/// How many words are asked for.
const WORDS: usize = 50;
/// How `ts_rank_cd` counts: divided by the logarithm of the length, and brought below 1.
const RANK: &str = "1 | 32";

/// What was typed, as the statement takes it: any text, with no word that Postgres refuses, and with no word that is taken for one
/// not to be found because a dash stands before it, as in a list.
pub(super) fn plain_words(typed: &str) -> String {
    let typed: String = typed.chars().take(LINE).collect();
    let runs = typed.split(|c: char| c.is_whitespace() || c == '\0').filter(|run| !run.is_empty());
    let runs = runs.map(|run| {
        let run = run.trim_start_matches('-');
        &run[..run.floor_char_boundary(RUN)]
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// Finds the rows of `table` that have any of the words of `$1`, the best first.
///
/// The score is a sum: 1 where the row has all that is asked for, the share of the words that it has, and
/// `ts_rank_cd` for any of them, below 1.
pub(super) fn statement(columns: &Columns, table: &str, begins: bool, limit: usize) -> String {
    let (list, language, words) = (columns.list(), &columns.language, &columns.words);
    // Without this the words of a row are made several times over.
    let once = if columns.kept { "" } else { " OFFSET 0" };
    let begun = if begins {
        begun(language)
    } else {
        "SELECT NULL::text AS word, NULL::text[] AS cuts, NULL::text[] AS stems, 0 AS typed LIMIT 0".to_owned()
    };
    let quoted = quoted("lexeme");
    format!(
        "WITH begun AS ({begun}), \
         words AS (SELECT {quoted} AS word FROM unnest(to_tsvector({language}, $1::text)) \
             WHERE lexeme <> ALL (coalesce((SELECT stems FROM begun), '{{}}')) ORDER BY positions[1] LIMIT {WORDS}), \
         asked AS MATERIALIZED (SELECT websearch_to_tsquery({language}, $1::text) AS whole, \
             array_agg(word::tsquery) AS words, \
             concat_ws(' | ', string_agg(word, ' | '), (SELECT nullif(array_to_string(cuts, ' | '), '') FROM begun))::tsquery AS some \
             FROM (SELECT word FROM words UNION ALL SELECT word FROM begun) AS all_words) \
         SELECT {}, (r.found @@ asked.whole)::int + ts_rank_cd(r.found, asked.some, {RANK}) + \
             (SELECT avg((r.found @@ word)::int) FROM unnest(asked.words) AS word) + \
             coalesce((SELECT max(length(cut) - 2)::float / max(begun.typed) / cardinality(asked.words) \
              FROM begun, unnest(begun.cuts) AS cut WHERE r.found @@ cut::tsquery), 0) AS score \
         FROM (SELECT {list}, {words} AS found FROM {table} AS c{once}) AS r, asked \
         WHERE r.found @@ asked.some ORDER BY score DESC, r.id LIMIT {limit}",
        columns.names("r"),
    )
}

/// The last word as what may go on, in the words of a `tsquery`, and its stems.
///
/// What is typed of a word may be longer than its stem, as `maintenan` of `maintenance`, whose stem is `mainten`: a stem that is a
/// few letters shorter than what is typed is found too, and counts by how much of it is there.
fn begun(language: &str) -> String {
    let (word, stem, cut) = (quoted("lexeme"), quoted("stem"), quoted("left(lexeme, -cut)"));
    format!(
        "SELECT concat_ws(' | ', {word} || ':*', \
             (SELECT string_agg({stem}, ' | ') FROM unnest(stems) AS stem)) AS word, \
             ARRAY(SELECT {cut} FROM generate_series(1, 4) AS cut \
                 WHERE lexeme ~ '^[[:alpha:]]+$' AND length(lexeme) - cut >= 4) AS cuts, stems, length(lexeme) AS typed \
         FROM (SELECT lexeme, tsvector_to_array(to_tsvector({language}, lexeme)) AS stems \
             FROM unnest(to_tsvector('simple', $1::text)) ORDER BY positions[cardinality(positions)] DESC LIMIT 1) AS last"
    )
}

/// A lexeme as it stands in a `tsquery`.
fn quoted(lexeme: &str) -> String {
    format!(r"'''' || replace(replace({lexeme}, E'\\', E'\\\\'), '''', '''''') || ''''")
}
