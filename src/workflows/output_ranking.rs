//! `rank` on single outputs: the pass rate or mean score of each system, corrected by labels of a random part where a judge
//! has all.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::draws::probabilities_of_labels;
use super::grounding::with_grounding;
use super::judge::{NamedModel, OnLeak};
use super::output_scores::scores_of;
use super::rank::By;
use crate::error::{Error, Result, pluralized, quoted};
use crate::evaluation::ranking::{LEVEL, clusters_of_sorted, order};
use crate::evaluation::{Budget, Estimate, Groups, MORE_LABELS, Observation, PoweredMean, corrected_rate};
use crate::judgments::output::{LabelRange, Marks, Output, OutputSignal, Outputs};
use crate::model::OutputCalibration;
use crate::report::output_ranking::{MeanDifference, MeanRow, OutputRanking};

/// Settings of [`rank_marked`].
#[derive(Debug, Clone)]
pub struct MarkSettings {
    /// What ranks the systems.
    pub by: By,
    /// A model that was trained on outputs, for [`By::Model`], and for [`By::Both`] in place of a judge.
    pub model: Option<NamedModel>,
    /// How much the judge counts with [`By::Both`], from 0 to 1; by default as makes the interval narrowest.
    pub lambda: Option<f64>,
}

/// Ranks systems by the labels of their outputs, by a judge, metric or model, or by both: labels of a random part, and the values
/// of the only judge, or of the model, on all.
///
/// # Errors
/// There are no labels or no signal where they are needed, or several; it cannot be told with which probability some outputs
/// were drawn for labelling; values of the signal are neither marks like the
/// labels nor numbers; the model was not trained on such outputs.
pub fn rank_marked(
    context: Context<'_>,
    name: &str,
    mut outputs: Outputs,
    settings: &MarkSettings,
) -> Result<OutputRanking> {
    let MarkSettings { by, model, lambda } = settings;
    if let Some(wrong) = lambda.filter(|lambda| !(0.0..=1.0).contains(lambda)) {
        return Err(Error::invalid("`lambda`", "a number from 0 to 1", wrong.to_string(), "1 is the raw judge"));
    }
    if let (Some(_), By::Human | By::Judge(_)) = (model, by) {
        let advice = "rank by the model or both, or omit it";
        return Err(Error::invalid("`model`", "a ranking by the model, or by both", "another one", advice));
    }
    if model.is_some() || matches!(by, By::Judge(_)) {
        outputs = with_grounding(context, outputs);
    }
    if let Some(model) = model {
        add_predictions(context, name, &mut outputs, model)?;
    }
    let at = signal_of(by, model.is_some(), &outputs.signals)?;
    let signal = at.map(|at| &outputs.signals[at]);
    let is_by_signal = matches!(by, By::Judge(_) | By::Model);
    let marks = signal.filter(|_| is_by_signal && model.is_none()).map_or(outputs.marks, |one| one.marks);
    if let (By::Both, Some(signal)) = (by, signal) {
        check_scale(signal, marks)?;
    }
    let value = |row: &Output| {
        let sign = if signal?.lower_is_better { -1.0 } else { 1.0 };
        row.values[at?].map(|value| sign * value)
    };
    let label = |row: &Output| row.label(outputs.marks).filter(|_| !is_by_signal);
    let pairs: Vec<(Option<f64>, Option<f64>)> = outputs.rows.iter().map(|row| (label(row), value(row))).collect();
    let labels = pairs.iter().filter(|(label, _)| label.is_some()).count();
    if !is_by_signal && labels == 0 {
        let advice = "name the column of the human labels, `column` label=NAME, or rank by a judge: `by` NAME";
        return Err(Error::invalid(name, "human labels of some outputs", "none", advice));
    }
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    if !is_by_signal && outputs.divided() > 0 {
        let divided = pluralized(outputs.divided(), "output");
        context
            .note(format!("{name}: {divided} with as many labels that pass as that fail, which count as unlabelled"));
    }
    if let (By::Both, Some(signal)) = (by, signal)
        && pairs.iter().all(|(_, value)| value.is_none())
    {
        let expected = format!("values in the column {}", quoted(&signal.name));
        return Err(Error::invalid(name, expected, "none", "check that it is the right column"));
    }
    let drawn = match is_by_signal {
        true => vec![None; pairs.len()],
        false => probabilities_of_labels(&outputs.rows, name)?,
    };
    let is_weighted = drawn.iter().any(Option::is_some);
    let both = pairs.iter().flat_map(|(label, value)| [*label, *value]).flatten();
    let mut ranges = [LabelRange::of(marks, both); 2];
    if let (By::Both, None, Some(signal)) = (by, model, signal) {
        let labelled = LabelRange::of(marks, pairs.iter().filter_map(|one| one.0));
        let judged = LabelRange::of(signal.marks, pairs.iter().filter_map(|one| one.1));
        if lambda.is_none() && !labelled.may_be_same_scale(judged) {
            ranges = [labelled, judged];
            let other = format!("values {judged} are on another scale than the labels, {labelled}");
            context.note(format!("{}: {other}: they are mapped linearly", signal.name));
        }
    }
    let rated = Rated { groups: outputs.groups(), pairs, drawn, ranges, lambda: *lambda, is_by_both: *by == By::Both };
    let all: Vec<usize> = (0..outputs.rows.len()).collect();
    let Some(whole) = rated.mean(&all) else {
        return Err(Error::invalid(name, "labels or values of some outputs", "none", "name their columns"));
    };
    let mut of_system: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (at, row) in outputs.rows.iter().enumerate() {
        row.system.iter().for_each(|system| of_system.entry(system.as_str()).or_default().push(at));
    }
    let (mut found, mut silent) = (Vec::new(), Vec::new());
    for (system, rows) in of_system {
        match rated.mean(&rows) {
            Some(mean) if is_by_signal || rows.iter().any(|&row| rated.pairs[row].0.is_some()) => {
                found.push((rated.row(system, &rows, &mean), mean));
            }
            _ => silent.push(system),
        }
    }
    if !silent.is_empty() {
        context.warn(format!("no output has a label, so that they have no rank: {}", silent.join(", ")));
    }
    let sorted = order(&found.iter().map(|(_, mean)| mean.value).collect::<Vec<f64>>());
    let found: Vec<(MeanRow, PoweredMean)> = sorted.into_iter().map(|at| found[at].clone()).collect();
    let differences = rated.differences(&found, is_by_signal);
    let clear = differences.iter().filter(|two| two.is_clear).map(|two| [two.one.as_str(), two.other.as_str()]);
    let clear: FxHashSet<[&str; 2]> = clear.collect();
    let name_of = |at: usize| found[at].0.system.as_str();
    let clusters = clusters_of_sorted(found.len(), |place, better| clear.contains(&[name_of(better), name_of(place)]));
    let is_verdict = |signal: &&OutputSignal| signal.marks == Marks::PassFail && marks == Marks::PassFail;
    let by_rates = signal.filter(is_verdict).filter(|_| *by == By::Both && !is_weighted).and_then(|_| {
        let pass = |value: Option<f64>| value.map(|value| value > 0.5);
        let rows: Vec<(Option<bool>, bool)> =
            rated.pairs.iter().filter_map(|(label, value)| Some((pass(*label), pass(*value)?))).collect();
        corrected_rate(&rows)
    });
    let budget = whole.budget(MORE_LABELS, labels, outputs.rows.len()).filter(|_| lambda.is_none());
    let budget = budget.map(|budget| Budget { half_width: budget.half_width * rated.ranges[0].width(), ..budget });
    Ok(OutputRanking {
        name: name.to_owned(),
        by: match (by, signal) {
            (By::Human, _) | (_, None) => "human labels".to_owned(),
            (By::Both, Some(signal)) => format!("human labels and {}", signal.name),
            (_, Some(signal)) => signal.name.clone(),
        },
        judge: signal.map(|signal| signal.name.clone()),
        is_weighted,
        marks,
        range: rated.ranges[0],
        outputs: outputs.rows.len(),
        counted: rated.pairs.iter().filter(|(label, value)| label.is_some() || value.is_some()).count(),
        labels,
        groups: rated.groups.count,
        unit: outputs.unit(),
        all: rated.row("all outputs", &all, &whole),
        systems: found.into_iter().zip(clusters).map(|((row, _), cluster)| MeanRow { cluster, ..row }).collect(),
        differences,
        by_rates,
        budget,
        requirements: Vec::new(),
    })
}

/// Adds the labels that a model expects as a signal.
fn add_predictions(context: Context<'_>, name: &str, outputs: &mut Outputs, model: &NamedModel) -> Result<()> {
    let learned = learned_of(model, outputs)?;
    outputs.marks = learned.marks;
    let expected = learned.labels(&scores_of(context, model, outputs, name, OnLeak::Warn)?);
    outputs.rows.iter_mut().zip(expected).for_each(|(row, label)| row.values.push(Some(label)));
    let name = model.name.clone();
    outputs.signals.push(OutputSignal { name, is_judge: true, lower_is_better: false, marks: Marks::Numbers });
    Ok(())
}

/// What a model learned of the labels of outputs.
///
/// # Errors
/// It learned from pairs, or from labels of another kind than those of these outputs.
pub(super) fn learned_of<'m>(model: &'m NamedModel, outputs: &Outputs) -> Result<&'m OutputCalibration> {
    let has_labels = outputs.rows.iter().any(|row| !row.labels.is_empty());
    let Some(learned) = &model.model.outputs else {
        let advice = "train one on outputs with labels: 'tribunal train OUTPUTS -m FILE'";
        return Err(Error::invalid(&model.source_name, "a model that was trained on outputs", "one of pairs", advice));
    };
    if has_labels && learned.marks != outputs.marks {
        let (expected, found) =
            ("a model of the same kind of labels", "pass and fail on one side, numbers on the other");
        return Err(Error::invalid(&model.source_name, expected, found, "train one on such labels"));
    }
    Ok(learned)
}

/// The position of the signal that ranks, or that stands beside labels.
fn signal_of(by: &By, has_model: bool, signals: &[OutputSignal]) -> Result<Option<usize>> {
    let wrong = |expected: &str, found: String, advice: &str| Err(Error::invalid("`by`", expected, found, advice));
    match (by, signals) {
        (By::Human, _) => Ok(None),
        (By::Model | By::Both, signals) if has_model => Ok(Some(signals.len() - 1)),
        (By::Judge(judge), signals) => Ok(signals.iter().position(|signal| signal.name == *judge)),
        (By::Both, [_]) => Ok(Some(0)),
        (By::Both, signals) => {
            let found = format!("{} named", signals.len());
            wrong("one judge whose values stand beside the labels", found, "name it, such as `judge` gpt; or a model")
        }
        (By::Model, _) => wrong("a model that was trained on outputs", "none".to_owned(), "name it with `model`"),
    }
}

/// The labels and values of outputs.
struct Rated {
    pairs: Vec<(Option<f64>, Option<f64>)>,
    /// The probabilities by which labels count, see [`probabilities_of_labels`].
    drawn: Vec<Option<f64>>,
    groups: Groups,
    /// The ranges of labels and of values.
    ranges: [LabelRange; 2],
    lambda: Option<f64>,
    is_by_both: bool,
}

impl Rated {
    fn observation(&self, row: usize) -> Observation {
        let (label, value) = self.pairs[row];
        Observation {
            group: self.groups.of_row[row],
            weight: 1.0,
            label: label.map(|label| self.ranges[0].share(label)),
            predicted: value.map(|value| self.ranges[1].share(value)),
            drawn: self.drawn[row],
        }
    }

    fn mean(&self, rows: &[usize]) -> Option<PoweredMean> {
        PoweredMean::new(&rows.iter().map(|&row| self.observation(row)).collect::<Vec<_>>(), self.lambda)
    }

    fn row(&self, system: &str, rows: &[usize], mean: &PoweredMean) -> MeanRow {
        let labelled: Vec<Observation> =
            rows.iter().map(|&row| Observation { predicted: None, ..self.observation(row) }).collect();
        let judged = rows.iter().filter_map(|&row| self.pairs[row].1);
        let (sum, count) = judged.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
        MeanRow {
            system: system.to_owned(),
            cluster: 0,
            outputs: rows.len(),
            labels: rows.iter().filter(|&&row| self.pairs[row].0.is_some()).count(),
            estimate: self.ranges[0].estimate(mean.share()),
            judge: (count > 0).then(|| sum / f64::from(count)),
            labels_alone: PoweredMean::new(&labelled, None).map(|mean| self.ranges[0].estimate(mean.share())),
            lambda: self.is_by_both.then_some(mean.lambda),
        }
    }

    /// The differences of every two systems, paired on the groups that they share.
    fn differences(&self, systems: &[(MeanRow, PoweredMean)], is_by_signal: bool) -> Vec<MeanDifference> {
        let is_judged = |row: &usize| self.pairs[*row].0.is_some() || is_by_signal;
        let judged = (0..self.pairs.len()).filter(is_judged).map(|row| self.groups.of_row[row]);
        let judged = judged.collect::<IndexSet<_>>().len();
        let two = |(one, mean): &(MeanRow, PoweredMean), (other, other_mean): &(MeanRow, PoweredMean)| {
            let difference = mean.difference(other_mean);
            let (p_value, growth) = (difference.p_value(), difference.growth());
            let is_clear = p_value < LEVEL;
            let (width, share) = (self.ranges[0].width(), difference.estimate_within([-1.0, 1.0]));
            MeanDifference {
                one: one.system.clone(),
                other: other.system.clone(),
                difference: Estimate { value: width * share.value, low: width * share.low, high: width * share.high },
                p_value,
                is_clear,
                groups_needed: (growth.is_finite() && !is_clear).then(|| (growth * judged as f64).ceil()),
            }
        };
        let places = systems.iter().enumerate();
        places.flat_map(|(at, one)| systems[at + 1..].iter().map(move |other| two(one, other))).collect()
    }
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
