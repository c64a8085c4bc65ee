//! `next`: the pairs or single outputs whose labels would help most.

use super::context::Context;
use super::draws::{Candidates, DrawnRow, NextSettings, Pool, deviation, numbered, uncertainty};
use super::grounding::with_grounding;
use super::judge::{NamedModel, OnLeak, predict_all};
use super::output_ranking::learned_of;
use super::output_scores::scores_of;
use super::reading::PairFiles;
use super::warnings;
use crate::error::{Error, Result};
use crate::evaluation::Draw;
use crate::judgments::grouping;
use crate::judgments::output::{LabelRange, Marks, Output, Outputs};
use crate::judgments::{ExternalJudge, Pair, Probabilities};

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
    let pool = Pool::new(&pairs.iter().map(DrawnRow::from).collect::<Vec<_>>(), "pairs", settings)?;
    let candidates: Vec<&Pair> = pool.open.iter().map(|&row| &pairs[row]).collect();
    let judges = settings.signals.judges_in(|| pairs.iter());
    warnings::check_judges(context, &judges, pairs.iter(), "pairs")?;
    let built_in = (model.is_none() && pairs.iter().all(|pair| !pair.references.is_empty()))
        .then(|| NamedModel::read(None, context.engine(), &settings.language))
        .transpose()?;
    let judged = model.or(built_in.as_ref());
    let judged = judged.map(|named| predict_all(context, named, &candidates, "pairs", OnLeak::Ignore)).transpose()?;
    let given: Option<Vec<Probabilities>> =
        judged.map(|judged| judged.iter().map(|judged| judged.probabilities).collect());
    let known = Candidates {
        uncertainty: uncertainty_of_pairs(&candidates, given.as_deref(), &judges),
        systems: numbered(candidates.iter().map(|pair| {
            let mut names = pair.systems.as_ref().map_or(["", ""], |both| both.each_ref().map(String::as_str));
            names.sort_unstable();
            names
        })),
        predicted: match &given {
            Some(given) => given.iter().map(|given| given.0[0] + 0.5 * given.0[1]).collect(),
            None => candidates.iter().map(|pair| judges.iter().filter_map(|judge| judge.mean(pair)).sum()).collect(),
        },
        groups: grouping::groups(candidates.iter().copied()).of_row,
    };
    let drawn = pool.draw(context, &known, settings).into_iter().map(|(row, Draw { wave, probability })| Pair {
        drawn: Some(probability),
        wave: Some(wave),
        ..pairs[row].clone()
    });
    Ok(drawn.collect())
}

/// As [`next`], of outputs: the candidates are those without any label. Uncertain is what a model of labels that pass or
/// fail expects with a probability p: sqrt(p (1 - p)); one of numbers does not tell. The values of two or more judges count
/// as shares of each one's range, of verdicts 0 to 1. The draw is along the outputs by their system, by the expected
/// label, or else the mean of the judges, and by their group. Errors and notes call the outputs `name`.
///
/// # Errors
/// As for [`next`]; the model was not trained on such outputs.
pub fn next_outputs(
    context: Context<'_>,
    name: &str,
    outputs: &Outputs,
    model: Option<&NamedModel>,
    settings: &NextSettings,
) -> Result<Outputs> {
    let pool = Pool::new(&outputs.rows.iter().map(DrawnRow::from).collect::<Vec<_>>(), "outputs", settings)?;
    let Outputs { marks, signals, .. } = outputs;
    let with_rows = |rows: Vec<Output>| Outputs { rows, marks: *marks, signals: signals.clone(), notes: Vec::new() };
    let mut open = with_rows(pool.open.iter().map(|&row| outputs.rows[row].clone()).collect());
    if model.is_some() {
        open = with_grounding(context, open);
    }
    let learned = model.map(|named| Ok((named, learned_of(named, outputs)?))).transpose()?;
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    let expected =
        learned.map(|(named, learned)| Ok(learned.labels(&scores_of(context, named, &open, name, OnLeak::Ignore)?)));
    let expected = expected.transpose()?;
    let is_pass_rate = learned.is_some_and(|(_, learned)| learned.marks == Marks::PassFail);
    let judges = signals.iter().enumerate().filter(|(_, signal)| signal.is_judge);
    let values = |at: usize| outputs.rows.iter().filter_map(move |row| row.values[at]);
    let judges: Vec<(usize, LabelRange)> =
        judges.map(|(at, signal)| (at, LabelRange::of(signal.marks, values(at)))).collect();
    let verdicts = |row: &Output| -> Vec<f64> {
        judges.iter().filter_map(|(at, range)| row.values[*at].map(|value| range.share(value))).collect()
    };
    let verdicts: Vec<Vec<f64>> = open.rows.iter().map(verdicts).collect();
    let uncertainty_of = |(row, verdicts): (usize, &Vec<f64>)| {
        let pass = expected.as_ref().filter(|_| is_pass_rate).map(|expected| expected[row]);
        uncertainty(pass.map(|pass| deviation([(pass, 1.0), (1.0 - pass, 0.0)].into_iter())), verdicts)
    };
    let known = Candidates {
        uncertainty: verdicts.iter().enumerate().map(uncertainty_of).collect(),
        systems: numbered(open.rows.iter().map(|output| output.system.as_deref())),
        predicted: match expected {
            Some(expected) => expected,
            None => verdicts.iter().map(|verdicts| verdicts.iter().sum::<f64>() / verdicts.len() as f64).collect(),
        },
        groups: open.groups().of_row,
    };
    let drawn = pool.draw(context, &known, settings).into_iter().map(|(row, Draw { wave, probability })| Output {
        drawn: Some(probability),
        wave: Some(wave),
        ..outputs.rows[row].clone()
    });
    Ok(with_rows(drawn.collect()))
}

/// The standard deviation of the label of each pair.
fn uncertainty_of_pairs(pairs: &[&Pair], given: Option<&[Probabilities]>, judges: &[ExternalJudge]) -> Vec<f64> {
    let of_pair = |(row, pair): (usize, &&Pair)| {
        let of_model = given.map(|given| deviation(given[row].0.into_iter().zip([1.0, 0.5, 0.0])));
        let verdicts = judges.iter().flat_map(|judge| judge.orders(pair)).flatten();
        uncertainty(of_model, &verdicts.map(|verdict| f64::midpoint(1.0, verdict)).collect::<Vec<_>>())
    };
    pairs.iter().enumerate().map(of_pair).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::context::Engine;
    use super::super::output_ranking::{MarkSettings, rank_marked};
    use super::super::rank::By;
    use super::*;
    use crate::evaluation::Estimate;
    use crate::formats::Signals;
    use crate::judgments::Language;
    use crate::judgments::output::OutputSignal;

    #[test]
    fn the_undecided_are_uncertain() {
        let given = [Probabilities([0.98, 0.01, 0.01]), Probabilities([0.45, 0.1, 0.45])];
        let pairs = [Pair::new(["a".into(), "b".into()], vec![]), Pair::new(["c".into(), "d".into()], vec![])];
        let found = uncertainty_of_pairs(&pairs.iter().collect::<Vec<_>>(), Some(&given), &[]);
        assert!(found[0] < 0.15 && found[1] > 0.45, "{found:?}");
    }

    /// 800 outputs, half of which two judges dispute. Of these few pass, of the others most.
    fn disputed() -> Outputs {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut row = |at: usize| {
            let is_disputed = at.is_multiple_of(2);
            let passes = f64::from(u8::from(random.random_bool(if is_disputed { 0.2 } else { 0.8 })));
            Output {
                prompt: Some(format!("q{at}")),
                text: format!("text {at}"),
                labels: vec![(None, passes)],
                values: vec![Some(1.0), Some(f64::from(u8::from(!is_disputed)))],
                ..Output::default()
            }
        };
        let signal = |name: &str| OutputSignal {
            name: name.to_owned(),
            is_judge: true,
            lower_is_better: false,
            marks: Marks::PassFail,
        };
        let signals = vec![signal("one"), signal("two")];
        Outputs { rows: (0..800).map(&mut row).collect(), signals, ..Outputs::default() }
    }

    fn settings(count: usize, seed: u64) -> NextSettings {
        let (signals, language) = (Signals::default(), Language::default());
        NextSettings { count, random_share: 0.3, signals, language, seed }
    }

    #[test]
    fn labels_of_disputed_outputs_are_weighted_to_stand_for_all() {
        let engine = Engine::new();
        let (context, truth) = (Context::new(&engine), disputed());
        let unlabelled = |outputs: Outputs| Outputs {
            rows: outputs.rows.into_iter().map(|row| Output { labels: vec![], ..row }).collect(),
            ..outputs
        };
        const DRAWS: u64 = 200;
        let mean = truth.rows.iter().map(|row| row.labels[0].1).sum::<f64>() / 800.0;
        // By labels with their probabilities, without them, and by labels and a judge.
        let (mut sums, mut held) = ([0.0; 3], [0; 3]);
        for seed in 0..DRAWS {
            let drawn = next_outputs(context, "x", &unlabelled(truth.clone()), None, &settings(160, seed)).unwrap();
            let mut pool = unlabelled(truth.clone());
            for output in &drawn.rows {
                let at = truth.rows.iter().position(|row| row.text == output.text).unwrap();
                pool.rows[at] = Output { labels: truth.rows[at].labels.clone(), ..output.clone() };
            }
            pool.signals.remove(0);
            pool.rows.iter_mut().for_each(|row| row.values = row.values.split_off(1));
            let alike = |row: &Output| Output { drawn: None, wave: None, ..row.clone() };
            let unweighted = Outputs { rows: pool.rows.iter().map(alike).collect(), ..pool.clone() };
            for (at, (pool, by)) in
                [(pool.clone(), By::Human), (unweighted, By::Human), (pool, By::Both)].into_iter().enumerate()
            {
                let settings = MarkSettings { by, model: None, lambda: None };
                let ranking = rank_marked(context, "x", pool, &settings).unwrap();
                assert_eq!(ranking.is_weighted, at != 1);
                let Estimate { value, low, high } = ranking.all.estimate;
                sums[at] += value / DRAWS as f64;
                held[at] += u64::from(low <= mean && mean <= high);
            }
        }
        // About half of all pass, but of those that are drawn 29%.
        assert!((sums[0] - mean).abs() < 0.01 && (sums[2] - mean).abs() < 0.01 && sums[1] < 0.35, "{sums:?} {mean}");
        assert!(held[0] >= 186 && held[2] >= 186 && held[1] < 40, "{held:?}");
    }

    #[test]
    fn earlier_labels_follow_the_outputs_that_are_drawn() {
        let engine = Engine::new();
        let mut pool = disputed();
        pool.rows[200..].iter_mut().for_each(|row| row.labels.clear());
        let drawn = next_outputs(Context::new(&engine), "x", &pool, None, &settings(20, 1)).unwrap();
        let (open, earlier): (Vec<&Output>, Vec<&Output>) = drawn.rows.iter().partition(|row| row.labels.is_empty());
        assert_eq!((open.len(), earlier.len()), (20, 200));
        assert!(open.iter().all(|row| row.wave == Some(2)) && drawn.rows[..20].iter().all(|row| row.labels.is_empty()));
        assert!(earlier.iter().all(|row| (row.wave, row.drawn) == (Some(1), Some(0.25))));
        // The disputed half of 600 has 17/20 of the weight.
        let disputed = open.iter().filter(|row| row.values[1] == Some(0.0)).count();
        assert!((16..=18).contains(&disputed), "{disputed}");
        // One judge disputes nothing.
        pool.signals.remove(1);
        let drawn = next_outputs(Context::new(&engine), "x", &pool, None, &settings(20, 1)).unwrap();
        assert!(drawn.rows[..20].iter().all(|row| row.drawn == Some(20.0 / 600.0)));
    }
}
