//! A report as a folder of files, which are replaced all together or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Output, in_folder};
use crate::report::Report;
use crate::report::files;
use crate::report::table::Table;

/// A folder for a report. Files with the names of the report's files are replaced, others are left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFolder {
    path: PathBuf,
}

impl ReportFolder {
    /// A folder that exists, or one that can be created; nothing is created yet.
    ///
    /// # Errors
    /// The folder cannot be written or created: a file has its name, or its parent does not exist.
    pub fn new(path: &Path) -> Result<Self> {
        let wrong = |found| Error::invalid(path.display().to_string(), "a folder", found, "name another one");
        if path == Path::new("-") {
            return Err(wrong("-"));
        }
        // Strips a trailing separator.
        let path: PathBuf = path.components().collect();
        let folder = Self { path };
        match fs::metadata(&folder.path) {
            Ok(found) if !found.is_dir() => return Err(wrong("a file")),
            Ok(_) => folder.files().iter().try_for_each(|file| Output::create(Some(file)).map(drop))?,
            Err(_) if fs::symlink_metadata(&folder.path).is_ok() => return Err(wrong("a broken link")),
            // Where a file can be created, a folder can be.
            Err(_) => drop(Output::create(Some(&folder.path))?),
        }
        Ok(folder)
    }

    /// The files of the report, the page first.
    pub fn files(&self) -> Vec<PathBuf> {
        files::names().map(|name| self.path.join(name)).collect()
    }

    /// Writes a report. Files get their names only after all of them are written in full.
    ///
    /// # Errors
    /// The folder cannot be created or written; earlier files are then unchanged.
    pub fn write(&self, report: &Report) -> Result<()> {
        in_folder(&self.path, || self.write_files(report))
    }

    fn write_files(&self, report: &Report) -> Result<()> {
        let output = |name: &str| Output::create(Some(&self.path.join(name)));
        let mut texts = Vec::new();
        let mut left = self.files();
        for (name, text) in files::texts(report)? {
            left.retain(|path| !path.ends_with(&name));
            let mut output = output(&name)?;
            output.write(text.as_bytes())?;
            texts.push(output);
        }
        let mut tables = Vec::new();
        for (name, table) in files::tables(report) {
            left.retain(|path| !path.ends_with(name));
            tables.push(written(output(name)?, &table)?);
        }
        // Everything that needs disk space comes first, then the renaming.
        texts.into_iter().try_for_each(Output::finish)?;
        tables.into_iter().try_for_each(RowWriter::finish)?;
        // Charts left by another report, for which this one has no data.
        for path in left.iter().filter(|path| path.is_file()) {
            fs::remove_file(path).map_err(|error| Error::io(path, error, "remove the chart of another report"))?;
        }
        Ok(())
    }
}

/// Writes a report into a folder, which is created if needed.
///
/// # Errors
/// As for [`ReportFolder::new`] and [`ReportFolder::write`].
pub fn write_report(report: &Report, folder: &Path) -> Result<()> {
    ReportFolder::new(folder)?.write(report)
}

fn written(output: Output, table: &Table<'_>) -> Result<RowWriter> {
    let columns: Vec<(&str, CellKind)> = table.keys().map(|key| (key, CellKind::Text)).collect();
    let mut writer = RowWriter::begin(output, TableKind::Csv, &columns)?;
    for record in table.records() {
        writer.write(&record.iter().map(|field| Cell::Text(field)).collect::<Vec<_>>())?;
    }
    writer.flush()?;
    Ok(writer)
}
