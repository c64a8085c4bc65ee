//! Verdicts as `predict --json` writes them. In: a line that holds an object. Out: its verdict. Next:
//! [`super::answers`].

use serde::Deserialize;

use super::labels::LabelNames;
use crate::error::{Error, Result, json_fault};
use crate::files::input::Line;
use crate::judgments::Verdict;

/// The keys that are read; all others, such as probabilities, are ignored.
#[derive(Deserialize)]
struct Object {
    verdict: serde_json::Value,
    /// The line of the pair.
    line: Option<u64>,
}

/// Reads the objects of one file, which must be in the order of their pairs.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// The line of the last pair.
    last: u64,
}

impl Objects {
    /// Whether a line is an object rather than a bare verdict.
    pub fn is_object(line: &str) -> bool {
        line.trim_start().starts_with('{')
    }

    /// The verdict of a line.
    pub fn read(&mut self, line: &Line, place: &str) -> Result<Verdict> {
        let place = || format!("{place}:{}", line.number);
        let object: Object = serde_json::from_str(&line.text).map_err(|error| {
            let expected = "an object with the key 'verdict'";
            Error::invalid(place(), expected, json_fault(&error), "name a file that `predict --json` wrote")
        })?;
        if let Some(number) = object.line {
            if number <= self.last {
                let expected = format!("the verdict on a pair after line {}", self.last);
                let advice = "sort the verdicts by 'line', in the order of the pairs";
                return Err(Error::invalid(place(), expected, format!("the one of line {number}"), advice));
            }
            self.last = number;
        }
        let text = object.verdict.as_str().map_or_else(|| object.verdict.to_string(), str::to_owned);
        LabelNames::default().read(&text, &place())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Result<Vec<Verdict>> {
        let mut objects = Objects::default();
        let line = |(at, text): (usize, &&str)| Line { number: at + 1, text: (*text).to_owned() };
        lines.iter().enumerate().map(line).map(|line| objects.read(&line, "x")).collect()
    }

    #[test]
    fn the_verdict_is_read() {
        let lines = [r#"{"line": 2, "verdict": 1, "probabilities": {"1": 0.5}}"#, r#"{"verdict": "-1", "line": 4}"#];
        assert_eq!(read(&lines).unwrap(), [Verdict::First, Verdict::Second]);
        assert!(Objects::is_object(" {") && !Objects::is_object("1"));
    }

    #[test]
    fn what_is_none_is_named() {
        let message = |lines: &[&str]| read(lines).unwrap_err().to_string();
        assert!(message(&[r#"{"line": 1}"#]).starts_with("x:1: expected an object with the key 'verdict', found "));
        assert!(message(&[r#"{"verdict": 2}"#]).starts_with("x:1: expected a label 1, 0 or -1, found '2'"));
        let turned = [r#"{"line": 2, "verdict": 1}"#, r#"{"line": 1, "verdict": 1}"#];
        assert!(
            message(&turned).starts_with("x:2: expected the verdict on a pair after line 2, found the one of line 1")
        );
    }
}
