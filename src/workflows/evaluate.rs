//! `evaluate` and `check`: how often files of verdicts agree with people, and whether they are valid.

use serde::Serialize;

use super::context::Context;
use super::draws::note_unequal;
use super::systems::{self, Scored};
use super::warnings;
use crate::error::{Error, Result};
use crate::evaluation::Groups;
use crate::features::Extractor;
use crate::files::Input;
use crate::formats::{Format, PairReader, answers};
use crate::judgments::grouping;
use crate::judgments::{ExternalJudge, Judgment, Language, Pair, Verdict};
use crate::report::people::{self, NamedJudge};
use crate::report::{Against, Report, ReportSettings, Role, Subject, System};

/// Pairs with human labels, which the systems of a report are compared with.
pub(super) struct LabelledPairs<'j> {
    pub pairs: Vec<&'j Pair>,
    pub labels: Vec<Verdict>,
    pub groups: Groups,
}

impl<'j> LabelledPairs<'j> {
    /// Warns of labels that look reversed, of labels that were drawn with different probabilities, and of pairs that all
    /// share one reference.
    ///
    /// # Errors
    /// It cannot be told with which probability some pairs of `place` were drawn for labelling.
    pub fn new(context: Context<'_>, place: &str, judgments: &'j [Judgment]) -> Result<Self> {
        note_unequal(context, judgments, place, "pairs")?;
        warnings::warn_labels(context, "", judgments.iter().map(|judgment| (&judgment.pair, judgment.label)));
        let (pairs, labels): (Vec<&Pair>, _) =
            judgments.iter().map(|judgment| (&judgment.pair, judgment.label)).unzip();
        let groups = grouping::groups(pairs.iter().copied());
        warnings::warn_one_group(
            context,
            &groups,
            &pairs,
            ", and the best single metric is selected on the pairs on which it is tested",
        );
        warnings::warn_annotators(context, &pairs);
        Ok(Self { pairs, labels, groups })
    }

    /// The same, borrowed.
    pub fn view(&self) -> people::Labelled<'_> {
        people::Labelled { pairs: &self.pairs, labels: &self.labels, groups: &self.groups }
    }

    /// The report on systems, with human-human agreement; `epsilon` is that of the alternative annotator test.
    pub fn report(
        &self,
        context: Context<'_>,
        systems: &[System],
        settings: ReportSettings,
        judges: &[NamedJudge],
        epsilon: f64,
    ) -> Report {
        let judged = self.pairs.iter().copied().zip(self.labels.iter().copied());
        let step = context.progress("computing intervals", 1);
        let report = Report::new(&self.labels, &self.groups, systems, settings).with_agreement(judged).with_people(
            self.view(),
            systems,
            judges,
            epsilon,
        );
        step(1);
        report
    }
}

/// Compares files of verdicts with human labels of the same pairs of `place`, and with the baseline, the majority and each
/// other.
///
/// # Errors
/// A file has another number of verdicts than there are pairs; a metric of the baseline cannot be made; it cannot be told
/// with which probability some pairs were drawn for labelling.
pub fn evaluate(
    context: Context<'_>,
    place: &str,
    verdicts: Vec<System>,
    judgments: &[Judgment],
    seed: u64,
) -> Result<Report> {
    check_counts(&verdicts, judgments.len())?;
    let labelled = LabelledPairs::new(context, place, judgments)?;
    let has_references = labelled.pairs.iter().all(|pair| !pair.references.is_empty());
    let extractor = match has_references {
        true => Extractor::baseline(context.engine().lexicons())?,
        // The sum of metrics needs references.
        false => Extractor::of_pairs(context.engine().lexicons(), false)?,
    };
    let table = extractor.extract(labelled.pairs.iter().copied(), &context.feature_progress());
    let folds = systems::folds(&labelled.groups, seed);
    let untrained = Scored::new(&extractor, extractor.schema(), &table, &labelled.pairs, &Language::default())
        .untrained(&labelled.labels, &folds);
    // Without references, the length of the texts is what there is besides.
    let shown: &[Role] =
        if has_references { &[Role::Baseline, Role::Majority] } else { &[Role::Majority, Role::Metric] };
    let beside = untrained.into_iter().filter(|system| shown.contains(&system.role));
    let systems: Vec<System> = verdicts.into_iter().chain(beside).collect();
    warnings::warn_unrelated(context, labelled.view(), 0, &systems);
    // The second file, or the baseline if there is only one.
    let settings = ReportSettings {
        against: Against::System(1),
        ..ReportSettings::new(Subject::Verdicts { has_pairs: true }, seed)
    };
    Ok(labelled.report(context, &systems, settings, &[], people::EPSILON))
}

/// Compares files of verdicts with human labels and with each other, without the pairs.
///
/// # Errors
/// A file has another number of verdicts than there are labels.
pub fn evaluate_alone(context: Context<'_>, verdicts: &[System], labels: &[Verdict], seed: u64) -> Result<Report> {
    check_counts(verdicts, labels.len())?;
    let note = "Without `pairs`, single pairs count as if no two shared a reference: intervals may be too narrow.";
    context.note(note.to_owned());
    let zeros = warnings::zeros_for_second(warnings::label_counts(labels.iter().copied()));
    zeros.into_iter().for_each(|warning| context.warn(warning));
    let groups = Groups { of_row: (0..labels.len()).collect(), count: labels.len() };
    let settings = ReportSettings::new(Subject::Verdicts { has_pairs: false }, seed);
    let against = if verdicts.len() > 1 { Against::System(1) } else { settings.against };
    let step = context.progress("computing intervals", 1);
    let report = Report::new(labels, &groups, verdicts, ReportSettings { against, ..settings });
    step(1);
    Ok(report)
}

/// Checks that there is a verdict on each of `count` pairs.
fn check_counts(verdicts: &[System], count: usize) -> Result<()> {
    let Some(wrong) = verdicts.iter().find(|system| system.verdicts.len() != count) else { return Ok(()) };
    let (expected, found) = (format!("{count} verdicts, one for each pair"), wrong.verdicts.len().to_string());
    Err(Error::invalid(&*wrong.name, expected, found, "give the verdicts on these pairs, in their order"))
}

/// The predictions in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictions {
    /// What reports call them.
    pub name: String,
    /// The verdict on each pair; `None` where it was left undecided.
    pub verdicts: Vec<Option<Verdict>>,
}

impl Predictions {
    /// Those that stand beside pairs under this name; see [`Reading::predictions`](crate::formats::Reading).
    pub fn beside(name: &str, judgments: &[Judgment]) -> Self {
        let judge = ExternalJudge::seen_in(name, judgments.iter().map(|judgment| &judgment.pair));
        let verdicts = judgments.iter().map(|judgment| judge.verdict(&judgment.pair)).collect();
        Self { name: name.to_owned(), verdicts }
    }
}

/// The verdicts on the pairs that no file leaves undecided, and which pairs these are.
///
/// # Errors
/// The numbers of verdicts differ; there is no such pair.
pub fn decided(context: Context<'_>, files: Vec<Predictions>) -> Result<(Vec<bool>, Vec<System>)> {
    let count = files.first().map_or(0, |file| file.verdicts.len());
    let mut is_decided = vec![true; count];
    for Predictions { name, verdicts } in &files {
        let undecided = verdicts.iter().filter(|verdict| verdict.is_none()).count();
        if undecided > 0 {
            let share = 100.0 * (count - undecided) as f64 / count as f64;
            context.note(format!("{name}: {undecided} of {count} pairs undecided (coverage {share:.1}%) and skipped."));
        }
        is_decided.iter_mut().zip(verdicts).for_each(|(is_decided, verdict)| *is_decided &= verdict.is_some());
    }
    if count > 0 && !is_decided.contains(&true) {
        let names = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        let advice = "predict again without `min_agreement`, or with a lower one";
        return Err(Error::invalid(names, "a pair that is decided in every file", "none", advice));
    }
    let system = |file: Predictions| {
        let verdicts = file.verdicts.into_iter().zip(&is_decided).filter_map(|(verdict, &is)| verdict.filter(|_| is));
        System::of_verdicts(file.name, verdicts.collect())
    };
    Ok((is_decided.clone(), files.into_iter().map(system).collect()))
}

/// The contents of a valid file of verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Always true, as an invalid file is an error.
    pub valid: bool,
    /// The number of verdicts.
    pub rows: usize,
    /// The numbers of verdicts 1, 0 and -1.
    pub labels: [usize; 3],
    /// The number of pairs that are left undecided.
    #[serde(skip_serializing_if = "is_zero")]
    pub undecided: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Checks that a file holds one verdict per line, or none where a pair is left undecided, and as many verdicts as there
/// are pairs, in their order.
///
/// # Errors
/// A line that is no verdict, or that is the one on another pair (the first is reported); the number of verdicts differs
/// from that of pairs; pairs that cannot be read.
pub fn check(verdicts: &Input, pairs: Option<&Input>, format: Option<&'static Format>) -> Result<Checked> {
    let found = match pairs {
        Some(pairs) => {
            let ids: Vec<Option<String>> =
                PairReader::open(pairs, format)?.map(|pair| pair.map(|pair| pair.id)).collect::<Result<_>>()?;
            answers::read_for(verdicts, pairs, ids.iter().map(Option::as_deref))?
        }
        None => answers::read_predictions(verdicts)?,
    };
    let count = |wanted: Option<Verdict>| found.iter().filter(|&&verdict| verdict == wanted).count();
    let labels = Verdict::ALL.map(|verdict| count(Some(verdict)));
    Ok(Checked { valid: true, rows: found.len(), labels, undecided: count(None) })
}
