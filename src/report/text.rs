//! A report as text: the answer, then tables, and sentences for what tables cannot show.

use super::answer::{Answer, Outcome, Versus};
use super::outputs::OutputReport;
use super::ranking::Ranking;
use super::section::Section;
use super::systems::Role;
use super::table::{BOLD, percent};
use super::terminal::YELLOW;
use super::{Report, Terminal, sections};
use crate::error::pluralized;
use crate::evaluation::{Comparison, Leaderboard};
use crate::judgments::Verdict;

/// The sections whose tables stand before the sentences of all sections.
const FIRST: [&str; 2] = ["accuracy", "verdicts"];

const WARNING: &str = "Warning:";

/// The answer, with which a report begins, without the tables.
pub fn render_answer(report: &Report, terminal: Terminal) -> String {
    let Some(answer) = &report.answer else { return String::new() };
    let mut text = String::new();
    for (name, criterion) in &report.criteria {
        text += &format!("{}{}\n", terminal.styled_paragraph(name, BOLD), criterion.to_text(terminal, true));
    }
    if !report.criteria.is_empty() {
        text += &terminal.styled_paragraph("weighted mean", BOLD);
    }
    text += &terminal.styled_paragraph(&headline(report, answer), BOLD);
    for warning in &report.warnings {
        let paragraph = terminal.paragraph(&format!("{WARNING} {warning}"));
        text += &paragraph.replacen(WARNING, &terminal.paint.apply(YELLOW.bold(), WARNING), 1);
    }
    let majority = answer.majority.as_ref().map(|versus| {
        let people = match answer.agreement {
            Some(share) => format!("; human-human agreement {}", percent(share)),
            None => String::new(),
        };
        (versus, beaten(versus, &always(report, versus), false) + &people)
    });
    let rival = answer.rival.as_ref().map(|versus| (versus, beaten(versus, &named(versus), true)));
    for (versus, line) in rival.into_iter().chain(majority) {
        let outcome = Outcome::new(&versus.comparison);
        let line = terminal.paragraph(&line);
        text += &match line.strip_prefix(beginning(versus)) {
            Some(rest) => terminal.paint.apply(outcome.style().bold(), beginning(versus)) + rest,
            None => line,
        };
    }
    text + &terminal.paragraph(&ties(answer, &report.labels_of.labels()))
}

/// The summary of a report: its answer, and that of single outputs.
pub fn render_summary(report: &Report, terminal: Terminal) -> String {
    let outputs = report.outputs.as_ref().map(|outputs| outputs.to_text(terminal, true));
    render_answer(report, terminal) + &outputs.unwrap_or_default()
}

/// Any other report as text: what was found, what the sections say, and their tables.
pub(super) fn of_sections(findings: &[String], sections: Vec<Section<'_>>, terminal: Terminal) -> String {
    let sentences = findings.iter().chain(sections.iter().flat_map(|section| &section.answer));
    let paragraph = |(at, sentence): (usize, &String)| match at {
        0 => terminal.styled_paragraph(sentence, BOLD),
        _ => terminal.paragraph(sentence),
    };
    let mut text: String = sentences.enumerate().map(paragraph).collect();
    text.extend(sections.iter().flat_map(|section| section.printed_tables(terminal)).map(|table| format!("\n{table}")));
    text
}

impl OutputReport {
    /// The report as text, no wider than the terminal where possible; without tables if it is to be brief.
    pub fn to_text(&self, terminal: Terminal, is_brief: bool) -> String {
        of_sections(&self.findings(), if is_brief { Vec::new() } else { self.sections() }, terminal)
    }
}

/// The ranking as text: who is first, the tables, and notes; without tables if it is to be brief.
pub fn render_ranking(ranking: &Ranking, terminal: Terminal, is_brief: bool) -> String {
    let Leaderboard { pairs, labels, groups, .. } = ranking.board;
    let labels = if ranking.board.worth.is_some() { format!(" ({labels} labelled)") } else { String::new() };
    let count = format!(
        "{} by {}: {}{labels}, {}",
        pluralized(ranking.board.systems.len(), "system"),
        ranking.by,
        pluralized(pairs, "pair"),
        pluralized(groups, ranking.unit)
    );
    let mut text = terminal.styled_paragraph(&count, BOLD);
    text.extend(ranking.findings().iter().map(|finding| terminal.paragraph(finding)));
    let sections = if is_brief { Vec::new() } else { sections::of_ranking(ranking) };
    for table in sections.iter().flat_map(|section| &section.tables) {
        let table = table.to_printed_text(terminal);
        if !table.is_empty() {
            text = text + "\n" + &table;
        }
    }
    text.extend(["\n".to_owned()].into_iter().chain(ranking.notes.iter().map(|note| terminal.paragraph(note))));
    text
}

/// The whole report as text: the answer, the first tables, what all sections say, and the other tables.
pub fn render(report: &Report, terminal: Terminal) -> String {
    let sections = sections::of_report(report);
    let (first, others): (Vec<&Section<'_>>, Vec<&Section<'_>>) =
        sections.iter().partition(|section| FIRST.contains(&section.key));
    let sentences = sections.iter().flat_map(|section| &section.answer).map(|sentence| terminal.paragraph(sentence));
    let mut blocks: Vec<String> = first.iter().flat_map(|section| section.printed_tables(terminal)).collect();
    blocks.push(sentences.collect());
    blocks.extend(others.iter().flat_map(|section| section.printed_tables(terminal)));
    blocks.retain(|block| !block.is_empty());
    format!("{}\n{}", render_answer(report, terminal), blocks.join("\n"))
}

/// The first line.
fn headline(report: &Report, answer: &Answer) -> String {
    let [low, high] = [answer.low, answer.high].map(|share| 100.0 * share);
    let count = match report.groups {
        Some(groups) => format!("{}, {}", pluralized(report.rows, "pair"), pluralized(groups, report.unit())),
        None => pluralized(report.rows, "verdict"),
    };
    let (system, accuracy) = (&answer.system, percent(answer.accuracy));
    let chance = percent(answer.chance);
    let interval = format!("(95% CI {low:.1} to {high:.1}; {chance} by chance)");
    let coverage = report.row(system).and_then(|row| row.coverage).filter(|&coverage| coverage < 1.0);
    let count = coverage.map_or(count.clone(), |coverage| format!("{count}, coverage {}", percent(coverage)));
    if report.is_metric(system) {
        return format!("Most accurate: {system}, {accuracy} {interval}, {count}");
    }
    format!("{system}: accuracy {accuracy} {interval}, {count}")
}

fn beginning(versus: &Versus) -> &'static str {
    match Outcome::new(&versus.comparison) {
        Outcome::Better => "Beats",
        Outcome::Worse => "Worse than",
        Outcome::Similar if versus.excludes_gain() => "No better than",
        Outcome::Similar => "No significant difference from",
    }
}

/// Whether the subject beats `rival`, and by how many points.
fn beaten(versus: &Versus, rival: &str, has_interval: bool) -> String {
    let outcome = Outcome::new(&versus.comparison);
    let Comparison { difference, low, high, .. } = versus.comparison;
    let [difference, low, high] = [difference, low, high].map(|share| 100.0 * share);
    let (difference, [low, high]) = match outcome {
        Outcome::Better => (format!(" by {difference:.1} points"), [low, high]),
        Outcome::Worse => (format!(" by {:.1} points", -difference), [-high, -low]),
        Outcome::Similar => (format!(": {difference:+.1} points"), [low, high]),
    };
    // Adding 0.0 avoids -0.0.
    let interval = format!(" (95% CI {:.1} to {:.1})", low + 0.0, high + 0.0);
    format!("{} {rival}{difference}{}", beginning(versus), if has_interval { &interval } else { "" })
}

fn named(rival: &Versus) -> String {
    let name = rival.chosen.as_ref().map_or(&rival.name, |chosen| &chosen.name);
    let accuracy = percent(rival.accuracy);
    match rival.role {
        Role::BestMetric => format!("the best single metric ({name}, {accuracy})"),
        Role::Baseline => format!("the baseline ({name}, {accuracy})"),
        _ => format!("{name} ({accuracy})"),
    }
}

fn always(report: &Report, majority: &Versus) -> String {
    let counts = report.systems.iter().find(|row| row.role == Role::Majority).map(|row| &row.confusion.counts);
    let is_answered =
        |verdict: &Verdict| counts.is_some_and(|counts| counts.iter().any(|row| row[verdict.index()] > 0));
    let label = match Verdict::ALL.into_iter().find(is_answered) {
        Some(Verdict::Tie) | None => "tie".to_owned(),
        Some(decided) => decided.to_string(),
    };
    format!("always answering {label} ({})", percent(majority.accuracy))
}

fn ties(answer: &Answer, labels: &str) -> String {
    let [people, system] = [answer.people_tie, answer.system_ties].map(percent);
    let decided = match (answer.decided_without_ties, answer.decided_accuracy) {
        (Some(share), _) => {
            format!("accuracy {} on untied pairs, forced to choose", percent(share))
        }
        (None, Some(share)) => format!("accuracy {} on untied pairs", percent(share)),
        (None, None) => format!("all {labels} are ties"),
    };
    format!("Ties: {people} of {labels}, {system} of predictions; {decided}")
}

#[cfg(test)]
mod tests {
    use super::super::terminal::without_colours;
    use super::super::{Chosen, ReportSettings, Subject, System};
    use super::*;
    use crate::evaluation::Groups;

    fn versus(role: Role, name: &str, difference: f64) -> Versus {
        let comparison = Comparison { difference, low: difference - 0.1234, high: difference + 0.1234, p_value: 0.5 };
        let chosen = (role == Role::BestMetric).then(|| Chosen { name: name.to_owned(), folds: 7 });
        Versus { name: name.to_owned(), role, chosen, accuracy: 0.5953, comparison }
    }

    #[test]
    fn a_difference_must_be_significant() {
        let line = |role, name, difference| {
            let versus = versus(role, name, difference);
            beaten(&versus, &named(&versus), true)
        };
        let best = "the best single metric (chrf, 59.5%)";
        for (difference, expected) in [
            (0.2, format!("Beats {best} by 20.0 points (95% CI 7.7 to 32.3)")),
            (0.1, format!("No significant difference from {best}: +10.0 points (95% CI -2.3 to 22.3)")),
            (-0.2, format!("Worse than {best} by 20.0 points (95% CI 7.7 to 32.3)")),
            (-0.12, format!("No better than {best}: -12.0 points (95% CI -24.3 to 0.3)")),
        ] {
            assert_eq!(line(Role::BestMetric, "chrf", difference), expected);
        }
        assert!(line(Role::Baseline, "sum", 0.2).starts_with("Beats the baseline (sum, 59.5%) by "));
        assert!(line(Role::Subject, "b", 0.2).starts_with("Beats b (59.5%) by "));
    }

    #[test]
    fn the_outcome_is_painted() {
        let people = [Verdict::First; 30];
        let systems = [System::of_verdicts("a", people.into()), System::of_verdicts("b", vec![Verdict::Tie; 30])];
        let groups = Groups { of_row: (0..30).collect(), count: 30 };
        let settings = ReportSettings::new(Subject::Verdicts { has_pairs: true }, 1);
        let report = Report::new(&people, &groups, &systems, settings);
        let text = render_answer(&report, Terminal::colour(30));
        assert!(text.contains("\n\u{1b}[1m\u{1b}[32mBeats\u{1b}[0m b (0.0%) by 100.0 points\n(95% CI"), "{text:?}");
        assert_eq!(without_colours(&text), render_answer(&report, Terminal::plain(30)));
    }
}
