//! A report as a folder, whose files are replaced all together or not at all: the page, the report as JSON, charts, and a
//! CSV table for each section.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::files::{Output, in_folder};
use crate::report::table::Table;
use crate::report::{Report, html, sections};

const PAGE: &str = "report.html";

const JSON: &str = "report.json";

/// The table of a section.
type Section = for<'r> fn(&'r Report) -> Table<'r>;

const TABLES: [(&str, Section); 10] = [
    ("accuracy.csv", |report| sections::accuracy(report, report.systems.iter())),
    ("matrix.csv", |report| sections::comparisons(report.matrix.as_ref())),
    ("confusion.csv", sections::verdicts),
    ("reliability.csv", |report| sections::reliability(report.details.as_ref())),
    ("breakdowns.csv", |report| sections::breakdowns(report.details.as_ref())),
    ("conventions.csv", sections::conventions),
    ("families.csv", sections::families),
    ("ablation.csv", |report| sections::ablation(&report.ablation)),
    ("learning_curve.csv", |report| sections::learning_curve(&report.learning_curve)),
    ("pairs.csv", |report| sections::pairs(report.details.as_ref())),
];

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

    /// The files of the report, the page first. A chart without data has no file.
    pub fn files(&self) -> Vec<PathBuf> {
        let tables = TABLES.iter().map(|(name, _)| self.path.join(name));
        let charts = html::CHARTS.iter().map(|name| self.path.join(format!("{name}.svg")));
        [PAGE, JSON].map(|name| self.path.join(name)).into_iter().chain(tables).chain(charts).collect()
    }

    /// Writes a report. Files get their names only after all of them are written in full.
    ///
    /// # Errors
    /// The folder cannot be created or written; earlier files are then unchanged.
    pub fn write(&self, report: &Report) -> Result<()> {
        in_folder(&self.path, || self.write_files(report))
    }

    fn write_files(&self, report: &Report) -> Result<()> {
        let json = serde_json::to_string(report)
            .map_err(|error| Error::invalid("report", "numbers", error.to_string(), "report this as a bug"))?;
        let mut texts = vec![(PAGE.to_owned(), html::page(report)), (JSON.to_owned(), json + "\n")];
        texts.extend(html::charts(report).into_iter().map(|(name, svg)| (format!("{name}.svg"), svg)));
        let output = |name: &str| Output::create(Some(&self.path.join(name)));
        let text = |(name, text): &(String, String)| {
            let mut output = output(name)?;
            output.write(text.as_bytes())?;
            Ok(output)
        };
        let written: Vec<Output> = texts.iter().map(text).collect::<Result<_>>()?;
        // A table without data has only its header, so that it overwrites one left by another report.
        let table = |(name, section): &(&str, Section)| written_table(output(name)?, &section(report));
        let tables: Vec<RowWriter> = TABLES.iter().map(table).collect::<Result<_>>()?;
        // Everything that needs disk space comes first, then the renaming.
        written.into_iter().try_for_each(Output::finish)?;
        tables.into_iter().try_for_each(RowWriter::finish)?;
        // Charts left by another report, for which this one has no data.
        let names = html::CHARTS.iter().map(|name| format!("{name}.svg"));
        let left = names.filter(|name| texts.iter().all(|(written, _)| written != name));
        for path in left.map(|name| self.path.join(name)).filter(|path| path.is_file()) {
            fs::remove_file(&path).map_err(|error| Error::io(&path, error, "remove the chart of another report"))?;
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

fn written_table(output: Output, table: &Table<'_>) -> Result<RowWriter> {
    let columns: Vec<(&str, CellKind)> = table.keys().map(|key| (key, CellKind::Text)).collect();
    let mut writer = RowWriter::begin(output, TableKind::Csv, &columns)?;
    for record in table.records() {
        writer.write(&record.iter().map(|field| Cell::Text(field)).collect::<Vec<_>>())?;
    }
    writer.flush()?;
    Ok(writer)
}
