//! How many verdicts are kept if those with little confidence are left out, and how often the kept ones are right.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::judgments::{Probabilities, Verdict};

/// How many of the verdicts agree with people in a given share, if those with less confidence are left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// The share of the remaining verdicts that agree with people, at least.
    pub agreement: f64,
    /// The least confidence, the probability of the verdict that is given.
    pub confidence: f64,
    /// The share of verdicts that remain.
    pub coverage: f64,
}

/// From fewer verdicts, their agreement is no figure.
const MIN_COVERED: usize = 30;

/// The agreement of all verdicts, then the coverage at each multiple of `step` above it, up to the highest agreement that
/// 30 or more of them reach: the largest part that consists of the most confident verdicts. El-Yaniv and Wiener 2010, "On the
/// Foundations of Noise-free Selective Classification".
pub fn coverage(labels: &[Verdict], verdicts: &[Verdict], probabilities: &[Probabilities], step: f64) -> Vec<Coverage> {
    let mut judged: Vec<(f64, bool)> = (labels.iter().zip(verdicts).zip(probabilities))
        .map(|((label, verdict), given)| (given.probability(*verdict), label == verdict))
        .collect();
    judged.sort_by(|one, other| other.0.total_cmp(&one.0));
    // Verdicts of equal confidence are taken together.
    let mut right = 0;
    let mut parts: Vec<(usize, f64, f64)> = Vec::new();
    for (at, &(confidence, is_right)) in judged.iter().enumerate() {
        right += usize::from(is_right);
        if judged.get(at + 1).is_none_or(|next| next.0 < confidence) && at + 1 >= MIN_COVERED {
            parts.push((at + 1, confidence, right as f64 / (at + 1) as f64));
        }
    }
    let Some(&(all, least, of_all)) = parts.last() else { return Vec::new() };
    let whole = Coverage { agreement: of_all, confidence: least, coverage: 1.0 };
    let levels = (1..=(1.0 / step).round() as usize).map(|level| level as f64 * step).filter(|&level| level > of_all);
    let at_level = |level: f64| {
        let &(count, confidence, _) = parts.iter().rev().find(|part| part.2 >= level - 1e-12)?;
        // Without the digits that the product adds.
        let agreement = (level * 1e6).round() / 1e6;
        Some(Coverage { agreement, confidence, coverage: count as f64 / all as f64 })
    };
    std::iter::once(whole).chain(levels.map_while(at_level)).collect()
}

/// The least confidence with which verdicts agree with human labels in at least this share, as far as is known from
/// training; 0 if all of them do. Errors call the model `place`, and what it judges `unit`.
///
/// # Errors
/// Nothing is known of the agreement; it is never so high.
pub fn confidence_for(levels: &[Coverage], agreement: f64, place: &str, unit: &str) -> Result<f64> {
    let Some(highest) = levels.last() else {
        let advice = "train the model again; the agreement is recorded with cross-validation";
        return Err(Error::invalid(place, "a model that knows its agreement with people", "none", advice));
    };
    let is_reached = |at: &Coverage| at.agreement >= agreement - 1e-12;
    match levels.iter().position(is_reached) {
        // All verdicts agree so often.
        Some(0) => Ok(0.0),
        Some(at) => Ok(levels[at].confidence),
        None => {
            let (highest, share) = (highest.agreement, 100.0 * highest.coverage);
            let expected =
                format!("at most {highest}, which the model reached on {share:.1}% of the {unit} out of fold");
            Err(Error::invalid("`min_agreement`", expected, agreement.to_string(), "ask for less"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{First, Second};

    #[test]
    fn the_confident_agree_more_often() {
        // 100 verdicts with confidences from 0.50 to 0.995: the less confident half is right every other time.
        let given: Vec<Probabilities> = (0..100)
            .map(|at| 0.5 + f64::from(at) / 200.0)
            .map(|first| Probabilities([first, 0.0, 1.0 - first]))
            .collect();
        let labels: Vec<Verdict> = (0..100).map(|at| if at < 50 && at % 2 == 0 { Second } else { First }).collect();
        let found = coverage(&labels, &[First; 100], &given, 0.05);
        let levels: Vec<f64> = found.iter().map(|at| at.agreement).collect();
        assert_eq!(levels, [0.75, 0.8, 0.85, 0.9, 0.95, 1.0]);
        let last = found[5];
        // The pair at 49 is right, too.
        assert_eq!((last.coverage, last.confidence), (0.51, given[49].0[0]));
        assert!(found.windows(2).all(|two| two[0].coverage >= two[1].coverage));
        assert_eq!(coverage(&labels[..20], &[First; 20], &given[..20], 0.05), []);
    }
}
