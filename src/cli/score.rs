//! `tribunal score`: metric scores of systems, of whole texts or of segments.

mod columns;
mod paraphrases;
mod segments;
mod settings;
mod texts;

use std::io::IsTerminal;

use anyhow::Result;
use clap::Args;
use tribunal::Error;
use tribunal::evaluation::significance::{Resamples, randomisation};
use tribunal::files::Input;
use tribunal::metrics::panel::Member;
use tribunal::metrics::{Corpus, Panel, Scope, Statistics, corpus};
use tribunal::report::scores::{self, Column, Scores, SystemScores};
use tribunal::wordnet::WordNet;

use super::options::Common;

/// sacreBLEU's seed and numbers of rounds, so that intervals and tests come out as there.
const SEED: u64 = 12345;
const BOOTSTRAP_ROUNDS: u32 = 1000;
const RANDOMISATION_ROUNDS: u32 = 10_000;

/// Compute metrics of one or several systems, for whole texts or segment by segment
///
/// Every metric is what its reference implementation gives by default, unless an option says otherwise. A terminal gets a
/// rounded table with signatures; a file or a pipe gets all digits, separated by tabs; --json has everything.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal score system1.txt system2.txt -r reference.txt --paired-bs\n  \
    tribunal score system.txt -r ref1.txt ref2.txt --metrics bleu,chrf --segments\n  \
    tribunal score system1.txt system2.txt -r reference.txt --metrics chrf,ensemble -m dev.json\n  \
    tribunal score system.txt -r reference.txt --metrics meteor --paraphrases paraphrase-en.gz\n\n\
    A model's score of a segment is 50 where the translation is as good as those that it was trained\n\
    on are on average, and lies above that of about so many in a hundred of them; settings of\n\
    metrics change nothing there.\n\n\
    Texts have one segment a line. An empty line in a second or further file of references says\n\
    that the segment has no such reference.\n\n\
    METEOR's table of paraphrases is read once, in seconds, and kept in 50 MB of the cache folder,\n\
    from where it opens at once. A cache that is missing, damaged or of another table is made anew.")]
pub struct ScoreSystems {
    /// The systems' output, a segment a line
    #[arg(value_name = "HYP", required = true)]
    systems: Vec<Input>,
    /// One or several files of references, a segment a line
    #[arg(long, short, value_name = "REF", required = true, num_args = 1..)]
    references: Vec<Input>,
    /// The metrics, separated by commas; `ensemble` is that of the model inside the program
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "bleu,chrf,ter,rougeL,meteor")]
    metrics: Vec<String>,
    /// Also score with a model that train wrote, 0 to 100, in a column with its name; may be given several times
    #[arg(long, short, value_name = "FILE")]
    model: Vec<Input>,
    /// A row for every segment instead of every system
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
    settings: settings::MetricOptions,
    #[command(flatten)]
    paraphrases: paraphrases::ParaphraseOptions,
}

/// What all numbers depend on, whatever the metric.
struct Conditions {
    references: String,
    wordnet: String,
}

/// The version of a WordNet; with what tells it from the one inside the program, if it is another one.
fn name_of(wordnet: &WordNet) -> String {
    if wordnet.fingerprint() == WordNet::embedded().fingerprint() {
        return wordnet.version().to_owned();
    }
    format!("{}-{:016x}", wordnet.version(), wordnet.fingerprint())
}

impl ScoreSystems {
    pub fn run(self, common: &Common) -> Result<()> {
        self.check()?;
        let wordnet = &common.wordnet()?;
        let panel = columns::panel(&self, wordnet, common)?;
        if self.segments {
            return segments::print(&self, &panel, wordnet, common);
        }
        let texts: Vec<Vec<String>> = self.systems.iter().map(texts::read_lines).collect::<Result<_>>()?;
        let references = texts::read_references(&self.references, &self.systems[0], texts[0].len())?;
        let corpora = texts.iter().zip(&self.systems).map(|(text, input)| {
            texts::check_length(input, text.len(), &self.references[0], references.len())?;
            let segments: Vec<&str> = text.iter().map(String::as_str).collect();
            Ok(Corpus::of(&panel, wordnet, &segments, &texts::references_of(&references), Scope::Whole))
        });
        let corpora = corpora.collect::<Result<Vec<_>>>()?;
        let conditions = Conditions { references: texts::number_of_references(&references), wordnet: name_of(wordnet) };
        self.print_systems(&panel, &corpora, &conditions, common)
    }

    /// What the command line alone cannot say.
    fn check(&self) -> tribunal::Result<()> {
        let is_paired = self.paired_bs || self.paired_ar;
        let is_stdin = |input: &&Input| matches!(input, Input::Stdin);
        if self.systems.iter().chain(&self.references).filter(is_stdin).count() > 1 {
            return Err(Error::invalid("-", "standard input once", "it several times", "write all but one to a file"));
        }
        if is_paired && self.systems.len() == 1 {
            let advice = "name the system that the others are tested against first, or ask for --confidence";
            return Err(Error::invalid("HYP", "two or more systems for a paired test", "one", advice));
        }
        if self.rounds.is_some() && !is_paired && !self.confidence {
            let advice = "leave --rounds out, or say what is resampled";
            return Err(Error::invalid("--rounds", "--confidence, --paired-bs or --paired-ar", "none", advice));
        }
        Ok(())
    }

    fn print_systems(&self, panel: &Panel, corpora: &[Corpus], conditions: &Conditions, common: &Common) -> Result<()> {
        let segments = corpora[0].len();
        let seed = common.seed.unwrap_or(SEED);
        let resamples = (self.confidence || self.paired_bs)
            .then(|| Resamples::draw(segments, self.rounds.unwrap_or(BOOTSTRAP_ROUNDS) as usize, seed));
        let score = |metric: usize, member: &Member, system: usize| {
            let (own, first) = (corpora[system].statistics(metric), corpora[0].statistics(metric));
            self.score(member, own, (system > 0).then_some(first), resamples.as_ref(), seed)
        };
        let systems = texts::names(&self.systems).into_iter().enumerate().map(|(system, name)| SystemScores {
            name,
            scores: panel.members().iter().enumerate().map(|(metric, member)| score(metric, member, system)).collect(),
        });
        let table = Scores {
            segments,
            metrics: panel.members().iter().map(|member| self.column(member, conditions, seed)).collect(),
            systems: systems.collect(),
            test: self.test(),
        };
        let rounded = std::io::stdout().is_terminal();
        common.print(&table, || if rounded { table.to_text() } else { table.to_tsv() })
    }

    fn score(
        &self,
        member: &Member,
        own: &[Statistics],
        first: Option<&[Statistics]>,
        resamples: Option<&Resamples>,
        seed: u64,
    ) -> scores::Score {
        let metric = member.metric.as_ref();
        let spread = resamples.map(|resamples| resamples.spread(metric, own));
        let p_value = first.and_then(|first| {
            if self.paired_ar {
                let rounds = self.rounds.unwrap_or(RANDOMISATION_ROUNDS) as usize;
                return Some(randomisation(metric, own, first, rounds, seed));
            }
            resamples.filter(|_| self.paired_bs).map(|resamples| resamples.p_value(metric, own, first))
        });
        scores::Score {
            score: corpus::score(metric, own.iter()),
            mean: spread.map(|spread| spread.mean),
            half_width: spread.map(|spread| spread.half_width),
            p_value,
        }
    }

    /// What the p-values are of.
    fn test(&self) -> Option<scores::Test> {
        let method = match (self.paired_bs, self.paired_ar) {
            (true, _) => "paired bootstrap",
            (_, true) => "paired approximate randomisation",
            _ => return None,
        };
        Some(scores::Test { method, against: texts::names(&self.systems).swap_remove(0) })
    }

    /// What a column is: as sacreBLEU, the number of references and the draws come first.
    fn column(&self, member: &Member, conditions: &Conditions, seed: u64) -> Column {
        let mut signature = member.metric.corpus_signature();
        let mut own = std::mem::take(&mut signature.settings);
        let wordnet = own.iter_mut().filter(|setting| setting.long == "wordnet");
        wordnet.for_each(|setting| setting.value.clone_from(&conditions.wordnet));
        signature = signature.with("#", "nrefs", &conditions.references);
        if self.confidence || self.paired_bs {
            signature = signature.with("bs", "bs", self.rounds.unwrap_or(BOOTSTRAP_ROUNDS));
        }
        if self.paired_ar {
            signature = signature.with("ar", "ar", self.rounds.unwrap_or(RANDOMISATION_ROUNDS));
        }
        if self.confidence || self.paired_bs || self.paired_ar {
            signature = signature.with("rs", "seed", seed);
        }
        signature.settings.extend(own);
        Column { name: member.name.clone(), signature: signature.to_string(), short_signature: signature.short() }
    }
}
