//! The files that `train` learns from.

use anyhow::Result;
use tribunal::Error;
use tribunal::files::Input;
use tribunal::formats::{ExternalMetrics, Reading};
use tribunal::workflows::Source;

use super::super::options::Common;

/// The files, and what belongs to each in order.
pub struct Files<'a> {
    pub pairs: &'a [Input],
    pub answers: &'a [Input],
    pub weights: &'a [f64],
    pub own: &'a ExternalMetrics,
}

impl Files<'_> {
    /// Reads all of them, with the accounts of those that were imported.
    pub fn read(&self, reading: &Reading, common: &Common) -> Result<(Vec<Source>, Vec<String>)> {
        let files = self.pairs.len();
        check_number("--answers", self.answers.len(), files)?;
        check_number("--weights", self.weights.len(), files)?;
        let source = |(at, input): (usize, &Input)| {
            let reading = Reading { own: self.own.of_file(at, files)?, ..reading.clone() };
            let (judgments, account) = common.judgments_with_account(input, &reading, self.answers.get(at))?;
            let weight = self.weights.get(at).copied().unwrap_or(1.0);
            Ok((Source { name: name_of(input), judgments, weight }, account))
        };
        let (sources, accounts): (Vec<Source>, Vec<Option<String>>) =
            self.pairs.iter().enumerate().map(source).collect::<Result<Vec<_>>>()?.into_iter().unzip();
        Ok((sources, accounts.into_iter().flatten().collect()))
    }
}

/// The name of a file without its folder.
fn name_of(input: &Input) -> String {
    match input {
        Input::Stdin => input.to_string(),
        Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

fn check_number(option: &str, found: usize, files: usize) -> tribunal::Result<()> {
    if found <= files {
        return Ok(());
    }
    let advice = "they belong to the files of pairs in order; name files that need none last";
    Err(Error::invalid(option, format!("at most {files}, one for each file of pairs"), found.to_string(), advice))
}
