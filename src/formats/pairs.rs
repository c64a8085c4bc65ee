//! One pair per line: `hyp1 ||| hyp2 ||| ref`, with further references after further separators. Next:
//! [`super::reader`].

use super::account::Account;
use super::format::{Format, Role};
use super::importer::Importer;
use super::own::WITHOUT_REFERENCES;
use crate::error::Result;
use crate::files::input::Lines;
use crate::judgments::Pair;

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "pairs",
    about: "Pairs, one per line: hyp1 ||| hyp2 ||| ref",
    details: "Further references follow after further separators.",
    sample: "a cat sat ||| cats sat ||| the cat sat\na dog ||| dogs ||| a dog ran ||| the dog ran\n",
    example: "",
    endings: &["pairs"],
    table: None,
    role: Role::Pairs,
    options: &[&WITHOUT_REFERENCES],
    open: |input, options| {
        let needs_reference = !options.is_given(&WITHOUT_REFERENCES);
        Ok(Box::new(PairLines { place: input.to_string(), lines: input.lines()?, needs_reference }))
    },
    scores: None,
};

struct PairLines {
    place: String,
    lines: Lines,
    needs_reference: bool,
}

impl Iterator for PairLines {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        Some(line.and_then(|line| Pair::parse_fields(&line.text, &self.place, line.number, self.needs_reference)))
    }
}

impl Importer for PairLines {
    fn account(&self) -> Option<&Account> {
        None
    }
}
