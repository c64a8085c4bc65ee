//! Stage 5g. The models inside the program: `models/wmt.json` for English, `models/wmt-any.json` for other languages.
//! Their card stands beside them.

use super::file::Model;
use crate::error::Result;
use crate::judgments::Language;

/// What errors and reports call them.
pub const NAME: &str = "built-in model";

/// The model that is used for English where none is named.
///
/// # Errors
/// None in a program that passed its tests.
pub fn model() -> Result<Model> {
    Model::parse(include_str!("../../models/wmt.json"), NAME)
}

/// The model that is used where none is named: for other languages one that learned from the same judgments without the
/// features that need English.
///
/// # Errors
/// None in a program that passed its tests.
pub fn model_for(language: &Language) -> Result<Model> {
    if language.is_english() { model() } else { Model::parse(include_str!("../../models/wmt-any.json"), NAME) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::choice::needs_english;

    #[test]
    fn the_model_for_other_languages_needs_no_english() {
        let schema = model_for(&"de".parse().unwrap()).unwrap().schema;
        assert!(schema.hypothesis.iter().chain(&schema.pair).all(|feature| !needs_english(&feature.name)));
        assert_ne!(model().unwrap().schema, schema);
    }
}
