//! Properties of all texts: values are finite and in range, verdicts are symmetric, and a damaged text never scores
//! better.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use proptest::test_runner::RngSeed;

use tribunal::features::{ColumnValue, Extractor};
use tribunal::judgments::Probabilities;
use tribunal::judgments::{Pair, Verdict};
use tribunal::metrics::{Member, MetricSet, REGISTRY, of_value};
use tribunal::model::{Model, builtin};
use tribunal::wordnet::WordNet;

/// The tolerance for rounding at bounds and between scores.
const ROUNDING: f64 = 1e-9;

/// Words with repetitions, inflections and synonyms, and a few numbers, names and punctuation marks.
static VOCABULARY: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let words = "the a of in was is not and he it car cars automobile dog dogs house big large small little buy bought \
                 purchase run ran running quickly goose geese child children Anna Berlin Monday 7 1,250.5 40 , . naïve";
    words.split(' ').collect()
});

/// Few cases per property, so that the file stays fast without optimisation. The seed is fixed, so that passing runs
/// pass again; PROPTEST_CASES and PROPTEST_RNG_SEED explore more.
pub fn settings(cases: u32) -> ProptestConfig {
    let known = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { known.cases } else { cases };
    let rng_seed = if known.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { known.rng_seed };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..known }
}

/// A sentence of the vocabulary.
fn sentence(words: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<String>> {
    vec(select(VOCABULARY.as_slice()).prop_map(str::to_owned), words)
}

/// Any text: sentences, arbitrary characters, and fragments that are difficult for tokenisers.
pub fn any_text() -> impl Strategy<Value = String> {
    let fragments =
        ["n't", " ", "'", "’s", "&amp;", "&quot;", "@-@", "|||", "\u{301}", "\u{200d}", "\u{feff}", "1,5", "İ"];
    let scripts = ["我", "ครับ", "नमस्ते", "مرحبا", "ΟΔΟΣ", "ﬁ", "🧑‍🚀", "ß", "\u{0}", "\t", "\u{2028}", "..", "<skipped>"];
    let pieces = [fragments.as_slice(), scripts.as_slice(), &VOCABULARY[..6]].concat();
    prop_oneof![
        sentence(0..12).prop_map(|words| words.join(" ")),
        any::<String>(),
        vec(any::<char>(), 0..30).prop_map(String::from_iter),
        vec(select(pieces), 0..12).prop_map(|pieces| pieces.concat()),
    ]
}

/// A hypothesis with its references: unrelated, equal to one of them, or almost equal.
fn segment() -> impl Strategy<Value = (String, Vec<String>)> {
    let unlike = (any_text(), vec(any_text(), 1..4));
    let alike = vec(any_text(), 1..4).prop_map(|references| (references[references.len() - 1].clone(), references));
    let almost = prop_oneof![dropped(), shuffled(), replaced()].prop_map(|(reference, copy)| (copy, vec![reference]));
    prop_oneof![unlike, alike, almost]
}

/// All registered metrics.
fn metric_set() -> MetricSet {
    MetricSet::all().unwrap()
}

/// All values of all metrics, with their names in the feature table.
fn values(metric_set: &MetricSet, hypothesis: &str, references: &[String]) -> Vec<(String, f64)> {
    let mut lexicon = metric_set.lexicon();
    let hypothesis = metric_set.prepare(hypothesis, &mut lexicon);
    let references: Vec<_> = references.iter().map(|text| metric_set.prepare(text, &mut lexicon)).collect();
    let found = metric_set.values(&hypothesis, &references.iter().collect::<Vec<_>>());
    metric_set.members().iter().flat_map(Member::values).map(|(name, _)| name).zip(found).collect()
}

/// The score of each registered metric, higher is better.
fn scores(metric_set: &MetricSet, hypothesis: &str, reference: &str) -> Vec<(String, f64)> {
    let mut lexicon = metric_set.lexicon();
    let [hypothesis, reference] = [hypothesis, reference].map(|text| metric_set.prepare(text, &mut lexicon));
    let found = metric_set.scores(&hypothesis, &[&reference]);
    let reported = metric_set.members().iter().zip(found).filter(|(member, _)| member.entry.is_reported);
    reported.map(|(member, score)| (member.name.clone(), member.entry.direction.sign() * score)).collect()
}

/// Judges pairs with one model.
struct Judge {
    model: Model,
    extractor: Extractor,
}

impl Judge {
    fn built_in() -> Self {
        let model = builtin::model().unwrap();
        let extractor = model.extractor(WordNet::embedded(), builtin::NAME).unwrap();
        Self { model, extractor }
    }

    fn probabilities(&self, first: &str, second: &str, references: &[String]) -> Probabilities {
        let pair = Pair::new([first, second].map(str::to_owned), references.to_vec());
        self.model.judge(&self.extractor.extract([&pair].into_iter(), &|_, _| ()))[0]
    }

    fn verdict(&self, first: &str, second: &str, reference: &str) -> Verdict {
        self.probabilities(first, second, &[reference.to_owned()]).verdict()
    }
}

#[test]
fn values_are_finite_and_in_their_ranges() {
    let metric_set = metric_set();
    proptest!(settings(200), |((hypothesis, references) in segment())| {
        for (name, value) in values(&metric_set, &hypothesis, &references) {
            let (entry, part) = of_value(&name).unwrap();
            let (low, high) = entry.range_of(part);
            prop_assert!(value.is_finite(), "{name} is {value}");
            prop_assert!(low - ROUNDING <= value && value <= high + ROUNDING, "{name} is {value}");
        }
    });
}

#[test]
fn a_text_has_no_fault_against_itself() {
    let metric_set = MetricSet::named(&["surface"]).unwrap();
    proptest!(settings(60), |(text in any_text(), others in vec(any_text(), 0..2))| {
        let references = [others, vec![text.clone()]].concat();
        for (name, value) in values(&metric_set, &text, &references) {
            let is_fault = ["unknown", "repeated", "case"].iter().any(|fault| name.ends_with(fault));
            prop_assert_eq!(value, if is_fault { 0.0 } else { 1.0 }, "{}", name);
        }
    });
}

#[test]
fn features_of_a_pair_are_finite() {
    let extractor = Extractor::all(WordNet::embedded()).unwrap();
    let columns = &extractor.schema().columns;
    proptest!(settings(60), |(first in any_text(), second in any_text(), reference in any_text())| {
        let pair = Pair::new([first, second], vec![reference]);
        let table = extractor.extract([&pair].into_iter(), &|_, _| ());
        for (column, value) in columns.iter().zip(table.values(0)) {
            if let ColumnValue::Similarity(value) = value {
                prop_assert!(value.is_finite() && value >= 0.0, "{column} is {value}");
            }
        }
    });
}

#[test]
fn the_order_of_references_changes_no_score() {
    let metric_set = metric_set();
    proptest!(settings(60), |(hypothesis in sentence(0..8), references in vec(sentence(0..8), 2..4))| {
        let mut references: Vec<String> = references.iter().map(|words| words.join(" ")).collect();
        let straight = values(&metric_set, &hypothesis.join(" "), &references);
        references.reverse();
        let reversed = values(&metric_set, &hypothesis.join(" "), &references);
        for ((name, straight), (_, reversed)) in straight.iter().zip(&reversed) {
            if REGISTRY.iter().any(|entry| entry.name == name) {
                prop_assert!((straight - reversed).abs() <= ROUNDING, "{name}: {straight}, then {reversed}");
            }
        }
    });
}

#[test]
fn swapped_hypotheses_swap_the_verdict_to_the_last_bit() {
    let judge = Judge::built_in();
    let references = vec(any_text(), 1..3);
    proptest!(settings(80), |(first in any_text(), second in any_text(), references in references)| {
        let straight = judge.probabilities(&first, &second, &references);
        let swapped = judge.probabilities(&second, &first, &references);
        let [one, tie, other] = swapped.0;
        prop_assert_eq!(straight.0.map(f64::to_bits), [other, tie, one].map(f64::to_bits));
        prop_assert_eq!(straight.verdict(), swapped.verdict().swapped());
        prop_assert!((straight.0.iter().sum::<f64>() - 1.0).abs() <= ROUNDING);
    });
}

#[test]
fn identical_hypotheses_are_a_tie() {
    let judge = Judge::built_in();
    proptest!(settings(60), |(text in any_text(), references in vec(any_text(), 1..3))| {
        prop_assert_eq!(judge.probabilities(&text, &text, &references).verdict(), Verdict::Tie);
    });
}

/// A reference and a copy with words removed.
fn dropped() -> impl Strategy<Value = (String, String)> {
    let part = |words: Vec<String>| {
        let kept = 0..words.len();
        subsequence(words.clone(), kept).prop_map(move |kept| (words.join(" "), kept.join(" ")))
    };
    sentence(2..14).prop_flat_map(part)
}

/// A reference and a copy with its words shuffled.
fn shuffled() -> impl Strategy<Value = (String, String)> {
    let part = |words: Vec<String>| {
        Just(words.clone()).prop_shuffle().prop_map(move |shuffled| (words.join(" "), shuffled.join(" ")))
    };
    sentence(2..14).prop_flat_map(part)
}

/// A reference and a copy with one word, not a punctuation mark, replaced by an unknown word.
fn replaced() -> impl Strategy<Value = (String, String)> {
    (sentence(2..14), any::<Index>(), select(&VOCABULARY[..20])).prop_map(|(mut words, at, word)| {
        let at = at.index(words.len());
        words[at] = word.to_owned();
        let reference = words.join(" ");
        words[at] = "qwzx".to_owned();
        (reference, words.join(" "))
    })
}

#[test]
fn no_metric_prefers_a_damaged_copy_to_the_reference() {
    let metric_set = metric_set();
    let damaged = prop_oneof![dropped(), shuffled(), replaced()];
    proptest!(settings(150), |((reference, copy) in damaged)| {
        let (whole, damaged) = (scores(&metric_set, &reference, &reference), scores(&metric_set, &copy, &reference));
        for ((name, whole), (_, damaged)) in whole.iter().zip(&damaged) {
            prop_assert!(whole + ROUNDING >= *damaged, "{name}: {whole} for '{reference}', {damaged} for '{copy}'");
        }
    });
}

#[test]
fn the_built_in_model_never_prefers_a_damaged_copy() {
    let judge = Judge::built_in();
    let damaged = prop_oneof![dropped(), shuffled(), replaced()];
    proptest!(settings(120), |((reference, copy) in damaged)| {
        let verdict = judge.verdict(&reference, &copy, &reference);
        prop_assert_ne!(verdict, Verdict::Second, "'{}' is preferred to '{}'", copy, reference);
    });
}

/// A reference of distinct words and a copy with at most a third of them, or with all in reverse order.
fn heavily_damaged() -> impl Strategy<Value = (String, String)> {
    let distinct = || subsequence(VOCABULARY.to_vec(), 6..14).prop_shuffle();
    let remains = distinct().prop_flat_map(|words| {
        let kept = 0..=words.len() / 3;
        subsequence(words.clone(), kept).prop_map(move |kept| (words.join(" "), kept.join(" ")))
    });
    let reversed = distinct().prop_map(|words| {
        let copy: Vec<&str> = words.iter().rev().copied().collect();
        (words.join(" "), copy.join(" "))
    });
    prop_oneof![remains, reversed]
}

#[test]
fn the_built_in_model_prefers_the_reference_to_a_heavily_damaged_copy() {
    let judge = Judge::built_in();
    proptest!(settings(80), |((reference, copy) in heavily_damaged())| {
        let verdict = judge.verdict(&reference, &copy, &reference);
        prop_assert_eq!(verdict, Verdict::First, "'{}' is not preferred to '{}'", reference, copy);
    });
}
