//! The sections of an accuracy report and of a ranking. To add one is to write a function that returns a [`Section`] and
//! to put it into the list; every renderer then shows it.

mod accuracy;
mod calibration;
mod closing;
mod comparisons;
mod outputs;
mod pairs;
mod people;
mod ranking;
mod studies;
mod verdicts;

use super::answer::{Answer, Outcome};
use super::chart::View;
use super::outputs::OutputReport;
use super::ranking::Ranking;
use super::section::Section;
use super::studies::CurveRow;
use super::systems::{Role, Row};
use super::table::{Cell, Column, Printed, Table, Value, percent, short_p_value};
use super::terminal::{GREEN, RED};
use super::{BASELINE, Report, Subject, chart};
use crate::error::pluralized;
use crate::evaluation::Estimate;
use crate::judgments::{LabelSource, Verdict};

pub(super) use accuracy::{accuracy, systems};
pub(super) use closing::NEXT_STEPS;
pub(super) use people::alternative_tests;

/// The sections of an accuracy report in order. One without data has no contents, but the same tables and charts: their
/// names are those of the files of a report.
const OF_REPORT: [for<'r> fn(&'r Report) -> Section<'r>; 15] = [
    accuracy,
    verdicts::verdicts,
    comparisons::matrix,
    comparisons::breakdowns,
    calibration::calibration,
    calibration::kinds_of_pairs,
    accuracy::power,
    people::people,
    studies::features,
    studies::learning_curve,
    pairs::conventions,
    pairs::examples,
    pairs::pairs,
    closing::next_steps,
    closing::provenance,
];

/// The number of sections at the end that say what to do next, and where the report comes from.
const CLOSING: usize = 2;

/// The sections of a ranking in order.
const OF_RANKING: [for<'r> fn(&'r Ranking) -> Section<'r>; 3] =
    [ranking::systems, ranking::two_systems, ranking::power];

/// The sections of an accuracy report; those of single outputs stand before what to do next.
pub fn of_report(report: &Report) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = OF_REPORT.map(|section| section(report)).into();
    let before = sections.len() - CLOSING;
    sections.splice(before..before, report.outputs.iter().flat_map(OutputReport::embedded_sections));
    sections
}

/// The sections of a ranking.
pub fn of_ranking(ranking: &Ranking) -> Vec<Section<'_>> {
    OF_RANKING.map(|section| section(ranking)).into()
}

/// A column of 95% intervals, with its rank on a narrow terminal.
pub(super) fn interval(rank: u8) -> Column {
    Column::interval().rank(rank)
}
