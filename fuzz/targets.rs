//! The fuzz targets: checks that hold for arbitrary bytes. The fuzzer calls them, and the test `fuzz_seeds` runs them
//! on the seeds and on past findings.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use tribunal::features::Extractor;
use tribunal::files::table::{Column, Rows, TableKind};
use tribunal::files::{Input, Output};
use tribunal::formats::{
    self, Format, Importer, PairReader, PairShape, PairWriter, Reading, Role, TABLE_KIND, answers,
};
use tribunal::judgments::Pair;
use tribunal::metrics::MetricSet;
use tribunal::metrics::meteor::tokenizer::{Normalization, tokenize};
use tribunal::model::{LearnedMetric, Model, checksum};
use tribunal::options::{Options, Value};
use tribunal::text::tokenizers::Tercom;
use tribunal::text::{Lexicon, Stemmer, Tokenizer};
use tribunal::wordnet::WordNet;

/// A folder, in memory if possible, with texts for judgments that refer to them by name.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let folder = folder.expect("a folder can be made");
    for (name, text) in [("A.cs-en", "a\nb\n"), ("B.cs-en", "c\nd\n"), ("ref.cs-en", "e\nf\n")] {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
});

/// Writes content to a new file in the folder; unique names allow concurrent tests.
fn write_file(ending: &str, content: &[u8]) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = FOLDER.path().join(format!("{}-{number}.{ending}", std::process::id()));
    fs::write(&path, content).expect("a file can be written");
    path
}

/// Readers other than those of the formats.
pub const OTHER_READERS: [&str; 5] = ["answers", "gz", "zst", "texts", "rows"];

/// Reads the bytes below the first line. The first line names the reader; if it is not a name, its first byte selects
/// one. A reader returns pairs or an error, and never more than it has read.
pub fn readers(data: &[u8]) {
    let Some(&first) = data.first() else { return };
    let end = data.iter().position(|&byte| byte == b'\n');
    let (line, content) = end.map_or((data, &[][..]), |end| (&data[..end], &data[end + 1..]));
    let names: Vec<&str> = formats::REGISTRY.iter().map(|format| format.name).chain(OTHER_READERS).collect();
    let named = names.iter().find(|name| name.as_bytes() == line);
    let (name, content) = named.map_or((names[usize::from(first) % names.len()], &data[1..]), |name| (*name, content));
    let path = write_file(if name == "texts" { "sgm" } else { name }, content);
    let input = Input::File(path.clone());
    match name {
        "gz" | "zst" => read(PairReader::open(&input, None).ok(), content),
        "answers" => drop(answers::read(&input, &Default::default())),
        "rows" => TableKind::ALL.iter().for_each(|&kind| rows(&input, kind)),
        "texts" => drop(formats::sgml::Texts::read(&input).map(|texts| texts.get("1").map(str::len))),
        _ => formats::find(name).into_iter().for_each(|format| format_of(format, &input, content)),
    }
    fs::remove_file(path).expect("the file is there");
}

/// Reads a format with its default options, and with all switches on; a table as every kind of table.
fn format_of(format: &'static Format, input: &Input, content: &[u8]) {
    if format.role == Role::Pairs {
        return read(PairReader::open(input, Some(format)).ok(), content);
    }
    let set = |options: &mut Options, spec, text| options.set(spec, text).expect("a value that is allowed");
    let mut switched = Options::default();
    for spec in format.options.iter().filter(|spec| matches!(spec.value, Value::Switch)) {
        set(&mut switched, spec, "");
    }
    for mut options in [Options::default(), switched] {
        if !format.options.iter().any(|spec| spec.name == TABLE_KIND.name) {
            import((format.open)(input, &Reading::from(options)));
            continue;
        }
        for kind in TableKind::ALL {
            set(&mut options, &TABLE_KIND, kind.name());
            import((format.open)(input, &Reading::from(options.clone())));
        }
    }
}

/// Reads every cell of a table as every type. Each error message is one short line.
fn rows(input: &Input, kind: TableKind) {
    let check = |error: &tribunal::Error| {
        let message = error.to_string();
        assert!(!message.contains(char::is_control) && message.len() < 10_000, "{message}");
    };
    let rows = match Rows::open(input, Some(kind)) {
        Ok(rows) => rows,
        Err(error) => return check(&error),
    };
    let columns: Vec<Column> =
        rows.header().columns().iter().filter_map(|name| rows.header().find(name)).take(20).collect();
    for row in rows.take(100) {
        let row = match row {
            Ok(row) => row,
            Err(error) => return check(&error),
        };
        for column in &columns {
            row.texts(column).err().iter().for_each(check);
            row.number(column).err().iter().for_each(check);
            if let Ok(Some(text)) = row.optional(column) {
                assert!(!text.trim().is_empty());
            }
        }
    }
}

/// Pairs that were read can be written and read back unchanged.
fn read(reader: Option<PairReader>, content: &[u8]) {
    let Some(reader) = reader else { return };
    let pairs = reader.take_while(Result::is_ok).filter_map(Result::ok).take(100);
    // In a table, a blank reference is none.
    let is_blank = |pair: &Pair| pair.references.iter().all(|text| text.trim().is_empty());
    let without = |pair: Pair| if is_blank(&pair) { Pair { references: Vec::new(), ..pair } } else { pair };
    let pairs: Vec<Pair> = pairs.map(without).collect();
    assert!(pairs.iter().all(|pair| pair.line <= content.len() + 1_000_000));
    let path = write_file("copy.jsonl", b"");
    let output = Output::create(Some(&path)).expect("a file can be made");
    let mut writer = PairWriter::begin(output, TableKind::JsonLines, PairShape::of_references(1), std::iter::empty())
        .expect("JSON Lines have labels");
    pairs.iter().for_each(|pair| writer.write(pair).expect("JSON holds any text"));
    writer.finish().expect("the disk is not full");
    let again = PairReader::open(&Input::File(path.clone()), None).expect("the copy is there");
    let again: Vec<Pair> = again.take(pairs.len()).map(|pair| pair.expect("what was written can be read")).collect();
    let unnumbered = |pairs: Vec<Pair>| pairs.into_iter().map(|pair| Pair { line: 0, ..pair }).collect::<Vec<_>>();
    assert_eq!(unnumbered(pairs), unnumbered(again));
    fs::remove_file(path).expect("the copy is there");
}

/// The summary of an import agrees with its pairs.
fn import(importer: tribunal::Result<Importer>) {
    let Ok(mut importer) = importer else { return };
    let mut pairs = 0;
    for pair in importer.by_ref() {
        let Ok(pair) = pair else { return };
        assert!(pair.label.is_some());
        assert!(pair.weight.is_none_or(|weight| weight.is_finite() && weight >= 0.0), "{:?}", pair.weight);
        pairs += 1;
        // A segment of n hypotheses has n (n - 1) / 2 pairs.
        if pairs > 10_000 {
            return;
        }
    }
    let summary = importer.summary;
    assert!(summary.rows_dropped.values().sum::<usize>() <= summary.rows_read);
    let _ = summary.to_string();
}

/// Every tokeniser and stemmer, and every look-up of a word in WordNet.
pub fn words(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let tercom = [false, true].map(|all| Tercom {
        normalized: all,
        no_punctuation: all,
        asian_support: all,
        case_sensitive: all,
    });
    let mut tokenizers = vec![
        Tokenizer::Words,
        Tokenizer::Marks,
        Tokenizer::Characters,
        Tokenizer::Whitespace,
        Tokenizer::V13a,
        Tokenizer::Intl,
        Tokenizer::Chinese,
        Tokenizer::Rouge,
        Tokenizer::Rouge155,
        Tokenizer::EdgePunctuation,
    ];
    tokenizers.extend(tercom.map(Tokenizer::Tercom));
    tokenizers.extend(tercom.map(Tokenizer::TercomReference));
    let check = |what: &dyn std::fmt::Debug, tokens: &[String]| {
        assert!(tokens.iter().all(|token| !token.is_empty()), "{what:?} gives an empty token of {text:?}");
        // White space is inserted around punctuation, and escapes become longer, but growth is bounded.
        let bytes: usize = tokens.iter().map(String::len).sum();
        assert!(bytes <= 8 * text.len() + 8, "{what:?} makes {bytes} bytes of {text:?}");
    };
    for tokenizer in tokenizers {
        check(&tokenizer, &tokenizer.tokens(&text));
    }
    for normalization in [Normalization::None, Normalization::Lower, Normalization::Words, Normalization::WordsOnly] {
        let mut tokens = Vec::new();
        tokenize(&text, normalization, &mut |token| tokens.push(token.to_owned()));
        check(&normalization, &tokens);
    }
    const STEMMERS: [Stemmer; 6] = [
        Stemmer::Snowball,
        Stemmer::Porter,
        Stemmer::PorterMartin,
        Stemmer::PorterNltk,
        Stemmer::RougeScore,
        Stemmer::Rouge155,
    ];
    for word in text.to_lowercase().split_whitespace().take(16) {
        STEMMERS.into_iter().for_each(|stemmer| assert!(stemmer.stem(word).len() <= word.len() + 8));
        look_up(WordNet::embedded(), word);
    }
    // Nearly all inputs are not an index; refusing them must be safe.
    if let Ok(wordnet) = WordNet::from_bytes(Cow::Owned(data.to_vec())) {
        text.split_whitespace().take(4).for_each(|word| look_up(&wordnet, word));
    }
}

fn look_up(wordnet: &WordNet, word: &str) {
    let synsets = wordnet.word_synsets(word);
    for &synset in synsets.iter().take(4) {
        assert!(wordnet.members(synset).count() > 0);
    }
    assert_eq!(wordnet.contains(word), wordnet.synsets(word).next().is_some());
}

/// Tolerance for rounding at the bounds of a range, whatever its scale.
const ROUNDING: f64 = 1e-9;

/// All values of all metrics are finite and within their ranges. Each line is a text: the hypothesis, then references.
pub fn metrics(data: &[u8]) {
    static METRICS: LazyLock<MetricSet> = LazyLock::new(|| MetricSet::all().expect("the registered metrics"));
    let text = String::from_utf8_lossy(data);
    let mut texts = text.split('\n').take(3);
    let mut lexicon = Lexicon::new(WordNet::embedded());
    let hypothesis = METRICS.prepare(texts.next().unwrap_or_default(), &mut lexicon);
    let mut references: Vec<_> = texts.map(|text| METRICS.prepare(text, &mut lexicon)).collect();
    if references.is_empty() {
        references.push(METRICS.prepare("the cat sat on the mat", &mut lexicon));
    }
    let mut values = METRICS.values(&hypothesis, &references.iter().collect::<Vec<_>>()).into_iter();
    for member in METRICS.members() {
        let entry = member.entry;
        for (part, value) in member.metric.values().iter().zip(values.by_ref()) {
            let (low, high) = entry.range_of(part);
            let is_in_range = value.is_finite() && low - ROUNDING <= value && value <= high + ROUNDING;
            assert!(is_in_range, "{} {part}: {value}", entry.name);
        }
    }
}

/// A model is refused, or gives valid probabilities and scores. The bytes are also tried with a valid checksum.
pub fn models(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for text in [text.to_string(), checksum::seal(&text)] {
        let Ok(model) = Model::parse(&text, "fuzz") else { continue };
        let Ok(extractor) = model.extractor(WordNet::embedded(), "fuzz") else { continue };
        judge(&model, &extractor);
        score(&model);
    }
}

fn score(model: &Model) {
    let (wordnet, mut metric_set) = (WordNet::embedded(), MetricSet::new(WordNet::embedded()));
    let added = metric_set.add("fuzz", |plan| Ok(Box::new(LearnedMetric::new(model, wordnet, "fuzz", plan)?)));
    added.expect("an extractor knows the same features");
    let mut lexicon = Lexicon::new(wordnet);
    for [hypothesis, reference] in [["the cat sat", "a cat sat"], ["a", "a"], ["", ""]] {
        let [hypothesis, reference] = [hypothesis, reference].map(|text| metric_set.prepare(text, &mut lexicon));
        let score = metric_set.scores(&hypothesis, &[&reference])[0];
        assert!((0.0..=100.0).contains(&score), "{score}");
    }
}

fn judge(model: &Model, extractor: &Extractor) {
    for line in ["the cat sat ||| a dog ||| the cat sat", "a ||| a ||| a", " |||  ||| "] {
        let pair = Pair::parse(line, "fuzz", 1).expect("a pair");
        for probabilities in model.judge(&extractor.extract([&pair].into_iter(), &|_, _| ())) {
            let sum: f64 = probabilities.0.iter().sum();
            assert!((sum - 1.0).abs() < 1e-6, "{probabilities:?}");
        }
    }
}
