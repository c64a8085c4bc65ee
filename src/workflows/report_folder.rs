//! A report as a folder, whose files are replaced all together or not at all: the page, the report as JSON, charts, and a
//! CSV table for each section.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::files::{Output, write_folder};
use crate::report::details::Details;
use crate::report::table::Table;
use crate::report::{Report, html, people, sections};

const PAGE: &str = "report.html";

const JSON: &str = "report.json";

/// The table of a section.
type Section = for<'r> fn(&'r Report) -> Table<'r>;

const TABLES: [(&str, Section); 14] = [
    ("accuracy.csv", |report| sections::accuracy(report, report.systems.iter())),
    ("matrix.csv", |report| sections::comparisons(report.matrix.as_ref())),
    ("confusion.csv", sections::verdicts),
    ("reliability.csv", |report| sections::reliability(report.details.as_ref())),
    ("coverage.csv", sections::coverage),
    ("breakdowns.csv", |report| sections::breakdowns(report.details.as_ref())),
    ("conventions.csv", sections::conventions),
    ("annotators.csv", people::annotators),
    ("annotator_pairs.csv", people::each_two),
    ("alternative_test.csv", people::alternative),
    ("judges.csv", people::judges),
    ("families.csv", sections::families),
    ("ablation.csv", |report| sections::ablation(&report.ablation)),
    ("learning_curve.csv", sections::learning_curve),
];

const PAIRS: &str = "pairs.csv";

const TEXTS: &str = "texts.csv";

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
        let tables = TABLES.iter().map(|(name, _)| *name).chain([PAIRS, TEXTS]).map(|name| self.path.join(name));
        let charts = html::CHARTS.iter().map(|name| self.path.join(format!("{name}.svg")));
        [PAGE, JSON].map(|name| self.path.join(name)).into_iter().chain(tables).chain(charts).collect()
    }

    /// Writes a report. Files get their names only after all of them are written in full.
    ///
    /// # Errors
    /// The folder cannot be created or written; earlier files are then unchanged.
    pub fn write(&self, report: &Report) -> Result<()> {
        let json = serde_json::to_string(report).map_err(|error| not_written(&error))?;
        let charts = html::charts(report)?.into_iter().map(|(name, svg)| (format!("{name}.svg"), svg.into_bytes()));
        let page = html::page(report)?.into_bytes();
        let mut files = vec![(PAGE.to_owned(), page), (JSON.to_owned(), format!("{json}\n").into_bytes())];
        files.extend(charts);
        // A table without data has only its header, so that it overwrites one left by another report.
        for (name, section) in TABLES {
            files.push((name.to_owned(), csv(&section(report)).map_err(|error| not_written(&error))?));
        }
        let details = report.details.as_ref();
        for (name, table) in [(PAIRS, pairs(details)), (TEXTS, texts(details))] {
            files.push((name.to_owned(), table.map_err(|error| not_written(&error))?));
        }
        write_folder(&self.path, &files)?;
        // Charts left by another report, for which this one has no data.
        let names = html::CHARTS.iter().map(|name| format!("{name}.svg"));
        let left = names.filter(|name| files.iter().all(|(written, _)| written != name));
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

/// A table as CSV, with its header.
fn csv(table: &Table<'_>) -> std::result::Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.keys())?;
    for record in table.records() {
        writer.write_record(record.iter().map(|field| field.as_bytes()))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Every pair with its label, the first system's verdict and probabilities, and the scores of every metric. Texts are
/// numbers of rows of [`texts`]. The rows are not a [`Table`], which would hold all cells of many pairs in memory.
fn pairs(details: Option<&Details>) -> std::result::Result<Vec<u8>, csv::Error> {
    let rows = details.map(|details| details.all_pairs.rows.as_slice()).unwrap_or_default();
    let scores = details.map(|details| details.scores.as_slice()).unwrap_or_default();
    let references = rows.iter().map(|row| row.texts.len().saturating_sub(2)).max().unwrap_or(0).max(1);
    let mut header: Vec<String> =
        ["file", "line", "id", "hyp1_text", "hyp2_text", "ref_text"].map(str::to_owned).into();
    header.extend((2..=references).map(|number| format!("ref{number}_text")));
    header.extend(["label", "verdict", "p1", "p0", "p-1"].map(str::to_owned));
    header.extend(scores.iter().flat_map(|of| [1, 2].map(|side| format!("{}.{side}", of.metric))));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header)?;
    for (at, row) in rows.iter().enumerate() {
        let mut record = vec![row.file.clone().unwrap_or_default(), row.line.to_string()];
        record.push(row.id.clone().unwrap_or_default());
        record.extend((0..2 + references).map(|text| row.texts.get(text).map(usize::to_string).unwrap_or_default()));
        record.extend([row.people, row.verdict].map(|verdict| verdict.to_string()));
        record.extend(row.probabilities.0.map(|share| share.to_string()));
        record.extend(scores.iter().flat_map(|of| of.values[at].map(|score| score.to_string())));
        writer.write_record(&record)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The distinct texts of the pairs, each with its number.
fn texts(details: Option<&Details>) -> std::result::Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["number", "text"])?;
    for (number, text) in details.iter().flat_map(|details| details.all_pairs.texts.iter().enumerate()) {
        writer.write_record([number.to_string().as_str(), text])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn not_written(error: &dyn std::error::Error) -> Error {
    Error::invalid("report", "numbers and texts", error.to_string(), "report this as a bug")
}
