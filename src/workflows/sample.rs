//! The sample that ships with the program, to try commands on.
//!
//! The sentences and their ranks are synthetic, as `data/sample/README.md` says; no figure measured on them shows how
//! good a metric or a model is.

use std::fmt::Write;

use crate::judgments::Verdict;

/// The systems of `ratings.tsv`: every reference has at least as many hypotheses.
const SYSTEMS: usize = 3;

/// In every fourth segment, the systems swap hypotheses, so that no system is the best in all of them.
const ROTATED: usize = 4;

/// By how many places systems swap hypotheses in further segments of the arena, where they are not far apart.
const SWAPPED: [usize; 4] = [0, 1, 0, 2];

const RANKINGS: &str = include_str!("../../data/sample/sample.rankings");

/// Files with their names: `dev.pairs` and `dev.answers` to train on; `new.pairs`, without labels; `dev.judge` and
/// `new.judge`, scores of both hypotheses of each pair as a user's own metric would give them; `system1.txt`,
/// `system2.txt` and `reference.txt`, a segment per line; `ratings.tsv`, a score for each segment of three systems; `arena.csv`, every two of these systems, with
/// labels of every other segment.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let segments = segments();
    let texts = |text: &dyn Fn(&[Ranked]) -> &'static str| -> String {
        segments.iter().map(|segment| text(segment).to_owned() + "\n").collect()
    };
    let named = [
        ("dev.pairs", include_str!("../../data/sample/sample.pairs").to_owned()),
        ("dev.answers", include_str!("../../data/sample/sample.answers").to_owned()),
        ("dev.judge", include_str!("../../data/sample/sample.judge").to_owned()),
        ("new.pairs", include_str!("../../data/sample/new.pairs").to_owned()),
        ("new.judge", include_str!("../../data/sample/new.judge").to_owned()),
        ("system1.txt", texts(&|segment| segment[0].hypothesis)),
        ("system2.txt", texts(&|segment| segment[1].hypothesis)),
        ("reference.txt", texts(&|segment| segment[0].reference)),
        ("ratings.tsv", ratings(&segments)),
        ("arena.csv", arena(&segments)),
    ];
    named.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect()
}

/// A line of `sample.rankings`.
struct Ranked {
    id: &'static str,
    rank: &'static str,
    reference: &'static str,
    hypothesis: &'static str,
}

/// The hypotheses of each reference, in the order of the systems.
fn segments() -> Vec<Vec<Ranked>> {
    let mut segments: Vec<Vec<Ranked>> = Vec::new();
    for line in RANKINGS.lines() {
        let mut fields = line.split(" ||| ");
        let mut next = || fields.next().unwrap_or_default();
        let ranked = Ranked { id: next(), rank: next(), reference: next(), hypothesis: next() };
        match segments.last_mut().filter(|segment| segment[0].id == ranked.id) {
            Some(segment) => segment.push(ranked),
            None => segments.push(vec![ranked]),
        }
    }
    for (at, segment) in segments.iter_mut().enumerate().filter(|(at, _)| (at + 1).is_multiple_of(ROTATED)) {
        let places = (at / ROTATED) % segment.len();
        segment.rotate_left(places);
    }
    segments
}

/// A table with a row for each segment of each system.
fn ratings(segments: &[Vec<Ranked>]) -> String {
    let mut table = "system\tsegment\tref\thyp\tscore\n".to_owned();
    for segment in segments {
        for (system, Ranked { id, rank, reference, hypothesis }) in (1..=SYSTEMS).zip(segment) {
            let _ = writeln!(table, "system{system}\t{id}\t{reference}\t{hypothesis}\t{rank}");
        }
    }
    table
}

/// A table with a row for every two systems on each segment; the hypothesis with the higher rank is better.
fn arena(segments: &[Vec<Ranked>]) -> String {
    let mut table = "hyp1,hyp2,ref,system1,system2,label\n".to_owned();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for (at, segment) in segments.iter().enumerate() {
        let swapped = SWAPPED[at / 2 % SWAPPED.len()];
        for (one, other) in [(0, 1), (2, 0), (1, 2)] {
            let by = |system: usize| &segment[(system + swapped) % SYSTEMS];
            let (first, second) = (by(one), by(other));
            let label =
                if at % 2 == 0 { Verdict::compare(rank(first), rank(second)).to_string() } else { String::new() };
            let [hyp1, hyp2, reference] = [first.hypothesis, second.hypothesis, first.reference].map(quoted);
            let _ = writeln!(table, "{hyp1},{hyp2},{reference},system{},system{},{label}", one + 1, other + 1);
        }
    }
    table
}

fn rank(ranked: &Ranked) -> f64 {
    ranked.rank.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn lines(name: &str) -> Vec<String> {
        let (_, bytes) = files().into_iter().find(|(known, _)| known == name).unwrap();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn new_pairs_have_references_of_their_own() {
        let references = |name: &str| -> HashSet<String> {
            lines(name).iter().map(|line| line.rsplit(" ||| ").next().unwrap().to_owned()).collect()
        };
        let (dev, new) = (references("dev.pairs"), references("new.pairs"));
        assert_eq!((dev.len(), new.len()), (110, 6));
        assert!(dev.is_disjoint(&new));
        assert_eq!(lines("dev.pairs").len(), lines("dev.answers").len());
        for name in ["dev", "new"] {
            assert_eq!(lines(&format!("{name}.pairs")).len(), lines(&format!("{name}.judge")).len());
        }
    }

    #[test]
    fn systems_have_a_hypothesis_for_each_reference() {
        let references = lines("reference.txt");
        assert_eq!(references.len(), 110);
        assert_eq!((lines("system1.txt").len(), lines("system2.txt").len()), (110, 110));
        let ratings = lines("ratings.tsv");
        assert_eq!(ratings.len(), 1 + SYSTEMS * references.len());
        let fields = |line: &String| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        assert!(ratings.iter().map(fields).all(|row| row.len() == 5 && row.iter().all(|cell| !cell.is_empty())));
        assert_eq!(fields(&ratings[1])[3], lines("system1.txt")[0]);
    }
}
