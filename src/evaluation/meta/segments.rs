//! Segment-level agreement. In: people's and a metric's scores of all cells. Out: every statistic over all cells, by
//! system and by segment. Next: report.

use super::correlation::{pearson, spearman};
use super::judged::{Averaging, HumanScores, ScoredRow, mean};
use super::kendall::{PairCounts, tau_c};
use super::kendall_like::kendall_like;
use super::tie_search::{OptimisedTies, optimise_ties};

/// A metric's segment-level agreement with people.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentAgreement {
    /// Over all cells at once.
    pub none: RowAgreement,
    /// Over the segments of each system, averaged.
    pub system: RowAgreement,
    /// Over the systems of each segment, averaged.
    pub item: RowAgreement,
    /// [`kendall_like`] by segment, for each requested threshold.
    pub kendall_like: Vec<Option<f64>>,
}

/// Statistics, each averaged over the rows for which it is defined; `None` where it is defined for none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowAgreement {
    /// See [`PairCounts::tau_b`].
    pub kendall_b: Option<f64>,
    /// See [`tau_c`].
    pub kendall_c: Option<f64>,
    /// See [`PairCounts::tau_10`].
    pub kendall_10: Option<f64>,
    /// See [`PairCounts::tau_13`].
    pub kendall_13: Option<f64>,
    /// See [`PairCounts::tau_14`].
    pub kendall_14: Option<f64>,
    /// See [`PairCounts::tau_23`].
    pub kendall_23: Option<f64>,
    /// See [`PairCounts::accuracy`].
    pub accuracy: Option<f64>,
    /// See [`pearson`].
    pub pearson: Option<f64>,
    /// See [`spearman`].
    pub spearman: Option<f64>,
    /// See [`optimise_ties`].
    pub optimised: Option<OptimisedTies>,
}

/// Compares a metric with people. `metric`: (systems, segments), system by system, higher is better; `thresholds`: for
/// [`kendall_like`].
pub fn segment_agreement(people: &HumanScores, metric: &[f64], thresholds: &[f64]) -> SegmentAgreement {
    let rows = |averaging| people.rows(averaging, metric);
    let by_item = rows(Averaging::Item);
    SegmentAgreement {
        none: row_agreement(&rows(Averaging::None)),
        system: row_agreement(&rows(Averaging::System)),
        item: row_agreement(&by_item),
        kendall_like: thresholds.iter().map(|&threshold| kendall_like(&by_item, threshold)).collect(),
    }
}

fn row_agreement(rows: &[ScoredRow]) -> RowAgreement {
    let counts: Vec<PairCounts> = rows.iter().map(PairCounts::of).collect();
    let of_counts = |statistic: fn(&PairCounts) -> Option<f64>| mean(counts.iter().filter_map(statistic));
    RowAgreement {
        kendall_b: of_counts(PairCounts::tau_b),
        kendall_c: mean(rows.iter().zip(&counts).filter_map(|(row, counts)| tau_c(row, counts))),
        kendall_10: of_counts(PairCounts::tau_10),
        kendall_13: of_counts(PairCounts::tau_13),
        kendall_14: of_counts(PairCounts::tau_14),
        kendall_23: of_counts(PairCounts::tau_23),
        accuracy: of_counts(PairCounts::accuracy),
        pearson: mean(rows.iter().filter_map(|row| pearson(&row.people, &row.metric))),
        spearman: mean(rows.iter().filter_map(|row| spearman(&row.people, &row.metric))),
        optimised: optimise_ties(rows),
    }
}
