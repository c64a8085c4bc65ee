//! Direct assessments: one line `SYS SID RAW Z N` per system and segment, below a header. RAW is the mean score of the
//! translation on a scale from 0 to 100. The texts are in folders. Bojar et al. 2016. Next: [`super::pairing`].

use std::collections::HashMap;
use std::vec::IntoIter;

use super::account::Account;
use super::format::{Format, Role};
use super::importer::{Hypothesis, Importer, Segment, Segments};
use super::judged_texts::{JudgedText, JudgedTexts};
use super::pairing::Pairs;
use super::preference::{Preference, WEIGH, margin, ties};
use super::sources::{self, Places, Sources};
use crate::error::{Error, Result, quoted};
use crate::files::input::{Input, Line, Lines};
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "da",
    about: "Direct assessments: lines `SYS SID RAW Z N`, scores of systems' segments from 0 to 100",
    details: "Every two systems of one segment are a pair.",
    sample: "SYS SID RAW.SCR Z.SCR N\nA 1 90.5 0.7 2\nB 1 60.5 0 1\nA 2 70 0 1\nB 2 60 0 1\n",
    example: "--systems outputs --references references --languages cs-en",
    endings: &["da"],
    table: None,
    role: Role::Judgments,
    options: &[&sources::SYSTEMS, &sources::REFERENCES, &sources::LANGUAGES, &MARGIN, &TIES, &WEIGH],
    open,
    scores: Some(scores),
};

/// The margin of WMT's metrics task. Ma et al. 2018, section 3.2.
const MARGIN: OptionSpec = margin("25", "Scores that differ by less are a tie");
const TIES: OptionSpec = ties("drop");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let languages = sources::languages(options).unwrap_or_default();
    let assessments = Assessments::open(input, &Places::from_options(input, options), languages)?;
    Ok(Box::new(Pairs::of(assessments, Preference::from_options(options, &TIES, Some(&MARGIN))?)))
}

/// The texts of all systems in the file, including segments for which people did not judge every system.
fn scores(input: &Input, options: &Options) -> Result<JudgedTexts> {
    let languages = sources::languages(options).unwrap_or_default();
    let mut assessments = Assessments::open(input, &Places::from_options(input, options), languages)?;
    let (mut account, mut texts, mut systems) = (Account::default(), Vec::new(), Vec::<String>::new());
    if let Some(lines) = assessments.lines.take() {
        assessments.read(lines, &mut account)?;
    }
    let segments: Vec<(String, Vec<Assessed>)> = assessments.segments.by_ref().collect();
    for row in segments.iter().flat_map(|(_, rows)| rows) {
        if !systems.contains(&row.system) {
            systems.push(row.system.clone());
        }
    }
    for (segment, rows) in segments {
        texts.extend(assessments.texts(&segment, &rows, (&systems, &mut account))?);
    }
    Ok(JudgedTexts::of(texts, account))
}

/// The segments of a file of direct assessments. All scores are held in memory, since those of one segment may be far
/// apart.
pub struct Assessments {
    place: String,
    lines: Option<Lines>,
    sources: Sources,
    languages: [String; 2],
    segments: IntoIter<(String, Vec<Assessed>)>,
}

/// One line of the file.
struct Assessed {
    system: String,
    score: f64,
    line: usize,
}

impl Assessments {
    /// Opens a file of direct assessments; `languages` select the files of the right language pair.
    ///
    /// # Errors
    /// The file or the folders cannot be read. While reading: a line with fewer than three fields, or a score that is
    /// not a finite number.
    pub fn open(input: &Input, places: &Places, languages: [String; 2]) -> Result<Self> {
        let sources = Sources::open(places)?;
        let lines = Some(input.lines()?);
        Ok(Self { place: input.to_string(), lines, sources, languages, segments: Vec::new().into_iter() })
    }

    fn read(&mut self, lines: Lines, account: &mut Account) -> Result<()> {
        let mut segments: Vec<(String, Vec<Assessed>)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for line in lines {
            let line = line?;
            if line.number == 1 && line.text.trim_start().starts_with("SYS") {
                continue;
            }
            let (segment, assessed) = parse(&line, &self.place)?;
            account.rows_read += 1;
            let at = *places.entry(segment.clone()).or_insert(segments.len());
            if at == segments.len() {
                segments.push((segment, Vec::new()));
            }
            segments[at].1.push(assessed);
        }
        self.segments = segments.into_iter();
        Ok(())
    }

    /// The systems' texts for a segment, each with the mean of its scores; systems without a text are left out.
    fn texts(
        &mut self,
        segment: &str,
        rows: &[Assessed],
        (systems, account): (&[String], &mut Account),
    ) -> Result<Vec<JudgedText>> {
        let languages = [self.languages[0].as_str(), self.languages[1].as_str()];
        let reference = match self.sources.reference(languages, segment)? {
            Ok(text) => text,
            Err(missing) => {
                account.drop_rows(rows.len(), &missing.reason());
                return Ok(Vec::new());
            }
        };
        let mut texts = Vec::new();
        for system in systems {
            let scores: Vec<f64> = rows.iter().filter(|row| row.system == *system).map(|row| row.score).collect();
            match self.sources.hypothesis(system, languages, segment)? {
                Ok(hypothesis) => texts.push(JudgedText {
                    system: system.clone(),
                    segment: segment.to_owned(),
                    hypothesis,
                    references: vec![reference.clone()],
                    score: (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64),
                }),
                Err(missing) => account.drop_rows(scores.len(), &missing.reason()),
            }
        }
        Ok(texts)
    }

    fn segment(&mut self, id: String, rows: Vec<Assessed>, account: &mut Account) -> Result<Option<Segment>> {
        let languages = [self.languages[0].as_str(), self.languages[1].as_str()];
        let reference = match self.sources.reference(languages, &id)? {
            Ok(text) => text,
            Err(missing) => {
                account.drop_rows(rows.len(), &missing.reason());
                return Ok(None);
            }
        };
        let line = rows.first().map_or(0, |row| row.line);
        let mut hypotheses = Vec::new();
        for row in rows {
            match self.sources.hypothesis(&row.system, languages, &id)? {
                Ok(text) => {
                    hypotheses.push(Hypothesis { name: row.system, text, score: row.score, judges: Vec::new() });
                }
                Err(missing) => account.drop_rows(1, &missing.reason()),
            }
        }
        if hypotheses.len() == 1 {
            account.drop_rows(1, "the only one of their segment");
        }
        Ok(Some(Segment { id, references: vec![reference], hypotheses, line }))
    }
}

fn parse(line: &Line, place: &str) -> Result<(String, Assessed)> {
    let wrong = |expected: &str, found: String| {
        let advice = "write each score as 'SYS SID RAW Z N', with the mean of all people in RAW";
        Error::invalid(format!("{place}:{}", line.number), expected, found, advice)
    };
    let fields: Vec<&str> = line.text.split_whitespace().collect();
    let [system, segment, raw, ..] = fields.as_slice() else {
        return Err(wrong("5 fields SYS SID RAW Z N", fields.len().to_string()));
    };
    let score = raw.parse().ok().filter(|score: &f64| score.is_finite());
    let score = score.ok_or_else(|| wrong("a numeric score", quoted(raw)))?;
    Ok(((*segment).to_owned(), Assessed { system: (*system).to_owned(), score, line: line.number }))
}

impl Segments for Assessments {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        if let Some(lines) = self.lines.take() {
            self.read(lines, account)?;
        }
        while let Some((id, rows)) = self.segments.next() {
            if let Some(segment) = self.segment(id, rows, account)? {
                return Ok(Some(segment));
            }
        }
        Ok(None)
    }
}
