//! Scores of several hypotheses of one sentence become preferences: every two hypotheses are a pair.
//!
//! Which of the two comes first depends on a hash of their texts: files are often sorted from best to worst, and pairs
//! in that order would all have the same label.

use std::collections::HashSet;
use std::sync::Arc;

use super::import::{ExpectedPairs, Importer, PairShape};
use super::order::is_swapped;
use super::score_table::{HYPOTHESIS, REFERENCE};
use super::summary::ImportSummary;
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Input, Output};
use crate::judgments::{ExternalScore, Pair, Verdict};
use crate::options::{OptionSpec, Options, Value};

/// Scores that differ by less than this are a tie.
pub(crate) const fn margin(default: &'static str, help: &'static str) -> OptionSpec {
    let value = Value::One { placeholder: "POINTS", default: Some(default), check: check_margin };
    OptionSpec { name: "margin", value, help }
}

/// Whether ties are kept or dropped.
pub(crate) const fn ties(default: &'static str) -> OptionSpec {
    let value = Value::One { placeholder: "RULE", default: Some(default), check: check_ties };
    OptionSpec { name: "human-ties", value, help: "Human ties: keep them, as pairs with the label 0, or drop them" }
}

/// Whether the difference of the scores becomes the weight.
pub(crate) const WEIGH: OptionSpec = OptionSpec::switch("score-weights", "Weight each pair by its score difference");

/// Whether the lowest rank or score is the best.
pub const LOWEST_IS_BEST: OptionSpec = OptionSpec::switch("lowest-is-best", "The lowest rank or score is the best");

fn check_margin(text: &str) -> std::result::Result<(), String> {
    let is_right = |margin: f64| margin.is_finite() && margin >= 0.0;
    if text.parse().is_ok_and(is_right) { Ok(()) } else { Err("expected a number of 0 or more".to_owned()) }
}

fn check_ties(text: &str) -> std::result::Result<(), String> {
    if ["keep", "drop"].contains(&text) { Ok(()) } else { Err("expected keep or drop".to_owned()) }
}

/// How two scores become a label and a weight.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Preference {
    /// Smaller differences are ties; at 0, only equal scores are.
    pub margin: f64,
    /// Whether the difference becomes the pair's weight.
    pub weigh: bool,
    /// Whether the lower score is better.
    pub lowest_is_best: bool,
}

/// Tolerance for the rounding error in sums of decimal fractions.
const ROUNDING: f64 = 1e-9;

impl Preference {
    /// Reads a format's own option `margin`, and the options that formats share.
    pub(crate) fn from_options(options: &Options, margin: Option<&OptionSpec>) -> Result<Self> {
        let margin = margin.map(|margin| options.parse(margin)).transpose()?.flatten().unwrap_or(0.0);
        Ok(Self { margin, weigh: options.is_given(&WEIGH), lowest_is_best: options.is_given(&LOWEST_IS_BEST) })
    }

    /// The verdict on two scores.
    pub fn verdict(&self, first: f64, second: f64) -> Verdict {
        let difference = (first - second).abs();
        if difference < ROUNDING || difference < self.margin - ROUNDING {
            Verdict::Tie
        } else if self.lowest_is_best {
            Verdict::compare(second, first)
        } else {
            Verdict::compare(first, second)
        }
    }

    /// The weight of a pair with these scores, if weights are asked for: the absolute difference, or 1 for a tie.
    pub fn weight(&self, first: f64, second: f64) -> Option<f64> {
        let weight = if self.verdict(first, second) == Verdict::Tie { 1.0 } else { (first - second).abs() };
        self.weigh.then_some(weight)
    }
}

/// A sentence, or a longer text, with several hypotheses that people compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Segment {
    /// Its name; the group of its pairs.
    pub id: String,
    /// At least one.
    pub references: Vec<String>,
    /// What the hypotheses translate, if that is known.
    pub source: Option<String>,
    /// The hypotheses that people judged.
    pub hypotheses: Vec<Hypothesis>,
    /// The line at which it begins in the file.
    pub line: usize,
}

/// The value of a metric, with its name.
pub type NamedValue = (Arc<str>, f64);

/// A hypothesis with its human score.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// The system, or the position among the segment's hypotheses.
    pub name: String,
    /// The text.
    pub text: String,
    /// Higher is better, unless the user says otherwise; `None` if it was not judged, and then it is in no pair.
    pub score: Option<f64>,
    /// The annotators, where they are known; an empty name is one who is not.
    pub annotators: Vec<String>,
    /// The values of metrics of other programs, the same ones for all hypotheses.
    pub own: Vec<NamedValue>,
}

impl Segment {
    /// The pair of two hypotheses; `None` if one has no score, and for two outputs of one system.
    ///
    /// # Errors
    /// The difference of the scores is not finite.
    fn pair(
        &self,
        [a, b]: [usize; 2],
        preference: &Preference,
        source_name: &str,
        summary: &mut ImportSummary,
    ) -> Result<Option<Pair>> {
        let [a, b] = [a, b].map(|position| &self.hypotheses[position]);
        let [first, second] = if is_swapped(&self.id, &a.text, &b.text) { [b, a] } else { [a, b] };
        let (Some(one), Some(other)) = (first.score, second.score) else { return Ok(None) };
        if first.name == second.name && first.text == second.text {
            summary.drop_pair("both outputs come from the same system");
            return Ok(None);
        }
        if !(one - other).is_finite() {
            let (place, found) = (format!("{source_name}:{}", self.line), format!("{one:e} and {other:e}"));
            let expected = format!("scores with a finite difference in segment {}", quoted(&self.id));
            return Err(Error::invalid(place, expected, found, ""));
        }
        let scores = [one, other];
        let label = preference.verdict(scores[0], scores[1]);
        let mut annotators: Vec<String> = a.annotators.iter().chain(&b.annotators).cloned().collect();
        annotators.sort_unstable();
        annotators.dedup();
        // Where one is unknown, nobody can be named as the only one.
        if annotators.first().is_some_and(String::is_empty) {
            annotators.clear();
        }
        let of_both = |((name, one), (_, other)): (&NamedValue, &NamedValue)| ExternalScore {
            name: Arc::clone(name),
            values: [*one, *other],
        };
        Ok(Some(Pair {
            label: Some(label),
            id: Some(format!("{}:{}-{}", self.id, first.name, second.name)),
            group: Some(self.id.clone()),
            source: self.source.clone(),
            annotators,
            systems: (is_system(&first.name) && is_system(&second.name))
                .then(|| [first, second].map(|one| one.name.clone())),
            weight: preference.weight(scores[0], scores[1]),
            own: std::iter::zip(&first.own, &second.own).map(of_both).collect(),
            line: self.line,
            ..Pair::new([first.text.clone(), second.text.clone()], self.references.clone())
        }))
    }
}

/// Whether a name is that of a system, and not the position of a hypothesis.
fn is_system(name: &str) -> bool {
    !name.is_empty() && name.bytes().any(|byte| !byte.is_ascii_digit())
}

/// Pairs every two hypotheses of each segment that `next_segment` reads; rows are counted in the summary.
pub(crate) fn pairs_of_segments(
    input: &Input,
    preference: Preference,
    references: usize,
    mut next_segment: impl FnMut(&mut ImportSummary) -> Result<Option<Segment>> + Send + 'static,
) -> Importer {
    let (source_name, mut segment) = (input.to_string(), Segment::default());
    let mut positions: Box<dyn Iterator<Item = [usize; 2]> + Send> = Box::new(std::iter::empty());
    Importer::new(PairShape::of_references(references), move |summary| {
        loop {
            let pair = positions.find_map(|two| segment.pair(two, &preference, &source_name, summary).transpose());
            if pair.is_some() {
                return pair.transpose();
            }
            let Some(next) = next_segment(summary)? else { return Ok(None) };
            let count = next.hypotheses.len();
            positions = Box::new((0..count).flat_map(move |a| (a + 1..count).map(move |b| [a, b])));
            segment = next;
        }
    })
}

/// The segments of a file that was read as a whole, since the rows of a segment may be anywhere in it.
#[derive(Debug, Clone, Default)]
pub struct ScoredSegments {
    /// In the order in which they begin.
    pub segments: Vec<Segment>,
    /// What was read and dropped.
    pub summary: ImportSummary,
}

impl ScoredSegments {
    /// The pairs of all segments.
    pub(crate) fn pairs(self, input: &Input, preference: Preference) -> Importer {
        let references = self.segments.iter().map(|segment| segment.references.len()).max().unwrap_or(1);
        let judged = |segment: &Segment| segment.hypotheses.iter().filter(|system| system.score.is_some()).count();
        let counts: Vec<usize> = self.segments.iter().map(judged).collect();
        let has_systems = self.systems().into_iter().any(is_system);
        let has_sources = self.has_sources();
        let mut segments = self.segments.into_iter();
        let mut pairs = pairs_of_segments(input, preference, references, move |_| Ok(segments.next()));
        pairs.summary = self.summary;
        (pairs.shape.has_systems, pairs.shape.has_sources) = (has_systems, has_sources);
        pairs.expected = Some(ExpectedPairs {
            pairs: counts.iter().map(|count| count * count.saturating_sub(1) / 2).sum(),
            largest_segment: counts.into_iter().max().unwrap_or(0),
        });
        pairs
    }

    /// The names of all systems.
    pub(crate) fn systems(&self) -> HashSet<&str> {
        self.segments.iter().flat_map(|segment| &segment.hypotheses).map(|system| system.name.as_str()).collect()
    }

    fn has_sources(&self) -> bool {
        self.segments.iter().any(|segment| segment.source.is_some())
    }

    /// Only the segments that every system translated: on others, a metric cannot compare all systems.
    pub(crate) fn complete(mut self) -> Self {
        let systems = self.systems().len();
        let is_incomplete = |segment: &&Segment| (1..systems).contains(&segment.hypotheses.len());
        let mut incomplete = self.segments.iter().filter(is_incomplete);
        if let Some(first) = incomplete.next() {
            self.summary.notes.push(format!(
                "skipped {}, for which a system's text is missing, such as {}",
                pluralized(1 + incomplete.count(), "segment"),
                quoted(&first.id)
            ));
        }
        self.segments.retain(|segment| segment.hypotheses.len() == systems);
        self
    }

    /// Writes the columns `system`, `segment`, `hyp`, `ref`, further references `ref2`, ..., `src` if it is known, and `score`, which
    /// [`ScoreTable`](super::score_table::ScoreTable) reads.
    ///
    /// # Errors
    /// There is no text; this kind of table cannot hold one of them; the disk is full.
    pub fn write(&self, output: Output, kind: TableKind) -> Result<()> {
        if self.segments.is_empty() {
            let found = format!("none in {}", pluralized(self.summary.rows_read, "row"));
            let advice = "check that the right files and folders were named";
            return Err(Error::invalid(output.place(), "a segment that every system translated", found, advice));
        }
        let most = self.segments.iter().map(|segment| segment.references.len()).max().unwrap_or(1);
        let further: Vec<String> = (2..=most).map(|number| format!("{REFERENCE}{number}")).collect();
        let names = ["system", "segment", HYPOTHESIS, REFERENCE].into_iter().chain(further.iter().map(String::as_str));
        let mut columns: Vec<(&str, CellKind)> = names.map(|name| (name, CellKind::Text)).collect();
        let source = self.has_sources().then_some(("src", CellKind::Text));
        columns.extend(source.into_iter().chain([("score", CellKind::Number)]));
        let mut rows = RowWriter::begin(output, kind, &columns)?;
        for segment in &self.segments {
            for Hypothesis { name, text, score, .. } in &segment.hypotheses {
                let mut cells = [name, &segment.id, text].map(|text| Cell::Text(text)).to_vec();
                cells.extend(segment.references.iter().map(|text| Cell::Text(text)));
                cells.resize(3 + most, Cell::Empty);
                cells.extend(source.map(|_| segment.source.as_deref().map_or(Cell::Empty, Cell::Text)));
                cells.push(score.map_or(Cell::Empty, Cell::Number));
                rows.write(&cells)?;
            }
        }
        rows.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_below_the_margin_are_ties_and_others_weights_if_asked_for() {
        let preference = Preference { margin: 1.0, ..Preference::default() };
        assert_eq!(preference.verdict(-1.0, -1.9), Verdict::Tie);
        assert_eq!(preference.verdict(-0.1, -1.1), Verdict::First);
        assert_eq!(preference.verdict(-1.1, -0.1), Verdict::Second);
        assert_eq!(Preference::default().verdict(0.1 + 0.2, 0.3), Verdict::Tie);
        assert_eq!(Preference::default().verdict(0.1, 0.2), Verdict::Second);
        let turned = Preference { lowest_is_best: true, ..preference };
        assert_eq!([turned.verdict(1.0, 2.0), turned.verdict(1.0, 1.5)], [Verdict::First, Verdict::Tie]);
        let weighed = Preference { weigh: true, ..preference };
        assert_eq!([weighed.weight(-5.0, -1.0), weighed.weight(-1.5, -1.0)], [Some(4.0), Some(1.0)]);
        assert_eq!(preference.weight(-5.0, -1.0), None);
    }

    fn pairs(scores: &[f64], preference: Preference) -> Vec<Pair> {
        let hypothesis = |(number, &score): (usize, &f64)| Hypothesis {
            name: number.to_string(),
            text: format!("text {number}"),
            score: Some(score),
            annotators: vec![format!("judge {}", number % 2)],
            own: Vec::new(),
        };
        let hypotheses = scores.iter().enumerate().map(hypothesis).collect();
        let segment = Segment { id: "7".into(), references: vec!["r".into()], source: None, hypotheses, line: 3 };
        let segments = ScoredSegments { segments: vec![segment], ..ScoredSegments::default() };
        segments.pairs(&Input::Stdin, preference).map(Result::unwrap).collect()
    }

    #[test]
    fn every_two_hypotheses_are_a_pair() {
        let scores = [1.0, 2.0, 2.0, 0.0];
        let all = pairs(&scores, Preference::default());
        assert_eq!(all.len(), 6);
        for pair in &all {
            let [first, second] =
                [0, 1].map(|side: usize| scores[pair.hypotheses[side][5..].parse::<usize>().unwrap()]);
            assert_eq!(pair.label, Some(Verdict::compare(first, second)));
        }
        assert_eq!((all[0].group.as_deref(), all[0].annotators.join(";")), (Some("7"), "judge 0;judge 1".to_owned()));
    }

    #[test]
    fn segments_that_a_system_lacks_are_left_out() {
        let segment = |id: &str, systems: &[&str]| Segment {
            id: id.into(),
            hypotheses: systems
                .iter()
                .map(|&name| Hypothesis {
                    name: name.into(),
                    text: "h".into(),
                    score: None,
                    annotators: Vec::new(),
                    own: Vec::new(),
                })
                .collect(),
            ..Segment::default()
        };
        let segments = vec![segment("1", &["A", "B"]), segment("2", &["A"]), segment("3", &["A", "B"])];
        let complete = ScoredSegments { segments, ..ScoredSegments::default() }.complete();
        assert_eq!(complete.segments.iter().map(|segment| segment.id.as_str()).collect::<String>(), "13");
        let note = &complete.summary.notes[0];
        assert!(note.starts_with("skipped 1 segment, ") && note.ends_with("'2'"), "{note}");
    }
}
