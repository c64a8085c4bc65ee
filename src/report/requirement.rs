//! A gate: what a report must show, such as `v2 >= v1 - 5`. The interval decides, not the point.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{Error, Result, quoted};
use crate::evaluation::Estimate;
use crate::judgments::output::{LabelRange, Marks};

/// What is required of a figure, or of the difference of two: each side of `>=`, `>`, `<=` or `<` is a name, a number, or
/// a name with a number added or subtracted.
///
/// ```
/// use tribunal::report::requirement::Requirement;
///
/// let required: Requirement = "v2 >= v1 - 5".parse()?;
/// assert_eq!(required.to_string(), "v2 >= v1 - 5");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    text: String,
    /// The figure.
    pub one: String,
    /// What is subtracted from it.
    pub other: Option<String>,
    /// Whether the figure must be above the bound instead of below.
    is_above: bool,
    /// Whether it may be equal to the bound.
    takes_equal: bool,
    bound: f64,
}

/// The relations, those first that begin like another one.
const RELATIONS: [(&str, bool, bool); 4] =
    [(">=", true, true), ("<=", false, true), (">", true, false), ("<", false, false)];

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let wrong = || "write a name, then >=, >, <= or <, then a number or a name, such as 'v2 >= v1 - 5'".to_owned();
        let found = RELATIONS.iter().find_map(|relation| Some((relation, text.split_once(relation.0)?)));
        let (&(_, is_above, takes_equal), (left, right)) = found.ok_or_else(wrong)?;
        let (left, right) = (Side::parse(left).ok_or_else(wrong)?, Side::parse(right).ok_or_else(wrong)?);
        let text = text.trim().to_owned();
        match (left, right) {
            (Side { name: Some(one), number }, Side { name: other, number: bound }) => {
                Ok(Self { text, one, other, is_above, takes_equal, bound: bound - number })
            }
            (Side { name: None, number }, Side { name: Some(one), number: added }) => {
                Ok(Self { text, one, other: None, is_above: !is_above, takes_equal, bound: number - added })
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// A side of a relation: a name, a number, or both.
struct Side {
    name: Option<String>,
    number: f64,
}

impl Side {
    fn parse(text: &str) -> Option<Self> {
        let (text, number) =
            (text.trim(), |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite()));
        if text.contains(['<', '>', '=']) || text.is_empty() {
            return None;
        }
        if let Some(number) = number(text) {
            return Some(Self { name: None, number });
        }
        // A name may contain both signs, but not between spaces before a number.
        let signed = [(" + ", 1.0), (" - ", -1.0)].into_iter().find_map(|(sign, factor)| {
            let (name, added) = text.rsplit_once(sign)?;
            Some((name.trim(), factor * number(added)?))
        });
        let (name, number) = signed.unwrap_or((text, 0.0));
        Some(Self { name: Some(name.to_owned()), number })
    }
}

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    /// Percent, as shares are.
    Percent,
    /// A coefficient, at most 1.
    Coefficient,
    /// A number of any size.
    Number,
    /// A mean of labels or values in this range.
    Mean(LabelRange),
}

/// A figure of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The estimate with its 95% interval, in percent where it is a share.
    pub estimate: Estimate,
    /// What it is, such as `win rate of v2`.
    pub what: String,
    /// What it is measured in.
    pub unit: Unit,
    /// Whether a test finds no significant difference from 0, which then counts as possible.
    pub is_similar: bool,
}

impl Figure {
    pub(super) fn percent(estimate: Estimate, what: String) -> Self {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|share| 100.0 * share);
        Self { unit: Unit::Percent, ..Self::plain(Estimate { value, low, high }, what) }
    }

    pub(super) fn coefficient(estimate: Estimate, what: String) -> Self {
        Self { unit: Unit::Coefficient, ..Self::plain(estimate, what) }
    }

    pub(super) fn plain(estimate: Estimate, what: String) -> Self {
        Self { estimate, what, unit: Unit::Number, is_similar: false }
    }

    /// Of labels that pass or fail, or are numbers in a range.
    pub(super) fn of_marks(estimate: Estimate, marks: Marks, range: LabelRange, what: impl Fn(&str) -> String) -> Self {
        match marks {
            Marks::PassFail => Self::percent(estimate, what("pass rate")),
            Marks::Numbers => Self { unit: Unit::Mean(range), ..Self::plain(estimate, what("mean")) },
        }
    }

    pub(super) fn similar(self, is_similar: bool) -> Self {
        Self { is_similar, ..self }
    }

    /// That of the other one minus this one.
    pub(super) fn negated_if(self, is_negated: bool) -> Self {
        if !is_negated {
            return self;
        }
        let Estimate { value, low, high } = self.estimate;
        Self { estimate: Estimate { value: 0.0 - value, low: 0.0 - high, high: 0.0 - low }, ..self }
    }
}

/// Whether a requirement is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The whole interval is on the required side of the bound.
    Met,
    /// The whole interval is on the other side.
    Unmet,
    /// The bound is inside: it cannot be told yet.
    Open,
}

/// What became of a requirement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decision {
    /// The requirement.
    #[serde(serialize_with = "as_text")]
    pub require: Requirement,
    /// Whether it is met.
    pub outcome: Outcome,
    /// The figure, or the difference of two, with its 95% interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Why, in one line.
    pub why: String,
}

fn as_text<S: Serializer>(required: &Requirement, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(required)
}

impl Requirement {
    /// Where the bound lies beside an interval, which includes 0 if nothing differs significantly.
    fn outcome(&self, [low, high]: [f64; 2], is_similar: bool) -> Outcome {
        let [low, high] = if is_similar { [low.min(0.0), high.max(0.0)] } else { [low, high] };
        // Below bounds are above them, seen from the other side.
        let [low, high, bound] =
            if self.is_above { [low, high, self.bound] } else { [0.0 - high, 0.0 - low, 0.0 - self.bound] };
        let is_anything = is_similar && bound == 0.0;
        let (may_fail, may_hold) = match self.takes_equal {
            true => (low < bound || is_anything, high >= bound),
            false => (low <= bound, high > bound || is_anything),
        };
        match (may_fail, may_hold) {
            (false, _) => Outcome::Met,
            (true, false) => Outcome::Unmet,
            (true, true) => Outcome::Open,
        }
    }

    /// That the bound is a value that the figure, or the difference of two, can have: another one would always be met, or never.
    fn check_bound(&self, unit: Unit) -> Result<()> {
        const SHARE: &str = "a share in percent, from 1 to 100, or 0";
        let (size, is_single) = (self.bound.abs(), self.other.is_none());
        let (expected, advice) = match unit {
            Unit::Percent if size > 100.0 => (SHARE.to_owned(), "no share is above 100".to_owned()),
            Unit::Percent if is_single && size > 0.0 && size < 1.0 => {
                (SHARE.to_owned(), format!("write {}", 100.0 * self.bound))
            }
            Unit::Coefficient if is_single && size > 1.0 => {
                ("a coefficient, from -1 to 1".to_owned(), format!("write {}", self.bound / 100.0))
            }
            // Few labels may show only a part of their scale.
            Unit::Mean(range)
                if is_single && range.width() > 0.0 && !(-1.0..=2.0).contains(&range.share(self.bound)) =>
            {
                (format!("a mean of values {range}"), "write it in the unit of the values".to_owned())
            }
            Unit::Mean(range) if !is_single && size > 0.0 && size >= range.width() => (
                format!("a difference of means of values {range}"),
                format!("write less than {:.3}: the unit is that of the values, not percent", range.width()),
            ),
            _ => return Ok(()),
        };
        Err(Error::invalid("`require`", expected, self.bound.to_string(), advice))
    }

    /// Decides by a figure, or by the difference of two.
    fn decide(&self, figure: Figure) -> Decision {
        let Figure { estimate, what, unit, is_similar } = figure;
        let Estimate { value, low, high } = estimate;
        let outcome = self.outcome([low, high], is_similar);
        let told = match outcome {
            Outcome::Met => "met",
            Outcome::Unmet => "not met",
            Outcome::Open => "cannot be told yet",
        };
        let points = if self.other.is_some() { " points" } else { "%" };
        let (digits, unit) = if unit == Unit::Percent { (1, points) } else { (3, "") };
        let mut why =
            format!("{self}: {told}; the {what} is {value:.digits$}{unit} (95% CI {low:.digits$} to {high:.digits$})");
        if is_similar && outcome == Outcome::Open && !(low <= self.bound && self.bound <= high) {
            why += ", and does not differ significantly from 0";
        }
        Decision { require: self.clone(), outcome, estimate, why }
    }
}

/// What requirements can be about: the figures of a report, by their names.
pub trait Figures {
    /// The names that it knows.
    fn names(&self) -> Vec<String>;

    /// The figure of a name.
    fn figure(&self, name: &str) -> Option<Figure>;

    /// The figure of a name minus that of another one; `None` where the report has no interval of it.
    fn difference(&self, one: &str, other: &str) -> Option<Figure>;

    /// What becomes of requirements.
    ///
    /// # Errors
    /// A name is unknown, or nothing is known of a difference.
    fn decide(&self, required: &[Requirement]) -> Result<Vec<Decision>> {
        let one = |required: &Requirement| {
            let mut named = [Some(&required.one), required.other.as_ref()].into_iter().flatten();
            if let Some(unknown) = named.find(|name| self.figure(name).is_none()) {
                let (expected, is_sum) = (format!("one of {}", self.names().join(", ")), unknown.contains(['+', '-']));
                let advice = if is_sum { "correct the name; write spaces around + and -" } else { "correct the name" };
                return Err(Error::invalid("`require`", expected, quoted(unknown), advice));
            }
            let figure = match &required.other {
                Some(other) => self.difference(&required.one, other),
                None => self.figure(&required.one),
            };
            if let Some(Figure { unit, .. }) = figure {
                required.check_bound(unit)?;
            }
            let figure = figure.ok_or_else(|| {
                let expected = "two systems that are compared with each other, or one and a number";
                Error::invalid("`require`", expected, quoted(&required.text), "name a number instead of one of them")
            })?;
            Ok(required.decide(figure))
        };
        required.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_sums_on_both_sides() {
        let parsed = |text: &str| {
            let Requirement { one, other, is_above, takes_equal, bound, .. } = text.parse().unwrap();
            (one, other.unwrap_or_default(), is_above, takes_equal, bound)
        };
        let [one, other] = ["v2", "v1"].map(str::to_owned);
        let difference = |bound: f64| (one.clone(), other.clone(), true, true, bound);
        for text in ["v2 >= v1 - 5", "v2>=v1 - 5", "v2 + 5 >= v1", " v2 + 2 >= v1 - 3 "] {
            assert_eq!(parsed(text), difference(-5.0), "{text}");
        }
        assert_eq!(parsed("v2 < 3"), (one.clone(), String::new(), false, false, 3.0));
        assert_eq!(parsed("3 <= v2 - 1"), (one, String::new(), true, true, 4.0));
        assert_eq!(parsed("gpt-4 > a + b").0, "gpt-4");
        assert_eq!(parsed("gpt-4 > a + b").1, "a + b");
        for wrong in ["", "v2", "> 3", "v2 >", "1 < 2", "v1 = v2", "v2 >> 1", "v2 > 1 > 0"] {
            assert!(wrong.parse::<Requirement>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_interval_decides_but_for_its_ends() {
        let outcome = |text: &str, interval: [f64; 2], is_similar: bool| {
            text.parse::<Requirement>().unwrap().outcome(interval, is_similar)
        };
        use Outcome::{Met, Open, Unmet};
        let of = |relation: &str, interval| outcome(&format!("v {relation} 1"), interval, false);
        assert_eq!(
            [[2.0, 3.0], [1.0, 3.0], [0.0, 1.0], [-1.0, 0.0], [1.0; 2]].map(|at| of(">=", at)),
            [Met, Met, Open, Unmet, Met]
        );
        assert_eq!(
            [[2.0, 3.0], [1.0, 3.0], [0.0, 1.0], [-1.0, 0.0], [1.0; 2]].map(|at| of(">", at)),
            [Met, Open, Unmet, Unmet, Unmet]
        );
        assert_eq!(
            [[2.0, 3.0], [1.0, 3.0], [0.0, 1.0], [-1.0, 0.0], [1.0; 2]].map(|at| of("<=", at)),
            [Unmet, Open, Met, Met, Met]
        );
        // Not significantly different from 0: nothing is known at 0, and 0 may be.
        assert_eq!(
            ["> 0", ">= 0", "< 0", "<= 0"].map(|text| outcome(&format!("v {text}"), [0.1, 2.0], true)),
            [Open; 4]
        );
        assert_eq!(outcome("v > -1", [0.1, 2.0], true), Met);
        assert_eq!(outcome("v > 0.05", [0.1, 2.0], true), Open);
    }
}
