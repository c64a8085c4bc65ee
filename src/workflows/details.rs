//! What a page shows besides the accuracy report, from judgments and systems' verdicts on them.

use rayon::prelude::*;

use super::provenance;
use crate::error::Result;
use crate::evaluation::{Extremes, unanimous};
use crate::files::Input;
use crate::judgments::grouping::Groups;
use crate::judgments::{Pair, Probabilities, Verdict};
use crate::metrics::Member;
use crate::report::breakdowns::{People, Property};
use crate::report::details::{Breakdown, Conventions, Details, PairRows, Provenance, ReliabilityBin};
use crate::report::pair_rows::JudgedPair;
use crate::report::{Explanation, System};
use crate::text::Tokenizer;

/// The most pairs explained among mistakes, and among successes.
const EXAMPLES: usize = 10;

/// Explanations of the most confident mistakes and successes.
pub(super) struct Explained {
    pub most_wrong: Vec<Explanation>,
    pub most_right: Vec<Explanation>,
}

/// Settings for the contents of a page: the origin of its figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DetailSettings {
    /// The command line, quoted for a shell; empty if there is none.
    pub command: String,
    /// The files that judgments were read from; the page shows their sizes and hashes.
    pub inputs: Vec<Input>,
    /// What import kept and left out, one paragraph per file.
    pub accounts: Vec<String>,
}

impl DetailSettings {
    /// What is needed to reproduce the report, except for its models and notes.
    pub(super) fn provenance<'m>(&self, seed: u64, reported: impl Iterator<Item = &'m Member>) -> Result<Provenance> {
        Ok(Provenance {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.command.clone(),
            seed,
            data: self.inputs.iter().map(provenance::data_file).collect::<Result<_>>()?,
            accounts: self.accounts.clone(),
            signatures: provenance::signatures(reported),
            ..Provenance::default()
        })
    }
}

/// Pairs with the verdicts of people and systems.
pub(super) struct Judgments<'a> {
    pub pairs: &'a [&'a Pair],
    pub labels: &'a [Verdict],
    pub groups: &'a Groups,
    /// The first one is the subject of the page.
    pub systems: &'a [System],
    /// The files with their numbers of pairs, in the order of the pairs.
    pub files: Vec<(String, usize)>,
    pub seed: u64,
}

impl Judgments<'_> {
    /// The details that follow from verdicts and probabilities.
    pub fn details(&self) -> Details {
        let people = People { labels: self.labels, groups: self.groups, seed: self.seed };
        let given = self.probabilities();
        let properties = [
            Property::certainty(given),
            Property::length(&self.lengths()),
            Property::unanimity(&unanimous(self.pairs, self.labels)),
            Property::file(&self.files),
        ];
        let breakdowns = properties.into_iter().filter_map(|property| Breakdown::of(people, self.systems, property));
        let all_pairs = self.all_pairs();
        Details {
            reliability: ReliabilityBin::all(people, given),
            breakdowns: breakdowns.collect(),
            conventions: Conventions::of(self.labels, self.systems),
            families: Vec::new(),
            most_wrong: Vec::new(),
            most_right: Vec::new(),
            pairs: all_pairs.for_a_page(self.groups, self.seed),
            all_pairs,
            provenance: Provenance::default(),
        }
    }

    /// Explains the most confident mistakes and successes; `explain` explains the verdict on a row.
    pub fn explained(&self, explain: impl Fn(usize) -> Explanation + Sync) -> Explained {
        let first = self.systems.first();
        let said = first.map(|system| system.verdicts.as_slice()).unwrap_or_default();
        let extremes = Extremes::of(self.labels, said, self.probabilities(), self.groups, EXAMPLES);
        let of_row = |&row: &usize| Explanation {
            file: self.file_of(row).map(str::to_owned),
            people: Some(self.labels[row]),
            ..explain(row)
        };
        let all = |rows: &[usize]| rows.par_iter().map(of_row).collect();
        Explained { most_wrong: all(&extremes.most_wrong), most_right: all(&extremes.most_right) }
    }

    /// The name of a pair's file, if there are several files.
    fn file_of(&self, row: usize) -> Option<&str> {
        let mut ends = self.files.iter().scan(0, |end, (name, pairs)| {
            *end += pairs;
            Some((*end, name.as_str()))
        });
        ends.find(|(end, _)| row < *end).map(|(_, name)| name).filter(|_| self.files.len() > 1)
    }

    fn probabilities(&self) -> &[Probabilities] {
        self.systems.first().and_then(|system| system.probabilities.as_deref()).unwrap_or_default()
    }

    /// The number of words of each pair's first reference, or of its longer hypothesis if it has none.
    fn lengths(&self) -> Vec<usize> {
        let words = |text: &String| Tokenizer::Words.tokens(text).len();
        let length = |pair: &&Pair| match pair.references.first() {
            Some(reference) => words(reference),
            None => pair.hypotheses.iter().map(words).max().unwrap_or(0),
        };
        self.pairs.par_iter().map(length).collect()
    }

    fn all_pairs(&self) -> PairRows {
        let said = self.systems.first().map(|system| system.verdicts.as_slice()).unwrap_or_default();
        let given = self.probabilities();
        let judged = |row: usize| JudgedPair {
            file: self.file_of(row),
            pair: self.pairs[row],
            people: self.labels[row],
            verdict: said[row],
            probabilities: given[row],
        };
        PairRows::all((0..said.len().min(given.len())).map(judged))
    }
}
