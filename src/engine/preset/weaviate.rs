//! Weaviate: `POST /v1/graphql`. The question stands in the query's variables-free text as a quoted string, as GraphQL writes it.
//! The shape is that of <https://docs.weaviate.io/weaviate/api/graphql/search-operators>, which says that Weaviate's own cloud
//! switches this interface off in May 2027; a server of one's own keeps it for longer.

use serde_json::json;

use super::{Options, post};
use crate::engine::{shape::Path, spec::Spec};

/// <https://docs.weaviate.io/weaviate/api/graphql/search-operators>, filters by
/// <https://docs.weaviate.io/weaviate/api/graphql/filters>, scores by
/// <https://docs.weaviate.io/weaviate/api/graphql/additional-properties>.
pub(super) fn spec(options: &Options, mode: &str) -> Spec {
    let target = options.vector_field.as_deref();
    let target = target.map(|name| format!(", targetVectors: [\"{name}\"]")).unwrap_or_default();
    let fields = options.search_fields.iter().map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(", ");
    let fields = if fields.is_empty() { String::new() } else { format!(", properties: [{fields}]") };
    let (search, score) = match mode {
        "vector" => (format!("nearVector: {{vector: {{{{ vector | tojson }}}}{target}}}"), "distance"),
        "hybrid" => {
            let search = "hybrid: {query: {{ question | quoted }}, vector: {{ vector | tojson }}";
            (format!("{search}{fields}{target}}}"), "score")
        }
        _ => (format!("bm25: {{query: {{{{ question | quoted }}}}{fields}}}"), "score"),
    };
    // A chunk of no group has no value there; that null can be asked for, the class says by `indexNullState`.
    let filter = options.scope_field.as_deref().map(|scope| {
        let groups = "{% if asker.groups | known %}{path: [\"SCOPE\"], operator: ContainsAny, valueText: {{ asker.groups | tojson }}}, {% endif %}";
        let none = "{path: [\"SCOPE\"], operator: IsNull, valueBoolean: true}";
        format!(", where: {{operator: Or, operands: [{groups}{none}]}}").replace("SCOPE", scope)
    });
    let query = format!(
        "{{ Get {{ {}({search}{}, limit: {{{{ depth }}}}) {{ {} _additional {{ id {score} }} }} }} }}",
        options.collection,
        filter.unwrap_or_default(),
        options.wanted().join(" "),
    );
    let url = format!("{}/v1/graphql", options.url);
    let hits = format!("$.data.Get[{}][*]", json!(options.collection));
    let hit = options.hit("$._additional.id", &format!("$._additional.{score}"), "$");
    let mut spec = post(url, json!({"query": query}), &hits, hit);
    spec.shape.error = Some(Path::known("$.errors[0].message"));
    spec
}
