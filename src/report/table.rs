//! The one shape of a table, which text, page, CSV, JSON and LaTeX render.

use std::borrow::Cow;
use std::fmt;

use anstyle::{Effects, Style};
use serde::{Serialize, Serializer};

use super::systems::Role;

/// The most important parts.
pub const BOLD: Style = Style::new().bold();

/// A table: columns, and rows with a cell for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<'r> {
    /// Its name in JSON and the name of its CSV file; empty for a table that is only text.
    pub key: &'static str,
    /// What it shows.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell<'r>>>,
    /// Whether and how a terminal shows it.
    pub(super) printed: Printed,
    /// Lines below it on a terminal.
    pub(super) below: Vec<String>,
    /// What happens on a terminal that is too narrow.
    pub(super) fit: Fit,
    /// The number of spaces between columns of text.
    pub(super) gap: usize,
}

/// Whether and how a terminal shows a table. Pages and files have every table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Printed {
    /// Below its caption.
    Captioned,
    /// Without its caption.
    Bare,
    /// Not at all.
    No,
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
    /// Its name in CSV and JSON, if that is not the header, see [`Table::names`].
    name: Option<&'static str>,
    /// A heading over this and the neighbouring columns that share it; only in text.
    pub(super) over: &'static str,
    kind: Kind,
    pub(super) is_left: bool,
    /// On a narrow terminal, columns with the highest rank are dropped first, those with 0 never.
    pub(super) rank: u8,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Texts or numbers.
    Plain,
    /// Sentences, which a page breaks into lines.
    Prose,
    /// The 95% interval of an earlier column.
    Interval,
    /// Ranges of values.
    Range,
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
    pub(super) fn builder<R: Copy>(
        caption: impl Into<String>,
        rows: impl IntoIterator<Item = R>,
    ) -> TableBuilder<'r, R> {
        let rows: Vec<R> = rows.into_iter().collect();
        let table = Self {
            key: "",
            caption: caption.into(),
            columns: Vec::new(),
            rows: vec![Vec::new(); rows.len()],
            printed: Printed::Captioned,
            below: Vec::new(),
            fit: Fit::Drop,
            gap: 2,
        };
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
        let mut table = Self::builder(caption, 0..names.len())
            .with(Column::number("").named("number"), |row| Value::count(row + 1))
            .with(Column::text("").named("system"), |row| names[row].clone());
        for column in 0..names.len() {
            table = table.with(Column::number(format!("{:>width$}", column + 1)), |row| cell(row, column));
        }
        Self { gap: 1, ..table.table.continued(2) }
    }

    /// Names it for CSV and JSON.
    pub(super) fn keyed(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Makes columns that do not fit follow below, after so many first columns.
    pub(super) fn continued(self, names: usize) -> Self {
        Self { fit: Fit::Continue(names), ..self }
    }

    /// Sets whether and how a terminal shows it.
    pub(super) fn printed(self, printed: Printed) -> Self {
        Self { printed, ..self }
    }

    /// The table without columns that have no text in any row.
    pub(super) fn filled(&self) -> Self {
        let has_text = |at: &usize| self.rows.iter().any(|row| !row[*at].value.text().is_empty());
        let kept: Vec<usize> = (0..self.columns.len()).filter(has_text).collect();
        let rows = self.rows.iter().map(|row| kept.iter().map(|&at| row[at].clone()).collect()).collect();
        Self { columns: kept.iter().map(|&at| self.columns[at].clone()).collect(), rows, ..self.clone() }
    }

    /// The names of the columns in CSV and JSON, as many as a row has [`Self::fields`]: the header in lower case, with
    /// underscores for spaces, after the heading over it. An interval is `low` and `high`, with the name of the column
    /// before it in front if it is not the first of the table.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in &self.columns {
            let header = format!("{} {}", column.over, column.header.trim());
            let name = column.name.map_or_else(|| header.trim().to_lowercase().replace(' ', "_"), str::to_owned);
            match column.kind {
                Kind::Plain | Kind::Prose => names.push(name),
                Kind::Range => names.extend(["low", "high"].map(|end| format!("{name}_{end}"))),
                Kind::Interval if names.iter().all(|known| known != "low") => {
                    names.extend(["low", "high"].map(str::to_owned));
                }
                Kind::Interval => {
                    let of = names.last().cloned().unwrap_or_default();
                    names.extend(["low", "high"].map(|end| format!("{of}_{end}")));
                }
            }
        }
        names
    }

    /// The cells of a row as data, without rounding, one for each of [`Self::names`].
    pub fn fields<'t>(&'t self, row: &'t [Cell<'r>]) -> Vec<Field<'t>> {
        let cells = self.columns.iter().zip(row);
        cells.flat_map(|(column, cell)| cell.value.fields(column.kind.fields())).collect()
    }
}

/// The columns by name, each with its values; null where there is none.
impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Vec<Field<'_>>> = self.rows.iter().map(|row| self.fields(row)).collect();
        let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>();
        serializer.collect_map(self.names().into_iter().enumerate().map(|(at, name)| (name, column(at))))
    }
}

/// A value as data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Field<'v> {
    /// No value.
    Empty,
    /// A text.
    Text(&'v str),
    /// A number with all its digits.
    Number(f64),
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Text(text) => formatter.write_str(text),
            Self::Number(number) => number.fmt(formatter),
        }
    }
}

impl Kind {
    /// The number of fields of each cell.
    fn fields(self) -> usize {
        match self {
            Self::Plain | Self::Prose => 1,
            Self::Interval | Self::Range => 2,
        }
    }
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
        Self { header: header.into(), name: None, over: "", kind: Kind::Plain, is_left: true, rank: 0 }
    }

    /// A column of numbers, which end below each other.
    pub(super) fn number(header: impl Into<String>) -> Self {
        Self { is_left: false, ..Self::text(header) }
    }

    /// A column of sentences.
    pub(super) fn prose(header: impl Into<String>) -> Self {
        Self { kind: Kind::Prose, ..Self::text(header) }
    }

    /// A column of the 95% intervals of an earlier column.
    pub(super) fn interval() -> Self {
        Self { kind: Kind::Interval, ..Self::text("95% CI") }
    }

    /// Makes it a column of ranges.
    pub(super) fn range(self) -> Self {
        Self { kind: Kind::Range, ..self }
    }

    /// Sets its name in CSV and JSON, where the header is empty, ambiguous, or not the same in every report.
    pub(super) fn named(self, name: &'static str) -> Self {
        Self { name: Some(name), ..self }
    }

    pub(super) fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    pub(super) fn over(self, over: &'static str) -> Self {
        Self { over, ..self }
    }

    /// The header on a page, where it may not be empty.
    pub fn on_page(&self) -> &str {
        if self.header.is_empty() { self.name.unwrap_or_default() } else { &self.header }
    }

    /// Whether it holds sentences.
    pub fn is_prose(&self) -> bool {
        self.kind == Kind::Prose
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

    /// The value as data: `count` fields, all of them empty where there is no value.
    fn fields(&self, count: usize) -> Vec<Field<'_>> {
        match self {
            Self::Empty | Self::Undefined => vec![Field::Empty; count],
            Self::Text(text) => vec![Field::Text(text)],
            Self::System(text, _) => vec![Field::Text(text)],
            Self::Number(_, number) => vec![Field::Number(*number)],
            Self::Interval(_, ends) => ends.map(Field::Number).into(),
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
    fn people_see_few_digits_and_data_has_all() {
        let rows = [("a", Some(1.0 / 3.0)), ("b", None)];
        let or_empty = |row: (&str, Option<f64>)| row.1.map_or(Value::Empty, |_| Value::interval(0.25, 0.5));
        let table = Table::builder("", rows)
            .with(Column::text("  name"), |(name, accuracy)| match accuracy {
                Some(_) => Value::System(name, Role::Baseline),
                None => Value::Text(name.into()),
            })
            .with(Column::number("Accuracy"), |row| Value::or_undefined(row.1, Value::fraction))
            .with(Column::interval(), or_empty)
            .with(Column::number("more pairs"), |_| Value::count(7))
            .with(Column::interval(), or_empty)
            .with(Column::number("at").named("place").range(), or_empty)
            .table;
        let shown = |row: &[Cell<'_>]| row[..4].iter().map(|cell| cell.value.text().into_owned()).collect();
        let shown: Vec<Vec<String>> = table.rows.iter().map(|row| shown(row)).collect();
        assert_eq!(shown, [["+ a", "0.3333", "0.2500 to 0.5000", "7"], ["b", "-", "", "7"]]);
        let on_page = |row: usize| table.rows[row][0].value.on_page().into_owned();
        assert_eq!([on_page(0), on_page(1)], ["a (the baseline)", "b"]);
        let names = "name accuracy low high more_pairs more_pairs_low more_pairs_high place_low place_high";
        assert_eq!(table.names().join(" "), names);
        let fields = |row: usize| table.fields(&table.rows[row]).iter().map(Field::to_string).collect::<Vec<_>>();
        assert_eq!(fields(0), ["a", "0.3333333333333333", "0.25", "0.5", "7", "0.25", "0.5", "0.25", "0.5"]);
        assert_eq!(fields(1), ["b", "", "", "", "7", "", "", "", ""]);
    }

    #[test]
    fn numbers_have_few_digits() {
        assert_eq!([0.0001, 0.0123, 1.0].map(p_value), ["p < 0.001", "p = 0.012", "p = 1.000"]);
        assert_eq!([0.0001, 0.0123, 0.9, 0.9999, 1.0].map(short_p_value), ["<.001", ".012", ".900", "1.00", "1.00"]);
        let numbers = [0.0, 1e-7, 0.05, -9.87654, 12.3456, 123.456, 1e9].map(short);
        assert_eq!(numbers, ["0", "1.00e-7", "0.0500", "-9.8765", "12.35", "123.5", "1.00e9"]);
    }
}
