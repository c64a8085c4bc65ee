//! Writing scores. In: scores of systems or segments. Out: a table, or JSON. Next: the user.

use std::path::Path;

use smallvec::SmallVec;

use super::super::context::Context;
use super::{ScoreFiles, SegmentScores, score_segments};
use crate::error::{Error, Result, escaped};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind, ending};
use crate::files::{Input, Output};
use crate::metrics::{Member, MetricSet, Signature};
use crate::report::scores::Scores;

/// Settings for writing scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreWriting {
    /// The form: a table, or JSON.
    pub form: ScoreForm,
    /// Whether to begin with a line `# metric: signature` for each metric, or for segments in JSON with one object of
    /// all signatures. The JSON of systems always has signatures.
    pub signatures: bool,
    /// Whether to begin each segment's row with system and segment; otherwise it begins with the system if there are
    /// several. JSON always has both.
    pub names: bool,
}

/// The form in which scores are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreForm {
    /// One object for all systems, or one object per line for segments.
    Json,
    /// A header, then one row per system or segment.
    Table(TableKind),
}

impl ScoreForm {
    /// The form by the extension of an output's name: JSON for `.json` and `.jsonl`, a table for those of tables, TSV
    /// for any other or without a name.
    ///
    /// # Errors
    /// Parquet, which scores cannot be written in.
    pub fn of_output(output: Option<&Path>) -> Result<Self> {
        let Some(path) = output else { return Ok(Self::Table(TableKind::Tsv)) };
        let file = Input::File(path.to_owned());
        match (ending(&file).as_str(), TableKind::of(&file)) {
            ("parquet", _) => {
                let advice = "name a file that ends in .csv, .tsv or .json";
                Err(Error::invalid(file.to_string(), "scores in CSV, TSV or JSON", "the ending of Parquet", advice))
            }
            ("json", _) | (_, Some(TableKind::JsonLines)) => Ok(Self::Json),
            (_, kind) => Ok(Self::Table(kind.unwrap_or(TableKind::Tsv))),
        }
    }
}

/// Writes one row per system, or all of them as JSON.
///
/// # Errors
/// The output cannot be written.
pub fn write_scores(scores: &Scores, mut output: Output, writing: ScoreWriting) -> Result<()> {
    let ScoreForm::Table(kind) = writing.form else {
        let json = serde_json::to_string(scores).map_err(|error| no_json(&output, error))?;
        output.write(format!("{json}\n").as_bytes())?;
        return output.finish();
    };
    if writing.signatures {
        write_comments(&mut output, scores.signatures())?;
    }
    let names = scores.columns();
    let columns: Vec<(&str, CellKind)> = std::iter::once(("system", CellKind::Text))
        .chain(names.iter().map(|name| (name.as_str(), CellKind::Number)))
        .collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    for system in &scores.systems {
        let cells = scores.cells(system).map(|value| value.map_or(Cell::Empty, Cell::Number));
        writer.write(&std::iter::once(Cell::Text(&system.name)).chain(cells).collect::<Vec<_>>())?;
    }
    writer.finish()
}

/// Writes one row or JSON object per segment, as segments are scored.
///
/// # Errors
/// Those of [`score_segments`]; the output cannot be written.
pub fn write_segments(
    context: Context<'_>,
    metric_set: &MetricSet,
    files: &ScoreFiles,
    mut output: Output,
    writing: ScoreWriting,
) -> Result<()> {
    let names: Vec<&str> = metric_set.members().iter().map(|member| member.name.as_str()).collect();
    let sign = |member: &Member| (member.name.clone(), signature(member, files.references.len()));
    let signatures: Vec<_> = metric_set.members().iter().filter(|_| writing.signatures).map(sign).collect();
    let ScoreForm::Table(kind) = writing.form else {
        if writing.signatures {
            output.write(json_signatures(&signatures).as_bytes())?;
        }
        score_segments(context, metric_set, files, &mut |segment| output.write(json(&names, &segment).as_bytes()))?;
        return output.finish();
    };
    write_comments(&mut output, signatures.iter().map(|(name, signature)| format!("{name}: {signature}")))?;
    let named = [writing.names || files.systems.len() > 1, writing.names];
    let columns = leading([("system", CellKind::Text), ("segment", CellKind::Integer)], named);
    let columns: Vec<_> = columns.chain(names.iter().map(|&name| (name, CellKind::Number))).collect();
    let mut writer = RowWriter::begin(output, kind, &columns)?;
    let mut each = |segment: SegmentScores<'_>| {
        let number = i64::try_from(segment.number).unwrap_or(i64::MAX);
        let cells = leading([Cell::Text(segment.system), Cell::Integer(number)], named);
        let cells: SmallVec<[Cell<'_>; 8]> =
            cells.chain(segment.scores.iter().map(|&score| Cell::Number(score))).collect();
        writer.write(&cells)
    };
    score_segments(context, metric_set, files, &mut each)?;
    writer.finish()
}

/// The wanted ones of system and segment.
fn leading<T>(both: [T; 2], wanted: [bool; 2]) -> impl Iterator<Item = T> {
    both.into_iter().zip(wanted).filter_map(|(one, wanted)| wanted.then_some(one))
}

/// The signature of a metric's segment scores. With several files, the number of references of a segment is not known
/// in advance, so a range is given.
fn signature(member: &Member, references: usize) -> String {
    let count = if references == 1 { "1".to_owned() } else { format!("1-{references}") };
    let (_, own) = member.values().next().unwrap_or_else(|| (String::new(), member.corpus_signature()));
    let mut signature = Signature::new(own.name).with("#", "nrefs", count);
    signature.settings.extend(own.settings);
    signature.to_string()
}

fn json(names: &[&str], segment: &SegmentScores<'_>) -> String {
    let scores = names.iter().zip(&segment.scores).map(|(&name, &score)| (name.to_owned(), score.into()));
    let scores: serde_json::Map<_, _> = scores.collect();
    format!("{}\n", serde_json::json!({"system": segment.system, "segment": segment.number, "scores": scores}))
}

fn json_signatures(signatures: &[(String, String)]) -> String {
    let metric = |(name, signature): &(String, String)| serde_json::json!({"name": name, "signature": signature});
    format!("{}\n", serde_json::json!({"metrics": signatures.iter().map(metric).collect::<Vec<_>>()}))
}

fn write_comments(output: &mut Output, mut lines: impl Iterator<Item = String>) -> Result<()> {
    lines.try_for_each(|line| output.write(format!("# {}\n", escaped(&line)).as_bytes()))
}

fn no_json(output: &Output, error: serde_json::Error) -> Error {
    Error::io(output.place().as_ref(), error.into(), "write JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_name_says_how_scores_are_written() {
        let form = |name: &str| ScoreForm::of_output(Some(Path::new(name)));
        assert_eq!(form("x.csv").unwrap(), ScoreForm::Table(TableKind::Csv));
        assert_eq!(form("x.json.gz").unwrap(), ScoreForm::Json);
        assert_eq!(form("x.jsonl").unwrap(), ScoreForm::Json);
        assert_eq!(form("scores").unwrap(), ScoreForm::Table(TableKind::Tsv));
        assert!(form("x.parquet").is_err());
        assert_eq!(ScoreForm::of_output(None).unwrap(), ScoreForm::Table(TableKind::Tsv));
    }
}
