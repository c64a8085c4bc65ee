//! In: files, or nothing. Out: models with their names for reports and errors. Next: compare, explain, predict.

use crate::error::Result;
use crate::files::{Input, distinct_stems};
use crate::judgments::Language;
use crate::model::{Model, builtin};
use crate::report::ENSEMBLE;

/// A model with the name that reports and errors give it.
#[derive(Debug, Clone)]
pub struct NamedModel {
    /// The file's stem, or as much of its path as makes it unique; `ensemble` for the built-in model.
    pub name: String,
    /// The file, or the name of the built-in model, for error messages.
    pub place: String,
    /// The model.
    pub model: Model,
}

impl NamedModel {
    /// Reads a model from a file, which may be the name of a built-in one; without a file, the built-in model for the
    /// language.
    ///
    /// # Errors
    /// The file cannot be read, or is no model.
    pub fn read(file: Option<&Input>, language: &Language) -> Result<Self> {
        Ok(match file {
            Some(input) => {
                let model = builtin::read(input)?.for_language(language);
                Self { name: input.stem(), place: input.to_string(), model }
            }
            None => Self { name: ENSEMBLE.into(), place: builtin::NAME.into(), model: builtin::model_for(language)? },
        })
    }

    /// Reads models from files, named by more of their paths where stems are equal; without files, the built-in model.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_all(files: &[Input], language: &Language) -> Result<Vec<Self>> {
        if files.is_empty() {
            return Ok(vec![Self::read(None, language)?]);
        }
        let named = |(file, name)| Ok(Self { name, ..Self::read(Some(file), language)? });
        files.iter().zip(distinct_stems(files)).map(named).collect()
    }
}
