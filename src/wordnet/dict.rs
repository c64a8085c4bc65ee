//! In: an official `dict` folder: index.*, data.* and *.exc, as in wndb(5WN). Out: its records. Next: builder.
// wordnet-db 0.1.3 does not read *.exc, names files without their folder, and depends on memmap2 and anyhow.

use std::path::{Path, PathBuf};

use super::PartOfSpeech;
use super::line::{Line, for_each_line, wordnet_version};
use crate::error::Result;

/// A dict folder in memory, with offsets unresolved.
pub(super) struct Dict {
    pub version: String,
    /// In the order of `PartOfSpeech::ALL`.
    pub parts: [Part; 4],
}

/// The files of one part of speech, in the order of their lines.
pub(super) struct Part {
    pub data_file: PathBuf,
    pub index_file: PathBuf,
    /// By ascending offset.
    pub synsets: Vec<Synset>,
    pub lemmas: Vec<Lemma>,
    pub exceptions: Vec<Exception>,
}

/// A line of data.*.
pub(super) struct Synset {
    pub line: usize,
    pub offset: u32,
    /// Lower-case, without the syntactic markers of adjectives.
    pub members: Vec<String>,
}

/// A line of index.*, with its synsets in the order of senses.
pub(super) struct Lemma {
    pub line: usize,
    pub text: String,
    pub offsets: Vec<u32>,
}

/// A line of *.exc.
pub(super) struct Exception {
    pub word: String,
    pub base_forms: Vec<String>,
}

impl Dict {
    pub(super) fn read(folder: &Path) -> Result<Dict> {
        let [noun, verb, adjective, adverb] =
            PartOfSpeech::ALL.map(|part_of_speech| Part::read(folder, part_of_speech));
        let parts = [noun?, verb?, adjective?, adverb?];
        Ok(Dict { version: wordnet_version(&folder.join("data.adj"))?, parts })
    }
}

impl Part {
    fn read(folder: &Path, part_of_speech: PartOfSpeech) -> Result<Part> {
        let suffix = suffix(part_of_speech);
        let mut part = Part {
            data_file: folder.join(format!("data.{suffix}")),
            index_file: folder.join(format!("index.{suffix}")),
            synsets: Vec::new(),
            lemmas: Vec::new(),
            exceptions: Vec::new(),
        };
        for_each_line(&part.data_file, |line| {
            let last = part.synsets.last().map(|synset: &Synset| synset.offset);
            part.synsets.push(read_synset(line, part_of_speech, last)?);
            Ok(())
        })?;
        for_each_line(&part.index_file, |line| {
            part.lemmas.push(read_lemma(line, part_of_speech)?);
            Ok(())
        })?;
        for_each_line(&folder.join(format!("{suffix}.exc")), |line| {
            part.exceptions.push(read_exception(line)?);
            Ok(())
        })?;
        Ok(part)
    }

    /// The index in `synsets` of the synset at `offset` of data.*.
    pub(super) fn row(&self, offset: u32) -> Option<usize> {
        self.synsets.binary_search_by_key(&offset, |synset| synset.offset).ok()
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
    let members = (0..words).map(|_| read_member(line)).collect::<Result<_>>()?;
    Ok(Synset { line: line.number, offset, members })
}

fn read_member(line: &mut Line) -> Result<String> {
    let word = line.field("a word of the synset")?;
    line.skip(1, "the number of a word")?;
    let marker = word.ends_with(')').then(|| word.rfind('(')).flatten();
    Ok(word[..marker.unwrap_or(word.len())].to_lowercase())
}

/// `lemma part synsets symbols (symbol)... senses tagged (offset)...`
fn read_lemma(line: &mut Line, own: PartOfSpeech) -> Result<Lemma> {
    let text = line.field("a lemma")?.to_owned();
    let letter = line.field("a part of speech")?;
    if letter != own.letter().to_string() {
        return Err(line.invalid_field(&format!("the part of speech {}", own.letter()), letter));
    }
    let synsets = line.number("the number of synsets", 10)?;
    let symbols = line.number("the number of pointer symbols", 10)?;
    line.skip(symbols, "a pointer symbol")?;
    line.skip(2, "the number of senses")?;
    let offsets = (0..synsets).map(|_| line.number("the offset of a synset", 10));
    let offsets: Vec<u32> = offsets.collect::<Result<_>>()?;
    if offsets.is_empty() || !line.is_at_end() {
        let expected = "as many offsets as the line states, at least one";
        return Err(line.invalid_field(expected, &synsets.to_string()));
    }
    Ok(Lemma { line: line.number, text, offsets })
}

/// `word (base form)...`
fn read_exception(line: &mut Line) -> Result<Exception> {
    let word = line.field("an inflected word")?.to_owned();
    let mut base_forms = vec![line.field("a base form")?.to_owned()];
    while !line.is_at_end() {
        base_forms.push(line.field("a base form")?.to_owned());
    }
    Ok(Exception { word, base_forms })
}
