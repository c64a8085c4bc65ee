//! Builds the table of short paraphrases from METEOR's full table:
//!
//! ```text
//! cargo run --release --example build_paraphrases -- paraphrase-en.gz data/meteor/paraphrases.idx
//! ```
//!
//! The same table gives the same bytes. Compiling the example requires an existing table: the committed one will do.

use std::path::Path;
use std::process::ExitCode;

use tribunal::files::Output;
use tribunal::metrics::meteor::ParaphraseTable;

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

fn run(table: &Path, file: &Path) -> tribunal::error::Result<usize> {
    let table = ParaphraseTable::read_short(table)?;
    let mut output = Output::create(Some(file))?;
    output.write(table.bytes())?;
    output.finish()?;
    Ok(table.bytes().len())
}
