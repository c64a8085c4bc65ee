//! A row for every segment, some at a time: read, scored and written before the next are read.

use std::fmt::Write as _;

use anyhow::Result;
use tribunal::Error;
use tribunal::files::input::Lines;
use tribunal::files::{Input, Output};
use tribunal::metrics::{Corpus, Panel, Scope};
use tribunal::wordnet::WordNet;

use super::ScoreSystems;
use super::texts::{check_length, empty, names, references_of};
use crate::cli::options::Common;

/// Segments that are in memory at once.
const BATCH: usize = 2048;

/// Bytes of hypotheses after which a batch is full.
const BYTES: usize = 1 << 19;

/// Prints the scores of every segment of every system.
pub fn print(command: &ScoreSystems, panel: &Panel, wordnet: &WordNet, common: &Common) -> Result<()> {
    if command.systems.len() > 1 && command.references.contains(&Input::Stdin) {
        let advice = "write it to a file first: it is read once for each system";
        return Err(Error::invalid("--references", "files, for several systems", "standard input", advice).into());
    }
    let mut output = Output::create(None)?;
    let mut is_first = !common.json;
    for (input, name) in command.systems.iter().zip(names(&command.systems)) {
        let mut files = Files::open(input, command)?;
        while let Some((hypotheses, references)) = files.batch()? {
            if std::mem::take(&mut is_first) {
                output.write(header(command, panel).as_bytes())?;
            }
            let texts: Vec<&str> = hypotheses.iter().map(String::as_str).collect();
            let corpus = Corpus::of(panel, wordnet, &texts, &references_of(&references), Scope::Segments);
            let first = files.read - hypotheses.len() + 1;
            for segment in 0..corpus.len() {
                let line = if common.json {
                    json(panel, &corpus, &name, segment, first)
                } else {
                    let mut line = if command.systems.len() > 1 { name.clone() } else { String::new() };
                    for (_, value) in scores(panel, &corpus, segment) {
                        if !line.is_empty() {
                            line.push('\t');
                        }
                        // Writing to a string cannot fail.
                        let _ = write!(line, "{value}");
                    }
                    line
                };
                output.write(line.as_bytes())?;
                output.write(b"\n")?;
            }
        }
    }
    Ok(output.finish()?)
}

fn header(command: &ScoreSystems, panel: &Panel) -> String {
    let names: Vec<&str> = panel.members().iter().map(|member| member.name.as_str()).collect();
    format!("{}{}\n", if command.systems.len() > 1 { "system\t" } else { "" }, names.join("\t"))
}

fn scores<'a>(panel: &'a Panel, corpus: &'a Corpus, segment: usize) -> impl Iterator<Item = (&'a str, f64)> {
    panel.members().iter().enumerate().map(move |(metric, member)| {
        (member.name.as_str(), member.metric.segment(&corpus.statistics(metric)[segment])[0])
    })
}

fn json(panel: &Panel, corpus: &Corpus, name: &str, segment: usize, first: usize) -> String {
    let scores = scores(panel, corpus, segment).map(|(metric, value)| (metric.to_owned(), value.into()));
    let scores: serde_json::Map<_, _> = scores.collect();
    serde_json::json!({"system": name, "segment": first + segment, "scores": scores}).to_string()
}

/// Hypotheses, and the references of each.
type Batch = (Vec<String>, Vec<Vec<String>>);

/// A system's output and the references, line by line.
struct Files<'a> {
    command: &'a ScoreSystems,
    input: &'a Input,
    system: Lines,
    references: Vec<Lines>,
    /// Segments that were read.
    read: usize,
}

impl<'a> Files<'a> {
    fn open(input: &'a Input, command: &'a ScoreSystems) -> Result<Self> {
        let system = input.lines()?;
        let references = command.references.iter().map(Input::lines).collect::<tribunal::Result<_>>()?;
        Ok(Self { command, input, system, references, read: 0 })
    }

    /// The next hypotheses, each with its references.
    fn batch(&mut self) -> Result<Option<Batch>> {
        let hypotheses = read(&mut self.system, BATCH)?;
        let count = hypotheses.len();
        // At the end of the system's output, one line more would be one too many.
        let wanted = if count == 0 { 1 } else { count };
        let mut references: Vec<Vec<String>> = vec![Vec::new(); count];
        for number in 0..self.references.len() {
            let lines = exactly(&mut self.references[number], wanted)?;
            if lines.len() != count {
                return Err(self.another_length(count, number, lines.len())?);
            }
            for (of_segment, line) in references.iter_mut().zip(lines) {
                // An empty line says that the segment has no further reference.
                if number == 0 || !line.trim().is_empty() {
                    of_segment.push(line);
                }
            }
        }
        if count == 0 && self.read == 0 {
            return Err(empty(self.input));
        }
        self.read += count;
        Ok((count > 0).then_some((hypotheses, references)))
    }

    /// What is wrong with the reference file of that number, of which so many lines were read behind the last batch.
    fn another_length(&mut self, hypotheses: usize, number: usize, lines: usize) -> Result<anyhow::Error> {
        let segments = self.read + hypotheses + rest(&mut self.system)?;
        let found = self.read + lines + rest(&mut self.references[number])?;
        let reference = &self.command.references[number];
        if segments == 0 || found == 0 {
            return Ok(empty(if segments == 0 { self.input } else { reference }));
        }
        // The first system says how long all files are.
        let check = if *self.input == self.command.systems[0] {
            check_length(reference, found, self.input, segments)
        } else {
            check_length(self.input, segments, reference, found)
        };
        Ok(check.err().unwrap_or_else(|| anyhow::anyhow!("{reference} changed while it was read")))
    }
}

/// So many lines, or fewer if their text is long.
fn read(lines: &mut Lines, count: usize) -> Result<Vec<String>> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    while texts.len() < count && bytes < BYTES {
        let Some(line) = lines.next().transpose()? else { break };
        bytes += line.text.len();
        texts.push(line.text);
    }
    Ok(texts)
}

/// So many lines, or all that there are.
fn exactly(lines: &mut Lines, count: usize) -> Result<Vec<String>> {
    Ok(lines.take(count).map(|line| line.map(|line| line.text)).collect::<tribunal::Result<_>>()?)
}

fn rest(lines: &mut Lines) -> Result<usize> {
    Ok(lines.map(|line| line.map(|_| 1)).sum::<tribunal::Result<usize>>()?)
}
