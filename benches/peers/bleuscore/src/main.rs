//! BLEU of all segments with the crate bleuscore: `bleuscore-peer HYPOTHESES REFERENCES`.

use std::{env, fs, process};

use bleuscore::{RefLenMethod, compute_score};

fn main() {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [hypotheses, references] = paths.as_slice() else {
        eprintln!("usage: bleuscore-peer HYPOTHESES REFERENCES");
        process::exit(2);
    };
    let hypotheses = lines(hypotheses);
    let references: Vec<Vec<String>> = lines(references).into_iter().map(|line| vec![line]).collect();
    // A single call for all segments is the only way to avoid its set-up for every segment.
    println!("{}", compute_score(&references, &hypotheses, 4, false, RefLenMethod::Closest).bleu);
}

fn lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| {
        eprintln!("{path}: {error}");
        process::exit(1);
    });
    text.lines().map(str::to_owned).collect()
}
