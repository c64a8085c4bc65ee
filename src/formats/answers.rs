//! Verdicts in files: answers with one verdict per line, from people or from `predict`, and names of labels.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value;

use super::winner::SCALES;
use crate::error::{Error, Result, json_fault, quoted};
use crate::files::input::{self, Input, Lines};
use crate::files::table::{Column, Rows, TableKind};
use crate::judgments::Verdict;
use crate::judgments::identity::canonical;
use crate::options::{self, OptionSpec, Options, did_you_mean, reads_as};

/// The names of labels in tables and in files of answers.
pub const LABELS: OptionSpec = OptionSpec {
    name: "labels",
    value: options::Value::Many { placeholder: "NAME=LABEL", default: None, check: reads_as::<LabelName> },
    help: "Names of labels, such as left=1,right=-1,tie=0; 1=-1,0=0,-1=1 reverses them [default: 1, 0 and -1]",
};

/// The names of labels from -2 to 2, of which 2 and -2 are strong preferences: only the sign counts.
pub(super) const STRENGTHS: &str = "2=1,1=1,0=0,-1=-1,-2=-1";

/// A name of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LabelName {
    name: String,
    verdict: Verdict,
}

/// Names of verdicts; by default 1, 0 and -1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelNames {
    names: Vec<LabelName>,
    /// Whether the user can give others with `labels`.
    can_be_given: bool,
}

impl LabelNames {
    /// The names that the options give.
    ///
    /// # Errors
    /// One name is given to two verdicts.
    pub fn from_options(options: &Options) -> Result<Self> {
        let mut names: Vec<LabelName> = Vec::new();
        for text in options.texts(&LABELS) {
            let given: LabelName = text.parse()?;
            if let Some(known) = names.iter().find(|known| known.is(&given.name) && known.verdict != given.verdict) {
                let found = format!("{}={} and {text}", known.name, known.verdict);
                return Err(Error::invalid("`labels`", "one label for each name", found, "remove one of them"));
            }
            names.push(given);
        }
        Ok(Self { names, can_be_given: true })
    }

    /// The same names, to which the user can add others or not.
    pub(crate) fn can_be_given(self, can_be_given: bool) -> Self {
        Self { can_be_given, ..self }
    }

    /// Whether the user gave no names.
    pub(crate) fn are_default(&self) -> bool {
        self.names.is_empty()
    }

    /// The verdict that a text stands for.
    ///
    /// # Errors
    /// The text is not one of the names.
    pub(crate) fn read(&self, text: &str, place: &str) -> Result<Verdict> {
        if self.names.is_empty() {
            return Verdict::parse(text).ok_or_else(|| self.wrong_label(text, place));
        }
        let known = self.names.iter().find(|known| known.is(text.trim()));
        known.map(|known| known.verdict).ok_or_else(|| self.unknown(text, place))
    }

    fn unknown(&self, text: &str, place: &str) -> Error {
        let names = || self.names.iter().map(|known| known.name.as_str());
        let advice = format!("{}name all labels of the file with `labels`", did_you_mean(text.trim(), names()));
        let known = names().collect::<Vec<_>>().join(", ");
        Error::invalid(place, format!("one of the labels {known}"), quoted(text), advice)
    }

    /// The error for a text that is not a label.
    fn wrong_label(&self, text: &str, place: &str) -> Error {
        let found = if text.trim().is_empty() { "an empty line or cell".to_owned() } else { quoted(text) };
        let mut advice = "write 1 where the first hypothesis is better, -1 where the second is, 0 for a tie".to_owned();
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let strengths =
            format!("if labels also say how strong a preference is, take their signs: `labels` {STRENGTHS}");
        match number {
            Some(2.0) if self.can_be_given => {
                advice =
                    format!("if 1 is the first hypothesis and 2 the second, say so: `labels` 1=1,2=-1; {strengths}");
            }
            Some(-2.0) if self.can_be_given => advice = strengths,
            Some(number) if number.fract() != 0.0 => advice = SCALES.to_owned(),
            _ if self.can_be_given && text.contains(char::is_alphabetic) => {
                advice += ", or name your labels: `labels` left=1,right=-1,tie=0";
            }
            _ => {}
        }
        Error::invalid(place, "a label 1, 0 or -1", found, advice)
    }
}

impl LabelName {
    /// Whether a text is this name; numbers are compared by value, so that 1 is 1.0.
    fn is(&self, text: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        self.name == text || number(&self.name).is_some_and(|name| number(text) == Some(name))
    }
}

impl FromStr for LabelName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = text.rsplit_once('=').and_then(|(name, label)| Some((name.trim(), Verdict::parse(label)?)));
        let Some((name, verdict)) = named.filter(|(name, _)| !name.is_empty()) else {
            let advice = "write, for example, left=1,right=-1,tie=0";
            return Err(Error::invalid("`labels`", "NAME=1, NAME=0 or NAME=-1", quoted(text), advice));
        };
        Ok(Self { name: name.to_owned(), verdict })
    }
}

/// What `predict` writes in place of a verdict where it leaves a pair undecided; `null` in objects, nothing in tables.
pub(crate) const UNDECIDED: &str = "undecided";

/// What a file of answers is for, where it is empty.
pub(crate) const EXPECTED: &str = "one verdict per line";

/// Reads one verdict per line: one of the names, by default `1`, `0` or `-1`, or an object that holds a verdict, as
/// `predict --json` writes; or a table with the column `verdict`.
///
/// # Errors
/// A line holds no verdict; the file is empty.
pub fn read(input: &Input, names: &LabelNames) -> Result<Vec<Verdict>> {
    let mut reader = VerdictReader::open(input, names.clone())?;
    let verdicts = std::iter::from_fn(|| reader.next_for(None).transpose()).collect::<Result<Vec<_>>>()?;
    if verdicts.is_empty() { Err(input::empty(input, EXPECTED)) } else { Ok(verdicts.into_iter().flatten().collect()) }
}

/// Reads the predictions in a file, as `predict` writes them; `None` for a pair that is left undecided.
///
/// # Errors
/// As [`read`].
pub fn read_predictions(input: &Input) -> Result<Vec<Option<Verdict>>> {
    let mut reader = VerdictReader::of_predictions(input)?;
    let predictions = std::iter::from_fn(|| reader.next_for(None).transpose()).collect::<Result<Vec<_>>>()?;
    if predictions.is_empty() { Err(input::empty(input, EXPECTED)) } else { Ok(predictions) }
}

/// As [`read_predictions`], for pairs with these ids.
///
/// # Errors
/// As [`read`]; a verdict has another id than its pair; the number of verdicts differs from that of the pairs.
pub fn read_for<'i>(
    input: &Input,
    pairs: &Input,
    ids: impl ExactSizeIterator<Item = Option<&'i str>>,
) -> Result<Vec<Option<Verdict>>> {
    let (count, mut reader) = (ids.len(), VerdictReader::of_predictions(input)?);
    let mut verdicts = Vec::with_capacity(count);
    for id in ids {
        let Some(verdict) = reader.next_for(id)? else { break };
        verdicts.push(verdict);
    }
    if verdicts.is_empty() {
        return Err(input::empty(input, EXPECTED));
    }
    check_count(input, pairs, verdicts.len() + reader.count_rest()?, count)?;
    Ok(verdicts)
}

/// From this share of the expected lines on, some are missing; fewer are those of a part.
const MIN_PRESENT: f64 = 0.95;

/// Checks that there are as many verdicts as pairs.
///
/// # Errors
/// The numbers differ.
pub(crate) fn check_count(input: &Input, pairs: &Input, verdicts: usize, count: usize) -> Result<()> {
    let expected = format!("{count} lines, one for each pair of {pairs}");
    let is_table = |input| TableKind::from_name(input).is_some();
    let of_fewer = match verdicts as f64 >= MIN_PRESENT * count as f64 {
        true => "a line that is missing before the last one shifts all labels after it: find it, and add it".to_owned(),
        false if is_table(input) => format!("{}; of a report, take one with --all-pairs", input::TRUNCATED),
        // Tables have a header, and their rows may span lines.
        false if is_table(pairs) => input::TRUNCATED.to_owned(),
        false => format!(
            "check that the files belong together; if these are of the first {verdicts} pairs, take those: \
             head -n {verdicts} {pairs}"
        ),
    };
    input::check_lines(input, verdicts, count, expected, &of_fewer)
}

/// Reads verdicts one at a time, each with what it says of its pair.
pub(crate) struct VerdictReader {
    input: Input,
    source: Source,
    names: LabelNames,
    gaps: Gaps,
    /// Verdicts read so far.
    read: usize,
    /// The line of the last pair that a verdict was about.
    last_line: u64,
}

/// How a file says that a pair has no verdict.
#[derive(Clone, Copy)]
enum Gaps {
    /// Every pair has one.
    None,
    /// By a blank line or cell.
    Blank,
    /// By the word of predictions, `null` in objects or nothing in tables.
    Undecided,
}

impl Gaps {
    fn is(self, text: &str, undecided: &str) -> bool {
        match self {
            Self::None => false,
            Self::Blank => text.is_empty() || text == "null",
            Self::Undecided => text == undecided || text == UNDECIDED,
        }
    }
}

enum Source {
    Lines(Lines),
    /// A table, with the columns of verdicts, numbers of pairs and ids.
    Table(Box<Rows>, Column, [Option<Column>; 2]),
}

impl VerdictReader {
    /// Opens a file of verdicts.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn open(input: &Input, names: LabelNames) -> Result<Self> {
        let source = table(input).map_or_else(|| input.lines().map(Source::Lines), Ok)?;
        Ok(Self { input: input.clone(), source, names, gaps: Gaps::None, read: 0, last_line: 0 })
    }

    /// Opens a file of an annotator's labels, which is blank where there is none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn of_annotator(input: &Input, names: LabelNames) -> Result<Self> {
        Ok(Self { gaps: Gaps::Blank, ..Self::open(input, names)? })
    }

    /// Opens a file of predictions, as `predict` writes them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn of_predictions(input: &Input) -> Result<Self> {
        Ok(Self { gaps: Gaps::Undecided, ..Self::open(input, LabelNames::default())? })
    }

    /// The next verdict, which is that on the pair with this id if both have one; `None` at the end. The verdict itself
    /// is `None` where there is none.
    ///
    /// # Errors
    /// There is no verdict, or it is that on another pair.
    pub(crate) fn next_for(&mut self, id: Option<&str>) -> Result<Option<Option<Verdict>>> {
        let gaps = self.gaps;
        let read = |names: &LabelNames, text: &str, place: &str, undecided: &str| match text.trim() {
            found if gaps.is(found, undecided) => Ok(None),
            _ => names.read(text, place).map(Some),
        };
        let (verdict, place, of) = match &mut self.source {
            Source::Lines(lines) => {
                let Some(line) = lines.next().transpose()? else { return Ok(None) };
                let place = format!("{}:{}", self.input, line.number);
                if line.text.trim_start().starts_with('{') {
                    let object = Object::parse(&line.text, &place)?;
                    (read(&LabelNames::default(), &text(&object.verdict), &place, "null")?, place, object.of)
                } else {
                    (read(&self.names, &line.text, &place, UNDECIDED)?, place, Of::default())
                }
            }
            Source::Table(rows, verdict, [pair, id]) => {
                let Some(row) = rows.next().transpose()? else { return Ok(None) };
                let cell = |column: &Option<Column>| column.as_ref().map(|column| row.optional(column)).transpose();
                let pair = cell(pair)?.flatten().and_then(|number| number.trim().parse().ok());
                let id = cell(id)?.flatten().map(|id| id.into_owned().into());
                (
                    read(&self.names, &row.optional(verdict)?.unwrap_or_default(), &row.place(), "")?,
                    row.place(),
                    Of { pair, line: None, id },
                )
            }
        };
        self.read += 1;
        self.check(&of, id, place)?;
        Ok(Some(verdict))
    }

    /// Checks that a verdict is that on the next pair: by the number of the pair, or else by the order of lines; and by
    /// its id.
    fn check(&mut self, of: &Of, id: Option<&str>, place: String) -> Result<()> {
        let next = self.read as u64;
        let wrong = |expected: String, found: String| {
            let advice = "put the verdicts in the order of the pairs";
            Err(Error::invalid(place, expected, found, advice))
        };
        match *of {
            Of { pair: Some(pair), .. } if pair != next => {
                return wrong(format!("the verdict on pair {next}"), format!("the one on pair {pair}"));
            }
            Of { pair: None, line: Some(line), .. } if line < self.last_line => {
                let expected = format!("the verdict of line {} or a later one", self.last_line);
                return wrong(expected, format!("the verdict of line {line}"));
            }
            _ => self.last_line = of.line.unwrap_or(self.last_line),
        }
        let found = of.id.as_ref().map(text);
        match (id, found) {
            (Some(id), Some(found)) if canonical(id) != canonical(&found) => {
                wrong(format!("the verdict on pair {next}, {}", quoted(id)), format!("the one on {}", quoted(&found)))
            }
            _ => Ok(()),
        }
    }

    /// Reads the file to its end, and counts the verdicts that were left.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn count_rest(&mut self) -> Result<usize> {
        match &mut self.source {
            Source::Lines(lines) => lines.map(|line| line.map(|_| 1)).sum(),
            Source::Table(rows, ..) => rows.map(|row| row.map(|_| 1)).sum(),
        }
    }
}

/// The file as a table, if it is one with a column of verdicts.
fn table(input: &Input) -> Option<Source> {
    let kind = TableKind::from_name(input).filter(|kind| *kind != TableKind::JsonLines)?;
    let rows = Rows::open(input, Some(kind)).ok()?;
    let header = rows.header();
    let column = |name: &str| header.find(name).filter(|_| header.has(name));
    let verdict = column(VERDICT)?;
    let others = [PAIR, ID].map(column);
    Some(Source::Table(Box::new(rows), verdict, others))
}

/// The columns of a table of verdicts that are read, which are the keys of an object, too.
pub(crate) const VERDICT: &str = "verdict";
pub(crate) const PAIR: &str = "pair";
pub(crate) const ID: &str = "id";

/// The keys that are read of an object; all others, such as probabilities, are ignored.
#[derive(Deserialize)]
struct Object {
    verdict: Value,
    #[serde(flatten)]
    of: Of,
}

/// The pair that a verdict is on, as far as the verdict says.
#[derive(Default, Deserialize)]
struct Of {
    /// The number of the pair in its file, from 1.
    pair: Option<u64>,
    /// The line of the pair; several pairs may be made from one.
    line: Option<u64>,
    id: Option<Value>,
}

impl Object {
    fn parse(object: &str, place: &str) -> Result<Self> {
        serde_json::from_str(object).map_err(|error| {
            let expected = "an object with the key 'verdict'";
            Error::invalid(place, expected, json_fault(&error), "name a file that `predict --json` wrote")
        })
    }
}

/// A text or a number as text.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn verdicts(ending: &str, text: &str, ids: &[Option<&str>]) -> Result<Vec<Option<Verdict>>> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read_for(&Input::File(file.path().into()), &Input::Stdin, ids.iter().copied())
    }

    #[test]
    fn objects_and_tables_hold_verdicts_in_the_order_of_their_pairs() {
        let right = [Some(Verdict::First), Some(Verdict::Second)];
        let ids = [Some("a"), Some("7")];
        for (ending, text) in [
            (
                "",
                "{\"line\": 2, \"verdict\": 1, \"probabilities\": {\"1\": 0.5}}\n{\"verdict\": \"-1\", \"line\": 4}\n",
            ),
            ("", "{\"line\": 2, \"verdict\": 1}\n{\"line\": 2, \"verdict\": -1, \"id\": 7}\n"),
            ("", "{\"pair\": 1, \"line\": 9, \"verdict\": 1, \"id\": \"a\"}\n-1\n"),
            (".csv", "pair,id,verdict,p1\n1,a,1,0.5\n2,,-1,0.5\n"),
            (".tsv", "verdict\tid\n1\ta\n-1\t7\n"),
            (".csv", "1\n-1\n"),
        ] {
            assert_eq!(verdicts(ending, text, &ids).unwrap(), right, "{text}");
        }
        for (ending, text, fault) in [
            ("", "{\"line\": 1}\n", ":1: expected an object with the key 'verdict', found "),
            ("", "{\"verdict\": 2}\n", ":1: expected a label 1, 0 or -1, found '2'"),
            ("", "1\n{\"verdict\": 1, \"pair\": 1}\n", ":2: expected the verdict on pair 2, found the one on pair 1;"),
            (
                "",
                "{\"line\": 2, \"verdict\": 1}\n{\"line\": 1, \"verdict\": 1}\n",
                ":2: expected the verdict of line 2 or a later one, found the verdict of line 1;",
            ),
            ("", "{\"verdict\": 1, \"id\": \"7\"}\n", ":1: expected the verdict on pair 1, 'a', found the one on '7';"),
            (".csv", "verdict,id\n1,a\n1,b\n", ":3: expected the verdict on pair 2, '7', found the one on 'b';"),
            (".csv", "verdict,id\n1,a\n", "expected 2 lines, one for each pair"),
        ] {
            let message = verdicts(ending, text, &ids).unwrap_err().to_string();
            assert!(message.contains(fault), "{message}");
        }
    }

    fn names(given: &[&str]) -> Result<LabelNames> {
        let mut options = Options::default();
        given.iter().try_for_each(|text| options.set(&LABELS, text))?;
        LabelNames::from_options(&options)
    }

    #[test]
    fn names_say_verdicts() {
        let named = names(&["A=1", "B=-1", " tie =0", "B2=-1"]).unwrap();
        for (text, verdict) in [("A", Verdict::First), (" B ", Verdict::Second), ("tie", Verdict::Tie)] {
            assert_eq!(named.read(text, "x").unwrap(), verdict);
        }
        let turned = names(&["1=-1", "0=0", "-1=1"]).unwrap();
        assert_eq!(turned.read("1.0", "x").unwrap(), Verdict::Second);
        assert_eq!(LabelNames::default().read("1.0", "x").unwrap(), Verdict::First);
    }

    #[test]
    fn strong_preferences_are_read_by_their_sign() {
        let told = LabelNames::from_options(&Options::default()).unwrap().read("-2", "x:1").unwrap_err().to_string();
        let (_, advice) = told.rsplit_once(' ').unwrap();
        let signs = names(&advice.split(',').collect::<Vec<_>>()).unwrap();
        let read = ["2", "1.0", "0", "-1", "-2"].map(|text| signs.read(text, "x:1").unwrap());
        assert_eq!(read, [Verdict::First, Verdict::First, Verdict::Tie, Verdict::Second, Verdict::Second]);
        let of_predictions = LabelNames::default().read("-2", "x:1").unwrap_err().to_string();
        assert!(!of_predictions.contains("labels"), "{of_predictions}");
    }

    #[test]
    fn other_names_are_told_with_those_that_are_known() {
        let message = names(&["left=1", "right=-1"]).unwrap().read("Left", "x:3").unwrap_err().to_string();
        let told = "x:3: expected one of the labels left, right, found 'Left'; did you mean 'left'? name all labels";
        assert!(message.starts_with(told), "{message}");
        assert!(names(&["left=1"]).unwrap().read("1", "x").is_err());
        for wrong in [&["left"][..], &["=1"], &["left=2"], &["left=1", "left=0"], &["1=1", "1.0=-1"]] {
            assert!(names(wrong).is_err(), "{wrong:?}");
        }
    }
}
