//! Verdicts of a language model, as columns beside a table.

use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tribunal::ask::{AskSettings, Choices, Form, Question, Server, Soft, Texts, key_of_environment};
use tribunal::error::quoted;
use tribunal::workflows;

use crate::faults::{raised, wrong_value};
use crate::pairs::{Argument, Columns, NO_VOTES, Reading};
use crate::work::{self, Folders, engine};

/// Asks a language model which hypothesis of each pair is better, in both orders, or how good each output is: the values of
/// the columns to add, in a dictionary, such as for `frame.assign(**columns)`. The chapter "Ask a language model" has a tour.
///
/// ```pycon
/// >>> pairs = {"prompt": ["2 + 2?"], "hyp1": ["4"], "hyp2": ["5"]}
/// >>> tribunal.ask(pairs, url="127.0.0.1:8080", model="qwen3-8b", journal="qwen.journal")
/// Traceback (most recent call last):
/// ValueError: `url`: expected the address of a server with OpenAI..., found '127.0.0.1:8080'...
///
/// ```
#[pyfunction]
#[pyo3(signature = (
    table, *, url, model, name=None, form="schema", soft="auto", ties=false, choices=None, rubric=None, template=None,
    journal=None, again=false, budget=None, key_env=None, concurrency=8, timeout=120, retries=6, max_tokens=None, column=None,
))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
pub fn ask<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    url: String,
    model: String,
    name: Option<&str>,
    form: &str,
    soft: &str,
    ties: bool,
    choices: Option<&str>,
    rubric: Option<String>,
    template: Option<String>,
    journal: Option<PathBuf>,
    again: bool,
    budget: Option<u64>,
    key_env: Option<&str>,
    concurrency: usize,
    timeout: u64,
    retries: u32,
    max_tokens: Option<u32>,
    column: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let reading = Reading::new(None, None, None, column, NO_VOTES)?;
    let columns = Columns::new(table, &reading, [None; 3])?;
    let are_outputs = columns.are_outputs(&reading.frame())?;
    let texts: Vec<Texts> = if are_outputs {
        columns.output_rows(&reading.frame()).map_err(raised)?.rows.into_iter().map(Texts::from).collect()
    } else {
        columns.pairs(&reading.frame()).map_err(raised)?.into_iter().map(Texts::from).collect()
    };
    let choices = match (are_outputs, choices) {
        (true, None) => Choices::PassFail,
        (true, Some(named)) => one_of("choices", named, Choices::OF_OUTPUTS)?,
        (false, _) if ties => Choices::BetterOrTie,
        (false, _) => Choices::Better,
    };
    let key = key_env.map(key_of_environment).transpose().map_err(raised)?;
    let name = name.unwrap_or(model.rsplit('/').next().unwrap_or(&model)).to_owned();
    let settings = AskSettings {
        question: Question { choices, form: one_of("form", form, Form::NAMES)?, rubric, template },
        soft: one_of("soft", soft, Soft::NAMES)?,
        server: Some(Server { url, key, concurrency, timeout: Duration::from_secs(timeout), retries }),
        price: None,
        model,
        max_tokens,
        journal,
        again,
        budget,
    };
    let values =
        work::run(py, &engine(&Folders::default())?, move |context| workflows::ask_texts(context, &texts, &settings))?;
    let added = PyDict::new(py);
    let names = if are_outputs { vec![name] } else { ["12", "21"].map(|order| format!("{name}.{order}")).to_vec() };
    for (at, name) in names.into_iter().enumerate() {
        added.set_item(name, values.iter().map(|values| values[at]).collect::<Vec<_>>())?;
    }
    Ok(added)
}

fn one_of<T: Copy>(argument: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let names = || all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = all.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| wrong_value(argument, &format!("one of {}", names()), &quoted(name), ""))
}
