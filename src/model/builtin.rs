//! The models inside the program: `models/wmt.json` for English, `models/wmt-any.json` for other languages. Their card
//! is beside them.

use super::file::Model;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::files::Input;
use crate::judgments::Language;

/// Their name in errors and reports.
pub const NAME: &str = "built-in model";

/// Stands for the English model where a file is expected; a file of that name is `./builtin`.
pub const ENGLISH: &str = "builtin";

/// Stands for the model for other languages where a file is expected.
pub const ANY: &str = "builtin-any";

/// The model for English, the one for other languages, and the one for English with an encoder.
const MODELS: [&str; 3] = [
    include_str!("../../models/wmt.json"),
    include_str!("../../models/wmt-any.json"),
    include_str!("../../models/wmt-minilm.json"),
];

/// The default model for English.
///
/// # Errors
/// None in a program that passed its tests.
pub fn model() -> Result<Model> {
    Model::parse_unsealed(MODELS[0], NAME)
}

/// The default model for other languages: trained on the same judgments and more, without the features that need
/// English.
///
/// # Errors
/// None in a program that passed its tests.
pub fn any() -> Result<Model> {
    Model::parse_unsealed(MODELS[1], NAME)
}

/// The default model for texts in a language, with an encoder or without: for English there is one that was trained with
/// [`encoder::DEFAULT`](crate::encoder::DEFAULT), which any other encoder is refused for; that for other languages
/// uses none.
///
/// # Errors
/// None in a program that passed its tests.
pub fn model_for(language: &Language, encoder: Option<&Encoder>) -> Result<Model> {
    match encoder {
        Some(_) if language.is_english() => minilm(),
        _ if language.is_english() => model(),
        _ => any(),
    }
}

/// The default model for English with an encoder.
///
/// # Errors
/// None in a program that passed its tests.
pub fn minilm() -> Result<Model> {
    Model::parse_unsealed(MODELS[2], NAME)
}

/// Stands for the model for English with an encoder where a file is expected.
pub const MINILM: &str = "builtin-minilm";

/// The model in a file, or the built-in one called [`ENGLISH`], [`ANY`] or [`MINILM`].
///
/// # Errors
/// The file cannot be read, or is not a model.
pub fn read(file: &Input) -> Result<Model> {
    match file {
        Input::File(path) if path.as_os_str() == ENGLISH => model(),
        Input::File(path) if path.as_os_str() == ANY => any(),
        Input::File(path) if path.as_os_str() == MINILM => minilm(),
        file => Model::read(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_as_they_were_sealed() {
        for text in MODELS {
            let model = Model::parse(text, NAME).unwrap();
            assert!(model.training.references.is_sorted() && model.training.references.len() > 1000);
        }
    }

    #[test]
    fn models_have_names_and_files_of_these_names_have_paths() {
        let read = |name: &str| read(&name.parse().unwrap());
        assert_eq!(read(ENGLISH).unwrap().schema, model().unwrap().schema);
        assert_eq!(read(ANY).unwrap().schema, any().unwrap().schema);
        assert!(read("./builtin").unwrap_err().to_string().starts_with("./builtin: no such file"));
    }

    #[test]
    fn the_model_for_other_languages_needs_no_english() {
        let schema = model_for(&"de".parse().unwrap(), None).unwrap().schema;
        assert!(!schema.needs_english());
        assert_ne!(model().unwrap().schema, schema);
    }
}
