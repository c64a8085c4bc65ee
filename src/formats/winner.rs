//! The words and numbers by which other programs say which of two hypotheses won.

/// Words for the first hypothesis, the second and neither, in lower case.
const WORDS: [(&[&str], f64); 3] = [
    (&["a", "first", "left", "model_a", "response_a", "answer_a", "output_1", "a>b", "a>>b"], 1.0),
    (&["b", "second", "right", "model_b", "response_b", "answer_b", "output_2", "b>a", "b>>a"], -1.0),
    (&["tie", "tie (bothbad)", "bothbad", "both", "neither", "draw", "equal", "same", "c", "a=b"], 0.0),
];

/// Which hypothesis won.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Winner {
    /// From 1 (the first hypothesis won) to -1 (the second did); 0 is a tie.
    pub(crate) value: f64,
    /// Whether it was written so that it cannot be the probability that the first one won: as a word, or as a number
    /// outside of 0 to 1.
    pub(crate) is_signed: bool,
}

/// What a word or number says.
///
/// Numbers from -1 to 1 stand for themselves. Numbers above 1 up to 2 are on AlpacaEval's scale, from 1 for the first
/// output to 2 for the second. Words are those of Chatbot Arena, MT-bench (`[[A]]`, `[[C]]` for a tie), Arena-Hard
/// (`A>>B`) and their like, in any case. `None` for anything else.
pub(crate) fn winner(text: &str) -> Option<Winner> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return match number {
            0.0..=1.0 => Some(Winner { value: number, is_signed: false }),
            -1.0..=0.0 => Some(Winner { value: number, is_signed: true }),
            1.0..=2.0 => Some(Winner { value: 3.0 - 2.0 * number, is_signed: true }),
            _ => None,
        };
    }
    let word = text.trim_start_matches("[[").trim_end_matches("]]").to_lowercase();
    let found = WORDS.iter().find(|(words, _)| words.contains(&word.as_str()));
    found.map(|&(_, value)| Winner { value, is_signed: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_say_who_won() {
        for (text, value) in [
            ("model_a", 1.0),
            ("[[B]]", -1.0),
            ("tie (bothbad)", 0.0),
            ("[[A>>B]]", 1.0),
            ("Tie", 0.0),
            ("1", 1.0),
            ("2", -1.0),
            ("1.5", 0.0),
            ("1.25", 0.5),
            ("0", 0.0),
            ("-1.0", -1.0),
            (" -0.5 ", -0.5),
        ] {
            assert_eq!(winner(text).map(|found| found.value), Some(value), "{text}");
        }
        assert!(
            ["garbage", "3", "-2", "", "nan", "inf", "true", "[[A]] or so"].iter().all(|text| winner(text).is_none())
        );
    }

    #[test]
    fn only_numbers_from_0_to_1_may_be_probabilities() {
        let signed = ["1", "0.25", "0", "-0.5", "1.25", "2", "A", "tie"].map(|text| winner(text).unwrap().is_signed);
        assert_eq!(signed, [false, false, false, true, true, true, true, true]);
    }
}
