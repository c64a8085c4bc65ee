//! The distinct segments of pairs, grouped by references.

use rustc_hash::FxHashMap;

use crate::judgments::Pair;

/// The distinct segments of pairs.
#[derive(Debug, Default)]
pub(super) struct Batch<'p> {
    /// Segments and pairs by their references, in order of first occurrence.
    pub groups: Vec<Group<'p>>,
    /// The numbers of the two segments of each pair.
    pub pairs: Vec<[usize; 2]>,
    /// The number of segments. They are numbered in order of first occurrence.
    pub segments: usize,
}

/// Segments and pairs with the same references.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group<'p> {
    pub references: &'p [String],
    pub segments: Vec<Segment<'p>>,
    /// The number of each pair, and the positions of its two segments in `segments`.
    pub pairs: Vec<(usize, [usize; 2])>,
}

/// A hypothesis; its references are those of its group.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Segment<'p> {
    /// Its number among all segments of the batch.
    pub number: usize,
    pub hypothesis: &'p str,
}

/// Look-up of known groups, by references, and of known segments, by group and hypothesis.
#[derive(Default)]
struct Known<'p> {
    groups: FxHashMap<&'p [String], usize>,
    segments: FxHashMap<(usize, &'p str), usize>,
}

impl<'p> Batch<'p> {
    /// `shares`: whether equal references share a group, and equal hypotheses in it a segment.
    pub fn of(pairs: impl Iterator<Item = &'p Pair>, shares: bool) -> Self {
        let (mut batch, mut known) = (Self::default(), shares.then(Known::default));
        let mut last: Option<usize> = None;
        for (number, pair) in pairs.enumerate() {
            let group = match last.filter(|&last| shares && batch.groups[last].references == pair.references) {
                Some(last) => last,
                None => batch.group(&pair.references, known.as_mut()),
            };
            last = Some(group);
            let positions = pair.hypotheses.each_ref().map(|text| batch.segment(group, text, known.as_mut()));
            let group = &mut batch.groups[group];
            group.pairs.push((number, positions));
            batch.pairs.push(positions.map(|position| group.segments[position].number));
        }
        batch
    }

    /// The position of the group with these references.
    fn group(&mut self, references: &'p [String], known: Option<&mut Known<'p>>) -> usize {
        let next = self.groups.len();
        let group = known.map_or(next, |known| *known.groups.entry(references).or_insert(next));
        if group == next {
            self.groups.push(Group { references, segments: Vec::new(), pairs: Vec::new() });
        }
        group
    }

    /// The position of a hypothesis among the segments of a group.
    fn segment(&mut self, group: usize, hypothesis: &'p str, known: Option<&mut Known<'p>>) -> usize {
        let segments = &mut self.groups[group].segments;
        let next = segments.len();
        let position = known.map_or(next, |known| *known.segments.entry((group, hypothesis)).or_insert(next));
        if position == next {
            segments.push(Segment { number: self.segments, hypothesis });
            self.segments += 1;
        }
        position
    }

    /// All groups, in parts of at most `max_segments` segments each; a larger group is a part of its own.
    pub fn parts(&self, max_segments: usize) -> impl Iterator<Item = &[Group<'p>]> {
        let mut rest = self.groups.as_slice();
        std::iter::from_fn(move || {
            let mut filled = rest.first()?.segments.len();
            let fits = |group: &&Group<'_>| {
                filled += group.segments.len();
                filled <= max_segments
            };
            let (part, after) = rest.split_at(1 + rest[1..].iter().take_while(fits).count());
            rest = after;
            Some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(lines: &[&str]) -> Vec<Pair> {
        lines.iter().map(|line| Pair::parse(line, "x", 1).unwrap()).collect()
    }

    #[test]
    fn what_repeats_is_there_once() {
        let pairs = pairs(&["a ||| b ||| r", "b ||| a ||| r", "a ||| b ||| r ||| s", "c ||| a ||| r"]);
        let batch = Batch::of(pairs.iter(), true);
        assert_eq!((batch.pairs, batch.segments), (vec![[0, 1], [1, 0], [2, 3], [4, 0]], 5));
        let segment = |number, hypothesis| Segment { number, hypothesis };
        let [first, second] = batch.groups.try_into().unwrap();
        assert_eq!(first.segments, [segment(0, "a"), segment(1, "b"), segment(4, "c")]);
        assert_eq!((first.references, first.pairs), (&["r".into()][..], vec![(0, [0, 1]), (1, [1, 0]), (3, [2, 0])]));
        assert_eq!(second.segments, [segment(2, "a"), segment(3, "b")]);
        assert_eq!(second.pairs, [(2, [0, 1])]);
    }

    #[test]
    fn every_pair_for_itself_shares_nothing() {
        let pairs = pairs(&["a ||| a ||| r", "a ||| b ||| r"]);
        let batch = Batch::of(pairs.iter(), false);
        assert_eq!((batch.pairs, batch.segments, batch.groups.len()), (vec![[0, 1], [2, 3]], 4, 2));
    }

    #[test]
    fn parts_are_of_whole_groups() {
        let pairs = pairs(&["a ||| b ||| r", "a ||| b ||| s", "c ||| a ||| r", "d ||| e ||| t", "a ||| c ||| r"]);
        let batch = Batch::of(pairs.iter(), true);
        let sizes = |most| -> Vec<usize> { batch.parts(most).map(<[_]>::len).collect() };
        assert_eq!((sizes(100), sizes(5), sizes(4), sizes(1)), (vec![3], vec![2, 1], vec![1, 2], vec![1, 1, 1]));
        assert_eq!(Batch::of([].iter(), true).parts(1).count(), 0);
    }
}
