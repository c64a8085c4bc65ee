//! `tribunal import`: judgments in the formats that people keep them in become pairs.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use tribunal::judgments::import::penalties::{Penalties, Penalty};
use tribunal::judgments::import::{Account, Importer, Pairs, Preference, Ties, mqm, rankings};
use tribunal::judgments::pairs::Format;
use tribunal::judgments::{Input, Output, PairWriter};

use super::options::Common;

/// Make pairs of human judgments in other formats: rankings, error annotations, ...
///
/// Says what was read, kept and dropped, and why. Which hypothesis of a pair comes first is drawn from their texts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal import rankings cs-en.rankings -o cs-en.csv\n  \
    tribunal import mqm mqm.tsv --reference refA --margin 2 -o mqm.csv")]
pub struct Import {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Rankings(Rankings),
    Mqm(Mqm),
}

/// Rankings of several hypotheses: `id ||| rank ||| ref ||| hyp` a line, 0 is the best
///
/// Every two lines of one id are a pair; equal ranks are ties.
#[derive(Debug, Args)]
struct Rankings {
    #[command(flatten)]
    files: Files,
    /// The difference of the ranks becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// Error annotations (MQM): a table with an error a row, as the WMT studies publish them
///
/// A translation's score is minus the sum of its errors' penalties, averaged over raters.
#[derive(Debug, Args)]
struct Mqm {
    #[command(flatten)]
    files: Files,
    /// The systems that are references, separated by commas
    #[arg(long, value_name = "SYSTEM", value_delimiter = ',', default_value = "ref")]
    reference: Vec<String>,
    /// Scores that differ by less are a tie: 1 is a minor error, 5 a major one
    #[arg(long, value_name = "POINTS", default_value_t = 1.0, value_parser = margin)]
    margin: f64,
    /// What errors cost, such as ':Critical=10' or 'Fluency/Spelling:Minor=0.5'; may be given several times
    /// [default: 25 for non-translations, 0.1 for minor punctuation, 5 for other major, 1 for other minor errors]
    #[arg(long, value_name = "[CATEGORY][:SEVERITY]=COST")]
    penalty: Vec<Penalty>,
    /// The difference of the scores becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// What is read, and where the pairs are written.
#[derive(Debug, Args)]
struct Files {
    /// The judgments, `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<Input>,
    /// Where the pairs are written: .csv, .tsv, .jsonl, or another name for lines of text [default: standard output, CSV]
    #[arg(long, short, value_name = "PAIRS")]
    output: Option<PathBuf>,
    /// Where the labels of lines of text are written
    #[arg(long, short, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// What becomes of ties
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    ties: TiesOption,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TiesOption {
    /// They are pairs with the label 0
    Keep,
    /// They are left out
    Drop,
}

/// What is said of a file.
#[derive(Serialize)]
struct Imported {
    file: String,
    #[serde(flatten)]
    account: Account,
}

impl Import {
    pub fn run(self, common: &Common) -> Result<()> {
        match self.kind {
            Kind::Rankings(options) => {
                let preference = Preference { weigh: options.weigh, ..options.files.preference() };
                let open = |input: &Input| Ok(Pairs::of(rankings::Rankings::open(input)?, preference));
                options.files.import(common, 1, open)
            }
            Kind::Mqm(options) => {
                let preference =
                    Preference { weigh: options.weigh, margin: options.margin, ..options.files.preference() };
                let penalties = Penalties::with(options.penalty.clone());
                let settings = mqm::Settings { references: options.reference.clone(), penalties };
                let open = |input: &Input| Ok(Pairs::of(mqm::Mqm::open(input, settings.clone())?, preference));
                options.files.import(common, settings.references.len(), open)
            }
        }
    }
}

impl Files {
    fn preference(&self) -> Preference {
        let ties = match self.ties {
            TiesOption::Keep => Ties::Keep,
            TiesOption::Drop => Ties::Drop,
        };
        Preference { ties, ..Preference::default() }
    }

    /// Writes the pairs of all files, and says what became of each file.
    fn import<I: Importer>(
        &self,
        common: &Common,
        references: usize,
        open: impl Fn(&Input) -> tribunal::Result<I>,
    ) -> Result<()> {
        let mut writer = self.writer(common, references)?;
        let mut imported = Vec::new();
        for input in &self.inputs {
            let mut importer = open(input)?;
            for pair in importer.by_ref() {
                let mut pair = pair?;
                if self.inputs.len() > 1 {
                    // The same number in two files is not the same sentence.
                    let stem = input.stem();
                    [&mut pair.id, &mut pair.group]
                        .into_iter()
                        .flatten()
                        .for_each(|name| *name = format!("{stem}:{name}"));
                }
                writer.write(&pair)?;
            }
            imported.push(Imported { file: input.to_string(), account: importer.account().clone() });
        }
        writer.finish()?;
        self.report(common, &imported)
    }

    fn writer(&self, common: &Common, references: usize) -> Result<PairWriter> {
        let output = Output::create(self.output.as_deref())?;
        if let Some(answers) = &self.answers {
            return Ok(PairWriter::begin_lines(output, Output::create(Some(answers))?));
        }
        let of_name = self.output.as_ref().filter(|path| path.as_os_str() != "-").cloned();
        let format = common.format().or_else(|| of_name.map(|path| Format::of(&Input::File(path))));
        Ok(PairWriter::begin(output, format.unwrap_or(Format::Csv), references)?)
    }

    /// On standard output, unless the pairs are there.
    fn report(&self, common: &Common, imported: &[Imported]) -> Result<()> {
        let text = || imported.iter().map(|one| format!("{}: {}\n", one.file, one.account)).collect::<String>();
        if self.output.as_ref().is_none_or(|path| path.as_os_str() == "-") {
            common.note(text().trim_end());
            return Ok(());
        }
        common.print(&imported, text)
    }
}

fn margin(text: &str) -> std::result::Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|margin| margin.is_finite() && *margin >= 0.0)
        .ok_or_else(|| "a number of 0 or more is needed".to_owned())
}
