//! How much context distinguishes a word of the hypothesis from all others: the runs of words that start with it are
//! compared with all runs of both texts at once, over a suffix array.
//!
//! Manber and Myers 1993, "Suffix arrays"; Kasai et al. 2001, "Linear-time longest-common-prefix computation in suffix
//! arrays". Time: O(n log^2 n) in the total length of both texts, however repetitive they are.

/// The runs that start with one word of the hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Context {
    /// The length in words of the longest one that also starts elsewhere in the hypothesis.
    elsewhere: usize,
    /// The length in words of the longest one that occurs in the reference.
    longest: usize,
    /// The position in the reference where that one starts.
    position: usize,
    /// The length in words of the longest one that starts at another position of the reference.
    second: usize,
}

impl Context {
    /// The length of the shortest run that occurs exactly once in the hypothesis and in the reference, and its position
    /// in the reference.
    pub fn shortest_unique(&self) -> Option<(usize, usize)> {
        let length = self.elsewhere.max(self.second) + 1;
        (length <= self.longest).then_some((length, self.position))
    }

    /// Combines the contexts found in the two directions.
    fn or(self, other: Self) -> Self {
        let (more, less) = if self.longest >= other.longest { (self, other) } else { (other, self) };
        Self { elsewhere: self.elsewhere.max(other.elsewhere), second: more.second.max(less.longest), ..more }
    }

    /// The context of a suffix that shares only `common` words with the previous one.
    fn shorten(self, common: usize) -> Self {
        Self {
            elsewhere: self.elsewhere.min(common),
            longest: self.longest.min(common),
            second: self.second.min(common),
            ..self
        }
    }
}

/// The context of each word of the hypothesis. Words are numbers below `u32::MAX - 1`; equal words have equal numbers.
pub fn contexts(hypothesis: &[u32], reference: &[u32]) -> Vec<Context> {
    // Each text ends with a unique separator, so that no run crosses from one text into the other.
    let text = [hypothesis, &[u32::MAX - 1], reference, &[u32::MAX]].concat();
    let (suffixes, ranks) = suffix_array(&text);
    let common = common_prefixes(&text, &suffixes, &ranks);
    let mut contexts = vec![Context::default(); hypothesis.len()];
    let mut last = Context::default();
    let mut visit = |suffix: usize, common: usize| {
        last = last.shorten(common);
        if let Some(context) = contexts.get_mut(suffix) {
            *context = context.or(last);
            last.elsewhere = usize::MAX;
        } else if suffix > hypothesis.len() {
            let position = suffix - hypothesis.len() - 1;
            last = Context { longest: usize::MAX, position, second: last.longest, ..last };
        }
    };
    for (&suffix, &common) in suffixes.iter().zip(&common) {
        visit(suffix, common);
    }
    for (at, &suffix) in suffixes.iter().enumerate().rev() {
        // No suffix follows the last one.
        visit(suffix, common.get(at + 1).copied().unwrap_or(0));
    }
    contexts
}

/// The suffixes in order, given by their start positions, and the rank of each.
fn suffix_array(text: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut suffixes: Vec<usize> = (0..text.len()).collect();
    let mut ranks = text.to_vec();
    let mut length = 1;
    loop {
        // Suffixes are already ordered by their first `length` words; with the rank of the suffix after those, they can
        // be ordered by twice as many.
        let following = |suffix: usize| ranks.get(suffix + length).map_or(0, |&rank| u64::from(rank) + 1);
        let key = |suffix: usize| (ranks[suffix], following(suffix));
        suffixes.sort_unstable_by_key(|&suffix| key(suffix));
        let mut next = vec![0; text.len()];
        for pair in suffixes.windows(2) {
            next[pair[1]] = next[pair[0]] + u32::from(key(pair[0]) != key(pair[1]));
        }
        ranks = next;
        length *= 2;
        if length >= text.len() || suffixes.last().is_none_or(|&last| ranks[last] as usize + 1 == text.len()) {
            return (suffixes, ranks);
        }
    }
}

/// For each suffix, in order, the number of words that it shares with the previous one; 0 for the first.
fn common_prefixes(text: &[u32], suffixes: &[usize], ranks: &[u32]) -> Vec<usize> {
    let mut common = vec![0; text.len()];
    let mut length: usize = 0;
    for (suffix, &rank) in ranks.iter().enumerate() {
        let Some(before) = (rank as usize).checked_sub(1) else {
            length = 0;
            continue;
        };
        let (own, other) = (&text[suffix..], &text[suffixes[before]..]);
        length += own[length..].iter().zip(&other[length..]).take_while(|(a, b)| a == b).count();
        common[rank as usize] = length;
        length = length.saturating_sub(1);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_of_all_runs_finds_the_same() {
        let count = |text: &[u32], run: &[u32]| text.windows(run.len()).filter(|window| *window == run).count();
        let mut state = 7_u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..200 {
            let vocabulary = 1 + random(4);
            let mut text = |longest| (0..random(longest)).map(|_| random(vocabulary)).collect::<Vec<u32>>();
            let (hypothesis, reference) = (text(15), text(15));
            for (at, context) in contexts(&hypothesis, &reference).iter().enumerate() {
                let runs = (at + 1..=hypothesis.len()).map(|end| &hypothesis[at..end]);
                let unique = runs.into_iter().find(|run| count(&hypothesis, run) == 1 && count(&reference, run) == 1);
                let start = |run: &[u32]| reference.windows(run.len()).position(|window| window == run);
                assert_eq!(context.shortest_unique(), unique.map(|run| (run.len(), start(run).unwrap())));
            }
        }
    }
}
