//! In: the contributions of families. Out: a table with bars towards the side of the hypothesis that each favours.

use super::super::{Explanation, FamilyContribution, FeatureContribution};
use super::{Sheet, short, style_of};
use crate::error::truncated;
use crate::report::paint::DIM;
use crate::report::text::{columns_of, cut, padded};

/// The most families shown.
const FAMILIES: usize = 8;

/// The most features shown for a family.
const FEATURES: usize = 2;

/// Families and features whose absolute contribution is at most this share of the total are not shown.
const SHARE: f64 = 0.02;

/// The width of values and contributions in columns.
const NUMBER: usize = 9;

/// The least width of the sheet that has room for both values.
const VALUES: usize = 60;

/// The longest bar in columns.
const LONGEST: usize = 24;

/// The heading above the bars of the first hypothesis, which also sets the least bar width.
const SIDE: &str = "for hyp1";

/// The number of columns around bars.
const AROUND: usize = 4;

/// A line of the table.
struct Line {
    name: String,
    values: Option<[f64; 2]>,
    contribution: f64,
    /// True for families; features are listed below their family without a bar.
    has_bar: bool,
    is_clipped: bool,
}

/// The table of contributions, the largest first, or a sentence if all are 0.
pub(super) fn table(explanation: &Explanation, sheet: Sheet) -> String {
    let families = &explanation.families;
    let all: f64 = families.iter().map(|family| family.contribution.abs()).sum();
    if all == 0.0 {
        return sheet.paragraph("No feature favours either hypothesis.");
    }
    let is_shown = |family: &&FamilyContribution| family.contribution.abs() > SHARE * all;
    let shown: Vec<&FamilyContribution> = families.iter().filter(is_shown).take(FAMILIES).collect();
    let mut lines: Vec<Line> = shown.iter().flat_map(|family| lines_of(family)).collect();
    let others = &families[shown.len()..];
    if !others.is_empty() {
        let contribution = others.iter().map(|family| family.contribution).sum();
        let name = if others.len() == 1 { "1 other".to_owned() } else { format!("{} others", others.len()) };
        lines.push(Line { name, values: None, contribution, has_bar: true, is_clipped: false });
    }
    let layout = Layout::new(&lines, sheet);
    let mut text = layout.header();
    text.extend(lines.iter().map(|line| layout.line(line)));
    text += &layout.sum(explanation.preference);
    if lines.iter().any(|line| line.is_clipped) {
        text += &(sheet.paint.apply(DIM, "^ the difference is clipped") + "\n");
    }
    text
}

/// The line of a family and those of its largest features; a family with a single feature is one line.
fn lines_of(family: &FamilyContribution) -> Vec<Line> {
    let name = |name: &str| truncated(name);
    if let [only] = family.features.as_slice() {
        return vec![Line { has_bar: true, name: name(&family.name), ..line_of(only) }];
    }
    let all: f64 = family.features.iter().map(|feature| feature.contribution.abs()).sum();
    let is_shown = |feature: &&FeatureContribution| feature.contribution.abs() > SHARE * all;
    let features = family.features.iter().filter(is_shown).take(FEATURES).map(line_of);
    let contribution = family.contribution;
    let whole = Line { name: name(&family.name), values: None, contribution, has_bar: true, is_clipped: false };
    std::iter::once(whole).chain(features).collect()
}

fn line_of(feature: &FeatureContribution) -> Line {
    Line {
        name: format!("  {}", truncated(&feature.name)),
        values: Some(feature.values),
        contribution: feature.contribution,
        has_bar: false,
        is_clipped: feature.is_clipped,
    }
}

/// The columns of the table: name, both values, contribution, bar.
struct Layout {
    sheet: Sheet,
    name: usize,
    has_values: bool,
    /// The longest bar to either side, in columns; 0 if there is no room.
    bar: usize,
    largest: f64,
}

impl Layout {
    fn new(lines: &[Line], sheet: Sheet) -> Self {
        let widest = lines.iter().map(|line| columns_of(&line.name)).max().unwrap_or(0);
        let has_values = sheet.width >= VALUES;
        let numbers = if has_values { 3 } else { 1 } * (NUMBER + 1) + 1;
        let name = widest.max("preference".len()).min(sheet.width - numbers);
        let bar = (sheet.width.saturating_sub(name + numbers + AROUND) / 2).min(LONGEST);
        let largest = lines.iter().filter(|line| line.has_bar).map(|line| line.contribution.abs()).fold(0.0, f64::max);
        Self { sheet, name, has_values, bar: if bar < SIDE.len() { 0 } else { bar }, largest }
    }

    fn header(&self) -> String {
        let columns: &[&str] = if self.has_values { &["hyp1", "hyp2", "adds"] } else { &["adds"] };
        let cells: String = columns.iter().map(|cell| format!(" {cell:>NUMBER$}")).collect();
        let header = format!("{:1$}{cells}", "", self.name);
        if self.bar == 0 {
            return self.sheet.heading(&header);
        }
        self.sheet.heading(&format!("{header}  {SIDE:>0$} | for hyp2", self.bar))
    }

    fn line(&self, line: &Line) -> String {
        let values = line.values.map_or([String::new(), String::new()], |values| values.map(short));
        let values: String = values.iter().map(|value| format!(" {value:>NUMBER$}")).collect();
        let values = if self.has_values { values } else { String::new() };
        let name = padded(&cut(&line.name, self.name), self.name);
        let name = if line.has_bar { name } else { self.sheet.paint.apply(DIM, name) };
        let mark = if line.is_clipped { "^" } else { " " };
        let text = format!("{name}{values} {:>+NUMBER$.3}{mark}", line.contribution);
        let bar = if line.has_bar { self.bar(line.contribution) } else { String::new() };
        (text + &bar).trim_end().to_owned() + "\n"
    }

    /// A bar from the middle towards the favoured hypothesis.
    fn bar(&self, contribution: f64) -> String {
        if self.bar == 0 || self.largest == 0.0 {
            return String::new();
        }
        // The length in half columns.
        let halves = (2.0 * self.bar as f64 * contribution.abs() / self.largest).round() as usize;
        let (whole, half) = (halves / 2, halves % 2);
        let paint = self.sheet.paint;
        if halves == 0 {
            format!(" {} |", " ".repeat(self.bar))
        } else if contribution > 0.0 {
            let bar = "▐".repeat(half) + &"█".repeat(whole);
            format!(" {}{} |", " ".repeat(self.bar - whole - half), paint.apply(style_of(0), bar))
        } else {
            let bar = "█".repeat(whole) + &"▌".repeat(half);
            format!(" {} | {}", " ".repeat(self.bar), paint.apply(style_of(1), bar))
        }
    }

    fn sum(&self, preference: f64) -> String {
        let blanks = " ".repeat(if self.has_values { 2 * (NUMBER + 1) } else { 0 });
        let side = if preference > 0.0 {
            "for hyp1"
        } else if preference < 0.0 {
            "for hyp2"
        } else {
            "for neither"
        };
        let text = format!("{:1$}{blanks} {preference:>+NUMBER$.3}", "preference", self.name);
        let told = format!("{text}  {side}");
        let fits = told.chars().count() <= self.sheet.width;
        self.sheet.heading(if fits { &told } else { &text })
    }
}
