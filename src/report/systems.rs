//! Systems with their verdicts on pairs, and their rows in a report, with intervals and comparisons.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;

use crate::evaluation::Groups;
use crate::evaluation::{
    Calibration, Classes, Comparison, Confusion, Correct, Interval, PairedTests, VerdictsByOrder, WithTies, mean,
};
use crate::judgments::{Probabilities, Verdict};

/// The role of a system in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The subject of the report: a model, or verdicts in a file.
    Subject,
    /// The summed-metric baseline.
    Baseline,
    /// The most frequent label of all pairs.
    Majority,
    /// The best single metric with its tie threshold, chosen out of fold.
    BestMetric,
    /// A single metric.
    Metric,
    /// A learner that sees only words.
    Learner,
    /// One annotator against the majority of the others: the ceiling.
    Human,
}

impl Role {
    /// The mark before a system's name on a terminal.
    pub(super) fn mark(self) -> char {
        match self {
            Self::Subject => '>',
            Self::BestMetric | Self::Majority => '*',
            Self::Baseline => '+',
            Self::Metric | Self::Learner | Self::Human => ' ',
        }
    }

    /// The words after a system's name on a page, where the name does not say what it is.
    pub(super) fn words(self) -> Option<&'static str> {
        match self {
            Self::Baseline => Some("the baseline"),
            Self::Majority => Some("always the most frequent label"),
            Self::Human => Some("one annotator against the majority of the others"),
            Self::Subject | Self::BestMetric | Self::Metric | Self::Learner => None,
        }
    }
}

impl fmt::Display for Role {
    /// Its name in JSON.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

/// The metric that was chosen for most folds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chosen {
    /// The metric's name.
    pub name: String,
    /// The number of folds for which it was chosen.
    pub folds: usize,
}

/// A system with its verdicts on all pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// Its name in the report.
    pub name: String,
    /// Its role in the report.
    pub role: Role,
    /// One verdict per pair; a tie where a judge's orders contradict each other, or its verdict is missing.
    pub verdicts: Vec<Verdict>,
    /// The verdicts that count for a judge, and for the best metric where it is one; `None` if these are `verdicts`.
    pub by_order: Option<VerdictsByOrder>,
    /// The probabilities behind the verdicts, if there are any.
    pub probabilities: Option<Vec<Probabilities>>,
    /// Its accuracy with a tie threshold, if one was tuned.
    pub with_ties: Option<WithTies>,
    /// The metric chosen for most folds; only for the best metric.
    pub chosen: Option<Chosen>,
    /// Its verdicts where it may not say tie, if it ever says tie otherwise.
    pub without_ties: Option<Vec<Verdict>>,
}

impl System {
    /// A judge that gives verdicts only.
    pub fn of_verdicts(name: impl Into<String>, verdicts: Vec<Verdict>) -> Self {
        let (by_order, probabilities, with_ties, chosen, without_ties) = (None, None, None, None, None);
        Self {
            name: name.into(),
            role: Role::Subject,
            verdicts,
            by_order,
            probabilities,
            with_ties,
            chosen,
            without_ties,
        }
    }

    /// An automatic judge, whose verdicts may be missing, and given in both orders of the hypotheses.
    pub fn of_orders(name: impl Into<String>, by_order: VerdictsByOrder) -> Self {
        let signs = |row: usize| by_order.orders().iter().filter_map(move |verdicts| verdicts[row]).map(Verdict::sign);
        let verdict = |row: usize| Verdict::compare(signs(row).map(f64::from).sum(), 0.0);
        let verdicts = (0..by_order.orders().first().map_or(0, Vec::len)).map(verdict).collect();
        Self { by_order: Some(by_order), ..Self::of_verdicts(name, verdicts).in_role(Role::Metric) }
    }

    /// The verdicts that count.
    pub(super) fn verdicts_by_order(&self) -> VerdictsByOrder {
        self.by_order.clone().unwrap_or_else(|| VerdictsByOrder::from(self.verdicts.as_slice()))
    }

    /// The confusion matrix, or one for each order of a judge.
    pub(super) fn confusions(&self, labels: &[Verdict]) -> Vec<Confusion> {
        self.verdicts_by_order().confusions(labels)
    }

    /// The accuracy, of a judge in both orders the mean.
    pub(super) fn accuracy(&self, labels: &[Verdict]) -> f64 {
        self.verdicts_by_order().accuracy(labels)
    }

    /// The pairs that it gets right.
    pub(super) fn correct(&self, labels: &[Verdict], groups: &Groups) -> Correct {
        Correct::of_orders(labels, &self.verdicts_by_order(), groups)
    }

    /// Whether two systems give the same verdict on every pair, in each order.
    fn is_same(&self, other: &Self) -> bool {
        self.verdicts == other.verdicts && self.by_order == other.by_order
    }

    /// A judge that gives verdicts and the probabilities behind them.
    pub fn of_probabilities(
        name: impl Into<String>,
        verdicts: Vec<Verdict>,
        probabilities: Vec<Probabilities>,
    ) -> Self {
        let without_ties = probabilities.iter().map(|given| given.verdict_with(0.0)).collect();
        let without_ties = Some(without_ties);
        Self { probabilities: Some(probabilities), without_ties, ..Self::of_verdicts(name, verdicts) }
    }

    /// Its verdicts where it may not say tie: the likelier of 1 and -1, or the sign of a metric's difference; `None` for
    /// a judge of which only verdicts are known.
    fn decisive(&self) -> Option<&[Verdict]> {
        let as_they_are = (self.role != Role::Subject && self.by_order.is_none()).then_some(&self.verdicts);
        self.without_ties.as_ref().or(as_they_are).map(Vec::as_slice)
    }

    /// A metric that prefers the hypothesis with the higher score; equal scores are a tie. `differences`: s1 - s2 of
    /// every pair.
    pub fn of_differences(name: impl Into<String>, differences: &[f64]) -> Self {
        let verdicts = differences.iter().map(|&difference| Verdict::compare(difference, 0.0)).collect();
        Self::of_verdicts(name, verdicts).in_role(Role::Metric)
    }

    /// Sets the role.
    pub fn in_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The system on some of the pairs; the result with a tie threshold is dropped, as it was tuned on all pairs.
    pub fn of_rows(&self, rows: &[usize]) -> Self {
        Self {
            name: self.name.clone(),
            role: self.role,
            verdicts: rows.iter().map(|&row| self.verdicts[row]).collect(),
            by_order: self.by_order.as_ref().map(|verdicts| verdicts.of_rows(rows)),
            probabilities: self.probabilities.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect()),
            with_ties: None,
            chosen: self.chosen.clone(),
            without_ties: self.without_ties.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect()),
        }
    }
}

/// Systems and human labels on the same pairs.
pub(super) struct PairedComparison<'a> {
    pub labels: &'a [Verdict],
    pub systems: &'a [System],
    pub tests: PairedTests,
}

impl<'a> PairedComparison<'a> {
    pub fn new(labels: &'a [Verdict], groups: &Groups, systems: &'a [System]) -> Self {
        let correct = systems.iter().map(|system| system.correct(labels, groups)).collect();
        Self { labels, systems, tests: PairedTests::new(correct) }
    }
}

/// Pairwise comparisons of all systems. Matrices are (systems, systems).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The systems of rows and columns, in the order of the report.
    pub names: Vec<String>,
    /// The accuracy of the row's system minus that of the column's.
    pub differences: Vec<Vec<f64>>,
    /// The p-values of the differences, see [`crate::evaluation::PairedTests::compare`]; 1 on the diagonal. They are not corrected
    /// for multiple tests.
    pub p_values: Vec<Vec<f64>>,
    /// The 95% intervals of the differences; from 0 to 0 on the diagonal.
    pub intervals: Vec<Vec<[f64; 2]>>,
}

impl Matrix {
    pub(super) fn new(paired: &PairedComparison<'_>) -> Self {
        let count = paired.systems.len();
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|row| (0..row).map(move |column| (row, column))).collect();
        let compared: Vec<_> = pairs.par_iter().map(|&(row, column)| paired.tests.compare(row, column)).collect();
        let (mut differences, mut p_values) = (vec![vec![0.0; count]; count], vec![vec![1.0; count]; count]);
        let mut intervals = vec![vec![[0.0; 2]; count]; count];
        for (&(row, column), found) in pairs.iter().zip(&compared) {
            // Avoids -0.0.
            (differences[row][column], differences[column][row]) = (found.difference, 0.0 - found.difference);
            (p_values[row][column], p_values[column][row]) = (found.p_value, found.p_value);
            intervals[row][column] = [found.low, found.high];
            intervals[column][row] = [0.0 - found.high, 0.0 - found.low];
        }
        Self {
            names: paired.systems.iter().map(|system| system.name.clone()).collect(),
            differences,
            p_values,
            intervals,
        }
    }
}

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The system's name.
    pub name: String,
    /// Its role in the report.
    pub role: Role,
    /// The share of pairs on which it agrees with people, in [0, 1]. That of a judge is the mean over the orders of the
    /// hypotheses that it saw; missing verdicts are skipped. So are all figures of its row.
    pub accuracy: f64,
    /// The share of a judge's verdicts that are there, in [0, 1]; absent for other systems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// The lower end of the 95% interval, see [`Correct::interval`].
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// See [`Confusion::kendall_tau`].
    pub kendall_tau: f64,
    /// The accuracy of chance, see [`Confusion::chance`].
    pub chance: f64,
    /// The accuracy on decided pairs where the system may not say tie; absent where all pairs are ties, and for files of
    /// verdicts, which are as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_without_ties: Option<f64>,
    /// The confusion matrix: human labels (rows 1, 0, -1) by the system's verdicts (columns 1, 0, -1), the sum over a
    /// judge's orders.
    pub confusion: Confusion,
    /// Accuracy on decided pairs; precision, recall and F1 of each verdict.
    #[serde(flatten)]
    pub classes: Classes,
    /// The calibration of its probabilities; absent if it gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// Its accuracy with a tie threshold; only for metrics, and where folds are there to tune it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_ties: Option<WithTies>,
    /// The metric chosen for most folds; only for the best metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// The first of the systems above it with the same verdict on every pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The comparison with the baseline; absent for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Comparison>,
    /// The comparison with the system [`Report::against`](super::Report::against); absent for that system itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Comparison>,
}

impl Row {
    /// The row of each system, compared with the baseline only.
    pub(super) fn all(labels: &[Verdict], groups: &Groups, systems: &[System]) -> Vec<Self> {
        let paired = PairedComparison::new(labels, groups, systems);
        let baseline = systems.iter().position(|system| system.role == Role::Baseline);
        (0..systems.len()).map(|at| Self::new(&paired, at, baseline, None)).collect()
    }

    /// The row of the system `at`, compared with the systems at `baseline` and `against`.
    pub(super) fn new(
        paired: &PairedComparison<'_>,
        at: usize,
        baseline: Option<usize>,
        against: Option<usize>,
    ) -> Self {
        let system = &paired.systems[at];
        let confusions = system.confusions(paired.labels);
        let confusion: Confusion = confusions.iter().sum();
        let over_orders = |figure: fn(&Confusion) -> f64| mean(&confusions, |one| Some(figure(one))).unwrap_or(0.0);
        let decided_accuracy = mean(&confusions, |confusion| Classes::new(confusion).decided_accuracy);
        let same = paired.systems[..at].iter().find(|other| other.is_same(system));
        let Interval { low, high } = paired.tests.interval(at);
        let compare =
            |other: Option<usize>| other.filter(|&other| other != at).map(|other| paired.tests.compare(at, other));
        let against_baseline = compare(baseline);
        Self {
            name: system.name.clone(),
            role: system.role,
            accuracy: system.accuracy(paired.labels),
            coverage: system.by_order.as_ref().map(VerdictsByOrder::coverage),
            low,
            high,
            chance: over_orders(Confusion::chance),
            decided_without_ties: system
                .decisive()
                .and_then(|verdicts| Classes::new(&Confusion::new(paired.labels, verdicts)).decided_accuracy),
            kendall_tau: over_orders(Confusion::kendall_tau),
            classes: Classes { decided_accuracy, ..Classes::new(&confusion) },
            confusion,
            calibration: system.probabilities.as_ref().map(|given| Calibration::new(paired.labels, given)),
            with_ties: system.with_ties,
            chosen: system.chosen.clone(),
            same_as: same.map(|other| other.name.clone()),
            against: if against == baseline { against_baseline } else { compare(against) },
            against_baseline,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn the_higher_score_is_preferred() {
        assert_eq!(System::of_differences("x", &[0.1, 0.0, -0.0, -2.0]).verdicts, [First, Tie, Tie, Second]);
    }
}
