//! `tribunal explain`: why a model says what it says of one pair.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::files::{Input, Output, check_content};
use tribunal::formats::Signals;
use tribunal::model::Ties;
use tribunal::report::explanation::text;
use tribunal::report::html;
use tribunal::workflows::{self, ExplainSettings, ExplainedPair, NamedModel, PairSelector, reading_for};

use super::flags::whole;
use super::options::{Common, ExternalOptions, PAGE, ReadingOptions, TextOptions, check_files};

/// Explain a verdict: words aligned with the reference, contributions of the features, and the metrics
///
/// Select a pair of a file by line or id, or give one with --hyp1, --hyp2 and --ref. The contribution of a feature is its
/// weight times its scaled difference. The contributions sum to the preference, from which the probabilities follow. With
/// --json, probabilities and logits are in the order 1, 0, -1.
#[derive(Debug, Args)]
#[command(
    override_usage = "tribunal explain [OPTIONS] <PAIRS> <--line <N>|--id <ID>>\n       \
    tribunal explain [OPTIONS] --hyp1 <TEXT> --hyp2 <TEXT> --ref <TEXT>...",
    after_help = "Examples:\n  tribunal explain test.pairs --line 3\n  \
    tribunal explain test.pairs --line 3 --answers test.answers -m dev.json --json\n  \
    tribunal explain test.pairs --line 3 --html why.html\n  \
    tribunal explain --hyp1 'He goes.' --hyp2 'He go.' --ref 'He is going.' --ref 'He leaves.'"
)]
pub struct Explain {
    /// Pairs, `-` for standard input
    #[arg(required_unless_present = "hyp1", conflicts_with = "hyp1")]
    pairs: Option<Input>,
    /// The line of the pair
    #[arg(
        long,
        value_name = "N",
        required_unless_present_any = ["id", "hyp1"],
        conflicts_with = "hyp1",
        value_parser = whole::<usize>(1, None)
    )]
    line: Option<usize>,
    /// The id of the pair, from the column `id`
    #[arg(long, conflicts_with_all = ["line", "hyp1"])]
    id: Option<String>,
    /// The first hypothesis
    #[arg(long, value_name = "TEXT", requires = "hyp2", allow_hyphen_values = true)]
    hyp1: Option<String>,
    /// The second hypothesis
    #[arg(long, value_name = "TEXT", requires = "hyp1", allow_hyphen_values = true)]
    hyp2: Option<String>,
    /// The reference; may be given several times
    #[arg(long = "ref", value_name = "TEXT", requires = "hyp1", allow_hyphen_values = true)]
    references: Vec<String>,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages
    /// [default: by --language]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Human labels, one per line, shown beside the verdict; not needed for a table with the column `label`
    #[arg(long, short, value_name = "FILE", conflicts_with = "hyp1")]
    answers: Option<Input>,
    /// When to predict a tie: `likeliest`, if it is the most probable verdict; `0`, never; or `threshold=P`, if its
    /// probability is at least P [default: the rule of the model]
    #[arg(long, value_name = "RULE", hide_short_help = true)]
    ties: Option<Ties>,
    /// Also write the explanation as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Explain {
    pub fn run(self, common: &Common) -> Result<()> {
        let signals = self.own.signals()?;
        let inputs = self.pairs.iter().chain(&self.answers).chain(&self.model).chain(signals.files());
        // The explanation itself goes to standard output.
        let outputs: Vec<Option<&Path>> = self.html.iter().map(|page| Some(page.as_path())).chain([None]).collect();
        check_files(inputs, &outputs)?;
        self.html.iter().try_for_each(|page| check_content(page, "a page", &PAGE))?;
        let engine = self.texts.engine(common)?;
        let page = self.html.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let model = NamedModel::read(self.model.as_ref(), &engine, &self.texts.language)?;
        model.check_signals(&signals)?;
        let settings = ExplainSettings { ties: self.ties, language: self.texts.language.clone() };
        let pair = self.pair(&model, signals)?;
        let explanation =
            common.with_context(&engine, |context| workflows::explain(context, &model, &pair, &settings))?;
        if let Some(mut page) = page {
            page.write(html::explanation(&explanation)?.as_bytes())?;
            page.finish()?;
        }
        common.show(&explanation, |terminal| text::render(&explanation, terminal))
    }

    /// Which pair is explained.
    fn pair(&self, model: &NamedModel, signals: Signals) -> Result<ExplainedPair> {
        let files = self.pairs.as_slice();
        let reading = self.reading.reading(files, self.answers.is_some())?;
        let reading = reading_for(std::slice::from_ref(model), signals, reading)?;
        Ok(match self.pairs.clone() {
            Some(pairs) => {
                // Without --line there is --id: clap asks for one of them.
                let selector =
                    self.line.map_or_else(|| PairSelector::Id(self.id.clone().unwrap_or_default()), PairSelector::Line);
                ExplainedPair::InFile { pairs, reading, answers: self.answers.clone(), selector }
            }
            None => {
                // Without a file there are both: clap asks for them.
                let hypotheses = [&self.hyp1, &self.hyp2].map(|text| text.clone().unwrap_or_default());
                ExplainedPair::Texts { hypotheses, references: self.references.clone(), signals: reading.signals }
            }
        })
    }
}
