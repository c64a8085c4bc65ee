//! How rows were drawn for labelling, from the columns `wave` and `drawn` that `next` writes, and how it draws the next ones.

use std::hash::Hash;

use indexmap::IndexSet;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::context::Context;
use crate::error::{Error, Result};
use crate::evaluation::{Draw, combined_probabilities};
use crate::formats::Signals;
use crate::judgments::output::Output;
use crate::judgments::{Judgment, Language, Pair};

/// A row is drawn with at most this probability, so that every row may also be left out: what is estimated from those
/// that are drawn then holds for all.
const MAX_PROBABILITY: f64 = 0.9;

/// Rows of the same systems are drawn from each of so many ranges of predictions.
const RANGES: usize = 3;

/// Settings of [`next`](super::next()) and [`next_outputs`](super::next_outputs).
#[derive(Debug, Clone, PartialEq)]
pub struct NextSettings {
    /// How many to draw; at least 1.
    pub count: usize,
    /// The share that is drawn whatever the model and the judges say, in (0, 1].
    pub random_share: f64,
    /// The signals beside pairs: disputes of judges count.
    pub signals: Signals,
    /// The language of the texts, for the built-in model.
    pub language: Language,
    /// The seed of the draw.
    pub seed: u64,
}

/// What a row says of its draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct DrawnRow {
    pub is_labelled: bool,
    pub drawn: Option<f64>,
    pub wave: Option<usize>,
}

impl From<&Pair> for DrawnRow {
    fn from(pair: &Pair) -> Self {
        Self { is_labelled: pair.label.is_some(), drawn: pair.drawn, wave: pair.wave }
    }
}

impl From<&Judgment> for DrawnRow {
    fn from(judgment: &Judgment) -> Self {
        Self { is_labelled: true, ..(&judgment.pair).into() }
    }
}

impl From<&Output> for DrawnRow {
    fn from(output: &Output) -> Self {
        Self { is_labelled: !output.labels.is_empty(), drawn: output.drawn, wave: output.wave }
    }
}

/// How each of these rows, such as pairs, was drawn, if it is labelled. Labels without the columns are a simple random
/// sample of all rows, the first wave; `next` then draws the second one.
///
/// # Errors
/// It cannot be told with which probability some labels were drawn: others of the first wave have one.
pub(super) fn of_labels(rows: &[DrawnRow], place: &str) -> Result<Vec<Option<Draw>>> {
    let labelled = || rows.iter().filter(|row| row.is_labelled);
    let wave = |row: &DrawnRow| row.wave.unwrap_or(1);
    let without = labelled().filter(|row| row.drawn.is_none()).count();
    let is_first = labelled().any(|row| row.drawn.is_some() && wave(row) == 1);
    let is_late = labelled().any(|row| row.drawn.is_none() && wave(row) > 1);
    if without > 0 && (is_first || is_late) {
        return Err(Error::invalid(
            place,
            "the probability with which it was drawn, in the column drawn, for all labels or for none",
            format!("{} labels with it and {without} without", labelled().count() - without),
            "copy wave and drawn from what `next` wrote, which has the earlier labels, too; or use one of the two kinds of \
             labels",
        ));
    }
    // Where there are only labelled rows, the second wave tells how many others the first one left.
    let second = labelled().filter(|row| row.drawn.is_some()).map(wave).min();
    let of_second = labelled().filter(|row| row.drawn.is_some() && Some(wave(row)) == second);
    let others: f64 = of_second.filter_map(|row| Some(1.0 / row.drawn?)).sum();
    let is_whole = labelled().count() < rows.len();
    let share = without as f64 / if is_whole { rows.len() as f64 } else { without as f64 + others };
    let draw = |row: &DrawnRow| Draw { wave: wave(row), probability: row.drawn.unwrap_or(share) };
    Ok(rows.iter().map(|row| row.is_labelled.then(|| draw(row))).collect())
}

/// The probabilities by which the labels of these rows count, see [`combined_probabilities`].
///
/// # Errors
/// As for [`of_labels`].
pub(super) fn probabilities_of_labels<R: Into<DrawnRow>>(
    rows: impl IntoIterator<Item = R>,
    place: &str,
) -> Result<Vec<Option<f64>>> {
    let rows: Vec<DrawnRow> = rows.into_iter().map(R::into).collect();
    Ok(combined_probabilities(&of_labels(&rows, place)?))
}

/// Says that figures of labels that were drawn with different probabilities are of these alone, where they are not weighted.
///
/// # Errors
/// As for [`of_labels`].
pub(super) fn note_unequal<R: Into<DrawnRow>>(
    context: Context<'_>,
    rows: impl IntoIterator<Item = R>,
    place: &str,
    unit: &str,
) -> Result<()> {
    if probabilities_of_labels(rows, place)?.iter().any(Option::is_some) {
        context.note(format!(
            "{place}: labels were drawn with different probabilities (column drawn). `rank` weighs them; these figures are of \
             the labelled {unit} as they are."
        ));
    }
    Ok(())
}

/// The rows from which the next wave is drawn.
pub(super) struct Pool {
    /// What the rows are, such as pairs.
    unit: &'static str,
    /// The rows without a label.
    pub open: Vec<usize>,
    /// How the others were drawn.
    draws: Vec<Option<Draw>>,
}

/// What a draw goes by, of each row without a label.
pub(super) struct Candidates {
    /// The standard deviation of the label, as far as it is known; only ratios count.
    pub uncertainty: Vec<f64>,
    /// The number of the system or systems.
    pub systems: Vec<usize>,
    /// The prediction, on any scale.
    pub predicted: Vec<f64>,
    /// The number of the group.
    pub groups: Vec<usize>,
}

impl Pool {
    /// # Errors
    /// All rows are labelled; as for [`of_labels`]; the random share is out of bounds.
    pub fn new(rows: &[DrawnRow], unit: &'static str, settings: &NextSettings) -> Result<Self> {
        if !(settings.random_share > 0.0 && settings.random_share <= 1.0) {
            let (expected, found) = ("a share above 0, up to 1", settings.random_share.to_string());
            return Err(Error::invalid("`random`", expected, found, "without a random share no estimate is possible"));
        }
        let open: Vec<usize> = (0..rows.len()).filter(|&row| !rows[row].is_labelled).collect();
        if open.is_empty() {
            let (expected, advice) = (format!("{unit} without a label"), format!("all {unit} are labelled already"));
            return Err(Error::invalid(unit, expected, "none", advice));
        }
        Ok(Self { unit, open, draws: of_labels(rows, unit)? })
    }

    /// The rows that are drawn, in random order, then the labelled ones, each with its draw.
    pub fn draw(&self, context: Context<'_>, candidates: &Candidates, settings: &NextSettings) -> Vec<(usize, Draw)> {
        let Self { unit, open, draws } = self;
        let (count, uncertainty) = (settings.count.min(open.len()), &candidates.uncertainty);
        if count < settings.count {
            context.note(format!("All {count} {unit} without a label are drawn: there are no more."));
        } else if settings.random_share < 1.0 && uncertainty.iter().all(|one| *one == uncertainty[0]) {
            context.note(format!(
                "Neither a model nor disputes of judges tell which {unit} are uncertain: all are drawn with the same \
                 probability."
            ));
        }
        let wave = 1 + draws.iter().flatten().map(|draw| draw.wave).max().unwrap_or(0);
        let probabilities = match count == open.len() {
            true => vec![1.0; count],
            false => probabilities(uncertainty, count, settings.random_share),
        };
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        let drawn = systematic(&probabilities, &candidates.order(), random.random()).into_iter();
        let mut drawn: Vec<(usize, Draw)> =
            drawn.map(|row| (open[row], Draw { wave, probability: probabilities[row] })).collect();
        for at in (1..drawn.len()).rev() {
            drawn.swap(at, random.random_range(0..=at));
        }
        drawn.extend(draws.iter().enumerate().filter_map(|(row, draw)| Some((row, (*draw)?))));
        drawn
    }
}

impl Candidates {
    /// The rows by their systems, then by what is predicted, in a few ranges, then by their group.
    fn order(&self) -> Vec<usize> {
        let Self { systems, predicted, groups, .. } = self;
        let mut by_prediction: Vec<usize> = (0..predicted.len()).collect();
        by_prediction.sort_by(|&one, &other| predicted[one].total_cmp(&predicted[other]));
        let mut range = vec![0; predicted.len()];
        by_prediction.iter().enumerate().for_each(|(place, &row)| range[row] = RANGES * place / predicted.len());
        let mut order: Vec<usize> = (0..predicted.len()).collect();
        order.sort_by_key(|&row| (systems[row], range[row], groups[row], row));
        order
    }
}

/// Numbers names in the order in which they come.
pub(super) fn numbered<N: Hash + Eq>(names: impl Iterator<Item = N>) -> Vec<usize> {
    let mut numbers = IndexSet::new();
    names.map(|name| numbers.insert_full(name).0).collect()
}

/// The standard deviation of a label, as far as the model and the judges tell: the mean of that which the model expects
/// and that of two or more verdicts; 0.5 where neither is known.
pub(super) fn uncertainty(of_model: Option<f64>, verdicts: &[f64]) -> f64 {
    let share = 1.0 / verdicts.len() as f64;
    let of_judges = (verdicts.len() > 1).then(|| deviation(verdicts.iter().map(|&verdict| (share, verdict))));
    match (of_model, of_judges) {
        (Some(one), Some(other)) => f64::midpoint(one, other),
        (one, other) => one.or(other).unwrap_or(0.5),
    }
}

/// The standard deviation of values with these probabilities.
pub(super) fn deviation(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let mean: f64 = values.clone().map(|(share, value)| share * value).sum();
    values.map(|(share, value)| share * (value - mean).powi(2)).sum::<f64>().max(0.0).sqrt()
}

/// The probabilities with which rows are drawn: they sum to `count`.
fn probabilities(uncertainty: &[f64], count: usize, random_share: f64) -> Vec<f64> {
    let (all, sum) = (uncertainty.len() as f64, uncertainty.iter().sum::<f64>());
    let share = |of: &f64| {
        let by_uncertainty = if sum > 0.0 { of / sum } else { 1.0 / all };
        (1.0 - random_share) * by_uncertainty + random_share / all
    };
    let shares: Vec<f64> = uncertainty.iter().map(share).collect();
    let largest = MAX_PROBABILITY.max(count as f64 / all);
    // What is cut from the largest goes to the others.
    let mut factor = count as f64;
    for _ in 0..100 {
        let sum: f64 = shares.iter().map(|share| (factor * share).min(largest)).sum();
        if count as f64 - sum < 1e-12 * count as f64 {
            break;
        }
        let free: f64 = shares.iter().filter(|share| factor * **share < largest).sum();
        if free <= 0.0 {
            break;
        }
        factor += (count as f64 - sum) / free;
    }
    shares.into_iter().map(|share| (factor * share).min(largest)).collect()
}

/// A systematic sample: along the order, a row is drawn wherever the sum of probabilities passes `start`, `start` + 1, ...
fn systematic(probabilities: &[f64], order: &[usize], start: f64) -> Vec<usize> {
    let (mut sum, mut drawn) = (0.0, Vec::new());
    for &row in order {
        sum += probabilities[row];
        // The last one must not be lost to rounding.
        if sum + 1e-9 >= start + drawn.len() as f64 {
            drawn.push(row);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Verdict;

    #[test]
    fn labels_without_columns_are_the_first_wave() {
        let pair = |label: bool, drawn: Option<f64>, wave: Option<usize>| Pair {
            label: label.then_some(Verdict::First),
            drawn,
            wave,
            ..Pair::new(["a".into(), "b".into()], vec![])
        };
        let of = |pairs: &[Pair]| of_labels(&pairs.iter().map(DrawnRow::from).collect::<Vec<_>>(), "x.csv");
        let draw = |wave: usize, probability: f64| Some(Draw { wave, probability });
        let (random, other) = (pair(true, None, None), pair(false, None, None));
        assert_eq!(of(&[random.clone(), other.clone()]).unwrap(), [draw(1, 0.5), None]);
        let second = pair(true, Some(0.2), Some(2));
        let found = of(&[random.clone(), second.clone(), other.clone(), other]).unwrap();
        assert_eq!(found, [draw(1, 0.25), draw(2, 0.2), None, None]);
        // One of 0.2 stands for five: with the first one, there were six.
        assert_eq!(of(&[random.clone(), second.clone()]).unwrap(), [draw(1, 1.0 / 6.0), draw(2, 0.2)]);
        // Two kinds of labels that both claim to be the first, and a later wave without its probabilities.
        for wrong in [pair(true, Some(0.2), None), pair(true, Some(0.2), Some(1)), pair(true, None, Some(2))] {
            let message = of(&[random.clone(), second.clone(), wrong]).unwrap_err().to_string();
            assert!(message.starts_with("x.csv: ") && message.contains("labels with it and"), "{message}");
        }
    }

    #[test]
    fn probabilities_sum_to_the_number_of_rows_and_none_is_certain() {
        let uncertainty: Vec<f64> = (0..200).map(|at| if at < 5 { 50.0 } else { 0.1 + (at % 7) as f64 }).collect();
        for random in [0.1, 0.5, 1.0] {
            let found = probabilities(&uncertainty, 40, random);
            assert!((found.iter().sum::<f64>() - 40.0).abs() < 1e-6, "{random}");
            assert!(found.iter().all(|&found| found > 0.0 && found <= MAX_PROBABILITY + 1e-12));
        }
        let random = probabilities(&uncertainty, 40, 1.0);
        assert!(random.iter().all(|&found| (found - 0.2).abs() < 1e-12));
        assert_eq!(probabilities(&[0.0; 4], 2, 0.3), [0.5; 4]);
    }

    #[test]
    fn each_row_is_drawn_as_often_as_its_probability_says() {
        let probabilities = probabilities(&(0..50).map(|at| 1.0 + f64::from(at)).collect::<Vec<_>>(), 10, 0.2);
        let order: Vec<usize> = (0..50).rev().collect();
        let mut counts = vec![0.0; 50];
        for round in 0..5000 {
            let drawn = systematic(&probabilities, &order, (f64::from(round) + 0.5) / 5000.0);
            assert!(drawn.len() == 10 || drawn.len() == 11, "{}", drawn.len());
            drawn.into_iter().for_each(|row| counts[row] += 1.0 / 5000.0);
        }
        for (count, probability) in counts.iter().zip(&probabilities) {
            assert!((count - probability).abs() < 0.001, "{count} {probability}");
        }
    }
}
