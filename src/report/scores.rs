//! In: metric scores of systems. Out: a table for people or for programs, or JSON.

mod text;

use serde::{Serialize, Serializer};

use crate::metrics::Direction;

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
    /// A sentence for each system whose output is identical to that of the system it is tested against.
    pub fn identical(&self) -> impl Iterator<Item = String> + '_ {
        let same = self.systems.iter().filter_map(|system| Some((&system.name, system.identical_to.as_ref()?)));
        same.map(|(name, other)| format!("{name} and {other} are identical: every segment is the same text"))
    }

    /// The column names of a table for programs: `bleu`, and where they have values `bleu.mean`, `bleu.interval`,
    /// `bleu.p`, `bleu.rank` and `bleu.cluster`.
    pub fn columns(&self) -> Vec<String> {
        let names = self.metrics.iter().enumerate().flat_map(|(at, column)| {
            self.parts(at).into_iter().map(move |part| format!("{}{}", column.name, part.suffix))
        });
        names.collect()
    }

    /// A system's cells in the order of [`Self::columns`], unrounded.
    pub fn cells<'s>(&'s self, system: &'s SystemScores) -> impl Iterator<Item = Option<f64>> + 's {
        let parts = move |(at, score): (usize, &'s Score)| self.parts(at).into_iter().map(|part| (part.value)(score));
        system.scores.iter().enumerate().flat_map(parts)
    }

    /// The parts of a metric's scores that at least one system has.
    fn parts(&self, metric: usize) -> Vec<&'static Part> {
        let is_any = |part: &&Part| self.systems.iter().any(|system| (part.value)(&system.scores[metric]).is_some());
        PARTS.iter().filter(is_any).collect()
    }

    /// One line each for the test and for the signature of every metric.
    pub fn signatures(&self) -> impl Iterator<Item = String> + '_ {
        let test = self.test.iter().map(|Test { method, against }| format!("p: {method} against {against}"));
        test.chain(self.metrics.iter().map(|column| format!("{}: {}", column.name, column.signature)))
    }
}

/// A part of a score with its own column.
struct Part {
    suffix: &'static str,
    value: fn(&Score) -> Option<f64>,
}

const PARTS: [Part; 6] = [
    Part { suffix: "", value: |score| Some(score.score) },
    Part { suffix: ".mean", value: |score| score.mean },
    Part { suffix: ".interval", value: |score| score.half_width },
    Part { suffix: ".p", value: |score| score.p_value },
    Part { suffix: ".rank", value: |score| score.rank.map(|rank| rank as f64) },
    Part { suffix: ".cluster", value: |score| score.cluster.map(|cluster| cluster as f64) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_every_column() {
        let score =
            |score, p_value| Score { score, mean: None, half_width: None, p_value, rank: Some(1), cluster: None };
        let column = |name: &str| Column {
            name: name.into(),
            direction: Direction::HigherIsBetter,
            signature: "s".into(),
            short_signature: "s".into(),
        };
        let system = |name: &str, scores: [Score; 2]| SystemScores {
            name: name.into(),
            identical_to: None,
            scores: scores.into(),
        };
        let scores = Scores {
            segments: 2,
            metrics: vec![column("bleu"), column("chrf")],
            systems: vec![
                system("b", [score(2.0, Some(0.25)), score(0.5, Some(1.0))]),
                system("a", [score(1.0, None), score(50.0, None)]),
            ],
            test: Some(Test { method: "paired bootstrap", against: "a".into() }),
        };
        assert_eq!(scores.columns(), ["bleu", "bleu.p", "bleu.rank", "chrf", "chrf.p", "chrf.rank"]);
        let cells = |at: usize| scores.cells(&scores.systems[at]).collect::<Vec<_>>();
        assert_eq!(cells(0), [Some(2.0), Some(0.25), Some(1.0), Some(0.5), Some(1.0), Some(1.0)]);
        assert_eq!(cells(1), [Some(1.0), None, Some(1.0), Some(50.0), None, Some(1.0)]);
        let lines: Vec<String> = scores.signatures().collect();
        assert_eq!(lines, ["p: paired bootstrap against a", "bleu: s", "chrf: s"]);
    }
}
