//! How often 95% intervals hold the true value, by simulation: `cargo run --release --example coverage`.
//!
//! Each campaign draws groups of one pair, of one to five, or of ten; half of the pairs of a group follow it, and these
//! are right or wrong together. Prints a table of the share of campaigns whose interval holds the truth.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tribunal::evaluation::Groups;
use tribunal::evaluation::{BoardSettings, Correct, Estimate, Leaderboard, Outcome, PairedTests, cohens_kappa};
use tribunal::judgments::Verdict;

/// The numbers of groups.
pub const GROUPS: [usize; 5] = [10, 15, 30, 60, 120];

/// The least and the largest number of pairs of a group.
pub const SIZES: [[usize; 2]; 3] = [[1, 1], [1, 5], [10, 10]];

/// The true accuracies.
pub const RATES: [f64; 4] = [0.5, 0.8, 0.93, 0.99];

/// By how much the second system of a comparison is less accurate.
const LEAD: f64 = 0.1;

/// The share of pairs that follow their group, and of those on which two systems fail for the same reason.
const SHARED: f64 = 0.5;

/// What an interval is about.
#[derive(Debug, Clone, Copy)]
pub enum Statistic {
    /// The accuracy of a system.
    Accuracy,
    /// The difference between two systems of the same accuracy.
    NoDifference,
    /// That between two systems with accuracies that differ by 0.1.
    Difference,
    /// Cohen's kappa of a judge with this accuracy, where both labels are as frequent.
    Kappa,
    /// The win rate in a ranking of two systems.
    WinRate,
    /// The strength in a ranking of three systems, one of which wins with this rate against both others.
    Strength,
}

impl Statistic {
    pub const ALL: [Self; 6] =
        [Self::Accuracy, Self::NoDifference, Self::Difference, Self::Kappa, Self::WinRate, Self::Strength];

    #[allow(dead_code, reason = "a test takes the rest of this file as a module")]
    fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::NoDifference => "difference of 0",
            Self::Difference => "difference of 10 points",
            Self::Kappa => "kappa",
            Self::WinRate => "win rate",
            Self::Strength => "strength",
        }
    }

    /// The true accuracies for which it is measured. A system that wins all its pairs has no strength, which is frequent
    /// at 0.99.
    pub fn rates(self) -> &'static [f64] {
        if matches!(self, Self::Strength) { &RATES[..3] } else { &RATES }
    }

    fn truth(self, rate: f64) -> f64 {
        match self {
            Self::Accuracy | Self::WinRate => rate,
            Self::NoDifference => 0.0,
            Self::Difference => LEAD,
            Self::Kappa => 2.0 * rate - 1.0,
            // Log-strengths have a mean of 0, and that of the first is above both others by the log-odds.
            Self::Strength => (rate / (1.0 - rate)).powf(2.0 / 3.0),
        }
    }
}

/// Pairs of some groups with labels, and two judges of them.
struct Campaign {
    groups: Groups,
    labels: Vec<Verdict>,
    judges: [Vec<Verdict>; 2],
}

impl Campaign {
    fn draw(groups: usize, sizes: [usize; 2], rates: [f64; 2], random: &mut ChaCha8Rng) -> Self {
        let (mut of_pair, mut labels, mut judges) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
        for group in 0..groups {
            let of_group: [f64; 2] = std::array::from_fn(|_| random.random_range(0.0..1.0));
            for _ in 0..random.random_range(sizes[0]..=sizes[1]) {
                of_pair.push(group);
                let label = if random.random_range(0.0..1.0) < 0.5 { Verdict::First } else { Verdict::Second };
                labels.push(label);
                let follows = random.random_range(0.0..1.0) < SHARED;
                let own: [f64; 2] = std::array::from_fn(|_| random.random_range(0.0..1.0));
                let difficulty = if follows { of_group } else { own };
                let is_shared = random.random_range(0.0..1.0) < SHARED;
                for (judge, rate) in rates.into_iter().enumerate() {
                    let is_right = difficulty[if is_shared { 0 } else { judge }] < rate;
                    judges[judge].push(if is_right { label } else { label.swapped() });
                }
            }
        }
        Self { groups: Groups { of_row: of_pair, count: groups }, labels, judges }
    }

    /// A ranking of so many systems, the first of which wins where the first judge is right. Of three, the others meet in
    /// every third pair, and win as often.
    fn ranking(&self, systems: usize) -> Leaderboard {
        let outcome = |(pair, &group): (usize, &usize)| {
            let is_won = self.judges[0][pair] == self.labels[pair];
            let wins = |won: bool| Some(f64::from(u8::from(won)));
            let (met, label) = match pair % systems {
                2 => ([1, 2], wins(self.labels[pair] == Verdict::First)),
                other => ([0, 1 + if systems == 3 { other } else { 0 }], wins(is_won)),
            };
            Outcome { systems: met, group, label, predicted: None, drawn: None, style: [0.0; 3] }
        };
        let outcomes: Vec<Outcome> = self.groups.of_row.iter().enumerate().map(outcome).collect();
        let names = ["a", "b", "c"].map(str::to_owned);
        Leaderboard::new(&names[..systems], &outcomes, &BoardSettings::default())
    }

    /// The interval of a statistic of these judges; `None` where it is undefined.
    fn interval(&self, statistic: Statistic) -> Option<[f64; 2]> {
        let correct = |judge: usize| Correct::new(&self.labels, &self.judges[judge], &self.groups);
        let of_first = |systems: usize, figure: fn(&tribunal::evaluation::RankedSystem) -> Estimate| {
            let board = self.ranking(systems);
            let Estimate { low, high, .. } = figure(board.systems.iter().find(|system| system.name == "a")?);
            Some([low, high])
        };
        Some(match statistic {
            Statistic::WinRate => of_first(2, |system| system.win_rate)?,
            Statistic::Strength => of_first(3, |system| system.strength)?,
            Statistic::Accuracy => {
                let found = correct(0).interval();
                [found.low, found.high]
            }
            Statistic::NoDifference | Statistic::Difference => {
                let found = PairedTests::new(vec![correct(0), correct(1)]).compare(0, 1);
                [found.low, found.high]
            }
            Statistic::Kappa => {
                let found = cohens_kappa(&self.labels, &self.judges[0], &self.groups)?;
                [found.low, found.high]
            }
        })
    }
}

/// The share of campaigns whose interval holds the true value.
pub fn coverage(statistic: Statistic, sizes: [usize; 2], rate: f64, groups: usize, campaigns: usize) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(groups as u64);
    let other = if matches!(statistic, Statistic::Difference) { rate - LEAD } else { rate };
    let truth = statistic.truth(rate);
    let (mut hold, mut all) = (0, 0);
    while all < campaigns {
        let campaign = Campaign::draw(groups, sizes, [rate, other], &mut random);
        let Some([low, high]) = campaign.interval(statistic) else { continue };
        all += 1;
        hold += usize::from(low <= truth && truth <= high);
    }
    f64::from(hold as u32) / all as f64
}

#[allow(dead_code, reason = "a test takes the rest of this file as a module")]
fn main() {
    const CAMPAIGNS: usize = 4000;
    println!("| interval of | pairs of a group | accuracy | 10 groups | 15 | 30 | 60 | 120 |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for statistic in Statistic::ALL {
        for [least, largest] in SIZES {
            let pairs = if least == largest { least.to_string() } else { format!("{least} to {largest}") };
            for &rate in statistic.rates() {
                let cell = |groups| coverage(statistic, [least, largest], rate, groups, CAMPAIGNS);
                let cells = GROUPS.map(|groups| format!("{:.1}", 100.0 * cell(groups))).join(" | ");
                println!("| {} | {pairs} | {rate} | {cells} |", statistic.name());
            }
        }
    }
}
