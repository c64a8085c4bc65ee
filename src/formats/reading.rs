//! How a file of judgments is read. In: the user's options. Out: settings. Next: [`super::reader`].

use super::format::Format;
use super::labels::LABELS;
use super::own::{ExternalSource, OWN_COLUMNS, WITHOUT_REFERENCES};
use super::preference::LOWEST_IS_BEST;
use super::registry;
use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::options::{OptionSpec, Options};

/// The options of every command that reads human judgments.
pub const READING: &[&OptionSpec] = &[&LABELS, &LOWEST_IS_BEST];

/// A file format with its options.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The format; `None` to infer it from the ending of the file's name.
    pub format: Option<&'static Format>,
    /// Values of [`READING`], or of other options of the format.
    pub options: Options,
    /// The user's own metrics, and where their values are.
    pub own: Vec<ExternalSource>,
    /// Whether pairs may lack a reference, if their format allows it.
    pub without_references: bool,
}

impl From<Option<&'static Format>> for Reading {
    fn from(format: Option<&'static Format>) -> Self {
        Self { format, ..Self::default() }
    }
}

impl Reading {
    /// The format of a file.
    pub fn format_of(&self, input: &Input) -> &'static Format {
        self.format.unwrap_or_else(|| registry::of(input))
    }

    /// The options that apply to a file's format.
    ///
    /// # Errors
    /// An own metric has no file of values, and the format has no columns for them.
    pub(super) fn options_of(&self, input: &Input) -> Result<Options> {
        let format = self.format_of(input);
        let has = |wanted: &OptionSpec| format.options.iter().any(|spec| spec.name == wanted.name);
        let mut options = self.options.only(format.options);
        for ExternalSource { metric, .. } in self.own.iter().filter(|source| source.file.is_none()) {
            if !has(&OWN_COLUMNS) {
                let name = &metric.name;
                return Err(Error::invalid(
                    input.to_string(),
                    format!("a file with the values of the own metric {}, one line per pair", quoted(name)),
                    format!("none, and no columns in the format {}", format.name),
                    format!("name it with --own {name}=FILE, or write a table with the columns {name}.1 and {name}.2"),
                ));
            }
            options.set(&OWN_COLUMNS, &metric.name)?;
        }
        if self.without_references && has(&WITHOUT_REFERENCES) {
            options.set(&WITHOUT_REFERENCES, "")?;
        }
        Ok(options)
    }

    /// Checks that every option applies to the format of some file, or to the answers.
    ///
    /// # Errors
    /// An option would have no effect.
    pub fn check_used(&self, pairs: &[Input], has_answers: bool) -> Result<()> {
        let takes = |format: &Format, name: &str| format.options.iter().any(|spec| spec.name == name);
        let is_used = |name: &str| {
            has_answers && name == LABELS.name || pairs.iter().any(|input| takes(self.format_of(input), name))
        };
        let Some(unused) = self.options.names().find(|name| !is_used(name)) else { return Ok(()) };
        let formats = pairs.iter().map(|input| format!("{input} ({})", self.format_of(input).name));
        Err(Error::invalid(
            format!("--{unused}"),
            format!("judgments in one of the formats {}", having(unused).join(", ")),
            formats.collect::<Vec<_>>().join(", "),
            "omit the option, or name the format with --format",
        ))
    }
}

/// The formats that take an option.
fn having(name: &str) -> Vec<&'static str> {
    let formats = registry::REGISTRY.iter();
    formats.filter(|format| format.options.iter().any(|spec| spec.name == name)).map(|format| format.name).collect()
}
