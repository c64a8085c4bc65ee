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

pub use crate::text::character_grams::MAX_ORDER;

use super::entry::{Built, LOWERCASE, number, whole_number};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::options::{OptionSpec, Options};
use crate::text::{CharacterView, CustomViewId, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// All options of chrF.
pub const OPTIONS: &[&OptionSpec] = &[&LOWERCASE, &CHARACTER_ORDER, &WORD_ORDER, &BETA, &WHITESPACE, &EPS_SMOOTHING];

/// All options of chrF++, whose word order is fixed.
pub const PLUS_PLUS_OPTIONS: &[&OptionSpec] = &[&LOWERCASE, &CHARACTER_ORDER, &BETA, &WHITESPACE, &EPS_SMOOTHING];

const CHARACTER_ORDER: OptionSpec = whole_number("chrf-char-order", "6", "highest order of character n-grams");

const WORD_ORDER: OptionSpec = whole_number("chrf-word-order", "0", "highest order of word n-grams; chrf++ has 2");

const BETA: OptionSpec = OptionSpec::number("chrf-beta", "X", "2", "weight of recall relative to precision");

const WHITESPACE: OptionSpec = OptionSpec::switch("chrf-whitespace", "count white space as characters");

const EPS_SMOOTHING: OptionSpec = OptionSpec::switch("chrf-eps-smoothing", "smooth as chrF++.py does");

/// The settings of [`Chrf`].
#[derive(Debug, Clone, PartialEq)]
pub struct ChrfSettings {
    /// The highest order of character n-grams, from 0 to [`MAX_ORDER`].
    pub character_order: usize,
    /// The highest order of word n-grams, from 0 to [`MAX_ORDER`]; 2 for chrF++.
    pub word_order: usize,
    /// The weight of recall relative to precision, from 0 to 1e6.
    pub beta: f64,
    /// Whether text is lower-cased first.
    pub lowercase: bool,
    /// Whether white space counts as characters.
    pub whitespace: bool,
    /// Whether the score is the mean of the F-scores of the orders, with 1e-16 for undefined values.
    pub eps_smoothing: bool,
}

impl ChrfSettings {
    /// The settings from the user's options; where none is given, those of sacreBLEU's chrF2.
    ///
    /// # Errors
    /// A value that cannot be read.
    pub fn from_options(options: &Options) -> Result<Self> {
        Ok(Self {
            character_order: number(options, &CHARACTER_ORDER)?,
            word_order: number(options, &WORD_ORDER)?,
            beta: number(options, &BETA)?,
            lowercase: options.is_given(&LOWERCASE),
            whitespace: options.is_given(&WHITESPACE),
            eps_smoothing: options.is_given(&EPS_SMOOTHING),
        })
    }

    fn check(&self) -> Result<()> {
        for (setting, order) in [("chrf.character_order", self.character_order), ("chrf.word_order", self.word_order)] {
            if order > MAX_ORDER {
                let (expected, advice) = (
                    format!("an n-gram order from 0 to {MAX_ORDER}"),
                    "the usual orders are 6 for characters and 2 for words",
                );
                return Err(Error::invalid(setting, expected, order.to_string(), advice));
            }
        }
        if self.character_order + self.word_order == 0 {
            let advice = "at least one order has to be above 0";
            return Err(Error::invalid("chrf", "n-grams of characters or words", "none", advice));
        }
        if !(0.0..=1e6).contains(&self.beta) {
            let (expected, found) = ("a number from 0 to 1e6", self.beta.to_string());
            return Err(Error::invalid("chrf.beta", expected, found, "the usual beta is 2"));
        }
        Ok(())
    }
}

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
    characters: CustomViewId<CharacterView>,
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
    ///
    /// # Errors
    /// An order or beta out of range, or no order above 0.
    pub fn new(settings: ChrfSettings, plan: &mut Plan) -> Result<Self> {
        settings.check()?;
        let orders = CHARACTER_VALUES[..settings.character_order].iter().chain(&WORD_VALUES[..settings.word_order]);
        let form = if settings.lowercase { Form::LowerText } else { Form::Cased };
        let words = View::new(Tokenizer::EdgePunctuation, form);
        let characters = CharacterView { whitespace: settings.whitespace, lowercase: settings.lowercase };
        Ok(Self {
            values: std::iter::once("").chain(orders.flatten().copied()).collect(),
            characters: plan.add_custom(characters),
            words: (settings.word_order > 0).then(|| plan.add(words)),
            settings,
        })
    }

    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> Statistics {
        let mut statistics = Vec::with_capacity(3 * (self.settings.character_order + self.settings.word_order));
        let mut push = |[own, theirs]: [usize; 2], matches: u32| {
            let own = if theirs == 0 { 0 } else { own };
            statistics.extend([own as f64, theirs as f64, f64::from(matches)]);
        };
        let characters = [hypothesis, reference].map(|sentence| sentence.custom(&self.characters));
        for (order, matches) in (1..=self.settings.character_order).zip(characters[0].matches(characters[1])) {
            push(characters.map(|grams| grams.total(order)), matches);
        }
        if let Some(words) = self.words {
            let words = [hypothesis, reference].map(|sentence| &sentence.view(words).ids);
            let matches = overlap::matches_to(self.settings.word_order, words[0], words[1]);
            for (order, matches) in (1..=self.settings.word_order).zip(matches) {
                push(words.map(|words| overlap::total(words.len(), order)), matches);
            }
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
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Chrf::new(ChrfSettings::from_options(options)?, plan)?))
}

/// chrF++ with the user's options: chrF with words of orders 1 and 2.
pub(super) fn build_plus_plus(options: &Options, plan: &mut Plan) -> Built {
    let settings = ChrfSettings { word_order: 2, ..ChrfSettings::from_options(options)? };
    Ok(Box::new(Chrf::new(settings, plan)?))
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
    use crate::metrics::tests::{assert_close, metric_set, statistics, values_with};

    fn values(given: &[(&str, &str)], hypothesis: &str, references: &[&str]) -> Vec<f64> {
        values_with("chrf", given, hypothesis, references)
    }

    #[test]
    fn by_hand() {
        // abcd against abce: 3 of 4, 2 of 3, 1 of 2, 0 of 1 on both sides; orders 5 and 6 do not count.
        let (p1, p2, p3) = (75.0, 200.0 / 3.0, 50.0);
        let score = (p1 + p2 + p3) / 4.0;
        let found = values(&[], "a b c d", &["a b c e"]);
        assert_close(&found, &[score, p1, p1, p2, p2, p3, p3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // Words: 3 of 4 and 2 of 3.
        let found = values_with("chrf++", &[], "a b c d", &["a b c e"]);
        assert_close(&found[..1], &[(p1 + p2 + p3 + p1 + p2) / 6.0]);
        assert_close(&found[13..], &[p1, p1, p2, p2]);
    }

    #[test]
    fn the_best_reference_counts_with_its_own_statistics() {
        let unigrams = metric_set("chrf", &[("chrf-char-order", "1")]).unwrap();
        assert_eq!(statistics(&unigrams, "abcd", &["xyz", "abc", "bcd", "d"]), [4.0, 3.0, 3.0]);
        assert_eq!(statistics(&unigrams, "abc", &["x", "yy", "zzz"]), [3.0, 1.0, 0.0]);
    }

    #[test]
    fn signatures_are_sacrebleus() {
        let signature = |name, given: &[(&str, &str)]| metric_set(name, given).unwrap().members()[0].metric.signature();
        let plain = signature("chrf", &[]);
        assert_eq!(plain.to_string(), "chrF2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0");
        assert_eq!(plain.short(), "chrF2|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0");
        let found = signature("chrf++", &[("chrf-beta", "0.5"), ("chrf-eps-smoothing", "")]).to_string();
        assert_eq!(found, "chrF0.5++|case:mixed|eff:no|nc:6|nw:2|space:no|version:2.6.0");
    }

    #[test]
    fn settings_have_bounds() {
        for (characters, words, beta, is_valid) in [
            ("6", "0", "0", true),
            ("0", "6", "1e6", true),
            ("0", "0", "2", false),
            ("7", "0", "2", false),
            ("6", "7", "2", false),
            ("6", "0", "-1", false),
            ("6", "0", "NaN", false),
        ] {
            let given = [("chrf-char-order", characters), ("chrf-word-order", words), ("chrf-beta", beta)];
            assert_eq!(metric_set("chrf", &given).is_ok(), is_valid, "{given:?}");
        }
    }
}
