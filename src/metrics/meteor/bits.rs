//! The matches that the modules propose, for a hypothesis of at most [`CAPACITY`] words.
//!
//! For every key, stem and synset of the hypothesis, a 64-bit word marks its positions; the possible matches of a
//! reference word are then read off in the required order.

use super::matches::{MOST_MATCHES, Match, Proposals};
use super::view::MeteorTokens;
use crate::metrics::links::Module;
use crate::text::overlap::{CAPACITY, Places};

/// The positions of synsets, in a hash table with open addressing.
struct Senses {
    /// The index of each slot's entry, 0 for none. The number of slots is a power of two, and at least half of them are
    /// empty.
    slots: Vec<u32>,
    /// The first entry stands for all absent synsets.
    entries: Vec<(u32, u64)>,
}

impl Senses {
    fn of(tokens: &MeteorTokens) -> Self {
        let synsets = tokens.all_synsets().len();
        let mut senses =
            Self { slots: vec![0; (2 * synsets + 1).next_power_of_two()], entries: Vec::with_capacity(synsets + 1) };
        senses.entries.push((0, 0));
        for place in 0..tokens.len() {
            for &synset in tokens.synsets(place) {
                let slot = senses.slot(synset);
                if senses.slots[slot] == 0 {
                    senses.slots[slot] = senses.entries.len() as u32;
                    senses.entries.push((synset, 0));
                }
                senses.entries[senses.slots[slot] as usize].1 |= 1 << place;
            }
        }
        senses
    }

    fn get(&self, synset: u32) -> u64 {
        self.entries[self.slots[self.slot(synset)] as usize].1
    }

    /// The slot of a synset, or the one where it would go.
    fn slot(&self, synset: u32) -> usize {
        let last = self.slots.len() - 1;
        // Neighbouring synsets have related meanings; multiplication spreads them out. Knuth 1998, section 6.4.
        let mut slot = (synset.wrapping_mul(0x9e37_79b1) >> 8) as usize & last;
        while self.slots[slot] != 0 && self.entries[self.slots[slot] as usize].0 != synset {
            slot = (slot + 1) & last;
        }
        slot
    }
}

/// All matches of the modules, ordered as in [`Proposals`]; `None` if there are more than [`MOST_MATCHES`]. The
/// hypothesis has at most [`CAPACITY`] words. `paraphrases` are the matches of the paraphrase module, ordered by the
/// first word in the reference.
pub(super) fn proposals(
    hypothesis: &MeteorTokens,
    reference: &MeteorTokens,
    modules: &[Module],
    mut paraphrases: &[Match],
) -> Option<Proposals> {
    debug_assert!(hypothesis.len() <= CAPACITY);
    let asked = |module| modules.contains(&module);
    let keys = Places::of_each(hypothesis.keys.iter().copied().map(spread));
    let stems = if asked(Module::Stem) { hypothesis.stems.as_slice() } else { &[] };
    let stems = Places::of_each(stems.iter().copied().map(spread));
    let senses = asked(Module::Synonym).then(|| Senses::of(hypothesis));
    let mut proposals = Proposals { matches: Vec::with_capacity(64), first: Vec::with_capacity(reference.len() + 1) };
    for (place, number) in (0..reference.len()).zip(0..) {
        proposals.first.push(proposals.matches.len());
        let equal = keys.get(spread(reference.keys[place]));
        for (module, module_number) in modules.iter().zip(0..) {
            let found = match module {
                Module::Exact => equal,
                Module::Stem => stems.get(spread(reference.stems[place])) & !equal,
                Module::Synonym => senses.as_ref().map_or(0, |senses| synonyms(senses, reference, place)) & !equal,
                Module::Paraphrase => {
                    let here = paraphrases.iter().take_while(|found| found.reference == number).count();
                    proposals.matches.extend(&paraphrases[..here]);
                    paraphrases = &paraphrases[here..];
                    0
                }
            };
            let matches = ones(found).map(|hypothesis| Match::of_words(number, hypothesis, module_number));
            proposals.matches.extend(matches);
        }
        if proposals.matches.len() > MOST_MATCHES {
            return None;
        }
    }
    proposals.first.push(proposals.matches.len());
    Some(proposals)
}

fn synonyms(senses: &Senses, reference: &MeteorTokens, place: usize) -> u64 {
    reference.synsets(place).iter().fold(0, |found, &synset| found | senses.get(synset))
}

/// Spreads a hash code over all bits.
fn spread(key: i32) -> u64 {
    u64::from(key as u32).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

/// The positions of the set bits, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_order() {
        assert_eq!(ones(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(ones(1 << 63).collect::<Vec<_>>(), [63]);
    }
}
