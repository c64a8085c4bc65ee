//! How often the 95% intervals of figures of single outputs hold the true value, by simulation:
//! `cargo run --release -p tribunal-stats --example intervals`.
//!
//! Each campaign draws prompts with three outputs each. The quality of an output is normal, and half of its variance is that
//! of its prompt; a judge sees it with noise. Labels pass from the middle on, or are numbers. Prints a table of the share of
//! campaigns whose interval holds the truth.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tribunal_stats::{
    BinaryAgreement, Estimate, Groups, NumericAgreement, Observation, PoweredMean, agreement_within, corrected_rate,
    roc_area_of,
};

/// The numbers of prompts.
pub const PROMPTS: [usize; 5] = [10, 15, 30, 60, 120];

/// The standard deviation of the judge's noise, where that of the quality is 1.
pub const NOISE: [f64; 3] = [0.3, 0.8, 2.0];

/// The number of outputs of a prompt.
const OUTPUTS: usize = 3;

/// The judge is so much kinder than people.
const KIND: f64 = 0.3;

/// The number of large campaigns from which the truth is computed, and of their prompts.
const LARGE: usize = 6;
const MANY: usize = 3000;

/// One part in so many of the prompts has labels, where a judge has all.
const UNLABELLED: usize = 4;

/// Where judges dispute outputs, this share of the labels is of outputs that are drawn at random, the others of disputed ones.
const RANDOM: f64 = 0.3;

/// What the intervals are about.
pub const FIGURES: [&str; 15] = [
    "accuracy",
    "true positive rate",
    "balanced accuracy",
    "kappa",
    "F1",
    "ROC area",
    "order within prompts",
    "Pearson",
    "Spearman",
    "tau-b",
    "weighted kappa",
    "bias",
    "rate, prediction-powered",
    "rate, Rogan and Gladen",
    "rate, disputed outputs drawn more often",
];

/// Labels and scores of the outputs of some prompts. Those pass that are above 0.
struct Campaign {
    labels: Vec<f64>,
    scores: Vec<Option<f64>>,
    groups: Groups,
}

impl Campaign {
    /// Outputs of one prompt are alike, unless they are independent.
    fn draw(prompts: usize, noise: f64, is_clustered: bool, random: &mut ChaCha8Rng) -> Self {
        let (mut labels, mut scores, mut of_row) = (Vec::new(), Vec::new(), Vec::new());
        for prompt in 0..prompts {
            let shared = normal(random);
            for _ in 0..OUTPUTS {
                let own = normal(random);
                let quality = if is_clustered { (shared + own) * 0.5_f64.sqrt() } else { own };
                labels.push(quality);
                scores.push(Some(quality + KIND + noise * normal(random)));
                of_row.push(prompt);
            }
        }
        Self { labels, scores, groups: Groups { of_row, count: prompts } }
    }

    /// The intervals of all figures but the corrected ones, in their order.
    fn figures(&self) -> Vec<Option<Estimate>> {
        let Self { labels, scores, groups } = self;
        let passes: Vec<bool> = labels.iter().map(|label| *label > 0.0).collect();
        let verdicts: Vec<Option<bool>> = scores.iter().map(|score| score.map(|score| score > 0.0)).collect();
        let binary = BinaryAgreement::new(&passes, &verdicts, groups);
        let numeric = NumericAgreement::new(labels, scores, groups, true);
        vec![
            binary.accuracy,
            binary.true_positive_rate,
            binary.balanced_accuracy,
            binary.kappa,
            binary.f1,
            roc_area_of(&passes, scores, groups),
            agreement_within(labels, scores, groups, groups),
            numeric.pearson,
            numeric.spearman,
            numeric.kendall,
            numeric.weighted_kappa,
            numeric.bias,
        ]
    }

    /// The intervals of the rate of passes, by the labels of so many prompts and the judge's verdicts on all: by
    /// prediction-powered inference, and by Rogan and Gladen's correction.
    fn corrected(&self, labelled: usize) -> [Option<Estimate>; 2] {
        let pass = |value: f64| f64::from(u8::from(value > 0.0));
        let seen = |row: usize| {
            let group = self.groups.of_row[row];
            let label = (group < labelled).then(|| pass(self.labels[row]));
            Observation { group, weight: 1.0, label, predicted: self.scores[row].map(pass), drawn: None }
        };
        let observations: Vec<Observation> = (0..self.labels.len()).map(seen).collect();
        let known =
            observations.iter().filter_map(|seen| Some((seen.label.map(|label| label > 0.5), seen.predicted? > 0.5)));
        let by_rates = corrected_rate(&known.collect::<Vec<_>>());
        [PoweredMean::new(&observations, None).map(|mean| mean.share()), by_rates]
    }
}

/// The interval of the rate of passes of independent outputs by a judge, and by about so many labels, which those outputs get
/// more often that another judge of the same noise passes and this one fails, or the reverse.
fn drawn(labels: usize, noise: f64, random: &mut ChaCha8Rng) -> Option<Estimate> {
    let count = UNLABELLED * labels;
    let outputs: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            let quality = normal(random);
            [quality, quality + noise * normal(random), quality + noise * normal(random)]
                .map(|value| f64::from(u8::from(value > 0.0)))
        })
        .collect();
    let disputed = outputs.iter().filter(|[_, one, other]| one != other).count().max(1) as f64;
    let seen = |(group, [label, one, other]): (usize, &[f64; 3])| {
        let share = if one == other { 0.0 } else { (1.0 - RANDOM) / disputed } + RANDOM / count as f64;
        let probability = (labels as f64 * share).min(0.9);
        let drawn = random.random_bool(probability).then_some(probability);
        Observation { group, weight: 1.0, label: drawn.map(|_| *label), predicted: Some(*one), drawn }
    };
    let observations: Vec<Observation> = outputs.iter().enumerate().map(seen).collect();
    PoweredMean::new(&observations, None).map(|mean| mean.share())
}

/// A standard normal number. Box and Muller 1958.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let [radius, angle]: [f64; 2] = std::array::from_fn(|_| random.random_range(f64::EPSILON..1.0));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// The true value of each figure: the mean over many large campaigns, and half for the rates of passes.
pub fn truth(noise: f64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut sums = vec![0.0; FIGURES.len() - 3];
    for _ in 0..LARGE {
        let found = Campaign::draw(MANY, noise, true, &mut random).figures();
        sums.iter_mut()
            .zip(found)
            .for_each(|(sum, found)| *sum += found.map_or(0.0, |found| found.value) / LARGE as f64);
    }
    sums.extend([0.5; 3]);
    sums
}

/// The share of campaigns whose interval of each figure holds the true value. Rogan and Gladen's is for independent outputs, as is
/// that of disputed ones.
pub fn coverage(noise: f64, truth: &[f64], prompts: usize, campaigns: usize) -> Vec<f64> {
    let [mut random, mut random_draws] = [0, 1].map(|of| ChaCha8Rng::seed_from_u64(prompts as u64 + 1000 * of));
    let mut counts = vec![[0.0; 2]; truth.len()];
    for _ in 0..campaigns {
        let mut found = Campaign::draw(prompts, noise, true, &mut random).figures();
        let [powered, _] = Campaign::draw(UNLABELLED * prompts, noise, true, &mut random).corrected(prompts);
        let [_, by_rates] = Campaign::draw(UNLABELLED * prompts, noise, false, &mut random).corrected(prompts);
        found.extend([powered, by_rates, drawn(prompts, noise, &mut random_draws)]);
        for ((count, found), truth) in counts.iter_mut().zip(found).zip(truth) {
            let Some(Estimate { low, high, .. }) = found else { continue };
            count[0] += f64::from(u8::from(low <= *truth && *truth <= high));
            count[1] += 1.0;
        }
    }
    counts.into_iter().map(|[hold, all]| hold / all).collect()
}

#[allow(dead_code, reason = "a test takes the rest of this file as a module")]
fn main() {
    const CAMPAIGNS: usize = 2000;
    println!("| interval of | noise | truth | 10 prompts | 15 | 30 | 60 | 120 |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let found = NOISE.map(|noise| {
        let truth = truth(noise);
        let found = PROMPTS.map(|prompts| coverage(noise, &truth, prompts, CAMPAIGNS));
        (truth, found)
    });
    for (at, figure) in FIGURES.iter().enumerate() {
        for (noise, (truth, found)) in NOISE.iter().zip(&found) {
            let cells: Vec<String> = found.iter().map(|of_prompts| format!("{:.1}", 100.0 * of_prompts[at])).collect();
            println!("| {} | {noise} | {:.3} | {} |", figure, truth[at], cells.join(" | "));
        }
    }
}
