//! A system's output. In: its segments with their references. Out: statistics of each, scores of any choice of them.

use rayon::prelude::*;

use super::{Metric, Panel, Statistics};
use crate::text::{Lexicon, Sentence};
use crate::wordnet::WordNet;

/// The statistics of every segment of a system, for every metric of a panel.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// `statistics[metric][segment]`.
    statistics: Vec<Vec<Statistics>>,
}

/// What segments are looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Each for itself.
    Segments,
    /// As parts of a whole, whose references some metrics have to know beforehand ([`Metric::for_corpus`]).
    Whole,
}

impl Corpus {
    /// Scores `hypotheses[segment]` against `references[segment]`, each with at least one element, on all cores.
    pub fn of(panel: &Panel, wordnet: &WordNet, hypotheses: &[&str], references: &[Vec<&str>], scope: Scope) -> Self {
        let lexicon = || Lexicon::new(wordnet);
        let prepare = |lexicon: &mut Lexicon<'_>, texts: &Vec<&str>| -> Vec<Sentence> {
            texts.iter().map(|text| panel.prepare(text, lexicon)).collect()
        };
        let references: Vec<Vec<Sentence>> = references.par_iter().map_init(lexicon, prepare).collect();
        let informed: Vec<Option<Box<dyn Metric>>> = panel
            .members()
            .iter()
            .map(|member| match scope {
                Scope::Segments => None,
                Scope::Whole => member.metric.for_corpus(&mut references.iter().flatten()),
            })
            .collect();
        let score = |lexicon: &mut Lexicon<'_>, (hypothesis, references): (&&str, &Vec<Sentence>)| {
            let hypothesis = panel.prepare(hypothesis, lexicon);
            let references: Vec<&Sentence> = references.iter().collect();
            let metrics = panel.members().iter().zip(&informed);
            let metrics = metrics.map(|(member, informed)| informed.as_deref().unwrap_or(member.metric.as_ref()));
            metrics.map(|metric| metric.statistics(&hypothesis, &references)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Statistics>> = hypotheses.par_iter().zip(&references).map_init(lexicon, score).collect();
        let mut statistics: Vec<Vec<Statistics>> = panel.members().iter().map(|_| Vec::new()).collect();
        for row in rows {
            statistics.iter_mut().zip(row).for_each(|(of_metric, of_segment)| of_metric.push(of_segment));
        }
        Self { statistics }
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.statistics.first().map_or(0, Vec::len)
    }

    /// True where there is no segment, or no metric.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The statistics of each segment for the metric at that place of the panel.
    pub fn statistics(&self, metric: usize) -> &[Statistics] {
        &self.statistics[metric]
    }
}

/// The score of a corpus made of these segments.
pub fn score<'s>(metric: &dyn Metric, segments: impl Iterator<Item = &'s Statistics>) -> f64 {
    let mut sum = Statistics::new();
    for segment in segments {
        sum.resize(segment.len(), 0.0);
        sum.iter_mut().zip(segment).for_each(|(sum, value)| *sum += value);
    }
    if sum.is_empty() { 0.0 } else { metric.corpus(&sum)[0] }
}
