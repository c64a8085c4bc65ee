//! ROUGE-W, ROUGE-S and ROUGE-SU as the Perl program ROUGE-1.5.5 prints them.
//!
//! ROUGE-S compares skip-bigrams: pairs of tokens in text order, with at most a given number of tokens between them, or
//! any number. With m clipped matches, precision is m/s(h) and recall is m/s(r), where s is the number of skip-bigrams
//! of a text. ROUGE-SU also counts single tokens, except the last one of each text.
//!
//! ROUGE-W compares lines by their longest common subsequences, where a run of k consecutive tokens has the weight f(k)
//! = k^1.2. With the total weight m of the common runs, n tokens in the hypothesis, and the lines r1, r2, ... of the
//! reference:
//!
//! ```text
//! precision = f^-1(m / f(n))      recall = f^-1(m / f(f(|r1|) + f(|r2|) + ...))
//! ```
//!
//! The score is the F1 of precision and recall. All three are rounded to five decimals, and F1 is computed from the
//! rounded values. In [0, 1]; 0 for empty text. The score of a corpus is the mean over its segments (the program prints
//! means of random resamples). Lin 2004, "ROUGE: a package for automatic evaluation of summaries", sections 4 to 6.
//! Lines end at line feeds, and tokens are those of [`Tokenizer::Rouge155`]; skip-bigrams cross lines.
//!
//! Slips of the program that are reproduced:
//!
//! - the recall of ROUGE-W weights the length of the reference twice, so that identical texts have less than 1;
//! - in ROUGE-W a token of the reference counts as often as it occurs in the hypothesis; a run whose last token exceeds
//!   that count has no weight, but passes its counted tokens on to the next run of the line;
//! - ROUGE-SU does not count the last token of a text as a single token;
//! - F1 is computed from rounded values.
//!
//! One slip is not reproduced: if a reference has no tokens, ROUGE-W divides by zero and aborts. Here such a reference
//! contributes nothing.
//!
//! ROUGE-W takes O(|r| |h|) steps. If the product of the numbers of tokens of two lines exceeds 2^27, both are split
//! into the same number of pieces, and only corresponding pieces are compared. For the steps of ROUGE-S see
//! [`SkipBigrams::hits`].

mod skip_bigrams;
mod weighted;

use std::fmt;

use super::entry::{Built, ROUGE_STEM};
use super::metric::{Metric, Statistics, f1, ratio};
use super::signature::Signature;
use crate::options::{OptionSpec, Options};
use crate::text::{Form, Plan, Sentence, Stemmer, Tokenizer, Tokens, View, ViewId};
pub use skip_bigrams::SkipBigrams;

/// All options of ROUGE-W, ROUGE-S and ROUGE-SU.
pub const OPTIONS: &[&OptionSpec] = &[&ROUGE_STEM, &BEST];

const BEST: OptionSpec = OptionSpec::switch("rouge-best", "best of several references, not their mean");

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rouge155Kind {
    /// ROUGE-W (option `-w 1.2`): weighted longest common subsequences of lines.
    W,
    /// ROUGE-S and ROUGE-SU (options `-2` and `-U`): skip-bigrams, which are pairs of tokens in text order.
    S(SkipBigrams),
}

/// ROUGE-S without a limit to the gap.
pub const S: Rouge155Kind = Rouge155Kind::S(SkipBigrams { gap: None, unigrams: false });
/// ROUGE-S with at most 4 words between two.
pub const S4: Rouge155Kind = Rouge155Kind::S(SkipBigrams { gap: Some(4), unigrams: false });
/// [`S4`], and single words.
pub const SU4: Rouge155Kind = Rouge155Kind::S(SkipBigrams { gap: Some(4), unigrams: true });

impl fmt::Display for Rouge155Kind {
    /// `rougeW`, `rougeS`, `rougeS4`, `rougeSU4`, ...
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::W => formatter.write_str("rougeW"),
            Self::S(SkipBigrams { gap, unigrams }) => {
                formatter.write_str(if *unigrams { "rougeSU" } else { "rougeS" })?;
                gap.map_or(Ok(()), |gap| write!(formatter, "{gap}"))
            }
        }
    }
}

/// How several references are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// Option `-f A`: hits and totals are summed over the references.
    #[default]
    Average,
    /// Option `-f B`: only the reference with the highest recall counts, the first of those that are equal to five
    /// decimals. (For ROUGE-W this is the recall before the weighting is undone.)
    Best,
}

/// The settings of [`Rouge155`].
#[derive(Debug, Clone, PartialEq)]
pub struct Rouge155Settings {
    /// What is compared.
    pub kind: Rouge155Kind,
    /// Compare stems ([`Stemmer::Rouge155`], option `-m`) instead of words.
    pub stemming: bool,
    /// How several references are combined.
    pub references: References,
}

/// ROUGE-W, ROUGE-S or ROUGE-SU, see the [module](self).
///
/// Values: the score (F1), then `precision` and `recall`. Statistics: the values, then 1.
#[derive(Debug)]
pub struct Rouge155 {
    settings: Rouge155Settings,
    tokens: ViewId,
}

/// The counts for one reference, or the sums over several.
#[derive(Debug, Clone, Copy, Default)]
struct Hits {
    matched: f64,
    hypothesis: f64,
    reference: f64,
}

impl Rouge155 {
    /// ROUGE with its settings, all of which are valid.
    pub fn new(settings: Rouge155Settings, plan: &mut Plan) -> Self {
        let form = if settings.stemming { Form::Stem(Stemmer::Rouge155) } else { Form::Lower };
        let tokens = plan.add(View::new(Tokenizer::Rouge155, form).lines());
        Self { settings, tokens }
    }

    /// The hits against one reference, and the recall by which references are ranked.
    fn compare(&self, hypothesis: &Tokens, reference: &Tokens) -> (Hits, f64) {
        match self.settings.kind {
            Rouge155Kind::W => {
                let lines: f64 = reference.lines().map(|line| weighted::weight(line.len() as f64)).sum();
                let hits = Hits {
                    matched: weighted::hits(hypothesis, reference),
                    hypothesis: weighted::weight(hypothesis.len() as f64),
                    reference: weighted::weight(lines),
                };
                (hits, ratio(hits.matched, lines))
            }
            Rouge155Kind::S(kind) => {
                let hits = Hits {
                    matched: kind.hits(&hypothesis.ids, &reference.ids) as f64,
                    hypothesis: kind.total(hypothesis.len()) as f64,
                    reference: kind.total(reference.len()) as f64,
                };
                (hits, ratio(hits.matched, hits.reference))
            }
        }
    }

    /// The hits that count: those against the best reference, or the sums over all references.
    fn hits(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Hits {
        let own = hypothesis.view(self.tokens);
        let compared = references.iter().map(|reference| self.compare(own, reference.view(self.tokens)));
        match self.settings.references {
            References::Average => compared.map(|(hits, _)| hits).fold(Hits::default(), Hits::add),
            References::Best => {
                let ranked = compared.map(|(hits, recall)| (hits, rounded(recall)));
                let best = ranked.reduce(|best, other| if other.1 > best.1 { other } else { best });
                best.map_or_else(Hits::default, |(hits, _)| hits)
            }
        }
    }
}

/// ROUGE with the user's options.
pub(super) fn build(kind: Rouge155Kind, options: &Options, plan: &mut Plan) -> Built {
    let references = if options.is_given(&BEST) { References::Best } else { References::Average };
    let stemming = options.is_given(&ROUGE_STEM);
    Ok(Box::new(Rouge155::new(Rouge155Settings { kind, stemming, references }, plan)))
}

impl Hits {
    fn add(self, other: Self) -> Self {
        Self {
            matched: self.matched + other.matched,
            hypothesis: self.hypothesis + other.hypothesis,
            reference: self.reference + other.reference,
        }
    }
}

/// The value as C's `printf("%.5f")` prints it.
fn rounded(value: f64) -> f64 {
    // A formatted number always parses.
    format!("{value:.5}").parse().unwrap_or(value)
}

impl Metric for Rouge155 {
    fn values(&self) -> &[&'static str] {
        &["", "precision", "recall"]
    }

    fn signature(&self) -> Signature {
        let Rouge155Settings { kind, stemming, references } = &self.settings;
        let mut signature = Signature::new(kind.to_string());
        if *kind == Rouge155Kind::W {
            signature = signature.with("w", "weight", weighted::EXPONENT);
        }
        let references = match references {
            References::Average => "average",
            References::Best => "best",
        };
        signature
            .with("m", "multi", references)
            .with("st", "stem", if *stemming { "porter-wordnet" } else { "no" })
            .with("tok", "tok", "rouge-1.5.5")
            .with("v", "version", "1.5.5")
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hits = self.hits(hypothesis, references);
        let unweighted = |share: f64| match self.settings.kind {
            Rouge155Kind::W => weighted::inverse(share),
            Rouge155Kind::S(_) => share,
        };
        let precision = rounded(unweighted(ratio(hits.matched, hits.hypothesis)));
        let recall = rounded(unweighted(ratio(hits.matched, hits.reference)));
        vec![rounded(f1(precision, recall)), precision, recall, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests::{metric_set, values, values_with};

    #[test]
    fn skip_bigrams_by_hand() {
        // Lin 2004, section 5: 3, 1 and 2 of 6 skip-bigrams.
        let reference = &["Police killed the gunman"];
        for (name, hypothesis, expected) in [
            ("rougeS", "police kill the gunman", 0.5),
            ("rougeS", "the gunman kill police", 0.16667),
            ("rougeS", "the gunman police killed", 0.33333),
            // Without the last word, "police" and "the" match: 2 more of 3 more.
            ("rougeSU4", "police kill the gunman", 0.55556),
        ] {
            assert_eq!(values(name, hypothesis, reference), [expected; 3]);
        }
    }

    #[test]
    fn identical_texts_lack_recall_in_rouge_w() {
        // ROUGE-1.5.5.pl -x -w 1.2: recall 4/4^1.2, and for two lines f^-1(2 f(2)) / (2 f(2)).
        assert_eq!(values("rougeW", "a b c d", &["a b c d"]), [0.86225, 1.0, 0.75786]);
        assert_eq!(values("rougeW", "a b\nc d", &["a b\nc d"]), [0.82924, 0.8909, 0.77557]);
    }

    #[test]
    fn a_run_that_ends_in_a_word_too_many_weighs_nothing() {
        // ROUGE-1.5.5.pl -x -w 1.2: "b a" of the third line ends in an "a" that the first line has used up.
        assert_eq!(values("rougeW", "b a", &["a c\nc c a\na b a"]), [0.1699, 0.5, 0.10234]);
    }

    #[test]
    fn references_are_summed_or_the_best_one_counts() {
        // 1 of 1 in 1 of 3, and 0 of 1 in 0 of 1.
        let references = &["a c b", "x y"];
        assert_eq!(values("rougeS", "a b", references), [0.33333, 0.5, 0.25]);
        assert_eq!(values_with("rougeS", &[("rouge-best", "")], "a b", references), [0.5, 1.0, 0.33333]);
    }

    #[test]
    fn signatures_say_what_counts() {
        for (name, start) in [("rougeW", "rougeW|weight:1.2"), ("rougeS", "rougeS"), ("rougeSU4", "rougeSU4")] {
            let signature = metric_set(name, &[]).unwrap().members()[0].metric.signature().to_string();
            assert_eq!(signature, format!("{start}|multi:average|stem:no|tok:rouge-1.5.5|version:1.5.5"));
        }
    }
}
