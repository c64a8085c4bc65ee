//! Numbers on the command line. In: a word. Out: the number, or what was expected.

use std::fmt::Display;
use std::str::FromStr;

/// A parser of whole numbers from `least` on, up to `most` if there is such a bound.
pub fn whole<T>(least: T, most: Option<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + Display + PartialOrd + Copy + Send + Sync + 'static,
{
    move |text| {
        let number =
            text.trim().parse().ok().filter(|number| *number >= least && most.is_none_or(|most| *number <= most));
        number.ok_or_else(|| match most {
            Some(most) => format!("expected a whole number from {least} to {most}"),
            None => format!("expected a whole number, {least} or more"),
        })
    }
}

/// Parses a number.
pub fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_range() {
        let read = whole::<u16>(2, Some(10));
        assert_eq!([read("2"), read("10")], [Ok(2), Ok(10)]);
        for wrong in ["1", "11", "-3", "2.5", "two", ""] {
            assert_eq!(read(wrong), Err("expected a whole number from 2 to 10".to_owned()), "{wrong}");
        }
        assert_eq!(whole::<u64>(1, None)("0"), Err("expected a whole number, 1 or more".to_owned()));
        assert_eq!(number("-1e3"), Ok(-1000.0));
        assert!(["a", "nan", "inf", ""].iter().all(|wrong| number(wrong).is_err()));
    }
}
