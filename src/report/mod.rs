//! Reports. In: verdicts of all systems on the same pairs. Out: the accuracy report, as a table or as JSON. Next: the
//! user.

pub mod agreement;
pub mod agreement_text;
pub mod scores;
mod sections;
pub(crate) mod studies;
pub(crate) mod systems;
pub mod table;
mod text;

pub use systems::System;

use serde::Serialize;

pub use studies::{AblationRow, CurveRow, FileRow};

use crate::evaluation::{
    Agreement, Bootstrap, Calibration, Comparison, Confusion, Correct, Interval, WithTies, compare_within,
};
use crate::judgments::grouping::Groups;
use crate::judgments::{Pair, Verdict};
use crate::learners::logistic::FamilyShare;

/// The name of what is trained, and of the model inside the program, in reports.
pub const ENSEMBLE: &str = "ensemble";

/// The name of the summed-metric baseline in reports.
pub const BASELINE: &str = "sum";

/// The name of the most frequent label in reports.
pub const MAJORITY: &str = "majority";

/// Rounds of the bootstrap; more change the third digit of an interval's width.
const DRAWS: usize = 2000;

/// Rounds of the paired test; p cannot be less than one part in them.
const EXCHANGES: usize = 10_000;

/// How often each system says what people say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The number of pairs.
    pub rows: usize,
    /// What is reported.
    #[serde(skip)]
    pub subject: Subject,
    /// The number of groups of pairs that share a reference; absent where nothing is known of the pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<usize>,
    /// The number of folds of the cross-validation; 0 where models are judged as they are.
    pub folds: usize,
    /// What folds and draws were made with.
    pub seed: u64,
    /// The number of labels 1, 0, -1.
    pub labels: [usize; 3],
    /// How often people agree with each other, where pairs were judged more than once: the ceiling of any system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// The systems, in the order in which they were added.
    pub systems: Vec<Row>,
    /// The same for each of several files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRow>,
    /// How much each family of features has to say in the model that was trained, the largest share first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<FamilyShare>,
    /// What the families are worth, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablation: Vec<AblationRow>,
    /// What more references are worth, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learning_curve: Vec<CurveRow>,
}

/// What a report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A training: every pair was judged by a model that did not learn from it.
    OutOfFold,
    /// Models that are ready.
    Models,
    /// Verdicts in a file.
    Verdicts,
}

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The system's name.
    pub name: String,
    /// The share of pairs on which it agrees with people.
    pub accuracy: f64,
    /// The lower end of the 95% interval, by bootstrap over groups.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// See [`Confusion::kendall_tau`].
    pub kendall_tau: f64,
    /// What it said (columns 1, 0, -1) where people said what (rows 1, 0, -1).
    pub confusion: Confusion,
    /// How far its probabilities can be believed; absent where it gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
    /// What it reaches if it may say tie; only for metrics, and where folds choose the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_ties: Option<WithTies>,
    /// The first of the systems above it that gives the same verdict on every pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// How it compares with the baseline; absent for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Comparison>,
}

impl Report {
    /// Compares systems on the same pairs; intervals and tests draw whole groups.
    pub fn of(people: &[Verdict], groups: &Groups, systems: &[System], folds: usize, seed: u64) -> Self {
        // The last: a user's own file may be called like the baseline, which stands behind it.
        let baseline = systems.iter().rposition(|system| system.name == BASELINE);
        let correct: Vec<Correct> =
            systems.iter().map(|system| Correct::of(people, &system.verdicts, groups)).collect();
        let draws = Bootstrap::of(&correct, DRAWS, seed);
        let compare = |at: usize, other: usize| {
            compare_within(&correct[at], &correct[other], draws.difference(at, other), EXCHANGES, seed)
        };
        let row = |(at, system): (usize, &System)| {
            let confusion = Confusion::of(people, &system.verdicts);
            let same = systems[..at].iter().find(|other| other.verdicts == system.verdicts);
            let Interval { low, high } = draws.interval(at);
            Row {
                name: system.name.clone(),
                accuracy: confusion.accuracy(),
                low,
                high,
                kendall_tau: confusion.kendall_tau(),
                confusion,
                calibration: system.probabilities.as_ref().map(|given| Calibration::of(people, given)),
                with_ties: system.with_ties,
                same_as: same.map(|other| other.name.clone()),
                against_baseline: baseline.filter(|&other| other != at).map(|other| compare(at, other)),
            }
        };
        Self {
            rows: people.len(),
            subject: if folds > 0 { Subject::OutOfFold } else { Subject::Models },
            groups: Some(groups.count),
            folds,
            seed,
            labels: Verdict::ALL.map(|verdict| people.iter().filter(|&&label| label == verdict).count()),
            agreement: None,
            systems: systems.iter().enumerate().map(row).collect(),
            files: Vec::new(),
            families: Vec::new(),
            ablation: Vec::new(),
            learning_curve: Vec::new(),
        }
    }

    /// The same of verdicts from wherever, of whose pairs everything or nothing is known.
    pub fn of_verdicts(self, has_pairs: bool) -> Self {
        Self { subject: Subject::Verdicts, groups: self.groups.filter(|_| has_pairs), ..self }
    }

    /// Adds how often people agree with each other.
    pub fn with_agreement<'a>(self, judged: impl Iterator<Item = (&'a Pair, Verdict)>) -> Self {
        Self { agreement: Agreement::of(judged), ..self }
    }

    /// The row of that name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.systems.iter().find(|row| row.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn a_report_has_a_row_a_system_and_compares_with_the_baseline() {
        let people = [First, Second, Tie, First];
        let groups = Groups { of_pair: vec![0, 1, 2, 3], count: 4 };
        let system = |name: &str, verdicts: [Verdict; 4]| System::of_verdicts(name, verdicts.into());
        let systems = [system("ensemble", people), system(BASELINE, [First, First, First, First])];
        let report = Report::of(&people, &groups, &systems, 2, 1);
        assert_eq!(report.labels, [2, 1, 1]);
        assert_eq!(report.systems[0].accuracy, 1.0);
        assert_eq!(report.systems[0].against_baseline.unwrap().difference, 0.5);
        assert!(report.systems[1].against_baseline.is_none());
    }
}
