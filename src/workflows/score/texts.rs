//! Files of systems and references. In: their names. Out: segments with their references. Next: systems.

use super::lengths::{check_length, empty};
use super::own::ExternalValues;
use crate::error::{Error, Result};
use crate::files::table::TableKind;
use crate::files::{Input, check_inputs};
use crate::formats::ExternalMetrics;

/// The files to score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreFiles {
    /// The systems' output, one segment per line.
    pub systems: Vec<Input>,
    /// One or several files of references, one segment per line; in all but the first, an empty line means no
    /// reference.
    pub references: Vec<Input>,
    /// The own metrics that models need, with one file per system and one number per line.
    pub own: ExternalMetrics,
}

/// The output of systems for the same segments, and their references.
#[derive(Debug, Clone, PartialEq)]
pub struct ParallelTexts {
    /// At least one system.
    pub systems: Vec<SystemOutput>,
    /// The references of each segment, at least one.
    pub references: Vec<Vec<String>>,
}

/// A system's output.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemOutput {
    /// Its name in reports.
    pub name: String,
    /// The segments, as many as there are lists of references.
    pub segments: Vec<String>,
    /// The values of own metrics for the segments.
    pub own: ExternalValues,
}

impl SystemOutput {
    /// An output without values of own metrics.
    pub fn new(name: impl Into<String>, segments: Vec<String>) -> Self {
        Self { name: name.into(), segments, own: ExternalValues::default() }
    }
}

impl ScoreFiles {
    /// Checks what can be seen from the names alone.
    ///
    /// # Errors
    /// Standard input is named twice; a file name is that of a table; there is no system or no reference.
    pub fn check(&self) -> Result<()> {
        check_inputs(self.systems.iter().chain(&self.references).chain(self.own.files()))?;
        for at in 0..self.systems.len() {
            self.own.of_file(at, self.systems.len())?;
        }
        if let Some(table) = self.systems.iter().chain(&self.references).find(|input| TableKind::of(input).is_some()) {
            let advice = "write the column of texts to a file of its own, or rename the file if it is such a text";
            return Err(Error::invalid(
                table.to_string(),
                "text, one segment per line",
                "the ending of a table",
                advice,
            ));
        }
        if self.systems.is_empty() || self.references.is_empty() {
            return Err(Error::invalid("score", "one or more systems and references", "none", "name their files"));
        }
        Ok(())
    }

    /// Reads all files.
    ///
    /// # Errors
    /// A file cannot be read, is empty, or differs from the first in its number of segments.
    pub fn read(&self) -> Result<ParallelTexts> {
        self.check()?;
        let mut systems = Vec::new();
        for (at, (input, name)) in self.systems.iter().zip(self.names()).enumerate() {
            systems.push(SystemOutput {
                name,
                segments: read_lines(input)?,
                own: ExternalValues::read(&self.own, at, self.systems.len())?,
            });
        }
        let references = self.read_references(systems[0].segments.len())?;
        for (input, system) in self.systems.iter().zip(&systems) {
            check_length(input, system.segments.len(), &self.references[0], references.len())?;
            system.own.check_length(input, system.segments.len())?;
        }
        Ok(ParallelTexts { systems, references })
    }

    /// The references of each segment.
    fn read_references(&self, segments: usize) -> Result<Vec<Vec<String>>> {
        let mut references: Vec<Vec<String>> = vec![Vec::new(); segments];
        for (number, input) in self.references.iter().enumerate() {
            let lines = read_lines(input)?;
            check_length(input, lines.len(), &self.systems[0], segments)?;
            let given = references.iter_mut().zip(lines).filter(|(_, line)| number == 0 || !line.trim().is_empty());
            given.for_each(|(of_segment, line)| of_segment.push(line));
        }
        Ok(references)
    }

    /// The names of the systems: their file names, or whole paths if file names are not unique.
    pub fn names(&self) -> Vec<String> {
        let short = |input: &Input| match input {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let names: Vec<String> = self.systems.iter().map(short).collect();
        let is_distinct = |(at, name): (usize, &String)| !names[..at].contains(name);
        if names.iter().enumerate().all(is_distinct) {
            return names;
        }
        self.systems.iter().map(Input::to_string).collect()
    }
}

impl ParallelTexts {
    /// Checks that every system has one segment for each list of references, and that no list is empty.
    ///
    /// # Errors
    /// A system has another number of segments; a list is empty; there is no system.
    pub fn check(&self) -> Result<()> {
        let segments = self.references.len();
        if let Some(system) = self.systems.iter().find(|system| system.segments.len() != segments) {
            let found = system.segments.len().to_string();
            return Err(Error::invalid(
                &*system.name,
                format!("{segments} segments"),
                found,
                "give each its references",
            ));
        }
        if self.systems.is_empty() || self.references.iter().any(Vec::is_empty) {
            let found = "none for one of them";
            return Err(Error::invalid("references", "a system, and one or more for each segment", found, "add them"));
        }
        Ok(())
    }

    /// The number of references per segment as in sacreBLEU's signatures; `var` if it varies.
    pub(super) fn number_of_references(&self) -> String {
        let first = self.references.first().map_or(0, Vec::len);
        let equal = self.references.iter().all(|of_segment| of_segment.len() == first);
        if equal { first.to_string() } else { "var".to_owned() }
    }
}

/// The segments of a file, at least one.
fn read_lines(input: &Input) -> Result<Vec<String>> {
    let lines: Vec<String> = input.lines()?.map(|line| line.map(|line| line.text)).collect::<Result<_>>()?;
    if lines.is_empty() { Err(empty(input)) } else { Ok(lines) }
}
