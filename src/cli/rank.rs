//! `tribunal rank`: which system is better.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::error::Error;
use tribunal::features::Choice;
use tribunal::files::{Input, Output, check_content};
use tribunal::formats::{Reading, Signals, are_outputs};
use tribunal::report::html;
use tribunal::report::output_ranking::OutputRanking;
use tribunal::report::ranking::Ranking;
use tribunal::report::sections;
use tribunal::report::text::render_ranking;
use tribunal::workflows::score::ScoreFiles;
use tribunal::workflows::{
    By, MarkSettings, NamedModel, PairFiles, RankSettings, rank_files, rank_marked, rank_outputs,
    read_labelled_outputs, reading_of_outputs,
};

use super::flags::fraction;
use super::gate::{self, Gate};
use super::options::{
    Common, ExternalOptions, PAGE, ReadingOptions, TextOptions, check_files, refuse_for_outputs, refuse_for_pairs,
};
use super::tables::TableOption;

/// Rank systems: win rates, Bradley-Terry strengths, clusters
///
/// The columns system1 and system2, or model_a and model_b, name the systems of a pair. Systems are ranked by human labels,
/// by the verdicts of a judge, or by a model's predictions. With --by both, only a random sample of the pairs needs labels:
/// predictions for all pairs narrow the intervals (prediction-powered inference). They come from the model named with -m,
/// or else from one that is cross-fitted on the labels.
///
/// A table with one `output` a row has labels that pass or fail, or numbers: systems are ranked by the rate or mean of their labels,
/// with --by both corrected by the labels of a random part, or of a part that `next` drew, where a judge, or a model that was
/// trained on outputs, has all.
///
/// With -r, the files are system outputs, one segment per line, and a model compares every pair of systems.
#[derive(Debug, Args)]
#[command(
    override_usage = "tribunal rank [OPTIONS] <PAIRS>...\n       tribunal rank [OPTIONS] <SYSTEM>... -r <REF>...",
    after_help = "Examples:\n  tribunal rank arena.jsonl\n  tribunal rank arena.jsonl --by gpt --html rank.html\n  \
    tribunal rank arena.jsonl --by both --judge gpt,claude\n  \
    tribunal rank outputs.jsonl --by both --judge gpt --require 'all outputs>=30'\n  \
    tribunal rank system1.txt system2.txt -r reference.txt --json"
)]
pub struct Rank {
    /// Pairs, `-` for standard input; with -r, system outputs
    #[arg(value_name = "PAIRS", required = true)]
    files: Vec<Input>,
    /// Human labels, one per line, or a table of labelled pairs or outputs, such as the page of `annotate` exports; not needed
    /// with the column `label`
    #[arg(long, short, value_name = "FILE", conflicts_with = "references")]
    answers: Option<Input>,
    /// Reference files for system outputs; goes after the systems
    #[arg(long, short, value_name = "REF", num_args = 1..)]
    references: Vec<Input>,
    /// With -r: file of what the systems translate, for COMET
    #[arg(long, value_name = "SRC", requires = "references", hide_short_help = true)]
    src: Option<Input>,
    /// What to rank by: `human` labels, the predictions of a `model`, `both`, or the name of a judge [default: human if there
    /// are labels, else model]
    #[arg(long, value_name = "WHO", value_parser = str::parse::<By>)]
    by: Option<By>,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages
    /// [default: by --language; with --by both, cross-fitted on the labels]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Of outputs with --by both, how much the judge counts, from 0 to 1: 1 is the raw judge [default: as makes the interval
    /// narrowest]
    #[arg(long, value_name = "X", value_parser = fraction, hide_short_help = true)]
    lambda: Option<f64>,
    /// Control strengths for style: length, lists and mark-up
    #[arg(long)]
    style_control: bool,
    /// Also write the ranking as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print only the summary, without tables
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    gate: Gate,
    #[command(flatten)]
    tables: TableOption,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Rank {
    pub fn run(self, common: &Common) -> Result<()> {
        let signals = self.reading.signals(&self.own)?;
        let inputs = self.files.iter().chain(&self.answers).chain(&self.references).chain(&self.model);
        let inputs = inputs.chain(signals.files());
        // The ranking itself goes to standard output.
        let outputs: Vec<Option<&Path>> = self.html.iter().map(|page| Some(page.as_path())).chain([None]).collect();
        check_files(inputs, &outputs)?;
        self.html.iter().try_for_each(|page| check_content(page, "a page", &PAGE))?;
        let page = self.html.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        if self.references.is_empty()
            && let Some((signals, reading)) = self.reading_of_outputs(&signals)?
        {
            return self.of_marks(signals, reading, page, common);
        }
        refuse_for_pairs(&[(self.lambda.is_some(), "lambda")])?;
        let mut ranking = if self.references.is_empty() {
            self.of_pairs(signals, common)?
        } else {
            if signals.judges().next().is_some() {
                let advice = "omit it, as outputs of systems have no verdicts";
                return Err(Error::invalid("`judge`", "pairs", "outputs of systems", advice).into());
            }
            self.of_files(signals, common)?
        };
        ranking.requirements = self.gate.decide(&ranking)?;
        if let Some(mut page) = page {
            self.tables.check(&sections::of_ranking(&ranking))?;
            page.write(html::ranking(&ranking, &self.files[0].name())?.as_bytes())?;
            page.finish()?;
        }
        let text = |terminal| render_ranking(&ranking, terminal, self.brief);
        self.tables.show(common, &ranking, sections::of_ranking, text)?;
        gate::close(&ranking.requirements, common)
    }

    fn settings(&self, signals: Signals, common: &Common) -> RankSettings {
        RankSettings {
            by: self.by.clone(),
            style_control: self.style_control,
            features: Choice::for_language(self.texts.language.clone()),
            signals,
            source_name: self.files[0].to_string(),
            seed: common.seed(),
        }
    }

    /// How the file is read, where it has one output a row.
    fn reading_of_outputs(&self, signals: &Signals) -> Result<Option<(Signals, Reading)>> {
        let [file] = self.files.as_slice() else { return Ok(None) };
        let reading = self.reading.reading(&self.files, self.answers.is_some())?;
        if !are_outputs(file, &reading)? {
            return Ok(None);
        }
        refuse_for_outputs(&[(self.style_control, "style_control")])?;
        let named = match &self.by {
            Some(By::Judge(judge)) if !signals.iter().any(|signal| signal.name() == judge) => {
                signals.clone().with_judge(judge)
            }
            _ => signals.clone(),
        };
        Ok(Some((named, reading)))
    }

    /// The ranking of systems by the marks of single outputs.
    fn of_marks(&self, signals: Signals, reading: Reading, page: Option<Output>, common: &Common) -> Result<()> {
        let engine = self.texts.engine(common)?;
        let read = |file| NamedModel::read(Some(file), &engine, &self.texts.language);
        let settings = MarkSettings {
            by: self.by.clone().unwrap_or(By::Human),
            model: self.model.as_ref().map(read).transpose()?,
            lambda: self.lambda,
        };
        let ignores_labels = matches!(settings.by, By::Judge(_) | By::Model);
        if ignores_labels && self.answers.is_some() {
            let (expected, found) = ("a ranking by human labels, or by both", "another one");
            return Err(Error::invalid("`answers`", expected, found, "omit it, as it has no effect").into());
        }
        let reading = Reading { ignores_labels, ..reading };
        let reading = reading_of_outputs(settings.model.as_slice(), signals, reading)?;
        let mut ranking = common.with_context(&engine, |context| {
            let outputs = read_labelled_outputs(context, &self.files[0], self.answers.as_ref(), &reading)?;
            rank_marked(context, &self.files[0].name(), outputs, &settings)
        })?;
        ranking.requirements = self.gate.decide(&ranking)?;
        if let Some(mut page) = page {
            self.tables.check(&ranking.sections())?;
            page.write(ranking.to_page()?.as_bytes())?;
            page.finish()?;
        }
        self.tables
            .show(common, &ranking, OutputRanking::sections, |terminal| ranking.to_text(terminal, self.brief))?;
        gate::close(&ranking.requirements, common)
    }

    /// The ranking of the systems of pairs.
    fn of_pairs(&self, signals: Signals, common: &Common) -> Result<Ranking> {
        let engine = self.texts.engine(common)?;
        let read = |file| NamedModel::read(Some(file), &engine, &self.texts.language);
        let model = self.model.as_ref().map(read).transpose()?;
        let settings = self.settings(signals.clone(), common);
        let files = PairFiles {
            pairs: self.files.clone(),
            answers: self.answers.iter().cloned().collect(),
            signals,
            reading: self.reading.reading(&self.files, self.answers.is_some())?,
        };
        common.with_context(&engine, |context| rank_files(context, &files, model.as_ref(), &settings))
    }

    /// The ranking of the outputs of systems.
    fn of_files(&self, own: Signals, common: &Common) -> Result<Ranking> {
        if !matches!(self.by, None | Some(By::Model)) {
            let advice = "give pairs with labels or verdicts, without `references`";
            return Err(
                Error::invalid("`by`", "model, as outputs of systems have no labels", "another one", advice).into()
            );
        }
        self.reading.refuse()?;
        let (systems, references) = (self.files.clone(), self.references.clone());
        let files = ScoreFiles { systems, source: self.src.clone(), references, own };
        let engine = self.texts.engine(common)?;
        let model = NamedModel::read(self.model.as_ref(), &engine, &self.texts.language)?;
        let settings = self.settings(Signals::default(), common);
        common.with_context(&engine, |context| rank_outputs(context, files.read()?, &model, &settings))
    }
}
