//! The words and numbers by which other programs say which of two hypotheses won, and the scale of a column of them.

use crate::judgments::{Scale, Verdict};

/// Words for the first hypothesis, the second and neither, in lower case.
const WORDS: [(&[&str], f64); 3] = [
    (&["a", "first", "left", "model_a", "response_a", "answer_a", "output_1", "a>b", "a>>b"], 1.0),
    (&["b", "second", "right", "model_b", "response_b", "answer_b", "output_2", "b>a", "b>>a"], -1.0),
    (&["tie", "tie (bothbad)", "bothbad", "both", "neither", "draw", "equal", "same", "c", "a=b"], 0.0),
];

/// The scales of labels.
pub(crate) const SCALES: &str = "use one scale in the whole column: labels 1, 0 and -1; preferences from 0 (the second is \
    better) to 1 (the first is); or preferences from 1 (the first) to 2 (the second)";

/// What a cell says of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Winner {
    /// A word: 1 where the first hypothesis won, -1 where the second did, 0 for a tie.
    Word(f64),
    /// A number, which means what the scale of its column says.
    Number(f64),
}

impl Winner {
    /// From 1 (the first hypothesis won) to -1 (the second did); `None` for a number that does not fit the scale.
    pub(crate) fn on(self, scale: Scale) -> Option<f64> {
        match self {
            Self::Word(value) => Some(value),
            Self::Number(number) => scale.value(number),
        }
    }
}

/// A label as a table gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Label {
    pub(crate) verdict: Verdict,
    /// The share of the first hypothesis, where labels are preferences with fractions.
    pub(crate) preference: Option<f64>,
}

impl Label {
    /// What a cell says on a scale of labels; `None` for a number that does not fit.
    pub(crate) fn on(scale: Scale, winner: Winner) -> Option<Self> {
        let share = match winner {
            Winner::Word(value) => f64::midpoint(1.0, value),
            Winner::Number(number) => scale.share_of_first(number)?,
        };
        Some(Self { verdict: Verdict::compare(share, 0.5), preference: (scale != Scale::Words).then_some(share) })
    }
}

impl From<Verdict> for Label {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, preference: None }
    }
}

/// Reads a finite number, or a word of Chatbot Arena, MT-bench (`[[A]]`, `[[C]]` for a tie), Arena-Hard (`A>>B`) and their
/// like, in any case. `None` for anything else.
pub(crate) fn winner(text: &str) -> Option<Winner> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(Winner::Number(number));
    }
    let word = text.trim_start_matches("[[").trim_end_matches("]]").to_lowercase();
    let known = WORDS.iter().find(|(words, _)| words.contains(&word.as_str()));
    known.map(|&(_, value)| Winner::Word(value))
}

/// Counts of the numbers in a column, by which its scale is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    words: usize,
    count: usize,
    /// Numbers from -1 to below 0.
    negative: usize,
    /// Numbers between -1 and 0.
    below_zero: usize,
    /// Numbers between 0 and 1.
    below_one: usize,
    /// Numbers between 1 and 2.
    above_one: usize,
}

/// One part in so many of a column's numbers are negative if they are on the scale from -1 to 1: fewer are slips.
const NEGATIVE_PART: usize = 4;

/// The fewest numbers of which it is odd that none is negative.
const MIN_SUSPECT: usize = 20;

impl Numbers {
    /// Counts what a cell says.
    pub(crate) fn add(&mut self, text: &str) {
        let number = match winner(text) {
            Some(Winner::Number(number)) => number,
            Some(Winner::Word(_)) => return self.words += 1,
            None => return,
        };
        self.count += 1;
        self.negative += usize::from((-1.0..0.0).contains(&number));
        self.below_zero += usize::from(number > -1.0 && number < 0.0);
        self.below_one += usize::from(number > 0.0 && number < 1.0);
        self.above_one += usize::from(number > 1.0 && number < 2.0);
    }

    /// The scale of a judge's verdicts, of which all but slips fit. 1, 0, -1 and 2 alone are words.
    pub(crate) fn scale(&self) -> Scale {
        let is_signed = NEGATIVE_PART * self.negative >= self.count;
        match (self.below_zero, self.below_one, self.above_one) {
            (0, 0, 0) => Scale::Words,
            (_, below, above) if above > below => Scale::OneToTwo,
            _ if is_signed => Scale::Signed,
            _ => Scale::Probability,
        }
    }

    /// The scale of labels, which are 1, 0 and -1 unless there are fractions between 0 and 1, or 1 and 2.
    pub(crate) fn scale_of_labels(&self) -> Scale {
        match (self.below_one, self.above_one) {
            (below, above) if above > below => Scale::OneToTwo,
            (below, _) if below > self.negative => Scale::Probability,
            _ => Scale::Words,
        }
    }

    /// Whether more labels would not change their scale, but be errors on it.
    pub(crate) fn tells_labels(&self) -> bool {
        self.negative + self.below_one + self.above_one > 0
    }

    /// Whether there are words, and no numbers.
    pub(crate) fn are_only_words(&self) -> bool {
        self.words > 0 && self.count == 0
    }

    /// Whether there are no numbers.
    pub(crate) fn are_none(&self) -> bool {
        self.count == 0
    }

    /// Whether numbers on the scale from -1 to 1 look like probabilities: many, with fractions, and none negative.
    pub(crate) fn look_like_probabilities(&self) -> bool {
        self.count >= MIN_SUSPECT && self.negative == 0 && self.below_one > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(texts: &[&str]) -> Numbers {
        let mut numbers = Numbers::default();
        texts.iter().for_each(|text| numbers.add(text));
        numbers
    }

    #[test]
    fn words_say_who_won_and_numbers_wait_for_their_scale() {
        for (text, value) in
            [("model_a", 1.0), ("[[B]]", -1.0), ("tie (bothbad)", 0.0), ("[[A>>B]]", 1.0), ("Tie", 0.0)]
        {
            assert_eq!(winner(text), Some(Winner::Word(value)), "{text}");
            assert!(Scale::ALL.iter().all(|&scale| winner(text).unwrap().on(scale) == Some(value)));
        }
        assert_eq!(winner(" -0.5 "), Some(Winner::Number(-0.5)));
        assert_eq!(winner("1.25").unwrap().on(Scale::OneToTwo), Some(0.5));
        assert!(["garbage", "", "nan", "inf", "true", "[[A]] or so"].iter().all(|text| winner(text).is_none()));
    }

    #[test]
    fn a_column_has_one_scale_whatever_a_slip_says() {
        for (texts, scale) in [
            (&["1", "-1", "0", "tie"][..], Scale::Words),
            (&["1", "2", "2"], Scale::Words),
            (&["1", "0"], Scale::Words),
            (&["0.2", "0.9", "1", "0", "tie"], Scale::Probability),
            (&["0.2", "0.9", "0.3", "0.1", "-1"], Scale::Probability),
            (&["0.2", "0.9", "0.3", "1.02"], Scale::Probability),
            (&["0.2", "-0.9", "0.3", "1"], Scale::Signed),
            (&["1.2", "1", "2", "1.9"], Scale::OneToTwo),
        ] {
            assert_eq!(numbers(texts).scale(), scale, "{texts:?}");
        }
    }

    #[test]
    fn labels_are_classes_unless_there_are_fractions() {
        for (texts, scale, tells) in [
            (&["1", "0"][..], Scale::Words, false),
            (&["1", "0", "-1"], Scale::Words, true),
            (&["1", "2"], Scale::Words, false),
            (&["1", "0", "0.1"], Scale::Probability, true),
            (&["0.1", "0.2", "-0.4"], Scale::Probability, true),
            (&["1.03", "2"], Scale::OneToTwo, true),
        ] {
            let numbers = numbers(texts);
            assert_eq!((numbers.scale_of_labels(), numbers.tells_labels()), (scale, tells), "{texts:?}");
        }
    }
}
