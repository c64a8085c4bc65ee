//! Sentence BLEU as NLTK 3.10.4 computes it (`sentence_bleu`), with its smoothing methods 0 to 7.
//!
//! It differs from [sacreBLEU's](super::bleu) in the tokens (split at white space), the scale (0 to 1), the precision
//! of an order without n-grams (0/1) and the smoothing. With smoothed precisions p1 to p4, where zeros are left out of
//! the sum: BLEU = BP exp((ln p1 + ... + ln p4) / 4). Chen and Cherry 2014, "A Systematic Comparison of Smoothing
//! Techniques for Sentence-Level BLEU", section 3.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let score = MetricSet::named(&["bleu.nltk3"])?.segment_scores("the cat sat on the mat", &["on the mat sat the cat"])[0];
//! assert!((score - 0.3976).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use super::bleu::{closest, matches};
use super::metric::{Metric, Statistics};
use super::signature::Signature;
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// The number of orders that BLEU averages.
const ORDER: usize = 4;
/// Averaging (method 5) needs one more order.
const COUNTED: usize = ORDER + 1;

/// How precisions are smoothed: the methods of NLTK's `SmoothingFunction` with its default parameters, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// 0: not at all. The precision of an order without matches is the smallest positive normal number.
    None,
    /// 1: 0.1 matches in place of none.
    Epsilon,
    /// 2: one is added to matches and n-grams of the orders above 1. Lin and Och 2004.
    AddOne,
    /// 3: half a match in the first order without matches, a quarter in the second, and so on.
    Nist,
    /// 4: as 3, with the value multiplied by ln(|h|)/5; no smoothing unless |h| > 1.
    Length,
    /// 5: each precision becomes the mean of itself, the smoothed precision of the order below (p1 + 1 for order 1) and
    /// the precision of the order above.
    Average,
    /// 6: the precisions of orders 3 and 4 are interpolated with a prior from the two lower orders, which weighs as
    /// much as 5 n-grams. Gao and He 2013. Undefined if no 3-gram matches.
    Prior,
    /// 7: method 4, then method 5.
    LengthAverage,
}

/// NLTK's BLEU, see the [module](self).
///
/// Values: the score, in [0, 1] except with methods 5 and 7, whose precisions can exceed 1; 0 if no word matches, hence
/// for empty text. Where NLTK raises an error (method 6 without a matching 3-gram), the value is 0 and [`Self::score`]
/// returns `None`. Statistics: the lengths c and r, then for each order from 1 to 5 the matches, the n-grams, and the
/// n-grams counted as at least 1 per segment. The score of a corpus is the BLEU of the sums. NLTK's `corpus_bleu`
/// agrees for methods 0 to 4; for method 5 it takes the 5-grams, and for method 6 the n-grams, from the last segment
/// alone, which Tribunal does not reproduce.
#[derive(Debug)]
pub struct NltkBleu {
    method: Method,
    words: ViewId,
}

/// Matches over n-grams of one order, before and after smoothing.
#[derive(Debug, Clone, Copy)]
struct Precision {
    matches: f64,
    total: f64,
    /// As `total`, but at least 1 per segment.
    denominator: f64,
    value: f64,
}

impl NltkBleu {
    /// BLEU with the given smoothing method.
    pub fn new(method: Method, plan: &mut Plan) -> Self {
        Self { method, words: plan.add(View::new(Tokenizer::Whitespace, Form::Cased)) }
    }

    /// The score from the statistics; `None` where NLTK raises an error.
    pub fn score(&self, statistics: &[f64]) -> Option<f64> {
        let (hypothesis, reference) = (statistics[0], statistics[1]);
        let mut precisions: [Precision; COUNTED] = std::array::from_fn(|at| {
            let [matches, total, denominator] = [2, 2 + COUNTED, 2 + 2 * COUNTED].map(|from| statistics[from + at]);
            Precision { matches, total, denominator, value: matches / denominator }
        });
        if precisions[0].matches == 0.0 {
            return Some(0.0);
        }
        self.smooth(&mut precisions, hypothesis)?;
        let used = precisions[..ORDER].iter().filter(|precision| precision.value > 0.0);
        let logarithms: f64 = used.map(|precision| precision.value.ln() / ORDER as f64).sum();
        let penalty = if hypothesis > reference { 1.0 } else { (1.0 - reference / hypothesis).exp() };
        Some(penalty * logarithms.exp())
    }

    fn smooth(&self, precisions: &mut [Precision; COUNTED], length: f64) -> Option<()> {
        match self.method {
            Method::None => smooth_zeros(precisions, |_, _| f64::MIN_POSITIVE),
            Method::Epsilon => smooth_zeros(precisions, |_, denominator| 0.1 / denominator),
            Method::AddOne => {
                for precision in &mut precisions[1..] {
                    precision.value = (precision.matches + 1.0) / (precision.denominator + 1.0);
                }
            }
            Method::Nist => smooth_zeros(precisions, |part, denominator| part / denominator),
            Method::Length => smooth_by_length(precisions, length),
            Method::Average => average(precisions),
            Method::Prior => mix_with_prior(precisions)?,
            Method::LengthAverage => {
                smooth_by_length(precisions, length);
                average(precisions);
            }
        }
        Some(())
    }
}

/// Replaces zero precisions by `value(part, denominator)`, where `part` is a half for the first such order, then a
/// quarter, and so on.
fn smooth_zeros(precisions: &mut [Precision; COUNTED], value: impl Fn(f64, f64) -> f64) {
    let mut part = 1.0;
    for precision in precisions[..ORDER].iter_mut().filter(|precision| precision.matches == 0.0) {
        part /= 2.0;
        precision.value = value(part, precision.denominator);
    }
}

fn smooth_by_length(precisions: &mut [Precision; COUNTED], length: f64) {
    const K: f64 = 5.0;
    if length > 1.0 {
        smooth_zeros(precisions, |part, denominator| part * length.ln() / K / denominator);
    }
}

fn average(precisions: &mut [Precision; COUNTED]) {
    let mut below = precisions[0].value + 1.0;
    for at in 0..ORDER {
        below = (below + precisions[at].value + precisions[at + 1].value) / 3.0;
        precisions[at].value = below;
    }
}

fn mix_with_prior(precisions: &mut [Precision; COUNTED]) -> Option<()> {
    const ALPHA: f64 = 5.0;
    // NLTK's error message mentions bigrams, but its condition is on trigrams.
    if precisions[2].matches == 0.0 {
        return None;
    }
    for at in 2..ORDER {
        let (before, last) = (precisions[at - 2].value, precisions[at - 1].value);
        let prior = last * last / before;
        precisions[at].value = (precisions[at].matches + ALPHA * prior) / (precisions[at].total + ALPHA);
    }
    Some(())
}

impl Metric for NltkBleu {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        Signature::new("NLTK-BLEU")
            .with("tok", "tok", "none")
            .with("s", "smooth", format!("method{}", self.method as u8))
            .with("v", "version", "3.10.4")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let own = &hypothesis.view(self.words).ids;
        let theirs: Vec<&[Fingerprint]> =
            references.iter().map(|reference| reference.view(self.words).ids.as_slice()).collect();
        let lengths = theirs.iter().map(|tokens| tokens.len());
        let mut statistics = vec![own.len() as f64, closest(own.len(), lengths) as f64];
        let totals = (1..=COUNTED).map(|order| overlap::total(own.len(), order));
        statistics.extend(matches(own, &theirs, COUNTED)[..COUNTED].iter().copied().map(f64::from));
        statistics.extend(totals.clone().map(|total| total as f64));
        statistics.extend(totals.map(|total| total.max(1) as f64));
        statistics
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        vec![self.score(statistics).unwrap_or(0.0)]
    }
}
