//! Fits one model and measures the CPU time: `benches/peers/fit.py` compares it with scikit-learn.
//!
//! ```text
//! cargo run --release --example fit -- PAIRS ANSWERS PENALTY MATRIX
//! ```
//!
//! Writes the mirrored rows and their labels to MATRIX: two integers, the numbers of rows and columns; then all values;
//! then one label per row, 0, 1 or 2 for 1, 0 and -1. All are 64 bits wide and little-endian. Prints the CPU seconds of
//! several fits, and the weights, as JSON.

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use tribunal::features::{Choice, Extractor};
use tribunal::files::Input;
use tribunal::formats;
use tribunal::judgments::Verdict;
use tribunal::judgments::grouping;
use tribunal::learners::LogisticRegression;
use tribunal::learners::logistic::design::Design;
use tribunal::learners::logistic::{LogisticSettings, Scale};
use tribunal::learning::{Labelled, Learner};
use tribunal::wordnet::WordNet;

/// The number of timed fits.
const FITS: usize = 7;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pairs, answers, penalty, matrix] = arguments.as_slice() else {
        eprintln!("fit: expected PAIRS ANSWERS PENALTY MATRIX, found {} arguments", arguments.len());
        return ExitCode::from(2);
    };
    match run(pairs, answers, penalty, matrix) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fit: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(pairs: &str, answers: &str, penalty: &str, matrix: &str) -> Result<(), Box<dyn Error>> {
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
    write(&Design::new(data, &rows, &Scale::measure(data, &rows)), matrix)?;

    let learner = LogisticRegression::new(LogisticSettings { monotone: false, ..LogisticSettings::default() })?;
    let (mut seconds, mut weights) = (Vec::new(), None);
    for _ in 0..FITS {
        let before = cpu_seconds()?;
        let judge = learner.fit(data, &rows, penalty, None)?;
        seconds.push(cpu_seconds()? - before);
        weights = Some(judge.weights);
    }
    println!("{}", serde_json::json!({ "seconds": seconds, "weights": weights }));
    Ok(())
}

fn write(design: &Design, matrix: &str) -> std::io::Result<()> {
    let (rows, labels) = design.mirrored(&design.columns());
    let mut bytes: Vec<u8> =
        [rows.nrows() as u64, rows.ncols() as u64].iter().flat_map(|count| count.to_le_bytes()).collect();
    bytes.extend(rows.iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(labels.iter().flat_map(|label| (label.index() as u64).to_le_bytes()));
    fs::write(matrix, bytes)
}

/// The CPU time of this thread so far, in seconds.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}
