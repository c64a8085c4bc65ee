//! Metrics that share one preparation of the text.

use std::sync::Arc;

use super::entry::{Entry, Parts};
use super::metric::{Direction, Learned, Metric, Monotonicity, Statistics};
use super::part::Part;
use super::registry::{REGISTRY, known};
use super::signature::Signature;
use crate::error::{Error, Result, quoted};
use crate::options::Options;
use crate::text::lexicon::Borrowed;
use crate::text::{Lexicon, Lexicons, Models, Plan, Sentence, ViewId};
use crate::wordnet::{self, WordNet};

/// The references that are encoded at once for a metric that needs all of them.
const ENCODED: usize = 64;

/// Metrics that are computed together, and the WordNet that they use. Clones share both.
#[derive(Debug, Clone)]
pub struct MetricSet {
    plan: Plan,
    members: Vec<Member>,
    lexicons: Lexicons,
}

/// A metric of a [`MetricSet`].
#[derive(Debug, Clone)]
pub struct Member {
    /// The name of its columns: the name in the registry, if it is registered.
    pub name: String,
    /// The line of the registry, or [`Entry::LEARNED`].
    pub entry: &'static Entry,
    /// The metric itself.
    pub metric: Arc<dyn Metric>,
    wordnet: WordNet,
    /// The views of tokens, if it compares nothing else.
    views: Vec<ViewId>,
}

impl Member {
    /// Whether any of the values is meaningless for other languages.
    pub fn needs_english(&self) -> bool {
        self.entry.english != Parts::None || self.metric.learned().is_some_and(Learned::needs_english)
    }

    /// The number of tokens that it finds in a sentence; `None` if it compares other things, such as characters.
    pub fn tokens(&self, sentence: &Sentence) -> Option<usize> {
        self.views.iter().map(|&view| sentence.view(view).len()).max()
    }

    /// Everything that the score of a corpus depends on, including WordNet.
    pub fn corpus_signature(&self) -> Signature {
        self.with_wordnet("", self.metric.corpus_signature())
    }

    /// The names of the values of a segment, `bleu` for the score and `bleu.p1` for a part, each with a signature of
    /// everything that it depends on.
    pub fn values(&self) -> impl Iterator<Item = (String, Signature)> {
        let signature = self.metric.signature();
        self.metric.values().iter().map(move |part| {
            let name = if part.is_empty() { self.name.clone() } else { format!("{}.{part}", self.name) };
            (name, self.with_wordnet(part, signature.clone()))
        })
    }

    fn with_wordnet(&self, part: &str, signature: Signature) -> Signature {
        if self.entry.wordnet.contain(part) { signature.with_wordnet(&self.wordnet) } else { signature }
    }
}

impl MetricSet {
    /// An empty set of metrics over a WordNet, or over lexicons shared with others.
    pub fn new(lexicons: impl Into<Lexicons>) -> Self {
        Self::over(Plan::default(), lexicons)
    }

    /// An empty set of metrics whose sentences are also prepared for the views in `plan`.
    pub fn over(mut plan: Plan, lexicons: impl Into<Lexicons>) -> Self {
        let lexicons = lexicons.into();
        plan.set_models(lexicons.models());
        Self { plan, members: Vec::new(), lexicons }
    }

    /// The registered metrics with these names, in this order, with default settings and the embedded WordNet.
    ///
    /// # Errors
    /// A name that is not registered.
    pub fn named(names: &[&str]) -> Result<Self> {
        let mut metric_set = Self::new(WordNet::embedded());
        names.iter().try_for_each(|name| metric_set.add_registered(known(name, &[])?, &Options::default()))?;
        Ok(metric_set)
    }

    /// All registered metrics that this program can compute without an encoder, with default settings and the embedded WordNet.
    ///
    /// # Errors
    /// Any error of building one.
    pub fn all() -> Result<Self> {
        Self::new(WordNet::embedded()).with_those(|entry| entry.is_available(&Models::default()))
    }

    /// The WordNet that words are looked up in.
    pub fn wordnet(&self) -> &WordNet {
        self.lexicons.wordnet()
    }

    /// Adds the registered metrics for which `wanted` is true, in the order of the registry.
    ///
    /// # Errors
    /// Any error of building one.
    pub fn with_those(mut self, wanted: impl Fn(&Entry) -> bool) -> Result<Self> {
        let mut entries = REGISTRY.iter().filter(|entry| wanted(entry));
        entries.try_for_each(|entry| self.add_registered(entry, &Options::default()))?;
        Ok(self)
    }

    /// Adds a registered metric with the user's options.
    ///
    /// # Errors
    /// Any error of building it.
    pub fn add_registered(&mut self, entry: &'static Entry, options: &Options) -> Result<()> {
        if entry.wordnet != Parts::None && !wordnet::HAS_DATA {
            let feature = if entry.needs_meteor_data { "meteor-data" } else { "wordnet" };
            let advice = format!("build with the cargo feature {feature}, or use other metrics");
            return Err(Error::invalid(entry.name, "a program with WordNet", "one that was built without it", advice));
        }
        self.plan.take_requested();
        let metric = (entry.build)(options, &mut self.plan)?;
        self.push(entry.name, entry, metric);
        Ok(())
    }

    /// Adds one value of a registered metric, as `rouge2.recall`, the recall of ROUGE-2: a value that is higher for better texts.
    /// Of several references it is that against the one with the highest score.
    ///
    /// # Errors
    /// The metric has no such value; any error of building it.
    pub fn add_part(&mut self, entry: &'static Entry, part: &str, options: &Options) -> Result<()> {
        self.add_registered(entry, options)?;
        let Some(Member { metric: whole, .. }) = self.members.last() else { return Ok(()) };
        let is_higher =
            |part: &str| matches!(entry.monotonicity(part), Monotonicity::Recall | Monotonicity::Increasing);
        let is_part = |part: &&str| !part.is_empty() && is_higher(part) && entry.direction == Direction::HigherIsBetter;
        let Some(at) = whole.values().iter().position(|value| *value == part && is_part(value)) else {
            let parts: Vec<String> =
                whole.values().iter().copied().filter(is_part).map(|part| format!("{}.{part}", entry.name)).collect();
            let advice = if parts.is_empty() {
                "it has none".to_owned()
            } else {
                format!("its values are {}", parts.join(", "))
            };
            let expected = format!("a value of {} that is higher for better texts", entry.name);
            return Err(Error::invalid("metrics", expected, quoted(part), advice));
        };
        if let Some(member) = self.members.last_mut() {
            member.name = format!("{}.{part}", entry.name);
            member.metric = Arc::new(Part { whole: Arc::clone(&member.metric), at });
        }
        Ok(())
    }

    /// Adds an unregistered metric, such as a learned one: higher is better, and its values are not features.
    ///
    /// # Errors
    /// Any error of `build`.
    pub fn add(&mut self, name: &str, build: impl FnOnce(&mut Plan) -> Result<Box<dyn Metric>>) -> Result<()> {
        self.plan.take_requested();
        let metric = build(&mut self.plan)?;
        self.push(name, &Entry::LEARNED, metric);
        Ok(())
    }

    fn push(&mut self, name: &str, entry: &'static Entry, metric: Box<dyn Metric>) {
        let wordnet = self.lexicons.wordnet().clone();
        let views = self.plan.take_requested();
        self.members.push(Member { name: name.to_owned(), entry, metric: metric.into(), wordnet, views });
    }

    /// The metrics, in order.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The views of a sentence that the metrics need.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Checks that every metric can score segments that are not part of a corpus.
    ///
    /// # Errors
    /// One [needs a corpus](Metric::needs_corpus).
    pub fn check_segments(&self) -> Result<()> {
        let Some(needing) = self.members.iter().find(|member| member.metric.needs_corpus()) else { return Ok(()) };
        let found = format!("{} with inverse document frequencies", needing.name);
        let advice = "omit `bertscore_idf`, or score whole systems";
        Err(Error::invalid("metrics", "metrics of single segments", found, advice))
    }

    /// The name of a metric that compares with sources, if there is one.
    pub fn needing_source(&self) -> Option<&str> {
        let needs_source = |member: &&Member| {
            member.entry.needs_source() || member.metric.learned().is_some_and(Learned::needs_source)
        };
        self.members.iter().find(needs_source).map(|member| member.name.as_str())
    }

    /// The name of a metric that compares with references, if there is one.
    pub fn needing_references(&self) -> Option<&str> {
        self.members.iter().find(|member| !member.entry.is_reference_free).map(|member| member.name.as_str())
    }

    /// Borrows a lexicon of the set's WordNet for exclusive use.
    pub fn lexicon(&self) -> Borrowed<'_> {
        self.lexicons.borrow()
    }

    /// Encodes texts in batches, ahead of [`Self::prepare`], if a metric needs an encoder.
    pub fn encode_all(&self, texts: &[&str]) {
        self.plan.encode_all(texts);
    }

    /// The most bytes of texts that are to be [encoded](Self::encode_all) at once, so that memory is bounded; `None` if
    /// no metric needs an encoder.
    pub fn bytes_at_once(&self) -> Option<usize> {
        self.plan.bytes_at_once()
    }

    /// Prepares a text for all metrics of the set.
    pub fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> Sentence {
        Sentence::prepare(text, &self.plan, lexicon)
    }

    /// The same metrics for the segments of a corpus with these references; some need all of them beforehand.
    pub(super) fn for_corpus(&self, references: &[Vec<String>]) -> Self {
        let mut metric_set = self.clone();
        let mut lexicon = self.lexicon();
        for member in &mut metric_set.members {
            let encoded = references.chunks(ENCODED).flat_map(|part| {
                let texts: Vec<&str> = part.iter().flatten().map(String::as_str).collect();
                self.encode_all(&texts);
                texts
            });
            let mut references = encoded.map(|text| self.prepare(text, &mut lexicon));
            if let Some(informed) = member.metric.for_corpus(&mut references) {
                member.metric = informed.into();
            }
        }
        metric_set
    }

    /// The score of each metric for one segment, in order; `references` has at least one text. Many segments are faster as
    /// a [`Corpus`](super::Corpus), which prepares the words that they share once.
    pub fn segment_scores(&self, hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let mut lexicon = self.lexicon();
        let hypothesis = self.prepare(hypothesis, &mut lexicon);
        let references: Vec<Sentence> = references.iter().map(|text| self.prepare(text, &mut lexicon)).collect();
        self.scores(&hypothesis, &references.iter().collect::<Vec<_>>())
    }

    /// The statistics of one segment for each metric, in order.
    pub fn statistics<'s>(
        &'s self,
        hypothesis: &'s Sentence,
        references: &'s [&Sentence],
    ) -> impl Iterator<Item = Statistics> + 's {
        self.members.iter().map(move |member| member.metric.statistics(hypothesis, references))
    }

    /// All values of all metrics for one segment, in order.
    pub fn values(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.members.iter().map(|member| member.metric.values().len()).sum());
        for (member, statistics) in self.members.iter().zip(self.statistics(hypothesis, references)) {
            values.extend(member.metric.segment(&statistics));
        }
        values
    }

    /// The score of each metric for one segment, in order.
    pub fn scores(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let statistics = self.statistics(hypothesis, references);
        self.members.iter().zip(statistics).map(|(member, statistics)| member.metric.segment(&statistics)[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signatures(names: &[&str]) -> Vec<(String, String)> {
        let metric_set = MetricSet::named(names).unwrap();
        let values = metric_set.members().iter().flat_map(Member::values);
        values.map(|(name, signature)| (name, signature.to_string())).collect()
    }

    #[test]
    fn signatures_name_wordnet_where_a_value_depends_on_it() {
        let of = |names: &[&str]| -> Vec<String> {
            let named = signatures(names).into_iter().filter(|(_, signature)| signature.contains("|wordnet:3.0"));
            named.map(|(name, _)| name).collect()
        };
        assert_eq!(of(&["bleu", "rougeW", "words", "sum.meteor", "length"]), [""; 0]);
        assert_eq!(of(&["surface"]), ["surface.unknown"]);
        assert_eq!(of(&["synset", "sum.synset"]), ["synset", "synset.precision", "synset.recall", "sum.synset"]);
        let meteors = ["meteor", "meteor-all", "alignment", "meteor2005", "meteor2005.nltk"];
        assert_eq!(of(&meteors).len(), signatures(&meteors).len());
    }

    #[test]
    fn a_corpus_score_names_it_too() {
        let metric_set = MetricSet::named(&["synset"]).unwrap();
        let signature = metric_set.members()[0].corpus_signature();
        assert_eq!(signature.to_string(), "synset|tok:words|stemmer:snowball|wordnet:3.0|version:1");
    }

    #[test]
    fn a_value_of_a_metric_is_a_metric() {
        let mut set = MetricSet::new(WordNet::embedded());
        let entry = known("rouge2", &[]).unwrap();
        set.add_part(entry, "recall", &Options::default()).unwrap();
        // Of three bigrams of the reference, one is found, among two.
        assert_eq!(set.segment_scores("the cat ran", &["the cat sat down"]), [1.0 / 3.0]);
        assert_eq!(set.members()[0].name, "rouge2.recall");
        let wrong = set.add_part(entry, "f2", &Options::default()).unwrap_err().to_string();
        assert!(wrong.contains("found 'f2'; its values are rouge2.precision, rouge2.recall"), "{wrong}");
    }
}
