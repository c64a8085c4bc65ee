//! BLEU, as sacreBLEU 2.6.0 computes it.
//!
//! With clipped n-gram precisions p1 to pN (N = 4), and the lengths c of the hypothesis and r of the reference in
//! tokens:
//!
//! ```text
//! BLEU = BP exp((ln p1 + ... + ln pN) / N)      BP = 1 if c >= r, else exp(1 - r/c)
//! ```
//!
//! In [0, 100]; 0 if no token matches, hence for empty text. Papineni et al. 2002, "BLEU: a Method for Automatic
//! Evaluation of Machine Translation", section 2; details (tokens, smoothing) as in Post 2018, "A Call for Clarity in
//! Reporting BLEU Scores".
//!
//! With several references, an n-gram may match as often as it occurs in the reference that has it most often, and r is
//! the reference length closest to c, the shorter one of two equally close. The score of a corpus is the BLEU of its
//! summed counts. With effective order, N is the highest order for which the hypothesis has n-grams; by default this is
//! on for segments and off for corpora. Orders without matches are [smoothed](Smoothing).

mod options;
mod settings;

pub use options::OPTIONS;
pub use settings::{BleuSettings, BleuTokenizer, CheckedBleuSettings, MAX_ORDER, Smoothing};

use smallvec::SmallVec;

use super::build::{Build, Built};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{Counts, Fingerprint, Plan, Sentence, ViewId, overlap};

/// The names of the values; there is one precision per order.
const VALUES: [&str; 3 + MAX_ORDER] = ["", "bp", "ratio", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"];

/// BLEU, see the [module](self).
///
/// Values: the score, then `bp` (the brevity penalty, in [0, 1]), `ratio` (c/r, 0 if r is 0) and `p1` to `pN` (the
/// smoothed precisions in percent, 0 if no n-gram matches at all). Statistics: c, r, the matches of each order, then
/// the hypothesis n-grams of each order.
#[derive(Debug)]
pub struct Bleu {
    settings: BleuSettings,
    tokens: ViewId,
}

impl Bleu {
    /// BLEU with its settings.
    pub fn new(settings: CheckedBleuSettings, plan: &mut Plan) -> Self {
        let tokens = plan.add(settings.0.view());
        Self { settings: settings.0, tokens }
    }

    /// BLEU as sacreBLEU's command line computes it.
    pub fn sacrebleu(plan: &mut Plan) -> Self {
        Self::new(CheckedBleuSettings::default(), plan)
    }

    fn signature_of(&self, effective_order: bool) -> Signature {
        let settings = &self.settings;
        let mut signature = Signature::new("BLEU")
            .with("c", "case", if settings.lowercase { "lc" } else { "mixed" })
            .with("e", "eff", if effective_order { "yes" } else { "no" })
            .with("tok", "tok", settings.tokenizer.name())
            .with("s", "smooth", settings.smoothing);
        // sacreBLEU's signature omits the order, although it changes the score.
        if settings.max_order != BleuSettings::default().max_order {
            signature = signature.with("n", "order", settings.max_order);
        }
        signature.with("v", "version", "2.6.0")
    }

    fn values_of(&self, statistics: &[f64], effective_order: bool) -> Vec<f64> {
        let order = self.settings.max_order;
        let (lengths, counts) = statistics.split_at(2);
        let (matches, totals) = counts.split_at(order);
        let penalty = brevity_penalty(lengths[0], lengths[1]);
        let mut values = Vec::with_capacity(3 + order);
        values.extend([0.0, penalty, ratio(lengths[0], lengths[1])]);
        if matches.iter().all(|&count| count == 0.0) {
            values.resize(3 + order, 0.0);
            return values;
        }
        let precisions = self.precisions(matches, totals);
        let used = if effective_order { precisions.len() } else { order };
        values.extend(precisions);
        values.resize(3 + order, 0.0);
        // The logarithm of a zero precision is minus infinity, which makes the score 0.
        let logarithms: f64 = values[3..3 + used].iter().map(|precision| precision.ln()).sum();
        values[0] = penalty * (logarithms / used as f64).exp();
        values
    }

    /// The smoothed precisions in percent, up to the first order for which the hypothesis has no n-gram.
    fn precisions(&self, matches: &[f64], totals: &[f64]) -> SmallVec<[f64; MAX_ORDER]> {
        let mut precisions = SmallVec::new();
        let mut part = 1.0;
        for (&matches, &total) in matches.iter().zip(totals) {
            let added = match self.settings.smoothing {
                Smoothing::AddK(value) if !precisions.is_empty() => value,
                _ => 0.0,
            };
            let (matches, total) = (matches + added, total + added);
            if total == 0.0 {
                break;
            }
            precisions.push(match self.settings.smoothing {
                Smoothing::Exp if matches == 0.0 => {
                    part *= 2.0;
                    100.0 / (part * total)
                }
                Smoothing::Floor(value) if matches == 0.0 => 100.0 * value / total,
                _ => 100.0 * matches / total,
            });
        }
        precisions
    }
}

/// BLEU with the user's options.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Bleu::new(options::settings(build)?, build.plan)))
}

impl Metric for Bleu {
    fn values(&self) -> &[&'static str] {
        &VALUES[..3 + self.settings.max_order]
    }

    fn signature(&self) -> Signature {
        self.signature_of(self.settings.segment_effective_order)
    }

    fn corpus_signature(&self) -> Signature {
        self.signature_of(self.settings.corpus_effective_order)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let own = hypothesis.view(self.tokens);
        let theirs: SmallVec<[&[Fingerprint]; 1]> =
            references.iter().map(|reference| reference.view(self.tokens).ids.as_slice()).collect();
        let lengths = theirs.iter().map(|tokens| tokens.len());
        let order = self.settings.max_order;
        let mut statistics = Vec::with_capacity(2 + 2 * order);
        statistics.extend([own.len() as f64, closest(own.len(), lengths) as f64]);
        statistics.extend(matches(&own.ids, &theirs, order)[..order].iter().copied().map(f64::from));
        statistics.extend((1..=order).map(|order| overlap::total(own.len(), order) as f64));
        statistics
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        self.values_of(statistics, self.settings.segment_effective_order)
    }

    fn corpus(&self, sum: &[f64]) -> Vec<f64> {
        self.values_of(sum, self.settings.corpus_effective_order)
    }
}

/// exp(1 - r/c) if the hypothesis is shorter, else 1; 0 for an empty hypothesis and a non-empty reference.
fn brevity_penalty(hypothesis: f64, reference: f64) -> f64 {
    if hypothesis >= reference {
        1.0
    } else if hypothesis > 0.0 {
        (1.0 - reference / hypothesis).exp()
    } else {
        0.0
    }
}

/// The reference length closest to that of the hypothesis, the shorter one of two equally close; 0 without references.
pub(super) fn closest(hypothesis: usize, references: impl Iterator<Item = usize>) -> usize {
    references.min_by_key(|&length| (length.abs_diff(hypothesis), length)).unwrap_or(0)
}

/// The clipped matches of the orders from 1 to `order`.
fn matches(hypothesis: &[Fingerprint], references: &[&[Fingerprint]], order: usize) -> [u32; MAX_ORDER] {
    if let [reference] = references {
        return overlap::matches_to(order, hypothesis, reference);
    }
    let mut matches = [0; MAX_ORDER];
    for (matches, order) in matches.iter_mut().zip(1..=order) {
        let allowed: Vec<Counts> = references.iter().map(|tokens| Counts::of_ngrams(tokens, order)).collect();
        *matches = clipped_matches(&Counts::of_ngrams(hypothesis, order), &allowed.iter().collect::<Vec<_>>());
    }
    matches
}

/// The sum over n-grams g of min(h(g), max over references of r(g)). Papineni et al. 2002, section 2.1.1.
pub(super) fn clipped_matches(hypothesis: &Counts, references: &[&Counts]) -> u32 {
    match references {
        [] => 0,
        [reference] => hypothesis.matches(reference),
        [first, rest @ ..] => {
            let largest = rest.iter().fold((*first).clone(), |largest, reference| largest.maximum(reference));
            hypothesis.matches(&largest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    struct Bench {
        plan: Plan,
        bleu: Bleu,
    }

    impl Bench {
        fn new(settings: BleuSettings) -> Self {
            let mut plan = Plan::default();
            let bleu = Bleu::new(settings.check().unwrap(), &mut plan);
            Self { plan, bleu }
        }

        fn statistics(&self, hypothesis: &str, references: &[&str]) -> Statistics {
            let mut lexicon = Lexicon::new(WordNet::embedded());
            let mut prepare = |text: &&str| Sentence::prepare(text, &self.plan, &mut lexicon);
            let (hypothesis, references) = (prepare(&hypothesis), references.iter().map(prepare).collect::<Vec<_>>());
            self.bleu.statistics(&hypothesis, &references.iter().collect::<Vec<_>>())
        }

        fn segment(&self, hypothesis: &str, references: &[&str]) -> Vec<f64> {
            self.bleu.segment(&self.statistics(hypothesis, references))
        }
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
    }

    #[test]
    fn by_hand() {
        // h = the cat sat on a mat ., r = the cat sat on the mat .: 6 of 7, 4 of 6 (the cat, cat sat, sat on, mat .),
        // 2 of 5, 1 of 4.
        let precisions = [600.0 / 7.0, 400.0 / 6.0, 40.0, 25.0];
        let score = precisions.iter().product::<f64>().powf(0.25);
        let bench = Bench::new(BleuSettings::default());
        let found = bench.segment("the cat sat on a mat.", &["the cat sat on the mat."]);
        assert_close(&found, &[score, 1.0, 1.0, precisions[0], precisions[1], precisions[2], precisions[3]]);
    }

    #[test]
    fn several_references_share_their_counts_and_lend_the_closest_length() {
        // The example of Papineni et al. 2002: 2 of 7 in the first, 1 of 7 in the second reference.
        let bench = Bench::new(BleuSettings { max_order: 1, ..Default::default() });
        let references = ["the cat is on the mat", "there is a cat on the mat"];
        assert_eq!(bench.statistics("the the the the the the the", &references), [7.0, 7.0, 2.0, 7.0]);
        // Lengths 2 and 4 are equally close to 3; b b of the second and a of the first match.
        assert_eq!(bench.statistics("a b b", &["x a b c", "b b"]), [3.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn smoothing_fills_orders_without_matches() {
        let precisions = |smoothing| {
            let bench = Bench::new(BleuSettings { smoothing, ..Default::default() });
            bench.segment("a b c x y", &["a b z w c"])[3..].to_vec()
        };
        assert_close(&precisions(Smoothing::None), &[60.0, 25.0, 0.0, 0.0]);
        assert_close(&precisions(Smoothing::Exp), &[60.0, 25.0, 100.0 / 6.0, 100.0 / 8.0]);
        assert_close(&precisions(Smoothing::Floor(0.1)), &[60.0, 25.0, 10.0 / 3.0, 10.0 / 2.0]);
        assert_close(&precisions(Smoothing::AddK(1.0)), &[60.0, 40.0, 25.0, 100.0 / 3.0]);
    }

    #[test]
    fn a_short_segment_is_judged_by_the_orders_that_it_has() {
        let bench = Bench::new(BleuSettings::default());
        let statistics = bench.statistics("a b", &["a b c d"]);
        assert_close(&bench.bleu.segment(&statistics)[..2], &[100.0 * (-1.0_f64).exp(), (-1.0_f64).exp()]);
        assert_eq!(bench.bleu.corpus(&statistics)[0], 0.0);
    }

    #[test]
    fn empty_text_scores_zero() {
        let bench = Bench::new(BleuSettings::default());
        assert_eq!(bench.segment("", &["a b"]), [0.0; 7]);
        assert_eq!(bench.segment("a b", &[""]), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(bench.segment("", &["", " "]), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn lower_case_comes_before_tokens() {
        // The sigma before ".Α" is not final; lower-casing single tokens would make it so.
        let bench = Bench::new(BleuSettings { lowercase: true, max_order: 1, ..Default::default() });
        assert_eq!(bench.statistics("ΑΣ.Α", &["ασ.α"]), [3.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn signatures_are_sacrebleus() {
        let bench = Bench::new(BleuSettings::default());
        assert_eq!(
            bench.bleu.corpus_signature().to_string(),
            "BLEU|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
        );
        assert_eq!(bench.bleu.corpus_signature().short(), "BLEU|c:mixed|e:no|tok:13a|s:exp|v:2.6.0");
        assert_eq!(bench.bleu.signature().to_string(), "BLEU|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0");
        let bench = Bench::new(BleuSettings { lowercase: true, max_order: 2, ..Default::default() });
        assert_eq!(bench.bleu.signature().short(), "BLEU|c:lc|e:yes|tok:13a|s:exp|n:2|v:2.6.0");
    }
}
