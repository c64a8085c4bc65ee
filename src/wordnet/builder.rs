//! In: a dict folder. Out: the bytes of the index, always the same for the same folder. Next: index.

use std::collections::BTreeMap;
use std::path::Path;

use super::PartOfSpeech;
use super::dict::{Dict, Part};
use super::format::{self, LONGEST_WORD};
use super::line::invalid_at;
use super::runs::{NONE, RunTable, WIDTH, push_run};
use crate::error::{Error, Result, quoted};

/// Builds the bytes of an index of the WordNet in `folder`, an official `dict` folder.
pub fn build_index(folder: &Path) -> Result<Vec<u8>> {
    let numbered = Numbered::new(Dict::read(folder)?, folder)?;
    let mut senses = Vec::new();
    let mut places = BTreeMap::new();
    for (lemma, synsets) in numbered.senses()? {
        places.insert(lemma, numbered.fitting(senses.len() / WIDTH)?);
        push_run(&mut senses, &synsets);
    }
    numbered.fitting(senses.len() / WIDTH)?;
    let lemmas = string_map(&places)?;
    let members = numbered.members(&places)?;
    let (exceptions, base_forms) = numbered.exceptions()?;
    let counts = numbered.dict.parts.each_ref().map(|part| part.synsets.len() as u32);
    let sections: [&[u8]; 6] = [&lemmas, &senses, &exceptions, &base_forms, &members.heads, &members.tails];
    format::write(&numbered.dict.version, counts, sections)
}

/// A dict folder with numbered synsets: nouns from 0, then verbs, adjectives and adverbs.
struct Numbered<'a> {
    folder: &'a Path,
    dict: Dict,
    /// The number of the first synset of each part of speech.
    first: [u32; 4],
}

impl<'a> Numbered<'a> {
    fn new(dict: Dict, folder: &'a Path) -> Result<Numbered<'a>> {
        let mut numbered = Numbered { folder, dict, first: [0; 4] };
        let mut count = 0;
        for part in 0..numbered.first.len() {
            numbered.first[part] = numbered.fitting(count)?;
            count += numbered.dict.parts[part].synsets.len();
        }
        numbered.fitting(count)?;
        Ok(numbered)
    }

    /// `count`, if it fits into three bytes with one bit to spare.
    fn fitting(&self, count: usize) -> Result<u32> {
        u32::try_from(count).ok().filter(|&count| count < NONE).ok_or_else(|| {
            let place = self.folder.display().to_string();
            let expected = format!("fewer than {NONE} synsets, senses and members");
            Error::invalid(place, expected, count.to_string(), "use a smaller WordNet")
        })
    }

    /// The number of the synset at `offset`, which line `line` of `file` refers to.
    fn number(&self, part_of_speech: PartOfSpeech, offset: u32, file: &Path, line: usize) -> Result<u32> {
        let part = &self.dict.parts[part_of_speech as usize];
        let row = part.row(offset).ok_or_else(|| {
            let expected = format!("the offset of a synset in {}", part.data_file.display());
            invalid_at(file, line, expected, &format!("{offset:08}"))
        })?;
        Ok(self.first[part_of_speech as usize] + row as u32)
    }

    fn parts(&self) -> impl Iterator<Item = (PartOfSpeech, &Part)> {
        PartOfSpeech::ALL.into_iter().zip(&self.dict.parts)
    }

    /// Every lemma with its synsets, ordered by part of speech, then by sense.
    fn senses(&self) -> Result<BTreeMap<&str, Vec<u32>>> {
        let mut senses: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (part_of_speech, part) in self.parts() {
            for lemma in &part.lemmas {
                if lemma.text.len() > LONGEST_WORD {
                    let expected = format!("a lemma of at most {LONGEST_WORD} bytes");
                    let found = format!("{} bytes", lemma.text.len());
                    return Err(invalid_at(&part.index_file, lemma.line, expected, &found));
                }
                let synsets = senses.entry(&lemma.text).or_default();
                for &offset in &lemma.offsets {
                    let file = &part.index_file;
                    synsets.push(self.number(part_of_speech, offset, file, lemma.line)?);
                }
            }
        }
        Ok(senses)
    }

    /// The words of every synset, each as the number that `places` gives for its lemma.
    fn members(&self, places: &BTreeMap<&str, u32>) -> Result<RunTable> {
        let mut table = RunTable::default();
        for (_, part) in self.parts() {
            for synset in &part.synsets {
                let numbers = synset.members.iter().map(|word| {
                    places.get(word.as_str()).copied().ok_or_else(|| {
                        let expected = format!("a word of {}", part.index_file.display());
                        invalid_at(&part.data_file, synset.line, expected, &quoted(word))
                    })
                });
                table.push(&numbers.collect::<Result<Vec<u32>>>()?);
            }
        }
        self.fitting(table.tails.len() / WIDTH)?;
        Ok(table)
    }

    /// The map from inflected words to lines, and the lines of base forms: `naxis nax vaxe`.
    fn exceptions(&self) -> Result<(Vec<u8>, Vec<u8>)> {
        let mut words: BTreeMap<&str, [&[String]; 4]> = BTreeMap::new();
        for (part_of_speech, part) in self.parts() {
            for exception in &part.exceptions {
                // If two lines have the same word, such as aurar or involucra, NLTK uses the last.
                let forms = words.entry(&exception.word).or_default();
                forms[part_of_speech as usize] = &exception.base_forms;
            }
        }
        let mut text = String::new();
        let mut places = BTreeMap::new();
        for (word, forms) in words {
            places.insert(word, self.fitting(text.len())?);
            let tokens = PartOfSpeech::ALL.iter().zip(forms).flat_map(|(part_of_speech, forms)| {
                forms.iter().map(|form| format!("{}{form}", part_of_speech.letter()))
            });
            text.push_str(&tokens.collect::<Vec<_>>().join(" "));
            text.push('\n');
        }
        Ok((string_map(&places)?, text.into_bytes()))
    }
}

fn string_map(places: &BTreeMap<&str, u32>) -> Result<Vec<u8>> {
    let map = fst::Map::from_iter(places.iter().map(|(word, &place)| (word, u64::from(place))));
    match map {
        Ok(map) => Ok(map.into_fst().into_inner()),
        Err(error) => Err(format::invalid_index("sorted words", error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wordnet::sample::{FILES, SampleDict};
    use crate::wordnet::{SynsetId, WordNet};

    fn message(sample: &SampleDict) -> String {
        WordNet::from_dict(sample.folder()).expect_err("a damaged folder").to_string()
    }

    #[test]
    fn the_sample_comes_back() {
        let sample = SampleDict::new();
        let wordnet = WordNet::from_dict(sample.folder()).expect("the sample");
        let synsets = |lemma| wordnet.synsets(lemma).map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(wordnet.version(), "3.0");
        assert_eq!(synsets("goose"), [1, 4]);
        assert_eq!(synsets("good"), [6, 5, 8]);
        let members: Vec<_> = wordnet.members(SynsetId(1)).collect();
        assert_eq!(members, ["goose", "web-footed_bird"]);
        assert_eq!(wordnet.members(SynsetId(4)).count(), 10);
        assert_eq!(wordnet.members(SynsetId(5)).collect::<Vec<_>>(), ["good"]);
        assert_eq!(wordnet.exceptions("geese").map(|base| base.lemma).collect::<Vec<_>>(), ["goose"]);
        assert_eq!(wordnet.exceptions("forewent").count(), 1);
    }

    #[test]
    fn the_same_folder_gives_the_same_bytes() {
        let sample = SampleDict::new();
        let build = || build_index(sample.folder()).expect("the sample");
        assert_eq!(build(), build());
    }

    #[test]
    fn a_missing_file_is_named() {
        for (file, _) in FILES {
            let sample = SampleDict::new();
            sample.remove(file);
            let message = message(&sample);
            assert!(message.contains(file) && message.contains("wordnet-base"), "{message}");
        }
    }

    #[test]
    fn errors_name_the_line_and_what_is_wrong() {
        for (file, from, to, parts) in [
            ("data.noun", "00000103 15", "00000102 15", ["data.noun:4", "ascend"]),
            ("data.noun", "02 goose", "zz goose", ["data.noun:3", "number of words"]),
            ("data.noun", "15 n", "15 s", ["data.noun:4", "the type n"]),
            ("data.noun", "Paris", "Rome", ["data.noun:4", "'rome'"]),
            ("index.noun", "paris n 1", "paris n 2", ["index.noun:4", "the end of the line"]),
            ("index.noun", "paris n 1 1 @i", "paris n 1 0 @i", ["index.noun:4", "as many"]),
            ("index.noun", "paris n", "paris v", ["index.noun:4", "the part of speech n"]),
            ("index.adj", "00000102 00000101", "00000102 00000103", ["index.adj:1", "data.adj"]),
            ("index.adv", "1 0 00000101", "1 0 00000101 00000102", ["index.adv:2", "as many"]),
            ("noun.exc", "geese goose", "geese", ["noun.exc:2", "a base form"]),
        ] {
            let sample = SampleDict::new();
            let whole = FILES.iter().find(|(name, _)| *name == file).expect(file).1;
            let damaged = whole.replacen(from, to, 1);
            assert_ne!(damaged, whole, "{file} has {from}");
            sample.write(file, damaged.as_bytes());
            let message = message(&sample);
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        }
    }

    #[test]
    fn a_word_too_long_is_refused() {
        let sample = SampleDict::new();
        let word = "x".repeat(LONGEST_WORD + 1);
        sample.write("index.adv", format!("{word} r 1 0 1 0 00000101\n").as_bytes());
        assert!(message(&sample).contains("at most 255 bytes"));
    }

    #[test]
    fn damage_anywhere_never_panics() {
        for (file, contents) in FILES {
            let sample = SampleDict::new();
            for place in (0..contents.len()).step_by(7) {
                sample.write(file, &contents.as_bytes()[..place]);
                let _ = build_index(sample.folder());
                let mut bytes = contents.as_bytes().to_vec();
                bytes[place] = 0xff;
                sample.write(file, &bytes);
                let _ = build_index(sample.folder());
            }
        }
    }
}
