//! Stage 7b. In: metric scores of systems. Out: a table for people, for programs, or JSON.

use std::fmt::Write;

use serde::Serialize;

/// The scores of systems, one metric a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The number of segments.
    pub segments: usize,
    /// What the columns are.
    pub metrics: Vec<Column>,
    /// One row a system.
    pub systems: Vec<SystemScores>,
    /// What the p-values are of, where a test was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
}

/// A test between systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// Its name.
    pub method: &'static str,
    /// The system that every other is tested against.
    pub against: String,
}

/// A metric with its settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// The metric's name.
    pub name: String,
    /// Everything its numbers depend on.
    pub signature: String,
    /// The same in short.
    pub short_signature: String,
}

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemScores {
    /// The system's name.
    pub name: String,
    /// The system that it is tested against, where every segment of both is the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_to: Option<String>,
    /// One score a metric.
    pub scores: Vec<Score>,
}

/// A corpus score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// The score.
    pub score: f64,
    /// The mean over resampled corpora, where intervals were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Half the width of the 95% interval around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
    /// Against the first system, where a test was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
}

impl Scores {
    /// A sentence for each system whose output is that of the system that it is tested against.
    pub fn identical(&self) -> impl Iterator<Item = String> + '_ {
        let same = self.systems.iter().filter_map(|system| Some((&system.name, system.identical_to.as_ref()?)));
        same.map(|(name, other)| format!("{name} and {other} are identical: every segment is the same text"))
    }

    /// Tab-separated: a header, then a row a system, all digits. Intervals and p-values have columns of their own.
    pub fn to_tsv(&self) -> String {
        let mut text = "system".to_owned();
        for (at, column) in self.metrics.iter().enumerate() {
            let parts = self.systems.iter().map(|system| system.scores[at].parts()).max_by_key(Vec::len);
            for (suffix, _) in parts.unwrap_or_default() {
                // Writing to a String cannot fail, here and below.
                let _ = write!(text, "\t{}{suffix}", column.name);
            }
        }
        text.push('\n');
        for (row, system) in self.systems.iter().enumerate() {
            text.push_str(&system.name);
            for (at, score) in system.scores.iter().enumerate() {
                for (_, value) in score.parts() {
                    let _ = write!(text, "\t{value}");
                }
                // The first system is what the others are tested against, and has no p-value.
                if row == 0 && self.systems.iter().any(|other| other.scores[at].p_value.is_some()) {
                    text.push('\t');
                }
            }
            text.push('\n');
        }
        text
    }

    /// For a terminal: aligned and rounded, with the signatures below.
    pub fn to_text(&self) -> String {
        let name_width = self.systems.iter().map(|system| system.name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!("{:name_width$}", "system");
        let cells: Vec<Vec<String>> =
            self.systems.iter().map(|system| system.scores.iter().map(|score| score.rounded()).collect()).collect();
        let width = |at: usize| {
            cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).max(self.metrics[at].name.len())
        };
        for (at, column) in self.metrics.iter().enumerate() {
            let _ = write!(text, "  {:>width$}", column.name, width = width(at));
        }
        for (system, row) in self.systems.iter().zip(&cells) {
            let _ = write!(text, "\n{:name_width$}", system.name);
            for (at, cell) in row.iter().enumerate() {
                let _ = write!(text, "  {cell:>width$}", width = width(at));
            }
        }
        text.push_str("\n\n");
        if let Some(Test { method, against }) = &self.test {
            let _ = writeln!(text, "p: {method} against {against}");
        }
        text.extend(self.identical().map(|line| line + "\n"));
        for column in &self.metrics {
            let _ = writeln!(text, "{}: {}", column.name, column.signature);
        }
        text
    }
}

impl Score {
    fn parts(&self) -> Vec<(&'static str, f64)> {
        let optional = [(".mean", self.mean), (".interval", self.half_width), (".p", self.p_value)];
        let given = optional.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        std::iter::once(("", self.score)).chain(given).collect()
    }

    fn rounded(&self) -> String {
        // Scores on a scale of 100 need fewer digits than those on a scale of 1.
        let digits = if self.score.abs() >= 1.5 { 2 } else { 4 };
        let mut text = format!("{:.digits$}", self.score);
        if let (Some(mean), Some(half_width)) = (self.mean, self.half_width) {
            let _ = write!(text, " ({mean:.digits$} ± {half_width:.digits$})");
        }
        if let Some(p_value) = self.p_value {
            let _ = write!(text, " p = {p_value:.4}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores() -> Scores {
        let score = |score, p_value| Score { score, mean: None, half_width: None, p_value };
        let column = |name: &str| Column { name: name.into(), signature: "s".into(), short_signature: "s".into() };
        let system = |name: &str, scores: [Score; 2]| SystemScores {
            name: name.into(),
            identical_to: None,
            scores: scores.into(),
        };
        Scores {
            segments: 2,
            metrics: vec![column("bleu"), column("chrf")],
            systems: vec![
                system("a", [score(1.0 / 3.0, None), score(50.0, None)]),
                system("b", [score(2.0, Some(0.25)), score(0.5, Some(1.0))]),
            ],
            test: Some(Test { method: "paired bootstrap", against: "a".into() }),
        }
    }

    #[test]
    fn every_row_has_every_column() {
        let text = scores().to_tsv();
        assert_eq!(text, "system\tbleu\tbleu.p\tchrf\tchrf.p\na\t0.3333333333333333\t\t50\t\nb\t2\t0.25\t0.5\t1\n");
    }

    #[test]
    fn a_terminal_gets_columns_that_stand_below_each_other() {
        let text = scores().to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].len(), lines[1].len());
        assert_eq!(lines[1].len(), lines[2].len());
        assert_eq!(lines[4..6], ["p: paired bootstrap against a", "bleu: s"]);
    }
}
