//! Where the figures of a page come from: files, metrics and models, each identified by a hash, a signature or a
//! checksum.

use std::fs::File;
use std::io::{BufRead, BufReader};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::files::Input;
use crate::metrics::Member;
use crate::model::Model;
use crate::report::details::{DataFile, MetricSignature, ModelOrigin, Provenance};

/// Settings for the contents of a page: the origin of its figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DetailSettings {
    /// The command line, quoted for a shell; empty if there is none.
    pub command: String,
    /// The files that judgments were read from; the page shows their sizes and hashes.
    pub inputs: Vec<Input>,
    /// What import kept and skipped, one paragraph per file.
    pub accounts: Vec<String>,
}

impl DetailSettings {
    /// What is needed to reproduce the report, except for its models and notes.
    pub(super) fn provenance<'m>(&self, seed: u64, reported: impl Iterator<Item = &'m Member>) -> Result<Provenance> {
        // Metrics without values have no signature.
        let signature = |metric: &Member| {
            let (_, signature) = metric.values().next()?;
            Some(MetricSignature { name: metric.name.clone(), signature: signature.to_string() })
        };
        Ok(Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.command.clone(),
            seed,
            data: self.inputs.iter().map(data_file).collect::<Result<_>>()?,
            accounts: self.accounts.clone(),
            signatures: reported.filter_map(signature).collect(),
            ..Provenance::default()
        })
    }
}

/// The size and SHA-256 of a file as stored, compressed or not. Inputs that are no regular file, such as standard input
/// or a pipe, cannot be read twice and have neither.
fn data_file(input: &Input) -> Result<DataFile> {
    let name = input.name();
    let Input::File(path) = input else { return Ok(DataFile { name, bytes: None, sha256: None }) };
    let cannot = |error| Error::io(path, error, "read the file");
    if !path.metadata().map_err(cannot)?.is_file() {
        return Ok(DataFile { name, bytes: None, sha256: None });
    }
    let mut digest = Sha256::new();
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(cannot)?);
    let mut bytes = 0;
    loop {
        let chunk = reader.fill_buf().map_err(cannot)?;
        if chunk.is_empty() {
            break;
        }
        digest.update(chunk);
        let length = chunk.len();
        bytes += length as u64;
        reader.consume(length);
    }
    let digits = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(DataFile { name, bytes: Some(bytes), sha256: Some(digits) })
}

/// A model, identified by its checksum.
pub(super) fn model_origin(name: &str, model: &Model) -> Result<ModelOrigin> {
    let data = model.training.data.clone();
    Ok(ModelOrigin { name: name.to_owned(), checksum: model.checksum()?, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_hash_that_sha256sum_prints() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dev.pairs");
        std::fs::write(&path, "abc").unwrap();
        let found = data_file(&Input::File(path)).unwrap();
        // `printf abc | sha256sum`, coreutils 9.1; also FIPS 180-4, example of one block.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(found, DataFile { name: "dev.pairs".into(), bytes: Some(3), sha256: Some(expected.into()) });
        let found = data_file(&Input::Stdin).unwrap();
        assert_eq!(found, DataFile { name: "-".into(), bytes: None, sha256: None });
    }
}
