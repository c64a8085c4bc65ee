//! The metrics to correlate: columns of the table, and metrics computed from its texts.

use super::CorrelateSettings;
use crate::error::{Error, Result, joined, quoted};
use crate::formats::score_table::{ScoreTable, ScoredCell};
use crate::metrics::{Direction, REGISTRY};
use crate::report::ENSEMBLE;
use crate::workflows::context::Context;
use crate::workflows::score::{MetricChoice, ParallelTexts, SystemOutput, score_segments_of, sources_of};
use crate::workflows::systems::suits;

/// A metric with its scores, oriented so that higher is better.
pub(super) struct Scored {
    pub(super) name: String,
    pub(super) scores: Vec<f64>,
    pub(super) lower_is_better: bool,
}

/// Whether the program can compute the built-in models' features.
const HAS_ENSEMBLE: bool = cfg!(feature = "meteor-data");

/// The requested metrics in their order, or all metrics, columns first.
pub(super) fn metrics(context: Context<'_>, settings: &CorrelateSettings, table: ScoreTable) -> Result<Vec<Scored>> {
    let (columns, models) = (&table.metrics, context.engine().models());
    let is_column = |name: &&String| columns.contains(name);
    if let Some(name) = settings.lower_is_better.iter().find(|name| !is_column(name)) {
        let known = if columns.is_empty() { "no metrics".to_owned() } else { joined(columns) };
        let found = format!("{}; the table has {known}", quoted(name));
        let advice = "the direction of Tribunal's own metrics is known";
        return Err(Error::invalid("`metrics`", "the name of a metric column before '-'", found, advice));
    }
    let own: Vec<String> = match &settings.columns.metrics {
        Some(asked) => asked.iter().filter(|name| !is_column(name)).cloned().collect(),
        None if table.has_texts => {
            let reported = REGISTRY
                .iter()
                .filter(|entry| entry.is_reported && entry.is_available(models) && suits(entry, &settings.language));
            let names = reported.map(|entry| entry.name).chain(HAS_ENSEMBLE.then_some(ENSEMBLE));
            names.map(str::to_owned).filter(|name| !is_column(&name)).collect()
        }
        None => Vec::new(),
    };
    if let Some(name) = own.first().filter(|_| !table.has_texts) {
        let expected = format!("the column {}, or the columns mt and ref to compute it", quoted(name));
        return Err(Error::invalid(&*table.place, expected, "neither", "check the names in `metrics`"));
    }
    let of_column = |(at, name): (usize, &String)| {
        let lower_is_better = settings.lower_is_better.contains(name);
        let scores = table.cells.iter().map(|cell| cell.scores[at]).collect();
        Scored { scores: upward(scores, lower_is_better), name: name.clone(), lower_is_better }
    };
    let mut all: Vec<Scored> = columns.iter().enumerate().map(of_column).collect();
    if !own.is_empty() {
        all.extend(own_metrics(context, settings, table.cells, own, &table.place)?);
    }
    if all.is_empty() {
        let expected = "a column of numbers, or the columns mt and ref";
        return Err(Error::invalid(
            table.place,
            expected,
            "none besides the human scores",
            "add the scores of a metric",
        ));
    }
    if let Some(asked) = &settings.columns.metrics {
        all.sort_by_key(|metric| asked.iter().position(|name| name.eq_ignore_ascii_case(&metric.name)));
    }
    Ok(all)
}

/// Orients scores so that higher is better.
fn upward(scores: Vec<f64>, lower_is_better: bool) -> Vec<f64> {
    if lower_is_better { scores.into_iter().map(|score| 0.0 - score).collect() } else { scores }
}

/// Tribunal's own metrics, computed from the texts.
fn own_metrics(
    context: Context<'_>,
    settings: &CorrelateSettings,
    cells: Vec<ScoredCell>,
    metrics: Vec<String>,
    place: &str,
) -> Result<Vec<Scored>> {
    let choice = MetricChoice { metrics, language: settings.language.clone(), ..MetricChoice::default() };
    let metric_set = choice.metric_set(context)?;
    let sources = sources_of(&metric_set, cells.iter().map(|cell| (cell.line, cell.source.as_ref())), place)?;
    let (hypotheses, references) = cells.into_iter().map(|cell| (cell.hypothesis, cell.references)).unzip();
    let texts = ParallelTexts { systems: vec![SystemOutput::new("the table", hypotheses)], references, sources };
    let columns = score_segments_of(context, &metric_set, &texts)?.into_iter().flatten();
    let scored = metric_set.members().iter().zip(columns).map(|(member, scores)| {
        let lower_is_better = member.entry.direction == Direction::LowerIsBetter;
        Scored { name: member.name.clone(), scores: upward(scores, lower_is_better), lower_is_better }
    });
    Ok(scored.collect())
}
