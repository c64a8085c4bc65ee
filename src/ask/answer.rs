//! What an answer says: its verdict, never a guess, and the probabilities of the verdicts where the server gives them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::prompt::{Form, Question};

/// What a finished request gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The value of the label that was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<f64>,
    /// The mean of the labels' values by their probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft: Option<f64>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Box<str>>,
    /// The tokens of the prompt and of the answer.
    #[serde(default)]
    pub tokens: [u32; 2],
}

/// Means stay so far from the least and the greatest value, as no model is certain.
const NEAR: f64 = 1e-6;

impl Answer {
    /// What the body of a server's answer says.
    pub fn read(body: &Value, question: &Question) -> Self {
        let choice = &body["choices"][0];
        let content = choice["message"]["content"].as_str().unwrap_or_default();
        let content = content.rsplit_once("</think>").map_or(content, |(_, after)| after);
        let tokens = ["prompt_tokens", "completion_tokens"]
            .map(|name| body["usage"][name].as_u64().and_then(|count| count.try_into().ok()).unwrap_or(0));
        let is_cut = choice["finish_reason"] == "length";
        let verdict = verdict(content, question).and_then(|Found { at, label, value }| {
            let is_whole = match question.form {
                Form::Schema => content[at..].contains('}'),
                Form::Letter => content.trim().eq_ignore_ascii_case(label),
                Form::Reason => false,
            };
            if is_cut && !is_whole { Err("the answer was cut") } else { Ok(value) }
        });
        match verdict {
            Ok(verdict) => {
                Self { verdict: Some(verdict), soft: soft(&choice["logprobs"], question), missing: None, tokens }
            }
            Err(_) if is_cut => Self::missing("the answer was cut", tokens),
            Err(reason) => Self::missing(reason, tokens),
        }
    }

    pub fn missing(reason: &str, tokens: [u32; 2]) -> Self {
        Self { verdict: None, soft: None, missing: Some(reason.into()), tokens }
    }
}

/// A label, and where in a text it begins.
struct Found {
    at: usize,
    label: &'static str,
    value: f64,
}

/// The last verdict of a text.
///
/// # Errors
/// There is none, or another one on the same line.
fn verdict(text: &str, question: &Question) -> Result<Found, &'static str> {
    let mut found = candidates(text, question).into_iter().filter_map(|(at, word)| {
        let is_named = |label: &str| word == label || label.len() > 1 && word.eq_ignore_ascii_case(label);
        let &(label, value) = question.choices.labels().iter().find(|(label, _)| is_named(label))?;
        Some(Found { at, label, value })
    });
    let Some(last) = found.next_back() else { return Err("no verdict in the answer") };
    let line = text[..last.at].rfind('\n').unwrap_or(0);
    let is_contradicted = found.any(|other| other.at >= line && other.value != last.value);
    if is_contradicted { Err("two different verdicts") } else { Ok(last) }
}

/// The words where a verdict may be, with their places.
fn candidates<'t>(text: &'t str, question: &Question) -> Vec<(usize, &'t str)> {
    let word = |at: usize| {
        let rest = &text[at..];
        let end = rest.find(|symbol: char| !symbol.is_alphanumeric()).unwrap_or(rest.len());
        (end > 0).then(|| (at, &rest[..end]))
    };
    match question.form {
        Form::Letter => {
            let begins = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
            text.char_indices().filter(|(at, _)| begins(*at)).filter_map(|(at, _)| word(at)).collect()
        }
        Form::Reason => {
            let closed = |(at, found): &(usize, &str)| text[at + found.len()..].starts_with("]]");
            text.match_indices("[[").filter_map(|(at, open)| word(at + open.len())).filter(closed).collect()
        }
        Form::Schema => {
            let key = format!("\"{}\"", question.choices.key());
            let value = |(at, key): (usize, &str)| {
                let rest = text[at + key.len()..].trim_start().strip_prefix(':')?.trim_start();
                word(text.len() - rest.strip_prefix('"').unwrap_or(rest).len())
            };
            text.match_indices(&key).filter_map(value).collect()
        }
    }
}

/// The mean of the labels' values by their probabilities at the token of the verdict. The tokens are not those of the content:
/// a server may have cut a code fence away. A label that is not among the likeliest has at most the least of their probabilities.
fn soft(logprobs: &Value, question: &Question) -> Option<f64> {
    let tokens = logprobs["content"].as_array()?;
    let texts: Vec<&str> = tokens.iter().map(|token| token["token"].as_str().unwrap_or_default()).collect();
    let joined = texts.concat();
    let Found { at, .. } = verdict(&joined, question).ok()?;
    let mut start = 0;
    let index = texts.iter().position(|text| {
        start += text.len();
        at < start
    })?;
    let before = &joined[start - texts[index].len()..at];
    let labels = question.choices.labels();
    let (mut mass, mut least) = (vec![0.0; labels.len()], f64::INFINITY);
    for likely in tokens[index]["top_logprobs"].as_array()? {
        let (text, probability) = (likely["token"].as_str()?, likely["logprob"].as_f64()?.exp());
        least = least.min(probability);
        let text = text.strip_prefix(before).unwrap_or(text);
        let word = text.trim_matches(|symbol: char| !symbol.is_alphanumeric());
        let is_named = |label: &str| !word.is_empty() && (word == label || label.len() > 1 && label.starts_with(word));
        if let Some(named) = labels.iter().position(|(label, _)| is_named(label)) {
            mass[named] += probability;
        }
    }
    if mass.iter().all(|mass| *mass == 0.0) {
        return None;
    }
    mass.iter_mut().filter(|mass| **mass == 0.0).for_each(|mass| *mass = least);
    let mean = mass.iter().zip(labels).map(|(mass, (_, value))| mass * value).sum::<f64>() / mass.iter().sum::<f64>();
    let values = || labels.iter().map(|(_, value)| *value);
    let [low, high] = [values().fold(f64::INFINITY, f64::min) + NEAR, values().fold(0.0, f64::max) - NEAR];
    Some(mean.clamp(low, high))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::prompt::Choices;
    use super::*;

    fn question(choices: Choices, form: Form) -> Question {
        Question { choices, form, rubric: None, template: None }
    }

    fn read(choices: Choices, form: Form, content: &str, finish: &str) -> Result<String, String> {
        let body = json!({"choices": [{"message": {"content": content}, "finish_reason": finish}]});
        let answer = Answer::read(&body, &question(choices, form));
        let label = |value: f64| choices.labels().iter().find(|(_, known)| *known == value).unwrap().0.to_owned();
        answer.verdict.map(label).ok_or(answer.missing.unwrap_or_default().into())
    }

    #[test]
    fn the_last_verdict_counts_and_nothing_is_guessed() {
        use Choices::{Better, BetterOrTie, OneToFive, PassFail};
        use Form::{Letter, Reason, Schema};
        for (choices, form, content, verdict) in [
            (Better, Letter, "A", "A"),
            (Better, Letter, "<think>A or B?</think>\n\n**B**.", "B"),
            (BetterOrTie, Letter, "C\n", "C"),
            (PassFail, Letter, "Pass.", "pass"),
            (Better, Schema, "```json\n{\n  \"better\" : \"A\"\n}\n```", "A"),
            (OneToFive, Schema, "{\"grade\": 4}", "4"),
            (PassFail, Schema, "{\"verdict\":\"pass\"}\n{\"verdict\":\"fail\"}", "fail"),
            (Better, Reason, "A is [[A]] at first, but\n[[B]]", "B"),
        ] {
            assert_eq!(read(choices, form, content, "stop").as_deref(), Ok(verdict), "{content}");
        }
        for (choices, form, content) in [
            (Better, Letter, "A or B"),
            (Better, Letter, "Both"),
            (Better, Letter, "C"),
            (Better, Reason, "A is better."),
            (Better, Reason, "[[A]] or [[B]]"),
            (Better, Schema, "{\"better\": \"both\"}"),
            (OneToFive, Schema, "{\"grade\": 10}"),
            (Better, Schema, ""),
        ] {
            assert!(read(choices, form, content, "stop").is_err(), "{content}");
        }
        // A cut answer counts only where what is cut off cannot matter.
        assert!(read(Better, Reason, "[[A]] is my verdict, unless", "length").is_err());
        assert!(read(Better, Letter, "A good answer would", "length").is_err());
        assert_eq!(read(Better, Schema, "{\"better\": \"A\"}   ", "length").as_deref(), Ok("A"));
        assert_eq!(read(Better, Schema, "{\"better\": \"A", "length"), Err("the answer was cut".into()));
    }

    fn soft_of(choices: Choices, form: Form, tokens: &[(&str, &[(&str, f64)])]) -> Option<f64> {
        let top = |likely: &[(&str, f64)]| {
            likely.iter().map(|(token, p)| json!({"token": token, "logprob": p.ln()})).collect::<Vec<_>>()
        };
        let content: Vec<Value> =
            tokens.iter().map(|(token, likely)| json!({"token": token, "top_logprobs": top(likely)})).collect();
        soft(&json!({"content": content}), &question(choices, form))
    }

    #[test]
    fn probabilities_are_those_at_the_verdict() {
        let close = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}");
        let fence: (&str, &[(&str, f64)]) = ("```\n{\"better\":", &[("A", 1.0)]);
        let likely: &[(&str, f64)] = &[("A", 0.3), (" A", 0.1), ("The", 0.2), ("B", 0.1)];
        close(soft_of(Choices::Better, Form::Schema, &[fence, (" \"", &[]), ("A", likely), ("\"}", &[])]), 0.8);
        // The quotation mark may be part of the token.
        close(
            soft_of(Choices::Better, Form::Schema, &[fence, (" \"A", &[(" \"A", 0.6), (" \"B", 0.2)]), ("\"}", &[])]),
            0.75,
        );
        close(
            soft_of(
                Choices::OneToFive,
                Form::Letter,
                &[("4", &[("4", 0.5), ("5", 0.3), ("3", 0.1), ("2", 0.05), ("1", 0.05)])],
            ),
            3.95,
        );
        // What is not among the likeliest has the least of their probabilities, and nothing is certain.
        close(soft_of(Choices::PassFail, Form::Letter, &[("pass", &[("pass", 0.9), ("x", 0.1)])]), 0.9);
        assert!(soft_of(Choices::Better, Form::Letter, &[("A", &[("A", 1.0), ("x", 1e-300)])]).unwrap() < 1.0);
        assert_eq!(soft_of(Choices::Better, Form::Letter, &[("A", &[])]), None);
        assert_eq!(soft(&Value::Null, &question(Choices::Better, Form::Letter)), None);
    }
}
