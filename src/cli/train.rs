//! `tribunal train`: trains the ensemble and reports its cross-validated accuracy.

mod sources;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use tribunal::features::Choice;
use tribunal::features::choice;
use tribunal::files::{Input, Output};
use tribunal::learning::{TieRule, Validation};
use tribunal::report::table;
use tribunal::workflows::{self, TrainSettings};

use super::options::Common;

/// Train on human judgments, and report accuracy on references that training did not see
///
/// The report is cross-validated: every pair is judged by a model that saw no judgment of its reference. The model that
/// is written then learns from all pairs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n  \
    tribunal train dev.pairs --answers dev.answers more.csv --weights 1,0.5 -m both.json\n\n\
    PAIRS has 'hyp1 ||| hyp2 ||| ref' a line, or is a .csv, .tsv or .jsonl table with the columns\n\
    hyp1, hyp2, ref and label. The answers are 1 (hyp1 is better), 0 (equal) or -1 (hyp2 is better),\n\
    a line each.")]
pub struct Train {
    /// The pairs, `-` for standard input; several files are learned from together
    #[arg(required = true)]
    pairs: Vec<Input>,
    /// What people said, a line a pair; not needed for a table with the column `label`. Of several, the first belongs to the
    /// first file of pairs and so on
    #[arg(long, short, value_name = "FILE")]
    answers: Vec<Input>,
    /// How much a pair of each file counts in training, times its column `weight`; separated by commas [default: 1 each]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    weights: Vec<f64>,
    /// Where the model is written
    #[arg(long, short, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The number of folds of the report
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = RangedU64ValueParser::<usize>::new().range(2..))]
    folds: usize,
    /// When to say tie: where it is `likeliest`, where that is most `accurate` on pairs held back in training, or for a
    /// given share of pairs, such as 0.15
    #[arg(long, value_name = "RULE", default_value_t = TieRule::default())]
    ties: TieRule,
    /// Leave out the features of these metrics or families, or single features, separated by commas; `none` leaves out none
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = choice::on_request())]
    without: Vec<String>,
    /// Report, too, what is reached without each family of features, and with each metric that was left out
    #[arg(long)]
    ablation: bool,
    /// Report, too, what is reached by learning from an eighth, a quarter and a half of the references
    #[arg(long)]
    curve: bool,
}

impl Train {
    pub fn run(self, common: &Common) -> Result<()> {
        // First of all, so that an hour of training is not lost to a wrong folder.
        let output = self.model.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let settings = self.settings(common);
        let sources = sources::read(&self.pairs, &self.answers, &self.weights, common)?;
        let display = common.display();
        let trained = workflows::train(&common.engine()?, &sources, &settings, &|event| display.show(event))?;
        match output {
            Some(output) => trained.model.write(output)?,
            None => common.note("No model is written: name a file with -m to keep it."),
        }
        common.print(&trained.report, || table::render(&trained.report))
    }

    fn settings(&self, common: &Common) -> TrainSettings {
        let none: &[String] = &[];
        let without = if self.without == ["none"] { none } else { &self.without };
        TrainSettings {
            validation: Validation::default().folds(self.folds).ties(self.ties).seed(common.seed()),
            features: Choice::without(without, common.language.clone()),
            ablation: self.ablation,
            curve: self.curve,
            ..TrainSettings::default()
        }
    }
}
