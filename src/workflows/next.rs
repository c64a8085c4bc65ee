//! `next`: the pairs whose labels would help most.

use indexmap::IndexMap;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::context::Context;
use super::draws;
use super::judge::{NamedModel, predict_all};
use super::reading::PairFiles;
use super::warnings;
use crate::error::{Error, Result};
use crate::evaluation::Draw;
use crate::formats::Signals;
use crate::judgments::grouping;
use crate::judgments::{ExternalJudge, Language, Pair, Probabilities};

/// A pair is drawn with at most this probability, so that every pair may also be left out: what is estimated from those
/// that are drawn then holds for all.
const MAX_PROBABILITY: f64 = 0.9;

/// Pairs of the same systems are drawn from each of so many ranges of predictions.
const RANGES: usize = 3;

/// Settings of [`next`].
#[derive(Debug, Clone, PartialEq)]
pub struct NextSettings {
    /// How many pairs to draw; at least 1.
    pub count: usize,
    /// The share that is drawn whatever the model and the judges say, in (0, 1].
    pub random_share: f64,
    /// The signals beside the pairs: disputes of judges count.
    pub signals: Signals,
    /// The language of the texts, for the built-in model.
    pub language: Language,
    /// The seed of the draw.
    pub seed: u64,
}

/// The pairs of files, and what [`next`] draws of them.
///
/// # Errors
/// As for [`next`]; a file cannot be read; no model knows the own metrics that are named.
pub fn next_of_files(
    context: Context<'_>,
    files: &PairFiles,
    model: Option<&NamedModel>,
    settings: &NextSettings,
) -> Result<(Vec<Pair>, Vec<Pair>)> {
    // Judges count beside the model.
    match model {
        Some(named) => named.check_metrics(&files.signals)?,
        None if files.signals.metrics().is_empty() => {}
        None => {
            let advice = "name a model that was trained with them, `model` FILE, or omit them";
            return Err(Error::invalid("`own`", "a model that knows own metrics", "none", advice));
        }
    }
    let pairs = files.pool(context, model.cloned().as_slice(), true)?;
    let drawn = next(context, &pairs, model, settings)?;
    Ok((pairs, drawn))
}

/// Draws pairs for labelling from those without a label, in random order, as the next wave of labelling: each with the
/// number of the wave and the probability with which it was drawn. The labelled pairs follow, with the same of the waves
/// that drew them: labels without it count as a simple random sample of all pairs, the first wave. So what `next` draws has
/// all that [`rank`](super::rank()) needs to weigh labels of several waves.
///
/// A pair is drawn with probability pi_i = n ((1 - r) u_i / sum_j u_j + r/N), at most 0.9, for n of N pairs and the
/// random share r: u_i is the standard deviation of the label that the model expects, where a win counts 1 and a tie 1/2,
/// averaged with that of the judges' verdicts; every pair has the same u_i without a model and judges. That is the rule of
/// Zrnic and Candès 2024, "Active Statistical Inference", section 4. The draw is systematic, along the pairs sorted by
/// their systems, by what is predicted, and by their group: so it is spread over all of these. Without a model, the built-in
/// one is asked if all pairs have references.
///
/// # Errors
/// All pairs are labelled; it is known of some labels only with which probability their pairs were drawn; the random share
/// is out of bounds; a pair lacks what the model needs.
pub fn next(
    context: Context<'_>,
    pairs: &[Pair],
    model: Option<&NamedModel>,
    settings: &NextSettings,
) -> Result<Vec<Pair>> {
    if !(settings.random_share > 0.0 && settings.random_share <= 1.0) {
        let (expected, found) = ("a share above 0, up to 1", settings.random_share.to_string());
        return Err(Error::invalid("`random`", expected, found, "without a random share no estimate is possible"));
    }
    let candidates: Vec<&Pair> = pairs.iter().filter(|pair| pair.label.is_none()).collect();
    if candidates.is_empty() {
        return Err(Error::invalid("pairs", "pairs without a label", "none", "all pairs are labelled already"));
    }
    let all: Vec<(&Pair, bool)> = pairs.iter().map(|pair| (pair, pair.label.is_some())).collect();
    let draws = draws::of_labels(&all, "pairs")?;
    let wave = 1 + draws.iter().flatten().map(|draw| draw.wave).max().unwrap_or(0);
    let judges = settings.signals.judges_in(|| pairs.iter());
    warnings::check_judges(context, &judges, pairs.iter(), "pairs")?;
    let built_in = (model.is_none() && pairs.iter().all(|pair| !pair.references.is_empty()))
        .then(|| NamedModel::read(None, context.engine(), &settings.language))
        .transpose()?;
    let model = model.or(built_in.as_ref());
    let count = settings.count.min(candidates.len());
    if count < settings.count {
        context.note(format!("All {count} pairs without a label are drawn: there are no more."));
    }
    if model.is_none() && judges.is_empty() && settings.random_share < 1.0 {
        context.note("Without a model and judges, all pairs are drawn with the same probability.");
    }
    let judged = model.map(|named| predict_all(context, named, &candidates, "pairs", false)).transpose()?;
    let given: Option<Vec<Probabilities>> =
        judged.map(|judged| judged.iter().map(|judged| judged.probabilities).collect());
    let uncertainty = uncertainty(&candidates, given.as_deref(), &judges);
    let probabilities = if count == candidates.len() {
        vec![1.0; count]
    } else {
        probabilities(&uncertainty, count, settings.random_share)
    };
    let order = order(&candidates, given.as_deref(), &judges);
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut drawn: Vec<Pair> = systematic(&probabilities, &order, random.random())
        .into_iter()
        .map(|row| Pair { drawn: Some(probabilities[row]), wave: Some(wave), ..candidates[row].clone() })
        .collect();
    for at in (1..drawn.len()).rev() {
        drawn.swap(at, random.random_range(0..=at));
    }
    let earlier = pairs.iter().zip(draws).filter_map(|(pair, draw)| Some((pair, draw?)));
    drawn.extend(earlier.map(|(pair, Draw { wave, probability })| Pair {
        drawn: Some(probability),
        wave: Some(wave),
        ..pair.clone()
    }));
    Ok(drawn)
}

/// The standard deviation of the label of each pair, as far as model and judges tell: the mean of both.
fn uncertainty(pairs: &[&Pair], given: Option<&[Probabilities]>, judges: &[ExternalJudge]) -> Vec<f64> {
    let of_pair = |(row, pair): (usize, &&Pair)| {
        let of_model =
            given.map(|given| deviation(&[(given[row].0[0], 1.0), (given[row].0[1], 0.5), (given[row].0[2], 0.0)]));
        let verdicts: Vec<f64> = judges
            .iter()
            .flat_map(|judge| judge.orders(pair))
            .flatten()
            .map(|verdict| f64::midpoint(1.0, verdict))
            .collect();
        let share = 1.0 / verdicts.len() as f64;
        let of_judges = (verdicts.len() > 1)
            .then(|| deviation(&verdicts.iter().map(|&verdict| (share, verdict)).collect::<Vec<_>>()));
        let known: Vec<f64> = of_model.into_iter().chain(of_judges).collect();
        if known.is_empty() { 0.5 } else { known.iter().sum::<f64>() / known.len() as f64 }
    };
    pairs.iter().enumerate().map(of_pair).collect()
}

/// The standard deviation of values with these probabilities.
fn deviation(values: &[(f64, f64)]) -> f64 {
    let mean: f64 = values.iter().map(|(share, value)| share * value).sum();
    values.iter().map(|(share, value)| share * (value - mean).powi(2)).sum::<f64>().max(0.0).sqrt()
}

/// The probabilities with which pairs are drawn: they sum to `count`.
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

/// The pairs by their systems, then by what is predicted, in a few ranges, then by their group.
fn order(pairs: &[&Pair], given: Option<&[Probabilities]>, judges: &[ExternalJudge]) -> Vec<usize> {
    let groups = grouping::groups(pairs.iter().copied());
    let mut numbers: IndexMap<[&str; 2], usize> = IndexMap::new();
    let systems: Vec<usize> = pairs
        .iter()
        .map(|pair| {
            let mut names = pair.systems.as_ref().map_or(["", ""], |both| both.each_ref().map(String::as_str));
            names.sort_unstable();
            let next = numbers.len();
            *numbers.entry(names).or_insert(next)
        })
        .collect();
    let predicted = |row: usize| match given {
        Some(given) => given[row].0[0] + 0.5 * given[row].0[1],
        None => judges.iter().filter_map(|judge| judge.mean(pairs[row])).sum(),
    };
    let mut by_prediction: Vec<usize> = (0..pairs.len()).collect();
    by_prediction.sort_by(|&one, &other| predicted(one).total_cmp(&predicted(other)));
    let mut range = vec![0; pairs.len()];
    by_prediction.iter().enumerate().for_each(|(place, &row)| range[row] = RANGES * place / pairs.len());
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&row| (systems[row], range[row], groups.of_row[row], row));
    order
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

    #[test]
    fn probabilities_sum_to_the_number_of_pairs_and_none_is_certain() {
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
    fn each_pair_is_drawn_as_often_as_its_probability_says() {
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

    #[test]
    fn the_undecided_are_uncertain() {
        let given = [Probabilities([0.98, 0.01, 0.01]), Probabilities([0.45, 0.1, 0.45])];
        let pairs = [Pair::new(["a".into(), "b".into()], vec![]), Pair::new(["c".into(), "d".into()], vec![])];
        let found = uncertainty(&pairs.iter().collect::<Vec<_>>(), Some(&given), &[]);
        assert!(found[0] < 0.15 && found[1] > 0.45, "{found:?}");
    }
}
