//! `tribunal compare`: ready models, the baseline and every single metric, on the same judgments.

use anyhow::Result;
use clap::Args;
use tribunal::features::Extractor;
use tribunal::files::Input;
use tribunal::judgments::grouping::Groups;
use tribunal::judgments::{Judgment, Verdict};
use tribunal::report::{self, Report, System};

use super::options::{Common, NamedModel};
use super::progress;

/// Report the accuracy of ready models, the baseline and every single metric
///
/// Models are judged as they are: on judgments that a model was trained on its accuracy is too good to be true, and a
/// warning says so. Where no judgment is a tie, models say none, either.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal compare test.pairs --answers test.answers -m dev.json -m other.json")]
pub struct Compare {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// What people said, a line a pair; not needed for a table with the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
    /// A model that train wrote; may be given several times [default: the one inside the program]
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
}

impl Compare {
    pub fn run(self, common: &Common) -> Result<()> {
        let mut models = if self.model.is_empty() {
            vec![NamedModel::read(None, &common.language)?]
        } else {
            self.model.iter().map(|file| NamedModel::read(Some(file), &common.language)).collect::<Result<_>>()?
        };
        let wordnet = &common.wordnet()?;
        let judgments = common.judgments(&self.pairs, self.answers.as_ref())?;
        let people: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
        if !people.contains(&Verdict::Tie) {
            common.note("None of these judgments is a tie: the models say the likelier of 1 and -1.");
            let decided = |named: NamedModel| NamedModel { model: named.model.without_ties(), ..named };
            models = models.into_iter().map(decided).collect();
        }
        let mut systems = Vec::new();
        for named in &models {
            warn_of_leak(named, &judgments, common);
            let extractor = named.model.extractor(wordnet, &named.place)?;
            let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &|_, _| ());
            let probabilities = named.model.judge(&table);
            systems.push(System::of_probabilities(&named.name, named.model.verdicts(&probabilities), probabilities));
        }
        let extractor = Extractor::all(wordnet)?;
        let bar = progress::bar(common, "computing metrics", 1);
        let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &progress::segments(&bar));
        bar.finish_and_clear();
        systems.extend(report::untrained_systems(&extractor, &table, &people));
        let groups = Groups::of(judgments.iter().map(|judgment| &judgment.pair));
        let report = Report::of(&people, &groups, &systems, 0, common.seed()).with_agreement(&judgments);
        common.print(&report, || report::table::render(&report))
    }
}

fn warn_of_leak(named: &NamedModel, judgments: &[Judgment], common: &Common) {
    let seen = named.model.seen(judgments);
    if seen > 0 {
        let (name, all) = (&named.name, judgments.len());
        common.note(&format!(
            "warning: '{name}' was trained on the references of {seen} of these {all} pairs; its accuracy on them is too \
             good to be true. See train for figures out of fold."
        ));
    }
}
