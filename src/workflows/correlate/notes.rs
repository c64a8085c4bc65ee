//! Notes for the reader of the report. In: scores and agreement. Out: one line per note. Next: [`super::correlate`].

use super::metrics::Scored;
use super::{Agreement, CorrelateSettings};
use crate::evaluation::meta::HumanScores;

/// Notes on what is undefined, left out or sampled, and why.
pub(super) fn notes(
    people: &HumanScores,
    metrics: &[Scored],
    agreements: &[Agreement],
    settings: &CorrelateSettings,
) -> Vec<String> {
    let mut notes = Vec::new();
    let missing = people.missing();
    if missing > 0 {
        notes.push(format!(
            "people's scores are missing for {missing} of {} cells, which are left out",
            people.scores().len()
        ));
    }
    if people.systems() == 1 {
        notes.push("there is only one system: statistics over systems and by segment are undefined".to_owned());
    } else if missing > 0 {
        notes.push(
            "statistics over systems need people's scores for every cell; --complete leaves incomplete segments out"
                .to_owned(),
        );
    }
    let mut judged = people.scores().iter().flatten();
    let first = judged.next();
    if judged.all(|score| Some(score) == first) {
        notes.push("all of people's scores are equal: correlations are undefined".to_owned());
    }
    for (metric, agreement) in metrics.iter().zip(agreements) {
        if agreement.is_constant {
            notes.push(format!("{} is constant: its correlations are undefined, and it is not tested", metric.name));
        }
    }
    let is_undefined = |at: usize| agreements.iter().all(|agreement| agreement.segments.kendall_like[at].is_none());
    if people.systems() > 1 && (0..settings.thresholds.len()).all(is_undefined) {
        notes.push(
            "kendall_like is undefined: no two systems are as far apart on a segment as --kendall-like asks".into(),
        );
    }
    let is_sampled = |agreement: &Agreement| {
        let segments = &agreement.segments;
        [segments.none, segments.system].iter().any(|row| row.optimised.is_some_and(|found| found.is_sampled))
    };
    if agreements.iter().any(is_sampled) {
        notes.push(
            "acc23_threshold of none or sys is the best one for a sample of their millions of pairs; acc23_optimised \
             is over all of them"
                .to_owned(),
        );
    }
    notes
}
