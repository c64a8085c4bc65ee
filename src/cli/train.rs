//! `tribunal train`: what the ensemble learns, and how well it does on sentences that it did not see.

mod history;
mod sources;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use tribunal::comparators::Folded;
use tribunal::features::choice;
use tribunal::features::{Choice, Extractor, Schema};
use tribunal::files::{Input, Output};
use tribunal::judgments::grouping::Groups;
use tribunal::judgments::{Judgment, Verdict};
use tribunal::model::studies;
use tribunal::model::validation::{self, Labelled};
use tribunal::model::{CheckedSettings, Model, TieRule, TrainSettings};
use tribunal::report::studies::{AblationRow, CurveRow, FileRow};
use tribunal::report::{self, Report, System};

use self::sources::Sources;
use super::options::Common;
use super::progress;

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
    /// How much a pair of each file counts in training, separated by commas: multiples of 0.1 [default: 1 each]
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
        let settings = TrainSettings::default().folds(self.folds).ties(self.ties).seed(common.seed()).check()?;
        // First of all, so that an hour of training is not lost to a wrong folder.
        let output = self.model.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let wordnet = &common.wordnet()?;
        let extractor = Extractor::all(wordnet)?;
        let schema = self.choice(common).of(extractor.schema())?;
        let sources = Sources::read(&self.pairs, &self.answers, &self.weights, common)?;
        warn_of_weights(&sources.judgments, common);

        let pairs = || sources.judgments.iter().map(|judgment| &judgment.pair);
        let bar = progress::bar(common, "computing features", 1);
        let everything = extractor.extract(pairs(), &progress::segments(&bar));
        bar.finish_and_clear();

        let table = everything.narrowed(extractor.schema(), &schema);
        let labels: Vec<Verdict> = sources.judgments.iter().map(|judgment| judgment.label).collect();
        let (groups, copies) = (Groups::of(pairs()), sources.copies());
        let data = Labelled { table: &table, labels: &labels, groups: &groups, copies: &copies };
        let bar = progress::bar(common, "cross-validating", settings.folds() + 1);
        let out_of_fold = validation::cross_validate(data, &settings, &|done| bar.set_position(done as u64))?;
        let all: Vec<usize> = (0..labels.len()).collect();
        let trained = validation::fit(data, &all, &out_of_fold.choice, &settings)?;
        bar.finish_and_clear();

        let mut systems = vec![System::of_probabilities("ensemble", out_of_fold.verdicts, out_of_fold.probabilities)];
        let folded = Folded::of(&sources.judgments, &groups, settings.folds(), settings.seed());
        systems.extend(report::comparators(&extractor, &everything, &folded));
        let mut report =
            Report::of(&labels, &groups, &systems, settings.folds(), common.seed()).with_agreement(&sources.judgments);
        report.files = of_files(&sources, &labels, &groups, &systems, common.seed());
        report.families = studies::families(&trained, &table, &schema);
        let all_columns = Labelled { table: &everything, ..data };
        self.study(&mut report, all_columns, extractor.schema(), &schema, &systems[0], &settings, common)?;

        match output {
            Some(output) => {
                let training = history::of(&sources, common.language.code(), &report, &settings, &trained);
                Model::new(trained, schema, wordnet, training).write(output)?;
            }
            None => common.note("No model is written: name a file with -m to keep it."),
        }
        common.print(&report, || report::table::render(&report))
    }

    fn choice(&self, common: &Common) -> Choice {
        let none: &[String] = &[];
        let without = if self.without == ["none"] { none } else { &self.without };
        Choice::without(without, common.language.clone())
    }

    /// Adds ablation and learning curve, where they are asked for.
    #[expect(clippy::too_many_arguments)]
    fn study(
        &self,
        report: &mut Report,
        data: Labelled<'_>,
        all: &Schema,
        chosen: &Schema,
        ensemble: &System,
        settings: &CheckedSettings,
        common: &Common,
    ) -> Result<()> {
        let seed = common.seed();
        if self.ablation {
            let bar = progress::bar(common, "leaving features out", studies::ablations(all, chosen));
            let rows = studies::ablation(data, all, chosen, settings, &|done| bar.set_position(done as u64))?;
            let row = |ablated| AblationRow::of(ablated, ensemble, data.labels, data.groups, seed);
            report.ablation = rows.iter().map(row).collect();
            bar.finish_and_clear();
        }
        if self.curve {
            let table = data.table.narrowed(all, chosen);
            let data = Labelled { table: &table, ..data };
            let bar = progress::bar(common, "learning from less", 4);
            let points = studies::learning_curve(data, settings, &|done| bar.set_position(done as u64))?;
            report.learning_curve =
                points.iter().map(|point| CurveRow::of(point, data.labels, data.groups, seed)).collect();
            bar.finish_and_clear();
        }
        Ok(())
    }
}

/// The systems on each of several files.
fn of_files(sources: &Sources, labels: &[Verdict], groups: &Groups, systems: &[System], seed: u64) -> Vec<FileRow> {
    if sources.files.len() == 1 {
        return Vec::new();
    }
    let row = |file: &sources::File| {
        let rows: Vec<usize> = file.rows.clone().collect();
        FileRow::of(file.name.clone(), file.weight, &rows, labels, groups, systems, seed)
    };
    sources.files.iter().map(row).collect()
}

/// Says what is read but not used, rather than nothing.
fn warn_of_weights(judgments: &[Judgment], common: &Common) {
    if judgments.iter().any(|judgment| judgment.pair.weight.is_some_and(|weight| weight != 1.0)) {
        common.note("warning: training and report count every pair once; the column 'weight' changes nothing.");
    }
}
