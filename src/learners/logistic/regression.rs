//! In: scales, and judged pairs. Out: a standard logistic regression, and weights from another program's solution of
//! it. Next: workflows.
//!
//! Pairs that do not fit into the memory of one machine are learned from on many, by the logistic regression of another
//! program, such as Spark's MLlib. A [`Regression`] states the problem in the terms of such programs: minimise the
//! weighted mean log loss of rows + penalty/2 |coefficients|^2, with each coefficient within its bounds. Whether it
//! converged follows from the gradient at its weights, which is a sum over pairs: [`LossSums`] of parts add up.

use ndarray::{Array2, ArrayView1};

use super::bounds::Bound;
use super::columns::Columns;
use super::design::{Design, Scales};
use super::settings::CheckedLogistic;
use super::solver::{self, NEVER};
use super::weights::{Slope, Weights};
use crate::error::{Error, Result};
use crate::judgments::Verdict;

/// The name of the other program's coefficients in messages.
const PLACE: &str = "coefficients";

/// A logistic regression for another program to fit.
///
/// With ties it is multinomial, with intercepts; the classes 0, 1 and 2 are the verdicts 1, 0 and -1. Without ties it
/// is binary, without intercept and pair features; class 1 is the verdict 1, class 0 the verdict -1. Its coefficients
/// are then 2w, whose penalty is half as strong.
#[derive(Debug, Clone)]
pub struct Regression {
    bounds: Vec<Bound>,
    /// The numbers of columns of x and t.
    size: (usize, usize),
    /// The columns that vary: a column of zeros has the weight 0, and some programs cannot handle it.
    columns: Columns,
    penalty: f64,
    has_ties: bool,
}

/// Pairs and their mirror images.
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionRows {
    /// (2 pairs, [`Regression::columns`]).
    pub rows: Array2<f64>,
    /// The class of each row: see [`Regression`].
    pub classes: Vec<usize>,
    /// The weight of each row.
    pub weights: Vec<f64>,
}

/// The solution of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionFit {
    /// The same shape as [`Regression::bounds`].
    pub coefficients: Array2<f64>,
    /// One per class with ties, none without.
    pub intercepts: Vec<f64>,
}

impl Regression {
    /// The regression for pairs with these scales. `bounds` holds one bound per column of x; `penalty` is lambda in
    /// mean log loss + lambda/2 |W|^2.
    pub(crate) fn new(scales: &Scales, bounds: Vec<Bound>, penalty: f64, has_ties: bool) -> Self {
        let varying = |scales: Vec<f64>| (0..scales.len()).filter(|&column| scales[column] != 0.0).collect();
        let own = &scales.own;
        let of_x: Vec<f64> = scales.hypothesis.iter().copied().chain(own.iter().map(|own| own.difference)).collect();
        let of_t: Vec<f64> = scales.pair.iter().copied().chain(own.iter().map(|own| own.distance)).collect();
        let size = (of_x.len(), of_t.len());
        let pair = if has_ties { varying(of_t) } else { Vec::new() };
        Self { bounds, size, columns: Columns { hypothesis: varying(of_x), pair }, penalty, has_ties }
    }

    /// The number of classes: 3 with ties, 2 without.
    pub fn classes(&self) -> usize {
        if self.has_ties { 3 } else { 2 }
    }

    /// Whether intercepts are fitted; they have neither penalty nor bounds.
    pub fn has_intercepts(&self) -> bool {
        self.has_ties
    }

    /// The number of columns of the rows.
    pub fn columns(&self) -> usize {
        self.columns.hypothesis.len() + self.columns.pair.len()
    }

    /// The strength of the penalty: the factor of |coefficients|^2 / 2.
    pub fn penalty(&self) -> f64 {
        if self.has_ties { self.penalty } else { 0.5 * self.penalty }
    }

    /// The least and the greatest coefficients, some of them infinite: (classes, columns) with ties, (1, columns)
    /// without.
    pub fn bounds(&self) -> [Array2<f64>; 2] {
        let of_x: Vec<[f64; 2]> = self.columns.hypothesis.iter().map(|&column| self.bounds[column].range()).collect();
        let class = |sign: f64| {
            let x = of_x.iter().map(move |&[low, high]| match sign {
                1.0 => [low, high],
                -1.0 => [-high, -low],
                // Differences of hypotheses carry no information about ties: their mirror images have the opposite
                // sign.
                _ => [0.0, 0.0],
            });
            x.chain(self.columns.pair.iter().map(|_| Bound::Free.range())).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<[f64; 2]>> =
            if self.has_ties { [1.0, 0.0, -1.0].map(class).into() } else { vec![class(1.0)] };
        // Adding 0 turns negative zeros, which would look odd, into positive ones.
        [0, 1].map(|end| Array2::from_shape_fn((rows.len(), self.columns()), |(row, at)| rows[row][at][end] + 0.0))
    }

    /// The rows that the other program learns from.
    pub fn rows(&self, design: &Design) -> RegressionRows {
        let narrowed = design.narrowed(&self.columns);
        let (rows, labels) = narrowed.mirrored(&(0..narrowed.hypothesis_columns).collect::<Vec<_>>());
        let class = |label: Verdict| if self.has_ties { label.index() } else { usize::from(label == Verdict::First) };
        let weights = narrowed.weights.repeat(2);
        RegressionRows { rows, classes: labels.into_iter().map(class).collect(), weights }
    }

    /// Converts coefficients into weights: symmetric, and exactly within their bounds.
    ///
    /// # Errors
    /// The number of coefficients or intercepts is wrong, or one of them is not finite.
    pub fn weights(&self, fit: &RegressionFit) -> Result<Weights> {
        let expected = (if self.has_ties { 3 } else { 1 }, self.columns());
        if fit.coefficients.dim() != expected {
            let shape = |(rows, columns): (usize, usize)| format!("{rows} x {columns} coefficients");
            return Err(refused(shape(expected), shape(fit.coefficients.dim())));
        }
        let intercepts = if self.has_ties { 3 } else { 0 };
        if fit.intercepts.len() != intercepts {
            return Err(refused(format!("{intercepts} intercepts"), fit.intercepts.len().to_string()));
        }
        if let Some(wrong) = fit.coefficients.iter().chain(&fit.intercepts).find(|value| !value.is_finite()) {
            return Err(refused("finite numbers".to_owned(), wrong.to_string()));
        }
        let of_x = self.columns.hypothesis.len();
        let weights = if self.has_ties {
            let rows = fit.coefficients.outer_iter().map(|row| row.to_vec()).collect::<Vec<_>>();
            Weights::symmetric([0, 1, 2].map(|class| (rows[class].as_slice(), fit.intercepts[class])), of_x)
        } else {
            let hypothesis = fit.coefficients.iter().map(|coefficient| 0.5 * coefficient).collect();
            Weights { hypothesis, tie_intercept: NEVER, ..Weights::zero(of_x, 0) }
        };
        Ok(weights.spread(&self.columns, self.size).within(&self.bounds))
    }

    /// The norm of the gradient of the mean penalised loss over all pairs at some weights, without the weights that are
    /// held by their bounds: 0 at the minimum.
    pub fn gradient(&self, at: &Weights, sums: &LossSums) -> f64 {
        sums.slope(at, self.penalty).norm(at, &self.bounds)
    }

    /// Checks that weights are as near to the minimum as those that Tribunal fits itself; returns their
    /// [`Self::gradient`].
    ///
    /// # Errors
    /// The gradient is more than ten times the tolerance.
    pub(crate) fn check(&self, at: &Weights, sums: &LossSums, settings: &CheckedLogistic) -> Result<f64> {
        let gradient = self.gradient(at, sums);
        solver::check_converged(gradient, settings)?;
        Ok(gradient)
    }
}

fn refused(expected: String, found: String) -> Error {
    Error::invalid(PLACE, expected, found, "give what the regression of this very model found")
}

/// Loss and gradient at some weights, summed over weighted pairs. Sums over parts add up to the sum over all.
#[derive(Debug, Clone, PartialEq)]
pub struct LossSums {
    /// The sum of the pairs' weights.
    weight: f64,
    loss: f64,
    gradient: Weights,
}

impl LossSums {
    /// The sums over some pairs; their weights need not sum to 1.
    pub fn new(at: &Weights, design: &Design) -> Self {
        let Slope { loss, gradient } = at.slope(design, 0.0);
        Self { weight: design.weights.iter().sum(), loss, gradient }
    }

    /// The sums over two parts together.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            loss: self.loss + other.loss,
            gradient: self.gradient.less(&other.gradient, -1.0),
        }
    }

    /// The mean log loss, without the penalty.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.weight
    }

    /// The sums as a flat list of numbers, to be added up elsewhere.
    pub fn to_vec(&self) -> Vec<f64> {
        [self.weight, self.loss].into_iter().chain(self.gradient.parameters()).collect()
    }

    /// The inverse of [`Self::to_vec`]; `at` gives the numbers of features.
    ///
    /// # Errors
    /// The number of values is wrong.
    pub fn from_slice(numbers: &[f64], at: &Weights) -> Result<Self> {
        let (hypothesis, pair) = (at.hypothesis.len(), at.tie.len());
        match numbers {
            [weight, loss, gradient @ ..] if gradient.len() == hypothesis + 2 * pair + 2 => {
                let gradient = Weights::from_parameters(gradient, hypothesis, pair);
                Ok(Self { weight: *weight, loss: *loss, gradient })
            }
            other => {
                let (expected, found) = (hypothesis + 2 * pair + 4, other.len().to_string());
                let advice = "add up what was computed at these very weights";
                Err(Error::invalid("sums of losses", format!("{expected} numbers"), found, advice))
            }
        }
    }

    fn slope(&self, at: &Weights, penalty: f64) -> Slope {
        let (zero, penalised) = (Weights::zero(at.hypothesis.len(), at.tie.len()), at.clone());
        let penalised = Weights { decided_intercept: 0.0, tie_intercept: 0.0, ..penalised };
        let gradient = zero.less(&self.gradient, -1.0 / self.weight).less(&penalised, -penalty);
        Slope { loss: self.mean_loss(), gradient }
    }
}

impl Design {
    /// A design from rows that were scaled earlier, with their labels and weights.
    ///
    /// # Errors
    /// The lengths differ, there are too few columns, a number is not finite, or a weight is negative.
    pub fn from_rows(rows: Array2<f64>, bounds: Vec<Bound>, labels: Vec<Verdict>, weights: Vec<f64>) -> Result<Self> {
        let refused = |expected: String, found: String| {
            Error::invalid("scaled rows", expected, found, "give the rows of the same pairs, as they were computed")
        };
        let hypothesis_columns = bounds.len();
        if rows.ncols() < hypothesis_columns {
            return Err(refused(format!("{hypothesis_columns} columns or more"), rows.ncols().to_string()));
        }
        if labels.len() != rows.nrows() || weights.len() != rows.nrows() {
            let expected = format!("{} labels and weights", rows.nrows());
            return Err(refused(expected, format!("{} and {}", labels.len(), weights.len())));
        }
        let is_wrong = |value: &&f64| !value.is_finite();
        let of_weights = ArrayView1::from(&weights);
        if let Some(wrong) = rows.iter().find(is_wrong).or_else(|| of_weights.into_iter().find(is_wrong)) {
            return Err(refused("finite numbers".to_owned(), wrong.to_string()));
        }
        if let Some(wrong) = weights.iter().find(|&&weight| weight < 0.0) {
            return Err(refused("weights of 0 or more".to_owned(), wrong.to_string()));
        }
        Ok(Self { rows, hypothesis_columns, bounds, labels, weights })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Axis;

    use crate::learners::logistic::LogisticSettings;
    use crate::learners::logistic::solver::Trainer;
    use Verdict::{First, Second, Tie};

    const PENALTY: f64 = 0.05;

    /// Three columns of x, of which the second is constant and the third is held by its bound, and two of t.
    fn scales() -> Scales {
        Scales {
            damped: vec![false; 3],
            hypothesis: vec![1.0, 0.0, 1.0],
            pair_means: vec![0.0; 2],
            pair: vec![0.0, 1.0],
            own: Vec::new(),
        }
    }

    fn design(has_ties: bool) -> Design {
        let noise = |row: usize, salt: usize| ((row * 7919 + salt * 104_729) % 1000) as f64 / 500.0 - 1.0;
        let value = |(row, column)| if [1, 3].contains(&column) { 0.0 } else { noise(row, column) };
        let label = |row: usize| match noise(row, 0) - 0.5 * noise(row, 2) + 0.8 * noise(row, 9) {
            sum if has_ties && sum.abs() < 0.3 + 0.2 * noise(row, 4) => Tie,
            sum if sum > 0.0 => First,
            _ => Second,
        };
        let weights: Vec<f64> = (0..120).map(|row| f64::from(row % 3) + 1.0).collect();
        let all: f64 = weights.iter().sum();
        Design {
            rows: Array2::from_shape_fn((120, 5), value),
            hypothesis_columns: 3,
            bounds: vec![Bound::AtLeastZero; 3],
            labels: (0..120).map(label).collect(),
            weights: weights.into_iter().map(|weight| weight / all).collect(),
        }
    }

    /// The solution of a program that knows only the regression, by projected gradient descent.
    fn fitted(regression: &Regression, rows: &RegressionRows) -> RegressionFit {
        let [low, high] = regression.bounds();
        let mut found = RegressionFit {
            coefficients: Array2::zeros(low.dim()),
            intercepts: vec![0.0; if regression.has_intercepts() { 3 } else { 0 }],
        };
        let all: f64 = rows.weights.iter().sum();
        for _ in 0..4000 {
            let mut gradient = regression.penalty() * &found.coefficients;
            let mut of_intercepts = vec![0.0; found.intercepts.len()];
            for ((row, &class), weight) in rows.rows.outer_iter().zip(&rows.classes).zip(&rows.weights) {
                for (at, error) in errors(&found, row, class).into_iter().enumerate() {
                    gradient.row_mut(at).scaled_add(error * weight / all, &row);
                    of_intercepts.get_mut(at).into_iter().for_each(|sum| *sum += error * weight / all);
                }
            }
            found.coefficients.scaled_add(-0.8, &gradient);
            found.intercepts.iter_mut().zip(of_intercepts).for_each(|(value, slope)| *value -= 0.8 * slope);
            found.coefficients.zip_mut_with(&low, |value, low| *value = value.max(*low));
            found.coefficients.zip_mut_with(&high, |value, high| *value = value.min(*high));
        }
        found
    }

    /// The probability of each class minus its indicator; with two classes, that of class 1 only.
    fn errors(at: &RegressionFit, row: ArrayView1<'_, f64>, class: usize) -> Vec<f64> {
        let mut logits = at.coefficients.dot(&row).to_vec();
        if let [logit] = logits[..] {
            return vec![1.0 / (1.0 + (-logit).exp()) - f64::from(u8::from(class == 1))];
        }
        logits.iter_mut().zip(&at.intercepts).for_each(|(logit, intercept)| *logit = (*logit + intercept).exp());
        let sum: f64 = logits.iter().sum();
        let error = |(at, part): (usize, f64)| part / sum - f64::from(u8::from(at == class));
        logits.into_iter().enumerate().map(error).collect()
    }

    #[test]
    fn another_program_finds_what_is_found_here() {
        let settings = LogisticSettings::default().tolerance(1e-6).check().unwrap();
        for has_ties in [true, false] {
            let design = design(has_ties);
            assert_eq!(design.has_ties(), has_ties);
            let regression = Regression::new(&scales(), design.bounds.clone(), PENALTY, has_ties);
            assert_eq!(regression.columns(), if has_ties { 3 } else { 2 });
            let found = regression.weights(&fitted(&regression, &regression.rows(&design))).unwrap();
            let expected = Trainer::new(&design).unwrap().fit(PENALTY, &settings, None).unwrap().weights;
            let apart = found.less(&expected, 1.0);
            let lists = [&apart.hypothesis, &apart.decided, &apart.tie].into_iter().flatten();
            let most = lists.fold(0.0, |most: f64, value| most.max(value.abs()));
            assert!(most < 1e-4, "{found:?} is not {expected:?}");
            let between = apart.decided_intercept - apart.tie_intercept;
            assert!(between.abs() < 1e-4, "{found:?} is not {expected:?}");
            assert_eq!((found.hypothesis[1], found.hypothesis[2], found.decided[0]), (0.0, 0.0, 0.0));

            let sums = LossSums::new(&found, &design);
            assert!(regression.check(&found, &sums, &settings).unwrap() < 1e-5);
            let begun = Weights { hypothesis: vec![0.0; 3], ..found };
            let message = regression.check(&begun, &LossSums::new(&begun, &design), &settings).unwrap_err();
            assert!(message.to_string().starts_with("training: expected a gradient below 1e-6"), "{message}");
        }
    }

    #[test]
    fn sums_of_parts_are_the_sums_of_all() {
        let (design, regression) = (design(true), Regression::new(&scales(), vec![Bound::Free; 3], PENALTY, true));
        let at = Weights { hypothesis: vec![0.5, 0.0, 0.2], ..Weights::zero(3, 2) };
        let part = |rows: std::ops::Range<usize>| {
            let weights = design.weights[rows.clone()].iter().map(|weight| 7.0 * weight).collect();
            let labels = design.labels[rows.clone()].to_vec();
            let scaled = design.rows.slice_axis(Axis(0), rows.into()).to_owned();
            LossSums::new(&at, &Design::from_rows(scaled, design.bounds.clone(), labels, weights).unwrap())
        };
        let parts = part(0..50).and(&part(50..51)).and(&part(51..120));
        let parts = LossSums::from_slice(&parts.to_vec(), &at).unwrap();
        let slope = at.slope(&design, PENALTY);
        let expected = slope.norm(&at, &[Bound::Free; 3]);
        assert!((regression.gradient(&at, &parts) - expected).abs() < 1e-12);
        assert!((parts.mean_loss() - at.slope(&design, 0.0).loss).abs() < 1e-12);
        assert!(LossSums::from_slice(&[1.0, 2.0], &at).is_err());
        // The mean over no pairs is undefined.
        assert!(part(0..0).slope(&at, PENALTY).norm(&at, &[Bound::Free; 3]).is_nan());
    }

    #[test]
    fn coefficients_that_are_none_are_refused() {
        let three = Regression::new(&scales(), vec![Bound::AtLeastZero; 3], PENALTY, true);
        let two = Regression::new(&scales(), vec![Bound::AtLeastZero; 3], PENALTY, false);
        let fit = |rows: usize, columns: usize, intercepts: usize, value: f64| RegressionFit {
            coefficients: Array2::from_elem((rows, columns), value),
            intercepts: vec![value; intercepts],
        };
        assert!(three.weights(&fit(3, 3, 3, 1.0)).is_ok() && two.weights(&fit(1, 2, 0, 1.0)).is_ok());
        for (regression, given, expected) in [
            (&three, fit(3, 2, 3, 1.0), "3 x 3 coefficients"),
            (&three, fit(1, 3, 3, 1.0), "3 x 3 coefficients"),
            (&three, fit(3, 3, 1, 1.0), "3 intercepts"),
            (&three, fit(3, 3, 3, f64::NAN), "finite numbers"),
            (&two, fit(1, 2, 1, 1.0), "0 intercepts"),
            (&two, fit(1, 2, 0, f64::INFINITY), "finite numbers"),
        ] {
            let message = regression.weights(&given).unwrap_err().to_string();
            assert!(message.starts_with(&format!("coefficients: expected {expected}, found ")), "{message}");
        }
        // Within bounds to the last bit, even if the program's own result is not.
        assert_eq!(two.weights(&fit(1, 2, 0, -1e-17)).unwrap().hypothesis, [0.0; 3]);
    }

    #[test]
    fn rows_that_do_not_belong_together_are_refused() {
        let of = |columns: usize, value: f64, labels: usize, weight: f64| {
            let rows = Array2::from_elem((2, columns), value);
            Design::from_rows(rows, vec![Bound::Free; 3], vec![First; labels], vec![weight; 2])
        };
        assert!(of(4, 1.0, 2, 0.0).is_ok());
        for refused in [
            of(2, 1.0, 2, 1.0),
            of(4, f64::NAN, 2, 1.0),
            of(4, 1.0, 1, 1.0),
            of(4, 1.0, 2, -1.0),
            of(4, 1.0, 2, f64::NAN),
        ] {
            assert!(refused.unwrap_err().to_string().starts_with("scaled rows: expected "));
        }
    }
}
