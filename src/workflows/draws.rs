//! How labelled pairs were drawn, from the columns `wave` and `drawn` that `next` writes.

use crate::error::{Error, Result};
use crate::evaluation::Draw;
use crate::judgments::Pair;

/// How each of these pairs was drawn, if it is labelled. Labels without the columns are a simple random
/// sample of all pairs, the first wave; `next` then draws the second one.
///
/// # Errors
/// It cannot be told with which probability some labels were drawn: others of the first wave have one.
pub(super) fn of_labels(pairs: &[(&Pair, bool)], place: &str) -> Result<Vec<Option<Draw>>> {
    let labelled = || pairs.iter().filter(|(_, is_labelled)| *is_labelled).map(|(pair, _)| *pair);
    let wave = |pair: &Pair| pair.wave.unwrap_or(1);
    let without = labelled().filter(|pair| pair.drawn.is_none()).count();
    let is_first = labelled().any(|pair| pair.drawn.is_some() && wave(pair) == 1);
    let is_late = labelled().any(|pair| pair.drawn.is_none() && wave(pair) > 1);
    if without > 0 && (is_first || is_late) {
        return Err(Error::invalid(
            place,
            "the probability with which a pair was drawn, in the column drawn, for all labels or for none",
            format!("{} labels with it and {without} without", labelled().count() - without),
            "copy wave and drawn from what `next` wrote, which has the earlier labels, too; or use one of the two kinds of \
             labels",
        ));
    }
    // Where there are only labelled pairs, the second wave tells how many others the first one left.
    let second = labelled().filter(|pair| pair.drawn.is_some()).map(wave).min();
    let of_second = labelled().filter(|pair| pair.drawn.is_some() && Some(wave(pair)) == second);
    let others: f64 = of_second.filter_map(|pair| Some(1.0 / pair.drawn?)).sum();
    let is_whole = labelled().count() < pairs.len();
    let share = without as f64 / if is_whole { pairs.len() as f64 } else { without as f64 + others };
    let draw = |pair: &Pair| Draw { wave: wave(pair), probability: pair.drawn.unwrap_or(share) };
    Ok(pairs.iter().map(|(pair, is_labelled)| is_labelled.then(|| draw(pair))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Verdict;

    #[test]
    fn labels_without_columns_are_the_first_wave() {
        let pair = |label: bool, drawn: Option<f64>, wave: Option<usize>| Pair {
            label: label.then_some(Verdict::First),
            drawn,
            wave,
            ..Pair::new(["a".into(), "b".into()], vec![])
        };
        let of = |pairs: &[Pair]| {
            of_labels(&pairs.iter().map(|pair| (pair, pair.label.is_some())).collect::<Vec<_>>(), "x.csv")
        };
        let draw = |wave: usize, probability: f64| Some(Draw { wave, probability });
        let (random, other) = (pair(true, None, None), pair(false, None, None));
        assert_eq!(of(&[random.clone(), other.clone()]).unwrap(), [draw(1, 0.5), None]);
        let second = pair(true, Some(0.2), Some(2));
        let found = of(&[random.clone(), second.clone(), other.clone(), other]).unwrap();
        assert_eq!(found, [draw(1, 0.25), draw(2, 0.2), None, None]);
        // One of 0.2 stands for five: with the first one, there were six.
        assert_eq!(of(&[random.clone(), second.clone()]).unwrap(), [draw(1, 1.0 / 6.0), draw(2, 0.2)]);
        // Two kinds of labels that both claim to be the first, and a later wave without its probabilities.
        for wrong in [pair(true, Some(0.2), None), pair(true, Some(0.2), Some(1)), pair(true, None, Some(2))] {
            let message = of(&[random.clone(), second.clone(), wrong]).unwrap_err().to_string();
            assert!(message.starts_with("x.csv: ") && message.contains("labels with it and"), "{message}");
        }
    }
}
