//! In: a [`Report`]. Out: its answer, in lines of at most 80 characters.

use anstyle::Style;

use super::answer::{Answer, Finding, Versus};
use super::paint::BOLD;
use super::systems::Role;
use super::text::{columns_of, cut, p_value, wrapped};
use super::{Report, Terminal};
use crate::error::pluralized;
use crate::judgments::Verdict;

/// The longest line, in characters.
const WIDTH: usize = 80;

/// One line each for the first system's accuracy, its rival, the majority and people's agreement, and ties; those
/// without data are left out.
pub(super) fn lines(report: &Report, terminal: Terminal) -> String {
    let Some(answer) = &report.answer else { return String::new() };
    let judged = |versus: &Versus, line: String| {
        let finding = Finding::of(&versus.comparison);
        painted(&line, than(versus), finding.style().bold(), terminal)
    };
    let first = reached(report, answer);
    let lines = [
        Some(wrapped(&first, terminal.width).lines().map(|line| terminal.paint.apply(BOLD, line) + "\n").collect()),
        answer.rival.as_ref().map(|versus| judged(versus, rival(versus))),
        answer.majority.as_ref().map(|versus| judged(versus, constant(report, answer, versus))),
        Some(wrapped(&ties(answer), terminal.width)),
    ];
    lines.into_iter().flatten().collect()
}

/// Wraps a line to the terminal, and paints its beginning.
fn painted(line: &str, beginning: &str, style: Style, terminal: Terminal) -> String {
    let text = wrapped(line, terminal.width);
    match text.strip_prefix(beginning) {
        Some(rest) => terminal.paint.apply(style, beginning) + rest,
        None => text,
    }
}

/// The first wording that fits; if none does, the last, with the name cut to fit.
fn fitting(name: &str, wordings: &[&dyn Fn(&str) -> String]) -> String {
    let fits = |line: &String| columns_of(line) <= WIDTH;
    let shortened = (1..columns_of(name)).rev().map(|width| cut(name, width));
    let names = shortened.filter_map(|name| Some(wordings.last()?(&name)));
    wordings.iter().map(|wording| wording(name)).chain(names).find(fits).unwrap_or_default()
}

fn reached(report: &Report, answer: &Answer) -> String {
    let [accuracy, low, high] = [answer.accuracy, answer.low, answer.high].map(|share| format!("{:.1}", 100.0 * share));
    let count = match report.groups {
        Some(groups) => format!("{}, {}", pluralized(report.rows, "pair"), pluralized(groups, "reference")),
        None => pluralized(report.rows, "verdict"),
    };
    let long = |name: &str| format!("{name}: accuracy {accuracy}% (95% interval {low} to {high}), {count}");
    let short = |name: &str| format!("{name}: accuracy {accuracy}% (95%: {low} to {high}), {count}");
    fitting(&answer.system, &[&long, &short])
}

fn rival(rival: &Versus) -> String {
    let what = match rival.role {
        Role::BestMetric => "best-metric ",
        Role::Baseline => "the baseline ",
        _ => "",
    };
    let [difference, low, high] = points(rival);
    let p = p_value(rival.comparison.p_value);
    let (than, accuracy) = (than(rival), percent(rival.accuracy));
    let name = rival.chosen.as_ref().map_or(&rival.name, |chosen| &chosen.name);
    fitting(name, &[&|name| format!("{than} {what}{name}, {accuracy}: {difference} ({low} to {high}), p {p}")])
}

fn constant(report: &Report, answer: &Answer, majority: &Versus) -> String {
    let counts = report.systems.iter().find(|row| row.role == Role::Majority).map(|row| &row.confusion.counts);
    let is_said = |verdict: &Verdict| counts.is_some_and(|counts| counts.iter().any(|row| row[verdict.index()] > 0));
    let label = match Verdict::ALL.into_iter().find(is_said) {
        Some(Verdict::Tie) | None => "tie".to_owned(),
        Some(decided) => decided.to_string(),
    };
    let people = match answer.agreement {
        Some(share) => format!("; two people agree in {}", percent(share)),
        None => String::new(),
    };
    let [difference, ..] = points(majority);
    let (than, accuracy, p) = (than(majority), percent(majority.accuracy), p_value(majority.comparison.p_value));
    let with = |what: &str| format!("{than} {what}, {accuracy}: {difference}, p {p}{people}");
    fitting("", &[&|_| with(&format!("always saying {label}")), &|_| with(&format!("always {label}"))])
}

fn ties(answer: &Answer) -> String {
    let [people, system] = [answer.people_tie, answer.system_ties].map(percent);
    let decided = match answer.decided_accuracy {
        Some(share) => format!("On decided pairs: accuracy {}", percent(share)),
        None => "No pair is decided".to_owned(),
    };
    fitting(&answer.system, &[&|name| format!("{decided}; people say tie in {people}, {name} in {system}")])
}

fn than(versus: &Versus) -> &'static str {
    match Finding::of(&versus.comparison) {
        Finding::Better => "Better than",
        Finding::NoBetter => "No better than",
        Finding::Worse => "Worse than",
    }
}

/// The difference and both ends of its interval, in percentage points.
fn points(versus: &Versus) -> [String; 3] {
    let found = &versus.comparison;
    [found.difference, found.low, found.high].map(|share| format!("{:+.1}", 100.0 * share))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Comparison;
    use crate::report::Chosen;
    use crate::report::paint::without_colours;

    fn versus(role: Role, name: &str, difference: f64, p_value: f64) -> Versus {
        let comparison = Comparison { difference, low: difference - 0.1234, high: difference + 0.1234, p_value };
        let chosen = (role == Role::BestMetric).then(|| Chosen { name: name.to_owned(), folds: 7 });
        Versus { name: name.to_owned(), role, chosen, accuracy: 0.5953, comparison }
    }

    #[test]
    fn the_verdict_is_earned_beyond_chance() {
        let said = |difference, p| rival(&versus(Role::BestMetric, "meteor-all", difference, p));
        assert_eq!(said(0.2, 0.049), "Better than best-metric meteor-all, 59.5%: +20.0 (+7.7 to +32.3), p = 0.049");
        assert_eq!(said(0.2, 0.051), "No better than best-metric meteor-all, 59.5%: +20.0 (+7.7 to +32.3), p = 0.051");
        assert_eq!(said(-0.2, 0.01), "Worse than best-metric meteor-all, 59.5%: -20.0 (-32.3 to -7.7), p = 0.010");
        assert_eq!(said(-0.2, 0.5), "No better than best-metric meteor-all, 59.5%: -20.0 (-32.3 to -7.7), p = 0.500");
        assert!(rival(&versus(Role::Baseline, "sum", 0.2, 0.0)).starts_with("Better than the baseline sum, 59.5%: "));
        assert!(rival(&versus(Role::Judge, "b", 0.2, 0.0)).starts_with("Better than b, 59.5%: "));
    }

    #[test]
    fn verdicts_are_painted_by_what_was_found() {
        let beginning = |difference, p| {
            let versus = versus(Role::Judge, "b", difference, p);
            let style = Finding::of(&versus.comparison).style();
            painted(&rival(&versus), than(&versus), style, Terminal::colour(40)).lines().next().unwrap().to_owned()
        };
        assert!(beginning(0.2, 0.01).starts_with("\u{1b}[32mBetter than\u{1b}[0m b, 59.5%: "));
        assert!(beginning(-0.2, 0.01).starts_with("\u{1b}[31mWorse than\u{1b}[0m b, "));
        assert!(beginning(0.2, 0.5).starts_with("\u{1b}[33mNo better than\u{1b}[0m b, "));
        assert!(without_colours(&beginning(0.2, 0.5)).chars().count() <= 40);
    }

    #[test]
    fn long_names_are_cut_so_that_lines_fit() {
        for length in [1, 10, 20, 200] {
            let line = rival(&versus(Role::BestMetric, &"m".repeat(length), -0.5, 0.1));
            assert!(line.chars().count() <= WIDTH && line.contains("m, 59.5%"), "{line}");
            assert_eq!(line.contains('…'), length > 10, "{line}");
        }
    }
}
