//! A statement with names in it: `{{ question }}` becomes `$1`, and its value a parameter. Nothing is ever written into the SQL.

use serde_json::Value;

use super::{
    postgres::Param,
    template::{NAMES, Values},
};

/// A statement whose names were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    sql: String,
    names: Vec<String>,
}

impl Statement {
    /// Finds the names of a statement; an error names one that stands for nothing.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut sql = String::with_capacity(text.len());
        let mut names: Vec<String> = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{") {
            let (name, after) = behind.split_once("}}").ok_or("a `{{` has no `}}`")?;
            let name = name.trim();
            if !is_name(name) {
                return Err(format!("`{{{{ {name} }}}}` is no name of a value; there are {NAMES}"));
            }
            let at = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            });
            sql.push_str(before);
            sql.push_str(&format!("${}", at + 1));
            rest = after;
        }
        sql.push_str(rest);
        Ok(Self { sql, names })
    }

    /// The statement with `$1`, `$2` … for its names.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The names it uses, each once.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The parameters in their order; an error names a value that is not there.
    pub fn params(&self, values: &Values) -> Result<Vec<Param>, String> {
        self.names.iter().map(|name| param(name, values)).collect()
    }
}

fn is_name(name: &str) -> bool {
    let known = ["question", "asker.id", "asker.name", "asker.groups", "context", "depth", "vector"];
    let param = name.strip_prefix("params.");
    known.contains(&name) || param.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c)))
}

fn param(name: &str, values: &Values) -> Result<Param, String> {
    let value = values.get(name).ok_or_else(|| format!("this config has no value for `{{{{ {name} }}}}`"))?;
    Ok(match value {
        Value::Null if name == "asker.groups" => {
            return Err(
                "the groups of this asker are not known here, and the statement needs them: name them in [askers]"
                    .to_owned(),
            );
        }
        Value::Null => Param::Null,
        Value::String(text) => Param::Text(text.clone()),
        // As pgvector writes a vector.
        Value::Array(_) if name == "vector" => Param::Text(value.to_string()),
        Value::Array(items) => {
            let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            Param::Texts(items.iter().map(text).collect())
        }
        other => Param::Text(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_become_parameters_and_nothing_is_written_into_the_statement() {
        let text = "SELECT id FROM t WHERE s && {{ asker.groups }} AND l = {{params.lang}} ORDER BY e <=> {{ vector }}::vector, {{ vector }} LIMIT {{ depth }}";
        let statement = Statement::new(text).expect("it is a statement");
        let expected = "SELECT id FROM t WHERE s && $1 AND l = $2 ORDER BY e <=> $3::vector, $3 LIMIT $4";
        assert_eq!(statement.sql(), expected);
        let params = json!({"lang": "'; DROP TABLE t; --"});
        let values = Values::new("?", &[], 10, params.as_object().expect("it is an object"));
        let values = values.asked_by(None, None, Some(&["a", "b"])).with("vector", json!([0.5, -1.0]));
        let expected = [
            Param::Texts(vec!["a".to_owned(), "b".to_owned()]),
            Param::Text("'; DROP TABLE t; --".to_owned()),
            Param::Text("[0.5,-1.0]".to_owned()),
            Param::Text("10".to_owned()),
        ];
        assert_eq!(statement.params(&values), Ok(expected.to_vec()));
    }

    #[test]
    fn a_name_that_stands_for_nothing_is_an_error() {
        for text in ["SELECT {{ qestion }}", "SELECT {{ depth + 1 }}", "SELECT {{ depth", "SELECT {{ params.a b }}"] {
            assert!(Statement::new(text).is_err(), "{text}");
        }
        let statement = Statement::new("SELECT {{ params.lang }}").expect("it is a statement");
        let values = Values::new("?", &[], 10, &serde_json::Map::new());
        assert_eq!(statement.params(&values), Err("this config has no value for `{{ params.lang }}`".to_owned()));
        let statement = Statement::new("SELECT {{ asker.groups }}").expect("it is a statement");
        assert!(statement.params(&values.asked_by(None, None, None)).is_err());
    }
}
