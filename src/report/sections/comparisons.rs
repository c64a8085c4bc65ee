//! Every two systems, and the systems on each of several files.

use std::cmp::Ordering;

use super::{
    BASELINE, Cell, Column, Outcome, Report, Role, Row, Section, Table, Value, View, chart, interval, percent,
    short_p_value,
};
use crate::report::BEST_METRIC;
use crate::report::studies::FileRow;
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

/// The first system, the baseline and the best metric on each of several files.
pub(super) fn files(report: &Report) -> Section<'_> {
    let (files, unit) = (&report.files, report.unit());
    let first = files.first().and_then(|file| file.systems.first()).map_or("", |row| row.name.as_str());
    let of_role = |file: &FileRow, role: Role, value: fn(&Row) -> Value<'static>| {
        file.systems.iter().find(|row| row.role == role).map_or(Value::Empty, value)
    };
    let accuracy = |row: &Row| Value::fraction(row.accuracy);
    let table = Table::builder("Accuracy on each file", files)
        .with(Column::text("file"), |file| &file.name)
        .with(Column::number("weight").rank(2), |file| Value::Number(file.weight.to_string(), file.weight))
        .with(Column::number("pairs"), |file| Value::count(file.rows))
        .with(Column::number(format!("{unit}s")).named("groups").rank(3), |file| Value::count(file.groups))
        .with(Column::number(first), |file| of_role(file, Role::Subject, accuracy))
        .with(interval(1), |file| of_role(file, Role::Subject, |row| Value::interval(row.low, row.high)))
        .with(Column::number(BASELINE), |file| of_role(file, Role::Baseline, accuracy))
        .with(Column::number(BEST_METRIC), |file| of_role(file, Role::BestMetric, accuracy))
        .table;
    let rows = files.iter().filter_map(|file| Some((file, file.systems.first()?)));
    let lowest = rows.min_by(|(_, one), (_, other)| one.accuracy.total_cmp(&other.accuracy));
    let advice = lowest.map(|(file, row)| {
        let accuracy = percent(row.accuracy);
        format!("Look into {} first: the accuracy of {first} is lowest on this file ({accuracy}).", file.name)
    });
    Section { tables: vec![table.keyed("files")], advice, ..Section::new("files", "Accuracy on each file") }
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
