//! In: texts. Out: the share of them that is tokenised. Next: model files, and workflows, which warn if a model was
//! trained on the other kind.

/// The smallest number of texts that allows an estimate.
const FEWEST: usize = 10;

/// The share of tokenised texts, in [0, 1], among those with a comma or full stop: in a tokenised text (`a cat , it sat
/// .`) at least one stands alone, in a raw text (`a cat, it sat.`) none does. Other marks are less telling: French puts
/// a space before some of them. `None` if fewer than ten texts have a comma or full stop.
pub(crate) fn tokenised_share<'t>(texts: impl Iterator<Item = &'t str>) -> Option<f64> {
    let (mut tokenised, mut raw) = (0, 0);
    for text in texts {
        let is_mark = |word: &str| matches!(word, "," | ".");
        if text.split_whitespace().any(is_mark) {
            tokenised += 1;
        } else if text.split_whitespace().any(|word| word.len() > 1 && word.ends_with([',', '.'])) {
            raw += 1;
        }
    }
    (tokenised + raw >= FEWEST).then(|| tokenised as f64 / (tokenised + raw) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

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
