//! `rank` on single outputs: the pass rate or mean score of each system, corrected by labels of a random part where a judge
//! has all.

use indexmap::IndexSet;

use super::context::Context;
use super::rank::By;
use crate::error::{Error, Result, quoted};
use crate::evaluation::ranking::{LEVEL, clusters_of_sorted, order};
use crate::evaluation::{Estimate, Observation, PoweredMean, corrected_rate};
use crate::judgments::output::{Marks, Output, OutputSignal, Outputs};
use crate::report::output_ranking::{MeanDifference, MeanRow, OutputRanking};

/// Ranks systems by the labels of their outputs, by a judge or metric beside them, or by both: labels of a random part, and
/// the values of the only judge on all.
///
/// # Errors
/// There are no labels or no signal where they are needed, or several; values of the signal are neither marks like the
/// labels nor numbers; a model is to rank.
pub fn rank_marked(context: Context<'_>, name: &str, outputs: &Outputs, by: &By) -> Result<OutputRanking> {
    let wrong = |expected: &str, found: String, advice: &str| Err(Error::invalid("`by`", expected, found, advice));
    let at = match (by, outputs.signals.as_slice()) {
        (By::Human, _) => None,
        (By::Judge(judge), signals) => signals.iter().position(|signal| signal.name == *judge),
        (By::Both, [_]) => Some(0),
        (By::Both, signals) => {
            let found = format!("{} named", signals.len());
            return wrong("one judge whose values stand beside the labels", found, "name it, such as `judge` gpt");
        }
        (By::Model, _) => {
            let advice = "rank by human labels, a judge, or both";
            return wrong("human, both or the name of a judge, for outputs with marks", "model".to_owned(), advice);
        }
    };
    let signal = at.map(|at| &outputs.signals[at]);
    let is_by_signal = matches!(by, By::Judge(_));
    let label = |row: &Output| row.label(outputs.marks).filter(|_| !is_by_signal);
    let marks = signal.filter(|_| is_by_signal).map_or(outputs.marks, |one| one.marks);
    let value = |row: &Output| {
        let sign = if signal?.lower_is_better { -1.0 } else { 1.0 };
        row.values[at?].map(|value| sign * value)
    };
    let pairs: Vec<(Option<f64>, Option<f64>)> = outputs.rows.iter().map(|row| (label(row), value(row))).collect();
    let labels = pairs.iter().filter(|(label, _)| label.is_some()).count();
    if !is_by_signal && labels == 0 {
        let advice = "name the column of the human labels, `column` label=NAME, or rank by a judge: `by` NAME";
        return Err(Error::invalid(name, "human labels of some outputs", "none", advice));
    }
    if let (By::Both, Some(signal)) = (by, signal) {
        check_scale(signal, marks)?;
    }
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    let bounds = bounds(marks, &pairs);
    let scale = Scale { bounds };
    let groups = outputs.groups();
    let observation = |row: usize| Observation {
        group: groups.of_row[row],
        weight: 1.0,
        label: pairs[row].0.map(|label| scale.to_share(label)),
        predicted: pairs[row].1.map(|value| scale.to_share(value)),
        drawn: None,
    };
    let all: Vec<usize> = (0..outputs.rows.len()).collect();
    let mean = |rows: &[usize]| PoweredMean::new(&rows.iter().map(|&row| observation(row)).collect::<Vec<_>>(), None);
    let row = |system: &str, rows: &[usize], mean: &PoweredMean| {
        let labelled: Vec<Observation> =
            rows.iter().map(|&row| Observation { predicted: None, ..observation(row) }).collect();
        let judged = rows.iter().filter_map(|&row| pairs[row].1);
        let (sum, count) = judged.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
        MeanRow {
            system: system.to_owned(),
            cluster: 0,
            outputs: rows.len(),
            labels: rows.iter().filter(|&&row| pairs[row].0.is_some()).count(),
            estimate: scale.estimate(mean.share()),
            judge: (count > 0).then(|| sum / f64::from(count)),
            labels_alone: PoweredMean::new(&labelled, None).map(|mean| scale.estimate(mean.share())),
            lambda: (*by == By::Both).then_some(mean.lambda),
        }
    };
    let Some(whole) = mean(&all) else {
        return Err(Error::invalid(name, "labels or values of some outputs", "none", "name their columns"));
    };
    let total = row("all outputs", &all, &whole);
    let names: IndexSet<&str> = outputs.rows.iter().filter_map(|row| row.system.as_deref()).collect();
    let mut found = Vec::new();
    let mut silent: Vec<&str> = Vec::new();
    for &system in &names {
        let rows: Vec<usize> =
            all.iter().copied().filter(|&at| outputs.rows[at].system.as_deref() == Some(system)).collect();
        match mean(&rows) {
            Some(mean) if is_by_signal || rows.iter().any(|&row| pairs[row].0.is_some()) => {
                found.push((row(system, &rows, &mean), mean));
            }
            _ => silent.push(system),
        }
    }
    if !silent.is_empty() {
        context.warn(format!("no output has a label, so that they have no rank: {}", silent.join(", ")));
    }
    let sorted = order(&found.iter().map(|(_, mean)| mean.value).collect::<Vec<f64>>());
    let found: Vec<(MeanRow, PoweredMean)> = sorted.into_iter().map(|at| found[at].clone()).collect();
    let labelled_groups =
        |rows: &mut dyn Iterator<Item = usize>| rows.map(|row| groups.of_row[row]).collect::<IndexSet<_>>().len();
    let judged = labelled_groups(&mut all.iter().copied().filter(|&row| pairs[row].0.is_some() || is_by_signal));
    let mut differences = Vec::new();
    let mut clear = vec![vec![false; found.len()]; found.len()];
    for (place, (one, mean)) in found.iter().enumerate() {
        for (other_place, (other, other_mean)) in found.iter().enumerate().skip(place + 1) {
            let difference = mean.difference(other_mean);
            let p_value = difference.p_value();
            let is_clear = p_value < LEVEL;
            clear[place][other_place] = is_clear;
            let growth = difference.growth();
            differences.push(MeanDifference {
                one: one.system.clone(),
                other: other.system.clone(),
                difference: scale.difference(difference.estimate_within([-1.0, 1.0])),
                p_value,
                is_clear,
                groups_needed: (growth.is_finite() && !is_clear).then(|| (growth * judged as f64).ceil()),
            });
        }
    }
    let clusters = clusters_of_sorted(found.len(), |place, better| clear[better][place]);
    let systems = found.into_iter().zip(clusters).map(|((row, _), cluster)| MeanRow { cluster, ..row }).collect();
    let is_verdict = |signal: &&OutputSignal| signal.marks == Marks::PassFail && marks == Marks::PassFail;
    let by_rates = signal.filter(is_verdict).filter(|_| *by == By::Both).and_then(|_| {
        let pass = |value: Option<f64>| value.map(|value| value > 0.5);
        let rows: Vec<(Option<bool>, bool)> =
            pairs.iter().filter_map(|(label, value)| Some((pass(*label), pass(*value)?))).collect();
        corrected_rate(&rows)
    });
    Ok(OutputRanking {
        name: name.to_owned(),
        by: match (by, signal) {
            (By::Judge(judge), _) => judge.clone(),
            (By::Both, Some(signal)) => format!("human labels and {}", signal.name),
            _ => "human labels".to_owned(),
        },
        judge: signal.map(|signal| signal.name.clone()),
        marks,
        outputs: outputs.rows.len(),
        labels,
        groups: groups.count,
        unit: outputs.unit(),
        all: total,
        systems,
        differences,
        by_rates,
    })
}

/// Labels on their way to shares of the range between two bounds, and back.
struct Scale {
    bounds: [f64; 2],
}

impl Scale {
    fn to_share(&self, value: f64) -> f64 {
        let [low, high] = self.bounds;
        if high > low { (value - low) / (high - low) } else { 0.5 }
    }

    fn estimate(&self, share: Estimate) -> Estimate {
        let [low, high] = self.bounds;
        let back = |share: f64| low + share * (high - low);
        Estimate { value: back(share.value), low: back(share.low), high: back(share.high) }
    }

    fn difference(&self, share: Estimate) -> Estimate {
        let scale = self.bounds[1] - self.bounds[0];
        Estimate { value: scale * share.value, low: scale * share.low, high: scale * share.high }
    }
}

/// The least and the largest value that there is; of marks, 0 and 1.
fn bounds(marks: Marks, pairs: &[(Option<f64>, Option<f64>)]) -> [f64; 2] {
    if marks == Marks::PassFail {
        return [0.0, 1.0];
    }
    let values = pairs.iter().flat_map(|(label, value)| [*label, *value]).flatten();
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)])
}

/// # Errors
/// A judge scores what people pass or fail beyond 0 and 1.
fn check_scale(signal: &OutputSignal, marks: Marks) -> Result<()> {
    if marks == Marks::Numbers && signal.marks == Marks::PassFail {
        let expected = format!("numbers of the judge {}, as the labels are", quoted(&signal.name));
        return Err(Error::invalid("`judge`", expected, "pass and fail", "name a judge on the scale of the labels"));
    }
    Ok(())
}
