//! Files of other programs, recognised by their columns: what they are, and what reads them.

use serde_json::{Map, Value};

use crate::error::{Error, joined};

/// The columns that tell a kind of file, what it is, and how it becomes pairs.
const KINDS: [(&[&str], &str, &str); 8] = [
    (&["chosen", "rejected"], "preference data", "'tribunal import table' with `pos` chosen `neg` rejected"),
    (
        &["conversation_a", "conversation_b"],
        "judged conversations",
        "write the answers to be compared into columns hyp1 and hyp2, and who won into label: 1, -1, 0 for a tie",
    ),
    (
        &["response_a", "response_b"],
        "judged answers",
        "'tribunal import table' with `hyp1` response_a `hyp2` response_b `label` COLUMN, and `labels` for its values",
    ),
    (
        &["output_1", "output_2"],
        "AlpacaEval's annotations",
        "'tribunal import table' with `hyp1` output_1 `hyp2` output_2 `label` preference `labels` 1=1,2=-1,1.5=0",
    ),
    (&["pos", "neg"], "COMET's preferences", "'tribunal import table'"),
    (&["mt", "score"], "scored translations", "'tribunal import table'"),
    (&["seg_id", "severity"], "MQM annotations", "'tribunal import mqm'"),
    (&["system1rank", "system2rank"], "WMT's relative rankings", "'tribunal import wmt-rr'"),
];

/// What reads a table with these columns, if it is of a known kind.
pub(crate) fn advice(columns: &[String]) -> Option<String> {
    let has = |name: &&str| columns.iter().any(|column| column == name);
    let (_, what, how) = KINDS.iter().find(|(names, ..)| names.iter().all(has))?;
    let is_text_alone =
        !columns.iter().any(|column| column.starts_with("ref") || column == "source" || column == "srclang");
    let reference = if is_text_alone { "; pairs also need a reference: `ref` COLUMN" } else { "" };
    Some(format!("these are {what}: {how}{reference}"))
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
        ("a JSON array of objects", "write one object per line: `jq -c '.[]' FILE > FILE.jsonl`")
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
        for array in [r#"[{"output_1": "a", "output_2": "b"}]"#, "[\n {\"output_1\": \"a\",\n \"output_2\": \"b\"},\n"]
        {
            let message = error(array).unwrap();
            assert!(message.contains("found a JSON array of objects with the keys output_1, output_2; "), "{message}");
            assert!(message.contains("these are AlpacaEval's annotations"), "{message}");
        }
        assert!(error(r#"{"hyp1": "a"}"#).unwrap().contains("found a JSON object with the keys hyp1; name the file"));
        assert_eq!([error("[1] no JSON"), error("{ nor this"), error("[\n")], [None, None, None]);
    }

    #[test]
    fn kinds_with_references_need_no_others() {
        let advice = |names: &[&str]| advice(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert!(advice(&["chosen", "rejected"]).unwrap().ends_with("pairs also need a reference: `ref` COLUMN"));
        assert!(advice(&["pos", "neg", "ref"]).unwrap().ends_with("'tribunal import table'"));
        assert_eq!(advice(&["a", "b"]), None);
    }
}
