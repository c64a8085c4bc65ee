use super::Texts;
use crate::error::Result;
use crate::judgments::{Probabilities, Verdict};
use crate::learning::{Labelled, Learner, Predictor};

/// Multinomial naive Bayes on the words of the two hypotheses.
///
/// ```text
/// P(v | h1, h2) ~ P(v) prod_{w in h1} P(w1 | v) prod_{w in h2} P(w2 | v)
/// P(w1 | v) = (1 + n(w1, v)) / (2 V + sum_u (n(u1, v) + n(u2, v)))        P(v) = (1 + n(v)) / (3 + n)
/// ```
///
/// where w1 is "the word w in the first hypothesis", n counts occurrences in training pairs with the label v, weighted
/// by pair, and V is the number of distinct words in the training pairs; other words are ignored. Every training pair
/// is also seen mirrored, so n(w2, v) = n(w1, -v). McCallum and Nigam 1998, "A Comparison of Event Models for Naive
/// Bayes Text Classification", equations 5 and 6, here with Laplace smoothing of P(v) as well.
#[derive(Debug, Clone, Copy)]
pub struct NaiveBayes;

impl Learner for NaiveBayes {
    type Table = Texts;
    type Predictor = Likelihoods;

    fn name(&self) -> &'static str {
        "naive-bayes"
    }

    /// Laplace smoothing: one added occurrence of everything.
    fn strengths(&self) -> &[f64] {
        &[1.0]
    }

    fn fit(
        &self,
        data: Labelled<'_, Texts>,
        rows: &[usize],
        strength: f64,
        _: Option<&Likelihoods>,
    ) -> Result<Likelihoods> {
        Ok(Likelihoods::new(&Counts::new(data, rows), strength))
    }
}

/// How often each word occurs in the first hypothesis of pairs with the label 1, 0 or -1, mirrored pairs included.
#[derive(Debug, Clone, PartialEq)]
struct Counts {
    /// n(w1, v): one row per word, with columns in the order of [`Verdict::ALL`].
    words: Vec<[f64; 3]>,
    /// n(v).
    pairs: [f64; 3],
}

impl Counts {
    fn new(data: Labelled<'_, Texts>, rows: &[usize]) -> Self {
        let mut counts = Self { words: vec![[0.0; 3]; data.table.vocabulary], pairs: [0.0; 3] };
        for &row in rows {
            let (label, weight) = (data.labels[row], data.weight(row));
            // The second hypothesis is the first of the mirrored pair, whose label is swapped.
            for (words, label) in data.table.of_row(row).into_iter().zip([label, label.swapped()]) {
                counts.pairs[label.index()] += weight;
                words.iter().for_each(|&word| counts.words[word as usize][label.index()] += weight);
            }
        }
        counts
    }
}

/// The log probabilities of naive Bayes.
#[derive(Debug, Clone, PartialEq)]
pub struct Likelihoods {
    /// ln P(w1 | v); zeros for words that did not occur in training.
    words: Vec<[f64; 3]>,
    /// ln P(v).
    verdicts: [f64; 3],
}

impl Predictor<Texts> for Likelihoods {
    fn probabilities(&self, table: &Texts, row: usize) -> Probabilities {
        self.model(table.of_row(row))
    }
}

impl Likelihoods {
    fn new(counts: &Counts, smoothing: f64) -> Self {
        let is_known = |word: &&[f64; 3]| word.iter().any(|&count| count > 0.0);
        let vocabulary = counts.words.iter().filter(is_known).count();
        let sum = |of: usize| counts.words.iter().map(|word| word[of]).sum::<f64>();
        let sums = [sum(0), sum(1), sum(2)];
        let occurrences = Verdict::ALL.map(|verdict| sums[verdict.index()] + sums[verdict.swapped().index()]);
        let denominators = occurrences.map(|sum| (2.0 * smoothing * vocabulary as f64 + sum).ln());
        let of_word = |word: &[f64; 3]| match is_known(&word) {
            true => [0, 1, 2].map(|of| (smoothing + word[of]).ln() - denominators[of]),
            false => [0.0; 3],
        };
        let pairs: f64 = counts.pairs.iter().sum();
        Self {
            words: counts.words.iter().map(of_word).collect(),
            verdicts: counts.pairs.map(|of| ((smoothing + of) / (3.0 * smoothing + pairs)).ln()),
        }
    }

    fn model(&self, hypotheses: [&[u32]; 2]) -> Probabilities {
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
    use crate::evaluation::Groups;
    use Verdict::{First, Tie};

    /// Words a = 0, b = 1, c = 2: "a b" is better than "b"; "a" and "b" tie; the last pair involves "c".
    fn texts() -> Texts {
        Texts {
            words: vec![vec![0, 1], vec![1], vec![0], vec![0, 2]],
            of_pair: vec![[0, 1], [2, 1], [3, 1]],
            vocabulary: 3,
        }
    }

    fn counts(rows: &[usize], weights: &[f64]) -> Counts {
        let groups = Groups { of_row: vec![0, 1, 2], count: 3 };
        Counts::new(Labelled { table: &texts(), labels: &[First, Tie, First], groups: &groups, weights }, rows)
    }

    #[test]
    fn counts_see_every_pair_twice_and_by_its_weight() {
        let words = vec![[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0; 3]];
        assert_eq!(counts(&[0, 1], &[]), Counts { words, pairs: [1.0, 2.0, 1.0] });
        assert_eq!(counts(&[0, 1], &[2.0, 1.0, 1.0]), counts(&[0, 0, 1], &[]));
    }

    #[test]
    fn swapped_hypotheses_swap_the_probabilities_to_the_last_bit() {
        let learned = Likelihoods::new(&counts(&[0, 1, 2], &[]), 1.0);
        let hypotheses = [[0, 1, 2, 1].as_slice(), &[1, 0]];
        let [first, tie, second] = learned.model(hypotheses).0;
        assert_eq!(learned.model([hypotheses[1], hypotheses[0]]).0, [second, tie, first]);
        assert_ne!(first, second);
    }

    #[test]
    fn probabilities_by_hand() {
        let learned = Likelihoods::new(&counts(&[0, 1], &[]), 1.0);
        // V = 2. With label 1 (and -1) there are 3 words in the two hypotheses, with label 0 there are 4, mirrored
        // pairs included. The word c did not occur: the pair is effectively "a" against "b".
        let first = 2.0 / 7.0 * (2.0 / 7.0) * (2.0 / 7.0);
        let tie = 3.0 / 7.0 * (2.0 / 8.0) * (2.0 / 8.0);
        let second = 2.0 / 7.0 * (1.0 / 7.0) * (2.0 / 7.0);
        let sum = first + tie + second;
        let found = learned.probabilities(&texts(), 2);
        for (found, expected) in found.0.iter().zip([first / sum, tie / sum, second / sum]) {
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
    }
}
