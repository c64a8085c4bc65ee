//! The label that an output is expected to have, by its score and features: Platt 1999, "Probabilistic Outputs for Support
//! Vector Machines", section 2, with the features of the output as further terms.
//!
//! ```text
//! share(s, f) = 1 / (1 + exp(-(slope s + intercept + sum_j w_j (f_j - mean_j) / deviation_j)))
//! ```
//!
//! A score that was learned from pairs orders the outputs of one prompt; features make up for what differs between prompts.
//! Their weights have a penalty, which is chosen on held-out outputs; the strongest leaves them out, which is Platt's curve.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::design::{Bound, Design};
use super::fit::fit;
use super::model::Preference;
use super::newton::Stop;
use crate::error::Result;
use crate::evaluation::Folds;
use crate::features::{ColumnValue, Table};
use crate::judgments::Verdict;

/// The penalties of the weights of features to choose from, from strong to weak; none: without features.
const PENALTIES: [Option<f64>; 6] = [None, Some(0.3), Some(0.1), Some(0.03), Some(0.01), Some(0.003)];

/// The penalty where there are no features: only where scores separate the labels, it matters.
const ALONE: f64 = 1e-4;

/// Slope and intercept count as this much larger than the features, which takes the penalty off them.
const UNPENALISED: f64 = 10.0;

/// Features are clipped at this many standard deviations from the mean.
const CLIP: f64 = 5.0;

const STOP: Stop = Stop { tolerance: 1e-5, max_iterations: 1000, is_final: true };

/// Outputs with a score, and features of which higher values count for them unless `bounds` say otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredOutputs {
    /// The score of each output.
    pub scores: Vec<f64>,
    /// Their features; NaN where there is none. (outputs, features)
    pub features: Array2<f64>,
    /// The bound of the weight of each feature.
    pub bounds: Vec<Bound>,
}

impl ScoredOutputs {
    /// Outputs of which only the scores are known.
    pub fn without_features(scores: Vec<f64>) -> Self {
        Self { features: Array2::zeros((scores.len(), 0)), scores, bounds: Vec::new() }
    }

    /// The first hypotheses of a table, with scores.
    pub fn of_table(table: &Table, scores: Vec<f64>) -> Self {
        let bounds: Vec<Bound> = table.monotonicity().map(Bound::new).collect();
        let mut features = Array2::zeros((table.len(), bounds.len()));
        for (row, mut to) in features.rows_mut().into_iter().enumerate() {
            let values = table.values(row).filter_map(ColumnValue::of_each);
            to.iter_mut().zip(values).for_each(|(to, [first, _])| *to = first);
        }
        Self { scores, features, bounds }
    }

    /// The first hypotheses of a table, with their scores by a model.
    pub fn by(preference: &Preference, table: &Table) -> Self {
        Self::of_table(table, (0..table.len()).map(|row| preference.scores(table, row)[0]).collect())
    }

    /// Some of the outputs.
    pub fn rows(&self, rows: &[usize]) -> Self {
        Self {
            scores: rows.iter().map(|&row| self.scores[row]).collect(),
            features: self.features.select(Axis(0), rows),
            bounds: self.bounds.clone(),
        }
    }

    /// The same, and further outputs.
    ///
    /// # Panics
    /// They have other features.
    pub fn followed_by(mut self, others: &Self) -> Self {
        self.scores.extend(&others.scores);
        self.features.append(Axis(0), others.features.view()).expect("the same features");
        self
    }
}

/// The share of its label's range that an output is expected to have: of labels that pass or fail, the probability of a
/// pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelCurve {
    /// The increase of the log odds with the score; 0 or more.
    pub slope: f64,
    /// The log odds at a score of 0 and mean features.
    pub intercept: f64,
    /// The weights of features; empty where they do not help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<FeatureTerm>,
}

/// The weight of a feature with its scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FeatureTerm {
    /// The mean over the outputs that it was learned from.
    pub mean: f64,
    /// The standard deviation; 0 where it does not vary.
    pub deviation: f64,
    /// The increase of the log odds with a standard deviation.
    pub weight: f64,
}

impl FeatureTerm {
    fn measure(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Self { mean, deviation: variance.sqrt(), weight: 0.0 }
    }

    /// A value in standard deviations from the mean; 0 where there is none.
    fn standardised(self, value: f64) -> f64 {
        let Self { mean, deviation, .. } = self;
        if deviation > 0.0 && !value.is_nan() { ((value - mean) / deviation).clamp(-CLIP, CLIP) } else { 0.0 }
    }
}

impl LabelCurve {
    /// The expected shares of outputs with labels from 0 to 1, each by a curve that was fitted to the outputs of other folds;
    /// and the curve of all outputs.
    ///
    /// # Errors
    /// There is no output; a fit does not converge.
    pub fn cross_fit(outputs: &ScoredOutputs, labels: &[f64], folds: &Folds) -> Result<(Vec<f64>, Self)> {
        let penalties = if outputs.bounds.is_empty() { &PENALTIES[..1] } else { &PENALTIES[..] };
        let of_fold = |fold: usize| {
            let (others, rows) = (folds.without(fold), folds.rows(fold));
            let known: Vec<f64> = others.iter().map(|&row| labels[row]).collect();
            let (known_outputs, held_out) = (outputs.rows(&others), outputs.rows(&rows));
            let by = |&penalty: &Option<f64>| {
                let shares = Self::fit(&known_outputs, &known, penalty)?.shares(&held_out);
                let loss: f64 = shares.iter().zip(&rows).map(|(&share, &row)| log_loss(share, labels[row])).sum();
                Ok((shares, loss))
            };
            penalties.iter().map(by).collect::<Result<Vec<(Vec<f64>, f64)>>>()
        };
        let found = (0..folds.count).into_par_iter().map(of_fold).collect::<Result<Vec<_>>>()?;
        // The penalty of a fold is the best one of the others.
        let best = |without: Option<usize>| {
            let loss = |penalty: usize| -> f64 {
                let others = found.iter().enumerate().filter(|(fold, _)| Some(*fold) != without);
                others.map(|(_, of_fold)| of_fold[penalty].1).sum()
            };
            (0..penalties.len()).min_by(|&one, &other| loss(one).total_cmp(&loss(other))).unwrap_or(0)
        };
        let shares = found.iter().enumerate().map(|(fold, of_fold)| of_fold[best(Some(fold))].0.clone()).collect();
        Ok((folds.gather(shares), Self::fit(outputs, labels, penalties[best(None)])?))
    }

    /// Fits the curve; a label between 0 and 1 counts as both, in its shares.
    fn fit(outputs: &ScoredOutputs, labels: &[f64], penalty: Option<f64>) -> Result<Self> {
        let score = FeatureTerm::measure(outputs.scores.iter().copied());
        let columns = outputs.features.columns().into_iter().filter(|_| penalty.is_some());
        let mut features: Vec<FeatureTerm> =
            columns.map(|column| FeatureTerm::measure(column.iter().copied())).collect();
        let is_part = |part: &(usize, Verdict, f64)| part.2 > 0.0;
        let both = |(row, &label): (usize, &f64)| [(row, Verdict::First, label), (row, Verdict::Second, 1.0 - label)];
        let parts: Vec<(usize, Verdict, f64)> = labels.iter().enumerate().flat_map(both).filter(is_part).collect();
        // p(1) = sigma(2 w.x) of a regression without intercept on (score, 1, features).
        let value = |(part, column): (usize, usize)| match column {
            0 => UNPENALISED * score.standardised(outputs.scores[parts[part].0]),
            1 => UNPENALISED,
            at => features[at - 2].standardised(outputs.features[[parts[part].0, at - 2]]),
        };
        let count = labels.len().max(1) as f64;
        let bounds = outputs.bounds.iter().take(features.len()).copied();
        let design = Design {
            rows: Array2::from_shape_fn((parts.len(), 2 + features.len()), value),
            hypothesis_columns: 2 + features.len(),
            bounds: [Bound::AtLeastZero, Bound::Free].into_iter().chain(bounds).collect(),
            labels: parts.iter().map(|part| part.1).collect(),
            weights: parts.iter().map(|part| part.2 / count).collect(),
        };
        let penalty = penalty.unwrap_or(ALONE * UNPENALISED * UNPENALISED);
        let weights = fit(&design, penalty, STOP, None)?.weights.hypothesis;
        features.iter_mut().zip(&weights[2..]).for_each(|(term, weight)| term.weight = 2.0 * weight);
        let slope = if score.deviation > 0.0 { 2.0 * UNPENALISED * weights[0] / score.deviation } else { 0.0 };
        Ok(Self { slope, intercept: 2.0 * UNPENALISED * weights[1] - slope * score.mean, features })
    }

    /// The expected share of an output with this score and these features, in (0, 1).
    fn share(&self, score: f64, features: impl Iterator<Item = f64>) -> f64 {
        let terms = self.features.iter().zip(features).map(|(term, value)| term.weight * term.standardised(value));
        1.0 / (1.0 + (-(self.slope * score + self.intercept + terms.sum::<f64>())).exp())
    }

    /// The expected shares of outputs.
    pub fn shares(&self, outputs: &ScoredOutputs) -> Vec<f64> {
        let rows = outputs.scores.iter().zip(outputs.features.rows());
        rows.map(|(&score, features)| self.share(score, features.iter().copied())).collect()
    }
}

/// The log loss of an expected share.
fn log_loss(share: f64, label: f64) -> f64 {
    let cost = |part: f64, share: f64| if part > 0.0 { -part * share.max(f64::MIN_POSITIVE).ln() } else { 0.0 };
    cost(label, share) + cost(1.0 - label, 1.0 - share)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::evaluation::Groups;

    fn fitted(scores: &[f64], labels: &[f64]) -> impl Fn(f64) -> f64 {
        let curve = LabelCurve::fit(&ScoredOutputs::without_features(scores.to_vec()), labels, None).unwrap();
        move |score| curve.share(score, std::iter::empty())
    }

    #[test]
    fn the_curve_has_the_largest_likelihood() {
        // There, the sums of labels and expected shares are equal, and so are those of score times either.
        let scores: Vec<f64> = (0..200).map(|at| f64::from(at % 40) / 10.0).collect();
        let marks = |is: fn(u32) -> f64| (0..200).map(is).collect::<Vec<f64>>();
        for labels in
            [marks(|at| f64::from(u8::from(at % 40 + (at * 7) % 30 > 34))), marks(|at| f64::from(at % 40) / 50.0 + 0.1)]
        {
            let share = fitted(&scores, &labels);
            let errors = || scores.iter().zip(&labels).map(|(&score, label)| (score, share(score) - label));
            assert!(errors().map(|(_, error)| error).sum::<f64>().abs() < 0.05);
            assert!(errors().map(|(score, error)| score * error).sum::<f64>().abs() < 0.2);
            assert!(share(0.0) < 0.3 && share(4.0) > 0.7);
        }
    }

    #[test]
    fn scores_that_separate_or_say_nothing_have_a_finite_curve() {
        let separate = fitted(&[1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 1.0, 1.0]);
        assert!(separate(4.0) > 0.9 && separate(1.0) < 0.1);
        let reversed = fitted(&[4.0, 3.0, 2.0, 1.0], &[0.0, 0.0, 1.0, 1.0]);
        assert_eq!(reversed(1.0), reversed(4.0));
        assert!((fitted(&[2.0; 4], &[1.0, 1.0, 1.0, 0.0])(2.0) - 0.75).abs() < 1e-2);
    }

    #[test]
    fn features_count_where_they_help_on_held_out_outputs() {
        let count = 300;
        let mut draw = ChaCha8Rng::seed_from_u64(1);
        let drawn: Vec<[f64; 3]> = (0..count).map(|_| [0; 3].map(|_| draw.random())).collect();
        let labels: Vec<f64> = drawn.iter().map(|[score, other, _]| f64::from(u8::from(score + other > 1.0))).collect();
        let cross_fitted = |column: usize| {
            let outputs = ScoredOutputs {
                scores: drawn.iter().map(|values| values[0]).collect(),
                features: Array2::from_shape_fn(
                    (count, 1),
                    |(at, _)| if at == 7 { f64::NAN } else { drawn[at][column] },
                ),
                bounds: vec![Bound::AtLeastZero],
            };
            let folds = Folds::new(&Groups { of_row: (0..count).collect(), count }, 10, 1).unwrap();
            LabelCurve::cross_fit(&outputs, &labels, &folds).unwrap()
        };
        let loss = |(shares, _): &(Vec<f64>, LabelCurve)| {
            shares.iter().zip(&labels).map(|(&share, &label)| log_loss(share, label)).sum::<f64>() / count as f64
        };
        let (helps, noise) = (cross_fitted(1), cross_fitted(2));
        assert!(loss(&helps) < 0.3 && loss(&noise) > 0.4, "{} {}", loss(&helps), loss(&noise));
        assert!(helps.1.features[0].weight > 1.0);
        assert!(noise.1.features.first().is_none_or(|term| term.weight < 0.2), "{:?}", noise.1);
    }
}
