//! In: a lower-case word. Out: whether it is an English function word. Next: lexicon.

/// Determiners, pronouns, prepositions, conjunctions, auxiliaries and the commonest adverbs, sorted.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "'d", "'ll", "'m", "'re", "'s", "'t", "'ve", "a", "about", "above", "across", "after", "again", "against",
    "all", "along", "also", "although", "am", "amid", "among", "an", "and", "another", "any", "anybody",
    "anyone", "anything", "are", "around", "as", "at", "be", "because", "been", "before", "behind", "being",
    "below", "beside", "besides", "between", "beyond", "both", "but", "by", "can", "could", "dare", "despite",
    "did", "do", "does", "doing", "done", "down", "during", "each", "either", "even", "every", "everybody",
    "everyone", "everything", "except", "few", "for", "from", "had", "half", "has", "have", "having", "he",
    "her", "here", "hers", "herself", "him", "himself", "his", "how", "i", "if", "in", "inside", "into", "is",
    "it", "its", "itself", "just", "least", "less", "little", "many", "may", "me", "might", "mine", "more",
    "most", "much", "must", "my", "myself", "n't", "near", "need", "neither", "no", "nobody", "none", "nor",
    "not", "nothing", "now", "of", "off", "on", "once", "one", "ones", "only", "onto", "or", "other",
    "others", "ought", "our", "ours", "ourselves", "out", "outside", "over", "per", "quite", "rather",
    "shall", "she", "should", "since", "so", "some", "somebody", "someone", "something", "still", "such",
    "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "these", "they", "this",
    "those", "though", "through", "throughout", "till", "to", "too", "toward", "towards", "under", "unless",
    "until", "unto", "up", "upon", "us", "very", "via", "was", "we", "were", "what", "when", "where",
    "whereas", "whether", "which", "while", "who", "whoever", "whom", "whose", "why", "will", "with",
    "within", "without", "would", "yet", "you", "your", "yours", "yourself", "yourselves",
];

/// True for a word that carries grammar rather than content.
pub fn contains(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(WORDS.is_sorted());
    }

    #[test]
    fn content_words_are_none() {
        assert!(contains("the") && contains("n't") && contains("would"));
        assert!(!contains("house") && !contains(""));
    }
}
