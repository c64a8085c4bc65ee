//! Several judgments of one pair are merged into one. In: pairs. Out: the majority label, with the judges' agreement as
//! weight. Next: [`super::wmt_rr`].

use std::collections::HashMap;

use super::account::Account;
use super::importer::Importer;
use crate::error::Result;
use crate::judgments::{Pair, Verdict};
use crate::options::OptionSpec;

/// Whether all judgments of a pair are merged into one.
pub(crate) const MERGE: OptionSpec = OptionSpec::switch(
    "merge",
    "Merge the judgments of each pair: the majority label, weighted by the judges' agreement",
);

/// Pairs, each of which occurs once. All are held in memory, since the judgments of a pair may be anywhere in the file.
pub struct Merged<I> {
    pairs: Option<I>,
    merged: std::vec::IntoIter<Pair>,
    account: Account,
    references: usize,
}

/// The first judgment of a pair, with the votes of all.
struct Votes {
    pair: Pair,
    counts: [usize; 3],
    judges: Vec<String>,
}

impl<I: Importer> Merged<I> {
    /// The pairs of an importer, merged.
    pub fn of(pairs: I) -> Self {
        let references = pairs.references();
        Self { pairs: Some(pairs), merged: Vec::new().into_iter(), account: Account::default(), references }
    }

    fn merge(&mut self, mut pairs: I) -> Result<()> {
        let mut votes: Vec<Votes> = Vec::new();
        let mut places: HashMap<(Option<String>, [String; 2]), usize> = HashMap::new();
        for pair in pairs.by_ref() {
            let pair = pair?;
            // Importers put the same two texts in the same order every time.
            let key = (pair.group.clone(), pair.hypotheses.clone());
            let at = *places.entry(key).or_insert(votes.len());
            let label = pair.label.unwrap_or(Verdict::Tie);
            let judges = pair.judges.clone();
            if at == votes.len() {
                votes.push(Votes { pair, counts: [0; 3], judges: Vec::new() });
            }
            votes[at].counts[label.index()] += 1;
            votes[at].judges.extend(judges);
        }
        self.account = pairs.account().cloned().unwrap_or_default();
        let decided = votes.into_iter().filter_map(|votes| votes.decided(&mut self.account)).collect::<Vec<_>>();
        self.merged = decided.into_iter();
        Ok(())
    }
}

impl Votes {
    /// The label with the most votes, weighted by its share of them; `None` if there is no single one.
    fn decided(mut self, account: &mut Account) -> Option<Pair> {
        let most = self.counts.into_iter().max().unwrap_or(0);
        let all: usize = self.counts.iter().sum();
        let label = Verdict::ALL.into_iter().find(|label| self.counts[label.index()] == most)?;
        if self.counts.iter().filter(|&&count| count == most).count() > 1 {
            account.drop_pair("judges disagree without a most frequent label");
            return None;
        }
        self.judges.sort_unstable();
        self.judges.dedup();
        let judges = (!self.judges.is_empty()).then(|| self.judges.join(";"));
        Some(Pair { label: Some(label), weight: Some(most as f64 / all as f64), judges, ..self.pair })
    }
}

impl<I: Importer> Iterator for Merged<I> {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(pairs) = self.pairs.take()
            && let Err(error) = self.merge(pairs)
        {
            return Some(Err(error));
        }
        self.merged.next().map(Ok)
    }
}

impl<I: Importer> Importer for Merged<I> {
    fn account(&self) -> Option<&Account> {
        Some(&self.account)
    }

    fn references(&self) -> usize {
        self.references
    }
}
