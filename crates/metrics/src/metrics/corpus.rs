//! A system's output: the statistics of its segments, and scores of any selection of them.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::metric::{Metric, Statistics};
use super::metric_set::MetricSet;
use crate::text::Sentence;
use crate::text::lexicon::Borrowed;

/// The smallest batch of a thread: large enough that cached words pay off.
const MIN_SEGMENTS: usize = 64;

/// The statistics of every segment of a system, for every metric of a [`MetricSet`].
#[derive(Debug, Clone)]
pub struct Corpus {
    /// `statistics[metric][segment]`.
    statistics: Vec<Vec<Statistics>>,
}

/// How segments are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Independently of each other.
    Segments,
    /// As parts of a corpus; some metrics need all its references beforehand ([`Metric::for_corpus`]).
    Whole,
}

impl Corpus {
    /// Computes the statistics of `hypotheses[segment]` against `references[segment]`, on all cores. Each segment has
    /// at least one reference.
    pub fn new(metric_set: &MetricSet, hypotheses: &[String], references: &[Vec<String>], scope: Scope) -> Self {
        Self::counted(metric_set, hypotheses, references, &[], scope, &|| ())
    }

    /// As [`Self::new`], with the source of each segment, or none; `tell` is called once per segment, from any thread.
    pub fn counted(
        metric_set: &MetricSet,
        hypotheses: &[String],
        references: &[Vec<String>],
        sources: &[String],
        scope: Scope,
        tell: &(dyn Fn() + Sync),
    ) -> Self {
        let mut all = Self::of_systems(metric_set, &[hypotheses], references, sources, scope, tell);
        all.pop().expect("one for each system")
    }

    /// As [`Self::counted`], for `systems[system][segment]`. Parts of all systems are encoded together, so that the
    /// references, and hypotheses that systems share, are encoded once.
    pub fn of_systems(
        metric_set: &MetricSet,
        systems: &[&[String]],
        references: &[Vec<String>],
        sources: &[String],
        scope: Scope,
        tell: &(dyn Fn() + Sync),
    ) -> Vec<Self> {
        let informed = (scope == Scope::Whole).then(|| metric_set.for_corpus(references));
        let metrics = informed.as_ref().unwrap_or(metric_set);
        let start = || ThreadState { lexicon: metric_set.lexicon(), texts: &[], references: Vec::new(), source: None };
        let bytes = references.iter().enumerate().map(|(segment, references)| {
            let hypotheses = systems.iter().map(|hypotheses| hypotheses[segment].len());
            hypotheses.chain(references.iter().chain(sources.get(segment)).map(String::len)).sum()
        });
        let mut rows: Vec<Vec<Vec<Statistics>>> = vec![Vec::with_capacity(references.len()); systems.len()];
        for part in parts(bytes, metric_set.bytes_at_once().unwrap_or(usize::MAX)) {
            let references = &references[part.clone()];
            let hypotheses = systems.iter().flat_map(|hypotheses| &hypotheses[part.clone()]);
            let sources = sources.get(part.clone()).unwrap_or_default();
            let texts = hypotheses.chain(references.iter().flatten()).chain(sources).map(String::as_str);
            metric_set.encode_all(&texts.collect::<Vec<_>>());
            rows.par_iter_mut().zip(systems).for_each(|(rows, hypotheses)| {
                let segments =
                    hypotheses[part.clone()].par_iter().with_min_len(MIN_SEGMENTS).zip(references).enumerate();
                rows.par_extend(segments.map_init(start, |state, (at, (hypothesis, references))| {
                    tell();
                    state.statistics(metrics, hypothesis, references, sources.get(at))
                }));
            });
        }
        let of_system = |rows: Vec<Vec<Statistics>>| {
            let mut statistics: Vec<Vec<Statistics>> = metric_set.members().iter().map(|_| Vec::new()).collect();
            for row in rows {
                statistics.iter_mut().zip(row).for_each(|(of_metric, of_segment)| of_metric.push(of_segment));
            }
            Self { statistics }
        };
        rows.into_iter().map(of_system).collect()
    }

    /// Adds the values of external metrics: `value` takes a name and a segment.
    pub fn with_external(mut self, metric_set: &MetricSet, value: &dyn Fn(&str, usize) -> f64) -> Self {
        for (member, statistics) in metric_set.members().iter().zip(&mut self.statistics) {
            let Some(learned) = member.metric.learned().filter(|learned| !learned.external().is_empty()) else {
                continue;
            };
            for (segment, of_segment) in statistics.iter_mut().enumerate() {
                let values: Vec<f64> = learned.external().iter().map(|name| value(name, segment)).collect();
                *of_segment = learned.with_external(std::mem::take(of_segment), &values);
            }
        }
        self
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.statistics.first().map_or(0, Vec::len)
    }

    /// True if there are no segments or no metrics.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The score of the whole corpus by each metric of the set that it was made with, in order.
    pub fn scores(&self, metric_set: &MetricSet) -> Vec<f64> {
        let metrics = metric_set.members().iter().zip(&self.statistics);
        metrics.map(|(member, segments)| score(member.metric.as_ref(), segments.iter())).collect()
    }

    /// The statistics of each segment for the metric at index `metric` of the set.
    pub fn statistics(&self, metric: usize) -> &[Statistics] {
        &self.statistics[metric]
    }
}

/// Runs of elements with these sizes, each run with at most `most` together; a larger element is a run of its own.
pub fn parts(sizes: impl Iterator<Item = usize>, most: usize) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut sum, mut count) = (Vec::new(), 0, 0_usize, 0);
    for (at, size) in sizes.enumerate() {
        if at > start && sum.saturating_add(size) > most {
            parts.push(start..at);
            (start, sum) = (at, 0);
        }
        sum = sum.saturating_add(size);
        count = at + 1;
    }
    if count > start {
        parts.push(start..count);
    }
    parts
}

/// The working state of one thread.
struct ThreadState<'t> {
    lexicon: Borrowed<'t>,
    /// The references of the last segment, which the next one often shares.
    texts: &'t [String],
    references: Vec<Sentence>,
    source: Option<Arc<Sentence>>,
}

impl<'t> ThreadState<'t> {
    fn statistics(
        &mut self,
        metric_set: &MetricSet,
        hypothesis: &str,
        texts: &'t [String],
        source: Option<&String>,
    ) -> Vec<Statistics> {
        if self.texts != texts {
            self.references = texts.iter().map(|text| metric_set.prepare(text, &mut self.lexicon)).collect();
            self.texts = texts;
        }
        if self.source.as_ref().map(|known| known.text()) != source.map(String::as_str) {
            self.source = source.map(|text| metric_set.prepare(text, &mut self.lexicon).into());
        }
        let hypothesis = metric_set.prepare(hypothesis, &mut self.lexicon).of_source(self.source.clone());
        let references: SmallVec<[&Sentence; 4]> = self.references.iter().collect();
        metric_set.statistics(&hypothesis, &references).collect()
    }
}

/// The score of a corpus made up of these segments; 0 if there are none.
pub fn score<'s>(metric: &dyn Metric, segments: impl Iterator<Item = &'s Statistics>) -> f64 {
    let mut sum = Statistics::new();
    for segment in segments {
        sum.resize(segment.len(), 0.0);
        sum.iter_mut().zip(segment).for_each(|(sum, value)| *sum += value);
    }
    if sum.is_empty() { 0.0 } else { metric.corpus(&sum)[0] }
}
