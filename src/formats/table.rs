//! Tables whose columns have other names: pairs with a label, COMET's `pos` and `neg`, and COMET's `mt` with a `score`.
//! The columns present decide which of these it is. Next: [`super::scored`], [`super::pairing`].

use super::account::Account;
use super::format::{Format, Role, TABLE_KIND, table_kind};
use super::importer::Importer;
use super::labels::{LABELS, LabelNames};
use super::pair_columns::{Names, PairColumns};
use super::pairing::{Pairs, is_swapped};
use super::preference::{LOWEST_IS_BEST, Preference, WEIGH, margin, ties};
use super::scored::{Scored, ScoredNames};
use crate::error::{Error, Result, joined};
use crate::files::Input;
use crate::files::input;
use crate::files::table::{Row, Rows};
use crate::judgments::{Pair, Verdict};
use crate::options::{OptionSpec, Options, Value, any_text};

/// The format's entry in the registry.
pub(crate) const FORMAT: Format = Format {
    name: "table",
    about: "A table with columns of other names: labelled pairs, COMET's `pos` and `neg`, or COMET's `mt` and `score`",
    details: "The table is .csv, .tsv or .jsonl, or .parquet if built with the feature `parquet`. What the rows are is \
        known by the columns that are there. Hypotheses with a score are compared within the same source and \
        reference.",
    sample: "src,mt,ref,score\nq,a cat sat,the cat sat,0.9\nq,cats sat,the cat sat,0.1\n",
    example: "--mt mt --score score --margin 0.5",
    endings: &[],
    table: None,
    role: Role::Judgments,
    options: &[
        &HYP1,
        &HYP2,
        &LABEL,
        &POS,
        &NEG,
        &MT,
        &SCORE,
        &SRC,
        &REF,
        &ID,
        &GROUP,
        &JUDGES,
        &WEIGHT,
        &MARGIN,
        &TIES,
        &WEIGH,
        &LABELS,
        &LOWEST_IS_BEST,
        &TABLE_KIND,
    ],
    open,
    scores: None,
};

const HYP1: OptionSpec = column("hyp1", "The first hypothesis of a pair");
const HYP2: OptionSpec = column("hyp2", "The second hypothesis of a pair");
const LABEL: OptionSpec = column("label", "What people say: 1, 0 or -1, or what --labels names");
const POS: OptionSpec = column("pos", "The preferred hypothesis");
const NEG: OptionSpec = column("neg", "The other hypothesis");
const MT: OptionSpec = column("mt", "A hypothesis with a score");
const SCORE: OptionSpec = column("score", "The score of that hypothesis; the highest is the best");
const SRC: OptionSpec =
    column("src", "The source; hypotheses with the same source and reference belong to one segment");
const ID: OptionSpec = column("id", "The name of a pair, or of the system");
const GROUP: OptionSpec = column("group", "The group, which is never split");
const JUDGES: OptionSpec = column("judges", "The judges");
const WEIGHT: OptionSpec = column("weight", "The weight of a judgment");
const REF: OptionSpec = OptionSpec {
    name: "ref",
    value: Value::Many { placeholder: "COLUMN", default: Some("ref"), check: any_text },
    help: "The reference; several are separated by commas. If only one is named, columns of its name followed by 2, 3, \
        ... are further references",
};
const MARGIN: OptionSpec = margin("0", "Scores that differ by less are a tie");
const TIES: OptionSpec = ties("keep");

const fn column(name: &'static str, help: &'static str) -> OptionSpec {
    OptionSpec { name, value: Value::One { placeholder: "COLUMN", default: Some(name), check: any_text }, help }
}

fn open(input: &Input, options: &Options) -> Result<Box<dyn Importer>> {
    let rows = Rows::open(input, table_kind(options))?;
    let columns = Columns::from_options(options)?;
    // Names that the user gave must be there; the usual ones may be absent.
    for spec in [&SRC, &ID, &GROUP, &JUDGES, &WEIGHT] {
        let given = options.text(spec).filter(|_| options.is_given(spec));
        given.map_or(Ok(()), |name| rows.header().require(name).map(|_| ()))?;
    }
    Ok(match columns.layout(input, &rows)? {
        Layout::Scored => {
            let preference = Preference::from_options(options, &TIES, Some(&MARGIN))?;
            Box::new(Pairs::of(Scored::of(rows, &columns.scored_names())?, preference))
        }
        Layout::Labelled => Box::new(TablePairs::of(rows, &columns.pairs, true)?),
        Layout::Preferred => {
            let pairs = Names { hypotheses: columns.preferred, ..columns.pairs };
            Box::new(TablePairs::of(rows, &pairs, false)?)
        }
    })
}

/// The names of the columns.
struct Columns {
    pairs: Names,
    /// The preferred and the other hypothesis.
    preferred: [String; 2],
    /// The hypothesis that `score` rates.
    scored: String,
    score: String,
    /// The source; with the references and the group it identifies the segment.
    source: String,
}

/// What a row holds.
enum Layout {
    /// A pair with its label.
    Labelled,
    /// A preferred hypothesis and another.
    Preferred,
    /// One hypothesis with a score.
    Scored,
}

impl Columns {
    fn from_options(options: &Options) -> Result<Self> {
        let name = |spec| options.text(spec).unwrap_or_default().to_owned();
        Ok(Self {
            pairs: Names {
                hypotheses: [name(&HYP1), name(&HYP2)],
                references: options.texts(&REF).into_iter().map(str::to_owned).collect(),
                label: name(&LABEL),
                id: name(&ID),
                group: name(&GROUP),
                judges: name(&JUDGES),
                weight: name(&WEIGHT),
                labels: LabelNames::from_options(options)?,
            },
            preferred: [name(&POS), name(&NEG)],
            scored: name(&MT),
            score: name(&SCORE),
            source: name(&SRC),
        })
    }

    fn scored_names(&self) -> ScoredNames<'_> {
        ScoredNames { text: &self.scored, score: &self.score, source: &self.source, others: &self.pairs }
    }

    /// What the rows of a table are, according to its columns.
    fn layout(&self, input: &Input, rows: &Rows) -> Result<Layout> {
        if rows.header().columns().is_empty() {
            return Err(input::empty(input, "a table"));
        }
        let has = |names: &[&String]| names.iter().all(|name| rows.header().columns().contains(name));
        let ([first, second], [preferred, other]) = (&self.pairs.hypotheses, &self.preferred);
        let (label, scored, score) = (&self.pairs.label, &self.scored, &self.score);
        let layout = if has(&[first, second, label]) {
            Layout::Labelled
        } else if has(&[preferred, other]) {
            Layout::Preferred
        } else if has(&[scored, score]) {
            Layout::Scored
        } else {
            return Err(Error::invalid(
                format!("{}:1", rows.header().place()),
                format!("the columns {first}, {second}, {label}, or {preferred}, {other}, or {scored}, {score}"),
                format!("only {}", joined(rows.header().columns())),
                "name them with options of 'tribunal import table': --hyp1, --hyp2, --label, --pos, --neg, --mt, --score",
            ));
        };
        let reference = |name: &String| rows.header().require_or(name, "say which it is: --ref COLUMN");
        self.pairs.references.first().map(reference).transpose()?;
        Ok(layout)
    }
}

/// The pairs of a table, one per row.
struct TablePairs {
    rows: Rows,
    columns: PairColumns,
    /// If false, the first hypothesis of a row is the preferred one.
    is_labelled: bool,
    account: Account,
}

impl TablePairs {
    fn of(rows: Rows, names: &Names, is_labelled: bool) -> Result<Self> {
        let columns = PairColumns::find(rows.header(), names, &Options::default())?;
        Ok(Self { rows, columns, is_labelled, account: Account::default() })
    }

    fn pair(&self, row: &Row<'_>) -> Result<Option<Pair>> {
        if self.is_labelled {
            let Some(label) = self.columns.label(row)? else { return Ok(None) };
            return Ok(Some(Pair { label: Some(label), ..self.columns.pair(row)? }));
        }
        let mut pair = self.columns.pair(row)?;
        let [preferred, other] = &pair.hypotheses;
        let is_swapped = is_swapped(&pair.references[0], preferred, other);
        if is_swapped {
            pair.hypotheses.swap(0, 1);
        }
        pair.label = Some(if is_swapped { Verdict::Second } else { Verdict::First });
        Ok(Some(pair))
    }

    fn step(&mut self) -> Result<Option<Pair>> {
        while let Some(row) = self.rows.next().transpose()? {
            self.account.rows_read += 1;
            if let Some(pair) = self.pair(&row)? {
                return Ok(Some(pair));
            }
            self.account.drop_rows(1, "without a label");
        }
        Ok(None)
    }
}

impl Iterator for TablePairs {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Importer for TablePairs {
    fn account(&self) -> Option<&Account> {
        Some(&self.account)
    }

    fn references(&self) -> usize {
        self.columns.references.count()
    }
}
