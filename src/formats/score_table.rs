//! Scores of systems' segments: a table with one row per segment and system, with human scores and metrics' scores.

use std::collections::{BTreeMap, HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use super::foreign;
use super::roles::{COLUMN, ColumnRole, References, named_roles, part_of};
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::files::table::{Column, Header, Row, Rows, TableKind};
use crate::judgments::NO_PART;
use crate::options::Options;

/// The names of the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScoreColumns {
    /// Human scores; an empty cell was not judged.
    pub people: String,
    /// The column whose values divide the table into parts; `None` for a single table.
    pub by_column: Option<String>,
    /// The metrics; names that are not columns are left to the caller. `None` for all other columns that hold numbers.
    pub metrics: Option<Vec<String>>,
    /// The names of columns by their roles, [`COLUMN`]: system, segment, mt, ref, src, annotator. Without a
    /// segment, rows are numbered within their system.
    pub options: Options,
}

/// A table of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    /// The file, or the name of a table in memory, for errors.
    pub place: String,
    /// The column of human scores.
    pub people: String,
    /// The value of the column that the table was divided by.
    pub part: Option<String>,
    /// In the order of the file.
    pub systems: Vec<String>,
    /// In the order of the file. If there is a column of raters, each segment is there once for each rater, so that
    /// only ratings of the same rater are compared.
    pub segments: Vec<String>,
    /// The number of raters, if there is a column of them.
    pub raters: Option<usize>,
    /// The number of cells whose human score is the mean of several ratings.
    pub averaged: usize,
    /// The metrics that are columns, in the order asked for, or in that of the file.
    pub metrics: Vec<String>,
    /// Whether the table has hypotheses and references.
    pub has_texts: bool,
    /// System by system. (systems, segments)
    pub cells: Vec<ScoredCell>,
}

/// What a table says of a system's output for a segment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoredCell {
    /// The human score, the mean of several; `None` if people did not judge it.
    pub people: Option<f64>,
    /// The number of ratings that the human score is the mean of.
    ratings: usize,
    /// The score of each metric.
    pub scores: Vec<f64>,
    /// The system's output; empty if the table has no texts.
    pub hypothesis: String,
    /// At least one if the table has texts.
    pub references: Vec<String>,
    /// What the output translates, if the table says so.
    pub source: Option<String>,
    /// Its line in the file.
    pub(crate) line: usize,
}

/// A column with more values names single segments.
const MAX_PARTS: usize = 100;

/// The name of the column of hypotheses in tables that `import --scores` writes.
pub const HYPOTHESIS: &str = "hyp";
/// The usual name of the column of the first reference; further ones are `ref2`, `ref3`, ...
pub const REFERENCE: &str = "ref";

/// Columns that are never metrics, even if they hold numbers; `ref2`, `ref3`, ... are not either.
const NO_METRICS: [&str; 18] = [
    "doc",
    "doc_id",
    "document",
    "domain",
    "group",
    "hyp",
    "id",
    "annotator",
    "judges",
    "line",
    "mt",
    "rater",
    "ref",
    "seg_id",
    "source",
    "src",
    "target",
    "weight",
];

impl ScoreTable {
    /// Reads a table from a file: one for each value of [`ScoreColumns::by_column`], in the order of the file, each with its own
    /// systems and segments.
    ///
    /// # Errors
    /// The file cannot be read; a column is missing or named twice; a metric's cell is not a number; a human score is
    /// not a number, or there are none; a system has a segment twice, or lacks one.
    pub fn read(input: &Input, kind: Option<TableKind>, names: &ScoreColumns) -> Result<Vec<Self>> {
        let rows = Rows::open(input, kind)?;
        Self::new(&rows.header().clone(), rows, names)
    }

    /// Reads the rows of a table.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn new<'c>(
        header: &Header,
        rows: impl Iterator<Item = Result<Row<'c>>>,
        names: &ScoreColumns,
    ) -> Result<Vec<Self>> {
        let mut columns = Columns::find(header, names)?;
        let (place, mut grids) = (header.place().to_owned(), IndexMap::<Option<String>, Grid>::new());
        for row in rows {
            let row = row?;
            let segment = columns.segment.as_ref().map(|column| row.text(column)).transpose()?;
            let rater = columns.rater.as_ref().map(|column| row.text(column)).transpose()?;
            let part = columns.part.as_ref().map(|column| {
                Ok(part_of(&row, Some(column))?.map_or_else(|| NO_PART.to_owned(), |part| part.to_string()))
            });
            let part = part.transpose()?;
            let cell = columns.read(&row)?;
            let grid = grids.entry(part).or_default();
            grid.add(&row, &row.text(&columns.system)?, [segment.as_deref(), rater.as_deref()], cell)?;
        }
        if grids.is_empty() {
            let advice = "check that the right file was named";
            return Err(Error::invalid(place, "rows below the header", "none", advice));
        }
        if grids.len() > MAX_PARTS {
            let found = format!("{} in {}", grids.len(), quoted(names.by_column.as_deref().unwrap_or_default()));
            let advice = "name a column with few values";
            return Err(Error::invalid("`by_column`", format!("at most {MAX_PARTS} values"), found, advice));
        }
        columns.check(&grids, &place)?;
        grids.into_iter().map(|(part, grid)| grid.table(part, &columns, &place)).collect()
    }

    /// Keeps only the segments that people judged for every system.
    ///
    /// # Errors
    /// There is none.
    pub fn complete(mut self) -> Result<Self> {
        let count = self.segments.len();
        let is_complete =
            |segment: usize| self.cells.iter().skip(segment).step_by(count).all(|cell| cell.people.is_some());
        let kept: Vec<bool> = (0..count).map(is_complete).collect();
        if !kept.contains(&true) {
            let expected = "a segment with a human score for every system";
            return Err(Error::invalid(self.place, expected, "none", "omit `complete`, or remove systems"));
        }
        let mut of_cells = kept.iter().cycle();
        self.cells.retain(|_| of_cells.next() == Some(&true));
        let mut of_segments = kept.iter();
        self.segments.retain(|_| of_segments.next() == Some(&true));
        Ok(self)
    }
}

/// The roles of columns that can be named.
const ROLES: [ColumnRole; 6] = [
    ColumnRole::System,
    ColumnRole::Segment,
    ColumnRole::Output,
    ColumnRole::Reference,
    ColumnRole::Source,
    ColumnRole::Annotator,
];

/// The columns that are read.
struct Columns {
    system: Column,
    segment: Option<Column>,
    people: Column,
    rater: Option<Column>,
    part: Option<Column>,
    metrics: Vec<MetricColumn>,
    /// Whether the user asked for the metrics by name.
    has_named: bool,
    /// The columns of hypothesis and references.
    texts: Option<(Column, References)>,
    source: Option<Column>,
}

/// A column that may be a metric.
struct MetricColumn {
    column: Column,
    /// The error for the first cell that is not a number.
    fault: Option<Error>,
    faults: usize,
}

impl Columns {
    fn find(header: &Header, names: &ScoreColumns) -> Result<Self> {
        if let Some(other) = named_roles(&names.options).find(|role| !ROLES.contains(role)) {
            let expected = format!("the roles {}", ROLES.map(ColumnRole::usual_name).join(", "));
            return Err(Error::invalid(COLUMN.argument(), expected, quoted(other.usual_name()), "omit the role"));
        }
        let required = |name: &str, argument: &str| {
            let advice = foreign::advice(header.columns());
            let advice = advice.map_or_else(
                || format!("give the name of the column with {argument}"),
                |known| format!("{known} with `scores` makes a table of scores"),
            );
            header.require_or(name, &advice)
        };
        let system = required(ColumnRole::System.name(&names.options), "`column` system=NAME")?;
        let segment = ColumnRole::Segment.in_table(header, &names.options)?;
        // JSON Lines may leave out unjudged scores, even in the first line.
        let people = header.find(&names.people).map_or_else(|| required(&names.people, "`people` COLUMN"), Ok)?;
        let rater = ColumnRole::Annotator.in_table(header, &names.options)?;
        let part = names.by_column.as_ref().map(|name| header.require(name)).transpose()?;
        let hypothesis = ColumnRole::Output.in_table(header, &names.options)?;
        let others =
            [Some(&system), segment.as_ref(), Some(&people), rater.as_ref(), part.as_ref(), hypothesis.as_ref()];
        let others: Vec<&str> = others.into_iter().flatten().map(Column::name).collect();
        check_twice(others.iter().copied().chain(names.metrics.iter().flatten().map(String::as_str)), header)?;
        let metrics: Vec<&str> = match &names.metrics {
            Some(asked) => asked.iter().map(String::as_str).filter(|name| header.has(name)).collect(),
            None => {
                let all = header.columns().iter().map(String::as_str);
                let texts = [ColumnRole::Reference, ColumnRole::Source].map(|role| role.name(&names.options));
                all.filter(|name| !others.contains(name) && !texts.contains(name) && may_be_metric(name)).collect()
            }
        };
        let metric = |column| MetricColumn { column, fault: None, faults: 0 };
        let metrics = metrics.into_iter().filter_map(|name| header.find(name)).map(metric).collect();
        let has_reference = ColumnRole::Reference.in_table(header, &names.options)?.is_some();
        let texts = |hypothesis| Ok((hypothesis, References::find(ColumnRole::Reference, header, &names.options)?));
        let texts = hypothesis.filter(|_| has_reference).map(texts).transpose()?;
        let source = ColumnRole::Source.in_table(header, &names.options)?;
        let has_named = names.metrics.is_some();
        Ok(Self { system, segment, people, rater, part, metrics, has_named, texts, source })
    }

    fn read(&mut self, row: &Row<'_>) -> Result<ScoredCell> {
        let is_judged = row.optional(&self.people)?.is_some();
        let people = is_judged.then(|| row.number(&self.people)).transpose()?;
        let ratings = people.iter().len();
        let mut cell = ScoredCell { people, ratings, line: row.line(), ..ScoredCell::default() };
        for metric in &mut self.metrics {
            let score = row.number(&metric.column);
            cell.scores.push(match score {
                Err(fault) if !self.has_named => {
                    metric.faults += 1;
                    metric.fault.get_or_insert(fault);
                    0.0
                }
                score => score?,
            });
        }
        if let Some((hypothesis, references)) = &self.texts {
            cell.hypothesis = row.text(hypothesis)?.into_owned();
            cell.references = references.read(row)?;
            let source = self.source.as_ref().and_then(|column| row.optional(column).ok().flatten());
            cell.source = source.map(Into::into);
        }
        Ok(cell)
    }

    /// Checks that people scored something, and that columns that are mostly numbers are so in every cell.
    fn check(&mut self, grids: &IndexMap<Option<String>, Grid>, source_name: &str) -> Result<()> {
        let cells = || grids.values().flat_map(|grid| grid.cells.values());
        if cells().all(|cell| cell.people.is_none()) {
            let expected = format!("human scores in the column {}", quoted(self.people.name()));
            let advice = "name the column of the human scores: `people` COLUMN";
            return Err(Error::invalid(source_name, expected, "only empty cells", advice));
        }
        // A column that is mostly numbers was meant to be a metric; one that is mostly text is not a metric.
        let meant = self.metrics.iter_mut().find(|metric| metric.faults > 0 && 2 * metric.faults < cells().count());
        meant.and_then(|metric| metric.fault.take()).map_or(Ok(()), Err)
    }
}

fn may_be_metric(name: &str) -> bool {
    let is_reference =
        name.strip_prefix(REFERENCE).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    !name.is_empty() && !is_reference && !NO_METRICS.contains(&name)
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

/// A segment, and the rater if there is a column of raters.
type SegmentName = (String, Option<String>);

/// The systems, the segments, and the cells by system and segment.
#[derive(Default)]
struct Grid {
    systems: IndexSet<String>,
    segments: IndexSet<SegmentName>,
    cells: BTreeMap<[usize; 2], ScoredCell>,
    /// The number of rows of each system.
    counts: Vec<usize>,
}

impl Grid {
    /// Adds a row; without a segment name, segments are numbered by row within their system. Ratings of the same text
    /// with the same scores are summed up.
    fn add(&mut self, row: &Row<'_>, system: &str, names: [Option<&str>; 2], cell: ScoredCell) -> Result<()> {
        let (system, _) = self.systems.insert_full(system.to_owned());
        self.counts.resize(self.systems.len(), 0);
        self.counts[system] += 1;
        let [segment, rater] = names;
        let segment = segment.map_or_else(|| self.counts[system].to_string(), str::to_owned);
        let (segment, _) = self.segments.insert_full((segment, rater.map(str::to_owned)));
        let Some(known) = self.cells.get_mut(&[system, segment]) else {
            self.cells.insert([system, segment], cell);
            return Ok(());
        };
        if (&known.scores, &known.hypothesis, &known.references) == (&cell.scores, &cell.hypothesis, &cell.references) {
            known.ratings += cell.ratings;
            known.people = known.people.map_or(cell.people, |sum| Some(sum + cell.people.unwrap_or(0.0)));
            return Ok(());
        }
        let line = known.line;
        let expected = format!("one text and one score of each metric for {}", self.name(system, segment));
        let advice = "remove one of them, or name the columns with `system` and `segment`";
        Err(Error::invalid(row.place(), expected, format!("others in line {line}"), advice))
    }

    fn name(&self, system: usize, segment: usize) -> String {
        format!("segment {} of system {}", quoted(&shown(&self.segments[segment])), quoted(&self.systems[system]))
    }

    /// The table of all rows of a part.
    fn table(mut self, part: Option<String>, columns: &Columns, place: &str) -> Result<ScoreTable> {
        self.fill();
        self.check(place)?;
        let is_kept = |at: &usize| columns.metrics[*at].faults == 0;
        let kept: Vec<usize> = (0..columns.metrics.len()).filter(is_kept).collect();
        let averaged = self.cells.values().filter(|cell| cell.ratings > 1).count();
        let cells = self.cells.into_values().map(|cell| {
            let scores = kept.iter().map(|&at| cell.scores[at]).collect();
            ScoredCell { scores, people: cell.people.map(|sum| sum / cell.ratings as f64), ..cell }
        });
        let raters = self.segments.iter().map(|(_, rater)| rater).collect::<HashSet<_>>().len();
        Ok(ScoreTable {
            place: place.to_owned(),
            people: columns.people.name().to_owned(),
            part,
            metrics: kept.iter().map(|&at| columns.metrics[at].column.name().to_owned()).collect(),
            has_texts: columns.texts.is_some(),
            cells: cells.collect(),
            systems: self.systems.into_iter().collect(),
            raters: columns.rater.as_ref().map(|_| raters),
            averaged,
            segments: self.segments.iter().map(shown).collect(),
        })
    }

    /// Adds a cell without a human score where a rater did not judge what another one did.
    fn fill(&mut self) {
        let of_segment = |(&[system, segment], cell): (&[usize; 2], &ScoredCell)| {
            ((system, self.segments[segment].0.clone()), ScoredCell { people: None, ratings: 0, ..cell.clone() })
        };
        let of_segment: HashMap<(usize, String), ScoredCell> =
            match self.segments.iter().any(|(_, rater)| rater.is_some()) {
                true => self.cells.iter().map(of_segment).collect(),
                false => return,
            };
        for (number, (segment, _)) in self.segments.iter().enumerate() {
            for system in 0..self.systems.len() {
                if let Some(cell) = of_segment.get(&(system, segment.clone())) {
                    self.cells.entry([system, number]).or_insert_with(|| cell.clone());
                }
            }
        }
    }

    /// Checks that there is a cell for every segment of every system.
    fn check(&self, source_name: &str) -> Result<()> {
        let segments = self.segments.len();
        let all = (0..self.systems.len()).flat_map(|system| (0..segments).map(move |segment| [system, segment]));
        let mut missing = all.filter(|at| !self.cells.contains_key(at));
        let Some([system, segment]) = missing.next() else { return Ok(()) };
        let others = missing.count();
        let others = if others > 0 { format!(", and {others} more") } else { String::new() };
        let found = format!("none of {}{others}", self.name(system, segment));
        let advice = "add the rows, with an empty cell where there is no human score, or remove the segment or the \
            system";
        Err(Error::invalid(source_name, "a row for every segment of every system", found, advice))
    }
}

/// A segment as reports name it.
fn shown((segment, rater): &SegmentName) -> String {
    rater.as_ref().map_or_else(|| segment.clone(), |rater| format!("{segment} ({rater})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(ending: &str, text: &str, names: &ScoreColumns) -> Result<ScoreTable> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        ScoreTable::read(&Input::File(file.path().into()), None, names).map(|mut tables| tables.remove(0))
    }

    fn names() -> ScoreColumns {
        ScoreColumns { people: "score".into(), ..ScoreColumns::default() }
    }

    fn people(table: &ScoreTable) -> Vec<Option<f64>> {
        table.cells.iter().map(|cell| cell.people).collect()
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
        assert_eq!(people(&table), [Some(1.0), Some(2.0), Some(3.0), None]);
        // `doc` is never a metric, and `word` is not numeric.
        assert_eq!(table.metrics, ["m"]);
        let scores = |table: &ScoreTable| table.cells.iter().map(|cell| cell.scores.clone()).collect::<Vec<_>>();
        assert_eq!(scores(&table), [[0.1], [0.2], [0.3], [0.4]]);
        assert!(!table.has_texts);
        let complete = table.complete().unwrap();
        assert_eq!((people(&complete), scores(&complete)), (vec![Some(1.0), Some(3.0)], vec![vec![0.1], vec![0.3]]));
        assert_eq!(complete.segments, ["s1"]);
    }

    #[test]
    fn rows_are_counted_without_a_column_of_segments() {
        let table = read(".csv", "system,score\nA,1\nB,2\nA,3\nB,4\n", &names()).unwrap();
        assert_eq!((table.segments.join(" "), table.cells[1].people), ("1 2".into(), Some(3.0)));
    }

    #[test]
    fn json_may_leave_out_what_people_did_not_judge() {
        let lines = "{\"system\": \"A\", \"segment\": 1, \"m\": 1, \"hyp\": \"h\", \"ref\": [\"r\", \"q\"]}\n\
            {\"system\": \"B\", \"segment\": 1, \"m\": 2, \"score\": 0.5, \"hyp\": \"i\", \"ref\": \"r\"}\n";
        let table = read(".jsonl", lines, &names()).unwrap();
        assert_eq!(people(&table), [None, Some(0.5)]);
        assert!(table.has_texts);
        assert_eq!([&table.cells[0].hypothesis, &table.cells[1].hypothesis], ["h", "i"]);
        assert_eq!(table.cells[0].references, ["r", "q"]);
    }

    #[test]
    fn holes_and_repetitions_are_named_by_line_and_column() {
        let asked = |metrics: &[&str]| ScoreColumns {
            metrics: Some(metrics.iter().map(|&name| name.to_owned()).collect()),
            ..names()
        };
        let mut segment = names();
        segment.options.set(&COLUMN, "segment=id").unwrap();
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
