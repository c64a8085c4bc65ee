//! Pairs and scores from Python's tables, and pairs from lists of tuples, by the rules for table files.

use std::collections::BTreeMap;

use arrow_array::ArrayRef;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use pyo3_arrow::input::AnyRecordBatch;
use tribunal::Result;
use tribunal::files::table::Cell;
use tribunal::formats::score_table::{ScoreColumns, ScoreTable};
use tribunal::formats::{
    ANNOTATORS, COLUMN, Frame, FrameReading, MAJORITY_WEIGHTS, MERGE, NO_MAJORITY, Signals, is_usual,
    is_usual_of_outputs,
};
use tribunal::judgments::output::Outputs;
use tribunal::judgments::{Judgment, Pair};
use tribunal::options::Options;
use tribunal::workflows::{self, NamedModel};

use crate::cells::{ArrowColumn, Object};
use crate::faults::{raised, wrong_type, wrong_value};
use crate::values::{check_index, items, names};

/// The names of tables in error messages.
const PAIRS: &str = "pairs";
const SCORES: &str = "scores";

/// The column of human labels.
const LABEL: &str = "label";

const FORMS: &str = "a list of tuples (hyp1, hyp2, ref), or a table with the columns hyp1, hyp2 and ref";

/// Columns of a table, taken from Python but not yet checked.
pub struct Columns {
    /// What errors call the table.
    place: &'static str,
    columns: Vec<(String, Column)>,
    rows: usize,
}

enum Column {
    Objects(Vec<Object>),
    Arrow(ArrowColumn),
    /// A column that is not used; only messages name it.
    Unread,
}

/// How pairs are read: own metrics, judges, annotators, and names of columns.
#[derive(Default)]
pub struct Reading<'py> {
    pub signals: Signals,
    /// The values of own metrics that are not columns, two per pair.
    values: Vec<(String, Bound<'py, PyAny>)>,
    options: Options,
    /// The column whose values a report is broken down by.
    by_column: Option<String>,
    /// Whether pairs whose systems are known need no texts.
    may_lack_texts: bool,
    /// The names of annotators' columns, and of those that stand for usual ones.
    names: Vec<String>,
}

/// What becomes of several labels of a pair: `merge`, `no_majority` and `majority_weights`.
pub type Votes<'a> = (bool, &'a str, bool);

/// One label for each pair, as it is.
pub const NO_VOTES: Votes<'_> = (false, "tie", false);

/// An argument of Python's that may be absent.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

impl<'py> Reading<'py> {
    /// The reading that arguments of Python describe. `own` holds names such as `["comet", "ter-"]`, or maps them to
    /// values for both hypotheses of each pair.
    pub fn new(
        own: Argument<'_, 'py>,
        judges: Argument<'_, 'py>,
        annotators: Argument<'_, 'py>,
        column: Argument<'_, 'py>,
        (merge, no_majority, majority_weights): Votes<'_>,
    ) -> PyResult<Self> {
        let named = names("judges", judges)?.unwrap_or_default();
        let mut reading = Self::default();
        let mut own_names = Vec::new();
        if let Some(named) = own.and_then(|own| own.cast::<PyDict>().ok()) {
            for (name, given) in named.iter() {
                let name: String = name.extract()?;
                reading.values.push((name.strip_suffix('-').unwrap_or(&name).to_owned(), given));
                own_names.push(name);
            }
        } else {
            own_names = names("own", own)?.unwrap_or_default();
        }
        reading.signals = Signals::parse(&own_names, &named).map_err(raised)?;
        for name in names("annotators", annotators)?.unwrap_or_default() {
            reading.options.set(&ANNOTATORS, &name).map_err(raised)?;
            reading.names.push(name);
        }
        for (role, name) in roles(column)? {
            reading.options.set(&COLUMN, &format!("{role}={name}")).map_err(raised)?;
            reading.names.push(name);
        }
        if no_majority != NO_VOTES.1 {
            reading.options.set(&NO_MAJORITY, no_majority).map_err(raised)?;
        }
        for (_, switch) in [(merge, &MERGE), (majority_weights, &MAJORITY_WEIGHTS)].iter().filter(|(is_on, _)| *is_on) {
            reading.options.set(switch, "").map_err(raised)?;
        }
        Ok(reading)
    }

    /// The same, with a column whose values a report is broken down by.
    pub fn with_breakdown(mut self, by_column: Option<String>) -> Self {
        self.names.extend(by_column.clone());
        Self { by_column, ..self }
    }

    /// The same for pairs that need no texts where their systems are known, if `may_lack_texts`.
    pub fn without_texts(self, may_lack_texts: bool) -> Self {
        Self { may_lack_texts, ..self }
    }

    /// What a model needs of pairs; `own` may give values of its own metrics.
    ///
    /// # Errors
    /// The model did not learn from a metric that is named.
    pub fn for_model(model: &NamedModel, own: Argument<'_, 'py>, column: Argument<'_, 'py>) -> PyResult<Self> {
        let mut reading = Self::new(own, None, None, column, NO_VOTES)?;
        model.check_metrics(&reading.signals).map_err(raised)?;
        reading.signals = Signals::default();
        reading.add_needed(std::slice::from_ref(model)).map_err(raised)?;
        Ok(reading)
    }

    /// Adds the own metrics and judges that models learned from.
    ///
    /// # Errors
    /// Two models learned different scales of a judge, and none is declared.
    pub fn add_needed(&mut self, models: &[NamedModel]) -> Result<()> {
        self.signals = workflows::with_learned(models, std::mem::take(&mut self.signals))?;
        Ok(())
    }

    /// Adds a judge, unless it is there.
    pub fn add_judge(&mut self, name: &str) {
        self.signals = std::mem::take(&mut self.signals).with_judge(name);
    }

    /// The same for the library.
    pub fn frame(&self) -> FrameReading {
        FrameReading {
            signals: self.signals.clone(),
            options: self.options.clone(),
            by_column: self.by_column.clone(),
            may_lack_texts: self.may_lack_texts,
        }
    }

    /// Whether pairs use a column; other columns may hold values of any kind.
    fn has(&self, column: &str) -> bool {
        let is_of = |name: &str, ends: &[&str]| column.strip_prefix(name).is_some_and(|end: &str| ends.contains(&end));
        is_usual(column)
            || is_usual_of_outputs(column)
            || self.names.iter().any(|name| name == column)
            || self.signals.metrics().iter().any(|metric| is_of(&metric.name, &["", ".1", ".2"]))
            || self.signals.judges().any(|name| is_of(name, &["", ".12", ".21"]))
    }
}

/// Names of columns by their roles.
pub fn roles(column: Argument<'_, '_>) -> PyResult<BTreeMap<String, String>> {
    let Some(column) = column else { return Ok(BTreeMap::new()) };
    let named = column.cast::<PyMapping>().ok().and_then(|named| named.items().ok()?.extract::<Vec<_>>().ok());
    let expected = "a dictionary of roles and names of columns";
    let named = named.ok_or_else(|| wrong_type("column", expected, column, "such as {\"hyp1\": \"answer\"}"))?;
    Ok(named.into_iter().collect())
}

impl Columns {
    /// Takes pairs, with `labels`, `groups` and `weights` that are given as separate arguments.
    pub fn new(
        pairs: &Bound<'_, PyAny>,
        reading: &Reading<'_>,
        [labels, groups, weights]: [Argument<'_, '_>; 3],
    ) -> PyResult<Self> {
        let mut columns = match of_table(PAIRS, pairs, &|name| reading.has(name))? {
            Some(columns) => columns,
            None => of_tuples(pairs)?,
        };
        let given = [(LABEL, "labels", labels), ("group", "groups", groups), ("weight", "weights", weights)];
        for (name, argument, values) in given {
            let Some(values) = values else { continue };
            check_index(("pairs", pairs), argument, values)?;
            columns.set(name, argument, objects(argument, values)?)?;
        }
        for (name, values) in &reading.values {
            let [first, second] = two_values(name, values)?;
            columns.set(&format!("{name}.1"), name, first)?;
            columns.set(&format!("{name}.2"), name, second)?;
        }
        Ok(columns)
    }

    /// Takes a table of scores.
    pub fn of_scores(scores: &Bound<'_, PyAny>) -> PyResult<Self> {
        let expected = "a table with a row for each segment of each system";
        of_table(SCORES, scores, &|_| true)?.ok_or_else(|| wrong_type(SCORES, expected, scores, "pass a frame"))
    }

    /// Sets a column, replacing any of the same name; errors refer to its values as `argument`.
    fn set(&mut self, name: &str, argument: &str, values: Vec<Object>) -> PyResult<()> {
        if values.len() != self.rows {
            let (expected, found) = (format!("{} values, one for each row", self.rows), values.len().to_string());
            return Err(wrong_value(argument, &expected, &found, "use lists of equal length"));
        }
        self.columns.retain(|(known, _)| known != name);
        self.columns.push((name.to_owned(), Column::Objects(values)));
        Ok(())
    }

    fn frame(&self) -> Result<Frame<'_>> {
        let names = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let cell = |row: usize, column: usize| {
            let (name, column) = &self.columns[column];
            match column {
                Column::Objects(objects) => objects[row].cell(name == LABEL),
                Column::Arrow(arrow) => arrow.cell(row, name == LABEL),
                Column::Unread => Cell::Empty,
            }
        };
        Frame::new(self.place, names, self.rows, Box::new(cell))
    }

    /// The scores of systems' segments.
    pub fn scores(&self, columns: &ScoreColumns) -> Result<Vec<ScoreTable>> {
        self.frame()?.scores(columns)
    }

    /// Whether there is one output a row, and no pair.
    pub fn are_outputs(&self, reading: &FrameReading) -> PyResult<bool> {
        Ok(self.frame().map_err(raised)?.are_outputs(reading))
    }

    /// The single outputs, each row one.
    pub fn output_rows(&self, reading: &FrameReading) -> Result<Outputs> {
        self.frame()?.output_rows(reading)
    }

    /// The single outputs, each once.
    pub fn outputs(&self, reading: &FrameReading) -> Result<Outputs> {
        self.frame()?.outputs(reading)
    }

    /// The pairs.
    pub fn pairs(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.frame()?.pairs(reading)
    }

    /// The pairs, of which some have human labels.
    pub fn partly_labelled(&self, reading: &FrameReading) -> Result<Vec<Pair>> {
        self.frame()?.partly_labelled(reading)
    }

    /// The pairs with human labels.
    pub fn judgments(&self, reading: &FrameReading) -> Result<Vec<Judgment>> {
        self.frame()?.judgments(reading)
    }
}

/// The columns of a dictionary of lists, or of a table that supports Arrow, of which only some are used; `None` for
/// anything else.
fn of_table(
    place: &'static str,
    table: &Bound<'_, PyAny>,
    is_used: &dyn Fn(&str) -> bool,
) -> PyResult<Option<Columns>> {
    if !table.hasattr("__arrow_c_stream__")? && !table.hasattr("__arrow_c_array__")? {
        return table.cast::<PyMapping>().ok().map(|named| of_mapping(place, named)).transpose();
    }
    // pandas would convert every column to Arrow, whether needed or not.
    let is_pandas = table.hasattr("iloc")?;
    let mut unread = Vec::new();
    let table = if is_pandas { used_columns(table, is_used, &mut unread)? } else { table.clone() };
    let batches = match table.extract::<AnyRecordBatch>() {
        Ok(batches) => batches,
        // pandas needs pyarrow to support Arrow.
        Err(error) if is_pandas && error.is_instance_of::<PyImportError>(table.py()) => {
            let lists = table.call_method1("to_dict", ("list",))?;
            return of_mapping(place, lists.cast::<PyMapping>()?).map(Some);
        }
        Err(error) => return Err(error),
    };
    let (batches, schema) = batches.into_table()?.into_inner();
    let mut columns = Vec::with_capacity(schema.fields().len());
    for (at, field) in schema.fields().iter().enumerate() {
        if !is_used(field.name()) {
            unread.push(field.name().clone());
            continue;
        }
        let pieces: Vec<ArrayRef> = batches.iter().map(|batch| batch.column(at).clone()).collect();
        columns.push((field.name().clone(), Column::Arrow(ArrowColumn::new(&pieces, field.name())?)));
    }
    unread.sort();
    unread.dedup();
    columns.extend(unread.into_iter().map(|name| (name, Column::Unread)));
    Ok(Some(Columns { place, columns, rows: batches.iter().map(|batch| batch.num_rows()).sum() }))
}

/// The columns of a pandas frame that are used; the names of the others are added to `unread`.
fn used_columns<'py>(
    frame: &Bound<'py, PyAny>,
    is_used: &dyn Fn(&str) -> bool,
    unread: &mut Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut names = Vec::new();
    for name in frame.getattr("columns")?.try_iter()? {
        let name = name?;
        match name.extract::<String>() {
            Ok(text) if is_used(&text) => names.push(name),
            Ok(text) => unread.push(text),
            // The name is a number, so nothing asks for it.
            Err(_) => {}
        }
    }
    frame.get_item(names)
}

/// The columns of a dictionary of lists.
fn of_mapping(place: &'static str, named: &Bound<'_, PyMapping>) -> PyResult<Columns> {
    let mut columns = Columns { place, columns: Vec::new(), rows: 0 };
    for (at, item) in named.items()?.iter().enumerate() {
        let (name, values): (String, Bound<'_, PyAny>) = item.extract()?;
        let values = objects(&name, &values)?;
        if at == 0 {
            columns.rows = values.len();
        }
        columns.set(&name, &name, values)?;
    }
    Ok(columns)
}

/// The columns of a list of tuples: two hypotheses, then references, as one list or as further texts.
fn of_tuples(pairs: &Bound<'_, PyAny>) -> PyResult<Columns> {
    let rows = if pairs.is_instance_of::<PyString>() { None } else { pairs.try_iter().ok() };
    let rows = rows.ok_or_else(|| wrong_type(PAIRS, FORMS, pairs, "pass a list, even for a single pair"))?;
    let mut columns: Vec<Vec<Object>> = vec![Vec::new(), Vec::new()];
    let mut count = 0;
    for row in rows {
        let row = row?;
        let place = || format!("{PAIRS}:{count}");
        let values = if row.is_instance_of::<PyString>() { None } else { row.try_iter().ok() };
        let Some(values) = values else {
            return Err(wrong_type(&place(), "a tuple (hyp1, hyp2, ref)", &row, "write each pair as such a tuple"));
        };
        let mut width = 0;
        for value in values {
            let value = Object::new(&value?, &place)?;
            if width == columns.len() {
                columns.push(Vec::new());
            }
            columns[width].resize_with(count, || Object::Empty);
            columns[width].push(value);
            width += 1;
        }
        if width < 2 {
            let advice = "write each pair as a tuple (hyp1, hyp2, ref)";
            return Err(wrong_value(&place(), "two hypotheses and a reference", &width.to_string(), advice));
        }
        count += 1;
    }
    if count == 0 {
        // Adds the column `ref`, so that the error is about missing pairs instead of a missing column.
        columns.push(Vec::new());
    }
    let names = ["hyp1", "hyp2", "ref"].map(str::to_owned).into_iter();
    let names = names.chain((2..).map(|number| format!("ref{number}")));
    let full = |mut values: Vec<Object>| {
        values.resize_with(count, || Object::Empty);
        Column::Objects(values)
    };
    Ok(Columns { place: PAIRS, columns: names.zip(columns.into_iter().map(full)).collect(), rows: count })
}

/// The values of a sequence.
fn objects(name: &str, values: &Bound<'_, PyAny>) -> PyResult<Vec<Object>> {
    let items = items(name, "a list with one value per pair", values)?;
    items.iter().enumerate().map(|(row, value)| Object::new(value, &|| format!("{name}:{row}"))).collect()
}

/// An own metric's values for both hypotheses of each pair. `values`: (pairs, 2).
fn two_values(name: &str, values: &Bound<'_, PyAny>) -> PyResult<[Vec<Object>; 2]> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (row, values) in items(name, "two numbers for each pair", values)?.into_iter().enumerate() {
        let place = || format!("{name}:{row}");
        let two = values.try_iter().ok().and_then(|items| items.collect::<PyResult<Vec<_>>>().ok());
        let Some([one, other]) = two.as_deref() else {
            return Err(wrong_type(&place(), "two numbers", &values, "give one value per hypothesis"));
        };
        first.push(Object::new(one, &place)?);
        second.push(Object::new(other, &place)?);
    }
    Ok([first, second])
}
