//! Small words for the tables of tests: lists of ids as text, and a case with its corpus.

use std::{path::Path, sync::Arc, time::Duration};

use super::{
    evaluate::{Asked, CaseResult, Cut, Outcome, evaluate},
    run::{Header, Run, RunCase, RunOutcome},
};
use crate::domain::{
    asker::Asker,
    case::{Case, Place, Reference, Requirement, Target},
    chunk::{Chunk, ChunkId},
    outline::Outline,
    ranking::{Answer, Dropped, Hit, Stage},
    resolve::{Needed, Problem, ProblemKind, Resolved},
};

pub(crate) fn ids(text: &str) -> Vec<ChunkId> {
    text.split_whitespace().map(ChunkId::from).collect()
}

/// `"a b c"`, best first.
pub(crate) fn hits(text: &str) -> Vec<Hit> {
    ids(text).into_iter().map(|id| Hit::new(id, None)).collect()
}

/// `"a|b c"`: one of a and b, and c.
pub(crate) fn needed(text: &str) -> Vec<Needed> {
    let groups = text.split_whitespace().enumerate();
    groups.map(|(requirement, group)| Needed { any_of: ids(&group.replace('|', " ")), requirement }).collect()
}

/// `"keyword: a b c"`, and what it dropped after a `-`, each with its reason: `"cap: a - b=cap"`.
pub(crate) fn stage(text: &str) -> Stage {
    let (name, rest) = text.split_once(':').expect("a stage has a name");
    let (ranking, dropped) = rest.split_once('-').unwrap_or((rest, ""));
    let dropped = dropped.split_whitespace().map(|entry| {
        let (id, why) = entry.split_once('=').expect("what is dropped has a reason");
        Dropped { id: id.into(), why: why.to_owned() }
    });
    Stage { name: name.to_owned(), ranking: hits(ranking), dropped: dropped.collect() }
}

pub(crate) fn answer(results: &str, stages: &[&str]) -> Answer {
    let stages = stages.iter().map(|text| stage(text)).collect();
    Answer { results: hits(results), stages, partial: None, latency: Duration::from_millis(10) }
}

pub(crate) fn chunk(id: &str, document: &str, text: &str, scope: &[&str]) -> Arc<Chunk> {
    Arc::new(Chunk {
        id: id.into(),
        document: document.to_owned(),
        heading: Vec::new(),
        text: text.to_owned(),
        position: 0,
        section: 0,
        scope: scope.iter().map(|&group| group.to_owned()).collect(),
        origin: None,
        fields: Vec::new(),
    })
}

/// A case, its labels and its corpus.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) case: Case,
    pub(crate) resolved: Resolved,
    pub(crate) asker: Asker,
    pub(crate) outline: Outline,
    pub(crate) cut: Cut,
}

impl World {
    /// A labeled case in a corpus of chunks `a` to `z`, each of a document of its own; k is 3 and depth 10.
    pub(crate) fn new(supporting: &str, distractors: &str) -> Self {
        let place = Place { file: Arc::from(Path::new("cases.yaml")), line: 1, column: 1 };
        let needed = needed(supporting);
        let case = Case {
            id: "pol-001".to_owned(),
            question: "how long may the pallet stay".to_owned(),
            asker: None,
            tags: Vec::new(),
            source: None,
            added: None,
            supporting: needed.iter().map(requirement).collect(),
            distractors: Vec::new(),
            context: Vec::new(),
            answerable: true,
            label_wrong: None,
            notes: None,
            place,
        };
        let resolved = Resolved { supporting: needed, distractors: ids(distractors), problems: Vec::new() };
        let cut = Cut { k: 3, depth: 10, recall_at: vec![1, 5, 10] };
        let mut world = Self { case, resolved, asker: Asker::default(), outline: Outline::default(), cut };
        let letters = ('a'..='z').map(|letter| letter.to_string());
        world.corpus(letters.map(|id| chunk(&id, &format!("Document {id}"), "the pallet", &[])));
        world
    }

    pub(crate) fn corpus(&mut self, chunks: impl IntoIterator<Item = Arc<Chunk>>) {
        self.outline = Outline::new(chunks);
    }

    pub(crate) fn break_a_label(&mut self) {
        self.resolved.problems.push(Problem {
            case: self.case.id.clone(),
            place: self.case.place.clone(),
            target: Target::Chunk("gone".into()),
            kind: ProblemKind::NoChunk,
            candidates: Vec::new(),
        });
    }

    pub(crate) fn tagged(mut self, id: &str, tags: &[&str]) -> Self {
        id.clone_into(&mut self.case.id);
        self.case.tags = tags.iter().map(|&tag| tag.to_owned()).collect();
        self
    }

    pub(crate) fn evaluate(&self, outcome: Outcome<'_>) -> CaseResult {
        let Self { case, resolved, asker, outline, cut } = self;
        evaluate(&Asked { case, resolved, asker, outline, cut }, outcome)
    }

    /// The case with these results and stages, as a run keeps it.
    pub(crate) fn kept(&self, results: &str, stages: &[&str]) -> RunCase {
        let Self { case, resolved, asker, outline, cut } = self;
        let answer = answer(results, stages);
        let asked = Asked { case, resolved, asker, outline, cut };
        RunCase::new(&asked, &evaluate(&asked, Outcome::Answered(&answer))).expect("it was asked")
    }

    /// The case as a run keeps it whose call failed.
    pub(crate) fn failed(&self) -> RunCase {
        RunCase { outcome: RunOutcome::Failed("timed out".to_owned()), ..self.kept("", &[]) }
    }

    /// The case with these results and no stage trace.
    pub(crate) fn list(&self, results: &str) -> CaseResult {
        self.evaluate(Outcome::Answered(&answer(results, &[])))
    }
}

/// A run of these cases under the cut of [`World::new`].
pub(crate) fn run(config: &str, cases: impl IntoIterator<Item = RunCase>) -> Run {
    let header = Header {
        tool: "1.0.0".to_owned(),
        config: config.to_owned(),
        retriever: "local".to_owned(),
        baseline: true,
        params: "{}".to_owned(),
        reach: None,
        cut: World::new("a", "").cut,
        cases: "cases".to_owned(),
        labels: "labels".to_owned(),
        corpus: "corpus".to_owned(),
        commit: None,
        started: "2026-11-30T23:44:58Z".to_owned(),
    };
    Run { header, cases: cases.into_iter().collect() }
}

fn requirement(needed: &Needed) -> Requirement {
    let any_of: Vec<Reference> =
        needed.any_of.iter().map(|id| Reference { target: Target::Chunk(id.clone()), place: None }).collect();
    Requirement { group: any_of.len() > 1, any_of }
}
