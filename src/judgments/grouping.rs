//! Groups of pairs that must stay together, and folds that respect it.
//!
//! Two pairs belong to the same group if they share a reference or a value of the column `group`, directly or through
//! other pairs: judgments of one sentence then never fall on both sides of a split. References are compared by their
//! lower-cased words, so that raw and tokenised versions of a sentence count as one reference. A pair with neither a
//! reference nor a group belongs to its prompt in the same way, and without a prompt it is identified by its hypotheses.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

use super::Pair;
use crate::evaluation::Groups;
use crate::text::Tokenizer;

/// Groups pairs by reference and by their column `group`.
pub fn groups<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Groups {
    let mut joined = JoinedNames::default();
    let sets: Vec<usize> = pairs.map(|pair| joined.add(pair)).collect();
    Groups::numbered(sets.into_iter().map(|set| joined.sets.root(set)))
}

/// The key under which variants of a reference are equal: its words in lower case.
pub(crate) fn key(reference: &str) -> String {
    let words = Tokenizer::Words.tokens(reference);
    if words.is_empty() { reference.trim().to_owned() } else { words.join(" ").to_lowercase() }
}

/// What the pairs of one group share, in a word: references, prompts where nothing else groups them, or else a group.
pub fn unit<'p>(pairs: impl Iterator<Item = &'p Pair>) -> &'static str {
    let mut unit = "prompt";
    for pair in pairs {
        if !pair.references.is_empty() {
            return "reference";
        }
        if pair.prompt.is_none() || pair.group.is_some() {
            unit = "group";
        }
    }
    unit
}

/// A number in [0, 1) that is the same for all pairs with the same first reference, and uniform over references. Pairs
/// below a share s then form a seeded random sample of s of all references, each complete. It depends on no other pair,
/// so parts of a data set on different machines are sampled consistently. A pair without a reference is keyed by its
/// group, else by its prompt, or else by its first hypothesis.
pub fn draw(pair: &Pair, seed: u64) -> f64 {
    let reference = pair.references.first().or(pair.prompt.as_ref().filter(|_| pair.group.is_none()));
    let name = match (reference, &pair.group) {
        (Some(reference), _) => key(reference),
        (None, Some(group)) => group.clone(),
        (None, None) => key(&pair.hypotheses[0]),
    };
    // The upper 53 bits: as many as an `f64` represents exactly.
    (xxh3_64_with_seed(name.as_bytes(), seed) >> 11) as f64 / (1_u64 << 53) as f64
}

/// References and group names as sets of pairs, merged where one pair has several of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct JoinedNames {
    /// The set of each key, and of each reference as written, since finding its words is slow.
    seen: HashMap<u128, usize>,
    sets: DisjointSets,
}

impl JoinedNames {
    /// Adds a pair, and returns a set to which it belongs.
    pub(crate) fn add(&mut self, pair: &Pair) -> usize {
        let mut of_pair = None;
        // Who names groups knows what belongs together.
        let is_by_prompt = pair.group.is_none();
        for reference in if is_by_prompt { pair.references_or_prompt() } else { &pair.references } {
            let of_reference = self.reference(reference);
            of_pair = Some(self.sets.joined(of_pair, of_reference));
        }
        if let Some(name) = &pair.group {
            let of_name = self.set(xxh3_128_with_seed(name.as_bytes(), GROUP));
            of_pair = Some(self.sets.joined(of_pair, of_name));
        }
        let is_unknown = of_pair.is_none();
        for hypothesis in pair.hypotheses.iter().filter(|_| is_unknown) {
            let of_hypothesis = self.set(xxh3_128_with_seed(key(hypothesis).as_bytes(), HYPOTHESIS));
            of_pair = Some(self.sets.joined(of_pair, of_hypothesis));
        }
        of_pair.unwrap_or_else(|| self.sets.add())
    }

    /// The number of groups.
    pub(crate) fn count(&self) -> usize {
        self.sets.count()
    }

    fn reference(&mut self, text: &str) -> usize {
        let written = xxh3_128_with_seed(text.as_bytes(), WRITTEN);
        if let Some(&known) = self.seen.get(&written) {
            return known;
        }
        let set = self.set(xxh3_128_with_seed(key(text).as_bytes(), REFERENCE));
        self.seen.insert(written, set);
        set
    }

    fn set(&mut self, name: u128) -> usize {
        *self.seen.entry(name).or_insert_with(|| self.sets.add())
    }
}

/// Hash seeds, which keep references, group names and hypotheses apart even if their texts are equal.
const REFERENCE: u64 = 0;
const WRITTEN: u64 = 1;
const GROUP: u64 = 2;
const HYPOTHESIS: u64 = 3;

/// A union-find structure. Tarjan 1975.
#[derive(Debug, Clone, Default)]
struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.parents[member] != member {
            self.parents[member] = self.parents[self.parents[member]];
            member = self.parents[member];
        }
        member
    }

    /// Merges both sets and returns the result; without `a`, the set of `b`.
    fn joined(&mut self, a: Option<usize>, b: usize) -> usize {
        let (a, b) = (self.root(a.unwrap_or(b)), self.root(b));
        self.parents[a.max(b)] = a.min(b);
        a.min(b)
    }

    fn count(&self) -> usize {
        self.parents.iter().enumerate().filter(|(member, parent)| *member == **parent).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(lines: &[&str]) -> Groups {
        let pairs: Vec<Pair> = lines.iter().map(|line| Pair::parse(line, "x", 1).unwrap()).collect();
        super::groups(pairs.iter())
    }

    #[test]
    fn pairs_that_share_a_reference_in_any_spelling_stay_together() {
        for (lines, of_pair, count) in [
            (&["a ||| b ||| r", "a ||| b ||| s", "c ||| d ||| r"][..], vec![0, 1, 0], 2),
            (&["a ||| b ||| It's late.", "a ||| b ||| it 's late ."], vec![0, 0], 1),
            (&["a ||| b ||| r", "a ||| b ||| s", "a ||| b ||| s ||| r"], vec![0, 0, 0], 1),
        ] {
            assert_eq!(groups(lines), Groups { of_row: of_pair, count });
        }
    }

    #[test]
    fn without_references_groups_or_else_hypotheses_join() {
        let pair = |first: &str, second: &str, group: Option<&str>| Pair {
            group: group.map(str::to_owned),
            ..Pair::new([first.into(), second.into()], Vec::new())
        };
        let pairs = [pair("a", "b", None), pair("c", "A", None), pair("d", "e", None), pair("a", "d", Some("g"))];
        assert_eq!(super::groups(pairs.iter()), Groups { of_row: vec![0, 0, 1, 2], count: 3 });
    }

    #[test]
    fn references_are_drawn_whole_evenly_and_by_the_seed() {
        let pair = |reference: &str| Pair::new(["a".into(), "b".into()], vec![reference.into()]);
        let drawn =
            |seed: u64| -> Vec<f64> { (0..2000).map(|at| draw(&pair(&format!("reference {at}")), seed)).collect() };
        let first = drawn(1);
        assert!(first.iter().all(|number| (0.0..1.0).contains(number)));
        for share in [0.1, 0.5, 0.9] {
            let found = first.iter().filter(|&&number| number < share).count() as f64 / 2000.0;
            assert!((found - share).abs() < 0.04, "{found} of {share}");
        }
        assert_ne!(first, drawn(2));
        assert_eq!(draw(&pair("It's late."), 3), draw(&pair("it 's late ."), 3));
        let alone = Pair::new(["a".into(), "b".into()], Vec::new());
        let grouped = |name: &str| Pair { group: Some(name.into()), ..alone.clone() };
        assert_ne!(draw(&grouped("g"), 1), draw(&grouped("h"), 1));
        assert_eq!(draw(&alone, 1), draw(&Pair { hypotheses: ["A".into(), "c".into()], ..alone.clone() }, 1));
    }

    #[test]
    fn no_group_is_split_and_folds_are_even() {
        let lines: Vec<String> = (0..600).map(|row| format!("a ||| b ||| reference {}", row / 6)).collect();
        let found = groups(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let folds = found.folds(10, 1);
        for rows in found.rows() {
            assert!(rows.iter().all(|&row| folds[row] == folds[rows[0]]));
        }
        for fold in 0..10 {
            assert_eq!(folds.iter().filter(|&&of_row| of_row == fold).count(), 60);
        }
        assert_eq!(folds, found.folds(10, 1));
        assert_ne!(folds, found.folds(10, 2));
    }
}
