//! `caselight metrics`, also `caselight help metrics`: the contract of every number, with small examples worked out.

mod examples;

use std::fmt::Write as _;

use self::examples::{ABOVE, DEPTH, Deep, EXAMPLES, Example, MEANS, Order};
use super::{Outcome, output};
use crate::report::decimals;

/// Print what every number means, with worked examples.
#[derive(Debug, clap::Args)]
#[command(override_help = page())]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> anyhow::Result<Outcome> {
    output::print(&page())?;
    Ok(Outcome::Fine)
}

/// The whole page, in 80 columns, with a final line end.
fn page() -> String {
    let mut out = String::from(WINDOW);
    worked(&mut out);
    out.push_str(DISTRACTOR);
    above(&mut out);
    out.push_str(AT);
    deep(&mut out);
    out.push_str(MEAN);
    means(&mut out);
    out.push_str(REST);
    out
}

const WINDOW: &str = "\
THE NUMBERS

A case is held against the list that the retriever returned, in the order in
which it was returned. Scores are shown and never read: nothing is sorted again.

  depth        how many results are asked for
  window       the first k of them
  supporting   any chunk that a requirement of the case names
  requirement  one thing that the answer needs; with any_of, one chunk of a
               group is enough for it

In the window:

  recall        1 if any supporting chunk is in it, else 0
  mrr           1 / rank of the first supporting chunk in it, else 0
  precision     supporting chunks in it / results in it; 0 without results.
                Beside it the most that it could be for this case and window
  completeness  requirements satisfied in it / requirements

A chunk that is returned twice keeps both places, is credited once, and is
counted as a repeat. So every one of these lies between 0 and 1.

";

const DISTRACTOR: &str = "
In the whole list, not only in the window:

  distractor↑   the best distractor stands above the best supporting chunk. One
                that is absent stands below everything; both absent is no

";

const AT: &str = "
  recall@K      recall over the first K results, whatever k is
  MRR@maxK      mrr over the first K results for the largest K of recall@K

A K above depth has no value, which is printed –: nobody asked that deep.

";

const MEAN: &str = "
A mean is over the scored cases and stands beside their number, n.

";

const REST: &str = "
NEVER MIXED

  no results    the retriever answered with an empty list: scored 0
  error         the call failed: not scored, counted, fails a gate
  not run       the run ended before the case was asked: not scored
  unlabeled     no supporting reference yet: never scored
  unanswerable  nothing in the corpus answers: never in recall; clean, or
                distracted where a distractor is in the window
  leak          a result that the asker may not read: counted, fails a gate.
                Of a result that the corpus does not know nobody can say:
                scope unknown
  total miss    no supporting chunk in the first maxK (or depth, if smaller)

A run none of whose results is known to the corpus is refused: it measured
another corpus.

FEW CASES

Beside a recall stands its 95 % interval (Wilson's score interval): the true
values that could well have given this one. Below 10 cases it is too few to
tell: one case moves the mean by more than 0.10.

A subset is marked ⚠️ when a distractor stands above an answer in it, when its
recall is 0.10 or more under that of all cases, or when it misses a threshold.

LATENCY

From the question to the retriever's answer, by a monotonic clock; p50 and p95
by nearest rank over every answer, scored or not.

ROUNDING

Numbers are doubles and rounded in print alone, a half upwards. What misses a
threshold by 0.000000001 or less meets it: sums of doubles in another order
differ by less.

IN TREC_EVAL'S WORDS

  ours              theirs
  recall@K          success_K
  completeness@K    recall_K, where no requirement is an any_of group
  mrr               recip_rank, cut off at k
  precision         P_K divides by K; ours by the results that there are, which
                    is the same where the retriever returned K or more

trec_eval sorts a run by score, then by id, and ignores the ranks in it; here
the returned order counts.

NOT SHOWN

nDCG and MAP need grades, which these cases do not have; hit rate is recall; F1
mixes two numbers that belong to two stages.
";

/// Appends a line.
macro_rules! line {
    // Writing to a string cannot fail.
    ($out:expr, $($text:tt)*) => { let _ = writeln!($out, $($text)*); };
}

fn worked(out: &mut String) {
    line!(
        out,
        "  {:<15}{:<9}{:>2}{:>8}{:>6}{:>12}{:>7}",
        "returned",
        "needed",
        "k",
        "recall",
        "mrr",
        "prec/most",
        "compl."
    );
    for Example { returned, needed, k, recall, mrr, precision, ceiling, completeness, why } in &EXAMPLES {
        let [mrr, precision, ceiling, completeness] =
            [mrr, precision, ceiling, completeness].map(|value| decimals(*value, 2));
        let precision = format!("{precision}/{ceiling}");
        let returned = if returned.is_empty() { "(no results)" } else { returned };
        line!(out, "  {returned:<15}{needed:<9}{k:>2}{recall:>8}{mrr:>6}{precision:>12}{completeness:>7}");
        if !why.is_empty() {
            line!(out, "      {why}");
        }
    }
    line!(out, "\n  a b: first a, then b returned, or both needed; a|b: one of both is enough");
}

fn above(out: &mut String) {
    line!(out, "  {:<15}{:<9}{:<13}{}", "returned", "needed", "distractors", "distractor↑");
    for Order { returned, needed, distractors, above } in &ABOVE {
        line!(out, "  {returned:<15}{needed:<9}{distractors:<13}{}", if *above { "yes" } else { "no" });
    }
}

fn deep(out: &mut String) {
    line!(out, "  {:<15}{:<9}{:>5}{:>10}{:>10}{:>9}", "returned", "needed", "depth", "recall@1", "recall@5", "MRR@5");
    for Deep { returned, needed, depth, recall_at_1, recall_at_5, mrr_at_5 } in &DEPTH {
        let print = |value: &Option<f64>, places| value.map_or_else(|| "–".to_owned(), |value| decimals(value, places));
        let (one, five, mrr) = (print(recall_at_1, 0), print(recall_at_5, 0), print(mrr_at_5, 2));
        line!(out, "  {returned:<15}{needed:<9}{depth:>5}{one:>10}{five:>10}{mrr:>9}");
    }
}

fn means(out: &mut String) {
    for (what, values, mean) in &MEANS {
        let mean = mean.map_or_else(|| "–".to_owned(), |mean| decimals(mean, 2));
        line!(out, "  {what:<44}{mean}  (n={})", values.len());
    }
}

#[cfg(test)]
mod tests;
