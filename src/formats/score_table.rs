//! Scores of systems' segments: a table with one row per segment and system, with human scores and metrics' scores.

use std::collections::HashMap;

use indexmap::IndexSet;

use super::roles::References;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::files::table::{Column, Header, Row, Rows, TableKind};
use crate::options::Options;

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

/// Columns that are never metrics, even if they hold numbers; `ref2`, `ref3`, ... are not either.
const NO_METRICS: [&str; 16] = [
    "doc", "doc_id", "document", "domain", "group", "hyp", "id", "line", "mt", "rater", "ref", "seg_id", "source",
    "src", "target", "weight",
];

impl ScoreTable {
    /// Reads a table.
    ///
    /// # Errors
    /// The file cannot be read; a column is missing or named twice; a metric's cell is not a number; a human score is
    /// not a number, or there are none; a system has a segment twice, or lacks one.
    pub fn read(input: &Input, kind: Option<TableKind>, names: &ScoreColumns) -> Result<Self> {
        let rows = Rows::open(input, kind)?;
        let mut columns = Columns::find(rows.header(), names)?;
        let (source_name, mut grid) = (rows.header().place().to_owned(), Grid::default());
        for row in rows {
            let row = row?;
            let segment = columns.segment.as_ref().map(|column| row.text(column)).transpose()?;
            grid.add(&row, &row.text(&columns.system)?, segment.as_deref())?;
            columns.read(&row)?;
        }
        if grid.rows.is_empty() {
            let advice = "check that the right file was named";
            return Err(Error::invalid(source_name, "rows below the header", "none", advice));
        }
        columns.check(&source_name)?;
        let order = grid.order(&source_name)?;
        Ok(Self {
            people: sorted(&order, columns.scores),
            metrics: columns.metrics.into_iter().map(|metric| metric.sorted(&order)).collect(),
            texts: columns.texts.is_some().then(|| ScoredTexts {
                hypotheses: sorted(&order, columns.found.hypotheses),
                references: sorted(&order, columns.found.references),
            }),
            systems: grid.systems.into_iter().collect(),
            segments: grid.segments.into_iter().collect(),
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
            return Err(Error::invalid(place, expected, "none", "omit `complete`, or leave systems out"));
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

/// The cells in an order of their rows.
fn sorted<T: Default>(order: &[usize], mut cells: Vec<T>) -> Vec<T> {
    order.iter().map(|&row| std::mem::take(&mut cells[row])).collect()
}

/// Keeps the cells of some segments; `kept` holds one flag per segment.
fn retain<T>(cells: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter().cycle();
    cells.retain(|_| *kept.next().unwrap_or(&true));
}

/// The columns, and what was read from them, row by row.
struct Columns {
    system: Column,
    segment: Option<Column>,
    people: Column,
    scores: Vec<Option<f64>>,
    metrics: Vec<MetricColumn>,
    /// The columns of hypothesis and references.
    texts: Option<(Column, References)>,
    found: ScoredTexts,
}

/// A column that may be a metric.
struct MetricColumn {
    column: Column,
    /// Whether the user asked for it by name.
    is_named: bool,
    scores: Vec<f64>,
    /// The error for the first cell that is not a number.
    fault: Option<Error>,
    faults: usize,
}

impl Columns {
    fn find(header: &Header, names: &ScoreColumns) -> Result<Self> {
        let required = |name: &str, argument: &str| {
            header.require_or(name, &format!("name the column as it is called in the table: `{argument}` COLUMN"))
        };
        let system = required(names.system.as_deref().unwrap_or("system"), "system")?;
        let segment = match &names.segment {
            Some(name) => Some(required(name, "segment")?),
            None => header.find("segment").filter(|_| header.has("segment")),
        };
        // JSON Lines may leave out unjudged scores, even in the first line.
        let people = header.find(&names.people).map_or_else(|| required(&names.people, "people"), Ok)?;
        let others = [Some(&system), segment.as_ref(), Some(&people)];
        let others: Vec<&str> = others.into_iter().flatten().map(Column::name).collect();
        check_twice(others.iter().copied().chain(names.metrics.iter().flatten().map(String::as_str)), header)?;
        let metrics: Vec<&str> = match &names.metrics {
            Some(asked) => asked.iter().map(String::as_str).filter(|name| header.has(name)).collect(),
            None => {
                let all = header.columns().iter().map(String::as_str);
                all.filter(|name| !others.contains(name) && may_be_metric(name)).collect()
            }
        };
        let is_named = names.metrics.is_some();
        let metric = |column| MetricColumn { column, is_named, scores: Vec::new(), fault: None, faults: 0 };
        let metrics = metrics.into_iter().filter_map(|name| header.find(name)).map(metric).collect();
        let has_texts = header.has(HYPOTHESIS) && header.has(REFERENCE);
        let texts = || Ok((header.require(HYPOTHESIS)?, References::find(header, &Options::default())?));
        let (texts, found) = (has_texts.then(texts).transpose()?, ScoredTexts::default());
        Ok(Self { system, segment, people, scores: Vec::new(), metrics, texts, found })
    }

    fn read(&mut self, row: &Row<'_>) -> Result<()> {
        let is_judged = row.optional(&self.people)?.is_some();
        self.scores.push(is_judged.then(|| row.number(&self.people)).transpose()?);
        for metric in &mut self.metrics {
            match row.number(&metric.column) {
                Ok(score) => metric.scores.push(score),
                Err(fault) if metric.is_named => return Err(fault),
                Err(fault) => {
                    metric.scores.push(0.0);
                    metric.faults += 1;
                    metric.fault.get_or_insert(fault);
                }
            }
        }
        if let Some((hypothesis, references)) = &self.texts {
            self.found.hypotheses.push(row.text(hypothesis)?.into_owned());
            self.found.references.push(references.of(row)?);
        }
        Ok(())
    }

    /// Checks that people scored something, and leaves only columns of numbers among the metrics.
    fn check(&mut self, source_name: &str) -> Result<()> {
        if self.scores.iter().all(Option::is_none) {
            let expected = format!("people's scores in the column {}", quoted(self.people.name()));
            let advice = "name the column with what people gave: `people` COLUMN";
            return Err(Error::invalid(source_name, expected, "only empty cells", advice));
        }
        // A column that is mostly numbers was meant to be a metric; one that is mostly text is not a metric.
        let meant = self.metrics.iter_mut().find(|metric| metric.faults > 0 && 2 * metric.faults < metric.scores.len());
        if let Some(fault) = meant.and_then(|metric| metric.fault.take()) {
            return Err(fault);
        }
        self.metrics.retain(|metric| metric.faults == 0);
        Ok(())
    }
}

impl MetricColumn {
    fn sorted(self, order: &[usize]) -> ScoreColumn {
        ScoreColumn { name: self.column.name().to_owned(), scores: sorted(order, self.scores) }
    }
}

fn may_be_metric(name: &str) -> bool {
    let is_reference =
        name.strip_prefix(REFERENCE).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    !name.is_empty() && name != HYPOTHESIS && !is_reference && !NO_METRICS.contains(&name)
}

fn check_twice<'n>(names: impl Iterator<Item = &'n str>, header: &Header) -> Result<()> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            let advice = "name each column once among `people`, `system`, `segment` and `metrics`";
            let found = format!("{} twice", quoted(name));
            return Err(Error::invalid(header.place(), "different columns", found, advice));
        }
        seen.push(name);
    }
    Ok(())
}

/// The systems, the segments, and the row of each cell.
#[derive(Default)]
struct Grid {
    systems: IndexSet<String>,
    segments: IndexSet<String>,
    rows: HashMap<[usize; 2], usize>,
    /// The line of each row.
    lines: Vec<usize>,
    /// The number of rows of each system.
    counts: Vec<usize>,
}

impl Grid {
    /// Adds the next row; without a segment name, segments are numbered by row within their system.
    fn add(&mut self, row: &Row<'_>, system: &str, segment: Option<&str>) -> Result<()> {
        let (system, _) = self.systems.insert_full(system.to_owned());
        self.counts.resize(self.systems.len(), 0);
        self.counts[system] += 1;
        let segment = segment.map_or_else(|| self.counts[system].to_string(), str::to_owned);
        let (segment, _) = self.segments.insert_full(segment);
        self.lines.push(row.line());
        if let Some(known) = self.rows.insert([system, segment], self.rows.len()) {
            let expected = format!("one row of {}", self.cell(system, segment));
            let advice = "remove one of them, or name the columns with `system` and `segment`";
            return Err(Error::invalid(
                row.place(),
                expected,
                format!("another in line {}", self.lines[known]),
                advice,
            ));
        }
        Ok(())
    }

    fn cell(&self, system: usize, segment: usize) -> String {
        format!("segment {} of system {}", quoted(&self.segments[segment]), quoted(&self.systems[system]))
    }

    /// The row numbers, system by system.
    fn order(&self, source_name: &str) -> Result<Vec<usize>> {
        let segments = self.segments.len();
        let cells = (0..self.systems.len()).flat_map(|system| (0..segments).map(move |segment| [system, segment]));
        let rows: Vec<Option<usize>> = cells.map(|cell| self.rows.get(&cell).copied()).collect();
        if let Some(first) = rows.iter().position(Option::is_none) {
            let others = rows.iter().filter(|row| row.is_none()).count() - 1;
            let others = if others > 0 { format!(", and {others} more") } else { String::new() };
            let found = format!("none of {}{others}", self.cell(first / segments, first % segments));
            let advice = "add the rows, with an empty cell where people did not judge, or leave the segment or the \
                system out";
            return Err(Error::invalid(source_name, "a row for every segment of every system", found, advice));
        }
        Ok(rows.into_iter().flatten().collect())
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
        let segment = ScoreColumns { segment: Some("id".into()), ..names() };
        for (from, to, names, told) in [
            ("0.2", "nan", names(), ":4: expected a number in the column 'm', found 'nan'"),
            ("", "", asked(&["word"]), ":2: expected a number in the column 'word', found 'x'"),
            ("", "", asked(&["score"]), ": expected different columns, found 'score' twice"),
            ("system,", "name,", names(), ":1: expected a column 'system'"),
            ("", "", segment, ":1: expected a column 'id'"),
            (
                "B,1,s1",
                "B,1,s3",
                names(),
                ": expected a row for every segment of every system, found none of segment 's3' of system 'A', and 1 more",
            ),
            (",3,w", ",inf,w", names(), ":5: expected a number in the column 'score', found 'inf'"),
        ] {
            let found = fault(&TABLE.replace(from, to), &names);
            assert!(found.starts_with(told), "{found}");
        }
        let unjudged = TABLE.replace(",1,x", ",,x").replace(",2,z", ",,z").replace(",3,w", ",,w");
        assert!(fault(&unjudged, &names()).contains("found only empty cells"));
        assert!(fault("system,score\n", &names()).contains("expected rows below the header"));
    }
}
