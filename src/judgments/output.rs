//! Single outputs of systems, with what people say of them.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{ExternalMetric, ExternalScore, Judgment, Pair, Verdict, Vote};
use crate::evaluation::{Estimate, Groups};

/// An output of a system for a prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Output {
    /// What the system was asked.
    pub prompt: Option<String>,
    /// The system that wrote it.
    pub system: Option<String>,
    /// The output itself.
    pub text: String,
    /// References; none where there is nothing to compare with.
    pub references: Vec<String>,
    /// What it should rest on, such as retrieved passages; none where there is nothing.
    pub context: Vec<String>,
    /// What it translates.
    pub source: Option<String>,
    /// What it shares with outputs that are not independent of it, where that is not the prompt.
    pub group: Option<String>,
    /// Its name, from the column `id`.
    pub id: Option<String>,
    /// The probability with which it was drawn for labelling, from the column `drawn`, in (0, 1].
    pub drawn: Option<f64>,
    /// The wave of labelling that drew it, from the column `wave`, from 1.
    pub wave: Option<usize>,
    /// The part of the outputs that it belongs to, where a report is broken down by a column.
    pub part: Option<Arc<str>>,
    /// The labels of annotators, of whom some may have no name: 1 for a pass and 0 for a fail, or a number.
    pub labels: Vec<(Option<Arc<str>>, f64)>,
    /// The values of the signals beside it, in the order of [`Outputs::signals`]; `None` where there is none.
    pub values: Vec<Option<f64>>,
    /// The line of the file, or the row of a frame.
    pub line: usize,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Marks {
    /// Pass (1) or fail (0).
    #[default]
    #[serde(rename = "pass or fail")]
    PassFail,
    /// Numbers.
    #[serde(rename = "numbers")]
    Numbers,
}

/// A judge's values on the scale of the labels widen their range at most so many times.
const MAX_WIDTH: f64 = 4.0;

/// The least and the greatest label; of labels that pass or fail, 0 and 1. Labels are averaged as shares of this range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LabelRange(pub [f64; 2]);

impl LabelRange {
    /// The range of values, of which there is at least one unless they pass or fail.
    pub fn of(marks: Marks, values: impl Iterator<Item = f64>) -> Self {
        match marks {
            Marks::PassFail => Self([0.0, 1.0]),
            Marks::Numbers => Self(
                values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)]),
            ),
        }
    }

    /// The distance from the least to the greatest label.
    pub fn width(self) -> f64 {
        self.0[1] - self.0[0]
    }

    /// A label as a share of the range; 1/2 if all labels are equal.
    pub fn share(self, label: f64) -> f64 {
        if self.width() > 0.0 { (label - self.0[0]) / self.width() } else { 0.5 }
    }

    /// The label at a share of the range.
    pub fn label(self, share: f64) -> f64 {
        self.0[0] + self.width() * share
    }

    /// An estimate of a label, of an estimated share.
    pub fn estimate(self, share: Estimate) -> Estimate {
        Estimate { value: self.label(share.value), low: self.label(share.low), high: self.label(share.high) }
    }

    /// The range of both.
    #[must_use]
    pub fn with(self, Self([least, most]): Self) -> Self {
        Self([self.0[0].min(least), self.0[1].max(most)])
    }

    /// Whether both are ranges of the same scale: at least half of the range of both belongs to each.
    pub fn is_same_scale(self, other: Self) -> bool {
        self.shared_width(other) >= 0.5 * self.with(other).width()
    }

    /// Whether values of this range may be on the scale of the labels, of which few may show only a part. Means of these are
    /// then not bounded by their own range alone; to compare the levels of both it must be [`Self::is_same_scale`].
    pub fn may_be_same_scale(self, values: Self) -> bool {
        self.shared_width(values) >= 0.5 * self.width().min(values.width())
            && self.with(values).width() <= MAX_WIDTH * self.width()
    }

    /// The width of what belongs to both; below 0 where nothing does.
    fn shared_width(self, other: Self) -> f64 {
        self.0[1].min(other.0[1]) - self.0[0].max(other.0[0])
    }
}

impl fmt::Display for LabelRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} to {}", self.0[0], self.0[1])
    }
}

/// A column beside outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputSignal {
    /// Its name.
    pub name: String,
    /// Whether a judge gave it, and not a metric.
    pub is_judge: bool,
    /// Whether lower values are better.
    pub lower_is_better: bool,
    /// What its values are.
    pub marks: Marks,
}

/// The outputs of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outputs {
    /// The outputs, each once, with the labels of all its annotators.
    pub rows: Vec<Output>,
    /// What labels are.
    pub marks: Marks,
    /// The signals beside them.
    pub signals: Vec<OutputSignal>,
    /// How the table was read.
    pub notes: Vec<String>,
}

/// Outputs with the labels of one of several criteria; the outputs are the same for all of them.
#[derive(Debug, Clone)]
pub struct Criterion {
    /// The name of the column of labels.
    pub name: String,
    /// How much it counts in the mean of all; above 0.
    pub weight: f64,
    /// The outputs.
    pub outputs: Outputs,
}

impl Output {
    /// The label by all its annotators: whether more than half of them let it pass, or the mean of their numbers; `None`
    /// without a label, or where as many let it pass as not.
    pub fn label(&self, marks: Marks) -> Option<f64> {
        label_of(self.labels.iter().map(|(_, label)| *label), marks)
    }

    /// What it answers: the prompt, or else the reference.
    pub(crate) fn question(&self) -> Option<&str> {
        self.prompt.as_deref().or(self.references.first().map(String::as_str))
    }
}

/// Labels that differ less are equal: sums of the same numbers in another order.
const SAME: f64 = 1e-9;

/// The label that follows from several.
pub fn label_of(labels: impl Iterator<Item = f64>, marks: Marks) -> Option<f64> {
    let (sum, count) = labels.fold((0.0, 0), |(sum, count), label| (sum + label, count + 1));
    let mean = sum / f64::from(count);
    match marks {
        _ if count == 0 => None,
        Marks::Numbers => Some(mean),
        Marks::PassFail if mean == 0.5 => None,
        Marks::PassFail => Some(f64::from(u8::from(mean > 0.5))),
    }
}

impl Outputs {
    /// The prompt of each output: those of one prompt compete with each other. Outputs without one stand alone.
    pub fn prompts(&self) -> Groups {
        numbered(self.rows.iter().map(Output::question))
    }

    /// The groups of outputs that are not independent: of a column, or else of a prompt or reference.
    pub fn groups(&self) -> Groups {
        numbered(self.rows.iter().map(|output| output.group.as_deref().or(output.question())))
    }

    /// Outputs with the weighted mean of the labels of several criteria, by each annotator who gave all of them. Labels are
    /// scaled so that the lowest of a criterion is 0 and the highest 1.
    pub fn weighted_mean(criteria: &[Criterion]) -> Self {
        let Some(first) = criteria.first() else { return Self::default() };
        let range = |Criterion { outputs, .. }: &Criterion| {
            LabelRange::of(Marks::Numbers, outputs.rows.iter().flat_map(|row| &row.labels).map(|(_, label)| *label))
        };
        let ranges: Vec<LabelRange> = criteria.iter().map(range).collect();
        let weights: f64 = criteria.iter().map(|one| one.weight).sum();
        let mut mean = Self { marks: Marks::Numbers, ..first.outputs.clone() };
        for (at, row) in mean.rows.iter_mut().enumerate() {
            row.labels.retain_mut(|(annotator, mean)| {
                let part = |(one, range): (&Criterion, &LabelRange)| {
                    let (_, label) = one.outputs.rows[at].labels.iter().find(|(name, _)| name == annotator)?;
                    Some(one.weight / weights * range.share(*label))
                };
                let sum: Option<f64> = criteria.iter().zip(&ranges).map(part).sum();
                *mean = sum.unwrap_or_default();
                sum.is_some()
            });
        }
        mean
    }

    /// How many outputs have labels without a majority: as many annotators let them pass as not.
    pub fn divided(&self) -> usize {
        self.rows.iter().filter(|row| !row.labels.is_empty() && row.label(self.marks).is_none()).count()
    }

    /// The signals as metrics that give every output a value.
    pub fn metrics(&self) -> Vec<ExternalMetric> {
        let metric = |signal: &OutputSignal| ExternalMetric {
            name: signal.name.clone(),
            lower_is_better: signal.lower_is_better,
        };
        self.signals.iter().map(metric).collect()
    }

    /// Every two outputs of a prompt with the same references that an annotator labelled both: the better one is the one
    /// with the higher mean label by the annotators that they share. The values of signals are carried along.
    pub fn judgments(&self) -> Vec<Judgment> {
        let mut of_prompt: IndexMap<(&str, &[String]), Vec<&Output>> = IndexMap::new();
        for output in self.rows.iter().filter(|output| !output.labels.is_empty()) {
            let Some(question) = output.question() else { continue };
            of_prompt.entry((question, &output.references)).or_default().push(output);
        }
        let names = self.names();
        let mut judgments = Vec::new();
        for outputs in of_prompt.values() {
            for (at, one) in outputs.iter().enumerate() {
                for other in &outputs[at + 1..] {
                    // In turn, as the order of the rows may follow from their quality.
                    let [first, second] = if judgments.len() % 2 == 0 { [one, other] } else { [other, one] };
                    judgments.extend(judged(first, second, &names));
                }
            }
        }
        judgments
    }

    /// Each output as a pair with itself, by which a model scores it.
    pub fn doubled(&self) -> impl Iterator<Item = Pair> {
        let names = self.names();
        self.rows.iter().map(move |output| paired(output, output, &names))
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.signals.iter().map(|signal| Arc::from(signal.name.as_str())).collect()
    }

    /// What the outputs of a group share.
    pub fn unit(&self) -> &'static str {
        let some = |has: fn(&Output) -> bool| self.rows.iter().any(has);
        match () {
            () if some(|output| output.group.is_some()) => "group",
            () if some(|output| output.prompt.is_some()) => "prompt",
            () if some(|output| !output.references.is_empty()) => "reference",
            () => "output",
        }
    }
}

/// Two outputs with the preference of the annotators that they share; `None` if there is none.
fn judged(one: &Output, other: &Output, names: &[Arc<str>]) -> Option<Judgment> {
    let of_other = |annotator| other.labels.iter().find(|(name, _)| name == annotator).map(|(_, label)| *label);
    let shared = one.labels.iter().filter_map(|(name, label)| Some((name, *label - of_other(name)?)));
    let shared: Vec<(&Option<Arc<str>>, f64)> = shared.collect();
    let verdict = |difference: f64| match difference.abs() < SAME {
        true => Verdict::Tie,
        false => Verdict::compare(difference, 0.0),
    };
    let label = (!shared.is_empty()).then(|| verdict(shared.iter().map(|(_, difference)| difference).sum()))?;
    let vote = |(name, difference): &(&Option<Arc<str>>, f64)| {
        Some(Vote { annotator: Arc::clone(name.as_ref()?), label: Some(verdict(*difference)) })
    };
    let votes = shared.iter().filter_map(vote).collect();
    Some(Judgment { pair: Pair { label: Some(label), votes, ..paired(one, other, names) }, label })
}

/// Two outputs of a prompt as a pair. Where either lacks the value of a signal, both do.
fn paired(one: &Output, other: &Output, names: &[Arc<str>]) -> Pair {
    let value =
        |at: usize| one.values[at].zip(other.values[at]).map_or([f64::NAN; 2], |(first, second)| [first, second]);
    let own = names.iter().enumerate().map(|(at, name)| ExternalScore { name: Arc::clone(name), values: value(at) });
    Pair {
        own: own.collect(),
        group: one.group.clone(),
        prompt: one.prompt.clone(),
        source: one.source.clone().filter(|source| other.source.as_ref() == Some(source)),
        systems: one.system.clone().zip(other.system.clone()).map(|(first, second)| [first, second]),
        part: one.part.clone().filter(|part| other.part.as_ref() == Some(part)),
        line: one.line,
        ..Pair::new([one.text.clone(), other.text.clone()], one.references.clone())
    }
}

/// Numbers names; rows without one have a number of their own.
fn numbered<'n>(names: impl Iterator<Item = Option<&'n str>>) -> Groups {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut count = 0;
    let mut next = || {
        count += 1;
        count - 1
    };
    let of_row = names.map(|name| match name {
        Some(name) => *numbers.entry(name).or_insert_with(&mut next),
        None => next(),
    });
    let of_row = of_row.collect();
    Groups { of_row, count }
}
