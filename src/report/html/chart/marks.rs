//! What charts are drawn with: marks at positions, and axes that place values.

use std::fmt;

/// A drawn element; `class` is its CSS class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A straight line.
    Line { from: [Px; 2], to: [Px; 2], class: &'static str },
    /// A polyline, or the shape of a point.
    Path { steps: String, class: &'static str },
    /// A filled rectangle with an opacity from 0 to 1.
    Area { at: [Px; 2], size: [Px; 2], opacity: Px, class: &'static str },
    /// A text, vertically centred at the given height.
    Label { at: [Px; 2], text: String, anchor: Anchor, class: &'static str },
}

/// A length or position, written with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Px(pub f64);

/// The part of a text that is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Its first character.
    Start,
    /// Its middle.
    Middle,
    /// Its last character.
    End,
}

/// The shape of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Diamond,
    Triangle,
}

impl fmt::Display for Px {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0.0 avoids -0.0.
        let rounded = (self.0 * 100.0).round() / 100.0 + 0.0;
        write!(formatter, "{rounded}")
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        })
    }
}

impl Mark {
    pub(super) fn line(from: [f64; 2], to: [f64; 2], class: &'static str) -> Self {
        Self::Line { from: from.map(Px), to: to.map(Px), class }
    }

    pub(super) fn area(at: [f64; 2], size: [f64; 2], opacity: f64, class: &'static str) -> Self {
        Self::Area { at: at.map(Px), size: size.map(Px), opacity: Px(opacity), class }
    }

    pub(super) fn label(at: [f64; 2], text: impl Into<String>, anchor: Anchor, class: &'static str) -> Self {
        Self::Label { at: at.map(Px), text: text.into(), anchor, class }
    }

    /// A point of a shape.
    pub(super) fn point([x, y]: [f64; 2], shape: Shape, class: &'static str) -> Self {
        let corners: &[[f64; 2]] = match shape {
            Shape::Circle => {
                let [x, y] = [Px(x - 3.5), Px(y)];
                let steps = format!("M{x} {y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z");
                return Self::Path { steps, class };
            }
            Shape::Square => &[[-3.5, -3.5], [3.5, -3.5], [3.5, 3.5], [-3.5, 3.5]],
            Shape::Diamond => &[[0.0, -5.5], [5.5, 0.0], [0.0, 5.5], [-5.5, 0.0]],
            Shape::Triangle => &[[0.0, -5.0], [5.0, 4.0], [-5.0, 4.0]],
        };
        let points: Vec<[f64; 2]> = corners.iter().map(|[across, down]| [x + across, y + down]).collect();
        Self::Path { steps: steps(&points) + "Z", class }
    }

    /// A line through points.
    pub(super) fn polyline(points: &[[f64; 2]], class: &'static str) -> Self {
        Self::Path { steps: steps(points), class }
    }
}

fn steps(points: &[[f64; 2]]) -> String {
    let step = |(at, [x, y]): (usize, &[f64; 2])| format!("{}{} {}", if at == 0 { 'M' } else { 'L' }, Px(*x), Px(*y));
    points.iter().enumerate().map(step).collect()
}

/// A linear scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    /// The positions of both ends.
    places: [f64; 2],
    step: f64,
}

impl Axis {
    /// An axis over the range of `values`, widened to round ones, between the positions `places`.
    pub fn over(values: impl IntoIterator<Item = f64>, places: [f64; 2]) -> Self {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.into_iter().fold(start, |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        let (low, high) = if high - low < 1e-9 { (low - 0.005, high + 0.005) } else { (low, high) };
        let step = round_step(high - low);
        Self { from: (low / step).floor() * step, to: (high / step).ceil() * step, places, step }
    }

    /// The position of a value.
    pub fn place(&self, value: f64) -> f64 {
        let [start, end] = self.places;
        start + (value - self.from) / (self.to - self.from) * (end - start)
    }

    /// The round values from end to end.
    pub fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.to - self.from) / self.step).round() as usize;
        // Adding 0.0 avoids -0.0.
        (0..=count).map(|at| self.from + at as f64 * self.step + 0.0)
    }

    /// The number of decimals that tell round values apart.
    fn digits(&self) -> usize {
        let is_whole = |number: f64| (number - number.round()).abs() < 1e-6;
        (0..6).find(|&digits| is_whole(self.step * 10_f64.powi(digits))).unwrap_or(6) as usize
    }

    /// Vertical grid lines between two heights, with their values below, multiplied by `times`.
    pub fn below(&self, [top, bottom]: [f64; 2], times: f64, unit: &str) -> Vec<Mark> {
        let digits = Self { step: self.step * times, ..*self }.digits();
        let tick = |value: f64| {
            let x = self.place(value);
            let text = format!("{:.digits$}{unit}", value * times);
            [Mark::line([x, top], [x, bottom], "grid"), Mark::label([x, bottom + 11.0], text, Anchor::Middle, "tick")]
        };
        self.ticks().flat_map(tick).collect()
    }

    /// Horizontal grid lines between two positions, with their values at the left, multiplied by `times`.
    pub fn left(&self, [left, right]: [f64; 2], times: f64, unit: &str) -> Vec<Mark> {
        let digits = Self { step: self.step * times, ..*self }.digits();
        let tick = |value: f64| {
            let y = self.place(value);
            let text = format!("{:.digits$}{unit}", value * times);
            [Mark::line([left, y], [right, y], "grid"), Mark::label([left - 5.0, y], text, Anchor::End, "tick")]
        };
        self.ticks().flat_map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten, so that a range has about four to eight steps.
fn round_step(range: f64) -> f64 {
    let power = 10_f64.powf((range / 4.0).log10().floor());
    let fits = [5.0, 2.0, 1.0].into_iter().find(|times| range / (times * power) >= 3.5);
    fits.unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_can_be_seen() {
        assert_eq!([1.0, -0.001, 2.345_67, 0.1 + 0.2].map(|number| Px(number).to_string()), ["1", "0", "2.35", "0.3"]);
    }

    #[test]
    fn points_are_closed_paths() {
        let Mark::Path { steps, .. } = Mark::point([10.0, 20.0], Shape::Square, "x") else { panic!("a path") };
        assert_eq!(steps, "M6.5 16.5L13.5 16.5L13.5 23.5L6.5 23.5Z");
    }

    fn ticks(values: [f64; 2]) -> Vec<String> {
        Axis::over(values, [0.0, 100.0]).ticks().map(|tick| format!("{tick:.3}")).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_all_values() {
        assert_eq!(ticks([0.41, 0.607]), ["0.400", "0.450", "0.500", "0.550", "0.600", "0.650"]);
        assert_eq!(ticks([0.0, 1.0]), ["0.000", "0.200", "0.400", "0.600", "0.800", "1.000"]);
        assert_eq!(
            ticks([-0.012, 0.003]),
            ["-0.012", "-0.010", "-0.008", "-0.006", "-0.004", "-0.002", "0.000", "0.002", "0.004"]
        );
    }

    #[test]
    fn values_that_are_all_the_same_have_an_axis() {
        let axis = Axis::over([0.5, 0.5], [0.0, 100.0]);
        assert!((axis.place(0.5) - 50.0).abs() < 10.0, "{axis:?}");
        assert_eq!(Axis::over([], [0.0, 1.0]).place(1.0), 1.0);
        assert_eq!(Axis::over([f64::NAN], [0.0, 1.0]).place(1.0), 1.0);
    }

    #[test]
    fn labels_have_the_digits_that_tell_them_apart() {
        let axis = Axis::over([0.41, 0.607], [0.0, 100.0]);
        let labels: Vec<String> = axis
            .below([0.0, 10.0], 100.0, "%")
            .into_iter()
            .filter_map(|mark| if let Mark::Label { text, .. } = mark { Some(text) } else { None })
            .collect();
        assert_eq!(labels, ["40%", "45%", "50%", "55%", "60%", "65%"]);
    }
}
