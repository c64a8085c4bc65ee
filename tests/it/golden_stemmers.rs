//! The stemmers against the programs that define them: tests/golden/stemmers.json.

use std::collections::BTreeMap;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use tribunal::text::Stemmer;
use tribunal::wordnet::WordNet;

#[derive(Deserialize)]
struct Golden {
    values: Values,
}

#[derive(Deserialize)]
struct Values {
    lemmas: usize,
    sha256: BTreeMap<String, String>,
    order: Vec<String>,
    words: BTreeMap<String, Vec<String>>,
}

/// Each stemmer with the names of its reference implementations in the file.
const STEMMERS: [(Stemmer, &[&str]); 4] = [
    (Stemmer::Snowball, &["snowballstemmer-2.2.0.english", "meteor-1.5.english"]),
    (Stemmer::Porter, &["nltk.PorterStemmer.ORIGINAL_ALGORITHM"]),
    (Stemmer::PorterMartin, &["nltk.PorterStemmer.MARTIN_EXTENSIONS"]),
    (Stemmer::PorterNltk, &["nltk.PorterStemmer.NLTK_EXTENSIONS"]),
];

fn golden() -> Values {
    let json = include_str!("../golden/stemmers.json");
    serde_json::from_str::<Golden>(json).expect("stemmers.json has the shape of its README").values
}

#[test]
fn every_sample_has_its_stem() {
    let golden = golden();
    for (stemmer, names) in STEMMERS {
        for name in names {
            let at = golden.order.iter().position(|known| known == name).expect("a known stemmer");
            for (word, stems) in &golden.words {
                // NLTK's stemmers lower-case their words.
                let word = if name.starts_with("nltk") { word.to_lowercase() } else { word.clone() };
                assert_eq!(stemmer.stem(&word), stems[at], "{word}, {name}");
            }
        }
    }
}

#[test]
fn every_lemma_of_wordnet_has_its_stem() {
    let golden = golden();
    let lemmas = WordNet::embedded().lemmas().collect::<Vec<_>>();
    assert_eq!(lemmas.len(), golden.lemmas);
    for (stemmer, names) in STEMMERS {
        let mut hash = Sha256::new();
        for lemma in &lemmas {
            hash.update(format!("{lemma}\t{}\n", stemmer.stem(lemma)));
        }
        let found = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        for name in names {
            assert_eq!(found, golden.sha256[*name], "{stemmer:?}, {name}");
        }
    }
}
