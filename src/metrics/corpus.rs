//! A system's output. In: its segments with their references. Out: the statistics of each segment, and scores of any
//! selection of them. Next: significance, `score`.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::metric::{Metric, Statistics};
use super::metric_set::{Member, MetricSet};
use crate::text::lexicon::Borrowed;
use crate::text::{Lexicon, Sentence};

/// The smallest batch of a thread: large enough that cached words pay off.
const LEAST_SEGMENTS: usize = 64;

/// The statistics of every segment of a system, for every metric of a metric_set.
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
    pub fn of(metric_set: &MetricSet, hypotheses: &[String], references: &[Vec<String>], scope: Scope) -> Self {
        Self::counted(metric_set, hypotheses, references, scope, &|| ())
    }

    /// As [`Self::of`]; `tell` is called once per segment, from any thread.
    pub fn counted<'t>(
        metric_set: &'t MetricSet,
        hypotheses: &[String],
        references: &'t [Vec<String>],
        scope: Scope,
        tell: &(dyn Fn() + Sync),
    ) -> Self {
        let borrow = || metric_set.lexicon();
        let hypotheses = hypotheses.par_iter().with_min_len(LEAST_SEGMENTS);
        let rows: Vec<Vec<Statistics>> = if scope == Scope::Segments {
            let score = |desk: &mut Desk<'t>, (hypothesis, references): (&String, &'t Vec<String>)| {
                tell();
                let hypothesis = metric_set.prepare(hypothesis, &mut desk.lexicon);
                statistics(metric_set, &[], &hypothesis, desk.references(metric_set, references))
            };
            hypotheses.zip(references).map_init(|| Desk::new(borrow()), score).collect()
        } else {
            let references = references.par_iter().with_min_len(LEAST_SEGMENTS);
            let references: Vec<Vec<Sentence>> =
                references.map_init(borrow, |lexicon, texts| prepare(metric_set, texts, lexicon)).collect();
            let inform = |member: &Member| member.metric.for_corpus(&mut references.iter().flatten());
            let informed: Vec<_> = metric_set.members().iter().map(inform).collect();
            let score = |lexicon: &mut Borrowed<'_>, (hypothesis, references): (&String, &Vec<Sentence>)| {
                tell();
                statistics(metric_set, &informed, &metric_set.prepare(hypothesis, lexicon), references)
            };
            hypotheses.zip(&references).map_init(borrow, score).collect()
        };
        let mut statistics: Vec<Vec<Statistics>> = metric_set.members().iter().map(|_| Vec::new()).collect();
        for row in rows {
            statistics.iter_mut().zip(row).for_each(|(of_metric, of_segment)| of_metric.push(of_segment));
        }
        Self { statistics }
    }

    /// Adds the values that users supply: `value` takes a name and a segment.
    pub fn with_brought(mut self, metric_set: &MetricSet, value: &dyn Fn(&str, usize) -> f64) -> Self {
        for (member, statistics) in metric_set.members().iter().zip(&mut self.statistics) {
            let names = member.metric.brought();
            if names.is_empty() {
                continue;
            }
            for (segment, of_segment) in statistics.iter_mut().enumerate() {
                let values: Vec<f64> = names.iter().map(|name| value(name, segment)).collect();
                *of_segment = member.metric.bring(std::mem::take(of_segment), &values);
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

    /// The statistics of each segment for the metric at index `metric` of the metric_set.
    pub fn statistics(&self, metric: usize) -> &[Statistics] {
        &self.statistics[metric]
    }
}

/// The working state of one thread.
struct Desk<'t> {
    lexicon: Borrowed<'t>,
    /// The references of the last segment, which the next one often shares.
    texts: &'t [String],
    references: Vec<Sentence>,
}

impl<'t> Desk<'t> {
    fn new(lexicon: Borrowed<'t>) -> Self {
        Self { lexicon, texts: &[], references: Vec::new() }
    }

    fn references(&mut self, metric_set: &MetricSet, texts: &'t [String]) -> &[Sentence] {
        if self.texts != texts {
            self.references = prepare(metric_set, texts, &mut self.lexicon);
            self.texts = texts;
        }
        &self.references
    }
}

fn prepare(metric_set: &MetricSet, texts: &[String], lexicon: &mut Lexicon) -> Vec<Sentence> {
    texts.iter().map(|text| metric_set.prepare(text, lexicon)).collect()
}

/// The statistics of a segment, one element per member of the metric_set. `informed` holds corpus-level replacements of
/// members, if there are any.
fn statistics(
    metric_set: &MetricSet,
    informed: &[Option<Box<dyn Metric>>],
    hypothesis: &Sentence,
    references: &[Sentence],
) -> Vec<Statistics> {
    let references: SmallVec<[&Sentence; 4]> = references.iter().collect();
    let metrics = metric_set
        .members()
        .iter()
        .enumerate()
        .map(|(at, member)| informed.get(at).and_then(Option::as_deref).unwrap_or(member.metric.as_ref()));
    metrics.map(|metric| metric.statistics(hypothesis, &references)).collect()
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
