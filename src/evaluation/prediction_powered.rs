//! Means of human labels, of which only a random part is known, with the help of predictions of all of them.

use std::f64::consts::FRAC_1_SQRT_2;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Estimate;

/// The 97.5% quantile of the standard normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The 80% quantile of the standard normal distribution.
pub(crate) const Z_OF_POWER: f64 = 0.841_621_233_572_914_3;

/// The probability below a 95% interval.
const BELOW: f64 = 0.025;

/// Sums of weights that should be equal differ by less.
pub(crate) const ROUNDING: f64 = 1e-9;

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
    /// The probability with which the pair was drawn for labelling, in (0, 1]; `None` if it was the same for all.
    pub drawn: Option<f64>,
}

/// The estimate of a mean.
#[derive(Debug, Clone, PartialEq)]
pub struct PoweredMean {
    /// The estimate.
    pub value: f64,
    /// How much the predictions count, in [0, 1]; 0 without predictions, 1 without labels.
    pub lambda: f64,
    /// What each group adds to the error of the estimate, by its labelled pairs and by the others: their squares sum to
    /// the variance.
    influences: FxHashMap<usize, [f64; 2]>,
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
    /// Without predictions it is the mean of the labels, without labels that of the predictions; `None` without either.
    pub fn of(observations: &[Observation], lambda: Option<f64>) -> Option<Self> {
        let is_usable = |seen: &&Observation| seen.label.is_some() || seen.predicted.is_some();
        let usable: Vec<&Observation> = observations.iter().filter(is_usable).collect();
        let has_predictions = usable.iter().any(|seen| seen.predicted.is_some());
        // Where there are predictions, a label without one cannot be compared with any.
        let is_labelled = |seen: &&&Observation| seen.label.is_some() && (!has_predictions || seen.predicted.is_some());
        let labelled: Vec<&Observation> = usable.iter().filter(is_labelled).copied().collect();
        let others: Vec<&Observation> = usable.iter().filter(|seen| seen.label.is_none()).copied().collect();
        let label = |seen: &Observation| seen.label.unwrap_or_default();
        let predicted = |seen: &Observation| seen.predicted.unwrap_or_default();
        let is_drawn = labelled.iter().any(|seen| seen.drawn.is_some());
        let imputed = if is_drawn { [&*labelled, &*others].concat() } else { others.clone() };
        let of_labelled = weights(&labelled, |seen| seen.drawn);
        let of_imputed = weights(&imputed, |_| None);
        let lambda = match (labelled.is_empty(), others.is_empty() || !has_predictions) {
            (true, true) => return None,
            (true, false) => 1.0,
            (false, true) => 0.0,
            (false, false) => {
                lambda.unwrap_or_else(|| best_lambda(&labelled, &imputed, [&of_labelled, &of_imputed], is_drawn))
            }
        };
        let mut influences: FxHashMap<usize, [f64; 2]> = FxHashMap::default();
        let mut add = |seen: &[&Observation], weights: &[f64], value: &dyn Fn(&Observation) -> f64, part: usize| {
            let mean: f64 = seen.iter().zip(weights).map(|(seen, weight)| weight * value(seen)).sum();
            for (seen, weight) in seen.iter().zip(weights) {
                influences.entry(seen.group).or_default()[part] += weight * (value(seen) - mean);
            }
            mean
        };
        let corrected = add(&labelled, &of_labelled, &|seen| label(seen) - lambda * predicted(seen), 0);
        let of_predictions = add(&imputed, &of_imputed, &|seen| lambda * predicted(seen), 1);
        Some(Self { value: corrected + of_predictions, lambda, influences })
    }

    /// A number that does not vary.
    pub fn fixed(value: f64) -> Self {
        Self { value, lambda: 0.0, influences: FxHashMap::default() }
    }

    /// A weighted sum of estimates from the same observations.
    pub fn sum<'m>(parts: impl IntoIterator<Item = (f64, &'m Self)>) -> Self {
        let mut sum = Self::fixed(0.0);
        for (factor, part) in parts {
            sum.value += factor * part.value;
            for (&group, influences) in &part.influences {
                let of_group = sum.influences.entry(group).or_default();
                of_group.iter_mut().zip(influences).for_each(|(sum, influence)| *sum += factor * influence);
            }
        }
        sum
    }

    /// The variance of the estimate: the sum of the squares of the groups' influences.
    pub fn variance(&self) -> f64 {
        self.influences.values().map(|[labelled, others]| (labelled + others).powi(2)).sum()
    }

    /// The estimate with its 95% interval by the central limit theorem.
    pub fn estimate(&self) -> Estimate {
        let error = Z * self.variance().sqrt();
        Estimate { value: self.value, low: self.value - error, high: self.value + error }
    }

    /// The estimate of a share, in [0, 1]. Where all observations are 0, or all are 1, nothing varies: the exact bound of
    /// Clopper and Pearson 1934 for n of n groups, 0.025^(1/n), takes the place of the central limit theorem.
    pub fn share(&self) -> Estimate {
        let Estimate { value, low, high } = self.estimate();
        let bound = BELOW.powf(1.0 / self.influences.len().max(1) as f64);
        let is_constant = high - low < ROUNDING;
        match value {
            value if is_constant && value > 1.0 - ROUNDING => Estimate { value, low: bound, high: 1.0 },
            value if is_constant && value < ROUNDING => Estimate { value, low: 0.0, high: 1.0 - bound },
            value => Estimate { value, low: low.max(0.0), high: high.min(1.0) },
        }
    }

    /// The two-sided p-value of the hypothesis that it is 0, by a z-test.
    pub fn p_value(&self) -> f64 {
        let error = self.variance().sqrt();
        if error > 0.0 {
            libm::erfc((self.value / error).abs() * FRAC_1_SQRT_2)
        } else {
            f64::from(u8::from(self.value == 0.0))
        }
    }

    /// The smallest difference from 0 that `factor` times as many labelled groups, or groups where none is labelled, show
    /// with a power of 80% at a level of 5%: (z_0.975 + z_0.8) times the standard error.
    pub fn detectable(&self, factor: f64) -> f64 {
        let [growing, fixed] = self.parts();
        (Z + Z_OF_POWER) * (growing / factor + fixed).sqrt()
    }

    /// How many times as many labelled groups, or groups where none is labelled, would show a difference of this size
    /// from 0 with a power of 80% at a level of 5%; `None` where no number would, as the other groups are too few.
    pub fn growth(&self, difference: f64) -> Option<f64> {
        let wanted = (difference / (Z + Z_OF_POWER)).powi(2);
        let [growing, fixed] = self.parts();
        (wanted > fixed).then(|| growing / (wanted - fixed))
    }

    /// The part of the variance that shrinks with the number of labelled groups, or of groups where none is labelled, and
    /// the part that does not.
    fn parts(&self) -> [f64; 2] {
        let part = |at: usize| self.influences.values().map(|parts| parts[at].powi(2)).sum::<f64>();
        let [labelled, others] = [part(0), part(1)];
        if labelled > 0.0 { [labelled, others] } else { [others, 0.0] }
    }
}

/// The weights of observations, divided by a probability where it is known; they sum to 1.
fn weights(observations: &[&Observation], probability: impl Fn(&Observation) -> Option<f64>) -> Vec<f64> {
    let weight = |seen: &&Observation| seen.weight / probability(seen).unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let weights: Vec<f64> = observations.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The lambda of least variance, from the weights of both parts. For independent observations it is that of PPI++, with
/// the variance of all predictions. Where observations share groups, it would often be too large, and where they were
/// drawn with different probabilities it is another one: then it minimises the variance of the groups' influences.
fn best_lambda(labelled: &[&Observation], imputed: &[&Observation], weights: [&[f64]; 2], is_drawn: bool) -> f64 {
    let predicted = |seen: &Observation| seen.predicted.unwrap_or_default();
    let label = |seen: &Observation| seen.label.unwrap_or_default();
    let mean = |seen: &[&Observation], weights: &[f64], value: &dyn Fn(&Observation) -> f64| -> f64 {
        seen.iter().zip(weights).map(|(seen, weight)| weight * value(seen)).sum()
    };
    let (label_mean, predicted_mean) = (mean(labelled, weights[0], &label), mean(labelled, weights[0], &predicted));
    let groups: FxHashSet<usize> = labelled.iter().chain(imputed).map(|seen| seen.group).collect();
    let all = || labelled.iter().chain(imputed);
    let ratio = if !is_drawn && groups.len() == labelled.len() + imputed.len() {
        let product = |seen: &Observation| (label(seen) - label_mean) * (predicted(seen) - predicted_mean);
        let covariance = mean(labelled, weights[0], &product);
        let (count, sum): (usize, f64) = (all().count(), all().map(|seen| seen.weight).sum());
        let of_all = all().map(|seen| seen.weight * predicted(seen)).sum::<f64>() / sum;
        let squares = all().map(|seen| seen.weight * (predicted(seen) - of_all).powi(2)).sum::<f64>() / sum;
        let variance = squares * count as f64 / (count as f64 - 1.0);
        covariance / ((1.0 + labelled.len() as f64 / imputed.len() as f64) * variance)
    } else {
        // The influence of each group is that of its labels minus lambda times that of its predictions.
        let mut influences: FxHashMap<usize, [f64; 2]> = FxHashMap::default();
        for (seen, weight) in labelled.iter().zip(weights[0]) {
            let of_group = influences.entry(seen.group).or_default();
            of_group[0] += weight * (label(seen) - label_mean);
            of_group[1] += weight * (predicted(seen) - predicted_mean);
        }
        let imputed_mean = mean(imputed, weights[1], &predicted);
        for (seen, weight) in imputed.iter().zip(weights[1]) {
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
    fn perfect_predictions_leave_only_the_error_of_what_they_predict() {
        let value = |at: usize| f64::from(u8::from(at.is_multiple_of(3)));
        let seen = |at: usize| observation(at, (at < 30).then(|| value(at)), value(at));
        let seen: Vec<Observation> = (0..300).map(seen).collect();
        let found = PoweredMean::of(&seen, None).unwrap();
        assert!((found.value - 1.0 / 3.0).abs() < 0.01 && (found.lambda - 0.9).abs() < 0.01, "{found:?}");
        let alone = PoweredMean::of(&seen[..30], None).unwrap();
        assert!(found.variance() < 0.2 * alone.variance());
    }

    #[test]
    fn without_predictions_it_is_the_mean_of_the_labels() {
        let seen = [1.0, 0.0, 0.5, 1.0].map(|label| observation(0, Some(label), None));
        let found = PoweredMean::of(&seen, None).unwrap();
        assert_eq!((found.value, found.lambda), (0.625, 0.0));
        assert!(found.variance() < 1e-30, "one group");
        assert_eq!(PoweredMean::of(&[], None), None);
        assert_eq!(PoweredMean::of(&[observation(0, None, 0.25)], None).unwrap().value, 0.25);
    }

    #[test]
    fn a_system_that_always_wins_may_lose_some_day() {
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(1.0), None)).collect();
        let Estimate { value, low, high } = PoweredMean::of(&seen, None).unwrap().share();
        // SciPy 1.17: stats.binomtest(30, 30).proportion_ci().low
        assert!((value - 1.0).abs() < 1e-12 && (low - 0.884_296_7).abs() < 1e-6 && high == 1.0, "{low} {high}");
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(0.0), None)).collect();
        let found = PoweredMean::of(&seen, None).unwrap().share();
        assert!(found.low == 0.0 && (found.high - 0.115_703_3).abs() < 1e-6, "{found:?}");
        let seen: Vec<Observation> = (0..30).map(|at| observation(at, Some(f64::from(at as u8 % 2)), None)).collect();
        let found = PoweredMean::of(&seen, None).unwrap();
        assert_eq!(found.share(), found.estimate());
    }

    #[test]
    fn pairs_that_were_drawn_more_often_count_less() {
        // Of the many zeros, only a tenth was drawn.
        let mut seen = vec![Observation { drawn: Some(0.1), ..observation(0, Some(0.0), None) }; 10];
        seen.extend(vec![Observation { drawn: Some(0.5), ..observation(1, Some(1.0), None) }; 50]);
        assert!((PoweredMean::of(&seen, None).unwrap().value - 0.5).abs() < 1e-12);
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
        let found = PoweredMean::of(&seen, Some(1.0)).unwrap();
        assert!((found.value - 0.75).abs() < 1e-12, "{found:?}");
        assert!(PoweredMean::of(&seen, None).unwrap().lambda > 0.5);
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
        let (both, alone) = (PoweredMean::of(&seen, None).unwrap(), PoweredMean::of(&seen, Some(0.0)).unwrap());
        assert!(both.variance() <= alone.variance() + 1e-12, "{} {}", both.variance(), alone.variance());
    }

    #[test]
    fn more_groups_show_smaller_differences() {
        let seen: Vec<Observation> =
            (0..400).map(|at| observation(at, Some(f64::from(u8::from(at % 2 == 0))), None)).collect();
        let found = PoweredMean::of(&seen, None).unwrap();
        // The standard error is 0.025: 0.07 is shown, and half of that by four times as many.
        let [enough, half] = [0.0700, 0.0350].map(|difference| found.growth(difference).unwrap());
        assert!((enough - 1.0).abs() < 0.01 && (half - 4.0).abs() < 0.02, "{enough} {half}");
    }
}
