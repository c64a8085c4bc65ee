//! Stage 1b. In: a file of pairs, in any format. Out: one [`Pair`] at a time. Next: text.

use super::mqm::{self, Mqm};
use super::rankings::Best;
use super::table;
#[cfg(feature = "parquet")]
use super::tables::{Layout, TablePairs};
use super::{Account, Importer, Pairs, Preference};
use crate::error::{Error, Result};
use crate::files::input::Input;
use crate::judgments::Pair;

/// How pairs are written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `hyp1 ||| hyp2 ||| ref` a line, with further references behind further separators.
    Pairs,
    /// Comma-separated values with a header.
    Csv,
    /// Tab-separated values with a header.
    Tsv,
    /// One JSON object a line.
    JsonLines,
    /// Parquet with the columns of a table.
    #[cfg(feature = "parquet")]
    Parquet,
    /// Rankings of several hypotheses: see [`rankings`](super::rankings).
    Rankings,
    /// Error annotations: see [`mqm`].
    Mqm,
}

impl Format {
    /// The format that the ending of a file's name tells; [`Self::Pairs`] for endings that tell nothing.
    pub fn of(input: &Input) -> Self {
        let name = input.plain_name().to_lowercase();
        match name.rsplit_once('.').unwrap_or_default().1 {
            "csv" => Self::Csv,
            "tsv" => Self::Tsv,
            "jsonl" | "ndjson" => Self::JsonLines,
            #[cfg(feature = "parquet")]
            "parquet" => Self::Parquet,
            "rankings" => Self::Rankings,
            _ => Self::Pairs,
        }
    }

    /// Whether it has named columns.
    pub fn is_table(self) -> bool {
        !matches!(self, Self::Pairs | Self::Rankings | Self::Mqm)
    }
}

impl Pair {
    /// A pair from its line `hyp1 ||| hyp2 ||| ref`. Fields may be empty, and white space around them is left out.
    ///
    /// # Errors
    /// Fewer than three fields.
    pub fn parse(line: &str, place: &str, number: usize) -> Result<Self> {
        let mut fields = fields(line).into_iter().map(str::to_owned);
        let (first, second, references) = (fields.next(), fields.next(), fields.collect::<Vec<_>>());
        match (first, second) {
            (Some(first), Some(second)) if !references.is_empty() => Ok(Self {
                hypotheses: [first, second],
                references,
                label: None,
                id: None,
                group: None,
                judges: None,
                weight: None,
                line: number,
            }),
            (_, second) => Err(Error::invalid(
                format!("{place}:{number}"),
                "3 fields separated by ' ||| '",
                if second.is_some() { "2" } else { "1" },
                "write each pair as 'hyp1 ||| hyp2 ||| ref'; a field may be empty",
            )),
        }
    }
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

/// Reads pairs one at a time, so that a file may be larger than memory.
pub struct PairReader {
    input: Input,
    rows: Rows,
    any: bool,
}

enum Rows {
    /// A pair a row.
    Plain(Box<dyn Iterator<Item = Result<Pair>> + Send>),
    /// Pairs that are made of other judgments.
    Imported(Box<dyn Importer>),
}

impl Rows {
    fn imported(importer: impl Importer + 'static) -> Self {
        Self::Imported(Box::new(importer))
    }
}

impl PairReader {
    /// Opens a file of pairs; the format is that of the file's ending unless it is given.
    ///
    /// # Errors
    /// The file cannot be read; a table lacks a column. While reading: the first line that is wrong; no pair at all.
    pub fn open(input: &Input, format: Option<Format>) -> Result<Self> {
        let rows = match format.unwrap_or_else(|| Format::of(input)) {
            Format::Pairs => {
                let place = input.to_string();
                Rows::Plain(Box::new(
                    input.lines()?.map(move |line| line.and_then(|line| Pair::parse(&line.text, &place, line.number))),
                ))
            }
            Format::Csv => Rows::Plain(Box::new(table::read_separated(input, b',')?)),
            Format::Tsv => Rows::Plain(Box::new(table::read_separated(input, b'\t')?)),
            Format::JsonLines => Rows::Plain(Box::new(table::read_json_lines(input)?)),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let rows = crate::files::rows::Rows::open(input, Some(Format::Parquet))?;
                let columns = super::tables::Columns::default();
                Rows::imported(TablePairs::of(rows, columns, Layout::Labelled))
            }
            Format::Rankings => {
                Rows::imported(Pairs::of(super::rankings::Rankings::open(input, Best::Lowest)?, Preference::default()))
            }
            Format::Mqm => {
                let annotations = Mqm::open(input, mqm::Settings::default())?;
                Rows::imported(Pairs::of(annotations, Preference::with_margin(mqm::MARGIN)))
            }
        };
        Ok(Self { input: input.clone(), rows, any: false })
    }

    /// What became of all that was read until now, where pairs are made of other judgments.
    pub fn account(&self) -> Option<&Account> {
        match &self.rows {
            Rows::Plain(_) => None,
            Rows::Imported(importer) => Some(importer.account()),
        }
    }
}

impl Iterator for PairReader {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = match &mut self.rows {
            Rows::Plain(rows) => rows.next(),
            Rows::Imported(importer) => importer.next(),
        };
        let first = !std::mem::replace(&mut self.any, true);
        if row.is_none() && first { Some(Err(no_pair(&self.input))) } else { row }
    }
}

fn no_pair(input: &Input) -> Error {
    Error::invalid(input.to_string(), "at least one pair", "none", "check that the right file was named")
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
    }

    #[test]
    fn too_few_fields_are_named_with_their_line() {
        let message = Pair::parse("a ||| b", "dev.pairs", 17).unwrap_err().to_string();
        assert!(message.starts_with("dev.pairs:17: expected 3 fields separated by ' ||| ', found 2;"), "{message}");
    }

    #[test]
    fn the_ending_tells_the_format() {
        let of = |name: &str| Format::of(&name.parse().unwrap());
        assert_eq!(of("a.CSV"), Format::Csv);
        assert_eq!(of("b.jsonl"), Format::JsonLines);
        assert_eq!(of("train.hyp1-hyp2-ref"), Format::Pairs);
        assert_eq!(of("-"), Format::Pairs);
    }
}
