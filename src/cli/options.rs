//! Options of every command, and of those that read texts.

use std::path::{Path, PathBuf};
use std::{env, thread};

use anyhow::{Result, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgGroup, Args, Command};
use serde::Serialize;
use tribunal::Error;
use tribunal::error::quoted;
use tribunal::files::{Input, check_inputs, check_outputs};
use tribunal::formats::{self, Format, Reading, Signals};
use tribunal::judgments::{Language, Pair};
use tribunal::report::people::EPSILON;
use tribunal::report::{FILE, Report, Terminal, text};
use tribunal::text::Models;
use tribunal::workflows::{Context, Engine, Event};

use super::flags::{OfPairs, OfReading, OptionArgs, fraction, whole};
use super::help::{GENERAL, READING};
use super::progress;
use super::terminal::{print, say, share_a_screen, terminal, write};

/// The extensions of a page.
pub const PAGE: [&str; 2] = ["html", "htm"];

/// More threads than that wait for each other.
const MAX_THREADS_PER_CORE: usize = 4;

/// Options that mean the same for every command, and may be given where they change nothing.
#[derive(Debug, Args)]
pub struct Common {
    /// Print JSON instead of text
    #[arg(long, global = true, display_order = 900, help_heading = GENERAL)]
    pub json: bool,
    /// Print only warnings and errors
    #[arg(long, short, global = true, display_order = 901, help_heading = GENERAL)]
    pub quiet: bool,
    /// Number of threads; results do not depend on it
    #[arg(
        long, global = true, display_order = 902, value_name = "N", value_parser = whole::<u16>(1, None),
        help_heading = GENERAL, hide_short_help = true
    )]
    threads: Option<u16>,
    /// Seed [default: 1; score 12345; correlate 4]
    #[arg(
        long, global = true, display_order = 903, value_name = "N", value_parser = whole::<u64>(0, None),
        help_heading = GENERAL, hide_short_help = true
    )]
    pub seed: Option<u64>,
    /// What the program was given, which reports show.
    #[arg(skip)]
    pub arguments: Vec<String>,
}

/// What is known of the texts.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("models").args(["encoder", "comet"]).multiple(true))]
pub struct TextOptions {
    /// Language, such as de or de-DE; if not English, models omit features of English
    #[arg(long, value_name = "CODE", default_value = "en", help_heading = GENERAL, hide_short_help = true)]
    pub language: Language,
    /// Add the metrics of the encoder in this folder
    #[arg(long, value_name = "DIR", help_heading = GENERAL, hide_short_help = true)]
    encoder: Option<PathBuf>,
    /// Cache what encoders make of texts in this folder
    #[arg(long, value_name = "DIR", requires = "models", help_heading = GENERAL, hide_short_help = true)]
    encoder_cache: Option<PathBuf>,
    /// Add this COMET model; it reads the column `src`
    #[arg(long, value_name = "DIR", help_heading = GENERAL, hide_short_help = true)]
    comet: Option<PathBuf>,
    /// Its tokeniser [default: in it, or --encoder's]
    #[arg(long, value_name = "DIR", requires = "comet", help_heading = GENERAL, hide_short_help = true)]
    comet_tokenizer: Option<PathBuf>,
}

impl TextOptions {
    /// What texts are looked up in.
    pub fn engine(&self, common: &Common) -> tribunal::Result<Engine> {
        let Self { encoder, encoder_cache, comet, comet_tokenizer, .. } = self;
        Ok(Engine::new().with_models(Models::open(
            encoder.as_deref(),
            comet.as_deref(),
            comet_tokenizer.as_deref(),
            encoder_cache.as_deref(),
            &|note| common.note(&note),
        )?))
    }
}

/// How pairs without labels are read.
#[derive(Debug, Args)]
pub struct PairOptions {
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    given: OptionArgs<OfPairs>,
}

impl PairOptions {
    /// How a file is read.
    pub fn reading(&self, pairs: &Input) -> tribunal::Result<Reading> {
        let reading = Reading { format: self.format.format, options: self.given.0.clone(), ..Reading::default() };
        reading.check_used(std::slice::from_ref(pairs), false)?;
        Ok(reading)
    }
}

/// The format of pairs.
#[derive(Debug, Args)]
pub struct FormatOption {
    /// Format of the pairs, one of those in 'tribunal import --help' [default: from the file extension]
    #[arg(
        long, value_name = "KIND", value_parser = format_parser(), hide_possible_values = true,
        help_heading = READING, hide_short_help = true
    )]
    pub format: Option<&'static Format>,
}

/// How judgments are read.
#[derive(Debug, Args)]
pub struct ReadingOptions {
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    given: OptionArgs<OfReading>,
}

impl ReadingOptions {
    /// How some files are read, beside which answers may stand.
    pub fn reading(&self, pairs: &[Input], has_answers: bool) -> tribunal::Result<Reading> {
        let reading = Reading { format: self.format.format, options: self.given.0.clone(), ..Reading::default() };
        reading.check_used(pairs, has_answers)?;
        Ok(reading)
    }

    /// The signals that are named, and the annotators among the options.
    pub fn signals(&self, external: &ExternalOptions) -> Result<Signals> {
        Ok(external.signals()?.with_annotators(&self.given.0)?)
    }

    /// Refuses all of them where the files are no judgments.
    pub fn refuse(&self) -> tribunal::Result<()> {
        let format = self.format.format.map(|_| "format");
        let Some(unused) = format.or_else(|| self.given.0.names().next()) else { return Ok(()) };
        let place = format!("`{}`", unused.replace('-', "_"));
        Err(Error::invalid(place, "judgments", "outputs of systems", "omit the option, which has no effect there"))
    }
}

/// The alternative annotator test.
#[derive(Debug, Args)]
pub struct TestOption {
    /// Margin of the alternative annotator test [default: 0.2]
    #[arg(long, value_name = "X", value_parser = fraction, hide_short_help = true)]
    epsilon: Option<f64>,
}

impl TestOption {
    /// The value, if it is given.
    pub fn given(&self) -> Option<f64> {
        self.epsilon
    }

    /// The given value, or the default.
    ///
    /// # Errors
    /// It is given, and the pairs name no annotators.
    pub fn epsilon<'p>(&self, mut pairs: impl Iterator<Item = &'p Pair>) -> tribunal::Result<f64> {
        if self.epsilon.is_some() && pairs.all(|pair| pair.votes.is_empty() && pair.annotators.is_empty()) {
            let advice = "name their columns with `annotators`, or omit the option";
            return Err(Error::invalid("`epsilon`", "labels of several annotators", "none", advice));
        }
        Ok(self.epsilon.unwrap_or(EPSILON))
    }
}

/// The parts of the pairs that a report also has figures of.
#[derive(Debug, Args)]
pub struct BreakdownOption {
    /// Also report the accuracy by this column's values
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    by_column: Option<String>,
}

impl BreakdownOption {
    /// The name of the column.
    pub fn column(&self) -> Option<String> {
        self.by_column.clone()
    }

    /// # Errors
    /// The column has the name of the breakdown by file, which several files have.
    pub fn check(&self, files: &[Input]) -> tribunal::Result<()> {
        if files.len() < 2 || self.by_column.as_deref() != Some(FILE) {
            return Ok(());
        }
        let (expected, found) = ("a column of another name, as several files are told apart by file", quoted(FILE));
        Err(Error::invalid("`by_column`", expected, found, "omit it, or rename the column"))
    }
}

/// The user's own metrics.
#[derive(Debug, Args)]
pub struct ExternalOptions {
    /// Your own metrics, comma-separated: NAME of the columns NAME.1 and NAME.2, of outputs NAME; NAME=FILE with two
    /// numbers per line, or a table with ids; NAME- if lower is better
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', allow_hyphen_values = false)]
    own: Vec<String>,
    /// Automatic judges, comma-separated: NAME of the column NAME, or NAME.12 and NAME.21 (both orders); NAME=FILE with
    /// 1 or 2 verdicts a line, or a table with ids; SCALE: probability, signed, words, one-to-two
    #[arg(long, value_name = "NAME[:SCALE][=FILE]", value_delimiter = ',', allow_hyphen_values = false)]
    judge: Vec<String>,
}

impl ExternalOptions {
    /// The signals that are named.
    pub fn signals(&self) -> Result<Signals> {
        Ok(Signals::parse(&self.own, &self.judge)?)
    }
}

/// Refuses options that have no effect on single outputs.
pub fn refuse_for_outputs(options: &[(bool, &str)]) -> tribunal::Result<()> {
    refuse(options, ["pairs", "outputs, one a row"])
}

/// Refuses options that have no effect on pairs.
pub fn refuse_for_pairs(options: &[(bool, &str)]) -> tribunal::Result<()> {
    refuse(options, ["outputs, one a row", "pairs"])
}

fn refuse(options: &[(bool, &str)], [expected, found]: [&str; 2]) -> tribunal::Result<()> {
    let Some((_, option)) = options.iter().find(|(is_given, _)| *is_given) else { return Ok(()) };
    Err(Error::invalid(format!("`{option}`"), expected, found, "omit it, as it has no effect"))
}

/// Checks, before anything is read, that standard input is named once at most, that no output of the command is also
/// one of its inputs, and that no two outputs are the same.
pub fn check_files<'i>(inputs: impl IntoIterator<Item = &'i Input>, outputs: &[Option<&Path>]) -> tribunal::Result<()> {
    let inputs: Vec<&Input> = inputs.into_iter().collect();
    check_inputs(inputs.iter().copied())?;
    check_outputs(inputs, outputs)
}

/// The formats of the registry.
fn format_parser() -> impl TypedValueParser<Value = &'static Format> {
    let value = |format: &&'static Format| PossibleValue::new(format.name).help(format.about);
    let names = PossibleValuesParser::new(formats::REGISTRY.iter().map(value));
    names.try_map(|name| formats::find(&name).ok_or("no format of that name"))
}

impl Common {
    /// The options that only matter where something is read or computed.
    pub fn of_computations() -> Vec<Arg> {
        let is_one = |arg: &&Arg| ["threads", "seed"].contains(&arg.get_id().as_str());
        Self::augment_args(Command::default()).get_arguments().filter(is_one).cloned().collect()
    }

    /// Starts the threads that the user allows.
    pub fn start_threads(&self) -> Result<()> {
        let mut threads = rayon::ThreadPoolBuilder::new();
        let from_environment = || env::var("RAYON_NUM_THREADS").ok()?.parse().ok().filter(|&wanted| wanted > 0);
        if let Some(wanted) = self.threads.map(usize::from).or_else(from_environment) {
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let count = wanted.min(MAX_THREADS_PER_CORE * cores);
            if count < wanted {
                self.note(&format!("{wanted} threads are too many for {cores} cores; starting {count}."));
            }
            threads = threads.num_threads(count);
        }
        threads.build_global().map_err(|error| anyhow!("cannot start threads: {error}; name fewer with --threads"))
    }

    /// The seed of folds and of the report.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Runs a workflow, and shows its progress and notes.
    pub fn with_context<T>(&self, engine: &Engine, work: impl FnOnce(Context<'_>) -> tribunal::Result<T>) -> Result<T> {
        let show = |event| match event {
            Event::Warning(text) => self.warn(&text),
            _ if self.quiet => {}
            Event::Note(text) => say(text),
            Event::Progress { step, done, of } => progress::show(step, done, of),
        };
        let done = work(Context::new(engine).with_listener(&show));
        progress::clear();
        engine.take_warnings().into_iter().for_each(|warning| self.warn(&warning));
        Ok(done?)
    }

    /// A warning, on stderr, which even those hear who want it quiet.
    pub fn warn(&self, text: &str) {
        say(format_args!("warning: {text}"));
    }

    /// A note for the user, on stderr.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say(text);
        }
    }

    /// Prints plain text, or the same as JSON.
    pub fn print(&self, json: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
        if self.json { write(&(serde_json::to_string(json)? + "\n")) } else { print(&text()) }
    }

    /// Prints what the library renders for a terminal, or the same as JSON.
    pub fn show(&self, json: &impl Serialize, text: impl FnOnce(Terminal) -> String) -> Result<()> {
        if self.json { self.print(json, String::new) } else { write(&text(terminal())) }
    }

    /// Prints a report: as JSON, its answer alone if there is one, or with all tables.
    pub fn print_report(&self, mut report: Report, is_brief: bool) -> Result<()> {
        // The same screen has shown them already, on standard error.
        if !self.json && share_a_screen() {
            report.warnings.clear();
        }
        let render = if is_brief && report.answer.is_some() { text::render_summary } else { text::render };
        self.show(&report, |terminal| render(&report, terminal))
    }
}
