//! One server's endpoint as the settings describe it: what it is sent, and where the hits stand in what it answers.

use serde_json::{Map, Value, json};

use super::{
    client::{Call, Endpoint},
    shape::{Path, Shape},
    template::{Place, Template, TemplateError, Uses, Values},
};

/// What is sent to a server and how its answer is read. Its texts are templates that are not filled yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// `POST`, `GET` …
    pub method: String,
    /// Address, headers and limits.
    pub endpoint: Endpoint,
    /// The body; `None` sends none.
    pub body: Option<Value>,
    /// What has to be asked once before anything else.
    pub lookup: Option<Lookup>,
    /// Where the hits stand.
    pub shape: Shape,
}

/// A value that the server itself knows, such as the id of a collection; it is `{{ lookup }}` in the address, the headers and the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookup {
    /// The address, asked by `GET`.
    pub url: String,
    /// Where the value stands in the answer.
    pub path: Path,
}

/// A part of a [`Spec`] that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SpecError {
    /// The key of the settings: `url`, `headers`, `body`, `lookup.url`.
    pub key: &'static str,
    /// What is wrong, and what to do.
    pub reason: String,
}

/// A [`Spec`] whose templates were read.
pub struct Prepared {
    method: String,
    url: Template,
    headers: Vec<(String, Template)>,
    body: Option<Template>,
    lookup: Option<(Template, Path)>,
}

/// The body of the tool's own form, as a template.
#[must_use]
pub fn native_body() -> Value {
    json!({
        "question": "{{ question }}",
        "asker": {"id": "{{ asker.id }}", "groups": "{{ asker.groups }}"},
        "context": "{{ context }}",
        "limit": "{{ depth }}",
        "params": "{{ params }}",
    })
}

impl Spec {
    /// Reads the templates, and refuses a secret where none may stand.
    pub fn prepare(&self) -> Result<Prepared, SpecError> {
        let failed = |key: &'static str| move |error: TemplateError| SpecError { key, reason: error.to_string() };
        self.refuse_misplaced_secrets()?;
        let further: &[&str] = if self.lookup.is_some() { &["lookup"] } else { &[] };
        let url = Value::from(self.endpoint.url.as_str());
        let url = Template::new(&url, Place::Url, further).map_err(failed("url"))?;
        let mut headers = Vec::new();
        for (name, value) in &self.endpoint.headers {
            let value = Template::new(&Value::from(value.as_str()), Place::Header, further)
                .map_err(|error| SpecError { key: "headers", reason: format!("`{name}`: {error}") })?;
            headers.push((name.clone(), value));
        }
        let body = self.body.as_ref().map(|body| Template::new(body, Place::Body, further)).transpose();
        let body = body.map_err(failed("body"))?;
        let lookup = self.lookup.as_ref().map(|lookup| {
            let url =
                Template::new(&Value::from(lookup.url.as_str()), Place::Url, &[]).map_err(failed("lookup.url"))?;
            Ok((url, lookup.path.clone()))
        });
        Ok(Prepared { method: self.method.clone(), url, headers, body, lookup: lookup.transpose()? })
    }

    /// The texts that may hold a `${NAME}`, each with its key.
    #[must_use]
    pub fn secret_texts(&self) -> Vec<(&str, &str)> {
        let headers = self.endpoint.headers.iter().map(|(_, value)| ("headers", value.as_str()));
        let lookup = self.lookup.iter().map(|lookup| ("lookup.url", lookup.url.as_str()));
        headers.chain([("url", self.endpoint.url.as_str())]).chain(lookup).collect()
    }

    fn refuse_misplaced_secrets(&self) -> Result<(), SpecError> {
        let refused = |key: &'static str, text: &str| {
            let short: String = text.chars().take(60).collect();
            Err(SpecError {
                key,
                reason: format!(
                    "`{short}`: a `${{NAME}}` may only stand in the value of a header or of the url's query"
                ),
            })
        };
        let lookup = self.lookup.iter().map(|lookup| ("lookup.url", lookup.url.as_str()));
        for (key, url) in [("url", self.endpoint.url.as_str())].into_iter().chain(lookup) {
            let (address, query) = url.split_once('?').unwrap_or((url, ""));
            let named = query.split('&').any(|pair| has_secret(pair.split('=').next().unwrap_or_default()));
            if has_secret(address) || named {
                return refused(key, url);
            }
        }
        match self.body.as_ref().and_then(secret_in) {
            Some(text) => refused("body", text),
            None => Ok(()),
        }
    }

    /// How the server is reached, as JSON to be kept with a run: no secret is in it, for none was expanded.
    #[must_use]
    pub fn told(&self) -> Value {
        let headers = self.endpoint.headers.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        json!({
            "method": self.method,
            "url": self.endpoint.url,
            "headers": headers.collect::<Map<_, _>>(),
            "body": self.body,
            "lookup": self.lookup.as_ref().map(|lookup| json!({"url": lookup.url, "path": lookup.path.written()})),
            "read": self.shape.told(),
        })
    }
}

/// True if `text` names a secret; `$${` is a plain `${`.
fn has_secret(text: &str) -> bool {
    text.match_indices("${").any(|(at, _)| !text[..at].ends_with('$'))
}

fn secret_in(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => has_secret(text).then_some(text),
        Value::Array(items) => items.iter().find_map(secret_in),
        Value::Object(entries) => entries.values().find_map(secret_in),
        _ => None,
    }
}

impl Prepared {
    /// The names that its templates use.
    #[must_use]
    pub fn uses(&self) -> Uses {
        let mut uses = self.uses_of_each();
        self.lookup.iter().for_each(|(url, _)| uses.add(url.uses()));
        uses
    }

    /// True if the question, or the vector that is made of it, is sent with each request.
    #[must_use]
    pub fn sends_the_question(&self) -> bool {
        let uses = self.uses_of_each();
        uses.has("question") || uses.has("vector")
    }

    /// The names that are used in each request, the one that asks first for a value left aside.
    fn uses_of_each(&self) -> Uses {
        let mut uses = self.url.uses();
        let headers = self.headers.iter().map(|(_, value)| value);
        headers.chain(&self.body).for_each(|template| uses.add(template.uses()));
        uses
    }

    /// The request for one question. `further` headers take the place of those of the same name.
    pub fn call(&self, values: &Values, further: &[(String, String)]) -> Result<Call, SpecError> {
        let failed =
            |key: &'static str| move |error: TemplateError| SpecError { key, reason: format!("{key}: {error}") };
        let url = self.url.text(values).map_err(failed("url"))?.unwrap_or_default();
        let mut headers = Vec::new();
        for (name, value) in &self.headers {
            if further.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                continue;
            }
            // A header of nothing is not sent: the anonymous asker has no name.
            if let Some(value) = value.text(values).map_err(failed("headers"))? {
                headers.push((name.clone(), value));
            }
        }
        headers.extend(further.iter().cloned());
        let body = self.body.as_ref().map(|body| body.fill(values)).transpose().map_err(failed("body"))?;
        Ok(Call { method: self.method.clone(), url, headers, body })
    }

    /// What is asked once before anything else, and where its value stands.
    pub fn lookup(&self, values: &Values, further: &[(String, String)]) -> Result<Option<(Call, &Path)>, SpecError> {
        let Some((url, path)) = &self.lookup else { return Ok(None) };
        let failed = |error: TemplateError| SpecError { key: "lookup.url", reason: format!("lookup.url: {error}") };
        let url = url.text(values).map_err(failed)?.unwrap_or_default();
        let values = values.clone().with("lookup", Value::from(""));
        let headers = self.call(&values, further)?.headers;
        Ok(Some((Call { method: "GET".to_owned(), url, headers, body: None }, path)))
    }
}

#[cfg(test)]
mod tests;
