//! The figures of each report that may be required, by name.

use super::Report;
use super::output_ranking::OutputRanking;
use super::outputs::{OutputReport, SignalRow};
use super::ranking::Ranking;
use super::requirement::{Figure, Figures};
use super::scores::{Score, Scores, SystemScores};
use crate::evaluation::Estimate;
use crate::evaluation::ranking::LEVEL;

impl Figures for Ranking {
    fn names(&self) -> Vec<String> {
        self.board.systems.iter().map(|system| system.name.clone()).collect()
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let system = self.board.systems.iter().find(|system| system.name == name)?;
        Some(Figure::percent(system.rate(), format!("{} of {name}", self.rate_name())))
    }

    /// Of win rates over the same opponents, or at equal style.
    fn difference(&self, one: &str, other: &str) -> Option<Figure> {
        let place = |name: &str| self.board.systems.iter().position(|system| system.name == name);
        let (two, is_first) = self.board.two(place(one)?, place(other)?)?;
        let difference = two.controlled_difference.or((!self.board.is_by_strength).then_some(two.difference))?;
        let figure = Figure::percent(difference, minus(self.rate_name(), one, other));
        Some(figure.similar(!two.is_clear).negated_if(!is_first))
    }
}

impl Figures for OutputRanking {
    fn names(&self) -> Vec<String> {
        self.systems.iter().chain([&self.all]).map(|row| row.system.clone()).collect()
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let row = self.systems.iter().chain([&self.all]).find(|row| row.system == name)?;
        Some(Figure::of_marks(row.estimate, self.marks, self.range, |what| format!("{what} of {name}")))
    }

    fn difference(&self, one: &str, other: &str) -> Option<Figure> {
        let found = |one: &str, other: &str| self.differences.iter().find(|two| two.one == one && two.other == other);
        let straight = found(one, other);
        let two = straight.or_else(|| found(other, one))?;
        let figure = Figure::of_marks(two.difference, self.marks, self.range, |what| minus(what, one, other));
        Some(figure.similar(!two.is_clear).negated_if(straight.is_none()))
    }
}

/// The figure of the row that a report is about.
const ACCURACY: &str = "accuracy";

impl Figures for Report {
    fn names(&self) -> Vec<String> {
        self.systems.iter().map(|row| row.name.clone()).chain([ACCURACY.to_owned()]).collect()
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let named = |name: &str| self.systems.iter().find(|row| row.name == name);
        let row =
            named(name).or_else(|| named(row_of(name)?)).or_else(|| self.subject_row().filter(|_| name == ACCURACY))?;
        let estimate = Estimate { value: row.accuracy, low: row.low, high: row.high };
        Some(Figure::percent(estimate, format!("{ACCURACY} of {}", row.name)))
    }

    /// Of every two rows where the report has the matrix of these.
    fn difference(&self, one: &str, other: &str) -> Option<Figure> {
        let matrix = self.matrix.as_ref()?;
        let place = |name: &str| matrix.names.iter().position(|known| known == name);
        let named = |name: &str| place(name).or_else(|| place(row_of(name)?));
        let (row, column) = (named(one)?, named(other)?);
        let [low, high] = matrix.intervals[row][column];
        let estimate = Estimate { value: matrix.differences[row][column], low, high };
        Some(Figure::percent(estimate, minus(ACCURACY, one, other)))
    }
}

/// The row of `NAME.accuracy`.
fn row_of(name: &str) -> Option<&str> {
    name.strip_suffix(ACCURACY)?.strip_suffix('.')
}

/// The figures of a row, by their names in JSON; two of them also by those in tables.
fn of_row(row: &SignalRow, name: &str) -> Option<Figure> {
    let (binary, numeric) = (row.binary.as_ref(), row.numeric.as_ref());
    let what = || format!("{} of {}", name.replace('_', " "), row.name);
    let share = |estimate: Option<Estimate>| Some(Figure::percent(estimate?, what()));
    let coefficient = |estimate: Option<Estimate>| Some(Figure::coefficient(estimate?, what()));
    match name {
        "accuracy" => share(binary?.accuracy),
        "true_positive_rate" | "TPR" => share(binary?.true_positive_rate),
        "true_negative_rate" | "TNR" => share(binary?.true_negative_rate),
        "balanced_accuracy" => share(binary?.balanced_accuracy),
        "within" => share(row.within),
        "kappa" => coefficient(binary?.kappa),
        "f1" => coefficient(binary?.f1),
        "roc_area" => coefficient(row.roc_area),
        "pearson" => coefficient(numeric?.pearson),
        "spearman" => coefficient(numeric?.spearman),
        "kendall" => coefficient(numeric?.kendall),
        "weighted_kappa" => coefficient(numeric?.weighted_kappa),
        "bias" => Some(Figure::plain(numeric?.bias?, what())),
        _ => None,
    }
}

/// All names of [`of_row`].
const FIGURES: [&str; 13] = [
    "accuracy",
    "true_positive_rate",
    "true_negative_rate",
    "balanced_accuracy",
    "kappa",
    "f1",
    "roc_area",
    "pearson",
    "spearman",
    "kendall",
    "weighted_kappa",
    "bias",
    "within",
];

impl Figures for OutputReport {
    /// Those of the row that the report is about; `NAME.FIGURE` is that of another one.
    fn names(&self) -> Vec<String> {
        let of_subject = |name: &&&str| self.subject_row().is_some_and(|row| of_row(row, name).is_some());
        let rows = self.rows.iter().map(|row| format!("{}.FIGURE", row.name));
        FIGURES.iter().filter(of_subject).map(|name| (*name).to_owned()).chain(rows).collect()
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let of_other = |(row, figure): (&str, &str)| of_row(self.rows.iter().find(|known| known.name == row)?, figure);
        self.subject_row().and_then(|row| of_row(row, name)).or_else(|| of_other(name.rsplit_once('.')?))
    }

    fn difference(&self, _: &str, _: &str) -> Option<Figure> {
        None
    }
}

/// The system and the metric of a name, which may be that of the system alone: then the first metric.
fn place(scores: &Scores, name: &str) -> Option<(usize, usize)> {
    let is = |system: &SystemScores| {
        let rest = name.strip_prefix(&*system.name)?;
        if rest.is_empty() {
            return Some(0);
        }
        let metric = rest.strip_prefix('.')?;
        scores.metrics.iter().position(|known| known.name == metric)
    };
    scores.systems.iter().enumerate().find_map(|(at, system)| Some((at, is(system)?)))
}

impl Figures for Scores {
    /// Scores by the first metric, and by every one.
    fn names(&self) -> Vec<String> {
        let of_metrics = |system: &SystemScores| {
            self.metrics.iter().map(|metric| format!("{}.{}", system.name, metric.name)).collect::<Vec<_>>()
        };
        self.systems.iter().map(|system| system.name.clone()).chain(self.systems.iter().flat_map(of_metrics)).collect()
    }

    fn figure(&self, name: &str) -> Option<Figure> {
        let (system, metric) = place(self, name)?;
        let Score { score, mean, half_width, .. } = self.systems[system].scores[metric];
        let (mean, half_width) = (mean?, half_width?);
        let estimate = Estimate { value: score, low: mean - half_width, high: mean + half_width };
        Some(Figure::plain(estimate, format!("{} of {}", self.metrics[metric].name, self.systems[system].name)))
    }

    /// Of one metric.
    fn difference(&self, one: &str, other: &str) -> Option<Figure> {
        let ((one, metric), (other, same)) = (place(self, one)?, place(self, other)?);
        let [one, other] = [one, other].map(|system| self.systems[system].name.as_str());
        let found = |a: &str, b: &str| {
            self.differences
                .iter()
                .find(|two| two.metric == self.metrics[metric].name && two.one == a && two.other == b)
        };
        let straight = found(one, other);
        let two = straight.or_else(|| found(other, one)).filter(|_| metric == same)?;
        let is_similar = two.p_value >= LEVEL && two.difference.low < two.difference.high;
        Some(
            Figure::plain(two.difference, minus(&two.metric, one, other))
                .similar(is_similar)
                .negated_if(straight.is_none()),
        )
    }
}

/// What the difference of two is called.
fn minus(what: &str, one: &str, other: &str) -> String {
    format!("{what} of {one} minus that of {other}")
}
