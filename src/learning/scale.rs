//! The scale from 0 to 100 of a model's scores.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// The map from s(h, r) to a score from 0 to 100.
///
/// ```text
/// score(s) = 100 / (1 + exp(-(s - center) / width))
/// ```
///
/// It increases strictly with s. `center` is the weighted mean of s over the hypotheses that the model was trained on,
/// `width` their standard deviation times sqrt(3)/pi, so the logistic curve has the mean and variance of s. A score is
/// therefore roughly a percentile: 70 means better than about 70% of the training translations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreScale {
    /// The value of s with the score 50.
    pub center: f64,
    /// The increase of s above `center` that gives a score of 73; positive.
    pub width: f64,
}

impl ScoreScale {
    /// The scale of the scores of the training hypotheses, each with its weight.
    pub fn new(scores: &[(f64, f64)]) -> Self {
        let count: f64 = scores.iter().map(|(_, weight)| weight).sum();
        if count == 0.0 {
            return Self { center: 0.0, width: 1.0 };
        }
        let center = scores.iter().map(|(score, weight)| weight * score).sum::<f64>() / count;
        let variance = scores.iter().map(|(score, weight)| weight * (score - center).powi(2)).sum::<f64>() / count;
        let deviation = variance.sqrt();
        // If s is constant, all scores are 50, whatever the width.
        let width = if deviation > 0.0 { deviation * 3_f64.sqrt() / PI } else { 1.0 };
        Self { center, width }
    }

    /// The score of s, in [0, 100].
    pub fn score(self, s: f64) -> f64 {
        100.0 / (1.0 + ((self.center - s) / self.width).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_that_of_the_training_data() {
        // Mean 3, variance 2.
        let found = ScoreScale::new(&[1.0, 3.0, 3.0, 5.0].map(|score| (score, 1.0)));
        assert!((found.center - 3.0).abs() < 1e-12);
        assert!((found.width - 6_f64.sqrt() / PI).abs() < 1e-12);
        assert_eq!(found.score(found.center), 50.0);
        assert!((found.score(found.center + 2_f64.sqrt()) - 85.98).abs() < 0.01);
        let same = ScoreScale::new(&[(2.0, 1.0); 6]);
        assert_eq!((same.score(2.0), same.width), (50.0, 1.0));
    }

    #[test]
    fn weights_count_as_repeated_rows() {
        let weighted = ScoreScale::new(&[(1.0, 2.0), (3.0, 2.0), (3.0, 1.0), (9.0, 1.0)]);
        let repeated = ScoreScale::new(&[1.0, 3.0, 1.0, 3.0, 3.0, 9.0].map(|score| (score, 1.0)));
        assert!((weighted.center - repeated.center).abs() < 1e-12 && (weighted.width - repeated.width).abs() < 1e-12);
    }

    #[test]
    fn the_score_rises_and_stays_within_its_scale() {
        let scale = ScoreScale { center: -2.0, width: 0.5 };
        let scores: Vec<f64> = (-400..400).map(|step| scale.score(f64::from(step) * 0.05)).collect();
        assert!(scores.windows(2).all(|pair| pair[0] <= pair[1]));
        let within = scores.iter().filter(|score| (1e-6..100.0 - 1e-6).contains(*score)).collect::<Vec<_>>();
        assert!(within.len() > 300 && within.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((scale.score(-1e300), scale.score(1e300)), (0.0, 100.0));
    }
}
