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

impl Corpus {
    /// Scores `hypotheses[segment]` against `references[segment]`, each with at least one element, on all cores.
    pub fn of(panel: &Panel, wordnet: &WordNet, hypotheses: &[&str], references: &[Vec<&str>]) -> Self {
        let lexicon = || Lexicon::new(wordnet);
        let of_segment = |lexicon: &mut Lexicon<'_>, (hypothesis, references): (&&str, &Vec<&str>)| {
            let hypothesis = panel.prepare(hypothesis, lexicon);
            let references: Vec<Sentence> = references.iter().map(|text| panel.prepare(text, lexicon)).collect();
            let references: Vec<&Sentence> = references.iter().collect();
            let of_member = |member: &super::panel::Member| member.metric.statistics(&hypothesis, &references);
            panel.members().iter().map(of_member).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Statistics>> =
            hypotheses.par_iter().zip(references.par_iter()).map_init(lexicon, of_segment).collect();
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
