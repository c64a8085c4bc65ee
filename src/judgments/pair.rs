//! Pairs. In: texts. Out: a [`Pair`]; with what people said of it, a [`Judgment`]. Next: [`super::grouping`].

use super::{OwnScore, Verdict};
use crate::error::{Error, Result};

/// Two hypotheses with their reference(s), and what people said of them if that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The two hypotheses, as they are written in the file.
    pub hypotheses: [String; 2],
    /// One or several references; none only where nothing but metrics of the user's own is asked for.
    pub references: Vec<String>,
    /// The human judgment.
    pub label: Option<Verdict>,
    /// The name of the pair, from the column `id`.
    pub id: Option<String>,
    /// What the pair belongs to besides its reference, from the column `group`: such pairs are never split.
    pub group: Option<String>,
    /// Who judged it, from the column `judges`.
    pub judges: Option<String>,
    /// How much the judgment counts, from the column `weight`.
    pub weight: Option<f64>,
    /// What metrics of the user's own say of the hypotheses.
    pub own: Vec<OwnScore>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A pair that people judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The hypotheses and the reference(s).
    pub pair: Pair,
    /// What people said.
    pub label: Verdict,
}

impl Pair {
    /// Two hypotheses of which nothing else is known.
    pub fn new(hypotheses: [String; 2], references: Vec<String>) -> Self {
        Self {
            hypotheses,
            references,
            label: None,
            id: None,
            group: None,
            judges: None,
            weight: None,
            own: Vec::new(),
            line: 1,
        }
    }

    /// What a metric of the user's own says of the two hypotheses; none where the pair has no value of it.
    pub fn own_score(&self, name: &str) -> Option<[f64; 2]> {
        self.own.iter().find(|score| *score.name == *name).map(|score| score.values)
    }

    /// A pair from its line `hyp1 ||| hyp2 ||| ref`, which further references may follow. Fields may be empty, and
    /// white space around them is left out; an empty further reference is none.
    ///
    /// # Errors
    /// Fewer than three fields.
    pub fn parse(line: &str, place: &str, number: usize) -> Result<Self> {
        let fields = fields(line);
        match fields.as_slice() {
            [first, second, references @ ..] if !references.is_empty() => {
                Ok(Self { line: number, ..Self::of_fields([first, second], references) })
            }
            fewer => Err(Error::invalid(
                format!("{place}:{number}"),
                "3 fields separated by ' ||| '",
                fewer.len().to_string(),
                "write each pair as 'hyp1 ||| hyp2 ||| ref'; a field may be empty",
            )),
        }
    }

    /// As [`Self::parse`], where the reference may be missing: `hyp1 ||| hyp2`.
    ///
    /// # Errors
    /// Fewer than two fields.
    pub fn parse_with_or_without_reference(line: &str, place: &str, number: usize) -> Result<Self> {
        let fields = fields(line);
        match fields.as_slice() {
            [first, second, references @ ..] => {
                Ok(Self { line: number, ..Self::of_fields([first, second], references) })
            }
            fewer => Err(Error::invalid(
                format!("{place}:{number}"),
                "2 fields or more separated by ' ||| '",
                fewer.len().to_string(),
                "write each pair as 'hyp1 ||| hyp2' or 'hyp1 ||| hyp2 ||| ref'; a field may be empty",
            )),
        }
    }

    fn of_fields(hypotheses: [&str; 2], texts: &[&str]) -> Self {
        Self::new(hypotheses.map(str::to_owned), references(texts.iter().map(|&text| text.to_owned())))
    }
}

/// The references of a pair: the first may be empty text; of the others, those that are empty are none.
pub(crate) fn references(texts: impl Iterator<Item = String>) -> Vec<String> {
    let is_given = |(at, text): &(usize, String)| *at == 0 || !text.trim().is_empty();
    texts.enumerate().filter(is_given).map(|(_, text)| text).collect()
}

/// Splits at `|||` where white space or the line's end stands on both sides.
pub(crate) fn fields(line: &str) -> Vec<&str> {
    let mut fields = Vec::with_capacity(3);
    let (mut start, mut from) = (0, 0);
    while let Some(found) = line[from..].find("|||") {
        let (at, after) = (from + found, from + found + 3);
        let stands_alone = line[..at].chars().next_back().is_none_or(char::is_whitespace)
            && line[after..].chars().next().is_none_or(char::is_whitespace);
        if stands_alone {
            fields.push(line[start..at].trim());
            start = after;
        }
        // A fourth bar could begin the separator one further on.
        from = if stands_alone { after } else { at + 1 };
    }
    fields.push(line[start..].trim());
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_empty_and_bars_may_stand_in_text() {
        assert_eq!(fields("a b ||| c ||| d"), ["a b", "c", "d"]);
        assert_eq!(fields("||| c |||"), ["", "c", ""]);
        assert_eq!(fields(" |||  ||| d"), ["", "", "d"]);
        assert_eq!(fields("a|||b ||| c ||| d||||"), ["a|||b", "c", "d||||"]);
    }

    #[test]
    fn further_fields_are_further_references() {
        let pair = Pair::parse("a ||| b ||| c ||| d", "x", 1).unwrap();
        assert_eq!(pair.references, ["c", "d"]);
        assert_eq!(Pair::parse("a ||| b ||| c ||| ||| d |||", "x", 1).unwrap().references, ["c", "d"]);
        assert_eq!(Pair::parse("a ||| b ||| ||| d", "x", 1).unwrap().references, ["", "d"]);
    }

    #[test]
    fn a_reference_is_missing_only_where_it_may() {
        let parse = Pair::parse_with_or_without_reference;
        assert_eq!(parse("a ||| b", "x", 3).unwrap(), Pair { line: 3, ..Pair::new(["a".into(), "b".into()], vec![]) });
        assert_eq!(parse("a ||| b ||| c", "x", 1).unwrap().references, ["c"]);
        assert!(Pair::parse("a ||| b", "x", 1).is_err() && parse("a", "x", 1).is_err());
    }

    #[test]
    fn too_few_fields_are_named_with_their_line() {
        let message = Pair::parse("a ||| b", "dev.pairs", 17).unwrap_err().to_string();
        assert!(message.starts_with("dev.pairs:17: expected 3 fields separated by ' ||| ', found 2;"), "{message}");
    }
}
