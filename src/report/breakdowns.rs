//! Accuracy by confidence and by other properties of pairs, and agreement by every convention.

use rayon::prelude::*;

use super::System;
use super::comparison::DRAWS;
use super::details::{Breakdown, BreakdownBin, Convention, ConventionRow, Conventions, ReliabilityBin};
use super::systems::Role;
use crate::evaluation::{
    CONVENTIONS, ConfidenceBin, Confusion, PartAccuracy, accuracy_on, confidence_bins, quantile_bins,
};
use crate::judgments::grouping::Groups;
use crate::judgments::{Probabilities, Verdict};

/// The most bins of a property.
const MAX_BINS: usize = 8;

/// The fewest pairs in a bin, if there are that many.
const MIN_PAIRS: usize = 30;

/// The smallest share of all pairs in a confidence bin.
const MIN_SHARE: f64 = 0.01;

/// People's verdicts, and what intervals are resampled over.
#[derive(Clone, Copy)]
pub(crate) struct People<'a> {
    pub labels: &'a [Verdict],
    pub groups: &'a Groups,
    pub seed: u64,
}

impl People<'_> {
    fn accuracy_on(&self, rows: &[usize], systems: &[&[Verdict]]) -> Vec<PartAccuracy> {
        accuracy_on(rows, self.labels, systems, self.groups, (DRAWS, self.seed))
    }
}

impl ReliabilityBin {
    /// Confidence bins of width 1/15, merged with their neighbours if they have fewer than 30 pairs or 1% of all.
    pub(crate) fn all(people: People<'_>, probabilities: &[Probabilities]) -> Vec<Self> {
        let likeliest: Vec<Verdict> = probabilities.iter().map(|given| given.verdict()).collect();
        let least = MIN_PAIRS.max((MIN_SHARE * probabilities.len() as f64) as usize);
        let bin = |ConfidenceBin { from, to, rows, confidence }: ConfidenceBin| {
            let found = people.accuracy_on(&rows, &[&likeliest]);
            let PartAccuracy { accuracy, interval } = found[0];
            Self { from, to, pairs: rows.len(), confidence, accuracy, low: interval.low, high: interval.high }
        };
        confidence_bins(probabilities, least).into_par_iter().map(bin).collect()
    }
}

/// Pairs with equal or similar values of a property, and the label of those values.
pub(crate) struct Part {
    pub values: String,
    pub rows: Vec<usize>,
}

/// A property of pairs.
pub(crate) struct Property {
    pub key: &'static str,
    pub name: &'static str,
    pub meaning: &'static str,
    pub parts: Vec<Part>,
}

impl Property {
    /// The model's confidence.
    pub fn certainty(probabilities: &[Probabilities]) -> Self {
        let values: Vec<f64> = probabilities.iter().map(|given| given.confidence()).collect();
        let percent = |lowest: f64, highest: f64| {
            let [low, high] = [lowest, highest].map(|share| format!("{:.0}%", 100.0 * share));
            if low == high { low } else { format!("{low} to {high}") }
        };
        Self {
            key: "certainty",
            name: "confidence of the model",
            meaning: "the largest of the probabilities of 1, 0 and -1",
            parts: parts(&values, &percent),
        }
    }

    /// The length of the reference in words.
    pub fn length(words: &[usize]) -> Self {
        let values: Vec<f64> = words.iter().map(|&words| words as f64).collect();
        let whole = |lowest: f64, highest: f64| {
            if lowest == highest { format!("{lowest}") } else { format!("{lowest} to {highest}") }
        };
        Self {
            key: "length",
            name: "length of the reference",
            meaning: "words of the first reference; of a pair without one, of its longer hypothesis",
            parts: parts(&values, &whole),
        }
    }

    /// Whether people agreed, for pairs that were judged more than once.
    pub fn unanimity(unanimous: &[Option<bool>]) -> Self {
        let rows = |wanted: bool| (0..unanimous.len()).filter(|&row| unanimous[row] == Some(wanted)).collect();
        let part = |values: &str, wanted| Part { values: values.to_owned(), rows: rows(wanted) };
        Self {
            key: "agreement",
            name: "agreement of people",
            meaning: "whether all judgments of a pair agree, for pairs that were judged more than once",
            parts: vec![part("unanimous", true), part("not unanimous", false)],
        }
    }

    /// The file of each pair. `files`: names with numbers of pairs, in the order of the pairs.
    pub fn file(files: &[(String, usize)]) -> Self {
        let ends = files.iter().scan(0, |end, (_, pairs)| {
            *end += pairs;
            Some(*end)
        });
        let part = |((name, pairs), end): (&(String, usize), usize)| Part {
            values: name.clone(),
            rows: (end - pairs..end).collect(),
        };
        Self {
            key: "file",
            name: "file",
            meaning: "the file that the pair was read from",
            parts: files.iter().zip(ends).map(part).collect(),
        }
    }
}

/// Quantile bins of about equal size, labelled by `written`.
fn parts(values: &[f64], written: &dyn Fn(f64, f64) -> String) -> Vec<Part> {
    let most = (values.len() / MIN_PAIRS).clamp(1, MAX_BINS);
    let bins = quantile_bins(values, most).into_iter();
    bins.map(|bin| Part { values: written(bin.lowest, bin.highest), rows: bin.rows }).collect()
}

impl Breakdown {
    /// The accuracy of the first system, the baseline and the best metric on each part of a property; `None` for fewer
    /// than two parts.
    pub(crate) fn of(people: People<'_>, systems: &[System], property: Property) -> Option<Self> {
        let parts: Vec<Part> = property.parts.into_iter().filter(|part| !part.rows.is_empty()).collect();
        if parts.len() < 2 {
            return None;
        }
        let is_shown =
            |(at, system): &(usize, &System)| *at == 0 || matches!(system.role, Role::Baseline | Role::BestMetric);
        let shown: Vec<&System> = systems.iter().enumerate().filter(is_shown).map(|(_, system)| system).collect();
        let verdicts: Vec<&[Verdict]> = shown.iter().map(|system| system.verdicts.as_slice()).collect();
        let bin = |Part { values, rows }: Part| BreakdownBin {
            values,
            pairs: rows.len(),
            accuracies: people.accuracy_on(&rows, &verdicts),
        };
        Some(Self {
            key: property.key,
            property: property.name.to_owned(),
            meaning: property.meaning.to_owned(),
            systems: shown.iter().map(|system| system.name.clone()).collect(),
            roles: shown.iter().map(|system| system.role).collect(),
            bins: parts.into_par_iter().map(bin).collect(),
        })
    }
}

impl Conventions {
    /// Computes the agreement of every system by every convention.
    pub(crate) fn of(people: &[Verdict], systems: &[System]) -> Self {
        let row = |system: &System| {
            let confusion = Confusion::of(people, &system.verdicts);
            let value = |counting: &crate::evaluation::Counting| counting.value(&confusion, system.with_ties.as_ref());
            ConventionRow { name: system.name.clone(), values: CONVENTIONS.iter().map(value).collect() }
        };
        let conventions =
            CONVENTIONS.iter().map(|one| Convention { name: one.name, rule: one.rule, source: one.source });
        Self { conventions: conventions.collect(), systems: systems.iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    fn people<'a>(labels: &'a [Verdict], groups: &'a Groups) -> People<'a> {
        People { labels, groups, seed: 1 }
    }

    fn alone(count: usize) -> Groups {
        Groups { of_pair: (0..count).collect(), count }
    }

    #[test]
    fn a_breakdown_has_the_first_system_the_baseline_and_the_best_metric() {
        let labels = [First, Second, Tie, First];
        let system =
            |name: &str, role, verdicts: [Verdict; 4]| System::of_verdicts(name, verdicts.into()).in_role(role);
        let systems = [
            system("ensemble", Role::Judge, labels),
            system("sum", Role::Baseline, [First; 4]),
            system("majority", Role::Majority, [First; 4]),
            system("best-metric", Role::BestMetric, [Second, Second, First, First]),
        ];
        let files = Property::file(&[("one".to_owned(), 3), ("two".to_owned(), 1)]);
        let found = Breakdown::of(people(&labels, &alone(4)), &systems, files).unwrap();
        assert_eq!(found.systems, ["ensemble", "sum", "best-metric"]);
        let accuracies = |bin: usize| found.bins[bin].accuracies.iter().map(|one| one.accuracy).collect::<Vec<_>>();
        assert_eq!((found.bins[0].pairs, accuracies(0)), (3, vec![1.0, 1.0 / 3.0, 1.0 / 3.0]));
        assert_eq!((found.bins[1].values.as_str(), accuracies(1)), ("two", vec![1.0; 3]));
        let one = Property::file(&[("one".to_owned(), 4)]);
        assert!(Breakdown::of(people(&labels, &alone(4)), &systems, one).is_none());
    }

    #[test]
    fn properties_are_written_as_people_read_them() {
        let given: Vec<Probabilities> =
            (0..90).map(|at| Probabilities([0.4 + 0.006 * f64::from(at), 0.3, 0.0])).collect();
        let values: Vec<String> = Property::certainty(&given).parts.into_iter().map(|part| part.values).collect();
        assert_eq!(values, ["40% to 57%", "58% to 75%", "76% to 93%"]);
        let words: Vec<usize> = (0..60).map(|at| 1 + at / 20).collect();
        let parts = Property::length(&words).parts;
        assert_eq!(parts.iter().map(|part| part.values.as_str()).collect::<Vec<_>>(), ["1 to 2", "3"]);
        let parts = Property::unanimity(&[Some(true), None, Some(false), Some(true)]).parts;
        assert_eq!(parts.into_iter().map(|part| part.rows).collect::<Vec<_>>(), [vec![0, 3], vec![2]]);
    }

    #[test]
    fn reliability_counts_every_pair_once() {
        let given: Vec<Probabilities> =
            (0..200).map(|at| Probabilities([0.4 + 0.003 * f64::from(at), 0.0, 0.1])).collect();
        let labels: Vec<Verdict> = (0..200).map(|at| if at % 4 == 0 { Tie } else { First }).collect();
        let bins = ReliabilityBin::all(people(&labels, &alone(200)), &given);
        assert_eq!(bins.iter().map(|bin| bin.pairs).sum::<usize>(), 200);
        assert!(bins.len() > 2 && bins.iter().all(|bin| bin.pairs >= 30), "{bins:?}");
        assert!(bins.iter().all(|bin| bin.from <= bin.confidence && bin.confidence < bin.to));
        assert!(bins.iter().all(|bin| bin.low <= bin.accuracy && bin.accuracy <= bin.high));
        let right: f64 = bins.iter().map(|bin| bin.accuracy * bin.pairs as f64).sum();
        assert!((right - 150.0).abs() < 1e-9);
    }
}
