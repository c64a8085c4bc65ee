//! The choice of the features that a model learns from.
//!
//! Two metrics that are nearly collinear share a weight and add nothing to each other; features that need English carry
//! no information about other languages.

use super::schema::{DISTANCE, family};
use super::{Feature, Schema, judge_name, own_name};
use crate::error::{Error, Result, quoted};
use crate::judgments::{ExternalJudge, ExternalMetric, Language};
use crate::metrics::{AsFeatures, Entry, REGISTRY, find, is_part, of_value};
use crate::options::did_you_mean;

/// The metrics that the registry marks as on request: without them the cross-validated log loss is not significantly
/// higher (`tribunal train --ablation`). `alignment` is covered by METEOR and hardly varies where text is tokenised;
/// `words` and `edits` are covered by BLEU, ROUGE, length and synsets, and `cosine` by BERTScore.
pub fn on_request() -> Vec<String> {
    let is_on_request = |entry: &&Entry| entry.features == AsFeatures::OnRequest && entry.is_available(true);
    let on_request = REGISTRY.iter().filter(is_on_request);
    on_request.map(|entry| entry.name.to_owned()).collect()
}

impl Default for Choice {
    /// English, without the metrics that are [on request](on_request).
    fn default() -> Self {
        Self::for_language(Language::default())
    }
}

/// The features that a model learns from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    without: Vec<String>,
    language: Language,
    own: Vec<ExternalMetric>,
    judges: Vec<ExternalJudge>,
    is_only_own: bool,
}

impl Choice {
    /// All features for a language except those of the named metrics or families, or single features: `bleu` leaves out
    /// `bleu`, `bleu.p1`, ... and `pair.distance.bleu`. Case does not matter in names of metrics.
    pub fn without(names: &[impl AsRef<str>], language: Language) -> Self {
        let registered = |name: &str| find(name).map_or(name, |entry| entry.name).to_owned();
        let without = names.iter().map(|name| registered(name.as_ref())).collect();
        Self { without, language, own: Vec::new(), judges: Vec::new(), is_only_own: false }
    }

    /// The features of the default for a language.
    pub fn for_language(language: Language) -> Self {
        Self::without(&on_request(), language)
    }

    /// The same choice, with the user's own metrics added.
    pub fn with_own(self, own: Vec<ExternalMetric>) -> Self {
        Self { own, ..self }
    }

    /// The same choice, with the user's judges added.
    pub fn with_judges(self, judges: Vec<ExternalJudge>) -> Self {
        Self { judges, ..self }
    }

    /// The same choice, with own metrics and judges alone: no feature is computed from texts.
    pub fn only_own(self) -> Self {
        Self { is_only_own: true, ..self }
    }

    /// The user's own metrics.
    pub fn own(&self) -> &[ExternalMetric] {
        &self.own
    }

    /// The user's judges.
    pub fn judges(&self) -> &[ExternalJudge] {
        &self.judges
    }

    /// Whether own metrics and judges are the only features.
    pub fn is_only_own(&self) -> bool {
        self.is_only_own
    }

    /// The language of the texts.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The features of a schema that are chosen.
    ///
    /// # Errors
    /// A name is neither a feature nor a metric; no feature is left.
    pub fn of(&self, all: &Schema) -> Result<Schema> {
        let every = || all.hypothesis.iter().chain(&all.pair);
        // Features of pairs with references can be named for pairs without, too.
        let is_metric = |name: &str| {
            let value = name.strip_prefix(DISTANCE).unwrap_or(name);
            of_value(value).is_some_and(|(entry, _)| entry.gives_features() && entry.is_reference_free)
                || find(value).is_some_and(Entry::gives_features)
        };
        let is_known = |name: &str| is_metric(name) || every().any(|feature| is_of(&feature.name, name));
        if let Some(unknown) = self.without.iter().find(|name| !is_known(name)) {
            let found = quoted(unknown);
            let names = REGISTRY.iter().map(|entry| entry.name).chain(every().map(|feature| feature.name.as_str()));
            let near = did_you_mean(unknown, names);
            let advice = format!("{near}tribunal features shows the names of all features");
            return Err(Error::invalid("features", "the name of a metric or of a feature", found, advice));
        }
        let keep =
            |features: &[Feature]| features.iter().filter(|feature| self.keeps(&feature.name)).cloned().collect();
        let (own, judges) = (self.own.clone(), self.judges.clone());
        let chosen = Schema { hypothesis: keep(&all.hypothesis), pair: keep(&all.pair), own, judges };
        if chosen.hypothesis.is_empty() && chosen.has_no_external() {
            let advice =
                if self.is_only_own { "name metrics with `own`, or judges with `judge`" } else { "omit fewer of them" };
            return Err(Error::invalid("features", "at least one to learn from", "none", advice));
        }
        Ok(chosen)
    }

    fn keeps(&self, name: &str) -> bool {
        !self.is_only_own
            && !self.without.iter().any(|without| is_of(name, without))
            && (self.language.is_english() || !needs_english(name))
    }
}

/// Variants for an ablation: the chosen features without each of their families (`-` before its name), and with each
/// family that was not chosen (`+`).
pub fn variants(all: &Schema, chosen: &Schema) -> Vec<(String, Schema)> {
    let mut names: Vec<&str> = all.hypothesis.iter().map(|feature| family(&feature.name)).collect();
    names.dedup();
    let variant = |name: &str| {
        let is_chosen = chosen.hypothesis.iter().any(|feature| family(&feature.name) == name);
        let keeps = |feature: &&Feature, own: &[Feature]| {
            if is_of(&feature.name, name) { !is_chosen } else { own.contains(feature) }
        };
        let schema = Schema {
            hypothesis: all.hypothesis.iter().filter(|feature| keeps(feature, &chosen.hypothesis)).cloned().collect(),
            pair: all.pair.iter().filter(|feature| keeps(feature, &chosen.pair)).cloned().collect(),
            own: chosen.own.clone(),
            judges: chosen.judges.clone(),
        };
        (format!("{}{name}", if is_chosen { '-' } else { '+' }), schema)
    };
    let without_own = |metric: &ExternalMetric| {
        let own = chosen.own.iter().filter(|other| *other != metric).cloned().collect();
        (format!("-{}", own_name(metric)), Schema { own, ..chosen.clone() })
    };
    let without_judge = |judge: &ExternalJudge| {
        let judges = chosen.judges.iter().filter(|other| *other != judge).cloned().collect();
        (format!("-{}", judge_name(judge, &chosen.own)), Schema { judges, ..chosen.clone() })
    };
    let pair = Schema { pair: Vec::new(), ..chosen.clone() };
    let of_pair = (!chosen.pair.is_empty()).then(|| ("-pair".to_owned(), pair));
    let external = chosen.own.iter().map(without_own).chain(chosen.judges.iter().map(without_judge));
    let variants = names.into_iter().map(variant).chain(external).chain(of_pair);
    // Without its only family a model would have nothing to learn from.
    variants.filter(|(_, schema)| !schema.hypothesis.is_empty() || !schema.has_no_external()).collect()
}

/// Whether a feature is uninformative for languages other than English.
pub fn needs_english(name: &str) -> bool {
    let value = name.strip_prefix(DISTANCE).unwrap_or(name);
    of_value(value).is_some_and(|(entry, part)| entry.english.contain(part))
}

/// Whether a feature is the one called `wanted`, a part of it, or the distance between two of its scores.
pub(crate) fn is_of(name: &str, wanted: &str) -> bool {
    is_part(name, wanted) || name.strip_prefix(DISTANCE).is_some_and(|metric| is_part(metric, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Extractor;
    use crate::wordnet::WordNet;

    const NONE: &[&str] = &[];

    fn names(choice: &Choice) -> Vec<String> {
        let chosen = choice.of(Extractor::all(WordNet::embedded()).unwrap().schema()).unwrap();
        chosen.hypothesis.into_iter().chain(chosen.pair).map(|feature| feature.name).collect()
    }

    #[test]
    fn a_metric_goes_with_its_parts_and_its_distance() {
        let all = names(&Choice::without(NONE, Language::default()));
        let left = names(&Choice::without(&["bleu"], Language::default()));
        let gone: Vec<&String> = all.iter().filter(|name| !left.contains(name)).collect();
        assert_eq!(
            gone,
            ["bleu", "bleu.bp", "bleu.ratio", "bleu.p1", "bleu.p2", "bleu.p3", "bleu.p4", "pair.distance.bleu"]
        );
        let left = names(&Choice::without(&["meteor"], Language::default()));
        assert!(left.iter().any(|name| name == "meteor-all"));
    }

    #[test]
    fn every_name_of_a_list_is_one() {
        names(&Choice::without(&on_request(), Language::default()));
    }

    /// One alignment metric is enough, so texts are aligned once.
    #[test]
    fn every_family_of_the_mission_is_learned_from_by_default() {
        let chosen = names(&Choice::default());
        let learned = "bleu chrf rouge1 rouge2 rougeL meteor-all synset length edits words surface";
        for name in learned.split(' ') {
            assert!(chosen.iter().any(|feature| family(feature) == name), "{name}");
        }
        for aligning in ["meteor", "meteor2005", "alignment"] {
            assert!(!chosen.iter().any(|feature| family(feature) == aligning), "{aligning}");
        }
    }

    #[test]
    fn another_language_has_no_english_features() {
        let left = names(&Choice::without(NONE, "de".parse().unwrap()));
        assert!(left.iter().any(|name| name == "surface.mark.p") && left.iter().any(|name| name == "words.p1"));
        assert!(!left.iter().any(|name| name.contains("meteor")
            || name.contains("alignment")
            || name.contains("stem")
            || name == "surface.unknown"));
    }

    #[test]
    fn parts_need_english_for_themselves() {
        let english = "alignment.chunks pair.distance.meteor-all words.stem.p1 words.content.r surface.unknown";
        assert!(english.split(' ').all(needs_english));
        let any = "bleu words.p1 surface.mark.p pair.distance.rougeL pair.same length.excess";
        assert!(!any.split(' ').any(needs_english));
    }

    #[test]
    fn names_count_in_any_case() {
        let without = |name: &str| names(&Choice::without(&[name], Language::default()));
        assert_eq!(without("ROUGEL"), without("rougeL"));
    }

    #[test]
    fn wrong_names_are_told() {
        let schema = Extractor::all(WordNet::embedded()).unwrap().schema().clone();
        let message = Choice::without(&["bleurt"], Language::default()).of(&schema).unwrap_err().to_string();
        assert!(
            message.starts_with("features: expected the name of a metric or of a feature, found 'bleurt'"),
            "{message}"
        );
    }
}
