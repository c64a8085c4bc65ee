//! Chooses the strength of regularisation and the rule for ties on held-out rows.
//!
//! A fifth of the groups, drawn with the seed, is held out while a judge is trained for every strength. There are few
//! strengths to choose from, and one tie factor: beyond [`MAX_TUNING_PAIRS`] pairs, a sample of whole groups is enough
//! to choose on. The judge is then trained on all pairs, against which a prior weighs less: see
//! [`Learner::strength_for_part`].

use super::folds::GroupSample;
use super::learner::{Judge, Labelled, Learner};
use super::ties::TieRule;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// The most pairs on which hyperparameters are tuned.
pub const MAX_TUNING_PAIRS: usize = 40_000;

/// The share of the groups that is held out.
const HELD_OUT: f64 = 0.2;

/// The hyperparameters chosen on held-out rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedHyperparameters<J> {
    /// The strength of regularisation, see [`Learner::strengths`].
    pub strength: f64,
    /// See [`TieRule`].
    pub tie_factor: f64,
    /// A judge trained on a part of the rows with that strength, to start from.
    pub start: Option<J>,
}

/// How judges of each strength judge held-out rows.
pub(super) struct ValidationScores<J> {
    /// One judge per strength.
    judges: Vec<J>,
    labels: Vec<Verdict>,
    /// Probabilities: (strengths, rows).
    probabilities: Vec<Vec<Probabilities>>,
    /// The total weighted log loss of each strength.
    losses: Vec<f64>,
}

impl<J: Clone> ValidationScores<J> {
    /// Trains on a part of the rows and judges the others; empty where there is nothing to choose or to learn from.
    pub(super) fn measure<L: Learner<Judge = J>>(
        learner: &L,
        data: Labelled<'_, L::Table>,
        rows: &[usize],
        ties: TieRule,
        seed: u64,
    ) -> Result<Self>
    where
        J: Judge<L::Table>,
    {
        let strengths = learner.strengths();
        let nothing =
            Self { judges: vec![], labels: vec![], probabilities: vec![], losses: vec![0.0; strengths.len()] };
        if strengths.len() == 1 && ties == TieRule::Likeliest {
            return Ok(nothing);
        }
        let sample = GroupSample::at_most(data.groups, rows, MAX_TUNING_PAIRS, seed).rows;
        let held_out = GroupSample::share(data.groups, &sample, HELD_OUT, seed).rows;
        let training: Vec<usize> = sample.iter().copied().filter(|row| held_out.binary_search(row).is_err()).collect();
        if !data.is_decided(&training) {
            return Ok(nothing);
        }
        let times = rows.len() as f64 / sample.len() as f64;
        let strengths: Vec<f64> =
            strengths.iter().map(|&strength| learner.strength_for_part(strength, times)).collect();
        let judges = learner.fit_loosely(data, &training, &strengths, None)?;
        let judge = |judge: &J| held_out.iter().map(|&row| judge.probabilities(data.table, row)).collect();
        let probabilities: Vec<Vec<Probabilities>> = judges.iter().map(judge).collect();
        let loss = |given: &Vec<Probabilities>| {
            let of_rows = held_out.iter().zip(given);
            of_rows.map(|(&row, given)| data.weight(row) * given.log_loss(data.labels[row])).sum()
        };
        Ok(Self {
            losses: probabilities.iter().map(loss).collect(),
            labels: held_out.iter().map(|&row| data.labels[row]).collect(),
            judges,
            probabilities,
        })
    }
}

/// The strength with the least total log loss, the strongest of equals, and the tie factor that follows from the rule
/// with that strength.
pub(super) fn tuned<J: Clone>(
    scores: &[&ValidationScores<J>],
    strengths: &[f64],
    ties: TieRule,
) -> TunedHyperparameters<J> {
    let loss = |step: usize| scores.iter().map(|scores| scores.losses[step]).sum::<f64>();
    let losses: Vec<f64> = (0..strengths.len()).map(loss).collect();
    let best = (0..losses.len()).fold(0, |best, step| if losses[step] < losses[best] { step } else { best });
    let labels: Vec<Verdict> = scores.iter().flat_map(|scores| &scores.labels).copied().collect();
    let given = scores.iter().filter_map(|scores| scores.probabilities.get(best)).flatten().copied();
    TunedHyperparameters {
        strength: strengths[best],
        tie_factor: if labels.is_empty() { 1.0 } else { ties.factor(&labels, &given.collect::<Vec<_>>()) },
        start: scores.iter().find_map(|scores| scores.judges.get(best).cloned()),
    }
}
