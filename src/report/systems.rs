//! In: verdicts on pairs, from wherever. Out: a [`System`] that reports compare with others. Next: the report.

use crate::evaluation::WithTies;
use crate::judgments::{Probabilities, Verdict};

/// Something that gives verdicts.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// What the report calls it.
    pub name: String,
    /// One verdict a pair.
    pub verdicts: Vec<Verdict>,
    /// The probabilities behind the verdicts, where there are any.
    pub probabilities: Option<Vec<Probabilities>>,
    /// What it reaches with the best threshold below which it says tie, where one was learned.
    pub with_ties: Option<WithTies>,
}

impl System {
    /// Something that gives verdicts and nothing else.
    pub fn of_verdicts(name: impl Into<String>, verdicts: Vec<Verdict>) -> Self {
        Self { name: name.into(), verdicts, probabilities: None, with_ties: None }
    }

    /// Something that gives probabilities, and verdicts because of them.
    pub fn of_probabilities(
        name: impl Into<String>,
        verdicts: Vec<Verdict>,
        probabilities: Vec<Probabilities>,
    ) -> Self {
        Self { probabilities: Some(probabilities), ..Self::of_verdicts(name, verdicts) }
    }

    /// The same on some of the pairs; a tie threshold was chosen for all of them, and is left out.
    pub fn of_rows(&self, rows: &[usize]) -> Self {
        Self {
            name: self.name.clone(),
            verdicts: rows.iter().map(|&row| self.verdicts[row]).collect(),
            probabilities: self.probabilities.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect()),
            with_ties: None,
        }
    }

    /// Something that prefers the hypothesis of the higher score; `differences` has s1 - s2 of every pair.
    pub fn of_differences(name: impl Into<String>, differences: &[f64]) -> Self {
        Self::of_verdicts(name, differences.iter().map(|&difference| Verdict::compare(difference, 0.0)).collect())
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
