//! A program that dies, hangs, or leaves others behind.

use std::time::Duration;

use super::python::{Python, ask, lives, until};

#[tokio::test]
async fn a_question_that_a_dead_program_held_is_put_again() {
    let program = "
for n, question in asked():
    if question == 'b' and not os.path.exists('died'):
        open('died', 'w')
        os.kill(os.getpid(), signal.SIGKILL)
    say(n, question)
";
    let Some(python) = Python::new(program) else { return };
    let answers = ask(&python.retriever(), &["a", "b", "c"]).await;
    assert_eq!(answers, ["a", "b", "c"].map(|id| Ok(vec![id.to_owned()])));
}

#[tokio::test]
async fn a_question_that_kills_the_program_is_an_error_and_takes_no_other_with_it() {
    let program = "
for n, question in asked():
    if question == 'poison':
        print('Traceback', 'KeyError: poison', sep='\\n', file=sys.stderr)
        sys.exit(3)
    time.sleep(0.02)
    say(n, question)
";
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.concurrency = 8)) else {
        return;
    };
    let answers = ask(&python.retriever(), &["a", "b", "poison", "c", "d", "e", "f"]).await;
    for (at, id) in ["a", "b", "poison", "c", "d", "e", "f"].into_iter().enumerate().filter(|(at, _)| *at != 2) {
        assert_eq!(answers[at], Ok(vec![id.to_owned()]));
    }
    let error = answers[2].as_ref().unwrap_err();
    let expected = "it ended with exit status 3 before it answered; its last words: KeyError: poison";
    assert!(error.ends_with(expected), "{error}");
}

#[tokio::test]
async fn a_program_that_dies_at_once_is_not_started_for_ever() {
    let program = "
open('starts', 'a').write('x')
sys.exit('no such index')
";
    let Some(python) = Python::new(program) else { return };
    let retriever = python.retriever();
    let answers = ask(&retriever, &["question"; 12]).await;
    let last = answers[11].as_ref().unwrap_err();
    let expected =
        "not started again after 4 starts without an answer: the last one ended with exit status 1 before it answered";
    assert!(last.contains(expected) && last.ends_with("its last words: no such index"), "{last}");
    assert_eq!(python.file("starts"), "xxxx");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error_that_says_so() {
    let Some(python) = Python::new("").map(|python| python.with(|program| program.command[0] = "./nothing".into()))
    else {
        return;
    };
    let error = ask(&python.retriever(), &["a"]).await[0].clone().unwrap_err();
    assert!(error.contains("`./nothing retrieve.py`: it cannot be started: No such file"), "{error}");
    assert!(error.contains("; it runs in "), "{error}");
}

#[tokio::test]
async fn a_program_that_hangs_is_stopped_and_the_next_question_is_answered() {
    let program = "
open('started', 'a').write(str(os.getpid()) + '\\n')
for n, question in asked():
    while question == 'hang':
        time.sleep(1000)
    say(n, question)
";
    let with = |python: Python| python.with(|program| program.timeout = Duration::from_secs(2));
    let Some(python) = Python::new(program).map(with) else { return };
    let retriever = python.retriever();
    let answers = ask(&retriever, &["a", "hang", "b"]).await;
    assert_eq!((&answers[0], &answers[2]), (&Ok(vec!["a".to_owned()]), &Ok(vec!["b".to_owned()])));
    assert!(answers[1].as_ref().unwrap_err().contains("no answer within 2 s"), "{answers:?}");
    let started = python.file("started");
    let processes: Vec<&str> = started.lines().collect();
    assert_eq!(processes.len(), 2);
    until("the one that hung is gone", || !lives(processes[0]));
}

const GRANDCHILD: &str = "
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])
open('processes', 'a').write(f'{os.getpid()}\\n{child.pid}\\n')
for n, question in asked():
    if question == 'end':
        os._exit(1)
    say(n, question)
";

#[tokio::test]
async fn what_it_started_goes_with_it_when_nobody_asks_any_more() {
    let Some(python) = Python::new(GRANDCHILD) else { return };
    let retriever = python.retriever();
    assert_eq!(ask(&retriever, &["a"]).await, [Ok(vec!["a".to_owned()])]);
    let processes = python.file("processes");
    assert!(processes.lines().count() == 2 && processes.lines().all(lives));
    drop(retriever);
    until("both are gone", || !processes.lines().any(lives));
}

#[tokio::test]
async fn what_it_started_goes_with_it_when_it_dies_though_that_holds_its_output_open() {
    let Some(python) = Python::new(GRANDCHILD) else { return };
    let retriever = python.retriever();
    let error = ask(&retriever, &["end"]).await[0].clone().unwrap_err();
    assert!(error.contains("it ended with exit status 1"), "{error}");
    let processes = python.file("processes");
    assert_eq!(processes.lines().count(), 4, "it was started twice, each time with another");
    until("all are gone", || !processes.lines().any(lives));
}
