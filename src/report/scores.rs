//! Corpus scores of systems: a rounded table for people, all digits for programs, or JSON.

use std::fmt::Write;

use anstyle::Style;
use serde::{Serialize, Serializer};

use super::Section;
use super::answer::Outcome;
use super::requirement::Decision;
use super::table::{Cell, Column as TableColumn, Table, Value};
use super::terminal::{GREEN, Terminal};
use crate::error::{escaped, pluralized};
use crate::evaluation::Estimate;
use crate::evaluation::ranking::LEVEL;
use crate::metrics::Direction;

/// The longest line below the table, in columns.
const MAX_LINE: usize = 80;

/// With fewer differing segments, hardly any p-value can be small: randomisation of 5 cannot give p < 0.05.
const FEW_SEGMENTS: usize = 10;

/// The corpus scores of systems, one column per metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The number of segments.
    pub segments: usize,
    /// The metrics of the columns.
    pub metrics: Vec<Column>,
    /// One row per system, in the order of the report.
    pub systems: Vec<SystemScores>,
    /// The test behind the p-values, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// The differences of every two systems by each metric, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<ScoreDifference>,
    /// What became of what was required of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Decision>,
}

/// The difference of two systems by a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreDifference {
    /// The metric.
    pub metric: String,
    /// The system whose score comes first.
    pub one: String,
    /// The system whose score is subtracted.
    pub other: String,
    /// The difference, with its 95% interval by paired bootstrap over segments.
    #[serde(flatten)]
    pub difference: Estimate,
    /// The p-value of the test.
    pub p_value: f64,
}

/// A significance test between systems.
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
    /// Which scores are better; `higher` or `lower` in JSON.
    #[serde(serialize_with = "word")]
    pub direction: Direction,
    /// All settings that its values depend on.
    pub signature: String,
    /// The signature in short form.
    pub short_signature: String,
}

/// One system's row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemScores {
    /// The system's name.
    pub name: String,
    /// The system that it is tested against, if both have identical text in every segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical_to: Option<String>,
    /// The number of segments whose text differs from that of the system it is tested against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing_segments: Option<usize>,
    /// One score per metric.
    pub scores: Vec<Score>,
}

/// A corpus score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// The score.
    pub score: f64,
    /// The mean over resampled corpora, if intervals were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Half the width of the 95% interval around the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
    /// The p-value against the first system, if a test was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// 1 + the number of systems with a better score, if systems are ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// The cluster, from 1; a new one begins where a system is significantly worse than any of the current one. See
    /// [`clusters`](crate::evaluation::ranking::clusters).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<usize>,
}

fn word<S: Serializer>(direction: &Direction, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(direction.word())
}

impl Scores {
    /// A sentence for each system whose output is identical, or nearly so, to that of the system it is tested against.
    pub fn identical(&self) -> impl Iterator<Item = String> + '_ {
        let sentence = |system: &SystemScores| {
            let (name, other) = (&system.name, &self.test.as_ref()?.against);
            match system.differing_segments? {
                0 => Some(format!("{name} and {other} are identical: every segment is the same text")),
                few @ 1..FEW_SEGMENTS if 2 * few <= self.segments => {
                    let segments = pluralized(self.segments, "segment");
                    Some(format!(
                        "{name} and {other} differ in only {few} of {segments}: too few for a reliable p-value"
                    ))
                }
                _ => None,
            }
        };
        self.systems.iter().filter_map(sentence)
    }

    /// The column names of a table for programs: `bleu`, and where they have values `bleu.mean`, `bleu.half_width` (of
    /// the 95% confidence interval), `bleu.p`, `bleu.rank` and `bleu.cluster`.
    pub fn columns(&self) -> Vec<String> {
        let names = self.metrics.iter().enumerate().flat_map(|(at, column)| {
            self.parts(at).into_iter().map(move |(suffix, _)| format!("{}{suffix}", column.name))
        });
        names.collect()
    }

    /// A system's cells in the order of [`Self::columns`], unrounded.
    pub fn cells<'s>(&'s self, system: &'s SystemScores) -> impl Iterator<Item = Option<f64>> + 's {
        let parts = move |(at, score): (usize, &'s Score)| self.parts(at).into_iter().map(|(_, value)| value(score));
        system.scores.iter().enumerate().flat_map(parts)
    }

    /// The parts of a metric's scores that at least one system has.
    fn parts(&self, metric: usize) -> Vec<Part> {
        let is_any = |(_, value): &Part| self.systems.iter().any(|system| value(&system.scores[metric]).is_some());
        PARTS.into_iter().filter(is_any).collect()
    }

    /// A table for a terminal: the best score of each metric is marked, ranks and clusters are shown if known, and a
    /// legend follows, with signatures on request. Metrics that do not fit side by side follow in further blocks.
    pub fn to_text(&self, signatures: bool, terminal: Terminal) -> String {
        let table = self.table().continued(1);
        let mut text = table.to_text(terminal) + "\n";
        let narrow = Terminal { width: Some(terminal.width.map_or(MAX_LINE, |width| width.min(MAX_LINE))), ..terminal };
        text.extend(self.legend().iter().map(|line| narrow.paragraph(line)));
        text.extend(self.identical().map(|line| terminal.paragraph(&line)));
        let lines = self.signatures().take(if signatures { usize::MAX } else { self.test.iter().len() });
        // Signatures are copied as a whole, but not where they would be cut within numbers.
        let is_narrow = terminal.width.is_some_and(|width| width < MAX_LINE);
        text.extend(
            lines.map(|line| if is_narrow { terminal.paragraph(&line) } else { format!("{}\n", escaped(&line)) }),
        );
        text
    }

    /// The scores of each system.
    fn table(&self) -> Table<'_> {
        // The mark of the best score stands after the digits.
        let space = if self.systems.len() > 1 { " " } else { "" };
        let mut table = Table::builder("", &self.systems).with(TableColumn::text("system"), |system| &system.name);
        for (at, metric) in self.metrics.iter().enumerate() {
            table = table
                .with(TableColumn::number(format!("{}{space}", metric.name)), |system| {
                    let mark = self.mark(at, &system.scores[at]);
                    Cell::from(system.scores[at].rounded(mark)).bold_if(mark == "*")
                })
                .with(TableColumn::number("p").rank(2), |system| self.p_value(at, &system.scores[at]))
                .with(TableColumn::number("rank").rank(1), |system| system.scores[at].place());
        }
        table.table
    }

    /// The scores with what is to be cited: the test, and the signature of each metric.
    pub fn section(&self) -> Section<'_> {
        Section {
            tables: vec![self.table().keyed("scores")],
            notes: self.legend().into_iter().chain(self.identical()).chain(self.signatures()).collect(),
            ..Section::new("scores", format!("Scores of {}", pluralized(self.segments, "segment")))
        }
    }

    /// The p-value against the tested system, if it is known; painted if it is significant.
    fn p_value(&self, metric: usize, score: &Score) -> Cell<'static> {
        let against = self.test.iter().find_map(|test| self.systems.iter().find(|system| system.name == test.against));
        let Some(p) = score.p_value else { return Value::Empty.into() };
        let sign = self.metrics[metric].direction.sign();
        let outcome =
            |other: &SystemScores| Outcome::of_difference(sign * (score.score - other.scores[metric].score), p);
        Cell::from(format!("{p:.4}")).styled(against.map(|other| outcome(other).style_of_figure()).unwrap_or_default())
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

    /// One line each for the test and for the signature of every metric.
    pub fn signatures(&self) -> impl Iterator<Item = String> + '_ {
        let test = self.test.iter().map(|Test { method, against }| format!("p: {method} against {against}"));
        test.chain(self.metrics.iter().map(|column| format!("{}: {}", column.name, column.signature)))
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

    /// `2 [1]`: the rank, and the cluster if there is one; painted in the first cluster.
    fn place(&self) -> Cell<'static> {
        let rank = self.rank.map(|rank| rank.to_string()).unwrap_or_default();
        let text = self.cluster.map_or(rank.clone(), |cluster| format!("{rank} [{cluster}]"));
        Cell::from(text).styled(if self.cluster == Some(1) { GREEN } else { Style::new() })
    }
}

/// A part of a score with its own column: the end of the column's name, and the value.
type Part = (&'static str, fn(&Score) -> Option<f64>);

const PARTS: [Part; 6] = [
    ("", |score| Some(score.score)),
    (".mean", |score| score.mean),
    (".half_width", |score| score.half_width),
    (".p", |score| score.p_value),
    (".rank", |score| score.rank.map(|rank| rank as f64)),
    (".cluster", |score| score.cluster.map(|cluster| cluster as f64)),
];

#[cfg(test)]
mod tests {
    use super::super::terminal::without_colours;
    use super::*;

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
            differing_segments: None,
            scores: of.map(score).into(),
        };
        Scores {
            segments: 2,
            metrics: vec![column("bleu", Direction::HigherIsBetter), column("ter", Direction::LowerIsBetter)],
            systems: systems.iter().map(system).collect(),
            test: cluster.map(|_| Test { method: "paired bootstrap", against: "a".into() }),
            differences: Vec::new(),
            requirements: Vec::new(),
        }
    }

    #[test]
    fn every_row_has_every_column() {
        let mut scores = scores(&[("b", [2.0, 0.5]), ("a", [1.0, 50.0])], Some(1));
        for score in scores.systems.iter_mut().flat_map(|system| &mut system.scores) {
            score.cluster = None;
        }
        scores.systems[0].scores[0].p_value = Some(0.25);
        scores.systems[0].scores[1].p_value = Some(1.0);
        assert_eq!(scores.columns(), ["bleu", "bleu.p", "bleu.rank", "ter", "ter.p", "ter.rank"]);
        let cells = |at: usize| scores.cells(&scores.systems[at]).collect::<Vec<_>>();
        assert_eq!(cells(0), [Some(2.0), Some(0.25), Some(1.0), Some(0.5), Some(1.0), Some(1.0)]);
        assert_eq!(cells(1), [Some(1.0), None, Some(1.0), Some(50.0), None, Some(1.0)]);
        let lines: Vec<String> = scores.signatures().collect();
        assert_eq!(lines, ["p: paired bootstrap against a", "bleu: s", "ter: s"]);
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
