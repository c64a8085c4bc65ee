//! `tribunal import`: judgments in the formats that people keep them in become pairs. Its subcommands and their flags
//! are those of the registry of formats.

use std::path::PathBuf;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use serde::Serialize;
use tribunal::files::Input;
use tribunal::files::table::TableKind;
use tribunal::formats::{self, Format};
use tribunal::options::OptionSpec;
use tribunal::workflows::Event;
use tribunal::workflows::import::{ImportSettings, Imported, import, import_scores, importable};

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

/// A format, its options and the files.
#[derive(Debug)]
struct Kind {
    settings: ImportSettings,
    /// Whether scores are wanted instead of pairs.
    scores: bool,
}

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
    /// Drop pairs with identical hypotheses
    #[arg(long)]
    drop_same_text: bool,
}

impl Import {
    pub fn run(self, common: &Common) -> Result<()> {
        let Kind { settings, scores } = self.kind;
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
    format!("Examples:\n{}", lines.join("\n"))
}

impl Subcommand for Kind {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(importable().map(subcommand)).subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        importable().any(|format| format.name == name)
    }
}

impl FromArgMatches for Kind {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let missing = || clap::Error::raw(ErrorKind::MissingSubcommand, "name the format of the judgments\n");
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let format = formats::find(name).ok_or_else(missing)?;
        let options = flags::given(matches, format.options.iter().copied())?;
        let scores = format.scores.is_some() && matches.get_flag("scores");
        let Files { inputs, output, to, answers, drop_same_text } = Files::from_arg_matches(matches)?;
        Ok(Self { settings: ImportSettings { format, options, inputs, output, to, answers, drop_same_text }, scores })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
