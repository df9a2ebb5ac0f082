//! Values for `$1`, `$2` …, each sent as the text that Postgres would read for it.

use tokio_postgres::types::{Format, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};

/// A parameter. Whatever type the statement gives it, the server reads it from this text.
#[derive(Debug, Clone, PartialEq)]
pub enum Param {
    /// NULL.
    Null,
    /// Text, or the written form of any other type: `[0.1,0.2]` for a vector.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A list of texts, for `= ANY($1)`.
    Texts(Vec<String>),
}

impl From<&str> for Param {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Param {
    fn written(&self) -> Option<String> {
        match self {
            Self::Null => None,
            Self::Text(text) => Some(text.clone()),
            Self::Whole(number) => Some(number.to_string()),
            Self::Texts(texts) => {
                let quoted: Vec<String> = texts
                    .iter()
                    .map(|text| format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"")))
                    .collect();
                Some(format!("{{{}}}", quoted.join(",")))
            }
        }
    }
}

impl ToSql for Param {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        let Some(text) = self.written() else { return Ok(IsNull::Yes) };
        if text.contains('\0') {
            return Err("Postgres has no text with the character NUL".into());
        }
        out.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may fail loudly")]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_written_as_an_array_whatever_its_texts_hold() {
        let texts = ["plain", "", "a,b", "{x}", "say \"hi\"", r"back\slash", "NULL"];
        let list = Param::Texts(texts.iter().map(|&text| text.to_owned()).collect());
        assert_eq!(list.written().unwrap(), r#"{"plain","","a,b","{x}","say \"hi\"","back\\slash","NULL"}"#);
    }
}
