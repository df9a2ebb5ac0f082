//! Run-to-run noise for people: which cases do not come out the same, and how far the means lie apart.

use std::fmt::Write as _;

use super::decimals;
use crate::{
    domain::text::clean,
    eval::noise::{Noise, Unsteady},
};

/// The noise between repeats, in lines.
#[must_use]
pub fn text(noise: &Noise) -> String {
    let mut text = String::new();
    text_into(&mut text, noise).unwrap_or_default();
    text
}

fn text_into(text: &mut String, noise: &Noise) -> std::fmt::Result {
    let Noise { repeats, cases, silent, reordered, unsteady, spread } = noise;
    if silent == cases {
        return writeln!(text, "noise is not known: no call of {repeats} repeats was answered");
    }
    if *silent > 0 {
        writeln!(text, "noise is not known for {silent} of {cases} cases: no call of theirs was answered")?;
    }
    if noise.none() {
        return writeln!(text, "no noise: {repeats} repeats gave the same rankings");
    }
    writeln!(text, "noise: {repeats} repeats gave other rankings in {reordered} of {cases} cases")?;
    for spread in spread {
        let (least, greatest) = (decimals(spread.least, 3), decimals(spread.greatest, 3));
        writeln!(text, "  {:<12}  {least} to {greatest}", spread.metric)?;
    }
    let (flipping, others): (Vec<&Unsteady>, Vec<_>) = unsteady.iter().partition(|case| case.flips());
    let (moving, failing): (Vec<&Unsteady>, Vec<_>) = others.into_iter().partition(|case| case.errors == 0);
    let what = [
        (flipping, "found in one repeat and not in another"),
        (moving, "the first supporting chunk stands at another rank"),
        (failing, "the call failed in some repeats"),
    ];
    for (cases, what) in what.iter().filter(|(cases, _)| !cases.is_empty()) {
        writeln!(text, "\n{} {}, {what}:", cases.len(), if cases.len() == 1 { "case" } else { "cases" })?;
        for case in cases {
            let rank = |rank: &Option<usize>| rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
            let ranks: Vec<String> = case.rank.iter().map(rank).collect();
            let errors = if case.errors == 0 { String::new() } else { format!(", {} failed", case.errors) };
            let (id, question) = (clean(&case.id), clean(&case.question));
            writeln!(text, "  {id}  rank {}{errors}  {question}", ranks.join(" "))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::noise::Spread;

    #[test]
    fn no_noise_is_one_line() {
        let noise = Noise { repeats: 3, cases: 54, silent: 0, reordered: 0, unsteady: Vec::new(), spread: Vec::new() };
        assert_eq!(text(&noise), "no noise: 3 repeats gave the same rankings\n");
        let noise = Noise { silent: 2, ..noise };
        let expected = "noise is not known for 2 of 54 cases: no call of theirs was answered\nno noise: 3 repeats gave the same rankings\n";
        assert_eq!(text(&noise), expected);
        let noise = Noise { silent: 54, ..noise };
        assert_eq!(text(&noise), "noise is not known: no call of 3 repeats was answered\n");
    }

    #[test]
    fn flips_moves_and_failures_are_named_apart_with_their_ranks() {
        let case = |id: &str, recall: [Option<f64>; 2], rank: [Option<usize>; 2], errors| Unsteady {
            id: id.to_owned(),
            question: "how\tlong".to_owned(),
            recall: recall.to_vec(),
            rank: rank.to_vec(),
            errors,
        };
        let noise = Noise {
            repeats: 2,
            cases: 5,
            silent: 0,
            reordered: 4,
            unsteady: vec![
                case("flip", [Some(1.0), Some(0.0)], [Some(2), None], 0),
                case("move", [Some(1.0), Some(1.0)], [Some(1), Some(3)], 0),
                case("fail", [Some(1.0), None], [Some(1), None], 1),
            ],
            spread: vec![Spread { metric: "recall", least: 2.0 / 3.0, greatest: 1.0 }],
        };
        let expected = "\
noise: 2 repeats gave other rankings in 4 of 5 cases
  recall        0.667 to 1.000

1 case, found in one repeat and not in another:
  flip  rank 2 –  how long

1 case, the first supporting chunk stands at another rank:
  move  rank 1 3  how long

1 case, the call failed in some repeats:
  fail  rank 1 –, 1 failed  how long
";
        assert_eq!(text(&noise), expected);
    }
}
