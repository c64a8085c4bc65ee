//! Writes pairs to a file that the readers read back.
//!
//! Tables have the columns `hyp1`, `hyp2`, `ref`, further references `ref2`, ..., then `label`, `id`, `group`, `annotator`
//! and `weight`, and if they are known `prompt`, `system1`, `system2`, `drawn` and `wave`. In JSON Lines several references are a list in
//! `ref`. Where labels are preferences with fractions, the column `preference` takes the place of `label`: from 1 (the first
//! hypothesis) to 2 (the second), which reads back as it is even where only whole numbers are left.

use super::PairShape;
use super::roles::{NAME_SEPARATOR, names_in};
use crate::error::{Error, Result, quoted};
use crate::files::Output;
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::judgments::pair::fields;
use crate::judgments::{ExternalJudge, Pair, Scale, Verdict};

/// Writes pairs one at a time.
pub struct PairWriter {
    kind: Kind,
}

enum Kind {
    Table {
        rows: RowWriter,
        /// The number of reference columns; `None` in JSON Lines, where a list holds them.
        references: Option<usize>,
        shape: PairShape,
        judges: Vec<ExternalJudge>,
    },
    /// Labels are in a separate file.
    Lines { pairs: Output, answers: Output },
}

impl PairWriter {
    /// Begins a table for pairs that have no more than `shape` says; with columns for the external metrics and judges of `like`,
    /// some of the pairs or all.
    ///
    /// # Errors
    /// The disk is full, or the output cannot be written.
    pub fn begin<'p>(
        output: Output,
        kind: TableKind,
        shape: PairShape,
        like: impl Iterator<Item = &'p Pair> + Clone,
    ) -> Result<Self> {
        let references = (kind != TableKind::JsonLines).then_some(shape.references.max(1));
        let further: Vec<String> = (2..=references.unwrap_or(1)).map(|number| format!("ref{number}")).collect();
        let text = |name| (name, CellKind::Text);
        let mut columns = ["hyp1", "hyp2", "ref"].map(text).to_vec();
        columns.extend(further.iter().map(|name| text(name)));
        columns.push(match shape.has_preferences {
            true => ("preference", CellKind::Number),
            false => ("label", CellKind::Integer),
        });
        columns.extend(["id", "group", "annotator"].map(text));
        columns.push(("weight", CellKind::Number));
        columns.extend(shape.has_prompts.then_some("prompt").map(text));
        columns.extend(shape.has_sources.then_some("src").map(text));
        columns.extend(["system1", "system2"].into_iter().filter(|_| shape.has_systems).map(text));
        let drawn = [("drawn", CellKind::Number), ("wave", CellKind::Integer)];
        columns.extend(drawn.into_iter().filter(|_| shape.is_drawn));
        let first = like.clone().next();
        let own = first.into_iter().flat_map(|pair| &pair.own);
        let own: Vec<String> = own.flat_map(|own| [1, 2].map(|side| format!("{}.{side}", own.name))).collect();
        columns.extend(own.iter().map(|name| (name.as_str(), CellKind::Number)));
        let judges = first.into_iter().flat_map(|pair| &pair.verdicts);
        let judges: Vec<ExternalJudge> =
            judges.map(|verdicts| ExternalJudge::seen_in(&verdicts.name, like.clone())).collect();
        let names = judges.iter().flat_map(|judge| {
            let kind = if judge.scale == Scale::Words { CellKind::Text } else { CellKind::Number };
            let orders: &[&str] = if judge.both_orders { &[".12", ".21"] } else { &[""] };
            orders.iter().map(move |order| (format!("{}{order}", judge.name), kind))
        });
        let names: Vec<(String, CellKind)> = names.collect();
        columns.extend(names.iter().map(|(name, kind)| (name.as_str(), *kind)));
        let rows = RowWriter::begin(output, kind, &columns)?;
        Ok(Self { kind: Kind::Table { rows, references, shape, judges } })
    }

    /// Begins a file of `hyp1 ||| hyp2 ||| ref` lines and a separate file of labels.
    pub fn begin_lines(pairs: Output, answers: Output) -> Self {
        Self { kind: Kind::Lines { pairs, answers } }
    }

    /// Writes a pair.
    ///
    /// # Errors
    /// The format cannot represent a text or the name of an annotator, or lacks a column for one of its references; the
    /// disk is full.
    pub fn write(&mut self, pair: &Pair) -> Result<()> {
        match &mut self.kind {
            Kind::Table { rows, references, shape, judges } => {
                let names = names_cell(pair)?;
                let mut cells = cells(pair, &names, *references, *shape)?;
                cells.extend(judges.iter().flat_map(|judge| verdicts(judge, pair)));
                rows.write(&cells)
            }
            Kind::Lines { pairs, answers } => {
                pairs.write(text_line(pair)?.as_bytes())?;
                let label = pair.label.map_or_else(String::new, |label| label.to_string());
                answers.write(format!("{label}\n").as_bytes())
            }
        }
    }

    /// Makes the files appear under their names.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(self) -> Result<()> {
        match self.kind {
            Kind::Table { rows, .. } => rows.finish(),
            Kind::Lines { pairs, answers } => {
                answers.finish()?;
                pairs.finish()
            }
        }
    }
}

fn cells<'p>(pair: &'p Pair, annotators: &'p str, columns: Option<usize>, shape: PairShape) -> Result<Vec<Cell<'p>>> {
    let mut cells = pair.hypotheses.each_ref().map(|text| Cell::Text(text)).to_vec();
    let optional = |text: Option<&'p String>| text.map_or(Cell::Empty, |text| Cell::Text(text));
    match (pair.references.as_slice(), columns) {
        ([alone], None) => cells.push(Cell::Text(alone)),
        (several, None) => cells.push(Cell::Texts(several)),
        (several, Some(columns)) if several.len() > columns => return Err(too_many_references(pair, columns)),
        (several, Some(columns)) => {
            cells.extend((0..columns).map(|at| several.get(at).map_or(Cell::Empty, |text| Cell::Text(text))));
        }
    }
    cells.push(match (pair.label, pair.share_of_first()) {
        (Some(_), Some(share)) if shape.has_preferences => Cell::Number(2.0 - share),
        (Some(label), _) => Cell::Integer(label.sign().into()),
        (None, _) => Cell::Empty,
    });
    cells.extend([&pair.id, &pair.group].map(|name| name.as_deref().map_or(Cell::Empty, Cell::Text)));
    cells.push(if annotators.is_empty() { Cell::Empty } else { Cell::Text(annotators) });
    cells.push(pair.weight.map_or(Cell::Empty, Cell::Number));
    cells.extend(shape.has_prompts.then(|| optional(pair.prompt.as_ref())));
    cells.extend(shape.has_sources.then(|| optional(pair.source.as_ref())));
    let systems = pair.systems.as_ref();
    cells.extend((0..2).filter(|_| shape.has_systems).map(|at| optional(systems.map(|both| &both[at]))));
    if shape.is_drawn {
        cells.push(pair.drawn.map_or(Cell::Empty, Cell::Number));
        cells.push(pair.wave.map_or(Cell::Empty, |wave| Cell::Integer(wave as i64)));
    }
    cells.extend(pair.own.iter().flat_map(|own| own.values).map(Cell::Number));
    Ok(cells)
}

/// The verdicts of a judge, in each order if it saw both, on the scale on which they were written.
fn verdicts(judge: &ExternalJudge, pair: &Pair) -> Vec<Cell<'static>> {
    let cell = |value: Option<f64>| match value.map(|value| (value, judge.scale.written(value))) {
        None => Cell::Empty,
        Some((_, Some(number))) => Cell::Number(number),
        Some((value, None)) => Cell::Text(match Verdict::compare(value, 0.0) {
            Verdict::First => "A",
            Verdict::Tie => "tie",
            Verdict::Second => "B",
        }),
    };
    if judge.both_orders { judge.orders(pair).map(cell).into() } else { vec![cell(judge.mean(pair))] }
}

/// The names of the annotators in one cell, if they read back unchanged.
fn names_cell(pair: &Pair) -> Result<String> {
    let is_whole = |name: &String| !name.is_empty() && names_in(name).eq([name.as_str()]);
    let Some(name) = pair.annotators.iter().find(|name| !is_whole(name)) else {
        return Ok(pair.annotators.join(NAME_SEPARATOR));
    };
    Err(Error::invalid(
        format!("line {} of the imported pairs", pair.line),
        "the name of an annotator without a semicolon, which separates names",
        quoted(name),
        "rename the annotator",
    ))
}

fn too_many_references(pair: &Pair, columns: usize) -> Error {
    Error::invalid(
        format!("line {} of the imported pairs", pair.line),
        format!("at most {columns} references, as the first line has"),
        pair.references.len().to_string(),
        "write JSON Lines, which hold any number: -o FILE.jsonl",
    )
}

/// The line `hyp1 ||| hyp2 ||| ref`, if it reads back unchanged.
fn text_line(pair: &Pair) -> Result<String> {
    let texts: Vec<&str> = pair.hypotheses.iter().chain(&pair.references).map(|text| text.trim()).collect();
    let line = texts.join(" ||| ");
    if line.contains(['\n', '\r']) || fields(&line) != texts {
        return Err(Error::invalid(
            format!("line {} of the imported pairs", pair.line),
            "texts of one line without ' ||| '",
            quoted(&line),
            "write a table, such as -o FILE.csv",
        ));
    }
    Ok(line + "\n")
}

/// The error for an output that cannot hold labels.
pub(crate) fn no_place_for_labels() -> Error {
    Error::invalid(
        "`output`",
        "a file of answers for lines 'hyp1 ||| hyp2 ||| ref', which cannot hold labels",
        "none",
        "name it with `answers`, or write a table, such as -o FILE.csv",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> Pair {
        Pair::new(["a, \"b\" c".into(), String::new()], vec!["r".into(), "s 't'".into()])
    }

    #[test]
    fn no_reference_is_lost() {
        let shape = PairShape::of_references(1);
        let message = cells(&pair(), "", Some(1), shape).unwrap_err().to_string();
        assert!(message.contains("expected at most 1 references"), "{message}");
        assert!(cells(&pair(), "", None, shape).unwrap().contains(&Cell::Texts(&pair().references)));
    }

    #[test]
    fn names_of_annotators_read_back() {
        let of = |names: &[&str]| {
            names_cell(&Pair { annotators: names.iter().map(|&name| name.to_owned()).collect(), ..pair() })
        };
        assert_eq!(of(&[]).unwrap(), "");
        assert_eq!(of(&["ann", "bob b"]).unwrap(), "ann;bob b");
        for (wrong, name) in [(&["ann", "bob;b"][..], "'bob;b'"), (&["a;"], "'a;'"), (&["", "ann"], "''")] {
            let message = of(wrong).unwrap_err().to_string();
            assert!(message.starts_with("line 1 of the imported pairs: ") && message.contains(name), "{message}");
        }
    }

    #[test]
    fn lines_hold_only_what_reads_back() {
        let of = |text: &str| {
            text_line(&Pair { hypotheses: [text.into(), "b".into()], references: vec!["r".into()], ..pair() })
        };
        assert_eq!(of("a|||b").unwrap(), "a|||b ||| b ||| r\n");
        for wrong in ["a ||| b", "a\nb", "|||"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
