//! The answer that opens a report: its subject beside its rivals.

use anstyle::Style;
use serde::Serialize;

use super::systems::{Chosen, PairedComparison, Role, Row};
use super::terminal::{GREEN, RED, YELLOW};
use crate::evaluation::prediction_powered::{Z, Z_OF_POWER};
use crate::evaluation::ranking::LEVEL;
use crate::evaluation::{Agreement, Comparison};

/// The accuracy of the report's subject, beside its rivals and people. The subject is the first model or file of verdicts;
/// without either, the most accurate metric or judge. Shares are in [0, 1].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The system's name.
    pub system: String,
    /// Its role in the report.
    pub role: Role,
    /// Its accuracy.
    pub accuracy: f64,
    /// The lower end of the 95% interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The accuracy of chance, see
    /// [`Confusion::chance`](crate::evaluation::Confusion::chance).
    pub chance: f64,
    /// The comparison with the best single metric; without one, with the second model or file of verdicts, or else with
    /// the baseline. That of a metric is the second most accurate one.
    pub rival: Option<Versus>,
    /// The comparison with always giving the most frequent label.
    pub majority: Option<Versus>,
    /// Whether it is significantly better than both: p < 0.05 for each.
    pub beats_rivals: bool,
    /// How often two people agree, where that is known, see [`Report::agreement`](super::Report::agreement).
    pub agreement: Option<f64>,
    /// Its accuracy on decided pairs, those where people prefer one hypothesis.
    pub decided_accuracy: Option<f64>,
    /// Its accuracy on decided pairs where it may not say tie.
    pub decided_without_ties: Option<f64>,
    /// The share of pairs that people call ties.
    pub people_tie: f64,
    /// The share of pairs that the system calls ties.
    pub system_ties: f64,
}

/// A system that the first one is compared with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// Its name.
    pub name: String,
    /// Its role in the report.
    pub role: Role,
    /// The metric chosen for most folds; only for the best metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
    /// Its accuracy.
    pub accuracy: f64,
    /// The subject compared with this one: differences are the subject's accuracy minus this one's.
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// The outcome of comparing a system with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// More accurate, p < 0.05.
    Better,
    /// Less accurate, p < 0.05.
    Worse,
    /// No significant difference.
    Similar,
}

/// What the pairs can show of the subject against its rival.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GainPower {
    /// The other system.
    pub against: String,
    /// The gain in accuracy that is asked for, in [0, 1].
    pub gain: f64,
    /// The smallest gain that these pairs show with a power of 80% at a level of 5%: (z_0.975 + z_0.8) standard errors.
    pub detectable: f64,
    /// How many more groups would show the gain that is asked for; 0 if these are enough.
    pub more_groups: usize,
}

impl GainPower {
    /// The default of [`Self::gain`]: two points.
    pub const GAIN: f64 = 0.02;

    /// The power of so many groups; the standard error is that of the interval.
    pub(super) fn of(versus: &Versus, groups: usize, gain: f64) -> Self {
        let error = (versus.comparison.high - versus.comparison.low) / (2.0 * Z);
        let detectable = (Z + Z_OF_POWER) * error;
        let more = ((detectable / gain).powi(2) - 1.0).max(0.0) * groups as f64;
        let against = versus.chosen.as_ref().map_or(&versus.name, |chosen| &chosen.name).clone();
        Self { against, gain, detectable, more_groups: more.ceil() as usize }
    }
}

/// A gain in accuracy that is worth having: one point.
const WORTHWHILE: f64 = 0.01;

impl Versus {
    /// Whether the interval excludes a gain that is worth having.
    pub(super) fn excludes_gain(&self) -> bool {
        self.comparison.high < WORTHWHILE
    }
}

impl Outcome {
    pub fn of(comparison: &Comparison) -> Self {
        Self::of_difference(comparison.difference, comparison.p_value)
    }

    pub fn of_difference(difference: f64, p_value: f64) -> Self {
        match (p_value < LEVEL, difference > 0.0) {
            (true, true) => Self::Better,
            (true, false) => Self::Worse,
            (false, _) => Self::Similar,
        }
    }

    /// The style of the outcome in words.
    pub fn style(self) -> Style {
        match self {
            Self::Better => GREEN,
            Self::Worse => RED,
            Self::Similar => YELLOW,
        }
    }

    /// The style of the outcome's figures; plain unless the difference is significant.
    pub fn style_of_figure(self) -> Style {
        if self == Self::Similar { Style::new() } else { self.style() }
    }

    /// The style of a comparison's figures.
    pub fn style_of_figures(comparison: &Comparison) -> Style {
        Self::of(comparison).style_of_figure()
    }
}

impl Answer {
    /// The answer for the report's subject; `None` without systems.
    pub(super) fn of(paired: &PairedComparison<'_>, rows: &[Row]) -> Option<Self> {
        let metrics = metrics_by_accuracy(rows);
        let subject = rows.iter().position(|row| row.role == Role::Judge).or_else(|| metrics.first().copied())?;
        let row = &rows[subject];
        let versus = |other: usize| Versus::new(paired, rows, subject, other);
        let rival = if row.role == Role::Metric { metrics.get(1).copied() } else { rival(rows) }.map(versus);
        let majority = rows.iter().position(|row| row.role == Role::Majority).map(versus);
        let mut rivals = rival.iter().chain(&majority).peekable();
        let [people_tie, system_ties] = row.confusion.tie_shares();
        Some(Self {
            system: row.name.clone(),
            role: row.role,
            accuracy: row.accuracy,
            low: row.low,
            high: row.high,
            chance: row.chance,
            beats_rivals: rivals.peek().is_some()
                && rivals.all(|rival| Outcome::of(&rival.comparison) == Outcome::Better),
            rival,
            majority,
            agreement: None,
            decided_accuracy: row.classes.decided_accuracy,
            decided_without_ties: row.decided_without_ties,
            people_tie,
            system_ties,
        })
    }

    /// Sets the agreement between people.
    pub(super) fn with_agreement(self, agreement: Option<Agreement>) -> Self {
        Self { agreement: agreement.map(|agreement| agreement.share), ..self }
    }
}

impl Versus {
    fn new(paired: &PairedComparison<'_>, rows: &[Row], subject: usize, other: usize) -> Self {
        let Row { name, role, chosen, accuracy, .. } = rows[other].clone();
        Self { name, role, chosen, accuracy, comparison: paired.tests.compare(subject, other) }
    }
}

/// The metrics and judges among the rows, the most accurate first.
fn metrics_by_accuracy(rows: &[Row]) -> Vec<usize> {
    let mut metrics: Vec<usize> = (0..rows.len()).filter(|&at| rows[at].role == Role::Metric).collect();
    metrics.sort_by(|&one, &other| rows[other].accuracy.total_cmp(&rows[one].accuracy));
    metrics
}

/// The rival of the first model, or file of verdicts, besides the majority.
fn rival(rows: &[Row]) -> Option<usize> {
    let first_of = |role: Role| rows.iter().skip(1).position(|row| row.role == role).map(|at| at + 1);
    first_of(Role::BestMetric).or_else(|| first_of(Role::Judge)).or_else(|| first_of(Role::Baseline))
}

/// The more accurate of the best metric and the majority.
pub(super) fn strongest(paired: &PairedComparison<'_>) -> Option<usize> {
    let is_rival = |at: &usize| [Role::BestMetric, Role::Majority].contains(&paired.systems[*at].role);
    let accuracy = |at: &usize| paired.systems[*at].accuracy(paired.people);
    let rivals = (0..paired.systems.len()).filter(is_rival);
    rivals.max_by(|one, other| accuracy(one).total_cmp(&accuracy(other)))
}
