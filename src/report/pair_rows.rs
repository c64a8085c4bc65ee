//! Judged pairs as rows that refer to texts by number: all of them, or as many as fit on a page.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::details::{PairRow, PairRows};
use super::judged_pairs::JudgedPairs;
use crate::evaluation::Groups;
use crate::judgments::{Probabilities, Verdict};
use crate::learning::GroupSample;

/// The most pairs on a page.
const MAX_PAIRS: usize = 5000;

/// The most bytes that a page's pairs take as JSON.
const MAX_BYTES: usize = 1_100_000;

/// The longest text on a page, in characters.
const MAX_TEXT: usize = 1000;

impl PairRows {
    /// The rows of all pairs, with whole texts.
    pub(super) fn all(judged: &JudgedPairs<'_>) -> Self {
        let mut distinct: IndexSet<&str> = IndexSet::new();
        let mut row = |(row, (&verdict, &probabilities)): (usize, (&Verdict, &Probabilities))| {
            let pair = judged.pairs[row];
            let texts = pair.hypotheses.iter().chain(&pair.references);
            PairRow {
                at: row,
                file: judged.file_of(row).map(str::to_owned),
                line: pair.line,
                id: pair.id.clone(),
                texts: texts.map(|text| distinct.insert_full(text).0).collect(),
                people: judged.labels[row],
                verdict,
                probabilities,
            }
        };
        let given = judged.verdicts().iter().zip(judged.probabilities());
        let rows: Vec<PairRow> = given.enumerate().map(&mut row).collect();
        Self { of: rows.len(), texts: distinct.into_iter().map(str::to_owned).collect(), rows }
    }

    /// As many pairs as fit on a page, at most 5,000 and 1.1 MB of JSON: all, or whole groups drawn with the seed.
    /// Texts are cut after 1,000 characters, with `…` at the end, and probabilities are rounded to four digits.
    pub fn for_a_page(&self, groups: &Groups, seed: u64) -> Self {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let mut most = MAX_PAIRS.min(all.len());
        loop {
            let mut rows = GroupSample::at_most(groups, &all, most, seed).rows;
            // A single group may be larger than that.
            rows.truncate(most);
            let some = self.some(&rows);
            let bytes = serde_json::to_string(&some).map_or(0, |json| json.len());
            if bytes <= MAX_BYTES || most <= 1 {
                return some;
            }
            // Slightly less than proportional, as groups differ in size.
            most = (0.98 * rows.len() as f64 * MAX_BYTES as f64 / bytes as f64) as usize;
        }
    }

    fn some(&self, rows: &[usize]) -> Self {
        let mut distinct: IndexSet<Cow<'_, str>> = IndexSet::new();
        let mut short = |&text: &usize| distinct.insert_full(truncated(&self.texts[text])).0;
        let row = |&row: &usize| {
            let row = &self.rows[row];
            let texts = row.texts.iter().map(&mut short).collect();
            let probabilities = Probabilities(row.probabilities.0.map(|share| (1e4 * share).round() / 1e4));
            PairRow { texts, probabilities, ..row.clone() }
        };
        let rows = rows.iter().map(row).collect();
        Self { of: self.of, rows, texts: distinct.into_iter().map(Cow::into_owned).collect() }
    }
}

/// Cuts a text that is too long.
fn truncated(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_TEXT) {
        None => text.into(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::System;
    use super::*;
    use crate::judgments::Pair;

    fn rows(pairs: &[Pair]) -> PairRows {
        let (pairs, labels): (Vec<&Pair>, _) = (pairs.iter().collect(), vec![Verdict::First; pairs.len()]);
        let given = vec![Probabilities([1.0 / 3.0, 0.5, 1.0 / 6.0]); pairs.len()];
        let systems = [System::of_probabilities("x", vec![Verdict::Tie; pairs.len()], given)];
        let groups = Groups { of_row: vec![0; pairs.len()], count: 1 };
        let files = Vec::new();
        PairRows::all(&JudgedPairs {
            pairs: &pairs,
            labels: &labels,
            groups: &groups,
            systems: &systems,
            files,
            seed: 1,
        })
    }

    fn pair(first: &str, second: &str, reference: String) -> Pair {
        Pair::new([first.into(), second.into()], vec![reference])
    }

    #[test]
    fn texts_that_repeat_are_held_once() {
        let found = rows(&[pair("a", "b", "r".into()), pair("b", "c", "r".into())]);
        assert_eq!(found.texts, ["a", "b", "r", "c"]);
        assert_eq!((&found.rows[0].texts, &found.rows[1].texts), (&vec![0, 1, 2], &vec![1, 3, 2]));
    }

    #[test]
    fn all_pairs_of_a_small_file_are_on_the_page() {
        let all = rows(&[pair("a", "b", "r".into()), pair("b", "ä".repeat(1200).as_str(), "r".into())]);
        let page = all.for_a_page(&Groups { of_row: vec![0, 0], count: 1 }, 1);
        assert_eq!((page.of, page.rows.len(), page.texts.len()), (2, 2, 4));
        assert_eq!(page.texts[3], format!("{}…", "ä".repeat(1000)));
        assert_eq!(page.rows[0].probabilities, Probabilities([0.3333, 0.5, 0.1667]));
        assert_eq!(all.rows[0].probabilities.0[0], 1.0 / 3.0);
    }

    #[test]
    fn of_many_pairs_whole_groups_are_drawn() {
        let pairs: Vec<Pair> = (0..9000).map(|at| pair("a", "b", format!("{at} {}", "w".repeat(900)))).collect();
        let groups = Groups { of_row: (0..9000).map(|at| at / 3).collect(), count: 3000 };
        let page = rows(&pairs).for_a_page(&groups, 1);
        let bytes = serde_json::to_string(&page).unwrap().len();
        assert!((MAX_BYTES * 9 / 10..=MAX_BYTES).contains(&bytes), "{bytes}");
        assert!(page.of == 9000 && page.rows.len().is_multiple_of(3), "{}", page.rows.len());
        assert_eq!(page, rows(&pairs).for_a_page(&groups, 1));
        assert_ne!(page, rows(&pairs).for_a_page(&groups, 2));
        let one = rows(&pairs).for_a_page(&Groups { of_row: vec![0; 9000], count: 1 }, 1);
        assert!(one.rows.len() > 900 && serde_json::to_string(&one).unwrap().len() <= MAX_BYTES);
    }
}
