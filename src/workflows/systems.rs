//! The systems that a report compares with the ensemble: the baseline, metrics, and learners that see only words.

use rayon::prelude::*;

use super::context::{Context, Event};
use crate::error::Result;
use crate::evaluation::Groups;
use crate::evaluation::{BestMetric, Thresholded, VerdictsByOrder};
use crate::features::{Column, ColumnSource, Extractor, Schema, Table};
use crate::judgments::{Language, Pair, Verdict};
use crate::learners::{NaiveBayes, Phrases, Texts, WordRegression};
use crate::learning::{Folds, Labelled, Learner, Validation, cross_validate};
use crate::metrics::{Entry, Member};
use crate::report::details::PairScores;
use crate::report::people::NamedJudge;
use crate::report::{BASELINE, BEST_METRIC, Chosen, ENSEMBLE, MAJORITY, Role, System};

/// The most folds for choosing the best metric and tie thresholds where nothing is trained.
const MOST_FOLDS: usize = 10;

/// The baseline and each reported metric, with their scores in a table.
pub struct Scored<'t> {
    table: &'t Table,
    /// The baseline, if there are references, then external signals and reported metrics.
    systems: Vec<Untrained>,
    /// Whether the first system is the baseline.
    has_baseline: bool,
}

/// A system that needs no training.
struct Untrained {
    name: String,
    signal: Basis,
}

/// What decides the verdicts of an [`Untrained`] system.
enum Basis {
    /// The sum of the scores of these reported metrics.
    Scores(Vec<usize>),
    /// The values of this external column.
    Values(usize),
    /// The verdicts of a judge in this column: (orders, pairs).
    Verdicts(usize, Vec<Vec<Option<f64>>>),
}

impl<'t> Scored<'t> {
    /// The systems of a table that `extractor` computed of the pairs, of which the columns of `schema` are kept.
    /// English-only metrics are skipped for other languages, except for their part in the baseline.
    pub fn new(extractor: &Extractor, schema: &Schema, table: &'t Table, pairs: &[&Pair], language: &Language) -> Self {
        let metrics: Vec<&Member> = extractor.reported().collect();
        let parts: Vec<usize> = (0..metrics.len()).filter(|&at| metrics[at].entry.is_baseline).collect();
        let scored = |name: &str, parts| Untrained { name: name.to_owned(), signal: Basis::Scores(parts) };
        let baseline = (!parts.is_empty()).then(|| scored(BASELINE, parts));
        let suitable = metrics.iter().enumerate().filter(|(_, metric)| suits(metric.entry, language));
        let of_metrics = suitable.map(|(at, metric)| scored(metric.entry.row_name(), vec![at]));
        let external = external_rows(schema).into_iter().map(|(at, column, name)| {
            let signal = match &column.source {
                ColumnSource::Judge { judge } => Basis::Verdicts(at, judge.values_by_order(pairs)),
                _ => Basis::Values(at),
            };
            Untrained { name, signal }
        });
        Self {
            table,
            has_baseline: baseline.is_some(),
            systems: baseline.into_iter().chain(external).chain(of_metrics).collect(),
        }
    }

    /// A system with its verdicts as they are, and with those where small differences are ties.
    fn judged(
        &self,
        Untrained { name, signal }: &Untrained,
        labels: &[Verdict],
        folds: &Folds,
    ) -> (System, Thresholded) {
        if let Basis::Verdicts(_, orders) = signal {
            let verdict = |value: &Option<f64>| value.map(|value| Verdict::compare(value, 0.0));
            let verdicts = orders.iter().map(|values| values.iter().map(verdict).collect()).collect();
            let system = System::of_orders(name, VerdictsByOrder::new(verdicts));
            return (system, Thresholded::of_orders(orders, labels, folds));
        }
        let scores = (0..self.table.len()).map(|row| self.row_scores(row, signal));
        let differences: Vec<f64> = scores.map(|[first, second]| first - second).collect();
        (System::of_differences(name, &differences), Thresholded::new(&differences, labels, folds))
    }

    /// The scores of both hypotheses of every pair, by each system.
    pub(super) fn scores(&self) -> Vec<PairScores> {
        let scores = |Untrained { name, signal }: &Untrained| PairScores {
            metric: name.clone(),
            values: (0..self.table.len()).map(|row| self.row_scores(row, signal)).collect(),
        };
        self.systems.iter().map(scores).collect()
    }

    /// The scores of both hypotheses of a pair. A judge's verdict counts half for the one and half against the other;
    /// where it is missing both have 0.
    fn row_scores(&self, row: usize, signal: &Basis) -> [f64; 2] {
        match signal {
            Basis::Scores(parts) => {
                let reported = self.table.scores(row);
                reported.map(|scores| parts.iter().map(|&at| scores[at]).sum())
            }
            Basis::Values(column) | Basis::Verdicts(column, _) => {
                let values = self.table.value(row, *column).of_each().unwrap_or_default();
                values.map(|value| if value.is_nan() { 0.0 } else { value })
            }
        }
    }

    /// The systems that need no training: the baseline, the majority, each single metric, and the best of them. For the
    /// pairs of each fold, tie thresholds and the best metric are chosen on the other folds.
    pub fn untrained(&self, labels: &[Verdict], folds: &Folds) -> Vec<System> {
        let judged = self.systems.par_iter().map(|system| self.judged(system, labels, folds));
        let judged: Vec<(System, Thresholded)> = judged.collect();
        let (mut systems, thresholded): (Vec<System>, Vec<Thresholded>) = judged.into_iter().unzip();
        systems.iter_mut().zip(&thresholded).for_each(|(system, metric)| system.with_ties = Some(metric.summary));
        // The baseline is a sum of metrics, not a candidate for the best one.
        let first = usize::from(self.has_baseline);
        systems.iter_mut().take(first).for_each(|system| system.role = Role::Baseline);
        systems.extend(best_metric(&systems[first..], &thresholded[first..], folds));
        let majority = System::of_verdicts(MAJORITY, vec![majority(labels); labels.len()]);
        systems.insert(first, majority.in_role(Role::Majority));
        systems
    }

    /// As [`Self::untrained`], with the learners that see only words after the majority.
    ///
    /// # Errors
    /// Those of the learners.
    pub(super) fn with_comparators(
        &self,
        context: Context<'_>,
        data: Labelled<'_, Table>,
        pairs: &[&Pair],
        folds: &Folds,
        validation: &Validation,
    ) -> Result<Vec<System>> {
        let mut systems = self.untrained(data.labels, folds);
        let texts = Texts::new(pairs.iter().copied());
        let bayes = judged(context, &NaiveBayes, data.with_table(&texts), folds, validation)?;
        let phrases = Phrases::new(&texts, data.groups);
        drop(texts);
        let regression = WordRegression { seed: validation.seed };
        let regression = judged(context, &regression, data.with_table(&phrases), folds, validation)?;
        let behind = 1 + systems.iter().position(|system| system.name == MAJORITY).unwrap_or(0);
        systems.splice(behind..behind, [bayes, regression]);
        Ok(systems)
    }
}

/// Whether a metric's score means anything for texts in a language.
pub(super) fn suits(metric: &Entry, language: &Language) -> bool {
    language.is_english() || metric.suits_any_language()
}

/// The reported metrics that suit a language.
pub(super) fn rows<'e>(extractor: &'e Extractor, language: &Language) -> impl Iterator<Item = &'e Member> {
    extractor.reported().filter(|metric| suits(metric.entry, language))
}

/// The names of the systems of [`Scored::untrained`].
pub(super) fn names(extractor: &Extractor, language: &Language) -> Vec<String> {
    let baseline = extractor.reported().any(|metric| metric.entry.is_baseline).then_some(BASELINE);
    let fixed = baseline.into_iter().chain([MAJORITY, BEST_METRIC]).map(str::to_owned);
    let metrics = rows(extractor, language).map(|metric| metric.entry.row_name().to_owned());
    let external = external_rows(extractor.schema()).into_iter().map(|(_, _, name)| name);
    fixed.chain(external).chain(metrics).collect()
}

/// The names of Tribunal's own systems.
const TAKEN: [&str; 4] = [ENSEMBLE, BASELINE, MAJORITY, BEST_METRIC];

/// The judges of a schema, each with the name of its row.
pub(super) fn named_judges(schema: &Schema) -> Vec<NamedJudge> {
    let judge = |(_, column, name): (usize, &Column, String)| match &column.source {
        ColumnSource::Judge { judge } => Some((name, judge.clone())),
        _ => None,
    };
    external_rows(schema).into_iter().filter_map(judge).collect()
}

/// The external columns of a schema, judges first: position, column, and name in reports, which is the user's unless a
/// metric or one of Tribunal's systems has it.
fn external_rows(schema: &Schema) -> Vec<(usize, &Column, String)> {
    let mut rows = Vec::new();
    for (at, column) in schema.columns.iter().enumerate() {
        let name = match &column.source {
            ColumnSource::Judge { judge } if TAKEN.contains(&judge.name.as_str()) => judge.qualified_name(),
            ColumnSource::External { metric } if TAKEN.contains(&metric.name.as_str()) => metric.qualified_name(),
            ColumnSource::Judge { .. } | ColumnSource::External { .. } => column.name.clone(),
            ColumnSource::Metric { .. } | ColumnSource::Similarity { .. } => continue,
        };
        rows.push((at, column, name));
    }
    rows.sort_by_key(|(_, column, _)| !column.is_judge());
    rows
}

/// Folds by reference, for choosing among systems that need no training.
pub(super) fn folds(groups: &Groups, seed: u64) -> Folds {
    let count = MOST_FOLDS.min(groups.count).max(1);
    Folds { of_row: groups.folds(count, seed), count }
}

/// The best single metric with its tie threshold, chosen for each fold on the other folds.
fn best_metric(metrics: &[System], thresholded: &[Thresholded], folds: &Folds) -> Option<System> {
    let best = BestMetric::new(&thresholded.iter().collect::<Vec<_>>(), folds)?;
    let chosen = best.most_chosen().map(|(at, folds)| Chosen { name: metrics[at].name.clone(), folds });
    let is_judge = best.of_fold.iter().any(|&metric| metrics[metric].by_order.is_some());
    let of_orders = System::of_orders(BEST_METRIC, best.verdicts).in_role(Role::BestMetric);
    if is_judge {
        return Some(System { chosen, ..of_orders });
    }
    let decisive = |(row, &fold): (usize, &usize)| metrics[best.of_fold[fold]].verdicts[row];
    let without_ties = Some(folds.of_row.iter().enumerate().map(decisive).collect());
    Some(System { chosen, without_ties, by_order: None, ..of_orders })
}

/// A learner's verdicts out of fold.
fn judged<L: Learner>(
    context: Context<'_>,
    learner: &L,
    data: Labelled<'_, L::Table>,
    folds: &Folds,
    validation: &Validation,
) -> Result<System> {
    let tell = |_, done| context.emit(Event::Progress { step: "learning from words", done, of: Some(folds.count) });
    let out_of_fold = cross_validate(learner, data, folds, validation, &tell)?;
    Ok(System::of_probabilities(learner.name(), out_of_fold.verdicts, out_of_fold.probabilities).in_role(Role::Learner))
}

/// The most frequent label; ties go to the first in [`Verdict::ALL`].
fn majority(labels: &[Verdict]) -> Verdict {
    let count = |verdict: &Verdict| labels.iter().filter(|&label| label == verdict).count();
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
