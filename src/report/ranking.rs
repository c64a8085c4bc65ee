//! Which system is better: a ranking as data and in sentences.

use serde::Serialize;

use super::requirement::Decision;
use super::table::percent;
use crate::error::{joined, pluralized};
use crate::evaluation::{Budget, Estimate, Leaderboard, RankedSystem, STYLES, TwoSystems};

/// The most differences between neighbours that are told.
const MAX_TOLD: usize = 3;

/// Smaller differences of win rates are nothing to tell apart.
const MIN_TOLD: f64 = 0.0005;

/// A correction that leaves out a large part of all pairs is conservative.
const LARGE_PART: f64 = 0.1;

/// What the differences of style are called.
const STYLE_NAMES: [&str; STYLES] = ["length", "lists", "mark-up"];

/// A ranking of systems, with how it came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranking {
    /// Whose verdicts systems are ranked by, in words.
    pub by: String,
    /// What the pairs of one group share: a reference, a prompt, a group or a segment.
    pub unit: &'static str,
    /// The seed of cross-fitting.
    pub seed: u64,
    /// The ranking.
    #[serde(flatten)]
    pub board: Leaderboard,
    /// The mean number of characters of each system's texts, in the order of the systems; empty unless style is controlled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<f64>,
    /// Why the figures must not be trusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How the figures are to be read.
    pub notes: Vec<String>,
    /// What became of what was required of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Decision>,
}

/// How a [`Leaderboard`] came about.
#[derive(Debug, Clone, PartialEq)]
pub struct RankingData {
    /// See [`Ranking::by`].
    pub by: String,
    /// See [`Ranking::unit`].
    pub unit: &'static str,
    /// See [`Ranking::seed`].
    pub seed: u64,
    /// Whether labels are weighted by the probabilities with which they were drawn.
    pub is_weighted: bool,
    /// That the model was trained on labelled pairs, in words.
    pub leak: Option<String>,
    /// See [`Ranking::lengths`].
    pub lengths: Vec<f64>,
}

impl Ranking {
    /// A ranking with its warnings and notes.
    pub fn new(board: Leaderboard, data: RankingData) -> Self {
        let RankingData { by, unit, seed, is_weighted, leak, lengths } = data;
        let warnings = warnings(&board, unit, leak);
        let notes = notes(&board, unit, is_weighted);
        Self { by, unit, seed, board, lengths, warnings, notes, requirements: Vec::new() }
    }

    /// What the win rates are that the ranking is about.
    pub(super) fn rate_name(&self) -> &'static str {
        if self.board.style.is_some() { "win rate at equal style" } else { "win rate" }
    }

    /// The number of components.
    pub(super) fn components(&self) -> usize {
        self.board.systems.iter().map(|system| system.component).max().unwrap_or(0)
    }

    /// What was found, one paragraph each: who is first, what predictions are worth, and what would tell neighbours apart.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for component in 1..=self.components() {
            findings.extend(self.first(component));
        }
        findings.extend(self.worth());
        findings.extend(self.neighbours());
        findings.extend(self.power());
        findings.extend(self.budget());
        findings
    }

    /// Who is first among the systems of a component.
    fn first(&self, component: usize) -> Option<String> {
        let systems = &self.board.systems;
        let place = systems.iter().position(|system| system.component == component)?;
        let best = &systems[place];
        let is_close = |other: &usize| self.board.two(place, *other).is_some_and(|(two, _)| !two.is_clear);
        let close: Vec<&str> =
            (place + 1..systems.len()).filter(is_close).map(|other| systems[other].name.as_str()).collect();
        let (name, rate) = (&best.name, best.rate());
        let at_least_half = rate.low > 0.5;
        let [value, low, high] = [rate.value, rate.low, rate.high].map(|share| 100.0 * share);
        let raw = match best.controlled_win_rate {
            Some(_) => format!(" at equal style, {:.1}% as the texts are", 100.0 * best.win_rate.value),
            None => String::new(),
        };
        let rate = format!("win rate {value:.1}% (95% CI {low:.1} to {high:.1}){raw}");
        Some(if !close.is_empty() {
            let differ = if close.len() == 1 { "does" } else { "do" };
            let others = close.join(", ");
            format!("No clear first: {name} leads, {rate}, but {others} {differ} not differ significantly from it")
        } else if at_least_half {
            format!("{name} is first: {rate}")
        } else {
            format!("{name} is significantly better than each other system, but its {rate} may be half or less")
        })
    }

    fn worth(&self) -> Option<String> {
        let worth = self.board.worth?;
        let (labels, others) = (self.board.labels, self.board.pairs - self.board.labels);
        let (others, correlation) = (pluralized(others, "more pair"), worth.correlation);
        let correlated = format!("(correlation of labels and predictions {correlation:.2})");
        if worth.labels.round() <= labels as f64 {
            return Some(format!("The predictions of {others} add nothing to these {labels} labels {correlated}"));
        }
        Some(format!(
            "With the predictions of {others}, {labels} labels say as much as {:.0} labels would alone {correlated}",
            worth.labels
        ))
    }

    /// The systems of the first cluster of the first component.
    pub(super) fn first_cluster(&self) -> impl Iterator<Item = &RankedSystem> {
        self.board.systems.iter().filter(|system| (system.component, system.cluster) == (1, 1))
    }

    /// Whether nothing varies, so that intervals and tests mean nothing.
    pub(super) fn is_degenerate(&self) -> bool {
        self.board.systems.iter().any(|system| system.is_degenerate)
    }

    /// Neighbours in one cluster of which none is clearly better, and whose difference may vary.
    pub(super) fn open_neighbours(&self) -> Vec<&TwoSystems> {
        let systems = &self.board.systems;
        let pairs = (1..systems.len()).filter_map(|place| {
            let (one, other) = (&systems[place - 1], &systems[place]);
            let is_open = one.cluster == other.cluster && !(one.is_degenerate && other.is_degenerate);
            self.board.two(place - 1, place).map(|(two, _)| two).filter(|two| is_open && !two.is_clear)
        });
        pairs.collect()
    }

    /// What it takes to separate neighbours that are in one cluster.
    fn neighbours(&self) -> Vec<String> {
        // What more pairs show is known of win rates, and with style, strengths are tested.
        let open = if self.board.style.is_some() { Vec::new() } else { self.open_neighbours() };
        let differ = open.into_iter().filter(|two| two.difference.value.abs() >= MIN_TOLD);
        differ.take(MAX_TOLD).map(|two| self.to_separate(two)).collect()
    }

    /// What it takes to separate two systems: labels that the pool can give, or other data.
    fn to_separate(&self, two: &TwoSystems) -> String {
        let TwoSystems { one, other, difference, more_groups, pool_shows, .. } = two;
        let unit = self.unit;
        let points = 100.0 * difference.value.abs();
        let begin = format!("To separate {one} and {other} ({points:.1} points apart) with 80% power");
        let left = self.left();
        let [act, acting, acted] =
            if self.board.labels > 0 { ["label", "labelling", "labelled"] } else { ["judge", "judging", "judged"] };
        match (more_groups, pool_shows) {
            (Some(0), _) => format!("{begin}: these {unit}s are about enough"),
            (Some(more), _) => {
                let labels = ((*more as f64 * self.per_group()).ceil() as usize).min(left);
                format!("{begin}: {act} about {labels} of the {}", pluralized(left, "more pair"))
            }
            (None, Some(shown)) => format!(
                "{begin}: these data have too few pairs; {acting} the other {} lowers the smallest detectable difference to \
                 {:.1} points",
                pluralized(left, "pair"),
                100.0 * shown
            ),
            (None, None) => format!("{begin}: other data are needed, as all pairs of these are {acted}"),
        }
    }

    /// How many pairs of the pool have no label, or no prediction where there are no labels.
    fn left(&self) -> usize {
        let Leaderboard { labels, pairs, pool_pairs, .. } = self.board;
        pool_pairs - if labels > 0 { labels } else { pairs }
    }

    /// What these groups can show.
    fn power(&self) -> Option<String> {
        let point = self.board.power.first().filter(|point| point.difference > 1e-9 && self.board.style.is_none())?;
        let labelled = if self.board.labels > 0 { "labelled " } else { "" };
        let groups = pluralized(point.groups, &format!("{labelled}{}", self.unit));
        let points = 100.0 * point.difference;
        let show = if point.groups == 1 { "shows" } else { "show" };
        Some(format!("{groups} {show} differences of win rates of {points:.1} points or more with 80% power"))
    }

    /// What more labels would make of the interval of the first.
    fn budget(&self) -> Option<String> {
        let Budget { labels, half_width } = self.board.budget.filter(|_| self.board.style.is_none())?;
        let (labels, first) = (pluralized(labels, "more label"), &self.board.systems[0].name);
        Some(format!(
            "With {labels} of this pool, the interval of {first} would be about ±{:.1} points",
            100.0 * half_width
        ))
    }

    /// The mean number of labelled pairs of a group, or of pairs where none is labelled.
    fn per_group(&self) -> f64 {
        let Leaderboard { pairs, labels, groups, labelled_groups, .. } = self.board;
        let [pairs, groups] = if labels > 0 { [labels, labelled_groups] } else { [pairs, groups] };
        pairs as f64 / groups.max(1) as f64
    }
}

fn warnings(board: &Leaderboard, unit: &str, leak: Option<String>) -> Vec<String> {
    let intervals = |leak| format!("{leak}, so that the intervals do not hold; without a model, one is cross-fitted");
    let mut warnings: Vec<String> = leak.into_iter().map(intervals).collect();
    if board.worth.is_some_and(|worth| worth.is_selective) {
        warnings.push(
            "the labelled pairs are not a random sample: predictions for them are significantly more, or less, decided \
             than for the others; intervals do not hold unless `next` drew these pairs and the column drawn has their \
             probabilities"
                .to_owned(),
        );
    }
    let fixed: Vec<&str> = board.systems.iter().filter(|row| row.is_degenerate).map(|row| row.name.as_str()).collect();
    if !fixed.is_empty() && board.differences.iter().any(|two| !two.is_clear) {
        warnings.push(format!(
            "the win rates of {} do not vary between these {unit}s, which are too few for an order; add pairs",
            joined(fixed)
        ));
    }
    warnings
}

fn notes(board: &Leaderboard, unit: &str, is_weighted: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if board.labels == 0 {
        notes.push(
            "No human label counts here, so the intervals do not include the errors of these verdicts; label a random \
             part of the pairs, and rank by both"
                .to_owned(),
        );
    }
    notes.push(format!(
        "win rate: the mean over the other systems of the share of pairs won, ties counting half; strength: \
         Bradley-Terry, with a geometric mean of 1; 95% CI over {unit}s; clusters and ranks by a test of {}: each system is significantly better than all of later \
         clusters",
        if board.is_by_strength { "differences of strengths" } else { "differences of win rates" }
    ));
    notes.extend(higher_win_rates(board));
    if board.differences.iter().any(|two| two.wins.is_none()) {
        notes.push(
            "Some systems never met, so win rates are over different opponents; strengths allow for that".to_owned(),
        );
    }
    if board.worth.is_some() {
        let source = if is_weighted {
            "Labels are weighted by the probabilities with which they were drawn (column drawn)"
        } else {
            "The column drawn has no different probabilities, so the labels must be a simple random sample of the pairs, which \
             can hardly be checked here"
        };
        notes.push(format!(
            "{source}; intervals by prediction-powered inference, of win rates and of each two systems separately, so that \
             they need not add up"
        ));
        let part = board.labels as f64 / board.pairs.max(1) as f64;
        if part > LARGE_PART {
            notes.push(format!(
                "Intervals are for more pairs of this kind; for these pairs alone, of which {} are labelled, they are \
                 conservative",
                percent(part)
            ));
        }
    }
    if board.added_ties > 0.0 {
        notes.push(format!(
            "A system wins or loses all its pairs, so its strength has no maximum-likelihood estimate; {} is added between \
             every two systems that met, which bounds it and its interval",
            pluralized(board.added_ties as usize, "tie")
        ));
    }
    if board.systems.iter().any(|system| system.component > 1) {
        notes.push(
            "Some systems never met, directly or through others: each connected component is ranked by itself"
                .to_owned(),
        );
    }
    if let Some(style) = &board.style {
        let told = STYLE_NAMES.iter().zip(style).map(|(name, Estimate { value, low, high })| {
            if [low, value, high] == [&0.0; 3] {
                return format!("{name} (no difference in these texts)");
            }
            format!("{name} {value:+.2} (95% CI {low:+.2} to {high:+.2})")
        });
        let told: Vec<String> = told.collect();
        if board.has_prior {
            notes.push(
                "Style alone tells nearly who wins, so that its log-odds have no maximum: they have a normal prior, with a \
                 standard deviation of 2.5 for the root mean square of a difference (Gelman et al. 2008)"
                    .to_owned(),
            );
        }
        notes.push(format!(
            "Strengths are controlled for style; log-odds for longer texts, more list items and more mark-up: {}",
            told.join(", ")
        ));
    }
    notes
}

/// Why a system stands below another one with a lower win rate.
fn higher_win_rates(board: &Leaderboard) -> Option<String> {
    let is_lower = |one: &RankedSystem, other: &RankedSystem| {
        one.component == other.component && other.win_rate.value > one.win_rate.value + 1e-9
    };
    let systems = &board.systems;
    let inverted = systems.iter().enumerate().filter_map(|(place, other)| {
        let one = systems[..place].iter().find(|one| is_lower(one, other))?;
        Some(format!("{} stands below {}", other.name, one.name))
    });
    let told: Vec<String> = inverted.take(MAX_TOLD).collect();
    let reason = match board.style {
        Some(_) => "style, which strengths are controlled for, explains wins",
        None => "strengths, which give the order, allow for how often systems met whom",
    };
    (!told.is_empty()).then(|| format!("{} with a higher win rate: {reason}", told.join(", ")))
}

/// The share of pairs that a system wins against another, by their places; `None` if they never met.
pub(super) fn share_of_wins(board: &Leaderboard, one: usize, other: usize) -> Option<f64> {
    let (two, is_first) = board.two(one, other)?;
    two.wins.map(|wins| if is_first { wins } else { 1.0 - wins })
}
