//! Pairs every two hypotheses of a segment. In: [`Segment`]s. Out: [`Pair`]s. Next: the formats.
//!
//! Which of the two comes first depends on a hash of their texts: files are often sorted from best to worst, and pairs
//! in that order would all have the same label.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::account::Account;
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::preference::{Preference, Ties};
use crate::error::Result;
use crate::judgments::{Pair, Verdict};

/// The pairs of segments, one at a time.
pub struct Pairs<S> {
    segments: S,
    preference: Preference,
    account: Account,
    segment: Segment,
    /// Positions of the next pair in the segment.
    at: [usize; 2],
    is_done: bool,
}

impl<S: Segments> Pairs<S> {
    /// The pairs of all segments.
    pub fn of(segments: S, preference: Preference) -> Self {
        let account = Account::default();
        Self { segments, preference, account, segment: Segment::default(), at: [0, 1], is_done: false }
    }

    fn step(&mut self) -> Result<Option<Pair>> {
        loop {
            while let Some(places) = self.next_places() {
                if let Some(pair) = self.pair(places) {
                    return Ok(Some(pair));
                }
            }
            match self.segments.next_segment(&mut self.account)? {
                Some(segment) => self.segment = segment,
                None => return Ok(None),
            }
            self.at = [0, 1];
        }
    }

    fn next_places(&mut self) -> Option<[usize; 2]> {
        let count = self.segment.hypotheses.len();
        if self.at[1] >= count {
            self.at = [self.at[0] + 1, self.at[0] + 2];
        }
        let places = self.at;
        self.at[1] += 1;
        (places[1] < count).then_some(places)
    }

    /// The pair of two hypotheses; `None` for a tie that is to be dropped.
    fn pair(&mut self, places: [usize; 2]) -> Option<Pair> {
        let segment = &self.segment;
        let [a, b] = places.map(|at| &segment.hypotheses[at]);
        let [first, second] = if is_swapped(&segment.id, &a.text, &b.text) { [b, a] } else { [a, b] };
        let label = self.preference.verdict(first.score, second.score);
        if label == Verdict::Tie && self.preference.ties == Ties::Drop {
            self.account.drop_pair("ties");
            return None;
        }
        Some(Pair {
            label: Some(label),
            id: Some(format!("{}:{}-{}", segment.id, first.name, second.name)),
            group: Some(segment.id.clone()),
            judges: judges(a, b),
            weight: self.preference.weight(first.score, second.score),
            line: segment.line,
            ..Pair::new([first.text.clone(), second.text.clone()], segment.references.clone())
        })
    }
}

/// The judges of both, without duplicates.
fn judges(a: &Hypothesis, b: &Hypothesis) -> Option<String> {
    let mut names: Vec<&str> = a.judges.iter().chain(&b.judges).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(";"))
}

/// Whether two hypotheses swap places: pseudo-random, but always the same for the same texts, in either order.
pub(crate) fn is_swapped(segment: &str, a: &str, b: &str) -> bool {
    let seed = xxh3_64_with_seed(segment.as_bytes(), 0);
    let toss = |text: &str| xxh3_64_with_seed(text.as_bytes(), seed);
    toss(a) > toss(b)
}

impl<S: Segments> Iterator for Pairs<S> {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let step = self.step();
        self.is_done = !matches!(step, Ok(Some(_)));
        step.transpose()
    }
}

impl<S: Segments> Importer for Pairs<S> {
    fn account(&self) -> Option<&Account> {
        Some(&self.account)
    }

    fn references(&self) -> usize {
        self.segments.references()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(Option<Segment>);

    impl Segments for One {
        fn next_segment(&mut self, _: &mut Account) -> Result<Option<Segment>> {
            Ok(self.0.take())
        }
    }

    fn pairs(scores: &[f64], preference: Preference) -> Vec<Pair> {
        let hypothesis = |(at, &score): (usize, &f64)| Hypothesis {
            name: at.to_string(),
            text: format!("text {at}"),
            score,
            judges: vec![format!("judge {}", at % 2)],
        };
        let hypotheses = scores.iter().enumerate().map(hypothesis).collect();
        let segment = Segment { id: "7".into(), references: vec!["r".into()], hypotheses, line: 3 };
        Pairs::of(One(Some(segment)), preference).map(Result::unwrap).collect()
    }

    #[test]
    fn every_two_hypotheses_are_a_pair() {
        let pairs = pairs(&[1.0, 2.0, 2.0, 0.0], Preference::default());
        assert_eq!(pairs.len(), 6);
        for pair in &pairs {
            let score = |text: &str| [1.0, 2.0, 2.0, 0.0][text[5..].parse::<usize>().unwrap()];
            let [first, second] = [0, 1].map(|side: usize| score(&pair.hypotheses[side]));
            assert_eq!(pair.label, Some(Verdict::compare(first, second)));
        }
        assert_eq!(pairs[0].group.as_deref(), Some("7"));
        assert_eq!(pairs[0].judges.as_deref(), Some("judge 0;judge 1"));
    }

    #[test]
    fn ties_may_be_dropped() {
        let preference = Preference { ties: Ties::Drop, ..Preference::default() };
        assert_eq!(pairs(&[1.0, 2.0, 2.0, 0.0], preference).len(), 5);
    }

    #[test]
    fn both_places_have_better_hypotheses() {
        let swapped = (0..1000).filter(|number| is_swapped("s", &format!("better {number}"), &format!("{number}")));
        let count = swapped.count();
        assert!((400..600).contains(&count), "{count}");
        assert_ne!(is_swapped("s", "a", "b"), is_swapped("s", "b", "a"));
    }
}
