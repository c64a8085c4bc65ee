//! The answer that opens a report: its subject beside its rivals.

use anstyle::Style;
use serde::Serialize;

use super::systems::{Chosen, PairedComparison, Role, Row};
use super::terminal::{GREEN, RED, YELLOW};
use crate::evaluation::distributions::{Z, Z_OF_POWER};
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
    /// Whether it is significantly better than both: both intervals are above 0. As both must be, no correction is due.
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
    /// More accurate: the 95% interval of the difference is above 0, and p < 0.05.
    Better,
    /// Less accurate: the interval is below 0, and p < 0.05.
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
    /// How many more groups would show the gain that is asked for; 0 if these are enough. Absent where that cannot be
    /// told: from fewer than 30 groups, for more than four times as many, or for more than the pool has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_groups: Option<usize>,
    /// What the pairs without a label could give; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
}

/// The pairs that could still be labelled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Pool {
    /// Their number.
    pub pairs: usize,
    /// Half of the 95% interval of the difference if all of them were labelled.
    pub half_width: f64,
}

/// From fewer groups, it is not told how many more are needed.
pub(super) const MIN_GROUPS: usize = 30;

/// The largest growth in the number of groups that is told.
pub(super) const MAX_GROWTH: f64 = 4.0;

impl GainPower {
    /// The default of [`Self::gain`]: two points.
    pub const GAIN: f64 = 0.02;

    /// The power of so many groups; the standard error is that of the interval.
    pub(super) fn new(versus: &Versus, groups: usize, gain: f64) -> Self {
        let error = (versus.comparison.high - versus.comparison.low) / (2.0 * Z);
        let detectable = (Z + Z_OF_POWER) * error;
        let growth = (detectable / gain).powi(2).max(1.0);
        let is_told = growth == 1.0 || groups >= MIN_GROUPS && growth <= MAX_GROWTH;
        let more_groups = is_told.then(|| ((growth - 1.0) * groups as f64).ceil() as usize);
        let against = versus.chosen.as_ref().map_or(&versus.name, |chosen| &chosen.name).clone();
        Self { against, gain, detectable, more_groups, pool: None }
    }

    /// Adds what the pairs without a label could give besides these. As a variance falls with the number of pairs, the
    /// gain that they show falls with its root.
    pub(super) fn with_pool(self, unlabelled: usize, labelled: usize) -> Self {
        if unlabelled == 0 || labelled == 0 {
            return self;
        }
        let shrunk = self.detectable / (1.0 + unlabelled as f64 / labelled as f64).sqrt();
        let pool = Some(Pool { pairs: unlabelled, half_width: shrunk * Z / (Z + Z_OF_POWER) });
        Self { more_groups: self.more_groups.filter(|&more| more == 0 || shrunk <= self.gain), pool, ..self }
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
    /// The interval decides, and p is its: see [`Comparison::p_value`].
    pub fn new(comparison: &Comparison) -> Self {
        match comparison {
            Comparison { low, .. } if *low > 0.0 => Self::Better,
            Comparison { high, .. } if *high < 0.0 => Self::Worse,
            _ => Self::Similar,
        }
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
        Self::new(comparison).style_of_figure()
    }
}

impl Answer {
    /// The answer for the report's subject; `None` without systems.
    pub(super) fn new(paired: &PairedComparison<'_>, rows: &[Row]) -> Option<Self> {
        let metrics = metrics_by_accuracy(rows);
        let subject = rows.iter().position(|row| row.role == Role::Subject).or_else(|| metrics.first().copied())?;
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
                && rivals.all(|rival| Outcome::new(&rival.comparison) == Outcome::Better),
            rival,
            majority,
            agreement: None,
            decided_accuracy: row.classes.decided_accuracy,
            decided_without_ties: row.decided_without_ties,
            people_tie,
            system_ties,
        })
    }

    /// Whether the system is more accurate than always predicting the most frequent label.
    pub(super) fn is_useful(&self) -> bool {
        self.majority.as_ref().is_none_or(|majority| Outcome::new(&majority.comparison) == Outcome::Better)
    }

    /// What the report is about, in a sentence.
    pub(super) fn subject(&self) -> &str {
        if self.role == Role::Subject { "the model" } else { &self.system }
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
    first_of(Role::BestMetric).or_else(|| first_of(Role::Subject)).or_else(|| first_of(Role::Baseline))
}

/// The more accurate of the best metric and the majority.
pub(super) fn strongest(paired: &PairedComparison<'_>) -> Option<usize> {
    let is_rival = |at: &usize| [Role::BestMetric, Role::Majority].contains(&paired.systems[*at].role);
    let accuracy = |at: &usize| paired.systems[*at].accuracy(paired.labels);
    let rivals = (0..paired.systems.len()).filter(is_rival);
    rivals.max_by(|one, other| accuracy(one).total_cmp(&accuracy(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(half_width: f64, groups: usize) -> GainPower {
        let comparison = Comparison { difference: 0.0, low: -half_width, high: half_width, p_value: 1.0 };
        let versus = Versus { name: "b".to_owned(), role: Role::Subject, chosen: None, accuracy: 0.5, comparison };
        GainPower::new(&versus, groups, 0.02)
    }

    #[test]
    fn it_is_told_how_many_more_groups_are_needed_only_where_that_is_known() {
        // An interval of 1.4 points on either side shows a gain of 2.
        assert_eq!(power(0.0139, 10).more_groups, Some(0));
        assert_eq!(power(0.0198, 100).more_groups, Some(101));
        assert_eq!([power(0.0198, 29).more_groups, power(0.03, 100).more_groups], [None, None]);
    }

    #[test]
    fn advice_asks_for_no_more_than_the_pool_has() {
        let pool = |unlabelled| power(0.0198, 100).with_pool(unlabelled, 100);
        assert_eq!((pool(0).more_groups, pool(0).pool), (Some(101), None));
        assert_eq!((pool(90).more_groups, pool(110).more_groups), (None, Some(101)));
        assert!((pool(300).pool.unwrap().half_width - 0.0099).abs() < 1e-4);
    }
}
