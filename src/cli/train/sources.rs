//! The files that `train` learns from.

use std::ops::Range;

use anyhow::Result;
use tribunal::Error;
use tribunal::files::Input;
use tribunal::judgments::Judgment;

use super::super::options::Common;

/// Weights are whole multiples of a tenth: linfa-logistic weighs no rows, so that a pair is seen several times.
const STEP: f64 = 0.1;

/// The largest weight.
const LARGEST: f64 = 10.0;

/// Judgments of one or several files, one behind the other.
pub struct Sources {
    pub judgments: Vec<Judgment>,
    pub files: Vec<File>,
}

/// One of the files.
pub struct File {
    pub name: String,
    pub weight: f64,
    pub rows: Range<usize>,
}

impl Sources {
    /// Reads the files; the answers and weights belong to them in order.
    pub fn read(pairs: &[Input], answers: &[Input], weights: &[f64], common: &Common) -> Result<Self> {
        check_number("--answers", answers.len(), pairs.len())?;
        check_number("--weights", weights.len(), pairs.len())?;
        if pairs.iter().filter(|input| matches!(input, Input::Stdin)).count() > 1 {
            let advice = "write all but one to a file";
            return Err(Error::invalid("-", "standard input once", "it several times", advice).into());
        }
        weights.iter().try_for_each(|&weight| check_weight(weight))?;
        let (mut judgments, mut files) = (Vec::new(), Vec::new());
        for (at, input) in pairs.iter().enumerate() {
            let start = judgments.len();
            judgments.extend(common.judgments(input, answers.get(at))?);
            let weight = weights.get(at).copied().unwrap_or(1.0);
            files.push(File { name: name_of(input), weight, rows: start..judgments.len() });
        }
        Ok(Self { judgments, files })
    }

    /// How often training sees each pair: in the ratio of the weights, and as seldom as that allows.
    pub fn copies(&self) -> Vec<u32> {
        let tenths: Vec<u32> = self.files.iter().map(|file| (file.weight / STEP).round() as u32).collect();
        let divisor = tenths.iter().fold(0, |divisor, &tenth| greatest_common_divisor(divisor, tenth)).max(1);
        let of_file = |(file, tenths): (&File, u32)| std::iter::repeat_n(tenths / divisor, file.rows.len());
        self.files.iter().zip(tenths).flat_map(of_file).collect()
    }

    /// All names, for the model file.
    pub fn name(&self) -> String {
        self.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(" + ")
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

fn check_weight(weight: f64) -> tribunal::Result<()> {
    let tenths = weight / STEP;
    let is_right = (STEP..=LARGEST).contains(&weight) && (tenths - tenths.round()).abs() < 1e-9;
    if is_right {
        return Ok(());
    }
    let expected = format!("multiples of {STEP} up to {LARGEST}");
    Err(Error::invalid("--weights", expected, weight.to_string(), "round it, or leave the file out"))
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal::judgments::{Pair, Verdict};

    fn copies(weights: &[f64]) -> Vec<u32> {
        let pair = Pair::parse("a ||| b ||| r", "x", 1).unwrap();
        let judgment = Judgment { pair, label: Verdict::First };
        let file = |(at, &weight): (usize, &f64)| File { name: at.to_string(), weight, rows: at..at + 1 };
        Sources { judgments: vec![judgment; weights.len()], files: weights.iter().enumerate().map(file).collect() }
            .copies()
    }

    #[test]
    fn copies_have_the_ratio_of_the_weights() {
        assert_eq!(copies(&[1.0]), [1]);
        assert_eq!(copies(&[1.0, 0.5]), [2, 1]);
        assert_eq!(copies(&[0.3, 1.0, 2.0]), [3, 10, 20]);
        assert_eq!(copies(&[2.0, 2.0]), [1, 1]);
    }

    #[test]
    fn weights_that_cannot_be_are_refused() {
        for weight in [0.0, -1.0, 0.25, 11.0, f64::NAN, f64::INFINITY] {
            assert!(check_weight(weight).is_err(), "{weight}");
        }
        assert!(check_weight(0.3).is_ok() && check_weight(10.0).is_ok());
    }
}
