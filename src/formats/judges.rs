//! Verdicts of automatic judges, which other programs wrote down: columns `NAME`, or `NAME.12` and `NAME.21` for both
//! orders of the hypotheses, of a table of pairs; or files beside the pairs with one verdict per line, or two separated
//! by a tab.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, OnceLock};

use super::external::NamedFiles;
use super::winner::{Numbers, Winner, winner};
use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::Input;
use crate::files::input::{Line, Lines};
use crate::files::table::{Column, Header, Row};
use crate::judgments::{ExternalJudge, JudgeVerdicts, Scale};

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
    /// The scale of its numbers.
    pub scale: ScaleInUse,
}

/// The scale of a judge's numbers, the same for all files: declared, known from a model, or else shown by the first rows
/// that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScaleInUse(Arc<OnceLock<(Scale, Source)>>);

/// How a scale is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Declared,
    Model,
    /// By so many rows.
    Rows(usize),
}

/// The rows that show a scale which is not declared.
pub(crate) const ROWS_FOR_SCALE: usize = 1000;

impl ScaleInUse {
    fn of(scale: Scale, source: Source) -> Self {
        Self(Arc::new(OnceLock::from((scale, source))))
    }

    /// Whether rows must show the scale.
    pub fn is_open(&self) -> bool {
        self.0.get().is_none()
    }

    /// Whether a model learned numbers from -1 to 1, among which probabilities would not be noticed.
    fn is_signed_of_model(&self) -> bool {
        self.0.get() == Some(&(Scale::Signed, Source::Model))
    }

    /// The scale; that of words as long as it is not known.
    pub fn scale(&self) -> Scale {
        self.0.get().map_or(Scale::Words, |(scale, _)| *scale)
    }

    /// Takes the scale of these numbers in so many rows, unless it is known.
    fn settle(&self, numbers: &Numbers, rows: usize) {
        self.0.get_or_init(|| (numbers.scale(), Source::Rows(rows)));
    }

    /// What a cell of the judge says, from 1 (the first hypothesis) to -1 (the second).
    ///
    /// # Errors
    /// A number does not fit.
    fn value(&self, winner: Winner, text: &str, judge: &str, place: &dyn Fn() -> String) -> Result<f64> {
        let scale = self.scale();
        winner.on(scale).ok_or_else(|| {
            let how = match self.0.get().map(|(_, source)| *source) {
                Some(Source::Model) => "that the model learned".to_owned(),
                Some(Source::Rows(rows)) => format!("of the first {}", pluralized(rows, "row")),
                Some(Source::Declared) | None => "declared".to_owned(),
            };
            let fitting = |other: &Scale| *other != scale && winner.on(*other).is_some();
            let others: Vec<String> =
                Scale::ALL.into_iter().filter(fitting).map(|other| format!("{judge}:{}", other.name())).collect();
            let advice = match others.join(" or ") {
                none if none.is_empty() => "correct the value, or leave it blank where there is no verdict".to_owned(),
                others => {
                    format!("correct the value, or leave it blank; or declare the column's scale: `judge` {others}")
                }
            };
            let expected = format!("{scale}: the scale {} {how} for the judge {}", scale.name(), quoted(judge));
            Error::invalid(place(), expected, quoted(text.trim()), advice)
        })
    }
}

/// The user's judges, each with files of verdicts for several files of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalJudges {
    named: NamedFiles,
    /// The scale of each judge, in the order of the names.
    scales: Vec<ScaleInUse>,
}

impl Default for ExternalJudges {
    fn default() -> Self {
        Self { named: NamedFiles::new(JUDGE), scales: Vec::new() }
    }
}

impl ExternalJudges {
    /// Parses `NAME` and `NAME=FILE`, which may be repeated once for each file of pairs; the name may be followed by the
    /// scale of the judge's numbers: `NAME:probability`.
    ///
    /// # Errors
    /// A name is empty, or repeated other than with a file each time; a judge has two scales.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let advice = "write `judge` NAME for the column NAME, or NAME.12 and NAME.21 in both orders, or `judge` NAME=FILE; \
            NAME:probability, NAME:signed, NAME:words or NAME:one-to-two declares the scale";
        let mut declared: Vec<(String, Scale)> = Vec::new();
        let mut plain = Vec::new();
        for text in texts {
            let (name, file) = text.split_once('=').map_or((text.as_str(), None), |(name, file)| (name, Some(file)));
            let (name, scale) = with_scale(name);
            if let Some(scale) = scale {
                if let Some((_, other)) = declared.iter().find(|(known, other)| known == name && *other != scale) {
                    let found = format!("{} and {}", other.name(), scale.name());
                    let expected = format!("one scale for the judge {}", quoted(name));
                    return Err(Error::invalid("`judge`", expected, found, "name the scale of all its files"));
                }
                declared.push((name.to_owned(), scale));
            }
            plain.push(file.map_or_else(|| name.to_owned(), |file| format!("{name}={file}")));
        }
        let named = NamedFiles::parse(JUDGE, "the name of a judge", &plain, advice)?;
        let scale_of = |name: &str| declared.iter().find(|(known, _)| known == name).map(|(_, scale)| *scale);
        let scale =
            |name| scale_of(name).map_or_else(ScaleInUse::default, |scale| ScaleInUse::of(scale, Source::Declared));
        let scales = named.names().map(scale).collect();
        Ok(Self { named, scales })
    }

    /// The names, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.names()
    }

    /// The judges whose scale is neither declared nor known from a model.
    pub fn undeclared(&self) -> impl Iterator<Item = &str> {
        self.names().zip(&self.scales).filter(|(_, scale)| scale.is_open()).map(|(name, _)| name)
    }

    /// All files of verdicts.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.named.files()
    }

    /// Adds a judge of this name, unless it is there.
    pub fn and(mut self, name: &str) -> Self {
        if !self.names().any(|known| known == name) {
            self.named.add(name);
            self.scales.push(ScaleInUse::default());
        }
        self
    }

    /// Adds a judge that a model learned from, with its scale unless another one is declared; its verdicts are in columns
    /// unless a file was given.
    ///
    /// # Errors
    /// Another model learned another scale.
    pub fn and_learned(self, judge: &ExternalJudge) -> Result<Self> {
        let mut all = self.and(&judge.name);
        let at = all.names().position(|name| name == judge.name).expect("it was added");
        let known = all.scales[at].0.get().copied();
        match known {
            None => all.scales[at] = ScaleInUse::of(judge.scale, Source::Model),
            Some((scale, Source::Model)) if scale != judge.scale => {
                let expected = format!("one scale for the judge {}", quoted(&judge.name));
                let found = format!("{} in one model, {} in another", scale.name(), judge.scale.name());
                let advice = format!("declare that of the pairs: `judge` {}:{}", judge.name, scale.name());
                return Err(Error::invalid("`judge`", expected, found, advice));
            }
            Some(_) => {}
        }
        Ok(all)
    }

    /// The sources of verdicts for file number `at`, from 0, of `count` files of pairs.
    ///
    /// # Errors
    /// A judge has files, but not `count` of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<JudgeSource>> {
        let sources = self.named.of_file(at, count, "verdicts")?.into_iter().zip(&self.scales);
        Ok(sources.map(|((name, file), scale)| JudgeSource { name, file, scale: scale.clone() }).collect())
    }
}

/// The name of a judge, and the scale that follows it.
fn with_scale(text: &str) -> (&str, Option<Scale>) {
    let declared = text.rsplit_once(':').and_then(|(name, scale)| Some((name.trim(), Scale::named(scale.trim())?)));
    declared.map_or((text.trim(), None), |(name, scale)| (name, Some(scale)))
}

/// The columns of judges in a table of pairs.
pub(crate) struct JudgeColumns(Vec<JudgeColumn>);

struct JudgeColumn {
    name: Arc<str>,
    /// The columns of both orders, or of the only one.
    columns: [Option<Column>; 2],
    scale: ScaleInUse,
    /// What rows show of the scale.
    numbers: Numbers,
    rows: usize,
}

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
            let columns = match (alone, both) {
                (Some(alone), [None, None]) => [Some(alone), None],
                (None, both @ [Some(_), Some(_)]) => both,
                (alone, _) => return Err(missing(header, name, alone.is_some())),
            };
            let (numbers, rows) = (Numbers::default(), 0);
            Ok(JudgeColumn { name: Arc::from(name), columns, scale: source.scale.clone(), numbers, rows })
        };
        Ok(Self(sources.iter().filter(|source| source.file.is_none()).map(columns).collect::<Result<_>>()?))
    }

    /// The names of all columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|judge| &judge.columns).flatten().map(Column::name)
    }

    /// Whether a row more must show the scale of a judge.
    pub(crate) fn want_row(&self) -> bool {
        self.0.iter().any(|judge| judge.scale.is_open() && judge.rows < ROWS_FOR_SCALE)
    }

    /// Looks at a row for the scales of judges that are not known.
    pub(crate) fn look_at(&mut self, row: &Row<'_>) {
        for judge in self.0.iter_mut().filter(|judge| judge.scale.is_open() && judge.rows < ROWS_FOR_SCALE) {
            judge.rows += 1;
            for column in judge.columns.iter().flatten() {
                row.optional(column).ok().flatten().iter().for_each(|text| judge.numbers.add(text));
            }
        }
    }

    /// Settles the scales by the rows that were looked at.
    pub(crate) fn settle(&self) {
        self.0.iter().for_each(|judge| judge.scale.settle(&judge.numbers, judge.rows));
    }

    /// The verdicts on the pair in a row; `words` collects what is none.
    pub(crate) fn of(&self, row: &Row<'_>, words: &mut Oddities) -> Result<Vec<JudgeVerdicts>> {
        let verdicts = |JudgeColumn { name, columns, scale, .. }: &JudgeColumn| {
            let (mut orders, mut has_words) = ([None; 2], false);
            for (verdict, column) in orders.iter_mut().zip(columns) {
                let Some(column) = column else { continue };
                let text = row.optional(column)?.unwrap_or_default();
                let place = || format!("{}, column {}", row.place(), quoted(column.name()));
                let winner = words.read(name, &text, scale);
                has_words |= matches!(winner, Some(Winner::Word(_)));
                *verdict = winner.map(|winner| scale.value(winner, &text, name, &place)).transpose()?;
            }
            Ok(JudgeVerdicts { name: Arc::clone(name), orders, scale: scale.scale(), has_words })
        };
        self.0.iter().map(verdicts).collect()
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

/// A file of a judge's verdicts, a line for each pair: one, or those of both orders separated by a tab.
pub(super) struct VerdictLines {
    input: Input,
    name: Arc<str>,
    scale: ScaleInUse,
    /// Lines that were read ahead to know the scale.
    ahead: VecDeque<Result<Line>>,
    lines: Lines,
}

impl VerdictLines {
    /// Opens the file, and knows the judge's scale.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn open(input: &Input, name: &str, scale: &ScaleInUse) -> Result<Self> {
        let mut lines = input.lines()?;
        let mut ahead = VecDeque::new();
        if scale.is_open() {
            ahead.extend(lines.by_ref().take(ROWS_FOR_SCALE));
            let (mut numbers, mut count) = (Numbers::default(), 0);
            for line in ahead.iter().flatten() {
                line.text.split('\t').for_each(|text| numbers.add(text));
                count += 1;
            }
            scale.settle(&numbers, count);
        }
        Ok(Self { input: input.clone(), name: Arc::from(name), scale: scale.clone(), ahead, lines })
    }

    /// The verdicts of the next line; `None` at the end.
    pub(super) fn next(&mut self, words: &mut Oddities) -> Result<Option<JudgeVerdicts>> {
        let Some(line) = self.ahead.pop_front().or_else(|| self.lines.next()).transpose()? else { return Ok(None) };
        let place = || format!("{}:{}", self.input, line.number);
        let fields: Vec<&str> = line.text.split('\t').collect();
        if fields.len() > 2 {
            let advice = "write one verdict per line, or two where each pair was judged in both orders";
            let found = fields.len().to_string();
            return Err(Error::invalid(place(), "one verdict, or two separated by a tab", found, advice));
        }
        let (mut orders, mut has_words) = ([None; 2], false);
        for (verdict, text) in orders.iter_mut().zip(fields) {
            let winner = words.read(&self.name, text, &self.scale);
            has_words |= matches!(winner, Some(Winner::Word(_)));
            *verdict = winner.map(|winner| self.scale.value(winner, text, &self.name, &place)).transpose()?;
        }
        Ok(Some(JudgeVerdicts { name: Arc::clone(&self.name), orders, scale: self.scale.scale(), has_words }))
    }

    /// Reads the file to its end, and counts the lines that were left.
    pub(super) fn count_rest(&mut self) -> Result<usize> {
        self.ahead.drain(..).chain(self.lines.by_ref()).map(|line| line.map(|_| 1)).sum()
    }
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
    /// The numbers, if a model learned them from -1 to 1.
    signed: Numbers,
}

impl Oddities {
    /// The verdict of a cell; `None` if it is blank or a word that stands for none, which is counted.
    fn read(&mut self, judge: &Arc<str>, text: &str, scale: &ScaleInUse) -> Option<Winner> {
        // Words by which programs write that there is nothing.
        if text.trim().is_empty() || ["null", "none", "nan", "na"].contains(&text.trim().to_lowercase().as_str()) {
            return None;
        }
        let of_judge = self.verdicts.entry(Arc::clone(judge)).or_default();
        of_judge.given += 1;
        if scale.is_signed_of_model() {
            of_judge.signed.add(text);
        }
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
        let signed = self.verdicts.iter().filter(|(_, found)| found.signed.look_like_probabilities());
        let signed = signed.map(|(judge, found)| {
            format!(
                "judge {}: none of {} verdicts is negative, and the model learned numbers from -1 to 1; if these are \
                 probabilities, declare it: `judge` {judge}:probability",
                quoted(judge),
                found.given
            )
        });
        let texts = pluralized(self.no_texts, "text");
        let texts = (self.no_texts > 0)
            .then(|| format!("{texts} are numbers, true or false in JSON, read as they are written"));
        verdicts.chain(signed).chain(texts)
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
            "verdicts of the judge {}: the winner as 1, -1 or 2, 0, A, B, model_a, tie, ..., or numbers of one scale",
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
        let (judge, mut words, scale) = (Arc::from("gpt"), Oddities::default(), ScaleInUse::default());
        let read = ["1", "B", "garbage", "", "null"].map(|text| words.read(&judge, text, &scale)?.on(Scale::Words));
        assert_eq!(read, [Some(1.0), Some(-1.0), None, None, None]);
        assert_eq!(words.notes().collect::<Vec<_>>(), ["judge 'gpt': 1 verdict of 3 read as missing: 'garbage' (1)"]);
        assert!(words.check("x").unwrap_err().to_string().contains("found 1 of 3 others: 'garbage' (1)"));
        (0..7).for_each(|_| assert!(words.read(&judge, "tie", &scale).is_some()));
        assert!(words.check("x").is_ok());
    }

    #[test]
    fn a_line_has_one_order_or_both() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "A\ntie\tB\n\n1\t1\t1\n0.5\n").unwrap();
        let scale = ScaleInUse::default();
        let mut lines = VerdictLines::open(&Input::File(file.path().into()), "j", &scale).unwrap();
        assert_eq!(scale.scale(), Scale::Probability);
        let mut next = || Ok::<_, Error>(lines.next(&mut Oddities::default())?.unwrap().orders);
        assert_eq!(next().unwrap(), [Some(1.0), None]);
        assert_eq!(next().unwrap(), [Some(0.0), Some(-1.0)]);
        assert_eq!(next().unwrap(), [None, None]);
        assert!(next().unwrap_err().to_string().contains(":4: expected one verdict"));
        assert_eq!(lines.count_rest().unwrap(), 1);
    }

    #[test]
    fn a_scale_is_declared_or_known_from_a_model() {
        let parse =
            |texts: &[&str]| ExternalJudges::parse(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        let judges = parse(&["gpt:probability=a.txt", "llama3:8b", "gpt=b.txt"]).unwrap();
        assert_eq!(judges.names().collect::<Vec<_>>(), ["gpt", "llama3:8b"]);
        assert_eq!(judges.undeclared().collect::<Vec<_>>(), ["llama3:8b"]);
        assert_eq!(judges.of_file(1, 2).unwrap()[0].scale.scale(), Scale::Probability);
        assert!(parse(&["gpt:probability=a.txt", "gpt:signed=b.txt"]).is_err());
        let learned = |scale| ExternalJudge { name: "gpt".into(), both_orders: false, scale };
        let scale = |judges: ExternalJudges| judges.of_file(0, 1).unwrap()[0].scale.scale();
        let of_model = parse(&["gpt"]).unwrap().and_learned(&learned(Scale::Signed)).unwrap();
        assert_eq!(scale(of_model.clone()), Scale::Signed);
        assert!(of_model.and_learned(&learned(Scale::Words)).is_err());
        let declared = parse(&["gpt:words"]).unwrap().and_learned(&learned(Scale::Signed)).unwrap();
        assert_eq!(scale(declared), Scale::Words);
    }
}
