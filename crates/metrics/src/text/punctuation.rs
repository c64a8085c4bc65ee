//! What punctuation tells of texts: how many sentences they have, and whether they are tokenised.

/// Marks that end a sentence, in many scripts.
const ENDS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', '।', '؟'];

/// Quotation marks and brackets that may follow such a mark.
const CLOSING: [char; 10] = ['"', '\'', '”', '’', '»', '“', ')', ']', '」', '』'];

/// The number of sentences, at least 1: the number of final marks followed by white space or the end of the text;
/// full-width marks need no white space. Abbreviations count, too: the number only serves to tell a sentence from a
/// summary.
pub fn sentences(text: &str) -> usize {
    ends(text).len().max(1)
}

/// The sentences of a text, which end where [`sentences`] counts an end, and at the end of a line; none is blank.
pub fn split_sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        for end in ends(line).into_iter().chain([line.len()]) {
            all.extend(Some(line[start..end].trim()).filter(|sentence| !sentence.is_empty()));
            start = end;
        }
    }
    all
}

/// The positions after the final marks of sentences, in bytes.
fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((_, mark)) = rest.next() {
        if !ENDS.contains(&mark) {
            continue;
        }
        while rest.next_if(|(_, next)| ENDS.contains(next) || CLOSING.contains(next)).is_some() {}
        let is_wide = matches!(mark, '。' | '！' | '？');
        let next = rest.peek();
        if is_wide || next.is_none_or(|(_, next)| next.is_whitespace()) {
            ends.push(next.map_or(text.len(), |(at, _)| *at));
        }
    }
    ends
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
    fn sentences_end_at_marks_and_lines() {
        let text = "# The cat\n\nHe left. \"Why?\" she asked\r\n- It costs 3.50 ... twice";
        assert_eq!(
            split_sentences(text),
            ["# The cat", "He left.", "\"Why?\"", "she asked", "- It costs 3.50 ...", "twice"]
        );
        assert_eq!(split_sentences("他走了。没人知道。"), ["他走了。", "没人知道。"]);
        assert!(split_sentences(" \n ").is_empty());
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
