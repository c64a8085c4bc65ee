//! Rankings of several hypotheses of one sentence: one line `id ||| rank ||| ref ||| hyp` per hypothesis. The highest
//! rank is the best, unless the user says otherwise; equal ranks are ties. Lines with the same id must be adjacent.

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use super::format::{Format, Reading, Role};
use super::import::Importer;
use super::scores::{Hypothesis, LOWEST_IS_BEST, Preference, Segment, WEIGH, pairs_of_segments, ties};
use super::summary::ImportSummary;
use crate::error::{Error, Result, quoted};
use crate::files::input::{Input, Line, Lines};
use crate::judgments::pair::fields;
use crate::options::OptionSpec;

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "rankings",
    about: "Rankings of several hypotheses: lines `id ||| rank ||| ref ||| hyp`, the highest rank is the best",
    details: "All pairs of hypotheses with the same id are formed; equal ranks are ties.",
    sample: "s1 ||| 1 ||| the cat sat ||| a cat sat\ns1 ||| 0 ||| the cat sat ||| cats sat\n\
        s1 ||| 0 ||| the cat sat ||| cat\n",
    example: "--human-ties drop",
    endings: &["rankings"],
    table: None,
    role: Role::Judgments,
    options: &[&LOWEST_IS_BEST, &TIES, &WEIGH],
    open,
    scores: None,
};

const TIES: OptionSpec = ties("keep");

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let preference = Preference::from_options(&reading.options, None)?;
    let (source_name, lines) = (input.to_string(), input.lines()?);
    let mut rankings = Rankings { source_name, lines, next: None, seen: HashSet::new() };
    let pairs = pairs_of_segments(input, preference, 1, move |summary| rankings.segment(summary));
    Ok(pairs.with_ties(&reading.options, &TIES))
}

/// Reads the lines of one id at a time.
struct Rankings {
    source_name: String,
    lines: Lines,
    /// The first line of the next id.
    next: Option<Segment>,
    /// Hashes of the ids read so far.
    seen: HashSet<u64>,
}

impl Rankings {
    fn segment(&mut self, summary: &mut ImportSummary) -> Result<Option<Segment>> {
        let first = self.next.take().map_or_else(|| self.line(summary), |first| Ok(Some(first)))?;
        let Some(mut segment) = first else { return Ok(None) };
        self.check_id(&segment)?;
        while let Some(line) = self.line(summary)? {
            if line.id != segment.id {
                self.next = Some(line);
                break;
            }
            if line.references != segment.references {
                return Err(self.two_references(&segment, &line));
            }
            segment.hypotheses.extend(line.hypotheses);
        }
        for (hypothesis, number) in segment.hypotheses.iter_mut().zip(1..) {
            hypothesis.name = number.to_string();
        }
        if segment.hypotheses.len() == 1 {
            summary.drop_rows(1, "the only line of its id");
        }
        Ok(Some(segment))
    }

    /// The next line, as a segment with one hypothesis.
    fn line(&mut self, summary: &mut ImportSummary) -> Result<Option<Segment>> {
        let line = self.lines.next().map(|line| parse(&line?, &self.source_name)).transpose()?;
        summary.rows_read += usize::from(line.is_some());
        Ok(line)
    }

    /// Checks that an id has not occurred before: if its lines were not adjacent, pairs would be lost.
    fn check_id(&mut self, segment: &Segment) -> Result<()> {
        if self.seen.insert(xxh3_64(segment.id.as_bytes())) {
            return Ok(());
        }
        Err(Error::invalid(
            format!("{}:{}", self.source_name, segment.line),
            "the lines of one id together",
            format!("the id {} again, after others", quoted(&segment.id)),
            "sort the file, for example with `sort -s -t'|' -k1,1`",
        ))
    }

    fn two_references(&self, first: &Segment, line: &Segment) -> Error {
        Error::invalid(
            format!("{}:{}", self.source_name, line.line),
            format!("the reference of line {}, which has the same id {}", first.line, quoted(&first.id)),
            "another one",
            "give each sentence an id of its own",
        )
    }
}

fn parse(line: &Line, source_name: &str) -> Result<Segment> {
    let location = || format!("{source_name}:{}", line.number);
    let fields = fields(&line.text);
    let [id, rank, reference, hypothesis] = fields[..] else {
        let advice = "write each hypothesis as 'id ||| rank ||| ref ||| hyp'";
        return Err(Error::invalid(location(), "4 fields separated by ' ||| '", fields.len().to_string(), advice));
    };
    let score = rank.parse().ok().filter(|rank: &f64| rank.is_finite());
    if score.is_none() {
        let advice = "write the highest number for the best, and equal numbers for ties";
        return Err(Error::invalid(location(), "a numeric rank", quoted(rank), advice));
    }
    Ok(Segment {
        id: id.to_owned(),
        references: vec![reference.to_owned()],
        hypotheses: vec![Hypothesis {
            own: Vec::new(),
            name: String::new(),
            text: hypothesis.to_owned(),
            score,
            annotators: Vec::new(),
        }],
        source: None,
        line: line.number,
    })
}
