//! The sections of a report, each as one table that text, page and CSV render.

use std::cmp::Ordering;

use super::answer::Outcome;
use super::details::Details;
use super::studies::{AblationRow, FileRow};
use super::systems::Role;
use super::table::{Cell, Column, Table, Value, percent, short_p_value};
use super::terminal::{GREEN, RED, cut};
use super::{BASELINE, BEST_METRIC, Matrix, Report, Row};
use crate::evaluation::{Comparison, Interval};
use crate::judgments::{LabelSource, Verdict};

/// The longest name in the header of the comparison.
const MAX_AGAINST: usize = 24;

/// A cell of the confusion matrix is bold from this share of its row on.
const LARGE_SHARE: f64 = 0.5;

/// A cell is dim below this share.
const SMALL_SHARE: f64 = 0.2;

/// A column of fractions.
fn fractions(name: &'static str) -> Column {
    Column::number(name).key(name)
}

pub(super) fn interval() -> Column {
    Column::text("95% CI").key("low").key("high")
}

/// A row for each of `systems`.
pub(crate) fn accuracy<'r>(report: &'r Report, systems: impl Iterator<Item = &'r Row>) -> Table<'r> {
    let against = report.against.as_deref();
    // Painted if the difference is significant.
    let compared = |row: &'r Row, value: fn(&Comparison) -> Value<'r>| {
        let style = row.against.as_ref().map(Outcome::style_of_figures).unwrap_or_default();
        Cell::from(row.against.as_ref().map_or(Value::Empty, value)).styled(style)
    };
    let is_partial = report.systems.iter().any(|row| row.coverage.is_some_and(|coverage| coverage < 1.0));
    let coverage = if is_partial { fractions("coverage").rank(5) } else { Column::hidden("coverage") };
    Table::of("All systems, the most accurate first", systems)
        .with(Column::text("  system").key("system"), |row| {
            Cell::from(Value::System(&row.name, row.role)).bold_if(row.role == Role::Judge)
        })
        .with(Column::hidden("role"), |row| row.role.to_string())
        .with(fractions("accuracy"), |row| Value::fraction(row.accuracy))
        .with(interval().rank(1), |row| Value::interval(row.low, row.high))
        .with(coverage, |row| Value::or_empty(row.coverage, Value::fraction))
        .with(Column::hidden("chance"), |row| Value::fraction(row.chance))
        .with(Column::number("decided").key("decided_without_ties").rank(4), |row| {
            Value::or_undefined(row.decided_without_ties.or(row.classes.decided_accuracy), Value::fraction)
        })
        .with(Column::hidden("decided_accuracy"), |row| {
            Value::or_undefined(row.classes.decided_accuracy, Value::fraction)
        })
        .with(Column::hidden("balanced_accuracy"), |row| {
            Value::or_undefined(row.classes.balanced_accuracy, Value::fraction)
        })
        .with(Column::number("tau").key("kendall_tau").rank(3), |row| Value::fraction(row.kendall_tau))
        .with(Column::number("with ties").key("with_ties").rank(2), |row| {
            Value::or_empty(row.with_ties.map(|ties| ties.accuracy), Value::fraction)
        })
        .with(Column::hidden("threshold"), |row| {
            Value::or_empty(row.with_ties.map(|ties| ties.threshold), Value::number)
        })
        .with(Column::hidden("against"), |row| row.against.and(against).unwrap_or_default())
        .with(
            Column::number(format!("against {}", cut(against.unwrap_or_default(), MAX_AGAINST))).key("difference"),
            |row| compared(row, |found| Value::difference(found.difference)),
        )
        .with(Column::hidden("difference_low").key("difference_high"), |row| {
            compared(row, |found| Value::differences(found.low, found.high))
        })
        .with(Column::number("p").key("p"), |row| compared(row, |found| Value::p(found.p_value)))
        .table
}

/// The first system, the baseline and the best metric on each of several files.
pub(super) fn files(report: &Report) -> Table<'_> {
    let (files, unit) = (&report.files, report.unit());
    let first = files.first().and_then(|file| file.systems.first()).map_or("", |row| row.name.as_str());
    let of_role = |file: &FileRow, role: Role, value: fn(&Row) -> Value<'static>| {
        file.systems.iter().find(|row| row.role == role).map_or(Value::Empty, value)
    };
    let accuracy = |row: &Row| Value::fraction(row.accuracy);
    Table::of("Accuracy on each file", files)
        .with(Column::text("file"), |file| &file.name)
        .with(Column::number("weight").rank(2), |file| file.weight.to_string())
        .with(Column::number("pairs"), |file| Value::count(file.rows))
        .with(Column::number(format!("{unit}s")).rank(3), |file| Value::count(file.groups))
        .with(Column::number(first), |file| of_role(file, Role::Judge, accuracy))
        .with(Column::text("95% CI").rank(1), |file| {
            of_role(file, Role::Judge, |row| Value::interval(row.low, row.high))
        })
        .with(Column::number(BASELINE), |file| of_role(file, Role::Baseline, accuracy))
        .with(Column::number(BEST_METRIC), |file| of_role(file, Role::BestMetric, accuracy))
        .table
}

/// The differences of the systems in `order` above the diagonal, p-values below.
pub(super) fn matrix<'r>(matrix: &'r Matrix, order: &[usize]) -> Table<'r> {
    let caption = "All pairs of systems: above the diagonal, the row's accuracy minus the column's in points; below it, \
                   p-values (not corrected for multiple tests).";
    // One annotator against the others is a row, but no system that others are compared with.
    let order: Vec<usize> = order.iter().copied().filter(|&system| system < matrix.names.len()).collect();
    let names = order.iter().map(|&system| matrix.names[system].as_str().into());
    Table::square(caption, names, 5, |row, column| {
        let (one, other) = (order[row], order[column]);
        let (difference, p) = (matrix.differences[one][other], matrix.p_values[one][other]);
        let text = match row.cmp(&column) {
            Ordering::Less => format!("{:+.1}", 100.0 * difference),
            Ordering::Equal => "-".to_owned(),
            Ordering::Greater => short_p_value(p),
        };
        Cell::from(text).styled(Outcome::of_difference(difference, p).style_of_figure())
    })
}

/// Every system against every other.
pub(crate) fn comparisons(matrix: Option<&Matrix>) -> Table<'_> {
    let rows = matrix.iter().flat_map(|&matrix| {
        let systems = 0..matrix.names.len();
        let pairs = systems.clone().flat_map(move |one| systems.clone().map(move |other| (one, other)));
        pairs.filter(|(one, other)| one != other).map(move |(one, other)| (matrix, one, other))
    });
    Table::of("", rows)
        .with(Column::hidden("system"), |(matrix, one, _)| &matrix.names[one])
        .with(Column::hidden("against"), |(matrix, _, other)| &matrix.names[other])
        .with(Column::hidden("difference"), |(matrix, one, other)| Value::difference(matrix.differences[one][other]))
        .with(Column::hidden("p"), |(matrix, one, other)| Value::p(matrix.p_values[one][other]))
        .table
}

/// The confusion matrix of a system, with precision, recall and F1 of each verdict.
pub(super) fn confusion<'r>(row: &'r Row, labels_of: &LabelSource) -> Table<'r> {
    let (counts, classes) = (&row.confusion.counts, &row.classes);
    let caption = format!("Confusion matrix (rows: {}, columns: {})", labels_of.name(), row.name);
    let mut table = Table::of(caption, Verdict::ALL).with(Column::number("people"), Cell::from);
    for verdict in Verdict::ALL {
        table = table.with(Column::number(format!("{:>6}", verdict.to_string())), |people| {
            let count = counts[people.index()][verdict.index()];
            Cell::from(Value::count(count)).styled(style_of_count(counts, people, verdict))
        });
    }
    for (header, of) in [("precision", classes.precision), ("recall", classes.recall), ("F1", classes.f1)] {
        let share = |people: Verdict| Value::or_undefined(of.values()[people.index()], Value::fraction);
        table = table.with(Column::number(header).rank(1), share);
    }
    table.table
}

/// The style of a count in the confusion matrix: its colour says whether the verdict is correct, and it is bold or dim by
/// its share of the row.
fn style_of_count(counts: &[[usize; 3]; 3], people: Verdict, verdict: Verdict) -> anstyle::Style {
    let of_people = &counts[people.index()];
    let share = of_people[verdict.index()] as f64 / of_people.iter().sum::<usize>().max(1) as f64;
    let style = if people == verdict { GREEN } else { RED };
    if share >= LARGE_SHARE {
        style.bold()
    } else if share < SMALL_SHARE {
        style.dimmed()
    } else {
        style
    }
}

/// How often each system gave each verdict, for each human label.
pub(crate) fn verdicts(report: &Report) -> Table<'_> {
    let cells = || Verdict::ALL.into_iter().flat_map(|people| Verdict::ALL.map(|verdict| (people, verdict)));
    let rows = report.systems.iter().flat_map(|row| cells().map(move |(people, verdict)| (row, people, verdict)));
    Table::of("", rows)
        .with(Column::hidden("system"), |(row, ..)| &row.name)
        .with(Column::hidden("people"), |(_, people, _)| people)
        .with(Column::hidden("verdict"), |(_, _, verdict)| verdict)
        .with(Column::hidden("pairs"), |(row, people, verdict)| {
            Value::count(row.confusion.counts[people.index()][verdict.index()])
        })
        .table
}

/// Accuracy by confidence.
pub(crate) fn reliability(details: Option<&Details>) -> Table<'_> {
    Table::of("Confidence and accuracy", details.into_iter().flat_map(|details| &details.reliability))
        .with(Column::text("confidence").key("from").key("to"), |bin| Value::interval(bin.from, bin.to))
        .with(Column::number("pairs").key("pairs"), |bin| Value::count(bin.pairs))
        .with(Column::number("mean").key("confidence"), |bin| Value::fraction(bin.confidence))
        .with(fractions("accuracy"), |bin| Value::fraction(bin.accuracy))
        .with(interval(), |bin| Value::interval(bin.low, bin.high))
        .table
}

/// How many of the first system's verdicts agree with people in a given share.
pub(crate) fn coverage(report: &Report) -> Table<'_> {
    Table::of("Agreement and coverage: pairs with the most probable verdicts", &report.coverage)
        .with(Column::number("agreement").key("agreement"), |at| Value::fraction(at.agreement))
        .with(Column::number("pairs decided").key("coverage"), |at| Value::Number(percent(at.coverage), at.coverage))
        .with(Column::number("from probability").key("confidence"), |at| Value::fraction(at.confidence))
        .table
}

/// Accuracy by properties of pairs.
pub(crate) fn breakdowns(details: Option<&Details>) -> Table<'_> {
    let rows = details.into_iter().flat_map(|details| &details.breakdowns).flat_map(|breakdown| {
        let bins = breakdown.bins.iter();
        bins.flat_map(move |bin| (0..bin.accuracies.len()).map(move |system| (breakdown, bin, system)))
    });
    Table::of("", rows)
        .with(Column::hidden("property"), |(breakdown, ..)| breakdown.property)
        .with(Column::hidden("values"), |(_, bin, _)| &bin.values)
        .with(Column::hidden("pairs"), |(_, bin, _)| Value::count(bin.pairs))
        .with(Column::hidden("system"), |(breakdown, _, system)| &breakdown.systems[system])
        .with(Column::hidden("accuracy"), |(_, bin, system)| Value::fraction(bin.accuracies[system].accuracy))
        .with(Column::hidden("low").key("high"), |(_, bin, system)| {
            let Interval { low, high } = bin.accuracies[system].interval;
            Value::interval(low, high)
        })
        .table
}

/// Agreement with people by every convention, one row per system.
pub(crate) fn conventions(report: &Report) -> Table<'_> {
    let all = report.details.as_ref().map(|details| &details.conventions);
    let is_judge = |name: &str| report.row(name).is_some_and(|row| row.role == Role::Judge);
    let mut table = Table::of(
        format!("Agreement with {}, by convention", report.labels_of.labels()),
        all.into_iter().flat_map(|all| &all.systems),
    )
    .with(Column::text("system").key("system"), |row| Cell::from(&row.name).bold_if(is_judge(&row.name)));
    for (at, convention) in all.into_iter().flat_map(|all| &all.conventions).enumerate() {
        table = table.with(fractions(convention.name), |row| Value::or_undefined(row.values[at], Value::fraction));
    }
    table.table
}

/// The share of each family of features in the preference, with its range over folds where it is known.
pub(crate) fn families(report: &Report) -> Table<'_> {
    let range_of = |name: &str| {
        let mut ranges = report.details.iter().flat_map(|details| &details.families);
        let range = ranges.find(|range| range.name == name);
        range.map_or(Value::Empty, |range| Value::interval(range.low, range.high))
    };
    Table::of("Importance of feature families (share of the absolute preference)", &report.families)
        .with(Column::text("family").key("family"), |family| &family.name)
        .with(Column::number("features").key("features").rank(1), |family| Value::count(family.features))
        .with(Column::number("share").key("share"), |family| Value::fraction(family.share))
        .with(Column::text("range over folds").key("low").key("high").rank(2), |family| range_of(&family.name))
        .table
}

/// The ablation of feature families.
pub(crate) fn ablation(rows: &[AblationRow]) -> Table<'_> {
    let caption =
        "Ablation: - family removed, + metric added; log loss: change, above 0, the ensemble has the lower log loss";
    let painted = |row: &AblationRow, value| Cell::from(value).styled(Outcome::style_of_figures(&row.against_ensemble));
    Table::of(caption, rows)
        .with(Column::text("features").key("features"), |row| &row.name)
        .with(fractions("accuracy"), |row| Value::fraction(row.accuracy))
        .with(Column::number("change").key("difference"), |row| {
            painted(row, Value::difference(row.against_ensemble.difference))
        })
        .with(interval().rank(3), |row| Value::differences(row.against_ensemble.low, row.against_ensemble.high))
        .with(Column::number("p").key("p").rank(1), |row| painted(row, Value::p(row.against_ensemble.p_value)))
        .with(Column::number("log loss").key("log_loss_difference").rank(2), |row| {
            Value::difference(row.log_loss_difference)
        })
        .table
}

/// The learning curve over the number of references.
pub(crate) fn learning_curve(report: &Report) -> Table<'_> {
    let unit = report.unit();
    Table::of("Learning curve", &report.learning_curve)
        .with(Column::number("trained on").key("share"), |point| Value::Number(percent(point.share), point.share))
        .with(Column::number(format!("{unit}s")).key("references").rank(1), |point| {
            Value::Number(format!("{:.0}", point.groups), point.groups)
        })
        .with(fractions("accuracy"), |point| Value::fraction(point.accuracy))
        .with(interval(), |point| Value::interval(point.low, point.high))
        .table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_painted_by_right_and_wrong_and_by_their_share() {
        let counts = [[50, 30, 20], [10, 0, 90], [0, 0, 0]];
        let style = |people, said| style_of_count(&counts, people, said);
        assert_eq!(style(Verdict::First, Verdict::First), GREEN.bold());
        assert_eq!(style(Verdict::First, Verdict::Tie), RED);
        assert_eq!(style(Verdict::Tie, Verdict::Tie), GREEN.dimmed());
        assert_eq!(style(Verdict::Tie, Verdict::Second), RED.bold());
        assert_eq!(style(Verdict::Second, Verdict::Second), GREEN.dimmed());
    }

    #[test]
    fn differences_stand_above_the_diagonal_and_p_below() {
        let found = Matrix {
            names: ["one", "two", "three"].map(str::to_owned).into(),
            differences: vec![vec![0.0, -0.1, 0.05], vec![0.1, 0.0, 0.15], vec![-0.05, -0.15, 0.0]],
            p_values: vec![vec![1.0, 0.0004, 0.25], vec![0.0004, 1.0, 0.011], vec![0.25, 0.011, 1.0]],
        };
        let table = matrix(&found, &[1, 0, 2]);
        let text = table.to_text(super::super::Terminal::default());
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(rows, ["1 two       - +10.0 +15.0", "2 one   <.001     -  +5.0", "3 three  .011  .250     -"]);
        let style = |row: usize, column: usize| table.rows[row][2 + column].style;
        assert_eq!([style(0, 1), style(1, 0), style(1, 2)], [GREEN, RED, anstyle::Style::new()]);
        let records: Vec<_> = comparisons(Some(&found)).records().map(|record| record.join(",")).collect();
        assert_eq!((records.len(), records[2].as_str()), (6, "two,one,0.1,0.0004"));
    }
}
