//! `tribunal predict`: one verdict a line.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tribunal::files::{Input, Output};
use tribunal::formats::PairReader;
use tribunal::workflows::{Judged, NamedModel, PairJudge};

use super::batches::Batches;
use super::options::Common;

/// Predict which hypothesis people would prefer: 1, 0 or -1, one per line
///
/// With --json each line is an object with the verdict and the probabilities of 1, 0 and -1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal predict test.pairs -o eval.out\n  \
    printf 'he goes ||| he go ||| he is going\\n' | tribunal predict -")]
pub struct Predict {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// A model that train wrote [default: the one inside the program]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Where the verdicts are written [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each verdict as soon as its pair is read, for a program that waits for it
    #[arg(long)]
    unbuffered: bool,
    /// Score a segment as often as it occurs: only to measure how fast that is
    #[arg(long, hide = true)]
    every_segment: bool,
}

/// A verdict with `--json`.
#[derive(Serialize)]
struct Line {
    verdict: i8,
    probabilities: [f64; 3],
}

impl Predict {
    pub fn run(self, common: &Common) -> Result<()> {
        let mut output = Output::create(self.output.as_deref())?;
        let NamedModel { model, place, .. } = NamedModel::read(self.model.as_ref(), &common.language)?;
        let mut judge = PairJudge::new(&common.engine()?, model, &place)?;
        if self.every_segment {
            judge = judge.every_segment();
        }
        let mut batches = Batches::of(PairReader::open(&self.pairs, common.format())?, self.unbuffered);
        let mut next = batches.next();
        while let Some(batch) = next {
            let batch = batch?;
            // The next batch is read while this one is judged, unless somebody waits for its verdicts.
            let read = || if self.unbuffered { None } else { batches.next() };
            let (judged, following) = rayon::join(|| judge.judge(&batch), read);
            output.write(render(&judged, common.json)?.as_bytes())?;
            if self.unbuffered {
                output.flush()?;
                next = batches.next();
            } else {
                next = following;
            }
        }
        Ok(output.finish()?)
    }
}

fn render(judged: &[Judged], json: bool) -> Result<String> {
    let mut text = String::with_capacity(3 * judged.len());
    for Judged { verdict, probabilities } in judged {
        if json {
            text += &serde_json::to_string(&Line { verdict: verdict.sign(), probabilities: probabilities.0 })?;
        } else {
            text += &verdict.to_string();
        }
        text.push('\n');
    }
    Ok(text)
}
