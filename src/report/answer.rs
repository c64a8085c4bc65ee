//! In: systems on the same pairs. Out: what the first of them reaches beside its rivals: what a report begins with.

use anstyle::Style;
use serde::Serialize;

use super::contest::Contest;
use super::paint::{GREEN, RED, YELLOW};
use super::row::Row;
use super::systems::{Chosen, Role};
use crate::evaluation::ranking::LEVEL;
use crate::evaluation::{Agreement, Comparison, Confusion};

/// What the first system reaches, beside its rivals and people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The system's name.
    pub system: String,
    /// Its accuracy.
    pub accuracy: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How it compares with the best single metric; where verdicts in files are judged, with the second file, or else
    /// with the baseline.
    pub rival: Option<Versus>,
    /// How it compares with always giving the most frequent label.
    pub majority: Option<Versus>,
    /// Whether it is better than both beyond chance: p < 0.05 for each.
    pub beats_rivals: bool,
    /// How often two people agree, where pairs were judged more than once.
    pub agreement: Option<f64>,
    /// Its accuracy on the pairs of which people prefer one hypothesis.
    pub decided_accuracy: Option<f64>,
    /// The share of pairs in which people say tie.
    pub people_tie: f64,
    /// The share of pairs in which it says tie.
    pub system_ties: f64,
}

/// A system that the first one is compared with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// Its name.
    pub name: String,
    /// What it is in the report.
    pub role: Role,
    /// The metric that most folds chose; only of the best metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// Its accuracy.
    pub accuracy: f64,
    /// The first system less this one.
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// Where a system stands beside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// More accurate, p < 0.05.
    Better,
    /// Less accurate, p < 0.05.
    Worse,
    /// Anything else.
    NoBetter,
}

impl Finding {
    pub fn of(comparison: &Comparison) -> Self {
        match (comparison.p_value < LEVEL, comparison.difference > 0.0) {
            (true, true) => Self::Better,
            (true, false) => Self::Worse,
            (false, _) => Self::NoBetter,
        }
    }

    /// How a verdict is painted.
    pub fn style(self) -> Style {
        match self {
            Self::Better => GREEN,
            Self::Worse => RED,
            Self::NoBetter => YELLOW,
        }
    }

    /// How figures are painted: only those of a difference beyond chance.
    pub fn style_of_figures(comparison: &Comparison) -> Style {
        match Self::of(comparison) {
            Self::NoBetter => Style::new(),
            found => found.style(),
        }
    }
}

impl Answer {
    /// What the first system reaches; none where there is no system.
    pub(super) fn of(contest: &Contest<'_>, rows: &[Row]) -> Option<Self> {
        let row = rows.first()?;
        let versus = |other: usize| Versus::new(contest, rows, other);
        let rival = rival(rows).map(versus);
        let majority = rows.iter().position(|row| row.role == Role::Majority).map(versus);
        let mut rivals = rival.iter().chain(&majority).peekable();
        let [people_tie, system_ties] = row.confusion.tie_shares();
        Some(Self {
            system: row.name.clone(),
            accuracy: row.accuracy,
            low: row.low,
            high: row.high,
            beats_rivals: rivals.peek().is_some()
                && rivals.all(|rival| Finding::of(&rival.comparison) == Finding::Better),
            rival,
            majority,
            agreement: None,
            decided_accuracy: row.classes.decided_accuracy,
            people_tie,
            system_ties,
        })
    }

    /// The same with what is known of how people agree.
    pub(super) fn with_agreement(self, agreement: Option<Agreement>) -> Self {
        Self { agreement: agreement.map(|agreement| agreement.share), ..self }
    }
}

impl Versus {
    fn new(contest: &Contest<'_>, rows: &[Row], other: usize) -> Self {
        let Row { name, role, chosen, accuracy, .. } = rows[other].clone();
        Self { name, role, chosen, accuracy, comparison: contest.compare(0, other) }
    }
}

/// What the first system is set beside, besides the majority.
fn rival(rows: &[Row]) -> Option<usize> {
    let first_of = |role: Role| rows.iter().skip(1).position(|row| row.role == role).map(|at| at + 1);
    first_of(Role::BestMetric).or_else(|| first_of(Role::Judge)).or_else(|| first_of(Role::Baseline))
}

/// The more accurate of the best metric and the majority.
pub(super) fn strongest(contest: &Contest<'_>) -> Option<usize> {
    let is_rival = |at: &usize| [Role::BestMetric, Role::Majority].contains(&contest.systems[*at].role);
    let accuracy = |at: &usize| Confusion::of(contest.people, &contest.systems[*at].verdicts).accuracy();
    let rivals = (0..contest.systems.len()).filter(is_rival);
    rivals.max_by(|one, other| accuracy(one).total_cmp(&accuracy(other)))
}
