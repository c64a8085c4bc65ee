//! Error annotations, one error a row: a table with tabs and the columns `system`, `doc`, `seg_id`, `rater`, `target`,
//! `category` and `severity`, as the MQM studies of WMT publish them. A segment without any error has a row `No-error`.
//!
//! The score of a hypothesis by one rater is minus the sum of its errors' [penalties](Penalties); the mean over the raters
//! is its score. Freitag et al. 2021, "Experts, Errors, and Context". Next: [`super::pairing`].

use std::collections::HashMap;
use std::vec::IntoIter;

use super::penalties::{Penalties, Penalty};
use super::preference::{WEIGH, margin, ties};
use super::{Account, Format, Hypothesis, Importer, Pairs, Preference, Role, Segment, Segments};
use crate::error::{Error, Result};
use crate::files::input::Input;
use crate::files::table::{Column, Row, Rows, TableKind};
use crate::options::{OptionSpec, Options, Value, any_text, reads_as};

/// Its line in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "mqm",
    about: "Error annotations (MQM): a table with tabs and an error a row, as the WMT studies publish them",
    details: "A translation's score is minus the sum of its errors' penalties, averaged over raters.",
    sample: "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n\
        ref\td\t1\tr1\tthe cat sat\tNo-error\tNo-error\n\
        A\td\t1\tr1\tthe <v>cats</v> sat\tFluency/Grammar\tMajor\n\
        B\td\t1\tr1\ta cat sat\tNo-error\tNo-error\n",
    example: "--reference refA --margin 2",
    endings: &[],
    table: None,
    role: Role::Judgments,
    options: &[&REFERENCE, &MARGIN, &PENALTY, &TIES, &WEIGH],
    open,
};

const REFERENCE: OptionSpec = OptionSpec {
    name: "reference",
    value: Value::Many { placeholder: "SYSTEM", default: Some("ref"), check: any_text },
    help: "The systems that are references, separated by commas",
};
const MARGIN: OptionSpec = margin("1", "Scores that differ by less are a tie: 1 is a minor error, 5 a major one");
const PENALTY: OptionSpec = OptionSpec {
    name: "penalty",
    value: Value::Many { placeholder: "[CATEGORY][:SEVERITY]=COST", default: None, check: reads_as::<Penalty> },
    help: "What errors cost, such as ':Critical=10' or 'Fluency/Spelling:Minor=0.5'; may be given several times [default: \
        25 for non-translations, 0.1 for minor punctuation, 5 for other major, 1 for other minor errors]",
};
const TIES: OptionSpec = ties("keep");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let penalties = options.texts(&PENALTY).into_iter().map(str::parse).collect::<Result<Vec<Penalty>>>()?;
    let references = options.texts(&REFERENCE).into_iter().map(str::to_owned).collect();
    let settings = Settings { references, penalties: Penalties::with(penalties) };
    let preference = Preference::from_options(options, &TIES, Some(&MARGIN))?;
    Ok(Box::new(Pairs::of(Mqm::open(input, settings)?, preference)))
}

/// Which systems are references, and what errors cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The systems whose translations are the references, and no hypotheses.
    pub references: Vec<String>,
    /// What errors cost.
    pub penalties: Penalties,
}

impl Default for Settings {
    fn default() -> Self {
        Self { references: vec!["ref".into()], penalties: Penalties::default() }
    }
}

/// The segments of a file of error annotations. All judged texts are held in memory: the rows of one segment are those of
/// its systems, which stand far apart.
pub struct Mqm {
    place: String,
    settings: Settings,
    columns: Columns,
    rows: Option<Rows>,
    segments: IntoIter<Annotated>,
}

impl Mqm {
    /// Opens a file of error annotations.
    ///
    /// # Errors
    /// The file cannot be read; a column is missing. While reading: a row of another length, an error of unknown severity,
    /// two texts of one system and segment, no row of a reference.
    pub fn open(input: &Input, settings: Settings) -> Result<Self> {
        let rows = Rows::open(input, Some(TableKind::Tsv))?;
        let columns = Columns::find(&rows)?;
        Ok(Self { place: input.to_string(), settings, columns, rows: Some(rows), segments: Vec::new().into_iter() })
    }

    fn read(&mut self, rows: Rows, account: &mut Account) -> Result<()> {
        let mut study = Study::default();
        for row in rows {
            let row = self.columns.annotation(&row?)?;
            account.rows_read += 1;
            let cost = self.settings.penalties.of(&row.category, &row.severity);
            let cost = cost.ok_or_else(|| self.unknown_severity(&row))?;
            study.add(row, cost, &self.place)?;
        }
        let is_reference = |system: &System| self.settings.references.contains(&system.name);
        if !study.segments.iter().flat_map(|segment| &segment.systems).any(is_reference) {
            return Err(self.no_reference(&study));
        }
        self.segments = study.segments.into_iter();
        Ok(())
    }

    fn unknown_severity(&self, row: &Annotation) -> Error {
        Error::invalid(
            format!("{}:{}", self.place, row.line),
            format!("a severity {}", self.settings.penalties.severities().join(", ")),
            format!("'{}'", row.severity),
            format!("say what such an error costs: --penalty '{}=COST'", format_args!(":{}", row.severity)),
        )
    }

    fn no_reference(&self, study: &Study) -> Error {
        let mut systems: Vec<&str> = study.systems().collect();
        systems.sort_unstable();
        systems.dedup();
        Error::invalid(
            self.place.as_str(),
            format!("translations of the reference '{}'", self.settings.references.join("', '")),
            format!("only the systems {}", systems.join(", ")),
            "name the system that is the reference with --reference",
        )
    }
}

impl Segments for Mqm {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        if let Some(rows) = self.rows.take() {
            self.read(rows, account)?;
        }
        for annotated in self.segments.by_ref() {
            if let Some(segment) = annotated.judged(&self.settings.references, account) {
                return Ok(Some(segment));
            }
        }
        Ok(None)
    }

    fn references(&self) -> usize {
        self.settings.references.len()
    }
}

/// All rows, by segment and system, in the order in which they first come.
#[derive(Default)]
struct Study {
    segments: Vec<Annotated>,
    places: HashMap<String, usize>,
}

/// A segment with what its systems made of it.
struct Annotated {
    id: String,
    line: usize,
    systems: Vec<System>,
}

/// A translation with the penalties that each rater gave it.
struct System {
    name: String,
    text: String,
    raters: Vec<(String, f64)>,
    rows: usize,
}

impl Study {
    fn add(&mut self, row: Annotation, cost: f64, place: &str) -> Result<()> {
        let next = self.segments.len();
        let at = *self.places.entry(row.segment.clone()).or_insert(next);
        if at == next {
            self.segments.push(Annotated { id: row.segment.clone(), line: row.line, systems: Vec::new() });
        }
        let systems = &mut self.segments[at].systems;
        let known = systems.iter().position(|system| system.name == row.system);
        let known = known.unwrap_or_else(|| {
            systems.push(System { name: row.system.clone(), text: row.text.clone(), raters: Vec::new(), rows: 0 });
            systems.len() - 1
        });
        let system = &mut systems[known];
        if system.text != row.text {
            return Err(two_texts(&row, place));
        }
        system.rows += 1;
        match system.raters.iter_mut().find(|(name, _)| *name == row.rater) {
            Some((_, sum)) => *sum += cost,
            None => system.raters.push((row.rater, cost)),
        }
        Ok(())
    }

    fn systems(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().flat_map(|segment| &segment.systems).map(|system| system.name.as_str())
    }
}

impl Annotated {
    /// The segment with its references apart from the hypotheses; none, with a note, where it has no reference.
    fn judged(self, references: &[String], account: &mut Account) -> Option<Segment> {
        let named = |name: &String| self.systems.iter().find(|system| system.name == *name);
        let texts: Vec<String> = references.iter().filter_map(named).map(|system| system.text.clone()).collect();
        let (of_references, judged): (Vec<System>, Vec<System>) =
            self.systems.into_iter().partition(|system| references.contains(&system.name));
        let mut drop_rows = |systems: &[System], reason| {
            let rows = systems.iter().map(|system| system.rows).sum();
            account.drop_rows(rows, reason);
        };
        drop_rows(&of_references, "errors of the reference");
        if texts.is_empty() {
            drop_rows(&judged, "of a segment without a reference");
            return None;
        }
        if judged.len() == 1 {
            drop_rows(&judged, "of the only system of its segment");
        }
        let hypotheses = judged.into_iter().map(System::hypothesis).collect();
        Some(Segment { id: self.id, references: texts, hypotheses, line: self.line })
    }
}

impl System {
    fn hypothesis(self) -> Hypothesis {
        let sum: f64 = self.raters.iter().map(|(_, penalty)| penalty).sum();
        let score = -sum / self.raters.len() as f64;
        let judges = self.raters.into_iter().map(|(name, _)| name).collect();
        Hypothesis { name: self.name, text: self.text, score, judges }
    }
}

/// Where each column stands.
struct Columns {
    system: Column,
    document: Option<Column>,
    segment: Column,
    rater: Column,
    target: Column,
    category: Column,
    severity: Column,
}

/// What is needed of a row.
struct Annotation {
    line: usize,
    system: String,
    /// Document and number.
    segment: String,
    rater: String,
    /// The target without the marks of the error.
    text: String,
    category: String,
    severity: String,
}

impl Columns {
    fn find(rows: &Rows) -> Result<Self> {
        let required = |name: &str| {
            rows.find(name).ok_or_else(|| {
                Error::invalid(
                    format!("{}:1", rows.place()),
                    "a header with the columns system, seg_id, rater, target, category, severity",
                    format!("no column '{name}' among {}", rows.columns().join(", ")),
                    "name the columns in the first line, with tabs between them",
                )
            })
        };
        Ok(Self {
            system: required("system")?,
            document: rows.find("doc").or_else(|| rows.find("doc_id")),
            segment: required("seg_id")?,
            rater: required("rater")?,
            target: required("target")?,
            category: required("category")?,
            severity: required("severity")?,
        })
    }

    fn annotation(&self, row: &Row) -> Result<Annotation> {
        let text = |column: &Column| row.text(column).map(|text| text.into_owned());
        let document = self.document.as_ref().map(text).transpose()?.map(|name| name + ":").unwrap_or_default();
        Ok(Annotation {
            line: row.line(),
            system: text(&self.system)?,
            segment: document + &text(&self.segment)?,
            rater: text(&self.rater)?,
            text: row.text(&self.target)?.replace("<v>", "").replace("</v>", ""),
            category: text(&self.category)?,
            severity: text(&self.severity)?,
        })
    }
}

fn two_texts(row: &Annotation, place: &str) -> Error {
    Error::invalid(
        format!("{place}:{}", row.line),
        format!("the target that system '{}' had before in segment '{}'", row.system, row.segment),
        "another one",
        "give each segment a doc and seg_id of its own",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Pair;
    use std::io::Write;

    const HEADER: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n";

    fn read(rows: &str, settings: Settings, preference: Preference) -> (Result<Vec<Pair>>, Account) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(format!("{HEADER}{rows}").as_bytes()).unwrap();
        let mqm = Mqm::open(&Input::File(file.path().into()), settings).unwrap();
        let mut pairs = Pairs::of(mqm, preference);
        (pairs.by_ref().collect(), pairs.account().unwrap().clone())
    }

    /// Two raters of a, one of b and c; a second segment without reference.
    const ROWS: &str = "ref\td\t1\tR1\tthe text\tNo-error\tNo-error\n\
        a\td\t1\tR1\t<v>the</v> a text\tFluency/Grammar\tMajor\n\
        a\td\t1\tR1\tthe a <v>text</v>\tFluency/Punctuation\tMinor\n\
        a\td\t1\tR2\tthe a text\tNo-error\tNo-error\n\
        b\td\t1\tR1\tthe b text\tStyle/Awkward\tMinor\n\
        c\td\t1\tR1\tthe c text\tNo-error\tNo-error\n\
        a\td\t2\tR1\tother\tNo-error\tNo-error\n\
        b\td\t2\tR1\tanother\tNo-error\tNo-error\n";

    #[test]
    fn penalties_are_added_up_and_averaged_over_raters() {
        let preference = Preference { weigh: true, ..Preference::default() };
        let (pairs, account) = read(ROWS, Settings::default(), preference);
        let pairs = pairs.unwrap();
        // a: -(5.1 + 0) / 2, b: -1, c: 0.
        let differences: Vec<f64> = pairs.iter().map(|pair| pair.weight.unwrap()).collect();
        for (found, expected) in differences.iter().zip([1.55, 2.55, 1.0]) {
            assert!((found - expected).abs() < 1e-12, "{differences:?}");
        }
        for pair in &pairs {
            let order = |side: usize| "abc".find(&pair.hypotheses[side][4..5]).unwrap() as i8;
            assert_eq!(pair.label.unwrap().sign(), (order(0) - order(1)).signum());
            assert_eq!(pair.references, ["the text"]);
        }
        assert_eq!(pairs[0].judges.as_deref(), Some("R1;R2"));
        assert_eq!((account.rows_read, account.pairs, account.groups), (8, 3, 1));
        assert_eq!(account.rows_dropped["of a segment without a reference"], 2);
        assert_eq!(account.rows_dropped["errors of the reference"], 1);
    }

    #[test]
    fn another_system_may_be_the_reference() {
        let settings = Settings { references: vec!["b".into()], ..Settings::default() };
        let (pairs, _) = read(ROWS, settings, Preference::with_margin(1.0));
        let pairs = pairs.unwrap();
        // Of the first segment ref, a and c; of the second only a.
        assert_eq!(pairs.len(), 3);
        assert!(pairs.iter().all(|pair| pair.references == ["the b text"]));
        assert_eq!(pairs.iter().filter(|pair| pair.label == Some(crate::judgments::Verdict::Tie)).count(), 1);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (rows, part) in [
            ("ref\td\t1\tR\tt\tNo-error\n", ":2: expected 7 fields, as in the header, found 6;"),
            (
                "ref\td\t1\tR\tt\tStyle\tCritical\n",
                ":2: expected a severity Major, Minor, Neutral, No-error, found 'Critical';",
            ),
            (
                "a\td\t1\tR\tt\tStyle\tMajor\n",
                ": expected translations of the reference 'ref', found only the systems a;",
            ),
            (
                "ref\td\t1\tR\tt\tNo-error\tNo-error\nref\td\t1\tR\tu\tNo-error\tNo-error\n",
                ":3: expected the target that system 'ref' had before in segment 'd:1', found another one;",
            ),
        ] {
            let message = read(rows, Settings::default(), Preference::default()).0.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
