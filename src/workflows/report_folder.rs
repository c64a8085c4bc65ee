//! A report as a folder, whose files are replaced all together or not at all: the page, the report as JSON, charts, and
//! the tables as CSV and as LaTeX.

use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use crate::error::{Error, Result};
use crate::files::table::write_record;
use crate::files::{Output, write_folder};
use crate::report::agreements::AgreementReports;
use crate::report::data::{csv, json};
use crate::report::details::{Details, PairRow};
use crate::report::outputs::OutputReport;
use crate::report::{Chart, Report, Section, View, html, latex, sections};

const PAGE: &str = "report.html";

const JSON: &str = "report.json";

const LATEX: &str = "latex.txt";

const PAIRS: &str = "pairs.csv";

const TEXTS: &str = "texts.csv";

/// A folder for a report. Files with the names of the report's files are replaced, others are left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFolder {
    path: PathBuf,
    /// Whether it has all pairs, of which a page may show a sample.
    has_all_pairs: bool,
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
        let folder = Self { path, has_all_pairs: false };
        match fs::metadata(&folder.path) {
            Ok(found) if !found.is_dir() => return Err(wrong("a file")),
            Ok(_) => folder.files().iter().try_for_each(|file| Output::create(Some(file)).map(drop))?,
            Err(_) if fs::symlink_metadata(&folder.path).is_ok() => return Err(wrong("a broken link")),
            // Where a file can be created, a folder can be.
            Err(_) => drop(Output::create(Some(&folder.path))?),
        }
        Ok(folder)
    }

    /// The same with all pairs, of which there may be many more than on the page.
    #[must_use]
    pub fn with_all_pairs(self, has_all_pairs: bool) -> Self {
        Self { has_all_pairs, ..self }
    }

    /// The files of the report, the page first. A chart without data has no file.
    pub fn files(&self) -> Vec<PathBuf> {
        // Sections have the same tables and charts without data.
        self.files_of(&sections::of_report(&Report::default()), &[PAGE, JSON, LATEX, PAIRS, TEXTS])
    }

    /// The files of a report on single outputs, the page first.
    pub fn files_of_outputs(&self) -> Vec<PathBuf> {
        self.files_of(&OutputReport::default().sections(), &[PAGE, JSON, LATEX])
    }

    /// The files of a report on agreement with human scores, the page first.
    pub fn files_of_agreements(&self) -> Vec<PathBuf> {
        let names = [PAGE, JSON, LATEX, "overview.csv", "statistics.csv", "intervals.csv", "tests.csv"];
        names.map(|name| self.path.join(name)).into()
    }

    fn files_of(&self, sections: &[Section<'_>], others: &[&str]) -> Vec<PathBuf> {
        let (tables, charts) = (tables(sections).into_iter().map(|(name, _)| name), charts(sections));
        let others = others.iter().map(|&name| name.to_owned());
        let names = others.chain(tables).chain(charts.into_iter().map(|(name, _)| name));
        names.map(|name| self.path.join(name)).collect()
    }

    /// Writes a report. Files get their names only after all of them are written in full.
    ///
    /// # Errors
    /// The folder cannot be created or written; earlier files are then unchanged.
    pub fn write(&self, report: &Report) -> Result<()> {
        let (details, sections) = (report.details.as_ref(), sections::of_report(report));
        let [pairs, texts] = pairs(details, self.has_all_pairs);
        let pairs = vec![(PAIRS.to_owned(), pairs), (TEXTS.to_owned(), texts)];
        self.write_sections(html::page(report)?, json(report, &sections)?, &sections, pairs)
    }

    /// Writes a report on single outputs.
    ///
    /// # Errors
    /// As for [`Self::write`].
    pub fn write_outputs(&self, report: &OutputReport) -> Result<()> {
        let sections = report.sections();
        self.write_sections(report.to_page()?, json(report, &sections)?, &sections, Vec::new())
    }

    /// Writes a report on agreement with human scores; `data` is the name of their table.
    ///
    /// # Errors
    /// As for [`Self::write`].
    pub fn write_agreements(&self, found: &AgreementReports, data: &str) -> Result<()> {
        let sections = found.sections();
        self.write_sections(found.to_page(data)?, json(found, &sections)?, &sections, Vec::new())
    }

    fn write_sections(
        &self,
        page: String,
        json: String,
        sections: &[Section<'_>],
        others: Vec<(String, Vec<u8>)>,
    ) -> Result<()> {
        let mut files: Vec<(String, Vec<u8>)> = vec![
            (PAGE.to_owned(), page.into_bytes()),
            (JSON.to_owned(), (json + "\n").into_bytes()),
            (LATEX.to_owned(), latex::tables(sections).into_bytes()),
        ];
        files.extend(others);
        files.extend(tables(sections));
        let (with_data, without): (Vec<_>, Vec<_>) =
            charts(sections).into_iter().partition(|(_, chart)| chart.has_data());
        for (name, chart) in with_data {
            files.push((name, chart.alone()?.into_bytes()));
        }
        write_folder(&self.path, &files)?;
        // Charts left by another report, for which this one has no data.
        for path in without.iter().map(|(name, _)| self.path.join(name)).filter(|path| path.is_file()) {
            fs::remove_file(&path).map_err(|error| Error::io(&path, error, "remove the chart of another report"))?;
        }
        Ok(())
    }
}

/// The tables of all sections as CSV, with the names of their files. One without data has only its header, so that it
/// overwrites one left by another report. Of several tables of a section with the same name, the first has a file.
fn tables(sections: &[Section<'_>]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (section, table) in sections.iter().flat_map(|section| section.tables.iter().map(move |table| (section, table)))
    {
        let name = format!("{}.csv", section.name_of(table.key));
        if files.iter().all(|(known, _)| *known != name) {
            files.push((name, csv(table)));
        }
    }
    files
}

/// The charts of all sections, with or without data, with the names of their files.
fn charts<'s>(sections: &'s [Section<'_>]) -> Vec<(String, &'s Chart)> {
    let charts = sections.iter().flat_map(|section| &section.charts);
    let in_files = charts.filter(|chart| chart.view != View::Extract);
    in_files.map(|chart| (format!("{}.svg", chart.name), chart)).collect()
}

/// Writes a report into a folder, which is created if needed; with the pairs of the page or with all.
///
/// # Errors
/// As for [`ReportFolder::new`] and [`ReportFolder::write`].
pub fn write_report(report: &Report, folder: &Path, has_all_pairs: bool) -> Result<()> {
    ReportFolder::new(folder)?.with_all_pairs(has_all_pairs).write(report)
}

/// The pairs of the page, or all, with label, the first system's verdict and probabilities, and the scores of every metric; then
/// their distinct texts, to whose numbers they refer. The rows are not a table of a section, which would hold all cells of many
/// pairs in memory.
fn pairs(details: Option<&Details>, has_all: bool) -> [Vec<u8>; 2] {
    let all = details.map(|details| details.all_pairs.rows.as_slice()).unwrap_or_default();
    let on_page = details.map(|details| details.pairs.rows.as_slice()).unwrap_or_default();
    let rows: Vec<&PairRow> =
        if has_all { all.iter().collect() } else { on_page.iter().map(|row| &all[row.at]).collect() };
    let scores = details.map(|details| details.scores.as_slice()).unwrap_or_default();
    let references = rows.iter().map(|row| row.texts.len().saturating_sub(2)).max().unwrap_or(0).max(1);
    let mut header: Vec<String> =
        ["file", "line", "id", "hyp1_text", "hyp2_text", "ref_text"].map(str::to_owned).into();
    header.extend((2..=references).map(|number| format!("ref{number}_text")));
    header.extend(["label", "verdict", "p1", "p0", "p-1"].map(str::to_owned));
    header.extend(scores.iter().flat_map(|of| [1, 2].map(|side| format!("{}.{side}", of.metric))));
    let (mut csv, mut texts, mut distinct) = (Vec::new(), Vec::new(), IndexSet::new());
    write_record(&mut csv, header);
    for row in rows {
        let numbers: Vec<usize> = row.texts.iter().map(|&text| distinct.insert_full(text).0).collect();
        let mut record = vec![row.file.clone().unwrap_or_default(), row.line.to_string()];
        record.push(row.id.clone().unwrap_or_default());
        record.extend((0..2 + references).map(|text| numbers.get(text).map(usize::to_string).unwrap_or_default()));
        record.extend([row.people, row.verdict].map(|verdict| verdict.to_string()));
        record.extend(row.probabilities.0.map(|share| share.to_string()));
        record.extend(scores.iter().flat_map(|of| of.values[row.at].map(|score| score.to_string())));
        write_record(&mut csv, record);
    }
    write_record(&mut texts, ["number", "text"]);
    for (number, text) in distinct.into_iter().enumerate() {
        let text = details.map_or("", |details| details.all_pairs.texts[text].as_str());
        write_record(&mut texts, [&number.to_string(), text]);
    }
    [csv, texts]
}
