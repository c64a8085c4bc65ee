//! NIST: n-gram matches weighted by their information.

mod information;

use self::information::{Information, Occurrences, bits};
use super::build::{Build, Built, value};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, reads_as};
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId, fingerprint};

/// How several references are combined. With one reference both variants are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// As in NLTK: for each order, the reference whose matches carry the most information counts, the longest of
    /// equals. The length is compared with the mean, over the orders, of those references' lengths.
    Best,
    /// As in mteval-v13a: an n-gram may match as often as it occurs in the reference that has it most often. The length
    /// is compared with the mean of the references' lengths.
    Pooled,
}

/// The settings of NIST. The default is NLTK's, on words separated by white space; mteval-v13a lower-cases, separates
/// punctuation and pools the references.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NistSettings {
    /// The length in words of the longest n-grams, 1 to 9.
    pub order: usize,
    /// The tokeniser that defines words.
    pub tokenizer: Tokenizer,
    /// Whether case is ignored.
    pub lowercase: bool,
    /// How several references are combined.
    pub references: References,
}

impl Default for NistSettings {
    fn default() -> Self {
        Self { order: 5, tokenizer: Tokenizer::Whitespace, lowercase: false, references: References::Best }
    }
}

/// Checked settings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CheckedNistSettings(NistSettings);

impl NistSettings {
    /// Checks the order.
    ///
    /// # Errors
    /// An order outside 1 to 9.
    pub fn check(self) -> Result<CheckedNistSettings> {
        if (1..=VALUES.len() - 2).contains(&self.order) {
            return Ok(CheckedNistSettings(self));
        }
        Err(Error::invalid("nist", "an order from 1 to 9", self.order.to_string(), "the usual one is 5"))
    }
}

const VALUES: [&str; 11] = [
    "",
    "length_penalty",
    "information1",
    "information2",
    "information3",
    "information4",
    "information5",
    "information6",
    "information7",
    "information8",
    "information9",
];

/// The NIST score.
///
/// For each order n, `information`n = sum of info(g) over the matching n-grams g / number of n-grams of h, with clipped
/// matches and info(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)), counted in the references (for n = 1 the numerator
/// is the number of words). The score is their sum over n = 1..5 times `length_penalty`, which is exp(b ln(|h|/|r|)^2)
/// with b = ln 0.5 / (ln 1.5)^2 if h is shorter than r, else 1. In [0, infinity), in bits; orders longer than h
/// contribute 0, and empty text scores 0.
///
/// The information of a segment comes from its own references, that of a corpus from all its references:
/// [`Metric::for_corpus`] provides the latter. Without it, [`Metric::corpus`] uses the information of each segment
/// separately.
///
/// Doddington 2002, "Automatic evaluation of machine translation quality using n-gram co-occurrence statistics",
/// equations 2 and 3; equal to NLTK 3.10.4's `sentence_nist` and `corpus_nist`, except where these divide by zero (when
/// no hypothesis has 5 words). Like mteval-v13a, Tribunal gives 0 there.
#[derive(Debug)]
pub struct Nist {
    settings: NistSettings,
    words: ViewId,
    information: Information,
}

impl Nist {
    /// The metric with NLTK's defaults.
    pub fn nltk(plan: &mut Plan) -> Self {
        Self::new(CheckedNistSettings::default(), plan)
    }

    /// The metric with these settings.
    pub fn new(settings: CheckedNistSettings, plan: &mut Plan) -> Self {
        let CheckedNistSettings(settings) = settings;
        let form = if settings.lowercase { Form::LowerText } else { Form::Cased };
        let words = plan.add(View::new(settings.tokenizer, form).ngrams(settings.order));
        Self { settings, words, information: Information::Segment }
    }

    /// The distinct hypothesis n-grams that occur in a reference, in text order, so that the sums that decide between
    /// references equal NLTK's to the last bit.
    fn matches(&self, hypothesis: &Tokens, references: &[&Tokens]) -> Vec<Match> {
        let mut matches = Vec::new();
        let mut seen: Vec<Vec<bool>> =
            (1..=self.settings.order).map(|order| vec![false; hypothesis.counts(order).entries().len()]).collect();
        let words = self.information.words(references);
        for start in 0..hypothesis.len() {
            let (mut gram, mut before) = (fingerprint::EMPTY, words);
            for (order, &word) in (1..=self.settings.order).zip(&hypothesis.ids[start..]) {
                gram = fingerprint::extend(gram, word);
                if references.iter().all(|reference| reference.counts(order).get(gram) == 0) {
                    break;
                }
                let occurrences = self.information.occurrences(references, order, gram);
                let entries = hypothesis.counts(order).entries();
                if let Ok(at) = entries.binary_search_by_key(&gram, |entry| entry.0)
                    && !std::mem::replace(&mut seen[order - 1][at], true)
                {
                    matches.push(Match { order, gram, count: entries[at].1, information: bits(before, occurrences) });
                }
                before = occurrences;
            }
        }
        matches
    }

    fn against_best(&self, matches: &[Match], references: &[&Tokens]) -> Gathered {
        let mut gathered = Gathered::default();
        for order in 1..=self.settings.order {
            let (mut most, mut length) = (0.0, 0.0);
            for reference in references {
                let information = sum(matches, order, |gram| reference.counts(order).get(gram));
                if (information, reference.len() as f64) > (most, length) {
                    (most, length) = (information, reference.len() as f64);
                }
            }
            gathered.information.push(most);
            gathered.length += length;
        }
        gathered
    }

    fn against_pooled(&self, matches: &[Match], references: &[&Tokens]) -> Gathered {
        let words: usize = references.iter().map(|reference| reference.len()).sum();
        let mean = ratio(words as f64, references.len() as f64);
        let of_order = |order: usize| {
            let most = |gram| references.iter().map(|reference| reference.counts(order).get(gram)).max();
            sum(matches, order, |gram| most(gram).unwrap_or(0))
        };
        let information = (1..=self.settings.order).map(of_order).collect();
        Gathered { information, length: self.settings.order as f64 * mean }
    }
}

/// All options of NIST.
pub const OPTIONS: &[&OptionSpec] = &[&ORDER];

const ORDER: OptionSpec = OptionSpec {
    name: "nist-order",
    value: value("N", Some("5"), reads_as::<usize>),
    help: "the highest order of n-grams",
};

/// NIST with the user's options.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    let settings = NistSettings { order: build.number(&ORDER)?, ..NistSettings::default() };
    Ok(Box::new(Nist::new(settings.check()?, build.plan)))
}

/// The matches found in the references.
#[derive(Debug, Default)]
struct Gathered {
    /// For each order, the information of the matches.
    information: Vec<f64>,
    /// The lengths of the references that count for each order, summed over orders.
    length: f64,
}

/// The information of the matches of one order; each n-gram counts at most as often as `allowed` says.
fn sum(matches: &[Match], order: usize, allowed: impl Fn(Fingerprint) -> u32) -> f64 {
    let of_order = matches.iter().filter(|found| found.order == order);
    of_order.map(|found| found.information * f64::from(found.count.min(allowed(found.gram)))).sum()
}

/// An n-gram of the hypothesis that occurs in a reference.
struct Match {
    order: usize,
    gram: Fingerprint,
    /// The count in the hypothesis.
    count: u32,
    information: f64,
}

impl Nist {
    /// The signature with the source of the information.
    fn signed(&self, information: &str) -> Signature {
        let references = match self.settings.references {
            References::Best => "best",
            References::Pooled => "pooled",
        };
        Signature::new("NIST")
            .with("c", "case", if self.settings.lowercase { "lc" } else { "mixed" })
            .with("tok", "tok", self.settings.tokenizer.name())
            .with("n", "order", self.settings.order)
            .with("r", "refs", references)
            .with("i", "info", information)
            .with("v", "version", "nltk-3.10.4")
    }
}

impl Metric for Nist {
    fn values(&self) -> &[&'static str] {
        &VALUES[..self.settings.order + 2]
    }

    fn signature(&self) -> Signature {
        self.signed(if matches!(self.information, Information::Segment) { "segment" } else { "corpus" })
    }

    fn corpus_signature(&self) -> Signature {
        self.signed("corpus")
    }

    /// For each order, the information of the matches; for each order, the hypothesis n-grams; the lengths of the
    /// reference and of the hypothesis, both times the number of orders.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = hypothesis.view(self.words);
        let references: Vec<&Tokens> = references.iter().map(|reference| reference.view(self.words)).collect();
        let matches = self.matches(hypothesis, &references);
        let Gathered { information: mut statistics, length } = match self.settings.references {
            References::Best => self.against_best(&matches, &references),
            References::Pooled => self.against_pooled(&matches, &references),
        };
        statistics.extend((1..=self.settings.order).map(|order| f64::from(hypothesis.counts(order).total())));
        statistics.push(length);
        statistics.push((self.settings.order * hypothesis.len()) as f64);
        statistics
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (information, rest) = statistics.split_at(self.settings.order);
        let (totals, lengths) = rest.split_at(self.settings.order);
        let information: Vec<f64> = information.iter().zip(totals).map(|(&bits, &total)| ratio(bits, total)).collect();
        let penalty = length_penalty(lengths[1], lengths[0]);
        let mut values = vec![information.iter().sum::<f64>() * penalty, penalty];
        values.extend(information);
        values
    }

    fn for_corpus(&self, references: &mut dyn Iterator<Item = &Sentence>) -> Option<Box<dyn Metric>> {
        let mut occurrences = Occurrences::default();
        references.for_each(|reference| occurrences.add(reference.view(self.words), self.settings.order));
        Some(Box::new(Self { information: Information::Corpus(occurrences), ..*self }))
    }
}

/// exp(b ln(|h|/|r|)^2), which is 0.5 if h has two thirds of the length of r; 1 if h is not shorter, and 0 if it is
/// empty. Doddington 2002, equation 3.
fn length_penalty(hypothesis: f64, reference: f64) -> f64 {
    if hypothesis >= reference {
        return 1.0;
    } else if hypothesis == 0.0 {
        return 0.0;
    }
    let strength = 0.5_f64.ln() / 1.5_f64.ln().powi(2);
    (strength * (hypothesis / reference).ln().powi(2)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    struct Bench {
        plan: Plan,
        nist: Nist,
    }

    impl Bench {
        fn new(settings: NistSettings) -> Self {
            let mut plan = Plan::default();
            let nist = Nist::new(settings.check().unwrap(), &mut plan);
            Self { plan, nist }
        }

        fn prepare(&self, text: &str) -> Sentence {
            Sentence::prepare(text, &self.plan, &mut Lexicon::new(WordNet::embedded()))
        }

        fn statistics(&self, metric: &dyn Metric, hypothesis: &str, references: &[&str]) -> Statistics {
            let references: Vec<_> = references.iter().map(|text| self.prepare(text)).collect();
            metric.statistics(&self.prepare(hypothesis), &references.iter().collect::<Vec<_>>())
        }

        fn score(&self, hypothesis: &str, references: &[&str]) -> f64 {
            self.nist.segment(&self.statistics(&self.nist, hypothesis, references))[0]
        }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }

    #[test]
    fn by_hand() {
        // Among the reference's 4 words "a" occurs twice (1 bit each), "b" and "c" once (2 bits each). "a b" and "a c"
        // are one of two continuations each (1 bit), and nothing longer matches.
        let bench = Bench::new(NistSettings::default());
        assert_close(bench.score("a c a b", &["a b a c"]), 6.0 / 4.0 + 2.0 / 3.0);
        // Two thirds of the length halve the score: log2 3 bits for each of 2 words and nothing else, because "c a"
        // does not occur.
        assert_close(bench.score("c a", &["a b c"]), 2.0 * 3.0_f64.log2() / 2.0 * 0.5);
    }

    #[test]
    fn several_references() {
        let references = ["a b x y", "b a"];
        // "a" and "b" occur twice each in 6 words: log2 3 = i bits each. Best, n = 1: both references have 2 i bits,
        // and the longer one counts. n = 2: "a b" has log2(2/1) bits in the first one. Orders without matches also
        // count with the longest reference.
        let i = 3.0_f64.log2();
        let best = Bench::new(NistSettings { order: 2, ..NistSettings::default() });
        let penalty = |h: f64, r: f64| length_penalty(h, r);
        assert_close(best.score("a b", &references), (2.0 * i / 2.0 + 1.0) * penalty(2.0, 4.0));
        let pooled = Bench::new(NistSettings { order: 2, references: References::Pooled, ..NistSettings::default() });
        assert_close(pooled.score("a b", &references), (2.0 * i / 2.0 + 1.0) * penalty(2.0, 3.0));
    }

    #[test]
    fn a_corpus_has_its_own_information() {
        let bench = Bench::new(NistSettings { order: 1, ..NistSettings::default() });
        let references = [bench.prepare("a b"), bench.prepare("a c a d e f")];
        let metric = bench.nist.for_corpus(&mut references.iter()).unwrap();
        let first = bench.statistics(&*metric, "a b", &["a b"]);
        // "a" is 3 of 8 words, "b" 1 of 8.
        assert_close(first[0], (8.0_f64 / 3.0).log2() + 3.0);
        let second = bench.statistics(&*metric, "a x", &["a c a d e f"]);
        let sum: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + b).collect();
        let expected = (2.0 * (8.0_f64 / 3.0).log2() + 3.0) / 4.0 * length_penalty(4.0, 8.0);
        assert_close(metric.corpus(&sum)[0], expected);
        assert!(metric.signature().to_string().contains("info:corpus"));
        assert!(bench.nist.corpus_signature().to_string().contains("info:corpus"));
        assert!(bench.nist.signature().to_string().contains("info:segment"));
    }

    #[test]
    fn references_that_the_corpus_lacks_tell_nothing() {
        let bench = Bench::new(NistSettings::default());
        let metric = bench.nist.for_corpus(&mut std::iter::empty()).unwrap();
        assert_eq!(metric.segment(&bench.statistics(&*metric, "a b", &["a b"]))[0], 0.0);
    }

    #[test]
    fn short_and_empty_texts_have_finite_values() {
        let bench = Bench::new(NistSettings::default());
        for (hypothesis, reference) in [("", ""), ("a", ""), ("", "a")] {
            assert_close(bench.score(hypothesis, &[reference]), 0.0);
        }
        assert_close(bench.score("a b", &["a b"]), 1.0);
    }

    #[test]
    fn the_order_has_limits() {
        for order in [0, 10] {
            assert!(NistSettings { order, ..NistSettings::default() }.check().is_err());
        }
        let nine = Bench::new(NistSettings { order: 9, ..NistSettings::default() });
        assert_eq!(nine.nist.values().len(), 11);
    }
}
