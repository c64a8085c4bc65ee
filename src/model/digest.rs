//! A hash of the content of a JSON text, regardless of line ends, indentation, the order of names and the notation of
//! numbers. In: JSON. Out: 64 bits. Next: [`super::checksum`].

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use xxhash_rust::xxh3::xxh3_64;

/// The hash of a value, computed while parsing, so that no value is kept in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Digest(u64);

/// The hash of a JSON object without its checksum field, and the text of that field if there is one.
pub(super) struct Sealed {
    pub(super) digest: u64,
    pub(super) seal: Option<String>,
}

/// The field that is left out.
const SEAL: &str = "checksum";

/// Integers below this are hashed as floating-point numbers, so that `1` equals `1.0`.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

impl Digest {
    fn of(kind: u8, bytes: &[u8]) -> Self {
        Self(xxh3_64(&[&[kind], bytes].concat()))
    }

    fn field(name: &str, Digest(value): Self) -> u64 {
        Self::of(b'f', &[&value.to_le_bytes(), name.as_bytes()].concat()).0
    }

    fn object(sum: u64) -> Self {
        Self::of(b'o', &sum.to_le_bytes())
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DigestVisitor)
    }
}

struct DigestVisitor;

impl<'de> Visitor<'de> for DigestVisitor {
    type Value = Digest;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Digest, E> {
        Ok(Digest::of(b'n', &[]))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Digest, E> {
        Ok(Digest::of(b'b', &[value.into()]))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Digest, E> {
        Ok(Digest::of(b'd', &value.to_bits().to_le_bytes()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Digest, E> {
        if value < EXACT { self.visit_f64(value as f64) } else { Ok(Digest::of(b'u', &value.to_le_bytes())) }
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Digest, E> {
        if value.unsigned_abs() < EXACT {
            self.visit_f64(value as f64)
        } else {
            Ok(Digest::of(b'i', &value.to_le_bytes()))
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Digest, E> {
        Ok(Digest::of(b's', value.as_bytes()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Digest, A::Error> {
        let mut digest = Digest::of(b'a', &[]);
        while let Some(Digest(value)) = values.next_element()? {
            digest = Digest::of(b'a', &[digest.0.to_le_bytes(), value.to_le_bytes()].concat());
        }
        Ok(digest)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Digest, A::Error> {
        // A sum, since the order of names does not matter.
        let mut sum = 0_u64;
        while let Some((name, value)) = fields.next_entry::<String, Digest>()? {
            sum = sum.wrapping_add(Digest::field(&name, value));
        }
        Ok(Digest::object(sum))
    }
}

impl<'de> Deserialize<'de> for Sealed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SealedVisitor)
    }
}

struct SealedVisitor;

impl<'de> Visitor<'de> for SealedVisitor {
    type Value = Sealed;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Sealed, A::Error> {
        let (mut sum, mut seal) = (0_u64, None);
        while let Some(name) = fields.next_key::<String>()? {
            if name == SEAL && seal.is_none() {
                seal = Some(fields.next_value::<String>()?);
            } else {
                sum = sum.wrapping_add(Digest::field(&name, fields.next_value()?));
            }
        }
        Ok(Sealed { digest: Digest::object(sum).0, seal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> u64 {
        serde_json::from_str::<Sealed>(text).unwrap().digest
    }

    #[test]
    fn what_says_the_same_has_the_same_digest() {
        let text = "{\"a\": [1.0, -2, 1e-7, 0.1], \"b\": {\"c\": null, \"d\": \"ä\"}, \"checksum\": \"x\"}";
        for same in [
            "{\"b\":{\"d\":\"\\u00e4\",\"c\":null},\r\n\"a\":[1,-2.0,1e-07,1.0e-1]}",
            "{\n\t\"a\": [1e0, -2, 0.0000001, 0.10000000000000000001], \"b\": {\"c\": null, \"d\": \"ä\"} }",
        ] {
            assert_eq!(digest(same), digest(text), "{same}");
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
        let digests: std::collections::HashSet<u64> = texts.iter().map(|text| digest(text)).collect();
        assert_eq!(digests.len(), texts.len());
    }
}
