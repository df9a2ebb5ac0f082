//! What the cases cover and how each subset of them does: reckoned once after each change, whoever looks.

use std::{collections::HashMap, time::Duration};

use super::Data;
use crate::{
    eval::{
        aggregate::{self, Bound, Numbers, Subset, Summary},
        coverage::{self, Coverage, Enough, SubsetRow, Target},
        evaluate::{self, CaseResult, Cut},
        gate::{self, ALL, Failure, Held, Metric, Room, Threshold},
    },
    tui::{
        effect::{Job, Out, Slot},
        msg::{Past, PastRun},
    },
};

/// What the settings hold a subset to.
#[derive(Debug, Clone, PartialEq)]
pub struct Gated {
    /// The subset; `all` is every case.
    pub subset: String,
    /// Its thresholds.
    pub thresholds: Vec<Threshold>,
    /// The run that the gate holds it against too, as the settings name it.
    pub against: Option<String>,
}

/// The cases that carry one tag, or all of them: how many there are, and how they do.
#[derive(Debug, Clone, PartialEq)]
pub struct Surveyed {
    /// The tag; `all` for every case.
    pub name: String,
    /// How many cases there are and should be.
    pub row: SubsetRow,
    /// How many of them have a result.
    pub asked: usize,
    /// How many of them may have one; the others are kept out of tuning.
    pub may: usize,
    /// The numbers; `None` while no case of it has a result.
    pub subset: Option<Subset>,
    /// How its thresholds stand; of a part of its cases they say nothing.
    pub held: Vec<Held>,
    /// The thresholds of which the number is not known.
    pub unmeasured: Vec<Metric>,
    /// What the gate holds it against beside thresholds.
    pub against: Option<String>,
}

/// How a subset stands with its gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// It has no threshold, or nothing was run.
    Free,
    /// Not all of its cases were run.
    Part,
    /// Every threshold is met.
    Passes,
    /// One is not met, or not known.
    Fails,
}

impl Surveyed {
    /// How it stands with its thresholds.
    #[must_use]
    pub fn stands(&self) -> Stands {
        if self.held.is_empty() && self.unmeasured.is_empty() {
            Stands::Free
        } else if self.asked < self.may {
            Stands::Part
        } else if self.unmeasured.is_empty() && self.held.iter().all(Held::met) {
            Stands::Passes
        } else {
            Stands::Fails
        }
    }

    /// Its numbers, and the subset that they are of; `None` where none of its cases is scored.
    #[must_use]
    pub fn numbers(&self) -> Option<(&Subset, &Numbers)> {
        let subset = self.subset.as_ref()?;
        Some((subset, subset.numbers.as_ref()?))
    }

    /// The threshold of its recall.
    #[must_use]
    pub fn recall(&self) -> Option<&Held> {
        self.held.iter().find(|held| held.threshold.metric == Metric::Recall)
    }

    /// The first threshold that it misses.
    #[must_use]
    pub fn missed(&self) -> Option<&Held> {
        self.held.iter().find(|held| !held.met())
    }

    /// How many further misses its recall may take before the threshold fails.
    #[must_use]
    pub fn misses_left(&self) -> Option<usize> {
        match self.recall()?.room()? {
            Room::Cases(cases) => Some(cases),
            Room::Margin(_) => None,
        }
    }

    /// Whether it has the cases that it should have.
    #[must_use]
    pub fn enough(&self) -> Enough {
        self.row.enough()
    }
}

/// How every subset does.
#[derive(Debug)]
pub struct Survey {
    /// All results as numbers, marked where a whole subset misses a threshold.
    pub summary: Summary,
    /// Every case, then each subset in the order of the settings, then other tags by name.
    pub rows: Vec<Surveyed>,
}

impl Data {
    /// What the cases cover; `None` while the corpus is not open.
    #[must_use]
    pub fn coverage(&self) -> Option<&Coverage> {
        let outline = self.outline.as_ref()?;
        let covered = self.covered.get_or_init(|| {
            let resolved: Vec<_> =
                self.cases.iter().map(|case| self.resolved.get(&case.id).cloned().unwrap_or_default()).collect();
            let targets = self.about.subsets.iter();
            let targets: Vec<Target> =
                targets.map(|(name, cases)| Target { name: name.clone(), cases: *cases }).collect();
            let mut coverage = coverage::coverage(&self.cases, &resolved, outline, &targets, self.about.today);
            coverage.counts.unreadable = self.files.problems.len();
            coverage
        });
        Some(covered)
    }

    /// How every subset does; `None` while the corpus is not open.
    #[must_use]
    pub fn survey(&self) -> Option<&Survey> {
        let coverage = self.coverage()?;
        Some(self.surveyed.get_or_init(|| self.look(coverage)))
    }

    fn look(&self, coverage: &Coverage) -> Survey {
        let (cut, results) = self.held_results();
        let subsets: Vec<String> = self.about.subsets.iter().map(|(name, _)| name.clone()).collect();
        let summary = aggregate::summarize(&results, &cut, &subsets);
        let gates: Vec<gate::Gate<'_>> = self.about.gates.iter().map(Gated::gate).collect();
        let verdict = gate::thresholds(&summary, &results, &gates);
        let mut shown: HashMap<&str, usize> = HashMap::new();
        let mut asked: HashMap<&str, usize> = HashMap::new();
        for case in self.cases.iter().filter(|case| !self.is_holdout(&case.id)) {
            let mut tags: Vec<&str> = case.tags.iter().map(String::as_str).chain([ALL]).collect();
            tags.sort_unstable();
            tags.dedup();
            let run = usize::from(self.results.contains_key(&case.id));
            for tag in tags {
                *shown.entry(tag).or_default() += 1;
                *asked.entry(tag).or_default() += run;
            }
        }
        let of = |counts: &HashMap<&str, usize>, name: &str| counts.get(name).copied().unwrap_or(0);
        let all = SubsetRow {
            name: ALL.to_owned(),
            cases: coverage.counts.cases,
            labeled: coverage.counts.labeled,
            target: None,
        };
        let rows: Vec<Surveyed> = std::iter::once(&all)
            .chain(&coverage.subsets)
            .enumerate()
            .map(|(at, row)| {
                let name = row.name.as_str();
                let subset = if at == 0 { Some(&summary.all) } else { summary.subsets.iter().find(|s| s.name == name) };
                let held = verdict.held.iter().filter(|held| held.subset == name).cloned().collect();
                let unmeasured = verdict.failures.iter().filter_map(|failure| match failure {
                    Failure::Unmeasured { subset, metric, .. } if subset == name => Some(*metric),
                    _ => None,
                });
                Surveyed {
                    name: name.to_owned(),
                    row: row.clone(),
                    asked: of(&asked, name),
                    may: of(&shown, name),
                    subset: subset.filter(|subset| subset.cases > 0).cloned(),
                    held,
                    unmeasured: unmeasured.collect(),
                    against: self
                        .about
                        .gates
                        .iter()
                        .find(|gate| gate.subset == name)
                        .and_then(|gate| gate.against.clone()),
                }
            })
            .collect();
        let whole = |name: &str| rows.iter().any(|row| row.name == name && row.asked == row.may);
        let bounds = verdict.held.iter().filter(|held| whole(&held.subset)).map(Bound::from).collect();
        Survey { summary: summary.with_bounds(bounds), rows }
    }

    /// Every result in the order of the cases, with each recall@K that a threshold is about, be it in no report.
    fn held_results(&self) -> (Cut, Vec<CaseResult>) {
        let mut cut = self.cut();
        let shown = cut.recall_at.len();
        for threshold in self.about.gates.iter().flat_map(|gate| &gate.thresholds) {
            if let Metric::RecallAt(k) = threshold.metric
                && k <= cut.depth
                && !cut.recall_at.contains(&k)
            {
                cut.recall_at.push(k);
            }
        }
        let results = self.cases.iter().filter_map(|case| self.results.get(&case.id));
        if cut.recall_at.len() == shown {
            return (cut, results.cloned().collect());
        }
        let again = |result: &CaseResult| {
            let answer = self.answers.get(&result.id)?;
            self.asked_under(&cut, &result.id, answer, evaluate::evaluate)
        };
        let results = results.map(|result| again(result).unwrap_or_else(|| result.clone())).collect();
        (cut, results)
    }

    /// The kept runs of the config and the window that are shown, oldest first; empty until they are read.
    #[must_use]
    pub fn past(&self) -> &[PastRun] {
        self.past.as_ref().filter(|past| self.is_shown(past)).map_or(&[], |past| &past.runs)
    }

    /// True while the kept runs are being read for the first time.
    #[must_use]
    pub fn past_is_awaited(&self) -> bool {
        self.past.as_ref().is_none_or(|past| !self.is_shown(past))
    }

    /// Reads the kept runs of the config that is shown, for some may have come.
    pub fn ask_past(&self, out: &mut Out<'_>) {
        let Some(config) = self.config() else { return };
        out.start(Slot::Past, Duration::ZERO, Job::Past { config: config.name.clone(), k: self.k });
    }

    /// Takes in kept runs.
    pub fn take_past(&mut self, past: Past) {
        self.past = Some(past);
    }

    fn is_shown(&self, past: &Past) -> bool {
        past.k == self.k && self.config().is_some_and(|config| config.name == past.config)
    }

    /// Forgets what was reckoned of results.
    pub(super) fn results_changed(&mut self) {
        self.surveyed.take();
    }

    /// Forgets what was reckoned of cases.
    pub(super) fn cases_changed(&mut self) {
        self.covered.take();
        self.surveyed.take();
    }
}

impl Gated {
    fn gate(&self) -> gate::Gate<'_> {
        gate::Gate { subset: &self.subset, thresholds: &self.thresholds, baseline: None }
    }
}
