//! What an error costs: the penalties of Freitag et al. 2021, "Experts, Errors, and Context", and those that the user
//! gives.

use std::str::FromStr;

use crate::error::{Error, Result, quoted, truncated};
use crate::options::{OptionSpec, Options, Value, reads_as};

pub(super) const PENALTY: OptionSpec = OptionSpec {
    name: "penalty",
    value: Value::Many { placeholder: "[CATEGORY][:SEVERITY]=COST", default: None, check: reads_as::<Penalty> },
    help: "Penalties of errors, such as ':Critical=10' or 'Fluency/Spelling:Minor=0.5'; may be given several times \
        [default: 25 for non-translations, 0.1 for minor punctuation, 5 for other major, 1 for other minor errors]",
};

/// The penalty for errors of a category, of a severity, or of both: `Fluency/Punctuation:Minor=0.1`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Penalty {
    /// A category, or the part of it before `/`; `None` matches all.
    category: Option<String>,
    /// A severity; `None` matches all.
    severity: Option<String>,
    pub(super) cost: f64,
}

/// The penalties of Freitag et al. 2021.
const DEFAULT_PENALTIES: [&str; 7] = [
    "No-error=0",
    "Non-translation=25",
    "Fluency/Punctuation:Minor=0.1",
    ":Major=5",
    ":Minor=1",
    ":Neutral=0",
    ":No-error=0",
];

/// The given penalties, then the default ones: the first that matches an error counts.
///
/// # Errors
/// Two of the given ones are for the same errors.
pub(super) fn penalties(options: &Options) -> Result<Vec<Penalty>> {
    let texts = options.texts(&PENALTY);
    let given: Vec<Penalty> = texts.iter().map(|text| text.parse()).collect::<Result<_>>()?;
    let twice = (1..given.len()).find_map(|at| Some((at, given[..at].iter().position(|one| one.is_for(&given[at]))?)));
    if let Some((at, before)) = twice {
        let found = format!("{} and {}", texts[before], texts[at]);
        return Err(Error::invalid(PENALTY.argument(), "one penalty per kind of error", found, "remove one of them"));
    }
    given.into_iter().map(Ok).chain(DEFAULT_PENALTIES.map(str::parse)).collect()
}

impl Penalty {
    /// Whether two penalties are for the same errors.
    fn is_for(&self, other: &Self) -> bool {
        let name = |name: &Option<String>| name.as_deref().map(str::to_lowercase);
        name(&self.category) == name(&other.category) && name(&self.severity) == name(&other.severity)
    }

    /// Whether it is the penalty for errors of a category and severity.
    pub(super) fn matches(&self, category: &str, severity: &str) -> bool {
        let is_category = |wanted: &String| {
            // WMT's own files write both Non-translation and Non-translation!.
            let whole = category.trim_end_matches('!');
            let head = whole.split('/').next().unwrap_or_default();
            wanted.eq_ignore_ascii_case(whole) || wanted.eq_ignore_ascii_case(head)
        };
        self.category.as_ref().is_none_or(is_category)
            && self.severity.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(severity))
    }
}

impl FromStr for Penalty {
    type Err = Error;

    /// `CATEGORY=COST`, `CATEGORY:SEVERITY=COST` or `:SEVERITY=COST`.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            let advice = "write, for example, :Critical=10 or Fluency/Spelling:Minor=0.5";
            Error::invalid("`penalty`", "[CATEGORY][:SEVERITY]=COST with a cost of 0 or more", quoted(text), advice)
        };
        let (what, cost) = text.rsplit_once('=').ok_or_else(wrong)?;
        let cost = cost.trim().parse().ok().filter(|cost: &f64| cost.is_finite() && *cost >= 0.0).ok_or_else(wrong)?;
        let (category, severity) = what.split_once(':').unwrap_or((what, ""));
        let given = |name: &str| Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        let penalty = Self { category: given(category), severity: given(severity), cost };
        if penalty.category.is_none() && penalty.severity.is_none() { Err(wrong()) } else { Ok(penalty) }
    }
}

/// The error for a severity without a penalty.
pub(super) fn unknown_severity(location: String, severity: &str, penalties: &[Penalty]) -> Error {
    let mut known: Vec<&str> = penalties.iter().filter_map(|penalty| penalty.severity.as_deref()).collect();
    known.sort_unstable();
    known.dedup();
    let advice = format!("set the penalty of such an error: `penalty` ':{}=COST'", truncated(severity));
    Error::invalid(location, format!("a severity {}", known.join(", ")), quoted(severity), advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cost_what_the_study_says_unless_the_user_says_otherwise() {
        let cost = |given: &[&str], category: &str, severity: &str| {
            let mut options = Options::default();
            given.iter().for_each(|text| options.set(&PENALTY, text).unwrap());
            let penalties = penalties(&options).unwrap();
            penalties.iter().find(|penalty| penalty.matches(category, severity)).map(|penalty| penalty.cost)
        };
        let others = [":Critical=10", "Style=0.5", "Fluency/Spelling:Minor=0.2"];
        for (given, category, severity, expected) in [
            (&[][..], "Accuracy/Omission", "Major", Some(5.0)),
            (&[], "Accuracy/Omission", "minor", Some(1.0)),
            (&[], "Fluency/Punctuation", "Minor", Some(0.1)),
            (&[], "Fluency/Punctuation", "Major", Some(5.0)),
            (&[], "Non-translation!", "Major", Some(25.0)),
            (&[], "No-error", "No-error", Some(0.0)),
            (&[], "Accuracy/Omission", "Critical", None),
            (&others, "Accuracy/Omission", "Critical", Some(10.0)),
            (&others, "Style/Awkward", "Major", Some(0.5)),
            (&others, "Fluency/Spelling", "Minor", Some(0.2)),
            (&others, "Fluency/Spelling", "Major", Some(5.0)),
        ] {
            assert_eq!(cost(given, category, severity), expected, "{category} {severity}");
        }
        for wrong in ["Major", "=1", ":=1", "Style=-1", "Style=nan", "Style=x"] {
            assert!(wrong.parse::<Penalty>().is_err(), "{wrong}");
        }
    }
}
