//! The accuracy report as data.

use serde::{Serialize, Serializer};

use super::answer::{self, Answer, GainPower};
use super::details::Details;
use super::outputs::OutputReport;
use super::people::AnnotatorReport;
use super::people::JudgeRow;
use super::requirement::Decision;
use super::studies::{AblationRow, Breakdown, CurveRow};
use super::systems::{Matrix, PairedComparison, Role, Row, System};
use crate::encoder::Description;
use crate::evaluation::Groups;
use crate::evaluation::{Agreement, Comparison, McNemar};
use crate::judgments::{LabelSource, Pair, Verdict};
use crate::judgments::{annotators, grouping};
use crate::learners::logistic::FamilyShare;
use crate::learning::{Coverage, coverage};

/// From fewer pairs that several people judged, their agreement is no figure.
const MIN_REPEATED: usize = 20;

/// An accuracy report: how systems agree with people on the same pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The number of pairs.
    pub rows: usize,
    /// The subject of the report.
    #[serde(skip)]
    pub subject: Subject,
    /// The number of groups of pairs that share a reference; absent where the pairs are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<usize>,
    /// What the pairs of a group share, see [`grouping::unit`].
    #[serde(skip)]
    pub shared: &'static str,
    /// The encoder whose metrics are among the systems or part of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoder: Option<Description>,
    /// The number of cross-validation folds; 0 for ready models and verdicts.
    pub folds: usize,
    /// The seed for folds.
    pub seed: u64,
    /// The number of labels 1, 0, -1.
    pub labels: [usize; 3],
    /// Why the figures of a system must not be trusted, such as pairs that it was trained on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The first system's accuracy, with the systems to beat and human-human agreement; absent in a report on a part of
    /// the pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// How often different people, whose names are known, agree on the pairs that several of them judged, from 20 such
    /// pairs on; a yardstick for accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Several annotators of the same pairs, and what may replace one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotators: Option<AnnotatorReport>,
    /// Who gave the labels.
    #[serde(skip_serializing_if = "LabelSource::is_people")]
    pub labels_of: LabelSource,
    /// Statistics of each automatic judge.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<JudgeRow>,
    /// How many of the first system's verdicts agree with people in a given share; empty without probabilities.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<Coverage>,
    /// Which gain of the answer's subject these pairs can show; absent where groups or its rival are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<GainPower>,
    /// The name of the system that all others are compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The systems, in the order in which they were added.
    pub systems: Vec<Row>,
    /// Comparisons between every two files of verdicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestRow>,
    /// Comparisons between every two systems, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    /// The systems on each of several files, and on the pairs with each value of a column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breakdowns: Vec<Breakdown>,
    /// Each family's share in the preference of the trained model, the largest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<FamilyShare>,
    /// The ablation of feature families, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablation: Vec<AblationRow>,
    /// The learning curve over the number of references, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurveRow>,
    /// Agreement with the labels of single outputs, where the pairs were made of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outputs: Option<OutputReport>,
    /// Agreement with the labels of single criteria, where those of the outputs are the mean of several.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_name")]
    pub criteria: Vec<(String, OutputReport)>,
    /// Further contents of the HTML page, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
    /// What became of what was required of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Decision>,
}

/// Reports as an object, by their names.
fn by_name<S: Serializer>(reports: &[(String, OutputReport)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(reports.iter().map(|(name, report)| (name, report)))
}

/// The subject of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Subject {
    /// Cross-validation: every pair was judged by a model that did not learn from it, in this many folds.
    OutOfFold(usize),
    /// Trained models, applied as they are.
    #[default]
    Models,
    /// Verdicts from files.
    Verdicts {
        /// Whether the pairs are known, and with them their groups.
        has_pairs: bool,
    },
}

/// The system that each one is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The baseline only.
    Nothing,
    /// The more accurate of the best metric and the majority.
    Strongest,
    /// The system at this index.
    System(usize),
}

/// Settings of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportSettings {
    /// The subject of the report.
    pub subject: Subject,
    /// The system that each one is compared with.
    pub against: Against,
    /// Whether every system is compared with every other.
    pub matrix: bool,
    /// The seed for folds, which the report names.
    pub seed: u64,
}

impl ReportSettings {
    /// Compares with the stronger of the systems to beat, without a matrix.
    pub fn new(subject: Subject, seed: u64) -> Self {
        Self { subject, against: Against::Strongest, matrix: false, seed }
    }
}

/// The optional parts of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportParts {
    /// [`Report::matrix`].
    pub matrix: bool,
    /// [`Report::ablation`].
    pub ablation: bool,
    /// [`Report::learning_curve`].
    pub curve: bool,
}

/// The most systems in the first view of a page.
const MAX_PROMINENT: usize = 10;

/// The distance of the levels of agreement in [`Report::coverage`].
const COVERAGE_STEP: f64 = 0.05;

/// The coverage of the first system.
fn of_first(labels: &[Verdict], systems: &[System]) -> Vec<Coverage> {
    let Some(System { verdicts, probabilities: Some(given), .. }) = systems.first() else { return Vec::new() };
    coverage(labels, verdicts, given, COVERAGE_STEP)
}

/// The comparison of two files of verdicts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestRow {
    /// The name of the first file.
    pub one: String,
    /// The name of the second file.
    pub other: String,
    /// The difference in accuracy, its interval and p.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// McNemar's test: clustered where groups are known, else exact.
    pub mcnemar: McNemar,
}

impl Report {
    /// Compares systems on the same pairs; intervals and tests count whole groups.
    pub fn new(labels: &[Verdict], groups: &Groups, systems: &[System], settings: ReportSettings) -> Self {
        let ReportSettings { subject, against, seed, .. } = settings;
        let paired = PairedComparison::new(labels, groups, systems);
        let baseline = systems.iter().position(|system| system.role == Role::Baseline);
        let against_at = match against {
            Against::Nothing => None,
            Against::Strongest => answer::strongest(&paired),
            Against::System(at) => Some(at),
        };
        let rows: Vec<Row> = (0..systems.len()).map(|at| Row::new(&paired, at, baseline, against_at)).collect();
        Self {
            rows: labels.len(),
            subject,
            groups: (subject != Subject::Verdicts { has_pairs: false }).then_some(groups.count),
            shared: "reference",
            folds: if let Subject::OutOfFold(folds) = subject { folds } else { 0 },
            seed,
            labels: Verdict::ALL.map(|verdict| labels.iter().filter(|&&label| label == verdict).count()),
            answer: Answer::new(&paired, &rows),
            coverage: of_first(labels, systems),
            against: against_at.map(|at| systems[at].name.clone()),
            tests: tests(&paired, subject),
            matrix: settings.matrix.then(|| Matrix::new(&paired)),
            systems: rows,
            ..Self::default()
        }
    }

    /// What intervals count, and cross-validation keeps together.
    pub(super) fn unit(&self) -> &'static str {
        match self.groups {
            Some(_) => self.shared,
            None => "single pair",
        }
    }

    /// Adds how often people agree with each other, and whether their pairs have references.
    pub fn with_agreement<'a>(self, judged: impl Iterator<Item = (&'a Pair, Verdict)> + Clone) -> Self {
        let shared = grouping::unit(judged.clone().map(|(pair, _)| pair));
        let labels_of = LabelSource::new(judged.clone().map(|(pair, _)| pair));
        let agreement = annotators::agreement(judged).filter(|agreement| agreement.pairs >= MIN_REPEATED);
        Self {
            agreement,
            shared,
            labels_of,
            answer: self.answer.map(|answer| answer.with_agreement(agreement)),
            ..self
        }
    }

    /// Adds which gain of the answer's subject the pairs can show, and what as many `unlabelled` ones could.
    pub fn with_gain(self, gain: f64, unlabelled: usize) -> Self {
        let rival = self.answer.as_ref().and_then(|answer| answer.rival.as_ref());
        let power = rival
            .zip(self.groups)
            .map(|(rival, groups)| GainPower::new(rival, groups, gain).with_pool(unlabelled, self.rows));
        Self { power, ..self }
    }

    /// Drops the details and every optional part that was not requested.
    pub fn keep(&mut self, asked_for: ReportParts) {
        let ReportParts { matrix, ablation, curve } = asked_for;
        self.details = None;
        self.matrix = self.matrix.take().filter(|_| matrix);
        self.ablation.retain(|_| ablation);
        self.learning_curve.retain(|_| curve);
    }

    /// The row that the report is about: that of the answer, or else the first.
    pub(super) fn subject_row(&self) -> Option<&Row> {
        self.answer.as_ref().and_then(|answer| self.row(&answer.system)).or_else(|| self.systems.first())
    }

    /// Indices of the systems, the most accurate first.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.systems.len()).collect();
        order.sort_by(|&one, &other| self.systems[other].accuracy.total_cmp(&self.systems[one].accuracy));
        order
    }

    /// The most relevant systems, at most [`MAX_PROMINENT`], in [`Self::order`]: judges, the systems to beat and the baseline,
    /// then the most accurate others.
    pub(super) fn prominent(&self) -> Vec<usize> {
        let order = self.order();
        let is_other = |at: &usize| matches!(self.systems[*at].role, Role::Metric | Role::Learner);
        let (others, fixed): (Vec<usize>, Vec<usize>) = order.iter().partition(|at| is_other(at));
        let chosen: Vec<usize> = fixed.into_iter().chain(others).take(MAX_PROMINENT).collect();
        order.into_iter().filter(|at| chosen.contains(at)).collect()
    }

    /// The row of that name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.systems.iter().find(|row| row.name == name)
    }

    /// Whether the row of that name is a single metric, or a judge beside the hypotheses.
    pub(super) fn is_metric(&self, name: &str) -> bool {
        self.row(name).is_some_and(|row| row.role == Role::Metric)
    }
}

/// Compares every two files of verdicts; empty for other subjects.
fn tests(paired: &PairedComparison<'_>, subject: Subject) -> Vec<TestRow> {
    let Subject::Verdicts { has_pairs } = subject else { return Vec::new() };
    let systems = paired.systems;
    let judges: Vec<usize> = (0..systems.len()).filter(|&at| systems[at].role == Role::Subject).collect();
    let test = |(one, other): (usize, usize)| {
        let verdicts = [one, other].map(|at| systems[at].verdicts.as_slice());
        TestRow {
            one: systems[one].name.clone(),
            other: systems[other].name.clone(),
            comparison: paired.tests.compare(one, other),
            mcnemar: match has_pairs {
                true => McNemar::clustered(paired.labels, verdicts, [one, other].map(|at| paired.tests.correct(at))),
                false => McNemar::exact(paired.labels, verdicts[0], verdicts[1]),
            },
        }
    };
    let pairs =
        judges.iter().enumerate().flat_map(|(at, &one)| judges[at + 1..].iter().map(move |&other| (one, other)));
    pairs.map(test).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{BASELINE, MAJORITY};
    use super::*;
    use Verdict::{First, Second, Tie};

    fn report(labels: [Verdict; 4], of_ensemble: [Verdict; 4]) -> Report {
        let groups = Groups { of_row: vec![0, 1, 2, 3], count: 4 };
        let system = |name: &str, verdicts: [Verdict; 4]| System::of_verdicts(name, verdicts.into());
        let systems = [
            system("ensemble", of_ensemble),
            system(BASELINE, [First, First, First, First]).in_role(Role::Baseline),
            system(MAJORITY, [First, First, First, First]).in_role(Role::Majority),
        ];
        Report::new(&labels, &groups, &systems, ReportSettings::new(Subject::OutOfFold(2), 1))
    }

    #[test]
    fn a_report_has_a_row_a_system_and_compares_with_the_baseline() {
        let labels = [First, Second, Tie, First];
        let report = report(labels, labels);
        assert_eq!(report.labels, [2, 1, 1]);
        assert_eq!(report.systems[0].accuracy, 1.0);
        assert_eq!(report.systems[0].against_baseline.unwrap().difference, 0.5);
        assert!(report.systems[1].against_baseline.is_none());
        assert_eq!(report.against.as_deref(), Some(MAJORITY));
        assert!(report.systems[2].against.is_none());
    }

    #[test]
    fn who_is_no_better_than_the_majority_does_not_beat_its_rivals() {
        let report = report([First, Second, Tie, First], [First, First, First, First]);
        let answer = report.answer.unwrap();
        assert_eq!(answer.majority.unwrap().comparison.p_value, 1.0);
        assert!(!answer.beats_rivals);
    }
}
