//! Chooses the strength of regularisation and the rule for ties on held-out rows.
//!
//! A fifth of the groups, drawn with the seed, is held out while a model is trained for every strength; if that is few
//! pairs, other fifths are, too. There are few strengths to choose from, and one tie factor: beyond
//! [`MAX_TUNING_PAIRS`] pairs, a sample of whole groups is enough to choose on. The model is then trained on all pairs, against which a prior weighs less: see
//! [`Learner::strength_for_part`].

use super::folds::GroupSample;
use super::learner::{Labelled, Learner, Predictor};
use super::ties::TieRule;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};

/// The most pairs on which hyperparameters are tuned.
pub const MAX_TUNING_PAIRS: usize = 40_000;

/// The share of the groups that is held out.
const HELD_OUT: f64 = 0.2;

/// Further parts are held out until this many pairs have been predicted: on fewer, the choice depends on chance.
const MIN_HELD_OUT: usize = 1_000;

/// The most parts that are held out, one after another.
const MAX_PARTS: u64 = 5;

/// The distance between the seeds of two parts; those of folds are next to each other.
const PART_SEED: u64 = 1_000;

/// The hyperparameters chosen on held-out rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TunedHyperparameters<J> {
    /// The strength of regularisation, see [`Learner::strengths`].
    pub strength: f64,
    /// See [`TieRule`].
    pub tie_factor: f64,
    /// A model trained on a part of the rows with that strength, to start from.
    pub start: Option<J>,
}

/// What models of each strength predict of held-out rows.
pub(super) struct ValidationScores<J> {
    /// One model per strength.
    models: Vec<J>,
    labels: Vec<Verdict>,
    /// Probabilities: (strengths, rows).
    probabilities: Vec<Vec<Probabilities>>,
    /// The total weighted log loss of each strength.
    losses: Vec<f64>,
}

impl<J: Clone> ValidationScores<J> {
    /// Trains on a part of the rows and predicts the others; empty where there is nothing to choose or to learn from.
    pub(super) fn measure<L: Learner<Predictor = J>>(
        learner: &L,
        data: Labelled<'_, L::Table>,
        rows: &[usize],
        ties: TieRule,
        seed: u64,
    ) -> Result<Self>
    where
        J: Predictor<L::Table>,
    {
        let strengths = learner.strengths();
        let nothing =
            Self { models: vec![], labels: vec![], probabilities: vec![], losses: vec![0.0; strengths.len()] };
        if strengths.len() == 1 && ties == TieRule::Likeliest {
            return Ok(nothing);
        }
        let sample = GroupSample::at_most(data.groups, rows, MAX_TUNING_PAIRS, seed).rows;
        let times = rows.len() as f64 / sample.len() as f64;
        let strengths: Vec<f64> =
            strengths.iter().map(|&strength| learner.strength_for_part(strength, times)).collect();
        let mut scores = nothing;
        for part in 0..MAX_PARTS {
            if scores.labels.len() >= MIN_HELD_OUT {
                break;
            }
            let held_out = GroupSample::share(data.groups, &sample, HELD_OUT, seed + PART_SEED * part).rows;
            let is_training = |row: &usize| held_out.binary_search(row).is_err();
            let training: Vec<usize> = sample.iter().copied().filter(is_training).collect();
            if data.is_decided(&training) {
                scores.add(learner.fit_loosely(data, &training, &strengths, None)?, data, &held_out);
            }
        }
        Ok(scores)
    }

    /// Adds the probabilities of held-out rows by models of each strength.
    fn add<T: ?Sized>(&mut self, models: Vec<J>, data: Labelled<'_, T>, held_out: &[usize])
    where
        J: Predictor<T>,
    {
        self.probabilities.resize(models.len(), Vec::new());
        for ((model, loss), probabilities) in models.iter().zip(&mut self.losses).zip(&mut self.probabilities) {
            for &row in held_out {
                let given = model.probabilities(data.table, row);
                *loss += data.weight(row) * given.log_loss(data.labels[row]);
                probabilities.push(given);
            }
        }
        self.labels.extend(held_out.iter().map(|&row| data.labels[row]));
        self.models = models;
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
        start: scores.iter().find_map(|scores| scores.models.get(best).cloned()),
    }
}
