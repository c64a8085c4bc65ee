//! Scores of systems' segments. In: a table with one row per segment and system. Out: human scores and metrics' scores,
//! system by system. Next: [`crate::evaluation::meta`].

mod columns;
mod grid;

use self::columns::Columns;
use self::grid::Grid;
use super::pair_columns::References;
use crate::error::{Error, Result};
use crate::files::Input;
use crate::files::table::{Row, Rows, TableKind};

/// The names of the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScoreColumns {
    /// Human scores; an empty cell was not judged.
    pub people: String,
    /// The systems; `system` by default.
    pub system: Option<String>,
    /// The segments; by default `segment`, or the row's number within its system if there is no such column.
    pub segment: Option<String>,
    /// The metrics; names that are not columns are left to the caller. `None` for all other columns that hold numbers.
    pub metrics: Option<Vec<String>>,
}

/// A table of scores. Lists of cells are ordered system by system: (systems, segments).
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    /// In the order of the file.
    pub systems: Vec<String>,
    /// In the order of the file.
    pub segments: Vec<String>,
    /// Human scores; `None` where people did not judge. (systems, segments)
    pub people: Vec<Option<f64>>,
    /// The metrics that are columns, in the order asked for, or in that of the file.
    pub metrics: Vec<ScoreColumn>,
    /// The systems' outputs and references, if the table has the columns `hyp` and `ref`.
    pub texts: Option<ScoredTexts>,
}

/// A metric that is a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreColumn {
    /// Its name.
    pub name: String,
    /// Its scores. (systems, segments)
    pub scores: Vec<f64>,
}

/// The texts of all cells. (systems, segments)
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScoredTexts {
    /// The systems' outputs.
    pub hypotheses: Vec<String>,
    /// At least one per cell.
    pub references: Vec<Vec<String>>,
}

/// The column of the systems' outputs.
pub const HYPOTHESIS: &str = "hyp";
/// The column of the first reference; further ones are `ref2`, `ref3`, ...
pub const REFERENCE: &str = "ref";

impl ScoreTable {
    /// Reads a table.
    ///
    /// # Errors
    /// The file cannot be read; a column is missing or named twice; a metric's cell is not a number; a human score is
    /// not a number, or there are none; a system has a segment twice, or lacks one.
    pub fn read(input: &Input, kind: Option<TableKind>, names: &ScoreColumns) -> Result<Self> {
        let rows = Rows::open(input, kind)?;
        let mut columns = Columns::find(rows.header(), names)?;
        let has_texts = rows.header().has(HYPOTHESIS) && rows.header().has(REFERENCE);
        let mut texts = has_texts.then(|| Texts::find(&rows)).transpose()?;
        let (place, mut grid) = (rows.header().place().to_owned(), Grid::default());
        for row in rows {
            let row = row?;
            grid.add(&row, columns.system(&row)?, columns.segment(&row)?)?;
            columns.read(&row)?;
            texts.as_mut().map_or(Ok(()), |texts| texts.read(&row))?;
        }
        if grid.is_empty() {
            return Err(Error::invalid(place, "rows below the header", "none", "check that the right file was named"));
        }
        let (people, metrics) = columns.finish()?;
        let order = grid.order(&place)?;
        let sorted = |metric: ScoreColumn| ScoreColumn {
            scores: order.iter().map(|&row| metric.scores[row]).collect(),
            name: metric.name,
        };
        Ok(Self {
            people: order.iter().map(|&row| people[row]).collect(),
            metrics: metrics.into_iter().map(sorted).collect(),
            texts: texts.map(|texts| texts.sorted(&order)),
            systems: grid.systems.names,
            segments: grid.segments.names,
        })
    }

    /// Keeps only the segments that people judged for every system.
    ///
    /// # Errors
    /// There is none.
    pub fn complete(mut self, place: &str) -> Result<Self> {
        let count = self.segments.len();
        let is_complete = |segment: usize| self.people.iter().skip(segment).step_by(count).all(Option::is_some);
        let kept: Vec<bool> = (0..count).map(is_complete).collect();
        if !kept.contains(&true) {
            let expected = "a segment that people scored for every system";
            return Err(Error::invalid(place, expected, "none", "omit --complete, or leave systems out"));
        }
        retain(&mut self.people, &kept);
        self.metrics.iter_mut().for_each(|metric| retain(&mut metric.scores, &kept));
        if let Some(texts) = &mut self.texts {
            retain(&mut texts.hypotheses, &kept);
            retain(&mut texts.references, &kept);
        }
        retain(&mut self.segments, &kept);
        Ok(self)
    }
}

/// Keeps the cells of some segments; `kept` holds one flag per segment.
fn retain<T>(cells: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter().cycle();
    cells.retain(|_| *kept.next().unwrap_or(&true));
}

/// The texts, in the order in which they are read.
struct Texts {
    hypothesis: crate::files::table::Column,
    references: References,
    found: ScoredTexts,
}

impl Texts {
    fn find(rows: &Rows) -> Result<Self> {
        let references = References::find(rows.header(), &[REFERENCE.to_owned()])?;
        Ok(Self { hypothesis: rows.header().require(HYPOTHESIS)?, references, found: ScoredTexts::default() })
    }

    fn read(&mut self, row: &Row<'_>) -> Result<()> {
        self.found.hypotheses.push(row.text(&self.hypothesis)?.into_owned());
        self.found.references.push(self.references.of(row)?);
        Ok(())
    }

    fn sorted(mut self, order: &[usize]) -> ScoredTexts {
        let hypotheses = order.iter().map(|&row| std::mem::take(&mut self.found.hypotheses[row])).collect();
        let references = order.iter().map(|&row| std::mem::take(&mut self.found.references[row])).collect();
        ScoredTexts { hypotheses, references }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(ending: &str, text: &str, names: &ScoreColumns) -> Result<ScoreTable> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        ScoreTable::read(&Input::File(file.path().into()), None, names)
    }

    fn names() -> ScoreColumns {
        ScoreColumns { people: "score".into(), ..ScoreColumns::default() }
    }

    fn fault(text: &str, names: &ScoreColumns) -> String {
        let message = read(".csv", text, names).unwrap_err().to_string();
        message.split_once(".csv").unwrap().1.to_owned()
    }

    const TABLE: &str =
        "system,doc,segment,m,score,word\nA,1,s1,0.1,1,x\nB,1,s2,0.4,,y\nA,1,s2,0.2,2,z\nB,1,s1,0.3,3,w\n";

    #[test]
    fn rows_are_sorted_by_system_and_segment() {
        let table = read(".csv", TABLE, &names()).unwrap();
        assert_eq!((table.systems.join(" "), table.segments.join(" ")), ("A B".into(), "s1 s2".into()));
        assert_eq!(table.people, [Some(1.0), Some(2.0), Some(3.0), None]);
        // `doc` is never a metric, and `word` is not numeric.
        assert_eq!(table.metrics, [ScoreColumn { name: "m".into(), scores: vec![0.1, 0.2, 0.3, 0.4] }]);
        assert_eq!(table.texts, None);
        let complete = table.complete("x").unwrap();
        assert_eq!((complete.segments, complete.people), (vec!["s1".to_owned()], vec![Some(1.0), Some(3.0)]));
        assert_eq!(complete.metrics[0].scores, [0.1, 0.3]);
    }

    #[test]
    fn rows_are_counted_without_a_column_of_segments() {
        let table = read(".csv", "system,score\nA,1\nB,2\nA,3\nB,4\n", &names()).unwrap();
        assert_eq!((table.segments.join(" "), table.people[1]), ("1 2".into(), Some(3.0)));
    }

    #[test]
    fn json_may_leave_out_what_people_did_not_judge() {
        let lines = "{\"system\": \"A\", \"segment\": 1, \"m\": 1, \"hyp\": \"h\", \"ref\": [\"r\", \"q\"]}\n\
            {\"system\": \"B\", \"segment\": 1, \"m\": 2, \"score\": 0.5, \"hyp\": \"i\", \"ref\": \"r\"}\n";
        let table = read(".jsonl", lines, &names()).unwrap();
        assert_eq!(table.people, [None, Some(0.5)]);
        let texts = table.texts.unwrap();
        assert_eq!(
            (texts.hypotheses, &texts.references[0]),
            (vec!["h".to_owned(), "i".to_owned()], &vec!["r".to_owned(), "q".to_owned()])
        );
    }

    #[test]
    fn holes_and_repetitions_are_named_by_line_and_column() {
        let asked = |metrics: &[&str]| ScoreColumns {
            metrics: Some(metrics.iter().map(|&name| name.to_owned()).collect()),
            ..names()
        };
        let hole = TABLE.replace("0.2", "");
        assert!(fault(&hole, &names()).starts_with(":4: expected a number in the column 'm', found ''"));
        let nan = TABLE.replace("0.2", "nan");
        assert!(fault(&nan, &names()).starts_with(":4: expected a number in the column 'm', found 'nan'"));
        assert!(fault(TABLE, &asked(&["word"])).starts_with(":2: expected a number in the column 'word', found 'x'"));
        assert!(fault(TABLE, &asked(&["m", "m"])).contains("found 'm' twice"));
        assert!(fault(TABLE, &asked(&["score"])).contains("found 'score' twice"));
        assert!(
            fault(TABLE, &ScoreColumns { people: "gold".into(), ..names() })
                .starts_with(":1: expected a column 'gold'")
        );
        assert!(fault(&TABLE.replace("system,", "name,"), &names()).starts_with(":1: expected a column 'system'"));
        let segment = ScoreColumns { segment: Some("id".into()), ..names() };
        assert!(fault(TABLE, &segment).starts_with(":1: expected a column 'id'"));
        let twice = TABLE.replace("A,1,s2", "A,1,s1");
        assert!(
            fault(&twice, &names())
                .starts_with(":4: expected one row of segment 's1' of system 'A', found another in line 2")
        );
        let lacking = TABLE.replace("B,1,s1", "B,1,s3");
        assert!(
            fault(&lacking, &names()).contains("found none of segment 's3' of system 'A', and 1 more"),
            "{}",
            fault(&lacking, &names())
        );
        let unjudged = TABLE.replace(",1,x", ",,x").replace(",2,z", ",,z").replace(",3,w", ",,w");
        assert!(fault(&unjudged, &names()).contains("found only empty cells"));
        assert!(
            fault(&TABLE.replace(",3,w", ",inf,w"), &names())
                .starts_with(":5: expected a number in the column 'score', found 'inf'")
        );
        assert!(fault("system,score\n", &names()).contains("expected rows below the header"));
    }
}
