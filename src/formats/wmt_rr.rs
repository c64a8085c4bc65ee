//! WMT's relative rankings: a table with the columns `srclang,trglang,srcIndex,segmentId,judgeId`, `system1Id`, ... and
//! `system1rank`, ... Each row is one judge's ranking of up to five outputs of one segment. 1 is the best, -1 means not
//! ranked. The texts are in folders. Bojar et al. 2014.

use super::format::{Format, Reading, Role, TABLE_KIND, table_kind};
use super::import::{Importer, from_rows};
use super::roles::{ColumnRole, Columns};
use super::scores::{Preference, Segment, pairs_of_segments, ties};
use super::sources::{self, JudgedSystem, Sources};
use super::summary::ImportSummary;
use super::votes::{BY_SHARE, MERGE_BY_SHARE};
use crate::error::{Error, Result, quoted};
use crate::files::input::Input;
use crate::files::table::{Column, Header, Row, Rows, TableKind};
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "wmt-rr",
    about: "WMT's relative rankings: a table with srclang, trglang, srcIndex, judgeId, system1Id, system1rank, ...",
    details: "All pairs of systems of a row are formed. -1 means not ranked; lower ranks are better.",
    sample: "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n\
        cze,eng,1,j1,A,B,1,2\ncze,eng,1,j2,A,B,1,3\ncze,eng,2,j1,B,A,1,1\n",
    example: "--systems outputs --references references --languages cze-eng",
    endings: &[],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &sources::LANGUAGES, &MERGE_BY_SHARE, &TIES, &TABLE_KIND],
    open,
    scores: None,
};

const TIES: OptionSpec = ties("keep");

const SOURCE_LANGUAGE: ColumnRole = ColumnRole::Fixed(&["srclang"]);
const TARGET_LANGUAGE: ColumnRole = ColumnRole::Fixed(&["trglang"]);
/// The line of the source, from 1.
const SOURCE_LINE: ColumnRole = ColumnRole::Fixed(&["srcIndex"]);
const JUDGE: ColumnRole = ColumnRole::Fixed(&["judgeId"]);

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let options = &reading.options;
    let kind = table_kind(options).or(TableKind::from_name(input)).unwrap_or(TableKind::Csv);
    let rows = Rows::open(input, Some(kind))?;
    let mut rankings = Rankings::open(rows.header(), input, options)?;
    let preference = Preference::from_options(options, None)?;
    let segments = from_rows(rows, move |row, summary| rankings.segment(row, summary));
    let mut pairs = pairs_of_segments(input, preference, 1, segments);
    pairs.shape.has_systems = true;
    let pairs = pairs.merged_by(options.is_given(&MERGE_BY_SHARE).then_some(BY_SHARE));
    Ok(pairs.with_ties(options, &TIES))
}

struct Rankings {
    columns: Columns,
    /// The name and the rank of each system.
    systems: Vec<[Column; 2]>,
    sources: Sources,
    /// Only these languages, as the table names them.
    languages: Option<[String; 2]>,
}

impl Rankings {
    fn open(header: &Header, input: &Input, options: &Options) -> Result<Self> {
        let advice = "check the column names and the format";
        let required = [SOURCE_LANGUAGE, TARGET_LANGUAGE, SOURCE_LINE, JUDGE];
        let columns = Columns::find(header, options, [&required, &[]], advice)?;
        // At least two systems are required: one alone cannot be ranked.
        let count = (1..).take_while(|number| header.has(&format!("system{number}Id"))).count().max(2);
        let system = |number: usize| {
            let id = header.require(&format!("system{number}Id"))?;
            Ok([id, header.require(&format!("system{number}rank"))?])
        };
        let systems = (1..=count).map(system).collect::<Result<_>>()?;
        Ok(Self { columns, systems, sources: Sources::open(input, options)?, languages: sources::languages(options) })
    }

    /// The ranking of a row; `None`, with the row counted as dropped, if there are not two of its texts.
    fn segment(&mut self, row: &Row<'_>, summary: &mut ImportSummary) -> Result<Option<Segment>> {
        let text = |role| self.columns.text(row, role);
        let languages = [text(SOURCE_LANGUAGE)?, text(TARGET_LANGUAGE)?];
        if self.languages.as_ref().is_some_and(|wanted| *wanted != languages) {
            summary.drop_rows(1, "of other languages");
            return Ok(None);
        }
        let source_line = text(SOURCE_LINE)?;
        if !source_line.parse::<usize>().is_ok_and(|number| number > 0) {
            let expected = "a line number of the source, from 1, in the column 'srcIndex'";
            return Err(Error::invalid(row.place(), expected, quoted(&source_line), ""));
        }
        let ranks = self.ranks(row)?;
        let judge = self.columns.optional(row, JUDGE)?;
        let pair = languages.each_ref().map(String::as_str);
        let judged = ranks.iter().map(|(name, rank)| JudgedSystem { name, languages: pair, score: Some(-rank) });
        let judged: Vec<_> = judged.collect();
        let id = format!("{}:{source_line}", languages.join("-"));
        let (mut segment, missing) = self.sources.segment(id, &source_line, row.line(), &judged, summary)?;
        if segment.hypotheses.len() < 2 {
            let reason = missing.last().map_or("with fewer than two ranks", |(_, reason)| reason);
            summary.drop_rows(1, reason);
            return Ok(None);
        }
        segment.hypotheses.iter_mut().for_each(|hypothesis| hypothesis.annotators.extend(judge.clone()));
        Ok(Some(segment))
    }

    /// The names of the systems that were ranked, with their ranks.
    fn ranks(&self, row: &Row<'_>) -> Result<Vec<(String, f64)>> {
        let mut ranks = Vec::new();
        for [id, rank] in &self.systems {
            let (Some(name), Some(_)) = (row.optional(id)?, row.optional(rank)?) else { continue };
            let rank = row.number(rank)?;
            if rank >= 0.0 {
                ranks.push((name.into_owned(), rank));
            }
        }
        Ok(ranks)
    }
}
