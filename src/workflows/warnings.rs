//! Warnings about data that make a result unreliable, each with what was found and what to do.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::context::Context;
use super::systems::suits;
use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::evaluation::Groups;
use crate::evaluation::ranking::LEVEL;
use crate::evaluation::strongest_association;
use crate::features::{ColumnSource, Extractor, Schema, Table};
use crate::judgments::grouping::unit;
use crate::judgments::places::Places;
use crate::judgments::{ExternalJudge, ExternalMetric, Language, Pair, RoundedLabels, Scale, SharedWords, Verdict};
use crate::metrics::{Member, MetricSet, ratio};
use crate::model::{KnownReferences, Model};
use crate::report::people::Labelled;
use crate::report::{Role, System};
use crate::text::Sentence;
use crate::text::english;
use crate::text::punctuation::tokenised_share;

/// The share of known references from which on a warning is given. A few may match by chance.
const MIN_LEAK: f64 = 0.01;

/// Texts count as tokenised from this share of tokenised references on, and as raw up to 1 minus it.
const MIN_TOKENISED: f64 = 0.8;

/// References count as foreign below this share of words that are English or names.
const MIN_ENGLISH: f64 = 0.5;

/// The number of standard deviations by which disagreements with people must exceed half of the decided pairs before a
/// metric is reported as reversed.
const MIN_REVERSAL: f64 = 5.0;

/// Fewer pairs, or groups of them, do not tell whether labels and texts are unrelated.
const MIN_UNRELATED: [usize; 2] = [200, 50];

/// The share of an own metric's values outside the range of training from which on a warning is given.
const MIN_OUTSIDE: f64 = 0.1;

/// The most letters per token of writing that separates words; German has 6, Finnish 8.
const MAX_LETTERS: usize = 12;

/// The number of references in which words are looked for.
const MAX_SAMPLED: usize = 20;

/// The fewest labels 1, and 0, from which on 0 is suspected to mean the second hypothesis.
const MIN_ZEROS: usize = 2;

/// The most references whose look-up is remembered.
const MAX_REMEMBERED: usize = 1 << 16;

/// Warns if labels look reversed, or as if 0 meant the second; `file` is their origin, or empty if there is only one.
pub(super) fn warn_labels<'p>(context: Context<'_>, file: &str, judgments: impl Iterator<Item = (&'p Pair, Verdict)>) {
    let (mut shared_words, mut rounded) = (SharedWords::default(), RoundedLabels::default());
    let mut places = Places::default();
    let counts = label_counts(judgments.map(|(pair, label)| {
        shared_words.add(pair, label);
        rounded.add(pair);
        places.add(pair);
        label
    }));
    rounded.note().into_iter().for_each(|note| context.note(note));
    for warning in shared_words.warning().into_iter().chain(zeros_for_second(counts)).chain(places.warning()) {
        context.warn(if file.is_empty() { warning } else { format!("{file}: {warning}") });
    }
}

/// The numbers of labels 1, 0 and -1.
pub(super) fn label_counts(labels: impl IntoIterator<Item = Verdict>) -> [usize; 3] {
    let mut counts = [0; 3];
    labels.into_iter().for_each(|label| counts[label.index()] += 1);
    counts
}

/// Whether labels are 1 and 0, many of them 0, and none is -1: 0 then usually means the second hypothesis.
fn are_zeros_for_second([first, ties, second]: [usize; 3]) -> bool {
    second == 0 && first >= MIN_ZEROS && ties >= MIN_ZEROS && 4 * ties >= first + ties
}

/// A warning of such labels.
pub(super) fn zeros_for_second(counts: [usize; 3]) -> Option<String> {
    let [first, ties, _] = counts;
    are_zeros_for_second(counts).then(|| {
        format!(
            "{ties} of {} labels are 0 (a tie) and none is -1; if 0 means the second hypothesis, use `labels` \
             1=1,0=-1",
            first + ties
        )
    })
}

/// Notes the scale of judges who give numbers, and warns of those whose verdicts are 1 and 0, as if 0 meant the second.
/// Errors refer to the pairs as `place`.
///
/// # Errors
/// A judge has no verdict on any pair.
pub(super) fn check_judges<'p>(
    context: Context<'_>,
    judges: &[ExternalJudge],
    pairs: impl Iterator<Item = &'p Pair> + Clone,
    place: &str,
) -> Result<()> {
    for judge in judges {
        let verdicts = || pairs.clone().filter_map(|pair| pair.verdicts_of(&judge.name));
        let (name, values) = (quoted(&judge.name), || verdicts().flat_map(|found| found.orders).flatten());
        if values().next().is_none() {
            let found = format!("none on {}", pluralized(pairs.clone().count(), "pair"));
            let advice = "check that it is the right column, or omit the judge";
            return Err(Error::invalid(place, format!("verdicts of the judge {name}"), found, advice));
        }
        note_scale(context, judge);
        let counts = label_counts(values().map(|value| Verdict::compare(value, 0.0)));
        let are_numbers = judge.scale == Scale::Words && verdicts().all(|found| !found.has_words);
        if are_numbers && are_zeros_for_second(counts) {
            let [first, ties, _] = counts;
            context.warn(format!(
                "{ties} of {} verdicts of the judge {name} are 0 (a tie) and none is -1; if 0 means the second \
                 hypothesis, declare the scale: `judge` {}:probability",
                first + ties,
                judge.name
            ));
        }
    }
    Ok(())
}

/// Notes the scale of a judge who gives numbers.
pub(super) fn note_scale(context: Context<'_>, judge: &ExternalJudge) {
    if judge.scale != Scale::Words {
        context.note(format!("Judge {}: scale {}, {}.", judge.name, judge.scale.name(), judge.scale));
    }
}

/// Warns of annotators without a label, and notes that a single annotator agrees with nobody.
pub(super) fn warn_annotators(context: Context<'_>, pairs: &[&Pair]) {
    let votes = || pairs.iter().flat_map(|pair| &pair.votes);
    let labelled: HashSet<&str> = votes().filter(|vote| vote.label.is_some()).map(|vote| &*vote.annotator).collect();
    let mut silent: Vec<&str> = votes().map(|vote| &*vote.annotator).filter(|name| !labelled.contains(name)).collect();
    silent.sort_unstable();
    silent.dedup();
    if !silent.is_empty() {
        context
            .warn(format!("no pair has a label of the annotators {}; check the names of the columns", joined(silent)));
    }
    let labelling = |pair: &&Pair| pair.votes.iter().filter(|vote| vote.label.is_some()).count();
    if pairs.iter().any(|pair| !pair.votes.is_empty()) && pairs.iter().all(|pair| labelling(pair) < 2) {
        context.note("No pair has labels of two annotators: there is no agreement to report.");
    }
}

/// Warns that a single group leaves nothing to resample, with this `consequence`.
pub(super) fn warn_one_group(context: Context<'_>, groups: &Groups, pairs: &[&Pair], consequence: &str) {
    if groups.count == 1 {
        let unit = unit(pairs.iter().copied());
        context.warn(format!(
            "all pairs share one {unit}: intervals and tests are meaningless{consequence}; add pairs with other {unit}s"
        ));
    }
}

/// Counts the pairs whose references a model was trained on.
pub(super) struct Leak {
    known: KnownReferences,
    /// Whether a reference is known, by its hash, as most occur in several pairs.
    looked_up: HashMap<u64, bool>,
    leaked: usize,
    pairs: usize,
    /// What the model may have seen: `references`, or `prompts` of pairs without any.
    what: &'static str,
    /// What is counted.
    pub(super) unit: &'static str,
}

impl Leak {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            known: KnownReferences::new(&model.training.references),
            looked_up: HashMap::new(),
            leaked: 0,
            pairs: 0,
            what: "prompts",
            unit: "pairs",
        }
    }

    /// Counts a batch of pairs.
    pub(super) fn add<'p>(&mut self, pairs: impl IntoIterator<Item = &'p Pair>) {
        for pair in pairs {
            self.pairs += 1;
            if !pair.references.is_empty() {
                self.what = "references";
            }
            let is_known = !self.known.is_empty() && pair.references_or_prompt().iter().any(|text| self.knows(text));
            self.leaked += usize::from(is_known);
        }
    }

    fn knows(&mut self, reference: &str) -> bool {
        if self.looked_up.len() >= MAX_REMEMBERED {
            self.looked_up.clear();
        }
        let known = &self.known;
        *self.looked_up.entry(xxh3_64(reference.as_bytes())).or_insert_with(|| known.has(reference))
    }

    /// What is wrong if there were many; `name` is the model's.
    pub(super) fn found(&self, name: &str) -> Option<String> {
        let Self { leaked, pairs, what, unit, .. } = *self;
        let is_large = leaked > 0 && leaked as f64 >= MIN_LEAK * pairs as f64;
        is_large.then(|| format!("{} was trained on the {what} of {leaked} of these {pairs} {unit}", quoted(name)))
    }

    /// Warns if there were many, and returns the warning; `name` is the model's.
    pub(super) fn warn(&self, context: Context<'_>, name: &str) -> Option<String> {
        let advice = "which inflates its accuracy; use the cross-validated accuracy that `train` reports";
        let warning = self.found(name).map(|found| format!("{found}, {advice}"));
        warning.iter().for_each(|warning| context.warn(warning));
        warning
    }
}

/// Warns if a model was trained on the references of many of the pairs, and returns the warning.
pub(super) fn warn_leak<'p>(
    context: Context<'_>,
    name: &str,
    model: &Model,
    pairs: impl IntoIterator<Item = &'p Pair>,
) -> Option<String> {
    let mut leak = Leak::new(model);
    leak.add(pairs);
    leak.warn(context, name)
}

/// Warns if metrics need English and the references are foreign, or if learned metrics score references that they were
/// trained on.
pub(super) fn warn_metrics<T: AsRef<str>, I: Iterator<Item = T>>(
    context: Context<'_>,
    metric_set: &MetricSet,
    references: impl Fn() -> I,
) {
    let sample: Vec<T> = references().take(MAX_SAMPLED.max(english::MAX_SAMPLE)).collect();
    let sample = || sample.iter().map(AsRef::as_ref);
    let advice = "set `language` (zh, ja or ko) for bleu, or use chrf";
    warn_words(context, metric_set, |_| true, sample(), advice);
    let members = metric_set.members().iter();
    let english = members.clone().filter(|member| member.needs_english()).map(|member| member.name.as_str());
    let english: Vec<&str> = english.collect();
    if !english.is_empty() && is_foreign(context, sample()) {
        let advice = "omit them, or set the language, for example `language` de";
        context.warn(format!("{FOREIGN}, but these metrics need English: {}; {advice}", english.join(", ")));
    }
    let learned: Vec<_> = members.filter_map(|member| Some((member, member.metric.learned()?))).collect();
    if learned.is_empty() {
        return;
    }
    let mut leaked = vec![0; learned.len()];
    // By their hashes, as texts may be more than memory holds.
    let mut distinct: HashSet<u64> = HashSet::new();
    for text in references() {
        if distinct.insert(xxh3_64(text.as_ref().as_bytes())) {
            let metrics = leaked.iter_mut().zip(&learned);
            metrics.for_each(|(count, (_, metric))| *count += usize::from(metric.learned_from(text.as_ref())));
        }
    }
    let all = distinct.len();
    for ((member, _), leaked) in learned.iter().zip(leaked) {
        if leaked > 0 && leaked as f64 >= MIN_LEAK * all as f64 {
            context.warn(format!(
                "{} was trained on judgments of {leaked} of these {all} references, which inflates its agreement with \
                 human judgments: leave it out of the comparison",
                quoted(&member.name)
            ));
        }
    }
}

/// Why COMET has no effect on a model that does not know it.
pub(super) const WITHOUT_COMET: &str = "the model was trained without it";

/// Why COMET has no effect on judgments without references.
pub(super) const WITHOUT_REFERENCES: &str = "it compares with references, which these lack";

/// Warns if a model of COMET is there that a judge with these features does not see, and why.
pub(super) fn warn_comet(context: Context<'_>, schema: &Schema, why: &str) {
    if context.engine().lexicons().models().comet.is_some() && schema.needs_source().is_none() {
        context.warn(format!("`comet` has no effect on the ensemble: {why}"));
    }
}

/// Warns if metrics with rows of their own see no words in the references.
pub(super) fn warn_rows(context: Context<'_>, extractor: &Extractor, language: &Language, pairs: &[&Pair]) {
    let has_row = |member: &Member| member.entry.is_reported && suits(member.entry, language);
    warn_words(context, extractor.metric_set(), has_row, references(pairs.iter().copied()), "rely on chrf instead");
}

/// Warns if metrics see no words in the references: writing without spaces, or other letters than the ASCII ones that
/// ROUGE keeps.
pub(super) fn warn_words<'t>(
    context: Context<'_>,
    metric_set: &MetricSet,
    is_used: impl Fn(&Member) -> bool,
    references: impl Iterator<Item = &'t str>,
    advice: &str,
) {
    let mut lexicon = metric_set.lexicon();
    let sample: Vec<&str> = references.take(MAX_SAMPLED).collect();
    metric_set.encode_all(&sample);
    let sample: Vec<Sentence> = sample.into_iter().map(|text| metric_set.prepare(text, &mut lexicon)).collect();
    let count = |text: &str| text.chars().filter(|character| character.is_alphanumeric()).count();
    let letters: usize = sample.iter().map(|sentence| count(sentence.text())).sum();
    let is_blind = |member: &&Member| {
        let tokens: Option<usize> = sample.iter().map(|sentence| member.tokens(sentence)).sum();
        tokens.is_some_and(|tokens| tokens * MAX_LETTERS < letters)
    };
    let used = metric_set.members().iter().filter(|member| member.metric.learned().is_none() && is_used(member));
    let blind: Vec<&str> = used.filter(is_blind).map(|member| member.name.as_str()).collect();
    if !blind.is_empty() {
        context.warn(format!(
            "these metrics find hardly any words in the references, as these have no spaces or are in a script that \
             the metrics ignore: {}; {advice}",
            blind.join(", ")
        ));
    }
}

/// Warns if references are tokenised and those that a model learned from were not, or the reverse; `name` is the
/// model's.
pub(super) fn warn_spacing<'p>(
    context: Context<'_>,
    name: &str,
    model: &Model,
    pairs: impl IntoIterator<Item = &'p Pair>,
) {
    let Some(learned) = model.training.tokenised else { return };
    let Some(found) = tokenised_share(references(pairs)) else { return };
    let [is_tokenised, was_tokenised] = [found, learned].map(|share| share >= MIN_TOKENISED);
    let [is_raw, was_raw] = [found, learned].map(|share| share <= 1.0 - MIN_TOKENISED);
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let (these, those, advice) = if is_tokenised && was_raw {
        ("tokenised", percent(learned), "detokenise them, or train on tokenised text")
    } else if is_raw && was_tokenised {
        ("raw text", percent(learned), "tokenise them in the same way, or train on raw text")
    } else {
        return;
    };
    context.warn(format!(
        "the references are {these} (a comma or full stop is a separate token in {}), unlike those that {} was \
         trained on ({those}); {advice}",
        percent(found),
        quoted(name)
    ));
}

/// Warns of references that are hardly English while features in use need English.
pub(super) fn warn_language<'p>(context: Context<'_>, schema: &Schema, pairs: impl IntoIterator<Item = &'p Pair>) {
    if schema.needs_english() && is_foreign(context, references(pairs)) {
        let advice = "set the language, for example `language` de";
        context.warn(format!("{FOREIGN}, but the model uses features that need English; {advice}"));
    }
}

fn references<'p>(pairs: impl IntoIterator<Item = &'p Pair>) -> impl Iterator<Item = &'p str> {
    pairs.into_iter().flat_map(|pair| &pair.references).map(String::as_str)
}

const FOREIGN: &str = "most words of the references are neither English nor names";

fn is_foreign<'t>(context: Context<'_>, references: impl Iterator<Item = &'t str>) -> bool {
    english::share(references, context.engine().wordnet()).is_some_and(|share| share < MIN_ENGLISH)
}

/// The values of external metrics beside the ranges that models were trained on: outside of them, values are clipped.
#[derive(Default)]
pub(super) struct ExternalRanges(Vec<ExternalRange>);

struct ExternalRange {
    model: String,
    metric: String,
    trained: [f64; 2],
    found: [f64; 2],
    outside: usize,
    values: usize,
}

impl ExternalRanges {
    /// The ranges of a model of this name.
    pub(super) fn for_model(name: &str, model: &Model) -> Self {
        let mut ranges = Self::default();
        ranges.know(name, &model.external_ranges());
        ranges
    }

    /// The ranges of all learned metrics.
    pub(super) fn for_metrics(metric_set: &MetricSet) -> Self {
        let mut ranges = Self::default();
        for member in metric_set.members() {
            ranges.know(&member.name, member.metric.learned().map_or(&[][..], |metric| metric.external_ranges()));
        }
        ranges
    }

    fn know(&mut self, model: &str, ranges: &[(String, [f64; 2])]) {
        self.0.extend(ranges.iter().map(|(metric, trained)| ExternalRange {
            model: model.to_owned(),
            metric: metric.clone(),
            trained: *trained,
            found: [f64::INFINITY, f64::NEG_INFINITY],
            outside: 0,
            values: 0,
        }));
    }

    /// Counts the values of pairs.
    pub(super) fn add_pairs<'p>(&mut self, pairs: impl IntoIterator<Item = &'p Pair>) {
        for pair in pairs {
            self.0.iter_mut().for_each(|range| range.add(&pair.own_score(&range.metric).unwrap_or_default()));
        }
    }

    /// Counts values of a metric.
    pub(super) fn add(&mut self, metric: &str, values: &[f64]) {
        self.0.iter_mut().filter(|range| range.metric == metric).for_each(|range| range.add(values));
    }

    /// Warns of metrics with many values outside.
    pub(super) fn warn(&self, context: Context<'_>) {
        for ExternalRange { model, metric, trained, found, outside, values } in &self.0 {
            if *outside as f64 > MIN_OUTSIDE * *values as f64 {
                let ([from, to], [low, high]) = (found, trained);
                context.warn(format!(
                    "{outside} of {values} values of the own metric {} are outside the range that {} was trained on \
                     and may be clipped: found {from} to {to}, {low} to {high} in training; use the same scale, or \
                     retrain the model",
                    quoted(metric),
                    quoted(model)
                ));
            }
        }
    }
}

impl ExternalRange {
    fn add(&mut self, values: &[f64]) {
        let ([from, to], [low, high]) = (&mut self.found, self.trained);
        for &value in values.iter().filter(|value| !value.is_nan()) {
            (*from, *to) = (from.min(value), to.max(value));
            self.outside += usize::from(!(low..=high).contains(&value));
            self.values += 1;
        }
    }
}

/// Warns if no metric, judge or model of a report agrees with the labels, or contradicts them, more than chance allows.
/// What only sees the texts' lengths may well be unrelated, so there must be references, or two metrics or judges from
/// outside.
pub(super) fn warn_unrelated(
    context: Context<'_>,
    Labelled { pairs, labels, groups }: Labelled<'_>,
    external: usize,
    systems: &[System],
) {
    let has_references = || pairs.iter().any(|pair| !pair.references.is_empty());
    if pairs.len() < MIN_UNRELATED[0] || groups.count < MIN_UNRELATED[1] || (external < 2 && !has_references()) {
        return;
    }
    let is_informed = |system: &&System| matches!(system.role, Role::Subject | Role::Baseline | Role::Metric);
    let verdicts: Vec<&[Verdict]> =
        systems.iter().filter(is_informed).map(|system| system.verdicts.as_slice()).collect();
    if let Some(p) = strongest_association(labels, &verdicts, groups, 1).filter(|&p| p >= LEVEL) {
        context.warn(format!(
            "labels and texts seem unrelated: check their alignment. None of {} systems agrees with the labels, or \
             contradicts them, more than chance allows (p = {p:.2} for all of them, randomisation over {} groups)",
            verdicts.len(),
            groups.count
        ));
    }
}

/// Notes external metrics that are always equal for both hypotheses, and warns of those that seem reversed.
pub(super) fn warn_external_metrics(context: Context<'_>, schema: &Schema, table: &Table, people: &[Verdict]) {
    for (at, column) in schema.columns.iter().enumerate() {
        let ColumnSource::External { metric: ExternalMetric { name, lower_is_better } } = &column.source else {
            continue;
        };
        let values = (0..table.len()).filter_map(|pair| table.value(pair, at).of_each());
        let verdicts = values.map(|[first, second]| Verdict::compare(first, second));
        let name = quoted(name);
        if verdicts.clone().all(|verdict| verdict == Verdict::Tie) {
            let what = "gives both hypotheses of every pair the same value, so it carries no information";
            context.note(format!("The own metric {name} {what}."));
            continue;
        }
        let both = verdicts.zip(people.iter().copied());
        let decided: Vec<(Verdict, Verdict)> =
            both.filter(|&(verdict, label)| verdict != Verdict::Tie && label != Verdict::Tie).collect();
        let against = decided.iter().filter(|(verdict, label)| verdict != label).count() as f64;
        let of = decided.len() as f64;
        if against - of / 2.0 > MIN_REVERSAL * f64::sqrt(of) / 2.0 {
            let (worse, sign) = if *lower_is_better { ("higher", "") } else { ("lower", "-") };
            let share = 100.0 * ratio(against, of);
            context.warn(format!(
                "the hypothesis with the {worse} value of {name} is preferred in {share:.1}% of the pairs without \
                 ties; did you mean `own` {}{sign}?",
                name.trim_matches('\'')
            ));
        }
    }
}
