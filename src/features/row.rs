//! Features of one hypothesis. In: a hypothesis and its references. Out: its features, without those of a pair. Next:
//! model.

use super::Schema;
use super::extractor::{locate, mean_sentences};
use super::feature::Feature;
use super::schema;
use crate::error::Result;
use crate::metrics::{Build, Member, REGISTRY};
use crate::options::Options;
use crate::text::{Plan, Sentence};
use crate::wordnet::WordNet;

/// Computes f(h, r) for sentences that a metric_set of metrics has prepared.
#[derive(Debug, Clone)]
pub struct Row {
    metrics: Vec<Member>,
    /// The position of each feature among the values of the metrics.
    columns: Vec<usize>,
}

impl Row {
    /// Computes the features of a schema, in its order; adds what they need of a sentence to the plan.
    ///
    /// # Errors
    /// This version does not know a feature, or computes it differently; `place` says where the schema comes from.
    pub fn for_schema(wanted: &Schema, wordnet: &WordNet, place: &str, plan: &mut Plan) -> Result<Self> {
        let (mut metrics, mut at_hand) = (Vec::new(), Vec::<Feature>::new());
        let mut build = Build { plan, options: &Options::default(), notes: &mut Vec::new() };
        for entry in REGISTRY.iter().filter(|entry| entry.gives_features() && wanted.has_parts_of(entry.name)) {
            let member = Member::registered(entry, &mut build, wordnet)?;
            at_hand.extend(schema::of_metric(&member));
            metrics.push(member);
        }
        Ok(Self { metrics, columns: locate(&wanted.hypothesis, &at_hand, place)? })
    }

    /// The mean number of sentences per reference, at least 1.
    pub fn reference_sentences(references: &[&Sentence]) -> f64 {
        mean_sentences(references.iter().copied())
    }

    /// The features of one hypothesis, in the order of the schema.
    pub fn of(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let metrics = self.metrics.iter().map(|member| &member.metric);
        let values: Vec<f64> =
            metrics.flat_map(|metric| metric.segment(&metric.statistics(hypothesis, references))).collect();
        self.columns.iter().map(|&at| values[at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Extractor;
    use crate::judgments::Pair;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    #[test]
    fn a_row_is_that_of_the_table() {
        let extractor = Extractor::all(WordNet::embedded()).unwrap();
        let pair = Pair::parse("the cat sat ||| a dog ran off ||| the cat sat down ||| a cat sat", "x", 1).unwrap();
        let table = extractor.extract([&pair].into_iter(), &|_, _| ());

        let mut plan = Plan::default();
        let row = Row::for_schema(extractor.schema(), WordNet::embedded(), "x", &mut plan).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut prepare = |text: &String| Sentence::prepare(text, &plan, &mut lexicon);
        let references: Vec<Sentence> = pair.references.iter().map(&mut prepare).collect();
        let [first, second] =
            [0, 1].map(|at| row.of(&prepare(&pair.hypotheses[at]), &references.iter().collect::<Vec<_>>()));
        assert_eq!([first, second], table.row(0).map(|features| features.to_vec()));
    }

    #[test]
    fn only_what_a_schema_needs_is_computed() {
        let mut wanted = Extractor::all(WordNet::embedded()).unwrap().schema().clone();
        wanted.hypothesis.retain(|feature| feature.name.starts_with("chrf"));
        let row = Row::for_schema(&wanted, WordNet::embedded(), "x", &mut Plan::default()).unwrap();
        assert_eq!((row.metrics.len(), row.columns.len()), (1, wanted.hypothesis.len()));
        wanted.hypothesis[0].signature.push('!');
        let refused = Row::for_schema(&wanted, WordNet::embedded(), "m.json", &mut Plan::default());
        let message = refused.unwrap_err().to_string();
        assert!(message.starts_with("m.json: expected the feature chrf"), "{message}");
    }
}
