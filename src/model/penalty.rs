//! Stage 5e'. In: training rows and rows that were held back from them. Out: the penalty, and when to say tie. Next:
//! validation.

use super::design::{Design, Scales};
use super::settings::CheckedSettings;
use super::training::Trainer;
use super::validation::Labelled;
use super::weights::{Probabilities, Weights};
use crate::error::Result;
use crate::judgments::Verdict;

/// Times the tolerance of a fit: the tolerance that is good enough to compare penalties.
const ROUGH: f64 = 10.0;

/// What was chosen on rows that training did not see.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The strength of the penalty, see [`super::TrainSettings::penalties`].
    pub penalty: f64,
    /// See [`super::ties`].
    pub tie_factor: f64,
    /// Weights of a similar problem, near the optimum.
    pub start: Option<Weights>,
}

impl Choice {
    /// The penalty with the least log loss over all evidence, of equal ones the strongest; the tie factor that the settings'
    /// rule gives for the probabilities under that penalty.
    pub fn of(evidence: &[&Evidence], start: &Path, settings: &CheckedSettings) -> Self {
        let loss = |step: usize| evidence.iter().map(|evidence| evidence.loss(step)).sum::<f64>();
        let losses: Vec<f64> = (0..settings.penalties().len()).map(loss).collect();
        let best = (0..losses.len()).fold(0, |best, step| if losses[step] < losses[best] { step } else { best });
        let labels: Vec<Verdict> = evidence.iter().flat_map(|evidence| evidence.labels.iter().copied()).collect();
        let given: Vec<Probabilities> =
            evidence.iter().flat_map(|evidence| evidence.steps[best].iter().copied()).collect();
        Self {
            penalty: settings.penalties()[best],
            tie_factor: settings.ties().factor(&labels, &given),
            start: start.weights.get(best).cloned(),
        }
    }
}

/// What each penalty makes of some rows that were held back.
#[derive(Debug)]
pub struct Evidence {
    labels: Vec<Verdict>,
    /// One list a penalty, with one entry a row.
    steps: Vec<Vec<Probabilities>>,
}

impl Evidence {
    fn loss(&self, step: usize) -> f64 {
        let log = |(label, given): (&Verdict, &Probabilities)| -given.of(*label).max(f64::MIN_POSITIVE).ln();
        self.labels.iter().zip(&self.steps[step]).map(log).sum()
    }
}

/// Weights for each penalty, from strong to weak: each fit starts where the one before it ended.
#[derive(Debug)]
pub struct Path {
    scales: Scales,
    weights: Vec<Weights>,
}

impl Path {
    /// Fits each of the settings' penalties on the rows, roughly.
    ///
    /// # Errors
    /// Nothing can be learned.
    pub fn of(data: Labelled<'_>, training: &[usize], settings: &CheckedSettings) -> Result<Self> {
        let scales = Scales::of(data.table, training);
        let design = Design::of(data.table, data.labels, training, &scales);
        let trainer = Trainer::new(&design)?;
        let mut weights: Vec<Weights> = Vec::with_capacity(settings.penalties().len());
        for &penalty in settings.penalties() {
            weights.push(trainer.approach(penalty, ROUGH * settings.tolerance(), weights.last()));
        }
        Ok(Self { scales, weights })
    }

    /// What each penalty makes of other rows.
    pub fn judge(&self, data: Labelled<'_>, rows: &[usize]) -> Evidence {
        let design = Design::of(data.table, data.labels, rows, &self.scales);
        let step = |weights: &Weights| {
            let judge = |pair: usize| {
                let (x, t) = design.split(pair);
                weights.probabilities(x, t)
            };
            (0..design.len()).map(judge).collect()
        };
        Evidence { steps: self.weights.iter().map(step).collect(), labels: design.labels.clone() }
    }
}
