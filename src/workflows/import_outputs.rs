//! `import outputs`: files with the outputs of a system each, and perhaps one of questions, become pairs or one table of outputs:
//! rows are joined by a column that all files have.

use indexmap::{IndexMap, IndexSet};

use crate::error::{Error, Result, joined, pluralized, quoted};
use crate::files::table::{Rows, TableKind};
use crate::files::{Input, Output as File, check_outputs};
use crate::formats::{COLUMN, PairShape, PairWriter, Reading, read_output_rows, read_questions, write_outputs};
use crate::judgments::Pair;
use crate::judgments::output::{Output, Outputs};
use crate::options::Options;

/// Names of columns that outputs have in files of one system, besides the usual ones.
const TEXTS: [&str; 2] = ["text", "choices.0.turns.0"];

/// The same of systems.
const SYSTEMS: [&str; 3] = ["generator", "model_id", "model"];

/// What `import outputs` reads.
#[derive(Debug, Clone)]
pub struct OutputFiles {
    /// A file for each system.
    pub files: Vec<Input>,
    /// A file with prompts, and perhaps references.
    pub questions: Option<Input>,
    /// The column by which rows are joined.
    pub by: String,
    /// Names of columns by their roles, [`COLUMN`].
    pub options: Options,
}

/// The outputs of several systems for the same questions.
#[derive(Debug, Clone)]
pub struct JoinedOutputs {
    /// Of each question the outputs, in the order of the files.
    questions: Vec<Vec<Output>>,
    /// The number of files.
    files: usize,
    by: String,
    /// The number of outputs that were left out, and why.
    left_out: Vec<(usize, &'static str)>,
}

/// The roles that may be given a column.
const ROLES: [&str; 5] = ["output", "system", "prompt", "ref", "group"];

impl OutputFiles {
    /// Reads and joins the files.
    ///
    /// # Errors
    /// A file cannot be read or lacks a column; two rows of a file are of the same question; two files are of the same system; no
    /// question is in two files.
    pub fn read(&self) -> Result<JoinedOutputs> {
        let named = self.options.texts(&COLUMN).into_iter().filter_map(|text| text.split_once('='));
        if let Some((role, _)) = named.clone().find(|(role, _)| !ROLES.contains(role)) {
            let expected = format!("the roles {}", ROLES.join(", "));
            return Err(Error::invalid("`column`", expected, quoted(role), "omit the role"));
        }
        let (mut systems, mut unasked): (IndexMap<String, &Input>, usize) = Default::default();
        let about = self.questions.as_ref().map(|file| read_questions(file, &self.by, &self.options)).transpose()?;
        let mut questions: IndexMap<String, Vec<Output>> = IndexMap::new();
        for file in &self.files {
            let mut lines: IndexMap<String, usize> = IndexMap::new();
            let outputs = self.outputs(file)?;
            let names: IndexSet<String> = outputs.iter().filter_map(|output| output.system.clone()).collect();
            for system in names {
                if let Some(other) = systems.insert(system.clone(), file) {
                    let (expected, found) =
                        ("another system in each file", format!("{} in {other}, too", quoted(&system)));
                    let advice =
                        "name the column that tells them apart, `column` system=NAME, or omit one of the files";
                    return Err(Error::invalid(file.to_string(), expected, found, advice));
                }
            }
            for output in outputs {
                let key = output.id.clone().unwrap_or_default();
                if let Some(first) = lines.insert(key.clone(), output.line) {
                    let found = format!("{} again, as in line {first}", quoted(&key));
                    let place = format!("{file}:{}", output.line);
                    let expected = format!("one row for each {}", self.by);
                    return Err(Error::invalid(place, expected, found, "name another column with `by`"));
                }
                let known = about.as_ref().map(|about| about.get(&key)).unwrap_or_default();
                let output = match (known, &about) {
                    (Some(question), _) => Output {
                        prompt: question.prompt.clone(),
                        references: if output.references.is_empty() {
                            question.references.clone()
                        } else {
                            output.references
                        },
                        group: output.group.or_else(|| question.group.clone()),
                        ..output
                    },
                    (None, Some(_)) => {
                        unasked += 1;
                        continue;
                    }
                    (None, None) => output,
                };
                // Without a prompt, the value by which they were joined tells what belongs together.
                let group = output.group.clone().or_else(|| output.prompt.is_none().then(|| key.clone()));
                let id = Some(key.clone()).filter(|key| output.prompt.as_ref() != Some(key));
                questions.entry(key).or_default().push(Output { id, group, ..output });
            }
        }
        let (files, by) = (self.files.len(), self.by.clone());
        let alone = questions.values().filter(|outputs| files > 1 && outputs.len() == 1).count();
        questions.retain(|_, outputs| files == 1 || outputs.len() > 1);
        if questions.is_empty() {
            let found = "none".to_owned();
            let names = joined(self.files.iter().map(Input::name));
            let advice = "check that the files are of the same questions, or name another column with `by`";
            return Err(Error::invalid(names, format!("a value of {by} that two files have"), found, advice));
        }
        let left_out = vec![(alone, "of questions of one file only"), (unasked, "of none of the questions")];
        Ok(JoinedOutputs { questions: questions.into_values().collect(), files, by, left_out })
    }

    /// The outputs of a file, each with the value by which it is joined as its id.
    fn outputs(&self, file: &Input) -> Result<Vec<Output>> {
        let header = Rows::open(file, None)?.header().clone();
        header.require(&self.by)?;
        let mut options = Options::default();
        let given = |role: &str| {
            let names = self.options.texts(&COLUMN).into_iter().filter_map(|text| text.split_once('='));
            names.filter(|(of, _)| *of == role).map(|(_, name)| name.to_owned()).next()
        };
        let named = |role: &str, others: &[&str]| {
            given(role).or_else(|| others.iter().find(|name| header.has(name)).map(|name| (*name).to_owned()))
        };
        let others = |role: &str, others: &'static [&'static str]| if header.has(role) { &[] } else { others };
        for (role, name) in [
            ("output", named("output", others("output", &TEXTS))),
            ("system", named("system", others("system", &SYSTEMS))),
            ("prompt", given("prompt").filter(|_| self.questions.is_none())),
            ("ref", given("ref").filter(|name| header.has(name))),
            ("group", given("group").filter(|name| header.has(name))),
            ("id", Some(self.by.clone())),
        ] {
            name.map_or(Ok(()), |name| options.set(&COLUMN, &format!("{role}={name}")))?;
        }
        let reading = Reading { ignores_labels: true, ..Reading::from(options) };
        let Outputs { rows, .. } = read_output_rows(file, &reading)?;
        let stem = file.stem();
        Ok(rows.into_iter().map(|row| Output { system: row.system.or_else(|| Some(stem.clone())), ..row }).collect())
    }

    /// Checks that no input is also the output.
    ///
    /// # Errors
    /// One is.
    pub fn check(&self, output: Option<&std::path::Path>) -> Result<()> {
        check_outputs(self.files.iter().chain(&self.questions), &[output])
    }
}

impl JoinedOutputs {
    /// What was read, and what was left out.
    pub fn account(&self) -> String {
        let whole = self.questions.iter().filter(|outputs| outputs.len() == self.files).count();
        let outputs: usize = self.questions.iter().map(Vec::len).sum();
        let (files, by) = (pluralized(self.files, "file"), &self.by);
        let questions = pluralized(self.questions.len(), "question");
        let left_out = self.left_out.iter().filter(|(count, _)| *count > 0);
        let left_out: String =
            left_out.map(|(count, why)| format!("; {} {why} left out", pluralized(*count, "output"))).collect();
        format!("{files} joined by {by}: {outputs} outputs of {questions}, {whole} of them in every file{left_out}")
    }

    /// Writes one row for each output.
    ///
    /// # Errors
    /// As [`write_outputs`].
    pub fn write_outputs(self, file: File, kind: TableKind) -> Result<()> {
        // The value by which files are joined is no name of one output.
        let rows = self.questions.into_iter().flatten().map(|output| Output { id: None, ..output }).collect();
        write_outputs(&Outputs { rows, ..Outputs::default() }, file, kind)
    }

    /// Writes every two outputs of a question as a pair, that of the earlier file first.
    ///
    /// # Errors
    /// There is one file only; as [`PairWriter::write`].
    pub fn write_pairs(self, file: File, kind: TableKind) -> Result<()> {
        if self.files < 2 {
            let advice = "name another one, or write a table of outputs with `outputs`";
            return Err(Error::invalid("files", "two or more, for pairs of outputs", "one", advice));
        }
        // Of three systems, a question has several pairs.
        let has_ids = self.files == 2;
        let mut pairs: Vec<Pair> = Vec::new();
        for outputs in &self.questions {
            for (at, one) in outputs.iter().enumerate() {
                pairs.extend(outputs[at + 1..].iter().map(|other| pair([one, other], has_ids)));
            }
        }
        let mut writer = PairWriter::begin(file, kind, PairShape::of_pairs(&pairs), pairs.iter())?;
        pairs.iter().try_for_each(|pair| writer.write(pair))?;
        writer.finish()
    }
}

/// Two outputs of a question.
fn pair([one, other]: [&Output; 2], has_id: bool) -> Pair {
    let systems = one.system.clone().zip(other.system.clone());
    Pair {
        id: one.id.clone().filter(|_| has_id),
        prompt: one.prompt.clone().or_else(|| other.prompt.clone()),
        group: one.group.clone().or_else(|| other.group.clone()),
        systems: systems.map(|(one, other)| [one, other]),
        ..Pair::new([one.text.clone(), other.text.clone()], one.references.clone())
    }
}
