//! `tribunal evaluate` and `check`: verdicts against people, and whether a file of verdicts is valid.

use anyhow::{Result, bail};
use clap::Args;
use tribunal::files::{Input, check_inputs, display_names};
use tribunal::formats::{LabelNames, answers};
use tribunal::report::{Report, System};
use tribunal::workflows;

use super::options::{Common, FormatOption, ReadingOptions, WordNetOption};

/// Report how often verdicts agree with human judgments
///
/// With --pairs the report includes the baseline, and intervals and tests resample references; without it, single
/// pairs. Several files are compared with each other, also by McNemar's test: exact, or with --pairs over references.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal evaluate eval.out --answers test.answers --pairs test.pairs\n  \
    tribunal evaluate eval.out other.out --answers test.answers")]
pub struct Evaluate {
    /// Verdicts, as predict writes them, `-` for standard input; several files are compared with each other
    #[arg(required = true)]
    eval: Vec<Input>,
    /// Human labels, one per line; not needed for pairs in a table with the column `label`
    #[arg(long, short, value_name = "FILE", required_unless_present = "pairs")]
    answers: Option<Input>,
    /// The pairs that they belong to
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    wordnet: WordNetOption,
    /// Print only the summary, without tables
    #[arg(long)]
    brief: bool,
}

impl Evaluate {
    pub fn run(self, common: &Common) -> Result<()> {
        check_inputs(self.eval.iter().chain(&self.answers).chain(&self.pairs))?;
        let report = match (&self.pairs, &self.answers) {
            (Some(pairs), _) => self.beside_baseline(pairs, common)?,
            (None, Some(answers)) => self.alone(answers, common)?,
            (None, None) => bail!("name the human judgments with --answers, or the pairs with --pairs"),
        };
        common.print_report(report, self.brief)
    }

    /// The verdicts of all files on the pairs of `beside`, which have these ids.
    fn verdicts(&self, beside: &Input, ids: &[Option<&str>]) -> tribunal::Result<Vec<System>> {
        let read = |(file, name)| Ok(System::of_verdicts(name, answers::read_for(file, beside, ids.iter().copied())?));
        self.eval.iter().zip(display_names(&self.eval)).map(read).collect()
    }

    fn alone(&self, answers: &Input, common: &Common) -> Result<Report> {
        let reading = self.reading.reading(&[], true)?;
        let people = answers::read(answers, &LabelNames::from_options(&reading.options)?)?;
        let verdicts = self.verdicts(answers, &vec![None; people.len()])?;
        let engine = self.wordnet.engine()?;
        common.with_context(&engine, |context| workflows::evaluate_alone(context, &verdicts, &people, common.seed()))
    }

    fn beside_baseline(&self, pairs: &Input, common: &Common) -> Result<Report> {
        let files = std::slice::from_ref(pairs);
        let reading = self.reading.reading(files, self.answers.is_some())?;
        let (judgments, _) = common.judgments(pairs, &reading, self.answers.as_ref())?;
        let ids: Vec<Option<&str>> = judgments.iter().map(|judgment| judgment.pair.id.as_deref()).collect();
        let verdicts = self.verdicts(pairs, &ids)?;
        let engine = self.wordnet.engine()?;
        common.with_context(&engine, |context| workflows::evaluate(context, verdicts, &judgments, common.seed()))
    }
}

/// Check that a file holds one verdict, 1, 0 or -1, for each pair
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
        common.print(&found, || format!("{}: {} verdicts; 1: {first}, 0: {tie}, -1: {second}\n", self.eval, found.rows))
    }
}
