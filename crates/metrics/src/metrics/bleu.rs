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

use std::fmt;

use smallvec::SmallVec;

use super::entry::{Built, LOWERCASE, number, value};
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::error::{Error, Result, quoted};
use crate::options::{OptionSpec, Options, reads_as};
use crate::text::{Counts, Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// The highest supported n-gram order.
pub const MAX_ORDER: usize = overlap::MAX_ORDER;

/// sacreBLEU's tokenisers, except those that need a model or a dictionary.
const TOKENIZERS: [Tokenizer; 5] =
    [Tokenizer::V13a, Tokenizer::Intl, Tokenizer::Characters, Tokenizer::Chinese, Tokenizer::Whitespace];

/// All options of BLEU.
pub const OPTIONS: &[&OptionSpec] = &[&TOKENIZE, &LOWERCASE, &SMOOTH, &SMOOTH_VALUE, &ORDER, &EFFECTIVE_ORDER];

const TOKENIZE: OptionSpec = OptionSpec {
    name: "tokenize",
    value: value("NAME", Some("13a"), |name| tokenizer(name).map(|_| ())),
    help: "tokeniser: 13a, intl, char, zh, none",
};

const SMOOTH: OptionSpec = OptionSpec {
    name: "smooth",
    value: value("METHOD", Some("exp"), method),
    help: "smoothing: exp, floor, add-k, none",
};

const SMOOTH_VALUE: OptionSpec = OptionSpec {
    name: "smooth-value",
    value: value("X", None, reads_as::<f64>),
    help: "its value [default: floor 0.1, add-k 1]",
};

const ORDER: OptionSpec =
    OptionSpec { name: "bleu-order", value: value("N", Some("4"), order), help: "highest order of n-grams" };

const EFFECTIVE_ORDER: OptionSpec =
    OptionSpec::switch("effective-order", "ignore n-gram orders longer than a text; always on for segments");

/// Sets the tokeniser that sacreBLEU chooses for a language, given by its code, unless the user chose one. Japanese and Korean need
/// `ja-mecab` and `ko-mecab` there, whose dictionaries this program does not have: single characters stand in for them,
/// and the returned note says so.
///
/// # Errors
/// Never: the names are those of tokenisers.
pub fn set_language(options: &mut Options, language: &str) -> Result<Option<String>> {
    let (name, other) = match language {
        "zh" => (Tokenizer::Chinese, None),
        "ja" => (Tokenizer::Characters, Some("ja-mecab")),
        "ko" => (Tokenizer::Characters, Some("ko-mecab")),
        _ => return Ok(None),
    };
    if options.is_given(&TOKENIZE) {
        return Ok(None);
    }
    options.set(&TOKENIZE, name.name())?;
    Ok(other.map(|other| {
        let name = name.name();
        format!(
            "bleu: sacreBLEU's tokeniser for this language, {other}, is not in this program; `tokenize` {name} is \
                 used, whose scores are not comparable with those of {other}"
        )
    }))
}

fn tokenizer(name: &str) -> std::result::Result<Tokenizer, String> {
    let known = TOKENIZERS.into_iter().find(|tokenizer| tokenizer.name() == name);
    known.ok_or_else(|| format!("known tokenisers: {}", TOKENIZERS.map(Tokenizer::name).join(", ")))
}

fn method(name: &str) -> std::result::Result<(), String> {
    let methods = ["exp", "floor", "add-k", "none"];
    if methods.contains(&name) { Ok(()) } else { Err(format!("the methods are {}", methods.join(", "))) }
}

fn order(text: &str) -> std::result::Result<(), String> {
    let order = text.parse().ok().filter(|order| (1..=MAX_ORDER).contains(order));
    order.map(|_| ()).ok_or_else(|| format!("an order is from 1 to {MAX_ORDER}"))
}

/// How orders without matches are smoothed. Chen and Cherry 2014, section 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// Not at all: BLEU is 0.
    None,
    /// The match count that replaces 0; sacreBLEU's default is 0.1. Method 1.
    Floor(f64),
    /// The value added to the matches and n-grams of orders above 1; sacreBLEU's default is 1. Method 2.
    AddK(f64),
    /// Half a match in the first order without matches, a quarter in the second, and so on. Method 3, as in
    /// mteval-v13a.
    Exp,
}

impl fmt::Display for Smoothing {
    /// As in sacreBLEU's signature: `exp`, `floor[0.10]`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::Floor(value) => write!(formatter, "floor[{value:.2}]"),
            Self::AddK(value) => write!(formatter, "add-k[{value:.2}]"),
            Self::Exp => formatter.write_str("exp"),
        }
    }
}

/// The settings of [`Bleu`], with sacreBLEU's names.
#[derive(Debug, Clone, PartialEq)]
pub struct BleuSettings {
    /// How text is split into tokens.
    pub tokenizer: Tokenizer,
    /// Whether text is lower-cased first.
    pub lowercase: bool,
    /// How orders without matches are smoothed.
    pub smoothing: Smoothing,
    /// The highest n-gram order, from 1 to [`MAX_ORDER`].
    pub max_order: usize,
    /// Whether a segment shorter than the highest order is scored with the orders that it has.
    pub segment_effective_order: bool,
    /// The same for a corpus.
    pub corpus_effective_order: bool,
}

impl BleuSettings {
    /// The settings from the user's options; where none is given, those of sacreBLEU's command line.
    ///
    /// # Errors
    /// A smoothing value for a method that takes none.
    pub fn from_options(options: &Options) -> Result<Self> {
        let name = options.text(&TOKENIZE).unwrap_or_default();
        let unknown = |known: String| Error::invalid("`tokenize`", "a tokeniser", quoted(name), known);
        Ok(Self {
            tokenizer: tokenizer(name).map_err(unknown)?,
            lowercase: options.is_given(&LOWERCASE),
            smoothing: smoothing(options)?,
            max_order: number(options, &ORDER)?,
            segment_effective_order: true,
            corpus_effective_order: options.is_given(&EFFECTIVE_ORDER),
        })
    }

    fn check(&self) -> Result<()> {
        if !(1..=MAX_ORDER).contains(&self.max_order) {
            let wanted = format!("an n-gram order from 1 to {MAX_ORDER}");
            return Err(Error::invalid("bleu.order", wanted, self.max_order.to_string(), "the usual order is 4"));
        }
        match self.smoothing {
            Smoothing::Floor(value) | Smoothing::AddK(value) if !(0.0..=1e6).contains(&value) => {
                let advice = "sacreBLEU's defaults are 0.1 for floor and 1 for add-k";
                Err(Error::invalid("bleu.smoothing", "a number from 0 to 1e6", value.to_string(), advice))
            }
            _ => Ok(()),
        }
    }
}

fn smoothing(options: &Options) -> Result<Smoothing> {
    let (method, value) = (options.text(&SMOOTH).unwrap_or_default(), options.parse::<f64>(&SMOOTH_VALUE)?);
    let smoothing = match method {
        "floor" => return Ok(Smoothing::Floor(value.unwrap_or(0.1))),
        "add-k" => return Ok(Smoothing::AddK(value.unwrap_or(1.0))),
        "none" => Smoothing::None,
        _ => Smoothing::Exp,
    };
    match value {
        None => Ok(smoothing),
        Some(_) => {
            let (expected, found) = ("`smooth` floor or `smooth` add-k", format!("`smooth` {method}"));
            Err(Error::invalid("`smooth_value`", expected, found, "omit `smooth_value`"))
        }
    }
}

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
    ///
    /// # Errors
    /// An order or a smoothing value out of range.
    pub fn new(settings: BleuSettings, plan: &mut Plan) -> Result<Self> {
        settings.check()?;
        let form = if settings.lowercase { Form::LowerText } else { Form::Cased };
        let tokens = plan.add(View::new(settings.tokenizer, form));
        Ok(Self { settings, tokens })
    }

    fn signature_of(&self, effective_order: bool) -> Signature {
        let settings = &self.settings;
        let mut signature = Signature::new("BLEU")
            .with("c", "case", if settings.lowercase { "lc" } else { "mixed" })
            .with("e", "eff", if effective_order { "yes" } else { "no" })
            .with("tok", "tok", settings.tokenizer.name())
            .with("s", "smooth", settings.smoothing);
        // sacreBLEU's signature omits the order, although it changes the score.
        if ORDER.default() != Some(settings.max_order.to_string().as_str()) {
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
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    Ok(Box::new(Bleu::new(BleuSettings::from_options(options)?, plan)?))
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

/// The clipped matches of the orders from 1 to `order`: for each, the sum over n-grams g of min(h(g), max over references
/// of r(g)). Papineni et al. 2002, section 2.1.1.
pub(super) fn matches(hypothesis: &[Fingerprint], references: &[&[Fingerprint]], order: usize) -> [u32; MAX_ORDER] {
    if let [reference] = references {
        return overlap::matches_to(order, hypothesis, reference);
    }
    let mut matches = [0; MAX_ORDER];
    for (matches, order) in matches.iter_mut().zip(1..=order) {
        let largest = Counts::maximum(references.iter().map(|tokens| Counts::of_ngrams(tokens, order)));
        *matches = Counts::of_ngrams(hypothesis, order).matches(&largest);
    }
    matches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::tests::{assert_close, metric_set, statistics, values_with};

    fn values(given: &[(&str, &str)], hypothesis: &str, references: &[&str]) -> Vec<f64> {
        values_with("bleu", given, hypothesis, references)
    }

    #[test]
    fn several_references_share_their_counts_and_lend_the_closest_length() {
        // The example of Papineni et al. 2002: 2 of 7 in the first, 1 of 7 in the second reference.
        let unigrams = metric_set("bleu", &[("bleu-order", "1")]).unwrap();
        let references = ["the cat is on the mat", "there is a cat on the mat"];
        assert_eq!(statistics(&unigrams, "the the the the the the the", &references), [7.0, 7.0, 2.0, 7.0]);
        // Lengths 2 and 4 are equally close to 3; b b of the second and a of the first match.
        assert_eq!(statistics(&unigrams, "a b b", &["x a b c", "b b"]), [3.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn smoothing_fills_orders_without_matches() {
        for (method, expected) in [
            ("none", [60.0, 25.0, 0.0, 0.0]),
            ("exp", [60.0, 25.0, 100.0 / 6.0, 100.0 / 8.0]),
            ("floor", [60.0, 25.0, 10.0 / 3.0, 10.0 / 2.0]),
            ("add-k", [60.0, 40.0, 25.0, 100.0 / 3.0]),
        ] {
            assert_close(&values(&[("smooth", method)], "a b c x y", &["a b z w c"])[3..], &expected);
        }
        let shown = [Smoothing::Exp, Smoothing::Floor(0.125), Smoothing::AddK(0.005)].map(|one| one.to_string());
        assert_eq!(shown, ["exp", "floor[0.12]", "add-k[0.01]"]);
    }

    #[test]
    fn lower_case_comes_before_tokens() {
        // The sigma before ".Α" is not final; lower-casing single tokens would make it so.
        let bleu = metric_set("bleu", &[("lowercase", ""), ("bleu-order", "1")]).unwrap();
        assert_eq!(statistics(&bleu, "ΑΣ.Α", &["ασ.α"]), [3.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn signatures_are_sacrebleus() {
        let signatures = |given: &[(&str, &str)]| {
            let metric_set = metric_set("bleu", given).unwrap();
            let metric = &metric_set.members()[0].metric;
            [metric.signature().to_string(), metric.corpus_signature().short()]
        };
        let segment = "BLEU|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0";
        assert_eq!(signatures(&[]), [segment, "BLEU|c:mixed|e:no|tok:13a|s:exp|v:2.6.0"]);
        let short = &signatures(&[("lowercase", ""), ("bleu-order", "2")])[1];
        assert_eq!(short, "BLEU|c:lc|e:no|tok:13a|s:exp|n:2|v:2.6.0");
    }

    #[test]
    fn settings_have_bounds() {
        let check = |change: &dyn Fn(&mut BleuSettings)| {
            let mut settings = BleuSettings::from_options(&Options::default()).unwrap();
            change(&mut settings);
            Bleu::new(settings, &mut Plan::default()).is_ok()
        };
        for (order, is_valid) in [(0, false), (1, true), (MAX_ORDER, true), (MAX_ORDER + 1, false)] {
            assert_eq!(check(&|settings| settings.max_order = order), is_valid, "{order}");
        }
        for (value, is_valid) in [(0.0, true), (1e6, true), (-0.1, false), (f64::NAN, false), (f64::INFINITY, false)] {
            for smoothing in [Smoothing::Floor(value), Smoothing::AddK(value)] {
                assert_eq!(check(&|settings| settings.smoothing = smoothing), is_valid, "{smoothing}");
            }
        }
    }

    #[test]
    fn tokenisers_have_sacrebleus_names() {
        let wrong = Options::default().set(&TOKENIZE, "spm").unwrap_err().to_string();
        assert!(wrong.ends_with("found 'spm'; known tokenisers: 13a, intl, char, zh, none"), "{wrong}");
    }
}
