//! Stage 5g. The model inside the program: `models/wmt.json`, whose card stands beside it.

use super::file::Model;
use crate::error::Result;

/// What errors and reports call it.
pub const NAME: &str = "built-in model";

/// The model that is used where none is named.
///
/// # Errors
/// None in a program that passed its tests.
pub fn model() -> Result<Model> {
    Model::parse(include_str!("../../models/wmt.json"), NAME)
}
