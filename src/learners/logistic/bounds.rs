//! In: the monotonicity of features. Out: bounds of their weights. Next: design, descent, solver.

use crate::metrics::Monotonicity;

/// The range of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Any number.
    Free,
    /// 0 or more.
    AtLeastZero,
    /// 0 or less.
    AtMostZero,
    /// 0.
    Zero,
}

impl Bound {
    /// The bound of a feature's weight: a better score never counts against a hypothesis, and more faults never count
    /// for it.
    pub fn of(monotonicity: Monotonicity) -> Self {
        match monotonicity {
            Monotonicity::Recall | Monotonicity::Increasing => Self::AtLeastZero,
            Monotonicity::Decreasing => Self::AtMostZero,
            Monotonicity::Free => Self::Free,
        }
    }

    /// The least and the greatest allowed weight.
    pub fn range(self) -> [f64; 2] {
        match self {
            Self::Free => [f64::NEG_INFINITY, f64::INFINITY],
            Self::AtLeastZero => [0.0, f64::INFINITY],
            Self::AtMostZero => [f64::NEG_INFINITY, 0.0],
            Self::Zero => [0.0, 0.0],
        }
    }

    /// The nearest allowed weight.
    pub fn nearest(self, weight: f64) -> f64 {
        match self {
            Self::Free => weight,
            Self::AtLeastZero => weight.max(0.0),
            Self::AtMostZero => weight.min(0.0),
            Self::Zero => 0.0,
        }
    }

    /// Whether a weight is at its bound, or at most `near` away, and descent (against the gradient) would push it out
    /// of bounds.
    pub fn holds(self, weight: f64, gradient: f64, near: f64) -> bool {
        match self {
            Self::Free => false,
            Self::AtLeastZero => weight <= near && gradient > 0.0,
            Self::AtMostZero => weight >= -near && gradient < 0.0,
            Self::Zero => true,
        }
    }
}

/// The bounds of all columns of x: features computed from texts, then `own` own metrics.
pub(crate) fn of_columns(monotonicity: &[Monotonicity], own: usize) -> Vec<Bound> {
    let of_own = std::iter::repeat_n(Bound::AtLeastZero, own);
    monotonicity.iter().map(|&is| Bound::of(is)).chain(of_own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_holds_where_downhill_leads_out() {
        let holds = |bound: Bound, weight, gradient| bound.holds(weight, gradient, 0.0);
        assert!(holds(Bound::AtLeastZero, 0.0, 1.0) && !holds(Bound::AtLeastZero, 0.0, -1.0));
        assert!(holds(Bound::AtMostZero, 0.0, -1.0) && !holds(Bound::AtMostZero, 0.0, 1.0));
        assert!(!holds(Bound::AtLeastZero, 0.1, 1.0) && !holds(Bound::Free, 0.0, 1.0) && holds(Bound::Zero, 0.0, -1.0));
        assert!(Bound::AtLeastZero.holds(0.1, 1.0, 0.2) && Bound::AtMostZero.holds(-0.1, -1.0, 0.2));
    }

    #[test]
    fn the_nearest_allowed_weight() {
        let nearest =
            |weight| [Bound::Free, Bound::AtLeastZero, Bound::AtMostZero, Bound::Zero].map(|b| b.nearest(weight));
        assert_eq!(nearest(2.0), [2.0, 2.0, 0.0, 0.0]);
        assert_eq!(nearest(-2.0), [-2.0, 0.0, -2.0, 0.0]);
        for bound in [Bound::Free, Bound::AtLeastZero, Bound::AtMostZero, Bound::Zero] {
            let [low, high] = bound.range();
            assert!([-2.0, 2.0, 0.0].iter().all(|&weight: &f64| bound.nearest(weight) == weight.clamp(low, high)));
        }
    }
}
