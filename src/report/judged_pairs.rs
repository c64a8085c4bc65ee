//! What a page shows of judged pairs: accuracy by confidence and by other properties, agreement by every convention,
//! examples, and the pairs themselves.

use std::ops::Range;

use rayon::prelude::*;

use super::details::{
    Breakdown, BreakdownBin, ConventionRow, Conventions, Details, FamilyRange, PairRows, Provenance, ReliabilityBin,
};
use super::systems::Role;
use super::{Explanation, System};
use crate::evaluation::Groups;
use crate::evaluation::{
    CONVENTIONS, ConfidenceBin, Confusion, Convention, Extremes, PartAccuracy, ValueBin, VerdictsByOrder, accuracy_on,
    confidence_bins, mean, quantile_bins,
};
use crate::judgments::annotators::unanimous;
use crate::judgments::{Pair, Probabilities, Verdict};
use crate::text::Tokenizer;

/// The most bins of a property.
const MAX_BINS: usize = 8;

/// The fewest pairs in a bin, if there are that many.
const MIN_PAIRS: usize = 30;

/// The smallest share of all pairs in a confidence bin.
const MIN_SHARE: f64 = 0.01;

/// The most pairs explained among mistakes, and among successes.
const EXAMPLES: usize = 10;

/// Pairs with the verdicts of people and systems.
pub(crate) struct JudgedPairs<'a> {
    pub pairs: &'a [&'a Pair],
    pub labels: &'a [Verdict],
    pub groups: &'a Groups,
    /// The first one is the subject of the page.
    pub systems: &'a [System],
    /// The rows of each file, by its name.
    pub files: Vec<(String, Range<usize>)>,
    pub seed: u64,
}

/// The rows with equal or similar values of a property, below the label of those values.
type Part = (String, Vec<usize>);

impl JudgedPairs<'_> {
    /// All that a page shows of the pairs; `explain` explains the first system's verdict on a row.
    pub fn details(
        &self,
        families: Vec<FamilyRange>,
        provenance: Provenance,
        explain: impl Fn(usize) -> Explanation + Sync,
    ) -> Details {
        let extremes = Extremes::new(self.labels, self.verdicts(), self.probabilities(), self.groups, EXAMPLES);
        let of_row = |&row: &usize| Explanation {
            file: self.file_of(row).map(str::to_owned),
            people: Some(self.labels[row]),
            ..explain(row)
        };
        let explained = |rows: &[usize]| rows.par_iter().map(of_row).collect();
        let all_pairs = PairRows::all(self);
        Details {
            reliability: self.reliability(),
            breakdowns: self.breakdowns(),
            conventions: self.conventions(),
            families,
            most_wrong: explained(&extremes.most_wrong),
            most_right: explained(&extremes.most_right),
            pairs: all_pairs.for_a_page(self.groups, self.seed),
            all_pairs,
            scores: Vec::new(),
            provenance,
        }
    }

    /// The first system's verdicts.
    pub fn verdicts(&self) -> &[Verdict] {
        self.systems.first().map(|system| system.verdicts.as_slice()).unwrap_or_default()
    }

    /// The probabilities behind them.
    pub fn probabilities(&self) -> &[Probabilities] {
        self.systems.first().and_then(|system| system.probabilities.as_deref()).unwrap_or_default()
    }

    /// The name of a pair's file, if there are several files.
    pub fn file_of(&self, row: usize) -> Option<&str> {
        let file = self.files.iter().find(|(_, rows)| rows.contains(&row));
        file.map(|(name, _)| name.as_str()).filter(|_| self.files.len() > 1)
    }

    fn accuracy_on(&self, rows: &[usize], systems: &[VerdictsByOrder]) -> Vec<PartAccuracy> {
        accuracy_on(rows, self.labels, systems, self.groups)
    }

    /// Confidence bins of width 1/15, merged with their neighbours if they have fewer than 30 pairs or 1% of all.
    fn reliability(&self) -> Vec<ReliabilityBin> {
        let given = self.probabilities();
        let likeliest: Vec<Verdict> = given.iter().map(|given| given.verdict()).collect();
        let likeliest = [VerdictsByOrder::from(likeliest.as_slice())];
        let least = MIN_PAIRS.max((MIN_SHARE * given.len() as f64) as usize);
        let bin = |ConfidenceBin { from, to, rows, confidence }: ConfidenceBin| {
            let PartAccuracy { accuracy, interval } = self.accuracy_on(&rows, &likeliest)[0];
            ReliabilityBin { from, to, pairs: rows.len(), confidence, accuracy, low: interval.low, high: interval.high }
        };
        confidence_bins(given, least).into_par_iter().map(bin).collect()
    }

    /// Accuracy by each property that has at least two values.
    fn breakdowns(&self) -> Vec<Breakdown> {
        let confidences: Vec<f64> = self.probabilities().iter().map(|given| given.confidence()).collect();
        let is_unanimous = unanimous(self.pairs, self.labels);
        let agreed = |wanted| (0..is_unanimous.len()).filter(|&row| is_unanimous[row] == Some(wanted)).collect();
        let has_references = self.pairs.iter().any(|pair| !pair.references.is_empty());
        let properties = [
            (
                "certainty",
                "confidence of the model",
                "the largest of the probabilities of 1, 0 and -1",
                parts(&confidences, |share| format!("{:.0}%", 100.0 * share)),
            ),
            (
                "length",
                if has_references { "length of the reference" } else { "length of the longer hypothesis" },
                if has_references { "words of the first reference" } else { "words of the hypothesis" },
                parts(&self.lengths(), |words| words.to_string()),
            ),
            (
                "agreement",
                "human-human agreement",
                "whether all judgments of a pair agree, for pairs that were judged more than once",
                vec![("unanimous".to_owned(), agreed(true)), ("not unanimous".to_owned(), agreed(false))],
            ),
            (
                "file",
                "file",
                "the file that the pair was read from",
                self.files.iter().map(|(name, rows)| (name.clone(), rows.clone().collect())).collect(),
            ),
        ];
        let breakdown = |(key, property, meaning, parts)| self.breakdown(key, property, meaning, parts);
        properties.into_iter().filter_map(breakdown).collect()
    }

    /// The accuracy of the first system, the baseline and the best metric on each part of a property; `None` for fewer
    /// than two parts.
    fn breakdown(
        &self,
        key: &'static str,
        property: &'static str,
        meaning: &'static str,
        mut parts: Vec<Part>,
    ) -> Option<Breakdown> {
        parts.retain(|(_, rows)| !rows.is_empty());
        if parts.len() < 2 {
            return None;
        }
        let (first, others) = self.systems.split_first()?;
        let rivals = others.iter().filter(|system| matches!(system.role, Role::Baseline | Role::BestMetric));
        let shown: Vec<&System> = std::iter::once(first).chain(rivals).collect();
        let verdicts: Vec<VerdictsByOrder> = shown.iter().map(|system| system.verdicts_by_order()).collect();
        let bin = |(values, rows): Part| BreakdownBin {
            values,
            pairs: rows.len(),
            accuracies: self.accuracy_on(&rows, &verdicts),
        };
        Some(Breakdown {
            key,
            property,
            meaning,
            systems: shown.iter().map(|system| system.name.clone()).collect(),
            roles: shown.iter().map(|system| system.role).collect(),
            bins: parts.into_par_iter().map(bin).collect(),
        })
    }

    /// The number of words of each pair's first reference, or of its longer hypothesis if it has none.
    fn lengths(&self) -> Vec<f64> {
        let words = |text: &String| Tokenizer::Words.tokens(text).len();
        let length = |pair: &&Pair| match pair.references.first() {
            Some(reference) => words(reference),
            None => pair.hypotheses.iter().map(words).max().unwrap_or(0),
        };
        self.pairs.par_iter().map(|pair| length(pair) as f64).collect()
    }

    /// The agreement of every system by every convention.
    fn conventions(&self) -> Conventions {
        let row = |system: &System| {
            let confusions = system.confusions(self.labels);
            let in_order = |convention: &Convention, one: &Confusion| convention.value(one, system.with_ties.as_ref());
            let value = |convention: &Convention| mean(&confusions, |confusion| in_order(convention, confusion));
            ConventionRow { name: system.name.clone(), values: CONVENTIONS.iter().map(value).collect() }
        };
        Conventions { conventions: CONVENTIONS.into(), systems: self.systems.iter().map(row).collect() }
    }
}

/// Quantile bins of about equal size, labelled by their ends.
fn parts(values: &[f64], written: fn(f64) -> String) -> Vec<Part> {
    let most = (values.len() / MIN_PAIRS).clamp(1, MAX_BINS);
    let labelled = |bin: ValueBin| {
        let [low, high] = [bin.lowest, bin.highest].map(written);
        (if low == high { low } else { format!("{low} to {high}") }, bin.rows)
    };
    quantile_bins(values, most).into_iter().map(labelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second, Tie};

    fn judged<'a>(labels: &'a [Verdict], groups: &'a Groups, systems: &'a [System]) -> JudgedPairs<'a> {
        JudgedPairs { pairs: &[], labels, groups, systems, files: Vec::new(), seed: 1 }
    }

    fn alone(count: usize) -> Groups {
        Groups { of_row: (0..count).collect(), count }
    }

    #[test]
    fn a_breakdown_has_the_first_system_the_baseline_and_the_best_metric() {
        let labels = [First, Second, Tie, First];
        let system =
            |name: &str, role, verdicts: [Verdict; 4]| System::of_verdicts(name, verdicts.into()).in_role(role);
        let systems = [
            system("ensemble", Role::Subject, labels),
            system("sum", Role::Baseline, [First; 4]),
            system("majority", Role::Majority, [First; 4]),
            system("best-metric", Role::BestMetric, [Second, Second, First, First]),
        ];
        let groups = alone(4);
        let judged = JudgedPairs {
            files: vec![("one".to_owned(), 0..3), ("two".to_owned(), 3..4)],
            ..judged(&labels, &groups, &systems)
        };
        // Lengths and agreement are the same for no pairs, and confidences are unknown.
        let [found] = judged.breakdowns().try_into().unwrap();
        assert_eq!((found.key, found.systems), ("file", ["ensemble", "sum", "best-metric"].map(str::to_owned).into()));
        let accuracies = |bin: usize| found.bins[bin].accuracies.iter().map(|one| one.accuracy).collect::<Vec<_>>();
        assert_eq!((found.bins[0].pairs, accuracies(0)), (3, vec![1.0, 1.0 / 3.0, 1.0 / 3.0]));
        assert_eq!((found.bins[1].values.as_str(), accuracies(1)), ("two", vec![1.0; 3]));
        assert_eq!([0, 3].map(|row| judged.file_of(row)), [Some("one"), Some("two")]);
        let one = JudgedPairs { files: vec![("one".to_owned(), 0..4)], ..judged };
        assert_eq!((one.breakdowns(), one.file_of(0)), (vec![], None));
    }

    #[test]
    fn bins_are_labelled_as_people_read_them() {
        let labels = |values: &[f64], written| -> Vec<String> {
            parts(values, written).into_iter().map(|(label, _)| label).collect()
        };
        let confidences: Vec<f64> = (0..90).map(|at| 0.4 + 0.006 * f64::from(at)).collect();
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        assert_eq!(labels(&confidences, percent), ["40% to 57%", "58% to 75%", "76% to 93%"]);
        let words: Vec<f64> = (0..60).map(|at| f64::from(1 + at / 20)).collect();
        assert_eq!(labels(&words, |words| words.to_string()), ["1 to 2", "3"]);
    }

    #[test]
    fn reliability_counts_every_pair_once() {
        let given: Vec<Probabilities> =
            (0..200).map(|at| Probabilities([0.4 + 0.003 * f64::from(at), 0.0, 0.1])).collect();
        let labels: Vec<Verdict> = (0..200).map(|at| if at % 4 == 0 { Tie } else { First }).collect();
        let system = System::of_probabilities("ensemble", vec![First; 200], given);
        let (groups, systems) = (alone(200), [system]);
        let bins = judged(&labels, &groups, &systems).reliability();
        assert_eq!(bins.iter().map(|bin| bin.pairs).sum::<usize>(), 200);
        assert!(bins.len() > 2 && bins.iter().all(|bin| bin.pairs >= 30), "{bins:?}");
        assert!(bins.iter().all(|bin| bin.from <= bin.confidence && bin.confidence < bin.to));
        assert!(bins.iter().all(|bin| bin.low <= bin.accuracy && bin.accuracy <= bin.high));
        let right: f64 = bins.iter().map(|bin| bin.accuracy * bin.pairs as f64).sum();
        assert!((right - 150.0).abs() < 1e-9);
    }
}
