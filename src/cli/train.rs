//! `tribunal train`: what the ensemble learns, and how well it does on sentences that it did not see.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use tribunal::comparators::Folded;
use tribunal::features::choice::REDUNDANT;
use tribunal::features::{Choice, Extractor, Language};
use tribunal::judgments::grouping::Groups;
use tribunal::judgments::{Input, Judgment, Output, Verdict};
use tribunal::model::file::reference_fingerprint;
use tribunal::model::validation::{self, Labelled};
use tribunal::model::{CheckedSettings, Model, TieRule, TrainSettings, Training};
use tribunal::report::{self, BASELINE, Report, System};

use super::options::Common;
use super::progress;

/// Train on human judgments, and report accuracy on references that training did not see
///
/// The report is cross-validated: every pair is judged by a model that saw no judgment of its reference. The model that
/// is written then learns from all pairs.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tribunal train dev.pairs --answers dev.answers -m dev.json\n\n\
    PAIRS has 'hyp1 ||| hyp2 ||| ref' a line, or is a .csv, .tsv or .jsonl table with the columns\n\
    hyp1, hyp2, ref and label. The answers are 1 (hyp1 is better), 0 (equal) or -1 (hyp2 is better),\n\
    a line each.")]
pub struct Train {
    /// The pairs, `-` for standard input
    pairs: Input,
    /// What people said, a line a pair; not needed for a table with the column `label`
    #[arg(long, short, value_name = "FILE")]
    answers: Option<Input>,
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
    /// Leave out the features of these metrics or families, or single features, separated by commas; '' for none
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = REDUNDANT.map(str::to_owned))]
    without: Vec<String>,
}

impl Train {
    pub fn run(self, common: &Common) -> Result<()> {
        let settings = TrainSettings::default().folds(self.folds).ties(self.ties).seed(common.seed()).check()?;
        // First of all, so that an hour of training is not lost to a wrong folder.
        let output = self.model.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let wordnet = common.wordnet()?;
        let judgments = common.judgments(&self.pairs, self.answers.as_ref())?;
        warn_of_weights(&judgments, common);

        let choice = Choice::without(&self.without, Language::default());
        let schema = choice.of(Extractor::all(wordnet).schema())?;
        let extractor = Extractor::all_for_schema(wordnet, &schema, "features")?;
        let bar = progress::bar(common, "computing features", 1);
        let table = extractor.extract(judgments.iter().map(|judgment| &judgment.pair), &progress::segments(&bar));
        bar.finish_and_clear();

        let labels: Vec<Verdict> = judgments.iter().map(|judgment| judgment.label).collect();
        let groups = Groups::of(judgments.iter().map(|judgment| &judgment.pair));
        let data = Labelled { table: &table, labels: &labels, groups: &groups, copies: &[] };
        let bar = progress::bar(common, "cross-validating", settings.folds() + 1);
        let out_of_fold = validation::cross_validate(data, &settings, &|done| bar.set_position(done as u64))?;
        let all: Vec<usize> = (0..labels.len()).collect();
        let trained = validation::fit(data, &all, &out_of_fold.choice, &settings)?;
        bar.finish_and_clear();

        let mut systems = vec![System::of_probabilities("ensemble", out_of_fold.verdicts, out_of_fold.probabilities)];
        let folded = Folded::of(&judgments, &groups, settings.folds(), settings.seed());
        systems.extend(report::comparators(&extractor, &table, &folded));
        let report = Report::of(&labels, &groups, &systems, settings.folds(), common.seed()).with_agreement(&judgments);

        if let Some(output) = output {
            let training = history(&self.pairs, &judgments, &report, &settings, trained.penalty, trained.gradient);
            Model::new(trained, extractor.schema().clone(), wordnet, training).write(output)?;
        } else {
            common.note("No model is written: name a file with -m to keep it.");
        }
        common.print(&report, || report::table::render(&report))
    }
}

/// Says what is read but not used, rather than nothing.
fn warn_of_weights(judgments: &[Judgment], common: &Common) {
    if judgments.iter().any(|judgment| judgment.pair.weight.is_some_and(|weight| weight != 1.0)) {
        common.note("warning: training and report count every pair once; the column 'weight' changes nothing.");
    }
}

/// What the model file says of its past.
fn history(
    pairs: &Input,
    judgments: &[Judgment],
    report: &Report,
    settings: &CheckedSettings,
    penalty: f64,
    gradient: f64,
) -> Training {
    let data = match pairs {
        Input::Stdin => pairs.to_string(),
        Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let references = judgments.iter().flat_map(|judgment| &judgment.pair.references);
    let mut references: Vec<String> = references.map(|reference| reference_fingerprint(reference)).collect();
    references.sort();
    references.dedup();
    let named = |name: &str| report.row(name).map(|row| (name.to_owned(), row.accuracy));
    Training {
        data,
        pairs: report.rows,
        groups: report.groups,
        labels: Verdict::ALL.iter().map(|verdict| (verdict.to_string(), report.labels[verdict.index()])).collect(),
        settings: settings.settings().clone(),
        penalty,
        gradient,
        accuracy: ["ensemble", BASELINE].into_iter().filter_map(named).collect::<BTreeMap<_, _>>(),
        references,
    }
}
