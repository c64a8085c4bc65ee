//! `compare` on single outputs: how well judges and metrics agree with labels that pass or fail, or are numbers.

use super::context::Context;
use super::judge::NamedModel;
use super::score::{MetricChoice, ParallelTexts, SystemOutput, score_segments_of};
use super::systems::suits;
use crate::error::{Error, Result, pluralized, quoted};
use crate::evaluation::{
    BinaryAgreement, Estimate, Folds, Groups, NumericAgreement, agreement_within, balanced_accuracy_difference,
    roc_area_of, spearman_difference, with_threshold,
};
use crate::judgments::Language;
use crate::judgments::output::{Marks, Output, Outputs, label_of};
use crate::metrics::{Direction, REGISTRY};
use crate::report::outputs::{Gain, OutputReport, RowKind, SignalRow};

/// The number of folds on which thresholds are chosen.
const FOLDS: usize = 10;

/// The row of the number of characters.
const LENGTH: &str = "length";

/// Settings of [`compare_outputs`].
#[derive(Debug, Clone, Default)]
pub struct OutputSettings {
    /// Models, each of which scores outputs with references.
    pub models: Vec<NamedModel>,
    /// The language of the texts.
    pub language: Language,
    /// The seed of the folds.
    pub seed: u64,
}

/// Compares the signals beside outputs, the metrics of their texts and their length with human labels.
///
/// # Errors
/// Too few outputs have a label, or all labels are equal; a signal has no value.
pub fn compare_outputs(
    context: Context<'_>,
    name: &str,
    outputs: &Outputs,
    settings: &OutputSettings,
) -> Result<OutputReport> {
    let labelled = Labelled::new(name, outputs)?;
    let values = |at: usize| labelled.rows.iter().map(move |row| row.values[at]);
    let is_empty = |at: &usize| values(*at).all(|value| value.is_none());
    if let Some(at) = (0..outputs.signals.len()).find(is_empty) {
        let expected = format!("values in the column {}", quoted(&outputs.signals[at].name));
        return Err(Error::invalid(name, expected, "none on labelled outputs", "check that it is the right column"));
    }
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    let mut rows = Vec::new();
    for (at, signal) in outputs.signals.iter().enumerate() {
        let kind = if signal.is_judge { RowKind::Judge } else { RowKind::External };
        let values = Values { scores: upward(values(at).collect(), signal.lower_is_better), marks: signal.marks };
        rows.push(labelled.row(&signal.name, kind, &values, settings.seed));
    }
    for (metric, scores) in labelled.metrics(context, settings)? {
        let values = Values { scores, marks: Marks::Numbers };
        rows.push(labelled.row(&metric, RowKind::Metric, &values, settings.seed));
    }
    let length = Values { scores: labelled.lengths.iter().copied().map(Some).collect(), marks: Marks::Numbers };
    rows.push(labelled.row(LENGTH, RowKind::Metric, &length, settings.seed));
    rows.sort_by(|one, other| other.0.merit().total_cmp(&one.0.merit()));
    let best = rows.iter().position(|(row, _)| row.kind == RowKind::Judge).unwrap_or(0);
    let rival = rows.iter().enumerate().position(|(at, (row, _))| at != best && row.kind != RowKind::Judge);
    let gain = rival.and_then(|rival| {
        let difference = labelled.difference(&rows[best].1, &rows[rival].1)?;
        Some(Gain { over: rows[rival].0.name.clone(), difference })
    });
    let subject = rows.get(best).map(|(row, _)| row.name.clone()).unwrap_or_default();
    let mut rows: Vec<SignalRow> = rows.into_iter().map(|(row, _)| row).collect();
    rows.splice(0..0, labelled.human());
    Ok(OutputReport {
        name: name.to_owned(),
        marks: outputs.marks,
        outputs: labelled.rows.len(),
        unlabelled: outputs.rows.len() - labelled.rows.len(),
        groups: labelled.groups.count,
        unit: outputs.unit(),
        mean_label: labelled.labels.iter().sum::<f64>() / labelled.labels.len() as f64,
        subject,
        gain,
        rows,
        seed: settings.seed,
    })
}

/// The outputs that have a label.
struct Labelled<'o> {
    rows: Vec<&'o Output>,
    marks: Marks,
    labels: Vec<f64>,
    passes: Vec<bool>,
    prompts: Groups,
    groups: Groups,
    /// The numbers of characters.
    lengths: Vec<f64>,
}

/// The values of a signal on the labelled outputs, of which higher ones are better.
struct Values {
    scores: Vec<Option<f64>>,
    marks: Marks,
}

/// The values of a row, and its verdicts where labels pass or fail.
struct Judged {
    scores: Vec<Option<f64>>,
    verdicts: Vec<Option<bool>>,
}

impl<'o> Labelled<'o> {
    fn new(name: &str, outputs: &'o Outputs) -> Result<Self> {
        let marks = outputs.marks;
        let labelled: Vec<(usize, f64)> =
            outputs.rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.label(marks)?))).collect();
        let (kept, labels): (Vec<usize>, Vec<f64>) = labelled.into_iter().unzip();
        let Some(first) = labels.first() else {
            let advice = "name the column of the human labels: `column` label=NAME";
            return Err(Error::invalid(name, "human labels of some outputs", "none", advice));
        };
        if labels.iter().all(|label| label == first) {
            let found = match marks {
                Marks::PassFail => {
                    format!("{} that {}", pluralized(labels.len(), "label"), if *first > 0.0 { "pass" } else { "fail" })
                }
                Marks::Numbers => format!("{} of {first}", pluralized(labels.len(), "label")),
            };
            let advice = "label outputs of both kinds; agreement with equal labels says nothing";
            return Err(Error::invalid(name, "labels that differ", found, advice));
        }
        let rows: Vec<&Output> = kept.iter().map(|&at| &outputs.rows[at]).collect();
        Ok(Self {
            marks,
            passes: labels.iter().map(|label| *label > 0.5).collect(),
            prompts: outputs.prompts().subset(&kept),
            groups: outputs.groups().subset(&kept),
            lengths: rows.iter().map(|row| row.text.trim().chars().count() as f64).collect(),
            labels,
            rows,
        })
    }

    /// The figures of a signal.
    fn row(&self, name: &str, kind: RowKind, values: &Values, seed: u64) -> (SignalRow, Judged) {
        let Values { scores, marks } = values;
        let is_binary = self.marks == Marks::PassFail;
        let (mut verdicts, mut threshold) = (vec![None; scores.len()], None);
        if is_binary && *marks == Marks::PassFail {
            verdicts = scores.iter().map(|score| score.map(|score| score > 0.5)).collect();
        } else if is_binary
            && let Some(folds) = Folds::new(&self.groups, FOLDS.min(self.groups.count), seed)
            && let Some((judged, whole)) = with_threshold(&self.passes, scores, &folds)
        {
            (verdicts, threshold) = (judged, Some(whole));
        }
        let binary = is_binary.then(|| BinaryAgreement::new(&self.passes, &verdicts, &self.groups));
        // The area of verdicts is their balanced accuracy, and has its interval.
        let roc_area = match (&binary, marks) {
            (Some(binary), Marks::PassFail) => binary.balanced_accuracy,
            (Some(_), Marks::Numbers) => roc_area_of(&self.passes, scores, &self.groups),
            (None, _) => None,
        };
        let is_same_scale = kind == RowKind::Judge && is_same_scale(&self.labels, scores);
        let row = SignalRow {
            name: name.to_owned(),
            kind,
            threshold,
            mean: mean(scores.iter().flatten().copied()),
            roc_area,
            binary,
            numeric: (!is_binary).then(|| NumericAgreement::new(&self.labels, scores, &self.groups, is_same_scale)),
            within: agreement_within(&self.labels, scores, &self.prompts, &self.groups),
            length: (name != LENGTH).then(|| self.length_beyond_people(scores)).flatten(),
        };
        (row, Judged { scores: scores.clone(), verdicts })
    }

    fn length_beyond_people(&self, scores: &[Option<f64>]) -> Option<Estimate> {
        let labels: Vec<Option<f64>> = self.labels.iter().copied().map(Some).collect();
        spearman_difference([scores, &labels], &self.lengths, &self.groups)
    }

    /// How much better one row is than another: in balanced accuracy, or in Spearman's correlation.
    fn difference(&self, one: &Judged, other: &Judged) -> Option<Estimate> {
        match self.marks {
            Marks::PassFail => {
                balanced_accuracy_difference(&self.passes, [&one.verdicts, &other.verdicts], &self.groups)
            }
            Marks::Numbers => spearman_difference([&one.scores, &other.scores], &self.labels, &self.groups),
        }
    }

    /// The scores of the metrics that apply to all outputs, higher ones better.
    fn metrics(&self, context: Context<'_>, settings: &OutputSettings) -> Result<Vec<(String, Vec<Option<f64>>)>> {
        if self.rows.iter().any(|row| row.references.is_empty()) {
            let some = self.rows.iter().any(|row| !row.references.is_empty());
            if some || !settings.models.is_empty() {
                context.note("Metrics and models that need a reference are left out, as some outputs have none.");
            }
            return Ok(Vec::new());
        }
        let has_encoder = context.engine().encoder().is_some();
        let reported = REGISTRY
            .iter()
            .filter(|entry| entry.is_reported && entry.is_available(has_encoder) && suits(entry, &settings.language));
        let metrics: Vec<String> = reported.map(|entry| entry.name.to_owned()).collect();
        let (models, language) = (settings.models.clone(), settings.language.clone());
        let metric_set = MetricChoice { metrics, models, language, ..MetricChoice::default() }.metric_set(context)?;
        let segments = self.rows.iter().map(|row| row.text.clone()).collect();
        let references = self.rows.iter().map(|row| row.references.clone()).collect();
        let texts = ParallelTexts { systems: vec![SystemOutput::new("the outputs", segments)], references };
        let columns = score_segments_of(context, &metric_set, &texts)?.into_iter().flatten();
        let scored = metric_set.members().iter().zip(columns).map(|(member, scores)| {
            let lower_is_better = member.entry.direction == Direction::LowerIsBetter;
            (member.name.clone(), upward(scores.into_iter().map(Some).collect(), lower_is_better))
        });
        Ok(scored.collect())
    }

    /// Each annotator against the others of the same output; `None` unless outputs have labels of several.
    fn human(&self) -> Option<SignalRow> {
        let (mut labels, mut scores, mut of_row) = (Vec::new(), Vec::new(), Vec::new());
        for (row, output) in self.rows.iter().enumerate() {
            for (at, (_, label)) in output.labels.iter().enumerate() {
                let others = output.labels.iter().enumerate().filter(|(other, _)| *other != at);
                let Some(others) = label_of(others.map(|(_, (_, label))| *label), self.marks) else { continue };
                labels.push(others);
                scores.push(Some(*label));
                of_row.push(row);
            }
        }
        if labels.is_empty() {
            return None;
        }
        let (prompts, groups) = (self.prompts.subset(&of_row), self.groups.subset(&of_row));
        let passes: Vec<bool> = labels.iter().map(|label| *label > 0.5).collect();
        let is_binary = self.marks == Marks::PassFail;
        let verdicts: Vec<Option<bool>> = scores.iter().map(|score| score.map(|score| score > 0.5)).collect();
        let binary = is_binary.then(|| BinaryAgreement::new(&passes, &verdicts, &groups));
        Some(SignalRow {
            name: "human".to_owned(),
            kind: RowKind::Human,
            threshold: None,
            mean: None,
            roc_area: binary.and_then(|binary| binary.balanced_accuracy),
            binary,
            numeric: (!is_binary).then(|| NumericAgreement::new(&labels, &scores, &groups, true)),
            within: agreement_within(&labels, &scores, &prompts, &groups),
            length: None,
        })
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Orients values so that higher is better.
fn upward(values: Vec<Option<f64>>, lower_is_better: bool) -> Vec<Option<f64>> {
    let sign = if lower_is_better { -1.0 } else { 1.0 };
    values.into_iter().map(|value| value.map(|value| sign * value)).collect()
}

/// Whether scores are on the scale of the labels: where at least half of the range of both belongs to each.
fn is_same_scale(labels: &[f64], scores: &[Option<f64>]) -> bool {
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)])
    };
    let ([low, high], [least, most]) =
        (range(&mut labels.iter().copied()), range(&mut scores.iter().flatten().copied()));
    high.min(most) - low.max(least) >= 0.5 * (high.max(most) - low.min(least))
}
