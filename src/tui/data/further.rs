//! What is asked of a case beside its own question: experiments on where a chunk was lost, and the same question again and again.

use std::{sync::Arc, time::Duration};

use super::{Data, Tone};
use crate::{
    domain::ranking::Answer,
    eval::{
        diagnosis::{
            Basis, Evidence, Probed,
            probe::{self, LeftOut},
        },
        evaluate::{self, CaseResult},
        foreign,
    },
    tui::effect::{Experiment, Job, Out, Slot},
};

/// How often a case is asked to see what varies.
pub const TIMES: usize = 5;

impl Data {
    /// The experiments that were made on a case since it was asked, in their order.
    #[must_use]
    pub fn probes(&self, id: &str) -> &[Probed] {
        self.probes.get(id).map_or(&[], Vec::as_slice)
    }

    /// How many experiments may be made on one case.
    #[must_use]
    pub fn most_probes(&self) -> usize {
        self.config().map_or(0, |config| config.means.limit)
    }

    /// True where a further request would tell more of where a case was lost.
    #[must_use]
    pub fn could_ask_further(&self, id: &str) -> bool {
        let Some(config) = self.config() else { return false };
        let evidence = self.evidence(id);
        self.asked(id, |asked, outcome| probe::next(asked, outcome, &config.means, &evidence)).flatten().is_some()
    }

    /// What further requests left out that would tell more of where a case was lost.
    #[must_use]
    pub fn left_out(&self, id: &str) -> LeftOut {
        let Some(config) = self.config() else { return LeftOut::default() };
        let evidence = self.evidence(id);
        let left = self.asked(id, |asked, outcome| probe::left_out(asked, outcome, &config.means, &evidence));
        left.unwrap_or_default()
    }

    /// What is known of a case beside its answer.
    pub(super) fn evidence(&self, id: &str) -> Evidence {
        Evidence { probes: self.probes(id).to_vec(), baseline: self.before(id) }
    }

    /// Starts experiments on the case that is shown; says so if there is none to make.
    pub fn ask_further(&mut self, out: &mut Out<'_>) {
        let Some(id) = self.current.clone() else { return };
        if self.probing.as_deref() == Some(&id) {
            return;
        }
        if !self.could_ask_further(&id) {
            self.say(Tone::Warning, self.why_not_further(&id));
            return;
        }
        let (Some(config), Some(outline)) = (self.config().map(|config| config.name.clone()), self.outline.clone())
        else {
            return;
        };
        let (Some(case), Some(resolved)) = (self.case(&id).cloned(), self.resolved(&id).cloned()) else { return };
        let Some(Ok(answer)) = self.answers.get(&id).cloned() else { return };
        let experiment =
            Experiment { config, cut: self.cut(), case, resolved, outline, answer, evidence: self.evidence(&id) };
        self.probing = Some(id);
        self.message = None;
        out.start(Slot::Experiment, Duration::ZERO, Job::Experiment(Box::new(experiment)));
    }

    fn why_not_further(&self, id: &str) -> String {
        let put = self.probes(id).len();
        let Some(result) = self.results.get(id) else { return "not run: r runs it first".to_owned() };
        let Some(diagnosis) = &result.diagnosis else { return "unlabeled: there is nothing to find out".to_owned() };
        if let Some(foreign) = self.outline.as_ref().and_then(|outline| foreign::of_case(result, outline)) {
            return foreign;
        }
        match diagnosis.basis {
            _ if put > 0 && put >= self.most_probes() => {
                format!("{}, which is as many as the settings allow: `probes` in [diagnosis]", were_put(put))
            }
            _ if put > 0 => format!("{}, and no further one would tell more", were_put(put)),
            _ if self.most_probes() == 0 => "the settings allow no further request: `probes` in [diagnosis]".to_owned(),
            Basis::Trace => "the retriever's own trace tells it: no further request would tell more".to_owned(),
            _ => "no further request would tell more".to_owned(),
        }
    }

    /// Takes in what came of an experiment. One on an answer that is no longer shown says nothing.
    pub fn probed(&mut self, id: &str, probed: Probed) {
        if self.probing.as_deref() == Some(id) && self.answers.contains_key(id) {
            self.probes.entry(id.to_owned()).or_default().push(probed);
            self.evaluate(id);
        }
    }

    /// Takes in that no more experiments are made.
    pub(super) fn experimented(&mut self) {
        let Some(id) = self.probing.take() else { return };
        let put = self.probes(&id).len();
        let what = if put == 1 { "1 request".to_owned() } else { format!("{put} requests") };
        self.say(Tone::Done, format!("{id}: {what} put beside its own"));
    }

    /// Starts asking the case that is shown again and again.
    pub fn repeat(&mut self, out: &mut Out<'_>) {
        let (Some(case), Some(config)) = (self.current().cloned(), self.config().map(|config| config.name.clone()))
        else {
            return;
        };
        if self.repeating.as_ref() == Some(&case.id) {
            return;
        }
        if self.outline.is_none() {
            self.say(Tone::Warning, "not run: the corpus was not open yet");
            return;
        }
        if self.without_holdout(vec![case.clone()]).is_empty() {
            return;
        }
        self.repeats.remove(&case.id);
        self.repeating = Some(case.id.clone());
        self.message = None;
        let job = Job::Repeat { config, depth: self.depth(), case: Box::new(case), times: TIMES };
        out.start(Slot::Repeat, Duration::ZERO, job);
    }

    /// Takes in one more answer to the same question. The first one is the case's own where it was not run before.
    pub fn repeated(&mut self, id: &str, answer: Result<Arc<Answer>, String>) {
        if self.repeating.as_deref() != Some(id) {
            return;
        }
        if !self.answers.contains_key(id) {
            self.answers.insert(id.to_owned(), answer.clone());
            self.evaluate(id);
        }
        self.repeats.entry(id.to_owned()).or_default().push(answer);
    }

    /// The case as each of the repeated answers alone tells it, under the window that is shown.
    #[must_use]
    pub fn repeats(&self, id: &str) -> Vec<CaseResult> {
        let answers = self.repeats.get(id).map_or(&[][..], Vec::as_slice);
        answers.iter().filter_map(|answer| self.asked_with(id, answer, evaluate::evaluate)).collect()
    }

    /// True while something is asked of one case beside its own question.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.probing.is_some() || self.repeating.is_some()
    }

    /// Ends what is being asked of one case beside its own question.
    pub fn stop_asking(&mut self, out: &mut Out<'_>) {
        if self.probing.is_some() {
            out.cancel(Slot::Experiment);
            self.experimented();
        }
        if self.repeating.take().is_some() {
            out.cancel(Slot::Repeat);
        }
    }

    /// Forgets what was asked of a case beside its own question.
    pub(super) fn forget(&mut self, id: &str) {
        self.probes.remove(id);
        self.repeats.remove(id);
        // What still comes of it is about another answer.
        self.probing.take_if(|probing| probing == id);
        self.repeating.take_if(|repeating| repeating == id);
    }
}

fn were_put(requests: usize) -> String {
    if requests == 1 { "1 request was put".to_owned() } else { format!("{requests} requests were put") }
}
