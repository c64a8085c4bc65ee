//! In: what a higher value of a feature says. Out: what its weight may be. Next: design, descent, solver.

use crate::metrics::Monotonicity;

/// What a weight may be.
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
    /// The bound of a feature's weight: more recall never speaks against a hypothesis, more faults never for it.
    pub fn of(monotonicity: Monotonicity) -> Self {
        match monotonicity {
            Monotonicity::Increasing => Self::AtLeastZero,
            Monotonicity::Decreasing => Self::AtMostZero,
            Monotonicity::Free => Self::Free,
        }
    }

    /// The nearest weight that is allowed.
    pub fn nearest(self, weight: f64) -> f64 {
        match self {
            Self::Free => weight,
            Self::AtLeastZero => weight.max(0.0),
            Self::AtMostZero => weight.min(0.0),
            Self::Zero => 0.0,
        }
    }

    /// Whether a weight stands at its bound and the way downhill, against the gradient, leads out of it.
    pub fn holds(self, weight: f64, gradient: f64) -> bool {
        match self {
            Self::Free => false,
            Self::AtLeastZero => weight <= 0.0 && gradient > 0.0,
            Self::AtMostZero => weight >= 0.0 && gradient < 0.0,
            Self::Zero => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_holds_where_downhill_leads_out() {
        assert!(Bound::AtLeastZero.holds(0.0, 1.0) && !Bound::AtLeastZero.holds(0.0, -1.0));
        assert!(Bound::AtMostZero.holds(0.0, -1.0) && !Bound::AtMostZero.holds(0.0, 1.0));
        assert!(!Bound::AtLeastZero.holds(0.1, 1.0) && !Bound::Free.holds(0.0, 1.0) && Bound::Zero.holds(0.0, -1.0));
    }

    #[test]
    fn the_nearest_allowed_weight() {
        let nearest =
            |weight| [Bound::Free, Bound::AtLeastZero, Bound::AtMostZero, Bound::Zero].map(|b| b.nearest(weight));
        assert_eq!(nearest(2.0), [2.0, 2.0, 0.0, 0.0]);
        assert_eq!(nearest(-2.0), [-2.0, 0.0, -2.0, 0.0]);
    }
}
