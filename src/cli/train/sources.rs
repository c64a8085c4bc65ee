//! The files that `train` learns from.

use anyhow::Result;
use tribunal::Error;
use tribunal::files::Input;
use tribunal::formats::Reading;
use tribunal::workflows::Source;

use super::super::options::Common;

/// Reads the files; the answers and weights belong to them in order.
pub fn read(
    pairs: &[Input],
    answers: &[Input],
    weights: &[f64],
    (reading, common): (&Reading, &Common),
) -> Result<Vec<Source>> {
    check_number("--answers", answers.len(), pairs.len())?;
    check_number("--weights", weights.len(), pairs.len())?;
    if pairs.iter().filter(|input| matches!(input, Input::Stdin)).count() > 1 {
        let advice = "write all but one to a file";
        return Err(Error::invalid("-", "standard input once", "it several times", advice).into());
    }
    let source = |(at, input): (usize, &Input)| {
        let judgments = common.judgments(input, reading, answers.get(at))?;
        Ok(Source { name: name_of(input), judgments, weight: weights.get(at).copied().unwrap_or(1.0) })
    };
    pairs.iter().enumerate().map(source).collect()
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
