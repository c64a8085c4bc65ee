//! `compare` on single outputs: how well judges and metrics agree with labels that pass or fail, or are numbers.

use indexmap::IndexSet;
use rayon::prelude::*;

use super::breakdowns::parts_of;
use super::context::Context;
use super::draws::note_unequal;
use super::grounding::with_grounding;
use super::judge::{NamedModel, OnLeak};
use super::labelled_outputs::Labelled;
use super::output_scores::scores_of;
use super::score::{MetricChoice, ParallelTexts, SystemOutput, score_segments_of, sources_of};
use super::systems::suits;
use crate::error::{Error, Result, quoted};
use crate::evaluation::{
    AlternativeTest, BinaryAgreement, ByPart, Estimate, NumericAgreement, RatedItem, agreement_within,
    balanced_accuracy_difference, roc_area_of, spearman_difference, with_threshold,
};
use crate::judgments::Language;
use crate::judgments::output::{LabelRange, Marks, Output, Outputs, label_of};
use crate::learners::logistic::ScoredOutputs;
use crate::metrics::grounding::NAMES;
use crate::metrics::{Direction, REGISTRY};
use crate::model::OutputCalibration;
use crate::report::outputs::{Gain, OutputBreakdown, OutputPart, OutputReport, PartFigure, RowKind, SignalRow};
use crate::report::people::{AlternativeRow, EPSILON};
use crate::report::{ENSEMBLE, Part};

/// The row of the number of characters.
const LENGTH: &str = "characters";

/// Settings of [`compare_outputs`].
#[derive(Debug, Clone, Default)]
pub struct OutputSettings {
    /// Models, which score outputs.
    pub models: Vec<NamedModel>,
    /// The language of the texts.
    pub language: Language,
    /// How much worse than an annotator a judge may be in the alternative annotator test; by default as for pairs.
    pub epsilon: Option<f64>,
    /// The seed of the folds.
    pub seed: u64,
    /// The column whose values the report is broken down by.
    pub by_column: Option<String>,
}

/// A model's labels of all outputs.
struct ModelLabels {
    name: String,
    /// The expected label of each output.
    expected: Vec<f64>,
}

/// Compares the signals beside outputs, the metrics of their texts, their grounding in contexts, their length and models with
/// human labels.
///
/// # Errors
/// Too few outputs have a label, or all labels are equal; a signal has no value.
pub fn compare_outputs(
    context: Context<'_>,
    name: &str,
    outputs: Outputs,
    settings: &OutputSettings,
) -> Result<OutputReport> {
    let outputs = &with_grounding(context, outputs);
    let labelled = Labelled::new(name, outputs)?;
    outputs.notes.iter().for_each(|note| context.note(format!("{name}: {note}")));
    note_unequal(context, &outputs.rows, name, "outputs")?;
    let mut models = Vec::new();
    for named in &settings.models {
        let has_all = !outputs.rows.iter().any(|row| row.references.is_empty());
        if !has_all && named.model.schema.needs_references() {
            context.note(format!("{} is left out: it needs references, which some outputs lack.", named.name));
            continue;
        }
        let scored = scores_of(context, named, outputs, name, OnLeak::Warn)?.rows(&labelled.kept);
        let expected = match named.model.outputs.as_ref().filter(|learned| learned.marks == outputs.marks) {
            Some(learned) => learned.labels(&scored),
            None => labelled.cross_fitted(&ScoredOutputs::without_features(scored.scores), settings.seed)?.0,
        };
        models.push(ModelLabels { name: named.name.clone(), expected });
    }
    labelled.report(context, name, outputs, models, settings)
}

/// The report on a model that is trained on outputs, with its scores out of fold; and what it learned of their labels.
pub(super) fn of_training(
    context: Context<'_>,
    name: &str,
    outputs: &Outputs,
    scored: &ScoredOutputs,
    settings: &OutputSettings,
) -> Result<(OutputReport, OutputCalibration)> {
    let labelled = Labelled::new(name, outputs)?;
    let (expected, curve) = labelled.cross_fitted(&scored.rows(&labelled.kept), settings.seed)?;
    let coverage = match outputs.marks {
        Marks::PassFail => OutputCalibration::coverage_of(&labelled.passes, &expected),
        Marks::Numbers => Vec::new(),
    };
    let calibration = OutputCalibration { marks: outputs.marks, range: labelled.range, curve, coverage };
    let model = ModelLabels { name: ENSEMBLE.to_owned(), expected };
    Ok((labelled.report(context, name, outputs, vec![model], settings)?, calibration))
}

/// The values of a signal on the labelled outputs, of which higher ones are better.
struct Values {
    scores: Vec<Option<f64>>,
    /// Whether they are expected labels, by which an output passes from 0.5 on.
    is_calibrated: bool,
    marks: Marks,
}

impl Values {
    fn new(scores: Vec<Option<f64>>, marks: Marks) -> Self {
        Self { scores, is_calibrated: false, marks }
    }
}

/// The values of a row, and its verdicts where labels pass or fail.
struct Judged {
    scores: Vec<Option<f64>>,
    verdicts: Vec<Option<bool>>,
}

impl<'o> Labelled<'o> {
    fn report(
        &self,
        context: Context<'_>,
        name: &str,
        outputs: &Outputs,
        models: Vec<ModelLabels>,
        settings: &OutputSettings,
    ) -> Result<OutputReport> {
        let values = |at: usize| self.rows.iter().map(move |row| row.values[at]);
        let is_empty = |at: &usize| values(*at).all(|value| value.is_none());
        let is_computed = |at: usize| NAMES.contains(&outputs.signals[at].name.as_str());
        if let Some(at) = (0..outputs.signals.len()).find(|at| is_empty(at) && !is_computed(*at)) {
            let expected = format!("values in the column {}", quoted(&outputs.signals[at].name));
            return Err(Error::invalid(
                name,
                expected,
                "none on labelled outputs",
                "check that it is the right column",
            ));
        }
        let mut rows = Vec::new();
        for (at, signal) in outputs.signals.iter().enumerate().filter(|(at, _)| !is_empty(at)) {
            let kind = match signal.is_judge {
                true => RowKind::Judge,
                false if is_computed(at) => RowKind::Metric,
                false => RowKind::External,
            };
            let values = Values::new(upward(values(at).collect(), signal.lower_is_better), signal.marks);
            let range = range_of(&values.scores);
            if self.marks == Marks::Numbers && signal.is_judge && !self.range.is_same_scale(range) {
                let other = format!("values {range} are on another scale than the labels, {}", self.range);
                context.note(format!("{}: {other}: no bias and no weighted kappa", signal.name));
            }
            rows.push(self.row(&signal.name, kind, &values, settings.seed));
        }
        for (row, _) in rows.iter().filter(|(row, _)| row.kind != RowKind::Metric) {
            row.reversed().into_iter().for_each(|warning| context.warn(warning));
        }
        for ModelLabels { name, expected } in models {
            let scores = expected.into_iter().map(Some).collect();
            let values = Values { is_calibrated: true, ..Values::new(scores, Marks::Numbers) };
            rows.push(self.row(&name, RowKind::Model, &values, settings.seed));
        }
        for (metric, scores) in self.metrics(context, name, settings)? {
            rows.push(self.row(&metric, RowKind::Metric, &Values::new(scores, Marks::Numbers), settings.seed));
        }
        let length = Values::new(self.lengths.iter().copied().map(Some).collect(), Marks::Numbers);
        rows.push(self.row(LENGTH, RowKind::Metric, &length, settings.seed));
        rows.sort_by(|one, other| other.0.merit().total_cmp(&one.0.merit()));
        let best = |kind| rows.iter().position(|(row, _)| row.kind == kind);
        let best = best(RowKind::Model).or(best(RowKind::Judge)).unwrap_or(0);
        let (is_model, kinds) = (rows[best].0.kind == RowKind::Model, [RowKind::Model, RowKind::Judge]);
        // A model has to beat the best judge, too; a judge the best metric.
        let is_rival = |kind| if is_model { kind != RowKind::Model } else { !kinds.contains(&kind) };
        let rival = rows.iter().enumerate().position(|(at, (row, _))| at != best && is_rival(row.kind));
        let gain = rival.and_then(|rival| {
            let (one, other) = (&rows[best].1, &rows[rival].1);
            let difference = self.difference(one, other)?;
            let shared: Vec<usize> =
                (0..self.rows.len()).filter(|&row| self.is_known(one, row) && self.is_known(other, row)).collect();
            let [Some(figure), Some(against)] = [one, other].map(|of| self.figure(of, &shared)) else { return None };
            let (over, outputs) = (rows[rival].0.name.clone(), shared.len());
            Some(Gain { over, outputs, figures: [figure, against], difference })
        });
        let mut reliability = Vec::new();
        if is_model {
            for at in [best].into_iter().chain(rival) {
                let (row, Judged { scores, .. }) = &rows[at];
                let known: Vec<usize> = (0..scores.len()).filter(|&row| scores[row].is_some()).collect();
                let known_scores: Vec<f64> = scores.iter().flatten().copied().collect();
                let expected = match row.kind {
                    RowKind::Model => known_scores,
                    _ => {
                        let scored = ScoredOutputs::without_features(known_scores);
                        self.of_rows(&known).cross_fitted(&scored, settings.seed)?.0
                    }
                };
                reliability.push(self.of_rows(&known).reliability(&row.name, &expected));
            }
        }
        let alternative = self.alternative(&rows, settings.epsilon)?;
        let breakdown = settings.by_column.as_ref().map(|column| self.breakdown(column, &rows)).transpose()?;
        let subject = rows.get(best).map(|(row, _)| row.name.clone()).unwrap_or_default();
        let mut rows: Vec<SignalRow> = rows.into_iter().map(|(row, _)| row).collect();
        rows.splice(0..0, human(outputs));
        Ok(OutputReport {
            name: name.to_owned(),
            marks: outputs.marks,
            outputs: self.rows.len(),
            unlabelled: outputs.rows.iter().filter(|row| row.labels.is_empty()).count(),
            divided: outputs.divided(),
            groups: self.groups.count,
            unit: outputs.unit(),
            mean_label: self.labels.iter().sum::<f64>() / self.labels.len() as f64,
            subject,
            gain,
            rows,
            breakdown,
            alternative,
            reliability,
            seed: settings.seed,
            requirements: Vec::new(),
        })
    }

    /// The alternative annotator test of judges and models, by the labels of annotators with names.
    ///
    /// # Errors
    /// Epsilon is given, and there are none.
    fn alternative(&self, rows: &[(SignalRow, Judged)], epsilon: Option<f64>) -> Result<Vec<AlternativeRow>> {
        let mut names: IndexSet<&str> = IndexSet::new();
        let mut named = |output: &'o Output| {
            let labels = output.labels.iter().filter_map(|(name, label)| Some((name.as_deref()?, *label)));
            labels.map(|(name, label)| (names.insert_full(name).0, label)).collect::<Vec<(usize, f64)>>()
        };
        let labels: Vec<Vec<(usize, f64)>> = self.rows.iter().map(|output| named(output)).collect();
        if epsilon.is_some() && labels.iter().all(|labels| labels.len() < 2) {
            let advice = "name their columns with `annotators`, or omit the option";
            return Err(Error::invalid("`epsilon`", "labels of several annotators", "none", advice));
        }
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let is_judge = |(row, _): &&(SignalRow, Judged)| matches!(row.kind, RowKind::Judge | RowKind::Model);
        let test = |(row, judged): &(SignalRow, Judged)| {
            let verdict = |at: usize| match self.marks {
                Marks::PassFail => judged.verdicts[at].map(|passes| f64::from(u8::from(passes))),
                Marks::Numbers => judged.scores[at],
            };
            let item =
                |(at, labels): (usize, &Vec<(usize, f64)>)| RatedItem { labels: labels.clone(), value: verdict(at) };
            let items: Vec<RatedItem> = labels.iter().enumerate().map(item).collect();
            let test = AlternativeTest::of_numbers(&names, &items, epsilon.unwrap_or(EPSILON))?;
            Some(AlternativeRow { system: row.name.clone(), test })
        };
        Ok(rows.iter().filter(is_judge).filter_map(test).collect())
    }

    /// The rows on the outputs with each value of a column.
    ///
    /// # Errors
    /// There are too many values.
    fn breakdown(&self, column: &str, rows: &[(SignalRow, Judged)]) -> Result<OutputBreakdown> {
        let parts = parts_of(column, self.rows.iter().map(|output| output.part.as_deref()))?;
        let of_parts: Vec<Vec<usize>> = parts.iter().map(|part| part.rows.clone()).collect();
        let by_part = |(_, Judged { scores, verdicts }): &(SignalRow, Judged)| match self.marks {
            Marks::PassFail => ByPart::balanced_accuracy(&self.passes, verdicts, &of_parts, &self.groups),
            Marks::Numbers => ByPart::spearman(&self.labels, scores, &of_parts, &self.groups),
        };
        let found: Vec<ByPart> = rows.par_iter().map(by_part).collect();
        let figures = |of: &dyn Fn(&ByPart) -> Option<Estimate>| {
            let figure = |((row, _), found): (&(SignalRow, Judged), &ByPart)| PartFigure {
                name: row.name.clone(),
                figure: of(found),
            };
            rows.iter().zip(&found).map(figure).collect()
        };
        let part = |(at, part): (usize, Part)| OutputPart {
            outputs: part.rows.len(),
            groups: self.groups.subset(&part.rows).count,
            mean_label: part.rows.iter().map(|&row| self.labels[row]).sum::<f64>() / part.rows.len() as f64,
            systems: figures(&|found| found.parts[at]),
            name: part.name,
        };
        Ok(OutputBreakdown {
            by: column.to_owned(),
            macro_averages: figures(&|found| found.mean),
            parts: parts.into_iter().enumerate().map(part).collect(),
        })
    }

    /// The figures of a signal.
    fn row(&self, name: &str, kind: RowKind, values: &Values, seed: u64) -> (SignalRow, Judged) {
        let Values { scores, is_calibrated, marks } = values;
        let is_binary = self.marks == Marks::PassFail;
        let (mut verdicts, mut threshold) = (vec![None; scores.len()], None);
        if is_binary && (*marks == Marks::PassFail || *is_calibrated) {
            verdicts = scores.iter().map(|score| score.map(|score| score > 0.5)).collect();
        } else if is_binary
            && let Some(folds) = self.folds(seed)
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
        let is_same_scale = *is_calibrated || kind == RowKind::Judge && self.range.is_same_scale(range_of(scores));
        let row = SignalRow {
            name: name.to_owned(),
            kind,
            threshold,
            outputs: scores.iter().flatten().count(),
            // Of expected labels, verdicts are what passes.
            mean: match is_binary && *is_calibrated {
                true => mean(verdicts.iter().flatten().map(|passes| f64::from(u8::from(*passes)))),
                false => mean(scores.iter().flatten().copied()),
            },
            mean_label: mean(
                self.labels.iter().zip(scores).filter(|(_, score)| score.is_some()).map(|(label, _)| *label),
            ),
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

    /// Whether a row has a value for a labelled output.
    fn is_known(&self, of: &Judged, row: usize) -> bool {
        match self.marks {
            Marks::PassFail => of.verdicts[row].is_some(),
            Marks::Numbers => of.scores[row].is_some(),
        }
    }

    /// The balanced accuracy or Spearman's correlation of a row on some of the outputs.
    fn figure(&self, of: &Judged, rows: &[usize]) -> Option<f64> {
        let groups = self.groups.subset(rows);
        let estimate = match self.marks {
            Marks::PassFail => {
                let passes: Vec<bool> = rows.iter().map(|&row| self.passes[row]).collect();
                let verdicts: Vec<Option<bool>> = rows.iter().map(|&row| of.verdicts[row]).collect();
                BinaryAgreement::new(&passes, &verdicts, &groups).balanced_accuracy
            }
            Marks::Numbers => {
                let labels: Vec<f64> = rows.iter().map(|&row| self.labels[row]).collect();
                let scores: Vec<Option<f64>> = rows.iter().map(|&row| of.scores[row]).collect();
                NumericAgreement::new(&labels, &scores, &groups, false).spearman
            }
        };
        estimate.map(|estimate| estimate.value)
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
    fn metrics(
        &self,
        context: Context<'_>,
        name: &str,
        settings: &OutputSettings,
    ) -> Result<Vec<(String, Vec<Option<f64>>)>> {
        let have = self.rows.iter().filter(|row| !row.references.is_empty()).count();
        let all_have = have == self.rows.len();
        if !all_have && have > 0 {
            context.note("Metrics that need a reference are left out, as some outputs have none.");
        }
        let models = context.engine().models();
        let reported = REGISTRY.iter().filter(|entry| {
            entry.is_reported && entry.suits(all_have) && entry.is_available(models) && suits(entry, &settings.language)
        });
        let metrics: Vec<String> = reported.map(|entry| entry.name.to_owned()).collect();
        if metrics.is_empty() {
            return Ok(Vec::new());
        }
        let language = settings.language.clone();
        let metric_set = MetricChoice { metrics, language, ..MetricChoice::default() }.metric_set(context)?;
        let segments = self.rows.iter().map(|row| row.text.clone()).collect();
        let references = self.rows.iter().map(|row| row.references.clone()).collect();
        let sources = sources_of(&metric_set, self.rows.iter().map(|row| (row.line, row.source.as_ref())), name)?;
        let texts = ParallelTexts { systems: vec![SystemOutput::new("the outputs", segments)], references, sources };
        let columns = score_segments_of(context, &metric_set, &texts)?.into_iter().flatten();
        let scored = metric_set.members().iter().zip(columns).map(|(member, scores)| {
            let lower_is_better = member.entry.direction == Direction::LowerIsBetter;
            (member.name.clone(), upward(scores.into_iter().map(Some).collect(), lower_is_better))
        });
        Ok(scored.collect())
    }
}

/// Each annotator against the others of the same output, which need not agree; `None` unless outputs have labels of several.
fn human(outputs: &Outputs) -> Option<SignalRow> {
    let (mut labels, mut scores, mut of_row) = (Vec::new(), Vec::new(), Vec::new());
    for (row, output) in outputs.rows.iter().enumerate() {
        for (at, (_, label)) in output.labels.iter().enumerate() {
            let others = output.labels.iter().enumerate().filter(|(other, _)| *other != at);
            let Some(others) = label_of(others.map(|(_, (_, label))| *label), outputs.marks) else { continue };
            labels.push(others);
            scores.push(Some(*label));
            of_row.push(row);
        }
    }
    if labels.is_empty() {
        return None;
    }
    let (prompts, groups) = (outputs.prompts().subset(&of_row), outputs.groups().subset(&of_row));
    let passes: Vec<bool> = labels.iter().map(|label| *label > 0.5).collect();
    let is_binary = outputs.marks == Marks::PassFail;
    let verdicts: Vec<Option<bool>> = scores.iter().map(|score| score.map(|score| score > 0.5)).collect();
    let binary = is_binary.then(|| BinaryAgreement::new(&passes, &verdicts, &groups));
    Some(SignalRow {
        name: "human".to_owned(),
        kind: RowKind::Human,
        threshold: None,
        outputs: of_row.iter().collect::<IndexSet<_>>().len(),
        mean: None,
        mean_label: mean(labels.iter().copied()),
        roc_area: binary.and_then(|binary| binary.balanced_accuracy),
        binary,
        numeric: (!is_binary).then(|| NumericAgreement::new(&labels, &scores, &groups, true)),
        within: agreement_within(&labels, &scores, &prompts, &groups),
        length: None,
    })
}

fn range_of(scores: &[Option<f64>]) -> LabelRange {
    LabelRange::of(Marks::Numbers, scores.iter().flatten().copied())
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
