//! Values of the user's own metrics. In: columns of a table, or files beside the pairs. Out: one [`ExternalScore`] per
//! metric for every pair. Next: [`super::super::reader`].
//!
//! In a table, the columns `NAME.1` and `NAME.2` hold the values of the two hypotheses. A file beside the pairs has one
//! line per pair, with both values separated by a tab.

use std::sync::Arc;

use super::{ExternalSource, OWN_COLUMNS};
use crate::error::{Error, Result, joined, quoted};
use crate::files::Input;
use crate::files::input::{Line, Lines, empty};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{ExternalMetric, ExternalScore, Pair};
use crate::options::Options;

/// The largest absolute value that is accepted: sums of squared differences then stay finite.
const LARGEST: f64 = 1e90;

/// The columns of own metrics in a table.
pub(crate) struct OwnColumns {
    columns: Vec<(Arc<str>, [Column; 2])>,
}

impl OwnColumns {
    /// Finds the columns that [`OWN_COLUMNS`] asks for.
    ///
    /// # Errors
    /// A column is missing.
    pub(crate) fn find(header: &Header, options: &Options) -> Result<Self> {
        let column = |metric: &str, side: usize| {
            let name = format!("{metric}.{side}");
            header.find(&name).filter(|_| header.has(&name)).ok_or_else(|| missing(header, metric, &name))
        };
        let columns = |name: &str| Ok((Arc::from(name), [column(name, 1)?, column(name, 2)?]));
        Ok(Self { columns: options.texts(&OWN_COLUMNS).into_iter().map(columns).collect::<Result<_>>()? })
    }

    /// The own metrics' values for the pair in a row.
    pub(crate) fn of(&self, row: &Row<'_>) -> Result<Vec<ExternalScore>> {
        let value = |column: &Column| {
            let value = row.number(column)?;
            check_size(value, || format!("{}, column {}", row.place(), quoted(column.name())))
        };
        let score = |(name, [first, second]): &(Arc<str>, [Column; 2])| {
            Ok(ExternalScore { name: name.clone(), values: [value(first)?, value(second)?] })
        };
        self.columns.iter().map(score).collect()
    }
}

fn missing(header: &Header, metric: &str, column: &str) -> Error {
    let expected = format!("the columns {metric}.1 and {metric}.2 of the own metric {}", quoted(metric));
    let found = format!("no column {} among {}", quoted(column), joined(header.columns()));
    let advice = if header.is_in_memory() {
        "name the columns so, or give its values beside the pairs, two for each pair".to_owned()
    } else {
        format!("name the columns so, or give its values in a file, one line per pair: --own {metric}=FILE")
    };
    header.missing(&expected, found, &advice)
}

fn check_size(value: f64, place: impl Fn() -> String) -> Result<f64> {
    if value.abs() <= LARGEST {
        return Ok(value);
    }
    let (expected, advice) = (format!("a number up to {LARGEST:e}"), "correct that row");
    Err(Error::invalid(place(), expected, format!("{value:e}"), advice))
}

/// Files of values, read in step with the pairs.
pub(crate) struct ExternalFiles {
    files: Vec<ExternalFile>,
}

/// A file with too few or too many lines.
pub(crate) struct Ended {
    pub(crate) file: Input,
    /// The number of its lines.
    pub(crate) lines: usize,
}

struct ExternalFile {
    name: Arc<str>,
    input: Input,
    lines: Lines,
    /// Lines read so far.
    read: usize,
}

impl ExternalFiles {
    /// Opens the files that the sources name.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn open(sources: &[ExternalSource]) -> Result<Self> {
        let open = |(metric, input): (&ExternalMetric, &Input)| {
            Ok(ExternalFile {
                name: Arc::from(metric.name.as_str()),
                input: input.clone(),
                lines: input.lines()?,
                read: 0,
            })
        };
        let files = sources.iter().filter_map(|source| Some((&source.metric, source.file.as_ref()?)));
        Ok(Self { files: files.map(open).collect::<Result<_>>()? })
    }

    /// Adds the next value of each metric to a pair; if a file has no more lines, returns which one and its length.
    pub(crate) fn add_to(&mut self, pair: &mut Pair) -> Result<Option<Ended>> {
        for file in &mut self.files {
            let Some(line) = file.lines.next().transpose()? else {
                return if file.read == 0 {
                    Err(empty(&file.input, "two numbers a line, separated by a tab"))
                } else {
                    Ok(Some(Ended { file: file.input.clone(), lines: file.read }))
                };
            };
            file.read += 1;
            pair.own.push(ExternalScore { name: file.name.clone(), values: two_numbers(&line, &file.input)? });
        }
        Ok(None)
    }

    /// A file that has more lines than there are pairs, with its length.
    pub(crate) fn longer(&mut self) -> Result<Option<Ended>> {
        for file in &mut self.files {
            let more = file.lines.by_ref().map(|line| line.map(|_| 1)).sum::<Result<usize>>()?;
            if more > 0 {
                return Ok(Some(Ended { file: file.input.clone(), lines: file.read + more }));
            }
        }
        Ok(None)
    }
}

/// The values of the two hypotheses of a pair.
fn two_numbers(line: &Line, input: &Input) -> Result<[f64; 2]> {
    let numbers: Vec<Option<f64>> = line.text.split('\t').map(number).collect();
    let [Some(first), Some(second)] = numbers[..] else {
        return Err(Error::invalid(
            format!("{input}:{}", line.number),
            "two numbers separated by a tab, one for each hypothesis",
            quoted(&line.text),
            "write a line for each pair, without a header; every pair needs both numbers",
        ));
    };
    let place = || format!("{input}:{}", line.number);
    Ok([check_size(first, place)?, check_size(second, place)?])
}

/// Reads one number per line.
///
/// # Errors
/// The file cannot be read; a line is not a finite number.
pub fn read_numbers(input: &Input) -> Result<Vec<f64>> {
    let value = |line: Result<Line>| {
        let line = line?;
        let place = || format!("{input}:{}", line.number);
        let advice = "write a line for each segment, without a header";
        let value =
            number(&line.text).ok_or_else(|| Error::invalid(place(), "a number", quoted(&line.text), advice))?;
        check_size(value, place)
    };
    input.lines()?.map(value).collect()
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_two_numbers() {
        let read = |text: &str| two_numbers(&Line { number: 3, text: text.into() }, &"x.tsv".parse().unwrap());
        assert_eq!(read("0.5\t -1e3").unwrap(), [0.5, -1000.0]);
        for wrong in ["", "1", "1 2", "1\t", "1\t2\t3", "nan\t1", "1\tinf", "a\tb", "1e91\t0"] {
            let message = read(wrong).unwrap_err().to_string();
            assert!(message.starts_with("x.tsv:3: expected "), "{message}");
        }
    }
}
