//! The systems of a ranking, every two of them, and what more data would show.

use super::{Cell, Column, Estimate, GREEN, Printed, RED, Section, Table, Value, chart, interval, pluralized};
use crate::report::ranking::{Ranking, share_of_wins};

/// Where nothing varies between groups, nothing is known of the order.
const UNKNOWN_ORDER: &str = "Add pairs before you rely on the order: win rates do not vary between these.";

/// The systems, the strongest first.
pub(super) fn systems(ranking: &Ranking) -> Section<'_> {
    let systems = &ranking.board.systems;
    let mut table = Table::builder(format!("Systems, by {}", ranking.by), systems);
    if ranking.components() > 1 {
        table = table.with(Column::number("component"), |row| Value::count(row.component));
    }
    let mut table = table
        .with(Column::number("cluster"), |row| Value::count(row.cluster))
        .with(Column::number("rank").range(), |row| ranks(row.ranks))
        .with(Column::text("system"), |row| Cell::from(row.name.as_str()).bold_if(row.cluster == 1))
        .with(Column::number("win rate"), |row| Value::fraction(row.win_rate.value))
        .with(interval(1), |row| Value::interval(row.win_rate.low, row.win_rate.high))
        .with(Column::number("at equal style").named("controlled_win_rate").rank(1), |row| {
            row.controlled_win_rate.map_or(Value::Empty, |rate| Value::fraction(rate.value))
        })
        .with(interval(3), |row| {
            row.controlled_win_rate.map_or(Value::Empty, |rate| Value::interval(rate.low, rate.high))
        })
        .with(Column::number("characters").rank(4), |row| {
            let at = systems.iter().position(|system| system.name == row.name);
            let length = at.and_then(|at| ranking.lengths.get(at));
            length.map_or(Value::Empty, |length| Value::Number(format!("{length:.0}"), *length))
        })
        .with(Column::number("strength").rank(2), |row| {
            Value::Number(format!("{:.3}", row.strength.value), row.strength.value)
        })
        .with(interval(4), |row| {
            let Estimate { low, high, .. } = row.strength;
            Value::Interval(format!("{low:.3} to {high:.3}"), [low, high])
        })
        .with(Column::number("pairs").rank(5), |row| Value::count(row.pairs));
    if ranking.board.worth.is_some() {
        table = table.with(Column::number("labels").rank(3), |row| Value::count(row.labels));
    }
    Section {
        tables: vec![table.table.keyed("systems").printed(Printed::Bare)],
        charts: vec![chart::win_rates(systems).noted("Diamonds: the first cluster.")],
        notes: ranking.notes.clone(),
        advice: advice(ranking),
        ..Section::new("systems", "Systems")
    }
}

/// `1` or `2 to 4`.
fn ranks([low, high]: [usize; 2]) -> Value<'static> {
    let text = if low == high { low.to_string() } else { format!("{low} to {high}") };
    Value::Interval(text, [low, high].map(|rank| rank as f64))
}

/// Every two systems.
pub(super) fn two_systems(ranking: &Ranking) -> Section<'_> {
    let more = format!("more {}s", ranking.unit);
    let differences = Table::builder("Differences of win rates", &ranking.board.differences)
        .with(Column::text("system").named("one"), |row| row.one.as_str())
        .with(Column::text("and").named("other"), |row| row.other.as_str())
        .with(Column::number("pairs").rank(3), |row| Value::count(row.pairs))
        .with(Column::number("wins").rank(2), |row| Value::or_undefined(row.wins, Value::fraction))
        .with(Column::number("difference"), |row| {
            Cell::from(Value::difference(row.difference.value)).bold_if(row.is_clear)
        })
        .with(interval(0), |row| Value::differences(row.difference.low, row.difference.high))
        .with(Column::number("p"), |row| Value::p(row.p_value))
        .with(Column::number(more).named("more_groups").rank(1), |row| {
            row.more_groups.map_or(Value::Undefined, Value::count)
        })
        .table;
    Section {
        tables: vec![wins(ranking), differences.keyed("differences").printed(Printed::No)],
        charts: vec![chart::wins(ranking)],
        advice: rely(ranking),
        ..Section::new("two", "Every two systems")
    }
}

/// The share of pairs that each system wins against each other.
fn wins(ranking: &Ranking) -> Table<'_> {
    let systems = &ranking.board.systems;
    let caption = "Per cent of pairs that the row wins against the column, ties counting half";
    let table = Table::square(caption, systems.iter().map(|system| system.name.as_str().into()), 5, |row, column| {
        match share_of_wins(&ranking.board, row, column) {
            _ if row == column => Value::Undefined.into(),
            None => Value::Empty.into(),
            Some(wins) => Cell::from(Value::Number(format!("{:.0}", 100.0 * wins), wins)).styled(match wins {
                0.6.. => GREEN,
                0.4.. => anstyle::Style::new(),
                _ => RED,
            }),
        }
    });
    table.keyed("wins")
}

/// What more groups would show.
pub(super) fn power(ranking: &Ranking) -> Section<'_> {
    let labelled = if ranking.board.labels > 0 { "labelled " } else { "" };
    let unit = format!("{labelled}{}s", ranking.unit);
    let caption = "The smallest difference of win rates that is shown with a power of 80%";
    let table = Table::builder(caption, &ranking.board.power)
        .with(Column::number(unit).named("groups"), |point| Value::count(point.groups))
        .with(Column::number("difference"), |point| Value::fraction(point.difference))
        .table;
    let note = "Smallest detectable difference of win rates (80% power, p < 0.05) for the median pair of systems.";
    Section {
        tables: vec![table.keyed("power").printed(Printed::No)],
        charts: vec![chart::power(&ranking.board.power, ranking.unit).noted(note)],
        advice: label(ranking),
        ..Section::new("power", "How many more")
    }
}

/// Which system to use.
fn advice(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let first: Vec<&str> = ranking.first_cluster().map(|system| system.name.as_str()).collect();
    match first.as_slice() {
        [] => None,
        [best] if ranking.first_cluster().all(|system| system.rate().low > 0.5) => Some(format!("Use {best}.")),
        [best] => Some(format!("Use {best}, or look for a system that clearly wins more than half of its pairs.")),
        several => Some(format!("Choose among {} by cost, or label more pairs.", several.join(", "))),
    }
}

/// How many systems are really told apart.
fn rely(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let all = ranking.board.differences.len();
    let open = ranking.board.differences.iter().filter(|two| !two.is_clear).count();
    Some(match open {
        _ if all == 0 => return None,
        0 => "Rely on the order: all pairs of systems differ significantly.".to_owned(),
        _ => format!(
            "Do not rely on the order of {open} of the {all} pairs of systems: they do not differ significantly."
        ),
    })
}

/// Whether more of the same would help.
fn label(ranking: &Ranking) -> Option<String> {
    if ranking.is_degenerate() {
        return Some(UNKNOWN_ORDER.to_owned());
    }
    let neighbours = ranking.open_neighbours();
    let nearest = neighbours.iter().filter_map(|two| Some((two, two.more_groups?))).min_by_key(|(_, more)| *more);
    Some(match nearest {
        Some((two, more)) => {
            let more = pluralized(more, &format!("more {}", ranking.unit));
            format!("Add about {more} of these data to separate {} and {}.", two.one, two.other)
        }
        None if neighbours.is_empty() => "Stop labelling: all neighbouring systems are separated.".to_owned(),
        None => "Add other data, or stop: labels of these data alone do not separate the other systems.".to_owned(),
    })
}
