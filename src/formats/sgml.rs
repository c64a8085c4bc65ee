//! The segments of one file of texts: one per line, or SGML with `<seg id="1">`.
//!
//! WMT's SGML is no XML: `&` and `<` stand in texts as they are, and attributes lack quotes. An XML reader refuses such a
//! file, or takes `a < b</seg>` for a tag, so that the marks are searched for here, as sacreBLEU does.

use std::collections::HashMap;
use std::path::Path;

use crate::error::Result;
use crate::files::input::Input;

/// The largest SGML file, in bytes; it is read as a whole.
const MAX_SGML_BYTES: usize = 256 << 20;

/// The segments of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texts {
    /// One segment per line, called 1, 2, ...
    Lines(Vec<String>),
    /// Segments by id.
    Marked(HashMap<String, String>),
}

impl Texts {
    /// Reads a file: SGML if its name ends in `.sgm`, `.sgml` or `.xml`, otherwise one segment per line.
    ///
    /// # Errors
    /// The file cannot be read, is not UTF-8, or is too large.
    pub fn read(path: &Path) -> Result<Self> {
        let input = Input::File(path.to_owned());
        let name = input.plain_name();
        if [".sgm", ".sgml", ".xml"].iter().any(|ending| name.ends_with(ending)) {
            return Ok(Self::Marked(segments(&input.read_to_string(MAX_SGML_BYTES)?)));
        }
        Ok(Self::Lines(input.lines()?.map(|line| line.map(|line| line.text)).collect::<Result<_>>()?))
    }

    /// The text of a segment, or `None` if there is none.
    pub fn get(&self, id: &str) -> Option<&str> {
        match self {
            Self::Lines(lines) => {
                let number: usize = id.parse().ok()?;
                lines.get(number.checked_sub(1)?).map(|text| text.trim())
            }
            Self::Marked(segments) => segments.get(id).map(String::as_str),
        }
    }
}

/// The segments in SGML by id; elements without an id or an end are skipped.
fn segments(text: &str) -> HashMap<String, String> {
    let segment = |element: &str| {
        let (attributes, rest) = element.split_once('>')?;
        let (content, _) = rest.split_once("</seg>")?;
        Some((attribute(attributes, "id")?.to_owned(), unescaped(content.trim())))
    };
    text.split("<seg").skip(1).filter_map(segment).collect()
}

/// The value of an attribute, with or without quotes: `7` of ` docid="a" id="7"`.
fn attribute<'a>(mut attributes: &'a str, name: &str) -> Option<&'a str> {
    while let Some((found, rest)) = attributes.split_once('=') {
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|first| ['"', '\''].contains(first));
        let (value, following) = match quote {
            Some(quote) => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if found.split_whitespace().next_back() == Some(name) {
            return Some(value);
        }
        attributes = following;
    }
    None
}

fn unescaped(text: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    marks.iter().fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_found_in_sgml_that_is_no_xml() {
        let text = "<DOC docid=\"x\"><seg id=\"7\"> a &amp;lt; b </seg>\n<seg id='8'>R&D, 1 < 2</seg>\
            <seg docid=\"d 1\" id=9 >c\nd</seg><seg docid=3>e</seg><seg id=\"10\">no end";
        let found = segments(text);
        for (id, expected) in
            [("7", Some("a &lt; b")), ("8", Some("R&D, 1 < 2")), ("9", Some("c\nd")), ("3", None), ("10", None)]
        {
            assert_eq!(found.get(id).map(String::as_str), expected, "{id}");
        }
        assert_eq!(found.len(), 3);
    }
}
