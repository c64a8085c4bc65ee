//! How many words a hypothesis shares with its reference: enough to notice scores that are read the wrong way round.
//! Next: [`super::account`].

use std::collections::HashMap;

use crate::text::Tokenizer;

/// F of the words in lower case, each counted as often as both have it, in [0, 1]; 0 where there is none.
pub(crate) fn overlap(hypothesis: &str, reference: &str) -> f64 {
    let mut left: HashMap<String, usize> = HashMap::new();
    let (mut shared, mut all) = (0, 0);
    Tokenizer::Words.tokenize(reference, &mut |word| {
        *left.entry(word.to_lowercase()).or_default() += 1;
        all += 1;
    });
    Tokenizer::Words.tokenize(hypothesis, &mut |word| {
        all += 1;
        if let Some(count @ 1..) = left.get_mut(&word.to_lowercase()) {
            *count -= 1;
            shared += 1;
        }
    });
    if all == 0 { 0.0 } else { 2.0 * f64::from(shared) / f64::from(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_count_once_for_each_time_that_both_have_them() {
        assert_eq!(overlap("The cat!", "the cat"), 1.0);
        assert_eq!(overlap("the the the", "the cat the"), 2.0 * 2.0 / 6.0);
        assert_eq!(overlap("a", "b"), 0.0);
        assert_eq!(overlap("", ""), 0.0);
    }
}
