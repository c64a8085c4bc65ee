//! `predict`: verdicts on the pairs of a file, written as pairs are read.

use std::path::Path;

use serde::{Serialize, Serializer};

use super::context::{Context, PairStep};
use super::judge::{OnLeak, PairPredictor, Prediction, PredictionLoop, Reason, by_verdict};
use super::warnings;
use crate::error::{Error, Result, quoted};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Input, Output, check_content};
use crate::formats::{PairReader, answers};
use crate::judgments::{Probabilities, Verdict};
use crate::model::Ties;

/// The most families of features written with a verdict.
const MAX_REASONS: usize = 3;

/// Settings of [`predict`].
#[derive(Debug, Clone, Copy, Default)]
pub struct PredictSettings {
    /// The tie rule, if not that of the model.
    pub ties: Option<Ties>,
    /// The agreement with people below which pairs are left undecided, see [`Model::confidence_for`]; not together with
    /// a tie rule.
    ///
    /// [`Model::confidence_for`]: crate::model::Model::confidence_for
    pub min_agreement: Option<f64>,
    /// What is written of each verdict.
    pub form: VerdictForm,
    /// Whether to add the three families of features with the largest contributions; only to objects.
    pub explain: bool,
    /// Whether to write each verdict as soon as its pair is read.
    pub unbuffered: bool,
}

/// What is written of a verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum VerdictForm {
    /// The verdict alone, one per line.
    #[default]
    Plain,
    /// One JSON object per line, with number, line and id of the pair, verdict and probabilities.
    Objects,
    /// A row of a table, with number and id of the pair, verdict and probabilities.
    Table(TableKind),
}

impl VerdictForm {
    /// The form that the ending of the output's name shows, or objects if they are wanted.
    ///
    /// # Errors
    /// The extension promises another form than the wanted one.
    pub fn for_output(output: Option<&Path>, wants_objects: bool) -> Result<Self> {
        let otherwise = if wants_objects { Self::Objects } else { Self::Plain };
        let Some(path) = output.filter(|path| *path != Path::new("-")) else { return Ok(otherwise) };
        let file = Input::File(path.to_owned());
        let refused = |expected: &str, advice: &str| {
            let found = quoted(&file.name());
            Err(Error::invalid(path.display().to_string(), expected, found, advice))
        };
        match TableKind::from_name(&file) {
            Some(TableKind::JsonLines) => Ok(Self::Objects),
            Some(_) if wants_objects => {
                refused("a file name for JSON Lines", "use the extension .jsonl, or omit `json`")
            }
            Some(kind) => Ok(Self::Table(kind)),
            None => check_content(path, "verdicts", &["csv", "tsv", "jsonl", "out"]).map(|()| otherwise),
        }
    }
}

impl PredictSettings {
    /// Whether no verdict can be written before the last pair is judged.
    fn needs_all_pairs(&self) -> bool {
        self.ties.is_some_and(Ties::needs_all_pairs)
    }

    /// # Errors
    /// Unbuffered output with a tie rule that needs all pairs; reasons without JSON.
    fn check(&self) -> Result<()> {
        if self.explain && self.form != VerdictForm::Objects {
            let (expected, advice) = ("JSON output, which can hold reasons", "add `json`, or omit `explain`");
            return Err(Error::invalid("`explain`", expected, "verdicts alone", advice));
        }
        if self.ties.is_some() && self.min_agreement.is_some() {
            let (expected, found) = ("the tie rule with which the agreement was measured", "another one in `ties`");
            return Err(Error::invalid("`min_agreement`", expected, found, "omit one of them"));
        }
        if let Some(least) = self.min_agreement.filter(|least| *least <= 0.0) {
            let (expected, advice) = ("a share above 0", "0.85 asks that 85% agree");
            return Err(Error::invalid("`min_agreement`", expected, least.to_string(), advice));
        }
        match self.ties {
            Some(ties) if self.unbuffered && ties.needs_all_pairs() => Err(Error::invalid(
                "ties",
                "likeliest or threshold=P, as each verdict is written before the next pair is read",
                format!("{ties}, a share of all pairs"),
                "choose another rule, or omit `unbuffered`",
            )),
            _ => Ok(()),
        }
    }
}

/// A verdict as [`VerdictForm::Objects`] writes it and [`formats::answers`](crate::formats::answers) reads it.
#[derive(Serialize)]
struct Line<'j> {
    /// The number of the pair, from 1; several pairs may be made from one line.
    pair: usize,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(serialize_with = "sign_or_null")]
    verdict: Option<Verdict>,
    #[serde(serialize_with = "by_verdict")]
    probabilities: Probabilities,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<Reason<'j>>>,
}

/// A verdict as 1, 0 or -1; `null` if the pair is left undecided.
fn sign_or_null<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    verdict.map(Verdict::sign).serialize(serializer)
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
    judge: &PairPredictor,
    mut pairs: PairReader,
    output: Output,
    settings: PredictSettings,
) -> Result<[usize; 3]> {
    settings.check()?;
    warnings::warn_comet(context, &judge.model().schema, warnings::WITHOUT_COMET);
    let source_name = judge.source_name();
    let threshold =
        settings.min_agreement.map(|wanted| judge.model().confidence_for(wanted, source_name)).transpose()?;
    let mut writer = VerdictWriter::begin(output, settings)?;
    let input = &pairs.input().clone();
    let step = PairStep { context, name: "judging pairs", is_unbuffered: settings.unbuffered };
    let mut judging = PredictionLoop::new(context, judge);
    let least = threshold.unwrap_or(0.0);
    // Verdicts that wait for the remaining pairs.
    let (mut waiting, mut count) = (Vec::new(), 0);
    step.run(
        pairs.by_ref(),
        |pairs, progress| {
            let batch = judging.judge(pairs.iter(), &input.to_string(), progress)?;
            let mut reasons = settings.explain.then(|| judge.reasons(&batch.table, MAX_REASONS).into_iter());
            let mut lines = Vec::with_capacity(pairs.len());
            for (pair, Prediction { verdict, probabilities }) in pairs.into_iter().zip(batch.verdicts) {
                count += 1;
                let reasons = reasons.as_mut().and_then(Iterator::next);
                let verdict = Some(verdict).filter(|verdict| probabilities.probability(*verdict) >= least);
                lines.push(Line { pair: count, line: pair.line, id: pair.id, verdict, probabilities, reasons });
            }
            Ok(lines)
        },
        |lines| {
            if settings.needs_all_pairs() {
                waiting.extend(lines);
                return Ok(());
            }
            writer.write(lines)
        },
    )?;
    writer.write(waiting)?;
    let counts = writer.finish()?;
    judging.checks.warn(OnLeak::Warn);
    if let (Some(threshold), undecided) = (threshold, count - counts.iter().sum::<usize>()) {
        context.note(format!(
            "{} of {count} pairs undecided: their verdicts have a probability below {threshold:.3}.",
            undecided
        ));
    }
    pairs.note().into_iter().for_each(|note| context.note(note));
    Ok(counts)
}

/// Writes verdicts, after applying the requested tie rule.
struct VerdictWriter {
    sink: Sink,
    settings: PredictSettings,
    /// The numbers of verdicts 1, 0 and -1 so far.
    counts: [usize; 3],
}

enum Sink {
    Lines(Output),
    Rows(RowWriter),
}

impl VerdictWriter {
    fn begin(output: Output, settings: PredictSettings) -> Result<Self> {
        let sink = match settings.form {
            VerdictForm::Plain | VerdictForm::Objects => Sink::Lines(output),
            VerdictForm::Table(kind) => {
                let [pair, id] = [(answers::PAIR, CellKind::Integer), (answers::ID, CellKind::Text)];
                let probabilities = ["p1", "p0", "p-1"].map(|name| (name, CellKind::Number));
                let columns = [&[pair, id, (answers::VERDICT, CellKind::Integer)][..], &probabilities].concat();
                Sink::Rows(RowWriter::begin(output, kind, &columns)?)
            }
        };
        Ok(Self { sink, settings, counts: [0; 3] })
    }

    fn write(&mut self, mut lines: Vec<Line<'_>>) -> Result<()> {
        if let Some(ties) = self.settings.ties {
            let given: Vec<Probabilities> = lines.iter().map(|line| line.probabilities).collect();
            for (line, (verdict, probabilities)) in lines.iter_mut().zip(ties.judge(&given)) {
                (line.verdict, line.probabilities) = (Some(verdict), probabilities);
            }
        }
        lines.iter().filter_map(|line| line.verdict).for_each(|verdict| self.counts[verdict.index()] += 1);
        let is_flushed = self.settings.unbuffered;
        match &mut self.sink {
            Sink::Lines(output) => {
                let text = |line: &Line<'_>| line.text(self.settings.form);
                output.write(lines.iter().map(text).collect::<Result<String>>()?.as_bytes())?;
                if is_flushed { output.flush() } else { Ok(()) }
            }
            Sink::Rows(rows) => {
                lines.iter().try_for_each(|line| rows.write(&line.cells()))?;
                if is_flushed { rows.flush() } else { Ok(()) }
            }
        }
    }

    fn finish(self) -> Result<[usize; 3]> {
        match self.sink {
            Sink::Lines(output) => output.finish()?,
            Sink::Rows(rows) => rows.finish()?,
        }
        Ok(self.counts)
    }
}

impl Line<'_> {
    fn text(&self, form: VerdictForm) -> Result<String> {
        if form == VerdictForm::Plain {
            return Ok(self.verdict.map_or(answers::UNDECIDED.to_owned(), |verdict| verdict.to_string()) + "\n");
        }
        let object = serde_json::to_string(self).map_err(|error| {
            Error::invalid("verdicts", "finite probabilities", error.to_string(), "report this as a bug")
        })?;
        Ok(object + "\n")
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let number = Cell::Integer(i64::try_from(self.pair).unwrap_or(i64::MAX));
        let id = self.id.as_deref().map_or(Cell::Empty, Cell::Text);
        let verdict = self.verdict.map_or(Cell::Empty, |verdict| Cell::Integer(verdict.sign().into()));
        [number, id, verdict].into_iter().chain(self.probabilities.0.map(Cell::Number)).collect()
    }
}
