//! The checksum of a model file.
//!
//! A digit that changed in transit would silently give other verdicts. The last field of the file is therefore
//! `"checksum": "xxh3:..."`, a 64-bit XXH3 hash of the content of all other fields: line ends, indentation, the order of
//! names and the notation of numbers do not matter. It detects damage and changes by hand; it does not authenticate
//! whoever trained the model.

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result, json_fault, quoted};

/// The name of the field with the checksum.
const NAME: &str = "checksum";

/// How that field begins in a file.
const FIELD: &str = "\n  \"checksum\": \"";

/// Integers below this are hashed as floating-point numbers, so that `1` equals `1.0`.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

/// Appends a checksum to the text of a model, a JSON object, or replaces the one at its end. Text that is not an object
/// stays as it is.
pub fn seal(text: &str) -> String {
    let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(text) else { return text.to_owned() };
    object.remove(NAME);
    let body = text.trim_end();
    let body = body.strip_suffix('}').unwrap_or(body).trim_end();
    let body = body.rfind(FIELD).map_or(body, |at| body[..at].trim_end().trim_end_matches(','));
    let comma = if body.ends_with('{') { "" } else { "," };
    format!("{body}{comma}{FIELD}{}\"\n}}\n", stated(&object))
}

/// Checks that the text has the checksum of its other fields.
///
/// # Errors
/// The checksum differs or is missing.
pub fn verify(text: &str, place: &str) -> Result<()> {
    let mut object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        Error::invalid(place, "a complete model file", json_fault(&error), "name a file that train wrote")
    })?;
    let Some(Value::String(found)) = object.remove(NAME) else {
        let advice = "train the model again: its file was made by hand, by another program or by an earlier version";
        return Err(Error::invalid(place, "a checksum at the end", "none", advice));
    };
    let expected = stated(&object);
    if found == expected {
        return Ok(());
    }
    let advice = "the file was damaged or changed: copy it again, or train the model again";
    Err(Error::invalid(place, format!("the checksum {expected} of what it holds"), quoted(&found), advice))
}

/// The digits of the checksum of a text, if it has one.
pub fn digits(text: &str) -> Option<String> {
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    object.get(NAME)?.as_str()?.strip_prefix("xxh3:").map(str::to_owned)
}

fn stated(object: &Map<String, Value>) -> String {
    format!("xxh3:{:016x}", of_object(object))
}

/// The hash of a value; its kind is hashed as well.
fn digest(value: &Value) -> u64 {
    match value {
        Value::Null => hash(b'n', &[]),
        Value::Bool(value) => hash(b'b', &[u8::from(*value)]),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(value), _) if value >= EXACT => hash(b'u', &value.to_le_bytes()),
            (_, Some(value)) if value.unsigned_abs() >= EXACT => hash(b'i', &value.to_le_bytes()),
            _ => hash(b'd', &number.as_f64().unwrap_or_default().to_bits().to_le_bytes()),
        },
        Value::String(text) => hash(b's', text.as_bytes()),
        Value::Array(values) => {
            let add = |sum: u64, value| hash(b'a', &[sum.to_le_bytes(), digest(value).to_le_bytes()].concat());
            values.iter().fold(hash(b'a', &[]), add)
        }
        Value::Object(fields) => of_object(fields),
    }
}

fn of_object(fields: &Map<String, Value>) -> u64 {
    let field = |(name, value): (&String, &Value)| {
        hash(b'f', &[digest(value).to_le_bytes().as_slice(), name.as_bytes()].concat())
    };
    // A sum, since the order of names does not matter.
    hash(b'o', &fields.iter().map(field).fold(0_u64, u64::wrapping_add).to_le_bytes())
}

fn hash(kind: u8, bytes: &[u8]) -> u64 {
    xxh3_64(&[&[kind], bytes].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "{\"format\": \"x\",\n  \"weights\": [\n    1.5\n  ]\n}\n";

    fn of_text(text: &str) -> u64 {
        let mut object: Map<String, Value> = serde_json::from_str(text).unwrap();
        object.remove(NAME);
        of_object(&object)
    }

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
    fn what_says_the_same_has_the_same_digest() {
        let text = "{\"a\": [1.0, -2, 1e-7, 0.1], \"b\": {\"c\": null, \"d\": \"ä\"}, \"checksum\": \"x\"}";
        for same in [
            "{\"b\":{\"d\":\"\\u00e4\",\"c\":null},\r\n\"a\":[1,-2.0,1e-07,1.0e-1]}",
            "{\n\t\"a\": [1e0, -2, 0.0000001, 0.10000000000000000001], \"b\": {\"c\": null, \"d\": \"ä\"} }",
        ] {
            assert_eq!(of_text(same), of_text(text), "{same}");
        }
    }

    #[test]
    fn what_says_another_thing_has_another_digest() {
        let texts = [
            "{}",
            "{\"a\":1}",
            "{\"a\":2}",
            "{\"b\":1}",
            "{\"a\":\"1\"}",
            "{\"a\":true}",
            "{\"a\":null}",
            "{\"a\":[1]}",
            "{\"a\":[1,2]}",
            "{\"a\":[2,1]}",
            "{\"a\":[[1],2]}",
            "{\"a\":[[1,2]]}",
            "{\"a\":{}}",
            "{\"a\":[]}",
            "{\"a\":{\"b\":1},\"c\":{}}",
            "{\"a\":{},\"c\":{\"b\":1}}",
            "{\"a\":-0.0}",
            "{\"a\":0}",
            "{\"a\":0.1}",
            "{\"a\":0.10000000000000002}",
            "{\"a\":9007199254740993}",
            "{\"a\":9007199254740992}",
            "{\"a\":\"\"}",
        ];
        let digests: std::collections::HashSet<u64> = texts.iter().map(|text| of_text(text)).collect();
        assert_eq!(digests.len(), texts.len());
    }
}
