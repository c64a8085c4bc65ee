//! Stage 7c. In: the scores of metrics, what comparators say. Out: one [`System`] each. Next: the report.

use rayon::prelude::*;

use super::BASELINE;
use crate::comparators::{self, Folded, Learned, WithTies};
use crate::features::{Extractor, Table};
use crate::judgments::Verdict;
use crate::metrics::Member;
use crate::model::Probabilities;

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

    /// Something that gives probabilities, and says what is likeliest.
    pub fn likeliest(name: impl Into<String>, probabilities: Vec<Probabilities>) -> Self {
        Self::of_probabilities(name, probabilities.iter().map(|given| given.verdict()).collect(), probabilities)
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

/// The systems that need no training: the baseline, the majority, and each reported metric on its own.
pub fn untrained_systems(extractor: &Extractor, table: &Table, people: &[Verdict]) -> Vec<System> {
    let scored = scored(extractor, table);
    let mut systems: Vec<System> =
        scored.iter().map(|(name, differences)| System::of_differences(*name, differences)).collect();
    systems.insert(1, System::of_verdicts("majority", vec![majority(people); people.len()]));
    systems
}

/// As [`untrained_systems`], the baseline and the metrics with the tie threshold that the other folds choose; behind
/// the majority the comparators that learn from words.
pub fn comparators(extractor: &Extractor, table: &Table, folded: &Folded<'_>) -> Vec<System> {
    let of_metric = |(name, differences): &(&str, Vec<f64>)| System {
        with_ties: Some(WithTies::of(differences, folded)),
        ..System::of_differences(*name, differences)
    };
    let mut systems: Vec<System> = scored(extractor, table).par_iter().map(of_metric).collect();
    let majority = System::of_verdicts("majority", vec![majority(&folded.labels); folded.labels.len()]);
    let learned =
        comparators::learned(folded).map(|Learned { name, probabilities }| System::likeliest(name, probabilities));
    systems.splice(1..1, std::iter::once(majority).chain(learned));
    systems
}

/// The baseline and each reported metric: its name and, for every pair, s1 - s2.
fn scored<'e>(extractor: &'e Extractor, table: &Table) -> Vec<(&'e str, Vec<f64>)> {
    let metrics: Vec<&Member> = extractor.reported().collect();
    let differences = |columns: &[usize]| -> Vec<f64> {
        let score = |side: usize, row: usize| -> f64 { columns.iter().map(|&at| table.scores[side][[row, at]]).sum() };
        (0..table.len()).map(|row| score(0, row) - score(1, row)).collect()
    };
    let parts: Vec<usize> = (0..metrics.len()).filter(|&at| metrics[at].is_baseline()).collect();
    let scored = metrics.iter().enumerate().map(|(at, metric)| (metric.name.as_str(), differences(&[at])));
    std::iter::once((BASELINE, differences(&parts))).chain(scored).collect()
}

/// The most frequent label; of equally frequent ones the first of [`Verdict::ALL`].
fn majority(people: &[Verdict]) -> Verdict {
    let count = |verdict: &Verdict| people.iter().filter(|&label| label == verdict).count();
    Verdict::ALL.into_iter().rev().max_by_key(count).unwrap_or(Verdict::Tie)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    #[test]
    fn the_majority_is_the_most_frequent_label() {
        assert_eq!(majority(&[Tie, Second, Second]), Second);
        assert_eq!(majority(&[Second, First]), First);
    }

    #[test]
    fn the_higher_score_is_preferred() {
        assert_eq!(System::of_differences("x", &[0.1, 0.0, -0.0, -2.0]).verdicts, [First, Tie, Tie, Second]);
    }
}
