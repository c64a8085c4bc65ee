//! The one reader of tables, of every kind.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use indexmap::IndexSet;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::row::{Cells, Header, NumberedCells, Row, Source, check_names};
use super::separated::{csv, tsv};
use super::{JSON, TableKind, ending};
use crate::error::{Error, Result, json_fault};
use crate::files::Input;
use crate::files::input::Line;

/// Reads a table, one row at a time.
pub struct Rows {
    header: Header,
    rows: Box<dyn Iterator<Item = Result<NumberedCells>> + Send>,
}

impl Rows {
    /// Opens a table; by default its kind follows from the file's ending.
    ///
    /// # Errors
    /// The file cannot be read or is not a table; two columns have the same name. While reading: a row of a different
    /// length, text that is not UTF-8, a quote that is never closed, a line that is not an object.
    pub fn open(input: &Input, kind: Option<TableKind>) -> Result<Self> {
        let json = (ending(input) == JSON).then_some(TableKind::JsonLines);
        let kind = kind.or_else(|| TableKind::from_name(input)).or(json).ok_or_else(|| {
            let expected = "a file name that ends in .csv, .tsv or .jsonl";
            let advice = "name the format: `format` csv, tsv or jsonl";
            // What cannot be read as text is told first.
            let unreadable = input.open().err();
            unreadable.unwrap_or_else(|| Error::invalid(input.to_string(), expected, "another file extension", advice))
        })?;
        let (columns, rows) = match kind {
            TableKind::Csv => csv(input)?,
            TableKind::Tsv => tsv(input)?,
            TableKind::JsonLines => json_lines(input)?,
            #[cfg(feature = "parquet")]
            TableKind::Parquet => super::parquet::rows(input)?,
        };
        let place = input.to_string();
        check_names(columns.iter(), &format!("{place}:1"))?;
        let has_own_names = !matches!(kind, TableKind::Csv | TableKind::Tsv);
        Ok(Self { header: Header::new(&place, columns, has_own_names), rows })
    }

    /// The names of the columns.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl Iterator for Rows {
    type Item = Result<Row<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = Arc::clone(&self.header.place);
        Some(self.rows.next()?.map(|(line, cells)| Row { line, place, cells }))
    }
}

/// JSON Lines, one object per line; or an array of objects; or objects that span lines, as jq prints them. The columns are
/// the keys of all objects, and those of objects within them as `outer.inner`; of an input that can be read only once,
/// such as standard input, those of the first object.
fn json_lines(input: &Input) -> Result<Source> {
    let place = input.to_string();
    let mut lines = input.lines()?.skip_while(|line| line.as_ref().is_ok_and(|line| line.text.trim().is_empty()));
    let first = lines.next().transpose()?;
    if first.as_ref().is_some_and(|line| line.text.trim_start().starts_with('[')) {
        return json_array(first.into_iter().map(Ok).chain(lines), &place);
    }
    if first.as_ref().is_some_and(|line| begins_object(&line.text)) {
        return json_objects(first.into_iter().map(Ok).chain(lines), &place);
    }
    let mut objects = first.into_iter().map(Ok).chain(lines).map(move |line| {
        let line = line?;
        object(&line.text, &format!("{place}:{}", line.number)).map(|cells| (line.number, cells))
    });
    let first = objects.next().transpose()?;
    let mut columns: IndexSet<String> =
        first.iter().flat_map(|(_, cells)| cells).map(|(name, _)| name.clone()).collect();
    if let Some(lines) = first.as_ref().map(|_| input.look_ahead()).transpose()?.flatten() {
        add_keys(&mut columns, lines);
    }
    let columns = columns.into_iter().collect();
    let rows = first.into_iter().map(Ok).chain(objects);
    Ok((columns, Box::new(rows.map(|row| row.map(|(line, cells)| (line, Cells::Object(cells)))))))
}

/// The objects of an array, which may span lines; rows are numbered from 1.
fn json_array(lines: impl Iterator<Item = Result<Line>>, place: &str) -> Result<Source> {
    let texts = lines.map(|line| line.map(|line| line.text)).collect::<Result<Vec<_>>>()?;
    let objects: Vec<Box<RawValue>> = serde_json::from_str(&texts.join("\n")).map_err(|error| {
        let place = format!("{place}:{}", error.line());
        Error::invalid(place, "a JSON array of objects", json_fault(&error), "write one array, or one object per line")
    })?;
    let row = |(number, text): (usize, Box<RawValue>)| Ok((number, object(text.get(), &format!("{place}:{number}"))?));
    (1..).zip(objects).map(row).collect::<Result<_>>().map(in_memory)
}

/// Whether a line is the beginning of an object that goes on.
fn begins_object(line: &str) -> bool {
    line.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

/// Objects one after the other, which may span lines; rows are numbered from 1.
fn json_objects(lines: impl Iterator<Item = Result<Line>>, place: &str) -> Result<Source> {
    let texts = lines.map(|line| line.map(|line| line.text)).collect::<Result<Vec<_>>>()?;
    let text = texts.join("\n");
    let mut rows = Vec::new();
    for (number, found) in (1..).zip(serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>()) {
        let found = found.map_err(|error| {
            let place = format!("{place}:{}", error.line());
            if error.is_eof() {
                return Error::invalid(place, "a JSON object", "the end of the file within it", "copy the file again");
            }
            Error::invalid(place, "a JSON object", json_fault(&error), "write one object per line")
        })?;
        rows.push((number, object(found.get(), &format!("{place}:{number}"))?));
    }
    Ok(in_memory(rows))
}

/// Objects that are all in memory, with the keys of all.
fn in_memory(rows: Vec<(usize, Vec<(String, Value)>)>) -> Source {
    let columns: IndexSet<String> = rows.iter().flat_map(|(_, cells)| cells).map(|(name, _)| name.clone()).collect();
    let columns = columns.into_iter().collect();
    (columns, Box::new(rows.into_iter().map(|(number, cells)| Ok((number, Cells::Object(cells))))))
}

/// The most keys that are added to those of the first object: more are names of things, and not of columns.
const MAX_KEYS: usize = 10_000;

/// Adds the keys of the objects on some lines. What cannot be read is told when it is read.
fn add_keys(columns: &mut IndexSet<String>, lines: impl Iterator<Item = Result<Line>>) {
    let most = columns.len() + MAX_KEYS;
    for line in lines.map_while(Result::ok).filter(|line| !line.text.trim().is_empty()) {
        if add_keys_of(columns, "", &line.text).is_err() || columns.len() >= most {
            break;
        }
    }
}

/// Adds the keys of an object, and of objects within it, behind `outer`.
fn add_keys_of(columns: &mut IndexSet<String>, outer: &str, object: &str) -> serde_json::Result<()> {
    for (key, value) in serde_json::from_str::<Entries<&RawValue>>(object)?.0 {
        let (name, is_object) = (format!("{outer}{key}"), value.get().starts_with('{'));
        if is_object {
            add_keys_of(columns, &format!("{name}."), value.get())?;
        }
        if !is_object || outer.is_empty() {
            columns.insert(name);
        }
    }
    Ok(())
}

fn object(text: &str, place: &str) -> Result<Vec<(String, Value)>> {
    let Entries(mut cells) = serde_json::from_str::<Entries<Value>>(text).map_err(|error| {
        let (found, advice) = match error.is_eof() {
            true if text.trim().is_empty() => ("an empty line".to_owned(), "remove it"),
            true => (
                "one that does not end on its line".to_owned(),
                "write one object per line: jq -c . FILE; if this is the last line, the file is cut off: copy it again",
            ),
            false => (json_fault(&error), "write one object per line"),
        };
        Error::invalid(place, "a JSON object", found, advice)
    })?;
    // For few keys a search is cheaper than a set.
    let is_repeated = |(at, (name, _)): (usize, &(String, Value))| cells[..at].iter().any(|(other, _)| other == name);
    if cells.len() > 32 || cells.iter().enumerate().any(is_repeated) {
        check_names(cells.iter().map(|(name, _)| name), place)?;
    }
    if cells.iter().any(|(_, value)| is_beyond_64_bits(value)) {
        keep_digits(text, &mut cells);
    }
    let mut inner = Vec::new();
    for (name, value) in &cells {
        add_inner(name, value, &mut inner);
    }
    inner.retain(|(name, _)| cells.iter().all(|(known, _)| known != name));
    cells.extend(inner);
    Ok(cells)
}

/// Adds the values of an object, and of objects within it, under names such as `outer.inner`.
fn add_inner(name: &str, value: &Value, inner: &mut Vec<(String, Value)>) {
    let Value::Object(values) = value else { return };
    for (key, value) in values {
        let name = format!("{name}.{key}");
        add_inner(&name, value, inner);
        if !value.is_object() {
            inner.push((name, value.clone()));
        }
    }
}

fn is_beyond_64_bits(value: &Value) -> bool {
    value.is_f64() && value.as_f64().is_some_and(|number| number.abs() >= i64::MAX as f64)
}

/// Replaces integers of more than 64 bits, which [`Value`] rounds, by texts with all their digits: they are names.
fn keep_digits(text: &str, cells: &mut [(String, Value)]) {
    let Ok(Entries(written)) = serde_json::from_str::<Entries<Box<RawValue>>>(text) else { return };
    for ((_, value), (_, written)) in cells.iter_mut().zip(written) {
        let is_integer = written.get().bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        if is_beyond_64_bits(value) && is_integer {
            *value = Value::String(written.get().to_owned());
        }
    }
}

/// The keys and values of an object in order, duplicates included.
struct Entries<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Entries<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Object(PhantomData))
    }
}

struct Object<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Object<V> {
    type Value = Entries<V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Entries<V>, M::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn open(text: &str, kind: TableKind) -> Result<Rows> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Rows::open(&Input::File(file.path().into()), Some(kind))
    }

    fn column(text: &str, kind: TableKind, name: &str) -> Result<Vec<String>> {
        let rows = open(text, kind)?;
        let column = rows.header().require(name)?;
        rows.map(|row| Ok(row?.optional(&column)?.unwrap_or_default().into_owned())).collect()
    }

    #[test]
    fn all_kinds_hold_the_same() {
        for (kind, text) in [
            (TableKind::Csv, "a,b\n1, two words \n,3\n"),
            (TableKind::Tsv, "a\tb\n1\t two words \n\t3\n"),
            (TableKind::JsonLines, "{\"a\":1,\"b\":\"two words\"}\n{\"b\":3}\n"),
        ] {
            assert_eq!(column(text, kind, "a").unwrap(), ["1", ""]);
            assert_eq!(column(text, kind, "b").unwrap(), ["two words", "3"]);
        }
    }

    #[test]
    fn objects_within_objects_are_columns() {
        let text = "{\"outputs\":{\"a\":\"x\",\"b\":{\"c\":2}},\"outputs.d\":1}\n{\"outputs\":{\"a\":\"y\",\"d\":3,\"e\":{\"f\":4}}}\n";
        let rows = open(text, TableKind::JsonLines).unwrap();
        assert_eq!(rows.header().columns(), ["outputs", "outputs.d", "outputs.a", "outputs.b.c", "outputs.e.f"]);
        for (name, values) in [("outputs.a", ["x", "y"]), ("outputs.b.c", ["2", ""]), ("outputs.d", ["1", "3"])] {
            assert_eq!(column(text, TableKind::JsonLines, name).unwrap(), values);
        }
    }

    #[test]
    fn places_within_lists_are_columns() {
        let text = "{\"games\":[{\"score\":\"A>B\",\"by/1\":{\"n\":1}}],\"to\":{\"v\":[1,2]}}\n{\"games\":[],\"to\":{\"v\":[3]}}\n";
        for (name, values) in [
            ("games.0.score", ["A>B", ""]),
            ("games.0.by/1.n", ["1", ""]),
            ("to.v.1", ["2", ""]),
            ("to.v.0", ["1", "3"]),
        ] {
            assert_eq!(column(text, TableKind::JsonLines, name).unwrap(), values);
        }
        assert!(column(text, TableKind::JsonLines, "lost.0").is_err());
        assert!(column("games\nx\n", TableKind::Csv, "games.0").is_err());
    }

    #[test]
    fn objects_may_span_lines() {
        let text = "{\n  \"a\": {\n    \"b\": \"x\"\n  }\n}\n{\n  \"a\": {\"b\": \"y\"}\n}\n";
        assert_eq!(column(text, TableKind::JsonLines, "a.b").unwrap(), ["x", "y"]);
        let message = |text: &str| column(text, TableKind::JsonLines, "a").unwrap_err().to_string();
        let cut_off = message(&text[..text.len() - 3]);
        assert!(cut_off.contains(":7: expected a JSON object, found the end of the file within it; copy"), "{cut_off}");
        let later = message("{\"a\":1}\n{\n\"a\":2}\n");
        assert!(later.contains(":2: expected a JSON object, found one that does not end on its line"), "{later}");
    }

    #[test]
    fn a_name_stands_once() {
        for (kind, text) in [
            (TableKind::Csv, "a, a\n1,2\n"),
            (TableKind::Tsv, "a\ta\n1\t2\n"),
            (TableKind::JsonLines, "{\"a\":1,\"a\":2}\n"),
        ] {
            let message = open(text, kind).err().unwrap().to_string();
            assert!(message.contains(":1: expected distinct column names, found two columns 'a';"), "{message}");
        }
        assert!(open("a,,\n1,2,3\n", TableKind::Csv).is_ok());
        let later = column("{\"a\":1}\n{\"a\":1,\"b\":2,\"b\":2}\n", TableKind::JsonLines, "a").unwrap_err();
        assert!(later.to_string().contains(":2: expected distinct column names"), "{later}");
    }

    #[test]
    fn integers_keep_all_their_digits() {
        let numbers = ["12345678901234567890123", "-99999999999999999999", "18446744073709551615", "1e+30", "0.5"];
        let text: String = numbers.iter().map(|number| format!("{{\"x\":[1],\"a\":{number}}}\n")).collect();
        assert_eq!(column(&text, TableKind::JsonLines, "a").unwrap(), numbers);
    }
}
