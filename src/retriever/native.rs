//! The form in which a retriever is asked and answers where its settings say nothing else: one object each way.
//!
//! ```json
//! {"question": "…", "asker": {"id": "lead-7", "groups": ["warehouse"]}, "context": [], "limit": 10, "params": {}}
//! {"results": [{"id": "a", "score": 1.5, "text": "…", "document": "Manual", "heading": ["Fees"]}],
//!  "stages": [{"name": "keyword", "ranking": [{"id": "a", "score": 3}, "b"], "dropped": [{"id": "c", "why": "cap"}]}],
//!  "partial": "shard 2 did not answer"}
//! ```
//!
//! Only `results` and the id of each have to be there. An id is text or a whole number, exact to the last digit; where a hit is
//! nothing but its id, the id alone may stand in its place.

use serde_json::{Map, Value, json};

use super::Request;
use crate::domain::{
    chunk::ChunkId,
    ranking::{Answer, Dropped, Hit, Stage},
};

/// One question as an object. The anonymous asker has the id `null`; groups are `null` where only production knows them.
#[must_use]
pub fn request(request: &Request) -> Value {
    let groups = request.asker.groups.as_ref().map(|groups| groups.iter().cloned().collect::<Vec<_>>());
    json!({
        "question": request.question,
        "asker": {"id": request.asker.identity(), "groups": groups},
        "context": request.context,
        "limit": request.depth,
        "params": request.params,
    })
}

/// The answer to one question; an error says where in `body` is what, and what was expected. A score that is no finite number
/// is none: the order is the server's.
pub fn answer(body: &Value) -> Result<Answer, String> {
    let body = object(body, "the answer")?;
    let results = body.get("results").ok_or_else(|| {
        let names: Vec<&str> = body.keys().take(8).map(String::as_str).collect();
        format!("the answer has no `results`, only: {}", names.join(", "))
    })?;
    let results = hits(results, "results")?;
    let mut stages = Vec::new();
    for (at, stage) in list(body.get("stages"), "stages")?.iter().enumerate() {
        let place = format!("stages[{at}]");
        let stage = object(stage, &place)?;
        let name = match stage.get("name") {
            Some(Value::String(name)) if !name.trim().is_empty() => name.clone(),
            other => return Err(unlike(other, &format!("{place}.name"), "a text, not empty")),
        };
        let ranking = stage.get("ranking").filter(|ranking| !ranking.is_null());
        let ranking = ranking.map_or(Ok(Vec::new()), |ranking| hits(ranking, &format!("{place}.ranking")))?;
        let mut dropped = Vec::new();
        for (at, entry) in list(stage.get("dropped"), &format!("{place}.dropped"))?.iter().enumerate() {
            let place = format!("{place}.dropped[{at}]");
            let why = entry.get("why").and_then(Value::as_str).unwrap_or_default().to_owned();
            dropped.push(Dropped { id: id(entry, &place)?, why });
        }
        stages.push(Stage { name, ranking, dropped });
    }
    let partial = match body.get("partial") {
        None | Some(Value::Null | Value::Bool(false)) => None,
        Some(Value::String(reason)) => Some(reason.clone()),
        Some(Value::Bool(true)) => Some("the retriever says that its answer is partial".to_owned()),
        other => return Err(unlike(other, "partial", "a text that says why")),
    };
    Ok(Answer { results, stages, partial, ..Answer::default() })
}

fn hits(value: &Value, place: &str) -> Result<Vec<Hit>, String> {
    let hit = |(at, hit): (usize, &Value)| {
        let place = format!("{place}[{at}]");
        let mut read = Hit::new(id(hit, &place)?, score(hit.get("score")));
        read.text = hit.get("text").and_then(Value::as_str).map(Into::into);
        Ok(read)
    };
    list(Some(value), place)?.iter().enumerate().map(hit).collect()
}

/// The id of a hit, or the hit that is its id.
fn id(hit: &Value, place: &str) -> Result<ChunkId, String> {
    let (value, place) = match hit {
        Value::Object(hit) => (hit.get("id"), format!("{place}.id")),
        other => (Some(other), place.to_owned()),
    };
    match value {
        Some(Value::String(id)) if !id.is_empty() => Ok(id.as_str().into()),
        Some(Value::Number(id)) if id.is_i64() || id.is_u64() => Ok(id.to_string().into()),
        other => Err(unlike(other, &place, "an id: a text or a whole number")),
    }
}

/// A score as a finite number; some servers write numbers as text.
fn score(value: Option<&Value>) -> Option<f64> {
    let score = match value? {
        Value::Number(score) => score.as_f64(),
        Value::String(score) => score.trim().parse().ok(),
        _ => None,
    };
    score.filter(|score| score.is_finite())
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a Map<String, Value>, String> {
    value.as_object().ok_or_else(|| unlike(Some(value), place, "an object"))
}

fn list<'a>(value: Option<&'a Value>, place: &str) -> Result<&'a [Value], String> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        other => Err(unlike(other, place, "a list")),
    }
}

fn unlike(value: Option<&Value>, place: &str, expected: &str) -> String {
    let found = match value {
        None => return format!("`{place}` is missing, expected {expected}"),
        Some(Value::Object(_)) => "an object".to_owned(),
        Some(Value::Array(_)) => "a list".to_owned(),
        Some(value) => {
            let written = value.to_string();
            let short: String = written.chars().take(40).collect();
            if short.len() < written.len() { format!("{short}…") } else { short }
        }
    };
    format!("`{place}` is {}, expected {expected}", crate::domain::text::clean(&found))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::asker::Asker;

    fn ids(hits: &[Hit]) -> Vec<&str> {
        hits.iter().map(|hit| hit.id.as_str()).collect()
    }

    #[test]
    fn a_question_says_who_asks_and_null_where_nobody_is_named() {
        let named = Asker {
            name: Some("lead".to_owned()),
            id: Some("lead-7".to_owned()),
            groups: Some(BTreeSet::from(["warehouse".to_owned()])),
        };
        let asked = Request { question: "Who?".to_owned(), asker: named, depth: 10, ..Request::default() };
        let expected = json!({
            "question": "Who?", "asker": {"id": "lead-7", "groups": ["warehouse"]}, "context": [], "limit": 10, "params": {},
        });
        assert_eq!(request(&asked), expected);
        let anonymous = request(&Request::default());
        assert_eq!(anonymous["asker"], json!({"id": null, "groups": []}));
    }

    #[test]
    fn ids_are_exact_and_scores_that_are_no_number_leave_the_order_alone() {
        let body = json!({"results": [
            {"id": 7, "score": 3}, {"id": 215_250_709_085_334_181_u64, "score": "2.5"}, {"id": "007", "score": null},
            "bare", 12,
        ]});
        let answer = answer(&body).expect("the answer is well formed");
        assert_eq!(ids(&answer.results), ["7", "215250709085334181", "007", "bare", "12"]);
        let scores: Vec<_> = answer.results.iter().map(|hit| hit.score).collect();
        assert_eq!(scores, [Some(3.0), Some(2.5), None, None, None]);
    }

    #[test]
    fn stages_tell_their_ranking_and_what_they_dropped() {
        let body = json!({"results": [], "partial": "shard 2 is down", "stages": [
            {"name": "keyword", "ranking": [{"id": "a", "score": 2}, "b"]},
            {"name": "cap", "ranking": ["a"], "dropped": [{"id": "b", "why": "cap"}]},
        ]});
        let answer = answer(&body).expect("the answer is well formed");
        assert_eq!(answer.stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>(), ["keyword", "cap"]);
        assert_eq!(ids(&answer.stages[0].ranking), ["a", "b"]);
        assert_eq!(answer.stages[1].dropped, [Dropped { id: "b".into(), why: "cap".to_owned() }]);
        assert_eq!(answer.partial.as_deref(), Some("shard 2 is down"));
    }

    #[test]
    fn what_is_not_of_that_form_is_named_by_its_place() {
        for (body, expected) in [
            (json!([]), "`the answer` is a list, expected an object"),
            (json!({"hits": []}), "the answer has no `results`, only: hits"),
            (json!({"results": {}}), "`results` is an object, expected a list"),
            (json!({"results": [{"id": 1.5}]}), "`results[0].id` is 1.5, expected an id: a text or a whole number"),
            (json!({"results": ["a", {}]}), "`results[1].id` is missing, expected an id: a text or a whole number"),
            (json!({"results": [], "stages": [{}]}), "`stages[0].name` is missing, expected a text, not empty"),
        ] {
            assert_eq!(answer(&body).map(|_| ()), Err(expected.to_owned()));
        }
    }
}
