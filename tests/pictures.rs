//! README's pictures of the screens are what the screens show of the demo. `UPDATE_DOCS=1 cargo test` draws them anew.
//!
//! A picture stands behind a mark that holds the terminal's size and the keys pressed:
//! `<!-- screen 80x24: R / "pol-004" enter -->`, then a fenced block, then `<!-- /screen -->`.
#![expect(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use caselight::{
    project::Project,
    tui::{
        app::App,
        effect::{Effect, Slot, Ticket},
        jobs::ProjectJobs,
        keymap::chord::Chord,
        msg::{Msg, Output},
        runtime::Runtime,
        theme::Theme,
    },
};
use ratatui::{Terminal, backend::TestBackend};
use tokio::sync::mpsc::UnboundedReceiver;

#[test]
fn the_pictures_show_the_screens_of_the_demo() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let mut want = String::new();
    let mut rest = text.as_str();
    let mut pictures = 0;
    while let Some(at) = rest.find("<!-- screen ") {
        let (before, mark) = rest.split_at(at);
        let (head, body) = mark.split_once("-->\n").expect("a mark ends with -->");
        let (_, after) = body.split_once("<!-- /screen -->").expect("a picture ends with <!-- /screen -->");
        let (size, keys) = head.trim_start_matches("<!-- screen ").trim().split_once(':').expect("size: keys");
        let (width, height) = size.split_once('x').expect("80x24");
        let picture = draw(keys, width.parse().unwrap(), height.parse().unwrap());
        want.push_str(&format!("{before}{head}-->\n```text\n{picture}```\n<!-- /screen -->"));
        rest = after;
        pictures += 1;
    }
    want.push_str(rest);
    assert!(pictures > 0, "README.md has no picture");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, want).unwrap();
    } else {
        assert!(
            text == want,
            "README.md shows other screens than the program: run UPDATE_DOCS=1 cargo test --test pictures"
        );
    }
}

/// What a terminal of that size shows once the program is done with `keys`: names of keys, and text to type in quotes.
fn draw(keys: &str, width: u16, height: u16) -> String {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("cases"), &place.path().join("cases"));
    copy(&root.join("corpus-index/documents"), &place.path().join("corpus-index/documents"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let (jobs, mut about, cases) = ProjectJobs::new(Project::open(&place.path().join("cases")).unwrap());
        // Ages would be others tomorrow.
        about.today = jiff::civil::date(2026, 11, 30);
        let (runtime, inbox) = Runtime::new(Arc::new(jobs));
        let mut driver = Driver { app: App::new(about, cases, Theme::Colour), runtime, inbox };
        driver.app.update(Msg::Resize { width, height });
        let first = driver.app.start();
        driver.settle(first).await;
        for part in keys.split_whitespace() {
            let typed = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
            let chords: Vec<Chord> = match typed {
                Some(text) => text.chars().map(|c| Chord::parse(&c.to_string()).unwrap()).collect(),
                None => vec![Chord::parse(part).unwrap_or_else(|| panic!("{part} is no key"))],
            };
            for chord in chords {
                let effects = driver.app.update(Msg::Key(chord.event()));
                driver.settle(effects).await;
            }
        }
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| driver.app.view(frame)).unwrap();
        driver.runtime.finish().await;
        same_latency(&terminal.backend().to_string())
    })
}

struct Driver {
    app: App,
    runtime: Runtime,
    inbox: UnboundedReceiver<Msg>,
}

impl Driver {
    /// Carries out effects, and those that follow, until nothing is under way.
    async fn settle(&mut self, mut effects: Vec<Effect>) {
        let mut live: HashMap<Slot, Ticket> = HashMap::new();
        let mut writes = 0;
        loop {
            for effect in effects.drain(..) {
                match &effect {
                    Effect::Start { ticket, .. } => drop(live.insert(ticket.slot, *ticket)),
                    Effect::Cancel(slot) => drop(live.remove(slot)),
                    Effect::Write(_) => writes += 1,
                    Effect::Redraw | Effect::Quit => {}
                }
                self.runtime.perform(effect);
            }
            if live.is_empty() && writes == 0 {
                return;
            }
            let msg = self.inbox.recv().await.expect("the runtime holds a sender");
            match &msg {
                Msg::Job { ticket, output } => {
                    let last = matches!(
                        output,
                        Output::Loaded(_)
                            | Output::Hits { .. }
                            | Output::Past(_)
                            | Output::RunEnded
                            | Output::Failed(_)
                    );
                    if last && live.get(&ticket.slot) == Some(ticket) {
                        live.remove(&ticket.slot);
                    }
                }
                Msg::Written(_) => writes -= 1,
                _ => {}
            }
            effects = self.app.update(msg);
        }
    }
}

/// The rows without their quotes and trailing blanks; a latency, which differs from run to run, as `1.0 ms`.
fn same_latency(screen: &str) -> String {
    let mut shown = String::new();
    for line in screen.lines() {
        let line = line.trim_start_matches('"').trim_end_matches('"').trim_end();
        let words: Vec<&str> = line.split(' ').collect();
        let same = words.iter().enumerate().map(|(at, word)| match words.get(at + 1) {
            Some(&"ms") if word.parse::<f64>().is_ok() => "1.0",
            _ => word,
        });
        shown.push_str(&same.collect::<Vec<_>>().join(" "));
        shown.push('\n');
    }
    shown
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target: PathBuf = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
