//! `tribunal annotate`: a page on which people label pairs or outputs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::error::{Error, pluralized};
use tribunal::files::{Input, Output, check_outputs, is_stream};
use tribunal::formats::{PairReader, Signals, are_outputs, read_outputs};
use tribunal::report::html::{self, RatingScale};
use tribunal::workflows::{AnnotateSettings, Engine, annotate, annotate_outputs, read_pairs, reading_of_outputs};

use super::flags::whole;
use super::options::{Common, PAGE, PairOptions, refuse_for_pairs};

/// Write a page on which people label pairs or outputs
///
/// The page works offline: the annotator opens it in a browser, labels each pair with the keys 1, 2 and 0, and exports a
/// table that `train`, `rank` and `compare` read. Systems are hidden, and the order of pairs and hypotheses is random. A few
/// control pairs are shown twice, the second time with the hypotheses exchanged. The browser keeps unfinished work.
///
/// Of a table with one `output` a row, each output passes (1) or fails (0), or is rated with the keys of --scale. Where
/// some pairs or outputs have labels, the page asks for the others, and exports all.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal annotate test.pairs -o page.html --annotator ann\n  \
    tribunal annotate outputs.jsonl -o page.html --judge gpt")]
pub struct Annotate {
    /// Pairs, `-` for standard input, or outputs
    pairs: Input,
    /// The page to write
    #[arg(long, short, value_name = "FILE.html")]
    output: PathBuf,
    /// The annotator's name [default: the page asks]
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Number of controls, which are shown twice [default: 5, but at most a tenth of the pairs or outputs]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, None))]
    controls: Option<usize>,
    /// Rate outputs on this scale, such as 1-5, which N for 1-N abbreviates [default: pass or fail]
    #[arg(long, value_name = "LOW-HIGH", value_parser = str::parse::<RatingScale>)]
    scale: Option<RatingScale>,
    /// Columns of judges beside outputs, comma-separated, that the page exports with them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    judge: Vec<String>,
    /// Columns of your own metrics beside outputs, comma-separated, that the page exports with them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    own: Vec<String>,
    #[command(flatten)]
    reading: PairOptions,
}

impl Annotate {
    pub fn run(self, common: &Common) -> Result<()> {
        let is_page = self.output.extension().is_some_and(|ending| PAGE.iter().any(|known| ending == *known));
        if !is_page && !is_stream(&self.output) {
            let found = format!("'{}'", self.output.display());
            return Err(Error::invalid("`output`", "a file name for a page", found, "use the extension .html").into());
        }
        check_outputs([&self.pairs], &[Some(&self.output)])?;
        let output = Output::create(Some(&self.output))?;
        let reading = self.reading.reading(&self.pairs)?;
        let settings = AnnotateSettings {
            name: self.pairs.name(),
            annotator: self.annotator,
            controls: self.controls,
            seed: common.seed(),
        };
        let signals = Signals::parse(&self.own, &self.judge)?;
        let page = if are_outputs(&self.pairs, &reading)? {
            let outputs = read_outputs(&self.pairs, &reading_of_outputs(&[], signals, reading)?)?;
            let page = annotate_outputs(&outputs, self.scale, &settings)?;
            outputs.notes.iter().for_each(|note| common.note(&format!("{}: {note}", self.pairs.name())));
            page
        } else {
            let (judge, own) = (!self.judge.is_empty(), !self.own.is_empty());
            refuse_for_pairs(&[(self.scale.is_some(), "scale"), (judge, "judge"), (own, "own")])?;
            let mut reader = PairReader::open(&self.pairs, reading)?;
            annotate(common.with_context(&Engine::new(), |context| read_pairs(context, &mut reader))?, &settings)?
        };
        let mut output = output;
        output.write(html::annotation(&page)?.as_bytes())?;
        output.finish()?;
        let (shown, earlier) = (pluralized(page.rows.len(), page.task.unit()), page.earlier.len());
        let twice = page.items.len() - page.rows.len();
        let mut note = format!("{}: {shown}, {twice} of them twice", self.output.display());
        if earlier > 0 {
            note += &format!("; earlier labels, exported with them: {earlier}");
        }
        common.note(&note);
        Ok(())
    }
}
