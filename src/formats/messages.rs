//! Conversations: lists of messages with `role` and `content`, as chat models and preference data have them.

use serde_json::Value;

use crate::error::{Error, Fault, Result, quoted};
use crate::files::table::{Column, Row};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Message {
    role: String,
    content: String,
}

impl Message {
    fn is_answer(&self) -> bool {
        self.role == "assistant"
    }
}

/// What is compared in two cells, each with a text or a list of messages.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    /// The two texts: of lists of messages, those of the assistant after the beginning that both lists share.
    pub(crate) texts: [String; 2],
    /// What they answer: the shared beginning of both lists, then the user's later messages; `None` for plain texts.
    pub(crate) prompt: Option<String>,
}

/// Reads two cells. Messages are separated by empty lines.
///
/// # Errors
/// A cell is neither a text nor a list of messages; a list has no message of the assistant.
pub(crate) fn answers(row: &Row<'_>, columns: [&Column; 2]) -> Result<Answers> {
    let [first, second] = columns.map(|column| conversation(row, column));
    let (first, second) = match (first?, second?) {
        (Some(first), Some(second)) => (first, second),
        (None, None) => {
            let [first, second] = columns.map(|column| row.text(column));
            return Ok(Answers { texts: [first?.into_owned(), second?.into_owned()], prompt: None });
        }
        (first, _) => {
            let [lists, texts] = if first.is_some() { columns } else { [columns[1], columns[0]] }.map(Column::name);
            let found = format!("messages in {}, a text in {}", quoted(lists), quoted(texts));
            return Err(Error::invalid(row.place(), "two texts, or two lists of messages", found, ""));
        }
    };
    let last_answer = |messages: &[Message], column: &Column| {
        messages.iter().rposition(Message::is_answer).ok_or_else(|| {
            let roles = messages.iter().map(|one| one.role.as_str()).collect::<Vec<_>>().join(", ");
            let expected = format!("a message with the role assistant in {}", quoted(column.name()));
            let found = if roles.is_empty() { "an empty list".to_owned() } else { format!("the roles {roles}") };
            Error::invalid(row.place(), expected, found, "remove the row, or add the answer")
        })
    };
    let last = last_answer(&first, columns[0])?.min(last_answer(&second, columns[1])?);
    // Equal conversations still have their last answers to compare.
    let shared = first.iter().zip(&second).take(last).take_while(|(one, other)| one == other).count();
    let texts = [&first, &second].map(|messages| {
        let answers = messages[shared..].iter().filter(|one| one.is_answer());
        answers.map(|one| one.content.as_str()).collect::<Vec<_>>().join("\n\n")
    });
    let later = first[shared..].iter().filter(|one| one.role == "user");
    let prompt: Vec<&str> = first[..shared].iter().chain(later).map(|one| one.content.as_str()).collect();
    Ok(Answers { texts, prompt: (!prompt.is_empty()).then(|| prompt.join("\n\n")) })
}

/// A single answer: a text, or of a list of messages those of the assistant after the last of the user.
///
/// # Errors
/// As [`answers`].
pub(crate) fn answer(row: &Row<'_>, column: &Column) -> Result<String> {
    let Some(messages) = conversation(row, column)? else { return Ok(row.text(column)?.into_owned()) };
    let asked = messages.iter().rposition(|one| one.role == "user").map_or(0, |at| at + 1);
    let answers: Vec<&str> =
        messages[asked..].iter().filter(|one| one.is_answer()).map(|one| one.content.as_str()).collect();
    let expected = || format!("a message with the role assistant in {}", quoted(column.name()));
    match answers.is_empty() {
        true => Err(Error::invalid(row.place(), expected(), "none", "remove the row, or add the answer")),
        false => Ok(answers.join("\n\n")),
    }
}

/// The text of a prompt, which may be a list of messages, too; `None` if it is blank.
///
/// # Errors
/// The cell is neither a text nor a list of messages.
pub(crate) fn prompt(row: &Row<'_>, column: &Column) -> Result<Option<String>> {
    match conversation(row, column)? {
        Some(messages) => Ok(Some(messages.iter().map(|one| one.content.as_str()).collect::<Vec<_>>().join("\n\n"))),
        None => Ok(row.optional(column)?.map(|text| text.into_owned())),
    }
}

/// The messages of a cell: a list in JSON, or its text as JSON or Python write it, or turns as hh-rlhf writes them; `None`
/// for other texts.
fn conversation(row: &Row<'_>, column: &Column) -> Result<Option<Vec<Message>>> {
    if let Some(value) = row.json(column) {
        return messages(value).map(Some).ok_or_else(|| {
            let column = quoted(column.name());
            let expected = format!("a text, or a list of messages with role and content, in the column {column}");
            Error::invalid(row.place(), expected, quoted(&value.to_string()), "").because(Fault::Type)
        });
    }
    let Some(text) = row.optional(column)? else { return Ok(None) };
    if !begins_list(&text) {
        return Ok(turns(&text));
    }
    let value = serde_json::from_str(&text).ok().or_else(|| python_literal(&text));
    let list = value.as_ref().and_then(messages).map(Some);
    list.ok_or_else(|| {
        let expected = format!(
            "a list of messages with role and content in the column {}, as JSON or Python write it",
            quoted(column.name())
        );
        // NumPy prints arrays without commas between their elements.
        let advice = "write the lists as JSON, as in json.dumps(list(messages)), or the table as JSON Lines or Parquet";
        Error::invalid(row.place(), expected, quoted(&text), advice).because(Fault::Type)
    })
}

/// Whether a text begins as a list of messages does, in JSON, Python or as NumPy prints it: other texts may begin with
/// a bracket, too.
fn begins_list(text: &str) -> bool {
    let text = text.trim_start();
    let list = text.strip_prefix("array(").unwrap_or(text).trim_start().strip_prefix('[').map(str::trim_start);
    let Some(object) = list.and_then(|list| list.strip_prefix('{')).map(str::trim_start) else { return false };
    let key = object.strip_prefix(['\'', '"']).and_then(|rest| rest.split_once(['\'', '"']));
    key.is_some_and(|(key, rest)| ["role", "content"].contains(&key) && rest.trim_start().starts_with(':'))
}

/// Who speaks in the turns of hh-rlhf.
const SPEAKERS: [(&str, &str); 2] = [("\n\nHuman:", "user"), ("\n\nAssistant:", "assistant")];

/// The messages of `Human: ...`, an empty line, `Assistant: ...` and so on; `None` for other texts.
fn turns(text: &str) -> Option<Vec<Message>> {
    let text = format!("\n\n{}", text.trim_start());
    let [(human, _), (assistant, _)] = SPEAKERS;
    if !text.starts_with(human) || !text.contains(assistant) {
        return None;
    }
    let of_speaker = |&(mark, role): &(&'static str, &'static str)| {
        text.match_indices(mark).map(move |(at, _)| (at, at + mark.len(), role)).collect::<Vec<_>>()
    };
    let mut starts: Vec<(usize, usize, &str)> = SPEAKERS.iter().flat_map(of_speaker).collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|(at, ..)| *at).chain([text.len()]);
    let message = |(&(_, from, role), to): (&(usize, usize, &str), usize)| Message {
        role: role.to_owned(),
        content: text[from..to].trim().to_owned(),
    };
    Some(starts.iter().zip(ends).map(message).collect())
}

fn messages(value: &Value) -> Option<Vec<Message>> {
    let text = |message: &Value, key: &str| Some(message.get(key)?.as_str()?.to_owned());
    let message = |value: &Value| Some(Message { role: text(value, "role")?, content: text(value, "content")? });
    value.as_array()?.iter().map(message).collect()
}

/// A list of dictionaries of texts as Python's `repr` writes it: `[{'role': 'user', 'content': "it's"}]`. Rewritten as
/// JSON, text by text.
fn python_literal(text: &str) -> Option<Value> {
    let (mut json, mut rest) = (String::with_capacity(text.len()), text.chars());
    while let Some(symbol) = rest.next() {
        if symbol != '\'' && symbol != '"' {
            json.push(symbol);
            continue;
        }
        let mut content = String::new();
        loop {
            match rest.next()? {
                '\\' => match rest.next()? {
                    'n' => content.push('\n'),
                    't' => content.push('\t'),
                    'r' => content.push('\r'),
                    kind @ ('x' | 'u' | 'U') => {
                        let digits: String = rest
                            .by_ref()
                            .take(if kind == 'x' {
                                2
                            } else if kind == 'u' {
                                4
                            } else {
                                8
                            })
                            .collect();
                        content.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    other => content.push(other),
                },
                end if end == symbol => break,
                other => content.push(other),
            }
        }
        json += &Value::String(content).to_string();
    }
    serde_json::from_str(&json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::table::{Cell, Header};

    fn read(first: &str, second: &str) -> Result<Answers> {
        let header = Header::in_memory("x", vec!["chosen".to_owned(), "rejected".to_owned()]).unwrap();
        let row = Row::in_memory(&header, 3, vec![Cell::Text(first), Cell::Text(second)]);
        let columns = [0, 1].map(|at| header.column(at).unwrap());
        answers(&row, [&columns[0], &columns[1]])
    }

    #[test]
    fn turns_in_a_text_are_messages() {
        let text =
            |answer: &str| format!("\n\nHuman: Why?\n\nAssistant: a\n\nHuman: And\n\nso?\n\nAssistant: {answer}");
        let found = read(&text("b"), &text("c\n\nd")).unwrap();
        assert_eq!(
            (found.texts, found.prompt.as_deref()),
            (["b".into(), "c\n\nd".into()], Some("Why?\n\na\n\nAnd\n\nso?"))
        );
        // A cell of CSV has no white space at its ends.
        let found = read(text("b").trim(), text("").trim()).unwrap();
        assert_eq!((found.texts, found.prompt.is_some()), (["b".into(), String::new()], true));
        assert_eq!(read("Human: only", "Human: this").unwrap().prompt, None);
    }

    #[test]
    fn assistants_answer_what_both_conversations_share() {
        let list = |first: &str, second: &str| {
            format!(
                r#"[{{"role":"user","content":"Why?"}},{{"role":"assistant","content":"{first}"}},
                {{"role":"user","content":"And?"}},{{"role":"assistant","content":"{second}"}}]"#
            )
        };
        let found = read(&list("a", "b"), &list("a", "c")).unwrap();
        assert_eq!((found.texts, found.prompt.as_deref()), (["b".into(), "c".into()], Some("Why?\n\na\n\nAnd?")));
        let found = read(&list("a", "b"), &list("c", "b")).unwrap();
        assert_eq!((found.texts, found.prompt.as_deref()), (["a\n\nb".into(), "c\n\nb".into()], Some("Why?\n\nAnd?")));
        assert_eq!(read(&list("a", "b"), &list("a", "b")).unwrap().texts, ["b", "b"]);
        let printed = "[{'content': 'Why?', 'role': 'user'}\n {'content': 'a', 'role': 'assistant'}]";
        for printed in [printed.to_owned(), format!("array({printed}, dtype=object)")] {
            let refused = read(&printed, &printed).unwrap_err().to_string();
            assert!(refused.starts_with("x:3: expected a list of messages"), "{refused}");
        }
        assert_eq!(read("[{x", "a").unwrap(), Answers { texts: ["[{x".into(), "a".into()], prompt: None });
        let none = read(r#"[{"role":"user","content":"Why?"}]"#, &list("a", "b")).unwrap_err().to_string();
        assert!(none.starts_with("x:3: expected a message with the role assistant in 'chosen'"), "{none}");
        assert!(read(&list("a", "b"), "text").unwrap_err().to_string().contains("a text in 'rejected'"));
    }

    #[test]
    fn python_writes_lists_its_own_way() {
        let text =
            r#"[{'role': 'assistant', 'content': "it's\n\"so\" \x41\u00e9"}, {'role': 'user', 'content': 'a\'b'}]"#;
        let messages = messages(&python_literal(text).unwrap()).unwrap();
        assert_eq!([&messages[0].content, &messages[1].content], ["it's\n\"so\" Aé", "a'b"]);
        assert_eq!(python_literal("[{'open"), None);
    }
}
