//! Names of labels: `left=1,tie=0,right=-1`.

use std::str::FromStr;

use crate::error::{Error, Result, quoted};
use crate::judgments::Verdict;
use crate::options::{OptionSpec, Options, Value, did_you_mean, reads_as};

/// The names of labels in tables and in files of answers.
pub const LABELS: OptionSpec = OptionSpec {
    name: "labels",
    value: Value::Many { placeholder: "NAME=LABEL", default: None, check: reads_as::<LabelName> },
    help: "Names of labels, such as left=1,right=-1,tie=0; 1=-1,0=0,-1=1 reverses them [default: 1, 0 and -1]",
};

/// A name of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LabelName {
    name: String,
    verdict: Verdict,
}

/// Names of verdicts; by default 1, 0 and -1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelNames {
    names: Vec<LabelName>,
    /// Whether the user can give others with `labels`.
    can_be_given: bool,
}

impl LabelNames {
    /// The names that the options give.
    ///
    /// # Errors
    /// One name is given to two verdicts.
    pub fn from_options(options: &Options) -> Result<Self> {
        let mut names: Vec<LabelName> = Vec::new();
        for text in options.texts(&LABELS) {
            let given: LabelName = text.parse()?;
            if let Some(known) = names.iter().find(|known| known.is(&given.name) && known.verdict != given.verdict) {
                let found = format!("{}={} and {text}", known.name, known.verdict);
                return Err(Error::invalid("`labels`", "one label for each name", found, "leave out one of them"));
            }
            names.push(given);
        }
        Ok(Self { names, can_be_given: true })
    }

    /// The verdict that a text stands for.
    ///
    /// # Errors
    /// The text is not one of the names.
    pub(crate) fn read(&self, text: &str, place: &str) -> Result<Verdict> {
        if self.names.is_empty() {
            return Verdict::parse(text).ok_or_else(|| self.wrong_label(text, place));
        }
        let found = self.names.iter().find(|known| known.is(text.trim()));
        found.map(|found| found.verdict).ok_or_else(|| self.unknown(text, place))
    }

    fn unknown(&self, text: &str, place: &str) -> Error {
        let names = || self.names.iter().map(|known| known.name.as_str());
        let advice = format!("{}name all labels of the file with `labels`", did_you_mean(text.trim(), names()));
        let known = names().collect::<Vec<_>>().join(", ");
        Error::invalid(place, format!("one of the labels {known}"), quoted(text), advice)
    }

    /// The error for a text that is not a label.
    fn wrong_label(&self, text: &str, place: &str) -> Error {
        let found = if text.trim().is_empty() { "an empty line or cell".to_owned() } else { quoted(text) };
        let mut advice = "write 1 where the first hypothesis is better, -1 where the second is, 0 for a tie".to_owned();
        if self.can_be_given && text.contains(char::is_alphabetic) {
            advice += ", or name your labels: `labels` left=1,right=-1,tie=0";
        }
        Error::invalid(place, "a label 1, 0 or -1", found, advice)
    }
}

impl LabelName {
    /// Whether a text is this name; numbers are compared by value, so that 1 is 1.0.
    fn is(&self, text: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        self.name == text || number(&self.name).is_some_and(|name| number(text) == Some(name))
    }
}

impl FromStr for LabelName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = text.rsplit_once('=').and_then(|(name, label)| Some((name.trim(), Verdict::parse(label)?)));
        let Some((name, verdict)) = named.filter(|(name, _)| !name.is_empty()) else {
            let advice = "write, for example, left=1,right=-1,tie=0";
            return Err(Error::invalid("`labels`", "NAME=1, NAME=0 or NAME=-1", quoted(text), advice));
        };
        Ok(Self { name: name.to_owned(), verdict })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Result<LabelNames> {
        let mut options = Options::default();
        given.iter().try_for_each(|text| options.set(&LABELS, text))?;
        LabelNames::from_options(&options)
    }

    #[test]
    fn names_say_verdicts() {
        let named = names(&["A=1", "B=-1", " tie =0", "B2=-1"]).unwrap();
        for (text, verdict) in [("A", Verdict::First), (" B ", Verdict::Second), ("tie", Verdict::Tie)] {
            assert_eq!(named.read(text, "x").unwrap(), verdict);
        }
        let turned = names(&["1=-1", "0=0", "-1=1"]).unwrap();
        assert_eq!(turned.read("1.0", "x").unwrap(), Verdict::Second);
        assert_eq!(LabelNames::default().read("1.0", "x").unwrap(), Verdict::First);
    }

    #[test]
    fn other_names_are_told_with_those_that_are_known() {
        let message = names(&["left=1", "right=-1"]).unwrap().read("Left", "x:3").unwrap_err().to_string();
        let told = "x:3: expected one of the labels left, right, found 'Left'; did you mean 'left'? name all labels";
        assert!(message.starts_with(told), "{message}");
        assert!(names(&["left=1"]).unwrap().read("1", "x").is_err());
        for wrong in [&["left"][..], &["=1"], &["left=2"], &["left=1", "left=0"], &["1=1", "1.0=-1"]] {
            assert!(names(wrong).is_err(), "{wrong:?}");
        }
    }
}
