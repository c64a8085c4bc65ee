//! The segments of one file of texts: one per line, or SGML with `<doc docid="a">` and `<seg id="1">`.
//!
//! WMT's SGML is no XML: `&` and `<` stand in texts as they are, and attributes lack quotes. An XML reader refuses such a
//! file, or takes `a < b</seg>` for a tag, so that the marks are searched for here, as sacreBLEU does.

use std::collections::HashMap;
use std::fmt;

use indexmap::IndexMap;

use crate::error::{Error, Result, quoted};
use crate::files::input::Input;
use crate::files::table::ending;

/// The largest SGML file, in bytes; it is read as a whole.
const MAX_SGML_BYTES: usize = 256 << 20;

/// The segments of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Texts {
    /// One segment per line, called 1, 2, ...
    Lines(Vec<String>),
    /// Segments of documents.
    Marked(Documents),
}

/// Segments by document and id, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Documents {
    segments: IndexMap<Key, String>,
    /// The positions of the ids, unless some id occurs in two documents.
    ids: Option<HashMap<String, usize>>,
}

/// The name of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    /// Empty if the file does not name its documents.
    document: String,
    id: String,
}

/// The segments of a file in its order, one at a time.
pub type Segments = Box<dyn Iterator<Item = Result<String>> + Send>;

/// Reads segments in the order of the file.
///
/// # Errors
/// As [`Texts::read`].
pub fn segments(input: &Input) -> Result<Segments> {
    if is_marked(input) {
        return Ok(Box::new(Documents::read(input)?.segments.into_values().map(Ok)));
    }
    Ok(Box::new(input.lines()?.map(|line| line.map(|line| line.text))))
}

/// Checks that files of SGML have the same segments in the same order.
///
/// # Errors
/// They have not, or one of them cannot be read.
pub fn check_alike<'i>(inputs: impl IntoIterator<Item = &'i Input>) -> Result<()> {
    let mut first: Option<(&Input, Documents)> = None;
    for input in inputs.into_iter().filter(|input| is_marked(input)) {
        let documents = Documents::read(input)?;
        let Some((other, expected)) = &first else {
            first = Some((input, documents));
            continue;
        };
        // Another number of segments is reported as for files of lines.
        let differ = |(expected, found): &(&Key, &Key)| expected != found;
        if let Some((expected, found)) = expected.segments.keys().zip(documents.segments.keys()).find(differ) {
            let expected = format!("{expected} next, as in {other}");
            let advice = "write the same documents and segments in the same order";
            return Err(Error::invalid(input.to_string(), expected, found.to_string(), advice));
        }
    }
    Ok(())
}

/// Whether the name of a file says that it is SGML.
fn is_marked(input: &Input) -> bool {
    ["sgm", "sgml", "xml"].contains(&ending(input).as_str())
}

impl Texts {
    /// Reads a file: SGML if its name ends in `.sgm`, `.sgml` or `.xml`, otherwise one segment per line.
    ///
    /// # Errors
    /// The file cannot be read, is not UTF-8, or is too large; in SGML, a segment has no id or no end, or the same
    /// document and id as another.
    pub fn read(input: &Input) -> Result<Self> {
        if is_marked(input) {
            return Documents::read(input).map(Self::Marked);
        }
        Ok(Self::Lines(input.lines()?.map(|line| line.map(|line| line.text)).collect::<Result<_>>()?))
    }

    /// Whether ids restart in each document, so that a plain number is not an id.
    pub fn restarts(&self) -> bool {
        matches!(self, Self::Marked(documents) if documents.ids.is_none())
    }

    /// The text of a segment, or `None` if there is none. In SGML it is called by its id or `document:id`; where ids
    /// restart in each document, a number counts the segments of the file, as WMT does.
    pub fn get(&self, id: &str) -> Option<&str> {
        match self {
            Self::Lines(lines) => lines.get(position(id)?).map(|text| text.trim()),
            Self::Marked(documents) => {
                let (_, text) = documents.segments.get_index(documents.position(id)?)?;
                Some(text)
            }
        }
    }

    /// As [`Self::get`], with the id as a file of references understands it.
    pub fn get_as_in(&self, references: &Self, id: &str) -> Option<&str> {
        match (self, references) {
            (Self::Marked(own), Self::Marked(others)) => {
                let (key, _) = others.segments.get_index(others.position(id)?)?;
                let has_ids = own.ids.is_some() && others.ids.is_some();
                own.segments.get(key).map(String::as_str).or_else(|| self.get(&key.id).filter(|_| has_ids))
            }
            (Self::Lines(lines), Self::Marked(others)) if others.ids.is_none() => {
                lines.get(others.position(id)?).map(|text| text.trim())
            }
            _ => self.get(id),
        }
    }
}

/// The position of a number that counts from 1.
fn position(number: &str) -> Option<usize> {
    number.parse().ok().and_then(|number: usize| number.checked_sub(1))
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "segment {}", quoted(&self.id))?;
        if self.document.is_empty() { Ok(()) } else { write!(formatter, " of document {}", quoted(&self.document)) }
    }
}

impl Documents {
    fn read(input: &Input) -> Result<Self> {
        Self::parse(&input.read_to_string(MAX_SGML_BYTES)?, &input.to_string())
    }

    fn parse(text: &str, place: &str) -> Result<Self> {
        let (mut segments, mut document, mut rest) = (IndexMap::new(), String::new(), text);
        while let Some((tag, after)) = next_tag(rest) {
            rest = after;
            if let Tag::Document(attributes) = tag {
                let name = attribute(attributes, "docid").or_else(|| attribute(attributes, "id"));
                name.unwrap_or_default().clone_into(&mut document);
                continue;
            }
            let Tag::Segment(attributes) = tag else { continue };
            let wrong = |expected: &str, found: String, advice: &str| {
                let line = 1 + text[..text.len() - after.len()].matches('\n').count();
                Error::invalid(format!("{place}:{line}"), expected, found, advice)
            };
            let id = attribute(attributes, "id");
            let id = id.ok_or_else(|| wrong("<seg id=...>", quoted(attributes.trim()), "give every segment an id"))?;
            let Some((Tag::EndOfSegment(content), following)) = next_tag(after) else {
                return Err(wrong("</seg> after the segment", "none".to_owned(), "check that the file is complete"));
            };
            rest = following;
            let key = Key { document: document.clone(), id: id.to_owned() };
            if segments.contains_key(&key) {
                let advice = "name a file with the texts of one system, and give each document a docid of its own";
                return Err(wrong("every segment once", format!("{key} again"), advice));
            }
            segments.insert(key, plain(content));
        }
        Ok(Self::new(segments))
    }

    fn new(segments: IndexMap<Key, String>) -> Self {
        let ids: HashMap<String, usize> = segments.keys().map(|key| key.id.clone()).zip(0..).collect();
        let ids = (ids.len() == segments.len()).then_some(ids);
        Self { segments, ids }
    }

    fn position(&self, id: &str) -> Option<usize> {
        let plain = || self.ids.as_ref().map_or_else(|| position(id), |ids| ids.get(id).copied());
        let named = id.rsplit_once(':').and_then(|(document, id)| {
            self.segments.get_index_of(&Key { document: document.to_owned(), id: id.to_owned() })
        });
        named.or_else(plain).filter(|&at| at < self.segments.len())
    }
}

/// A tag that matters here.
enum Tag<'t> {
    /// `<doc ...>`, with its attributes.
    Document(&'t str),
    /// `<seg ...>`, with its attributes.
    Segment(&'t str),
    /// `</seg>`, with the text before it.
    EndOfSegment(&'t str),
}

/// The next tag that matters, and the text after it; other `<` belong to the text.
fn next_tag(text: &str) -> Option<(Tag<'_>, &str)> {
    text.match_indices('<').find_map(|(start, _)| {
        let tag = &text[start + 1..];
        let rest = |name: &str| tag.get(name.len()..).filter(|_| tag[..name.len()].eq_ignore_ascii_case(name));
        let opened = |name: &str| {
            let attributes =
                rest(name).filter(|rest| rest.starts_with(|next: char| next.is_whitespace() || next == '>'));
            attributes?.split_once('>')
        };
        if let Some(after) = rest("/seg>") {
            return Some((Tag::EndOfSegment(&text[..start]), after));
        }
        let document = opened("doc").map(|(attributes, after)| (Tag::Document(attributes), after));
        document.or_else(|| opened("seg").map(|(attributes, after)| (Tag::Segment(attributes), after)))
    })
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
        if found.split_whitespace().next_back().is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return Some(value);
        }
        attributes = following;
    }
    None
}

/// The text of a segment: entities stand for their characters, and line ends for spaces.
fn plain(content: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(content.len()), content.trim());
    while let Some(start) = rest.find('&') {
        text += &rest[..start];
        rest = &rest[start..];
        let entity = rest[1..].split_once(';').and_then(|(name, after)| Some((character(name)?, after)));
        let (symbol, after) = entity.unwrap_or(('&', &rest[1..]));
        text.push(symbol);
        rest = after;
    }
    text += rest;
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

/// The character of an entity: `amp`, `#39` or `#x27`.
fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        "amp" => return Some('&'),
        _ => {}
    }
    let number = entity.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?).filter(|&symbol| symbol != '\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Texts {
        Texts::Marked(Documents::parse(text, "x").unwrap())
    }

    #[test]
    fn segments_are_found_in_sgml_that_is_no_xml() {
        let found = texts(
            "<DOC docid=\"x\"><seg id=\"7\"> a &amp;lt; b </seg>\n<seg id='8'>R&D, 1 < 2; <segue> &#x; &</seg>\
             <SEG docid=\"d 1\" ID=9 >c\r\nd &#38;#39; &#233;&#xE9;&#XEA; &nope;</SEG>",
        );
        let expected = [("7", "a &lt; b"), ("8", "R&D, 1 < 2; <segue> &#x; &"), ("9", "c d &#39; ééê &nope;")];
        for (id, text) in expected {
            assert_eq!([found.get(id), found.get(&format!("x:{id}"))], [Some(text); 2]);
        }
        assert_eq!([found.get("1"), found.get("y:7"), found.get("")], [None; 3]);
    }

    #[test]
    fn numbers_count_segments_where_ids_restart() {
        let (a, b) = ("<doc docid=a><seg id=1>one</seg><seg id=2>two</seg>", "<doc docid=b><seg id=1>three</seg>");
        let (straight, turned) = (texts(&format!("{a}{b}")), texts(&format!("{b}{a}")));
        let lines = Texts::Lines(["one", "two", "three"].map(str::to_owned).to_vec());
        for (id, text) in [("1", "one"), ("3", "three"), ("a:2", "two"), ("b:1", "three")] {
            for other in [&straight, &turned, &lines] {
                assert_eq!(other.get_as_in(&straight, id), Some(text), "{id}");
            }
        }
        assert!(straight.restarts() && !lines.restarts() && !texts(a).restarts());
        assert_eq!([straight.get("4"), straight.get("0"), straight.get("b:2"), straight.get("c:1")], [None; 4]);
        // Where they do not, they name segments whatever the document is called.
        assert_eq!(texts(&a.replace("docid=a", "docid=c")).get_as_in(&texts(a), "2"), Some("two"));
    }

    #[test]
    fn what_is_no_segment_is_refused() {
        for (text, expected) in [
            ("<seg id=1>a</seg>\n<seg id=1>b</seg>", "x:2: expected every segment once, found segment '1' again; "),
            (
                "<doc docid=a>\n<seg id=1>a</seg><seg id=1>b</seg>",
                "x:2: expected every segment once, found segment '1' of document 'a' again; ",
            ),
            ("<seg>a</seg>", "x:1: expected <seg id=...>, found ''; "),
            ("<seg id=1>a\n<seg id=2>b</seg>", "x:1: expected </seg> after the segment, found none; "),
            ("<seg id=1>a\n", "x:1: expected </seg> after the segment, found none; "),
        ] {
            let message = Documents::parse(text, "x").unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
