//! Means of human labels, of which only a random part is known, with the help of predictions of all of them.

use std::iter::Peekable;
use std::slice::Iter;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::Estimate;
use super::distributions::{Z, Z_OF_POWER};
use super::intervals::{BoundedMean, Interval};
use crate::ratio;

/// The probability below a 95% interval.
const BELOW: f64 = 0.025;

/// Sums of weights that should be equal differ by less.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Predictions of fewer unlabelled groups count nothing.
const MIN_OTHERS: usize = 10;

/// A value that a human label may give, and that is predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// The group of the pair: observations of one group are not independent.
    pub group: usize,
    /// Its share in the mean, relative to others.
    pub weight: f64,
    /// The value by the human label; `None` if the pair is not labelled.
    pub label: Option<f64>,
    /// The predicted value; from a predictor that did not see the label.
    pub predicted: Option<f64>,
    /// The probability with which the pair was drawn for labelling; `None` if it was the same for all. Of several waves,
    /// that of [`combined_probabilities`](super::combined_probabilities).
    pub drawn: Option<f64>,
}

/// The estimate of a mean.
#[derive(Debug, Clone, PartialEq)]
pub struct PoweredMean {
    /// The estimate.
    pub value: f64,
    /// How much the predictions count, in [0, 1]; 0 without predictions, 1 without labels.
    pub lambda: f64,
    /// What each group adds to the error of the estimate, by group.
    influences: Vec<(usize, Influence)>,
}

/// What a group adds to the error of an estimate. Predictions are multiplied by lambda.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Influence {
    /// By the labels.
    labels: f64,
    /// By the predictions of the labelled observations.
    predictions: f64,
    /// By the predictions that stand for all observations.
    imputed: f64,
    /// The largest 1/pi^2 of its labels, which were drawn with the probability pi, 1 where that is not known; 1 of
    /// predictions where nothing is labelled.
    rarity: f64,
}

impl Influence {
    /// That on the estimate.
    fn sum(&self) -> f64 {
        self.labels - self.predictions + self.imputed
    }
}

impl PoweredMean {
    /// The mean of the labels of all observations, if the labelled ones are a random part: by prediction-powered
    /// inference,
    ///
    /// ```text
    /// lambda sum_u w_u f_u + sum_l w_l (y_l - lambda f_l)
    /// ```
    ///
    /// over the unlabelled observations u and the labelled ones l, with labels y, predictions f, and weights w that sum
    /// to 1 in both parts. Where it is known with which probabilities observations were drawn for labelling, the weights
    /// of the labelled ones are divided by them, and u are all observations, as those that were not drawn are no random
    /// part. `lambda` minimises the variance, in [0, 1], unless it is given: for n labels and N other observations that are
    /// independent it is cov(y, f) / ((1 + n/N) var f). Angelopoulos, Duchi and Zrnic 2023, "PPI++: Efficient
    /// Prediction-Powered Inference", section 6; for weights, Zrnic and Candès 2024, "Active Statistical Inference". With predictors that are cross-fitted on the
    /// labels it is the estimate of Zrnic and Candès 2024, "Cross-Prediction-Powered Inference".
    ///
    /// All labels count; where some of their observations lack a prediction, `f_l` is over those that have one, with weights that
    /// sum to 1. Where fewer than 10 unlabelled groups have a prediction their spread is unknown, and lambda is 0 unless given.
    ///
    /// Without predictions it is the mean of the labels, without labels that of the predictions; `None` without either.
    pub fn new(observations: &[Observation], lambda: Option<f64>) -> Option<Self> {
        let is_usable = |seen: &&Observation| seen.label.is_some() || seen.predicted.is_some();
        let usable: Vec<&Observation> = observations.iter().filter(is_usable).collect();
        let labelled: Vec<&Observation> = usable.iter().filter(|seen| seen.label.is_some()).copied().collect();
        let compared: Vec<&Observation> = labelled.iter().filter(|seen| seen.predicted.is_some()).copied().collect();
        let others: Vec<&Observation> = usable.iter().filter(|seen| seen.label.is_none()).copied().collect();
        let label = |seen: &Observation| seen.label.unwrap_or_default();
        let predicted = |seen: &Observation| seen.predicted.unwrap_or_default();
        let is_drawn = labelled.iter().any(|seen| seen.drawn.is_some());
        let imputed = if is_drawn { [&*compared, &*others].concat() } else { others.clone() };
        let [of_labelled, of_compared] = [&labelled, &compared].map(|seen| weights(seen, |seen| seen.drawn));
        let of_imputed = weights(&imputed, |_| None);
        let lambda = match (labelled.is_empty(), others.is_empty()) {
            (true, true) => return None,
            (true, false) => 1.0,
            (false, _) if others.is_empty() || compared.is_empty() => 0.0,
            (false, _) => lambda.unwrap_or_else(|| {
                let groups: FxHashSet<usize> = others.iter().map(|seen| seen.group).collect();
                let parts = [(&*labelled, &*of_labelled), (&*compared, &*of_compared), (&*imputed, &*of_imputed)];
                if groups.len() < MIN_OTHERS { 0.0 } else { best_lambda(parts, is_drawn) }
            }),
        };
        let mut influences: FxHashMap<usize, Influence> = FxHashMap::default();
        let mut add = |seen: &[&Observation], weights: &[f64], value: &dyn Fn(&Observation) -> f64, part: Part| {
            // Divided by the sum of the weights, which is 1 but for rounding: the mean of equal values is that value.
            let sum: f64 = seen.iter().zip(weights).map(|(seen, weight)| weight * value(seen)).sum();
            let mean = ratio(sum, weights.iter().sum());
            for (seen, weight) in seen.iter().zip(weights) {
                *part(influences.entry(seen.group).or_default()) += weight * (value(seen) - mean);
            }
            mean
        };
        let of_labels = add(&labelled, &of_labelled, &label, |influence| &mut influence.labels);
        let scaled = |seen: &Observation| lambda * predicted(seen);
        let of_predictions = add(&compared, &of_compared, &scaled, |influence| &mut influence.predictions);
        let of_all = add(&imputed, &of_imputed, &scaled, |influence| &mut influence.imputed);
        for seen in if labelled.is_empty() { &imputed } else { &labelled } {
            let rarity = &mut influences.entry(seen.group).or_default().rarity;
            *rarity = rarity.max(inverse(seen.drawn).powi(2));
        }
        let mut influences: Vec<(usize, Influence)> = influences.into_iter().collect();
        influences.sort_unstable_by_key(|(group, _)| *group);
        Some(Self { value: of_labels - of_predictions + of_all, lambda, influences })
    }

    /// The difference of two estimates from the same observations.
    pub fn difference(&self, other: &Self) -> Self {
        let mut influences = Vec::with_capacity(self.influences.len().max(other.influences.len()));
        let (mut ours, mut others) = (self.influences.iter().peekable(), other.influences.iter().peekable());
        loop {
            let groups = [ours.peek(), others.peek()].map(|next| next.map(|(group, _)| *group));
            let Some(group) = groups.into_iter().flatten().min() else { break };
            let next = |of: &mut Peekable<Iter<'_, (usize, Influence)>>| {
                of.next_if(|(next, _)| *next == group).map_or_else(Influence::default, |(_, influence)| *influence)
            };
            let (one, two) = (next(&mut ours), next(&mut others));
            let influence = Influence {
                labels: one.labels - two.labels,
                predictions: one.predictions - two.predictions,
                imputed: one.imputed - two.imputed,
                rarity: one.rarity.max(two.rarity),
            };
            influences.push((group, influence));
        }
        Self { value: self.value - other.value, lambda: 0.0, influences }
    }

    /// The variance of the estimate: the sum of the squares of the groups' influences.
    pub fn variance(&self) -> f64 {
        self.influences.iter().map(|(_, influence)| influence.sum().powi(2)).sum()
    }

    /// The estimate with its 95% interval by the central limit theorem.
    pub fn estimate(&self) -> Estimate {
        let error = Z * self.variance().sqrt();
        Estimate { value: self.value, low: self.value - error, high: self.value + error }
    }

    /// The estimate of a share, in [0, 1].
    pub fn share(&self) -> Estimate {
        self.estimate_within([0.0, 1.0])
    }

    /// The estimate of a mean of values between two bounds, with limits of Jeffreys for its effective number of pairs.
    /// Where all n groups say the same, nothing varies: as Clopper and Pearson 1934 do for n of n successes, it is assumed
    /// that another group does so with a probability of no less than 0.025^(1/n), and else has the value of a bound.
    pub fn estimate_within(&self, [lowest, highest]: [f64; 2]) -> Estimate {
        let value = self.value;
        if !self.is_constant() {
            let Interval { low, high } = self.between([lowest, highest]).interval();
            let [low, high] = [low, high].map(|share| lowest + share * (highest - lowest));
            return Estimate { value, low: low.min(value), high: high.max(value) };
        }
        let same = self.least_agreement();
        let towards = |bound: f64| same * value + (1.0 - same) * bound;
        Estimate { value, low: towards(lowest), high: towards(highest) }
    }

    /// The mean as a share of the way from one bound to the other.
    fn between(&self, [lowest, highest]: [f64; 2]) -> BoundedMean {
        let scale = 1.0 / (highest - lowest);
        let deviations = self.influences.iter().map(move |(_, influence)| scale * influence.sum());
        BoundedMean::new(scale * (self.value - lowest), deviations, self.groups())
    }

    /// The number of labelled groups, or of groups of predictions where nothing is labelled. Of those whose labels were drawn
    /// with unequal probabilities, few that were seldom drawn may carry most of the variance; they count as
    ///
    /// ```text
    /// (sum_g 1/pi_g^2)^2 / sum_g 1/pi_g^4
    /// ```
    ///
    /// which are the degrees of freedom by Satterthwaite 1946 if all labels vary equally.
    fn groups(&self) -> f64 {
        let rarities = || self.influences.iter().map(|(_, influence)| influence.rarity);
        ratio(rarities().sum::<f64>().powi(2), rarities().map(|rarity| rarity * rarity).sum()).max(1.0)
    }

    /// Whether all groups say the same.
    pub fn is_constant(&self) -> bool {
        2.0 * Z * self.variance().sqrt() < ROUNDING
    }

    /// The least probability with which another group says the same as these, where they all do.
    pub fn least_agreement(&self) -> f64 {
        BELOW.powf(1.0 / self.groups())
    }

    /// The two-sided p-value of the hypothesis that a difference in [-1, 1] is 0, by the interval of
    /// [`Self::estimate_within`]: below 5% where that has not 0 in it.
    pub fn p_value(&self) -> f64 {
        match self.is_constant() {
            false => self.between([-1.0, 1.0]).p_value(),
            true if self.value.abs() < ROUNDING => 1.0,
            true => (2.0 * (1.0 + self.value.abs()).powf(-self.groups())).min(1.0),
        }
    }

    /// How many times as many labelled groups, or groups where none is labelled, would show this difference from 0 with a
    /// power of 80% at a level of 5%; infinite for no difference.
    pub fn growth(&self) -> f64 {
        if self.is_constant() {
            let enough = BELOW.ln() / -(1.0 + self.value.abs()).ln();
            return if self.value.abs() < ROUNDING { f64::INFINITY } else { enough / self.groups() };
        }
        self.parts().growth(self.value)
    }

    /// What `more` labels would make of the interval, where `labels` of `pool` observations have one; `None` without labels,
    /// where none is left, or where nothing varies.
    pub fn budget(&self, more: usize, labels: usize, pool: usize) -> Option<Budget> {
        let more = more.min(pool.saturating_sub(labels));
        let (parts, variance) = (self.parts(), self.variance());
        let now = parts.variance(1.0);
        if labels == 0 || more == 0 || now <= 0.0 || self.is_constant() {
            return None;
        }
        let growth = (labels + more) as f64 / labels as f64;
        let half_width = Z * (variance * parts.variance(growth).max(0.0) / now).sqrt();
        Some(Budget { labels: more, half_width })
    }

    /// What the variance for another number of labelled groups is computed from.
    pub(super) fn parts(&self) -> Parts {
        let sum = |of: fn(&Influence) -> f64| self.influences.iter().map(|(_, influence)| of(influence)).sum::<f64>();
        let labels = sum(|influence| influence.labels.powi(2));
        let imputed = sum(|influence| influence.imputed.powi(2));
        if labels == 0.0 {
            return Parts { labels: imputed, ..Parts::default() };
        }
        let product = sum(|influence| influence.labels * influence.predictions);
        Parts { labels, product, predictions: sum(|influence| influence.predictions.powi(2)), imputed }
    }
}

/// What more labels would make of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Budget {
    /// The number of further labels.
    pub labels: usize,
    /// Half the width of the 95% interval that is then to be expected.
    pub half_width: f64,
}

/// Picks a part of an influence.
type Part = fn(&mut Influence) -> &mut f64;

/// Sums over groups, of which a variance consists: for k times as many labelled groups, and predictions that count m
/// times as much as now, it is
///
/// ```text
/// (labels - 2 m product + m^2 predictions) / k + m^2 imputed
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    /// The squares of the influences of labels; without labels, of all predictions.
    labels: f64,
    /// The products of the influences of labels and of their predictions.
    product: f64,
    /// The squares of the influences of the predictions of labelled observations.
    predictions: f64,
    /// The squares of the influences of the predictions that stand for all observations.
    imputed: f64,
}

impl Parts {
    /// The least variance for k times as many labelled groups: the more labels, the less do predictions count.
    fn variance(&self, k: f64) -> f64 {
        let of_predictions = self.predictions + k * self.imputed;
        let gain = if of_predictions > 0.0 { self.product.max(0.0).powi(2) / of_predictions } else { 0.0 };
        (self.labels - gain) / k
    }

    /// The smallest difference from 0 that k times as many labelled groups, or groups where none is labelled, show with a
    /// power of 80% at a level of 5%: (z_0.975 + z_0.8) times the standard error.
    pub fn detectable(&self, k: f64) -> f64 {
        (Z + Z_OF_POWER) * self.variance(k).sqrt()
    }

    /// The k at which that is this difference, which solves a quadratic equation.
    fn growth(&self, difference: f64) -> f64 {
        let wanted = (difference / (Z + Z_OF_POWER)).powi(2);
        let Self { labels, predictions, imputed, .. } = *self;
        let product = self.product.max(0.0);
        if imputed == 0.0 || product == 0.0 {
            return labels / wanted;
        }
        let square = wanted * imputed;
        let linear = wanted * predictions - labels * imputed;
        let constant = product * product - labels * predictions;
        (-linear + (linear * linear - 4.0 * square * constant).max(0.0).sqrt()) / (2.0 * square)
    }
}

/// The inverse of a probability, if it is known.
fn inverse(probability: Option<f64>) -> f64 {
    1.0 / probability.unwrap_or(1.0).max(f64::MIN_POSITIVE)
}

/// The weights of observations, divided by a probability where it is known; they sum to 1.
fn weights(observations: &[&Observation], probability: impl Fn(&Observation) -> Option<f64>) -> Vec<f64> {
    let weight = |seen: &&Observation| seen.weight * inverse(probability(seen));
    let weights: Vec<f64> = observations.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The lambda of least variance, from the labelled observations, those of them with a prediction, and those that stand for all,
/// each with their weights. For independent observations it is that of PPI++, with
/// the variance of all predictions. Where observations share groups, it would often be too large, and where they were
/// drawn with different probabilities it is another one: then it minimises the variance of the groups' influences.
fn best_lambda([labelled, compared, imputed]: [(&[&Observation], &[f64]); 3], is_drawn: bool) -> f64 {
    let predicted = |seen: &Observation| seen.predicted.unwrap_or_default();
    let label = |seen: &Observation| seen.label.unwrap_or_default();
    let mean = |(seen, weights): (&[&Observation], &[f64]), value: &dyn Fn(&Observation) -> f64| -> f64 {
        seen.iter().zip(weights).map(|(seen, weight)| weight * value(seen)).sum()
    };
    let predicted_mean = mean(compared, &predicted);
    let groups: FxHashSet<usize> = labelled.0.iter().chain(imputed.0).map(|seen| seen.group).collect();
    let all = || compared.0.iter().chain(imputed.0);
    let ratio = if !is_drawn && groups.len() == labelled.0.len() + imputed.0.len() {
        let label_mean = mean(compared, &label);
        let product = |seen: &Observation| (label(seen) - label_mean) * (predicted(seen) - predicted_mean);
        let covariance = mean(compared, &product) * crate::ratio(compared.0.len() as f64, labelled.0.len() as f64);
        let (count, sum): (usize, f64) = (all().count(), all().map(|seen| seen.weight).sum());
        let of_all = all().map(|seen| seen.weight * predicted(seen)).sum::<f64>() / sum;
        let squares = all().map(|seen| seen.weight * (predicted(seen) - of_all).powi(2)).sum::<f64>() / sum;
        let variance = squares * count as f64 / (count as f64 - 1.0);
        covariance / ((1.0 + compared.0.len() as f64 / imputed.0.len() as f64) * variance)
    } else {
        // The influence of each group is that of its labels minus lambda times that of its predictions.
        let mut influences: FxHashMap<usize, [f64; 2]> = FxHashMap::default();
        let label_mean = mean(labelled, &label);
        for (seen, weight) in labelled.0.iter().zip(labelled.1) {
            influences.entry(seen.group).or_default()[0] += weight * (label(seen) - label_mean);
        }
        for (seen, weight) in compared.0.iter().zip(compared.1) {
            influences.entry(seen.group).or_default()[1] += weight * (predicted(seen) - predicted_mean);
        }
        let imputed_mean = mean(imputed, &predicted);
        for (seen, weight) in imputed.0.iter().zip(imputed.1) {
            influences.entry(seen.group).or_default()[1] -= weight * (predicted(seen) - imputed_mean);
        }
        let sum = |value: fn(&[f64; 2]) -> f64| influences.values().map(value).sum::<f64>();
        sum(|[labels, predictions]| labels * predictions) / sum(|[_, predictions]| predictions * predictions)
    };
    if ratio.is_finite() { ratio.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observation(group: usize, label: Option<f64>, predicted: impl Into<Option<f64>>) -> Observation {
        Observation { group, weight: 1.0, label, predicted: predicted.into(), drawn: None }
    }

    #[test]
    fn more_labels_make_the_interval_as_narrow_as_was_told() {
        let mut random = crate::numpy_random::NumpyRandom::new(5);
        let mut share = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        let [mut told, mut seen, mut told_alone, mut seen_alone] = [0.0; 4];
        for _ in 0..200 {
            let rows: Vec<(f64, f64)> = (0..400)
                .map(|_| {
                    let label = f64::from(u8::from(share() < 0.7));
                    (label, if share() < 0.85 { label } else { 1.0 - label })
                })
                .collect();
            let mean = |labels: usize, has_judge: bool| {
                let row = |(at, &(label, judge)): (usize, &(f64, f64))| {
                    observation(at, (at < labels).then_some(label), has_judge.then_some(judge))
                };
                PoweredMean::new(&rows.iter().enumerate().map(row).collect::<Vec<_>>(), None).unwrap()
            };
            let half = |mean: &PoweredMean| Z * mean.variance().sqrt();
            told += mean(60, true).budget(90, 60, 400).unwrap().half_width;
            seen += half(&mean(150, true));
            told_alone += mean(60, false).budget(90, 60, 400).unwrap().half_width;
            seen_alone += half(&mean(150, false));
            assert_eq!(mean(350, true).budget(90, 350, 400).map(|budget| budget.labels), Some(50));
            assert!(mean(400, true).budget(90, 400, 400).is_none());
        }
        assert!((told / seen - 1.0).abs() < 0.05, "{told} {seen}");
        assert!((told_alone / seen_alone - 1.0).abs() < 0.02, "{told_alone} {seen_alone}");
    }

    /// Judges that do not answer where outputs are bad, and pools of which little is unlabelled.
    #[test]
    fn intervals_hold_the_truth_where_predictions_are_few_or_missing() {
        let mut random = crate::numpy_random::NumpyRandom::new(7);
        let mut share = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        for (groups, labelled, missing) in [(45, 36, 0.0), (50, 36, 0.0), (60, 36, 0.0), (200, 60, 0.4), (60, 60, 0.4)]
        {
            let (mut held, mut sum) = (0, 0.0);
            for _ in 0..1000 {
                let mut seen = Vec::new();
                for group in 0..groups {
                    for _ in 0..2 {
                        let label = f64::from(u8::from(share() < 0.6));
                        let judge = if share() < 0.85 { label } else { 1.0 - label };
                        let is_missing = label == 0.0 && share() < missing;
                        let label = (group < labelled).then_some(label);
                        seen.push(observation(group, label, (!is_missing).then_some(judge)));
                    }
                }
                let found = PoweredMean::new(&seen, None).unwrap().share();
                held += usize::from(found.low <= 0.6 && 0.6 <= found.high);
                sum += found.value / 1000.0;
            }
            assert!(held >= 930 && (sum - 0.6).abs() < 0.01, "{groups} {labelled} {missing}: {held} {sum}");
        }
        // All are labelled, two without a prediction: the mean of all labels.
        let of = [(1.0, Some(1.0)), (0.0, None), (0.0, None), (1.0, Some(0.0))];
        let seen: Vec<Observation> =
            of.iter().enumerate().map(|(group, &(label, judge))| observation(group, Some(label), judge)).collect();
        assert_eq!(PoweredMean::new(&seen, None).unwrap().value, 0.5);
    }

    /// It adds nothing to the deviation but for rounding, on which the number of groups must not depend.
    #[test]
    fn a_group_whose_mean_is_that_of_all_counts_as_a_group() {
        let mean = |labels: &[f64]| {
            let seen: Vec<Observation> =
                labels.iter().enumerate().map(|(group, &label)| observation(group, Some(label), None)).collect();
            PoweredMean::new(&seen, None).unwrap()
        };
        let width = |labels: &[f64]| {
            let Estimate { low, high, .. } = mean(labels).estimate_within([0.0, 1.0]);
            high - low
        };
        assert!(width(&[1.0, 0.0]) > 0.99 && width(&[1.0, 0.0, 0.5]) < 0.98);
        let (one, other) = (mean(&[0.9, 0.6, 0.3, 0.6]), mean(&[0.1, 0.4, 0.7, 0.4]));
        let (rate, difference) = (one.estimate_within([0.0, 1.0]), one.difference(&other).estimate_within([-1.0, 1.0]));
        assert!((2.0 * rate.low - 1.0 - difference.low).abs() < 1e-9, "{rate:?} {difference:?}");
    }

    #[test]
    fn perfect_predictions_leave_only_the_error_of_what_they_predict() {
        let value = |at: usize| f64::from(u8::from(at.is_multiple_of(3)));
        let seen = |at: usize| observation(at, (at < 30).then(|| value(at)), value(at));
        let seen: Vec<Observation> = (0..300).map(seen).collect();
        let found = PoweredMean::new(&seen, None).unwrap();
        assert!((found.value - 1.0 / 3.0).abs() < 0.01 && (found.lambda - 0.9).abs() < 0.01, "{found:?}");
        let alone = PoweredMean::new(&seen[..30], None).unwrap();
        assert!(found.variance() < 0.2 * alone.variance());
    }

    #[test]
    fn without_predictions_it_is_the_mean_of_the_labels() {
        let seen = [1.0, 0.0, 0.5, 1.0].map(|label| observation(0, Some(label), None));
        let found = PoweredMean::new(&seen, None).unwrap();
        assert_eq!((found.value, found.lambda), (0.625, 0.0));
        assert!(found.variance() < 1e-30, "one group");
        assert_eq!(PoweredMean::new(&[], None), None);
        assert_eq!(PoweredMean::new(&[observation(0, None, 0.25)], None).unwrap().value, 0.25);
    }

    #[test]
    fn a_system_that_always_wins_may_lose_some_day() {
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(1.0), None)).collect();
        let Estimate { value, low, high } = PoweredMean::new(&seen, None).unwrap().share();
        // SciPy 1.17: stats.binomtest(30, 30).proportion_ci().low
        assert!((value - 1.0).abs() < 1e-12 && (low - 0.884_296_7).abs() < 1e-6 && high == 1.0, "{low} {high}");
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(0.0), None)).collect();
        let found = PoweredMean::new(&seen, None).unwrap().share();
        assert!(found.low == 0.0 && (found.high - 0.115_703_3).abs() < 1e-6, "{found:?}");
        // One tie after another is as sure as one win after another.
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(0.5), None)).collect();
        let found = PoweredMean::new(&seen, None).unwrap().share();
        assert!((found.low - 0.442_148_4).abs() < 1e-6 && (found.high - 0.557_851_6).abs() < 1e-6, "{found:?}");
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(f64::from(at as u8 % 2)), None)).collect();
        let found = PoweredMean::new(&seen, None).unwrap();
        let (share, normal) = (found.share(), found.estimate());
        assert!((share.low - normal.low).abs() < 0.005 && (share.high - normal.high).abs() < 0.005, "{share:?}");
    }

    #[test]
    fn unlabelled_observations_do_not_vouch_for_labels_that_are_all_alike() {
        let seen = |at: usize| observation(at, (at < 30).then_some(1.0), 1.0);
        let seen: Vec<Observation> = (0..1000).map(seen).collect();
        let (both, alone) = (PoweredMean::new(&seen, None).unwrap(), PoweredMean::new(&seen[..30], None).unwrap());
        let [both, alone] = [both, alone].map(|mean| mean.share().low);
        assert!((both - alone).abs() < 1e-9, "{both} {alone}");
    }

    #[test]
    fn groups_that_were_seldom_drawn_are_few() {
        // 20 labels stand for as many outputs as 130 others.
        let drawn = |at: usize| if at < 20 { 0.05 } else { 0.325 };
        let value = |at: usize| f64::from(at as u8 % 2);
        let seen = |at: usize| Observation { drawn: Some(drawn(at)), ..observation(at, Some(value(at)), None) };
        let seen: Vec<Observation> = (0..150).map(seen).collect();
        let groups = PoweredMean::new(&seen, None).unwrap().groups();
        assert!((25.0..30.0).contains(&groups), "{groups}");
        let alike: Vec<Observation> = seen.iter().map(|seen| Observation { drawn: None, ..*seen }).collect();
        assert!((PoweredMean::new(&alike, None).unwrap().groups() - 150.0).abs() < 1e-9);
    }

    #[test]
    fn the_more_labels_the_less_do_predictions_count() {
        // Three of four predictions are right.
        let label = |at: usize| f64::from(u8::from(at * 7 % 10 < 5));
        let predicted = |at: usize| if at.is_multiple_of(4) { 1.0 - label(at) } else { label(at) };
        let seen = |labels: usize| -> Vec<Observation> {
            (0..1000 + labels).map(|at| observation(at, (at < labels).then(|| label(at)), predicted(at))).collect()
        };
        let mean = |labels: usize, lambda: Option<f64>| PoweredMean::new(&seen(labels), lambda).unwrap();
        let few = mean(100, None);
        for factor in [1.0, 4.0, 16.0, 256.0] {
            let labels = (100.0 * factor) as usize;
            let (found, measured) = (few.parts().detectable(factor), mean(labels, None).parts().detectable(1.0));
            assert!((found / measured - 1.0).abs() < 0.03, "{factor}: {found} {measured}");
            assert!(found < 1.001 * mean(100, Some(0.0)).parts().detectable(factor), "never worse than labels alone");
            let growth = few.parts().growth(found);
            assert!((growth / factor - 1.0).abs() < 1e-9, "{factor}: {growth}");
        }
        assert_eq!(few.parts().growth(0.0), f64::INFINITY);
    }

    #[test]
    fn pairs_that_were_drawn_more_often_count_less() {
        // Of the many zeros, only a tenth was drawn.
        let mut seen = vec![Observation { drawn: Some(0.1), ..observation(0, Some(0.0), None) }; 10];
        seen.extend(vec![Observation { drawn: Some(0.5), ..observation(1, Some(1.0), None) }; 50]);
        assert!((PoweredMean::new(&seen, None).unwrap().value - 0.5).abs() < 1e-12);
    }

    #[test]
    fn predictions_of_drawn_pairs_stand_for_all() {
        // The model is unsure of half of the pairs, which are drawn nine times as often.
        let seen = |at: usize| {
            let (is_unsure, is_drawn) = (at.is_multiple_of(2), (at % 20 < 18) == at.is_multiple_of(2));
            let label = if is_unsure { f64::from(u8::from(at % 40 < 20)) } else { 1.0 };
            let drawn = is_drawn.then_some(if is_unsure { 0.9 } else { 0.1 });
            let predicted = if is_unsure { 0.5 } else { 1.0 };
            Observation { drawn, ..observation(at, is_drawn.then_some(label), predicted) }
        };
        let seen: Vec<Observation> = (0..2000).map(seen).collect();
        let found = PoweredMean::new(&seen, Some(1.0)).unwrap();
        assert!((found.value - 0.75).abs() < 1e-12, "{found:?}");
        assert!(PoweredMean::new(&seen, None).unwrap().lambda > 0.5);
    }

    #[test]
    fn predictions_never_widen_what_labels_say_alone() {
        // Pairs of a group have the same label; predictions differ within groups at random.
        let seen = |at: usize| {
            let (group, noise) = (at / 6, at * 7919 % 13);
            let label = f64::from(u8::from(group % 2 == 0));
            observation(group, at.is_multiple_of(2).then_some(label), 0.4 * label + 0.05 * noise as f64)
        };
        let seen: Vec<Observation> = (0..240).map(seen).collect();
        let (both, alone) = (PoweredMean::new(&seen, None).unwrap(), PoweredMean::new(&seen, Some(0.0)).unwrap());
        assert!(both.variance() <= alone.variance() + 1e-12, "{} {}", both.variance(), alone.variance());
    }

    #[test]
    fn more_groups_show_smaller_differences() {
        let seen: Vec<Observation> =
            (0..400).map(|at| observation(at, Some(f64::from(u8::from(at % 2 == 0))), None)).collect();
        let found = PoweredMean::new(&seen, None).unwrap();
        // The standard error is 0.025: 0.07 is shown, and half of that by four times as many.
        let [enough, half] = [0.0700, 0.0350].map(|difference| found.parts().growth(difference));
        assert!((enough - 1.0).abs() < 0.01 && (half - 4.0).abs() < 0.02, "{enough} {half}");
    }
}
