//! Chroma's server, second API: the collection's id is looked up by its name once, then `…/query` is asked for each question.

use serde_json::{Value, json};

use super::{GROUPS, Options, depth, nothing, object, post, vector};
use crate::engine::{
    shape::{HitShape, Hits, Path},
    spec::{Lookup, Spec},
};

/// <https://docs.trychroma.com/docs/querying-collections/query-and-get>, filters by
/// <https://docs.trychroma.com/reference/where-filter>. The groups of a chunk are a text or a list of them. Absence cannot be asked
/// for, so a chunk for everybody names the group `everybody` there, or has an empty text.
pub(super) fn spec(options: &Options, _: &str) -> Spec {
    let place = format!("{}/api/v2/tenants/default_tenant/databases/default_database/collections", options.url);
    let filter = options.scope_field.as_deref().map(|scope| {
        let groups = format!("({GROUPS}) + [\"everybody\"]");
        let listed = format!("{{{{ ({groups}) | wrapped(\"$contains\") | wrapped({}) }}}}", Value::from(scope));
        json!({"$or": [{scope: {"$in": format!("{{{{ {groups} + [\"\"] }}}}")}}, {"$or": listed}]})
    });
    let body = object([
        ("query_embeddings", Some(json!([vector()]))),
        ("n_results", Some(depth())),
        ("include", Some(json!(["documents", "metadatas", "distances"]))),
        ("where", filter),
    ]);
    let field = |name: &str| Path::known(&format!("$.metadatas[{}]", Value::from(name)));
    let named = |name: &Option<String>| name.as_deref().map_or_else(nothing, field);
    let hit = HitShape {
        id: options.id_field.as_deref().map_or_else(|| Path::known("$.ids"), field),
        score: Path::known("$.distances"),
        text: Path::known("$.documents"),
        document: named(&options.document_field),
        heading: named(&options.heading_field),
    };
    let mut spec = post(format!("{place}/{{{{ lookup }}}}/query"), body, "$", hit);
    let columns = ["ids", "documents", "metadatas", "distances"];
    let columns = columns.map(|name| (name.to_owned(), Path::known(&format!("$.{name}[0]"))));
    spec.shape.hits = Hits::Columns(columns.to_vec());
    spec.lookup = Some(Lookup { url: format!("{place}/{}", options.collection), path: Path::known("$.id") });
    spec
}
