//! Cells that are written, and those of tables in memory.

use std::io::Write;

use zmij::Buffer;

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// Nothing; a JSON object then lacks that key.
    Empty,
    /// A text.
    Text(&'a str),
    /// Several texts; among files, only JSON Lines can hold them.
    Texts(&'a [String]),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
}

/// The type of a column's cells, unless they are empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// [`Cell::Text`], or [`Cell::Texts`] in JSON Lines.
    Text,
    /// [`Cell::Integer`].
    Integer,
    /// [`Cell::Number`].
    Number,
}

impl Cell<'_> {
    /// Appends the cell as text; `None`, with nothing appended, for several texts.
    pub(super) fn append(&self, to: &mut Vec<u8>) -> Option<()> {
        match *self {
            Self::Empty => {}
            Self::Text(text) => to.extend_from_slice(text.as_bytes()),
            Self::Texts(_) => return None,
            Self::Integer(number) => append_displayed(&number, to),
            Self::Number(number) => append_number(number, to),
        }
        Some(())
    }
}

/// Halfway between two shortest decimals, from 2^49 on, zmij chooses the even digit and `Display` the larger one.
const LARGE: f64 = 1e14;

/// Appends a number exactly as `Display` writes it, in a quarter of the time.
fn append_number(number: f64, to: &mut Vec<u8>) {
    let mut buffer = Buffer::new();
    let text = buffer.format(number);
    if number.abs() < LARGE && !text.contains('e') {
        to.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    } else {
        append_displayed(&number, to);
    }
}

fn append_displayed(number: &dyn std::fmt::Display, to: &mut Vec<u8>) {
    // Writing into memory cannot fail.
    let _ = write!(to, "{number}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn appended(number: f64) -> String {
        let mut text = Vec::new();
        Cell::Number(number).append(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_at_the_edges_are_as_displayed() {
        let tie = 827_321_363_152_393.2;
        for number in
            [0.0, -0.0, 1.0, 1e15, 1e16, 1e17, 1e300, 5e-324, 1e-5, 1e-4, 0.1 + 0.2, tie, f64::NAN, f64::INFINITY]
        {
            assert_eq!(appended(number), number.to_string());
            assert_eq!(appended(-number), (-number).to_string());
        }
    }

    proptest! {
        #[test]
        fn numbers_are_as_displayed(bits in any::<u64>(), score in 0.0..100.0_f64, whole in -1_000_000..1_000_000_i32) {
            for number in [f64::from_bits(bits), score, score / 100.0, f64::from(whole)] {
                prop_assert_eq!(appended(number), number.to_string());
            }
        }
    }
}
