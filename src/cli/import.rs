//! `tribunal import`: judgments in the formats that people keep them in become pairs.

mod files;

use anyhow::Result;
use clap::{Args, Subcommand};
use tribunal::files::Input;
use tribunal::files::rows::Rows;
use tribunal::formats::penalties::{Penalties, Penalty};
use tribunal::formats::tables::{Columns, Layout, Scored, TablePairs};
use tribunal::formats::{Importer, Merged, Pairs, Preference, direct, meteor_rank, mqm, rankings, wmt_rr};

use super::options::Common;
use files::{Files, PlacesOptions, TiesOption};

/// Make pairs of human judgments in other formats: rankings, error annotations, ...
///
/// Says what was read, kept and dropped, and why. Which hypothesis of a pair comes first is drawn from their texts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal import rankings cs-en.rankings -o cs-en.csv\n  \
    tribunal import mqm mqm.tsv --reference refA --margin 2 -o mqm.csv\n  \
    tribunal import wmt-rr wmt14.csv --systems outputs --references ref.en --languages cze-eng -o rr.csv\n  \
    tribunal import table comet.csv --mt mt --score score --margin 25 -o comet.jsonl")]
pub struct Import {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    Rankings(Rankings),
    WmtRr(WmtRr),
    Mqm(Mqm),
    Da(Direct),
    Rank(MeteorRank),
    Table(Box<Table>),
}

/// Rankings of several hypotheses: `id ||| rank ||| ref ||| hyp` a line, 0 is the best
///
/// Every two lines of one id are a pair; equal ranks are ties.
#[derive(Debug, Args)]
struct Rankings {
    #[command(flatten)]
    files: Files,
    /// The highest rank is the best, not 0
    #[arg(long)]
    highest_is_best: bool,
    /// What becomes of ties
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    ties: TiesOption,
    /// The difference of the ranks becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// WMT's relative rankings: a table with srclang, trglang, srcIndex, judgeId, system1Id, ..., system1rank, ...
///
/// Every two ranks of a row are a pair; -1 is blank, the lower rank is better.
#[derive(Debug, Args)]
struct WmtRr {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    places: PlacesOptions,
    /// Only these languages, as the table names them, such as cze-eng
    #[arg(long, value_name = "SOURCE-TARGET", value_parser = languages)]
    languages: Option<[String; 2]>,
    /// What most judges of a pair say becomes one pair, with their agreement as weight
    #[arg(long)]
    merge: bool,
    /// What becomes of ties
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    ties: TiesOption,
}

/// Error annotations (MQM): a table with an error a row, as the WMT studies publish them
///
/// A translation's score is minus the sum of its errors' penalties, averaged over raters.
#[derive(Debug, Args)]
struct Mqm {
    #[command(flatten)]
    files: Files,
    /// The systems that are references, separated by commas
    #[arg(long, value_name = "SYSTEM", value_delimiter = ',', default_value = "ref")]
    reference: Vec<String>,
    /// Scores that differ by less are a tie: 1 is a minor error, 5 a major one
    #[arg(long, value_name = "POINTS", default_value_t = mqm::MARGIN, value_parser = margin)]
    margin: f64,
    /// What errors cost, such as ':Critical=10' or 'Fluency/Spelling:Minor=0.5'; may be given several times
    /// [default: 25 for non-translations, 0.1 for minor punctuation, 5 for other major, 1 for other minor errors]
    #[arg(long, value_name = "[CATEGORY][:SEVERITY]=COST")]
    penalty: Vec<Penalty>,
    /// What becomes of ties
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    ties: TiesOption,
    /// The difference of the scores becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// Direct assessments: `SYS SID RAW Z N` a line, scores of systems' segments on a scale to 100
#[derive(Debug, Args)]
struct Direct {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    places: PlacesOptions,
    /// The languages of the files to look for, such as cs-en
    #[arg(long, value_name = "SOURCE-TARGET", value_parser = languages)]
    languages: Option<[String; 2]>,
    /// Scores that differ by less are a tie
    #[arg(long, value_name = "POINTS", default_value_t = direct::MARGIN, value_parser = margin)]
    margin: f64,
    /// What becomes of ties
    #[arg(long, value_name = "WHAT", default_value = "drop")]
    ties: TiesOption,
    /// The difference of the scores becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// METEOR's .rank files: segment, languages and better system, languages and other system, with tabs
#[derive(Debug, Args)]
struct MeteorRank {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    places: PlacesOptions,
}

/// A table with columns of other names: labelled pairs, COMET's `pos` and `neg`, or COMET's `mt` and `score`
///
/// The table is .csv, .tsv or .jsonl, or .parquet if built with the feature `parquet`. What the rows are is known by the
/// columns that are there. Hypotheses with a score are compared within the same source and reference.
#[derive(Debug, Args)]
struct Table {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    names: Names,
    /// Scores that differ by less are a tie
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, value_parser = margin)]
    margin: f64,
    /// What becomes of equal scores
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    ties: TiesOption,
    /// The difference of the scores becomes the pair's weight
    #[arg(long)]
    weigh: bool,
}

/// What the columns are called.
#[derive(Debug, Args)]
#[command(next_help_heading = "Columns")]
struct Names {
    #[arg(long, value_name = "COLUMN", default_value = "hyp1")]
    hyp1: String,
    #[arg(long, value_name = "COLUMN", default_value = "hyp2")]
    hyp2: String,
    /// 1, 0 or -1
    #[arg(long, value_name = "COLUMN", default_value = "label")]
    label: String,
    /// The preferred hypothesis
    #[arg(long, value_name = "COLUMN", default_value = "pos")]
    pos: String,
    /// The other hypothesis
    #[arg(long, value_name = "COLUMN", default_value = "neg")]
    neg: String,
    /// A hypothesis with a score
    #[arg(long, value_name = "COLUMN", default_value = "mt")]
    mt: String,
    /// Higher is better
    #[arg(long, value_name = "COLUMN", default_value = "score")]
    score: String,
    #[arg(long, value_name = "COLUMN", default_value = "src")]
    src: String,
    /// The reference; several are separated by commas
    #[arg(long = "ref", value_name = "COLUMN", value_delimiter = ',', default_value = "ref")]
    references: Vec<String>,
    /// The name of a pair, or of the system
    #[arg(long, value_name = "COLUMN", default_value = "id")]
    id: String,
    #[arg(long, value_name = "COLUMN", default_value = "group")]
    group: String,
    #[arg(long, value_name = "COLUMN", default_value = "judges")]
    judges: String,
    #[arg(long, value_name = "COLUMN", default_value = "weight")]
    weight: String,
}

impl Import {
    pub fn run(self, common: &Common) -> Result<()> {
        match self.kind {
            Kind::Rankings(options) => options.run(common),
            Kind::WmtRr(options) => options.run(common),
            Kind::Mqm(options) => options.run(common),
            Kind::Da(options) => options.run(common),
            Kind::Rank(options) => options.run(common),
            Kind::Table(options) => options.run(common),
        }
    }
}

impl Rankings {
    fn run(self, common: &Common) -> Result<()> {
        let preference = Preference { weigh: self.weigh, ..self.files.preference(self.ties) };
        let best = if self.highest_is_best { rankings::Best::Highest } else { rankings::Best::Lowest };
        self.files.import(common, 1, |input| Ok(Pairs::of(rankings::Rankings::open(input, best)?, preference)))
    }
}

impl WmtRr {
    fn run(self, common: &Common) -> Result<()> {
        let preference = self.files.preference(self.ties);
        let open = |input: &Input| {
            let rankings = wmt_rr::Rankings::open(input, &self.places.of(input), self.languages.clone())?;
            Ok(Pairs::of(rankings, preference))
        };
        if self.merge {
            return self.files.import(common, 1, |input| Ok(Merged::of(open(input)?)));
        }
        self.files.import(common, 1, open)
    }
}

impl Mqm {
    fn run(self, common: &Common) -> Result<()> {
        let preference = Preference { weigh: self.weigh, margin: self.margin, ..self.files.preference(self.ties) };
        let penalties = Penalties::with(self.penalty);
        let settings = mqm::Settings { references: self.reference, penalties };
        let open = |input: &Input| Ok(Pairs::of(mqm::Mqm::open(input, settings.clone())?, preference));
        self.files.import(common, settings.references.len(), open)
    }
}

impl Direct {
    fn run(self, common: &Common) -> Result<()> {
        let preference = Preference { weigh: self.weigh, margin: self.margin, ..self.files.preference(self.ties) };
        let languages = self.languages.clone().unwrap_or_default();
        self.files.import(common, 1, |input| {
            let assessments = direct::Assessments::open(input, &self.places.of(input), languages.clone())?;
            Ok(Pairs::of(assessments, preference))
        })
    }
}

impl MeteorRank {
    fn run(self, common: &Common) -> Result<()> {
        self.files.import(common, 1, |input| {
            let preferences = meteor_rank::Preferences::open(input, &self.places.of(input))?;
            Ok(Pairs::of(preferences, Preference::default()))
        })
    }
}

impl Table {
    fn run(self, common: &Common) -> Result<()> {
        let preference = Preference { weigh: self.weigh, margin: self.margin, ..self.files.preference(self.ties) };
        let columns = self.names.columns();
        let references = columns.references.len();
        self.files.import(common, references, |input| {
            let rows = Rows::open(input, common.format())?;
            let importer: Box<dyn Importer> = match columns.layout(&rows)? {
                Layout::Scored => Box::new(Pairs::of(Scored::of(rows, columns.clone()), preference)),
                layout => Box::new(TablePairs::of(rows, columns.clone(), layout)),
            };
            Ok(importer)
        })
    }
}

impl Names {
    fn columns(&self) -> Columns {
        Columns {
            hypotheses: [self.hyp1.clone(), self.hyp2.clone()],
            label: self.label.clone(),
            preferred: [self.pos.clone(), self.neg.clone()],
            scored: self.mt.clone(),
            score: self.score.clone(),
            source: self.src.clone(),
            references: self.references.clone(),
            id: self.id.clone(),
            group: self.group.clone(),
            judges: self.judges.clone(),
            weight: self.weight.clone(),
        }
    }
}

fn margin(text: &str) -> std::result::Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    value
        .filter(|margin| margin.is_finite() && *margin >= 0.0)
        .ok_or_else(|| "expected a number of 0 or more".to_owned())
}

fn languages(text: &str) -> std::result::Result<[String; 2], String> {
    let (source, target) = text.split_once('-').ok_or("expected two languages, such as cs-en")?;
    Ok([source.to_owned(), target.to_owned()])
}
