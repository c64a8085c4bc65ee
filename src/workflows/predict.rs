//! In: a file of pairs, a model. Out: a file with a verdict a pair, written as pairs are read. Next: callers.

use serde::Serialize;

use super::batches::{Batches, Stream};
use super::event::{Listener, silent};
use super::judge::{Judged, PairJudge};
use super::language;
use super::warnings::{self, Leak};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::formats::PairReader;
use crate::judgments::Pair;
use crate::model::Ties;

/// How verdicts are found and written.
#[derive(Debug, Clone, Copy, Default)]
pub struct PredictSettings {
    /// When the model says tie, if not as it was trained to.
    pub ties: Option<Ties>,
    /// An object a line, with line and id of the pair, verdict and probabilities, instead of the verdict alone.
    pub json: bool,
    /// Each verdict as soon as its pair is read.
    pub unbuffered: bool,
}

impl PredictSettings {
    /// Whether verdicts are written only when the last pair is judged.
    fn waits(&self) -> bool {
        self.ties.is_some_and(Ties::needs_all_pairs)
    }

    /// # Errors
    /// No verdict may wait for another pair, and all do.
    fn check(&self) -> Result<()> {
        match self.ties {
            Some(ties) if self.unbuffered && ties.needs_all_pairs() => Err(Error::invalid(
                "ties",
                "likeliest or threshold=P where each verdict is written as soon as its pair is read",
                format!("{ties}, a share of all pairs"),
                "choose another rule, or leave out --unbuffered",
            )),
            _ => Ok(()),
        }
    }
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

/// What verdicts say of a pair besides what the model says.
#[derive(Debug)]
struct Place {
    line: usize,
    id: Option<String>,
}

/// Verdicts on their way to a file.
struct Verdicts {
    output: Output,
    settings: PredictSettings,
    /// Those that wait for other pairs.
    waiting: Vec<(Place, Judged)>,
}

impl Verdicts {
    /// Writes the verdicts of some pairs, or keeps them if they depend on the pairs to come.
    fn add(&mut self, pairs: &[Pair], judged: Vec<Judged>) -> Result<()> {
        let places = pairs.iter().map(|pair| Place { line: pair.line, id: pair.id.clone() });
        if self.settings.waits() {
            self.waiting.extend(places.zip(judged));
            return Ok(());
        }
        let judged = self.settings.ties.map(|ties| Judged::with_ties(&judged, ties)).unwrap_or(judged);
        self.write(places.zip(judged))
    }

    fn write(&mut self, judged: impl Iterator<Item = (Place, Judged)>) -> Result<()> {
        let not_json = |error: serde_json::Error| {
            Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a fault")
        };
        let mut text = String::new();
        for (place, judged) in judged {
            if self.settings.json {
                text += &serde_json::to_string(&Line::new(&place, &judged)).map_err(not_json)?;
            } else {
                text += &judged.verdict.to_string();
            }
            text.push('\n');
        }
        self.output.write(text.as_bytes())?;
        if self.settings.unbuffered { self.output.flush() } else { Ok(()) }
    }

    /// Writes what waits, and puts the file where it belongs.
    fn finish(mut self) -> Result<()> {
        let (places, judged): (Vec<Place>, Vec<Judged>) = std::mem::take(&mut self.waiting).into_iter().unzip();
        if let Some(ties) = self.settings.ties {
            self.write(places.into_iter().zip(Judged::with_ties(&judged, ties)))?;
        }
        self.output.finish()
    }
}

impl<'p> Line<'p> {
    fn new(place: &'p Place, judged: &Judged) -> Self {
        let [first, tie, second] = judged.probabilities.0;
        let probabilities = Named { first, tie, second };
        Self { line: place.line, id: place.id.as_deref(), verdict: judged.verdict.sign(), probabilities }
    }
}

/// Writes the verdicts of all pairs, in their order and with memory that does not grow with their number, unless a
/// share of them are to be ties. Nothing is written under the name of the output unless all went well.
///
/// # Errors
/// What reading the pairs and writing the verdicts report, and settings that contradict each other.
pub fn predict(
    judge: &PairJudge,
    pairs: PairReader,
    output: Output,
    settings: PredictSettings,
    listener: Listener<'_>,
) -> Result<()> {
    settings.check()?;
    let place = pairs.input().to_string();
    // Of a pair that somebody waits for there is no progress.
    let hears = if settings.unbuffered { &silent } else { listener };
    let mut stream = Stream::new(hears, "judging pairs", pairs.input());
    let mut verdicts = Verdicts { output, settings, waiting: Vec::new() };
    let mut batches = Batches::new(pairs, settings.unbuffered);
    let mut next = batches.next();
    let (mut leak, mut is_first) = (Leak::new(judge.model()), true);
    while let Some(batch) = next {
        let batch = batch?;
        judge.model().schema.check(batch.iter(), &place)?;
        if std::mem::take(&mut is_first) {
            language::check_features(&judge.model().schema, references(&batch), judge.wordnet(), listener);
            warnings::of_spacing(judge.place(), judge.model(), references(&batch), listener);
        }
        let progress = stream.batch(batch.len());
        // The next batch is read while this one is judged, unless somebody waits for its verdicts.
        let read = || if settings.unbuffered { None } else { batches.next() };
        let (judged, following) = rayon::join(|| judge.judge_telling(&batch, &progress), read);
        stream.advance(batch.len());
        leak.add(&batch);
        verdicts.add(&batch, judged)?;
        next = if settings.unbuffered { batches.next() } else { following };
    }
    verdicts.finish()?;
    leak.tell(judge.place(), listener);
    Ok(())
}

fn references(pairs: &[Pair]) -> impl Iterator<Item = &str> {
    pairs.iter().flat_map(|pair| &pair.references).map(String::as_str)
}
