//! Metrics of the user's own. In: `NAME`, `NAME-`, `NAME=FILE`, and files or columns with their values. Out: an
//! [`OwnScore`] a metric for every pair. Next: [`super::reader`].
//!
//! In a table the columns `NAME.1` and `NAME.2` hold what the two hypotheses got; a file beside the pairs has a line a
//! pair with both numbers, separated by a tab.

use std::ffi::OsString;
use std::sync::Arc;

use crate::error::{Error, Result, listed, shown};
use crate::files::Input;
use crate::files::input::{Line, Lines, empty};
use crate::files::table::{Column, Row, Rows};
use crate::judgments::{OwnMetric, OwnScore, Pair};
use crate::options::{OptionSpec, Options, Value, any_text};

/// The own metrics whose values stand in columns of the table of pairs.
pub(crate) const OWN_COLUMNS: OptionSpec = OptionSpec {
    name: "own",
    value: Value::Many { placeholder: "NAME", default: None, check: any_text },
    help: "Metrics of the user's own, whose values stand in the columns NAME.1 and NAME.2",
};

/// Whether pairs may be without a reference.
pub(crate) const WITHOUT_REFERENCES: OptionSpec = OptionSpec::switch("only-own", "Pairs may be without a reference");

/// The largest value that is read: squares of differences, and their sums, are numbers then.
const LARGEST: f64 = 1e90;

/// A metric of the user's own, and where its values stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSource {
    /// The metric.
    pub metric: OwnMetric,
    /// The file; none: the columns `NAME.1` and `NAME.2` of the pairs.
    pub file: Option<Input>,
}

/// The own metrics that somebody names, each with files for several files of pairs, or of systems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnMetrics {
    named: Vec<(OwnMetric, Vec<Input>)>,
}

impl OwnMetrics {
    /// From `NAME`, `NAME-` where lower is better, and `NAME=FILE`, which may come once for each file of pairs.
    ///
    /// # Errors
    /// No name, a name twice, or two directions of one metric.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let mut all = Self::default();
        for text in texts {
            let (name, file) = match text.split_once('=') {
                Some((name, file)) => (name, Some(file)),
                None => (text.as_str(), None),
            };
            all.add(name.trim(), file.map(|file| Input::from(OsString::from(file))))?;
        }
        Ok(all)
    }

    fn add(&mut self, text: &str, file: Option<Input>) -> Result<()> {
        let (name, lower_is_better) = text.strip_suffix('-').map_or((text, false), |name| (name, true));
        if name.is_empty() {
            let advice =
                "write --own NAME for the columns NAME.1 and NAME.2, or --own NAME=FILE; NAME- where lower is better";
            return Err(Error::invalid("--own", "the name of a metric", shown(text), advice));
        }
        let metric = OwnMetric { name: name.to_owned(), lower_is_better };
        match self.named.iter_mut().find(|(known, _)| known.name == metric.name) {
            None => self.named.push((metric, file.into_iter().collect())),
            Some((known, files)) if *known == metric && !files.is_empty() && file.is_some() => files.extend(file),
            Some(_) => {
                let advice = "name it once, or with one file for each file of pairs";
                return Err(Error::invalid("--own", "every metric once", format!("{} twice", shown(name)), advice));
            }
        }
        Ok(())
    }

    /// The metrics, in the order in which they were named.
    pub fn metrics(&self) -> Vec<OwnMetric> {
        self.named.iter().map(|(metric, _)| metric.clone()).collect()
    }

    /// True where none is named.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.named.iter().flat_map(|(_, files)| files)
    }

    /// The same, where these metrics are asked for besides, with values in columns unless a file was named.
    ///
    /// # Errors
    /// A metric has two directions.
    pub fn and(mut self, metrics: &[OwnMetric]) -> Result<Self> {
        for metric in metrics {
            match self.named.iter_mut().find(|(known, _)| known.name == metric.name) {
                None => self.named.push((metric.clone(), Vec::new())),
                Some((known, _)) if known == metric => {}
                Some((known, _)) => {
                    let direction = |metric: &OwnMetric| if metric.lower_is_better { "lower" } else { "higher" };
                    return Err(Error::invalid(
                        "--own",
                        format!(
                            "{} with {} values better, as the model learned it",
                            shown(&known.name),
                            direction(metric)
                        ),
                        format!("{} values better", direction(known)),
                        "leave the direction to the model: name the metric as it does",
                    ));
                }
            }
        }
        Ok(self)
    }

    /// Where the values stand for one of several files of pairs, or of one system of several.
    ///
    /// # Errors
    /// A metric has files, but another number of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<OwnSource>> {
        let source = |(metric, files): &(OwnMetric, Vec<Input>)| {
            if !files.is_empty() && files.len() != count {
                let place = format!("--own {}", metric.name);
                let advice = "name one with NAME=FILE for each of them, in their order";
                let expected =
                    if count == 1 { "1 file of values".to_owned() } else { format!("{count} files of values") };
                return Err(Error::invalid(place, expected, files.len().to_string(), advice));
            }
            Ok(OwnSource { metric: metric.clone(), file: files.get(at).cloned() })
        };
        self.named.iter().map(source).collect()
    }
}

/// Where the values of own metrics stand in a table.
pub(crate) struct OwnColumns {
    columns: Vec<(Arc<str>, [Column; 2])>,
}

impl OwnColumns {
    /// Finds the columns that [`OWN_COLUMNS`] asks for.
    ///
    /// # Errors
    /// One is missing.
    pub(crate) fn find(rows: &Rows, options: &Options) -> Result<Self> {
        let column = |metric: &str, side: usize| {
            let name = format!("{metric}.{side}");
            rows.find(&name).filter(|_| rows.has(&name)).ok_or_else(|| missing(rows, metric, &name))
        };
        let columns = |name: &str| Ok((Arc::from(name), [column(name, 1)?, column(name, 2)?]));
        Ok(Self { columns: options.texts(&OWN_COLUMNS).into_iter().map(columns).collect::<Result<_>>()? })
    }

    /// What own metrics say of the pair in a row.
    pub(crate) fn of(&self, row: &Row) -> Result<Vec<OwnScore>> {
        let value = |column: &Column| {
            let value = row.number(column)?;
            check_size(value, || format!("{}, column {}", row.place(), shown(column.name())))
        };
        let score = |(name, [first, second]): &(Arc<str>, [Column; 2])| {
            Ok(OwnScore { name: name.clone(), values: [value(first)?, value(second)?] })
        };
        self.columns.iter().map(score).collect()
    }
}

fn missing(rows: &Rows, metric: &str, column: &str) -> Error {
    Error::invalid(
        format!("{}:1", rows.place()),
        format!("the columns {metric}.1 and {metric}.2 of the own metric {}", shown(metric)),
        format!("no column {} among {}", shown(column), listed(rows.columns())),
        format!("name the columns so, or give its values in a file, a line a pair: --own {metric}=FILE"),
    )
}

fn check_size(value: f64, place: impl Fn() -> String) -> Result<f64> {
    if value.abs() <= LARGEST {
        return Ok(value);
    }
    let (expected, advice) = (format!("a number up to {LARGEST:e}"), "mend that row");
    Err(Error::invalid(place(), expected, format!("{value:e}"), advice))
}

/// Files of values beside the pairs, read with them.
pub(crate) struct OwnFiles {
    files: Vec<OwnFile>,
}

struct OwnFile {
    name: Arc<str>,
    input: Input,
    lines: Lines,
    /// Lines that were read.
    read: usize,
}

impl OwnFiles {
    /// Opens the files among some sources.
    ///
    /// # Errors
    /// One cannot be read.
    pub(crate) fn open(sources: &[OwnSource]) -> Result<Self> {
        let open = |(metric, input): (&OwnMetric, &Input)| {
            Ok(OwnFile { name: Arc::from(metric.name.as_str()), input: input.clone(), lines: input.lines()?, read: 0 })
        };
        let files = sources.iter().filter_map(|source| Some((&source.metric, source.file.as_ref()?)));
        Ok(Self { files: files.map(open).collect::<Result<_>>()? })
    }

    /// Adds the next value of each to a pair; none is left: which file ended, after so many lines.
    pub(crate) fn add_to(&mut self, pair: &mut Pair) -> Result<Option<(Input, usize)>> {
        for file in &mut self.files {
            let Some(line) = file.lines.next().transpose()? else {
                return if file.read == 0 {
                    Err(empty(&file.input, "two numbers a line, separated by a tab"))
                } else {
                    Ok(Some((file.input.clone(), file.read)))
                };
            };
            file.read += 1;
            pair.own.push(OwnScore { name: file.name.clone(), values: two_numbers(&line, &file.input)? });
        }
        Ok(None)
    }

    /// A file that has more lines than there were pairs, and how many it has.
    pub(crate) fn longer(&mut self) -> Result<Option<(Input, usize)>> {
        for file in &mut self.files {
            let more = file.lines.by_ref().map(|line| line.map(|_| 1)).sum::<Result<usize>>()?;
            if more > 0 {
                return Ok(Some((file.input.clone(), file.read + more)));
            }
        }
        Ok(None)
    }
}

/// What the two hypotheses of a pair got.
fn two_numbers(line: &Line, input: &Input) -> Result<[f64; 2]> {
    let numbers: Vec<Option<f64>> = line.text.split('\t').map(number).collect();
    let [Some(first), Some(second)] = numbers[..] else {
        return Err(Error::invalid(
            format!("{input}:{}", line.number),
            "two numbers separated by a tab, one for each hypothesis",
            shown(&line.text),
            "write a line for each pair, without a header; every pair needs both numbers",
        ));
    };
    let place = || format!("{input}:{}", line.number);
    Ok([check_size(first, place)?, check_size(second, place)?])
}

/// One number a line.
///
/// # Errors
/// The file cannot be read; a line that is no number.
pub fn read_numbers(input: &Input) -> Result<Vec<f64>> {
    let value = |line: Result<Line>| {
        let line = line?;
        let place = || format!("{input}:{}", line.number);
        let advice = "write a line for each segment, without a header";
        let value = number(&line.text).ok_or_else(|| Error::invalid(place(), "a number", shown(&line.text), advice))?;
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

    fn parse(texts: &[&str]) -> Result<OwnMetrics> {
        OwnMetrics::parse(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_have_a_direction_and_files() {
        let own = parse(&["comet", "ter-", "judge=a.tsv", "judge=b.tsv", "mx-=-"]).unwrap();
        let lower = |name: &str| OwnMetric { name: name.into(), lower_is_better: true };
        assert_eq!(own.metrics(), [OwnMetric::new("comet"), lower("ter"), OwnMetric::new("judge"), lower("mx")]);
        assert_eq!(own.files().count(), 3);
        assert!(own.files().any(|file| *file == Input::Stdin));
        assert!(own.of_file(0, 2).is_err(), "one file for two of pairs");
    }

    #[test]
    fn each_file_of_pairs_has_its_own() {
        let own = parse(&["judge=a.tsv", "comet", "judge=b.tsv"]).unwrap();
        let second = own.of_file(1, 2).unwrap();
        assert_eq!(second[0], OwnSource { metric: OwnMetric::new("judge"), file: Some("b.tsv".parse().unwrap()) });
        assert_eq!(second[1], OwnSource { metric: OwnMetric::new("comet"), file: None });
    }

    #[test]
    fn a_model_asks_for_the_direction_that_it_learned() {
        let lower = OwnMetric { name: "ter".into(), lower_is_better: true };
        let own = parse(&["ter-=x"]).unwrap().and(&[lower.clone(), OwnMetric::new("comet")]).unwrap();
        assert_eq!(own.metrics(), [lower.clone(), OwnMetric::new("comet")]);
        assert!(parse(&["ter"]).unwrap().and(&[lower]).is_err());
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for wrong in [&[""][..], &["-"], &["=x"], &["a", "a"], &["a", "a-"], &["a=x", "a-=y"], &["a", "a=x"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

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
