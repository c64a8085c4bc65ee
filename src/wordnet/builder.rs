//! Makes the index from an official `dict` folder: index.*, data.* and *.exc, as in wndb(5WN).
// wordnet-db 0.1.3 does not read *.exc, names files without their folder, and depends on memmap2 and anyhow.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::PartOfSpeech;
use super::format::{self, MAX_WORD_BYTES, NONE, RunTable, WIDTH, push_run};
use crate::error::{Error, Result, quoted};
use crate::files::limits::read_file;

const ADVICE: &str = "give an unchanged WordNet dict folder, such as /usr/share/wordnet of \
                      Debian's package wordnet-base";

/// The largest file that is read, in bytes; the largest one of WordNet 3.0 has 15 MB.
const MAX_FILE_BYTES: usize = 128 << 20;

/// Builds the bytes of an index of the WordNet in `folder`, an official `dict` folder: always the same for the same
/// folder.
pub fn build_index(folder: &Path) -> Result<Vec<u8>> {
    let mut parts = Vec::new();
    let mut count = 0;
    for part_of_speech in PartOfSpeech::ALL {
        let part = Part::read(folder, part_of_speech, fitting(count, folder)?)?;
        count += part.synsets.len();
        parts.push(part);
    }
    fitting(count, folder)?;
    let mut senses = Vec::new();
    let mut positions = BTreeMap::new();
    for (lemma, synsets) in read_senses(folder, &parts)? {
        positions.insert(lemma, fitting(senses.len() / WIDTH, folder)?);
        push_run(&mut senses, &synsets);
    }
    fitting(senses.len() / WIDTH, folder)?;
    let members = members(folder, &parts, &positions)?;
    let (exceptions, base_forms) = read_exceptions(folder)?;
    let counts = std::array::from_fn(|part| parts[part].synsets.len() as u32);
    let sections = [&string_map(&positions)?, &senses, &exceptions, &base_forms, &*members.heads, &*members.tails];
    format::write(&wordnet_version(&folder.join("data.adj"))?, counts, sections)
}

/// `count`, if it fits into three bytes with one bit to spare.
fn fitting(count: usize, folder: &Path) -> Result<u32> {
    u32::try_from(count).ok().filter(|&count| count < NONE).ok_or_else(|| {
        let expected = format!("fewer than {NONE} synsets, senses and members");
        Error::invalid(folder.display().to_string(), expected, count.to_string(), "use a smaller WordNet")
    })
}

/// The synsets of one part of speech.
struct Part {
    part_of_speech: PartOfSpeech,
    data_file: PathBuf,
    /// The number of the first synset: nouns come from 0, then verbs, adjectives and adverbs.
    first: u32,
    /// In the order of lines, which is that of offsets.
    synsets: Vec<Synset>,
}

/// A line of data.*.
struct Synset {
    line: usize,
    offset: u32,
    /// Lower-case, without the syntactic markers of adjectives.
    members: Vec<String>,
}

impl Part {
    fn read(folder: &Path, part_of_speech: PartOfSpeech, first: u32) -> Result<Self> {
        let data_file = folder.join(format!("data.{}", suffix(part_of_speech)));
        let mut synsets: Vec<Synset> = Vec::new();
        for_each_line(&data_file, |line| {
            let last = synsets.last().map(|synset| synset.offset);
            synsets.push(read_synset(line, part_of_speech, last)?);
            Ok(())
        })?;
        Ok(Self { part_of_speech, data_file, first, synsets })
    }

    /// The number of the synset at `offset`, which a line of index.* refers to.
    fn number(&self, offset: u32, line: &Line) -> Result<u32> {
        match self.synsets.binary_search_by_key(&offset, |synset| synset.offset) {
            Ok(row) => Ok(self.first + row as u32),
            Err(_) => {
                let expected = format!("the offset of a synset in {}", self.data_file.display());
                Err(line.invalid(&expected, &format!("{offset:08}")))
            }
        }
    }
}

fn suffix(part_of_speech: PartOfSpeech) -> &'static str {
    match part_of_speech {
        PartOfSpeech::Noun => "noun",
        PartOfSpeech::Verb => "verb",
        PartOfSpeech::Adjective => "adj",
        PartOfSpeech::Adverb => "adv",
    }
}

/// `offset file type words (word id)... pointers ... | gloss`; the fields after the words are ignored.
fn read_synset(line: &mut Line, own: PartOfSpeech, last: Option<u32>) -> Result<Synset> {
    let offset = line.number("the offset of a synset", 10)?;
    if last.is_some_and(|last| last >= offset) {
        return Err(line.invalid_field("ascending offsets", &format!("{offset:08}")));
    }
    line.skip(1, "the number of a lexicographer file")?;
    let synset_type = line.field("the type of a synset")?;
    let is_satellite = synset_type == "s" && own == PartOfSpeech::Adjective;
    if synset_type != own.letter().to_string() && !is_satellite {
        return Err(line.invalid_field(&format!("the type {}", own.letter()), synset_type));
    }
    let words = line.number("the number of words", 16)?;
    let mut member = || {
        let word = line.field("a word of the synset")?;
        line.skip(1, "the number of a word")?;
        let marker = word.ends_with(')').then(|| word.rfind('(')).flatten();
        Ok(word[..marker.unwrap_or(word.len())].to_lowercase())
    };
    let members = (0..words).map(|_| member()).collect::<Result<_>>()?;
    Ok(Synset { line: line.number, offset, members })
}

/// Every lemma of index.* with its synsets, ordered by part of speech, then by sense.
fn read_senses(folder: &Path, parts: &[Part]) -> Result<BTreeMap<String, Vec<u32>>> {
    let mut senses: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for part in parts {
        for_each_line(&folder.join(format!("index.{}", suffix(part.part_of_speech))), |line| {
            let (lemma, offsets) = read_lemma(line, part.part_of_speech)?;
            let synsets = senses.entry(lemma).or_default();
            offsets.into_iter().try_for_each(|offset| {
                synsets.push(part.number(offset, line)?);
                Ok(())
            })
        })?;
    }
    Ok(senses)
}

/// `lemma part synsets symbols (symbol)... senses tagged (offset)...`
fn read_lemma(line: &mut Line, own: PartOfSpeech) -> Result<(String, Vec<u32>)> {
    let lemma = line.field("a lemma")?.to_owned();
    if lemma.len() > MAX_WORD_BYTES {
        let expected = format!("a lemma of at most {MAX_WORD_BYTES} bytes");
        return Err(line.invalid(&expected, &format!("{} bytes", lemma.len())));
    }
    let letter = line.field("a part of speech")?;
    if letter != own.letter().to_string() {
        return Err(line.invalid_field(&format!("the part of speech {}", own.letter()), letter));
    }
    let synsets = line.number("the number of synsets", 10)?;
    let symbols = line.number("the number of pointer symbols", 10)?;
    line.skip(symbols, "a pointer symbol")?;
    line.skip(2, "the number of senses")?;
    let offsets = (0..synsets).map(|_| line.number("the offset of a synset", 10)).collect::<Result<Vec<u32>>>()?;
    if offsets.is_empty() || !line.is_at_end() {
        let expected = "as many offsets as the line states, at least one";
        return Err(line.invalid_field(expected, &synsets.to_string()));
    }
    Ok((lemma, offsets))
}

/// The words of every synset, each as the number that `positions` gives for its lemma.
fn members(folder: &Path, parts: &[Part], positions: &BTreeMap<String, u32>) -> Result<RunTable> {
    let mut table = RunTable::default();
    for part in parts {
        for synset in &part.synsets {
            let numbers = synset.members.iter().map(|word| {
                positions.get(word).copied().ok_or_else(|| {
                    let expected = format!("a word of index.{}", suffix(part.part_of_speech));
                    invalid_at(&part.data_file, synset.line, expected, &quoted(word))
                })
            });
            table.push(&numbers.collect::<Result<Vec<u32>>>()?);
        }
    }
    fitting(table.tails.len() / WIDTH, folder)?;
    Ok(table)
}

/// From *.exc, the map from inflected words to lines, and the lines of base forms: `naxis nax vaxe`.
fn read_exceptions(folder: &Path) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut words: BTreeMap<String, [String; 4]> = BTreeMap::new();
    for part_of_speech in PartOfSpeech::ALL {
        for_each_line(&folder.join(format!("{}.exc", suffix(part_of_speech))), |line| {
            let word = line.field("an inflected word")?.to_owned();
            let mut forms = String::new();
            while forms.is_empty() || !line.is_at_end() {
                forms.extend([' ', part_of_speech.letter()]);
                forms.push_str(line.field("a base form")?);
            }
            // If two lines have the same word, such as aurar or involucra, NLTK uses the last.
            words.entry(word).or_default()[part_of_speech as usize] = forms;
            Ok(())
        })?;
    }
    let mut text = String::new();
    let mut positions = BTreeMap::new();
    for (word, forms) in words {
        positions.insert(word, fitting(text.len(), folder)?);
        text.extend([forms.concat().trim_start(), "\n"]);
    }
    Ok((string_map(&positions)?, text.into_bytes()))
}

fn string_map(positions: &BTreeMap<String, u32>) -> Result<Vec<u8>> {
    let map = fst::Map::from_iter(positions.iter().map(|(word, &position)| (word, u64::from(position))));
    match map {
        Ok(map) => Ok(map.into_fst().into_inner()),
        Err(error) => Err(format::invalid_index("sorted words", error.to_string())),
    }
}

/// Calls `parse` with every line, except empty lines and those of the licence, which begin with a space.
fn for_each_line(file: &Path, mut parse: impl FnMut(&mut Line) -> Result<()>) -> Result<()> {
    let contents = read(file)?;
    let lines = contents.split(|&byte| byte == b'\n');
    for (number, rest) in (1..).zip(lines) {
        if rest.first().is_some_and(|first| !first.is_ascii_whitespace()) {
            parse(&mut Line { file, number, rest })?;
        }
    }
    Ok(())
}

/// The version that the licence states (`WordNet 3.0 Copyright 2006 ...`), or `unknown`.
fn wordnet_version(file: &Path) -> Result<String> {
    let contents = read(file)?;
    let licence = contents.split(|&byte| byte == b'\n').take_while(|line| line.starts_with(b" "));
    let version = licence.map(String::from_utf8_lossy).find_map(|line| {
        let (before, _) = line.split_once(" Copyright ")?;
        let (_, version) = before.rsplit_once("WordNet ")?;
        let usable = version.len() <= 16 && version.bytes().all(|byte| byte.is_ascii_graphic());
        usable.then(|| version.to_owned())
    });
    Ok(version.unwrap_or_else(|| "unknown".to_owned()))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    read_file(file, MAX_FILE_BYTES, "read this file of WordNet").map_err(|error| match error {
        Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            let expected = "a file of a WordNet dict folder";
            Error::invalid(file.display().to_string(), expected, "no such file", ADVICE)
        }
        _ => error,
    })
}

/// An error at a line of a file, for use after the line has been read.
fn invalid_at(file: &Path, number: usize, expected: impl Into<String>, found: &str) -> Error {
    Error::invalid(format!("{}:{number}", file.display()), expected, found, ADVICE)
}

/// A line, with `rest` still to be read.
struct Line<'a> {
    number: usize,
    file: &'a Path,
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    /// The next field; `expected` says what it should be.
    fn field(&mut self, expected: &str) -> Result<&'a str> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (field, rest) = rest.split_at(end);
        self.rest = rest;
        match str::from_utf8(field) {
            Ok("") => Err(self.invalid(expected, "the end of the line")),
            Ok(field) => Ok(field),
            Err(_) => Err(self.invalid(expected, "bytes that are not UTF-8")),
        }
    }

    fn number(&mut self, expected: &str, radix: u32) -> Result<u32> {
        let field = self.field(expected)?;
        u32::from_str_radix(field, radix).map_err(|_| self.invalid_field(expected, field))
    }

    /// Skips `fields` fields; `expected` says what each should be.
    fn skip(&mut self, fields: u32, expected: &str) -> Result<()> {
        (0..fields).try_for_each(|_| self.field(expected).map(drop))
    }

    fn is_at_end(&self) -> bool {
        self.rest.trim_ascii().is_empty()
    }

    fn invalid_field(&self, expected: &str, field: &str) -> Error {
        self.invalid(expected, &quoted(field))
    }

    fn invalid(&self, expected: &str, found: &str) -> Error {
        invalid_at(self.file, self.number, expected, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rest: &[u8]) -> Line<'_> {
        Line { number: 7, file: Path::new("data.noun"), rest }
    }

    #[test]
    fn errors_name_file_line_wanted_and_found() {
        let message = line(b"x1").number("an offset", 10).expect_err("no number").to_string();
        for part in ["data.noun:7", "an offset", "'x1'", "dict folder"] {
            assert!(message.contains(part), "{message}");
        }
        let long = [b'a'; 10_000];
        let message = line(&long).number("an offset", 10).expect_err("no number").to_string();
        assert!(message.len() < 300, "{message}");
        assert!(line(b" \t\r").field("a word").is_err());
    }
}
