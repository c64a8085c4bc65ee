//! Penalties of errors. In: rules. Out: the penalty for a category and severity. Next: [`super::mqm`].

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result, quoted};

/// Rules, the first of which that matches an error gives its penalty. By default: 25 for a non-translation, 0.1 for
/// minor punctuation, 5 for other major and 1 for other minor errors, 0 for neutral ones. Freitag et al. 2021.
#[derive(Debug, Clone, PartialEq)]
pub struct Penalties(Vec<Penalty>);

/// The penalty for errors of a category, of a severity, or of both: `Fluency/Punctuation:Minor=0.1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Penalty {
    /// A category, or the part of it before `/`; `None` matches all.
    category: Option<String>,
    /// A severity; `None` matches all.
    severity: Option<String>,
    cost: f64,
}

impl Default for Penalties {
    fn default() -> Self {
        Self(vec![
            Penalty::new(Some("No-error"), None, 0.0),
            Penalty::new(Some("Non-translation"), None, 25.0),
            Penalty::new(Some("Fluency/Punctuation"), Some("Minor"), 0.1),
            Penalty::new(None, Some("Major"), 5.0),
            Penalty::new(None, Some("Minor"), 1.0),
            Penalty::new(None, Some("Neutral"), 0.0),
            Penalty::new(None, Some("No-error"), 0.0),
        ])
    }
}

impl Penalties {
    /// These rules, followed by the default ones.
    pub fn with(others: Vec<Penalty>) -> Self {
        Self(others.into_iter().chain(Self::default().0).collect())
    }

    /// The penalty of an error; `None` if no rule matches.
    pub fn of(&self, category: &str, severity: &str) -> Option<f64> {
        self.0.iter().find(|penalty| penalty.fits(category, severity)).map(|penalty| penalty.cost)
    }

    /// The severities that the rules name, sorted.
    pub fn severities(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.iter().filter_map(|penalty| penalty.severity.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Penalty {
    fn new(category: Option<&str>, severity: Option<&str>, cost: f64) -> Self {
        Self { category: category.map(str::to_owned), severity: severity.map(str::to_owned), cost }
    }

    fn fits(&self, category: &str, severity: &str) -> bool {
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
            Error::invalid("--penalty", "[CATEGORY][:SEVERITY]=COST with a cost of 0 or more", quoted(text), advice)
        };
        let (what, cost) = text.rsplit_once('=').ok_or_else(wrong)?;
        let cost = cost.trim().parse().ok().filter(|cost: &f64| cost.is_finite() && *cost >= 0.0).ok_or_else(wrong)?;
        let (category, severity) = what.split_once(':').unwrap_or((what, ""));
        let given = |name: &str| Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        let penalty = Self { category: given(category), severity: given(severity), cost };
        if penalty.category.is_none() && penalty.severity.is_none() { Err(wrong()) } else { Ok(penalty) }
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.category.as_deref().unwrap_or_default())?;
        if let Some(severity) = &self.severity {
            write!(formatter, ":{severity}")?;
        }
        write!(formatter, "={}", self.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cost_what_the_study_says() {
        let penalties = Penalties::default();
        for (category, severity, cost) in [
            ("Accuracy/Omission", "Major", Some(5.0)),
            ("Accuracy/Omission", "minor", Some(1.0)),
            ("Fluency/Punctuation", "Minor", Some(0.1)),
            ("Fluency/Punctuation", "Major", Some(5.0)),
            ("Non-translation!", "Major", Some(25.0)),
            ("No-error", "No-error", Some(0.0)),
            ("Accuracy/Omission", "Critical", None),
        ] {
            assert_eq!(penalties.of(category, severity), cost, "{category} {severity}");
        }
    }

    #[test]
    fn other_penalties_come_first() {
        let other = |text: &str| text.parse::<Penalty>().unwrap();
        let penalties =
            Penalties::with(vec![other(":Critical=10"), other("Style=0.5"), other("Fluency/Spelling:Minor=0.2")]);
        assert_eq!(penalties.of("Accuracy/Omission", "Critical"), Some(10.0));
        assert_eq!(penalties.of("Style/Awkward", "Major"), Some(0.5));
        assert_eq!(penalties.of("Fluency/Spelling", "Minor"), Some(0.2));
        assert_eq!(penalties.of("Fluency/Spelling", "Major"), Some(5.0));
        for wrong in ["Major", "=1", ":=1", "Style=-1", "Style=nan", "Style=x"] {
            assert!(wrong.parse::<Penalty>().is_err(), "{wrong}");
        }
    }
}
