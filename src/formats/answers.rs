//! Verdicts in files: answers with one verdict per line, from people or from `predict`, and names of labels.

use std::str::FromStr;

use serde::Deserialize;

use crate::error::{Error, Result, json_fault, quoted};
use crate::files::input::{self, Input, Line};
use crate::judgments::Verdict;
use crate::options::{OptionSpec, Options, Value, did_you_mean, reads_as};

/// The names of labels in tables and in files of answers.
pub const LABELS: OptionSpec = OptionSpec {
    name: "labels",
    value: Value::Many { placeholder: "NAME=LABEL", default: None, check: reads_as::<LabelName> },
    help: "Names of labels, such as left=1,right=-1,tie=0; 1=-1,0=0,-1=1 reverses them [default: 1, 0 and -1]",
};

/// A name of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LabelName {
    name: String,
    verdict: Verdict,
}

/// Names of verdicts; by default 1, 0 and -1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelNames {
    names: Vec<LabelName>,
    /// Whether the user can give others with `labels`.
    can_be_given: bool,
}

impl LabelNames {
    /// The names that the options give.
    ///
    /// # Errors
    /// One name is given to two verdicts.
    pub fn from_options(options: &Options) -> Result<Self> {
        let mut names: Vec<LabelName> = Vec::new();
        for text in options.texts(&LABELS) {
            let given: LabelName = text.parse()?;
            if let Some(known) = names.iter().find(|known| known.is(&given.name) && known.verdict != given.verdict) {
                let found = format!("{}={} and {text}", known.name, known.verdict);
                return Err(Error::invalid("`labels`", "one label for each name", found, "leave out one of them"));
            }
            names.push(given);
        }
        Ok(Self { names, can_be_given: true })
    }

    /// The verdict that a text stands for.
    ///
    /// # Errors
    /// The text is not one of the names.
    pub(crate) fn read(&self, text: &str, place: &str) -> Result<Verdict> {
        if self.names.is_empty() {
            return Verdict::parse(text).ok_or_else(|| self.wrong_label(text, place));
        }
        let found = self.names.iter().find(|known| known.is(text.trim()));
        found.map(|found| found.verdict).ok_or_else(|| self.unknown(text, place))
    }

    fn unknown(&self, text: &str, place: &str) -> Error {
        let names = || self.names.iter().map(|known| known.name.as_str());
        let advice = format!("{}name all labels of the file with `labels`", did_you_mean(text.trim(), names()));
        let known = names().collect::<Vec<_>>().join(", ");
        Error::invalid(place, format!("one of the labels {known}"), quoted(text), advice)
    }

    /// The error for a text that is not a label.
    fn wrong_label(&self, text: &str, place: &str) -> Error {
        let found = if text.trim().is_empty() { "an empty line or cell".to_owned() } else { quoted(text) };
        let mut advice = "write 1 where the first hypothesis is better, -1 where the second is, 0 for a tie".to_owned();
        if self.can_be_given && text.contains(char::is_alphabetic) {
            advice += ", or name your labels: `labels` left=1,right=-1,tie=0";
        }
        Error::invalid(place, "a label 1, 0 or -1", found, advice)
    }
}

impl LabelName {
    /// Whether a text is this name; numbers are compared by value, so that 1 is 1.0.
    fn is(&self, text: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        self.name == text || number(&self.name).is_some_and(|name| number(text) == Some(name))
    }
}

impl FromStr for LabelName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = text.rsplit_once('=').and_then(|(name, label)| Some((name.trim(), Verdict::parse(label)?)));
        let Some((name, verdict)) = named.filter(|(name, _)| !name.is_empty()) else {
            let advice = "write, for example, left=1,right=-1,tie=0";
            return Err(Error::invalid("`labels`", "NAME=1, NAME=0 or NAME=-1", quoted(text), advice));
        };
        Ok(Self { name: name.to_owned(), verdict })
    }
}

/// What a file of answers is for, where it is empty.
pub(crate) const EXPECTED: &str = "one verdict per line";

/// Reads one verdict per line: one of the names, by default `1`, `0` or `-1`, or an object that holds a verdict, as
/// `predict --json` writes.
///
/// # Errors
/// A line holds no verdict; the file is empty.
pub fn read(input: &Input, names: &LabelNames) -> Result<Vec<Verdict>> {
    let mut last = 0;
    let verdicts = input.lines()?.map(|line| verdict(&line?, input, names, &mut last));
    let verdicts: Vec<Verdict> = verdicts.collect::<Result<_>>()?;
    if verdicts.is_empty() { Err(input::empty(input, EXPECTED)) } else { Ok(verdicts) }
}

/// Reads the verdicts for a file of `count` pairs.
///
/// # Errors
/// As [`read`]; the number of verdicts differs from that of the pairs.
pub fn read_for(input: &Input, pairs: &Input, count: usize) -> Result<Vec<Verdict>> {
    let verdicts = read(input, &LabelNames::default())?;
    check_count(input, pairs, verdicts.len(), count)?;
    Ok(verdicts)
}

/// Checks that there are as many verdicts as pairs.
///
/// # Errors
/// The numbers differ.
pub fn check_count(input: &Input, pairs: &Input, verdicts: usize, count: usize) -> Result<()> {
    input::check_lines(input, verdicts, count, format!("{count} lines, one for each pair of {pairs}"))
}

/// The verdict of a line; `last` is the line of the last pair that an object was about.
pub(crate) fn verdict(line: &Line, input: &Input, names: &LabelNames, last: &mut u64) -> Result<Verdict> {
    let location = format!("{input}:{}", line.number);
    if line.text.trim_start().starts_with('{') {
        return object(&line.text, &location, last);
    }
    names.read(&line.text, &location)
}

/// The keys that are read of an object; all others, such as probabilities, are ignored.
#[derive(Deserialize)]
struct Object {
    verdict: serde_json::Value,
    /// The line of the pair.
    line: Option<u64>,
}

/// The verdict of an object. Objects must be in the order of their pairs: `last` is the line of the last pair.
fn object(text: &str, location: &str, last: &mut u64) -> Result<Verdict> {
    let object: Object = serde_json::from_str(text).map_err(|error| {
        let expected = "an object with the key 'verdict'";
        Error::invalid(location, expected, json_fault(&error), "name a file that `predict --json` wrote")
    })?;
    if let Some(number) = object.line {
        if number <= *last {
            let expected = format!("the verdict on a pair after line {last}");
            let advice = "sort the verdicts by 'line', in the order of the pairs";
            return Err(Error::invalid(location, expected, format!("the one of line {number}"), advice));
        }
        *last = number;
    }
    let text = object.verdict.as_str().map_or_else(|| object.verdict.to_string(), str::to_owned);
    LabelNames::default().read(&text, location)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_hold_verdicts_in_the_order_of_their_pairs() {
        let read = |lines: &[&str]| {
            let mut last = 0;
            lines.iter().map(|line| object(line, "x:2", &mut last)).collect::<Result<Vec<_>>>()
        };
        let lines = [r#"{"line": 2, "verdict": 1, "probabilities": {"1": 0.5}}"#, r#"{"verdict": "-1", "line": 4}"#];
        assert_eq!(read(&lines).unwrap(), [Verdict::First, Verdict::Second]);
        for (lines, start) in [
            (&[r#"{"line": 1}"#][..], "x:2: expected an object with the key 'verdict', found "),
            (&[r#"{"verdict": 2}"#], "x:2: expected a label 1, 0 or -1, found '2'"),
            (
                &[r#"{"line": 2, "verdict": 1}"#, r#"{"line": 1, "verdict": 1}"#],
                "x:2: expected the verdict on a pair after line 2, found the one of line 1",
            ),
        ] {
            let message = read(lines).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }

    fn names(given: &[&str]) -> Result<LabelNames> {
        let mut options = Options::default();
        given.iter().try_for_each(|text| options.set(&LABELS, text))?;
        LabelNames::from_options(&options)
    }

    #[test]
    fn names_say_verdicts() {
        let named = names(&["A=1", "B=-1", " tie =0", "B2=-1"]).unwrap();
        for (text, verdict) in [("A", Verdict::First), (" B ", Verdict::Second), ("tie", Verdict::Tie)] {
            assert_eq!(named.read(text, "x").unwrap(), verdict);
        }
        let turned = names(&["1=-1", "0=0", "-1=1"]).unwrap();
        assert_eq!(turned.read("1.0", "x").unwrap(), Verdict::Second);
        assert_eq!(LabelNames::default().read("1.0", "x").unwrap(), Verdict::First);
    }

    #[test]
    fn other_names_are_told_with_those_that_are_known() {
        let message = names(&["left=1", "right=-1"]).unwrap().read("Left", "x:3").unwrap_err().to_string();
        let told = "x:3: expected one of the labels left, right, found 'Left'; did you mean 'left'? name all labels";
        assert!(message.starts_with(told), "{message}");
        assert!(names(&["left=1"]).unwrap().read("1", "x").is_err());
        for wrong in [&["left"][..], &["=1"], &["left=2"], &["left=1", "left=0"], &["1=1", "1.0=-1"]] {
            assert!(names(wrong).is_err(), "{wrong:?}");
        }
    }
}
