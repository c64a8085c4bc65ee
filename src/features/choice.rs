//! The choice of the features that a model learns from.
//!
//! Two metrics that are nearly collinear share a weight and add nothing to each other; features that need English carry
//! no information about other languages.

use super::column::DISTANCE;
use super::{Column, ColumnSource, Schema};
use crate::error::{Error, Result, quoted};
use crate::judgments::Language;
use crate::metrics::{AsFeatures, Entry, REGISTRY, find, is_part, of_value};
use crate::options::did_you_mean;

/// The metrics that the registry marks as on request: without them the cross-validated log loss is not significantly
/// higher (`tribunal train --ablation`). `alignment` is covered by METEOR and hardly varies where text is tokenised;
/// `words` and `edits` are covered by BLEU, ROUGE, length and synsets, and `cosine` by BERTScore.
pub fn on_request() -> Vec<String> {
    let is_on_request = |entry: &&Entry| {
        entry.features == AsFeatures::OnRequest && (!entry.needs_meteor_data || cfg!(feature = "meteor-data"))
    };
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
    external: Vec<ColumnSource>,
    is_only_external: bool,
}

impl Choice {
    /// All features for a language except those of the named metrics or families, or single features: `bleu` leaves out
    /// `bleu`, `bleu.p1`, ... and `pair.distance.bleu`. Case does not matter in names of metrics.
    pub fn without(names: &[impl AsRef<str>], language: Language) -> Self {
        let registered = |name: &str| find(name).map_or(name, |entry| entry.name).to_owned();
        let without = names.iter().map(|name| registered(name.as_ref())).collect();
        Self { without, language, external: Vec::new(), is_only_external: false }
    }

    /// The features of the default for a language.
    pub fn for_language(language: Language) -> Self {
        Self::without(&on_request(), language)
    }

    /// The same choice with external signals, besides those that it has.
    pub fn with_external(mut self, sources: impl IntoIterator<Item = ColumnSource>) -> Self {
        self.external.extend(sources);
        self
    }

    /// The same choice with external columns alone: no feature is computed from texts.
    pub fn only_external(self) -> Self {
        Self { is_only_external: true, ..self }
    }

    /// Whether external columns are the only ones.
    pub fn is_only_external(&self) -> bool {
        self.is_only_external
    }

    /// The language of the texts.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The columns of a schema that are chosen, with the external ones.
    ///
    /// # Errors
    /// A name is neither a feature nor a metric; no feature is left.
    pub fn select(&self, all: &Schema) -> Result<Schema> {
        // Features of pairs with references can be named for pairs without, too.
        let is_metric = |name: &str| {
            let value = name.strip_prefix(DISTANCE).unwrap_or(name);
            of_value(value).is_some_and(|(entry, _)| entry.gives_features() && entry.is_reference_free)
                || find(value).is_some_and(Entry::gives_features)
        };
        let names = || all.columns.iter().map(|column| column.name.as_str());
        let is_known = |name: &str| is_metric(name) || names().any(|known| is_of(known, name));
        if let Some(unknown) = self.without.iter().find(|name| !is_known(name)) {
            let near = did_you_mean(unknown, REGISTRY.iter().map(|entry| entry.name).chain(names()));
            let advice = format!("{near}tribunal features shows the names of all features");
            return Err(Error::invalid("features", "the name of a metric or of a feature", quoted(unknown), advice));
        }
        let mut chosen = all.filtered(|column| self.keeps(column));
        chosen.columns.extend(Column::external(&self.external));
        if chosen.is_empty() {
            let advice = match self.is_only_external {
                true => "name metrics with `own`, or judges with `judge`",
                false => "omit fewer of them",
            };
            return Err(Error::invalid("features", "at least one to learn from", "none", advice));
        }
        Ok(chosen)
    }

    fn keeps(&self, column: &Column) -> bool {
        !self.is_only_external
            && !self.without.iter().any(|without| is_of(&column.name, without))
            && (self.language.is_english() || !column.needs_english())
    }
}

/// Variants for an ablation: the chosen columns without each of their families (`-` before its name), and with each
/// family that was not chosen (`+`).
pub fn variants(all: &Schema, chosen: &Schema) -> Vec<(String, Schema)> {
    let mut families: Vec<&str> = all.compared().filter(|column| !column.is_external()).map(Column::family).collect();
    families.dedup();
    let of_family = |name: &str| {
        let is_chosen = chosen.compared().any(|column| !column.is_external() && column.family() == name);
        let keeps = |column: &Column| match !column.is_external() && is_of(&column.name, name) {
            true => !is_chosen,
            false => chosen.columns.contains(column),
        };
        (format!("{}{name}", if is_chosen { '-' } else { '+' }), all.filtered(keeps))
    };
    let without_one = |one: &Column| (format!("-{}", one.name), chosen.filtered(|column| column != one));
    let is_similarity = |column: &Column| !column.compares();
    let without_similarities = || ("-pair".to_owned(), chosen.filtered(|column| !is_similarity(column)));
    let has_similarities = chosen.columns.iter().any(is_similarity);
    let variants = families.into_iter().map(of_family).chain(chosen.external().map(without_one));
    let variants = variants.chain(has_similarities.then(without_similarities));
    // Without its only family a model would have nothing to learn from.
    variants.filter(|(_, schema)| !schema.is_empty()).collect()
}

/// Whether a feature is the one called `wanted`, a part of it, or the distance between two of its scores.
pub(crate) fn is_of(name: &str, wanted: &str) -> bool {
    is_part(name, wanted) || name.strip_prefix(DISTANCE).is_some_and(|metric| is_part(metric, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Extractor;
    use crate::features::column::needs_english;
    use crate::wordnet::WordNet;

    const NONE: &[&str] = &[];

    fn names(choice: &Choice) -> Vec<String> {
        let chosen = choice.select(Extractor::all(WordNet::embedded()).unwrap().schema()).unwrap();
        chosen.columns.into_iter().map(|column| column.name).collect()
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
            assert!(chosen.iter().any(|feature| feature.split('.').next() == Some(name)), "{name}");
        }
        for aligning in ["meteor", "meteor2005", "alignment"] {
            assert!(!chosen.iter().any(|feature| feature.split('.').next() == Some(aligning)), "{aligning}");
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
        let message = Choice::without(&["bleurt"], Language::default()).select(&schema).unwrap_err().to_string();
        assert!(
            message.starts_with("features: expected the name of a metric or of a feature, found 'bleurt'"),
            "{message}"
        );
    }
}
