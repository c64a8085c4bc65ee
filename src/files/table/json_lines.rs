//! JSON Lines. In: one object per line. Out: keys and values. Next: [`super::rows`].

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::header::check_names;
use super::row::Objects;
use crate::error::{Error, Result, json_fault};
use crate::files::Input;

/// The objects of a file, with their line numbers.
pub(super) fn objects(input: &Input) -> Result<Objects> {
    let place = input.to_string();
    Ok(Box::new(input.lines()?.map(move |line| {
        let line = line?;
        let place = || format!("{place}:{}", line.number);
        let Cells(cells) = serde_json::from_str(&line.text).map_err(|error| {
            Error::invalid(place(), "a JSON object", json_fault(&error), "write one object per line")
        })?;
        if cells.iter().zip(1..).any(|((name, _), next)| is_repeated(name, &cells[next..])) {
            check_names(cells.iter().map(|(name, _)| name), &place())?;
        }
        Ok((line.number, cells))
    })))
}

/// A cheap test for few keys; an object with many is always checked with a set.
fn is_repeated(name: &str, following: &[(String, Value)]) -> bool {
    following.len() > 32 || following.iter().any(|(other, _)| other == name)
}

/// The keys and values of an object in order, duplicates included.
struct Cells(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Cells {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Cells;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Cells, M::Error> {
                let mut cells = Vec::new();
                while let Some(cell) = map.next_entry()? {
                    cells.push(cell);
                }
                Ok(Cells(cells))
            }
        }

        deserializer.deserialize_map(Object)
    }
}
