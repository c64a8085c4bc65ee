//! What punctuation tells of texts: how many sentences they have, and whether they are tokenised.

/// Marks that end a sentence, in many scripts.
const ENDS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '।', '؟'];

/// Quotation marks and brackets that may follow such a mark.
const CLOSING: [char; 10] = ['"', '\'', '”', '’', '»', '“', ')', ']', '」', '』'];

/// The number of sentences, at least 1: the number of final marks followed by white space or the end of the text;
/// full-width marks need no white space. Abbreviations count, too: the number only serves to tell a sentence from a
/// summary.
pub fn sentences(text: &str) -> usize {
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

/// The smallest number of texts that allows an estimate.
const MIN_TEXTS: usize = 10;

/// The share of tokenised texts, in [0, 1], among those with a comma or full stop: in a tokenised text (`a cat , it sat
/// .`) at least one stands alone, in a raw text (`a cat, it sat.`) none does. Other marks are less telling: French puts
/// a space before some of them. `None` if fewer than ten texts have a comma or full stop.
pub fn tokenised_share<'t>(texts: impl Iterator<Item = &'t str>) -> Option<f64> {
    let (mut tokenised, mut raw) = (0, 0);
    for text in texts {
        let is_mark = |word: &str| matches!(word, "," | ".");
        if text.split_whitespace().any(is_mark) {
            tokenised += 1;
        } else if text.split_whitespace().any(|word| word.len() > 1 && word.ends_with([',', '.'])) {
            raw += 1;
        }
    }
    (tokenised + raw >= MIN_TEXTS).then(|| tokenised as f64 / (tokenised + raw) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_counted_in_raw_and_tokenised_text() {
        assert_eq!(sentences("He left. \"Why?\" she asked. No one knew..."), 4);
        assert_eq!(sentences("He left . \" Why ? \" she asked . No one knew ..."), 4);
        assert_eq!(sentences("It costs 3.50 at www.example.org, twice as much"), 1);
        assert_eq!(sentences("他走了。她问：“为什么？”没人知道。"), 3);
        assert_eq!(sentences(""), 1);
    }

    #[test]
    fn tokenised_and_raw_texts_are_told_apart() {
        let share = |texts: &[&str]| tokenised_share(texts.iter().copied().cycle().take(20));
        assert_eq!(share(&["a cat, it sat."]), Some(0.0));
        assert_eq!(share(&["a cat , it sat .", "Mr. Smith sat ."]), Some(1.0));
        assert_eq!(share(&["a cat , it sat .", "a cat sat."]), Some(0.5));
        assert_eq!(share(&["no marks", "", "Vraiment ?"]), None);
        assert_eq!(tokenised_share(std::iter::repeat_n("a cat.", 9)), None);
    }
}
