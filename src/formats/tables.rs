//! Tables of judgments whose columns have other names than ours: pairs with a label, COMET's `pos` and `neg`, and COMET's
//! `mt` with a `score`.

use std::collections::HashMap;
use std::vec::IntoIter;

use super::answers;
use super::pairing::is_swapped;
use super::{Account, Hypothesis, Importer, Segment, Segments};
use crate::error::{Error, Result};
use crate::files::rows::{Row, Rows};
use crate::judgments::{Pair, Verdict};

/// What the columns are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// The first and the second hypothesis of a pair.
    pub hypotheses: [String; 2],
    /// The label of a pair: 1, 0 or -1.
    pub label: String,
    /// The preferred and the other hypothesis.
    pub preferred: [String; 2],
    /// A hypothesis with a score of its own.
    pub scored: String,
    /// Its score; higher is better.
    pub score: String,
    /// The source, which tells with the reference which hypotheses are of one segment.
    pub source: String,
    /// One or several references.
    pub references: Vec<String>,
    /// The name of a pair or of a system.
    pub id: String,
    /// What must not be split.
    pub group: String,
    /// Who judged.
    pub judges: String,
    /// How much it counts.
    pub weight: String,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            hypotheses: ["hyp1".into(), "hyp2".into()],
            label: "label".into(),
            preferred: ["pos".into(), "neg".into()],
            scored: "mt".into(),
            score: "score".into(),
            source: "src".into(),
            references: vec!["ref".into()],
            id: "id".into(),
            group: "group".into(),
            judges: "judges".into(),
            weight: "weight".into(),
        }
    }
}

/// What a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A pair with its label.
    Labelled,
    /// A preferred hypothesis and another.
    Preferred,
    /// One hypothesis with a score.
    Scored,
}

impl Columns {
    /// What the rows of a table are, by the columns that it has.
    ///
    /// # Errors
    /// No layout's columns are all there, or no reference.
    pub fn layout(&self, rows: &Rows) -> Result<Layout> {
        let has = |names: &[&String]| names.iter().all(|name| rows.columns().contains(name));
        let [first, second] = &self.hypotheses;
        let [preferred, other] = &self.preferred;
        let layout = if has(&[first, second, &self.label]) {
            Layout::Labelled
        } else if has(&[preferred, other]) {
            Layout::Preferred
        } else if has(&[&self.scored, &self.score]) {
            Layout::Scored
        } else {
            return Err(Error::invalid(
                format!("{}:1", rows.place()),
                format!(
                    "the columns {first}, {second}, {}, or {preferred}, {other}, or {}, {}",
                    self.label, self.scored, self.score
                ),
                format!("only {}", rows.columns().join(", ")),
                "say how they are called: --hyp1, --hyp2, --label, --pos, --neg, --mt, --score",
            ));
        };
        self.references.first().map_or(Ok(()), |name| rows.require(name))?;
        Ok(layout)
    }

    /// The references of a row: the first may be empty text, further ones may be missing.
    fn references(&self, row: &Row) -> Vec<String> {
        let mut names = self.references.iter();
        let first = names.next().map(|name| row.any_text(name)).unwrap_or_default();
        std::iter::once(first).chain(names.filter_map(|name| row.text(name))).collect()
    }
}

/// Pairs of a table, one a row.
pub struct TablePairs {
    rows: Rows,
    columns: Columns,
    is_labelled: bool,
    account: Account,
}

impl TablePairs {
    /// The pairs of rows of this layout, which is not [`Layout::Scored`].
    pub fn of(rows: Rows, columns: Columns, layout: Layout) -> Self {
        Self { rows, columns, is_labelled: layout == Layout::Labelled, account: Account::default() }
    }

    fn pair(&self, row: &Row) -> Result<Option<Pair>> {
        let columns = &self.columns;
        let references = columns.references(row);
        let names = if self.is_labelled { &columns.hypotheses } else { &columns.preferred };
        let hypotheses = names.each_ref().map(|name| row.any_text(name));
        let (hypotheses, label) = if self.is_labelled {
            let Some(text) = row.text(&columns.label) else { return Ok(None) };
            let label =
                Verdict::parse(&text).ok_or_else(|| answers::wrong_label(&text, self.rows.place(), row.line))?;
            (hypotheses, label)
        } else {
            let [preferred, other] = hypotheses;
            if is_swapped(&references[0], &preferred, &other) {
                ([other, preferred], Verdict::Second)
            } else {
                ([preferred, other], Verdict::First)
            }
        };
        Ok(Some(Pair {
            hypotheses,
            references,
            label: Some(label),
            id: row.text(&columns.id),
            group: row.text(&columns.group),
            judges: row.text(&columns.judges),
            weight: row.text(&columns.weight).map(|_| row.weight(&columns.weight, self.rows.place())).transpose()?,
            line: row.line,
        }))
    }

    fn step(&mut self) -> Result<Option<Pair>> {
        while let Some(row) = self.rows.next().transpose()? {
            self.account.rows_read += 1;
            if let Some(pair) = self.pair(&row)? {
                self.account.keep_pair(&pair);
                return Ok(Some(pair));
            }
            self.account.drop_rows(1, "without a label");
        }
        Ok(None)
    }
}

impl Row {
    fn weight(&self, name: &str, place: &str) -> Result<f64> {
        let weight = self.number(name, place)?;
        if weight >= 0.0 {
            return Ok(weight);
        }
        let advice = "mend that row";
        Err(Error::invalid(format!("{place}:{}", self.line), "a weight of 0 or more", weight.to_string(), advice))
    }
}

impl Iterator for TablePairs {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl Importer for TablePairs {
    fn account(&self) -> &Account {
        &self.account
    }

    fn references(&self) -> usize {
        self.columns.references.len()
    }
}

/// Segments of a table of single hypotheses with scores: those with the same source and references, or of the same group,
/// are of one segment. All are held in memory.
pub struct Scored {
    rows: Option<Rows>,
    columns: Columns,
    segments: IntoIter<Segment>,
}

impl Scored {
    /// The segments of rows of [`Layout::Scored`].
    pub fn of(rows: Rows, columns: Columns) -> Self {
        Self { rows: Some(rows), columns, segments: Vec::new().into_iter() }
    }

    fn read(&self, rows: Rows, account: &mut Account) -> Result<Vec<Segment>> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        let place = rows.place().to_owned();
        for row in rows {
            let row = row?;
            account.rows_read += 1;
            if row.text(&self.columns.score).is_none() {
                account.drop_rows(1, "without a score");
                continue;
            }
            let references = self.columns.references(&row);
            let group = row.text(&self.columns.group);
            let mut key = references.clone();
            key.extend(row.text(&self.columns.source));
            key.extend(group.clone());
            let at = *places.entry(key).or_insert(segments.len());
            if at == segments.len() {
                let id = group.unwrap_or_else(|| (at + 1).to_string());
                segments.push(Segment { id, references, hypotheses: Vec::new(), line: row.line });
            }
            let hypotheses = &mut segments[at].hypotheses;
            hypotheses.push(Hypothesis {
                name: row.text(&self.columns.id).unwrap_or_else(|| (hypotheses.len() + 1).to_string()),
                text: row.any_text(&self.columns.scored),
                score: row.number(&self.columns.score, &place)?,
                judges: row.text(&self.columns.judges).into_iter().collect(),
            });
        }
        let alone = segments.iter().filter(|segment| segment.hypotheses.len() == 1).count();
        account.drop_rows(alone, "the only one of their source and reference");
        Ok(segments)
    }
}

impl Segments for Scored {
    fn next_segment(&mut self, account: &mut Account) -> Result<Option<Segment>> {
        if let Some(rows) = self.rows.take() {
            self.segments = self.read(rows, account)?.into_iter();
        }
        Ok(self.segments.next())
    }

    fn references(&self) -> usize {
        self.columns.references.len()
    }
}
