//! Where the servers are installed, and what happens where they are not.

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use serde_json::Value;

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

/// The rankings that a script gives for a request, both in JSON, with the packages of `servers`: how an engine's own client in Python
/// is asked.
///
/// # Panics
/// With what it wrote, if it fails.
pub(crate) fn ask_python(servers: &[&str], script: &str, request: &Value) -> Vec<Vec<String>> {
    let (python, path) = python(servers);
    let mut client = Command::new(python)
        .args(["-c", script])
        .env("PYTHONPATH", path)
        .env("ANONYMIZED_TELEMETRY", "False")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that fails early does not read.
    let _ = client.stdin.take().unwrap().write_all(request.to_string().as_bytes());
    let output = client.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder() -> PathBuf {
    match env::var_os("CASELIGHT_TEST_SERVERS") {
        Some(folder) => std::path::absolute(folder).unwrap(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("target/servers"),
    }
}
