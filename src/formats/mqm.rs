//! Error annotations, one error per row: a tab-separated table with the columns `system`, `doc`, `seg_id`, `rater`,
//! `target`, `category` and `severity`, as the MQM studies of WMT publish them. A segment without errors has a
//! `No-error` row.
//!
//! A rater's score of a translation is minus the sum of its errors' penalties; the mean over its raters is
//! the translation's score. Freitag et al. 2021, "Experts, Errors, and Context".

mod penalties;
mod references;

use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};
use xxhash_rust::xxh3::xxh3_64;

use self::penalties::{PENALTY, penalties, unknown_severity};
use self::references::{REFERENCE, is_human};
use super::format::{Format, Reading, Role};
use super::import::Importer;
use super::roles::{ColumnRole, Columns};
use super::scores::{Hypothesis, Preference, ScoredSegments, Segment, WEIGH, margin, ties};
use super::summary::ImportSummary;
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::input::Input;
use crate::files::table::{Rows, TableKind};
use crate::judgments::shared_words::overlap;
use crate::options::{OptionSpec, Options};

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

const MARGIN: OptionSpec = margin("1", "Smaller score differences are ties: 1 is a minor error, 5 a major one");
const TIES: OptionSpec = ties("keep");

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let preference = Preference::from_options(&reading.options, Some(&MARGIN))?;
    Ok(read(input, &reading.options, false)?.pairs(input, preference).with_ties(&reading.options, &TIES))
}

/// The texts of systems; human translations other than the references are left out, as in rankings of systems.
fn scores(input: &Input, options: &Options) -> Result<ScoredSegments> {
    let mut scored = read(input, options, true)?;
    for segment in &mut scored.segments {
        segment.hypotheses.retain(|hypothesis| !is_human(&hypothesis.name));
    }
    Ok(scored.complete())
}

/// Reads all annotations. They are held in memory: the rows of a segment belong to different systems, and may be far
/// apart.
fn read(input: &Input, options: &Options, leaves_out_humans: bool) -> Result<ScoredSegments> {
    let mut summary = ImportSummary::default();
    let study = read_study(input, options, &mut summary)?;
    let source_name = input.to_string();
    summary.notes.extend(corrected(&study, &source_name)?);
    let mut references = IndexSet::new();
    if !study.is_empty() {
        let scores = mean_scores(&study);
        references = references::references(options, &scores, &source_name)?;
        summary.notes.push(references::note(&scores, &references, leaves_out_humans));
        summary.warnings.extend(references::warning(&scores, &references));
    }
    let judged = |(id, segment): (String, Annotated)| segment.judged(id, &references, &mut summary);
    let segments = study.into_iter().filter_map(judged).collect();
    Ok(ScoredSegments { segments, summary })
}

/// The segments of a study, by document and number.
type Study = IndexMap<String, Annotated>;

/// A segment with its translations by system, all in order of first occurrence.
struct Annotated {
    line: usize,
    /// What is translated.
    source: Option<String>,
    systems: IndexMap<String, Translation>,
}

/// A translation, as all rows on it describe it.
#[derive(Default)]
struct Translation {
    /// The variants of its text: raters may correct a target in place. The text that most rows have counts.
    texts: IndexMap<String, Variant>,
    raters: IndexMap<String, Rating>,
}

/// What a rater said of a translation.
#[derive(Default)]
struct Rating {
    /// The sum of the penalties.
    penalty: f64,
    /// Whether there is a row without an error, and one with an error.
    has: [bool; 2],
}

/// A variant of a text.
struct Variant {
    rows: usize,
    /// The first line that has it.
    line: usize,
}

const SYSTEM: ColumnRole = ColumnRole::Fixed(&["system"]);
const DOCUMENT: ColumnRole = ColumnRole::Fixed(&["doc", "doc_id"]);
/// The segment of a document.
const SEGMENT: ColumnRole = ColumnRole::Fixed(&["seg_id"]);
const RATER: ColumnRole = ColumnRole::Fixed(&["rater"]);
/// The text in which an error is marked.
const TARGET: ColumnRole = ColumnRole::Fixed(&["target"]);
const SOURCE: ColumnRole = ColumnRole::Fixed(&["source"]);
const CATEGORY: ColumnRole = ColumnRole::Fixed(&["category"]);
const SEVERITY: ColumnRole = ColumnRole::Fixed(&["severity"]);

/// A text without the marks of an error.
fn unmarked(text: String) -> String {
    text.replace("<v>", "").replace("</v>", "")
}

fn read_study(input: &Input, options: &Options, summary: &mut ImportSummary) -> Result<Study> {
    let penalties = penalties(options)?;
    let mut is_used = vec![false; penalties.len()];
    let rows = Rows::open(input, Some(TableKind::Tsv))?;
    let advice = "name the columns in the first line, with tabs between them";
    let required = [SYSTEM, SEGMENT, RATER, TARGET, CATEGORY, SEVERITY];
    let columns = Columns::find(rows.header(), options, [&required, &[DOCUMENT, SOURCE]], advice)?;
    let (mut study, mut seen, mut repeated) = (Study::new(), HashSet::new(), 0);
    for row in rows {
        let row = row?;
        let text = |role| columns.text(&row, role);
        summary.rows_read += 1;
        let all = [SYSTEM, SEGMENT, RATER, TARGET, CATEGORY, SEVERITY].map(&text).into_iter();
        let all = all.chain([columns.optional(&row, DOCUMENT).map(Option::unwrap_or_default)]);
        let all = all.collect::<Result<Vec<String>>>()?.join("\t");
        repeated += usize::from(!seen.insert(xxh3_64(all.as_bytes())));
        let (category, severity) = (text(CATEGORY)?, text(SEVERITY)?);
        let penalty = penalties.iter().position(|penalty| penalty.matches(&category, &severity));
        let penalty = penalty.ok_or_else(|| unknown_severity(row.place(), &severity, &penalties))?;
        is_used[penalty] = true;
        let document = columns.optional(&row, DOCUMENT)?.map(|name| name + ":").unwrap_or_default();
        let segment = study.entry(document + &text(SEGMENT)?);
        let segment = segment.or_insert_with(|| Annotated { line: row.line(), source: None, systems: IndexMap::new() });
        // An error may be marked in the source, too.
        segment.source = segment.source.take().or(columns.optional(&row, SOURCE)?.map(unmarked));
        let translation = segment.systems.entry(text(SYSTEM)?).or_default();
        let target = unmarked(text(TARGET)?);
        translation.texts.entry(target).or_insert(Variant { rows: 0, line: row.line() }).rows += 1;
        let rating = translation.raters.entry(text(RATER)?).or_default();
        rating.penalty += penalties[penalty].cost;
        rating.has[usize::from(!category.eq_ignore_ascii_case(NO_ERROR))] = true;
    }
    if options.is_given(&PENALTY) {
        let given = options.texts(&PENALTY).into_iter().zip(is_used);
        let unused = given.filter(|(_, is_used)| !is_used).map(|(text, _)| (PENALTY.argument(), text.to_owned()));
        summary.unused.extend(unused);
    }
    summary.notes.extend(contradictions(&study, repeated));
    Ok(study)
}

/// The category of the row of a translation without errors.
const NO_ERROR: &str = "No-error";

/// A note on rows that come twice, and on raters who found errors and none; `None` if there are neither.
fn contradictions(study: &Study, repeated: usize) -> Option<String> {
    let ratings = study.values().flat_map(|segment| segment.systems.values()).flat_map(|system| system.raters.values());
    let both = ratings.filter(|rating| rating.has == [true; 2]).count();
    let repeated = (repeated > 0).then(|| format!("{} to another one; each counts", are(repeated, "row", "equal")));
    let both = (both > 0).then(|| {
        format!("{} both with errors and without; the errors count", are(both, "translation", "rated by one rater"))
    });
    let notes: Vec<String> = repeated.into_iter().chain(both).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// `1 row is equal`, or `2 rows are equal`.
fn are(count: usize, what: &str, how: &str) -> String {
    format!("{} {} {how}", pluralized(count, what), if count == 1 { "is" } else { "are" })
}

/// Two texts that share a smaller fraction of their words are different sentences, not one sentence and its correction.
const MIN_SAME_SENTENCE: f64 = 0.5;

/// A note on how many targets raters corrected, and how many rows differ from the system's text; `None` if none do.
///
/// # Errors
/// Most of these texts are other sentences: different segments have the same name.
fn corrected(study: &Study, source_name: &str) -> Result<Option<String>> {
    let (mut targets, mut rows, mut others) = (0, 0, Vec::new());
    for (id, segment) in study {
        for (system, translation) in segment.systems.iter().filter(|(_, translation)| translation.texts.len() > 1) {
            let text = translation.text();
            let another = || translation.texts.iter().filter(|(other, _)| *other != text);
            targets += 1;
            rows += another().map(|(_, variant)| variant.rows).sum::<usize>();
            let sentence = another().find(|(other, _)| overlap(other, text) < MIN_SAME_SENTENCE);
            others.extend(sentence.map(|(_, variant)| (variant.line, system, id)));
        }
    }
    if let Some((line, system, id)) = others.first().filter(|_| 2 * others.len() > targets) {
        return Err(Error::invalid(
            format!("{source_name}:{line}"),
            format!("the target that system {} has elsewhere in segment {}", quoted(system), quoted(id)),
            "another sentence",
            "give each segment a doc and seg_id of its own",
        ));
    }
    Ok((targets > 0).then(|| {
        let (targets, rows) = (pluralized(targets, "target"), pluralized(rows, "row"));
        format!("raters corrected {targets} in {rows}: the most frequent text counts as the system's")
    }))
}

impl Annotated {
    /// The segment, with references separated from hypotheses; `None`, with its rows counted as dropped, if it has no
    /// reference.
    fn judged(self, id: String, references: &IndexSet<String>, summary: &mut ImportSummary) -> Option<Segment> {
        let rows = |systems: &[(String, Translation)]| systems.iter().map(|(_, translation)| translation.rows()).sum();
        let texts = references.iter().filter_map(|name| self.systems.get(name));
        let texts: Vec<String> = texts.map(|translation| translation.text().to_owned()).collect();
        let (of_references, judged): (Vec<_>, Vec<_>) =
            self.systems.into_iter().partition(|(name, _)| references.contains(name));
        summary.drop_rows(rows(&of_references), "errors of the reference");
        if texts.is_empty() {
            summary.drop_rows(rows(&judged), "of a segment without a reference");
            return None;
        }
        if judged.len() == 1 {
            summary.drop_rows(rows(&judged), "of the only system of its segment");
        }
        let hypothesis = |(name, translation): (String, Translation)| Hypothesis {
            own: Vec::new(),
            name,
            text: translation.text().to_owned(),
            score: Some(translation.score()),
            annotators: translation.raters.into_keys().collect(),
        };
        Some(Segment {
            id,
            references: texts,
            source: self.source,
            hypotheses: judged.into_iter().map(hypothesis).collect(),
            line: self.line,
        })
    }
}

impl Translation {
    /// The text that most rows have; the first of equals.
    fn text(&self) -> &str {
        let most = self.texts.iter().rev().max_by_key(|(_, variant)| variant.rows);
        most.map_or("", |(text, _)| text)
    }

    fn rows(&self) -> usize {
        self.texts.values().map(|variant| variant.rows).sum()
    }

    /// Minus the mean penalty over raters; at most 0, and 0 for no errors.
    fn score(&self) -> f64 {
        // The score without errors is 0, not -0.
        0.0 - self.raters.values().map(|rating| rating.penalty).sum::<f64>() / self.raters.len() as f64
    }
}

/// The mean score of each system over the segments that it translated, in order of first occurrence.
fn mean_scores(study: &Study) -> IndexMap<&str, f64> {
    let mut sums: IndexMap<&str, (f64, f64)> = IndexMap::new();
    for (system, translation) in study.values().flat_map(|segment| &segment.systems) {
        let (sum, count) = sums.entry(system).or_default();
        *sum += translation.score();
        *count += 1.0;
    }
    sums.into_iter().map(|(system, (sum, count))| (system, sum / count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::{Pair, Verdict};
    use std::io::Write;

    const HEADER: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n";

    fn read(rows: &str, given: &[(&OptionSpec, &str)]) -> Result<(Vec<Pair>, ImportSummary)> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(format!("{HEADER}{rows}").as_bytes()).unwrap();
        let mut reading = Reading::default();
        given.iter().for_each(|(spec, text)| reading.options.set(spec, text).unwrap());
        let mut pairs = open(&Input::File(file.path().into()), &reading)?;
        Ok((pairs.by_ref().collect::<Result<_>>()?, pairs.summary))
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
        let (pairs, summary) = read(ROWS, &[(&WEIGH, ""), (&MARGIN, "0")]).unwrap();
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
        assert_eq!(pairs[0].annotators, ["R1", "R2"]);
        assert_eq!((summary.rows_read, pairs.len()), (8, 3));
        assert_eq!(summary.rows_dropped["of a segment without a reference"], 2);
        assert_eq!(summary.rows_dropped["errors of the reference"], 1);
    }

    #[test]
    fn another_system_may_be_the_reference() {
        let (pairs, _) = read(ROWS, &[(&REFERENCE, "b")]).unwrap();
        // Segment 1 has ref, a and c left, segment 2 only a.
        assert_eq!(pairs.len(), 3);
        assert!(pairs.iter().all(|pair| pair.references == ["the b text"]));
        assert_eq!(pairs.iter().filter(|pair| pair.label == Some(Verdict::Tie)).count(), 1);
    }
}
