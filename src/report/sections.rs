//! The sections of a report, each as one table that text, page and CSV render.

use std::borrow::Cow;

use super::answer::Outcome;
use super::details::Details;
use super::layout::cut;
use super::studies::{AblationRow, CurveRow, FileRow};
use super::systems::Role;
use super::table::{Cell, Column, Fit, Table, Value, short_p_value};
use super::terminal::{GREEN, RED};
use super::{BASELINE, BEST_METRIC, Matrix, Report, Row};
use crate::evaluation::Comparison;
use crate::judgments::Verdict;

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

fn interval() -> Column {
    Column::text("95% CI").key("low").key("high")
}

fn name(text: &str) -> Cell<'_> {
    Cell::text(text)
}

/// A row for each of `systems`.
pub(super) fn accuracy<'r>(report: &'r Report, systems: impl Iterator<Item = &'r Row>) -> Table<'r> {
    let against = report.against.as_deref();
    let columns = [
        Column::text("  system").key("system"),
        Column::hidden("role"),
        fractions("accuracy"),
        interval().rank(1),
        Column::number("decided").key("decided_accuracy").rank(4),
        Column::hidden("balanced_accuracy"),
        Column::number("tau").key("kendall_tau").rank(3),
        Column::number("with ties").key("with_ties").rank(2),
        Column::hidden("threshold"),
        Column::hidden("against"),
        Column::number(format!("against {}", cut(against.unwrap_or_default(), MAX_AGAINST))).key("difference"),
        Column::hidden("difference_low").key("difference_high"),
        Column::number("p").key("p"),
    ];
    let rows = systems.map(|row| {
        let compared = row.against.as_ref();
        // Painted if the difference is significant.
        let style = compared.map(Outcome::style_of_figures).unwrap_or_default();
        let of_against = |value: fn(&Comparison) -> Value<'r>| Cell::from(compared.map_or(Value::Empty, value));
        vec![
            Cell::from(Value::Marked(row.role.mark(), &row.name)).bold_if(row.role == Role::Judge),
            name(row.role.name()),
            Value::Fraction(row.accuracy).into(),
            Value::Interval(row.low, row.high).into(),
            Value::or_undefined(row.classes.decided_accuracy, Value::Fraction).into(),
            Value::or_undefined(row.classes.balanced_accuracy, Value::Fraction).into(),
            Value::Fraction(row.kendall_tau).into(),
            Value::or_empty(row.with_ties.map(|ties| ties.accuracy), Value::Fraction).into(),
            Value::or_empty(row.with_ties.map(|ties| ties.threshold), Value::Number).into(),
            compared.and(against).map_or(Value::Empty.into(), name),
            of_against(|found| Value::Difference(found.difference)).styled(style),
            of_against(|found| Value::DifferenceInterval(found.low, found.high)),
            of_against(|found| Value::P(found.p_value)).styled(style),
        ]
    });
    Table::new("All systems, the most accurate first", columns).with_rows(rows)
}

/// The first system, the baseline and the best metric on each of several files.
pub(super) fn files(files: &[FileRow]) -> Table<'_> {
    let first = files.first().and_then(|file| file.systems.first()).map_or("", |row| row.name.as_str());
    let columns = [
        Column::text("file"),
        Column::number("weight").rank(2),
        Column::number("pairs"),
        Column::number("references").rank(3),
        Column::number(first),
        Column::text("95% CI").rank(1),
        Column::number(BASELINE),
        Column::number(BEST_METRIC),
    ];
    let rows = files.iter().map(|file| {
        let of_role = |role: Role, value: fn(&Row) -> Value<'_>| {
            Cell::from(file.systems.iter().find(|row| row.role == role).map_or(Value::Empty, value))
        };
        let accuracy = |row: &Row| Value::Fraction(row.accuracy);
        vec![
            name(&file.name),
            Cell::text(file.weight.to_string()),
            file.rows.into(),
            file.groups.into(),
            of_role(Role::Judge, accuracy),
            of_role(Role::Judge, |row| Value::Interval(row.low, row.high)),
            of_role(Role::Baseline, accuracy),
            of_role(Role::BestMetric, accuracy),
        ]
    });
    Table::new("Accuracy on each file", columns).with_rows(rows)
}

/// The differences of the systems in `order` above the diagonal, p-values below.
pub(super) fn matrix<'r>(matrix: &'r Matrix, order: &[usize]) -> Table<'r> {
    let mut columns = vec![Column::number(""), Column::text("")];
    columns.extend((1..=order.len()).map(|number| Column::number(format!("{number:>5}"))));
    let cell = |(row, one): (usize, usize), (column, other): (usize, usize)| {
        let (difference, p) = (matrix.differences[one][other], matrix.p_values[one][other]);
        let text = match row.cmp(&column) {
            std::cmp::Ordering::Less => format!("{:+.1}", 100.0 * difference),
            std::cmp::Ordering::Equal => "-".to_owned(),
            std::cmp::Ordering::Greater => short_p_value(p),
        };
        Cell::text(text).styled(Outcome::of_difference(difference, p).style_of_figure())
    };
    let places = || order.iter().copied().enumerate();
    let rows = places().map(|(row, one)| {
        let head = [Cell::from(row + 1), name(&matrix.names[one])];
        head.into_iter().chain(places().map(|place| cell((row, one), place))).collect()
    });
    let caption = "All pairs of systems: above the diagonal, the row's accuracy minus the column's in points; below it, \
                   p-values (not corrected for multiple tests).";
    Table { fit: Fit::Continue(2), gap: 1, ..Table::new(caption, columns).with_rows(rows) }
}

/// Every system against every other.
pub(super) fn comparisons(matrix: Option<&Matrix>) -> Table<'_> {
    let rows = matrix.iter().flat_map(|matrix| {
        let names = || matrix.names.iter().enumerate();
        names().flat_map(move |(one, system)| {
            names().filter(move |&(other, _)| other != one).map(move |(other, against)| {
                let (difference, p) = (matrix.differences[one][other], matrix.p_values[one][other]);
                vec![name(system), name(against), Value::Difference(difference).into(), Value::P(p).into()]
            })
        })
    });
    Table::new("", ["system", "against", "difference", "p"].map(Column::hidden)).with_rows(rows)
}

/// The confusion matrix of a system, with precision, recall and F1 of each verdict.
pub(super) fn confusion(row: &Row) -> Table<'_> {
    let counts = &row.confusion.counts;
    let mut columns = vec![Column::number("people")];
    columns.extend(Verdict::ALL.map(|verdict| Column::number(format!("{:>6}", verdict.to_string()))));
    columns.extend(["precision", "recall", "F1"].map(|header| Column::number(header).rank(1)));
    let classes = [&row.classes.precision, &row.classes.recall, &row.classes.f1].map(|of| of.values());
    let rows = Verdict::ALL.map(|people| {
        let count = |verdict: Verdict| {
            Cell::from(counts[people.index()][verdict.index()]).styled(style_of_count(counts, people, verdict))
        };
        let shares = classes.map(|of| Value::or_undefined(of[people.index()], Value::Fraction).into());
        [people.into()].into_iter().chain(Verdict::ALL.map(count)).chain(shares).collect()
    });
    let caption = format!("Confusion matrix (rows: people, columns: {})", row.name);
    Table::new(caption, columns).with_rows(rows)
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

/// How often each system answered what, for each human label.
pub(super) fn verdicts(report: &Report) -> Table<'_> {
    let cells = || Verdict::ALL.into_iter().flat_map(|people| Verdict::ALL.map(|verdict| (people, verdict)));
    let rows = report.systems.iter().flat_map(|row| {
        cells().map(|(people, verdict)| {
            let pairs = row.confusion.counts[people.index()][verdict.index()];
            vec![name(&row.name), people.into(), verdict.into(), pairs.into()]
        })
    });
    Table::new("", ["system", "people", "verdict", "pairs"].map(Column::hidden)).with_rows(rows)
}

/// Accuracy by confidence.
pub(super) fn reliability(details: Option<&Details>) -> Table<'_> {
    let columns = [
        Column::text("confidence").key("from").key("to"),
        Column::number("pairs").key("pairs"),
        Column::number("mean").key("confidence"),
        fractions("accuracy"),
        interval(),
    ];
    let rows = details.into_iter().flat_map(|details| &details.reliability).map(|bin| {
        vec![
            Value::Interval(bin.from, bin.to).into(),
            bin.pairs.into(),
            Value::Fraction(bin.confidence).into(),
            Value::Fraction(bin.accuracy).into(),
            Value::Interval(bin.low, bin.high).into(),
        ]
    });
    Table::new("Confidence and accuracy", columns).with_rows(rows)
}

/// Accuracy by properties of pairs.
pub(super) fn breakdowns(details: Option<&Details>) -> Table<'_> {
    let columns = ["property", "values", "pairs", "system", "accuracy"].map(Column::hidden);
    let columns: Vec<Column> = columns.into_iter().chain([Column::hidden("low").key("high")]).collect();
    let rows = details.into_iter().flat_map(|details| &details.breakdowns).flat_map(|breakdown| {
        breakdown.bins.iter().flat_map(move |bin| {
            breakdown.systems.iter().zip(&bin.accuracies).map(move |(system, found)| {
                vec![
                    name(breakdown.property),
                    name(&bin.values),
                    bin.pairs.into(),
                    name(system),
                    Value::Fraction(found.accuracy).into(),
                    Value::Interval(found.interval.low, found.interval.high).into(),
                ]
            })
        })
    });
    Table::new("", columns).with_rows(rows)
}

/// Agreement with people by every convention, one row per system.
pub(super) fn conventions(report: &Report) -> Table<'_> {
    let conventions = report.details.as_ref().map(|details| &details.conventions);
    let mut columns = vec![Column::text("system").key("system")];
    columns.extend(conventions.iter().flat_map(|all| &all.conventions).map(|convention| fractions(convention.name)));
    let rows = conventions.into_iter().flat_map(|all| &all.systems).map(|system| {
        let is_judge = report.row(&system.name).is_some_and(|row| row.role == Role::Judge);
        let values = system.values.iter().map(|&value| Value::or_undefined(value, Value::Fraction).into());
        [name(&system.name).bold_if(is_judge)].into_iter().chain(values).collect()
    });
    Table::new("Agreement with people, by convention", columns).with_rows(rows)
}

/// The share of each family of features in the preference, with its range over folds where it is known.
pub(super) fn families(report: &Report) -> Table<'_> {
    let columns = [
        Column::text("family").key("family"),
        Column::number("features").key("features").rank(1),
        Column::number("share").key("share"),
        Column::text("range over folds").key("low").key("high").rank(2),
    ];
    let rows = report.families.iter().map(|family| {
        let mut ranges = report.details.iter().flat_map(|details| &details.families);
        let range = ranges.find(|range| range.name == family.name);
        vec![
            name(&family.name),
            family.features.into(),
            Value::Fraction(family.share).into(),
            range.map_or(Value::Empty, |range| Value::Interval(range.low, range.high)).into(),
        ]
    });
    Table::new("Share of each family of features in the preference", columns).with_rows(rows)
}

/// The ablation of feature families.
pub(super) fn ablation(rows: &[AblationRow]) -> Table<'_> {
    let columns = [
        Column::text("features").key("features"),
        fractions("accuracy"),
        Column::number("change").key("difference"),
        interval().rank(3),
        Column::number("p").key("p").rank(1),
        Column::number("log loss").key("log_loss_difference").rank(2),
    ];
    let rows = rows.iter().map(|row| {
        let found = &row.against_ensemble;
        let style = Outcome::style_of_figures(found);
        vec![
            name(&row.name),
            Value::Fraction(row.accuracy).into(),
            Cell::from(Value::Difference(found.difference)).styled(style),
            Value::DifferenceInterval(found.low, found.high).into(),
            Cell::from(Value::P(found.p_value)).styled(style),
            Value::Difference(row.log_loss_difference).into(),
        ]
    });
    let caption = "Ablation: - without the family, + with the metric added; log loss: difference from the ensemble's, \
                   above 0 the ensemble is better";
    Table::new(caption, columns).with_rows(rows)
}

/// The learning curve over the number of references.
pub(super) fn learning_curve(points: &[CurveRow]) -> Table<'_> {
    let columns = [
        Column::number("trained on").key("share"),
        Column::number("references").key("references").rank(1),
        fractions("accuracy"),
        interval(),
    ];
    let rows = points.iter().map(|point| {
        vec![
            Value::Percent(point.share).into(),
            Value::MeanCount(point.groups).into(),
            Value::Fraction(point.accuracy).into(),
            Value::Interval(point.low, point.high).into(),
        ]
    });
    Table::new("Trained on part of the references", columns).with_rows(rows)
}

/// The pairs in the format that `train` and `compare` read, with the first system's verdicts and probabilities.
pub(super) fn pairs<'r>(details: Option<&'r Details>) -> Table<'r> {
    let most = |details: &Details| details.all_pairs.rows.iter().map(|row| row.texts.len()).max();
    let references = details.and_then(most).unwrap_or(3).saturating_sub(2).max(1);
    let mut keys: Vec<Cow<'static, str>> = ["file", "line", "id", "hyp1", "hyp2", "ref"].map(Cow::from).into();
    keys.extend((2..=references).map(|number| format!("ref{number}").into()));
    keys.extend(["label", "verdict", "p1", "p0", "p-1"].map(Cow::from));
    let rows = details.into_iter().map(|details| &details.all_pairs).flat_map(|pairs| {
        pairs.rows.iter().map(move |row| {
            let optional = |text: Option<&'r str>| text.map_or(Value::Empty.into(), name);
            let mut cells = vec![optional(row.file.as_deref()), row.line.into(), optional(row.id.as_deref())];
            cells.extend(row.texts.iter().map(|&text| name(&pairs.texts[text])));
            cells.resize(5 + references, Value::Empty.into());
            cells.extend([row.people.into(), row.verdict.into()]);
            cells.extend(row.probabilities.0.map(|share| Value::Fraction(share).into()));
            cells
        })
    });
    Table::new("", keys.into_iter().map(Column::hidden).collect::<Vec<_>>()).with_rows(rows)
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
