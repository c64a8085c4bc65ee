//! A row for every segment, printed while the next are scored.

use anyhow::Result;
use tribunal::files::Output;
use tribunal::metrics::Panel;
use tribunal::workflows::score::{ScoreFiles, SegmentScores, score_segments};

use crate::cli::options::Common;

/// Prints the scores of every segment of every system.
pub fn print(panel: &Panel, files: &ScoreFiles, common: &Common) -> Result<()> {
    let names: Vec<&str> = panel.members().iter().map(|member| member.name.as_str()).collect();
    let is_one = files.systems.len() == 1;
    let mut header = if common.json { None } else { Some(header(&names, is_one)) };
    let mut output = Output::create(None)?;
    let display = common.display();
    let mut each = |segment: SegmentScores<'_>| {
        let line = if common.json { json(&names, &segment) } else { row(&segment, is_one) };
        let header = header.take().unwrap_or_default();
        output.write(format!("{header}{line}\n").as_bytes())
    };
    score_segments(panel, files, &mut each, &|event| display.show(event))?;
    Ok(output.finish()?)
}

fn header(names: &[&str], is_one: bool) -> String {
    format!("{}{}\n", if is_one { "" } else { "system\t" }, names.join("\t"))
}

fn row(segment: &SegmentScores<'_>, is_one: bool) -> String {
    let scores = segment.scores.iter().map(f64::to_string);
    let system = (!is_one).then(|| segment.system.to_owned());
    system.into_iter().chain(scores).collect::<Vec<_>>().join("\t")
}

fn json(names: &[&str], segment: &SegmentScores<'_>) -> String {
    let scores = names.iter().zip(&segment.scores).map(|(&name, &score)| (name.to_owned(), score.into()));
    let scores: serde_json::Map<_, _> = scores.collect();
    serde_json::json!({"system": segment.system, "segment": segment.number, "scores": scores}).to_string()
}
