//! NIST: n-gram matches weighted by their information.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let score = MetricSet::named(&["nist"])?.segment_scores("the cat sat on the mat", &["on the mat sat the cat"])[0];
//! assert!((score - 2.6516).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::{Built, number, whole_number};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options};
use crate::text::{Counts, Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, fingerprint};

/// All options of NIST.
pub const OPTIONS: &[&OptionSpec] = &[&ORDER];

const ORDER: OptionSpec = whole_number("nist-order", "5", "highest order of n-grams");

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
/// With several references, for each order the one whose matches carry the most information counts, the longest of
/// equals; the length is compared with the mean, over the orders, of those references' lengths.
///
/// Doddington 2002, "Automatic evaluation of machine translation quality using n-gram co-occurrence statistics",
/// equations 2 and 3; equal to NLTK 3.10.4's `sentence_nist` and `corpus_nist`, except where these divide by zero (when
/// no hypothesis has 5 words). Like mteval-v13a, Tribunal gives 0 there.
#[derive(Debug)]
pub struct Nist {
    order: usize,
    words: ViewId,
    /// The n-gram counts of the references of the corpus, about 25 bytes per distinct n-gram; the count of the empty
    /// n-gram is the number of words. Without them the information comes from the references of the segment.
    corpus: Option<FxHashMap<Fingerprint, u64>>,
}

impl Nist {
    /// The metric for n-grams of up to `order` words, which white space separates.
    ///
    /// # Errors
    /// An order outside 1 to 9.
    pub fn new(order: usize, plan: &mut Plan) -> Result<Self> {
        if !(1..=VALUES.len() - 2).contains(&order) {
            return Err(Error::invalid("nist", "an order from 1 to 9", order.to_string(), "the usual one is 5"));
        }
        let words = plan.add(View::new(Tokenizer::Whitespace, Form::Cased));
        Ok(Self { order, words, corpus: None })
    }

    /// The n-grams of a text: one element per order, from 1.
    fn ngrams(&self, text: &Sentence) -> Vec<Counts> {
        (1..=self.order).map(|order| Counts::of_ngrams(&text.view(self.words).ids, order)).collect()
    }

    /// The count of an n-gram that occurs in one of the segment's references; of the empty n-gram, of order 0, the number
    /// of words.
    fn occurrences(&self, references: &[Vec<Counts>], order: usize, gram: Fingerprint) -> u64 {
        let count = |reference: &Vec<Counts>| match order {
            0 => reference[0].total(),
            _ => reference[order - 1].get(gram),
        };
        match &self.corpus {
            Some(corpus) => corpus.get(&gram).copied().unwrap_or(0),
            None => references.iter().map(|reference| u64::from(count(reference))).sum(),
        }
    }

    /// The distinct hypothesis n-grams that occur in a reference, in text order, so that the sums that decide between
    /// references equal NLTK's to the last bit.
    fn matches(&self, words: &[Fingerprint], own: &[Counts], references: &[Vec<Counts>]) -> Vec<Match> {
        let (mut matches, mut seen) = (Vec::new(), FxHashSet::default());
        let all_words = self.occurrences(references, 0, fingerprint::EMPTY);
        for start in 0..words.len() {
            let (mut gram, mut before) = (fingerprint::EMPTY, all_words);
            for (order, &word) in (1..=self.order).zip(&words[start..]) {
                gram = fingerprint::extend(gram, word);
                if references.iter().all(|reference| reference[order - 1].get(gram) == 0) {
                    break;
                }
                let occurrences = self.occurrences(references, order, gram);
                if seen.insert(gram) {
                    let (count, information) = (own[order - 1].get(gram), bits(before, occurrences));
                    matches.push(Match { order, gram, count, information });
                }
                before = occurrences;
            }
        }
        matches
    }

    fn signed(&self, information: &str) -> Signature {
        Signature::new("NIST")
            .with("c", "case", "mixed")
            .with("tok", "tok", "none")
            .with("n", "order", self.order)
            .with("r", "refs", "best")
            .with("i", "info", information)
            .with("v", "version", "nltk-3.10.4")
    }
}

/// NIST with the user's options.
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Nist::new(number(options, &ORDER)?, plan)?))
}

/// An n-gram of the hypothesis that occurs in a reference.
struct Match {
    order: usize,
    gram: Fingerprint,
    /// The count in the hypothesis.
    count: u32,
    information: f64,
}

/// The information of the matches of one order; each n-gram counts at most as often as in the reference.
fn sum(matches: &[Match], order: usize, reference: &Counts) -> f64 {
    let of_order = matches.iter().filter(|matched| matched.order == order);
    of_order.map(|matched| matched.information * f64::from(matched.count.min(reference.get(matched.gram)))).sum()
}

/// The information in bits of an n-gram that occurs `occurrences` times, and `before` times without its last word:
/// log2(before / occurrences), or 0 if either count is 0. Doddington 2002, equation 2.
fn bits(before: u64, occurrences: u64) -> f64 {
    if before == 0 || occurrences == 0 {
        return 0.0;
    }
    // A quotient of natural logarithms, as in both reference implementations.
    (before as f64 / occurrences as f64).ln() / std::f64::consts::LN_2
}

impl Metric for Nist {
    fn values(&self) -> &[&'static str] {
        &VALUES[..self.order + 2]
    }

    fn signature(&self) -> Signature {
        self.signed(if self.corpus.is_none() { "segment" } else { "corpus" })
    }

    fn corpus_signature(&self) -> Signature {
        self.signed("corpus")
    }

    /// For each order, the information of the matches; for each order, the hypothesis n-grams; the lengths of the
    /// reference and of the hypothesis, both times the number of orders.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let words = &hypothesis.view(self.words).ids;
        let own = self.ngrams(hypothesis);
        let references: Vec<Vec<Counts>> = references.iter().map(|reference| self.ngrams(reference)).collect();
        let matches = self.matches(words, &own, &references);
        let (mut statistics, mut reference_length) = (Statistics::new(), 0.0);
        for order in 1..=self.order {
            let (mut most, mut length) = (0.0, 0.0);
            for reference in &references {
                let found = (sum(&matches, order, &reference[order - 1]), f64::from(reference[0].total()));
                if found > (most, length) {
                    (most, length) = found;
                }
            }
            statistics.push(most);
            reference_length += length;
        }
        statistics.extend(own.iter().map(|counts| f64::from(counts.total())));
        statistics.extend([reference_length, (self.order * words.len()) as f64]);
        statistics
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (information, rest) = statistics.split_at(self.order);
        let (totals, lengths) = rest.split_at(self.order);
        let information: Vec<f64> = information.iter().zip(totals).map(|(&bits, &total)| ratio(bits, total)).collect();
        let penalty = length_penalty(lengths[1], lengths[0]);
        let mut values = vec![information.iter().sum::<f64>() * penalty, penalty];
        values.extend(information);
        values
    }

    fn for_corpus(&self, references: &mut dyn Iterator<Item = Sentence>) -> Option<Box<dyn Metric>> {
        let mut occurrences: FxHashMap<Fingerprint, u64> = FxHashMap::default();
        for reference in references {
            let counts = self.ngrams(&reference);
            *occurrences.entry(fingerprint::EMPTY).or_default() += u64::from(counts[0].total());
            for &(gram, count) in counts.iter().flat_map(Counts::entries) {
                *occurrences.entry(gram).or_default() += u64::from(count);
            }
        }
        Some(Box::new(Self { corpus: Some(occurrences), ..*self }))
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
    use crate::metrics::tests::{assert_close, metric_set};

    #[test]
    fn a_corpus_has_its_own_information() {
        let nist = metric_set("nist", &[("nist-order", "1")]).unwrap();
        let mut lexicon = nist.lexicon();
        let texts = ["a b", "a c a d e f"];
        let informed =
            nist.members()[0].metric.for_corpus(&mut texts.iter().map(|text| nist.prepare(text, &mut lexicon)));
        let informed = informed.unwrap();
        let mut statistics = |hypothesis: &str, reference: &str| {
            let [hypothesis, reference] = [hypothesis, reference].map(|text| nist.prepare(text, &mut lexicon));
            informed.statistics(&hypothesis, &[&reference])
        };
        // "a" is 3 of 8 words, "b" 1 of 8.
        let (first, second) = (statistics("a b", texts[0]), statistics("a x", texts[1]));
        assert_close(&first[..1], &[(8.0_f64 / 3.0).log2() + 3.0]);
        let sum: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + b).collect();
        let expected = (2.0 * (8.0_f64 / 3.0).log2() + 3.0) / 4.0 * length_penalty(4.0, 8.0);
        assert_close(&informed.corpus(&sum)[..1], &[expected]);
        assert!(informed.signature().to_string().contains("info:corpus"));
        let uninformed = &nist.members()[0].metric;
        assert!(uninformed.corpus_signature().to_string().contains("info:corpus"));
        assert!(uninformed.signature().to_string().contains("info:segment"));
        // References that the corpus lacks tell nothing.
        let none = uninformed.for_corpus(&mut std::iter::empty()).unwrap();
        let same = nist.prepare("a b", &mut lexicon);
        assert_eq!(none.segment(&none.statistics(&same, &[&same]))[0], 0.0);
    }

    #[test]
    fn the_order_has_limits() {
        let values = |order| Nist::new(order, &mut Plan::default()).ok().map(|nist| nist.values().len());
        assert_eq!([0, 1, 9, 10].map(values), [None, Some(3), Some(11), None]);
    }

    #[test]
    fn a_rarer_continuation_tells_more() {
        assert_eq!([bits(8, 8), bits(8, 1), bits(0, 0), bits(3, 0)], [0.0, 3.0, 0.0, 0.0]);
    }
}
