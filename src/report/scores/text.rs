//! In: scores of systems. Out: a table for a terminal, aligned and rounded.

use std::fmt::Write;

use super::{Score, Scores};
use crate::evaluation::ranking::LEVEL;

impl Scores {
    /// For a terminal: with the best score of each metric marked, ranks and clusters where systems have them, and below
    /// what is what; with the signatures on request.
    pub fn to_text(&self, signatures: bool) -> String {
        let mut text = String::new();
        for line in aligned(&self.text_rows()) {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "{line}");
        }
        text.push('\n');
        text.extend(self.legend().into_iter().chain(self.identical()).map(|line| line + "\n"));
        let lines = self.signatures().take(if signatures { usize::MAX } else { self.test.iter().len() });
        text.extend(lines.map(|line| line + "\n"));
        text
    }

    /// The header and a row a system: its name, and for each metric the score and, where there are any, p and rank.
    fn text_rows(&self) -> Vec<Vec<String>> {
        let is_any = |of: fn(&Score) -> bool| self.systems.iter().flat_map(|system| &system.scores).any(of);
        let has_tests = is_any(|score| score.p_value.is_some());
        let has_ranks = is_any(|score| score.rank.is_some());
        let mut header = vec!["system".to_owned()];
        for column in &self.metrics {
            header.push(format!("{}{}", column.name, if self.systems.len() > 1 { " " } else { "" }));
            header.extend(has_tests.then(|| "p".to_owned()));
            header.extend(has_ranks.then(|| "rank".to_owned()));
        }
        let mut rows = vec![header];
        for system in &self.systems {
            let mut row = vec![system.name.clone()];
            for (at, score) in system.scores.iter().enumerate() {
                row.push(score.rounded(self.mark(at, score)));
                row.extend(has_tests.then(|| score.p_value.map(|p| format!("{p:.4}")).unwrap_or_default()));
                row.extend(has_ranks.then(|| score.place()));
            }
            rows.push(row);
        }
        rows
    }

    /// What stands behind a score: a mark for the best of several, a blank for the others.
    fn mark(&self, metric: usize, score: &Score) -> &'static str {
        let sign = self.metrics[metric].direction.sign();
        let is_beaten = |other: &Score| sign * other.score > sign * score.score;
        match self.systems.iter().any(|system| is_beaten(&system.scores[metric])) {
            _ if self.systems.len() < 2 => "",
            true => " ",
            false => "*",
        }
    }

    /// What marks and ranks mean.
    fn legend(&self) -> Vec<String> {
        let first = self.systems.first().and_then(|system| system.scores.first());
        let mut lines = Vec::new();
        if self.systems.len() > 1 {
            lines.push("*: the best score".to_owned());
        }
        if first.is_some_and(|score| score.cluster.is_some()) {
            lines.push(format!(
                "rank: 1 is the best; in brackets the cluster: a new one begins where a system is\n      \
                 significantly worse (p < {LEVEL}) than any system of the cluster so far"
            ));
        } else if first.is_some_and(|score| score.rank.is_some()) {
            lines.push("rank: 1 is the best".to_owned());
        }
        lines
    }
}

impl Score {
    fn rounded(&self, mark: &str) -> String {
        // Scores on a scale of 100 need fewer digits than those on a scale of 1.
        let digits = if self.score.abs() >= 1.5 { 2 } else { 4 };
        let mut text = format!("{:.digits$}{mark}", self.score);
        if let (Some(mean), Some(half_width)) = (self.mean, self.half_width) {
            let _ = write!(text, " ({mean:.digits$} ± {half_width:.digits$})");
        }
        text
    }

    /// `2 [1]`: the rank, and the cluster if there are any.
    fn place(&self) -> String {
        let rank = self.rank.map(|rank| rank.to_string()).unwrap_or_default();
        self.cluster.map_or(rank.clone(), |cluster| format!("{rank} [{cluster}]"))
    }
}

/// Lines in which columns stand below each other: names to the left, all else to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let mut line = format!("{:width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            let _ = write!(line, "  {cell:>width$}");
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Column, SystemScores, Test};
    use super::*;
    use crate::metrics::Direction;

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
        let text =
            scores(&[("a", [1.0 / 3.0, 50.0]), ("longer name", [2.0, 50.0]), ("c", [1.0, 60.0])], None).to_text(true);
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
        let text = scores.to_text(false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "system   bleu    rank    ter    rank");
        assert_eq!(lines[1], "a       30.00*  1 [1]  50.00   1 [1]");
        assert!(lines[5].starts_with("rank: 1 is the best; in brackets the cluster"), "{text}");
        assert!(lines[6].contains("(p < 0.05)"), "{text}");
        assert_eq!(lines.last(), Some(&"p: paired bootstrap against a"));
        assert!(lines.iter().all(|line| line.len() <= 82), "{text}");
    }

    #[test]
    fn one_system_is_not_compared() {
        let text = scores(&[("a", [30.0, 50.0])], None).to_text(true);
        assert_eq!(text, "system   bleu    ter\na       30.00  50.00\n\nbleu: s\nter: s\n");
    }
}
