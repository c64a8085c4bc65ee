//! In: a file of pairs, a model. Out: a file with one verdict per pair, written as pairs are read. Next: the caller.

use serde::Serialize;

use super::batches::{Batches, Stream};
use super::context::Context;
use super::judge::{Judged, PairJudge, Reason, Seen};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::formats::PairReader;
use crate::judgments::Pair;
use crate::model::Ties;

/// The most families of features written with a verdict.
const REASONS: usize = 3;

/// Settings of [`predict`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PredictSettings {
    /// The tie rule, if not that of the model.
    pub ties: Option<Ties>,
    /// Whether to write one JSON object per line, with line and id of the pair, verdict and probabilities, instead of
    /// the verdict alone.
    pub json: bool,
    /// Whether to add the three families of features with the largest contributions; only with [`Self::json`].
    pub explain: bool,
    /// Whether to write each verdict as soon as its pair is read.
    pub unbuffered: bool,
}

impl PredictSettings {
    /// Whether no verdict can be written before the last pair is judged.
    fn waits(&self) -> bool {
        self.ties.is_some_and(Ties::needs_all_pairs)
    }

    /// # Errors
    /// Unbuffered output with a tie rule that needs all pairs; reasons without JSON.
    fn check(&self) -> Result<()> {
        if self.explain && !self.json {
            let (expected, advice) = ("--json, whose objects have room for reasons", "add --json, or omit --explain");
            return Err(Error::invalid("--explain", expected, "verdicts alone", advice));
        }
        match self.ties {
            Some(ties) if self.unbuffered && ties.needs_all_pairs() => Err(Error::invalid(
                "ties",
                "likeliest or threshold=P where each verdict is written as soon as its pair is read",
                format!("{ties}, a share of all pairs"),
                "choose another rule, or omit --unbuffered",
            )),
            _ => Ok(()),
        }
    }
}

/// A verdict as written with [`PredictSettings::json`]; [`formats::answers`](crate::formats::answers) reads it.
#[derive(Serialize)]
struct Line<'p> {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'p str>,
    verdict: i8,
    probabilities: Named,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<WrittenReason<'p>>>,
}

/// A family of features, its contribution, and the hypothesis that it favours.
#[derive(Serialize)]
struct WrittenReason<'p> {
    name: &'p str,
    contribution: f64,
    #[serde(rename = "for")]
    side: i8,
}

/// Probabilities by verdict.
#[derive(Serialize)]
struct Named {
    #[serde(rename = "1")]
    first: f64,
    #[serde(rename = "0")]
    tie: f64,
    #[serde(rename = "-1")]
    second: f64,
}

/// A pair's line, id and reasons, written beside its verdict.
#[derive(Debug)]
struct Place<'j> {
    line: usize,
    id: Option<String>,
    reasons: Vec<Reason<'j>>,
}

/// Verdicts on their way to a file.
struct Verdicts<'j> {
    output: Output,
    settings: PredictSettings,
    /// Verdicts that wait for the remaining pairs.
    waiting: Vec<(Place<'j>, Judged)>,
}

impl<'j> Verdicts<'j> {
    /// Writes verdicts, or keeps them if they depend on later pairs.
    fn add(&mut self, mut judged: Vec<(Place<'j>, Judged)>) -> Result<()> {
        if self.settings.waits() {
            self.waiting.append(&mut judged);
            return Ok(());
        }
        self.write(judged)
    }

    /// Writes verdicts after applying the requested tie rule.
    fn write(&mut self, judged: Vec<(Place<'j>, Judged)>) -> Result<()> {
        let Some(ties) = self.settings.ties else { return self.write_lines(judged) };
        let (places, judged): (Vec<Place<'_>>, Vec<Judged>) = judged.into_iter().unzip();
        self.write_lines(places.into_iter().zip(Judged::with_ties(&judged, ties)))
    }

    fn write_lines(&mut self, judged: impl IntoIterator<Item = (Place<'j>, Judged)>) -> Result<()> {
        let not_json = |error: serde_json::Error| {
            Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a bug")
        };
        let mut text = String::new();
        for (place, judged) in judged {
            if self.settings.json {
                text += &serde_json::to_string(&Line::new(&place, &judged, self.settings.explain)).map_err(not_json)?;
            } else {
                text += &judged.verdict.to_string();
            }
            text.push('\n');
        }
        self.output.write(text.as_bytes())?;
        if self.settings.unbuffered { self.output.flush() } else { Ok(()) }
    }

    /// Writes the waiting verdicts, and gives the file its final name.
    fn finish(mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.write(waiting)?;
        self.output.finish()
    }
}

impl<'p> Line<'p> {
    fn new(place: &'p Place<'_>, judged: &Judged, explain: bool) -> Self {
        let [first, tie, second] = judged.probabilities.0;
        let probabilities = Named { first, tie, second };
        let written = |reason: &Reason<'p>| WrittenReason {
            name: reason.name,
            contribution: reason.contribution,
            side: if reason.contribution > 0.0 { 1 } else { -1 },
        };
        let reasons = explain.then(|| place.reasons.iter().map(written).collect());
        Self { line: place.line, id: place.id.as_deref(), verdict: judged.verdict.sign(), probabilities, reasons }
    }
}

/// Judges pairs, with reasons if requested.
fn judged<'j>(
    judge: &'j PairJudge,
    pairs: &[Pair],
    explain: bool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<(Place<'j>, Judged)> {
    let place = |pair: &Pair, reasons| Place { line: pair.line, id: pair.id.clone(), reasons };
    if !explain {
        let judged = pairs.iter().zip(judge.judge_telling(pairs, progress));
        return judged.map(|(pair, judged)| (place(pair, Vec::new()), judged)).collect();
    }
    let judged = pairs.iter().zip(judge.judge_with_reasons(pairs, REASONS, progress));
    judged.map(|(pair, (judged, reasons))| (place(pair, reasons), judged)).collect()
}

/// Writes the verdicts of all pairs in their order. Memory does not grow with their number, unless the tie rule needs
/// all pairs. The output gets its name only if everything succeeds.
///
/// # Errors
/// The pairs cannot be read or the verdicts cannot be written; a pair lacks what the model needs; settings contradict
/// each other.
pub fn predict(
    context: Context<'_>,
    judge: &PairJudge,
    pairs: PairReader,
    output: Output,
    settings: PredictSettings,
) -> Result<()> {
    settings.check()?;
    let place = pairs.input().to_string();
    // Unbuffered output reports no progress.
    let hears = if settings.unbuffered { Context::new(context.engine()) } else { context };
    let mut stream = Stream::new(hears, "judging pairs", pairs.input());
    let mut verdicts = Verdicts { output, settings, waiting: Vec::new() };
    let mut batches = Batches::new(pairs, settings.unbuffered);
    let mut next = batches.next();
    let mut seen = Seen::new(judge);
    while let Some(batch) = next {
        let batch = batch?;
        seen.see(context, &batch, &place)?;
        let progress = stream.batch(batch.len());
        // The next batch is read while this one is judged, unless output is unbuffered.
        let read = || if settings.unbuffered { None } else { batches.next() };
        let (done, following) = rayon::join(|| judged(judge, &batch, settings.explain, &progress), read);
        stream.advance(batch.len());
        verdicts.add(done)?;
        next = if settings.unbuffered { batches.next() } else { following };
    }
    verdicts.finish()?;
    seen.tell(context);
    Ok(())
}
