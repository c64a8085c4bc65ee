//! The annotations of a file, by segment and system. In: annotations with their costs. Out: segments with scores. Next:
//! [`super::Mqm`].
//!
//! Raters may correct a target in place: the text that most rows have then counts as the system's.

use std::collections::HashMap;

use super::annotation::Annotation;
use crate::error::{Error, Result, pluralized, quoted};
use crate::formats::account::Account;
use crate::formats::importer::{Hypothesis, Segment};
use crate::judgments::shared_words::overlap;

/// All rows by segment and system, in order of first occurrence.
#[derive(Default)]
pub(super) struct Study {
    pub(super) segments: Vec<Annotated>,
    places: HashMap<String, usize>,
}

/// A segment with its systems' translations.
pub(super) struct Annotated {
    id: String,
    line: usize,
    pub(super) systems: Vec<System>,
}

/// A translation with the penalty that each rater gave it.
pub(super) struct System {
    pub(super) name: String,
    /// All variants of its target.
    targets: Vec<Target>,
    raters: Vec<(String, f64)>,
    rows: usize,
}

/// A variant of a target.
struct Target {
    text: String,
    rows: usize,
    /// The first line that has it.
    line: usize,
}

/// Two texts that share a smaller fraction of their words are different sentences, not one sentence and its correction.
const SAME_SENTENCE: f64 = 0.5;

impl Study {
    pub(super) fn add(&mut self, row: Annotation, cost: f64) {
        let next = self.segments.len();
        let at = *self.places.entry(row.segment.clone()).or_insert(next);
        if at == next {
            self.segments.push(Annotated { id: row.segment.clone(), line: row.line, systems: Vec::new() });
        }
        let systems = &mut self.segments[at].systems;
        let known = systems.iter().position(|system| system.name == row.system);
        let known = known.unwrap_or_else(|| {
            systems.push(System { name: row.system, targets: Vec::new(), raters: Vec::new(), rows: 0 });
            systems.len() - 1
        });
        let system = &mut systems[known];
        system.rows += 1;
        match system.targets.iter_mut().find(|target| target.text == row.text) {
            Some(target) => target.rows += 1,
            None => system.targets.push(Target { text: row.text, rows: 1, line: row.line }),
        }
        match system.raters.iter_mut().find(|(name, _)| *name == row.rater) {
            Some((_, sum)) => *sum += cost,
            None => system.raters.push((row.rater, cost)),
        }
    }

    /// A note on how many targets raters corrected, and how many rows differ from the system's text; `None` if none do.
    ///
    /// # Errors
    /// Most of these texts are other sentences: different segments have the same name.
    pub(super) fn corrected(&self, place: &str) -> Result<Option<String>> {
        let systems = self.segments.iter().flat_map(|segment| segment.systems.iter().map(move |one| (segment, one)));
        let (mut targets, mut rows, mut others) = (0, 0, Vec::new());
        for (segment, system) in systems.filter(|(_, system)| system.targets.len() > 1) {
            let text = system.text();
            targets += 1;
            let another = || system.targets.iter().filter(|target| target.text != text);
            rows += another().map(|target| target.rows).sum::<usize>();
            let other = another().find(|target| overlap(&target.text, text) < SAME_SENTENCE);
            others.extend(other.map(|target| two_texts(segment, system, target.line, place)));
        }
        if 2 * others.len() > targets {
            return others.into_iter().next().map_or(Ok(None), Err);
        }
        Ok((targets > 0).then(|| {
            format!(
                "raters corrected {} in {}: the most frequent text counts as the system's",
                pluralized(targets, "target"),
                pluralized(rows, "row")
            )
        }))
    }

    pub(super) fn systems(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flat_map(|segment| &segment.systems).map(|system| system.name.as_str())
    }
}

impl Annotated {
    /// The segment, with references separated from hypotheses; `None`, with its rows counted as dropped, if it has no
    /// reference.
    pub(super) fn judged(self, references: &[String], account: &mut Account) -> Option<Segment> {
        let named = |name: &String| self.systems.iter().find(|system| system.name == *name);
        let texts: Vec<String> = references.iter().filter_map(named).map(|system| system.text().to_owned()).collect();
        let (of_references, judged): (Vec<System>, Vec<System>) =
            self.systems.into_iter().partition(|system| references.contains(&system.name));
        let mut drop_rows = |systems: &[System], reason| {
            let rows = systems.iter().map(|system| system.rows).sum();
            account.drop_rows(rows, reason);
        };
        drop_rows(&of_references, "errors of the reference");
        if texts.is_empty() {
            drop_rows(&judged, "of a segment without a reference");
            return None;
        }
        if judged.len() == 1 {
            drop_rows(&judged, "of the only system of its segment");
        }
        let hypotheses = judged.into_iter().map(System::hypothesis).collect();
        Some(Segment { id: self.id, references: texts, hypotheses, line: self.line })
    }
}

impl System {
    /// The text that most rows have; the first of equals.
    fn text(&self) -> &str {
        let most = self.targets.iter().rev().max_by_key(|target| target.rows);
        most.map_or("", |target| &target.text)
    }

    /// Minus the mean penalty over raters; at most 0, and 0 for no errors.
    pub(super) fn score(&self) -> f64 {
        let sum: f64 = self.raters.iter().map(|(_, penalty)| penalty).sum();
        // The score without errors is 0, not -0.
        0.0 - sum / self.raters.len() as f64
    }

    fn hypothesis(self) -> Hypothesis {
        let (text, score) = (self.text().to_owned(), self.score());
        let judges = self.raters.into_iter().map(|(name, _)| name).collect();
        Hypothesis { name: self.name, text, score, judges }
    }
}

fn two_texts(segment: &Annotated, system: &System, line: usize, place: &str) -> Error {
    Error::invalid(
        format!("{place}:{line}"),
        format!("the target that system {} has elsewhere in segment {}", quoted(&system.name), quoted(&segment.id)),
        "another sentence",
        "give each segment a doc and seg_id of its own",
    )
}
