//! The files of systems and references.

use anyhow::Result;
use tribunal::Error;
use tribunal::files::Input;

/// The references of each segment; of further files an empty line is none.
pub fn read_references(inputs: &[Input], system: &Input, segments: usize) -> Result<Vec<Vec<String>>> {
    let mut references: Vec<Vec<String>> = vec![Vec::new(); segments];
    for (number, input) in inputs.iter().enumerate() {
        let lines = read_lines(input)?;
        check_length(input, lines.len(), system, segments)?;
        let given = references.iter_mut().zip(lines).filter(|(_, line)| number == 0 || !line.trim().is_empty());
        given.for_each(|(of_segment, line)| of_segment.push(line));
    }
    Ok(references)
}

/// How many references a segment has, as in sacreBLEU's signatures.
pub fn number_of_references(references: &[Vec<String>]) -> String {
    let first = references.first().map_or(0, Vec::len);
    let equal = references.iter().all(|of_segment| of_segment.len() == first);
    if equal { first.to_string() } else { "var".to_owned() }
}

/// What the systems are called: the names of their files, with folders only where that tells them apart.
pub fn names(systems: &[Input]) -> Vec<String> {
    let short = |input: &Input| match input {
        Input::Stdin => "-".to_owned(),
        Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let names: Vec<String> = systems.iter().map(short).collect();
    let is_distinct = |(at, name): (usize, &String)| !names[..at].contains(name);
    if names.iter().enumerate().all(is_distinct) { names } else { systems.iter().map(Input::to_string).collect() }
}

/// The segments of a file, at least one.
pub fn read_lines(input: &Input) -> Result<Vec<String>> {
    let lines: Vec<String> = input.lines()?.map(|line| line.map(|line| line.text)).collect::<tribunal::Result<_>>()?;
    if lines.is_empty() {
        return Err(empty(input));
    }
    Ok(lines)
}

/// The complaint about a file without segments.
pub fn empty(input: &Input) -> anyhow::Error {
    Error::invalid(input.to_string(), "a segment a line", "an empty file", "check the name").into()
}

/// The same, borrowed.
pub fn references_of(references: &[Vec<String>]) -> Vec<Vec<&str>> {
    references.iter().map(|of_segment| of_segment.iter().map(String::as_str).collect()).collect()
}

/// Checks that a file has as many segments as another.
///
/// # Errors
/// It has not.
pub fn check_length(input: &Input, found: usize, other: &Input, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::invalid(
        format!("{input}:{}", found.min(expected) + 1),
        format!("{expected} segments, as in {other}"),
        found.to_string(),
        "check that the files belong together and that neither was cut off",
    )
    .into())
}
