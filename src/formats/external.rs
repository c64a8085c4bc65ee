//! Values of the user's own metrics, which other programs computed: columns `NAME.1` and `NAME.2` of a table of pairs, or
//! files beside the pairs with both values on each line, separated by a tab.

use std::ffi::OsString;
use std::sync::Arc;

use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::Input;
use crate::files::input::Line;
use crate::files::table::{Column, Header, Row};
use crate::judgments::{ExternalMetric, ExternalScore};

/// The largest absolute value that is accepted: sums of squared differences then stay finite.
const MAX_VALUE: f64 = 1e90;

/// One of the user's own metrics, and where its values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalSource {
    /// The metric.
    pub metric: ExternalMetric,
    /// The file of values; `None` for the columns `NAME.1` and `NAME.2` of the pairs.
    pub file: Option<Input>,
}

/// The user's own metrics, each with files of values for several files of pairs, or for several systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalMetrics(NamedFiles);

impl Default for ExternalMetrics {
    fn default() -> Self {
        Self(NamedFiles::new(OWN))
    }
}

/// The option that names own metrics.
const OWN: &str = "own";

/// The metric that a name stands for: `NAME-` where lower is better.
fn metric(text: &str) -> ExternalMetric {
    let (name, lower_is_better) = text.strip_suffix('-').map_or((text, false), |name| (name, true));
    ExternalMetric { name: name.to_owned(), lower_is_better }
}

/// What [`metric`] reads.
fn as_given(metric: &ExternalMetric) -> String {
    format!("{}{}", metric.name, if metric.lower_is_better { "-" } else { "" })
}

impl ExternalMetrics {
    /// Parses `NAME`, `NAME-` where lower is better, and `NAME=FILE`, which may be repeated once for each file of
    /// pairs.
    ///
    /// # Errors
    /// A name is empty; a name is repeated other than with a file each time; a metric has two directions.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let advice = "write `own` NAME for the columns NAME.1 and NAME.2, or `own` NAME=FILE; NAME- where lower is \
            better";
        let all = Self(NamedFiles::parse(OWN, "the name of a metric", texts, advice)?);
        let metrics = all.metrics();
        if let Some(nameless) = metrics.iter().find(|metric| metric.name.is_empty()) {
            let found = quoted(if nameless.lower_is_better { "-" } else { "" });
            return Err(Error::invalid("`own`", "the name of a metric", found, advice));
        }
        if let Some(twice) = metrics.iter().find(|metric| metric.lower_is_better && metric.name.ends_with('-')) {
            let (name, found) = (twice.name.trim_end_matches('-'), quoted(&format!("{}-", twice.name)));
            let advice = format!("write `own` {name}-");
            return Err(Error::invalid("`own`", "NAME, or NAME- where lower is better", found, advice));
        }
        let is_repeated = |at: &usize| metrics[..*at].iter().any(|earlier| earlier.name == metrics[*at].name);
        match (1..metrics.len()).find(is_repeated) {
            Some(at) => Err(named_twice(OWN, &metrics[at].name)),
            None => Ok(all),
        }
    }

    /// The metrics, in the order given.
    pub fn metrics(&self) -> Vec<ExternalMetric> {
        self.0.names().map(metric).collect()
    }

    /// Whether there are no metrics.
    pub fn is_empty(&self) -> bool {
        self.0.names().next().is_none()
    }

    /// All files of values.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.0.files()
    }

    /// Adds a metric that a model needs; its values are in columns unless a file was given.
    ///
    /// # Errors
    /// The metric was given the opposite direction.
    pub fn and(mut self, wanted: &ExternalMetric) -> Result<Self> {
        let named = self.metrics().into_iter().find(|known| known.name == wanted.name);
        match named.filter(|known| known != wanted) {
            None => self.0.add(&as_given(wanted)),
            Some(_) => {
                let (name, written) = (quoted(&wanted.name), as_given(wanted));
                let [better, worse] = if wanted.lower_is_better { ["lower", "higher"] } else { ["higher", "lower"] };
                return Err(Error::invalid(
                    "`own`",
                    format!("{name} with {better} values better, as the model learned it"),
                    format!("{worse} values better"),
                    format!("write `own` {written}"),
                ));
            }
        }
        Ok(self)
    }

    /// The sources of values for file number `at`, from 0, of `count` files of pairs or systems.
    ///
    /// # Errors
    /// A metric has files, but not `count` of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<ExternalSource>> {
        let sources = self.0.of_file(at, count, "values")?.into_iter();
        Ok(sources.map(|(name, file)| ExternalSource { metric: metric(&name), file }).collect())
    }
}

/// Names that the user gives with an option, each with one file for each file of pairs, or without files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedFiles {
    option: &'static str,
    named: Vec<(String, Vec<Input>)>,
}

impl NamedFiles {
    /// No names.
    pub(crate) fn new(option: &'static str) -> Self {
        Self { option, named: Vec::new() }
    }

    /// Parses `NAME` and `NAME=FILE`, which may be repeated with another file each time.
    ///
    /// # Errors
    /// A name is empty, or repeated without a file; `expected` and `advice` are for the message.
    pub(crate) fn parse(option: &'static str, expected: &str, texts: &[String], advice: &str) -> Result<Self> {
        let mut all = Self::new(option);
        for text in texts {
            let (name, file) = match text.split_once('=') {
                Some((name, file)) => (name.trim(), Some(Input::from(OsString::from(file)))),
                None => (text.trim(), None),
            };
            if name.is_empty() {
                return Err(Error::invalid(format!("`{option}`"), expected, quoted(name), advice));
            }
            match all.named.iter_mut().find(|(known, _)| known == name) {
                None => all.named.push((name.to_owned(), file.into_iter().collect())),
                Some((_, files)) if !files.is_empty() && file.is_some() => files.extend(file),
                Some(_) => return Err(named_twice(option, name)),
            }
        }
        Ok(all)
    }

    /// Adds a name without files, unless it is there.
    pub(crate) fn add(&mut self, name: &str) {
        if !self.names().any(|known| known == name) {
            self.named.push((name.to_owned(), Vec::new()));
        }
    }

    /// The names, in the order given.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// All files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Input> {
        self.named.iter().flat_map(|(_, files)| files)
    }

    /// The names with their files for file number `at`, from 0, of `count` files of pairs.
    ///
    /// # Errors
    /// A name has files of `content`, but not `count` of them.
    pub(crate) fn of_file(&self, at: usize, count: usize, content: &str) -> Result<Vec<(String, Option<Input>)>> {
        let source = |(name, files): &(String, Vec<Input>)| {
            if !files.is_empty() && files.len() != count {
                let place = format!("`{}` {}", self.option, name.trim_end_matches('-'));
                let expected = format!("{} of {content}", pluralized(count, "file"));
                let advice = "name one with NAME=FILE for each of them, in their order";
                return Err(Error::invalid(place, expected, files.len().to_string(), advice));
            }
            Ok((name.clone(), files.get(at).cloned()))
        };
        self.named.iter().map(source).collect()
    }
}

fn named_twice(option: &str, name: &str) -> Error {
    let advice = "name it once, or with one file for each file of pairs";
    Error::invalid(format!("`{option}`"), "every name once", format!("{} twice", quoted(name)), advice)
}

/// The columns of own metrics in a table of pairs.
pub(crate) struct ExternalColumns(Vec<(Arc<str>, [Column; 2])>);

impl ExternalColumns {
    /// Finds the columns of the metrics that have no file.
    ///
    /// # Errors
    /// A column is missing.
    pub(crate) fn find(header: &Header, sources: &[ExternalSource]) -> Result<Self> {
        let column = |metric: &str, side: usize| {
            let name = format!("{metric}.{side}");
            header.find(&name).filter(|_| header.has(&name)).ok_or_else(|| missing(header, metric, &name))
        };
        let names = sources.iter().filter(|source| source.file.is_none()).map(|source| source.metric.name.as_str());
        let columns = |name: &str| Ok((Arc::from(name), [column(name, 1)?, column(name, 2)?]));
        Ok(Self(names.map(columns).collect::<Result<_>>()?))
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
        self.0.iter().map(score).collect()
    }
}

fn missing(header: &Header, metric: &str, column: &str) -> Error {
    let expected = format!("the columns {metric}.1 and {metric}.2 of the own metric {}", quoted(metric));
    let found = format!("no column {} among {}", quoted(column), joined(header.columns()));
    let advice = if header.is_in_memory() {
        "rename the columns, or give its values with the pairs, two per pair".to_owned()
    } else {
        format!("rename the columns, or give its values in a file, one line per pair: `own` {metric}=FILE")
    };
    header.missing(&expected, found, &advice)
}

fn check_size(value: f64, location: impl Fn() -> String) -> Result<f64> {
    if value.abs() <= MAX_VALUE {
        return Ok(value);
    }
    Err(Error::invalid(location(), format!("a number up to {MAX_VALUE:e}"), format!("{value:e}"), ""))
}

/// The values of the two hypotheses of a pair.
pub(super) fn two_numbers(line: &Line, input: &Input) -> Result<[f64; 2]> {
    let numbers: Vec<Option<f64>> = line.text.split('\t').map(number).collect();
    let [Some(first), Some(second)] = numbers[..] else {
        return Err(Error::invalid(
            format!("{input}:{}", line.number),
            "two numbers separated by a tab, one for each hypothesis",
            quoted(&line.text),
            "write one line per pair, without a header, with both numbers",
        ));
    };
    let location = || format!("{input}:{}", line.number);
    Ok([check_size(first, location)?, check_size(second, location)?])
}

/// Reads one number per line.
///
/// # Errors
/// The file cannot be read; a line is not a finite number.
pub fn read_numbers(input: &Input) -> Result<Vec<f64>> {
    let value = |line: Result<Line>| {
        let line = line?;
        let location = || format!("{input}:{}", line.number);
        let advice = "write one line per segment, without a header";
        let value =
            number(&line.text).ok_or_else(|| Error::invalid(location(), "a number", quoted(&line.text), advice))?;
        check_size(value, location)
    };
    input.lines()?.map(value).collect()
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<ExternalMetrics> {
        ExternalMetrics::parse(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    fn lower(name: &str) -> ExternalMetric {
        ExternalMetric { name: name.into(), lower_is_better: true }
    }

    #[test]
    fn names_have_a_direction_and_files() {
        let own = parse(&["comet", "ter-", "judge=a.tsv", "judge=b.tsv", "mx-=-"]).unwrap();
        let metrics = [ExternalMetric::new("comet"), lower("ter"), ExternalMetric::new("judge"), lower("mx")];
        assert_eq!(own.metrics(), metrics);
        assert_eq!(own.files().count(), 3);
        assert!(own.files().any(|file| *file == Input::Stdin));
        assert!(own.of_file(0, 2).is_err(), "one file for two of pairs");
        let second = parse(&["judge=a.tsv", "comet", "judge=b.tsv"]).unwrap().of_file(1, 2).unwrap();
        let files: Vec<_> = second.iter().map(|source| source.file.as_ref().map(Input::to_string)).collect();
        assert_eq!(files, [Some("b.tsv".to_owned()), None]);
        for wrong in [&[""][..], &["-"], &["=x"], &["a", "a"], &["a", "a-"], &["a=x", "a-=y"], &["a", "a=x"], &["a--"]]
        {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_model_asks_for_the_direction_that_it_learned() {
        let own = parse(&["ter-=x"]).unwrap().and(&lower("ter")).unwrap();
        let own = own.and(&ExternalMetric::new("comet")).unwrap();
        assert_eq!(own.metrics(), [lower("ter"), ExternalMetric::new("comet")]);
        assert!(parse(&["ter"]).unwrap().and(&lower("ter")).is_err());
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
