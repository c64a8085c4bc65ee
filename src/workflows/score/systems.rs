//! Corpus scores. In: systems' segments with their references. Out: corpus scores with intervals and tests. Next: the
//! caller.

use super::super::context::Context;
use super::super::warnings;
use super::{ParallelTexts, ScoreFiles, SystemComparison, draws};
use crate::error::Result;
use crate::metrics::{Corpus, Member, MetricSet, Scope};
use crate::report::scores::{Column, Score, Scores, SystemScores, Test};

/// Scores systems in files.
///
/// # Errors
/// Those of [`ScoreFiles::read`], [`SystemComparison::check`] and [`SystemOrder::column`](super::SystemOrder::column).
pub fn score_files(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    comparison: &SystemComparison,
) -> Result<Scores> {
    comparison.check(files.systems.len())?;
    comparison.order.column(metric_set)?;
    let texts = files.read()?;
    score_texts(context, metric_set, &texts, comparison)
}

/// Scores systems in memory.
///
/// # Errors
/// Those of [`ParallelTexts::check`], [`SystemComparison::check`] and
/// [`SystemOrder::column`](super::SystemOrder::column).
pub fn score_texts(
    context: Context<'_>,
    metric_set: &MetricSet,
    texts: &ParallelTexts,
    comparison: &SystemComparison,
) -> Result<Scores> {
    texts.check()?;
    comparison.check(texts.systems.len())?;
    let sorted_by = comparison.order.column(metric_set)?;
    let references = || texts.references.iter().flatten().map(String::as_str);
    warnings::of_leaking_metrics(context, metric_set, references());
    warnings::of_metric_language(context, metric_set, references());
    if comparison.clusters && texts.systems.len() == 1 {
        context.note("one system makes no clusters: name other systems to compare it with".to_owned());
    }
    let comparison = &comparison.settled(texts.systems.len());
    let mut corpora = Vec::with_capacity(texts.systems.len());
    let tell = context.counter("scoring segments", texts.systems.len() * texts.references.len());
    for system in &texts.systems {
        system.own.check(metric_set, &system.name, system.segments.len())?;
        let corpus = Corpus::counted(metric_set, &system.segments, &texts.references, Scope::Whole, &tell);
        corpora.push(system.own.brought_to(corpus, metric_set, 0));
    }
    let columns = columns(context, metric_set, &corpora, comparison);
    let systems = texts.systems.iter().enumerate().map(|(at, system)| SystemScores {
        name: system.name.clone(),
        identical_to: identical(texts, at).filter(|_| comparison.test.is_some()),
        scores: columns.iter().map(|column| column[at]).collect(),
    });
    let mut systems: Vec<SystemScores> = systems.collect();
    if let Some(metric) = sorted_by {
        // A stable sort: equally good systems keep the order in which they were named.
        systems.sort_by_key(|system| system.scores[metric].rank);
    }
    let references = texts.number_of_references();
    Ok(Scores {
        segments: texts.references.len(),
        metrics: metric_set.members().iter().map(|member| column(member, &references, comparison)).collect(),
        systems,
        test: comparison.test.map(|test| Test { method: test.name(), against: texts.systems[0].name.clone() }),
    })
}

/// The scores of every system, one list per metric.
fn columns(
    context: Context<'_>,
    metric_set: &MetricSet,
    corpora: &[Corpus],
    comparison: &SystemComparison,
) -> Vec<Vec<Score>> {
    let tell = context.counter("comparing systems", metric_set.members().len());
    let draws = comparison.draws(corpora.first().map_or(0, Corpus::len));
    let scores = |(at, member): (usize, &Member)| {
        let statistics = corpora.iter().map(|corpus| corpus.statistics(at)).collect();
        let scores =
            draws::Column::new(member.metric.as_ref(), statistics, &draws).scores(comparison, member.direction());
        tell();
        scores
    };
    metric_set.members().iter().enumerate().map(scores).collect()
}

/// The name of the first system, if another one has identical segments.
fn identical(texts: &ParallelTexts, system: usize) -> Option<String> {
    let first = &texts.systems[0];
    (system > 0 && texts.systems[system].segments == first.segments).then(|| first.name.clone())
}

/// The description of a column.
fn column(member: &Member, references: &str, comparison: &SystemComparison) -> Column {
    let signature = comparison.sign(member.corpus_signature(), references);
    Column {
        name: member.name.clone(),
        direction: member.direction(),
        signature: signature.to_string(),
        short_signature: signature.short(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PairedTest, SystemOutput};
    use super::*;
    use crate::workflows::Engine;

    #[test]
    fn texts_that_do_not_fit_are_refused() {
        let system =
            |segments: &[&str]| SystemOutput::new("x", segments.iter().map(|&segment| segment.into()).collect());
        let texts = |segments: &[&str], references: Vec<Vec<String>>| ParallelTexts {
            systems: vec![system(segments)],
            references,
        };
        let metric_set = MetricSet::of(&["length"]).unwrap();
        let engine = Engine::new();
        let context = Context::new(&engine);
        let score = |texts: &ParallelTexts| score_texts(context, &metric_set, texts, &SystemComparison::default());
        assert!(score(&texts(&["a"], vec![vec!["a".into()]])).is_ok());
        let message = score(&texts(&["a", "b"], vec![vec!["a".into()]])).unwrap_err().to_string();
        assert!(message.starts_with("x: expected 1 segments, found 2"), "{message}");
        assert!(score(&texts(&["a"], vec![Vec::new()])).is_err());
        let paired = SystemComparison { test: Some(PairedTest::Bootstrap), ..SystemComparison::default() };
        assert!(score_texts(context, &metric_set, &texts(&["a"], vec![vec!["a".into()]]), &paired).is_err());
    }
}
