//! Rankings of several hypotheses of one sentence: one line `id ||| rank ||| ref ||| hyp` per hypothesis. The highest
//! rank is the best, unless the user says otherwise; equal ranks are ties. Lines with the same id must be adjacent.
//! Next: [`super::pairing`].

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::account::Account;
use super::format::{Format, Role};
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::pairing::Pairs;
use super::preference::{LOWEST_IS_BEST, Preference, WEIGH, ties};
use crate::error::{Error, Result, quoted};
use crate::files::input::{Input, Line, Lines};
use crate::judgments::pair::fields;
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "rankings",
    about: "Rankings of several hypotheses: lines `id ||| rank ||| ref ||| hyp`, the highest rank is the best",
    details: "Every two lines of one id are a pair; equal ranks are ties.",
    sample: "s1 ||| 1 ||| the cat sat ||| a cat sat\ns1 ||| 0 ||| the cat sat ||| cats sat\n\
        s1 ||| 0 ||| the cat sat ||| cat\n",
    example: "--ties drop",
    endings: &["rankings"],
    table: None,
    role: Role::Judgments,
    options: &[&LOWEST_IS_BEST, &TIES, &WEIGH],
    open,
    scores: None,
};

const TIES: OptionSpec = ties("keep");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let preference = Preference::from_options(options, &TIES, None)?;
    Ok(Box::new(Pairs::of(Rankings::open(input)?, preference)))
}

/// Reads the lines of one id at a time.
pub struct Rankings {
    place: String,
    lines: Lines,
    /// The first line of the next id.
    next: Option<Ranked>,
    /// Hashes of the ids read so far.
    seen: HashSet<u64>,
}

/// One line of the file.
struct Ranked {
    id: String,
    rank: f64,
    reference: String,
    hypothesis: String,
    line: usize,
}

impl Rankings {
    /// Opens a file of rankings.
    ///
    /// # Errors
    /// The file cannot be read. While reading: a line without exactly four fields, a rank that is not a number, an id
    /// whose lines are not adjacent, an id with two references.
    pub fn open(input: &Input) -> Result<Self> {
        Ok(Self { place: input.to_string(), lines: input.lines()?, next: None, seen: HashSet::new() })
    }

    /// The next line, counted in the account.
    fn line(&mut self, account: &mut Account) -> Result<Option<Ranked>> {
        let line = self.lines.next().map(|line| Ranked::parse(&line?, &self.place)).transpose()?;
        account.rows_read += usize::from(line.is_some());
        Ok(line)
    }

    /// Checks that an id has not occurred before: if its lines were not adjacent, pairs would be lost.
    fn check_id(&mut self, line: &Ranked) -> Result<()> {
        if self.seen.insert(xxh3_64(line.id.as_bytes())) {
            return Ok(());
        }
        Err(Error::invalid(
            format!("{}:{}", self.place, line.line),
            "the lines of one id together",
            format!("the id {} again, after others", quoted(&line.id)),
            "sort the file, for example with `sort -s -t'|' -k1,1`",
        ))
    }

    fn two_references(&self, first: &Segment, line: &Ranked) -> Error {
        Error::invalid(
            format!("{}:{}", self.place, line.line),
            format!("the reference of line {}, which has the same id {}", first.line, quoted(&first.id)),
            "another one",
            "give each sentence an id of its own",
        )
    }
}

impl Segments for Rankings {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        let first = match self.next.take() {
            Some(line) => line,
            None => match self.line(account)? {
                Some(line) => line,
                None => return Ok(None),
            },
        };
        self.check_id(&first)?;
        let mut segment = Segment {
            id: first.id,
            references: vec![first.reference],
            hypotheses: vec![Hypothesis::ranked(1, first.rank, first.hypothesis)],
            line: first.line,
        };
        while let Some(line) = self.line(account)? {
            if line.id != segment.id {
                self.next = Some(line);
                break;
            }
            if line.reference != segment.references[0] {
                return Err(self.two_references(&segment, &line));
            }
            let number = segment.hypotheses.len() + 1;
            segment.hypotheses.push(Hypothesis::ranked(number, line.rank, line.hypothesis));
        }
        if segment.hypotheses.len() == 1 {
            account.drop_rows(1, "the only line of its id");
        }
        Ok(Some(segment))
    }
}

impl Hypothesis {
    fn ranked(number: usize, score: f64, text: String) -> Self {
        Self { name: number.to_string(), text, score, judges: Vec::new() }
    }
}

impl Ranked {
    fn parse(line: &Line, place: &str) -> Result<Self> {
        let place = || format!("{place}:{}", line.number);
        let fields = fields(&line.text);
        let &[id, rank, reference, hypothesis] = fields.as_slice() else {
            let advice = "write each hypothesis as 'id ||| rank ||| ref ||| hyp'";
            return Err(Error::invalid(place(), "4 fields separated by ' ||| '", fields.len().to_string(), advice));
        };
        let Some(number) = rank.parse().ok().filter(|rank: &f64| rank.is_finite()) else {
            let advice = "write the highest number for the best, and equal numbers for ties";
            return Err(Error::invalid(place(), "a numeric rank", quoted(rank), advice));
        };
        Ok(Self {
            id: id.to_owned(),
            rank: number,
            reference: reference.to_owned(),
            hypothesis: hypothesis.to_owned(),
            line: line.number,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(text: &str) -> (Result<Vec<crate::judgments::Pair>>, Account) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let rankings = Rankings::open(&Input::File(file.path().into())).unwrap();
        let mut pairs = Pairs::of(rankings, Preference::default());
        (pairs.by_ref().collect(), pairs.account().unwrap().clone())
    }

    #[test]
    fn the_higher_rank_is_better_and_equal_ranks_are_ties() {
        let (pairs, account) =
            read("s1 ||| 2 ||| r ||| a\ns1 ||| 1 ||| r ||| b\ns1 ||| 1 ||| r ||| c\ns2 ||| 0 ||| q ||| d\n");
        let pairs = pairs.unwrap();
        assert_eq!(pairs.len(), 3);
        for pair in &pairs {
            let better = pair.hypotheses.iter().position(|text| text == "a");
            let label = better.map_or(0, |side| [1, -1][side]);
            assert_eq!(pair.label.map(|label| label.sign()), Some(label));
        }
        assert_eq!(account.rows_read, 4);
        assert_eq!(account.rows_dropped["the only line of its id"], 1);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, part) in [
            ("s1 ||| 0 ||| r\n", ":1: expected 4 fields separated by ' ||| ', found 3;"),
            ("s1 ||| best ||| r ||| a\n", ":1: expected a numeric rank, found 'best';"),
            ("s1 ||| 1e999 ||| r ||| a\n", ":1: expected a numeric rank"),
            (
                "s1 ||| 0 ||| r ||| a\ns2 ||| 0 ||| q ||| b\ns1 ||| 1 ||| r ||| c\n",
                ":3: expected the lines of one id together",
            ),
            ("s1 ||| 0 ||| r ||| a\ns1 ||| 0 ||| q ||| b\n", ":2: expected the reference of line 1"),
        ] {
            let message = read(text).0.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
