//! Answers. In: a file with one verdict per line, from people or from `predict`. Out: the verdicts. Next: evaluation.

use super::labels::LabelNames;
use super::verdicts::Objects;
use crate::error::{Error, Result};
use crate::files::input::{self, Input};
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

/// The verdicts of a file, one per line, read on demand.
fn lines<'n>(input: &Input, names: &'n LabelNames) -> Result<impl Iterator<Item = Result<Verdict>> + 'n> {
    let place = input.to_string();
    let mut objects = Objects::default();
    let verdict = move |line: Result<input::Line>| {
        let line = line?;
        if Objects::is_object(&line.text) {
            return objects.read(&line, &place);
        }
        names.read(&line.text, &format!("{place}:{}", line.number))
    };
    Ok(input.lines()?.map(verdict))
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
