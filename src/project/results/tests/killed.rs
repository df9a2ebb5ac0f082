//! A run whose process is killed.

use std::{
    env,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

use super::*;

/// Where the process that is killed writes its run.
const FOLDER: &str = "CASELIGHT_TEST_KILLED";

#[test]
fn finished_cases_can_be_read_and_the_run_resumed_after_kill_9() {
    let (folder, project) = place();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "project::results::tests::killed::writes_a_case_now_and_then", "--ignored"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let done = || list(&project).first().and_then(|run| Some(read(&run.path).ok()?.run.cases.len())).unwrap_or(0);
    while done() < 2 && child.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let cases = read(&list(&project)[0].path).unwrap().run.cases;
    assert!((2..1000).contains(&cases.len()), "{} cases", cases.len());
    assert!(cases.iter().enumerate().all(|(at, read)| *read == case(&at.to_string(), "a b c")));
    assert_eq!(resume(&project, None, &header()).unwrap().kept, cases);
}

#[test]
#[ignore = "the process that the test above kills"]
fn writes_a_case_now_and_then() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let project = Project::open(&Path::new(&folder).join("cases")).unwrap();
    let mut writer = Writer::create(&project, &header()).unwrap();
    for at in 0..1000 {
        writer.add(&case(&at.to_string(), "a b c")).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
}
