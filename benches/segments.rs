//! Throughput of every stage in segments per second: `cargo bench --package tribunal-benches`.
//!
//! The text is the sample that ships with the program. `TRIBUNAL_PAIRS=FILE` names other pairs, which have no answers,
//! so training is then left out. Features of repeated segments are computed once, as in the program. Everything runs on
//! one thread.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tribunal::features::{Extractor, Table};
use tribunal::files::table::{Cell, CellKind, RowWriter, TableKind};
use tribunal::files::{Input, Output};
use tribunal::formats;
use tribunal::formats::PairReader;
use tribunal::judgments::{Judgment, Pair};
use tribunal::learners::LogisticRegression;
use tribunal::learners::logistic::LogisticSettings;
use tribunal::learning::{self, Labelled, Validation};
use tribunal::metrics::{MetricSet, REGISTRY};
use tribunal::model::builtin;
use tribunal::text::{Lexicon, Sentence};
use tribunal::wordnet::WordNet;

/// The same allocator as the program's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/sample/sample");

/// Sets of metrics that are often computed together.
const TOGETHER: [(&str, &[&str]); 1] = [("rouge1+2+L", &["rouge1", "rouge2", "rougeL"])];

fn pairs() -> Vec<Pair> {
    let path = std::env::var_os("TRIBUNAL_PAIRS").map_or_else(|| format!("{SAMPLE}.pairs").into(), PathBuf::from);
    let reader = PairReader::open(&Input::File(path), None).expect("a file of pairs");
    reader.collect::<tribunal::Result<_>>().expect("pairs")
}

/// Hypothesis and first reference of every segment.
fn segments(pairs: &[Pair]) -> Vec<[&str; 2]> {
    let mut segments = Vec::with_capacity(2 * pairs.len());
    for pair in pairs {
        segments.extend(pair.hypotheses.iter().map(|hypothesis| [hypothesis.as_str(), &pair.references[0]]));
    }
    segments
}

fn prepare(metric_set: &MetricSet, segments: &[[&str; 2]], lexicon: &mut Lexicon) -> Vec<[Sentence; 2]> {
    segments.iter().map(|texts| texts.map(|text| metric_set.prepare(text, lexicon))).collect()
}

/// Reading pairs from a file, and writing a table of numbers.
fn files(criterion: &mut Criterion) {
    let count = pairs().len() as u64;
    let mut group = criterion.benchmark_group("files");
    group.sample_size(10).throughput(Throughput::Elements(2 * count));
    group.bench_function("read", |bencher| bencher.iter(pairs));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.tsv");
    let values: Vec<Cell<'_>> = (1..=10).map(|part| Cell::Number(1.0 / f64::from(part))).collect();
    let names: Vec<String> = (1..=10).map(|column| column.to_string()).collect();
    let columns: Vec<_> = names.iter().map(|name| (name.as_str(), CellKind::Number)).collect();
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let output = Output::create(Some(&path)).expect("a file");
            let mut writer = RowWriter::begin(output, TableKind::Tsv, &columns).expect("a table");
            (0..2 * count).for_each(|_| writer.write(&values).expect("a row"));
            writer.finish().expect("a table");
        });
    });
    group.finish();
}

/// Each metric from text to score, with all words already in the lexicon; then its preparation of texts alone.
fn metrics(criterion: &mut Criterion) {
    let pairs = pairs();
    let segments = segments(&pairs);
    let single = REGISTRY.iter().map(|entry| (entry.name, vec![entry.name]));
    let together = TOGETHER.iter().map(|(name, metrics)| (*name, metrics.to_vec()));
    for (name, names) in single.chain(together) {
        let metric_set = MetricSet::named(&names).expect("registered metrics");
        let mut lexicon = Lexicon::new(WordNet::embedded());
        prepare(&metric_set, &segments, &mut lexicon);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Elements(segments.len() as u64));
        group.bench_function("whole", |bencher| {
            bencher.iter(|| {
                for texts in &segments {
                    let [hypothesis, reference] = texts.map(|text| metric_set.prepare(text, &mut lexicon));
                    black_box(metric_set.scores(&hypothesis, &[&reference]));
                }
            });
        });
        group.bench_function("preparation", |bencher| {
            bencher.iter(|| {
                segments.iter().flatten().for_each(|text| drop(black_box(metric_set.prepare(text, &mut lexicon))));
            });
        });
        group.finish();
    }
}

/// Words looked up for the first time.
fn lexicon(criterion: &mut Criterion) {
    let pairs = pairs();
    let segments = segments(&pairs);
    let metric_set = MetricSet::named(&["meteor", "meteor2005", "synset"]).expect("registered metrics");
    let mut group = criterion.benchmark_group("lexicon");
    group.sample_size(10).throughput(Throughput::Elements(segments.len() as u64));
    group.bench_function("cold", |bencher| {
        bencher.iter_batched_ref(
            || Lexicon::new(WordNet::embedded()),
            |lexicon| prepare(&metric_set, &segments, lexicon),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn extract(pairs: &[Pair]) -> Table {
    Extractor::all(WordNet::embedded()).expect("the registered metrics").extract(pairs.iter(), &|_, _| ())
}

/// All features, then prediction with the built-in model: with its features, and from computed features.
fn features(criterion: &mut Criterion) {
    let pairs = pairs();
    let mut group = criterion.benchmark_group("features");
    group.sample_size(10).throughput(Throughput::Elements(2 * pairs.len() as u64));
    group.bench_function("all", |bencher| bencher.iter(|| extract(&pairs)));
    group.finish();

    let model = builtin::model().expect("the model inside the program");
    let extractor = model.extractor(WordNet::embedded(), builtin::NAME).expect("its features");
    let mut group = criterion.benchmark_group("predict");
    group.sample_size(10).throughput(Throughput::Elements(2 * pairs.len() as u64));
    group.bench_function("whole", |bencher| {
        bencher.iter(|| model.judge(&extractor.extract(pairs.iter(), &|_, _| ())));
    });
    let table = extractor.extract(pairs.iter(), &|_, _| ());
    group.bench_function("model", |bencher| bencher.iter(|| model.judge(&table)));
    group.finish();
}

/// A fit with its penalty chosen on inner folds, from computed features.
fn training(criterion: &mut Criterion) {
    if std::env::var_os("TRIBUNAL_PAIRS").is_some() {
        return;
    }
    let [pairs, answers] = ["pairs", "answers"].map(|ending| Input::File(format!("{SAMPLE}.{ending}").into()));
    let judgments = formats::read(&pairs, None, Some(&answers)).expect("the sample").judgments;
    let pairs: Vec<Pair> = judgments.iter().map(|judgment: &Judgment| judgment.pair.clone()).collect();
    let labels: Vec<_> = judgments.iter().map(|judgment| judgment.label).collect();
    let groups = tribunal::judgments::grouping::groups(pairs.iter());
    let table = extract(&pairs);
    let settings = Validation::default();
    let free = LogisticSettings { monotone: false, ..LogisticSettings::default() };
    let learner = LogisticRegression::new(free).expect("the default settings");
    let data = Labelled { table: &table, labels: &labels, groups: &groups, weights: &[] };
    let mut group = criterion.benchmark_group("training");
    group.sample_size(10).throughput(Throughput::Elements(2 * labels.len() as u64));
    group.bench_function("fit", |bencher| {
        bencher.iter(|| learning::train(&learner, data, &settings).expect("a fit"));
    });
    group.finish();
}

criterion_group!(benches, files, metrics, lexicon, features, training);
criterion_main!(benches);
