//! In: positions. Out: marks to draw there. Next: the template.

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
}
