//! Every two systems, and the systems on parts of the pairs.

use std::cmp::Ordering;

use super::{
    Cell, Column, Estimate, Outcome, Report, Role, Row, Section, Table, Value, View, chart, interval, percent,
    short_p_value,
};
use crate::report::studies::{Breakdown, FILE, PartRow};
use crate::report::systems::Matrix;

/// No comparisons, where none were requested.
static NO_MATRIX: Matrix =
    Matrix { names: Vec::new(), differences: Vec::new(), p_values: Vec::new(), intervals: Vec::new() };

/// Every system compared with every other.
pub(super) fn matrix(report: &Report) -> Section<'_> {
    const NOTE: &str = "+ where the row's system is significantly more accurate than the column's (p < 0.05, not corrected for \
                        multiple tests), − where it is significantly less accurate.";
    let section = Section::new("matrix", "Significant differences");
    let (all, prominent) = (report.order(), report.prominent());
    let Some(compared) = &report.matrix else {
        let (table, chart) = (grid(&NO_MATRIX, &[]), chart::matrix("matrix", &NO_MATRIX, &[]));
        return Section { tables: vec![table], charts: vec![chart], ..section };
    };
    let chart = chart::matrix("matrix", compared, &all);
    let charts = if prominent.len() == all.len() {
        vec![chart.noted(NOTE)]
    } else {
        let extract = chart::matrix("prominent-matrix", compared, &prominent);
        vec![extract.viewed(View::Extract).noted(NOTE), chart.viewed(View::Folded)]
    };
    Section { tables: vec![grid(compared, &all)], charts, advice: Some(advice(compared)), ..section }
}

/// The differences of the systems in `order` above the diagonal, p-values below.
fn grid<'r>(matrix: &'r Matrix, order: &[usize]) -> Table<'r> {
    let caption = "All pairs of systems: above the diagonal, the row's accuracy minus the column's in points; below it, \
                   p-values (not corrected for multiple tests).";
    // One annotator against the others is a row, but no system that others are compared with.
    let order: Vec<usize> = order.iter().copied().filter(|&system| system < matrix.names.len()).collect();
    let names = order.iter().map(|&system| matrix.names[system].as_str().into());
    let table = Table::square(caption, names, 5, |row, column| {
        let (one, other) = (order[row], order[column]);
        let (difference, p) = (matrix.differences[one][other], matrix.p_values[one][other]);
        let value = match row.cmp(&column) {
            Ordering::Less => Value::Number(format!("{:+.1}", 100.0 * difference), difference),
            Ordering::Equal => Value::Undefined,
            Ordering::Greater => Value::Number(short_p_value(p), p),
        };
        Cell::from(value).styled(Outcome::of_difference(difference, p).style_of_figure())
    });
    table.keyed("matrix")
}

/// How many systems are really told apart.
fn advice(matrix: &Matrix) -> String {
    let pairs = (0..matrix.names.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let all = pairs.clone().count();
    let open = pairs.filter(|&(one, other)| {
        Outcome::of_difference(matrix.differences[one][other], matrix.p_values[one][other]) == Outcome::Similar
    });
    match open.count() {
        0 => "Rely on the order: all pairs of systems differ significantly.".to_owned(),
        open => format!(
            "Do not rely on the order of {open} of the {all} pairs of systems: they do not differ significantly."
        ),
    }
}

/// The systems on each of several files, and on the pairs with each value of a column.
pub(super) fn breakdowns(report: &Report) -> Section<'_> {
    let find = |is_file: bool| report.breakdowns.iter().find(|breakdown| (breakdown.by == FILE) == is_file);
    let (files, column) = (find(true), find(false));
    let title = match (files, column) {
        (None, Some(Breakdown { by, .. })) => format!("Accuracy by {by}"),
        _ => "Accuracy on each file".to_owned(),
    };
    let tables = vec![breakdown(report, files).keyed("files"), breakdown(report, column).keyed("parts")];
    let subject = report.subject_row().map_or("", |row| row.name.as_str());
    let rows = files.or(column).into_iter().flat_map(|breakdown| &breakdown.parts);
    let rows = rows.filter_map(|part| Some((part, part.systems.iter().find(|row| row.name == subject)?)));
    let lowest = rows.min_by(|(_, one), (_, other)| one.accuracy.total_cmp(&other.accuracy));
    let advice = lowest.map(|(part, row)| {
        let accuracy = percent(row.accuracy);
        format!("Look into {} first: there the accuracy of {subject} is lowest ({accuracy}).", part.name)
    });
    Section { tables, advice, ..Section::new("files", title) }
}

/// A line of [`breakdown`]: a part, or the mean over all.
#[derive(Clone, Copy)]
enum Line<'r> {
    Part(&'r PartRow),
    Mean(&'r Breakdown),
}

impl Line<'_> {
    fn part(&self, value: fn(&PartRow) -> Value<'static>) -> Value<'static> {
        if let Self::Part(part) = self { value(part) } else { Value::Empty }
    }

    /// The accuracy of a system.
    fn accuracy(&self, name: &str) -> Option<Estimate> {
        match self {
            Self::Part(part) => {
                let Row { accuracy: value, low, high, .. } = part.systems.iter().find(|row| row.name == name)?;
                Some(Estimate { value: *value, low: *low, high: *high })
            }
            Self::Mean(breakdown) => breakdown.macro_average(name),
        }
    }
}

/// The subject of the report, judges, other models, the baseline and the best metric on each part.
fn breakdown<'r>(report: &'r Report, breakdown: Option<&'r Breakdown>) -> Table<'r> {
    let (by, unit) = (breakdown.map_or(FILE, |breakdown| breakdown.by.as_str()), report.unit());
    let lines = breakdown
        .into_iter()
        .flat_map(|breakdown| breakdown.parts.iter().map(Line::Part).chain([Line::Mean(breakdown)]));
    let subject = report.subject_row().map_or("", |row| row.name.as_str());
    let is_judge = |row: &Row| report.judges.iter().any(|judge| judge.name == row.name);
    let is_shown = |row: &&Row| {
        row.name != subject && (is_judge(row) || matches!(row.role, Role::Subject | Role::Baseline | Role::BestMetric))
    };
    let others: Vec<&Row> = report.systems.iter().filter(is_shown).collect();
    let value = |found: Option<Estimate>, show: fn(Estimate) -> Value<'static>| found.map_or(Value::Empty, show);
    let mut table = Table::builder(format!("Accuracy by {by}"), lines)
        .with(Column::text(by), |line| match line {
            Line::Part(part) => Cell::from(&part.name),
            Line::Mean(_) => Cell::from("macro average").bold_if(true),
        })
        .with(Column::number("weight").rank(4), |line| {
            line.part(|part| part.weight.map_or(Value::Empty, |weight| Value::Number(weight.to_string(), weight)))
        })
        .with(Column::number("pairs"), |line| line.part(|part| Value::count(part.rows)))
        .with(Column::number(format!("{unit}s")).named("groups").rank(5), |line| {
            line.part(|part| Value::count(part.groups))
        })
        .with(Column::number(subject), |line| value(line.accuracy(subject), |found| Value::fraction(found.value)))
        .with(interval(1), |line| value(line.accuracy(subject), |found| Value::interval(found.low, found.high)));
    for row in others {
        let shown = |line: Line<'r>| value(line.accuracy(&row.name), |found| Value::fraction(found.value));
        table = table.with(Column::number(row.name.as_str()).rank(if is_judge(row) { 2 } else { 3 }), shown);
    }
    table.table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Terminal;
    use crate::report::table::Field;
    use crate::report::terminal::{GREEN, RED};

    #[test]
    fn differences_stand_above_the_diagonal_and_p_below() {
        let found = Matrix {
            names: ["one", "two", "three"].map(str::to_owned).into(),
            differences: vec![vec![0.0, -0.1, 0.05], vec![0.1, 0.0, 0.15], vec![-0.05, -0.15, 0.0]],
            p_values: vec![vec![1.0, 0.0004, 0.25], vec![0.0004, 1.0, 0.011], vec![0.25, 0.011, 1.0]],
            intervals: Vec::new(),
        };
        let table = grid(&found, &[1, 0, 2]);
        let text = table.to_text(Terminal::default());
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows, ["1 two       - +10.0 +15.0", "2 one   <.001     -  +5.0", "3 three  .011  .250     -"]);
        let style = |row: usize, column: usize| table.rows[row][2 + column].style;
        assert_eq!([style(0, 1), style(1, 0), style(1, 2)], [GREEN, RED, anstyle::Style::new()]);
        let fields = table.fields(&table.rows[1]);
        assert_eq!(fields[1..], [Field::Text("one"), Field::Number(0.0004), Field::Empty, Field::Number(0.05)]);
    }
}
