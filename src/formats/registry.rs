//! All formats of judgments, one per line. `--format`, `import`, their help, the tests that hold for every format, and
//! the fuzz target iterate over this list.

use super::format::Format;
use super::{da, mqm, pairs, rank, rankings, table, wmt_rr};
use crate::files::Input;
use crate::files::table::ending;

/// Every format, in the order in which help lists them.
pub const REGISTRY: &[&Format] = &[
    &pairs::LINES,
    &pairs::CSV,
    &pairs::TSV,
    &pairs::JSON_LINES,
    #[cfg(feature = "parquet")]
    &pairs::PARQUET,
    &rankings::FORMAT,
    &wmt_rr::FORMAT,
    &mqm::FORMAT,
    &da::FORMAT,
    &rank::FORMAT,
    &table::FORMAT,
];

/// The format with this name.
pub fn find(name: &str) -> Option<&'static Format> {
    REGISTRY.iter().copied().find(|format| format.name == name)
}

/// The format that the ending of a file's name indicates; `pairs` for unknown endings.
pub fn format_of(input: &Input) -> &'static Format {
    let ending = ending(input);
    let known = REGISTRY.iter().copied().find(|format| format.endings.contains(&ending.as_str()));
    known.unwrap_or(&pairs::LINES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_ending_tells_the_format() {
        let name = |name: &str| format_of(&name.parse().unwrap()).name;
        assert_eq!(name("a.CSV"), "csv");
        assert_eq!(name("b.jsonl"), "jsonl");
        assert_eq!(name("b.rankings.GZ"), "rankings");
        assert_eq!(name("train.hyp1-hyp2-ref"), "pairs");
        assert_eq!(name("-"), "pairs");
    }

    #[test]
    fn names_endings_and_options_stand_once() {
        let (mut names, mut endings) = (HashSet::new(), HashSet::new());
        for format in REGISTRY {
            assert!(names.insert(format.name), "{}", format.name);
            assert!(format.endings.iter().all(|ending| endings.insert(ending)), "{}", format.name);
            assert!(!format.about.is_empty() && !format.sample.is_empty() || format.table.is_some(), "{}", format.name);
            let mut options = HashSet::new();
            assert!(format.options.iter().all(|option| options.insert(option.name)), "{}", format.name);
        }
    }
}
