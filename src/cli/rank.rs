//! `tribunal rank`: which system is better.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use tribunal::error::Error;
use tribunal::features::Choice;
use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output, check_content};
use tribunal::formats::{PairReader, Reading, Signals, UnmergedFile, add_labels};
use tribunal::judgments::{Pair, Verdict};
use tribunal::report::html;
use tribunal::report::ranking::Ranking;
use tribunal::report::text::render_ranking;
use tribunal::workflows::score::ScoreFiles;
use tribunal::workflows::{By, NamedModel, RankSettings, rank, rank_files, reading_for};

use super::options::{Common, ExternalOptions, PAGE, ReadingOptions, TextOptions, check_files};

/// Rank systems: win rates, Bradley-Terry strengths, clusters
///
/// The columns system1 and system2, or model_a and model_b, name the systems of a pair. Systems are ranked by human labels,
/// by the verdicts of a judge, or by a model's predictions. With --by both, only a random sample of the pairs needs labels:
/// predictions for all pairs narrow the intervals (prediction-powered inference). They come from the model named with -m,
/// or else from one that is cross-fitted on the labels.
///
/// With -r, the files are system outputs, one segment per line, and a model compares every pair of systems.
#[derive(Debug, Args)]
#[command(
    override_usage = "tribunal rank [OPTIONS] <PAIRS>...\n       tribunal rank [OPTIONS] <SYSTEM>... -r <REF>...",
    after_help = "Examples:\n  tribunal rank arena.jsonl\n  tribunal rank arena.jsonl --by gpt --html rank.html\n  \
    tribunal rank arena.jsonl --by both --judge gpt,claude\n  \
    tribunal rank system1.txt system2.txt -r reference.txt --json"
)]
pub struct Rank {
    /// Pairs, `-` for standard input; with -r, system outputs
    #[arg(value_name = "PAIRS", required = true)]
    files: Vec<Input>,
    /// Human labels, one per line, or a table of labelled pairs, such as the page of `annotate` exports; not needed for pairs
    /// with the column `label`
    #[arg(long, short, value_name = "FILE", conflicts_with = "references")]
    answers: Option<Input>,
    /// Reference files for system outputs; goes after the systems
    #[arg(long, short, value_name = "REF", num_args = 1..)]
    references: Vec<Input>,
    /// What to rank by: `human` labels, the predictions of a `model`, `both`, or the name of a judge [default: human if there
    /// are labels, else model]
    #[arg(long, value_name = "WHO", value_parser = str::parse::<By>)]
    by: Option<By>,
    /// A trained model, or a built-in one: `builtin` for English, `builtin-any` for other languages
    /// [default: by --language; with --by both, cross-fitted on the labels]
    #[arg(long, short, value_name = "FILE")]
    model: Option<Input>,
    /// Control strengths for style: length, lists and mark-up
    #[arg(long)]
    style_control: bool,
    /// Also write the ranking as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    own: ExternalOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    texts: TextOptions,
}

impl Rank {
    pub fn run(self, common: &Common) -> Result<()> {
        let signals = self.own.signals()?;
        let inputs = self.files.iter().chain(&self.answers).chain(&self.references).chain(&self.model);
        let inputs = inputs.chain(signals.files());
        // The ranking itself goes to standard output.
        let outputs: Vec<Option<&Path>> = self.html.iter().map(|page| Some(page.as_path())).chain([None]).collect();
        check_files(inputs, &outputs)?;
        self.html.iter().try_for_each(|page| check_content(page, "a page", &PAGE))?;
        let page = self.html.as_deref().map(|path| Output::create(Some(path))).transpose()?;
        let ranking = if self.references.is_empty() {
            self.of_pairs(signals, common)?
        } else {
            if signals.judges().next().is_some() {
                let advice = "omit it, as outputs of systems have no verdicts";
                return Err(Error::invalid("`judge`", "pairs", "outputs of systems", advice).into());
            }
            self.of_files(signals, common)?
        };
        if let Some(mut page) = page {
            page.write(html::ranking(&ranking, &self.files[0].name())?.as_bytes())?;
            page.finish()?;
        }
        common.show(&ranking, |terminal| render_ranking(&ranking, terminal))
    }

    fn settings(&self, by: By, features: Choice, common: &Common) -> RankSettings {
        RankSettings {
            by: Some(by),
            style_control: self.style_control,
            features,
            source_name: self.files[0].to_string(),
            seed: common.seed(),
        }
    }

    /// The ranking of the systems of pairs.
    fn of_pairs(&self, named: Signals, common: &Common) -> Result<Ranking> {
        // Only who asks for both may do without a model.
        let is_cross_fitted = self.by == Some(By::Both) && self.model.is_none();
        let needs_model = !is_cross_fitted && !matches!(self.by, Some(By::Human | By::Judge(_)));
        let engine = self.texts.engine()?;
        let model =
            needs_model.then(|| NamedModel::read(self.model.as_ref(), &engine, &self.texts.language)).transpose()?;
        for model in model.iter().filter(|_| self.model.is_some()) {
            model.check_signals(&named)?;
        }
        let of_judge =
            self.by.iter().filter_map(|by| if let By::Judge(name) = by { Some(name.as_str()) } else { None });
        let signals = of_judge.fold(named.clone(), Signals::with_judge);
        let reading = self.reading.reading(&self.files, self.answers.is_some())?;
        let mut files: Vec<UnmergedFile> = Vec::new();
        for (at, input) in self.files.iter().enumerate() {
            let of_file = signals.of_file(at, self.files.len())?;
            // A model is asked only where its predictions count, and then for what it learned from.
            let is_needed = self.model.is_some() && needs_model;
            let reading = if is_needed {
                reading_for(model.as_slice(), signals.clone(), reading.clone())?
            } else {
                Reading { signals: of_file, ..reading.clone() }
            };
            let is_unmerged = self.files.len() > 1;
            let reading = Reading { needs_labels: self.needs_labels(), is_unmerged, ..reading };
            let mut reader = PairReader::open_with(input, reading, self.lines_of_answers()?)?;
            let pairs = common.pairs(&mut reader)?;
            if let Some(answers) = self.lines_of_answers()? {
                common.warn_of_overruled(input, answers, reader.overruled(), pairs.len());
            }
            let merging = reader.merging().filter(|_| is_unmerged);
            files.push(UnmergedFile { name: input.to_string(), pairs, merging });
        }
        let mut pairs: Vec<Pair> = common.merged(files)?.into_iter().flatten().collect();
        if let Some(answers) = self.answers.as_ref().filter(|answers| TableKind::of(answers).is_some()) {
            let before: Vec<Option<Verdict>> = pairs.iter().map(|pair| pair.label).collect();
            let labelled = add_labels(&mut pairs, answers, reading)?;
            let overruled = pairs.iter().zip(before).filter(|(pair, own)| own.is_some() && pair.label != *own).count();
            common.warn_of_overruled(&self.files[0], answers, overruled, pairs.len());
            common.note(&format!("{answers}: labels of {labelled} of {} pairs", pairs.len()));
        }
        let has_labels = pairs.iter().any(|pair| pair.systems.is_some() && pair.label.is_some());
        let by = self.by.clone().unwrap_or(if has_labels { By::Human } else { By::Model });
        self.check_used(&by, &named)?;
        let seen = named.judges_in(|| pairs.iter());
        let features =
            Choice::for_language(self.texts.language.clone()).with_metrics(named.metrics()).with_judges(seen);
        let settings = self.settings(by, features, common);
        common.with_context(&engine, |context| rank(context, &pairs, model.as_ref(), &settings))
    }

    /// Refuses what has no effect on such a ranking.
    fn check_used(&self, by: &By, named: &Signals) -> tribunal::Result<()> {
        // The built-in model knows neither.
        let has_features = *by == By::Both || (*by == By::Model && self.model.is_some());
        let asks_others = named.judges().any(|judge| *by != By::Judge(judge.to_owned()));
        let unused = [
            ("`own`", !named.metrics().is_empty() && !has_features),
            ("`judge`", asks_others && !has_features),
            ("`model`", self.model.is_some() && matches!(by, By::Human | By::Judge(_))),
            ("`answers`", self.answers.is_some() && matches!(by, By::Model | By::Judge(_))),
        ];
        let Some((option, _)) = unused.into_iter().find(|(_, is_unused)| *is_unused) else { return Ok(()) };
        let by = match by {
            By::Human => "human labels",
            By::Judge(_) => "a judge",
            By::Model => "a model without it",
            By::Both => "both",
        };
        let advice = "use another value of `by`, or omit the option";
        Err(Error::invalid(option, "a ranking that depends on it", format!("one by {by}"), advice))
    }

    /// Answers in lines, one for each pair, instead of a table.
    fn lines_of_answers(&self) -> tribunal::Result<Option<&Input>> {
        let Some(answers) = self.answers.as_ref().filter(|answers| TableKind::of(answers).is_none()) else {
            return Ok(None);
        };
        if self.files.len() > 1 {
            let (expected, advice) = ("a table of labelled pairs", "labels in lines belong to a single file of pairs");
            return Err(Error::invalid(answers.to_string(), expected, "another file extension", advice));
        }
        Ok(Some(answers))
    }

    /// Whether a label that cannot be read matters.
    fn needs_labels(&self) -> bool {
        !matches!(self.by, Some(By::Model | By::Judge(_)))
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
        let files = ScoreFiles { systems: self.files.clone(), references: self.references.clone(), own };
        let engine = self.texts.engine()?;
        let model = NamedModel::read(self.model.as_ref(), &engine, &self.texts.language)?;
        let settings = self.settings(By::Model, Choice::default(), common);
        common.with_context(&engine, |context| rank_files(context, &files, &model, &settings))
    }
}
