//! The sample that ships with the program, to try commands on.
//!
//! The sentences and their ranks are synthetic, as `data/sample/README.md` says; no figure measured on them shows how
//! good a metric or a model is.

/// `dev.pairs` and `dev.answers` to train on; `new.pairs`, without labels; `dev.judge` and `new.judge`, scores of both
/// hypotheses of each pair as a user's own metric would give them; `system1.txt`, `system2.txt` and `reference.txt`, a
/// segment per line; `ratings.tsv`, a score for each segment of three systems; `arena.csv`, every two of these systems,
/// with labels of every other segment; `traces.csv`, single outputs of two versions, with a judge and labels of a part.
const FILES: [(&str, &str); 11] = [
    ("dev.pairs", include_str!("../../data/sample/sample.pairs")),
    ("dev.answers", include_str!("../../data/sample/sample.answers")),
    ("dev.judge", include_str!("../../data/sample/sample.judge")),
    ("new.pairs", include_str!("../../data/sample/new.pairs")),
    ("new.judge", include_str!("../../data/sample/new.judge")),
    ("system1.txt", include_str!("../../data/sample/system1.txt")),
    ("system2.txt", include_str!("../../data/sample/system2.txt")),
    ("reference.txt", include_str!("../../data/sample/reference.txt")),
    ("ratings.tsv", include_str!("../../data/sample/ratings.tsv")),
    ("arena.csv", include_str!("../../data/sample/arena.csv")),
    ("traces.csv", include_str!("../../data/sample/traces.csv")),
];

/// The files, with their names.
pub fn files() -> Vec<(String, Vec<u8>)> {
    FILES.iter().map(|&(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn lines(name: &str) -> Vec<String> {
        let (_, bytes) = files().into_iter().find(|(known, _)| known == name).unwrap();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn new_pairs_have_references_of_their_own() {
        let references = |name: &str| -> HashSet<String> {
            lines(name).iter().map(|line| line.rsplit(" ||| ").next().unwrap().to_owned()).collect()
        };
        let (dev, new) = (references("dev.pairs"), references("new.pairs"));
        assert_eq!((dev.len(), new.len()), (110, 6));
        assert!(dev.is_disjoint(&new));
        assert_eq!(lines("dev.pairs").len(), lines("dev.answers").len());
        for name in ["dev", "new"] {
            assert_eq!(lines(&format!("{name}.pairs")).len(), lines(&format!("{name}.judge")).len());
        }
    }

    #[test]
    fn systems_have_a_hypothesis_for_each_reference() {
        let references = lines("reference.txt");
        assert_eq!(references.len(), 110);
        assert_eq!((lines("system1.txt").len(), lines("system2.txt").len()), (110, 110));
        let ratings = lines("ratings.tsv");
        assert_eq!(ratings.len(), 1 + 3 * references.len());
        let fields = |line: &String| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        assert!(ratings.iter().map(fields).all(|row| row.len() == 5 && row.iter().all(|cell| !cell.is_empty())));
        assert_eq!(fields(&ratings[1])[3], lines("system1.txt")[0]);
    }
}
