//! How a server is reached: address, headers, and the limits of the client, the same keys wherever a server is named.

use std::{path::Path, time::Duration};

use super::{
    SettingsError,
    node::{Entry, Node, Table},
};
use crate::engine::{
    client::{Endpoint, Limits, check_header, check_url},
    secret::Secrets,
};

/// The keys of a server beside what it is asked.
pub(super) const KEYS: [&str; 9] =
    ["url", "headers", "timeout", "retries", "longest_wait", "concurrency", "rate", "max_bytes", "ca"];

/// Reads [`KEYS`] of a table; `folder` is what a relative `ca` is relative to.
pub(super) fn endpoint(table: &Table<'_>, folder: &Path) -> Result<Endpoint, SettingsError> {
    let node = table.required("url", "say where the server is, as in `url = \"http://127.0.0.1:8080/search\"`")?;
    let url = address(node)?;
    Secrets::check_url("`url`", &url).map_err(|error| node.wrong(error.to_string()))?;
    let headers = table.get("headers").map(headers).transpose()?.unwrap_or_default();
    Ok(Endpoint { url, headers, limits: limits(table, folder)? })
}

/// An address that can be asked, its templates and secrets aside.
pub(super) fn address(node: &Node<'_>) -> Result<String, SettingsError> {
    let url = node.string()?;
    check_url(&url).map_err(|error| node.wrong(format!("`{}`: {error}", node.name())))?;
    Ok(url)
}

/// A table of headers by name, in the file's order.
pub(super) fn headers(node: &Node<'_>) -> Result<Vec<(String, String)>, SettingsError> {
    let header = |entry: &Entry<'_>| {
        let value = entry.value.string()?;
        let place = format!("the header `{}`", entry.key);
        Secrets::check_braces(&place, &value).map_err(|error| entry.value.wrong(error.to_string()))?;
        check_header(&entry.key, &value).map_err(|error| entry.value.wrong(format!("`{}`: {error}", node.name())))?;
        Ok((entry.key.clone(), value))
    };
    node.table()?.entries.iter().map(header).collect()
}

/// The limits of a client; what the table does not say is as [`Limits::default`] has it.
pub(super) fn limits(table: &Table<'_>, folder: &Path) -> Result<Limits, SettingsError> {
    let mut limits = Limits::default();
    if let Some(timeout) = table.get("timeout") {
        limits.timeout = seconds(timeout)?;
    }
    if let Some(retries) = table.get("retries") {
        limits.retries = u32::try_from(retries.count(0)?.min(100)).unwrap_or(100);
    }
    if let Some(wait) = table.get("longest_wait") {
        limits.longest_wait = seconds(wait)?;
    }
    if let Some(concurrency) = table.get("concurrency") {
        limits.concurrency = concurrency.count(1)?;
    }
    if let Some(rate) = table.get("rate") {
        let number = rate.number()?;
        if number <= 0.0 {
            return Err(rate.expected("how many requests may begin in one second, above 0"));
        }
        limits.rate = Some(number);
    }
    if let Some(bytes) = table.get("max_bytes") {
        let number = usize::try_from(bytes.whole()?).ok().filter(|&number| number > 0);
        limits.max_bytes = number.ok_or_else(|| bytes.expected("a number of bytes from 1"))?;
    }
    limits.ca = table.get("ca").map(|ca| Ok::<_, SettingsError>(folder.join(ca.string()?))).transpose()?;
    Ok(limits)
}

/// A length of time in seconds, above 0 and at most a day.
pub(super) fn seconds(node: &Node<'_>) -> Result<Duration, SettingsError> {
    let number = node.number()?;
    if number > 0.0 && number <= 86_400.0 {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err(node.expected("seconds, above 0 and at most 86400"))
    }
}
