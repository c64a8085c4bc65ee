//! Builds the WordNet index from an official dict folder:
//!
//! ```text
//! cargo run --release --example build_wordnet_index -- /usr/share/wordnet data/wordnet/wordnet-3.0.idx
//! ```
//!
//! The same folder gives the same bytes. Compiling the example requires an existing index: the committed one will do.

use std::borrow::Cow;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use tribunal::wordnet::{WordNet, build_index};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, index] = arguments.as_slice() else {
        eprintln!("usage: build_wordnet_index DICT_FOLDER INDEX_FILE");
        return ExitCode::from(2);
    };
    match run(Path::new(folder), Path::new(index)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path, index: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = build_index(folder)?;
    write_whole(index, &bytes).map_err(|error| format!("{}: {error}", index.display()))?;

    let size = bytes.len();
    let wordnet = WordNet::from_bytes(Cow::Owned(bytes))?;
    let (version, fingerprint) = (wordnet.version(), wordnet.fingerprint());
    println!("WordNet {version}, {size} bytes, fingerprint {fingerprint:016x}");
    println!("{:?}", wordnet.counts());
    Ok(())
}

/// Writes a neighbouring file and renames it, so that an incomplete index never appears under the name.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let neighbour = path.with_extension("new");
    std::fs::write(&neighbour, bytes)?;
    std::fs::rename(&neighbour, path)
}
