//! In: scores of systems. Out: a table for a terminal, aligned and rounded.

use std::fmt::Write;

use anstyle::Style;

use super::super::columns::{Column as Cells, render, total_width};
use super::super::paint::{BOLD, GREEN, RED};
use super::super::terminal::Terminal;
use super::super::text::wrapped;
use super::{Score, Scores};
use crate::evaluation::ranking::LEVEL;

/// The longest line below the table, in characters.
const LINE: usize = 80;

impl Scores {
    /// A table for a terminal: the best score of each metric is marked, ranks and clusters are shown if known, and a
    /// legend follows, with signatures on request. Metrics that do not fit side by side follow in further blocks.
    pub fn to_text(&self, signatures: bool, terminal: Terminal) -> String {
        let tables: Vec<String> = self.blocks(terminal).into_iter().map(|block| render(block, terminal)).collect();
        let mut text = tables.join("\n") + "\n";
        let width = terminal.width.map_or(LINE, |width| width.min(LINE));
        text.extend(self.legend().iter().map(|line| wrapped(line, Some(width))));
        text.extend(self.identical().map(|line| wrapped(&line, terminal.width)));
        let lines = self.signatures().take(if signatures { usize::MAX } else { self.test.iter().len() });
        text.extend(lines.map(|line| line + "\n"));
        text
    }

    /// Splits the metrics into tables that fit the terminal, with at least one metric each. Every table repeats the
    /// names of the systems.
    fn blocks(&self, terminal: Terminal) -> Vec<Vec<Cells>> {
        let names = Cells::left("system", 0, self.systems.iter().map(|system| system.name.clone()));
        let mut blocks = vec![vec![names.clone()]];
        for metric in 0..self.metrics.len() {
            let columns = self.metric_columns(metric);
            let with = |block: &[Cells]| [block, columns.as_slice()].concat();
            let fits = |block: &[Cells]| terminal.width.is_none_or(|width| total_width(&with(block)) <= width);
            match blocks.last_mut() {
                Some(block) if block.len() == 1 || fits(block) => *block = with(block),
                _ => blocks.push(with(std::slice::from_ref(&names))),
            }
        }
        blocks
    }

    /// The columns of a metric: scores, and p and rank if there are any.
    fn metric_columns(&self, metric: usize) -> Vec<Cells> {
        let is_any = |of: fn(&Score) -> bool| self.systems.iter().flat_map(|system| &system.scores).any(of);
        let scores = || self.systems.iter().map(move |system| &system.scores[metric]);
        let name = format!("{}{}", self.metrics[metric].name, if self.systems.len() > 1 { " " } else { "" });
        let best = |score: &Score| if self.mark(metric, score) == "*" { BOLD } else { Style::new() };
        let cells = scores().map(|score| score.rounded(self.mark(metric, score)));
        let mut columns = vec![Cells::right(name, 0, cells).painted(scores().map(best))];
        if is_any(|score| score.p_value.is_some()) {
            let p = |score: &Score| score.p_value.map(|p| format!("{p:.4}")).unwrap_or_default();
            let found = |score: &Score| self.style_of_test(metric, score);
            columns.push(Cells::right("p", 2, scores().map(p)).painted(scores().map(found)));
        }
        if is_any(|score| score.rank.is_some()) {
            let first = |score: &Score| if score.cluster == Some(1) { GREEN } else { Style::new() };
            columns.push(Cells::right("rank", 1, scores().map(Score::place)).painted(scores().map(first)));
        }
        columns
    }

    /// The style of a p-value against the tested system; plain if it is not significant.
    fn style_of_test(&self, metric: usize, score: &Score) -> Style {
        let against = self.test.iter().find_map(|test| self.systems.iter().find(|system| system.name == test.against));
        let sign = self.metrics[metric].direction.sign();
        match (score.p_value, against) {
            (Some(p), Some(other)) if p < LEVEL => {
                if sign * score.score > sign * other.scores[metric].score {
                    GREEN
                } else {
                    RED
                }
            }
            _ => Style::new(),
        }
    }

    /// The character after a score: a mark for the best of several, a blank for the others.
    fn mark(&self, metric: usize, score: &Score) -> &'static str {
        let sign = self.metrics[metric].direction.sign();
        let is_beaten = |other: &Score| sign * other.score > sign * score.score;
        match self.systems.iter().any(|system| is_beaten(&system.scores[metric])) {
            _ if self.systems.len() < 2 => "",
            true => " ",
            false => "*",
        }
    }

    /// The meaning of marks and ranks.
    fn legend(&self) -> Vec<String> {
        let first = self.systems.first().and_then(|system| system.scores.first());
        let mut lines = Vec::new();
        if self.systems.len() > 1 {
            lines.push("*: the best score".to_owned());
        }
        if first.is_some_and(|score| score.cluster.is_some()) {
            lines.push(format!(
                "rank: 1 is the best; in brackets the cluster: a new one begins where a system is significantly worse \
                 (p < {LEVEL}) than at least one system of the current cluster"
            ));
        } else if first.is_some_and(|score| score.rank.is_some()) {
            lines.push("rank: 1 is the best".to_owned());
        }
        lines
    }
}

impl Score {
    fn rounded(&self, mark: &str) -> String {
        // Scores on a scale to 100 need fewer decimals than those on a scale to 1.
        let digits = if self.score.abs() >= 1.5 { 2 } else { 4 };
        let mut text = format!("{:.digits$}{mark}", self.score);
        if let (Some(mean), Some(half_width)) = (self.mean, self.half_width) {
            // Writing to a String cannot fail.
            let _ = write!(text, " ({mean:.digits$} ± {half_width:.digits$})");
        }
        text
    }

    /// `2 [1]`: the rank, and the cluster if there is one.
    fn place(&self) -> String {
        let rank = self.rank.map(|rank| rank.to_string()).unwrap_or_default();
        self.cluster.map_or(rank.clone(), |cluster| format!("{rank} [{cluster}]"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, SystemScores, Test};
    use super::*;
    use crate::metrics::Direction;
    use crate::report::paint::without_colours;

    fn scores(systems: &[(&str, [f64; 2])], cluster: Option<usize>) -> Scores {
        let score = |score| Score { score, mean: None, half_width: None, p_value: None, rank: cluster, cluster };
        let column = |name: &str, direction| Column {
            name: name.into(),
            direction,
            signature: "s".into(),
            short_signature: "s".into(),
        };
        let system = |&(name, of): &(&str, [f64; 2])| SystemScores {
            name: name.into(),
            identical_to: None,
            scores: of.map(score).into(),
        };
        Scores {
            segments: 2,
            metrics: vec![column("bleu", Direction::HigherIsBetter), column("ter", Direction::LowerIsBetter)],
            systems: systems.iter().map(system).collect(),
            test: cluster.map(|_| Test { method: "paired bootstrap", against: "a".into() }),
        }
    }

    #[test]
    fn the_best_score_of_each_metric_is_marked() {
        let text = scores(&[("a", [1.0 / 3.0, 50.0]), ("longer name", [2.0, 50.0]), ("c", [1.0, 60.0])], None)
            .to_text(true, Terminal::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "system         bleu     ter",
                "a            0.3333   50.00*",
                "longer name    2.00*  50.00*",
                "c            1.0000   60.00",
                "",
                "*: the best score",
                "bleu: s",
                "ter: s"
            ]
        );
    }

    #[test]
    fn ranks_and_clusters_stand_beside_scores_and_are_explained() {
        let scores = scores(&[("a", [30.0, 50.0]), ("b", [20.0, 40.0])], Some(1));
        let text = scores.to_text(false, Terminal::default());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "system   bleu    rank    ter    rank");
        assert_eq!(lines[1], "a       30.00*  1 [1]  50.00   1 [1]");
        assert!(lines[5].starts_with("rank: 1 is the best; in brackets the cluster"), "{text}");
        assert!(lines[6].contains("(p < 0.05)"), "{text}");
        assert_eq!(lines.last(), Some(&"p: paired bootstrap against a"));
        assert!(lines.iter().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn metrics_that_do_not_fit_follow_below() {
        let scores = scores(&[("a", [30.0, 50.0]), ("b", [20.0, 40.0])], Some(1));
        let text = scores.to_text(false, Terminal::plain(24));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..4], ["system   bleu    rank", "a       30.00*  1 [1]", "b       20.00   1 [1]", ""]);
        assert_eq!(lines[4..7], ["system    ter    rank", "a       50.00   1 [1]", "b       40.00*  1 [1]"]);
        assert!(lines[..lines.len() - 1].iter().all(|line| line.chars().count() <= 24), "{text}");
    }

    #[test]
    fn colours_say_what_the_marks_say() {
        let mut scores = scores(&[("a", [30.0, 50.0]), ("b", [20.0, 40.0])], Some(1));
        scores.systems[1].scores.iter_mut().for_each(|score| score.p_value = Some(0.01));
        let text = scores.to_text(true, Terminal::colour(None));
        assert_eq!(without_colours(&text), scores.to_text(true, Terminal::default()));
        for part in ["\u{1b}[1m30.00*\u{1b}[0m", "\u{1b}[31m0.0100", "\u{1b}[32m0.0100", "\u{1b}[32m1 [1]"] {
            assert!(text.contains(part), "{part:?}: {text:?}");
        }
    }

    #[test]
    fn one_system_is_not_compared() {
        let text = scores(&[("a", [30.0, 50.0])], None).to_text(true, Terminal::default());
        assert_eq!(text, "system   bleu    ter\na       30.00  50.00\n\nbleu: s\nter: s\n");
    }
}
