//! Files of other programs, recognised by their columns: what they are, and what reads them.

use serde_json::{Map, Value};

use crate::error::{Error, joined};

/// The columns that tell a kind of file, what it is, and how it becomes pairs.
const KINDS: [(&[&str], &str, &str); 4] = [
    (&["mt", "score"], "scored translations", "'tribunal import table'"),
    (&["seg_id", "severity"], "MQM annotations", "'tribunal import mqm'"),
    (&["system1rank", "system2rank"], "WMT's relative rankings", "'tribunal import wmt-rr'"),
    (
        &["output"],
        "single outputs",
        "'tribunal train', 'compare', 'rank', 'predict', 'next' and 'annotate' read them from a file, one at a time",
    ),
];

/// What reads a table with these columns, if it is of a known kind.
pub(crate) fn advice(columns: &[String]) -> Option<String> {
    let has = |name: &&str| columns.iter().any(|column| column == name);
    let (_, what, how) = KINDS.iter().find(|(names, ..)| names.iter().all(has))?;
    Some(format!("these are {what}: {how}"))
}

/// The error for a JSON file where lines of pairs are expected: an array of objects, or JSON Lines by another name.
/// `rest` are the lines after the first.
pub(crate) fn json_error(place: &str, first: &str, rest: impl Iterator<Item = String>) -> Option<Error> {
    let is_array = first.trim_start().starts_with('[');
    let text = if is_array {
        std::iter::once(first.to_owned()).chain(rest).collect::<Vec<_>>().join("\n")
    } else {
        first.to_owned()
    };
    let object = text.trim_start().trim_start_matches('[');
    let keys = serde_json::Deserializer::from_str(object).into_iter::<Map<String, Value>>().next()?.ok()?;
    let columns: Vec<String> = keys.into_iter().map(|(key, _)| key).collect();
    let known = advice(&columns).map(|known| format!("; {known}")).unwrap_or_default();
    let (what, how) = if is_array {
        ("a JSON array of objects", "name the file .json, or its format: `format` jsonl")
    } else {
        ("a JSON object", "name the file .jsonl, or its format: `format` jsonl")
    };
    let found = format!("{what} with the keys {}", joined(&columns));
    Some(Error::invalid(format!("{place}:1"), "pairs 'hyp1 ||| hyp2 ||| ref'", found, format!("{how}{known}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Option<String> {
        let mut lines = text.lines().map(str::to_owned);
        let first = lines.next().unwrap();
        json_error("x", &first, lines).map(|error| error.to_string())
    }

    #[test]
    fn the_first_object_tells_what_a_json_file_is() {
        for array in [r#"[{"mt": "a", "score": 1}]"#, "[\n {\"mt\": \"a\",\n \"score\": 1},\n"] {
            let message = error(array).unwrap();
            assert!(message.contains("found a JSON array of objects with the keys mt, score; "), "{message}");
            assert!(message.contains("these are scored translations"), "{message}");
        }
        assert!(error(r#"{"hyp1": "a"}"#).unwrap().contains("found a JSON object with the keys hyp1; name the file"));
        assert_eq!([error("[1] no JSON"), error("{ nor this"), error("[\n")], [None, None, None]);
    }
}
