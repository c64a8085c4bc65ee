//! WMT's relative rankings: a table with the columns `srclang,trglang,srcIndex,segmentId,judgeId`, `system1Id`, ... and
//! `system1rank`, ... Each row is one judge's ranking of up to five outputs of one segment. 1 is the best, -1 is blank.
//! The texts are in folders. Bojar et al. 2014. Next: [`super::pairing`].

use super::account::Account;
use super::format::{Format, Role, TABLE_KIND, table_kind};
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::merged::{MERGE, Merged};
use super::pairing::Pairs;
use super::preference::{Preference, ties};
use super::sources::{self, Places, Sources};
use crate::error::{Error, Result, quoted};
use crate::files::input::Input;
use crate::files::table::{Column, Row, Rows, TableKind};
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "wmt-rr",
    about: "WMT's relative rankings: a table with srclang, trglang, srcIndex, judgeId, system1Id, system1rank, ...",
    details: "Every two ranks of a row are a pair; -1 is blank, the lower rank is better.",
    sample: "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n\
        cze,eng,1,j1,A,B,1,2\ncze,eng,1,j2,A,B,1,3\ncze,eng,2,j1,B,A,1,1\n",
    example: "--systems outputs --references references --languages cze-eng",
    endings: &[],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &sources::LANGUAGES, &MERGE, &TIES, &TABLE_KIND],
    open,
    scores: None,
};

const TIES: OptionSpec = ties("keep");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let kind = table_kind(options).or(TableKind::of(input)).unwrap_or(TableKind::Csv);
    let rows = Rows::open(input, Some(kind))?;
    let places = Places::from_options(input, options);
    let rankings = Rankings::of(rows, Sources::open(&places)?, sources::languages(options))?;
    let pairs = Pairs::of(rankings, Preference::from_options(options, &TIES, None)?);
    Ok(if options.is_given(&MERGE) { Box::new(Merged::of(pairs)) } else { Box::new(pairs) })
}

/// Reads one ranking at a time.
pub struct Rankings {
    rows: Rows,
    columns: Columns,
    sources: Sources,
    /// Only these languages, as the table names them.
    languages: Option<[String; 2]>,
}

/// The columns of the table.
struct Columns {
    languages: [Column; 2],
    index: Column,
    judge: Column,
    systems: Vec<SystemColumns>,
}

struct SystemColumns {
    id: Column,
    rank: Column,
}

impl Columns {
    fn find(rows: &Rows) -> Result<Self> {
        let languages = [rows.header().require("srclang")?, rows.header().require("trglang")?];
        let (index, judge) = (rows.header().require("srcIndex")?, rows.header().require("judgeId")?);
        let has = |number: &usize| rows.header().has(&format!("system{number}Id"));
        // At least two systems are required: one alone cannot be ranked.
        let count = (1..).take_while(has).count().max(2);
        let system = |number: usize| {
            let id = rows.header().require(&format!("system{number}Id"))?;
            Ok(SystemColumns { id, rank: rows.header().require(&format!("system{number}rank"))? })
        };
        Ok(Self { languages, index, judge, systems: (1..=count).map(system).collect::<Result<_>>()? })
    }
}

impl Rankings {
    /// The rankings of a table.
    ///
    /// # Errors
    /// A column is missing. While reading: a rank or an index that is not a number.
    pub(crate) fn of(rows: Rows, sources: Sources, languages: Option<[String; 2]>) -> Result<Self> {
        let columns = Columns::find(&rows)?;
        Ok(Self { rows, columns, sources, languages })
    }

    /// The ranking of a row, or the reason why there is none.
    fn segment(&mut self, row: &Row<'_>) -> Result<std::result::Result<Segment, String>> {
        let [source, target] = self.columns.languages.each_ref().map(|column| row.text(column));
        let (source, target) = (source?, target?);
        if self.languages.as_ref().is_some_and(|wanted| *wanted != [&*source, &*target]) {
            return Ok(Err("of other languages".into()));
        }
        let languages = [&*source, &*target];
        let number = self.index(row)?;
        let reference = match self.sources.reference(languages, &number)? {
            Ok(text) => text,
            Err(missing) => return Ok(Err(missing.reason())),
        };
        let judge = row.optional(&self.columns.judge)?;
        let mut hypotheses = Vec::new();
        let mut lacking = None;
        for columns in &self.columns.systems {
            let (Some(system), Some(rank)) = (row.optional(&columns.id)?, rank(row, &columns.rank)?) else {
                continue;
            };
            let judges = judge.iter().map(|judge| judge.to_string()).collect();
            match self.sources.hypothesis(&system, languages, &number)? {
                Ok(text) => hypotheses.push(Hypothesis { name: system.into_owned(), text, score: -rank, judges }),
                Err(missing) => lacking = Some(missing.reason()),
            }
        }
        if hypotheses.len() < 2 {
            return Ok(Err(lacking.unwrap_or_else(|| "with fewer than two ranks".into())));
        }
        let id = format!("{source}-{target}:{number}");
        Ok(Ok(Segment { id, references: vec![reference], hypotheses, line: row.line() }))
    }

    fn index(&self, row: &Row<'_>) -> Result<String> {
        let text = row.text(&self.columns.index)?;
        let is_number = text.parse::<usize>().is_ok_and(|number| number > 0);
        if is_number {
            return Ok(text.into_owned());
        }
        Err(Error::invalid(
            row.place(),
            "a line of the source, from 1, in 'srcIndex'",
            quoted(&text),
            "correct that row",
        ))
    }
}

/// The rank of a system; `None` if it is blank.
fn rank(row: &Row<'_>, column: &Column) -> Result<Option<f64>> {
    if row.optional(column)?.is_none() {
        return Ok(None);
    }
    let rank = row.number(column)?;
    Ok((rank >= 0.0).then_some(rank))
}

impl Segments for Rankings {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        while let Some(row) = self.rows.next().transpose()? {
            account.rows_read += 1;
            match self.segment(&row)? {
                Ok(segment) => return Ok(Some(segment)),
                Err(reason) => account.drop_rows(1, &reason),
            }
        }
        Ok(None)
    }
}
