//! In: the scores of metrics, what learners of words say. Out: the systems that a report sets beside the ensemble.

use rayon::prelude::*;

use super::event::{Event, Listener};
use crate::error::Result;
use crate::evaluation::WithTies;
use crate::features::{Extractor, Table};
use crate::judgments::{Pair, Verdict};
use crate::learners::{NaiveBayes, Phrases, Texts, WordRegression};
use crate::learning::{CheckedValidation, Folds, Labelled, Learner, cross_validate};
use crate::metrics::Member;
use crate::report::{BASELINE, MAJORITY, System};

/// How pairs are split where learners of words are judged.
#[derive(Clone, Copy)]
pub(super) struct Split<'a> {
    pub folds: &'a Folds,
    pub validation: &'a CheckedValidation,
}

/// The baseline and each reported metric, with s1 - s2 of every pair.
pub struct Scored<'t> {
    table: &'t Table,
    /// The names, and which scores are added up.
    systems: Vec<(String, Vec<usize>)>,
}

impl<'t> Scored<'t> {
    /// Reads the scores of a table that the extractor made.
    pub fn new(extractor: &Extractor, table: &'t Table) -> Self {
        let metrics: Vec<&Member> = extractor.reported().collect();
        let parts: Vec<usize> = (0..metrics.len()).filter(|&at| metrics[at].is_baseline()).collect();
        let scored = metrics.iter().enumerate().map(|(at, metric)| (metric.name.clone(), vec![at]));
        Self { table, systems: std::iter::once((BASELINE.to_owned(), parts)).chain(scored).collect() }
    }

    /// s1 - s2 of every pair, where s is the sum of some scores.
    fn differences(&self, parts: &[usize]) -> Vec<f64> {
        let difference = |row| {
            let [first, second] = self.table.scores(row).map(|all| parts.iter().map(|&at| all[at]).sum::<f64>());
            first - second
        };
        (0..self.table.len()).map(difference).collect()
    }

    /// The systems that need no training: the baseline, the majority, and each metric on its own.
    pub fn untrained(&self, people: &[Verdict]) -> Vec<System> {
        let system = |(name, parts): &(String, Vec<usize>)| System::of_differences(name, &self.differences(parts));
        Self::with_majority(self.systems.par_iter().map(system).collect(), people)
    }

    /// The majority stands behind the baseline.
    fn with_majority(mut systems: Vec<System>, people: &[Verdict]) -> Vec<System> {
        systems.insert(1, System::of_verdicts(MAJORITY, vec![majority(people); people.len()]));
        systems
    }

    /// As [`Self::untrained`], the baseline and the metrics with the tie threshold that the other folds choose; behind
    /// the majority the learners that see only words.
    ///
    /// # Errors
    /// What the learners report.
    pub(super) fn with_comparators(
        &self,
        data: Labelled<'_, Table>,
        pairs: &[&Pair],
        split: Split<'_>,
        listener: Listener<'_>,
    ) -> Result<Vec<System>> {
        let with_ties = |(name, parts): &(String, Vec<usize>)| {
            let differences = self.differences(parts);
            let with_ties = Some(WithTies::of(&differences, data.labels, split.folds));
            System { with_ties, ..System::of_differences(name, &differences) }
        };
        let mut systems = Self::with_majority(self.systems.par_iter().map(with_ties).collect(), data.labels);
        let texts = Texts::new(pairs.iter().copied());
        let bayes = judged(&NaiveBayes, data.with_table(&texts), split, listener)?;
        let phrases = Phrases::shared(&texts, data.groups);
        drop(texts);
        let regression = WordRegression { seed: split.validation.seed() };
        let regression = judged(&regression, data.with_table(&phrases), split, listener)?;
        systems.splice(2..2, [bayes, regression]);
        Ok(systems)
    }
}

/// What a learner says out of fold.
fn judged<L: Learner>(
    learner: &L,
    data: Labelled<'_, L::Table>,
    split: Split<'_>,
    listener: Listener<'_>,
) -> Result<System> {
    let folds = split.folds;
    let tell = |_, done| listener(Event::Progress { step: "learning from words", done, of: folds.count });
    let found = cross_validate(learner, data, folds, split.validation, &tell)?;
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
