//! A dict folder of nine synsets with an example of each feature of the format, and tests of what is made from it.

use std::path::Path;

use super::format::MAX_WORD_BYTES;
use super::*;

/// File name and contents.
pub(super) const FILES: [(&str, &str); 12] = [
    (
        "data.noun",
        "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n\
         00000101 03 n 01 entity 0 002 ~ 00000102 n 0000 + 00000101 v 0101 | all there is\n\
         00000102 05 n 02 goose 0 web-footed_Bird 0 002 @ 00000101 n 0000 @ 00000101 n 0000 | bird\n\
         00000103 15 n 01 Paris 0 002 @i 00000101 n 0000 @i 00000102 n 0000 | a city\n",
    ),
    (
        "data.verb",
        "00000101 41 v 01 restrain 0 001 @ 00000102 v 0000 01 + 08 00 | keep back\n\
         00000102 41 v 0a inhibit 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 goose 1 \
         001 @ 00000101 v 0000 02 + 08 00 + 11 0a | keep back\n",
    ),
    (
        "data.adj",
        "  1 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n\
         00000101 00 a 01 good(p) 0 001 & 00000102 a 0000 | fine\n\
         00000102 00 s 02 good 1 well 0 001 & 00000101 a 0000 | healthy\n",
    ),
    ("data.adv", "00000101 02 r 01 well 0 000 | nicely\n00000102 02 r 01 good 0 000 | caf\u{e9}\n"),
    (
        "index.noun",
        "  1 This software\nentity n 1 1 ~ 1 0 00000101  \ngoose n 1 1 @ 1 1 00000102  \n\
         paris n 1 1 @i 1 0 00000103  \nweb-footed_bird n 1 0 1 0 00000102  \n",
    ),
    (
        "index.verb",
        "b v 1 1 @ 1 0 00000102\nc v 1 1 @ 1 0 00000102\nd v 1 1 @ 1 0 00000102\n\
         e v 1 1 @ 1 0 00000102\nf v 1 1 @ 1 0 00000102\ng v 1 1 @ 1 0 00000102\n\
         goose v 1 1 @ 1 0 00000102\nh v 1 1 @ 1 0 00000102\ni v 1 1 @ 1 0 00000102\n\
         inhibit v 1 1 @ 1 0 00000102\nrestrain v 1 1 @ 1 0 00000101\n",
    ),
    ("index.adj", "good a 2 1 & 2 1 00000102 00000101\nwell a 1 1 & 1 0 00000102\r\n"),
    ("index.adv", "good r 1 0 1 0 00000102\nwell r 1 0 1 0 00000101\n"),
    ("noun.exc", "geese gander\ngeese goose\n"),
    ("verb.exc", "forewent forego\n"),
    ("adj.exc", "better good well\n"),
    ("adv.exc", "better well\n"),
];

/// A temporary folder, deleted on drop.
pub(super) struct SampleDict {
    folder: tempfile::TempDir,
}

impl SampleDict {
    pub(super) fn new() -> SampleDict {
        let sample = SampleDict { folder: tempfile::tempdir().expect("a temporary folder") };
        FILES.iter().for_each(|(file, contents)| sample.write(file, contents.as_bytes()));
        sample
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn write(&self, file: &str, contents: &[u8]) {
        std::fs::write(self.folder().join(file), contents).expect("a temporary file");
    }

    pub(super) fn remove(&self, file: &str) {
        std::fs::remove_file(self.folder().join(file)).expect("a temporary file");
    }
}

#[test]
fn letters_name_the_parts_of_speech() {
    for part_of_speech in PartOfSpeech::ALL {
        assert_eq!(PartOfSpeech::from_letter(part_of_speech.letter()), Some(part_of_speech));
    }
    assert_eq!(PartOfSpeech::from_letter('x'), None);
}

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
    let word = "x".repeat(MAX_WORD_BYTES + 1);
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
