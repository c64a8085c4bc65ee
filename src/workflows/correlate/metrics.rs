//! The metrics to correlate: columns of the table, and metrics computed from its texts.

use super::CorrelateSettings;
use crate::error::{Error, Result, joined, quoted};
use crate::formats::score_table::{HYPOTHESIS, REFERENCE, ScoreTable, ScoredTexts};
use crate::judgments::Language;
use crate::metrics::{Direction, Entry, Parts, REGISTRY};
use crate::workflows::context::Context;
use crate::workflows::score::{MetricChoice, ParallelTexts, SystemOutput, score_segments_of};

/// A metric with its scores, oriented so that higher is better.
pub(super) struct Scored {
    pub(super) name: String,
    pub(super) scores: Vec<f64>,
    pub(super) lower_is_better: bool,
}

/// The requested metrics in their order, or all metrics, columns first.
pub(super) fn metrics(context: Context<'_>, settings: &CorrelateSettings, table: ScoreTable) -> Result<Vec<Scored>> {
    let place = settings.table.to_string();
    let columns: Vec<&str> = table.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let is_column = |name: &&String| columns.contains(&name.as_str());
    if let Some(name) = settings.lower_is_better.iter().find(|name| !is_column(name)) {
        let known = if columns.is_empty() {
            "which the table has none of".into()
        } else {
            format!("which is none of {}", joined(&columns))
        };
        let found = format!("{}, {known}", quoted(name));
        let advice = "name columns of metrics; of Tribunal's own metrics the direction is known";
        return Err(Error::invalid("`lower_is_better`", "columns of metrics", found, advice));
    }
    let own: Vec<String> = match &settings.columns.metrics {
        Some(asked) => asked.iter().filter(|name| !is_column(name)).cloned().collect(),
        None if table.texts.is_some() => {
            let reported = REGISTRY.iter().filter(|entry| entry.is_reported && suits(entry, &settings.language));
            reported.map(|entry| entry.name.to_owned()).filter(|name| !is_column(&name)).collect()
        }
        None => Vec::new(),
    };
    let own = match table.texts {
        _ if own.is_empty() => Vec::new(),
        Some(texts) => own_metrics(context, settings, texts, own)?,
        None => {
            let expected =
                format!("the column {}, or the columns {HYPOTHESIS} and {REFERENCE} to compute it", quoted(&own[0]));
            let advice = "check the names in `metrics`";
            return Err(Error::invalid(format!("{place}:1"), expected, "neither", advice));
        }
    };
    let columns = table.metrics.into_iter().map(|metric| {
        let lower_is_better = settings.lower_is_better.contains(&metric.name);
        Scored { scores: upward(metric.scores, lower_is_better), name: metric.name, lower_is_better }
    });
    let mut all: Vec<Scored> = columns.chain(own).collect();
    if all.is_empty() {
        let expected = format!("a column of numbers, or the columns {HYPOTHESIS} and {REFERENCE}");
        return Err(Error::invalid(place, expected, "none besides people's scores", "add the scores of a metric"));
    }
    if let Some(asked) = &settings.columns.metrics {
        all.sort_by_key(|metric| asked.iter().position(|name| name.eq_ignore_ascii_case(&metric.name)));
    }
    Ok(all)
}

/// Whether a metric is available and suits texts of a language.
fn suits(entry: &Entry, language: &Language) -> bool {
    entry.is_available() && (language.is_english() || entry.english == Parts::None)
}

/// Orients scores so that higher is better.
fn upward(scores: Vec<f64>, lower_is_better: bool) -> Vec<f64> {
    if lower_is_better { scores.into_iter().map(|score| 0.0 - score).collect() } else { scores }
}

/// Tribunal's own metrics, computed from the texts.
fn own_metrics(
    context: Context<'_>,
    settings: &CorrelateSettings,
    texts: ScoredTexts,
    metrics: Vec<String>,
) -> Result<Vec<Scored>> {
    let choice = MetricChoice { metrics, language: settings.language.clone(), ..MetricChoice::default() };
    let metric_set = choice.metric_set(context)?;
    let ScoredTexts { hypotheses, references } = texts;
    let texts = ParallelTexts { systems: vec![SystemOutput::new("the table", hypotheses)], references };
    let columns = score_segments_of(context, &metric_set, &texts)?.into_iter().flatten();
    let scored = metric_set.members().iter().zip(columns).map(|(member, scores)| {
        let lower_is_better = member.entry.direction == Direction::LowerIsBetter;
        Scored { name: member.name.clone(), scores: upward(scores, lower_is_better), lower_is_better }
    });
    Ok(scored.collect())
}
