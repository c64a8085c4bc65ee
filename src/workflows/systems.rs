//! In: the scores of metrics, what learners of words say. Out: the systems that a report sets beside the ensemble.

use rayon::prelude::*;

use super::event::{Event, Listener};
use crate::error::Result;
use crate::evaluation::WithTies;
use crate::features::{Extractor, Table};
use crate::judgments::{OwnMetric, Pair, Verdict};
use crate::learners::{NaiveBayes, Phrases, Texts, WordRegression};
use crate::learning::{CheckedValidation, Folds, Labelled, Learner, cross_validate};
use crate::metrics::{Member, find};
use crate::report::{BASELINE, ENSEMBLE, MAJORITY, System};

/// How pairs are split where learners of words are judged.
#[derive(Clone, Copy)]
pub(super) struct Split<'a> {
    pub folds: &'a Folds,
    pub validation: &'a CheckedValidation,
}

/// The baseline and each reported metric, with s1 - s2 of every pair.
pub struct Scored<'t> {
    table: &'t Table,
    /// The names, and what is added up.
    systems: Vec<(String, Vec<Part>)>,
}

/// Where a score stands in a table.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Among those of reported metrics.
    Reported(usize),
    /// Among the user's own.
    Own(usize),
}

impl<'t> Scored<'t> {
    /// Reads the scores of a table that the extractor made.
    pub fn new(extractor: &Extractor, table: &'t Table) -> Self {
        let metrics: Vec<&Member> = extractor.reported().collect();
        let parts = (0..metrics.len()).filter(|&at| metrics[at].is_baseline()).map(Part::Reported).collect::<Vec<_>>();
        let baseline = (!parts.is_empty()).then(|| (BASELINE.to_owned(), parts));
        let scored = metrics.iter().enumerate().map(|(at, metric)| (metric.name.clone(), vec![Part::Reported(at)]));
        let own = extractor.schema().own.iter().enumerate().map(|(at, metric)| (row_name(metric), vec![Part::Own(at)]));
        Self { table, systems: baseline.into_iter().chain(own).chain(scored).collect() }
    }

    /// s1 - s2 of every pair, where s is the sum of some scores.
    fn differences(&self, parts: &[Part]) -> Vec<f64> {
        let difference = |row| {
            let (reported, own) = (self.table.scores(row), self.table.own(row));
            let score = |side: usize| {
                let part = |part: &Part| match *part {
                    Part::Reported(at) => reported[side][at],
                    Part::Own(at) => own[side][at],
                };
                parts.iter().map(part).sum::<f64>()
            };
            score(0) - score(1)
        };
        (0..self.table.len()).map(difference).collect()
    }

    /// The systems that need no training: the baseline, the majority, and each metric on its own.
    pub fn untrained(&self, people: &[Verdict]) -> Vec<System> {
        let system = |(name, parts): &(String, Vec<Part>)| System::of_differences(name, &self.differences(parts));
        Self::with_majority(self.systems.par_iter().map(system).collect(), people)
    }

    /// The majority stands behind the baseline.
    fn with_majority(mut systems: Vec<System>, people: &[Verdict]) -> Vec<System> {
        let at = systems.iter().take_while(|system| system.name == BASELINE).count();
        systems.insert(at, System::of_verdicts(MAJORITY, vec![majority(people); people.len()]));
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
        let with_ties = |(name, parts): &(String, Vec<Part>)| {
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
        let behind = 1 + systems.iter().position(|system| system.name == MAJORITY).unwrap_or(0);
        systems.splice(behind..behind, [bayes, regression]);
        Ok(systems)
    }
}

/// What reports call an own metric: as the user does, unless something of Tribunal's has that name.
fn row_name(metric: &OwnMetric) -> String {
    let is_taken = find(&metric.name).is_some() || [ENSEMBLE, BASELINE, MAJORITY].contains(&metric.name.as_str());
    if is_taken { metric.feature() } else { metric.name.clone() }
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
