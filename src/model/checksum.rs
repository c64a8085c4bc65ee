//! The checksum of a model file. In: the text of a model. Out: the same text, sealed; or an error. Next:
//! [`super::Model`].
//!
//! A digit that changed in transit would silently give other verdicts. The last field of the file is therefore
//! `"checksum": "xxh3:..."`, a 64-bit XXH3 hash of the content of all other fields: line ends, indentation and the
//! order of names do not matter. It detects damage and changes by hand; it does not authenticate whoever trained the
//! model.

use super::digest::Sealed;
use crate::error::{Error, Result, json_fault, quoted};

const FIELD: &str = "\n  \"checksum\": \"";

/// Appends a checksum to the text of a model, a JSON object, or replaces the one it has. Text that is not an object
/// stays as it is.
pub fn seal(text: &str) -> String {
    let Ok(Sealed { digest, seal }) = serde_json::from_str(text) else { return text.to_owned() };
    let unsealed = if seal.is_some() { without_seal(text) } else { text.to_owned() };
    let object = unsealed.trim_end();
    let body = object.strip_suffix('}').unwrap_or(object).trim_end();
    let comma = if body.ends_with('{') { "" } else { "," };
    format!("{body}{comma}{FIELD}{}\"\n}}\n", stated(digest))
}

/// The object without its checksum, textually unchanged if that is its last field.
fn without_seal(text: &str) -> String {
    let body = text.rfind("\"checksum\"").map(|at| text[..at].trim_end().trim_end_matches(',').to_owned() + "}");
    let rest = |body: &String| serde_json::from_str(body).ok();
    let Ok(mut whole) = serde_json::from_str::<serde_json::Map<_, _>>(text) else { return text.to_owned() };
    whole.remove("checksum");
    body.filter(|body| rest(body).as_ref() == Some(&whole))
        .unwrap_or_else(|| serde_json::to_string_pretty(&whole).unwrap_or_else(|_| text.to_owned()))
}

/// Checks that the text ends with the checksum of its other fields.
///
/// # Errors
/// The checksum differs or is missing.
pub fn verify(text: &str, place: &str) -> Result<()> {
    let sealed: Sealed = serde_json::from_str(text).map_err(|error| {
        Error::invalid(place, "a complete model file", json_fault(&error), "name a file that train wrote")
    })?;
    let Some(found) = sealed.seal else {
        let advice = "train the model again: its file was made by hand, by another program or by an earlier version";
        return Err(Error::invalid(place, "a checksum at the end", "none", advice));
    };
    let expected = stated(sealed.digest);
    if found == expected {
        return Ok(());
    }
    let advice = "the file was damaged or changed: copy it again, or train the model again";
    Err(Error::invalid(place, format!("the checksum {expected} of what it holds"), quoted(&found), advice))
}

/// The digits of the checksum of a text, if it has one.
pub fn digits(text: &str) -> Option<String> {
    let sealed: Sealed = serde_json::from_str(text).ok()?;
    sealed.seal?.strip_prefix("xxh3:").map(str::to_owned)
}

fn stated(digest: u64) -> String {
    format!("xxh3:{digest:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "{\"format\": \"x\",\n  \"weights\": [\n    1.5\n  ]\n}\n";

    #[test]
    fn what_is_sealed_is_whole() {
        let sealed = seal(MODEL);
        assert!(verify(&sealed, "m").is_ok(), "{sealed}");
        assert_eq!(seal(&sealed), sealed);
        assert_eq!((digits(&sealed).map(|digits| digits.len()), digits(MODEL)), (Some(16), None));
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        assert_eq!(value["weights"][0], 1.5);
        assert!(sealed.starts_with("{\"format\": \"x\",\n  \"weights\": [\n    1.5\n  ],\n  \"checksum\": \"xxh3:"));
        assert!(verify(&seal("{}"), "m").is_ok());
        assert_eq!(seal("[1]"), "[1]");
    }

    #[test]
    fn a_checksum_that_is_not_at_the_end_is_replaced() {
        let moved = "{\"checksum\": \"xxh3:0\", \"weights\": [1]}";
        assert!(verify(moved, "m").is_err());
        assert!(verify(&seal(moved), "m").is_ok() && seal(moved).contains("\"weights\": ["));
        assert!(verify(&seal(&seal(MODEL).replace('\n', "\r\n")), "m").is_ok());
    }

    #[test]
    fn any_other_value_is_noticed() {
        let sealed = seal(MODEL);
        for at in 0..sealed.trim_end().len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(verify(&String::from_utf8(bytes).unwrap(), "m").is_err(), "byte {at}");
        }
        let message = verify(MODEL, "m").unwrap_err().to_string();
        assert!(message.starts_with("m: expected a checksum at the end, found none;"), "{message}");
        let message = verify(&sealed.replace("1.5", "1.6"), "m").unwrap_err().to_string();
        assert!(message.contains("; the file was damaged or changed"), "{message}");
    }

    #[test]
    fn line_ends_and_indentation_count_for_nothing() {
        let sealed = seal(MODEL);
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        for same in [sealed.replace('\n', "\r\n"), value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            assert!(verify(&same, "m").is_ok(), "{same}");
        }
    }
}
