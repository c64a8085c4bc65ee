//! The one shape of a table. A section of a report is such a table, and text, page and CSV are three renderings of it.

use std::borrow::Cow;

use anstyle::{Effects, Style};
use serde::{Serialize, Serializer};

use super::systems::Role;
use crate::judgments::Verdict;

/// The most important parts.
pub const BOLD: Style = Style::new().bold();

/// A table: columns, and rows with a cell for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<'r> {
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell<'r>>>,
    /// What happens on a terminal that is too narrow.
    pub(super) fit: Fit,
    /// The number of spaces between columns of text.
    pub(super) gap: usize,
}

/// How a table is made to fit a narrow terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// Columns are dropped by rank.
    Drop,
    /// Columns that do not fit follow in further blocks, which all begin with so many first columns. Columns with a rank
    /// stay with the one before them.
    Continue(usize),
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its header in text and on the page.
    pub header: String,
    /// Its names in CSV: none, one, or two for intervals.
    pub keys: Vec<Cow<'static, str>>,
    /// A heading over this and the neighbouring columns that share it; only in text.
    pub(super) over: &'static str,
    /// Whether only CSV has it.
    pub(super) is_hidden: bool,
    pub(super) is_left: bool,
    /// On a narrow terminal, columns with the highest rank are dropped first, those with 0 never.
    pub(super) rank: u8,
}

/// A cell, with its emphasis.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell<'r> {
    /// Its content.
    pub value: Value<'r>,
    /// Its style on a terminal; a page shows only whether it is bold.
    pub(super) style: Style,
}

/// The content of a cell. Text and page round numbers; CSV has all digits.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'r> {
    /// Nothing.
    Empty,
    /// A value that is not defined here.
    Undefined,
    /// A text.
    Text(Cow<'r, str>),
    /// A system; text and page also show its role.
    System(&'r str, Role),
    /// A number.
    Number(String, f64),
    /// Both ends of an interval.
    Interval(String, [f64; 2]),
}

/// A table to which columns are added, each with its cells. `R` refers to what a row is about.
pub(super) struct TableBuilder<'r, R> {
    rows: Vec<R>,
    pub table: Table<'r>,
}

impl<'r> Table<'r> {
    /// A table with a row for each of `rows`, without columns.
    pub(super) fn of<R: Copy>(caption: impl Into<String>, rows: impl IntoIterator<Item = R>) -> TableBuilder<'r, R> {
        let rows: Vec<R> = rows.into_iter().collect();
        let cells = vec![Vec::new(); rows.len()];
        let table = Self { caption: caption.into(), columns: Vec::new(), rows: cells, fit: Fit::Drop, gap: 2 };
        TableBuilder { rows, table }
    }

    /// A table with a numbered row and a column of the same number for each name; columns are at least `width` wide.
    /// `cell`: of a row and a column, from 0.
    pub(super) fn square(
        caption: impl Into<String>,
        names: impl Iterator<Item = Cow<'r, str>>,
        width: usize,
        cell: impl Fn(usize, usize) -> Cell<'r>,
    ) -> Self {
        let names: Vec<Cow<'r, str>> = names.collect();
        let mut table = Self::of(caption, 0..names.len())
            .with(Column::number(""), |row| Value::count(row + 1))
            .with(Column::text(""), |row| names[row].clone());
        for column in 0..names.len() {
            table = table.with(Column::number(format!("{:>width$}", column + 1)), |row| cell(row, column));
        }
        Self { fit: Fit::Continue(2), gap: 1, ..table.table }
    }

    /// The columns of text and page.
    pub fn shown_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| !column.is_hidden)
    }

    /// The cells of a row in [`Self::shown_columns`].
    pub fn shown_cells<'t>(&'t self, row: &'t [Cell<'r>]) -> impl Iterator<Item = &'t Cell<'r>> {
        self.columns.iter().zip(row).filter(|(column, _)| !column.is_hidden).map(|(_, cell)| cell)
    }

    /// The names of the columns in CSV.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().flat_map(|column| &column.keys).map(|key| &**key)
    }

    /// The fields of each row in CSV, one per key.
    pub fn records(&self) -> impl Iterator<Item = Vec<Cow<'_, str>>> {
        self.rows.iter().map(|row| {
            let with_keys = self.columns.iter().zip(row).filter(|(column, _)| !column.keys.is_empty());
            with_keys.flat_map(|(column, cell)| cell.value.fields(column.keys.len())).collect()
        })
    }
}

/// The columns with names in CSV, each with its values; null where there is none.
impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.columns.iter().enumerate();
        let parts =
            columns.flat_map(|(at, column)| column.keys.iter().enumerate().map(move |(part, key)| (at, part, key)));
        serializer.collect_map(
            parts
                .map(|(at, part, key)| (key, self.rows.iter().map(|row| row[at].value.part(part)).collect::<Vec<_>>())),
        )
    }
}

/// A field of CSV with its type.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'v> {
    Empty,
    Text(&'v str),
    Number(f64),
}

impl<'r, R: Copy> TableBuilder<'r, R> {
    /// Adds a column, and its cell to each row.
    pub fn with<C: Into<Cell<'r>>>(mut self, column: Column, cell: impl Fn(R) -> C) -> Self {
        self.table.columns.push(column);
        for (cells, &row) in self.table.rows.iter_mut().zip(&self.rows) {
            cells.push(cell(row).into());
        }
        self
    }
}

impl Column {
    /// A column of text.
    pub(super) fn text(header: impl Into<String>) -> Self {
        let header = header.into();
        Self { header, keys: Vec::new(), over: "", is_hidden: false, is_left: true, rank: 0 }
    }

    /// A column of numbers, which end below each other.
    pub(super) fn number(header: impl Into<String>) -> Self {
        Self { is_left: false, ..Self::text(header) }
    }

    /// A column that only CSV has.
    pub(super) fn hidden(key: impl Into<Cow<'static, str>>) -> Self {
        Self { is_hidden: true, ..Self::text("") }.key(key)
    }

    /// Adds a name in CSV.
    pub(super) fn key(mut self, key: impl Into<Cow<'static, str>>) -> Self {
        self.keys.push(key.into());
        self
    }

    pub(super) fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    pub(super) fn over(self, over: &'static str) -> Self {
        Self { over, ..self }
    }
}

impl<'r> Cell<'r> {
    pub(super) fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }

    pub(super) fn bold_if(self, is_bold: bool) -> Self {
        if is_bold { self.styled(BOLD) } else { self }
    }

    /// Whether it is bold.
    pub fn is_bold(&self) -> bool {
        self.style.get_effects().contains(Effects::BOLD)
    }
}

impl<'r> From<Value<'r>> for Cell<'r> {
    fn from(value: Value<'r>) -> Self {
        Self { value, style: Style::new() }
    }
}

impl<'r, T: Into<Cow<'r, str>>> From<T> for Cell<'r> {
    fn from(text: T) -> Self {
        Value::Text(text.into()).into()
    }
}

impl From<Verdict> for Cell<'_> {
    fn from(verdict: Verdict) -> Self {
        verdict.to_string().into()
    }
}

impl Value<'_> {
    pub(super) fn count(count: usize) -> Self {
        Self::Number(count.to_string(), count as f64)
    }

    /// A number of any magnitude.
    pub(super) fn number(number: f64) -> Self {
        Self::Number(short(number), number)
    }

    /// A number in [0, 1].
    pub(super) fn fraction(share: f64) -> Self {
        Self::Number(format!("{share:.4}"), share)
    }

    /// A difference of such numbers.
    pub(super) fn difference(difference: f64) -> Self {
        Self::Number(format!("{difference:+.4}"), difference)
    }

    /// A p-value.
    pub(super) fn p(p: f64) -> Self {
        Self::Number(if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }, p)
    }

    /// An interval of fractions.
    pub(super) fn interval(low: f64, high: f64) -> Self {
        Self::Interval(format!("{low:.4} to {high:.4}"), [low, high])
    }

    /// An interval of differences.
    pub(super) fn differences(low: f64, high: f64) -> Self {
        Self::Interval(format!("{low:+.4} to {high:+.4}"), [low, high])
    }

    /// `value` of a number; undefined without one.
    pub(super) fn or_undefined(number: Option<f64>, value: fn(f64) -> Self) -> Self {
        number.map_or(Self::Undefined, value)
    }

    /// `value` of a number; empty without one.
    pub(super) fn or_empty(number: Option<f64>, value: fn(f64) -> Self) -> Self {
        number.map_or(Self::Empty, value)
    }

    /// The value on a terminal.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Empty => "".into(),
            Self::Undefined => "-".into(),
            Self::Text(text) => (&**text).into(),
            Self::System(name, role) => format!("{} {name}", role.mark()).into(),
            Self::Number(text, _) | Self::Interval(text, _) => text.into(),
        }
    }

    /// The value on a page, which has room for a role in words.
    pub fn on_page(&self) -> Cow<'_, str> {
        match self {
            Self::System(name, role) => match role.words() {
                Some(words) => format!("{name} ({words})").into(),
                None => (*name).into(),
            },
            other => other.text(),
        }
    }

    /// One of the fields of CSV.
    fn part(&self, at: usize) -> Part<'_> {
        match self {
            Self::Empty | Self::Undefined => Part::Empty,
            Self::Text(text) => Part::Text(text),
            Self::System(name, _) => Part::Text(name),
            Self::Number(_, number) => Part::Number(*number),
            Self::Interval(_, ends) => Part::Number(ends[at]),
        }
    }

    /// The fields of CSV, `count` of them where it is empty.
    fn fields(&self, count: usize) -> Vec<Cow<'_, str>> {
        match self {
            Self::Empty | Self::Undefined => vec!["".into(); count],
            Self::Text(text) => vec![(&**text).into()],
            Self::System(name, _) => vec![(*name).into()],
            Self::Number(_, number) => vec![number.to_string().into()],
            Self::Interval(_, ends) => ends.map(|end| end.to_string().into()).into(),
        }
    }
}

/// A number of any magnitude, with about four digits.
pub(super) fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if !(5e-5..1e6).contains(&size) => format!("{number:.2e}"),
        100.0.. => format!("{number:.1}"),
        10.0.. => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

/// `59.1%`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// `p = 0.012`, or `p < 0.001`.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// A p-value in at most five characters: `.012`, `1.00`, `<.001`.
pub(super) fn short_p_value(p: f64) -> String {
    if p < 0.001 {
        return "<.001".to_owned();
    }
    let text = format!("{p:.3}");
    text.strip_prefix('0').map_or_else(|| format!("{p:.2}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_see_few_digits_and_csv_all() {
        let rows = [("a", Some(1.0 / 3.0), Some(0.1)), ("b", None, None)];
        let table = Table::of("", rows)
            .with(Column::text("name").key("name"), |(name, accuracy, _)| match accuracy {
                Some(_) => Value::System(name, Role::Baseline),
                None => Value::Text(name.into()),
            })
            .with(Column::number("accuracy").key("accuracy"), |row| Value::or_undefined(row.1, Value::fraction))
            .with(Column::text("95% CI").key("low").key("high"), |row| {
                row.1.map_or(Value::Empty, |_| Value::interval(0.25, 0.5))
            })
            .with(Column::hidden("tau"), |row| Value::or_empty(row.2, Value::fraction))
            .with(Column::number("count"), |_| Value::count(7))
            .table;
        let shown = |row: &[Cell<'_>]| table.shown_cells(row).map(|cell| cell.value.text().into_owned()).collect();
        let shown: Vec<Vec<String>> = table.rows.iter().map(|row| shown(row)).collect();
        assert_eq!(shown, [["+ a", "0.3333", "0.2500 to 0.5000", "7"], ["b", "-", "", "7"]]);
        let on_page = |row: usize| table.rows[row][0].value.on_page().into_owned();
        assert_eq!([on_page(0), on_page(1)], ["a (the baseline)", "b"]);
        assert_eq!(table.keys().collect::<Vec<_>>(), ["name", "accuracy", "low", "high", "tau"]);
        let records: Vec<_> = table.records().collect();
        assert_eq!(records[0], ["a", "0.3333333333333333", "0.25", "0.5", "0.1"]);
        assert_eq!(records[1], ["b", "", "", "", ""]);
    }

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!([0.0001, 0.0123, 1.0].map(p_value), ["p < 0.001", "p = 0.012", "p = 1.000"]);
        assert_eq!([0.0001, 0.0123, 0.9, 0.9999, 1.0].map(short_p_value), ["<.001", ".012", ".900", "1.00", "1.00"]);
        let numbers = [0.0, 1e-7, 0.05, -9.87654, 12.3456, 123.456, 1e9].map(short);
        assert_eq!(numbers, ["0", "1.00e-7", "0.0500", "-9.8765", "12.35", "123.5", "1.00e9"]);
    }
}
