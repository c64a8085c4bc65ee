//! In: a file of pairs, a model. Out: a file with a verdict a pair, written as pairs are read. Next: callers.

use serde::Serialize;

use super::batches::Batches;
use super::event::Listener;
use super::judge::{Judged, PairJudge};
use super::language;
use crate::error::{Error, Result};
use crate::files::Output;
use crate::formats::PairReader;
use crate::judgments::Pair;

/// How verdicts are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct PredictSettings {
    /// An object a line, with line and id of the pair, verdict and probabilities, instead of the verdict alone.
    pub json: bool,
    /// Each verdict as soon as its pair is read.
    pub unbuffered: bool,
}

/// A verdict with [`PredictSettings::json`]; [`formats::answers`](crate::formats::answers) reads it.
#[derive(Serialize)]
struct Line<'p> {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'p str>,
    verdict: i8,
    probabilities: Named,
}

/// Probabilities by the verdict that they are of.
#[derive(Serialize)]
struct Named {
    #[serde(rename = "1")]
    first: f64,
    #[serde(rename = "0")]
    tie: f64,
    #[serde(rename = "-1")]
    second: f64,
}

impl<'p> Line<'p> {
    fn new(pair: &'p Pair, judged: &Judged) -> Self {
        let [first, tie, second] = judged.probabilities.0;
        let probabilities = Named { first, tie, second };
        Self { line: pair.line, id: pair.id.as_deref(), verdict: judged.verdict.sign(), probabilities }
    }
}

/// Writes the verdicts of all pairs, in their order and with memory that does not grow with their number. Nothing is
/// written under the name of the output unless all went well.
///
/// # Errors
/// What reading the pairs and writing the verdicts report.
pub fn predict(
    judge: &PairJudge,
    pairs: PairReader,
    mut output: Output,
    settings: PredictSettings,
    listener: Listener<'_>,
) -> Result<()> {
    let mut batches = Batches::new(pairs, settings.unbuffered);
    let mut next = batches.next();
    let mut is_first = true;
    while let Some(batch) = next {
        let batch = batch?;
        if std::mem::take(&mut is_first) {
            language::check_features(&judge.model().schema, references(&batch), judge.wordnet(), listener);
        }
        // The next batch is read while this one is judged, unless somebody waits for its verdicts.
        let read = || if settings.unbuffered { None } else { batches.next() };
        let (judged, following) = rayon::join(|| judge.judge(&batch), read);
        output.write(render(&batch, &judged, settings.json)?.as_bytes())?;
        if settings.unbuffered {
            output.flush()?;
            next = batches.next();
        } else {
            next = following;
        }
    }
    output.finish()
}

fn references(pairs: &[Pair]) -> impl Iterator<Item = &str> {
    pairs.iter().flat_map(|pair| &pair.references).map(String::as_str)
}

fn render(pairs: &[Pair], judged: &[Judged], json: bool) -> Result<String> {
    let not_json = |error: serde_json::Error| {
        Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a fault")
    };
    let mut text = String::with_capacity(3 * judged.len());
    for (pair, judged) in pairs.iter().zip(judged) {
        if json {
            text += &serde_json::to_string(&Line::new(pair, judged)).map_err(not_json)?;
        } else {
            text += &judged.verdict.to_string();
        }
        text.push('\n');
    }
    Ok(text)
}
