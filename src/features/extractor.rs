//! Feature extraction.
//!
//! In real data the same hypotheses and references occur in many rows. References are prepared once, and every distinct
//! segment is scored once, on all cores. Rows are then assembled in the order of the pairs, so the number of threads
//! does not affect the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Array2;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::column::{Column, ColumnSource};
use super::pair_features::PairFeatures;
use super::schema::{Schema, columns_of};
use super::table::{CellPlace, Table};
use crate::error::{Error, Result};
use crate::judgments::Pair;
use crate::metrics::corpus::parts;
use crate::metrics::{Entry, Member, MetricSet, of_value};
use crate::text::{Lexicons, Plan, Sentence};

/// Computes the features of pairs.
#[derive(Debug, Clone)]
pub struct Extractor {
    metric_set: MetricSet,
    pair_features: PairFeatures,
    schema: Schema,
    /// For each column of a metric, its position among the set's values.
    metric_values: Vec<usize>,
    /// For each similarity, its position among the values of [`PairFeatures`].
    similarities: Vec<usize>,
    /// The position of each reported score among the set's values, and its sign: 1 or -1, so that higher is better.
    score_columns: Vec<(usize, f64)>,
    /// Whether texts are compared with references; otherwise with the prompt.
    uses_references: bool,
}

impl Extractor {
    /// Computes all features of pairs with references, and the scores of all reported metrics, that this build has.
    ///
    /// # Errors
    /// A metric cannot be made.
    pub fn all(lexicons: impl Into<Lexicons>) -> Result<Self> {
        Self::of_pairs(lexicons, true)
    }

    /// Computes all features of pairs with references or without, and the scores of all metrics that are reported there.
    ///
    /// # Errors
    /// A metric cannot be made.
    pub fn of_pairs(lexicons: impl Into<Lexicons>, with_references: bool) -> Result<Self> {
        Self::with_metrics(lexicons.into(), with_references, |entry| entry.suits(with_references))
    }

    /// Computes the features of a model's schema, and only the metrics that they need.
    ///
    /// # Errors
    /// This version does not know a feature, or computes it differently; `place` says where the schema comes from.
    pub fn for_schema(lexicons: impl Into<Lexicons>, wanted: &Schema, place: &str) -> Result<Self> {
        let uses_references = wanted.needs_references();
        let computed = Self::with_metrics(lexicons.into(), uses_references, |entry| wanted.needs(entry))?;
        computed.select_columns(wanted, place)
    }

    /// As [`Self::for_schema`], with the scores of all metrics that are reported for pairs with references, or without.
    ///
    /// # Errors
    /// As [`Self::for_schema`].
    pub fn with_reported(
        lexicons: impl Into<Lexicons>,
        wanted: &Schema,
        with_references: bool,
        place: &str,
    ) -> Result<Self> {
        let is_wanted = |entry: &Entry| wanted.needs(entry) || entry.has_row(with_references);
        Self::with_metrics(lexicons.into(), with_references, is_wanted)?.select_columns(wanted, place)
    }

    /// Computes the scores of the metrics in the summed baseline, and no features.
    ///
    /// # Errors
    /// A metric cannot be made.
    pub fn baseline(lexicons: impl Into<Lexicons>) -> Result<Self> {
        let none = Schema::default();
        Self::with_metrics(lexicons.into(), true, |entry| entry.is_baseline)?.select_columns(&none, "the baseline")
    }

    /// The same extractor with these external columns, whose values come with the pairs.
    pub fn with_external(mut self, external: Vec<Column>) -> Self {
        self.schema.columns.retain(|column| !column.is_external());
        self.schema.columns.extend(external);
        self
    }

    fn with_metrics(lexicons: Lexicons, uses_references: bool, is_wanted: impl Fn(&Entry) -> bool) -> Result<Self> {
        let mut plan = Plan::default();
        let pair_features = PairFeatures::new(&mut plan);
        let models = lexicons.models().clone();
        let is_used =
            |entry: &Entry| entry.is_available(&models) && (entry.gives_features() || entry.has_row(uses_references));
        let metric_set = MetricSet::over(plan, lexicons).with_those(|entry| is_used(entry) && is_wanted(entry))?;
        let learned = metric_set.members().iter().filter(|member| member.entry.gives_features());
        let of_pair = PairFeatures::columns(&metric_set);
        let similarities = (0..of_pair.len()).collect();
        let schema = learned.flat_map(columns_of).chain(of_pair).collect();
        let (mut metric_values, mut score_columns, mut at) = (Vec::new(), Vec::new(), 0);
        for member in metric_set.members() {
            let parts = member.metric.values().len();
            if member.entry.gives_features() {
                metric_values.extend(at..at + parts);
            }
            if member.entry.has_row(uses_references) {
                score_columns.push((at, member.entry.direction.sign()));
            }
            at += parts;
        }
        Ok(Self { metric_set, pair_features, schema, metric_values, similarities, score_columns, uses_references })
    }

    fn select_columns(mut self, wanted: &Schema, place: &str) -> Result<Self> {
        let is_metric = |column: &&Column| matches!(column.source, ColumnSource::Metric { .. });
        let is_similarity = |column: &&Column| matches!(column.source, ColumnSource::Similarity { .. });
        let (known, wanted_columns) = (|| self.schema.columns.iter(), || wanted.columns.iter());
        let metrics = locate(wanted_columns().filter(is_metric), known().filter(is_metric), place)?;
        let similarities = locate(wanted_columns().filter(is_similarity), known().filter(is_similarity), place)?;
        self.metric_values = metrics.iter().map(|&at| self.metric_values[at]).collect();
        self.similarities = similarities.iter().map(|&at| self.similarities[at]).collect();
        self.schema = wanted.clone();
        Ok(self)
    }

    /// The columns of its tables.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The metrics that it computes.
    pub fn metric_set(&self) -> &MetricSet {
        &self.metric_set
    }

    /// The reported metrics, in the order of [`Table::scores`].
    pub fn reported(&self) -> impl Iterator<Item = &Member> {
        self.metric_set.members().iter().filter(|member| member.entry.has_row(self.uses_references))
    }

    /// The features of all pairs. `progress` receives the number of distinct segments scored so far, and the total.
    /// External values that a pair lacks are NaN; see [`Schema::check`].
    pub fn extract<'p>(
        &self,
        pairs: impl Iterator<Item = &'p Pair>,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Table {
        let mut beside = Vec::new();
        let external: Vec<&Column> = self.schema.external().collect();
        let batch = Batch::new(
            self.uses_references,
            self.metric_set.needing_source().is_some(),
            pairs.inspect(|pair| beside.extend(external.iter().filter_map(|column| column.values_beside(pair)))),
        );
        let mut table = self.empty(&batch);
        let places: Vec<usize> = table.external_places().collect();
        let places = (0..batch.pairs.len()).flat_map(|pair| places.iter().map(move |&at| (pair, at)));
        for ((pair, at), [first, second]) in places.zip(beside) {
            (table.pair_values[[pair, at]], table.pair_values[[pair, at + 1]]) = (first, second);
        }
        let done = AtomicUsize::new(0);
        progress(0, batch.segments);
        let tell = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, batch.segments);
        let parts = match self.metric_set.bytes_at_once() {
            Some(bytes) => parts(batch.groups.iter().map(Group::bytes), bytes),
            None => parts(batch.groups.iter().map(|group| group.segments.len()), MAX_SEGMENTS),
        };
        let similarities: Vec<usize> = table.similarity_places().collect();
        for part in parts {
            let part = &batch.groups[part];
            let texts = part.iter().flat_map(Group::texts);
            self.metric_set.encode_all(&texts.collect::<Vec<_>>());
            let computed: Vec<Computed> = part.par_iter().map(|group| self.compute(group, &tell)).collect();
            part.iter().zip(&computed).for_each(|(group, of)| self.fill(&mut table, &similarities, group, of));
        }
        Table { segments: batch.pairs, ..table }
    }

    fn empty(&self, batch: &Batch<'_>) -> Table {
        let (segments, pairs) = (batch.segments, batch.pairs.len());
        let (cells, [of_segment, of_pair]) = CellPlace::places(&self.schema);
        Table {
            cells,
            monotonicity: self.schema.columns.iter().map(Column::monotonicity).collect(),
            segments: Vec::new(),
            segment_values: Array2::zeros((segments, of_segment)),
            pair_values: Array2::zeros((pairs, of_pair)),
            scores: Array2::zeros((segments, self.score_columns.len())),
            reference_sentences: vec![0.0; pairs],
        }
    }

    /// Copies the results of a group into the table, whose similarities are in the columns `similarities`.
    fn fill(&self, table: &mut Table, similarities: &[usize], group: &Group<'_>, computed: &Computed) {
        for (segment, values) in group.segments.iter().zip(&computed.values) {
            let features = self.metric_values.iter().map(|&at| values[at]);
            table.segment_values.row_mut(segment.number).iter_mut().zip(features).for_each(|(to, value)| *to = value);
            let scores = self.score_columns.iter().map(|&(at, sign)| sign * values[at]);
            table.scores.row_mut(segment.number).iter_mut().zip(scores).for_each(|(to, value)| *to = value);
        }
        for ((pair, _), values) in group.pairs.iter().zip(&computed.similarities) {
            for (&to, &from) in similarities.iter().zip(&self.similarities) {
                table.pair_values[[*pair, to]] = values[from];
            }
            table.reference_sentences[*pair] = computed.reference_sentences;
        }
    }

    /// Computes everything for one group. Its prepared texts are freed afterwards.
    fn compute(&self, group: &Group<'_>, tell: &(dyn Fn() + Sync)) -> Computed {
        let texts: Vec<&str> = group.texts().collect();
        // A group is one core's unit of work, unless it is large.
        let texts = texts.par_iter().with_min_len(MIN_PER_THREAD);
        let sentences: Vec<Sentence> = texts
            .map_init(|| self.metric_set.lexicon(), |lexicon, text| self.metric_set.prepare(text, lexicon))
            .collect();
        let mut hypotheses = sentences.into_iter();
        let references: Vec<Sentence> = hypotheses.by_ref().take(group.references.len()).collect();
        let source: Option<Arc<Sentence>> = hypotheses.by_ref().take(group.source.iter().len()).next().map(Arc::new);
        let hypotheses: Vec<Sentence> = hypotheses.map(|hypothesis| hypothesis.of_source(source.clone())).collect();
        let reference_sentences = if self.uses_references { mean_sentences(references.iter()) } else { 1.0 };
        let references: Vec<&Sentence> = references.iter().collect();
        let score = |hypothesis: &Sentence| {
            let values = self.metric_set.values(hypothesis, &references);
            tell();
            values
        };
        let values: Vec<Vec<f64>> = hypotheses.par_iter().with_min_len(MIN_PER_THREAD).map(score).collect();
        let similarities = |(_, segments): &(usize, [usize; 2])| {
            let [first, second] = segments.map(|at| &hypotheses[at]);
            self.pair_features.values(first, second, &self.metric_set, segments.map(|at| values[at].as_slice()))
        };
        let similarities = group.pairs.par_iter().with_min_len(MIN_PER_THREAD).map(similarities).collect();
        Computed { values, similarities, reference_sentences }
    }
}

/// Computes the features of single hypotheses, without those of a pair, for sentences that another set of metrics has
/// prepared.
#[derive(Debug, Clone)]
pub struct HypothesisFeatures {
    metric_set: MetricSet,
    /// The position of each feature among the set's values.
    columns: Vec<usize>,
}

impl HypothesisFeatures {
    /// The features of a schema, in its order; adds what they need of a sentence to the plan.
    ///
    /// # Errors
    /// This version does not know a feature, or computes it differently; `place` says where the schema comes from.
    pub fn for_schema(wanted: &Schema, lexicons: impl Into<Lexicons>, place: &str, plan: &mut Plan) -> Result<Self> {
        let lexicons = lexicons.into();
        let models = lexicons.models().clone();
        let is_wanted =
            |entry: &Entry| entry.is_available(&models) && entry.gives_features() && wanted.has_parts_of(entry);
        let metric_set = MetricSet::over(plan.clone(), lexicons).with_those(is_wanted)?;
        plan.clone_from(metric_set.plan());
        let known: Vec<Column> = metric_set.members().iter().flat_map(columns_of).collect();
        let is_metric = |column: &&Column| matches!(column.source, ColumnSource::Metric { .. });
        let columns = locate(wanted.columns.iter().filter(is_metric), known.iter(), place)?;
        Ok(Self { metric_set, columns })
    }

    /// The number of features.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The features of one hypothesis, in the order of the schema.
    pub fn values(&self, hypothesis: &Sentence, references: &[&Sentence]) -> Vec<f64> {
        let values = self.metric_set.values(hypothesis, references);
        self.columns.iter().map(|&at| values[at]).collect()
    }
}

/// The results of one group.
struct Computed {
    /// All values of the metrics: (segments, values).
    values: Vec<Vec<f64>>,
    /// All values of [`PairFeatures`]: (pairs, values).
    similarities: Vec<Vec<f64>>,
    /// The mean number of sentences per reference.
    reference_sentences: f64,
}

/// The smallest number of segments or pairs of a group that form one unit of work.
const MIN_PER_THREAD: usize = 64;

/// The most segments whose values are held in memory in addition to those in the table, unless more share the same
/// references.
const MAX_SEGMENTS: usize = 16_384;

/// The mean number of sentences per reference, at least 1.
pub(crate) fn mean_sentences<'s>(references: impl ExactSizeIterator<Item = &'s Sentence>) -> f64 {
    let count = references.len().max(1) as f64;
    (references.map(Sentence::sentences).sum::<usize>() as f64 / count).max(1.0)
}

/// The positions of the wanted columns among those that this version computes.
fn locate<'c>(
    wanted: impl Iterator<Item = &'c Column>,
    known: impl Iterator<Item = &'c Column>,
    place: &str,
) -> Result<Vec<usize>> {
    let known: Vec<&Column> = known.collect();
    let find = |column: &Column| {
        let same_name = known.iter().position(|candidate| candidate.name == column.name);
        let found = same_name.map_or_else(|| "no feature of that name".to_owned(), |at| known[at].to_string());
        same_name.filter(|&at| known[at] == column).ok_or_else(|| {
            let advice = match of_value(&column.name) {
                Some((entry, _)) if entry.needs_source() => {
                    "name with `comet` the folder of the COMET model that it was trained with"
                }
                _ => "train the model again, or use the version of tribunal that made it",
            };
            let found = format!("{found} in tribunal {}", env!("CARGO_PKG_VERSION"));
            Error::invalid(place, format!("the feature {column}"), found, advice)
        })
    };
    wanted.map(find).collect()
}

/// The distinct segments of pairs.
#[derive(Debug, Default)]
struct Batch<'p> {
    /// Segments and pairs by their references, in order of first occurrence.
    groups: Vec<Group<'p>>,
    /// The numbers of the two segments of each pair.
    pairs: Vec<[usize; 2]>,
    /// The number of segments. They are numbered in order of first occurrence.
    segments: usize,
}

/// Segments and pairs with the same source and references, or the same prompt in their place.
#[derive(Debug, PartialEq, Eq)]
struct Group<'p> {
    references: &'p [String],
    source: Option<&'p str>,
    segments: Vec<Segment<'p>>,
    /// The number of each pair, and the positions of its two segments in `segments`.
    pairs: Vec<(usize, [usize; 2])>,
}

/// A hypothesis; its references are those of its group.
#[derive(Debug, PartialEq, Eq)]
struct Segment<'p> {
    /// Its number among all segments of the batch.
    number: usize,
    hypothesis: &'p str,
}

impl<'p> Batch<'p> {
    fn new(uses_references: bool, uses_sources: bool, pairs: impl Iterator<Item = &'p Pair>) -> Self {
        let mut batch = Self::default();
        // The positions of groups, by references, and of segments in their groups.
        let mut groups: FxHashMap<(&[String], Option<&str>), usize> = FxHashMap::default();
        let mut known: FxHashMap<(usize, &str), usize> = FxHashMap::default();
        for (number, pair) in pairs.enumerate() {
            let references = if uses_references { pair.references.as_slice() } else { pair.prompt.as_slice() };
            let source = pair.source.as_deref().filter(|_| uses_sources);
            let at = *groups.entry((references, source)).or_insert(batch.groups.len());
            if at == batch.groups.len() {
                batch.groups.push(Group { references, source, segments: Vec::new(), pairs: Vec::new() });
            }
            let group = &mut batch.groups[at];
            let positions = pair.hypotheses.each_ref().map(|hypothesis| {
                let position = *known.entry((at, hypothesis)).or_insert(group.segments.len());
                if position == group.segments.len() {
                    group.segments.push(Segment { number: batch.segments, hypothesis });
                    batch.segments += 1;
                }
                position
            });
            group.pairs.push((number, positions));
            batch.pairs.push(positions.map(|position| group.segments[position].number));
        }
        batch
    }
}

impl<'p> Group<'p> {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let references = self.references.iter().map(String::as_str);
        references.chain(self.source).chain(self.segments.iter().map(|segment| segment.hypothesis))
    }

    fn bytes(&self) -> usize {
        self.texts().map(str::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::features::ColumnValue;
    use crate::judgments::{ExternalMetric, ExternalScore};
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;

    fn pairs(lines: &[&str]) -> Vec<Pair> {
        lines.iter().map(|line| Pair::parse(line, "x", 1).unwrap()).collect()
    }

    fn table(lines: &[&str]) -> Table {
        Extractor::all(WordNet::embedded()).unwrap().extract(pairs(lines).iter(), &|_, _| ())
    }

    fn values(table: &Table, pair: usize) -> Vec<ColumnValue> {
        table.values(pair).collect()
    }

    #[test]
    fn swapped_hypotheses_swap_their_values() {
        let straight = table(&["the cat sat ||| a dog ran off ||| the cat sat down"]);
        let swapped = table(&["a dog ran off ||| the cat sat ||| the cat sat down"]);
        let exchanged = |value: &ColumnValue| match *value {
            ColumnValue::Metric([first, second]) => ColumnValue::Metric([second, first]),
            other => other,
        };
        let [straight, swapped] = [straight, swapped].map(|table| values(&table, 0));
        assert_eq!(straight, swapped.iter().map(exchanged).collect::<Vec<_>>());
        assert_ne!(straight, swapped);
    }

    #[test]
    fn pairs_have_the_same_values_alone_and_together() {
        let lines = ["the cat ||| a dog ||| the cat", "a dog ||| the cat ||| the cat", "a ||| a ||| r ||| s"];
        let together = table(&lines);
        assert_eq!(together.segment_values.nrows(), 3);
        for (at, line) in lines.iter().enumerate() {
            let alone = table(&[line]);
            assert_eq!((values(&alone, 0), alone.scores(0)), (values(&together, at), together.scores(at)));
            assert_eq!(alone.reference_sentences[0], together.reference_sentences[at]);
        }
    }

    #[test]
    fn a_schema_gives_its_columns_in_its_order() {
        let all_features = Extractor::all(WordNet::embedded()).unwrap();
        let columns = &all_features.schema().columns;
        let metrics = columns.iter().filter(|column| !column.is_symmetric()).count();
        let wanted: Schema = [metrics - 1, 0, metrics].map(|at| columns[at].clone()).into_iter().collect();
        let some = Extractor::for_schema(WordNet::embedded(), &wanted, "m.json").unwrap();
        let pairs = pairs(&["the cat sat ||| a dog ran off ||| the cat sat down"]);
        let (all, some) = (all_features.extract(pairs.iter(), &|_, _| ()), some.extract(pairs.iter(), &|_, _| ()));
        assert_eq!(values(&some, 0), [metrics - 1, 0, metrics].map(|at| all.value(0, at)));
    }

    #[test]
    fn own_metrics_come_with_the_pairs() {
        let own = [ExternalMetric { name: "b".into(), lower_is_better: true }, ExternalMetric::new("a")];
        let mut pairs = vec![Pair::new(["x".into(), "y".into()], Vec::new()); 2];
        pairs[0].own = [("a", [1.0, 2.0]), ("b", [3.0, 4.0])]
            .map(|(name, values)| ExternalScore { name: name.into(), values })
            .to_vec();
        let schema: Schema = Column::external(&own.map(ColumnSource::from)).into_iter().collect();
        assert!(schema.check(pairs[..1].iter(), "x").is_ok());
        let message = schema.check(pairs.iter(), "x").unwrap_err().to_string();
        assert!(message.starts_with("x:1: expected values of the own metric 'b', found none; name them"), "{message}");
        let extractor = Extractor::for_schema(WordNet::embedded(), &schema, "x").unwrap();
        let table = extractor.extract(pairs.iter(), &|_, _| ());
        assert_eq!(values(&table, 0), [[-3.0, -4.0], [1.0, 2.0]].map(ColumnValue::External));
        assert!(table.values(1).all(|value| value.of_each().is_some_and(|values| values[0].is_nan())));
    }

    #[test]
    fn texts_too_short_for_bigrams_are_as_alike_as_their_words() {
        let extractor = Extractor::all(WordNet::embedded()).unwrap();
        let columns = &extractor.schema().columns;
        let pairs = pairs(&["cat ||| dog ||| cat", "cat ||| cat ||| dog"]);
        let table = extractor.extract(pairs.iter(), &|_, _| ());
        for name in ["pair.words", "pair.bigrams", "pair.characters"] {
            let at = columns.iter().position(|column| column.name == name).unwrap();
            assert_eq!([0, 1].map(|pair| table.value(pair, at)), [0.0, 1.0].map(ColumnValue::Similarity), "{name}");
        }
    }

    #[test]
    fn the_baseline_needs_its_scores_only() {
        let pairs = pairs(&["the cat sat ||| a dog ran off ||| the cat sat down"]);
        let extractor = Extractor::baseline(WordNet::embedded()).unwrap();
        let names: Vec<&str> = extractor.reported().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["sum.meteor", "sum.synset", "sum.bleu"]);
        let table = extractor.extract(pairs.iter(), &|_, _| ());
        assert_eq!((table.len(), values(&table, 0)), (1, vec![]));
        assert_eq!(table.scores.dim(), (2, 3));
    }

    #[test]
    fn an_unknown_or_changed_feature_is_refused() {
        let wordnet = WordNet::embedded();
        let mut wanted = Extractor::all(wordnet).unwrap().schema().clone();
        let first = wanted.columns[0].clone();
        wanted.columns[0] = Column::metric(first.name.clone(), format!("{first}|changed:yes"));
        let message = Extractor::for_schema(wordnet, &wanted, "m.json").unwrap_err().to_string();
        assert!(message.starts_with("m.json: expected the feature "), "{message}");
        wanted.columns[0].name = "nonsense".into();
        let message = Extractor::for_schema(wordnet, &wanted, "m.json").unwrap_err().to_string();
        assert!(message.contains("found no feature of that name"), "{message}");
    }

    #[test]
    fn a_single_hypothesis_has_the_features_of_the_table() {
        let extractor = Extractor::all(WordNet::embedded()).unwrap();
        let pair = Pair::parse("the cat sat ||| a dog ran off ||| the cat sat down ||| a cat sat", "x", 1).unwrap();
        let table = extractor.extract([&pair].into_iter(), &|_, _| ());

        let mut plan = Plan::default();
        let row = HypothesisFeatures::for_schema(extractor.schema(), WordNet::embedded(), "x", &mut plan).unwrap();
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut prepare = |text: &String| Sentence::prepare(text, &plan, &mut lexicon);
        let references: Vec<Sentence> = pair.references.iter().map(&mut prepare).collect();
        let [first, second] =
            [0, 1].map(|at| row.values(&prepare(&pair.hypotheses[at]), &references.iter().collect::<Vec<_>>()));
        let of_side =
            |side: usize| table.values(0).filter_map(ColumnValue::of_each).map(|values| values[side]).collect();
        assert_eq!([first, second], [0, 1].map(of_side) as [Vec<f64>; 2]);
    }

    #[test]
    fn only_what_a_schema_needs_is_computed() {
        let all = Extractor::all(WordNet::embedded()).unwrap();
        let mut wanted = all.schema().filtered(|column| column.name.starts_with("chrf"));
        let row = HypothesisFeatures::for_schema(&wanted, WordNet::embedded(), "x", &mut Plan::default()).unwrap();
        assert_eq!((row.metric_set.members().len(), row.columns.len()), (1, wanted.columns.len()));
        let first = wanted.columns[0].clone();
        wanted.columns[0] = Column::metric(first.name, "other".into());
        let refused = HypothesisFeatures::for_schema(&wanted, WordNet::embedded(), "m.json", &mut Plan::default());
        let message = refused.unwrap_err().to_string();
        assert!(message.starts_with("m.json: expected the feature chrf"), "{message}");
    }

    #[test]
    fn what_repeats_is_there_once() {
        let pairs = pairs(&["a ||| b ||| r", "b ||| a ||| r", "a ||| b ||| r ||| s", "c ||| a ||| r"]);
        let batch = Batch::new(true, false, pairs.iter());
        assert_eq!((batch.pairs, batch.segments), (vec![[0, 1], [1, 0], [2, 3], [4, 0]], 5));
        let segment = |number, hypothesis| Segment { number, hypothesis };
        let [first, second] = batch.groups.try_into().unwrap();
        assert_eq!(first.segments, [segment(0, "a"), segment(1, "b"), segment(4, "c")]);
        assert_eq!((first.references, first.pairs), (&["r".into()][..], vec![(0, [0, 1]), (1, [1, 0]), (3, [2, 0])]));
        assert_eq!(second.segments, [segment(2, "a"), segment(3, "b")]);
        assert_eq!(second.pairs, [(2, [0, 1])]);
    }

    #[test]
    fn parts_are_of_whole_groups() {
        let sizes = |most| -> Vec<usize> { parts([3, 2, 2].into_iter(), most).iter().map(Range::len).collect() };
        assert_eq!((sizes(100), sizes(5), sizes(4), sizes(1)), (vec![3], vec![2, 1], vec![1, 2], vec![1, 1, 1]));
        assert!(parts([].into_iter(), 1).is_empty());
    }
}
