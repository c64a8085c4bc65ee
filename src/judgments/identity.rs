//! When two texts are the same, and two pairs are about the same: the one rule for labels, votes and answers that are
//! matched by their texts.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_128;

use super::Pair;
use super::output::Output;

/// A byte order mark, which programs leave at the start of texts and cells.
const MARK: char = '\u{feff}';

/// A text as it is compared with others: line ends are `\n`, there is no byte order mark, and no white space at either
/// end (such as U+00A0 and U+3000). Files, spreadsheets and browsers change nothing else of a text.
pub(crate) fn canonical(text: &str) -> Cow<'_, str> {
    if !text.contains([MARK, '\r']) {
        return text.trim().into();
    }
    text.replace(MARK, "").replace("\r\n", "\n").replace('\r', "\n").trim().to_owned().into()
}

/// The order of a pair's hypotheses, seen from that of another pair about the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first hypothesis is the first of the other pair.
    Same,
    /// The first hypothesis is the second of the other pair.
    Exchanged,
}

/// What an output is: its text and system, the references and the prompt, as [`canonical`] texts.
pub(crate) fn output_key(output: &Output) -> u128 {
    digest(&[side(&output.text, output.system.as_deref()), about(&output.references, output.prompt.as_ref())])
}

/// What rows of one output share: what it is, see [`output_key`], its contexts and its group.
pub(crate) fn row_key(output: &Output) -> u128 {
    digest(&[output_key(output), digest_of(&output.context), output.group.as_deref().map_or(0, hash)])
}

/// What was asked of whom: the question of an output and its system; `None` unless both are known.
pub(crate) fn asked_key(output: &Output) -> Option<u128> {
    Some(digest(&[hash(output.question()?), hash(output.system.as_deref()?)]))
}

/// The same for texts that are the same.
pub(crate) fn hash(text: &str) -> u128 {
    xxh3_128(canonical(text).as_bytes())
}

/// A text with the system that wrote it.
fn side(text: &str, system: Option<&str>) -> u128 {
    digest(&[hash(text), system.map_or(0, hash)])
}

/// References and prompt.
fn about(references: &[String], prompt: Option<&String>) -> u128 {
    digest(&[digest_of(references), digest_of(prompt)])
}

/// Texts in their order; empty ones count for nothing.
fn digest_of<'t>(texts: impl IntoIterator<Item = &'t String>) -> u128 {
    let texts = texts.into_iter().filter(|text| !canonical(text).is_empty());
    digest(&texts.map(|text| hash(text)).collect::<Vec<u128>>())
}

/// What a pair is about: its hypotheses and the systems that wrote them, and the references and the prompt, as
/// [`canonical`] texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairIdentity {
    /// Each hypothesis with its system.
    sides: [u128; 2],
    /// References and prompt.
    about: u128,
}

impl PairIdentity {
    pub(crate) fn new(pair: &Pair) -> Self {
        let system = |at: usize| pair.systems.as_ref().map(|systems| systems[at].as_str());
        let sides = [0, 1].map(|at| side(&pair.hypotheses[at], system(at)));
        Self { sides, about: about(&pair.references, pair.prompt.as_ref()) }
    }

    /// The same for both orders of the hypotheses.
    pub(crate) fn key(self) -> u128 {
        let mut sides = self.sides;
        sides.sort_unstable();
        digest(&[sides[0], sides[1], self.about])
    }

    /// The order of this pair seen from another one; `None` if they are not about the same.
    pub(crate) fn order_in(self, other: Self) -> Option<Order> {
        let [first, second] = self.sides;
        match other.sides {
            _ if self.about != other.about => None,
            sides if sides == [first, second] => Some(Order::Same),
            sides if sides == [second, first] => Some(Order::Exchanged),
            _ => None,
        }
    }
}

fn digest(hashes: &[u128]) -> u128 {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    xxh3_128(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(first: &str, second: &str) -> Pair {
        Pair {
            systems: Some(["x".into(), "y".into()]),
            prompt: Some("q".into()),
            ..Pair::new([first.into(), second.into()], vec!["r".into()])
        }
    }

    #[test]
    fn white_space_around_a_text_and_its_line_ends_do_not_matter() {
        for text in
            ["a\nb\n", " a\nb", "a\r\nb\r\n", "a\rb", "\u{feff}a\nb", "\u{a0}a\nb\u{3000}", "\u{feff} a\n\u{feff}b"]
        {
            assert_eq!(canonical(text), "a\nb", "{text:?}");
        }
        assert_eq!(canonical("a  b"), "a  b");
    }

    #[test]
    fn sides_may_change_places_and_nothing_else() {
        let known = pair("a", "b");
        let of = |pair: &Pair| PairIdentity::new(pair);
        let order = |other: &Pair| of(other).order_in(of(&known));
        assert_eq!(order(&pair("a\n", "\u{a0}b")), Some(Order::Same));
        let swapped = known.clone().swapped();
        assert_eq!((order(&swapped), of(&swapped).key()), (Some(Order::Exchanged), of(&known).key()));
        for other in [
            Pair { prompt: Some("p".into()), ..known.clone() },
            Pair { systems: Some(["y".into(), "x".into()]), ..known.clone() },
            Pair { references: vec!["s".into()], ..known.clone() },
            Pair { references: vec!["r".into(), "q".into()], prompt: None, ..known.clone() },
            pair("a", "c"),
        ] {
            assert_eq!(order(&other), None);
            assert_ne!(of(&other).key(), of(&known).key());
        }
    }

    #[test]
    fn equal_texts_are_told_apart_by_their_systems() {
        let known = pair("c", "c");
        let order = PairIdentity::new(&known.clone().swapped()).order_in(PairIdentity::new(&known));
        assert_eq!(order, Some(Order::Exchanged));
    }
}
