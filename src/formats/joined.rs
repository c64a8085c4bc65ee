//! The values of a metric or judge in a table of its own, whose rows are matched with pairs by their id, their index, or
//! their prompt, systems and texts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::oddities::Oddities;
use super::roles::{ColumnRole, Columns};
use super::signal_columns::SignalColumns;
use super::signals::{Signal, SignalSource, has_columns};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::Input;
use crate::files::table::{Column, Header, JSON, Row, Rows, TableKind, ending};
use crate::judgments::identity::{Order, PairIdentity, hash};
use crate::judgments::{JudgeVerdicts, Pair};
use crate::options::Options;

/// The usual name of a column with the number of a pair, from 0.
const INDEX: &str = "index";

/// What tells the pairs of a table apart, if there is neither id nor index.
const TEXTS: [ColumnRole; 5] =
    [ColumnRole::Prompt, ColumnRole::System1, ColumnRole::System2, ColumnRole::Hyp1, ColumnRole::Hyp2];

/// The usual names of a column with the verdicts of the table's only judge.
const VERDICTS: [&str; 5] = ["verdict", "winner", "preference", "label", "score"];

/// A table with the values of a signal.
pub(crate) struct JoinedTable {
    signal: Signal,
    key: Key,
    rows: HashMap<u128, Known>,
    matched: usize,
}

/// By what rows are matched.
enum Key {
    Id(Column),
    Index(Column),
    Texts(Columns),
}

/// A row, with its values.
struct Known {
    values: Pair,
    identity: PairIdentity,
    line: usize,
    /// The pair that it was matched with first.
    pair: Option<u128>,
}

impl JoinedTable {
    /// Reads a table; `None` if the file is none, or has no column by which its rows could be matched.
    ///
    /// # Errors
    /// The file cannot be read; it has no column of values; two rows are about the same pair.
    pub(crate) fn open(input: &Input, signal: &Signal, words: &mut Oddities) -> Result<Option<Self>> {
        let is_file = matches!(input, Input::File(path) if path.is_file());
        if !is_file || TableKind::from_name(input).is_none() && ending(input) != JSON {
            return Ok(None);
        }
        // A file without a header may be no table in other ways, too.
        let Ok(rows) = Rows::open(input, None) else { return Ok(None) };
        let header = rows.header().clone();
        let Some(key) = Key::find(&header)? else { return Ok(None) };
        let mut columns = SignalColumns::find(&header, &[source(&header, signal)])?;
        let rows = rows.collect::<Result<Vec<Row<'_>>>>()?;
        rows.iter().for_each(|row| columns.look_at(row));
        columns.settle();
        let mut known = HashMap::with_capacity(rows.len());
        for row in &rows {
            let mut values = key.texts(row)?;
            columns.add_to(&mut values, row, words)?;
            let identity = PairIdentity::new(&values);
            match known.entry(key.of_row(row, identity)?) {
                Entry::Vacant(place) => place.insert(Known { values, identity, line: row.line(), pair: None }),
                Entry::Occupied(first) => {
                    let found = format!("one more, after line {}", first.get().line);
                    let expected = format!("one row for each {}", key.name());
                    return Err(Error::invalid(row.place(), expected, found, "remove one, or add the column id"));
                }
            };
        }
        words.check(&input.to_string())?;
        Ok(Some(Self { signal: signal.clone(), key, rows: known, matched: 0 }))
    }

    /// Adds the values of the row for the pair number `at`, from 0. A judge may have none.
    ///
    /// # Errors
    /// A metric has no row for the pair, or the row is for another one as well.
    pub(crate) fn add_to(&mut self, pair: &mut Pair, at: usize, input: &Input) -> Result<()> {
        let about = PairIdentity::new(&self.key.about(pair));
        let Some(row) = self.key.of_pair(pair, about, at).and_then(|key| self.rows.get_mut(&key)) else {
            let name = Arc::from(self.signal.name());
            let Signal::Judge { scale, .. } = &self.signal else {
                let expected =
                    format!("the {} of each pair, as every pair needs the values of a metric", self.key.name());
                let found = format!("none for that of line {}", pair.line);
                return Err(Error::invalid(input.to_string(), expected, found, "add the row"));
            };
            pair.verdicts.push(JudgeVerdicts { name, orders: [None; 2], scale: scale.scale(), has_words: false });
            return Ok(());
        };
        let pair_key = PairIdentity::new(pair).key();
        if *row.pair.get_or_insert(pair_key) != pair_key {
            let expected = format!("another {} for each pair", self.key.name());
            let found = format!("the same for that of line {} and an earlier one", pair.line);
            return Err(Error::invalid(
                format!("{input}:{}", row.line),
                expected,
                found,
                "add the column id, or systems",
            ));
        }
        let is_exchanged = row.identity.order_in(about) == Some(Order::Exchanged);
        let values = if is_exchanged { row.values.clone().swapped() } else { row.values.clone() };
        pair.own.extend(values.own);
        pair.verdicts.extend(values.verdicts);
        self.matched += 1;
        Ok(())
    }

    /// How the rows were matched with `count` pairs.
    ///
    /// # Errors
    /// None was.
    pub(crate) fn account(&self, input: &Input, count: usize) -> Result<String> {
        let (by, name) = (self.key.name(), self.signal.name());
        if self.matched == 0 {
            let expected = format!("rows for the pairs, matched by their {by}");
            return Err(Error::invalid(input.to_string(), expected, "none", "name the file of these pairs' values"));
        }
        let left = self.rows.values().filter(|row| row.pair.is_none()).count();
        let left = if left == 0 {
            String::new()
        } else {
            format!("; {} of it {}", pluralized(left, "row"), if left == 1 { "matches none" } else { "match none" })
        };
        Ok(format!("{name}: {} of {count} pairs matched by {by} with {input}{left}", self.matched))
    }
}

/// The columns of the values: those of the signal's name, or the only verdicts.
fn source(header: &Header, signal: &Signal) -> SignalSource {
    let takes_verdicts = matches!(signal, Signal::Judge { .. }) && !has_columns(header, signal.name());
    let column = VERDICTS.into_iter().find(|name| takes_verdicts && header.has(name)).map(str::to_owned);
    SignalSource { signal: signal.clone(), file: None, column }
}

impl Key {
    fn find(header: &Header) -> Result<Option<Self>> {
        let named = |name: &str| header.find(name).filter(|_| header.has(name));
        if let Some(id) = named(ColumnRole::Id.usual_name()) {
            return Ok(Some(Self::Id(id)));
        }
        if let Some(index) = named(INDEX) {
            return Ok(Some(Self::Index(index)));
        }
        let columns = Columns::in_table(header, &Options::default(), &TEXTS)?;
        let is_there = columns.all().next().is_some();
        Ok(is_there.then_some(Self::Texts(columns)))
    }

    /// What it is called.
    fn name(&self) -> String {
        match self {
            Self::Id(_) => "id".to_owned(),
            Self::Index(_) => INDEX.to_owned(),
            Self::Texts(columns) => columns.all().map(Column::name).collect::<Vec<_>>().join(", "),
        }
    }

    /// A pair with the texts of a row.
    fn texts(&self, row: &Row<'_>) -> Result<Pair> {
        let Self::Texts(columns) = self else { return Ok(Pair::new(Default::default(), Vec::new())) };
        let text = |role| Ok(columns.optional(row, role)?.unwrap_or_default());
        let mut pair = Pair::new([text(ColumnRole::Hyp1)?, text(ColumnRole::Hyp2)?], Vec::new());
        pair.systems = Some([text(ColumnRole::System1)?, text(ColumnRole::System2)?]);
        pair.prompt = Some(text(ColumnRole::Prompt)?);
        Ok(pair)
    }

    /// Of a pair what the table has.
    fn about(&self, pair: &Pair) -> Pair {
        let Self::Texts(columns) = self else { return Pair::new(Default::default(), Vec::new()) };
        let kept = |role: ColumnRole, text: Option<&String>| columns.get(role).and(text).cloned().unwrap_or_default();
        let [first, second] = &pair.hypotheses;
        let system = |at: usize| pair.systems.as_ref().map(|systems| &systems[at]);
        let hypotheses = [kept(ColumnRole::Hyp1, Some(first)), kept(ColumnRole::Hyp2, Some(second))];
        let mut about = Pair::new(hypotheses, Vec::new());
        about.systems = Some([kept(ColumnRole::System1, system(0)), kept(ColumnRole::System2, system(1))]);
        about.prompt = Some(kept(ColumnRole::Prompt, pair.prompt.as_ref()));
        about
    }

    fn of_row(&self, row: &Row<'_>, texts: PairIdentity) -> Result<u128> {
        match self {
            Self::Id(id) => Ok(hash(&row.text(id)?)),
            Self::Index(index) => {
                let text = row.text(index)?;
                let number = text.trim().parse::<usize>().ok();
                let expected = "the number of a pair, from 0, in the column index";
                number
                    .map(|number| number as u128)
                    .ok_or_else(|| Error::invalid(row.place(), expected, quoted(&text), ""))
            }
            Self::Texts(_) => Ok(texts.key()),
        }
    }

    /// `None` if the pair has no id.
    fn of_pair(&self, pair: &Pair, about: PairIdentity, at: usize) -> Option<u128> {
        match self {
            Self::Id(_) => pair.id.as_deref().map(hash),
            Self::Index(_) => Some(at as u128),
            Self::Texts(_) => Some(about.key()),
        }
    }
}
