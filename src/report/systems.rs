//! Systems with their verdicts on pairs.

use serde::Serialize;

use crate::evaluation::WithTies;
use crate::judgments::{Probabilities, Verdict};

/// The role of a system in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The subject of the report: a model, or verdicts in a file.
    Judge,
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
}

impl Role {
    /// Its name in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Baseline => "baseline",
            Self::Majority => "majority",
            Self::BestMetric => "best-metric",
            Self::Metric => "metric",
            Self::Learner => "learner",
        }
    }

    /// The mark before a system's name on a terminal.
    pub(super) fn mark(self) -> char {
        match self {
            Self::Judge => '>',
            Self::BestMetric | Self::Majority => '*',
            Self::Baseline => '+',
            Self::Metric | Self::Learner => ' ',
        }
    }

    /// The words after a system's name on a page, where the name does not say what it is.
    pub(super) fn words(self) -> Option<&'static str> {
        match self {
            Self::Baseline => Some("the baseline"),
            Self::Majority => Some("always the most frequent label"),
            Self::Judge | Self::BestMetric | Self::Metric | Self::Learner => None,
        }
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
    /// One verdict per pair.
    pub verdicts: Vec<Verdict>,
    /// The probabilities behind the verdicts, if there are any.
    pub probabilities: Option<Vec<Probabilities>>,
    /// Its accuracy with a tie threshold, if one was tuned.
    pub with_ties: Option<WithTies>,
    /// The metric chosen for most folds; only for the best metric.
    pub chosen: Option<Chosen>,
}

impl System {
    /// A judge that gives verdicts only.
    pub fn of_verdicts(name: impl Into<String>, verdicts: Vec<Verdict>) -> Self {
        let (probabilities, with_ties, chosen) = (None, None, None);
        Self { name: name.into(), role: Role::Judge, verdicts, probabilities, with_ties, chosen }
    }

    /// A judge that gives verdicts and the probabilities behind them.
    pub fn of_probabilities(
        name: impl Into<String>,
        verdicts: Vec<Verdict>,
        probabilities: Vec<Probabilities>,
    ) -> Self {
        Self { probabilities: Some(probabilities), ..Self::of_verdicts(name, verdicts) }
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
            probabilities: self.probabilities.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect()),
            with_ties: None,
            chosen: self.chosen.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn roles_have_one_name() {
        for role in [Role::Judge, Role::Baseline, Role::Majority, Role::BestMetric, Role::Metric, Role::Learner] {
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
    }

    #[test]
    fn the_higher_score_is_preferred() {
        assert_eq!(System::of_differences("x", &[0.1, 0.0, -0.0, -2.0]).verdicts, [First, Tie, Tie, Second]);
    }
}
