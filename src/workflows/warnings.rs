//! Warnings about data that make a result unreliable. In: judgments, texts, models. Out: notes that say what was found
//! and what to do. Next: the listener.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::event::{Event, Listener};
use crate::error::shown;
use crate::judgments::grouping::Groups;
use crate::judgments::{Judgment, Pair, SharedWords};
use crate::metrics::{Member, MetricSet};
use crate::model::{KnownReferences, Model};
use crate::text::spacing::tokenised_share;

/// The share of pairs with known references from which on a warning is given. A few may match by chance.
const MANY: f64 = 0.01;

/// Texts count as tokenised from this share of tokenised references on, and as raw up to 1 minus it.
const CLEARLY_TOKENISED: f64 = 0.8;

/// Warns if labels look reversed; `file` is their origin, or empty if there is only one.
pub(super) fn of_reversal(file: &str, judgments: &[Judgment], listener: Listener<'_>) {
    if let Some(warning) = SharedWords::of(judgments).warning() {
        listener(Event::Note(if file.is_empty() { warning } else { format!("{file}: {warning}") }));
    }
}

/// Notes that a single group leaves nothing to resample.
pub(super) fn of_one_group(groups: &Groups, listener: Listener<'_>) {
    if groups.count == 1 {
        let note = "All pairs share one reference: intervals and tests are meaningless, and the best metric is chosen \
                    with hindsight.";
        listener(Event::Note(note.to_owned()));
    }
}

/// Warns if a model is evaluated on references that it was trained on.
pub(super) fn of_leak(name: &str, model: &Model, judgments: &[Judgment], listener: Listener<'_>) {
    let seen = model.seen(judgments);
    if seen > 0 {
        listener(Event::Note(format!(
            "warning: {} was trained on the references of {seen} of these {} pairs; the accuracy is inflated; \
             use the cross-validated figures that `train` prints",
            shown(name),
            judgments.len()
        )));
    }
}

/// Counts the pairs whose references a model was trained on.
pub(super) struct Leak {
    known: KnownReferences,
    /// Whether a reference is known, by its hash, as most occur in several pairs.
    looked_up: HashMap<u64, bool>,
    seen: usize,
    pairs: usize,
}

/// The most references remembered.
const REMEMBERED: usize = 1 << 16;

impl Leak {
    pub(super) fn new(model: &Model) -> Self {
        Self { known: KnownReferences::of(&model.training.references), looked_up: HashMap::new(), seen: 0, pairs: 0 }
    }

    /// Counts a batch of pairs.
    pub(super) fn add(&mut self, pairs: &[Pair]) {
        self.pairs += pairs.len();
        if !self.known.is_empty() {
            self.seen += pairs.iter().filter(|pair| pair.references.iter().any(|text| self.knows(text))).count();
        }
    }

    fn knows(&mut self, reference: &str) -> bool {
        if self.looked_up.len() >= REMEMBERED {
            self.looked_up.clear();
        }
        let known = &self.known;
        *self.looked_up.entry(xxh3_64(reference.as_bytes())).or_insert_with(|| known.has(reference))
    }

    /// Warns if there were many; `name` is the model's.
    pub(super) fn tell(&self, name: &str, listener: Listener<'_>) {
        let Self { seen, pairs, .. } = *self;
        if seen > 0 && seen as f64 >= MANY * pairs as f64 {
            listener(Event::Note(format!(
                "warning: {} was trained on the references of {seen} of these {pairs} pairs; accuracy on them is \
                 inflated; use the cross-validated figures that `train` prints",
                shown(name)
            )));
        }
    }
}

/// Warns if learned metrics score references that they were trained on.
pub(super) fn of_leaking_metrics<'t>(
    metric_set: &MetricSet,
    references: impl Iterator<Item = &'t str>,
    listener: Listener<'_>,
) {
    let learned: Vec<&Member> = metric_set.members().iter().filter(|member| member.metric.is_learned()).collect();
    let references: HashSet<&str> = if learned.is_empty() { HashSet::new() } else { references.collect() };
    for member in learned {
        let seen = references.iter().filter(|text| member.metric.learned_from(text)).count();
        let all = references.len();
        if seen > 0 && seen as f64 >= MANY * all as f64 {
            listener(Event::Note(format!(
                "warning: {} was trained on judgments of {seen} of these {all} references; its agreement with people \
                 is inflated on them; use a model that was trained without them",
                shown(&member.name)
            )));
        }
    }
}

/// Warns if references are tokenised and those that a model learned from were not, or the reverse; `name` is the
/// model's.
pub(super) fn of_spacing<'t>(
    name: &str,
    model: &Model,
    references: impl Iterator<Item = &'t str>,
    listener: Listener<'_>,
) {
    let Some(learned) = model.training.tokenised else { return };
    let Some(found) = tokenised_share(references) else { return };
    let [is_tokenised, was_tokenised] = [found, learned].map(|share| share >= CLEARLY_TOKENISED);
    let [is_raw, was_raw] = [found, learned].map(|share| share <= 1.0 - CLEARLY_TOKENISED);
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let (these, those, advice) = if is_tokenised && was_raw {
        ("tokenised", percent(learned), "detokenise them, or train on tokenised text")
    } else if is_raw && was_tokenised {
        ("raw text", percent(learned), "tokenise them as those were, or train on raw text")
    } else {
        return;
    };
    listener(Event::Note(format!(
        "warning: the references are {these} (a comma or full stop stands alone in {}), unlike those that {} was \
         trained on ({those}); {advice}",
        percent(found),
        shown(name)
    )));
}
