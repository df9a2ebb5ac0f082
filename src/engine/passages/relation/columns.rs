//! Which column of a table is what, and how a statement names it.

use super::{Open, Relation, text, without_nul};
use crate::engine::{
    client::CallError,
    passages::fields::Fields,
    postgres::{Param, Query, identifier, literal},
};

/// How many tables an error lists.
const LISTED: usize = 20;
/// The longest text that words are made of, in characters; Postgres refuses to make more than a megabyte of them.
const LONGEST: usize = 200_000;

/// The columns that are read, as expressions over a row that is called `c`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    id: Column,
    document: Column,
    heading: Option<Column>,
    text: Column,
    scope: Option<Column>,
    position: Option<Column>,
    /// What is searched, and whether the table keeps it.
    pub(super) words: String,
    pub(super) kept: bool,
    /// How words are stemmed, quoted.
    pub(super) language: String,
}

/// A column, or a part of one of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    /// Its value as it is.
    pub(super) sql: String,
    /// Its value as text.
    pub(super) text: String,
    pub(super) kind: Kind,
}

/// What values a column takes, as far as they are looked up by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    Uuid,
    Other,
}

/// Looks at the table.
pub(super) async fn look(open: &Open) -> Result<Columns, CallError> {
    let relation = &open.asked.relation;
    let (table, fields) = (relation.quoted(), &relation.fields);
    let there = columns(open, &table).await?;
    let list = || there.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let needed = |name: &str, setting: &str| {
        find(name, &there).ok_or_else(|| {
            relation.wrong(format!("it has no column `{name}`: name another as `{setting}`; its columns: {}", list()))
        })
    };
    let plain = Fields::default();
    // A name that is not set may well be missing.
    let optional = |name: &str, plain: &str, setting: &str| match find(name, &there) {
        None if name == plain => Ok(None),
        None => needed(name, setting).map(Some),
        found => Ok(found),
    };
    let (document, text) = (needed(&fields.document, "document_field")?, needed(&fields.text, "text_field")?);
    let heading = optional(&fields.heading, &plain.heading, "heading_field")?;
    let language = language(open).await?;
    let words = match &relation.words {
        None => words(&[Some(&document), heading.as_ref()], &text, &language),
        Some(name) => match there.iter().find(|(column, _)| column == name) {
            Some((_, kind)) if kind == "tsvector" => format!("c.{}", identifier(name)),
            Some((_, kind)) => {
                let what = format!("its column `{name}`, the setting `tsv_field`, is of type {kind}, not of tsvector");
                return Err(relation.wrong(what));
            }
            None => return Err(needed(name, "tsv_field").err().unwrap_or_else(|| relation.wrong(name))),
        },
    };
    Ok(Columns {
        id: needed(fields.id.as_deref().unwrap_or("id"), "id_field")?,
        scope: optional(&fields.scope, &plain.scope, "scope_field")?,
        position: fields.position.as_deref().map(|name| needed(name, "position_field")).transpose()?,
        kept: relation.words.is_some(),
        document,
        heading,
        text,
        words,
        language,
    })
}

/// The columns of the table, each with its type. An error where there is no such table names those there are.
async fn columns(open: &Open, table: &str) -> Result<Vec<(String, String)>, CallError> {
    let sql = "SELECT attname::text AS name, format_type(atttypid, NULL) AS type FROM pg_attribute \
               WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum";
    let params = vec![Param::Text(without_nul(table))];
    let rows = open.rows(Query { sql: sql.to_owned(), params, ..Query::default() }).await?;
    if !rows.is_empty() {
        return Ok(rows.iter().map(|row| (text(row, "name"), text(row, "type"))).collect());
    }
    let sql = format!(
        "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p', 'f') AND \
         relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema') AND NOT relispartition AND \
         has_table_privilege(oid, 'SELECT') ORDER BY 1 LIMIT {LISTED}"
    );
    let rows = open.rows(Query { sql, ..Query::default() }).await?;
    let names: Vec<String> = rows.iter().map(|row| text(row, "name")).collect();
    let names = if names.is_empty() { "none that may be read".to_owned() } else { names.join(", ") };
    Err(open.asked.relation.wrong(format!("it is not there: name another as `table`; there are: {names}")))
}

/// How words are stemmed, as the settings or else the database say it, quoted.
async fn language(open: &Open) -> Result<String, CallError> {
    let relation = &open.asked.relation;
    let sql = "SELECT current_setting('default_text_search_config') AS set, string_agg(cfgname::text, ', ' ORDER BY cfgname) AS there, \
               coalesce(bool_or($1::text IN (cfgname::text, cfgnamespace::regnamespace || '.' || cfgname)), false) AS known FROM pg_ts_config";
    let params = vec![relation.language.as_deref().map_or(Param::Null, |name| Param::Text(without_nul(name)))];
    let rows = open.rows(Query { sql: sql.to_owned(), params, ..Query::default() }).await?;
    let row = rows.first().cloned().unwrap_or_default();
    match &relation.language {
        None => Ok(format!("{}::regconfig", literal(&text(&row, "set")))),
        Some(name) if row.get("known").is_some_and(|known| known == true) => {
            Ok(format!("{}::regconfig", literal(name)))
        }
        Some(name) => {
            let there = text(&row, "there");
            Err(relation.wrong(format!("Postgres has no `language` called `{name}`; there are: {there}")))
        }
    }
}

/// The column of that whole name, else the part of one of JSON that a dotted name leads to.
fn find(name: &str, there: &[(String, String)]) -> Option<Column> {
    if let Some((name, kind)) = there.iter().find(|(column, _)| column == name) {
        let sql = format!("c.{}", identifier(name));
        let kind = match kind.as_str() {
            "text" | "character varying" => Kind::Text,
            "smallint" | "integer" | "bigint" => Kind::Whole,
            "uuid" => Kind::Uuid,
            list if list.ends_with("[]") => {
                let text = format!("array_to_string({sql}, ' ')");
                return Some(Column { text, sql, kind: Kind::Other });
            }
            _ => Kind::Other,
        };
        return Some(Column { text: format!("{sql}::text"), sql, kind });
    }
    let (column, path) = name.split_once('.')?;
    there.iter().find(|(name, kind)| name == column && (kind == "json" || kind == "jsonb"))?;
    let keys: Vec<String> = path.split('.').map(literal).collect();
    let (column, keys) = (identifier(column), keys.join(", "));
    let (sql, text) = (format!("(c.{column} #> ARRAY[{keys}])"), format!("(c.{column} #>> ARRAY[{keys}])"));
    Some(Column { sql, text, kind: Kind::Other })
}

/// What is searched where the table does not keep it: the titles, which count more, and the passage.
fn words(titles: &[Option<&Column>], passage: &Column, language: &str) -> String {
    let titles: Vec<&str> = titles.iter().flatten().map(|column| column.text.as_str()).collect();
    format!(
        "setweight(to_tsvector({language}, left(concat_ws(' ', {}), {LONGEST})), 'B') || \
         to_tsvector({language}, left(coalesce({}, ''), {LONGEST}))",
        titles.join(", "),
        passage.text
    )
}

impl Columns {
    /// What is selected, under the names that [`Columns::fields`] has.
    pub(super) fn list(&self) -> String {
        let list: Vec<String> = self.selected().into_iter().map(|(sql, name)| format!("{sql} AS {name}")).collect();
        list.join(", ")
    }

    /// The same of rows called `of`, where it was selected already.
    pub(super) fn names(&self, of: &str) -> String {
        let list: Vec<String> = self.selected().into_iter().map(|(_, name)| format!("{of}.{name}")).collect();
        list.join(", ")
    }

    fn selected(&self) -> Vec<(String, &'static str)> {
        let mut list =
            vec![(self.id.text.clone(), "id"), (self.document(), "document"), (self.text.text.clone(), "text")];
        for (column, name) in [(&self.heading, "heading"), (&self.scope, "scope"), (&self.position, "position")] {
            list.extend(column.as_ref().map(|column| (column.sql.clone(), name)));
        }
        list
    }

    /// Where a selected row has what.
    pub(super) fn fields(&self, relation: &Relation) -> Fields {
        Fields {
            id: Some("id".to_owned()),
            position: self.position.as_ref().map(|_| "position".to_owned()),
            separator: relation.fields.separator.clone(),
            ..Fields::default()
        }
    }

    /// The document's name: of a passage in none, its id.
    pub(super) fn document(&self) -> String {
        format!("coalesce({}, {})", self.document.text, self.id.text)
    }

    /// True for passages of the documents of these names.
    pub(super) fn of_documents(&self, names: &[String], params: &mut Vec<Param>) -> String {
        let (named, alone) = (self.document.among(names, params), self.id.among(names, params));
        format!("({named} OR ({} IS NULL AND {alone}))", self.document.text)
    }

    /// True for passages of these ids.
    pub(super) fn of_ids(&self, ids: &[String], params: &mut Vec<Param>) -> String {
        self.id.among(ids, params)
    }
}

impl Column {
    /// True for one of the values, in such a way that an index over the column is used.
    fn among(&self, values: &[String], params: &mut Vec<Param>) -> String {
        let can_be = |value: &&String| match self.kind {
            Kind::Text | Kind::Other => !value.contains('\0'),
            // As Postgres writes them: other ways to write one are other ids.
            Kind::Whole => value.parse::<i64>().is_ok_and(|number| number.to_string() == **value),
            Kind::Uuid => is_uuid(value),
        };
        params.push(Param::Texts(values.iter().filter(can_be).cloned().collect()));
        let at = params.len();
        match self.kind {
            Kind::Text => format!("{} = ANY(${at}::text[])", self.sql),
            Kind::Whole => format!("{} = ANY(${at}::bigint[])", self.sql),
            Kind::Uuid => format!("{} = ANY(${at}::uuid[])", self.sql),
            Kind::Other => format!("{} = ANY(${at}::text[])", self.text),
        }
    }
}

fn is_uuid(text: &str) -> bool {
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    text.len() == 36 && text.char_indices().all(|(at, c)| if [8, 13, 18, 23].contains(&at) { c == '-' } else { hex(c) })
}
