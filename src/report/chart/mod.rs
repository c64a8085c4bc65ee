//! Charts of a report as SVG.
//!
//! They are narrow enough for a phone, and colour never carries information alone. They are written here instead of by a
//! plotting crate, so that the same elements follow the page's dark mode, stay text for screen readers, and print on
//! white. Each element has the look of its class as attributes, which every program understands; in a page, the style
//! sheet overrides them.

mod look;
mod pairs;
mod ranking;
mod systems;

use std::fmt::{self, Display, Write};

use askama::Template;
use askama::filters::Escaper;

use super::systems::Role;
use super::template::{Visible, rendered};
use crate::error::Result;
pub(super) use pairs::{CalibrationAxes, breakdown, calibration, coverage, learning};
pub(super) use ranking::{power, win_rates, wins};
pub(super) use systems::{ablation, accuracy, confusion, families, matrix};

/// The longest name beside a row, in characters; it fits into [`NAMES`] pixels in wide fonts, too.
const MAX_NAME: usize = 17;

/// The width of names beside rows.
const NAMES: f64 = 132.0;

/// The width of all charts but large grids.
const WIDTH: f64 = 440.0;

/// The width of a digit of a tick in wide fonts.
const DIGIT: f64 = 7.0;

/// The height above the first row.
const TOP: f64 = 6.0;

/// The height of a row.
const ROW: f64 = 18.0;

/// A chart, to which elements are added at positions; `class` is an element's CSS class. In a page it is a figure with its
/// title as caption, unless that is the heading already.
#[derive(Debug, Clone, PartialEq, Template)]
#[template(path = "chart.svg")]
pub struct Chart {
    /// The name of its file and of its figure in the page.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// How to read it, below it on a page; may be empty.
    pub note: String,
    /// Where it is shown.
    pub view: View,
    /// A description for screen readers.
    description: String,
    width: f64,
    height: f64,
    /// The elements as SVG.
    elements: String,
    /// Whether it is a file of its own, instead of a figure in a page.
    is_alone: bool,
    /// Whether the figure has its title as caption.
    is_titled: bool,
}

/// Where a chart is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// On the page, and in a file.
    Open,
    /// On the page on request, and in a file.
    Folded,
    /// The most relevant part of a folded chart, only on the page.
    Extract,
}

/// A length or position with at most two decimals.
fn px(length: f64) -> f64 {
    // Adding 0.0 avoids -0.0.
    (length * 100.0).round() / 100.0 + 0.0
}

/// The part of a text that is at its position.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// The shape of a point.
#[derive(Clone, Copy)]
enum Shape {
    Circle,
    Square,
    Diamond,
    Triangle,
}

/// The shape and class of the points of systems with a role.
fn look(role: Role) -> (Shape, &'static str) {
    match role {
        Role::Subject => (Shape::Diamond, "judge"),
        Role::BestMetric => (Shape::Square, "rival"),
        Role::Baseline => (Shape::Triangle, "baseline"),
        Role::Majority | Role::Metric | Role::Learner | Role::Human => (Shape::Circle, "metric"),
    }
}

/// The vertical middles of rows.
fn middles() -> impl Iterator<Item = f64> {
    (0..).map(|row| TOP + ROW * (f64::from(row) + 0.5))
}

impl Chart {
    /// A chart without elements.
    pub(super) fn new(name: &'static str, title: impl Into<String>, height: f64) -> Self {
        let (description, elements) = (String::new(), String::new());
        let (is_alone, is_titled) = (false, true);
        let (title, note, view) = (title.into(), String::new(), View::Open);
        Self { name, title, note, view, description, width: WIDTH, height, elements, is_alone, is_titled }
    }

    /// Sets how to read it.
    pub(super) fn noted(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Sets where it is shown.
    pub(super) fn viewed(self, view: View) -> Self {
        Self { view, ..self }
    }

    /// Whether there is something to show.
    pub fn has_data(&self) -> bool {
        !self.elements.is_empty()
    }

    fn described(self, description: String) -> Self {
        Self { description, ..self }
    }

    /// Its width and height, magnified.
    fn size(&self, times: f64) -> [f64; 2] {
        [self.width, self.height].map(|length| px(times * length))
    }

    /// Whether a page has to scroll it.
    fn is_wide(&self) -> bool {
        self.width > WIDTH
    }

    /// The SVG as a separate file, one and a half times as large.
    ///
    /// # Errors
    /// The template cannot be rendered.
    pub fn alone(&self) -> Result<String> {
        rendered(&Self { is_alone: true, ..self.clone() })
    }

    /// The figure in a section with that heading, which does not repeat it.
    pub(super) fn under(&self, heading: &str) -> Self {
        Self { is_titled: self.title != heading, ..self.clone() }
    }

    /// The colour behind a file of its own.
    fn paper(&self) -> &'static str {
        look::colour("back")
    }

    fn add(&mut self, element: fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.elements.write_fmt(element);
        self.elements.push('\n');
    }

    fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(px);
        let class = look::attributes("line", class);
        self.add(format_args!(r#"<line {class} x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// A line through points.
    fn polyline(&mut self, points: &[[f64; 2]], class: &str) {
        let class = look::attributes("path", class);
        self.add(format_args!(r#"<path {class} d="{}"/>"#, steps(points)));
    }

    /// A point of a shape.
    fn point(&mut self, [x, y]: [f64; 2], (shape, class): (Shape, &str)) {
        let class = look::attributes("path", class);
        let corners: &[[f64; 2]] = match shape {
            Shape::Circle => {
                let [x, y] = [px(x - 3.5), px(y)];
                let circle = format!("M{x} {y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z");
                return self.add(format_args!(r#"<path {class} d="{circle}"/>"#));
            }
            Shape::Square => &[[-3.5, -3.5], [3.5, -3.5], [3.5, 3.5], [-3.5, 3.5]],
            Shape::Diamond => &[[0.0, -5.5], [5.5, 0.0], [0.0, 5.5], [-5.5, 0.0]],
            Shape::Triangle => &[[0.0, -5.0], [5.0, 4.0], [-5.0, 4.0]],
        };
        let points: Vec<[f64; 2]> = corners.iter().map(|[across, down]| [x + across, y + down]).collect();
        self.add(format_args!(r#"<path {class} d="{}Z"/>"#, steps(&points)));
    }

    /// A point on a line between the ends of its interval.
    fn estimate(&mut self, at: [f64; 2], [low, high]: [[f64; 2]; 2], look: (Shape, &str)) {
        self.line(low, high, look.1);
        self.point(at, look);
    }

    /// A filled rectangle with an opacity from 0 to 1.
    fn area(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], opacity: f64, class: &str) {
        let [x, y, width, height, opacity] = [x, y, width, height, opacity].map(px);
        let class = look::attributes("rect", class);
        self.add(format_args!(
            r#"<rect {class} x="{x}" y="{y}" width="{width}" height="{height}" fill-opacity="{opacity}"/>"#
        ));
    }

    /// A text, vertically centred at the given height.
    fn label(&mut self, [x, y]: [f64; 2], text: impl Display, anchor: Anchor, class: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let ([x, y], mut escaped) = ([x, y].map(px), String::new());
        let class = look::attributes("text", class);
        // Writing to a String cannot fail.
        let _ = Visible.write_escaped_str(&mut escaped, &text.to_string());
        self.add(format_args!(r#"<text {class} x="{x}" y="{y}" text-anchor="{anchor}" dy="0.35em">{escaped}</text>"#));
    }

    /// Vertical grid lines between two heights, with their values below, in per cent: every value, or every second, or
    /// as few as stand apart.
    fn ticks_below(&mut self, axis: &Axis, [top, bottom]: [f64; 2], unit: &str) {
        let ticks: Vec<(f64, String)> = axis.ticks().map(|(x, value)| (x, value + unit)).collect();
        let every = labelled_every(&ticks);
        for (at, (x, label)) in ticks.into_iter().enumerate() {
            self.line([x, top], [x, bottom], "grid");
            if at.is_multiple_of(every) {
                self.label([x, bottom + 11.0], label, Anchor::Middle, "tick");
            }
        }
    }

    /// Horizontal grid lines between two positions, with their values at the left, in per cent.
    fn ticks_left(&mut self, axis: &Axis, [left, right]: [f64; 2]) {
        for (y, value) in axis.ticks() {
            self.line([left, y], [right, y], "grid");
            self.label([left - 5.0, y], value + "%", Anchor::End, "tick");
        }
    }
}

/// How many ticks go to one label, so that the longest ones stand apart.
fn labelled_every(ticks: &[(f64, String)]) -> usize {
    let [(first, _), (second, _), ..] = ticks else { return 1 };
    let longest = ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let widest = DIGIT * (longest + 1) as f64;
    (widest / (second - first).abs()).ceil().max(1.0) as usize
}

fn steps(points: &[[f64; 2]]) -> String {
    let step = |(at, [x, y]): (usize, &[f64; 2])| format!("{}{} {}", if at == 0 { 'M' } else { 'L' }, px(*x), px(*y));
    points.iter().enumerate().map(step).collect()
}

/// A linear scale of shares, which are shown in per cent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Axis {
    from: f64,
    to: f64,
    /// The positions of both ends.
    places: [f64; 2],
    step: f64,
}

impl Axis {
    /// An axis over the range of `values`, widened to round ones, between the positions `places`.
    fn over(values: impl IntoIterator<Item = f64>, places: [f64; 2]) -> Self {
        let start = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.into_iter().fold(start, |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        let (low, high) = if high - low < 1e-9 { (low - 0.005, high + 0.005) } else { (low, high) };
        let step = round_step(high - low);
        Self { from: (low / step).floor() * step, to: (high / step).ceil() * step, places, step }
    }

    /// The position of a value.
    fn place(&self, value: f64) -> f64 {
        let [start, end] = self.places;
        start + (value - self.from) / (self.to - self.from) * (end - start)
    }

    /// The positions of the round values from end to end, each with the value in per cent, with as many decimals as tell
    /// them apart.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.to - self.from) / self.step).round() as usize;
        let is_whole = |number: f64| (number - number.round()).abs() < 1e-6;
        let digits = (0..6).find(|&digits| is_whole(100.0 * self.step * 10_f64.powi(digits))).unwrap_or(6) as usize;
        (0..=count).map(move |at| {
            // Adding 0.0 avoids -0.0.
            let value = self.from + at as f64 * self.step + 0.0;
            (self.place(value), format!("{:.digits$}", 100.0 * value))
        })
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
        assert_eq!([1.0, -0.001, 2.345_67, 0.1 + 0.2].map(|number| px(number).to_string()), ["1", "0", "2.35", "0.3"]);
    }

    #[test]
    fn points_are_closed_paths_and_texts_are_escaped() {
        let mut chart = Chart::new("x", "", 1.0);
        chart.point([10.0, 20.0], (Shape::Square, "a"));
        chart.label([1.0, 2.0], "<b>\0", Anchor::End, "b");
        let path = "<path class=\"a\" d=\"M6.5 16.5L13.5 16.5L13.5 23.5L6.5 23.5Z\"/>\n";
        let text = "<text class=\"b\" fill=\"#1a1d21\" font-size=\"11.5px\" x=\"1\" y=\"2\" text-anchor=\"end\" \
                    dy=\"0.35em\">&#60;b&#62;␀</text>\n";
        assert_eq!(chart.elements, [path, text].concat());
    }

    fn ticks(values: [f64; 2]) -> Vec<String> {
        Axis::over(values, [0.0, 100.0]).ticks().map(|(_, value)| value).collect()
    }

    #[test]
    fn labels_of_ticks_stand_apart() {
        let places = |from: f64, to: f64, width: f64| {
            let axis = Axis::over([from, to], [0.0, width]);
            let ticks: Vec<_> = axis.ticks().map(|(x, value)| (x, value + "%")).collect();
            let every = labelled_every(&ticks);
            let shown: Vec<(f64, String)> = ticks.into_iter().step_by(every).collect();
            let apart = |pair: &[(f64, String)]| pair[1].0 - pair[0].0 >= DIGIT * pair[1].1.len() as f64;
            assert!(shown.windows(2).all(apart), "{shown:?}");
            shown.len()
        };
        assert_eq!([places(0.41, 0.607, 254.0), places(0.0, 1.0, 380.0)], [6, 6]);
        // Nine values of one decimal do not fit.
        assert_eq!(places(-0.012, 0.003, 254.0), 5);
    }

    #[test]
    fn ticks_are_round_told_apart_and_hold_all_values() {
        assert_eq!(ticks([0.41, 0.607]), ["40", "45", "50", "55", "60", "65"]);
        assert_eq!(ticks([0.0, 1.0]), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(ticks([-0.012, 0.003]), ["-1.2", "-1.0", "-0.8", "-0.6", "-0.4", "-0.2", "0.0", "0.2", "0.4"]);
    }

    #[test]
    fn values_that_are_all_the_same_have_an_axis() {
        let axis = Axis::over([0.5, 0.5], [0.0, 100.0]);
        assert!((axis.place(0.5) - 50.0).abs() < 10.0, "{axis:?}");
        assert_eq!(Axis::over([], [0.0, 1.0]).place(1.0), 1.0);
        assert_eq!(Axis::over([f64::NAN], [0.0, 1.0]).place(1.0), 1.0);
    }
}
