//! Languages, by the names that WMT's files give them. Next: [`super::sources`].

use crate::judgments::language::{code_of, code_of_name};

/// The two-letter code, as in file names; an unknown name is returned in lower case.
fn code(name: &str) -> String {
    let name = name.trim().to_lowercase();
    // WMT's name for Spanish is the code of a sign language.
    if name == "esn" {
        return "es".to_owned();
    }
    code_of(&name).or_else(|| code_of_name(&name)).unwrap_or(name)
}

/// What file names call a language pair, the most specific first: `cs-en`, `csen`, `en`.
pub fn of_pair(source: &str, target: &str) -> Vec<String> {
    let [source, target] = [code(source), code(target)];
    vec![format!("{source}-{target}"), format!("{source}{target}"), target]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_languages_by_their_codes() {
        assert_eq!(of_pair("Czech", "eng"), ["cs-en", "csen", "en"]);
        assert_eq!(of_pair("esn", "cz")[0], "es-cz");
        assert_eq!(of_pair("de", "Klingonish"), ["de-klingonish", "deklingonish", "klingonish"]);
    }
}
