//! METEOR as first published.
//!
//! Three stages match words one to one, each among the words that earlier stages left unmatched: equal words, words
//! with equal stems, synonyms. Each stage makes the largest possible number of matches, and among these alignments
//! takes one with the fewest crossings (two matches cross if their words are in different order in the two texts). With
//! m matches in c chunks (maximal runs that are adjacent and in the same order in both texts), P = m/|h|, R = m/|r|:
//!
//! ```text
//! Fmean = P R / (alpha P + (1 - alpha) R)      penalty = gamma (c/m)^beta      score = Fmean (1 - penalty)
//! ```
//!
//! In [0, 1], and never 1 for gamma > 0: an identical text of m words scores 1 - gamma/m^beta. 0 if nothing matches,
//! hence for empty text. With several references, the best one counts; the score of a corpus is the mean over its
//! segments. Banerjee and Lavie 2005, "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with
//! Human Judgments", section 2.2; the names of the parameters, as in NLTK, follow Lavie and Agarwal 2007 (the 10 P R/(R
//! + 9 P) of the first paper is alpha 0.9).
//!
//! NLTK's `meteor_score` gives the same value if its alignment, which is greedy from the last word to the first, has
//! the fewest crossings. The search here is exact for ordinary sentences. If words times possible matches of repeated
//! words exceed a quarter of a million (say 5,000 times "the" against 4,000), the words with the most possible matches
//! are matched from the last to the first as in NLTK, which keeps the time within O(n log n).

mod components;
mod crossings;

use components::Alignment;
pub use crossings::Ties;

use super::entry::{Build, Built};
use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::error::{Error, Result};
use crate::text::{Form, Plan, Sentence, Stemmer, Tokenizer, View, ViewId};

/// How the third stage matches words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Synonyms {
    /// Not at all: the stage is left out.
    None,
    /// Words match if they or some of their base forms share a synset.
    SharedSynset,
    /// As in NLTK 3.10.4, with two slips. The stage receives the stems of the words instead of the words, and most
    /// stems that are not words have no synonyms: `car` and `automobile` (stem `automobil`) do not match. And only the
    /// hypothesis' stem is reduced to base forms, so that the result depends on which text is the reference. A third
    /// slip is not reproduced: NLTK compares lower-case stems with names in WordNet's case, and so never matches `us`
    /// and `usa`.
    Nltk,
}

/// The settings of [`Meteor2005`].
#[derive(Debug, Clone, PartialEq)]
pub struct Meteor2005Settings {
    /// The weight of precision in the denominator of Fmean, in [0, 1]: 0.9 makes recall count nine times as much.
    pub alpha: f64,
    /// The exponent of fragmentation, at least 0.
    pub beta: f64,
    /// The largest penalty, in [0, 1].
    pub gamma: f64,
    /// How text is split into words, which are compared in lower case.
    pub tokenizer: Tokenizer,
    /// The stemmer of the second stage.
    pub stemmer: Stemmer,
    /// How the third stage matches words.
    pub synonyms: Synonyms,
    /// Which alignment is taken if several have the fewest crossings.
    pub ties: Ties,
}

impl Default for Meteor2005Settings {
    fn default() -> Self {
        Self {
            alpha: 0.9,
            beta: 3.0,
            gamma: 0.5,
            tokenizer: Tokenizer::Words,
            stemmer: Stemmer::PorterNltk,
            synonyms: Synonyms::SharedSynset,
            ties: Ties::Chunks,
        }
    }
}

impl Meteor2005Settings {
    /// NLTK's settings on `text.split()`, but with an alignment with the fewest crossings: equal to NLTK's
    /// `meteor_score` if its greedy alignment has the fewest, and if no name with capitals is matched (see
    /// [`Synonyms::Nltk`]).
    pub fn nltk() -> Self {
        Self { tokenizer: Tokenizer::Whitespace, synonyms: Synonyms::Nltk, ties: Ties::Latest, ..Self::default() }
    }
}

impl Meteor2005Settings {
    /// Checks that alpha and gamma are in [0, 1] and beta is not negative.
    ///
    /// # Errors
    /// The first setting out of range.
    pub fn check(&self) -> Result<()> {
        for (name, value, highest) in
            [("alpha", self.alpha, 1.0), ("beta", self.beta, f64::MAX), ("gamma", self.gamma, 1.0)]
        {
            if !(0.0..=highest).contains(&value) {
                let wanted = if highest == f64::MAX { "a finite number from 0" } else { "a number from 0 to 1" };
                let advice = "omit it for the published value";
                return Err(Error::invalid(format!("meteor2005.{name}"), wanted, value.to_string(), advice));
            }
        }
        Ok(())
    }
}

/// METEOR of 2005, see the [module](self).
///
/// Values: the score, then `precision`, `recall`, `fmean`, `fragmentation` (c/m), `penalty`, and the shares of the
/// matches made by each stage, `exact`, `stem` and `synonym`. Statistics: the values, then 1.
#[derive(Debug)]
pub struct Meteor2005 {
    settings: Meteor2005Settings,
    words: ViewId,
    stems: ViewId,
}

/// The metric with its default settings.
pub(super) fn build(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Meteor2005::new(Meteor2005Settings::default(), build.plan)?))
}

/// The metric with [`Meteor2005Settings::nltk`].
pub(super) fn build_nltk(build: &mut Build<'_>) -> Built {
    Ok(Box::new(Meteor2005::new(Meteor2005Settings::nltk(), build.plan)?))
}

/// The number of values.
const VALUES: usize = 9;

impl Meteor2005 {
    /// The metric with these settings; requests lower-case words and their stems from the plan.
    ///
    /// # Errors
    /// Any error of [`Meteor2005Settings::check`].
    pub fn new(settings: Meteor2005Settings, plan: &mut Plan) -> Result<Self> {
        settings.check()?;
        let words = plan.add(View::new(settings.tokenizer, Form::Lower).lexical());
        let stems = View::new(settings.tokenizer, Form::Stem(settings.stemmer));
        let stems = plan.add(if settings.synonyms == Synonyms::Nltk { stems.lexical() } else { stems });
        Ok(Self { settings, words, stems })
    }

    /// The matches of all stages, with the number of matches after each.
    fn align(&self, hypothesis: &Sentence, reference: &Sentence) -> (Alignment, [usize; 3]) {
        let (h, r) = (hypothesis.view(self.words), reference.view(self.words));
        let (h_stems, r_stems) = (hypothesis.view(self.stems), reference.view(self.stems));
        let mut alignment = Alignment::new(h.len(), r.len());
        let mut counts = [0; 3];
        for (stage, count) in counts.iter_mut().enumerate() {
            let components = match (stage, self.settings.synonyms) {
                (0, _) => components::equal(&alignment, &h.ids, &r.ids),
                (1, _) => components::equal(&alignment, &h_stems.ids, &r_stems.ids),
                (_, Synonyms::None) => Vec::new(),
                (_, Synonyms::SharedSynset) => {
                    components::synonymous(&alignment, &h.words, &r.words, |word| &word.synsets)
                }
                (_, Synonyms::Nltk) => {
                    components::synonymous(&alignment, &h_stems.words, &r_stems.words, |stem| &stem.named)
                }
            };
            crossings::add(&mut alignment, components, self.settings.ties);
            *count = alignment.len();
        }
        (alignment, counts)
    }

    /// The positions of matched words in the hypothesis and in the reference, in the order of the hypothesis.
    pub fn matches(&self, hypothesis: &Sentence, reference: &Sentence) -> Vec<(usize, usize)> {
        self.align(hypothesis, reference).0.pairs().collect()
    }

    /// The values for one reference.
    fn compare(&self, hypothesis: &Sentence, reference: &Sentence) -> [f64; VALUES] {
        let (alignment, [exact, stemmed, matches]) = self.align(hypothesis, reference);
        if matches == 0 {
            return [0.0; VALUES];
        }
        let Meteor2005Settings { alpha, beta, gamma, .. } = self.settings;
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        let precision = share(matches, hypothesis.view(self.words).len());
        let recall = share(matches, reference.view(self.words).len());
        let fmean = precision * recall / (alpha * precision + (1.0 - alpha) * recall);
        let fragmentation = share(alignment.chunks(), matches);
        let penalty = gamma * fragmentation.powf(beta);
        let [exact, stem, synonym] = [exact, stemmed - exact, matches - stemmed].map(|part| share(part, matches));
        [(1.0 - penalty) * fmean, precision, recall, fmean, fragmentation, penalty, exact, stem, synonym]
    }
}

impl Metric for Meteor2005 {
    fn values(&self) -> &'static [&'static str] {
        &["", "precision", "recall", "fmean", "fragmentation", "penalty", "exact", "stem", "synonym"]
    }

    fn signature(&self) -> Signature {
        let Meteor2005Settings { alpha, beta, gamma, tokenizer, stemmer, synonyms, ties } = &self.settings;
        Signature::new("meteor2005")
            .with("a", "alpha", alpha)
            .with("b", "beta", beta)
            .with("g", "gamma", gamma)
            .with("c", "case", "lc")
            .with("tok", "tok", format!("{tokenizer:?}").to_lowercase())
            .with("st", "stemmer", format!("{stemmer:?}").to_lowercase())
            .with("syn", "synonyms", format!("{synonyms:?}").to_lowercase())
            .with("t", "ties", format!("{ties:?}").to_lowercase())
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        best_of(references, |reference| self.compare(hypothesis, reference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn values(settings: Meteor2005Settings, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let mut plan = Plan::default();
        let metric = Meteor2005::new(settings, &mut plan).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let hypothesis = Sentence::prepare(hypothesis, &plan, &mut lexicon);
        let references: Vec<_> = references.iter().map(|text| Sentence::prepare(text, &plan, &mut lexicon)).collect();
        metric.segment(&metric.statistics(&hypothesis, &references.iter().collect::<Vec<_>>()))
    }

    fn score(hypothesis: &str, reference: &str) -> f64 {
        values(Meteor2005Settings::default(), hypothesis, &[reference])[0]
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-12
    }

    #[test]
    fn classic_examples() {
        let reference = "the cat sat on the mat";
        // Six matches in one chunk; in six chunks; and six of seven words in two chunks.
        assert!(close(score("the cat sat on the mat", reference), 1.0 - 0.5 / 216.0));
        assert!(close(score("on the mat sat the cat", reference), 0.5));
        let fmean = 6.0 / 7.0 / (0.9 * 6.0 / 7.0 + 0.1);
        assert!(close(score("the cat was sat on the mat", reference), fmean * (1.0 - 0.5 / 27.0)));
    }

    #[test]
    fn stages_match_what_the_ones_before_left() {
        // P = R = 1 with one word each by stem and by synonym, in one chunk.
        let found = values(Meteor2005Settings::default(), "Two doctors walked", &["two physicians walking"]);
        let expected = [1.0 - 0.5 / 27.0, 1.0, 1.0, 1.0, 1.0 / 3.0, 0.5 / 27.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(close(found, expected), "{found} instead of {expected}");
        }
    }

    #[test]
    fn empty_text_is_scored() {
        for (hypothesis, reference) in [("", ""), ("", "a b"), ("a b", ""), (".", "!")] {
            assert_eq!(values(Meteor2005Settings::default(), hypothesis, &[reference]), [0.0; 9]);
        }
    }

    #[test]
    fn the_best_of_several_references_counts() {
        let references = ["nothing of that", "prices rose again today", "prices fell"];
        let alone = values(Meteor2005Settings::default(), "prices rose again", &references[1..2]);
        assert_eq!(values(Meteor2005Settings::default(), "prices rose again", &references), alone);
    }

    #[test]
    fn ties_of_crossings_go_to_fewer_chunks_or_to_later_words() {
        // "the" can match either "the" without a crossing; next to "boat" there is one chunk.
        let of =
            |ties| values(Meteor2005Settings { ties, ..Default::default() }, "boat the", &["boat the wide the"])[4];
        assert_eq!(of(Ties::Chunks), 0.5);
        assert_eq!(of(Ties::Latest), 1.0);
    }

    #[test]
    fn settings_have_bounds() {
        let default = Meteor2005Settings::default;
        for wrong in [-0.1, 1.1, f64::NAN] {
            assert!(Meteor2005Settings { alpha: wrong, ..default() }.check().is_err());
            assert!(Meteor2005Settings { gamma: wrong, ..default() }.check().is_err());
        }
        assert!(Meteor2005Settings { beta: -1.0, ..default() }.check().is_err());
        assert!(Meteor2005Settings { beta: f64::INFINITY, ..default() }.check().is_err());
        assert!(default().check().is_ok());
    }

    #[test]
    fn repetition_without_end_takes_little_time() {
        let words = |count: usize| "the ".repeat(count);
        let found = values(Meteor2005Settings::default(), &words(5_000), &[&words(4_000)]);
        assert!(found.iter().all(|value| value.is_finite()));
        assert_eq!(found[1..3], [0.8, 1.0]);
        let mixed = |count: usize| "the of and to car automobile in a ".repeat(count);
        let found = values(Meteor2005Settings::default(), &mixed(300), &[&mixed(250)]);
        assert!(found.iter().all(|value| value.is_finite()));
    }
}
