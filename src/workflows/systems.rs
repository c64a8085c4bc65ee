//! In: the scores of metrics, what learners of words say. Out: the systems that a report sets beside the ensemble.

use rayon::prelude::*;

use crate::error::Result;
use crate::evaluation::WithTies;
use crate::features::{Extractor, Table};
use crate::judgments::{Pair, Verdict};
use crate::learners::{NaiveBayes, Phrases, Texts, WordRegression};
use crate::learning::{CheckedValidation, Folds, Labelled, Learner, cross_validate};
use crate::metrics::Member;
use crate::report::{BASELINE, MAJORITY, System};

/// The baseline and each reported metric, with s1 - s2 of every pair.
pub struct Scored {
    columns: Vec<(String, Vec<f64>)>,
}

impl Scored {
    /// Reads the scores of a table that the extractor made.
    pub fn new(extractor: &Extractor, table: &Table) -> Self {
        let metrics: Vec<&Member> = extractor.reported().collect();
        let differences = |columns: &[usize]| -> Vec<f64> {
            let score =
                |side: usize, row: usize| -> f64 { columns.iter().map(|&at| table.scores[side][[row, at]]).sum() };
            (0..table.len()).map(|row| score(0, row) - score(1, row)).collect()
        };
        let parts: Vec<usize> = (0..metrics.len()).filter(|&at| metrics[at].is_baseline()).collect();
        let scored = metrics.iter().enumerate().map(|(at, metric)| (metric.name.clone(), differences(&[at])));
        Self { columns: std::iter::once((BASELINE.to_owned(), differences(&parts))).chain(scored).collect() }
    }

    /// The systems that need no training: the baseline, the majority, and each metric on its own.
    pub fn untrained(&self, people: &[Verdict]) -> Vec<System> {
        let mut systems: Vec<System> =
            self.columns.iter().map(|(name, differences)| System::of_differences(name, differences)).collect();
        systems.insert(1, System::of_verdicts(MAJORITY, vec![majority(people); people.len()]));
        systems
    }

    /// As [`Self::untrained`], the baseline and the metrics with the tie threshold that the other folds choose; behind
    /// the majority the learners that see only words.
    ///
    /// # Errors
    /// What the learners report.
    pub fn with_comparators(
        &self,
        data: Labelled<'_, Table>,
        pairs: &[&Pair],
        folds: &Folds,
        validation: &CheckedValidation,
    ) -> Result<Vec<System>> {
        let mut systems = self.untrained(data.labels);
        let thresholds: Vec<WithTies> =
            self.columns.par_iter().map(|(_, differences)| WithTies::of(differences, data.labels, folds)).collect();
        let scored = systems.iter_mut().filter(|system| system.name != MAJORITY);
        scored.zip(thresholds).for_each(|(system, with_ties)| system.with_ties = Some(with_ties));
        let texts = Texts::new(pairs.iter().copied());
        let bayes = judged(&NaiveBayes, data.with_table(&texts), folds, validation)?;
        let phrases = Phrases::new(&texts);
        let regression = WordRegression { seed: validation.seed() };
        let regression = judged(&regression, data.with_table(&phrases), folds, validation)?;
        systems.splice(2..2, [bayes, regression]);
        Ok(systems)
    }
}

/// What a learner says out of fold.
fn judged<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    validation: &CheckedValidation,
) -> Result<System> {
    let found = cross_validate(learner, data, folds, validation, &|_| ())?;
    Ok(System::of_probabilities(learner.name(), found.verdicts, found.probabilities))
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
}
