//! Where the servers are installed, and what happens where they are not.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
};

/// The folder of an installed server, absolute; `None`, said on standard error, if it is not installed here.
///
/// # Panics
/// If it is not installed and `CI` is set.
pub(crate) fn find(name: &str, what: &str) -> Option<PathBuf> {
    let folder = folder().join(name);
    if folder.join(".installed").is_file() {
        return Some(folder);
    }
    let missing = format!("{what} is not installed in {}; .ci/servers installs it", folder.display());
    assert!(env::var_os("CI").is_none(), "{missing}, and CI is set");
    let test = thread::current().name().unwrap_or("a test").to_owned();
    // Not captured by the test harness, so that it is seen beside the word "ok".
    let _ = writeln!(io::stderr(), "NOT RUN: {test}: {missing}");
    None
}

/// The Python for which the packages were installed, and the value of `PYTHONPATH` with which it finds those of `servers`.
pub(crate) fn python(servers: &[&str]) -> (PathBuf, OsString) {
    let folder = folder();
    let packages = servers.iter().chain(&["numpy"]).map(|name| folder.join(name));
    (folder.join("python"), env::join_paths(packages).unwrap())
}

fn folder() -> PathBuf {
    match env::var_os("CASELIGHT_TEST_SERVERS") {
        Some(folder) => std::path::absolute(folder).unwrap(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/servers"),
    }
}
