//! What a file is, by its first rows, and what can be asked of it: `tribunal FILE`.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::foreign;
use super::format::Role;
use super::marking::mark;
use super::outputs::{LABELS, is_header_of_outputs, is_usual_of_outputs};
use super::registry::format_of;
use super::roles::{ColumnRole, is_usual};
use super::winner::winner;
use crate::error::{Result, joined, pluralized};
use crate::files::Input;
use crate::files::table::{Header, Rows};
use crate::judgments::Verdict;
use crate::options::Options;

/// The rows that are looked at: enough to tell the columns, few enough for a second.
const MAX_ROWS: usize = 5_000;

/// A column with more different values holds no verdicts.
const MAX_VERDICTS: usize = 8;

/// The least part of the cells of a judge that are verdicts: some answers cannot be read.
const MIN_VERDICTS: f64 = 0.9;

/// What names of columns of people's labels begin with.
const PEOPLE: [&str; 8] = ["annotator", "human", "rater", "worker", "expert", "crowd", "people", "label"];

/// Names of columns, or their ends, whose numbers are no verdicts.
const COUNTS: [&str; 8] = ["turn", "epoch", "rank", "order", "time", "cost", "tokens", "id"];

/// What a file is, and what can be asked of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// What it is, with the number of rows.
    pub what: String,
    /// What its rows hold, a phrase each.
    pub facts: Vec<String>,
    /// Questions, each with the command that answers it.
    pub questions: Vec<(&'static str, String)>,
}

impl fmt::Display for Overview {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.what)?;
        self.facts.iter().try_for_each(|fact| writeln!(formatter, "  {fact}"))?;
        self.questions.iter().try_for_each(|(question, command)| writeln!(formatter, "\n{question}\n  {command}"))
    }
}

/// Looks at the first rows of a file.
///
/// # Errors
/// The file cannot be read.
pub fn overview(input: &Input) -> Result<Overview> {
    let format = format_of(input);
    let file = match input {
        Input::Stdin => "-".to_owned(),
        Input::File(path) => shell(&path.to_string_lossy()),
    };
    match format.table {
        Some(kind) => {
            let rows = Rows::open(input, Some(kind))?;
            let header = rows.header().clone();
            let columns = Seen::of_columns(&header, rows)?;
            Ok(of_table(&header, &columns, &file))
        }
        None if format.role == Role::Judgments => {
            let mut found = Overview { what: format.about.to_owned(), ..Overview::default() };
            found.ask("Which metric agrees best with people?", format!("tribunal compare {file}"));
            found.ask("How well do the judgments teach an ensemble?", format!("tribunal train {file} -m model.json"));
            found.ask("What are the pairs?", format!("tribunal import {} {file} -o pairs.jsonl", format.name));
            Ok(found)
        }
        None => of_lines(input, &file),
    }
}

impl Overview {
    fn ask(&mut self, question: &'static str, command: String) {
        self.questions.push((question, command));
    }
}

/// A file of lines: pairs, labels, or texts.
fn of_lines(input: &Input, file: &str) -> Result<Overview> {
    let lines: Vec<String> =
        input.lines()?.take(MAX_ROWS).map(|line| line.map(|line| line.text)).collect::<Result<_>>()?;
    let count = counted(lines.len(), "line");
    let mut found = Overview::default();
    if lines.iter().any(|line| line.contains(" ||| ")) {
        found.what = format!("{count} of pairs: hyp1 ||| hyp2 ||| ref");
        found.ask("Which metric agrees best with people?", format!("tribunal compare {file} -a LABELS"));
        found
            .ask("How well do the labels teach an ensemble?", format!("tribunal train {file} -a LABELS -m model.json"));
        found.ask("Which hypothesis would people prefer?", format!("tribunal predict {file} -o eval.out"));
    } else if lines.iter().any(|line| !line.trim().is_empty())
        && lines.iter().all(|line| line.trim().is_empty() || Verdict::parse(line).is_some())
    {
        found.what = format!("{count} of labels or verdicts: 1, 0 or -1");
        found.ask("How well do the labels teach an ensemble?", format!("tribunal train PAIRS -a {file} -m model.json"));
        found.ask("How accurate are the verdicts?", format!("tribunal evaluate {file} -a LABELS"));
    } else {
        found.what = format!("{count} of text");
        found.ask("How good is a system, by metrics?", format!("tribunal score {file} -r REFERENCES"));
        found.ask("Which of two systems is better?", format!("tribunal score {file} OTHER -r REFERENCES --paired-bs"));
    }
    Ok(found)
}

/// What the rows have in a column.
#[derive(Debug, Default)]
struct Seen {
    filled: usize,
    /// Cells that say which hypothesis won; and those that say how good an output is.
    winners: usize,
    marks: usize,
    /// How often each of the first values occurs.
    values: IndexMap<String, usize>,
    different: FxHashSet<String>,
}

impl Seen {
    /// What each column has, by its name, and the number of rows.
    fn of_columns(header: &Header, rows: Rows) -> Result<(IndexMap<String, Self>, usize)> {
        let columns: Vec<_> = header.columns().iter().filter_map(|name| header.find(name)).collect();
        let mut all: IndexMap<String, Self> =
            header.columns().iter().map(|name| (name.clone(), Self::default())).collect();
        let mut count = 0;
        for row in rows.take(MAX_ROWS) {
            let row = row?;
            count += 1;
            for column in &columns {
                // Lists and objects are no verdicts.
                let Ok(Some(text)) = row.optional(column) else { continue };
                all.entry(column.name().to_owned()).or_default().add(&text);
            }
        }
        Ok((all, count))
    }

    fn add(&mut self, text: &str) {
        self.filled += 1;
        self.winners += usize::from(winner(text).is_some());
        let word = text.trim().to_lowercase();
        self.marks += usize::from(word.parse::<f64>().is_ok() || mark(&word).is_some());
        if self.values.len() <= MAX_VERDICTS || self.values.contains_key(text) {
            *self.values.entry(text.to_owned()).or_default() += 1;
        }
        self.different.insert(text.to_owned());
    }

    /// Whether the cells judge single outputs, or say which hypothesis won.
    fn are_verdicts(&self, of_outputs: bool) -> bool {
        let read = if of_outputs { self.marks } else { self.winners };
        let is_read = self.filled > 0 && read as f64 >= MIN_VERDICTS * self.filled as f64;
        is_read && (of_outputs || (2..=MAX_VERDICTS).contains(&self.values.len()))
    }

    /// The values, the most frequent first: `1 (70), -1 (60)`.
    fn told(&self) -> String {
        if self.values.len() > MAX_VERDICTS {
            return pluralized(self.different.len(), "value");
        }
        let mut values: Vec<(&String, &usize)> = self.values.iter().collect();
        values.sort_by(|one, other| other.1.cmp(one.1));
        values.iter().map(|(value, count)| format!("{value} ({count})")).collect::<Vec<_>>().join(", ")
    }
}

fn of_table(header: &Header, (columns, rows): &(IndexMap<String, Seen>, usize), file: &str) -> Overview {
    let options = Options::default();
    let named = |role: ColumnRole| role.in_header(header, &options).and_then(|name| Some((name, columns.get(name)?)));
    let has = |role: ColumnRole| named(role).is_some();
    let are_outputs = is_header_of_outputs(header, &options);
    let are_pairs =
        has(ColumnRole::Hyp1) && has(ColumnRole::Hyp2) || has(ColumnRole::Preferred) && has(ColumnRole::Other);
    let mut found = Overview::default();
    if !are_outputs && !are_pairs {
        found.what = format!("{} of a table with the columns {}", counted(*rows, "row"), joined(header.columns()));
        if let Some(known) = foreign::advice(header.columns()) {
            found.facts.push(known);
            return found;
        }
        found.ask(
            "Two texts a row?",
            format!("tribunal compare {file} --column hyp1=NAME --column hyp2=NAME --column label=NAME"),
        );
        found.ask(
            "One text a row?",
            format!("tribunal compare {file} --column output=NAME --column label=NAME --judge NAME"),
        );
        found.ask("Scores of systems, by people and metrics?", format!("tribunal correlate {file} --people NAME"));
        return found;
    }
    let what = if are_outputs { "single output" } else { "pair" };
    found.what = counted(*rows, what);
    for (role, noun) in
        [(ColumnRole::Reference, "reference"), (ColumnRole::Prompt, "prompt"), (ColumnRole::Source, "source")]
    {
        if let Some((name, seen)) = named(role) {
            found.facts.push(format!("{name}: {}", pluralized(seen.different.len(), &format!("different {noun}"))));
        }
    }
    let systems: FxHashSet<&String> = [ColumnRole::System1, ColumnRole::System2, ColumnRole::System]
        .into_iter()
        .filter_map(named)
        .flat_map(|(_, seen)| &seen.different)
        .collect();
    if !systems.is_empty() {
        found.facts.push(pluralized(systems.len(), "system"));
    }
    let label = if are_outputs {
        LABELS.into_iter().find(|name| header.has(name)).and_then(|name| Some((name, columns.get(name)?)))
    } else {
        named(ColumnRole::Label)
    };
    if let Some((name, seen)) = label {
        found.facts.push(format!("labels in {name}: {} of {rows}: {}", seen.filled, seen.told()));
    }
    if let Some((name, seen)) = label {
        found.facts.extend(unknown_words(name, seen, are_outputs, "--labels"));
    }
    let others = columns.iter().filter(|(name, _)| !(is_usual(name) || are_outputs && is_usual_of_outputs(name)));
    let (mut people, mut judges, mut metrics) = (Vec::new(), Vec::new(), Vec::new());
    for (name, seen) in others {
        let last = name.rsplit(['_', '.', '-', ' ']).next().unwrap_or(name);
        let is_judge = seen.are_verdicts(are_outputs) && !COUNTS.contains(&last);
        let is_second = |second: &str, first: &str| {
            name.strip_suffix(second).is_some_and(|own| columns.contains_key(&format!("{own}{first}")))
        };
        if PEOPLE.iter().any(|person| name.starts_with(person)) && is_judge {
            people.push(name.as_str());
        } else if let Some(unknown) = PEOPLE
            .iter()
            .find(|person| name.starts_with(**person))
            .and_then(|_| unknown_words(name, seen, are_outputs, &format!("--annotators {} --labels", shell(name))))
        {
            found.facts.push(unknown);
        } else if let Some(judge) =
            name.strip_suffix(".12").filter(|judge| columns.contains_key(&format!("{judge}.21")))
        {
            judges.push(judge);
        } else if let Some(metric) =
            name.strip_suffix(".1").filter(|metric| columns.contains_key(&format!("{metric}.2")))
        {
            metrics.push(metric);
        } else if is_judge && !is_second(".21", ".12") && !is_second(".2", ".1") {
            judges.push(name.as_str());
        }
    }
    for (who, names) in [("annotators", &people), ("judges", &judges), ("metrics", &metrics)] {
        if !names.is_empty() {
            found.facts.push(format!("{who}: {}", joined(names)));
        }
    }
    let list = |option: &str, names: &[&str]| {
        if names.is_empty() { String::new() } else { format!(" --{option} {}", shell(&names.join(","))) }
    };
    let is_numbered = label.is_some_and(|(_, seen)| {
        let is_known = |value: &String| ["0", "1", "2"].contains(&value.as_str());
        !are_outputs && seen.values.contains_key("2") && seen.values.keys().all(is_known)
    });
    let labels = match (is_numbered, label) {
        (true, Some((_, seen))) => {
            format!(" --labels 1=1,2=-1{}", if seen.values.contains_key("0") { ",0=0" } else { "" })
        }
        (_, None) => list("annotators", &people),
        _ => String::new(),
    };
    let own: String = metrics.iter().map(|metric| format!(" --own {}", shell(metric))).collect();
    let with = format!("{labels}{}{own}", list("judge", &judges));
    // One judge stands beside the labels of outputs.
    let ranked = if are_outputs { &judges[..judges.len().min(1)] } else { &judges };
    let by = if ranked.is_empty() { "" } else { " --by both" };
    if label.is_some() || !people.is_empty() {
        found.ask(
            if judges.is_empty() {
                "Which metric agrees best with people?"
            } else {
                "Which judge or metric agrees best with people?"
            },
            format!("tribunal compare {file}{with}"),
        );
        if systems.len() > 1 {
            found.ask(
                "Which system is better, and how sure is that?",
                format!("tribunal rank {file}{labels}{}{own}{by}", list("judge", ranked)),
            );
        }
        // Outputs teach by comparison with others for the same prompt or reference.
        let are_alone = |role| named(role).is_none_or(|(_, seen)| seen.different.len() == seen.filled);
        if !are_outputs || !are_alone(ColumnRole::Prompt) || !are_alone(ColumnRole::Reference) {
            found
                .ask("How well do the labels teach an ensemble?", format!("tribunal train {file}{with} -m model.json"));
        }
    } else {
        if are_pairs && has(ColumnRole::Reference) {
            found.ask("Which hypothesis would people prefer?", format!("tribunal predict {file}"));
        }
        found.ask("What should people label?", format!("tribunal next {file}{with} -n 100 -o next.csv"));
        found.ask("Where can they label it?", format!("tribunal annotate {file} -o labels.html"));
        if cfg!(feature = "ask") {
            let command = format!("tribunal ask {file} --url URL --model NAME -o asked.jsonl");
            found.ask("What does a language model say?", command);
        }
    }
    found
}

/// That the words of a column of labels are not known, and the option that tells their meaning.
fn unknown_words(name: &str, seen: &Seen, are_outputs: bool, option: &str) -> Option<String> {
    let are_words = (2..=MAX_VERDICTS).contains(&seen.values.len());
    if !are_words || seen.are_verdicts(are_outputs) {
        return None;
    }
    let (first, second) = (seen.values.keys().next()?, seen.values.keys().nth(1)?);
    let meaning = shell(&format!("{first}=1,{second}=-1"));
    Some(format!("{name}: words that are not known as labels: {}; say what they mean: {option} {meaning}", seen.told()))
}

/// How many, or that there are more.
fn counted(count: usize, noun: &str) -> String {
    if count == MAX_ROWS { format!("{count} or more {noun}s") } else { pluralized(count, noun) }
}

/// A word of a command line, between quotation marks where the shell needs them.
fn shell(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./,:=+@".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
