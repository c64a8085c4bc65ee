//! The `.rank` files of METEOR 1.5's trainer. Five tab-separated fields: segment, languages and system of the preferred
//! hypothesis, languages and system of the other. The outputs are `LANGUAGES.SYSTEM.sgm`, the reference
//! `LANGUAGES.ref.sgm`.

use super::format::{Format, Reading, Role};
use super::import::{Importer, from_rows};
use super::scores::{Preference, Segment, pairs_of_segments};
use super::sources::{self, JudgedSystem, Sources};
use super::summary::ImportSummary;
use super::votes::{BY_SHARE, MERGE_BY_SHARE};
use crate::error::{Error, Result};
use crate::files::input::{Input, Line};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "rank",
    about: "METEOR's .rank files: segment, languages and better system, languages and other system, with tabs",
    details: "The outputs are LANGUAGES.SYSTEM.sgm, the reference is LANGUAGES.ref.sgm. Each line is a pair, even \
        if annotators disagree; --merge combines all judgments of a pair.",
    sample: "1\tcs-en\tA\tcs-en\tB\n2\tcs-en\tB\tcs-en\tA\n",
    example: "--systems outputs --references references",
    endings: &["rank"],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &MERGE_BY_SHARE],
    open,
    scores: None,
};

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let (source_name, lines) = (input.to_string(), input.lines()?);
    let mut sources = Sources::open(input, &reading.options)?;
    let segments = from_rows(lines, move |line, summary| segment(line, &source_name, &mut sources, summary));
    let mut pairs = pairs_of_segments(input, Preference::default(), 1, segments);
    pairs.shape.has_systems = true;
    Ok(pairs.merged_by(reading.options.is_given(&MERGE_BY_SHARE).then_some(BY_SHARE)))
}

/// The two hypotheses of a line; `None`, with the line counted as dropped, if a text is missing.
fn segment(
    line: &Line,
    source_name: &str,
    sources: &mut Sources,
    summary: &mut ImportSummary,
) -> Result<Option<Segment>> {
    let fields: Vec<&str> = line.text.split('\t').map(str::trim).collect();
    let [segment, languages, better, other_languages, other] = fields[..] else {
        return Err(Error::invalid(
            format!("{source_name}:{}", line.number),
            "5 fields with tabs between them",
            fields.len().to_string(),
            "write each judgment as segment, languages, better system, languages, other system",
        ));
    };
    let judged = [(better, languages, 1.0), (other, other_languages, 0.0)].map(|(name, languages, score)| {
        let (source, target) = languages.split_once('-').unwrap_or(("", languages));
        JudgedSystem { name, languages: [source, target], score: Some(score) }
    });
    let (segment, missing) =
        sources.segment(format!("{languages}:{segment}"), segment, line.number, &judged, summary)?;
    if let Some((_, reason)) = missing.first() {
        summary.drop_rows(1, reason);
        return Ok(None);
    }
    Ok(Some(segment))
}
