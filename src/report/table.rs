//! The one shape of a table. A section of a report is such a table, and text, page and CSV are three renderings of it.

use std::borrow::Cow;

use anstyle::{Effects, Style};

use super::terminal::BOLD;
use crate::judgments::Verdict;

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
    /// Its header as people read it.
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

/// The content of a cell. CSV has all digits.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'r> {
    /// Nothing.
    Empty,
    /// A value that is not defined here.
    Undefined,
    /// A text.
    Text(Cow<'r, str>),
    /// The name of a row after a mark; CSV has only the name.
    Marked(char, &'r str),
    /// A count.
    Count(usize),
    /// A mean count, without decimals.
    MeanCount(f64),
    /// A number of any magnitude.
    Number(f64),
    /// A number in [0, 1], with four decimals.
    Fraction(f64),
    /// A difference of such numbers.
    Difference(f64),
    /// A number in [0, 1], in per cent.
    Percent(f64),
    /// A p-value.
    P(f64),
    /// Both ends of an interval of fractions.
    Interval(f64, f64),
    /// Both ends of an interval of differences.
    DifferenceInterval(f64, f64),
}

impl<'r> Table<'r> {
    /// A table without rows.
    pub(super) fn new(caption: impl Into<String>, columns: impl Into<Vec<Column>>) -> Self {
        Self { caption: caption.into(), columns: columns.into(), rows: Vec::new(), fit: Fit::Drop, gap: 2 }
    }

    pub(super) fn with_rows(mut self, rows: impl IntoIterator<Item = Vec<Cell<'r>>>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// The columns for people.
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
    pub(super) fn text(text: impl Into<Cow<'r, str>>) -> Self {
        Value::Text(text.into()).into()
    }

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

impl From<usize> for Cell<'_> {
    fn from(count: usize) -> Self {
        Value::Count(count).into()
    }
}

impl From<Verdict> for Cell<'_> {
    fn from(verdict: Verdict) -> Self {
        Self::text(verdict.to_string())
    }
}

impl Value<'_> {
    /// `value` of a number; undefined without one.
    pub(super) fn or_undefined(number: Option<f64>, value: fn(f64) -> Self) -> Self {
        number.map_or(Self::Undefined, value)
    }

    /// `value` of a number; empty without one.
    pub(super) fn or_empty(number: Option<f64>, value: fn(f64) -> Self) -> Self {
        number.map_or(Self::Empty, value)
    }

    /// The value as people read it.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Empty => "".into(),
            Self::Undefined => "-".into(),
            Self::Text(text) => (&**text).into(),
            Self::Marked(mark, name) => format!("{mark} {name}").into(),
            Self::Count(count) => count.to_string().into(),
            Self::MeanCount(count) => format!("{count:.0}").into(),
            Self::Number(number) => short(*number).into(),
            Self::Fraction(share) => format!("{share:.4}").into(),
            Self::Difference(difference) => format!("{difference:+.4}").into(),
            Self::Percent(share) => percent(*share).into(),
            Self::P(p) if *p < 0.001 => "< 0.001".into(),
            Self::P(p) => format!("{p:.3}").into(),
            Self::Interval(low, high) => format!("{low:.4} to {high:.4}").into(),
            Self::DifferenceInterval(low, high) => format!("{low:+.4} to {high:+.4}").into(),
        }
    }

    /// The fields of CSV, `count` of them where it is empty.
    fn fields(&self, count: usize) -> Vec<Cow<'_, str>> {
        match self {
            Self::Empty | Self::Undefined => vec!["".into(); count],
            Self::Text(text) => vec![(&**text).into()],
            Self::Marked(_, name) => vec![(*name).into()],
            Self::Count(count) => vec![count.to_string().into()],
            Self::MeanCount(number)
            | Self::Number(number)
            | Self::Fraction(number)
            | Self::Difference(number)
            | Self::Percent(number)
            | Self::P(number) => vec![number.to_string().into()],
            Self::Interval(low, high) | Self::DifferenceInterval(low, high) => {
                vec![low.to_string().into(), high.to_string().into()]
            }
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
        let table = Table::new(
            "",
            [
                Column::text("name").key("name"),
                Column::number("accuracy").key("accuracy"),
                Column::text("95% interval").key("low").key("high"),
                Column::hidden("tau"),
                Column::number("count"),
            ],
        );
        let rows = [
            [Value::Marked('>', "a"), Value::Fraction(1.0 / 3.0), Value::Interval(0.25, 0.5), Value::Fraction(0.1)],
            [Value::Text("b".into()), Value::Undefined, Value::Empty, Value::Empty],
        ];
        let table = table.with_rows(rows.map(|row| row.into_iter().chain([Value::Count(7)]).map(Cell::from).collect()));
        let shown = |row: &[Cell<'_>]| table.shown_cells(row).map(|cell| cell.value.text().into_owned()).collect();
        let shown: Vec<Vec<String>> = table.rows.iter().map(|row| shown(row)).collect();
        assert_eq!(shown, [["> a", "0.3333", "0.2500 to 0.5000", "7"], ["b", "-", "", "7"]]);
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
