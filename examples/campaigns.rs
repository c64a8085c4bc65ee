//! Whether the intervals of `rank` hold where labels come in waves: campaigns of labelling, simulated on pairs whose labels
//! are all known. `tests/real_ranking.py` prints its table for real judgments.
//!
//! ```text
//! cargo run --release --example campaigns -- PAIRS JUDGE,... CAMPAIGNS LABELS
//! ```
//!
//! PAIRS is a table with the columns system1, system2, label and the verdicts of judges. Each campaign labels LABELS pairs,
//! drawn at random or by `next`; then `next` draws 20 more, three times. After each wave `rank` gives win rates by human
//! labels, and by both labels and a model that is cross-fitted on them. Prints the share of 95% intervals that hold the
//! win rate of all labels, and their mean width.

use std::error::Error;
use std::process::ExitCode;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use tribunal::features::Choice;
use tribunal::files::Input;
use tribunal::formats::{PairReader, Reading, Signals};
use tribunal::judgments::{Judgment, Language, Pair};
use tribunal::report::ranking::Ranking;
use tribunal::workflows::{
    By, Context, Engine, NamedModel, NextSettings, RankSettings, Source, TrainSettings, fit, next, rank,
};

/// The pairs that `next` draws in each later wave.
const LATER: usize = 20;

/// The number of later waves.
const WAVES: usize = 3;

/// What intervals of one kind are worth after one wave.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// How the labels were drawn, and whose verdicts count.
    pub name: String,
    /// The number of labels.
    pub labels: usize,
    /// The share of 95% intervals that hold the win rate of all labels.
    pub coverage: f64,
    /// Their mean width.
    pub width: f64,
}

/// Pairs whose labels are all known, and what is asked about them.
pub struct Campaigns {
    engine: Engine,
    pairs: Vec<Pair>,
    features: Choice,
    signals: Signals,
    /// Says how uncertain a pair is; that it learned from these pairs changes only how they are drawn.
    model: NamedModel,
    /// The win rate of each system by all labels.
    truth: Vec<(String, f64)>,
}

impl Campaigns {
    /// Campaigns on pairs with labels, systems and verdicts of judges.
    pub fn new(pairs: Vec<Pair>, signals: Signals) -> tribunal::Result<Self> {
        let engine = Engine::new();
        let features = Choice::default().only_external();
        let judgment = |pair: &Pair| Some(Judgment { label: pair.label?, pair: pair.clone() });
        let source =
            Source { name: "pairs".to_owned(), judgments: pairs.iter().filter_map(judgment).collect(), weight: 1.0 };
        let (of_training, of_pairs) = (features.clone(), signals.clone());
        let settings = TrainSettings { features: of_training, signals: of_pairs, ..TrainSettings::default() };
        let model = fit(Context::new(&engine), &[source], &settings)?;
        let model = NamedModel { name: "model".to_owned(), source_name: "model".to_owned(), model };
        let mut campaigns = Self { engine, pairs, features, signals, model, truth: Vec::new() };
        let ranking = campaigns.ranked(&campaigns.pairs, By::Human)?;
        campaigns.truth =
            ranking.board.systems.into_iter().map(|system| (system.name, system.win_rate.value)).collect();
        Ok(campaigns)
    }

    fn ranked(&self, pairs: &[Pair], by: By) -> tribunal::Result<Ranking> {
        let settings = RankSettings {
            by: Some(by),
            style_control: false,
            features: self.features.clone(),
            signals: self.signals.clone(),
            source_name: "pairs".to_owned(),
            seed: 1,
        };
        rank(Context::new(&self.engine), pairs, None, &settings)
    }

    /// The share of intervals that hold, and their mean width.
    fn measured(&self, pairs: &[Pair], by: By) -> tribunal::Result<[f64; 2]> {
        let systems = self.ranked(pairs, by)?.board.systems;
        let mut sums = [0.0; 2];
        for (name, truth) in &self.truth {
            let rate = systems.iter().find(|system| system.name == *name).map(|system| system.win_rate);
            // A system that nobody labelled yet is not ranked.
            let [low, high] = rate.map_or([0.0, 1.0], |rate| [rate.low, rate.high]);
            sums[0] += f64::from(u8::from(low <= *truth && *truth <= high));
            sums[1] += high - low;
        }
        Ok(sums.map(|sum| sum / self.truth.len() as f64))
    }

    /// Labels what `next` draws from the pairs without a label.
    fn draw(&self, pool: &mut [Pair], count: usize, seed: u64) -> tribunal::Result<()> {
        let (signals, language) = (self.signals.clone(), Language::default());
        let settings = NextSettings { count, random_share: 0.3, signals, language, seed };
        for pair in next(Context::new(&self.engine), pool, Some(&self.model), &settings)? {
            // Lines tell pairs apart.
            let place = pair.line - 1;
            pool[place] = Pair { label: self.pairs[place].label, ..pair };
        }
        Ok(())
    }

    /// What intervals are worth after each wave of one campaign: by human labels, then by both.
    fn campaign(&self, labels: usize, is_random: bool, seed: u64) -> tribunal::Result<Vec<[f64; 2]>> {
        let pair = |(place, pair): (usize, &Pair)| Pair { label: None, line: place + 1, ..pair.clone() };
        let mut pool: Vec<Pair> = self.pairs.iter().enumerate().map(pair).collect();
        if is_random {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut order: Vec<usize> = (0..pool.len()).collect();
            for at in 0..labels {
                let other = random.random_range(at..order.len());
                order.swap(at, other);
                pool[order[at]].label = self.pairs[order[at]].label;
            }
        } else {
            self.draw(&mut pool, labels, seed)?;
        }
        let mut measured = Vec::new();
        for wave in 0..=WAVES as u64 {
            if wave > 0 {
                self.draw(&mut pool, LATER, 1_000_000 * wave + seed)?;
            }
            for by in [By::Human, By::Both] {
                measured.push(self.measured(&pool, by)?);
            }
        }
        Ok(measured)
    }

    /// The table of so many campaigns with so many labels in the first wave.
    pub fn table(&self, campaigns: usize, labels: usize) -> tribunal::Result<Vec<Row>> {
        let mut rows = Vec::new();
        for (first, is_random) in [("random", true), ("drawn", false)] {
            let campaign = |seed: usize| self.campaign(labels, is_random, seed as u64 + 1);
            let measured: Vec<Vec<[f64; 2]>> =
                (0..campaigns).into_par_iter().map(campaign).collect::<tribunal::Result<_>>()?;
            for at in 0..2 * (1 + WAVES) {
                let mean = |part: usize| measured.iter().map(|of| of[at][part]).sum::<f64>() / campaigns as f64;
                let by = ["human", "both"][at % 2];
                let name = format!("{labels} {first} + {} x {LATER} drawn, by {by}", at / 2);
                rows.push(Row { name, labels: labels + at / 2 * LATER, coverage: mean(0), width: mean(1) });
            }
        }
        Ok(rows)
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [pairs, judges, campaigns, labels] = arguments else {
        return Err("expected PAIRS JUDGE,... CAMPAIGNS LABELS".into());
    };
    let named = Signals::parse(&[], &judges.split(',').map(str::to_owned).collect::<Vec<_>>())?;
    let reading = Reading { signals: named.of_file(0, 1)?, needs_labels: true, ..Reading::default() };
    let pairs = PairReader::open(&Input::File(pairs.into()), reading)?.collect::<tribunal::Result<Vec<Pair>>>()?;
    println!("| labels | coverage | mean width |\n| --- | ---: | ---: |");
    for row in Campaigns::new(pairs, named)?.table(campaigns.parse()?, labels.parse()?)? {
        println!("| {} | {:.3} | {:.3} |", row.name, row.coverage, row.width);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("campaigns: {error}");
            ExitCode::FAILURE
        }
    }
}
