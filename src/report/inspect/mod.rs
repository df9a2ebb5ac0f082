//! One case for people: its verdict with the evidence, the ranked window, and the same case in a run to compare with.

mod against;
mod lines;
mod window;

use self::lines::{Lines, WIDTH};
use super::decimals;
use crate::{
    domain::{chunk::ChunkId, outline::Outline, resolve::Problem},
    eval::{
        asked::Cut,
        compare::{Comparison, Move},
        diagnosis::{Basis, Diagnosis, Evidence, probe::LeftOut},
        evaluate::{CaseResult, Mark, State},
        foreign,
        run::RunCase,
    },
};

/// One case, ready to be shown.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The case evaluated, its diagnosis by all that is known.
    pub result: &'a CaseResult,
    /// What else was asked, and what came.
    pub evidence: &'a Evidence,
    /// What else would have told more.
    pub left_out: LeftOut,
    /// How many probes may be put; `None` where none were wanted.
    pub limit: Option<usize>,
    /// The labels that do not resolve.
    pub problems: &'a [Problem],
    /// The corpus.
    pub outline: &'a Outline,
    /// The config's name.
    pub config: &'a str,
    /// The retriever's name.
    pub retriever: &'a str,
    /// The retriever is the embedded one: a baseline, not production.
    pub baseline: bool,
    /// Where lists are cut.
    pub cut: &'a Cut,
    /// The case in another run.
    pub against: Option<Against<'a>>,
    /// The case asked again: each time as the answer alone tells it, the first time included. Empty if it was asked once.
    pub repeats: &'a [CaseResult],
}

/// The case in another run.
#[derive(Clone, Copy)]
pub struct Against<'a> {
    /// What the reader called the run.
    pub name: &'a str,
    /// That run's case.
    pub then: &'a RunCase,
    /// The two compared, the other run first.
    pub comparison: &'a Comparison,
    /// Where each labeled chunk stands in both.
    pub moves: &'a [Move],
}

impl View<'_> {
    pub(super) fn name(&self, id: &ChunkId) -> String {
        self.outline.title(id)
    }

    /// The supporting chunks, for what came of a probe.
    pub(super) fn supporting(&self) -> Vec<ChunkId> {
        let labels = self.result.labels.iter().filter(|(_, mark)| *mark == Mark::Supporting);
        labels.map(|(id, _)| id.clone()).collect()
    }
}

/// The whole case, with a final line end. Text of cases, chunks and servers is made safe for a terminal.
#[must_use]
pub fn text(view: &View<'_>) -> String {
    let mut out = Lines::default();
    headline(&mut out, view);
    verdict(&mut out, view);
    numbers(&mut out, view);
    window::window(&mut out, view);
    probes(&mut out, view);
    if let Some(against) = &view.against {
        against::against(&mut out, view, against);
    }
    repeats(&mut out, view);
    out.text()
}

fn headline(out: &mut Lines, view: &View<'_>) {
    let CaseResult { id, question, asker, tags, latency, .. } = view.result;
    out.wrapped(&format!("{id} \"{}\"", question.trim()), "  ");
    let mut parts = vec![format!("asker {asker}"), format!("{} · k {}", view.config, view.cut.k)];
    parts.extend(latency.map(|latency| format!("{:.1} ms", latency.as_secs_f64() * 1000.0)));
    if !tags.is_empty() {
        parts.push(tags.join(" "));
    }
    out.wrapped(&parts.join(" · "), "  ");
    if view.baseline {
        out.line(&format!("retriever {}: baseline, not production", view.retriever));
    }
    if let Some(reason) = &view.result.label_wrong {
        out.wrapped(&format!("its label is marked wrong: {reason}"), "  ");
    }
}

fn verdict(out: &mut Lines, view: &View<'_>) {
    let name = |id: &ChunkId| view.name(id);
    out.line("");
    let foreign = foreign::of_case(view.result, view.outline);
    if let Some(said) = &foreign {
        out.wrapped(said, "  ");
    }
    let Some(diagnosis) = &view.result.diagnosis else {
        out.wrapped("unlabeled: there is nothing to explain; below is what the retriever returns", "  ");
        return;
    };
    out.wrapped(&diagnosis.sentence(&name), "  ");
    for problem in view.problems {
        out.wrapped(&format!("  {problem}"), "    ");
    }
    if speaks_of_a_ranking(diagnosis) {
        out.wrapped(&format!("  {}", diagnosis.basis.explain()), "  ");
    }
    // Where the corpus is another one, what is said of that is the next step.
    if foreign.is_none() {
        out.wrapped(&format!("  next: {}", diagnosis.next_step()), "        ");
    }
    for part in diagnosis.requirements.iter().filter(|part| part.kind != diagnosis.kind) {
        let (word, clause) = (part.kind.word(), part.kind.explain(&name));
        out.wrapped(&format!("  missing: {word}: {clause}"), "           ");
    }
    for cause in &diagnosis.causes {
        out.wrapped(&format!("  evidence: {}", cause.explain(&name)), "            ");
    }
}

/// A broken label and a failed call rest on no list.
fn speaks_of_a_ranking(diagnosis: &Diagnosis) -> bool {
    !matches!(diagnosis.kind.word(), "label_broken" | "retriever_error") || diagnosis.basis == Basis::Trace
}

fn numbers(out: &mut Lines, view: &View<'_>) {
    let State::Scored(scores) = &view.result.state else { return };
    let two = |value: f64| decimals(value, 2);
    out.line("");
    out.line(&format!(
        "recall {}  mrr {}  precision {} of {}  completeness {}  distractor↑ {}",
        scores.recall,
        two(scores.mrr),
        two(scores.precision),
        two(scores.precision_ceiling),
        two(scores.completeness),
        if scores.distractor_above { "yes" } else { "no" }
    ));
    let at = |(k, value): &(usize, Option<f64>)| {
        format!("recall@{k} {}", value.map_or_else(|| "–".to_owned(), |value| value.to_string()))
    };
    out.line(&scores.recall_at.iter().map(at).collect::<Vec<_>>().join("  "));
}

fn probes(out: &mut Lines, view: &View<'_>) {
    let probes = &view.evidence.probes;
    let left_out = view.left_out.explain(&view.result.asker);
    match view.limit {
        _ if !probes.is_empty() => {}
        Some(_) if !left_out.is_empty() => out.line(""),
        None if view.result.latency.is_some() => {
            out.line("");
            out.line("nothing else was asked (--no-probes)");
            return;
        }
        _ => return,
    }
    if !probes.is_empty() {
        put(out, view);
    }
    for said in left_out {
        out.wrapped(&said, "  ");
    }
}

/// Each probe, and what came of it.
fn put(out: &mut Lines, view: &View<'_>) {
    let name = |id: &ChunkId| view.name(id);
    let probes = &view.evidence.probes;
    let limit = view.limit.map_or_else(String::new, |limit| format!(" of at most {limit}"));
    let noun = if probes.len() == 1 { "request" } else { "requests" };
    out.line("");
    out.line(&format!("asked beside it: {} {noun}{limit}", probes.len()));
    let supporting = view.supporting();
    for (at, put) in probes.iter().enumerate() {
        out.wrapped(&format!("{:>3} {} ({})", at + 1, put.probe.asks(&name), put.probe.why()), "    ");
        out.wrapped(&format!("      {}", put.came(&supporting, &name)), "      ");
    }
}

/// What does not come out the same each time.
fn repeats(out: &mut Lines, view: &View<'_>) {
    if view.repeats.len() < 2 {
        return;
    }
    out.line("");
    let times = view.repeats.len();
    let rank = |result: &CaseResult, id: &ChunkId| {
        if matches!(result.state, State::Error(_)) {
            return "error".to_owned();
        }
        let row = result.results.iter().find(|row| &row.id == id);
        row.map_or_else(|| "–".to_owned(), |row| row.rank.to_string())
    };
    let mut varies: Vec<String> = Vec::new();
    for (id, _) in &view.result.labels {
        let ranks: Vec<String> = view.repeats.iter().map(|result| rank(result, id)).collect();
        if ranks.iter().any(|rank| rank != &ranks[0]) {
            varies.push(format!("{}: rank {}", view.name(id), ranks.join(" ")));
        }
    }
    let words: Vec<&str> = view.repeats.iter().map(verdict_word).collect();
    if words.iter().any(|word| word != &words[0]) {
        varies.push(format!("verdict: {}", words.join(" ")));
    }
    if varies.is_empty() {
        out.line(&format!("asked {times} times: the same ranks and the same verdict each time"));
        return;
    }
    out.line(&format!("asked {times} times, not the same each time:"));
    if view.evidence.probes.is_empty() && view.limit.is_some() {
        out.line("  no experiment was made: what a change of the request brings, chance may bring too");
    }
    for line in varies {
        out.wrapped(&format!("  {line}"), "    ");
    }
}

/// The verdict that an answer alone leads to, in a word.
pub(super) fn verdict_word(result: &CaseResult) -> &'static str {
    result.diagnosis.as_ref().map_or(result.state.word(), |diagnosis| diagnosis.kind.word())
}

/// A line across the page with words in it.
fn rule(words: &str) -> String {
    let head = format!("── {words} ");
    let room = WIDTH.saturating_sub(head.chars().count());
    head + &"─".repeat(room)
}

#[cfg(test)]
mod tests;
