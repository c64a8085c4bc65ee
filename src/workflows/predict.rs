//! In: a file of pairs, a model. Out: a file with a verdict a pair, written as pairs are read. Next: callers.

use serde::Serialize;

use super::batches::Batches;
use super::judge::{Judged, PairJudge};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::formats::PairReader;

/// How verdicts are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct PredictSettings {
    /// An object with verdict and probabilities a line, instead of the verdict alone.
    pub json: bool,
    /// Each verdict as soon as its pair is read.
    pub unbuffered: bool,
}

/// A verdict with [`PredictSettings::json`].
#[derive(Serialize)]
struct Line {
    verdict: i8,
    probabilities: [f64; 3],
}

/// Writes the verdicts of all pairs, in their order and with memory that does not grow with their number. Nothing is
/// written under the name of the output unless all went well.
///
/// # Errors
/// What reading the pairs and writing the verdicts report.
pub fn predict(judge: &PairJudge, pairs: PairReader, mut output: Output, settings: PredictSettings) -> Result<()> {
    let mut batches = Batches::new(pairs, settings.unbuffered);
    let mut next = batches.next();
    while let Some(batch) = next {
        let batch = batch?;
        // The next batch is read while this one is judged, unless somebody waits for its verdicts.
        let read = || if settings.unbuffered { None } else { batches.next() };
        let (judged, following) = rayon::join(|| judge.judge(&batch), read);
        output.write(render(&judged, settings.json)?.as_bytes())?;
        if settings.unbuffered {
            output.flush()?;
            next = batches.next();
        } else {
            next = following;
        }
    }
    output.finish()
}

fn render(judged: &[Judged], json: bool) -> Result<String> {
    let not_json = |error: serde_json::Error| {
        Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a fault")
    };
    let mut text = String::with_capacity(3 * judged.len());
    for Judged { verdict, probabilities } in judged {
        if json {
            let line = Line { verdict: verdict.sign(), probabilities: probabilities.0 };
            text += &serde_json::to_string(&line).map_err(not_json)?;
        } else {
            text += &verdict.to_string();
        }
        text.push('\n');
    }
    Ok(text)
}
