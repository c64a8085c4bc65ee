//! `predict`: verdicts on the pairs of a file, written as pairs are read.

use serde::Serialize;

use super::context::{Context, PairStep};
use super::judge::{InputChecks, Judged, PairJudge, Reason};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::formats::PairReader;
use crate::judgments::Pair;
use crate::model::Ties;

/// The most families of features written with a verdict.
const MAX_REASONS: usize = 3;

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
    fn needs_all_pairs(&self) -> bool {
        self.ties.is_some_and(Ties::needs_all_pairs)
    }

    /// # Errors
    /// Unbuffered output with a tie rule that needs all pairs; reasons without JSON.
    fn check(&self) -> Result<()> {
        if self.explain && !self.json {
            let (expected, advice) = ("`json`, whose objects have room for reasons", "add `json`, or omit `explain`");
            return Err(Error::invalid("`explain`", expected, "verdicts alone", advice));
        }
        match self.ties {
            Some(ties) if self.unbuffered && ties.needs_all_pairs() => Err(Error::invalid(
                "ties",
                "likeliest or threshold=P where each verdict is written as soon as its pair is read",
                format!("{ties}, a share of all pairs"),
                "choose another rule, or omit `unbuffered`",
            )),
            _ => Ok(()),
        }
    }
}

/// A verdict as [`PredictSettings::json`] writes it and [`formats::answers`](crate::formats::answers) reads it.
#[derive(Serialize)]
struct Line<'j> {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    judged: Judged,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<Reason<'j>>>,
}

/// Writes the verdicts of all pairs in their order. Memory does not grow with their number, unless the tie rule needs
/// all pairs. The output gets its name only if everything succeeds.
///
/// Returns how often each verdict was given, in the order of [`Verdict::ALL`](crate::judgments::Verdict::ALL).
///
/// # Errors
/// The pairs cannot be read or the verdicts cannot be written; a pair lacks what the model needs; settings contradict
/// each other.
pub fn predict(
    context: Context<'_>,
    judge: &PairJudge,
    mut pairs: PairReader,
    mut output: Output,
    settings: PredictSettings,
) -> Result<[usize; 3]> {
    settings.check()?;
    let input = &pairs.input().clone();
    let step = PairStep { context, name: "judging pairs", input, is_unbuffered: settings.unbuffered };
    let mut checks = InputChecks::new(judge);
    // Verdicts that wait for the remaining pairs.
    let mut waiting = Vec::new();
    let mut counts = [0; 3];
    step.run(
        pairs.by_ref(),
        |pairs, progress| {
            checks.observe(context, &pairs, &input.to_string())?;
            Ok(lines(judge, pairs, settings.explain, progress))
        },
        |lines| {
            if settings.needs_all_pairs() {
                waiting.extend(lines);
                return Ok(());
            }
            write(&mut output, lines, settings, &mut counts)
        },
    )?;
    write(&mut output, waiting, settings, &mut counts)?;
    output.finish()?;
    checks.finish(context);
    pairs.note().into_iter().for_each(|note| context.note(note));
    Ok(counts)
}

/// Judges pairs, with reasons if requested.
fn lines<'j>(
    judge: &'j PairJudge,
    pairs: Vec<Pair>,
    explain: bool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Line<'j>> {
    let table = judge.extractor.extract(pairs.iter(), progress);
    let mut reasons = explain.then(|| judge.reasons(&table, MAX_REASONS).into_iter());
    let line = |(pair, judged): (Pair, Judged)| {
        let reasons = reasons.as_mut().and_then(Iterator::next);
        Line { line: pair.line, id: pair.id, judged, reasons }
    };
    pairs.into_iter().zip(judge.judge_table(&table)).map(line).collect()
}

/// Writes and counts verdicts after applying the requested tie rule.
fn write(
    output: &mut Output,
    mut lines: Vec<Line<'_>>,
    settings: PredictSettings,
    counts: &mut [usize; 3],
) -> Result<()> {
    if let Some(ties) = settings.ties {
        let judged: Vec<Judged> = lines.iter().map(|line| line.judged).collect();
        lines.iter_mut().zip(Judged::with_ties(&judged, ties)).for_each(|(line, judged)| line.judged = judged);
    }
    let mut text = String::new();
    for line in lines {
        counts[line.judged.verdict.index()] += 1;
        if settings.json {
            text += &serde_json::to_string(&line).map_err(|error| {
                Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a bug")
            })?;
        } else {
            text += &line.judged.verdict.to_string();
        }
        text.push('\n');
    }
    output.write(text.as_bytes())?;
    if settings.unbuffered { output.flush() } else { Ok(()) }
}
