//! What a file is, by its first rows, and what can be asked of it: `tribunal FILE`.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::answers::STRENGTHS;
use super::foreign;
use super::format::Role;
use super::marking::{NOTHING, mark};
use super::outputs::{LABELS, is_header_of_outputs, is_usual_of_outputs};
use super::registry::format_of;
use super::roles::{ColumnRole, is_usual};
use super::signal_columns::texts_of;
use super::winner::winner;
use crate::error::{Result, joined, pluralized};
use crate::files::Input;
use crate::files::table::{Header, Rows};
use crate::judgments::{Scale, Verdict};
use crate::options::Options;

/// The rows that are looked at: enough to tell the columns, few enough for a second.
const MAX_ROWS: usize = 5_000;

/// A column with more different values holds no verdicts.
const MAX_VERDICTS: usize = 8;

/// The least part of the cells of a judge that are verdicts: some answers cannot be read.
const MIN_VERDICTS: f64 = 0.9;

/// What names of columns of people's labels begin with.
const PEOPLE: [&str; 9] = ["annotator", "ann_", "human", "rater", "worker", "expert", "crowd", "people", "label"];

/// Names of columns, or their ends, whose numbers are no verdicts.
const COUNTS: [&str; 10] = ["turn", "epoch", "rank", "order", "time", "seconds", "cost", "tokens", "id", "again"];

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
    if let Some(found) = of_no_data(input, &file)? {
        return Ok(found);
    }
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

/// What is told by the first line of a file: a model, a page, or nothing. Standard input can be read only once.
fn of_no_data(input: &Input, file: &str) -> Result<Option<Overview>> {
    let Input::File(_) = input else { return Ok(None) };
    let mut found = Overview::default();
    let Some(line) = input.lines()?.next() else {
        found.what = "an empty file".to_owned();
        return Ok(Some(found));
    };
    let start = line?.text.to_lowercase();
    if start.starts_with(r#"{"format": "tribunal-model""#) {
        found.what = "a model that was trained on human labels".to_owned();
        found.ask("Which hypothesis would people prefer?", format!("tribunal predict PAIRS -m {file}"));
        found.ask("How accurate is it on other labels?", format!("tribunal compare PAIRS -a LABELS -m {file}"));
        found.ask("Why does it prefer one hypothesis?", format!("tribunal explain PAIRS --line 1 -m {file}"));
    } else if start.starts_with("<!doctype html") {
        found.what = "a page: open it in a browser; labels that are given on it are saved as another file".to_owned();
    } else {
        return Ok(None);
    }
    Ok(Some(found))
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
        let columns: Vec<_> = header.columns().iter().map(|name| [header.find(name), None]).collect();
        let mut all: IndexMap<String, Self> =
            header.columns().iter().map(|name| (name.clone(), Self::default())).collect();
        let mut count = 0;
        for row in rows.take(MAX_ROWS) {
            let row = row?;
            count += 1;
            for column in &columns {
                // Objects, and lists that do not hold the verdicts of both orders, are no verdicts.
                for (_, text, column) in
                    texts_of(column, &row).into_iter().flatten().filter(|found| !found.1.is_empty())
                {
                    all.entry(column.name().to_owned()).or_default().add(&text);
                }
            }
        }
        Ok((all, count))
    }

    fn add(&mut self, text: &str) {
        let word = text.trim().to_lowercase();
        if NOTHING.contains(&word.as_str()) {
            return;
        }
        self.filled += 1;
        self.winners += usize::from(winner(text).is_some());
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
    let are_outputs = is_header_of_outputs(header, &options);
    let table = SeenTable { header, columns, rows: *rows, options, are_outputs };
    let are_pairs = table.has(ColumnRole::Hyp1) && table.has(ColumnRole::Hyp2)
        || table.has(ColumnRole::Preferred) && table.has(ColumnRole::Other);
    if !are_outputs && !are_pairs {
        return table.of_unknown_columns(file);
    }
    let mut found =
        Overview { what: counted(*rows, if are_outputs { "single output" } else { "pair" }), ..Overview::default() };
    found.facts = table.facts();
    let signals = table.signals(&mut found.facts);
    for (who, names) in [("annotators", &signals.people), ("judges", &signals.judges), ("metrics", &signals.metrics)] {
        if !names.is_empty() {
            found.facts.push(format!("{who}: {}", joined(names)));
        }
    }
    if table.label().is_some_and(|(_, seen)| seen.filled > 0) || !signals.people.is_empty() {
        table.ask_of_labels(&mut found, &signals, file);
    } else {
        table.ask_without_labels(&mut found, &signals, file);
    }
    found
}

/// A table by what its first rows have.
struct SeenTable<'t> {
    header: &'t Header,
    columns: &'t IndexMap<String, Seen>,
    rows: usize,
    options: Options,
    are_outputs: bool,
}

/// The columns that may be signals.
#[derive(Default)]
struct SignalColumns<'t> {
    people: Vec<&'t str>,
    judges: Vec<&'t str>,
    metrics: Vec<&'t str>,
}

impl SignalColumns<'_> {
    /// The options that name metrics of one's own, and these judges.
    fn options(&self, judges: &[&str]) -> String {
        let own: String = self.metrics.iter().map(|metric| format!(" --own {}", shell(metric))).collect();
        listed("judge", judges) + &own
    }
}

impl<'t> SeenTable<'t> {
    fn named(&self, role: ColumnRole) -> Option<(&str, &'t Seen)> {
        let name = role.in_header(self.header, &self.options)?;
        Some((name, self.columns.get(name)?))
    }

    fn has(&self, role: ColumnRole) -> bool {
        self.named(role).is_some()
    }

    fn label(&self) -> Option<(&str, &'t Seen)> {
        if !self.are_outputs {
            return self.named(ColumnRole::Label);
        }
        let name = LABELS.into_iter().find(|name| self.header.has(name))?;
        Some((name, self.columns.get(name)?))
    }

    fn systems(&self) -> FxHashSet<&String> {
        let roles = [ColumnRole::System1, ColumnRole::System2, ColumnRole::System];
        let seen = roles.into_iter().filter_map(|role| self.named(role));
        seen.flat_map(|(_, seen)| &seen.different).collect()
    }

    /// That the words of a column of labels are not known, and what to do: which of them means what is not guessed.
    fn unknown_words(&self, name: &str, seen: &Seen, option: &str) -> Option<String> {
        if !(2..=MAX_VERDICTS).contains(&seen.values.len()) || seen.are_verdicts(self.are_outputs) {
            return None;
        }
        let systems = self.systems();
        let advice = if seen.values.keys().all(|value| systems.contains(value)) {
            "names of systems are no labels; write 1 where the first one of the row won, -1 where the second did, and 0 for a tie"
                .to_owned()
        } else {
            let meanings = seen.values.keys().map(|value| format!("{value}={}", self.meaning(value)));
            let meanings = shell(&meanings.collect::<Vec<_>>().join(","));
            let [good, poor, neither] = match self.are_outputs {
                true => ["a pass", "a fail", "no label"],
                false => ["the first", "the second", "a tie"],
            };
            format!(
                "say what they mean, 1 ({good}), -1 ({poor}) or 0 ({neither}), in the place of '?': {option} {meanings}"
            )
        };
        Some(format!("{name}: words that are not known as labels: {}; {advice}", seen.told()))
    }

    /// What a known word means as the label of an option: 1, 0 or -1.
    fn meaning(&self, word: &str) -> &'static str {
        let value = match self.are_outputs {
            true => mark(&word.to_lowercase()).map(|mark| 2.0 * mark - 1.0),
            false => winner(word).and_then(|winner| winner.on(Scale::Words)),
        };
        match value {
            Some(1.0) => "1",
            Some(-1.0) => "-1",
            Some(0.0) => "0",
            _ => "?",
        }
    }

    /// Neither pairs nor outputs: what the table may be.
    fn of_unknown_columns(&self, file: &str) -> Overview {
        let columns = joined(self.header.columns());
        let what = format!("{} of a table with the columns {columns}", counted(self.rows, "row"));
        let mut found = Overview { what, ..Overview::default() };
        if let Some(known) = foreign::advice(self.header.columns()) {
            found.facts.push(known);
            return found;
        }
        let pairs = "--column hyp1=NAME --column hyp2=NAME --column label=NAME";
        found.ask("Two texts a row?", format!("tribunal compare {file} {pairs}"));
        let outputs = "--column output=NAME --column label=NAME --judge NAME";
        found.ask("One text a row?", format!("tribunal compare {file} {outputs}"));
        found.ask("Scores of systems, by people and metrics?", format!("tribunal correlate {file} --people NAME"));
        found
    }

    /// References, prompts, sources, systems and labels.
    fn facts(&self) -> Vec<String> {
        let nouns =
            [(ColumnRole::Reference, "reference"), (ColumnRole::Prompt, "prompt"), (ColumnRole::Source, "source")];
        let count = |(role, noun): (ColumnRole, &str)| {
            let (name, seen) = self.named(role)?;
            let least = if self.rows == MAX_ROWS { "at least " } else { "" };
            Some(format!("{name}: {least}{}", pluralized(seen.different.len(), &format!("different {noun}"))))
        };
        let mut facts: Vec<String> = nouns.into_iter().filter_map(count).collect();
        match self.systems().len() {
            0 => {}
            systems => facts.push(pluralized(systems, "system")),
        }
        if let Some((name, seen)) = self.label() {
            let values = if seen.filled > 0 { format!(": {}", seen.told()) } else { String::new() };
            facts.push(format!("labels in {name}: {} of {}{values}", seen.filled, self.rows));
            facts.extend(self.unknown_words(name, seen, "--labels"));
        }
        facts
    }

    /// The columns of annotators, judges and metrics; adds to the facts what annotators say in unknown words.
    fn signals(&self, facts: &mut Vec<String>) -> SignalColumns<'t> {
        let mut found = SignalColumns::default();
        for (name, seen) in self.columns {
            if is_usual(name) || self.are_outputs && is_usual_of_outputs(name) {
                continue;
            }
            let last = name.rsplit(['_', '.', '-', ' ']).next().unwrap_or(name);
            if COUNTS.contains(&last) {
                continue;
            }
            let is_judge = seen.are_verdicts(self.are_outputs);
            // The name before one ending, if a column has it with the other one.
            let with_other = |ending: &str, other: &str| {
                let own = name.strip_suffix(ending)?;
                self.columns.contains_key(&format!("{own}{other}")).then_some(own)
            };
            let is_person = PEOPLE.iter().any(|person| name.starts_with(person));
            let option = format!("--annotators {} --labels", shell(name));
            if is_person && is_judge {
                found.people.push(name);
            } else if let Some(unknown) = self.unknown_words(name, seen, &option).filter(|_| is_person) {
                facts.push(unknown);
            } else if let Some(judge) = with_other(".12", ".21") {
                match self.columns.contains_key(judge) {
                    true => {
                        facts.push(format!("{judge}: a column of one order and those of both: rename or remove one"))
                    }
                    false => found.judges.push(judge),
                }
            } else if let Some(metric) = with_other(".1", ".2") {
                found.metrics.push(metric);
            } else if is_judge
                && with_other(".21", ".12").is_none()
                && with_other(".2", ".1").is_none()
                && !self.columns.contains_key(&format!("{name}.12"))
            {
                found.judges.push(name);
            }
        }
        found
    }

    /// The option that says what numbered labels mean: pairs whose better hypothesis is 1 or 2, or preferences from -2 to 2.
    fn numbers(&self) -> Option<String> {
        let (_, seen) = self.label().filter(|_| !self.are_outputs)?;
        let has = |value: &str| seen.values.contains_key(value);
        let are = |known: &[&str]| seen.values.keys().all(|value| known.contains(&value.as_str()));
        let tie = if has("0") { ",0=0" } else { "" };
        if has("2") && are(&["0", "1", "2"]) {
            return Some(format!(" --labels 1=1,2=-1{tie}"));
        }
        ((has("2") || has("-2")) && are(&["-2", "-1", "0", "1", "2"])).then(|| format!(" --labels {STRENGTHS}"))
    }

    fn ask_of_labels(&self, found: &mut Overview, signals: &SignalColumns<'_>, file: &str) {
        let labels = match self.label() {
            Some(_) => self.numbers().unwrap_or_default(),
            None => listed("annotators", &signals.people),
        };
        let judges = signals.judges.as_slice();
        let with = format!("{labels}{}", signals.options(judges));
        let labelled = self.label().map(|(_, seen)| seen.filled);
        let labelled = labelled.or_else(|| signals.people.iter().map(|&name| self.columns[name].filled).max());
        let question = match judges {
            [] => "Which metric agrees best with people?",
            _ => "Which judge or metric agrees best with people?",
        };
        found.ask(question, format!("tribunal compare {file}{with}"));
        if self.systems().len() > 1 {
            // One judge stands beside the labels of outputs.
            let ranked = if self.are_outputs { &judges[..judges.len().min(1)] } else { judges };
            let by = if ranked.is_empty() { "" } else { " --by both" };
            let command = format!("tribunal rank {file}{labels}{}{by}", signals.options(ranked));
            found.ask("Which system is better, and how sure is that?", command);
        }
        if labelled.is_some_and(|labelled| labelled < self.rows) {
            found.ask("What should people label next?", format!("tribunal next {file}{with} -n 20 -o next.csv"));
        }
        // Outputs teach by comparison with others for the same prompt or reference.
        let are_alone = |role| self.named(role).is_none_or(|(_, seen)| seen.different.len() == seen.filled);
        if !self.are_outputs || !are_alone(ColumnRole::Prompt) || !are_alone(ColumnRole::Reference) {
            found
                .ask("How well do the labels teach an ensemble?", format!("tribunal train {file}{with} -m model.json"));
        }
    }

    fn ask_without_labels(&self, found: &mut Overview, signals: &SignalColumns<'_>, file: &str) {
        if !self.are_outputs && self.has(ColumnRole::Reference) {
            found.ask("Which hypothesis would people prefer?", format!("tribunal predict {file}"));
        }
        let with = signals.options(&signals.judges);
        found.ask("What should people label?", format!("tribunal next {file}{with} -n 100 -o next.csv"));
        found.ask("Where can they label it?", "tribunal annotate next.csv -o labels.html".to_owned());
        if cfg!(feature = "ask") {
            let command = format!("tribunal ask {file} --url URL --model NAME -o asked.jsonl");
            found.ask("What does a language model say?", command);
        }
    }
}

/// An option with a list of names; nothing without names.
fn listed(option: &str, names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(" --{option} {}", shell(&names.join(","))) }
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
