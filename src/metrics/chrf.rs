//! chrF and chrF++, as sacreBLEU 2.6.0 computes them.
//!
//! P and R are the means of the precisions and recalls of character n-grams of orders 1 to 6, and for chrF++ also of
//! word n-grams of orders 1 and 2, over the orders for which both texts have n-grams. With beta = 2:
//!
//! ```text
//! chrF = (1 + beta^2) P R / (beta^2 P + R)
//! ```
//!
//! In [0, 100]; 0 for empty text. Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation", and 2017,
//! "chrF++: words helping character n-grams". White space does not count as characters by default. With eps smoothing,
//! as in chrF++.py, the score is instead the mean of the F-scores of the orders, with 1e-16 for undefined values.
//!
//! With several references, the first one with the highest score counts. The score of a corpus is that of the summed
//! counts. If a reference has no n-grams of an order, those of the hypothesis are not counted either: a behaviour of
//! sacreBLEU that only affects corpora.

mod options;
mod settings;

pub use crate::text::character_grams::MAX_ORDER;
pub use options::{OPTIONS, PLUS_PLUS_OPTIONS};
pub use settings::{CheckedChrfSettings, ChrfSettings};

use super::build::{Build, Built};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::text::{
    CharacterGrams, CharacterView, CharacterViewId, Form, Plan, Sentence, Tokenizer, Tokens, View, ViewId, overlap,
};

/// Names of precision and recall by order.
const CHARACTER_VALUES: [[&str; 2]; MAX_ORDER] =
    [["p1", "r1"], ["p2", "r2"], ["p3", "r3"], ["p4", "r4"], ["p5", "r5"], ["p6", "r6"]];
const WORD_VALUES: [[&str; 2]; MAX_ORDER] =
    [["wp1", "wr1"], ["wp2", "wr2"], ["wp3", "wr3"], ["wp4", "wr4"], ["wp5", "wr5"], ["wp6", "wr6"]];

/// chrF, see the [module](self).
///
/// Values: the score, then precision and recall in percent of each order of characters (`p1`, `r1`, ... `p6`, `r6`) and
/// of words (`wp1`, `wr1`, ...), 0 if undefined. Statistics: for each order the hypothesis n-grams, the reference
/// n-grams and the matches.
#[derive(Debug)]
pub struct Chrf {
    settings: ChrfSettings,
    values: Vec<&'static str>,
    characters: CharacterViewId,
    words: Option<ViewId>,
}

/// The n-gram counts of one order.
struct Order {
    hypothesis: f64,
    reference: f64,
    matches: f64,
}

/// The value of an undefined precision, recall or F-score with eps smoothing.
const EPSILON: f64 = 1e-16;

impl Chrf {
    /// chrF with its settings.
    pub fn new(settings: CheckedChrfSettings, plan: &mut Plan) -> Self {
        let settings = settings.0;
        let orders = CHARACTER_VALUES[..settings.character_order].iter().chain(&WORD_VALUES[..settings.word_order]);
        let form = if settings.lowercase { Form::LowerText } else { Form::Cased };
        let words = View::new(Tokenizer::EdgePunctuation, form);
        let characters = CharacterView { whitespace: settings.whitespace, lowercase: settings.lowercase };
        Self {
            values: std::iter::once("").chain(orders.flatten().copied()).collect(),
            characters: plan.add_characters(characters),
            words: (settings.word_order > 0).then(|| plan.add(words)),
            settings,
        }
    }

    /// chrF2 as sacreBLEU's command line computes it.
    pub fn sacrebleu(plan: &mut Plan) -> Self {
        Self::new(CheckedChrfSettings::default(), plan)
    }

    /// chrF2++: chrF2 with words of orders 1 and 2.
    pub fn plus_plus(plan: &mut Plan) -> Self {
        Self::new(CheckedChrfSettings::plus_plus(), plan)
    }

    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> Statistics {
        let mut statistics = Vec::with_capacity(3 * (self.settings.character_order + self.settings.word_order));
        let characters = [hypothesis, reference].map(|sentence| sentence.characters(self.characters));
        count_characters(characters, self.settings.character_order, &mut statistics);
        if let Some(words) = self.words {
            let words = [hypothesis, reference].map(|sentence| sentence.view(words));
            count_words(words, self.settings.word_order, &mut statistics);
        }
        statistics
    }

    fn score(&self, statistics: &[f64]) -> f64 {
        let factor = self.settings.beta * self.settings.beta;
        if self.settings.eps_smoothing {
            let sum: f64 = orders(statistics).map(|order| order.smoothed_f(factor)).sum();
            return 100.0 * sum / orders(statistics).count() as f64;
        }
        let (mut precision, mut recall, mut effective) = (0.0, 0.0, 0.0);
        for order in orders(statistics).filter(|order| order.hypothesis > 0.0 && order.reference > 0.0) {
            precision += order.matches / order.hypothesis;
            recall += order.matches / order.reference;
            effective += 1.0;
        }
        let (precision, recall) = (ratio(precision, effective), ratio(recall, effective));
        100.0 * ratio((1.0 + factor) * precision * recall, factor * precision + recall)
    }
}

/// chrF with the user's options.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Chrf::new(options::settings(build)?, build.plan)))
}

/// chrF++ with the user's options.
pub(super) fn build_plus_plus(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Chrf::new(options::plus_plus(build)?, build.plan)))
}

impl Order {
    fn smoothed_f(&self, factor: f64) -> f64 {
        let part = |whole: f64| if whole > 0.0 { self.matches / whole } else { EPSILON };
        let (precision, recall) = (part(self.hypothesis), part(self.reference));
        let denominator = factor * precision + recall;
        if denominator > 0.0 { (1.0 + factor) * precision * recall / denominator } else { EPSILON }
    }
}

fn orders(statistics: &[f64]) -> impl Iterator<Item = Order> {
    statistics.chunks_exact(3).map(|of| Order { hypothesis: of[0], reference: of[1], matches: of[2] })
}

fn push_order(hypothesis: usize, reference: usize, matches: u32, statistics: &mut Statistics) {
    let hypothesis = if reference == 0 { 0 } else { hypothesis };
    statistics.extend([hypothesis as f64, reference as f64, f64::from(matches)]);
}

fn count_characters([hypothesis, reference]: [&CharacterGrams; 2], highest: usize, statistics: &mut Statistics) {
    for (order, matches) in (1..=highest).zip(hypothesis.matches(reference)) {
        push_order(hypothesis.total(order), reference.total(order), matches, statistics);
    }
}

fn count_words([hypothesis, reference]: [&Tokens; 2], highest: usize, statistics: &mut Statistics) {
    let matches = overlap::matches_to(highest, &hypothesis.ids, &reference.ids);
    for (order, matches) in (1..=highest).zip(matches) {
        let total = |tokens: &Tokens| overlap::total(tokens.len(), order);
        push_order(total(hypothesis), total(reference), matches, statistics);
    }
}

impl Metric for Chrf {
    fn values(&self) -> &[&'static str] {
        &self.values
    }

    fn signature(&self) -> Signature {
        let yes_no = |yes| if yes { "yes" } else { "no" };
        let settings = &self.settings;
        Signature::new(format!("chrF{}{}", settings.beta, "+".repeat(settings.word_order)))
            .with("c", "case", if settings.lowercase { "lc" } else { "mixed" })
            .with("e", "eff", yes_no(!settings.eps_smoothing))
            .with("nc", "nc", settings.character_order)
            .with("nw", "nw", settings.word_order)
            .with("s", "space", yes_no(settings.whitespace))
            .with("v", "version", "2.6.0")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let mut best = (f64::NEG_INFINITY, Statistics::new());
        for reference in references {
            let statistics = self.compare(hypothesis, reference);
            let score = if references.len() > 1 { self.score(&statistics) } else { 0.0 };
            if score > best.0 {
                best = (score, statistics);
            }
        }
        best.1
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.values.len());
        values.push(self.score(statistics));
        for order in orders(statistics) {
            let percent = |whole| 100.0 * ratio(order.matches, whole);
            values.extend([percent(order.hypothesis), percent(order.reference)]);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn statistics(settings: &ChrfSettings, hypothesis: &str, references: &[&str]) -> (Chrf, Statistics) {
        let mut plan = Plan::default();
        let chrf = Chrf::new(settings.clone().check().unwrap(), &mut plan);
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut prepare = |text: &&str| Sentence::prepare(text, &plan, &mut lexicon);
        let (hypothesis, references) = (prepare(&hypothesis), references.iter().map(prepare).collect::<Vec<_>>());
        let statistics = chrf.statistics(&hypothesis, &references.iter().collect::<Vec<_>>());
        (chrf, statistics)
    }

    fn values(settings: &ChrfSettings, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let (chrf, statistics) = statistics(settings, hypothesis, references);
        chrf.segment(&statistics)
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
    }

    #[test]
    fn by_hand() {
        // abcd against abce: 3 of 4, 2 of 3, 1 of 2, 0 of 1 on both sides; orders 5 and 6 do not count.
        let (p1, p2, p3) = (75.0, 200.0 / 3.0, 50.0);
        let score = (p1 + p2 + p3) / 4.0;
        let found = values(&ChrfSettings::default(), "a b c d", &["a b c e"]);
        assert_close(&found, &[score, p1, p1, p2, p2, p3, p3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // Words: 3 of 4 and 2 of 3.
        let found = values(&ChrfSettings { word_order: 2, ..Default::default() }, "a b c d", &["a b c e"]);
        assert_close(&found[..1], &[(p1 + p2 + p3 + p1 + p2) / 6.0]);
        assert_close(&found[13..], &[p1, p1, p2, p2]);
    }

    #[test]
    fn beta_weighs_recall() {
        let of = |beta| values(&ChrfSettings { character_order: 1, beta, ..Default::default() }, "ab", &["abcd"])[0];
        assert_close(&[of(0.0), of(1.0), of(2.0)], &[100.0, 100.0 * 2.0 / 3.0, 100.0 * 5.0 * 0.5 / 4.5]);
    }

    #[test]
    fn the_best_reference_counts_with_its_own_statistics() {
        let settings = ChrfSettings { character_order: 1, ..Default::default() };
        assert_eq!(statistics(&settings, "abcd", &["xyz", "abc", "bcd", "d"]).1, [4.0, 3.0, 3.0]);
        assert_eq!(statistics(&settings, "abc", &["x", "yy", "zzz"]).1, [3.0, 1.0, 0.0]);
    }

    // sacrebleu 2.6.0: sacrebleu.metrics.CHRF()._extract_corpus_statistics(["abcdef"], [["ab"]])
    #[test]
    fn orders_that_the_reference_lacks_are_not_counted() {
        let found = statistics(&ChrfSettings::default(), "abcdef", &["ab"]).1;
        assert_eq!(found[..9], [6.0, 2.0, 2.0, 5.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn eps_smoothing_is_the_mean_of_each_orders_f() {
        let settings = ChrfSettings { eps_smoothing: true, ..Default::default() };
        assert_close(&values(&settings, "abc", &["abc"])[..1], &[50.0]);
        assert!(values(&settings, "", &[""])[0] < 1e-12);
    }

    #[test]
    fn empty_text_scores_zero() {
        for (hypothesis, reference) in [("", "abc"), ("abc", ""), ("", ""), (" \u{1c}", "\n")] {
            let settings = ChrfSettings { word_order: 2, ..Default::default() };
            assert_eq!(values(&settings, hypothesis, &[reference]), [0.0; 17]);
        }
    }

    #[test]
    fn signatures_are_sacrebleus() {
        let signature = |settings: ChrfSettings| statistics(&settings, "", &[""]).0.signature();
        let plain = signature(ChrfSettings::default());
        assert_eq!(plain.to_string(), "chrF2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
        assert_eq!(plain.short(), "chrF2|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0");
        let settings = ChrfSettings { word_order: 2, beta: 0.5, eps_smoothing: true, ..Default::default() };
        assert_eq!(signature(settings).to_string(), "chrF0.5++|case:mixed|eff:no|nc:6|nw:2|space:no|version:2.6.0");
    }
}
