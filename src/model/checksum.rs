//! Stage 5f, its last line: the checksum of a model file. A digit that was changed on the way would give other verdicts
//! and no message.
//!
//! The last field of the file is `"checksum": "xxh3:..."`, the 64-bit XXH3 hash of all bytes that stand before that
//! field. It finds damage, and changes by hand; it is no signature of whoever trained the model.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};

const FIELD: &str = "\n  \"checksum\": \"";

/// Ends the text of a model, a JSON object, with its checksum; one that it had is replaced.
pub fn seal(text: &str) -> String {
    let body = match text.rfind(FIELD) {
        Some(at) => text[..at].to_owned(),
        None => {
            let object = text.trim_end();
            object.strip_suffix('}').unwrap_or(object).trim_end().to_owned() + ","
        }
    };
    format!("{body}{FIELD}{}\"\n}}\n", of(&body))
}

/// The text ends with the checksum of what stands before it.
///
/// # Errors
/// It has another one, or none.
pub fn verify(text: &str, place: &str) -> Result<()> {
    let sealed = text.rfind(FIELD).map(|at| (&text[..at], text[at + FIELD.len()..].trim_end()));
    let Some((body, stated)) = sealed else {
        let advice = "train the model anew: its file was made by hand, by another program or by an earlier version";
        return Err(Error::invalid(place, "a checksum at the end", "none", advice));
    };
    let expected = of(body);
    if stated.strip_suffix("\"\n}") == Some(expected.as_str()) {
        return Ok(());
    }
    let stated: String = stated.chars().take_while(|&symbol| symbol != '"').take(40).collect();
    let advice = "the file was damaged or changed: copy it again, or train the model anew";
    Err(Error::invalid(place, format!("the checksum {expected} of what it holds"), format!("'{stated}'"), advice))
}

/// The digits of the checksum that a text ends with, if it has one.
pub fn digits(text: &str) -> Option<&str> {
    let stated = text.rfind(FIELD).map(|at| &text[at + FIELD.len()..])?;
    stated.strip_prefix("xxh3:")?.split('"').next()
}

fn of(body: &str) -> String {
    format!("xxh3:{:016x}", xxh3_64(body.as_bytes()))
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
        assert_eq!((digits(&sealed).map(str::len), digits(MODEL)), (Some(16), None));
        let value: serde_json::Value = serde_json::from_str(&sealed).unwrap();
        assert_eq!(value["weights"][0], 1.5);
    }

    #[test]
    fn any_other_byte_is_noticed() {
        let sealed = seal(MODEL);
        for at in 0..sealed.trim_end().len() {
            let mut bytes = sealed.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(verify(&String::from_utf8(bytes).unwrap(), "m").is_err(), "byte {at}");
        }
        let message = verify(MODEL, "m").unwrap_err().to_string();
        assert!(message.starts_with("m: expected a checksum at the end, found none;"), "{message}");
    }
}
