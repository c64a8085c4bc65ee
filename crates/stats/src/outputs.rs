//! Agreement of verdicts and scores with human labels of single outputs, which pass or fail, or have a number.

use std::collections::BTreeSet;

use serde::Serialize;

use super::distributions::{Z, student_quantile};
use super::group_sums::{Estimate, GroupSums, beyond_chance, share};
use super::intervals::BoundedMean;
use super::meta::{PairCounts, ScoredRow, pearson, spearman};
use super::ranking::LEVEL;
use crate::{Folds, Groups};

/// The most parts of the groups that are left out in turn for the variance of a figure that is no share.
const MAX_PARTS: usize = 100;

/// A smaller error is rounding.
const MIN_ERROR: f64 = 1e-9;

/// How well verdicts agree with labels that are pass or fail. A missing verdict counts nowhere but in the coverage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BinaryAgreement {
    /// The share of outputs with a verdict, in [0, 1].
    pub coverage: f64,
    /// The share of outputs with the verdict of their label.
    pub accuracy: Option<Estimate>,
    /// The share of outputs that pass by their label which pass by the verdict, too: sensitivity, recall.
    pub true_positive_rate: Option<Estimate>,
    /// The share of outputs that fail by their label which fail by the verdict, too: specificity.
    pub true_negative_rate: Option<Estimate>,
    /// The mean of both rates; 0.5 by chance.
    pub balanced_accuracy: Option<Estimate>,
    /// Cohen's kappa, (accuracy - chance) / (1 - chance), in [-1, 1]. Cohen 1960.
    pub kappa: Option<Estimate>,
    /// The harmonic mean of the true positive rate and of the share of verdicts to pass that are right:
    /// 2 TP / (2 TP + FP + FN).
    pub f1: Option<Estimate>,
}

impl BinaryAgreement {
    /// Counts the outputs; all slices have a value for each of them, `true` for a pass. Intervals are over groups.
    ///
    /// ```
    /// use tribunal_stats::{BinaryAgreement, Groups};
    ///
    /// let labels = [true, true, true, false, false];
    /// let verdicts = [Some(true), Some(true), Some(false), Some(false), None];
    /// let found = BinaryAgreement::new(&labels, &verdicts, &Groups::numbered(0..5));
    /// assert_eq!((found.coverage, found.accuracy.unwrap().value), (0.8, 0.75));
    /// assert_eq!(found.true_positive_rate.unwrap().value, 2.0 / 3.0);
    /// ```
    pub fn new(labels: &[bool], verdicts: &[Option<bool>], groups: &Groups) -> Self {
        const TRUE_PASS: usize = 0;
        const PASS: usize = 1;
        const TRUE_FAIL: usize = 2;
        const FAIL: usize = 3;
        let mut sums = GroupSums::<4>::default();
        let judged = labels.iter().zip(verdicts).zip(&groups.of_row);
        for ((&label, verdict), &group) in
            judged.filter_map(|((label, verdict), group)| Some(((label, (*verdict)?), group)))
        {
            sums.add(group, if label { PASS } else { FAIL }, 1.0);
            if label == verdict {
                sums.add(group, if label { TRUE_PASS } else { TRUE_FAIL }, 1.0);
            }
        }
        let all = |sums: &[f64; 4]| sums[PASS] + sums[FAIL];
        let right = |sums: &[f64; 4]| sums[TRUE_PASS] + sums[TRUE_FAIL];
        let wrong = |sums: &[f64; 4]| all(sums) - right(sums);
        let kappa = |sums: &[f64; 4]| {
            let says_pass = sums[TRUE_PASS] + sums[FAIL] - sums[TRUE_FAIL];
            let total = all(sums);
            let chance = (sums[PASS] * says_pass + sums[FAIL] * (total - says_pass)) / (total * total);
            beyond_chance(right(sums) / total, chance, total)
        };
        let [count, missing] = [labels.len(), verdicts.iter().filter(|verdict| verdict.is_none()).count()];
        Self {
            coverage: crate::ratio((count - missing) as f64, count as f64),
            accuracy: sums.estimate(|sums| share(right(sums), all(sums))),
            true_positive_rate: sums.estimate(|sums| share(sums[TRUE_PASS], sums[PASS])),
            true_negative_rate: sums.estimate(|sums| share(sums[TRUE_FAIL], sums[FAIL])),
            balanced_accuracy: sums.mean([TRUE_PASS, PASS], [TRUE_FAIL, FAIL]),
            kappa: sums.estimate(kappa),
            f1: sums.estimate(|sums| share(sums[TRUE_PASS], sums[TRUE_PASS] + 0.5 * wrong(sums))),
        }
    }
}

/// A correlation of two lists of numbers.
type Correlation = fn(&[f64], &[f64]) -> Option<f64>;

/// How well scores agree with labels that are numbers. A missing score counts nowhere but in the coverage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NumericAgreement {
    /// The share of outputs with a score, in [0, 1].
    pub coverage: f64,
    /// Pearson's correlation, in [-1, 1].
    pub pearson: Option<Estimate>,
    /// Spearman's rank correlation, in [-1, 1].
    pub spearman: Option<Estimate>,
    /// Kendall's tau-b, in [-1, 1].
    pub kendall: Option<Estimate>,
    /// Cohen's kappa with quadratic weights, see [`quadratic_kappa`]; `None` for scores on another scale than the labels.
    pub weighted_kappa: Option<Estimate>,
    /// The mean of score minus label: above 0 for a judge that is too kind; `None` as before.
    pub bias: Option<Estimate>,
    /// The standard deviation of the scores, divided by that of the labels; `None` as before.
    pub spread: Option<f64>,
}

impl NumericAgreement {
    /// Correlates scores with labels; all slices have a value for each output. `is_same_scale` tells whether a score means
    /// what the same label does. Intervals are over groups; those of correlations and kappa on Fisher's scale, atanh.
    ///
    /// ```
    /// use tribunal_stats::{Groups, NumericAgreement};
    ///
    /// let (labels, scores) = ([1.0, 2.0, 4.0, 5.0], [Some(2.0), Some(2.0), Some(5.0), Some(5.0)]);
    /// let found = NumericAgreement::new(&labels, &scores, &Groups::numbered(0..4), true);
    /// assert_eq!((found.bias.unwrap().value, found.coverage), (0.5, 1.0));
    /// ```
    pub fn new(labels: &[f64], scores: &[Option<f64>], groups: &Groups, is_same_scale: bool) -> Self {
        let known: Vec<(usize, f64)> =
            scores.iter().enumerate().filter_map(|(row, score)| Some((row, (*score)?))).collect();
        let rows: Vec<usize> = known.iter().map(|(row, _)| *row).collect();
        let groups = groups.subset(&rows);
        let x: Vec<f64> = known.iter().map(|(_, score)| *score).collect();
        let y: Vec<f64> = rows.iter().map(|&row| labels[row]).collect();
        let correlation = |figure: Correlation| {
            on_scale(&groups, [-1.0, 1.0], [f64::atanh, f64::tanh], |rows| figure(&at(&x, rows), &at(&y, rows)))
        };
        let tau = |x: &[f64], y: &[f64]| PairCounts::new(&ScoredRow { human: y.to_vec(), metric: x.to_vec() }).tau_b();
        let range = x
            .iter()
            .chain(&y)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| [value.min(low), value.max(high)]);
        let span = range[1] - range[0];
        let bias = |rows: &[usize]| {
            (!rows.is_empty()).then(|| rows.iter().map(|&row| x[row] - y[row]).sum::<f64>() / rows.len() as f64)
        };
        Self {
            coverage: crate::ratio(rows.len() as f64, labels.len() as f64),
            pearson: correlation(pearson),
            spearman: correlation(spearman),
            kendall: correlation(tau),
            weighted_kappa: is_same_scale.then(|| correlation(quadratic_kappa)).flatten(),
            bias: (is_same_scale && span > 0.0)
                .then(|| on_scale(&groups, [-span, span], [|bias| bias; 2], bias))
                .flatten(),
            spread: is_same_scale.then(|| spread(&x, &y)).flatten(),
        }
    }
}

/// Cohen's kappa with quadratic weights of two lists of scores: 1 - sum (x - y)^2 / its expectation for independent scores,
/// in [-1, 1]; `None` where both are the same constant, or empty. For whole numbers it is that of Cohen 1968; it is defined
/// for all, and is Lin's concordance correlation then. Fleiss and Cohen 1973.
///
/// ```
/// let kappa = tribunal_stats::quadratic_kappa(&[1.0, 2.0, 3.0], &[1.0, 2.0, 2.0]).unwrap();
/// assert!((kappa - 2.0 / 3.0).abs() < 1e-12);
/// ```
pub fn quadratic_kappa(x: &[f64], y: &[f64]) -> Option<f64> {
    let count = x.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let observed: f64 = x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / count;
    let variance = |values: &[f64], mean: f64| values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let expected = variance(x, mean_x) + variance(y, mean_y) + (mean_x - mean_y).powi(2);
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

/// The ratio of standard deviations; `None` where the second is 0.
fn spread(x: &[f64], y: &[f64]) -> Option<f64> {
    let deviation = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>().sqrt()
    };
    (deviation(y) > 0.0).then(|| deviation(x) / deviation(y))
}

/// The area under the receiver operating characteristic: the probability that an output which passes has a higher score
/// than one which fails, ties counting half; `None` where all have the same label. Hanley and McNeil 1982.
///
/// ```
/// let area = tribunal_stats::roc_area(&[true, false, true, false], &[0.9, 0.4, 0.4, 0.1]);
/// assert_eq!(area, Some(3.5 / 4.0));
/// ```
pub fn roc_area(labels: &[bool], scores: &[f64]) -> Option<f64> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_unstable_by(|&one, &other| scores[one].total_cmp(&scores[other]));
    let (mut below, mut wins, mut passes) = (0.0, 0.0, 0.0);
    for equal in order.chunk_by(|&one, &other| scores[one] == scores[other]) {
        let pass = equal.iter().filter(|&&row| labels[row]).count() as f64;
        let fail = equal.len() as f64 - pass;
        wins += pass * (below + 0.5 * fail);
        (below, passes) = (below + fail, passes + pass);
    }
    (below > 0.0 && passes > 0.0).then(|| wins / (below * passes))
}

/// As [`roc_area`], of the outputs that have a score, with its interval over groups.
pub fn roc_area_of(labels: &[bool], scores: &[Option<f64>], groups: &Groups) -> Option<Estimate> {
    let known: Vec<usize> = (0..labels.len()).filter(|&row| scores[row].is_some()).collect();
    let (labels, scores) = (at(labels, &known), known.iter().filter_map(|&row| scores[row]).collect::<Vec<f64>>());
    bounded(&groups.subset(&known), [0.0, 1.0], |rows| roc_area(&at(&labels, rows), &at(&scores, rows)))
}

/// Of every two outputs of a prompt that people rate differently, the share of which the better one has the higher score,
/// ties counting half; with its interval over groups. `None` where there is no such pair. The level of the scores does not
/// matter.
pub fn agreement_within(labels: &[f64], scores: &[Option<f64>], prompts: &Groups, groups: &Groups) -> Option<Estimate> {
    const RIGHT: usize = 0;
    const ALL: usize = 1;
    let mut sums = GroupSums::<2>::default();
    for rows in prompts.rows() {
        let known = || rows.iter().filter_map(|&row| Some((labels[row], scores[row]?)));
        let row = ScoredRow {
            human: known().map(|(label, _)| label).collect(),
            metric: known().map(|(_, score)| score).collect(),
        };
        let counts = PairCounts::new(&row);
        let Some(group) = rows.first().map(|&row| groups.of_row[row]) else { continue };
        sums.add(group, RIGHT, counts.concordant as f64 + 0.5 * counts.metric_ties as f64);
        sums.add(group, ALL, (counts.concordant + counts.discordant + counts.metric_ties) as f64);
    }
    sums.estimate(|sums| share(sums[RIGHT], sums[ALL]))
}

/// A figure of outputs for each of several parts of them, and the mean over the parts.
#[derive(Debug, Clone, PartialEq)]
pub struct ByPart {
    /// The figure of each part; `None` where it is undefined, as where all labels are equal.
    pub parts: Vec<Option<Estimate>>,
    /// The mean over the parts whose figure is defined, each of which counts alike; `None` without any.
    pub mean: Option<Estimate>,
}

impl ByPart {
    /// The balanced accuracy of verdicts on parts, each of which has the numbers of its outputs, as
    /// [`BinaryAgreement::balanced_accuracy`]; and their mean, whose limits are as far from it as those of the parts together:
    ///
    /// ```text
    /// sqrt(sum_ij r_ij (x_i - low_i) (x_j - low_j)) / parts
    /// ```
    ///
    /// for the lower one, with the correlation r_ij of parts that share groups, by the jackknife. Zou 2007, "Toward Using
    /// Confidence Intervals to Compare Correlations".
    pub fn balanced_accuracy(
        labels: &[bool],
        verdicts: &[Option<bool>],
        parts: &[Vec<usize>],
        groups: &Groups,
    ) -> Self {
        let estimate = |rows: &[usize]| {
            BinaryAgreement::new(&at(labels, rows), &at(verdicts, rows), &groups.subset(rows)).balanced_accuracy
        };
        Self::new(parts, groups, estimate, |rows| balanced_accuracy(labels, verdicts, rows))
    }

    /// As [`Self::balanced_accuracy`], of Spearman's correlation of scores with labels.
    pub fn spearman(labels: &[f64], scores: &[Option<f64>], parts: &[Vec<usize>], groups: &Groups) -> Self {
        let figure = |rows: &[usize]| {
            let known: Vec<(f64, f64)> = rows.iter().filter_map(|&row| Some((scores[row]?, labels[row]))).collect();
            let (x, y): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
            spearman(&x, &y)
        };
        let estimate = |rows: &[usize]| {
            let of_rows = |own: &[usize]| figure(&at(rows, own));
            on_scale(&groups.subset(rows), [-1.0, 1.0], [f64::atanh, f64::tanh], of_rows)
        };
        Self::new(parts, groups, estimate, figure)
    }

    fn new(
        parts: &[Vec<usize>],
        groups: &Groups,
        estimate: impl Fn(&[usize]) -> Option<Estimate>,
        figure: impl Fn(&[usize]) -> Option<f64>,
    ) -> Self {
        let estimates: Vec<Option<Estimate>> = parts.iter().map(|rows| estimate(rows)).collect();
        let known: Vec<(&Vec<usize>, Estimate)> =
            parts.iter().zip(&estimates).filter_map(|(rows, estimate)| Some((rows, (*estimate)?))).collect();
        let of_part: Vec<BTreeSet<usize>> =
            known.iter().map(|(rows, _)| rows.iter().map(|&row| groups.of_row[row]).collect()).collect();
        let blocks = groups.count.min(MAX_PARTS);
        let without = |rows: &[usize], block: usize| -> Vec<usize> {
            rows.iter().copied().filter(|&row| groups.of_row[row] % blocks != block).collect()
        };
        let deviations = |(rows, of_all): &(&Vec<usize>, Estimate)| -> Vec<f64> {
            let of_rest = |block| figure(&without(rows, block)).map_or(0.0, |value| value - of_all.value);
            (0..blocks).map(of_rest).collect()
        };
        let is_shared = |one: usize, other: usize| one != other && !of_part[one].is_disjoint(&of_part[other]);
        let has_shared = (0..known.len()).any(|one| (0..one).any(|other| is_shared(one, other)));
        let deviations: Vec<Vec<f64>> = if has_shared { known.iter().map(deviations).collect() } else { Vec::new() };
        let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
        let correlation = |one: usize, other: usize| match one == other {
            true => 1.0,
            false if !is_shared(one, other) => 0.0,
            false => {
                let [one, other] = [&deviations[one], &deviations[other]];
                crate::ratio(product(one, other), (product(one, one) * product(other, other)).sqrt())
            }
        };
        let count = known.len();
        let correlations: Vec<Vec<f64>> =
            (0..count).map(|one| (0..count).map(|other| correlation(one, other)).collect()).collect();
        let distance = |of: fn(&Estimate) -> f64| {
            let distances: Vec<f64> = known.iter().map(|(_, estimate)| of(estimate)).collect();
            let of_part = |(one, row): (&f64, &Vec<f64>)| one * product(row, &distances);
            let squares: f64 = distances.iter().zip(&correlations).map(of_part).sum();
            squares.max(0.0).sqrt() / count as f64
        };
        let mean = (count > 0).then(|| {
            let value = known.iter().map(|(_, estimate)| estimate.value).sum::<f64>() / count as f64;
            let low = value - distance(|of| of.value - of.low);
            Estimate { value, low, high: value + distance(|of| of.high - of.value) }
        });
        Self { parts: estimates, mean }
    }
}

/// The balanced accuracy on some outputs, of those with a verdict; `None` where all have the same label.
fn balanced_accuracy(labels: &[bool], verdicts: &[Option<bool>], rows: &[usize]) -> Option<f64> {
    let rate = |label: bool| {
        let of_label = || rows.iter().filter(|&&row| labels[row] == label && verdicts[row].is_some());
        let right = of_label().filter(|&&row| verdicts[row] == Some(label)).count();
        (of_label().count() > 0).then(|| right as f64 / of_label().count() as f64)
    };
    Some(f64::midpoint(rate(true)?, rate(false)?))
}

/// How much higher the balanced accuracy of one list of verdicts is than that of another, of the outputs that have both;
/// with its interval over groups.
pub fn balanced_accuracy_difference(
    labels: &[bool],
    [one, other]: [&[Option<bool>]; 2],
    groups: &Groups,
) -> Option<Estimate> {
    let known: Vec<usize> = (0..labels.len()).filter(|&row| one[row].is_some() && other[row].is_some()).collect();
    let difference = |rows: &[usize]| {
        let rows = at(&known, rows);
        Some(balanced_accuracy(labels, one, &rows)? - balanced_accuracy(labels, other, &rows)?)
    };
    bounded(&groups.subset(&known), [-1.0, 1.0], difference)
}

/// How much higher Spearman's correlation of one list of numbers with a third is than that of another, of the outputs that
/// have both; with its interval over groups. Of two lists of scores with labels it tells which is the better one; of scores
/// and labels with lengths, how much more the scores depend on the length than the labels do.
pub fn spearman_difference([one, other]: [&[Option<f64>]; 2], third: &[f64], groups: &Groups) -> Option<Estimate> {
    let known: Vec<usize> = (0..third.len()).filter(|&row| one[row].is_some() && other[row].is_some()).collect();
    let correlation = |values: &[Option<f64>], rows: &[usize]| {
        let values: Vec<f64> = rows.iter().filter_map(|&row| values[known[row]]).collect();
        spearman(&values, &rows.iter().map(|&row| third[known[row]]).collect::<Vec<f64>>())
    };
    let difference = |rows: &[usize]| Some(correlation(one, rows)? - correlation(other, rows)?);
    bounded(&groups.subset(&known), [-2.0, 2.0], difference)
}

/// Verdicts by scores: pass from a threshold on, which for each fold is the one with the highest balanced accuracy on the
/// others; and the threshold of all outputs. `None` where all labels are equal. Youden 1950.
pub fn with_threshold(labels: &[bool], scores: &[Option<f64>], folds: &Folds) -> Option<(Vec<Option<bool>>, f64)> {
    let all: Vec<usize> = (0..labels.len()).collect();
    let whole = best_threshold(labels, scores, &all)?;
    let mut verdicts = vec![None; labels.len()];
    for fold in 0..folds.count {
        let threshold = best_threshold(labels, scores, &folds.without(fold)).unwrap_or(whole);
        for row in folds.rows(fold) {
            verdicts[row] = scores[row].map(|score| score >= threshold);
        }
    }
    Some((verdicts, whole))
}

/// The threshold with the highest true positive rate plus true negative rate, halfway between two scores.
fn best_threshold(labels: &[bool], scores: &[Option<f64>], rows: &[usize]) -> Option<f64> {
    let mut known: Vec<(f64, bool)> = rows.iter().filter_map(|&row| Some((scores[row]?, labels[row]))).collect();
    known.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let passes = known.iter().filter(|(_, label)| *label).count() as f64;
    let fails = known.len() as f64 - passes;
    let (mut failed, mut missed, mut best) = (0.0, 0.0, None);
    let mut below = f64::NEG_INFINITY;
    for equal in known.chunk_by(|one, other| one.0 == other.0) {
        let rates = failed / fails - missed / passes;
        if best.is_none_or(|(highest, _)| rates > highest) {
            let threshold = if below.is_finite() { f64::midpoint(below, equal[0].0) } else { equal[0].0 };
            best = Some((rates, threshold));
        }
        let fail = equal.iter().filter(|(_, label)| !label).count() as f64;
        (failed, missed, below) = (failed + fail, missed + equal.len() as f64 - fail, equal[0].0);
    }
    best.filter(|_| passes > 0.0 && fails > 0.0).map(|(_, threshold)| threshold)
}

/// The rate of passes that people would give to outputs without a label, from a judge's verdicts on these, and on others with
/// a label:
///
/// ```text
/// (rate of the judge + true negative rate - 1) / (true positive rate + true negative rate - 1)
/// ```
///
/// in [0, 1], with the judge's rates of the labelled outputs, as judgy computes it. Rogan and Gladen 1978, "Estimating Prevalence from the Results
/// of a Screening Test"; the interval is that of the delta method for independent outputs (their formula 3), with
/// the variances of shares to which an output of each kind is added. `None` where a
/// rate is unknown, all outputs have a label, or the judge is no better than chance. Each output has its label and the judge's
/// verdict.
///
/// ```
/// use tribunal_stats::corrected_rate;
///
/// let labelled = [(Some(true), true), (Some(true), true), (Some(false), false), (Some(false), true)];
/// let others = [(None, true), (None, false)];
/// let found = corrected_rate(&[&labelled[..], &others].concat()).unwrap();
/// assert_eq!(found.value, (0.5 + 0.5 - 1.0) / 0.5);
/// ```
pub fn corrected_rate(outputs: &[(Option<bool>, bool)]) -> Option<Estimate> {
    let count = |label: Option<bool>| outputs.iter().filter(|one| one.0 == label).count() as f64;
    let judged =
        |label: Option<bool>, verdict: bool| outputs.iter().filter(|one| **one == (label, verdict)).count() as f64;
    let [pass, fail, others] = [Some(true), Some(false), None].map(count);
    let (positive, negative) = (judged(Some(true), true) / pass, judged(Some(false), false) / fail);
    let rate = judged(None, true) / others;
    let power = positive + negative - 1.0;
    if pass == 0.0 || fail == 0.0 || others == 0.0 || power <= 0.0 {
        return None;
    }
    let value = ((rate + negative - 1.0) / power).clamp(0.0, 1.0);
    // A share of 0 or 1 may differ next time, too: one more output of each kind, as Agresti and Caffo 2000.
    let variance = |share: f64, count: f64| {
        let share = (share * count + 1.0) / (count + 2.0);
        share * (1.0 - share) / (count + 2.0)
    };
    let of_rates = value.powi(2) * variance(positive, pass) + (1.0 - value).powi(2) * variance(negative, fail);
    let error = Z * (variance(rate, others) + of_rates).sqrt() / power;
    Some(Estimate { value, low: (value - error).max(0.0), high: (value + error).min(1.0) })
}

/// The values in some rows.
fn at<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| values[row]).collect()
}

/// A figure of all rows, and of those without each part of the groups, of which there are at most [`MAX_PARTS`]; `None`
/// where it is undefined. Kott 2001, "The Delete-a-Group Jackknife".
fn jackknife(groups: &Groups, figure: impl Fn(&[usize]) -> Option<f64>) -> Option<(f64, Vec<f64>)> {
    let all: Vec<usize> = (0..groups.of_row.len()).collect();
    let value = figure(&all)?;
    let parts = groups.count.min(MAX_PARTS);
    let without = |part: usize| {
        let rest: Vec<usize> = all.iter().copied().filter(|&row| groups.of_row[row] % parts != part).collect();
        figure(&rest).unwrap_or(value)
    };
    Some((value, (0..parts).map(without).collect()))
}

/// A figure between two bounds with its interval, that of a bounded mean with the variance of the jackknife.
fn bounded(groups: &Groups, bounds: [f64; 2], figure: impl Fn(&[usize]) -> Option<f64>) -> Option<Estimate> {
    let (value, without) = jackknife(groups, figure)?;
    Some(bounded_by(groups, bounds, value, &without))
}

fn bounded_by(groups: &Groups, [low, high]: [f64; 2], value: f64, without: &[f64]) -> Estimate {
    let scale = (1.0 - 1.0 / without.len() as f64) / (high - low);
    let deviations = without.iter().map(|without| scale * (without - value));
    let interval = BoundedMean::new((value - low) / (high - low), deviations, groups.count as f64).interval();
    let [least, most] = [interval.low, interval.high].map(|share| low + share * (high - low));
    Estimate { value, low: least.min(value), high: most.max(value) }
}

/// A figure between two bounds with its interval: Student's, with the variance of the jackknife, on the scale to which
/// `forth` takes it. Where it does not vary, or is at a bound, its limits are those of a bounded mean.
fn on_scale(
    groups: &Groups,
    bounds: [f64; 2],
    [forth, back]: [fn(f64) -> f64; 2],
    figure: impl Fn(&[usize]) -> Option<f64>,
) -> Option<Estimate> {
    let (value, without) = jackknife(groups, figure)?;
    let parts = without.len() as f64;
    let squares: f64 = without.iter().map(|without| (forth(*without) - forth(value)).powi(2)).sum();
    let error = ((1.0 - 1.0 / parts) * squares).sqrt();
    if parts < 2.0 || !error.is_finite() || error < MIN_ERROR {
        return Some(bounded_by(groups, bounds, value, &without));
    }
    let away = student_quantile(LEVEL, parts - 1.0) * error;
    Some(Estimate { value, low: back(forth(value) - away), high: back(forth(value) + away) })
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::distributions::normal;
    use super::*;

    const SAMPLES: usize = 1000;

    /// Three parts of which each group of three outputs is in one only, or in all.
    fn parts(is_shared: bool) -> (Vec<Vec<usize>>, Groups) {
        let sizes = if is_shared { [80; 3] } else { [30, 60, 240] };
        let mut parts = vec![Vec::new(); 3];
        let mut groups = Vec::new();
        for (part, size) in sizes.into_iter().enumerate() {
            for at in 0..size {
                parts[part].push(groups.len());
                groups.push(if is_shared { at } else { 1000 * part + at / 3 });
            }
        }
        (parts, Groups::numbered(groups.into_iter()))
    }

    /// What outputs of a group have in common, and a value for each, of the standard normal distribution.
    fn correlated(groups: &Groups, random: &mut impl Rng) -> Vec<f64> {
        let mut normal = || (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>();
        let common: Vec<f64> = (0..groups.count).map(|_| normal()).collect();
        groups.of_row.iter().map(|&group| (common[group] + normal()) / 2.0_f64.sqrt()).collect()
    }

    fn coverage(is_shared: bool, sample: impl Fn(&[Vec<usize>], &Groups, &mut ChaCha8Rng) -> (ByPart, f64)) -> usize {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (parts, groups) = parts(is_shared);
        let mut holds = || {
            let (found, truth) = sample(&parts, &groups, &mut random);
            let Estimate { low, high, .. } = found.mean.unwrap();
            low <= truth && truth <= high
        };
        (0..SAMPLES).filter(|_| holds()).count()
    }

    #[test]
    fn intervals_of_mean_balanced_accuracies_hold_the_truth() {
        for is_shared in [false, true] {
            let held = coverage(is_shared, |parts, groups, random| {
                let limits = [-0.5, -0.8, -1.6];
                let truth = limits.map(|limit: f64| normal(-limit)).iter().sum::<f64>() / 3.0;
                let labels: Vec<bool> = groups.of_row.iter().map(|_| random.random_bool(0.6)).collect();
                let noise = correlated(groups, random);
                let mut verdicts = vec![None; labels.len()];
                for (rows, limit) in parts.iter().zip(limits) {
                    rows.iter().for_each(|&row| verdicts[row] = Some(labels[row] == (noise[row] > limit)));
                }
                (ByPart::balanced_accuracy(&labels, &verdicts, parts, groups), truth)
            });
            assert!(held >= 930, "{is_shared}: {held} of {SAMPLES}");
        }
    }

    /// Of two normal variables with Pearson's correlation r, Spearman's is 6/pi asin(r/2).
    #[test]
    fn intervals_of_mean_correlations_hold_the_truth() {
        for is_shared in [false, true] {
            let held = coverage(is_shared, |parts, groups, random| {
                let correlations = [0.2, 0.5, 0.8];
                let spearman = |r: f64| 6.0 / std::f64::consts::PI * (r / 2.0).asin();
                let truth = correlations.map(spearman).iter().sum::<f64>() / 3.0;
                let [labels, noise] = [(), ()].map(|()| correlated(groups, random));
                let mut scores = vec![None; labels.len()];
                for (rows, r) in parts.iter().zip(correlations) {
                    let score = |row: usize| r * labels[row] + (1.0 - r * r).sqrt() * noise[row];
                    rows.iter().for_each(|&row| scores[row] = Some(score(row)));
                }
                (ByPart::spearman(&labels, &scores, parts, groups), truth)
            });
            assert!(held >= 930, "{is_shared}: {held} of {SAMPLES}");
        }
    }

    #[test]
    fn parts_count_alike_and_those_without_a_figure_not_at_all() {
        let labels = [true, false, true, false, true, true];
        let verdicts = [true, false, true, true, true, false].map(Some);
        let parts = [vec![0, 1], vec![2, 3], vec![4, 5]];
        let found = ByPart::balanced_accuracy(&labels, &verdicts, &parts, &Groups::numbered(0..6));
        let values: Vec<Option<f64>> = found.parts.iter().map(|part| part.map(|part| part.value)).collect();
        assert_eq!((values, found.mean.unwrap().value), (vec![Some(1.0), Some(0.5), None], 0.75));
        let none = ByPart::balanced_accuracy(&labels, &verdicts, &parts[2..], &Groups::numbered(0..6));
        assert_eq!(none.mean, None);
    }
}
