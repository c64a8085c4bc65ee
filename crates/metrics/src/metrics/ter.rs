//! TER: the number of edits that turn the hypothesis into a reference.
//!
//! An edit inserts, deletes or substitutes a word, or shifts a run of words: Snover et al. 2006, "A study of
//! translation edit rate with targeted human annotation", section 2. Finding the fewest edits is intractable, so the
//! score is the result of the greedy search in `shifts` within the beam of `tables`; both are those of sacreBLEU
//! 2.6.0.
//!
//! ```
//! use tribunal_text_metrics::MetricSet;
//!
//! // Two shifts, of 6 words.
//! let score = MetricSet::named(&["ter"])?.segment_scores("the cat sat on the mat", &["on the mat sat the cat"])[0];
//! assert!((score - 33.3333).abs() < 1e-4);
//! # Ok::<(), tribunal_text_metrics::Error>(())
//! ```

mod shifts;
mod tables;

use smallvec::{SmallVec, smallvec};

pub use self::shifts::Edits;
use self::tables::{Beam, BeamTable, BitTable, CAPACITY, Columns, Table, Word};
use super::entry::Built;
use super::metric::{Metric, Statistics, ratio};
use super::signature::Signature;
use crate::options::{OptionSpec, Options};
use crate::text::tokenizers::Tercom;
use crate::text::{Fingerprint, Form, Plan, Sentence, Tokenizer, View, ViewId, overlap};

/// All options of TER.
pub const OPTIONS: &[&OptionSpec] = &[&NORMALIZED, &NO_PUNCTUATION, &ASIAN_SUPPORT, &CASE_SENSITIVE];

const NORMALIZED: OptionSpec = OptionSpec::switch("ter-normalized", "decode entities and separate punctuation");

const NO_PUNCTUATION: OptionSpec = OptionSpec::switch("ter-no-punct", "drop punctuation");

const ASIAN_SUPPORT: OptionSpec = OptionSpec::switch("ter-asian-support", "separate and strip Asian characters");

const CASE_SENSITIVE: OptionSpec = OptionSpec::switch("ter-case-sensitive", "keep the case");

/// Translation edit rate.
///
/// 100 (insertions + deletions + substitutions + shifts) / |r|. With several references, the edits are those to the
/// first reference with the fewest, and |r| is the mean length of all. The parts are the counts of each kind of edit
/// over the same length; they sum to the score / 100. An insertion adds a word of r to h.
///
/// In [0, infinity), lower is better. 100 if h is empty, and also if r is empty; 0 if both are. The score of a corpus
/// is the sum of the edits over the sum of the mean lengths. Equal to sacreBLEU 2.6.0, which tokenises references twice
/// (see [`Tercom::tokenize_reference`]).
///
/// Time: linear in the length, with a large constant for long texts: up to 1000 shifts are tried, each over up to 50
/// |h| cells.
#[derive(Debug)]
pub struct Ter {
    settings: Tercom,
    /// The name of the tokeniser in the signature.
    tokens: &'static str,
    hypothesis_words: ViewId,
    reference_words: ViewId,
}

impl Ter {
    /// The metric with the settings of its tokeniser, all of which are valid.
    pub fn new(settings: Tercom, plan: &mut Plan) -> Self {
        let mut words = |tokenizer| plan.add(View::new(tokenizer, Form::Cased));
        let hypothesis_words = words(Tokenizer::Tercom(settings));
        // The two tokenisations differ only with normalisation.
        let reference_words =
            if settings.normalized { words(Tokenizer::TercomReference(settings)) } else { hypothesis_words };
        Self { settings, tokens: "tercom", hypothesis_words, reference_words }
    }

    /// TER over lower-cased [`Tokenizer::Words`], which are the same for raw and tokenised text; used for features.
    pub fn of_words(plan: &mut Plan) -> Self {
        let words = plan.add(View::new(Tokenizer::Words, Form::Lower));
        Self { settings: Tercom::default(), tokens: "words", hypothesis_words: words, reference_words: words }
    }
}

/// TER with the user's options.
pub(super) fn build(options: &Options, plan: &mut Plan) -> Built {
    let is_given = |spec| options.is_given(spec);
    let settings = Tercom {
        normalized: is_given(&NORMALIZED),
        no_punctuation: is_given(&NO_PUNCTUATION),
        asian_support: is_given(&ASIAN_SUPPORT),
        case_sensitive: is_given(&CASE_SENSITIVE),
    };
    Ok(Box::new(Ter::new(settings, plan)))
}

impl Metric for Ter {
    fn values(&self) -> &[&'static str] {
        &["", "insertions", "deletions", "substitutions", "shifts"]
    }

    fn signature(&self) -> Signature {
        let yes = |setting: bool| if setting { "yes" } else { "no" };
        Signature::new("TER")
            .with("c", "case", if self.settings.case_sensitive { "mixed" } else { "lc" })
            .with("t", "tok", self.tokens)
            .with("nr", "norm", yes(self.settings.normalized))
            .with("pn", "punct", yes(!self.settings.no_punctuation))
            .with("as", "asian", yes(self.settings.asian_support))
            .with("v", "version", "2.6.0")
    }

    /// The edits to the best reference, the mean length of the references, then the edits of each kind.
    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        let hypothesis = &hypothesis.view(self.hypothesis_words).ids;
        let of_reference = |reference: &&Sentence| edits(hypothesis, &reference.view(self.reference_words).ids);
        let best = references.iter().map(of_reference).min_by_key(Edits::total).unwrap_or_default();
        let length: usize = references.iter().map(|reference| reference.view(self.reference_words).len()).sum();
        let parts = [best.insertions, best.deletions, best.substitutions, best.shifts];
        let mut statistics = vec![f64::from(best.total()), ratio(length as f64, references.len() as f64)];
        statistics.extend(parts.map(f64::from));
        statistics
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        let (edits, length) = (statistics[0], statistics[1]);
        let length = if length > 0.0 { length } else { edits };
        let mut values = vec![100.0 * ratio(edits, length)];
        values.extend(statistics[2..].iter().map(|&part| ratio(part, length)));
        values
    }
}

/// The edits that turn a hypothesis into a reference, as sacreBLEU's search finds them; for an empty reference, one
/// deletion per word.
pub fn edits(hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> Edits {
    if reference.is_empty() {
        return Edits { deletions: hypothesis.len() as u32, ..Edits::default() };
    }
    let (mut hypothesis, reference) = number(hypothesis, reference);
    let floor = distance_in_any_order(&hypothesis, &reference);
    let beam = Beam::new(hypothesis.len(), reference.len());
    let found = match reference.len() {
        ..=64 => edits_by_bits::<u64>(&mut hypothesis, &reference, beam, floor),
        65..=CAPACITY => edits_by_bits::<u128>(&mut hypothesis, &reference, beam, floor),
        _ => None,
    };
    found.unwrap_or_else(|| {
        let mut table = BeamTable::new(beam, &reference);
        table.fill(&hypothesis, 0);
        shifts::search(table, hypothesis, &reference, floor)
    })
}

/// The edits if the beam cannot matter, for a reference that fits; takes the hypothesis then.
fn edits_by_bits<C: Columns>(hypothesis: &mut Vec<Word>, reference: &[Word], beam: Beam, floor: u32) -> Option<Edits> {
    let mut table = BitTable::<C>::new(reference);
    table.fill(hypothesis, 0);
    let can_matter = beam.can_matter(table.distance());
    (!can_matter).then(|| shifts::search(table, std::mem::take(hypothesis), reference, floor))
}

/// Replaces words by the numbers of the reference's distinct words.
fn number(hypothesis: &[Fingerprint], reference: &[Fingerprint]) -> (Vec<Word>, Vec<Word>) {
    if reference.len() <= overlap::CAPACITY {
        // The number is the first position; a word without a position gets a larger number.
        let places = overlap::Places::new(reference);
        let number = |&word: &Fingerprint| places.get(word).trailing_zeros();
        return (hypothesis.iter().map(number).collect(), reference.iter().map(number).collect());
    }
    let distinct = overlap::distinct(reference);
    let number = |word: &Fingerprint| distinct.binary_search(word).unwrap_or(reference.len()) as Word;
    (hypothesis.iter().map(number).collect(), reference.iter().map(number).collect())
}

/// The edit distance for the best possible word order, a lower bound: the greater length minus the number of common
/// words.
fn distance_in_any_order(hypothesis: &[Word], reference: &[Word]) -> u32 {
    let mut left: SmallVec<[u32; CAPACITY]> = smallvec![0; reference.len()];
    for &word in reference {
        left[word as usize] += 1;
    }
    let mut common = 0;
    for &word in hypothesis {
        if let Some(left) = left.get_mut(word as usize).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    hypothesis.len().max(reference.len()) as u32 - common
}

#[cfg(test)]
mod tests {
    use crate::metrics::tests;

    fn values(hypothesis: &str, references: &[&str]) -> Vec<f64> {
        tests::values("ter", hypothesis, references)
    }

    #[test]
    fn by_hand() {
        // "this week" shifts behind "denied", "the Saudis" becomes "Saudi Arabia", "American" is inserted: 4 edits, 13
        // words. The example of Snover et al. 2006, section 2.
        let found = values(
            "THIS WEEK THE SAUDIS denied information published in the new york times",
            &["SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"],
        );
        assert_eq!(found, [100.0 * (4.0 / 13.0), 1.0 / 13.0, 0.0, 2.0 / 13.0, 1.0 / 13.0]);
    }

    #[test]
    fn the_best_reference_counts_over_the_mean_length() {
        let found = values("a b c", &["x y z x y z x", "a b c d", ""]);
        assert_eq!(found, [100.0 * (1.0 / (11.0 / 3.0)), 1.0 / (11.0 / 3.0), 0.0, 0.0, 0.0]);
    }

    #[test]
    fn it_is_not_capped() {
        assert_eq!(values("a b c d", &["x"])[0], 400.0);
    }
}
