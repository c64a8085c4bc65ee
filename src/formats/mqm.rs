//! Error annotations, one error per row: a tab-separated table with the columns `system`, `doc`, `seg_id`, `rater`,
//! `target`, `category` and `severity`, as the MQM studies of WMT publish them. A segment without errors has a
//! `No-error` row.
//!
//! A rater's score of a hypothesis is minus the sum of its errors' [penalties](Penalties). The hypothesis's score is
//! the mean over its raters. Freitag et al. 2021, "Experts, Errors, and Context". Next: [`super::pairing`].
//! raters is its score. Freitag et al. 2021, "Experts, Errors, and Context". Next: [`super::pairing`].

mod annotation;
mod references;
mod study;

use std::vec::IntoIter;

use self::annotation::{Annotation, Columns};
use self::references::{Scores, is_human};
use self::study::{Annotated, Study};
use super::account::Account;
use super::format::{Format, Role};
use super::importer::{Importer, Segment, Segments};
use super::judged_texts::{JudgedText, JudgedTexts};
use super::pairing::Pairs;
use super::penalties::{Penalties, Penalty};
use super::preference::{Preference, WEIGH, margin, ties};
use crate::error::{Error, Result, joined, quoted, truncated};
use crate::files::input::Input;
use crate::files::table::{Rows, TableKind};
use crate::options::{OptionSpec, Options, Value, any_text, reads_as};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "mqm",
    about: "Error annotations (MQM): a tab-separated table with one error per row, as the WMT studies publish them",
    details: "A translation's score is minus the sum of its errors' penalties, averaged over raters. Of several human \
        translations, the one with the best mean score is the reference, unless --reference names another.",
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
    scores: Some(scores),
};

const REFERENCE: OptionSpec = OptionSpec {
    name: "reference",
    value: Value::Many { placeholder: "SYSTEM", default: None, check: any_text },
    help: "The systems that are references, separated by commas [default: of those called ref, refB, Human-A or the \
        like, the one with the best mean score]",
};
const MARGIN: OptionSpec = margin("1", "Scores that differ by less are a tie: 1 is a minor error, 5 a major one");
const PENALTY: OptionSpec = OptionSpec {
    name: "penalty",
    value: Value::Many { placeholder: "[CATEGORY][:SEVERITY]=COST", default: None, check: reads_as::<Penalty> },
    help: "Penalties of errors, such as ':Critical=10' or 'Fluency/Spelling:Minor=0.5'; may be given several times \
        [default: 25 for non-translations, 0.1 for minor punctuation, 5 for other major, 1 for other minor errors]",
};
const TIES: OptionSpec = ties("keep");

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let settings = Settings::from_options(options)?;
    let preference = Preference::from_options(options, &TIES, Some(&MARGIN))?;
    Ok(Box::new(Pairs::of(Mqm::open(input, settings)?, preference)))
}

/// The texts of systems; human translations other than the references are left out, as in rankings of systems.
fn scores(input: &Input, options: &Options) -> Result<JudgedTexts> {
    let settings = Settings { leaves_out_humans: true, ..Settings::from_options(options)? };
    let mut mqm = Mqm::open(input, settings)?;
    let (mut account, mut texts) = (Account::default(), Vec::new());
    while let Some(Segment { id, references, hypotheses, .. }) = mqm.next_segment(&mut account)? {
        let systems = hypotheses.into_iter().filter(|hypothesis| !is_human(&hypothesis.name));
        texts.extend(systems.map(|hypothesis| JudgedText {
            system: hypothesis.name,
            segment: id.clone(),
            hypothesis: hypothesis.text,
            references: references.clone(),
            score: Some(hypothesis.score),
        }));
    }
    Ok(JudgedTexts::of(texts, account))
}

/// Which systems are references, and the penalties of errors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The systems whose translations serve as references rather than hypotheses; if empty, the human translation with
    /// the best mean score.
    pub references: Vec<String>,
    /// The penalties of errors.
    pub penalties: Penalties,
    /// Whether human translations other than the references are left out.
    pub leaves_out_humans: bool,
}

impl Settings {
    fn from_options(options: &Options) -> Result<Self> {
        let penalties = options.texts(&PENALTY).into_iter().map(str::parse).collect::<Result<Vec<Penalty>>>()?;
        let references = options.texts(&REFERENCE).into_iter().map(str::to_owned).collect();
        Ok(Self { references, penalties: Penalties::with(penalties), leaves_out_humans: false })
    }
}

/// The segments of a file of error annotations. All judged texts are held in memory: the rows of a segment belong to
/// different systems, and may be far apart.
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
    /// The file cannot be read; a column is missing. While reading: a row of a different length, an error of unknown
    /// severity, different segments with the same name, no row of a reference.
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
            study.add(row, cost);
        }
        study.corrected(&self.place)?.into_iter().for_each(|note| account.note(note));
        if account.rows_read > 0 {
            self.choose(&study, account)?;
        }
        self.segments = study.segments.into_iter();
        Ok(())
    }

    /// Chooses the reference if none is named, and checks that there is one.
    fn choose(&mut self, study: &Study, account: &mut Account) -> Result<()> {
        let scores = Scores::of(study);
        if self.settings.references.is_empty() {
            self.settings.references.extend(scores.best_human().map(str::to_owned));
        }
        if !study.systems().any(|name| self.settings.references.iter().any(|reference| reference == name)) {
            return Err(self.no_reference(study));
        }
        account.note(scores.note(&self.settings.references, self.settings.leaves_out_humans));
        Ok(())
    }

    fn unknown_severity(&self, row: &Annotation) -> Error {
        Error::invalid(
            format!("{}:{}", self.place, row.line),
            format!("a severity {}", self.settings.penalties.severities().join(", ")),
            quoted(&row.severity),
            format!("set the penalty of such an error: --penalty ':{}=COST'", truncated(&row.severity)),
        )
    }

    fn no_reference(&self, study: &Study) -> Error {
        let mut systems: Vec<&str> = study.systems().collect();
        systems.sort_unstable();
        systems.dedup();
        let wanted = if self.settings.references.is_empty() {
            "a reference, called ref, refB, Human-A or the like".to_owned()
        } else {
            format!("translations of the reference '{}'", self.settings.references.join("', '"))
        };
        Error::invalid(
            self.place.as_str(),
            wanted,
            format!("only the systems {}", joined(systems)),
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
        self.settings.references.len().max(1)
    }
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

    /// Segment 1: two raters for a, one for b and c. Segment 2 has no reference.
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
        assert_eq!((account.rows_read, pairs.len()), (8, 3));
        assert_eq!(account.rows_dropped["of a segment without a reference"], 2);
        assert_eq!(account.rows_dropped["errors of the reference"], 1);
    }

    #[test]
    fn another_system_may_be_the_reference() {
        let settings = Settings { references: vec!["b".into()], ..Settings::default() };
        let (pairs, _) = read(ROWS, settings, Preference::with_margin(1.0));
        let pairs = pairs.unwrap();
        // Segment 1 has ref, a and c left, segment 2 only a.
        assert_eq!(pairs.len(), 3);
        assert!(pairs.iter().all(|pair| pair.references == ["the b text"]));
        assert_eq!(pairs.iter().filter(|pair| pair.label == Some(crate::judgments::Verdict::Tie)).count(), 1);
    }

    /// The better scored of two references, and the more frequent of the targets that a rater corrected.
    #[test]
    fn the_best_reference_and_the_commonest_target_are_taken() {
        let row =
            |system: &str, target: &str, severity: &str| format!("{system}\td\t1\tR1\t{target}\tStyle\t{severity}\n");
        let rows = [
            row("ref", "the first reference", "Major"),
            row("refB", "the second reference", "Minor"),
            row("a", "a text of it", "Minor"),
            row("a", "a text of <v>a</v>", "Minor"),
            row("a", "a text of a", "Minor"),
            row("b", "the text of b", "Neutral"),
        ];
        let (pairs, account) = read(&rows.concat(), Settings::default(), Preference::default());
        let pairs = pairs.unwrap();
        assert_eq!(pairs.len(), 3);
        assert!(pairs.iter().all(|pair| pair.references == ["the second reference"]));
        assert!(pairs.iter().any(|pair| pair.hypotheses.contains(&"a text of a".to_owned())));
        let corrected = "raters corrected 1 target in 1 row: the most frequent text counts as the system's";
        let scores = "the reference is refB -1.00 (mean score); other human translations, which are hypotheses: \
            ref -5.00; systems: -3.00 to 0.00";
        assert_eq!(account.notes, [corrected, scores]);
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
                ": expected a reference, called ref, refB, Human-A or the like, found only the systems a;",
            ),
            (
                "ref\td\t1\tR\tt\tNo-error\tNo-error\nref\td\t1\tR\tu\tNo-error\tNo-error\n",
                ":3: expected the target that system 'ref' has elsewhere in segment 'd:1', found another sentence;",
            ),
        ] {
            let message = read(rows, Settings::default(), Preference::default()).0.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
