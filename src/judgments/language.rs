//! Languages: files and users name them in many ways, and each has one code here.

use std::str::FromStr;

use isolang::Language as Iso;

use crate::error::{Error, Result, quoted};

/// The bibliographic codes of ISO 639-2 that differ from ISO 639-3. The list is closed: no language will be added.
const OTHER_CODES: [(&str, &str); 20] = [
    ("alb", "sq"),
    ("arm", "hy"),
    ("baq", "eu"),
    ("bur", "my"),
    ("chi", "zh"),
    ("cze", "cs"),
    ("dut", "nl"),
    ("fre", "fr"),
    ("geo", "ka"),
    ("ger", "de"),
    ("gre", "el"),
    ("ice", "is"),
    ("mac", "mk"),
    ("mao", "mi"),
    ("may", "ms"),
    ("per", "fa"),
    ("rum", "ro"),
    ("slo", "sk"),
    ("tib", "bo"),
    ("wel", "cy"),
];

/// The code for any other language.
const ANY: &str = "xx";

/// The language of hypotheses and references. `en-US`, `EN` and `eng` are the same language, `en`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language(String);

impl Default for Language {
    /// English.
    fn default() -> Self {
        Self("en".to_owned())
    }
}

impl Language {
    /// Whether it is English, for which all features are informative.
    pub fn is_english(&self) -> bool {
        self.0 == "en"
    }

    /// The two-letter code of ISO 639-1, or that of ISO 639-3 for languages without one.
    pub fn code(&self) -> &str {
        &self.0
    }
}

impl FromStr for Language {
    type Err = Error;

    /// Reads a tag such as `de`, `de-DE`, `zh-Hans-CN`, `deu` or `ger`; script, region and other subtags are ignored.
    /// `xx` stands for any other language.
    fn from_str(tag: &str) -> Result<Self> {
        let (first, rest) = tag.split_once(['-', '_']).unwrap_or((tag, "x"));
        let is_subtag =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let code = code_of(first).filter(|_| rest.split(['-', '_']).all(is_subtag));
        code.map(Self).ok_or_else(|| {
            let found = quoted(tag);
            let named = code_of_name(tag).map(|code| format!("write {code} for it"));
            let advice =
                named.unwrap_or_else(|| "write en for English, de or de-DE for German, xx for any other".into());
            Error::invalid("language", "a language of BCP 47 or ISO 639", found, advice)
        })
    }
}

/// The code of a language, given any of its codes.
pub(crate) fn code_of(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    if name == ANY {
        return Some(name);
    }
    if let Some((_, code)) = OTHER_CODES.iter().find(|(other, _)| *other == name) {
        return Some((*code).to_owned());
    }
    shortest(if name.len() == 2 { Iso::from_639_1(&name) } else { Iso::from_639_3(&name) })
}

/// The code of a language, given its English name.
pub(crate) fn code_of_name(name: &str) -> Option<String> {
    shortest(Iso::from_name_lowercase(&name.to_lowercase()))
}

fn shortest(language: Option<Iso>) -> Option<String> {
    language.map(|language| language.to_639_1().unwrap_or(language.to_639_3()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_a_language_have_one_code() {
        for (code, names) in [
            ("en", &["en", "EN", "eng", "en-US", "en_GB", "en-Latn-GB-oxendict"][..]),
            ("de", &["de", "de-DE", "DE-at", "deu", "ger"]),
            ("zh", &["zh", "zho", "chi", "zh-Hans-CN", "ZH-HANT"]),
            ("cs", &["cs", "cze", "ces"]),
            ("yue", &["yue", "yue-HK"]),
            ("xx", &["xx", "XX"]),
        ] {
            for name in names {
                assert_eq!(name.parse::<Language>().unwrap().code(), code, "{name}");
            }
        }
    }

    #[test]
    fn the_other_codes_are_those_of_no_other_language() {
        for (other, code) in OTHER_CODES {
            assert!(Iso::from_639_1(code).is_some(), "{code}");
            assert!(Iso::from_639_1(other).is_none() && Iso::from_639_3(other).is_none(), "{other}");
        }
    }

    #[test]
    fn what_is_no_language_is_refused() {
        for wrong in
            ["klingonish!", "", "-", "qq", "e", "en-", "en--US", "en-!", "en US", "123", "zzzz-DE", "englisch-x"]
        {
            let message = wrong.parse::<Language>().unwrap_err().to_string();
            assert!(message.starts_with("language: expected a language of BCP 47 or ISO 639, found '"), "{message}");
        }
        let message = "German".parse::<Language>().unwrap_err().to_string();
        assert!(message.ends_with("found 'German'; write de for it"), "{message}");
    }
}
