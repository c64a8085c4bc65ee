//! Verdicts of automatic judges, which other programs wrote down: columns `NAME`, or `NAME.12` and `NAME.21` for both
//! orders of the hypotheses, of a table of pairs; or files beside the pairs with one verdict per line, or two separated
//! by a tab.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::external::NamedFiles;
use super::winner::{Winner, winner};
use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::Input;
use crate::files::input::Line;
use crate::files::table::{Column, Header, Row};
use crate::judgments::JudgeVerdicts;

/// The option that names judges.
const JUDGE: &str = "judge";

/// The largest share of words that stand for no verdict: beyond it they are not slips of the judge.
const MAX_UNKNOWN: f64 = 0.1;

/// The most words that a note lists.
const MAX_WORDS: usize = 5;

/// One of the user's judges, and where its verdicts are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeSource {
    /// The judge's name.
    pub name: String,
    /// The file of verdicts; `None` for columns of the pairs.
    pub file: Option<Input>,
}

/// The user's judges, each with files of verdicts for several files of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalJudges(NamedFiles);

impl Default for ExternalJudges {
    fn default() -> Self {
        Self(NamedFiles::new(JUDGE))
    }
}

impl ExternalJudges {
    /// Parses `NAME` and `NAME=FILE`, which may be repeated once for each file of pairs.
    ///
    /// # Errors
    /// A name is empty, or repeated other than with a file each time.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let advice =
            "write `judge` NAME for the column NAME, or NAME.12 and NAME.21 in both orders, or `judge` NAME=FILE";
        NamedFiles::parse(JUDGE, "the name of a judge", texts, advice).map(Self)
    }

    /// The names, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.names()
    }

    /// All files of verdicts.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.0.files()
    }

    /// Adds the judges that a model needs; their verdicts are in columns unless a file was given.
    pub fn and<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        names.into_iter().for_each(|name| self.0.add(name));
        self
    }

    /// The sources of verdicts for file number `at`, from 0, of `count` files of pairs.
    ///
    /// # Errors
    /// A judge has files, but not `count` of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<JudgeSource>> {
        let sources = self.0.of_file(at, count, "verdicts")?.into_iter();
        Ok(sources.map(|(name, file)| JudgeSource { name, file }).collect())
    }
}

/// The columns of judges in a table of pairs.
pub(crate) struct JudgeColumns(Vec<(Arc<str>, [Option<Column>; 2])>);

impl JudgeColumns {
    /// Finds the columns of the judges that have no file.
    ///
    /// # Errors
    /// A judge has none, or only that for the second order.
    pub(crate) fn find(header: &Header, sources: &[JudgeSource]) -> Result<Self> {
        let columns = |source: &JudgeSource| {
            let name = source.name.as_str();
            let column = |name: &str| header.find(name).filter(|_| header.has(name));
            let (alone, both) = (column(name), ["12", "21"].map(|order| column(&format!("{name}.{order}"))));
            match (alone, both) {
                (Some(alone), [None, None]) => Ok((Arc::from(name), [Some(alone), None])),
                (None, both @ [Some(_), Some(_)]) => Ok((Arc::from(name), both)),
                (alone, _) => Err(missing(header, name, alone.is_some())),
            }
        };
        Ok(Self(sources.iter().filter(|source| source.file.is_none()).map(columns).collect::<Result<_>>()?))
    }

    /// The names of all columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|(_, columns)| columns).flatten().map(Column::name)
    }

    /// The verdicts on the pair in a row; `words` collects what is none.
    pub(crate) fn of(&self, row: &Row<'_>, words: &mut Oddities) -> Result<Vec<JudgeVerdicts>> {
        let verdicts = |(name, columns): &(Arc<str>, [Option<Column>; 2])| {
            let mut orders = [None; 2];
            for (verdict, column) in orders.iter_mut().zip(columns) {
                let Some(column) = column else { continue };
                *verdict = words.read(name, &row.optional(column)?.unwrap_or_default());
            }
            Ok(verdicts_in(name, orders))
        };
        self.0.iter().map(verdicts).collect()
    }
}

fn verdicts_in(name: &Arc<str>, orders: [Option<Winner>; 2]) -> JudgeVerdicts {
    JudgeVerdicts {
        name: Arc::clone(name),
        orders: orders.map(|found| found.map(|found| found.value)),
        is_signed: orders.iter().flatten().any(|found| found.is_signed),
        is_swapped: false,
    }
}

fn missing(header: &Header, judge: &str, is_both: bool) -> Error {
    let expected =
        format!("the column {judge}, or the columns {judge}.12 and {judge}.21, of the judge {}", quoted(judge));
    let found = if is_both { "all of them".to_owned() } else { format!("the columns {}", joined(header.columns())) };
    let advice = "NAME.12 holds the verdicts with hypothesis 1 shown first, NAME.21 those with hypothesis 2 shown first; both \
        name the hypothesis that won; for verdicts in a file use `judge` NAME=FILE";
    header.missing(&expected, found, advice)
}

/// The verdicts on a line of a file: one, or those of both orders separated by a tab.
pub(super) fn on_line(line: &Line, input: &Input, name: &Arc<str>, words: &mut Oddities) -> Result<JudgeVerdicts> {
    let fields: Vec<&str> = line.text.split('\t').collect();
    let [first, others @ ..] = fields.as_slice() else {
        return Ok(verdicts_in(name, [None; 2]));
    };
    if others.len() > 1 {
        let (place, found) = (format!("{input}:{}", line.number), fields.len().to_string());
        let advice = "write one verdict per line, or two where each pair was judged in both orders";
        return Err(Error::invalid(place, "one verdict, or two separated by a tab", found, advice));
    }
    let mut read = |text: &str| words.read(name, text);
    let orders = [read(first), others.first().and_then(|second| read(second))];
    Ok(verdicts_in(name, orders))
}

/// What tables hold in place of what is expected: words that stand for no verdict, by judge, and numbers for texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Oddities {
    verdicts: BTreeMap<Arc<str>, OfJudge>,
    /// The texts that are numbers, `true` or `false` in JSON.
    no_texts: usize,
}

#[derive(Debug, Clone, Default)]
struct OfJudge {
    /// Cells that are not blank.
    given: usize,
    /// How often each word stands for no verdict.
    unknown: BTreeMap<String, usize>,
}

impl Oddities {
    /// The verdict of a cell; `None` if it is blank or a word that stands for none, which is counted.
    fn read(&mut self, judge: &Arc<str>, text: &str) -> Option<Winner> {
        // Words by which programs write that there is nothing.
        if text.trim().is_empty() || ["null", "none", "nan", "na"].contains(&text.trim().to_lowercase().as_str()) {
            return None;
        }
        let of_judge = self.verdicts.entry(Arc::clone(judge)).or_default();
        of_judge.given += 1;
        let value = winner(text);
        if value.is_none() {
            *of_judge.unknown.entry(text.trim().to_owned()).or_default() += 1;
        }
        value
    }

    /// Notes of what was counted as missing.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let verdicts = self.verdicts.iter().filter(|(_, found)| !found.unknown.is_empty()).map(|(judge, found)| {
            let count = pluralized(found.count(), "verdict");
            format!("judge {}: {count} of {} read as missing: {}", quoted(judge), found.given, found.words())
        });
        let texts = pluralized(self.no_texts, "text");
        let texts = (self.no_texts > 0)
            .then(|| format!("{texts} are numbers, true or false in JSON, read as they are written"));
        verdicts.chain(texts)
    }

    /// Counts the hypotheses of a row that are no texts.
    pub(crate) fn add_texts(&mut self, row: &Row<'_>, columns: [&Column; 2]) {
        self.no_texts += columns.iter().filter(|column| row.is_no_text(column)).count();
    }

    /// # Errors
    /// More than a tenth of a judge's words stand for no verdict.
    pub(crate) fn check(&self, place: &str) -> Result<()> {
        let is_wrong = |found: &&OfJudge| found.count() as f64 > MAX_UNKNOWN * found.given as f64;
        let Some((judge, found)) = self.verdicts.iter().find(|(_, found)| is_wrong(found)) else { return Ok(()) };
        let expected = format!(
            "verdicts of the judge {}: the winner as 1, -1 or 2, 0, A, B, model_a, tie, ... or a number from -1 to 1",
            quoted(judge)
        );
        let found = format!("{} of {} others: {}", found.count(), found.given, found.words());
        Err(Error::invalid(place, expected, found, "check that it is the right column; leave missing verdicts blank"))
    }
}

impl OfJudge {
    fn count(&self) -> usize {
        self.unknown.values().sum()
    }

    /// The most frequent words: `'garbage' (16)`.
    fn words(&self) -> String {
        let mut words: Vec<(&String, &usize)> = self.unknown.iter().collect();
        words.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let others = words.len().saturating_sub(MAX_WORDS);
        let words = words.iter().take(MAX_WORDS).map(|(word, count)| format!("{} ({count})", quoted(word)));
        let listed = words.collect::<Vec<_>>().join(", ");
        if others > 0 { format!("{listed} and {}", pluralized(others, "other word")) } else { listed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_missing_and_counted() {
        let (judge, mut words) = (Arc::from("gpt"), Oddities::default());
        let read: Vec<_> = ["1", "2", "garbage", "", "null"].map(|text| Some(words.read(&judge, text)?.value)).into();
        assert_eq!(read, [Some(1.0), Some(-1.0), None, None, None]);
        assert_eq!(words.notes().collect::<Vec<_>>(), ["judge 'gpt': 1 verdict of 3 read as missing: 'garbage' (1)"]);
        assert!(words.check("x").unwrap_err().to_string().contains("found 1 of 3 others: 'garbage' (1)"));
        (0..7).for_each(|_| assert!(words.read(&judge, "tie").is_some()));
        assert!(words.check("x").is_ok());
    }

    #[test]
    fn a_line_has_one_order_or_both() {
        let read = |text: &str| {
            let line = Line { number: 3, text: text.into() };
            on_line(&line, &"x.txt".parse().unwrap(), &"j".into(), &mut Oddities::default())
        };
        assert_eq!(read("A").unwrap().orders, [Some(1.0), None]);
        assert_eq!(read("tie\tB").unwrap().orders, [Some(0.0), Some(-1.0)]);
        assert_eq!(read("").unwrap().orders, [None, None]);
        assert!(read("1\t1\t1").unwrap_err().to_string().starts_with("x.txt:3: expected one verdict"));
    }
}
