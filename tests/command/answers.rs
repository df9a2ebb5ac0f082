//! What a program answers, and what it sees.

use super::python::{Python, ask};

#[expect(clippy::unnecessary_wraps, reason = "it stands beside what was answered")]
fn ids(ids: &[&str]) -> Result<Vec<String>, String> {
    Ok(ids.iter().map(|id| (*id).to_owned()).collect())
}

#[tokio::test]
async fn answers_in_any_order_reach_their_questions() {
    let program = "
held = []
for n, question in asked():
    held.append((n, question))
    if len(held) == 4:
        for n, question in reversed(held):
            say(n, question)
        held = []
";
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.concurrency = 4)) else {
        return;
    };
    let answers = ask(&python.retriever(), &["a", "b", "c", "d", "e", "f", "g", "h"]).await;
    assert_eq!(answers, ["a", "b", "c", "d", "e", "f", "g", "h"].map(|id| ids(&[id])));
}

#[tokio::test]
async fn answers_without_a_number_are_those_of_the_questions_in_order() {
    let program = "
for n, question in asked():
    print(json.dumps({'results': [question]}), flush=True)
";
    let Some(python) = Python::new(program) else { return };
    assert_eq!(
        ask(&python.retriever(), &["a", "b", "c", "d", "e"]).await,
        ["a", "b", "c", "d", "e"].map(|id| ids(&[id]))
    );
}

#[tokio::test]
async fn an_answer_without_a_number_while_several_are_open_is_the_error_of_each_and_a_new_process_answers_the_next() {
    let program = "
held = []
for n, question in asked():
    held.append(question)
    if len(held) == 2 or question == 'c':
        print(json.dumps({'results': [held[-1]]}), flush=True)
";
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.concurrency = 2)) else {
        return;
    };
    let retriever = python.retriever();
    for answer in ask(&retriever, &["a", "b"]).await {
        let error = answer.unwrap_err();
        assert!(error.contains("it answered without `n` while 2 questions were open"), "{error}");
        assert!(error.contains("with `concurrency` above 1 each answer has to repeat the `n`"), "{error}");
    }
    assert_eq!(ask(&retriever, &["c"]).await, [ids(&["c"])]);
}

#[tokio::test]
async fn workers_are_processes_that_answer_at_the_same_time() {
    // Each waits for the other's file, so that one process alone would never answer.
    let program = "
for n, question in asked():
    open(question, 'w').write(str(os.getpid()))
    other = {'a': 'b', 'b': 'a'}[question]
    while not os.path.exists(other) or not open(other).read():
        time.sleep(0.01)
    say(n, open('a').read(), open('b').read())
";
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.workers = 2)) else { return };
    let answers = ask(&python.retriever(), &["a", "b"]).await;
    let both = answers[0].as_ref().unwrap();
    assert_eq!(answers[0], answers[1]);
    assert_ne!(both[0], both[1]);
}

#[tokio::test]
async fn a_programs_own_error_and_a_form_that_is_none_are_that_questions_errors() {
    let program = "
for n, question in asked():
    if question == 'refused':
        print(json.dumps({'n': n, 'error': 'the index is \\x1b[2Jlocked'}), flush=True)
    elif question == 'odd':
        print(json.dumps({'n': n, 'hits': []}), flush=True)
    else:
        say(n, question)
";
    let Some(python) = Python::new(program) else { return };
    let answers = ask(&python.retriever(), &["refused", "odd", "fine"]).await;
    let refused = answers[0].as_ref().unwrap_err();
    assert!(refused.ends_with("retrieve.py`: it answered with an error: the index is ␛[2Jlocked"), "{refused}");
    assert!(answers[1].as_ref().unwrap_err().contains("nothing at"), "{answers:?}");
    assert_eq!(answers[2], ids(&["fine"]));
}

#[tokio::test]
async fn a_line_that_is_no_answer_is_one_questions_error_and_the_others_are_answered() {
    let program = "
print('Loading the model...', flush=True)
for n, question in asked():
    say(n, question)
";
    let Some(python) = Python::new(program) else { return };
    let answers = ask(&python.retriever(), &["a", "b", "c"]).await;
    let error = answers[0].as_ref().unwrap_err();
    assert!(error.contains("it printed a line that is no JSON: `Loading the model...`"), "{error}");
    assert_eq!(answers[1..], [ids(&["b"]), ids(&["c"])]);
}

#[tokio::test]
async fn it_sees_its_own_variables_and_no_others() {
    let program = "
for n, question in asked():
    say(n, *sorted(name for name in os.environ if not name.startswith('__')))
";
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.env.push("KEY".into()))) else {
        return;
    };
    assert_eq!(ask(&python.retriever(), &["a"]).await, [ids(&["KEY", "LANG", "PATH"])]);
}

#[tokio::test]
async fn a_secret_that_it_echoes_is_nowhere() {
    let program = r#"
key = os.environ["KEY"]
for n, question in asked():
    print("using", key, file=sys.stderr, flush=True)
    if question == "id":
        say(n, key, {"id": "x", "text": "a" + key}, stages=[{"name": key, "ranking": [key]}], partial=key)
    elif question == "error":
        print(json.dumps({"n": n, "error": "bad key " + key}), flush=True)
    elif question == "garbage":
        print("bad key " + key, flush=True)
    else:
        sys.exit("bad key " + key)
"#;
    let Some(python) = Python::new(program).map(|python| python.with(|program| program.env.push("KEY".into()))) else {
        return;
    };
    let answers = ask(&python.retriever(), &["id", "error", "garbage", "end"]).await;
    assert_eq!(answers[0], ids(&["${KEY}", "x"]));
    for answer in &answers[1..] {
        let error = answer.as_ref().unwrap_err();
        assert!(error.contains("bad key ${KEY}") && !error.contains("s3cret"), "{error}");
    }
}
