//! Builds the table of short paraphrases from METEOR's full table:
//!
//! ```text
//! cargo run --release --package tribunal-text-metrics --example build_paraphrases -- \
//!     paraphrase-en.gz crates/metrics/data/meteor/paraphrases.idx
//! ```
//!
//! The same table gives the same bytes. Compiling the example requires an existing table: the committed one will do.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use tribunal_text_metrics::metrics::meteor::ParaphraseTable;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [table, file] = arguments.as_slice() else {
        eprintln!("usage: build_paraphrases PARAPHRASE_TABLE FILE");
        return ExitCode::from(2);
    };
    match run(Path::new(table), Path::new(file)) {
        Ok(size) => {
            println!("{size} bytes");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(table: &Path, file: &Path) -> tribunal_text_metrics::error::Result<usize> {
    let table = ParaphraseTable::read_short(table)?;
    // Renamed when it is complete, so that an incomplete table never appears under the name.
    let part = file.with_extension("part");
    let cannot = |error| tribunal_text_metrics::Error::io(file, error, "write the table");
    fs::write(&part, table.bytes()).map_err(cannot)?;
    fs::rename(&part, file).map_err(cannot)?;
    Ok(table.bytes().len())
}
