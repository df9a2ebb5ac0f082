//! The names of `trec_eval`'s measures, as people give them (`P.5,10`) and as it prints them (`P_5`, `P_10`).

use super::Value;

/// A measure with its cut-offs.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// Results.
    NumRet,
    /// Relevant documents.
    NumRel,
    /// Relevant results.
    NumRelRet,
    /// Average precision.
    Map,
    /// The same, with the geometric mean over topics.
    GmMap,
    /// Precision at as many results as there are relevant documents.
    Rprec,
    /// How seldom judged wrong results stand above relevant ones.
    Bpref,
    /// 1 / rank of the first relevant result.
    RecipRank,
    /// The best precision at or below these shares of the relevant documents.
    IprecAtRecall(Vec<f64>),
    /// Relevant results in the first K / K.
    P(Vec<usize>),
    /// Relevant results in the first K / relevant documents.
    Recall(Vec<usize>),
    /// Discounted gain of the list / that of the best list, grades being the gain.
    Ndcg,
    /// The same of the first K.
    NdcgCut(Vec<usize>),
    /// Average precision of the first K.
    MapCut(Vec<usize>),
    /// 1 if a relevant result is in the first K.
    Success(Vec<usize>),
}

/// Why a measure is not to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// There is none of that name.
    #[error("there is no measure `{0}` here; there are {names}", names = NAMES.join(", "))]
    Unknown(String),
    /// Its cut-offs are none.
    #[error("`{cut}` is no cut-off of `{measure}`; expected {expected}, as in `{measure}.{example}`")]
    Cut {
        /// The measure.
        measure: String,
        /// What was given.
        cut: String,
        /// What a cut-off of it is.
        expected: &'static str,
        /// Cut-offs that are right.
        example: &'static str,
    },
}

/// All names, in the order of print.
const NAMES: [&str; 16] = [
    "official",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
    "recall",
    "ndcg",
    "ndcg_cut",
    "map_cut",
    "success",
];
const CUTS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// The measures that `trec_eval` prints unasked.
#[must_use]
pub fn official() -> Vec<Measure> {
    let shares = (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    vec![
        Measure::NumRet,
        Measure::NumRel,
        Measure::NumRelRet,
        Measure::Map,
        Measure::GmMap,
        Measure::Rprec,
        Measure::Bpref,
        Measure::RecipRank,
        Measure::IprecAtRecall(shares),
        Measure::P(CUTS.to_vec()),
    ]
}

impl Measure {
    /// The measures that were asked for, as `trec_eval -m` takes them, in the order of print. Without any, the official ones.
    pub fn parse<S: AsRef<str>>(asked: &[S]) -> Result<Vec<Self>, MeasureError> {
        let mut measures: Vec<Self> = Vec::new();
        let mut add = |measure: Self| {
            // Of a measure that is asked for twice, the last cut-offs count.
            measures.retain(|known| known.place() != measure.place());
            measures.push(measure);
        };
        if asked.is_empty() {
            return Ok(official());
        }
        for asked in asked {
            let asked = asked.as_ref();
            match asked {
                "official" => official().into_iter().for_each(&mut add),
                _ => add(Self::one(asked)?),
            }
        }
        measures.sort_by_key(Self::place);
        Ok(measures)
    }

    fn one(asked: &str) -> Result<Self, MeasureError> {
        let (name, cuts) = match asked.split_once('.') {
            Some((name, cuts)) => (name, Some(cuts)),
            None => (asked, None),
        };
        let unknown = || MeasureError::Unknown(asked.to_owned());
        let ks = |unasked: &[usize]| cuts.map_or_else(|| Ok(unasked.to_vec()), |cuts| ranks(name, cuts));
        let measure = match name {
            "iprec_at_recall" => match (cuts, official().into_iter().find(|known| known.name() == name)) {
                (None, Some(official)) => official,
                (cuts, _) => Self::IprecAtRecall(shares(name, cuts.unwrap_or_default())?),
            },
            "P" => Self::P(ks(&CUTS)?),
            "recall" => Self::Recall(ks(&CUTS)?),
            "ndcg_cut" => Self::NdcgCut(ks(&CUTS)?),
            "map_cut" => Self::MapCut(ks(&CUTS)?),
            "success" => Self::Success(ks(&[1, 5, 10])?),
            _ if cuts.is_some() => return Err(unknown()),
            "num_ret" => Self::NumRet,
            "num_rel" => Self::NumRel,
            "num_rel_ret" => Self::NumRelRet,
            "map" => Self::Map,
            "gm_map" => Self::GmMap,
            "Rprec" => Self::Rprec,
            "bpref" => Self::Bpref,
            "recip_rank" => Self::RecipRank,
            "ndcg" => Self::Ndcg,
            _ => return Err(unknown()),
        };
        Ok(measure)
    }

    fn name(&self) -> &'static str {
        match self {
            Self::NumRet => "num_ret",
            Self::NumRel => "num_rel",
            Self::NumRelRet => "num_rel_ret",
            Self::Map => "map",
            Self::GmMap => "gm_map",
            Self::Rprec => "Rprec",
            Self::Bpref => "bpref",
            Self::RecipRank => "recip_rank",
            Self::IprecAtRecall(_) => "iprec_at_recall",
            Self::P(_) => "P",
            Self::Recall(_) => "recall",
            Self::Ndcg => "ndcg",
            Self::NdcgCut(_) => "ndcg_cut",
            Self::MapCut(_) => "map_cut",
            Self::Success(_) => "success",
        }
    }

    fn place(&self) -> Option<usize> {
        NAMES.iter().position(|name| *name == self.name())
    }

    /// Its values by their printed names.
    pub(super) fn values(&self) -> Vec<Value> {
        let name = self.name();
        let names: Vec<String> = match self {
            Self::P(ks) | Self::Recall(ks) | Self::NdcgCut(ks) | Self::MapCut(ks) | Self::Success(ks) => {
                ks.iter().map(|k| format!("{name}_{k}")).collect()
            }
            Self::IprecAtRecall(shares) => shares.iter().map(|share| format!("{name}_{share:.2}")).collect(),
            _ => vec![name.to_owned()],
        };
        let count = matches!(self, Self::NumRet | Self::NumRel | Self::NumRelRet);
        let overall_only = matches!(self, Self::GmMap);
        names.into_iter().map(|name| Value { name, value: 0.0, count, overall_only }).collect()
    }
}

fn ranks(measure: &str, cuts: &str) -> Result<Vec<usize>, MeasureError> {
    let fault = |cut: &str| MeasureError::Cut {
        measure: measure.to_owned(),
        cut: cut.to_owned(),
        expected: "ranks from 1",
        example: "5,10",
    };
    let rank = |cut: &str| cut.parse().ok().filter(|&rank| rank > 0).ok_or_else(|| fault(cut));
    let mut ranks = cuts.split(',').map(rank).collect::<Result<Vec<usize>, _>>()?;
    ranks.sort_unstable();
    ranks.dedup();
    Ok(ranks)
}

fn shares(measure: &str, cuts: &str) -> Result<Vec<f64>, MeasureError> {
    let fault = |cut: &str| MeasureError::Cut {
        measure: measure.to_owned(),
        cut: cut.to_owned(),
        expected: "shares from 0 to 1",
        example: ".1,.5",
    };
    let share = |cut: &str| cut.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| fault(cut));
    let mut shares = cuts.split(',').map(share).collect::<Result<Vec<f64>, _>>()?;
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    Ok(shares)
}
