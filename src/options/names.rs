//! Suggestions for misspelt names. In: what the user typed. Out: the name that was probably meant. Next: messages.

/// `did you mean 'bleu'? ` for `blue`; empty if no name is close.
pub fn did_you_mean<'n>(typed: &str, names: impl Iterator<Item = &'n str>) -> String {
    let typed = typed.to_lowercase();
    let near = names.map(|name| (distance(&typed, &name.to_lowercase()), name)).min_by_key(|&(distance, _)| distance);
    // Up to one letter in three may be wrong.
    let near = near.filter(|&(distance, name)| 3 * distance <= name.chars().count().max(3));
    near.map(|(_, name)| format!("did you mean '{name}'? ")).unwrap_or_default()
}

/// The edit distance: insertions, deletions, substitutions and swaps of neighbouring letters.
fn distance(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|text| text.chars().collect::<Vec<_>>());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, against) in other.iter().enumerate() {
            let above = &rows[row];
            let mut least = (above[column + 1] + 1).min(next[column] + 1);
            least = least.min(above[column] + usize::from(letter != against));
            let is_swapped = row > 0 && column > 0 && one[row - 1] == *against && *letter == other[column - 1];
            if is_swapped {
                least = least.min(rows[row - 1][column - 1] + 1);
            }
            next.push(least);
        }
        rows.push(next);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_may_be_wrong() {
        let names = ["bleu", "rougeL", "rougeLsum", "meteor"];
        let said = |typed| did_you_mean(typed, names.into_iter());
        assert_eq!(said("blue"), "did you mean 'bleu'? ");
        assert_eq!(said("ROUGE-L"), "did you mean 'rougeL'? ");
        assert_eq!(said("meteo"), "did you mean 'meteor'? ");
        assert_eq!(said("comet22"), "");
    }

    #[test]
    fn neighbours_that_change_places_are_one_slip() {
        assert_eq!(
            ["abcd", "abdc", "acd", "abxcd", "xbcd", ""].map(|other| distance("abcd", other)),
            [0, 1, 1, 1, 1, 4]
        );
    }
}
