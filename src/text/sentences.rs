//! In: a text. Out: how many sentences it has. Next: features.

/// Marks that end a sentence, in many scripts.
const ENDS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '।', '؟'];

/// Quotation marks and brackets that may follow such a mark.
const CLOSING: [char; 10] = ['"', '\'', '”', '’', '»', '“', ')', ']', '」', '』'];

/// The number of sentences, at least 1: the number of final marks followed by white space or the end of the text;
/// full-width marks need no white space. Abbreviations count, too: the number only serves to tell a sentence from a
/// summary.
pub fn count(text: &str) -> usize {
    let mut ends = 0;
    let mut rest = text.chars().peekable();
    while let Some(mark) = rest.next() {
        if !ENDS.contains(&mark) {
            continue;
        }
        while rest.next_if(|next| ENDS.contains(next) || CLOSING.contains(next)).is_some() {}
        let is_wide = matches!(mark, '。' | '！' | '？');
        ends += usize::from(is_wide || rest.peek().is_none_or(|next| next.is_whitespace()));
    }
    ends.max(1)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn sentences_are_counted_in_raw_and_tokenised_text() {
        assert_eq!(count("He left. \"Why?\" she asked. No one knew..."), 4);
        assert_eq!(count("He left . \" Why ? \" she asked . No one knew ..."), 4);
        assert_eq!(count("It costs 3.50 at www.example.org, twice as much"), 1);
        assert_eq!(count("他走了。她问：“为什么？”没人知道。"), 3);
        assert_eq!(count(""), 1);
    }
}
