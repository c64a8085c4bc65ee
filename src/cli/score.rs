//! `tribunal score`: metric scores of systems, of whole texts or of segments.

mod list;
mod options;
mod segments;

use std::io::IsTerminal;

use anyhow::Result;
use clap::Args;
use tribunal::files::Input;
use tribunal::formats::OwnMetrics;
use tribunal::workflows::score::{MetricChoice, PairedTest, ScoreFiles, SystemComparison, score_files};

use self::options::MetricOptions;
use super::options::Common;
use super::own;

/// Compute metrics of one or several systems, for whole texts or segment by segment
///
/// Every metric is what its reference implementation gives by default, unless an option says otherwise. A terminal gets
/// a rounded table with signatures; a file or a pipe gets all digits, separated by tabs; --json has everything.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal score system1.txt system2.txt -r reference.txt --paired-bs\n  \
    tribunal score system.txt -r ref1.txt ref2.txt --metrics bleu,chrf --segments\n  \
    tribunal score system1.txt system2.txt -r reference.txt --metrics chrf,ensemble -m dev.json\n  \
    tribunal score system1.txt system2.txt -r reference.txt -m dev.json --own comet=1.comet,2.comet\n  \
    tribunal score system.txt -r reference.txt --metrics meteor --paraphrases paraphrase-en.gz\n\n\
    A model's score is roughly a percentile: 70 means better than about 70% of the training\n\
    translations. Settings of metrics do not change it.\n\n\
    Texts have one segment per line. An empty line in a second or further file of references says\n\
    that the segment has no such reference.\n\n\
    METEOR's table of paraphrases is read once, in seconds, and kept in 40 MB of the cache folder,\n\
    from where it opens at once. A cache that is missing, damaged or of another table is made anew.")]
pub struct ScoreSystems {
    /// The systems' output, one segment per line
    #[arg(value_name = "HYP", required_unless_present = "list_metrics")]
    systems: Vec<Input>,
    /// One or several files of references, one segment per line
    #[arg(long, short, value_name = "REF", required_unless_present = "list_metrics", num_args = 1..)]
    references: Vec<Input>,
    /// The metrics, separated by commas, in any case; `ensemble` is that of the model inside the program
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "bleu,chrf,ter,rougeL,meteor")]
    metrics: Vec<String>,
    /// Also score with a model that train wrote, 0 to 100, in a column with its name; may be given several times
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
    /// Metrics of your own that a model learned with: NAME=FILE, a file for each system, in their order, with one number
    /// per line; separated by commas or spaces
    #[arg(long, value_name = "NAME=FILE", value_delimiter = ',', num_args = 1..)]
    own: Vec<String>,
    /// List all metrics, each with its range, the direction of better scores, and what it is
    #[arg(long)]
    list_metrics: bool,
    /// One row per segment instead of one per system
    #[arg(long, conflicts_with_all = ["confidence", "paired_bs", "paired_ar"])]
    segments: bool,
    /// 95% intervals, by bootstrap over segments
    #[arg(long)]
    confidence: bool,
    /// Test each system against the first: paired bootstrap; with intervals
    #[arg(long, conflicts_with = "paired_ar")]
    paired_bs: bool,
    /// Test each system against the first: paired approximate randomisation
    #[arg(long)]
    paired_ar: bool,
    /// Rounds of resampling [default: 1000 for the bootstrap, 10000 for the randomisation]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    #[command(flatten)]
    options: MetricOptions,
}

impl ScoreSystems {
    pub fn run(self, common: &Common) -> Result<()> {
        if self.list_metrics {
            return list::print(common);
        }
        let comparison = self.comparison(common);
        let files = ScoreFiles {
            systems: self.systems,
            references: self.references,
            own: OwnMetrics::parse(&own::with_names(&self.own))?,
        };
        files.check()?;
        common.check_outputs(
            files.systems.iter().chain(&files.references).chain(files.own.files()).chain(&self.model),
            &[None],
        )?;
        comparison.check(files.systems.len())?;
        let (options, language) = (self.options.0, common.language.clone());
        let choice = MetricChoice { metrics: self.metrics, models: self.model, options, language };
        let panel = choice.panel(&common.wordnet()?)?;
        panel.notes().iter().for_each(|note| common.note(note));
        if self.segments {
            return segments::print(&panel, &files, common);
        }
        let display = common.display();
        let scores = score_files(&panel, &files, &comparison, &|event| display.show(event))?;
        let rounded = std::io::stdout().is_terminal();
        if !rounded || common.json {
            // A table for people says so itself.
            scores.identical().for_each(|line| common.note(&line));
        }
        common.print(&scores, || if rounded { scores.to_text() } else { scores.to_tsv() })
    }

    fn comparison(&self, common: &Common) -> SystemComparison {
        let test = match (self.paired_bs, self.paired_ar) {
            (true, _) => Some(PairedTest::Bootstrap),
            (_, true) => Some(PairedTest::Randomisation),
            _ => None,
        };
        let default = SystemComparison::default();
        let seed = common.seed.unwrap_or(default.seed);
        SystemComparison { confidence: self.confidence, test, rounds: self.rounds, seed }
    }
}
