//! Direct assessments: one line `SYS SID RAW Z N` per system and segment, below a header. RAW is the mean score of the
//! translation on a scale from 0 to 100. The texts are in folders. Bojar et al. 2016.

use indexmap::{IndexMap, IndexSet};

use super::format::{Format, Reading, Role};
use super::import::Importer;
use super::scores::{Preference, ScoredSegments, WEIGH, margin, ties};
use super::sources::{self, JudgedSystem, Sources};
use super::summary::ImportSummary;
use crate::error::{Error, Result, quoted};
use crate::files::input::{Input, Line};
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "da",
    about: "Direct assessments: lines `SYS SID RAW Z N`, scores of systems' segments from 0 to 100",
    details: "All pairs of systems of a segment are formed. Several scores of one system and segment are averaged.",
    sample: "SYS SID RAW.SCR Z.SCR N\nA 1 90.5 0.7 2\nB 1 60.5 0 1\nA 2 70 0 1\nB 2 60 0 1\n",
    example: "--systems outputs --references references --languages cs-en",
    endings: &["da"],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &sources::SOURCE, &sources::LANGUAGES, &MARGIN, &TIES, &WEIGH],
    open,
    scores: Some(scores),
};

/// The margin of WMT's metrics task. Ma et al. 2018, section 3.2.
const MARGIN: OptionSpec = margin("25", "Smaller score differences are ties");
const TIES: OptionSpec = ties("drop");

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let preference = Preference::from_options(&reading.options, Some(&MARGIN))?;
    Ok(read(input, &reading.options, false)?.pairs(input, preference).with_ties(&reading.options, &TIES))
}

/// The texts of all systems in the file, including segments for which people did not judge every system.
fn scores(input: &Input, options: &Options) -> Result<ScoredSegments> {
    Ok(read(input, options, true)?.complete())
}

/// The scores of a segment.
struct Assessed {
    line: usize,
    /// The scores of each system.
    systems: IndexMap<String, Vec<f64>>,
}

/// Reads the segments of a file with the systems that people judged, or with all systems of the file.
fn read(input: &Input, options: &Options, all_systems: bool) -> Result<ScoredSegments> {
    let languages = sources::languages(options).unwrap_or_default();
    let languages = languages.each_ref().map(String::as_str);
    let (mut sources, mut summary) = (Sources::open(input, options)?, ImportSummary::default());
    let assessed = read_scores(input, &mut summary)?;
    let all: IndexSet<&String> = assessed.values().flat_map(|segment| segment.systems.keys()).collect();
    let mut segments = Vec::new();
    for (id, Assessed { line, systems }) in &assessed {
        let names: Vec<&String> = if all_systems { all.iter().copied().collect() } else { systems.keys().collect() };
        let scores = |name: &String| systems.get(name).map_or(&[][..], Vec::as_slice);
        let judged = names.iter().map(|name| {
            let scores = scores(name);
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            JudgedSystem { name, languages, score: (!scores.is_empty()).then_some(mean) }
        });
        let judged: Vec<_> = judged.collect();
        let (segment, missing) = sources.segment(id.clone(), id, *line, &judged, &mut summary)?;
        missing.iter().for_each(|(at, reason)| summary.drop_rows(scores(names[*at]).len(), reason));
        if let ([alone], false) = (&segment.hypotheses[..], all_systems) {
            summary.drop_rows(scores(&alone.name).len(), "the only one of their segment");
        }
        segments.push(segment);
    }
    Ok(ScoredSegments { segments, summary })
}

/// The scores of a file by segment. All are held in memory, since those of one segment may be far apart.
fn read_scores(input: &Input, summary: &mut ImportSummary) -> Result<IndexMap<String, Assessed>> {
    let source_name = input.to_string();
    let mut segments: IndexMap<String, Assessed> = IndexMap::new();
    for line in input.lines()? {
        let line = line?;
        if line.number == 1 && line.text.trim_start().starts_with("SYS") {
            continue;
        }
        let (system, segment, score) = parse(&line, &source_name)?;
        summary.rows_read += 1;
        let new = || Assessed { line: line.number, systems: IndexMap::new() };
        let assessed = segments.entry(segment.to_owned()).or_insert_with(new);
        assessed.systems.entry(system.to_owned()).or_default().push(score);
    }
    Ok(segments)
}

/// System, segment and score of a line.
fn parse<'l>(line: &'l Line, source_name: &str) -> Result<(&'l str, &'l str, f64)> {
    let wrong = |expected: &str, found: String| {
        let advice = "write each score as 'SYS SID RAW Z N', with the mean over annotators in RAW";
        Error::invalid(format!("{source_name}:{}", line.number), expected, found, advice)
    };
    let fields: Vec<&str> = line.text.split_whitespace().collect();
    let [system, segment, raw, ..] = fields[..] else {
        return Err(wrong("5 fields SYS SID RAW Z N", fields.len().to_string()));
    };
    let score = raw.parse().ok().filter(|score: &f64| score.is_finite());
    Ok((system, segment, score.ok_or_else(|| wrong("a numeric score", quoted(raw)))?))
}
