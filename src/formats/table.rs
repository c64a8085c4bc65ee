//! Tables whose columns have other names: pairs with a label, COMET's `pos` and `neg`, and COMET's `mt` with a `score`.
//! The columns present decide which of these it is.

use std::sync::Arc;

use indexmap::IndexMap;

use super::answers::LABELS;
use super::foreign;
use super::format::{Format, Reading, Role, TABLE_KIND, table_kind};
use super::import::{Importer, from_rows};
use super::pairs::PairColumns;
use super::roles::{COLUMN, ColumnRole, Columns, References, WINNERS, named_roles};
use super::scores::{Hypothesis, LOWEST_IS_BEST, Preference, ScoredSegments, Segment, WEIGH, margin, ties};
use super::signals::{Signal, SignalSource};
use super::summary::{ImportSummary, UNLABELLED};
use super::votes::{self, MajorityRule};
use crate::error::{Error, Result, joined};
use crate::files::Input;
use crate::files::input;
use crate::files::table::{Column, Header, Row, Rows};
use crate::judgments::identity::canonical;
use crate::options::{OptionSpec, Options};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "table",
    about: "A table with columns of other names: labelled pairs, COMET's `pos` and `neg`, or COMET's `mt` and `score`",
    details: "The table is .csv, .tsv or .jsonl, or .parquet if built with the feature `parquet`. The kind of row is \
        inferred from the columns. Hypotheses with a score are compared within the same source or prompt, and reference, and only \
        with scores of the same annotator.",
    sample: "src,mt,ref,score\nq,a cat sat,the cat sat,0.9\nq,cats sat,the cat sat,0.1\n",
    example: "--column mt=output,score=rating --margin 0.5",
    endings: &[],
    table: None,
    role: Role::Judgments,
    options: &[
        &MARGIN,
        &TIES,
        &WEIGH,
        &LABELS,
        &COLUMN,
        &votes::ANNOTATORS,
        &votes::MERGE,
        &votes::NO_MAJORITY,
        &votes::MAJORITY_WEIGHTS,
        &LOWEST_IS_BEST,
        &MEAN_SCORES,
        &TABLE_KIND,
    ],
    open,
    scores: None,
};

const MARGIN: OptionSpec = margin("0", "Smaller score differences are ties");
const TIES: OptionSpec = ties("keep");

/// Whether scores are compared across annotators.
const MEAN_SCORES: OptionSpec = OptionSpec::switch(
    "mean-scores",
    "Compare the mean of all annotators' scores of each hypothesis, not the scores of each annotator",
);

/// Columns that need not be there, unless the user gave them a name.
const OPTIONAL: [ColumnRole; 7] = [
    ColumnRole::Source,
    ColumnRole::Prompt,
    ColumnRole::System,
    ColumnRole::Id,
    ColumnRole::Group,
    ColumnRole::Annotator,
    ColumnRole::Weight,
];

/// What a row may hold.
struct Rule {
    layout: Layout,
    /// The columns by which it is known.
    required: &'static [ColumnRole],
    /// Further columns that it may have, besides [`SHARED_ROLES`].
    optional: &'static [ColumnRole],
    /// The options that have an effect on it, besides [`SHARED`].
    options: &'static [&'static OptionSpec],
}

/// The kinds of rows.
const RULES: [Rule; 3] = [
    Rule {
        layout: Layout::Labelled,
        required: &[ColumnRole::Hyp1, ColumnRole::Hyp2, ColumnRole::Label],
        optional: &[ColumnRole::Weight, ColumnRole::System1, ColumnRole::System2],
        options: &[&LABELS, &TIES, &votes::ANNOTATORS, &votes::MERGE, &votes::NO_MAJORITY, &votes::MAJORITY_WEIGHTS],
    },
    Rule {
        layout: Layout::Preferred,
        required: &[ColumnRole::Preferred, ColumnRole::Other],
        optional: &[ColumnRole::Weight, ColumnRole::System1, ColumnRole::System2],
        options: &[],
    },
    Rule {
        layout: Layout::Scored,
        required: &[ColumnRole::Output, ColumnRole::Score],
        optional: &[ColumnRole::Source, ColumnRole::System],
        options: &[&LOWEST_IS_BEST, &MARGIN, &MEAN_SCORES, &TIES, &WEIGH],
    },
];

/// The columns that rows of any kind may have.
const SHARED_ROLES: [ColumnRole; 5] =
    [ColumnRole::Prompt, ColumnRole::Reference, ColumnRole::Id, ColumnRole::Group, ColumnRole::Annotator];

/// The options for rows of any kind.
const SHARED: [&OptionSpec; 2] = [&COLUMN, &TABLE_KIND];

#[derive(Clone, Copy)]
enum Layout {
    /// A pair with its label.
    Labelled,
    /// A preferred hypothesis and another.
    Preferred,
    /// One hypothesis with a score.
    Scored,
}

fn open(input: &Input, reading: &Reading) -> Result<Importer> {
    let options = &reading.options;
    let rows = Rows::open(input, table_kind(options))?;
    for role in OPTIONAL.iter().filter(|role| role.is_given(options)) {
        rows.header().require(role.name(options))?;
    }
    if rows.header().columns().is_empty() {
        return Err(input::empty(input, "a table"));
    }
    let pairs = match layout(rows.header(), options)? {
        Layout::Labelled | Layout::Preferred => {
            let header = rows.header().clone();
            let mut columns = PairColumns::find(&header, reading)?;
            let rows = columns.settle(rows, true);
            let (rule, account) = (MajorityRule::from_options(options)?, columns.account(&header, reading));
            let shape = columns.shape();
            let pairs = move |row: &Row<'_>, summary: &mut ImportSummary| {
                let pair = columns.labelled_pair(row, true, &mut summary.unknown)?;
                if pair.label.is_none() {
                    summary.drop_rows(1, UNLABELLED);
                    return Ok(None);
                }
                Ok(Some(pair))
            };
            let mut pairs = Importer::new(shape, from_rows(rows, pairs));
            pairs.summary.notes.extend(account);
            pairs.majority = Some(rule);
            pairs.merged_by(options.is_given(&votes::MERGE).then_some(rule))
        }
        Layout::Scored => {
            let preference = Preference::from_options(options, Some(&MARGIN))?;
            scored(rows, reading)?.pairs(input, preference)
        }
    };
    Ok(pairs.with_ties(options, &TIES))
}

/// What the rows of a table are, according to its columns and to the given options: one that has no effect on the rows
/// is refused.
fn layout(header: &Header, options: &Options) -> Result<Layout> {
    let names = |roles: &[ColumnRole]| roles.iter().map(|role| role.name(options)).collect::<Vec<_>>().join(", ");
    let has = |role: &ColumnRole| match role {
        ColumnRole::Label => has_labels(header, options),
        role => role.in_header(header, options).is_some(),
    };
    let possible: Vec<&Rule> = RULES.iter().filter(|rule| rule.required.iter().all(has)).collect();
    let Some(first) = possible.first() else {
        return Err(Error::invalid(
            header.names_place(),
            format!("the columns {}", RULES.map(|rule| names(rule.required)).join(", or ")),
            format!("only {}", joined(header.columns())),
            foreign::advice(header.columns()).unwrap_or_else(|| {
                "name them by their roles: `column` hyp1=NAME,hyp2=NAME,label=NAME, or pos and neg, or output and score"
                    .to_owned()
            }),
        ));
    };
    let Some(rule) = possible.iter().find(|rule| rule.unused(options).is_none()) else {
        let unused = first.unused(options).unwrap_or(Unused::Option(COLUMN.name));
        let others = RULES.iter().filter(|rule| rule.takes(&unused)).map(|rule| names(rule.required));
        let (place, advice) = match unused {
            Unused::Option(name) => {
                (format!("`{}`", name.replace('-', "_")), "omit the option, which has no effect there")
            }
            Unused::Role(role) => (
                format!("`column` {}={}", role.usual_name(), role.name(options)),
                "omit the role, which has no effect there",
            ),
        };
        return Err(Error::invalid(
            place,
            match others.collect::<Vec<_>>().join(", or ") {
                none if none.is_empty() => "an option of such tables".to_owned(),
                others => format!("a table with the columns {others}"),
            },
            format!("{} with the columns {}", header.place(), names(first.required)),
            advice,
        ));
    };
    Ok(rule.layout)
}

/// What the user gave without an effect.
enum Unused {
    Option(&'static str),
    Role(ColumnRole),
}

impl Rule {
    /// A given option or role without an effect on its rows.
    fn unused(&self, options: &Options) -> Option<Unused> {
        let given = options.names().map(Unused::Option).chain(named_roles(options).map(Unused::Role));
        given.into_iter().find(|given| !self.takes(given))
    }

    fn takes(&self, given: &Unused) -> bool {
        match given {
            Unused::Option(name) => SHARED.iter().chain(self.options).any(|spec| spec.name == *name),
            Unused::Role(role) => {
                self.required.iter().chain(self.optional).chain(&SHARED_ROLES).any(|known| known == role)
            }
        }
    }
}

/// Whether rows have labels: in a column, in three, or in those of annotators.
fn has_labels(header: &Header, options: &Options) -> bool {
    options.is_given(&votes::ANNOTATORS)
        || header.has(WINNERS[1])
        || ColumnRole::Label.in_header(header, options).is_some()
}

/// What a segment is about: references, source and group.
type About = (Vec<String>, Option<String>, Option<String>);

/// Single hypotheses with scores: rows that share source or else prompt, references, group and annotator are a segment.
fn scored(rows: Rows, reading: &Reading) -> Result<ScoredSegments> {
    let (options, required) = (&reading.options, [ColumnRole::Output, ColumnRole::Score]);
    let metric = |source: &SignalSource| match &source.signal {
        Signal::Metric(metric) if source.file.is_none() => {
            Some(rows.header().require(source.column()).map(|column| (Arc::from(metric.name.as_str()), column)))
        }
        _ => None,
    };
    let own = reading.signals.iter().filter_map(metric).collect::<Result<Vec<(Arc<str>, Column)>>>()?;
    let columns = Columns::find(rows.header(), options, [&required, &OPTIONAL], "")?;
    let references = References::find(ColumnRole::Reference, rows.header(), options)?;
    let is_mean = options.is_given(&MEAN_SCORES);
    let (mut numbers, mut segments) = (IndexMap::<About, usize>::new(), IndexMap::new());
    let mut summary = ImportSummary::default();
    for row in rows {
        let row = row?;
        summary.rows_read += 1;
        let Some(score) = columns.number(&row, ColumnRole::Score)? else {
            summary.drop_rows(1, "without a score");
            continue;
        };
        let references = references.read(&row)?;
        let group = columns.optional(&row, ColumnRole::Group)?;
        let of_source = columns.optional(&row, ColumnRole::Source)?;
        let source = match of_source.clone() {
            None => columns.optional(&row, ColumnRole::Prompt)?,
            source => source,
        };
        let texts = references.iter().map(|text| canonical(text).into_owned()).collect();
        let about = (texts, source.map(|text| canonical(&text).into_owned()), group.clone());
        let next = numbers.len() + 1;
        let number = *numbers.entry(about).or_insert(next);
        let annotators = columns.annotators(&row)?;
        let mut by = if is_mean { Vec::new() } else { annotators.clone() };
        by.sort_unstable();
        let segment = segments.entry((number, by)).or_insert_with(|| Segment {
            id: group.unwrap_or_else(|| number.to_string()),
            references,
            source: of_source,
            hypotheses: Vec::new(),
            line: row.line(),
        });
        let name = match columns.optional(&row, ColumnRole::System)? {
            None => columns.optional(&row, ColumnRole::Id)?,
            system => system,
        };
        let name = name.unwrap_or_default();
        let text = columns.text(&row, ColumnRole::Output)?;
        let own = own.iter().map(|(name, column)| Ok((Arc::clone(name), row.number(column)?)));
        let own = own.collect::<Result<_>>()?;
        segment.hypotheses.push(Hypothesis { name, text, score: Some(score), annotators, own });
    }
    let is_by_annotator = segments.keys().any(|(_, by)| !by.is_empty());
    let segments = segments.into_values().collect();
    Ok(named_segments(ScoredSegments { segments, summary }, is_mean, is_by_annotator))
}

/// The segments with one score and one name for each hypothesis, and notes of what cannot be compared.
fn named_segments(scored: ScoredSegments, is_mean: bool, is_by_annotator: bool) -> ScoredSegments {
    let ScoredSegments { mut segments, mut summary } = scored;
    for segment in &mut segments {
        if is_mean {
            segment.hypotheses = means(std::mem::take(&mut segment.hypotheses));
        }
        name_by_position(&mut segment.hypotheses);
    }
    let alone = segments.iter().filter(|segment| segment.hypotheses.len() == 1).count();
    if is_by_annotator {
        summary.notes.push("only scores of the same annotator are compared".to_owned());
        summary.drop_rows(alone, "the only one of their source, reference and annotator");
    } else {
        summary.drop_rows(alone, "the only one of their source and reference");
    }
    ScoredSegments { segments, summary }
}

/// Each hypothesis once, with the mean of its scores.
fn means(all: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let mut known: IndexMap<(String, String), (Hypothesis, Vec<f64>)> = IndexMap::new();
    for hypothesis in all {
        let key = (hypothesis.name.clone(), canonical(&hypothesis.text).into_owned());
        let (first, scores) = known
            .entry(key)
            .or_insert_with(|| (Hypothesis { annotators: Vec::new(), ..hypothesis.clone() }, Vec::new()));
        scores.extend(hypothesis.score);
        first.annotators.extend(hypothesis.annotators);
    }
    let mean = |(mut hypothesis, scores): (Hypothesis, Vec<f64>)| {
        hypothesis.annotators.sort_unstable();
        hypothesis.annotators.dedup();
        Hypothesis { score: Some(scores.iter().sum::<f64>() / scores.len() as f64), ..hypothesis }
    };
    known.into_values().map(mean).collect()
}

/// Names hypotheses without a name by their positions, and all if they have the same name: it is that of the segment,
/// not of a system.
fn name_by_position(hypotheses: &mut [Hypothesis]) {
    let is_of_segment =
        matches!(&*hypotheses, [first, others @ ..] if others.iter().all(|other| other.name == first.name));
    for (hypothesis, position) in hypotheses.iter_mut().zip(1..) {
        if is_of_segment || hypothesis.name.is_empty() {
            hypothesis.name = position.to_string();
        }
    }
}
