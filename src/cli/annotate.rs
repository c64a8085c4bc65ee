//! `tribunal annotate`: a page on which people label pairs.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::error::Error;
use tribunal::files::{Input, Output, check_outputs, is_stream};
use tribunal::formats::PairReader;
use tribunal::report::html;
use tribunal::workflows::{AnnotateSettings, Engine, annotate, read_pairs};

use super::flags::whole;
use super::options::{Common, PAGE, PairOptions};

/// Write a page on which people label pairs
///
/// The page works offline: the annotator opens it in a browser, labels each pair with the keys 1, 2 and 0, and exports a
/// table that `train`, `rank` and `compare` read. Systems are hidden, and the order of pairs and hypotheses is random. A few
/// control pairs are shown twice, the second time with the hypotheses exchanged. The browser keeps unfinished work.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal annotate test.pairs -o page.html --annotator ann")]
pub struct Annotate {
    /// Pairs, `-` for standard input
    pairs: Input,
    /// The page to write
    #[arg(long, short, value_name = "FILE.html")]
    output: PathBuf,
    /// The annotator's name [default: the page asks]
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    /// Number of control pairs [default: 5, but at most a tenth of the pairs]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, None))]
    controls: Option<usize>,
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
        let mut reader = PairReader::open(&self.pairs, self.reading.reading(&self.pairs)?)?;
        let pairs = common.with_context(&Engine::new(), |context| read_pairs(context, &mut reader))?;
        let settings = AnnotateSettings {
            name: self.pairs.name(),
            annotator: self.annotator,
            controls: self.controls,
            seed: common.seed(),
        };
        let page = annotate(pairs, &settings)?;
        let mut output = output;
        output.write(html::annotation(&page)?.as_bytes())?;
        output.finish()?;
        let (shown, earlier) = (page.pairs.len(), page.earlier.len());
        let twice = page.items.len() - shown;
        let mut note = format!("{}: {shown} pairs, {twice} of them twice", self.output.display());
        if earlier > 0 {
            note += &format!("; earlier labels, exported with them: {earlier}");
        }
        common.note(&note);
        Ok(())
    }
}
