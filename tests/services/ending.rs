//! Whether a server ends with the test that started it.

use std::{
    env,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::servers::{Osmem, Postgres, http};

/// Set in the process that is to be killed.
const VICTIM: &str = "CASELIGHT_TEST_VICTIM";

#[test]
fn a_dropped_server_is_gone_with_its_folder() {
    let (Some(osmem), Some(postgres)) = (Osmem::start(), Postgres::start()) else { return };
    let servers = [(osmem.port(), osmem.folder().to_owned()), (postgres.port(), postgres.folder().to_owned())];
    assert!(servers.iter().all(|(_, folder)| folder.exists()));
    drop((osmem, postgres));
    assert!(servers.iter().all(|(port, folder)| is_gone(*port, folder)));
}

#[test]
fn servers_end_when_their_test_process_is_killed() {
    if env::var_os(VICTIM).is_some() {
        return hold_servers();
    }
    if Osmem::shared().is_none() || Postgres::shared().is_none() {
        return;
    }
    let mut victim = Command::new(env::current_exe().unwrap())
        .args(["--exact", "--nocapture", "ending::servers_end_when_their_test_process_is_killed"])
        .env(VICTIM, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(victim.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.filter_map(|line| line.split_once(" in ").map(|(port, folder)| (port.parse(), folder.to_owned())));
    let servers: Vec<(u16, String)> =
        told.filter_map(|(port, folder)| port.ok().map(|port| (port, folder))).take(2).collect();
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert_eq!(servers.len(), 2, "{servers:?}");
    let since = Instant::now();
    while !servers.iter().all(|(port, folder)| is_gone(*port, Path::new(folder))) {
        assert!(since.elapsed() < Duration::from_mins(1), "{servers:?} are still there");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Tells of two servers on standard output and ends with standard input.
fn hold_servers() {
    let (osmem, postgres) = (Osmem::start().unwrap(), Postgres::start().unwrap());
    let servers = [(osmem.port(), osmem.folder()), (postgres.port(), postgres.folder())];
    let told: String = servers.map(|(port, folder)| format!("\n{port} in {}\n", folder.display())).concat();
    std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).unwrap();
    let _ = std::io::read_to_string(std::io::stdin());
}

fn is_gone(port: u16, folder: &Path) -> bool {
    http::get(port, "/").is_err() && !folder.exists()
}
