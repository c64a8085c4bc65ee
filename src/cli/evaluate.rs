//! `tribunal evaluate` and `check`: verdicts against people, and whether a file of verdicts is valid.

use anyhow::{Result, bail};
use clap::Args;
use tribunal::files::{Input, check_inputs, display_names};
use tribunal::formats::{JudgmentsRead, LabelNames, PredictionFile, Reading, answers};
use tribunal::judgments::Verdict;
use tribunal::report::Report;
use tribunal::workflows::{self, Engine, Predictions, read_judgments};

use super::options::{Common, FormatOption, ReadingOptions};
use super::tables::TableOption;

/// Report how often verdicts agree with human judgments
///
/// With --pairs the report includes the baseline, and intervals and tests are clustered by reference or prompt; without
/// it, pairs count as independent. Several files are compared with each other, also by McNemar's test: exact, or with
/// --pairs over references. Pairs that a file leaves undecided are skipped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal evaluate eval.out --answers test.answers --pairs test.pairs\n  \
    tribunal evaluate eval.out other.out --answers test.answers")]
pub struct Evaluate {
    /// Verdicts, as predict writes them, `-` for standard input; several files are compared with each other
    #[arg(required = true)]
    eval: Vec<Input>,
    /// Human labels, one per line, or with `--pairs` a table of labelled pairs; not needed for pairs with the column `label`
    #[arg(long, short, value_name = "FILE", required_unless_present = "pairs")]
    answers: Option<Input>,
    /// The pairs that they belong to
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Print only the summary, without tables
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    tables: TableOption,
}

impl Evaluate {
    pub fn run(self, common: &Common) -> Result<()> {
        check_inputs(self.eval.iter().chain(&self.answers).chain(&self.pairs))?;
        let report = match (&self.pairs, &self.answers) {
            (Some(pairs), _) => self.beside_baseline(pairs, common)?,
            (None, Some(answers)) => self.alone(answers, common)?,
            (None, None) => bail!("name the human judgments with --answers, or the pairs with --pairs"),
        };
        self.tables.print_report(common, report, self.brief)
    }

    fn alone(&self, answers: &Input, common: &Common) -> Result<Report> {
        let reading = self.reading.reading(&[], true)?;
        let people = answers::read(answers, &LabelNames::from_options(&reading.options)?)?;
        let read = |(file, name)| {
            let verdicts = answers::read_for(file, answers, vec![None; people.len()].into_iter())?;
            Ok(Predictions { name, verdicts })
        };
        let files = self.eval.iter().zip(display_names(&self.eval)).map(read).collect::<tribunal::Result<Vec<_>>>()?;
        common.with_context(&Engine::new(), |context| {
            let (is_decided, verdicts) = workflows::decided(context, files)?;
            let people: Vec<Verdict> = kept(people, &is_decided);
            workflows::evaluate_alone(context, &verdicts, &people, common.seed())
        })
    }

    fn beside_baseline(&self, pairs: &Input, common: &Common) -> Result<Report> {
        let files = std::slice::from_ref(pairs);
        let reading = self.reading.reading(files, self.answers.is_some())?;
        let names = display_names(&self.eval);
        let predictions = names.iter().zip(&self.eval);
        let predictions =
            predictions.map(|(name, file)| PredictionFile { name: name.clone(), file: file.clone() }).collect();
        let reading = Reading { predictions, ..reading };
        common.with_context(&Engine::new(), |context| {
            let JudgmentsRead { judgments, .. } = read_judgments(context, pairs, &reading, self.answers.as_ref())?;
            let files = names.iter().map(|name| Predictions::beside(name, &judgments)).collect();
            let (is_decided, verdicts) = workflows::decided(context, files)?;
            workflows::evaluate(context, &pairs.to_string(), verdicts, &kept(judgments, &is_decided), common.seed())
        })
    }
}

/// What is known of the pairs that are decided.
fn kept<T>(all: Vec<T>, is_decided: &[bool]) -> Vec<T> {
    all.into_iter().zip(is_decided).filter_map(|(one, &is_decided)| is_decided.then_some(one)).collect()
}

/// Check that a file holds one verdict, 1, 0, -1 or undecided, for each pair
///
/// Prints the count of each; the exit status is 1 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal check eval.out --pairs test.pairs")]
pub struct Check {
    /// Verdicts, `-` for standard input
    eval: Input,
    /// The pairs that they belong to
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
    #[command(flatten)]
    format: FormatOption,
}

impl Check {
    pub fn run(self, common: &Common) -> Result<()> {
        let found = workflows::check(&self.eval, self.pairs.as_ref(), self.format.format)?;
        let [first, tie, second] = found.labels;
        let undecided = if found.undecided > 0 { format!(", undecided: {}", found.undecided) } else { String::new() };
        let counts = format!("1: {first}, 0: {tie}, -1: {second}{undecided}");
        common.print(&found, || format!("{}: {} verdicts; {counts}\n", self.eval, found.rows))
    }
}
