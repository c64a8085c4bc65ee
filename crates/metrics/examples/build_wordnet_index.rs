//! Builds the WordNet index from an official dict folder: index.*, data.* and *.exc, as in wndb(5WN).
//!
//! ```text
//! cargo run --release --package tribunal-text-metrics --example build_wordnet_index -- \
//!     /usr/share/wordnet crates/metrics/data/wordnet/wordnet-3.0.idx
//! ```
//!
//! The same folder gives the same bytes, which `src/wordnet/format.rs` describes. Compiling the example requires an
//! existing index: the committed one will do.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use tribunal_text_metrics::wordnet::WordNet;
use xxhash_rust::xxh3::xxh3_64;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Endings of files and letters of the parts of speech, in the order of the index.
const PARTS: [(&str, &str); 4] = [("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")];

/// Longer words are not looked up.
const MAX_WORD_BYTES: usize = 255;

/// Bytes per number.
const WIDTH: usize = 3;
/// Marks the last number of a run.
const LAST: u32 = 1 << 23;
/// The row of an empty list; no table has that many tails.
const NONE: u32 = LAST - 1;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, index] = arguments.as_slice() else {
        return Err("usage: build_wordnet_index DICT_FOLDER INDEX_FILE".into());
    };
    let bytes = build(Path::new(folder))?;
    // Renamed when it is complete, so that an incomplete index never appears under the name.
    let neighbour = Path::new(index).with_extension("new");
    fs::write(&neighbour, &bytes)?;
    fs::rename(&neighbour, index)?;

    let size = bytes.len();
    let wordnet = WordNet::from_bytes(Cow::Owned(bytes))?;
    println!("WordNet {}, {size} bytes, fingerprint {:016x}", wordnet.version(), wordnet.fingerprint());
    println!("{:?}", wordnet.counts());
    Ok(())
}

fn build(folder: &Path) -> Result<Vec<u8>> {
    let mut parts = Vec::new();
    let mut count = 0;
    for (ending, letter) in PARTS {
        let synsets = synsets(&folder.join(format!("data.{ending}")), letter)?;
        count += synsets.len();
        parts.push(synsets);
    }
    fitting(count)?;
    let (mut senses, mut positions) = (Vec::new(), BTreeMap::new());
    for (lemma, synsets) in lemmas(folder, &parts)? {
        positions.insert(lemma, fitting(senses.len() / WIDTH)?);
        push_run(&mut senses, &synsets);
    }
    fitting(senses.len() / WIDTH)?;
    let [heads, tails] = members(&parts, &positions)?;
    let (exceptions, base_forms) = exceptions(folder)?;
    let sections = [string_map(&positions)?, senses, exceptions, base_forms, heads, tails];
    let adjectives = fs::read_to_string(folder.join("data.adj"))?;
    // As the licence states it: `WordNet 3.0 Copyright 2006 ...`.
    let version = adjectives.split_once(" Copyright ").and_then(|(before, _)| before.rsplit_once("WordNet "));
    write(version.ok_or("data.adj: no version of WordNet")?.1, &parts, &sections)
}

/// `count`, if it fits into three bytes with one bit to spare.
fn fitting(count: usize) -> Result<u32> {
    Ok(u32::try_from(count).ok().filter(|&count| count < NONE).ok_or("too many synsets, senses or members")?)
}

/// The lines of a file with their fields, except those of the licence, which begin with a space.
fn lines(path: &Path) -> Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
    Ok(lines.map(|line| line.split_ascii_whitespace().map(str::to_owned).collect()).collect())
}

/// The fields of a line, read one after the other.
struct Fields<'a>(&'a [String]);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a str> {
        let (first, rest) = self.0.split_first().ok_or("expected another field, found the end of the line")?;
        self.0 = rest;
        Ok(first)
    }

    fn number(&mut self, radix: u32) -> Result<u32> {
        let field = self.next()?;
        Ok(u32::from_str_radix(field, radix).map_err(|error| format!("{field}: {error}"))?)
    }

    fn skip(&mut self, count: u32) -> Result<()> {
        (0..count).try_for_each(|_| self.next().map(drop))
    }
}

/// A line of data.*.
struct Synset {
    offset: u32,
    /// Lower-case, without the syntactic markers of adjectives.
    members: Vec<String>,
}

/// `offset file type words (word id)... pointers ... | gloss`; the fields after the words are ignored. In the order of
/// lines, which is that of offsets.
fn synsets(path: &Path, letter: &str) -> Result<Vec<Synset>> {
    let synset = |line: &Vec<String>| -> Result<Synset> {
        let mut fields = Fields(line);
        let offset = fields.number(10)?;
        fields.skip(1)?;
        let kind = fields.next()?;
        if kind != letter && (kind, letter) != ("s", "a") {
            return Err(format!("{offset:08}: expected the type {letter}, found {kind}").into());
        }
        let mut members = Vec::new();
        for _ in 0..fields.number(16)? {
            let word = fields.next()?;
            let marker = word.ends_with(')').then(|| word.rfind('(')).flatten();
            members.push(word[..marker.unwrap_or(word.len())].to_lowercase());
            fields.skip(1)?;
        }
        Ok(Synset { offset, members })
    };
    let synsets: Vec<Synset> = lines(path)?.iter().map(synset).collect::<Result<_>>()?;
    if !synsets.is_sorted_by(|one, other| one.offset < other.offset) {
        return Err(format!("{}: expected ascending offsets", path.display()).into());
    }
    Ok(synsets)
}

/// Every lemma of index.* with its synsets, ordered by part of speech, then by sense:
/// `lemma part synsets symbols (symbol)... senses tagged (offset)...`
fn lemmas(folder: &Path, parts: &[Vec<Synset>]) -> Result<BTreeMap<String, Vec<u32>>> {
    let mut senses: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut first = 0;
    for ((ending, _), synsets) in PARTS.iter().zip(parts) {
        for line in lines(&folder.join(format!("index.{ending}")))? {
            let mut fields = Fields(&line);
            let lemma = fields.next()?.to_owned();
            if lemma.len() > MAX_WORD_BYTES {
                return Err(format!("{lemma}: expected at most {MAX_WORD_BYTES} bytes").into());
            }
            fields.skip(1)?;
            let (count, symbols) = (fields.number(10)?, fields.number(10)?);
            fields.skip(symbols + 2)?;
            for _ in 0..count {
                let offset = fields.number(10)?;
                let row = synsets.binary_search_by_key(&offset, |synset| synset.offset);
                let row = row.map_err(|_| format!("{lemma}: no synset has the offset {offset:08}"))?;
                senses.entry(lemma.clone()).or_default().push(first + row as u32);
            }
        }
        first += synsets.len() as u32;
    }
    Ok(senses)
}

/// The words of every synset, each as the number that `positions` gives for its lemma: heads and tails.
fn members(parts: &[Vec<Synset>], positions: &BTreeMap<String, u32>) -> Result<[Vec<u8>; 2]> {
    let (mut heads, mut tails) = (Vec::new(), Vec::new());
    for synset in parts.iter().flatten() {
        let number = |word: &String| positions.get(word).copied().ok_or_else(|| format!("{word}: not in index.*"));
        let numbers = synset.members.iter().map(number).collect::<std::result::Result<Vec<u32>, _>>()?;
        match numbers.as_slice() {
            [] => push_number(&mut heads, NONE),
            [_] => push_run(&mut heads, &numbers),
            _ => {
                push_number(&mut heads, fitting(tails.len() / WIDTH)?);
                push_run(&mut tails, &numbers);
            }
        }
    }
    fitting(tails.len() / WIDTH)?;
    Ok([heads, tails])
}

/// From *.exc, the map from inflected words to lines, and the lines of base forms: `naxis nax vaxe`.
fn exceptions(folder: &Path) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut words: BTreeMap<String, [String; 4]> = BTreeMap::new();
    for (part, (ending, letter)) in PARTS.iter().enumerate() {
        for line in lines(&folder.join(format!("{ending}.exc")))? {
            let (word, bases) = line.split_first().expect("a line has a field");
            // If two lines have the same word, such as aurar or involucra, NLTK uses the last.
            words.entry(word.clone()).or_default()[part] =
                bases.iter().map(|base| format!(" {letter}{base}")).collect();
        }
    }
    let (mut text, mut positions) = (String::new(), BTreeMap::new());
    for (word, forms) in words {
        positions.insert(word, fitting(text.len())?);
        text.extend([forms.concat().trim_start(), "\n"]);
    }
    Ok((string_map(&positions)?, text.into_bytes()))
}

fn string_map(positions: &BTreeMap<String, u32>) -> Result<Vec<u8>> {
    let map = fst::Map::from_iter(positions.iter().map(|(word, &position)| (word, u64::from(position))))?;
    Ok(map.into_fst().into_inner())
}

/// Appends `numbers`, each below [`NONE`], to `section` as one run.
fn push_run(section: &mut Vec<u8>, numbers: &[u32]) {
    for (index, number) in numbers.iter().enumerate() {
        let mark = if index + 1 == numbers.len() { LAST } else { 0 };
        push_number(section, number | mark);
    }
}

fn push_number(section: &mut Vec<u8>, number: u32) {
    section.extend_from_slice(&number.to_le_bytes()[..WIDTH]);
}

/// The whole file: header and sections.
fn write(version: &str, parts: &[Vec<Synset>], sections: &[Vec<u8>; 6]) -> Result<Vec<u8>> {
    let mut body = version.as_bytes().to_vec();
    body.resize(16, 0);
    for count in parts.iter().map(Vec::len).chain(sections.iter().map(Vec::len)) {
        body.extend(u32::try_from(count)?.to_le_bytes());
    }
    body.extend(sections.concat());
    Ok([b"tribwn\r\n", &2_u32.to_le_bytes()[..], &xxh3_64(&body).to_le_bytes(), &body].concat())
}
