//! Beside stage 5. In: the words of the hypotheses. Out: what multinomial naive Bayes makes of them. Next: report.

use super::{Folded, Split, Texts};
use crate::judgments::Verdict;
use crate::model::Probabilities;

/// What reports call it.
pub const NAME: &str = "naive-bayes";

/// Judges every pair by what was learned from the other folds.
///
/// ```text
/// P(v | h1, h2) ~ P(v) prod_{w in h1} P(w1 | v) prod_{w in h2} P(w2 | v)
/// P(w1 | v) = (1 + n(w1, v)) / (2 V + sum_u (n(u1, v) + n(u2, v)))        P(v) = (1 + n(v)) / (3 + n)
/// ```
///
/// where w1 is "the word w in the first hypothesis", n counts occurrences in training pairs that were judged v, and V
/// is the number of distinct words of the training pairs; others are left out. Every training pair is also seen
/// mirrored, so that n(w2, v) = n(w1, -v). McCallum and Nigam 1998, "A Comparison of Event Models for Naive Bayes Text
/// Classification", equations 5 and 6, here with Laplace's smoothing of P(v), too.
pub fn judge(texts: &Texts, folded: &Folded<'_>) -> Vec<Probabilities> {
    let rows: Vec<usize> = (0..folded.labels.len()).collect();
    let all = Counts::of(texts, &folded.labels, &rows);
    folded.out_of_fold(|Split { held_back, .. }| {
        let learned = Likelihoods::of(&all.without(&Counts::of(texts, &folded.labels, held_back)));
        held_back.iter().map(|&row| learned.probabilities(texts.of_row(row))).collect()
    })
}

/// How often each word stands in the first hypothesis of a pair that was judged 1, 0 or -1, mirrored pairs included.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Counts {
    /// n(w1, v): one row a word, in the order of [`Verdict::ALL`].
    words: Vec<[u32; 3]>,
    /// n(v).
    pairs: [u32; 3],
}

impl Counts {
    fn of(texts: &Texts, labels: &[Verdict], rows: &[usize]) -> Self {
        let mut counts = Self { words: vec![[0; 3]; texts.vocabulary], pairs: [0; 3] };
        for &row in rows {
            let label = labels[row];
            // The second hypothesis is the first of the mirrored pair, whose label is swapped.
            for (words, label) in texts.of_row(row).into_iter().zip([label, label.swapped()]) {
                counts.pairs[label.index()] += 1;
                words.iter().for_each(|&word| counts.words[word as usize][label.index()] += 1);
            }
        }
        counts
    }

    /// What is left without some of the pairs.
    fn without(&self, part: &Self) -> Self {
        let minus = |all: [u32; 3], part: [u32; 3]| [0, 1, 2].map(|at| all[at] - part[at]);
        let words = self.words.iter().zip(&part.words).map(|(&all, &part)| minus(all, part)).collect();
        Self { words, pairs: minus(self.pairs, part.pairs) }
    }
}

/// The logarithms of the probabilities of naive Bayes.
#[derive(Debug, Clone, PartialEq)]
struct Likelihoods {
    /// ln P(w1 | v); zeros for words that training did not see.
    words: Vec<[f64; 3]>,
    /// ln P(v).
    verdicts: [f64; 3],
}

impl Likelihoods {
    fn of(counts: &Counts) -> Self {
        let is_known = |word: &&[u32; 3]| word.iter().any(|&count| count > 0);
        let vocabulary = counts.words.iter().filter(is_known).count();
        let sum = |of: usize| counts.words.iter().map(|word| u64::from(word[of])).sum::<u64>();
        let sums = [sum(0), sum(1), sum(2)];
        let occurrences = Verdict::ALL.map(|verdict| sums[verdict.index()] + sums[verdict.swapped().index()]);
        let denominators = occurrences.map(|sum| (2.0 * vocabulary as f64 + sum as f64).ln());
        let of_word = |word: &[u32; 3]| match is_known(&word) {
            true => [0, 1, 2].map(|of| (1.0 + f64::from(word[of])).ln() - denominators[of]),
            false => [0.0; 3],
        };
        let pairs: u32 = counts.pairs.iter().sum();
        Self {
            words: counts.words.iter().map(of_word).collect(),
            verdicts: counts.pairs.map(|of| ((1.0 + f64::from(of)) / (3.0 + f64::from(pairs))).ln()),
        }
    }

    fn probabilities(&self, hypotheses: [&[u32]; 2]) -> Probabilities {
        let [first, second] = hypotheses.map(|words| {
            let add = |sum: [f64; 3], &word: &u32| [0, 1, 2].map(|of| sum[of] + self.words[word as usize][of]);
            words.iter().fold([0.0; 3], add)
        });
        let [one, tie, other] = Verdict::ALL.map(|verdict| {
            self.verdicts[verdict.index()] + (first[verdict.index()] + second[verdict.swapped().index()])
        });
        Probabilities::softmax(one, tie, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Tie};

    /// Words a = 0, b = 1, c = 2: "a b" is better than "b"; "a" and "b" are a tie; "c" is what the last pair is about.
    fn texts() -> Texts {
        Texts {
            words: vec![vec![0, 1], vec![1], vec![0], vec![0, 2]],
            of_pair: vec![[0, 1], [2, 1], [3, 1]],
            vocabulary: 3,
        }
    }

    #[test]
    fn counts_see_every_pair_twice() {
        let counts = Counts::of(&texts(), &[First, Tie, First], &[0, 1]);
        assert_eq!(counts, Counts { words: vec![[1, 1, 0], [1, 1, 1], [0, 0, 0]], pairs: [1, 2, 1] });
        let all = Counts::of(&texts(), &[First, Tie, First], &[0, 1, 2]);
        assert_eq!(all.without(&Counts::of(&texts(), &[First, Tie, First], &[2])), counts);
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities_to_the_last_bit() {
        let learned = Likelihoods::of(&Counts::of(&texts(), &[First, Tie, First], &[0, 1, 2]));
        let hypotheses = [[0, 1, 2, 1].as_slice(), &[1, 0]];
        let [first, tie, second] = learned.probabilities(hypotheses).0;
        assert_eq!(learned.probabilities([hypotheses[1], hypotheses[0]]).0, [second, tie, first]);
        assert_ne!(first, second);
    }

    #[test]
    fn probabilities_by_hand() {
        let learned = Likelihoods::of(&Counts::of(&texts(), &[First, Tie, First], &[0, 1]));
        // V = 2; judged 1 (and -1) there are 3 words in the two hypotheses, judged 0 there are 4, mirrored pairs
        // included. The word c was not seen: the pair is "a" against "b".
        let first = 2.0 / 7.0 * (2.0 / 7.0) * (2.0 / 7.0);
        let tie = 3.0 / 7.0 * (2.0 / 8.0) * (2.0 / 8.0);
        let second = 2.0 / 7.0 * (1.0 / 7.0) * (2.0 / 7.0);
        let sum = first + tie + second;
        let found = learned.probabilities(texts().of_row(2));
        for (found, expected) in found.0.iter().zip([first / sum, tie / sum, second / sum]) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }
}
