//! Outputs as a table that the reader of outputs reads back: `prompt`, `system`, `output`, `ref`, `ref2`, ..., `context`,
//! `context2`, ..., `src`, `group`, `id`, the signals under their names, `drawn` and `wave`, as far as any output has them; then
//! `label` and `annotator`, with a row for each label. A pass is 1, a fail 0.

use crate::error::Result;
use crate::files::Output as File;
use crate::files::table::{Cell, CellKind, RowWriter, TableKind};
use crate::judgments::output::{Output, Outputs};

/// A column: its name, its kind, and the cell of an output.
type OutputColumn = (String, CellKind, Box<dyn for<'o> Fn(&'o Output) -> Cell<'o>>);

/// The columns of outputs.
pub struct OutputTable(Vec<OutputColumn>);

impl OutputTable {
    /// The columns of these outputs.
    pub fn new(outputs: &Outputs) -> Self {
        let mut columns = vec![
            text("prompt", |output| output.prompt.as_deref()),
            text("system", |output| output.system.as_deref()),
            text("output", |output| Some(&output.text)),
        ];
        for (family, texts) in [("ref", references as fn(&Output) -> &[String]), ("context", context)] {
            for at in 0..outputs.rows.iter().map(|output| texts(output).len()).max().unwrap_or(0) {
                let name = if at == 0 { family.to_owned() } else { format!("{family}{}", at + 1) };
                columns.push(text(&name, move |output| texts(output).get(at).map(String::as_str)));
            }
        }
        columns.push(text("src", |output| output.source.as_deref()));
        columns.push(text("group", |output| output.group.as_deref()));
        columns.push(text("id", |output| output.id.as_deref()));
        columns.push(number("drawn", |output| output.drawn));
        columns.push((
            "wave".to_owned(),
            CellKind::Integer,
            Box::new(|output| output.wave.map_or(Cell::Empty, |wave| Cell::Integer(wave as i64))),
        ));
        columns.retain(|(name, _, cell)| {
            name == "output" || outputs.rows.iter().any(|output| cell(output) != Cell::Empty)
        });
        let signals = outputs.signals.iter().enumerate();
        columns.extend(signals.map(|(at, signal)| number(&signal.name, move |output| output.values[at])));
        Self(columns)
    }

    /// Names and kinds of the columns, of which the last two are label and annotator.
    pub fn columns(&self) -> Vec<(&str, CellKind)> {
        let columns = self.0.iter().map(|(name, kind, _)| (name.as_str(), *kind));
        columns.chain([("label", CellKind::Number), ("annotator", CellKind::Text)]).collect()
    }

    /// The cells of an output, without label and annotator.
    pub fn cells<'o>(&self, output: &'o Output) -> Vec<Cell<'o>> {
        self.0.iter().map(|(_, _, cell)| cell(output)).collect()
    }

    /// The rows of an output: one for each of its labels, or one without.
    pub fn rows<'o>(&self, output: &'o Output) -> Vec<Vec<Cell<'o>>> {
        let labels: Vec<[Cell<'o>; 2]> = match output.labels.as_slice() {
            [] => vec![[Cell::Empty; 2]],
            labels => {
                let name = |annotator: &'o Option<_>| annotator.as_deref().map_or(Cell::Empty, Cell::Text);
                labels.iter().map(|(annotator, label)| [Cell::Number(*label), name(annotator)]).collect()
            }
        };
        labels.into_iter().map(|label| [&*self.cells(output), &label].concat()).collect()
    }
}

/// Writes outputs as a table.
///
/// # Errors
/// As [`RowWriter::write`]; a signal has the name of another column.
pub fn write_outputs(outputs: &Outputs, file: File, kind: TableKind) -> Result<()> {
    let table = OutputTable::new(outputs);
    let mut writer = RowWriter::begin(file, kind, &table.columns())?;
    for output in &outputs.rows {
        table.rows(output).iter().try_for_each(|row| writer.write(row))?;
    }
    writer.finish()
}

fn references(output: &Output) -> &[String] {
    &output.references
}

fn context(output: &Output) -> &[String] {
    &output.context
}

fn text(name: &str, of: impl for<'o> Fn(&'o Output) -> Option<&'o str> + 'static) -> OutputColumn {
    (name.to_owned(), CellKind::Text, Box::new(move |output| of(output).map_or(Cell::Empty, Cell::Text)))
}

fn number(name: &str, of: impl Fn(&Output) -> Option<f64> + 'static) -> OutputColumn {
    (name.to_owned(), CellKind::Number, Box::new(move |output| of(output).map_or(Cell::Empty, Cell::Number)))
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Signals, read_outputs};
    use super::*;
    use crate::files::Input;
    use crate::judgments::output::{Marks, OutputSignal};

    #[test]
    fn outputs_read_back_as_they_are() {
        let signal = |name: &str, is_judge: bool, marks: Marks| OutputSignal {
            name: name.to_owned(),
            is_judge,
            lower_is_better: false,
            marks,
        };
        let row = |at: usize| Output {
            prompt: Some(format!("what, \"{at}\"?")),
            system: Some(["x", "y"][at % 2].into()),
            text: ["", "one\ntwo"][at % 2].into(),
            references: vec!["r".into(), "s".into()][..at].to_vec(),
            context: vec!["[c]".into(), "d".into()][..at].to_vec(),
            id: (at == 1).then(|| "seven".into()),
            labels: [(Some("ann".into()), 1.0), (Some("bob".into()), 0.0)][..at].to_vec(),
            values: vec![Some(at as f64 / 2.0), (at > 0).then_some(1.0)],
            drawn: (at > 0).then_some(0.1 + 0.2),
            wave: (at > 0).then_some(at),
            ..Output::default()
        };
        let signals = vec![signal("points", false, Marks::Numbers), signal("gpt", true, Marks::PassFail)];
        let outputs = Outputs { rows: (0..3).map(row).collect(), signals, ..Outputs::default() };
        for kind in [TableKind::Csv, TableKind::JsonLines] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(format!("x.{}", kind.endings()[0]));
            write_outputs(&outputs, File::create(Some(&path)).unwrap(), kind).unwrap();
            let named = Signals::parse(&["points".into()], &["gpt".into()]).unwrap().of_file(0, 1).unwrap();
            let reading = Reading { signals: named, ..Reading::default() };
            let mut read = read_outputs(&Input::File(path), &reading).unwrap();
            read.rows.iter_mut().for_each(|row| row.line = 0);
            assert_eq!(read, outputs, "{kind:?}");
        }
    }
}
