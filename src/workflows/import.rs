//! `import`: judgments in any format become a file of pairs. In: files, and where the pairs go. Out: an account a file.
//! Next: callers.
//!
//! ```
//! use tribunal::files::Input;
//! use tribunal::formats;
//! use tribunal::workflows::import::{ImportSettings, import};
//!
//! let folder = tempfile::tempdir().map_err(|error| tribunal::Error::io("a folder".as_ref(), error, "make"))?;
//! let path = folder.path().join("x.rankings");
//! std::fs::write(&path, "s1 ||| 0 ||| the cat ||| a cat\ns1 ||| 1 ||| the cat ||| cats\n").ok();
//! let rankings = formats::find("rankings").expect("a format of that name");
//! let settings = ImportSettings {
//!     output: Some(folder.path().join("pairs.csv")),
//!     ..ImportSettings::new(rankings, vec![Input::File(path)])
//! };
//! assert_eq!(import(&settings)?[0].account.pairs, 1);
//! # Ok::<(), tribunal::Error>(())
//! ```

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::Result;
use crate::files::table::TableKind;
use crate::files::{Input, Output, check_outputs};
use crate::formats::{self, Account, Format, Importer, PairWriter, Role};
use crate::judgments::Pair;
use crate::options::{OptionSpec, Options, Value};

/// What is imported, and where to.
#[derive(Debug, Clone)]
pub struct ImportSettings {
    /// The format of all files.
    pub format: &'static Format,
    /// What the format is asked for.
    pub options: Options,
    /// The files. Segments of two files are never one.
    pub inputs: Vec<Input>,
    /// Where the pairs are written; none: standard output.
    pub output: Option<PathBuf>,
    /// How they are written in a table, where the ending does not say it.
    pub to: Option<TableKind>,
    /// Where the labels are written; the pairs are then lines of text.
    pub answers: Option<PathBuf>,
    /// Whether pairs of identical hypotheses are left out.
    pub drop_same_text: bool,
}

/// What became of a file.
#[derive(Debug, Clone, Serialize)]
pub struct Imported {
    /// The file.
    pub file: String,
    /// What was read, kept and dropped.
    #[serde(flatten)]
    pub account: Account,
}

impl ImportSettings {
    /// Files of a format, to CSV on standard output.
    pub fn new(format: &'static Format, inputs: Vec<Input>) -> Self {
        let options = Options::default();
        Self { format, options, inputs, output: None, to: None, answers: None, drop_same_text: false }
    }

    /// Whether the pairs go to standard output.
    pub fn is_to_stdout(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path.as_os_str() == "-")
    }

    /// Checks that nothing that is read is written, too.
    fn check_files(&self) -> Result<()> {
        let is_file = |spec: &&&OptionSpec| matches!(spec.value, Value::One { placeholder: "DIR" | "FILE|DIR", .. });
        let named = self.format.options.iter().filter(is_file).flat_map(|spec| self.options.texts(spec));
        let named: Vec<Input> = named.map(|path| Input::File(path.into())).collect();
        let answers = self.answers.as_deref().map(Some);
        let outputs: Vec<Option<&Path>> = std::iter::once(self.output.as_deref()).chain(answers).collect();
        check_outputs(self.inputs.iter().chain(&named), &outputs)
    }
}

/// Writes the pairs of all files, and says what became of each file.
///
/// # Errors
/// A file cannot be read, or holds something wrong; the output cannot be written. Nothing has changed then.
pub fn import(settings: &ImportSettings) -> Result<Vec<Imported>> {
    settings.check_files()?;
    let output = Output::create(settings.output.as_deref())?;
    let (mut pending, mut writer, mut imported) = (Some(output), None, Vec::new());
    for input in &settings.inputs {
        let mut importer = (settings.format.open)(input, &settings.options)?;
        if let Some(output) = pending.take() {
            writer = Some(begin(output, settings, importer.references())?);
        }
        let dropped = write(&mut importer, input, settings, writer.as_mut())?;
        let mut account = importer.account().cloned().unwrap_or_default();
        account.drop_written(dropped);
        imported.push(Imported { file: input.to_string(), account });
    }
    writer.map_or(Ok(()), PairWriter::finish)?;
    Ok(imported)
}

fn begin(output: Output, settings: &ImportSettings, references: usize) -> Result<PairWriter> {
    if let Some(answers) = &settings.answers {
        return Ok(PairWriter::begin_lines(output, Output::create(Some(answers))?));
    }
    let kind = match (settings.to, &settings.output) {
        (Some(kind), _) => Some(kind),
        (None, Some(path)) if !settings.is_to_stdout() => TableKind::of(&Input::File(path.clone())),
        _ => Some(TableKind::Csv),
    };
    PairWriter::begin(output, kind.ok_or_else(formats::no_place_for_labels)?, references)
}

/// Writes all pairs of a file, and gives back the labels of those that are left out.
fn write(
    importer: &mut Box<dyn Importer>,
    input: &Input,
    settings: &ImportSettings,
    writer: Option<&mut PairWriter>,
) -> Result<[usize; 3]> {
    let mut dropped = [0; 3];
    let Some(writer) = writer else { return Ok(dropped) };
    // The same number in two files is not the same sentence.
    let stem = (settings.inputs.len() > 1).then(|| input.stem());
    for pair in importer {
        let mut pair: Pair = pair?;
        if settings.drop_same_text && pair.hypotheses[0] == pair.hypotheses[1] {
            pair.label.into_iter().for_each(|label| dropped[label.index()] += 1);
            continue;
        }
        if let Some(stem) = &stem {
            [&mut pair.id, &mut pair.group].into_iter().flatten().for_each(|name| *name = format!("{stem}:{name}"));
        }
        writer.write(&pair)?;
    }
    Ok(dropped)
}

/// The formats that pairs can be made of.
pub fn importable() -> impl Iterator<Item = &'static Format> {
    formats::REGISTRY.iter().copied().filter(|format| format.role == Role::Judgments)
}
