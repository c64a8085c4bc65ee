//! Stage 1h. In: pairs. Out: a file of them that the readers of stage 1 read back. Next: the user.
//!
//! Tables have the columns `hyp1`, `hyp2`, `ref`, further references `ref2`, ..., then `label`, `id`, `group`, `judges` and
//! `weight`.

use std::io;
use std::path::Path;

use csv::{Writer, WriterBuilder};
use serde_json::{Value, json};

use super::pairs::{Format, fields};
use crate::error::{Error, Result};
use crate::files::Output;
use crate::judgments::Pair;

/// Bytes of a table that are written at once.
const CHUNK: usize = 1 << 16;

/// Writes pairs one at a time.
pub struct PairWriter {
    output: Output,
    kind: Kind,
    references: usize,
}

enum Kind {
    Table {
        delimiter: u8,
        rows: Box<Writer<Vec<u8>>>,
        /// About as many bytes as `rows` holds.
        size: usize,
    },
    Objects,
    /// Labels stand in a file of their own.
    Lines(Output),
}

impl PairWriter {
    /// Begins a table or JSON Lines of pairs that have at most so many references.
    ///
    /// # Errors
    /// A format that has no column for labels; the disk is full.
    pub fn begin(output: Output, format: Format, references: usize) -> Result<Self> {
        let delimiter = match format {
            Format::Csv => b',',
            Format::Tsv => b'\t',
            Format::JsonLines => return Ok(Self { output, kind: Kind::Objects, references }),
            _ => return Err(no_place_for_labels()),
        };
        let mut writer =
            Self { output, kind: Kind::Table { delimiter, rows: separated(delimiter), size: 0 }, references };
        let further = (2..=references).map(|number| format!("ref{number}"));
        let names = ["hyp1", "hyp2", "ref"].map(str::to_owned).into_iter().chain(further);
        writer.row(names.chain(["label", "id", "group", "judges", "weight"].map(str::to_owned)).collect())?;
        Ok(writer)
    }

    /// Begins a file of `hyp1 ||| hyp2 ||| ref` lines and, beside it, one of labels.
    pub fn begin_lines(output: Output, answers: Output) -> Self {
        Self { output, kind: Kind::Lines(answers), references: 0 }
    }

    /// Writes a pair.
    ///
    /// # Errors
    /// The format has no way to write its text; the disk is full.
    pub fn write(&mut self, pair: &Pair) -> Result<()> {
        match &mut self.kind {
            Kind::Table { .. } => {
                let row = self.record(pair);
                self.row(row)
            }
            Kind::Objects => self.output.write(format!("{}\n", object(pair)).as_bytes()),
            Kind::Lines(answers) => {
                self.output.write(text_line(pair)?.as_bytes())?;
                answers
                    .write(format!("{}\n", pair.label.map_or_else(String::new, |label| label.to_string())).as_bytes())
            }
        }
    }

    /// Makes what was written appear under its name.
    ///
    /// # Errors
    /// As [`Output::finish`].
    pub fn finish(mut self) -> Result<()> {
        self.hand_on()?;
        if let Kind::Lines(answers) = self.kind {
            answers.finish()?;
        }
        self.output.finish()
    }

    fn record(&self, pair: &Pair) -> Vec<String> {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let references = (0..self.references).map(|at| pair.references.get(at).cloned().unwrap_or_default());
        let known = [
            pair.label.map(|label| label.to_string()).unwrap_or_default(),
            text(&pair.id),
            text(&pair.group),
            text(&pair.judges),
            pair.weight.map(|weight| weight.to_string()).unwrap_or_default(),
        ];
        pair.hypotheses.iter().cloned().chain(references).chain(known).collect()
    }

    fn row(&mut self, fields: Vec<String>) -> Result<()> {
        if let Kind::Table { rows, size, .. } = &mut self.kind {
            rows.write_record(&fields).map_err(|error| in_memory(error.into()))?;
            *size += fields.iter().map(|field| field.len() + 1).sum::<usize>();
            if *size > CHUNK {
                self.hand_on()?;
            }
        }
        Ok(())
    }

    /// Hands the rows of a table on to the file.
    fn hand_on(&mut self) -> Result<()> {
        if let Kind::Table { delimiter, rows, size } = &mut self.kind {
            let full = std::mem::replace(rows, separated(*delimiter));
            *size = 0;
            self.output.write(&full.into_inner().map_err(|error| in_memory(error.into_error()))?)?;
        }
        Ok(())
    }
}

fn separated(delimiter: u8) -> Box<Writer<Vec<u8>>> {
    Box::new(WriterBuilder::new().delimiter(delimiter).from_writer(Vec::with_capacity(CHUNK)))
}

fn in_memory(error: io::Error) -> Error {
    Error::io(Path::new("a row of a table"), error, "write")
}

fn object(pair: &Pair) -> Value {
    let references = match pair.references.as_slice() {
        [alone] => json!(alone),
        several => json!(several),
    };
    let mut object = json!({"hyp1": pair.hypotheses[0], "hyp2": pair.hypotheses[1], "ref": references});
    let known = [
        ("label", pair.label.map(|label| json!(label.sign()))),
        ("id", pair.id.as_ref().map(|text| json!(text))),
        ("group", pair.group.as_ref().map(|text| json!(text))),
        ("judges", pair.judges.as_ref().map(|text| json!(text))),
        ("weight", pair.weight.map(|weight| json!(weight))),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            object[name] = value;
        }
    }
    object
}

/// `hyp1 ||| hyp2 ||| ref`, if it reads back as what it was.
fn text_line(pair: &Pair) -> Result<String> {
    let texts: Vec<&str> = pair.hypotheses.iter().chain(&pair.references).map(|text| text.trim()).collect();
    let line = texts.join(" ||| ");
    if line.contains(['\n', '\r']) || fields(&line) != texts {
        return Err(Error::invalid(
            format!("line {} of what is imported", pair.line),
            "texts of one line without ' ||| '",
            format!("'{}'", line.chars().take(80).collect::<String>().escape_debug()),
            "write a table: -o with a name that ends in .csv, .tsv or .jsonl",
        ));
    }
    Ok(line + "\n")
}

fn no_place_for_labels() -> Error {
    Error::invalid(
        "--output",
        "a file of answers for lines 'hyp1 ||| hyp2 ||| ref', which have no place for labels",
        "none",
        "name it with --answers, or write a table: -o with a name that ends in .csv, .tsv or .jsonl",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Input;
    use crate::formats::PairReader;
    use crate::judgments::Verdict;

    fn pair() -> Pair {
        Pair {
            hypotheses: ["a, \"b\"\tc".into(), String::new()],
            references: vec!["r".into(), "s\nt".into()],
            label: Some(Verdict::Second),
            id: Some("7:1-2".into()),
            group: Some("7".into()),
            judges: Some("x;y".into()),
            weight: Some(0.1 + 0.2),
            line: 2,
        }
    }

    #[test]
    fn tables_read_back_as_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["pairs.csv", "pairs.tsv", "pairs.jsonl"] {
            let path = folder.path().join(name);
            let input = Input::File(path.clone());
            let output = Output::create(Some(&path)).unwrap();
            let mut writer = PairWriter::begin(output, Format::of(&input), 2).unwrap();
            let pairs = vec![pair(); 2000];
            pairs.iter().for_each(|pair| writer.write(pair).unwrap());
            writer.finish().unwrap();
            let read: Vec<Pair> = PairReader::open(&input, None).unwrap().map(Result::unwrap).collect();
            let unnumbered = read.into_iter().map(|pair| Pair { line: 2, ..pair }).collect::<Vec<_>>();
            assert_eq!(unnumbered, pairs, "{name}");
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
