//! One value of a metric as a metric of its own, such as the recall of ROUGE-2: `rouge2.recall`.

use std::sync::Arc;

use super::links::Alignment;
use super::metric::{Metric, Statistics};
use super::signature::Signature;
use crate::text::Sentence;

/// A metric whose score is one of the values of another one.
#[derive(Debug)]
pub(super) struct Part {
    pub whole: Arc<dyn Metric>,
    /// The position of the value in [`Metric::values`].
    pub at: usize,
}

impl Metric for Part {
    fn values(&self) -> &[&'static str] {
        &[""]
    }

    fn signature(&self) -> Signature {
        self.whole.signature()
    }

    fn corpus_signature(&self) -> Signature {
        self.whole.corpus_signature()
    }

    fn statistics(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Statistics {
        self.whole.statistics(hypothesis, references)
    }

    fn segment(&self, statistics: &[f64]) -> Vec<f64> {
        vec![self.whole.segment(statistics)[self.at]]
    }

    fn corpus(&self, sum: &[f64]) -> Vec<f64> {
        vec![self.whole.corpus(sum)[self.at]]
    }

    fn for_corpus(&self, references: &mut dyn Iterator<Item = Sentence>) -> Option<Box<dyn Metric>> {
        let whole = self.whole.for_corpus(references)?;
        Some(Box::new(Self { whole: whole.into(), at: self.at }))
    }

    fn needs_corpus(&self) -> bool {
        self.whole.needs_corpus()
    }

    fn links(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Option<Alignment> {
        self.whole.links(hypothesis, references)
    }
}
