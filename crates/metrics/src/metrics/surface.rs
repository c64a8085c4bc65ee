//! A family of features for errors that are visible at a glance.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! let metrics = MetricSet::named(&["surface"])?;
//! let mut lexicon = metrics.lexicon();
//! let hypothesis = metrics.prepare("The minister resigned in March.", &mut lexicon);
//! let reference = metrics.prepare("The minister resigned in March 2024.", &mut lexicon);
//! let names = metrics.members()[0].values().map(|(name, _)| name);
//! let values: Vec<(String, f64)> = names.zip(metrics.values(&hypothesis, &[&reference])).collect();
//! assert!(values.contains(&("surface.number.r".to_owned(), 0.0)));
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

use smallvec::SmallVec;

use super::metric::{Metric, Statistics, f1, ratio};
use super::signature::Signature;
use crate::text::overlap::{self, Occurrence};
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, Word};

/// Numbers, names, punctuation, negations, untranslated words, repetitions and case.
///
/// For numbers, names (words with a capital, except the first word), punctuation marks and negations: precision and
/// recall over bags of them, 1 if there is nothing to find. All negations are the same item, so that `isn't` matches
/// `not`. Shares of the words of the hypothesis, in [0, 1], 0 for empty text: `unknown`, words that are probably
/// untranslated (neither in WordNet nor in the reference, not a function word, letters only); `repeated`, words that
/// occur more than once and more often than in the reference; `case`, words of the reference in different case. With
/// several references, each bag takes the one with the highest F1, and each share its lowest value.
#[derive(Debug)]
pub struct Surface {
    words: ViewId,
    cased: ViewId,
    marks: ViewId,
}

/// The number of bags, in the order of [`Metric::values`].
const BAGS: usize = 4;

/// English negations; [`Tokenizer::Words`] makes `n't` a word.
const NEGATIONS: [&str; 12] =
    ["cannot", "n't", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere", "without"];

/// The item that stands for every negation.
const NEGATION: Fingerprint = 1;

impl Surface {
    /// The family; it has no settings.
    pub fn new(plan: &mut Plan) -> Self {
        Self {
            words: plan.add(View::new(Tokenizer::Words, Form::Lower).lexical()),
            cased: plan.add(View::new(Tokenizer::Words, Form::Cased)),
            marks: plan.add(View::new(Tokenizer::Marks, Form::Cased)),
        }
    }

    fn bags(&self, sentence: &Sentence) -> [Bag; BAGS] {
        let (words, cased) = (sentence.view(self.words), sentence.view(self.cased));
        // A word has a different fingerprint in lower case exactly if it has a capital.
        let is_name = |at: usize| at > 0 && words.ids[at] != cased.ids[at];
        let bag = |wanted: &dyn Fn(usize) -> bool| -> Bag {
            sorted((0..words.len()).filter(|&at| wanted(at)).map(|at| words.ids[at]))
        };
        let negations = words.words.iter().filter(|word| is_negation(&word.text)).map(|_| NEGATION);
        let marks = sorted(sentence.view(self.marks).ids.iter().copied());
        [bag(&|at| is_number(&words.words[at].text)), bag(&is_name), marks, negations.collect()]
    }

    fn shares(&self, hypothesis: &Sentence, reference: &Sentence) -> [f64; 3] {
        let [words, theirs] = [hypothesis, reference].map(|sentence| sentence.view(self.words));
        let cased = [hypothesis, reference].map(|sentence| sentence.view(self.cased).ids.as_slice());
        let length = words.len() as f64;
        let is_unknown =
            |word: &Word| word.synsets.is_empty() && !word.function && word.text.chars().all(char::is_alphabetic);
        let (mut unknown, mut repeated, mut same_letters) = (0, 0, 0);
        overlap::occurrences(&words.ids, &theirs.ids, |Occurrence { place, here, there }| {
            unknown += if there == 0 && is_unknown(&words.words[place]) { here } else { 0 };
            repeated += here.saturating_sub(there.max(1));
            same_letters += here.min(there);
        });
        let [same_case] = overlap::matches(cased[0], cased[1]);
        [unknown, repeated, same_letters.saturating_sub(same_case)].map(|count| ratio(f64::from(count), length))
    }
}

/// The items of one kind in a text, sorted.
type Bag = SmallVec<[Fingerprint; 8]>;

fn sorted(things: impl Iterator<Item = Fingerprint>) -> Bag {
    let mut bag: Bag = things.collect();
    bag.sort_unstable();
    bag
}

fn is_number(word: &str) -> bool {
    word.starts_with(|first: char| first.is_numeric())
}

fn is_negation(word: &str) -> bool {
    // A fast test first: few words start with these letters.
    matches!(word.as_bytes().first(), Some(b'c' | b'n' | b'w')) && NEGATIONS.contains(&word)
}

/// Precision and recall of a bag, 1 if there is nothing to find.
fn share(own: &[Fingerprint], theirs: &[Fingerprint]) -> [f64; 2] {
    let (mut matches, mut at) = (0_u32, 0);
    for thing in own {
        at += theirs[at..].iter().take_while(|&other| other < thing).count();
        let is_match = theirs.get(at) == Some(thing);
        matches += u32::from(is_match);
        at += usize::from(is_match);
    }
    let part = |total: usize| if total == 0 { 1.0 } else { f64::from(matches) / total as f64 };
    [part(own.len()), part(theirs.len())]
}

impl Metric for Surface {
    fn values(&self) -> &[&'static str] {
        &[
            "number.p",
            "number.r",
            "name.p",
            "name.r",
            "mark.p",
            "mark.r",
            "negation.p",
            "negation.r",
            "unknown",
            "repeated",
            "case",
        ]
    }

    fn signature(&self) -> Signature {
        Signature::new("surface").with("tok", "tok", "words").with("v", "version", 2)
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let own = self.bags(hypothesis);
        let mut best = vec![0.0; 2 * BAGS];
        best.extend([1.0; 4]);
        let mut highest = [f64::NEG_INFINITY; BAGS];
        for reference in references {
            for (bag, theirs) in self.bags(reference).iter().enumerate() {
                let [precision, recall] = share(&own[bag], theirs);
                if f1(precision, recall) > highest[bag] {
                    highest[bag] = f1(precision, recall);
                    (best[2 * bag], best[2 * bag + 1]) = (precision, recall);
                }
            }
            for (lowest, share) in best[2 * BAGS..].iter_mut().zip(self.shares(hypothesis, reference)) {
                *lowest = lowest.min(share);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests;

    fn values(hypothesis: &str, reference: &str) -> Vec<f64> {
        tests::values("surface", hypothesis, &[reference])
    }

    #[test]
    fn by_hand() {
        // One of the numbers 3 and 40 is right; Anna is a name, Berlin is missing; so are both marks.
        let found = values("Yesterday Anna sold 3 or 40", "Yesterday in Berlin, Anna sold 3.");
        assert_eq!(found[..6], [0.5, 1.0, 1.0, 0.5, 1.0, 0.0]);
        assert_eq!(found[6..], [1.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn untranslated_repeated_and_wrongly_cased_words_are_found() {
        let found = values("the the náklad on monday", "The load on Monday");
        assert_eq!(found[8..], [0.2, 0.2, 0.4]);
    }

    #[test]
    fn negations_are_all_alike() {
        assert_eq!(values("He isn't here", "He is not here")[6..8], [1.0, 1.0]);
        assert_eq!(values("He is here", "He is not here")[6..8], [1.0, 0.0]);
        assert_eq!(values("He never said nothing", "He never spoke")[6..8], [0.5, 1.0]);
    }

    #[test]
    fn nothing_to_find_is_no_fault() {
        assert_eq!(values("the náklad", "The náklad")[8], 0.0);
        assert_eq!(values("", ""), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    }
}
