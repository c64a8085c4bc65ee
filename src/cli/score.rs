//! `tribunal score`: metric scores of systems, of whole texts or of segments.

mod segments;
mod settings;

use std::io::IsTerminal;

use anyhow::Result;
use clap::Args;
use tribunal::Error;
use tribunal::evaluation::significance::{Resamples, randomisation};
use tribunal::judgments::Input;
use tribunal::metrics::panel::Member;
use tribunal::metrics::{Corpus, Panel, Scope, Statistics, corpus};
use tribunal::report::scores::{self, Column, Scores, SystemScores};

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
    tribunal score system.txt -r ref1.txt ref2.txt --metrics bleu,chrf --segments\n\n\
    Texts have one segment a line. An empty line in a second or further file of references says\n\
    that the segment has no such reference.")]
pub struct ScoreSystems {
    /// The systems' output, a segment a line
    #[arg(value_name = "HYP", required = true)]
    systems: Vec<Input>,
    /// One or several files of references, a segment a line
    #[arg(long, short, value_name = "REF", required = true, num_args = 1..)]
    references: Vec<Input>,
    /// The metrics, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "bleu,chrf,ter,rougeL,meteor")]
    metrics: Vec<String>,
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
}

impl ScoreSystems {
    pub fn run(self, common: &Common) -> Result<()> {
        let names: Vec<&str> = self.metrics.iter().map(String::as_str).collect();
        let panel = Panel::with(&names, |entry, plan| self.settings.build(entry, plan))?;
        if self.segments {
            return segments::print(&self, &panel, common);
        }
        let texts: Vec<Vec<String>> = self.systems.iter().map(read_lines).collect::<Result<_>>()?;
        let references = self.read_references(texts[0].len())?;
        let corpora = texts.iter().zip(&self.systems).map(|(text, input)| {
            check_length(input, text.len(), &self.references[0], references.len())?;
            let segments: Vec<&str> = text.iter().map(String::as_str).collect();
            Ok(Corpus::of(&panel, common.wordnet()?, &segments, &references_of(&references), Scope::Whole))
        });
        let corpora = corpora.collect::<Result<Vec<_>>>()?;
        self.print_systems(&panel, &corpora, common)
    }

    /// The references of each segment.
    fn read_references(&self, segments: usize) -> Result<Vec<Vec<String>>> {
        let mut references: Vec<Vec<String>> = Vec::new();
        for (number, input) in self.references.iter().enumerate() {
            let lines = read_lines(input)?;
            check_length(input, lines.len(), &self.systems[0], segments)?;
            if number == 0 {
                references = lines.into_iter().map(|line| vec![line]).collect();
            } else {
                let given = references.iter_mut().zip(lines).filter(|(_, line)| !line.trim().is_empty());
                given.for_each(|(of_segment, line)| of_segment.push(line));
            }
        }
        Ok(references)
    }

    fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.systems.iter().map(|input| match input {
            Input::Stdin => "-".to_owned(),
            Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        })
    }

    fn print_systems(&self, panel: &Panel, corpora: &[Corpus], common: &Common) -> Result<()> {
        let segments = corpora[0].len();
        let seed = common.seed.unwrap_or(SEED);
        let resamples = (self.confidence || self.paired_bs)
            .then(|| Resamples::draw(segments, self.rounds.unwrap_or(BOOTSTRAP_ROUNDS) as usize, seed));
        let score = |metric: usize, member: &Member, system: usize| {
            let (own, first) = (corpora[system].statistics(metric), corpora[0].statistics(metric));
            self.score(member, own, (system > 0).then_some(first), resamples.as_ref(), seed)
        };
        let systems = self.names().enumerate().map(|(system, name)| SystemScores {
            name,
            scores: panel.members().iter().enumerate().map(|(metric, member)| score(metric, member, system)).collect(),
        });
        let table = Scores {
            segments,
            metrics: panel.members().iter().map(|member| self.column(member, seed)).collect(),
            systems: systems.collect(),
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

    /// What a column is: as sacreBLEU, the number of references and the draws come first.
    fn column(&self, member: &Member, seed: u64) -> Column {
        let mut signature = member.metric.corpus_signature();
        let own = std::mem::take(&mut signature.settings);
        signature = signature.with("#", "nrefs", self.references.len());
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
        Column {
            name: member.entry.name.to_owned(),
            signature: signature.to_string(),
            short_signature: signature.short(),
        }
    }
}

fn read_lines(input: &Input) -> Result<Vec<String>> {
    let lines: Vec<String> = input.lines()?.map(|line| line.map(|line| line.text)).collect::<tribunal::Result<_>>()?;
    if lines.is_empty() {
        return Err(empty(input));
    }
    Ok(lines)
}

fn empty(input: &Input) -> anyhow::Error {
    Error::invalid(input.to_string(), "a segment a line", "an empty file", "check the name").into()
}

fn references_of(references: &[Vec<String>]) -> Vec<Vec<&str>> {
    references.iter().map(|of_segment| of_segment.iter().map(String::as_str).collect()).collect()
}

fn check_length(input: &Input, found: usize, other: &Input, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::invalid(
        format!("{input}:{}", found.min(expected) + 1),
        format!("{expected} segments, as in {other}"),
        found.to_string(),
        "check that the files belong together and that neither was cut off",
    )
    .into())
}
