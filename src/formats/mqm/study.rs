//! The annotations of a file by segment and system. In: annotations with their costs. Out: segments with scores. Next:
//! [`super::Mqm`].

use std::collections::HashMap;

use super::annotation::Annotation;
use crate::error::{Error, Result, shown};
use crate::formats::account::Account;
use crate::formats::importer::{Hypothesis, Segment};

/// All rows, by segment and system, in the order in which they first come.
#[derive(Default)]
pub(super) struct Study {
    pub(super) segments: Vec<Annotated>,
    places: HashMap<String, usize>,
}

/// A segment with what its systems made of it.
pub(super) struct Annotated {
    id: String,
    line: usize,
    pub(super) systems: Vec<System>,
}

/// A translation with the penalties that each rater gave it.
pub(super) struct System {
    pub(super) name: String,
    text: String,
    raters: Vec<(String, f64)>,
    rows: usize,
}

impl Study {
    pub(super) fn add(&mut self, row: Annotation, cost: f64, place: &str) -> Result<()> {
        let next = self.segments.len();
        let at = *self.places.entry(row.segment.clone()).or_insert(next);
        if at == next {
            self.segments.push(Annotated { id: row.segment.clone(), line: row.line, systems: Vec::new() });
        }
        let systems = &mut self.segments[at].systems;
        let known = systems.iter().position(|system| system.name == row.system);
        let known = known.unwrap_or_else(|| {
            systems.push(System { name: row.system.clone(), text: row.text.clone(), raters: Vec::new(), rows: 0 });
            systems.len() - 1
        });
        let system = &mut systems[known];
        if system.text != row.text {
            return Err(two_texts(&row, place));
        }
        system.rows += 1;
        match system.raters.iter_mut().find(|(name, _)| *name == row.rater) {
            Some((_, sum)) => *sum += cost,
            None => system.raters.push((row.rater, cost)),
        }
        Ok(())
    }

    pub(super) fn systems(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flat_map(|segment| &segment.systems).map(|system| system.name.as_str())
    }
}

impl Annotated {
    /// The segment with its references apart from the hypotheses; none, with a note, where it has no reference.
    pub(super) fn judged(self, references: &[String], account: &mut Account) -> Option<Segment> {
        let named = |name: &String| self.systems.iter().find(|system| system.name == *name);
        let texts: Vec<String> = references.iter().filter_map(named).map(|system| system.text.clone()).collect();
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
    fn hypothesis(self) -> Hypothesis {
        let sum: f64 = self.raters.iter().map(|(_, penalty)| penalty).sum();
        let score = -sum / self.raters.len() as f64;
        let judges = self.raters.into_iter().map(|(name, _)| name).collect();
        Hypothesis { name: self.name, text: self.text, score, judges }
    }
}

fn two_texts(row: &Annotation, place: &str) -> Error {
    Error::invalid(
        format!("{place}:{}", row.line),
        format!("the target that system {} had before in segment {}", shown(&row.system), shown(&row.segment)),
        "another one",
        "give each segment a doc and seg_id of its own",
    )
}
