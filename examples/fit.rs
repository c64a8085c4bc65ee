//! Fits models and measures the CPU time: `benches/peers/fit.py` compares it with scikit-learn.
//!
//! ```text
//! cargo run --release --example fit -- PAIRS ANSWERS PENALTY FOLDER
//! ```
//!
//! Writes into FOLDER `rows`, the scaled rows: two integers, the numbers of rows and columns; then all values; then one label per
//! row, 0, 1 or 2 for 1, 0 and -1, all of 64 bits and little-endian. And `fits.json`: every fit of `train` without bounds of the
//! weights, which are the rows, and the penalties that one after the other is fitted with; and the number of columns that change
//! their sign when the hypotheses are swapped. Prints the weights of all rows at PENALTY, as JSON. Then, for each line of standard
//! input, makes all these fits on one core, and prints the CPU seconds.

use std::error::Error;
use std::fs;
use std::io::stdin;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use serde_json::{Value, json};
use tribunal::features::{Choice, Extractor, Table};
use tribunal::files::Input;
use tribunal::formats;
use tribunal::judgments::Verdict;
use tribunal::judgments::grouping;
use tribunal::learners::LogisticRegression;
use tribunal::learners::logistic::design::Design;
use tribunal::learners::logistic::{LinearModel, LogisticSettings, Scale};
use tribunal::learning::{Labelled, Learner, Validation, cross_validate, fit, split};
use tribunal::wordnet::WordNet;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pairs, answers, penalty, folder] = arguments.as_slice() else {
        eprintln!("fit: expected PAIRS ANSWERS PENALTY FOLDER, found {} arguments", arguments.len());
        return ExitCode::from(2);
    };
    match run(pairs, answers, penalty, folder.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fit: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(pairs: &str, answers: &str, penalty: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    let penalty: f64 = penalty.parse()?;
    let (pairs, answers) = (Input::File(pairs.into()), Input::File(answers.into()));
    let judgments = formats::read(&pairs, None, Some(&answers))?.judgments;
    let wordnet = WordNet::embedded();
    let schema = Choice::default().select(Extractor::all(wordnet)?.schema())?;
    let extractor = Extractor::for_schema(wordnet, &schema, "features")?;
    let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &|_, _| ());
    let labels: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
    let rows: Vec<usize> = (0..labels.len()).collect();
    let groups = grouping::groups(judgments.iter().map(|judgment| &judgment.pair));
    let data = Labelled { table: &table, labels: &labels, groups: &groups, weights: &[] };
    let design = Design::new(data, &rows, &Scale::measure(data, &rows));
    write(&design, &folder.join("rows"))?;

    let learner = LogisticRegression::new(LogisticSettings { monotone: false, ..LogisticSettings::default() })?;
    let recorder = Recorder { learner: &learner, fits: Mutex::default() };
    train(&recorder, data)?;
    let fits = recorder.fits.into_inner().map_err(|_| "a fit has failed")?;
    let fits = json!({"signed": design.hypothesis_columns, "fits": fits});
    fs::write(folder.join("fits.json"), fits.to_string())?;

    println!("{}", serde_json::to_string(&learner.fit(data, &rows, penalty, None)?.weights)?);
    let core = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for line in stdin().lines() {
        line?;
        let seconds = core.install(|| {
            let before = cpu_seconds().map_err(|error| error.to_string())?;
            train(&learner, data).map_err(|error| error.to_string())?;
            Ok::<f64, String>(cpu_seconds().map_err(|error| error.to_string())? - before)
        })?;
        println!("{seconds}");
    }
    Ok(())
}

/// The fits of `train`.
fn train<L: Learner<Table = Table, Predictor = LinearModel>>(
    learner: &L,
    data: Labelled<'_, Table>,
) -> tribunal::Result<()> {
    let settings = Validation::default();
    let folds = split(data.groups, settings.folds, settings.seed)?;
    let judged = cross_validate(learner, data, &folds, &settings, &|_, _| ())?;
    fit(learner, data, &judged.tuned_on_all).map(drop)
}

/// Notes what is fitted.
struct Recorder<'l> {
    learner: &'l LogisticRegression,
    fits: Mutex<Vec<Value>>,
}

impl Recorder<'_> {
    fn note(&self, rows: &[usize], penalties: &[f64]) {
        if let Ok(mut fits) = self.fits.lock() {
            fits.push(json!({"rows": rows, "penalties": penalties}));
        }
    }
}

impl Learner for Recorder<'_> {
    type Table = Table;
    type Predictor = LinearModel;

    fn name(&self) -> &'static str {
        self.learner.name()
    }

    fn strengths(&self) -> &[f64] {
        self.learner.strengths()
    }

    fn strength_for_part(&self, strength: f64, times: f64) -> f64 {
        self.learner.strength_for_part(strength, times)
    }

    fn fit(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strength: f64,
        start: Option<&LinearModel>,
    ) -> tribunal::Result<LinearModel> {
        self.note(rows, &[strength]);
        self.learner.fit(data, rows, strength, start)
    }

    fn fit_loosely(
        &self,
        data: Labelled<'_, Table>,
        rows: &[usize],
        strengths: &[f64],
        start: Option<&LinearModel>,
    ) -> tribunal::Result<Vec<LinearModel>> {
        self.note(rows, strengths);
        self.learner.fit_loosely(data, rows, strengths, start)
    }
}

fn write(design: &Design, path: &Path) -> std::io::Result<()> {
    let rows = &design.rows;
    let mut bytes: Vec<u8> =
        [rows.nrows() as u64, rows.ncols() as u64].iter().flat_map(|count| count.to_le_bytes()).collect();
    bytes.extend(rows.iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(design.labels.iter().flat_map(|label| (label.index() as u64).to_le_bytes()));
    fs::write(path, bytes)
}

/// The CPU time of this thread so far, in seconds.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}
