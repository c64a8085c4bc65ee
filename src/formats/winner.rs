//! The words and numbers by which other programs say which of two hypotheses won.

/// Words for the first hypothesis, the second and neither, in lower case.
const WORDS: [(&[&str], f64); 3] = [
    (&["a", "first", "left", "model_a", "response_a", "answer_a", "output_1", "a>b", "a>>b"], 1.0),
    (&["b", "second", "right", "model_b", "response_b", "answer_b", "output_2", "b>a", "b>>a"], -1.0),
    (&["tie", "tie (bothbad)", "bothbad", "both", "neither", "draw", "equal", "same", "c", "a=b"], 0.0),
];

/// What a word or number says, from 1 (the first hypothesis won) to -1 (the second did); 0 is a tie.
///
/// Numbers from -1 to 1 stand for themselves. Numbers above 1 up to 2 are on AlpacaEval's scale, from 1 for the first
/// output to 2 for the second. Words are those of Chatbot Arena, MT-bench (`[[A]]`, `[[C]]` for a tie), Arena-Hard
/// (`A>>B`) and their like, in any case. `None` for anything else.
pub(crate) fn winner(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return match number {
            -1.0..=1.0 => Some(number),
            1.0..=2.0 => Some(3.0 - 2.0 * number),
            _ => None,
        };
    }
    let word = text.trim_start_matches("[[").trim_end_matches("]]").to_lowercase();
    WORDS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|&(_, value)| value)
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
            assert_eq!(winner(text), Some(value), "{text}");
        }
        assert!(
            ["garbage", "3", "-2", "", "nan", "inf", "true", "[[A]] or so"].iter().all(|text| winner(text).is_none())
        );
    }
}
