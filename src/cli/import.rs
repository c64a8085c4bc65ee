//! `tribunal import`: judgments in the formats that people keep them in become pairs. Its subcommands and their flags
//! are those of the registry of formats.

use std::path::PathBuf;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use serde::Serialize;
use tribunal::Error;
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::{self, COLUMN, Format};
use tribunal::options::{OptionSpec, Options};
use tribunal::workflows::Event;
use tribunal::workflows::import::{ImportSettings, Imported, import, import_scores, importable};
use tribunal::workflows::import_outputs::OutputFiles;

use super::flags;
use super::options::Common;
use super::terminal::with_options;

/// Convert human judgments in other formats to pairs: rankings, error annotations, ...
///
/// Prints what was read, kept and dropped, and why. The order of the hypotheses is shuffled, depending only on their
/// texts. With --scores, `mqm` and `da` write a table of human scores for 'tribunal correlate' instead.
///
/// Commands that read judgments read these formats directly, too, by the file extension or --format KIND: rankings,
/// wmt-rr, mqm, da, rank and table; and pairs as they are: pairs (lines hyp1 ||| hyp2 ||| ref), or csv, tsv,
/// jsonl and, if built in, parquet (columns hyp1, hyp2, ref; optional ref2, ..., label, id, group, annotator, weight).
#[derive(Debug, Args)]
#[command(after_help = examples())]
pub struct Import {
    #[command(subcommand)]
    kind: Kind,
}

/// What is read.
#[derive(Debug)]
enum Kind {
    /// A format of judgments, its options and the files.
    Judgments {
        settings: ImportSettings,
        /// Whether scores are wanted instead of pairs.
        scores: bool,
    },
    Outputs(OutputsOfSystems),
}

/// Outputs of systems, a file each: pairs, or one table of outputs
///
/// Rows with the same value of a column belong together, such as a question's id, or its text. Every two outputs of a
/// question are a pair. The output is the column output, response, answer, text or another one that is named; the system the
/// column system, generator or model, or the name of the file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal import outputs gpt.json llama.json --by instruction -o pairs.csv\n  \
    tribunal import outputs a.jsonl b.jsonl --questions question.jsonl --by question_id --outputs -o outputs.csv")]
struct OutputsOfSystems {
    /// Outputs, .csv, .tsv, .json or .jsonl; one file for each system
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<Input>,
    /// Column by which rows are joined
    #[arg(long, value_name = "COLUMN")]
    by: String,
    /// Prompts, and perhaps references
    #[arg(long, value_name = "FILE")]
    questions: Option<Input>,
    /// Write one row for each output instead of pairs
    #[arg(long)]
    outputs: bool,
    /// Column names by role: output, system, prompt, ref, group
    #[arg(long, value_name = "ROLE=NAME", value_delimiter = ',')]
    column: Vec<String>,
    /// Write to this file: .csv, .tsv or .jsonl [default: standard output, CSV]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputsOfSystems {
    fn run(self, common: &Common) -> Result<()> {
        let mut options = Options::default();
        self.column.iter().try_for_each(|name| options.set(&COLUMN, name))?;
        let files = OutputFiles { files: self.inputs, questions: self.questions, by: self.by, options };
        let path = self.output.as_deref();
        files.check(path)?;
        let named = path.map(|path| TableKind::from_name(&Input::File(path.to_owned())));
        let Some(kind) = named.unwrap_or(Some(TableKind::Csv)) else {
            let place = path.map(|path| path.display().to_string()).unwrap_or_default();
            return Err(
                Error::invalid(place, "a name that ends in .csv, .tsv or .jsonl", "another one", "rename it").into()
            );
        };
        let (output, joined) = (Output::create(path)?, files.read()?);
        let account = joined.account();
        match self.outputs {
            true => joined.write_outputs(output, kind)?,
            false => joined.write_pairs(output, kind)?,
        }
        match path {
            Some(_) => common.print(&account, || format!("{account}\n")),
            None => {
                common.note(&account);
                Ok(())
            }
        }
    }
}

/// The name of the format whose rows may have columns of metrics.
const TABLE: &str = "table";

/// The name of the subcommand of [`OutputsOfSystems`].
const OUTPUTS: &str = "outputs";

/// What is read, and where the pairs are written.
#[derive(Debug, Args)]
struct Files {
    /// Judgments, `-` for standard input; .gz and .zst are decompressed
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<Input>,
    /// Write the pairs to this file: .csv, .tsv, .jsonl, or another name for lines of text [default: standard output,
    /// CSV]
    #[arg(long, short, value_name = "PAIRS")]
    output: Option<PathBuf>,
    /// Format of the output [default: from the file extension]
    #[arg(long, value_name = "KIND", value_parser = flags::table_kind())]
    to: Option<TableKind>,
    /// Write the labels to this file, if the pairs are lines of text
    #[arg(long, short, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Keep these columns of metrics of other programs, as NAME.1 and NAME.2; `NAME-` if lower is better
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide = true)]
    own: Vec<String>,
    /// Drop pairs with identical hypotheses
    #[arg(long)]
    drop_same_text: bool,
}

impl Import {
    pub fn run(self, common: &Common) -> Result<()> {
        let (settings, scores) = match self.kind {
            Kind::Judgments { settings, scores } => (settings, scores),
            Kind::Outputs(outputs) => return outputs.run(common),
        };
        if scores {
            let imported = import_scores(&settings)?;
            let part = (format!("{}: {imported}", imported.file), imported.warnings.clone());
            return report(common, &settings, &imported, &[part]);
        }
        let imported = import(&settings, &|event| {
            if let Event::Note(text) = event {
                common.note(&text);
            }
        })?;
        let part = |one: &Imported| (format!("{}: {}", one.file, one.summary), one.warnings());
        report(common, &settings, &imported, &imported.iter().map(part).collect::<Vec<_>>())
    }
}

/// The account of each file with its warnings, on standard output, unless the pairs or scores are there.
fn report(
    common: &Common,
    settings: &ImportSettings,
    imported: &impl Serialize,
    parts: &[(String, Vec<String>)],
) -> Result<()> {
    let is_to_stdout = settings.is_to_stdout();
    for (text, warnings) in parts {
        if is_to_stdout {
            common.note(text);
        }
        warnings.iter().filter(|_| is_to_stdout || common.json).for_each(|warning| common.warn(warning));
    }
    if is_to_stdout {
        return Ok(());
    }
    let line = |(text, warnings): &(String, Vec<String>)| {
        text.clone() + "\n" + &warnings.iter().map(|text| format!("warning: {text}\n")).collect::<String>()
    };
    common.print(imported, || with_options(&parts.iter().map(line).collect::<String>()))
}

/// `--scores`, of formats that have them: what says how pairs are made has no meaning then.
fn scores_flag(format: &Format) -> Option<Arg> {
    let of_pairs = ["answers", "drop_same_text", "margin", "human-ties", "score-weights"];
    let flag = Arg::new("scores").long("scores").action(ArgAction::SetTrue).conflicts_with_all(of_pairs);
    let help = "Write one row per segment of each system, with the mean human score, for 'tribunal correlate'";
    format.scores.map(|_| flag.help(help))
}

/// The most options of a format that its short help shows all of.
const MAX_SHORT: usize = 12;

/// Those that it shows otherwise.
const OF_MOST: [&str; 11] =
    ["hyp1", "hyp2", "label", "pos", "neg", "mt", "score", "ref", "labels", "margin", "human-ties"];

fn subcommand(format: &'static Format) -> Command {
    let is_for_few = |spec: &OptionSpec| format.options.len() > MAX_SHORT && !OF_MOST.contains(&spec.name);
    let flags = format.options.iter().map(|&spec| flags::flag(spec).hide_short_help(is_for_few(spec)));
    let sample = format.sample.lines().map(|line| format!("  {line}\n")).collect::<String>();
    let help = format!("Example file:\n{sample}\nExample:\n  {}", example(format));
    // What describes the arguments of all would else describe the command.
    let command = Files::augment_args(Command::new(format.name))
        .mut_arg("own", |own| own.hide(format.name != TABLE))
        .args(flags)
        .args(scores_flag(format))
        .about(format.about)
        .after_help(help);
    command.long_about(format!("{}\n\n{}", format.about, format.details).trim_end().to_owned())
}

fn example(format: &Format) -> String {
    let ending = format.endings.first().copied().or(format.table.map(TableKind::name)).unwrap_or(format.name);
    let file = format!("judgments.{}", if ending == "table" || ending == "wmt-rr" { "csv" } else { ending });
    format!("tribunal import {} {file} {} -o pairs.csv", format.name, format.example)
}

fn examples() -> String {
    let lines: Vec<String> = importable().map(|format| format!("  {}", example(format))).collect();
    let outputs = "  tribunal import outputs gpt.json llama.json --by instruction -o pairs.csv";
    format!("Examples:\n{}\n{outputs}", lines.join("\n"))
}

impl Subcommand for Kind {
    fn augment_subcommands(command: Command) -> Command {
        let outputs = OutputsOfSystems::augment_args(Command::new(OUTPUTS));
        let all = importable().map(subcommand).chain([outputs]);
        command.subcommands(all).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name == OUTPUTS || importable().any(|format| format.name == name)
    }
}

impl FromArgMatches for Kind {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "name the format of the judgments\n");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        if name == OUTPUTS {
            return OutputsOfSystems::from_arg_matches(matches).map(Self::Outputs);
        }
        let format = formats::find(name).ok_or_else(missing)?;
        let options = flags::given(matches, format.options.iter().copied())?;
        let scores = format.scores.is_some() && matches.get_flag("scores");
        let Files { inputs, output, to, answers, drop_same_text, own } = Files::from_arg_matches(matches)?;
        let settings = ImportSettings { format, options, inputs, output, to, answers, drop_same_text, own };
        Ok(Self::Judgments { settings, scores })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
