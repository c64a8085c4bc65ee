//! The languages of WMT, by the names that its files give them. Next: [`super::sources`].

/// Code of two letters, of three, another of three, and the English name.
const LANGUAGES: [[&str; 4]; 18] = [
    ["cs", "cze", "ces", "czech"],
    ["de", "ger", "deu", "german"],
    ["en", "eng", "eng", "english"],
    ["es", "spa", "esn", "spanish"],
    ["et", "est", "est", "estonian"],
    ["fi", "fin", "fin", "finnish"],
    ["fr", "fre", "fra", "french"],
    ["gu", "guj", "guj", "gujarati"],
    ["hi", "hin", "hin", "hindi"],
    ["hu", "hun", "hun", "hungarian"],
    ["ja", "jpn", "jpn", "japanese"],
    ["kk", "kaz", "kaz", "kazakh"],
    ["lt", "lit", "lit", "lithuanian"],
    ["lv", "lav", "lav", "latvian"],
    ["ro", "rum", "ron", "romanian"],
    ["ru", "rus", "rus", "russian"],
    ["tr", "tur", "tur", "turkish"],
    ["zh", "chi", "zho", "chinese"],
];

/// The code of two letters, as file names have it; other names stay as they are, in lower case.
pub fn code(name: &str) -> String {
    let name = name.trim().to_lowercase();
    LANGUAGES.iter().find(|names| names.contains(&name.as_str())).map_or(name, |names| names[0].to_owned())
}

/// What file names call a pair of languages, the most telling first: `cs-en`, `csen`, `en`.
pub fn of_pair(source: &str, target: &str) -> Vec<String> {
    let [source, target] = [code(source), code(target)];
    vec![format!("{source}-{target}"), format!("{source}{target}"), target]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_a_language_have_one_code() {
        for name in ["Czech", "cze", "ces", "cs", "CS "] {
            assert_eq!(code(name), "cs");
        }
        assert_eq!(of_pair("de", "Klingon"), ["de-klingon", "deklingon", "klingon"]);
    }
}
