//! The runtime with a clock that stands still and jobs that are scripted.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{sync::mpsc::UnboundedReceiver, time::sleep};

use crate::tui::{
    effect::{Effect, Job, Slot, Ticket, Write},
    msg::{Msg, Output, Written},
    runtime::{Jobs, Reply, Runtime, Work},
    screen::label::PAUSE,
};

/// How long a scripted job takes.
const LONG: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Scripted {
    begun: Mutex<Vec<Job>>,
    written: Mutex<Vec<Write>>,
    writing: AtomicUsize,
}

impl Jobs for Scripted {
    fn work(&self, job: Job, reply: Reply) -> Work {
        self.begun.lock().unwrap().push(job.clone());
        assert_ne!(job, search("before"), "before its work");
        Box::pin(async move {
            assert_ne!(job, search("within"), "within its work");
            sleep(LONG).await;
            reply.say(Output::RunEnded);
        })
    }

    fn write(&self, write: Write) -> Written {
        assert_eq!(self.writing.fetch_add(1, Ordering::SeqCst), 0, "one write at a time");
        // Long enough that the next write would overlap if it did not wait.
        std::thread::yield_now();
        self.writing.fetch_sub(1, Ordering::SeqCst);
        assert_ne!(write, Write::Redo, "a write that panics");
        self.written.lock().unwrap().push(write.clone());
        Written { write, cases: None, outcome: Ok(None), final_word: false }
    }
}

fn search(typed: &str) -> Job {
    Job::Search { typed: typed.to_owned(), whole: false, limit: 1 }
}

fn start(slot: Slot, number: u64, typed: &str, after: Duration) -> Effect {
    Effect::Start { ticket: Ticket { slot, number }, after, job: search(typed) }
}

fn begin() -> (Arc<Scripted>, Runtime, UnboundedReceiver<Msg>) {
    let jobs = Arc::new(Scripted::default());
    let (runtime, inbox) = Runtime::new(Arc::clone(&jobs) as Arc<dyn Jobs>);
    (jobs, runtime, inbox)
}

#[tokio::test(start_paused = true)]
async fn typing_fast_is_one_search() {
    let (jobs, mut runtime, mut inbox) = begin();
    for (number, typed) in [(1, "p"), (2, "pa"), (3, "pal")] {
        runtime.perform(start(Slot::Search, number, typed, PAUSE));
        sleep(PAUSE / 2).await;
    }
    let Some(Msg::Job { ticket, .. }) = inbox.recv().await else { panic!("no answer") };
    assert_eq!(ticket.number, 3);
    assert_eq!(*jobs.begun.lock().unwrap(), [search("pal")]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_job_says_nothing() {
    let (jobs, mut runtime, mut inbox) = begin();
    runtime.perform(start(Slot::Search, 1, "p", PAUSE));
    sleep(PAUSE * 2).await;
    assert_eq!(jobs.begun.lock().unwrap().len(), 1, "it had begun");
    runtime.perform(Effect::Cancel(Slot::Search));
    sleep(LONG * 10).await;
    assert!(inbox.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_job_of_another_slot_goes_on() {
    let (_, mut runtime, mut inbox) = begin();
    runtime.perform(start(Slot::RunAll, 1, "run", Duration::ZERO));
    runtime.perform(start(Slot::Search, 1, "p", Duration::ZERO));
    runtime.perform(Effect::Cancel(Slot::Search));
    let Some(Msg::Job { ticket, .. }) = inbox.recv().await else { panic!("no answer") };
    assert_eq!(ticket.slot, Slot::RunAll);
    sleep(LONG * 10).await;
    assert!(inbox.try_recv().is_err());
}

#[tokio::test(start_paused = true)]
async fn a_job_that_panics_is_a_failed_job() {
    for typed in ["before", "within"] {
        let (_, mut runtime, mut inbox) = begin();
        runtime.perform(start(Slot::Search, 1, typed, Duration::ZERO));
        let Some(Msg::Job { ticket, output: Output::Failed(why) }) = inbox.recv().await else { panic!("no answer") };
        assert_eq!(ticket.number, 1);
        assert!(why.contains(&format!("{typed} its work")), "{why}");
    }
}

#[tokio::test]
async fn writes_are_made_one_by_one_in_order_and_none_is_lost_at_the_end() {
    let (jobs, mut runtime, mut inbox) = begin();
    let writes = || (0..200).map(|n| if n % 3 == 0 { Write::Undo } else { Write::Refresh });
    for write in writes() {
        runtime.perform(Effect::Write(write));
    }
    runtime.finish().await;
    assert_eq!(*jobs.written.lock().unwrap(), writes().collect::<Vec<_>>());
    let mut ended = Vec::new();
    while let Some(Msg::Written(written)) = inbox.recv().await {
        ended.push(written.write);
    }
    assert_eq!(ended, writes().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_write_that_panics_is_a_failed_write_and_the_next_one_is_made() {
    let (jobs, mut runtime, mut inbox) = begin();
    for write in [Write::Redo, Write::Undo] {
        runtime.perform(Effect::Write(write));
    }
    let Some(Msg::Written(failed)) = inbox.recv().await else { panic!("no answer") };
    assert_eq!((failed.write, failed.final_word), (Write::Redo, false));
    assert!(failed.outcome.unwrap_err().contains("broke off"));
    runtime.finish().await;
    assert_eq!(*jobs.written.lock().unwrap(), [Write::Undo]);
}

#[tokio::test(start_paused = true)]
async fn the_end_does_not_wait_for_jobs() {
    let (_, mut runtime, _inbox) = begin();
    runtime.perform(start(Slot::RunAll, 1, "run", Duration::ZERO));
    let before = tokio::time::Instant::now();
    runtime.finish().await;
    assert!(before.elapsed() < LONG);
}
