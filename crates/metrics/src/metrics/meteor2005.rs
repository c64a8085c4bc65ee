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
//! the fewest crossings. The search here is exact for ordinary sentences, and for repeated words as long as its beam of
//! at most 4,096 states holds all that may be best: it missed no alignment with the fewest crossings in 17,000 random
//! texts of 20 to 23 words of a vocabulary of 3 to 6, where trying everything is possible. Of random texts of 28 to 42
//! words of 3 to 8, a search 32 times as wide finds fewer crossings in 0 to 3 of 100. If words times possible matches
//! of repeated words exceed a quarter of a million (say 5,000 times "the" against 4,000), the words with the most
//! possible matches are matched from the last to the first as in NLTK, which keeps the time within O(n log n).

mod components;
mod crossings;

use components::Alignment;

use super::metric::{Metric, Statistics, best_of};
use super::signature::Signature;
use crate::text::{Form, Plan, Sentence, Stemmer, Tokenizer, View, ViewId};

/// Which definition of METEOR is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// As published, on [`Tokenizer::Words`] in lower case: words are synonyms if they or some of their base forms share
    /// a synset. Of the alignments with the fewest crossings, the one with the fewest chunks is taken.
    Published,
    /// NLTK 3.10.4's `meteor_score` on `text.split()`, but with an alignment with the fewest crossings: equal to NLTK's
    /// value if its greedy alignment has the fewest. Of several such alignments, the one is taken that matches each word
    /// of the hypothesis, from the last to the first, to the latest word of the reference.
    ///
    /// Two slips are reproduced. The third stage receives the stems of the words instead of the words, and most stems
    /// that are not words have no synonyms: `car` and `automobile` (stem `automobil`) do not match. And only the
    /// hypothesis' stem is reduced to base forms, so that the result depends on which text is the reference. A third
    /// slip is not reproduced: NLTK compares lower-case stems with names in WordNet's case, and so never matches `us`
    /// and `usa`.
    Nltk,
}

/// The weight of precision in the denominator of Fmean: recall counts nine times as much.
const ALPHA: f64 = 0.9;
/// The exponent of fragmentation.
const BETA: f64 = 3.0;
/// The largest penalty.
const GAMMA: f64 = 0.5;

/// METEOR of 2005, see the [module](self).
///
/// Values: the score, then `precision`, `recall`, `fmean`, `fragmentation` (c/m), `penalty`, and the shares of the
/// matches made by each stage, `exact`, `stem` and `synonym`. Statistics: the values, then 1.
#[derive(Debug)]
pub struct Meteor2005 {
    variant: Variant,
    words: ViewId,
    stems: ViewId,
}

/// The number of values.
const VALUES: usize = 9;

impl Meteor2005 {
    /// One of the two variants; requests lower-case words and their stems from the plan.
    pub fn new(variant: Variant, plan: &mut Plan) -> Self {
        let (words, stems) = (Form::Lower, Form::Stem(Stemmer::PorterNltk));
        let [words, stems] = match variant {
            Variant::Published => [View::new(Tokenizer::Words, words).lexical(), View::new(Tokenizer::Words, stems)],
            Variant::Nltk => [words, stems].map(|form| View::new(Tokenizer::Whitespace, form).lexical()),
        };
        Self { variant, words: plan.add(words), stems: plan.add(stems) }
    }

    /// The matches of all stages, with the number of matches after each.
    fn align(&self, hypothesis: &Sentence, reference: &Sentence) -> (Alignment, [usize; 3]) {
        let (h, r) = (hypothesis.view(self.words), reference.view(self.words));
        let (h_stems, r_stems) = (hypothesis.view(self.stems), reference.view(self.stems));
        let mut alignment = Alignment::new(h.len(), r.len());
        let mut counts = [0; 3];
        for (stage, count) in counts.iter_mut().enumerate() {
            let components = match (stage, self.variant) {
                (0, _) => components::equal(&alignment, &h.ids, &r.ids),
                (1, _) => components::equal(&alignment, &h_stems.ids, &r_stems.ids),
                (_, Variant::Published) => components::synonymous(&alignment, &h.words, &r.words, |word| &word.synsets),
                (_, Variant::Nltk) => {
                    components::synonymous(&alignment, &h_stems.words, &r_stems.words, |stem| &stem.named)
                }
            };
            crossings::add(&mut alignment, components, self.variant);
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
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        let precision = share(matches, hypothesis.view(self.words).len());
        let recall = share(matches, reference.view(self.words).len());
        let fmean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
        let fragmentation = share(alignment.chunks(), matches);
        let penalty = GAMMA * fragmentation.powf(BETA);
        let [exact, stem, synonym] = [exact, stemmed - exact, matches - stemmed].map(|part| share(part, matches));
        [(1.0 - penalty) * fmean, precision, recall, fmean, fragmentation, penalty, exact, stem, synonym]
    }
}

impl Metric for Meteor2005 {
    fn values(&self) -> &'static [&'static str] {
        &["", "precision", "recall", "fmean", "fragmentation", "penalty", "exact", "stem", "synonym"]
    }

    fn signature(&self) -> Signature {
        let (tokenizer, synonyms, ties) = match self.variant {
            Variant::Published => ("words", "sharedsynset", "chunks"),
            Variant::Nltk => ("whitespace", "nltk", "latest"),
        };
        Signature::new("meteor2005")
            .with("a", "alpha", ALPHA)
            .with("b", "beta", BETA)
            .with("g", "gamma", GAMMA)
            .with("c", "case", "lc")
            .with("tok", "tok", tokenizer)
            .with("st", "stemmer", "porternltk")
            .with("syn", "synonyms", synonyms)
            .with("t", "ties", ties)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        best_of(references, |reference| self.compare(hypothesis, reference))
    }
}

#[cfg(test)]
mod tests {
    use super::Variant;

    fn values(variant: Variant, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let name = if variant == Variant::Published { "meteor2005" } else { "meteor2005.nltk" };
        crate::metrics::tests::values(name, hypothesis, references)
    }

    fn score(hypothesis: &str, reference: &str) -> f64 {
        values(Variant::Published, hypothesis, &[reference])[0]
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
        let found = values(Variant::Published, "Two doctors walked", &["two physicians walking"]);
        let expected = [1.0 - 0.5 / 27.0, 1.0, 1.0, 1.0, 1.0 / 3.0, 0.5 / 27.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(close(found, expected), "{found} instead of {expected}");
        }
    }

    #[test]
    fn the_best_of_several_references_counts() {
        let references = ["nothing of that", "prices rose again today", "prices fell"];
        let alone = values(Variant::Published, "prices rose again", &references[1..2]);
        assert_eq!(values(Variant::Published, "prices rose again", &references), alone);
    }

    #[test]
    fn ties_of_crossings_go_to_fewer_chunks_or_to_later_words() {
        // "the" can match either "the" without a crossing; next to "boat" there is one chunk.
        let fragmentation = |variant| values(variant, "boat the", &["boat the wide the"])[4];
        assert_eq!([Variant::Published, Variant::Nltk].map(fragmentation), [0.5, 1.0]);
    }

    #[test]
    fn repetition_without_end_takes_little_time() {
        let words = |count: usize| "the ".repeat(count);
        let found = values(Variant::Published, &words(5_000), &[&words(4_000)]);
        assert!(found.iter().all(|value| value.is_finite()));
        assert_eq!(found[1..3], [0.8, 1.0]);
        let mixed = |count: usize| "the of and to car automobile in a ".repeat(count);
        let found = values(Variant::Published, &mixed(300), &[&mixed(250)]);
        assert!(found.iter().all(|value| value.is_finite()));
    }
}
