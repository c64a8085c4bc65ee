//! WMT's relative rankings: a table with the columns `srclang,trglang,srcIndex,segmentId,judgeId`, `system1Id`, ... and
//! `system1rank`, ...: a row is how one judge ranked up to five outputs of one segment. 1 is the best, -1 is blank. The texts
//! stand in folders. Bojar et al. 2014.

use super::pairs::Format;
use super::sources::{Places, Sources};
use super::{Account, Hypothesis, Segment, Segments};
use crate::error::{Error, Result};
use crate::files::input::Input;
use crate::files::rows::{Row, Rows};

/// Reads one ranking at a time.
pub struct Rankings {
    rows: Rows,
    place: String,
    sources: Sources,
    /// Only these languages, as the table names them.
    languages: Option<[String; 2]>,
    /// How many systems a row has columns for.
    systems: usize,
}

impl Rankings {
    /// Opens a table of rankings.
    ///
    /// # Errors
    /// The table or the folders cannot be read; a column is missing. While reading: a rank or an index that is no number.
    pub fn open(input: &Input, places: &Places, languages: Option<[String; 2]>) -> Result<Self> {
        let rows = Rows::open(input, Some(Format::of(input)).filter(|format| format.is_table()).or(Some(Format::Csv)))?;
        for name in
            ["srclang", "trglang", "srcIndex", "judgeId", "system1Id", "system1rank", "system2Id", "system2rank"]
        {
            rows.require(name)?;
        }
        let has = |number: &usize| rows.columns().iter().any(|name| *name == format!("system{number}Id"));
        let systems = (1..).take_while(has).count();
        Ok(Self { place: rows.place().to_owned(), rows, sources: Sources::open(places)?, languages, systems })
    }

    /// The ranking of a row, or why there is none.
    fn segment(&mut self, row: &Row) -> Result<std::result::Result<Segment, String>> {
        let languages = [row.any_text("srclang"), row.any_text("trglang")];
        if self.languages.as_ref().is_some_and(|wanted| *wanted != languages) {
            return Ok(Err("of other languages".into()));
        }
        let languages = [languages[0].as_str(), languages[1].as_str()];
        let number = self.index(row)?;
        let reference = match self.sources.reference(languages, &number)? {
            Ok(text) => text,
            Err(missing) => return Ok(Err(missing.reason())),
        };
        let mut hypotheses = Vec::new();
        let mut lacking = None;
        for at in 1..=self.systems {
            let (Some(system), Some(rank)) = (row.text(&format!("system{at}Id")), self.rank(row, at)?) else {
                continue;
            };
            match self.sources.hypothesis(&system, languages, &number)? {
                Ok(text) => hypotheses.push(Hypothesis {
                    name: system,
                    text,
                    score: -rank,
                    judges: row.text("judgeId").into_iter().collect(),
                }),
                Err(missing) => lacking = Some(missing.reason()),
            }
        }
        if hypotheses.len() < 2 {
            return Ok(Err(lacking.unwrap_or_else(|| "with fewer than two ranks".into())));
        }
        let id = format!("{}-{}:{number}", languages[0], languages[1]);
        Ok(Ok(Segment { id, references: vec![reference], hypotheses, line: row.line }))
    }

    fn index(&self, row: &Row) -> Result<String> {
        let text = row.any_text("srcIndex");
        let is_number = text.parse::<usize>().is_ok_and(|number| number > 0);
        if is_number {
            return Ok(text);
        }
        let place = format!("{}:{}", self.place, row.line);
        Err(Error::invalid(place, "a line of the source, from 1, in 'srcIndex'", format!("'{text}'"), "mend that row"))
    }

    /// The rank of a system; none where it is blank.
    fn rank(&self, row: &Row, at: usize) -> Result<Option<f64>> {
        let column = format!("system{at}rank");
        if row.text(&column).is_none() {
            return Ok(None);
        }
        let rank = row.number(&column, &self.place)?;
        Ok((rank >= 0.0).then_some(rank))
    }
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
