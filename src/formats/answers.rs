//! Answers: a file with one verdict per line, from people or from `predict`.

use serde::Deserialize;

use super::labels::LabelNames;
use crate::error::{Error, Result, json_fault};
use crate::files::input::{self, Input, Line};
use crate::judgments::Verdict;

/// Reads one verdict per line: `1`, `0` or `-1`, or an object that holds it, as `predict --json` writes.
///
/// # Errors
/// A line holds no verdict; the file is empty.
pub fn read(input: &Input) -> Result<Vec<Verdict>> {
    read_named(input, &LabelNames::default())
}

/// As [`read`], with other names for the verdicts.
///
/// # Errors
/// As [`read`].
pub fn read_named(input: &Input, names: &LabelNames) -> Result<Vec<Verdict>> {
    let verdicts: Vec<Verdict> = lines(input, names)?.collect::<Result<_>>()?;
    if verdicts.is_empty() {
        return Err(input::empty(input, "one verdict per line"));
    }
    Ok(verdicts)
}

/// The verdict on one pair; `at` counts from 0. The file is read only up to that line.
///
/// # Errors
/// As [`read`]; the file ends too early. `pairs` is the file of the pairs, for the message.
pub fn read_one(input: &Input, names: &LabelNames, pairs: &Input, at: usize) -> Result<Verdict> {
    let mut count = 0;
    for verdict in lines(input, names)? {
        let verdict = verdict?;
        if count == at {
            return Ok(verdict);
        }
        count += 1;
    }
    let expected = format!("a line for each pair of {pairs}, at least {}", at + 1);
    Err(Error::invalid(input.to_string(), expected, count.to_string(), "check that both files belong together"))
}

/// Reads the verdicts for a file of `count` pairs.
///
/// # Errors
/// As [`read`]; the number of verdicts differs from that of the pairs.
pub fn read_for(input: &Input, pairs: &Input, count: usize) -> Result<Vec<Verdict>> {
    let verdicts = read(input)?;
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

/// The verdicts of a file, one per line, read on demand.
fn lines<'n>(input: &Input, names: &'n LabelNames) -> Result<impl Iterator<Item = Result<Verdict>> + 'n> {
    let source_name = input.to_string();
    let mut last = 0;
    let verdict = move |line: Result<Line>| {
        let line = line?;
        let location = format!("{source_name}:{}", line.number);
        if line.text.trim_start().starts_with('{') {
            return object(&line.text, &location, &mut last);
        }
        names.read(&line.text, &location)
    };
    Ok(input.lines()?.map(verdict))
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
}
