//! The form in which a retriever is asked and answers where its settings say nothing else: one object each way.
//!
//! ```json
//! {"question": "…", "asker": {"id": "lead-7", "groups": ["warehouse"]}, "context": [], "limit": 10, "params": {}}
//! {"results": [{"id": "a", "score": 1.5, "text": "…", "document": "Manual", "heading": ["Fees"]}],
//!  "stages": [{"name": "keyword", "ranking": [{"id": "a", "score": 3}, "b"], "dropped": [{"id": "c", "why": "cap"}]}],
//!  "partial": "shard 2 did not answer"}
//! {"error": "the index is locked"}
//! ```
//!
//! Only `results` and the id of each have to be there. An id is text or a whole number, exact to the last digit; where a hit is
//! nothing but its id, the id alone may stand in its place. An `error` that is not `null` makes an error of the whole answer.

use serde_json::{Value, json};

use super::{
    Request,
    found::{self, Recognise},
};
use crate::{
    domain::ranking::Answer,
    engine::shape::{Path, Shape},
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

/// Where what stands in an answer.
#[must_use]
pub fn shape() -> Shape {
    Shape { error: Some(Path::known(ERROR)), ..Shape::default() }
}

/// Where an answer says that it is an error.
const ERROR: &str = "$.error";

/// True if hits and errors of `shape` stand where this form has them.
#[must_use]
pub fn has_form(shape: &Shape) -> bool {
    let own = self::shape();
    (&shape.hits, &shape.error) == (&own.hits, &own.error)
}

/// What an answer of this form says instead of hits; `None` where it says nothing such.
#[must_use]
pub fn error(body: &Value) -> Option<String> {
    match body.get("error") {
        None | Some(Value::Null) => None,
        Some(Value::String(error)) => Some(error.clone()),
        Some(error) => Some(error.to_string()),
    }
}

/// The answer to one question; an error says where in `body` is what, and what was expected. A score that is no finite number
/// is none: the order is the server's. `recognise` tells which chunk a hit is; `None` where its id does.
pub fn answer(body: &Value, recognise: Option<&Recognise>) -> Result<Answer, String> {
    let shape = Shape::default();
    found::answer(shape.read(body, recognise.is_none())?, recognise, &shape.hit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::{
        asker::Asker,
        ranking::{Dropped, Hit},
    };

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
        let answer = answer(&body, None).expect("the answer is well formed");
        assert_eq!(ids(&answer.results), ["7", "215250709085334181", "007", "bare", "12"]);
        let scores: Vec<_> = answer.results.iter().map(|hit| hit.score).collect();
        assert_eq!(scores, [Some(3.0), Some(2.5), None, None, None]);
    }

    #[test]
    fn any_error_but_null_is_one_also_beside_hits() {
        for (body, expected) in [
            (json!({"error": "down", "results": ["a"]}), Some("down")),
            (json!({"error": {"code": 7}, "results": ["a"]}), Some("{\"code\":7}")),
            (json!({"error": "", "results": []}), Some("")),
            (json!({"error": null, "results": ["a"]}), None),
            (json!({"results": ["a"]}), None),
        ] {
            assert_eq!(error(&body).as_deref(), expected, "{body}");
        }
        let elsewhere = Shape { hits: crate::engine::shape::Hits::Rows(Path::known("$.hits[*]")), ..shape() };
        assert!(has_form(&shape()) && !has_form(&Shape::default()) && !has_form(&elsewhere));
    }

    #[test]
    fn stages_tell_their_ranking_and_what_they_dropped() {
        let body = json!({"results": [], "partial": "shard 2 is down", "stages": [
            {"name": "keyword", "ranking": [{"id": "a", "score": 2}, "b"]},
            {"name": "cap", "ranking": ["a"], "dropped": [{"id": "b", "why": "cap"}]},
        ]});
        let answer = answer(&body, None).expect("the answer is well formed");
        assert_eq!(answer.stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>(), ["keyword", "cap"]);
        assert_eq!(ids(&answer.stages[0].ranking), ["a", "b"]);
        assert_eq!(answer.stages[1].dropped, [Dropped { id: "b".into(), why: "cap".to_owned() }]);
        assert_eq!(answer.partial.as_deref(), Some("shard 2 is down"));
    }

    #[test]
    fn what_is_not_of_that_form_is_named_by_its_place() {
        for (body, expected) in [
            (json!([]), "the answer has nothing at `$.results[*]`: `$` is an empty list"),
            (json!({"hits": []}), "the answer has nothing at `$.results[*]`: `$` has: hits"),
            (json!({"results": "a"}), "`$.results` is \"a\", expected a list"),
            (json!({"results": [{"id": 1.5}]}), "`results[0].id` is 1.5, expected an id: a text or a whole number"),
            (json!({"results": ["a", {}]}), "`results[1].id` is missing, expected an id: a text or a whole number"),
            (json!({"results": [], "stages": [{}]}), "`stages[0].name` is missing, expected a text, not empty"),
        ] {
            assert_eq!(answer(&body, None).map(|_| ()), Err(expected.to_owned()));
        }
    }
}
