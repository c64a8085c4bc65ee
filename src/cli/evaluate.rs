//! `tribunal evaluate`: verdicts against people.

use anyhow::Result;
use clap::Args;
use tribunal::features::Extractor;
use tribunal::files::Input;
use tribunal::formats::answers;
use tribunal::judgments::Verdict;
use tribunal::judgments::grouping::Groups;
use tribunal::report::{self, BASELINE, Report, System};

use super::options::Common;

/// Report how often verdicts are those of people
///
/// With --pairs the baseline stands beside it, and intervals and test draw whole references; without, single pairs.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal evaluate eval.out --answers test.answers --pairs test.pairs")]
pub struct Evaluate {
    /// The verdicts, as predict writes them, `-` for standard input
    eval: Input,
    /// What people said, a line a pair; not needed for pairs in a table with the column `label`
    #[arg(long, short, value_name = "FILE", required_unless_present = "pairs")]
    answers: Option<Input>,
    /// The pairs that they belong to
    #[arg(long, short, value_name = "PAIRS")]
    pairs: Option<Input>,
}

impl Evaluate {
    pub fn run(self, common: &Common) -> Result<()> {
        let name = self.eval.stem();
        let report = match &self.pairs {
            Some(pairs) => self.beside_baseline(name, pairs, common)?,
            None => self.alone(name, common)?,
        };
        common.print(&report, || report::table::render(&report))
    }

    fn alone(&self, name: String, common: &Common) -> Result<Report> {
        let Some(answers) = &self.answers else { unreachable!("clap asks for --answers where there is no --pairs") };
        let people = answers::read(answers)?;
        let verdicts = answers::read_for(&self.eval, answers, people.len())?;
        let groups = Groups { of_pair: (0..people.len()).collect(), count: people.len() };
        common.note("Without --pairs the interval takes every pair for a sentence of its own: it is too narrow.");
        Ok(Report::of(&people, &groups, &[System::of_verdicts(name, verdicts)], 0, common.seed()))
    }

    fn beside_baseline(&self, name: String, pairs: &Input, common: &Common) -> Result<Report> {
        let judgments = common.judgments(pairs, self.answers.as_ref())?;
        let people: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
        let verdicts = answers::read_for(&self.eval, pairs, people.len())?;
        let groups = Groups::of(judgments.iter().map(|judgment| &judgment.pair));
        let extractor = Extractor::all(&common.wordnet()?)?;
        let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &|_, _| ());
        let mut systems = vec![System::of_verdicts(name, verdicts)];
        let untrained = report::untrained_systems(&extractor, &table, &people);
        systems.extend(untrained.into_iter().filter(|system| [BASELINE, "majority"].contains(&system.name.as_str())));
        Ok(Report::of(&people, &groups, &systems, 0, common.seed()).with_agreement(&judgments))
    }
}
