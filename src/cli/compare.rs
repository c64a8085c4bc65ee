//! `tribunal compare`: ready models, the baseline and every single metric, on the same judgments.

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::report::table;
use tribunal::workflows::{self, NamedModel};

use super::options::Common;

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
        let read = |file| NamedModel::read(file, &common.language);
        let models = if self.model.is_empty() {
            vec![read(None)?]
        } else {
            self.model.iter().map(|file| read(Some(file))).collect::<tribunal::Result<_>>()?
        };
        let engine = common.engine()?;
        let judgments = common.judgments(&self.pairs, self.answers.as_ref())?;
        let display = common.display();
        let report = workflows::compare(&engine, models, &judgments, common.seed(), &|event| display.show(event))?;
        common.print(&report, || table::render(&report))
    }
}
