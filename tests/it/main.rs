//! All tests that use the crate from outside, as one program, which is linked only once.

mod common;
/// The fuzz targets, which stable Rust can run on seeds.
#[path = "../../fuzz/targets.rs"]
mod targets;

mod annotate;
mod bad_input;
// What the program prints is that of the program as it comes.
#[cfg(not(feature = "parquet"))]
mod book;
mod cli;
mod command_line;
mod correlate;
// The table is that of the default build: the feature `parquet` changes some messages.
#[cfg(not(feature = "parquet"))]
mod damage;
mod documentation;
mod explain;
mod explain_command;
mod figures;
mod first_run;
mod formats;
mod fuzz_seeds;
mod gate;
mod golden;
mod golden_fit;
mod golden_judges;
mod golden_mcnemar;
mod golden_meta;
mod golden_meteor;
mod golden_meteor2005;
mod golden_nltk;
mod golden_ranking;
mod golden_rouge;
mod golden_sacrebleu;
mod golden_significance;
mod golden_stemmers;
mod hostile;
mod import;
mod in_memory;
mod judges;
mod killed;
mod layout;
mod look;
mod outputs;
mod own;
mod properties;
mod ranking;
mod reading;
mod report;
mod report_folder;
mod robust_ngrams;
mod safeguards;
mod score;
mod signals;
mod streaming;
mod tables;
mod terminal;
mod ties;
mod train;
mod warnings;
