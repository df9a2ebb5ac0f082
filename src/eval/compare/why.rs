//! Why a case changed between two runs: the stage that moved its chunk, from what both runs kept of their stages.

use std::collections::HashSet;

use super::moves::Standing;
use crate::{domain::chunk::ChunkId, eval::run::Run};

/// Why a case changed, told by the chunk that decided it: of a regressed case the best supporting chunk before, of an improved
/// one the best supporting chunk after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    /// The chunk.
    pub chunk: ChunkId,
    /// What moved it.
    pub cause: Cause,
    /// Its text is not the same in the two runs.
    pub text_changed: bool,
}

/// What moved a chunk. Ranks count from 1; `None` where it is not in that ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A stage of the second run took it elsewhere than it stood before that stage.
    Moved {
        /// The stage; `None` is the step from the last stage to the list.
        stage: Option<String>,
        /// Its rank before that stage.
        from: Option<usize>,
        /// Its rank after it.
        to: Option<usize>,
    },
    /// A stage of both runs ranks it otherwise, and did not get it otherwise from a stage before.
    Ranked {
        /// The stage; `None` is the list, where no stage says more.
        stage: Option<String>,
        /// Its rank there in the first run.
        a: Option<usize>,
        /// Its rank there in the second run.
        b: Option<usize>,
    },
    /// The first run had a stage that took it elsewhere, and the second has no such stage.
    Gone {
        /// The stage.
        stage: String,
        /// Its rank before that stage.
        from: Option<usize>,
        /// Its rank after it.
        to: Option<usize>,
    },
    /// It stands where it stood; the window has another size.
    Window {
        /// Its rank in both lists.
        rank: usize,
        /// The first run's k.
        a: usize,
        /// The second run's k.
        b: usize,
    },
    /// It stands where it stood; the labels of the case are others.
    Relabeled,
}

impl Cause {
    /// The word for files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Moved { .. } => "moved",
            Self::Ranked { .. } => "ranked",
            Self::Gone { .. } => "stage_gone",
            Self::Window { .. } => "window",
            Self::Relabeled => "relabeled",
        }
    }
}

impl Why {
    /// The reason as a sentence without its end; `name` turns a chunk into words.
    #[must_use]
    pub fn sentence(&self, name: &dyn Fn(&ChunkId) -> String) -> String {
        let chunk = name(&self.chunk);
        let mut text = match &self.cause {
            Cause::Moved { stage, from, to } => {
                let stage = stage.as_deref().unwrap_or("the step from the last stage to the list");
                match (from, to) {
                    (Some(from), Some(to)) => format!("{stage} moved {chunk} from {from} to {to}"),
                    (Some(from), None) => format!("{stage} lost {chunk}, which stood at {from}"),
                    (None, Some(to)) => format!("{stage} brought {chunk} in at {to}"),
                    (None, None) => format!("{stage} does not have {chunk}"),
                }
            }
            Cause::Ranked { stage: Some(stage), a, b } => match (a, b) {
                (Some(a), Some(b)) => format!("{stage} has {chunk} at {b}, before at {a}"),
                (Some(a), None) => format!("{stage} no longer has {chunk}, before at {a}"),
                (None, Some(b)) => format!("{stage} has {chunk} at {b}, before not at all"),
                (None, None) => format!("{stage} does not have {chunk}"),
            },
            Cause::Ranked { stage: None, a, b } => match (a, b) {
                (Some(a), Some(b)) => format!("{chunk} went from {a} to {b}; no stage says why"),
                (Some(a), None) => format!("{chunk} is gone from the list, before at {a}; no stage says why"),
                (None, Some(b)) => format!("{chunk} came in at {b}; no stage says why"),
                (None, None) => format!("{chunk} is in neither list"),
            },
            Cause::Gone { stage, from, to } => {
                let moved = match (from, to) {
                    (Some(from), Some(to)) => format!("moved {chunk} from {from} to {to}"),
                    (Some(from), None) => format!("lost {chunk}, which stood at {from}"),
                    (None, Some(to)) => format!("brought {chunk} in at {to}"),
                    (None, None) => format!("did not have {chunk}"),
                };
                format!("{stage}, which {moved} before, is gone")
            }
            Cause::Window { rank, a, b } => {
                format!("{chunk} stands at {rank} in both; the window went from {a} to {b}")
            }
            Cause::Relabeled => format!("the labels are others; {chunk} stands where it stood"),
        };
        if self.text_changed {
            text.push_str("; its text is another one than before");
        }
        text
    }
}

/// Which way a case went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

impl Way {
    /// Whether `to` lies this way from `from`. Nothing ranks lower than what is absent.
    fn leads(self, from: Option<usize>, to: Option<usize>) -> bool {
        let place = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
        match self {
            Self::Up => place(to) < place(from),
            Self::Down => place(to) > place(from),
        }
    }

    fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

/// What a run tells of its pipeline: which of its stages bring candidates of their own.
#[derive(Debug)]
pub(super) struct Pipeline<'a>(HashSet<&'a str>);

/// A stage as one chunk went through it; `stage` is `None` for the list at the end.
struct Step<'a> {
    stage: Option<&'a str>,
    /// The stage brings candidates of its own, so that nothing stands before it.
    source: bool,
    /// Its rank in what the stage worked on.
    from: Option<usize>,
    to: Option<usize>,
}

impl<'a> Pipeline<'a> {
    /// A run keeps the ranks of labeled chunks alone. So beside the names that stages go by, a stage is a source if it anywhere
    /// ranks a labeled chunk that no stage before it has.
    pub(super) fn new(run: &'a Run) -> Self {
        let mut sources = HashSet::new();
        for chunk in run.cases.iter().flat_map(|case| &case.chunks) {
            let first = chunk.ranks.iter().find(|(_, rank)| rank.is_some()).map(|(stage, _)| stage.as_str());
            sources.extend(first);
        }
        sources.retain(|stage| !matches!(*stage, "fuse" | "rerank" | "cap" | "floor" | "dedupe"));
        sources.extend(["keyword", "vector"]);
        Self(sources)
    }

    /// The way of one chunk, as one that went `way` tells it.
    fn steps<'s>(&self, way: Way, standing: &'s Standing) -> Vec<Step<'s>> {
        let mut steps = Vec::new();
        let mut open: Vec<Option<usize>> = Vec::new();
        for (stage, rank) in &standing.stages {
            let source = self.0.contains(stage.as_str()) || open.is_empty();
            let from = if source { None } else { before(way, &std::mem::take(&mut open)) };
            steps.push(Step { stage: Some(stage), source, from, to: *rank });
            open.push(*rank);
        }
        steps.push(Step { stage: None, source: open.is_empty(), from: before(way, &open), to: standing.rank });
        steps
    }
}

/// The rank in what stands open. Of several rankings, as a fusion has them, a chunk fell from the best and rose from the worst.
fn before(way: Way, open: &[Option<usize>]) -> Option<usize> {
    let ranks = open.iter().copied().flatten();
    match way {
        Way::Down => ranks.min(),
        Way::Up => ranks.max(),
    }
}

/// What moved a chunk from `a` to `b`: the first stage of the second run that leads the way the case went.
pub(super) fn cause(way: Way, a: (&Pipeline<'_>, &Standing), b: (&Pipeline<'_>, &Standing)) -> Cause {
    let before = a.0.steps(way, a.1);
    for step in b.0.steps(way, b.1) {
        let stage = step.stage.map(str::to_owned);
        let same = before.iter().find(|other| other.stage == step.stage);
        if same.is_some_and(|same| !way.leads(same.to, step.to)) {
            continue;
        }
        if !step.source && way.leads(step.from, step.to) {
            return Cause::Moved { stage, from: step.from, to: step.to };
        }
        if step.stage.is_none() {
            break;
        }
        // A source that the first run lacks brings in what that run does not know at all.
        if same.is_none() && way.leads(None, step.to) && !a.1.is_known() {
            return Cause::Moved { stage, from: None, to: step.to };
        }
        if let Some(same) = same {
            return Cause::Ranked { stage, a: same.to, b: step.to };
        }
    }
    let has = |name: &str| b.1.stages.iter().any(|(stage, _)| stage == name);
    let gone = a.0.steps(way.back(), a.1).into_iter().find_map(|step| {
        let stage = step.stage.filter(|stage| !has(stage))?;
        // Of a source that is gone, the second run may not know what it brought in.
        let told = !step.source || !b.1.is_known();
        let moved = told && way.back().leads(step.from, step.to);
        moved.then(|| Cause::Gone { stage: stage.to_owned(), from: step.from, to: step.to })
    });
    gone.unwrap_or(Cause::Ranked { stage: None, a: a.1.rank, b: b.1.rank })
}
