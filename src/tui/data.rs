//! What every screen looks at, held once. Screens keep only where they look: a cursor, typed text, a focus.

mod beside;
mod edits;
mod further;
mod holdout;
mod survey;

use std::{
    cell::OnceCell,
    collections::{BTreeSet, HashMap, VecDeque},
    ops::Range,
    sync::Arc,
};

use jiff::civil::Date;

use self::{beside::Beside, edits::Pending};
pub use self::{
    beside::Then,
    edits::LabelAt,
    further::TIMES,
    holdout::HIDDEN,
    survey::{Gated, Stands, Survey, Surveyed},
};

use super::{
    effect::{Job, Out, Slot},
    msg::{CaseSet, Loaded, Past},
    theme::Theme,
};
use crate::{
    casefile::problem::FileProblem,
    corpus::tokenizer,
    domain::{
        asker::{Asker, Askers},
        case::{Case, Labeled},
        chunk::{Chunk, ChunkId},
        outline::Outline,
        ranking::Answer,
        resolve::{self, Problem, Resolved},
    },
    eval::{
        aggregate::{self, Summary},
        coverage::Coverage,
        diagnosis::{self, Evidence, Probed, probe::Means},
        evaluate::{self, Asked, CaseResult, Cut, Mark, Outcome},
        split::Split,
    },
};

/// What the settings say that a screen shows.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The configs, by name.
    pub configs: Vec<Config>,
    /// Every K of recall@K.
    pub recall_at: Vec<usize>,
    /// Who may ask.
    pub askers: Askers,
    /// The subsets in the order of the report, with how many cases each should have.
    pub subsets: Vec<(String, Option<usize>)>,
    /// How cases are kept out of tuning, if they are.
    pub split: Option<Split>,
    /// What the gates hold subsets to.
    pub gates: Vec<Gated>,
    /// The day that ages of cases are told from.
    pub today: Date,
}

/// A named set of a retriever's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// The retriever's name.
    pub retriever: String,
    /// The window's size.
    pub k: usize,
    /// How many results are asked for.
    pub depth: usize,
    /// True for the embedded retriever: a baseline, never production.
    pub baseline: bool,
    /// What a diagnosis may ask further.
    pub means: Means,
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Done,
    /// Something to look at.
    Warning,
    /// Something failed.
    Error,
}

/// How far a run of many is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    /// Cases that were answered, or failed to be.
    pub done: usize,
    /// Those of them that failed.
    pub errors: usize,
    /// Of so many.
    pub total: usize,
}

/// What every screen looks at.
#[derive(Debug, Default)]
pub struct Data {
    /// The settings.
    pub about: About,
    /// Index of the config under test.
    pub config: usize,
    /// The window's size: the config's, or one tried out.
    pub k: usize,
    /// Every case, with the edits that are not on disk yet.
    pub cases: Vec<Case>,
    /// What else was read of the files: problems and unknown fields.
    pub files: CaseSet,
    /// The id of the case that the screens show.
    pub current: Option<String>,
    /// The corpus; `None` while it is being opened.
    pub outline: Option<Arc<Outline>>,
    /// Why it could not be opened.
    pub closed: Option<String>,
    /// What is being done to open it.
    pub loading: Option<(String, u64, u64)>,
    /// The last result of each case that was run.
    pub results: HashMap<String, CaseResult>,
    /// The run of many that is going on.
    pub running: Option<Running>,
    /// The case that is being run by itself.
    pub running_one: Option<String>,
    /// The case on which experiments are being made.
    pub probing: Option<String>,
    /// The case that is being asked again and again.
    pub repeating: Option<String>,
    /// Who waits before asking again, for people.
    pub waiting: Option<String>,
    /// What happened last.
    pub message: Option<(Tone, String)>,
    /// The terminal's size in columns and rows.
    pub size: (u16, u16),
    /// How roles look.
    pub theme: Theme,
    answers: HashMap<String, Result<Arc<Answer>, String>>,
    resolved: HashMap<String, Resolved>,
    probes: HashMap<String, Vec<Probed>>,
    repeats: HashMap<String, Vec<Result<Arc<Answer>, String>>>,
    beside: Beside,
    covered: OnceCell<Coverage>,
    surveyed: OnceCell<Survey>,
    past: Option<Past>,
    /// Tags that were in use when the cases were read, by name, then those that came since.
    other_tags: Vec<String>,
    pending: VecDeque<Pending>,
}

impl Data {
    /// The config under test.
    #[must_use]
    pub fn config(&self) -> Option<&Config> {
        self.about.configs.get(self.config)
    }

    /// How many results are asked for: the config's depth, or more where a larger window is tried out.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.config().map_or(self.k, |config| config.depth.max(self.k))
    }

    /// Where lists are cut.
    #[must_use]
    pub fn cut(&self) -> Cut {
        Cut { k: self.k, depth: self.depth(), recall_at: self.about.recall_at.clone() }
    }

    /// The case of that id.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// The case that the screens show.
    #[must_use]
    pub fn current(&self) -> Option<&Case> {
        self.case(self.current.as_deref()?)
    }

    /// The result of the case that the screens show.
    #[must_use]
    pub fn current_result(&self) -> Option<&CaseResult> {
        self.results.get(self.current.as_deref()?)
    }

    /// Who asks `case`; nobody in particular if its asker is unknown.
    #[must_use]
    pub fn asker(&self, case: &Case) -> Asker {
        self.about.askers.find(case.asker.as_deref()).unwrap_or_default()
    }

    /// What the references of a case mean today.
    #[must_use]
    pub fn resolved(&self, id: &str) -> Option<&Resolved> {
        self.resolved.get(id)
    }

    /// The broken references of a case.
    #[must_use]
    pub fn problems(&self, id: &str) -> &[Problem] {
        self.resolved.get(id).map_or(&[], |resolved| &resolved.problems)
    }

    /// True if a label of the case is broken, or what came of asking it needs a look, as the reports have it.
    #[must_use]
    pub fn needs_a_look(&self, id: &str) -> bool {
        !self.problems(id).is_empty() || self.results.get(id).is_some_and(CaseResult::needs_a_look)
    }

    /// The chunk of that id.
    #[must_use]
    pub fn chunk(&self, id: &ChunkId) -> Option<&Arc<Chunk>> {
        self.outline.as_ref()?.chunk(id)
    }

    /// `Document › Heading` of a chunk, or its id where the corpus does not know it.
    #[must_use]
    pub fn title(&self, id: &ChunkId) -> String {
        self.chunk(id).map_or_else(|| id.to_string(), |chunk| chunk.title())
    }

    /// Which chunk of its section a chunk is, from 1, and of how many; `None` where it is the only one.
    #[must_use]
    pub fn part(&self, chunk: &Chunk) -> Option<(usize, usize)> {
        let document = self.outline.as_ref()?.find(&chunk.document).into_iter().next()?;
        let section = document.chunks.iter().filter(|other| other.section == chunk.section);
        let (mut at, mut of) = (0, 0);
        for other in section {
            of += 1;
            if other.id == chunk.id {
                at = of;
            }
        }
        (of > 1).then_some((at, of))
    }

    /// What a chunk is to a case.
    #[must_use]
    pub fn mark(&self, case: &str, chunk: &ChunkId) -> Mark {
        match self.resolved.get(case) {
            Some(resolved) if resolved.supporting.iter().any(|needed| needed.any_of.contains(chunk)) => {
                Mark::Supporting
            }
            Some(resolved) if resolved.distractors.contains(chunk) => Mark::Distractor,
            _ => Mark::Unjudged,
        }
    }

    /// The byte ranges of `text` that match what is typed.
    #[must_use]
    pub fn lit(text: &str, typed: &str, last_is_prefix: bool) -> Vec<Range<usize>> {
        tokenizer::matches(text, typed, last_is_prefix)
    }

    /// The numbers over all results there are.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let results = self.cases.iter().filter_map(|case| self.results.get(&case.id));
        let subsets: Vec<String> = self.about.subsets.iter().map(|(name, _)| name.clone()).collect();
        aggregate::summarize(results, &self.cut(), &subsets)
    }

    /// How many cases are labeled (or said to be unanswerable), of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.cases.iter().filter(|case| case.labeled() != Labeled::No).count(), self.cases.len())
    }

    /// How many labeled cases carry a tag.
    #[must_use]
    pub fn tagged(&self, tag: &str) -> usize {
        let labeled = self.cases.iter().filter(|case| case.labeled() != Labeled::No);
        labeled.filter(|case| case.tags.iter().any(|other| other == tag)).count()
    }

    /// The subset that lacks most of its target, with how many cases it has and should have.
    #[must_use]
    pub fn thinnest(&self) -> Option<(&str, usize, usize)> {
        let lacking = self.about.subsets.iter().filter_map(|(name, target)| {
            let (has, wants) = (self.tagged(name), (*target)?);
            (has < wants).then_some((name.as_str(), has, wants))
        });
        lacking.min_by_key(|(_, has, wants)| has * 1000 / wants)
    }

    /// Every tag there is to choose from: the subsets, then the others in use.
    #[must_use]
    pub fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = self.about.subsets.iter().map(|(name, _)| name.clone()).collect();
        tags.extend(self.other_tags.iter().filter(|tag| !tags.contains(tag)).cloned().collect::<Vec<_>>());
        tags
    }

    /// Takes note of tags that were not in use before. They come last, so that the digits of the others stay.
    fn note_tags(&mut self) {
        let used: BTreeSet<&String> = self.cases.iter().flat_map(|case| &case.tags).collect();
        let new: Vec<String> = used.into_iter().filter(|tag| !self.other_tags.contains(tag)).cloned().collect();
        self.other_tags.extend(new);
    }

    /// Says what happened.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some((tone, text.into()));
    }

    /// Takes in the corpus and the cases.
    pub fn load(&mut self, loaded: Loaded) {
        self.cases_changed();
        self.outline = Some(loaded.outline);
        self.loading = None;
        self.resolved = loaded.cases.cases.iter().map(|case| case.id.clone()).zip(loaded.resolved).collect();
        self.cases.clone_from(&loaded.cases.cases);
        self.files = loaded.cases;
        self.note_tags();
        if self.current().is_none() {
            self.current = self.cases.first().map(|case| case.id.clone());
        }
        self.reapply();
    }

    /// Takes in more of a corpus that is only known in part.
    pub fn learn(&mut self, whole: &[Arc<Chunk>], single: &[Arc<Chunk>]) {
        let Some(outline) = &self.outline else { return };
        let new = whole.iter().any(|chunk| !outline.has(&chunk.document))
            || single.iter().any(|chunk| outline.chunk(&chunk.id).is_none());
        if new {
            self.outline = Some(Arc::new(outline.and(whole, single)));
            self.cases_changed();
        }
    }

    /// True while the document of a chunk is not here whole, so that no reference can be made to a passage in it.
    #[must_use]
    pub fn awaits(&self, chunk: &Chunk) -> bool {
        self.outline.as_ref().is_some_and(|outline| outline.is_partial() && !outline.has(&chunk.document))
    }

    /// Starts a run of these cases: one by itself, or all.
    pub fn run(&mut self, slot: Slot, ids: &[String], out: &mut Out<'_>) {
        let Some(config) = self.config().map(|config| config.name.clone()) else { return };
        if self.outline.is_none() {
            self.say(Tone::Warning, "not run: the corpus was not open yet");
            return;
        }
        let cases: Vec<Case> = self.cases.iter().filter(|case| ids.contains(&case.id)).cloned().collect();
        let cases = self.without_holdout(cases);
        if cases.is_empty() {
            return;
        }
        self.stop_asking(out);
        if slot == Slot::RunAll {
            let broken = cases.iter().filter(|case| !self.problems(&case.id).is_empty()).count();
            if broken > 0 {
                let text =
                    format!("{broken} cases have broken labels, so a run refuses to start: / state:broken shows them");
                self.say(Tone::Error, text);
                return;
            }
            if self.files.problems.iter().any(FileProblem::hides_cases) {
                self.say(
                    Tone::Error,
                    "some cases cannot be read, so a run refuses to start: `caselight check` lists them",
                );
                return;
            }
        }
        match slot {
            Slot::RunAll => self.running = Some(Running { done: 0, errors: 0, total: cases.len() }),
            _ => self.running_one = Some(ids[0].clone()),
        }
        self.message = None;
        out.start(slot, std::time::Duration::ZERO, Job::Run { config, depth: self.depth(), cases });
    }

    /// Takes in the answer to one case.
    pub fn answered(&mut self, slot: Slot, id: &str, answer: Result<Arc<Answer>, String>) {
        if let (Slot::RunAll, Some(running)) = (slot, &mut self.running) {
            running.done += 1;
            running.errors += usize::from(answer.is_err());
        }
        self.forget(id);
        self.answers.insert(id.to_owned(), answer);
        self.evaluate(id);
    }

    /// Takes in that a run ended, or was stopped.
    pub fn run_ended(&mut self, slot: Slot) {
        self.waiting = None;
        match slot {
            Slot::RunAll => {
                if let Some(Running { done, total, .. }) = self.running.take() {
                    let text = self.ran(done, total);
                    self.say(if done == total { Tone::Done } else { Tone::Warning }, text);
                }
            }
            Slot::Experiment => self.experimented(),
            Slot::Repeat => self.repeating = None,
            _ => self.running_one = None,
        }
    }

    /// Forgets every answer: another config is under test.
    pub fn forget_answers(&mut self) {
        self.results_changed();
        self.answers.clear();
        self.results.clear();
        self.probes.clear();
        self.repeats.clear();
    }

    /// Reckons every result anew: the window has another size.
    pub fn evaluate_all(&mut self) {
        self.results_changed();
        let ids: Vec<String> = self.answers.keys().cloned().collect();
        for id in &ids {
            self.evaluate(id);
        }
    }

    /// Resolves and reckons one case anew.
    fn refresh(&mut self, id: &str) {
        self.cases_changed();
        self.note_tags();
        let (Some(outline), Some(case)) = (self.outline.clone(), self.case(id)) else { return };
        let resolved = resolve::resolve(case, &outline);
        self.resolved.insert(id.to_owned(), resolved);
        self.evaluate(id);
    }

    fn evaluate(&mut self, id: &str) {
        self.results_changed();
        let evidence = self.evidence(id);
        let evaluated = self.asked(id, |asked, outcome| {
            let mut result = evaluate::evaluate(asked, outcome);
            if evidence != Evidence::default() {
                result.diagnosis = diagnosis::diagnose_with(asked, outcome, &evidence);
            }
            result
        });
        if let Some(result) = evaluated {
            self.results.insert(id.to_owned(), result);
        }
    }

    /// Looks at a case as it was asked, and at what came; `None` if it was not.
    fn asked<T>(&self, id: &str, look: impl FnOnce(&Asked<'_>, Outcome<'_>) -> T) -> Option<T> {
        self.asked_with(id, self.answers.get(id)?, look)
    }

    /// The same with another answer than the one that is shown.
    fn asked_with<T>(
        &self,
        id: &str,
        answer: &Result<Arc<Answer>, String>,
        look: impl FnOnce(&Asked<'_>, Outcome<'_>) -> T,
    ) -> Option<T> {
        self.asked_under(&self.cut(), id, answer, look)
    }

    /// The same under another cut than the one that is shown.
    fn asked_under<T>(
        &self,
        cut: &Cut,
        id: &str,
        answer: &Result<Arc<Answer>, String>,
        look: impl FnOnce(&Asked<'_>, Outcome<'_>) -> T,
    ) -> Option<T> {
        let (outline, case, resolved) = (self.outline.as_ref()?, self.case(id)?, self.resolved.get(id)?);
        let outcome = match answer {
            Ok(answer) => Outcome::Answered(answer),
            Err(why) => Outcome::Failed(why),
        };
        Some(look(&Asked { case, resolved, asker: &self.asker(case), outline, cut }, outcome))
    }
}
