//! The licences of the program and of the data and crates inside it.

use serde::Serialize;

use crate::{metrics, wordnet};

/// A part of the program with its licence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Licence {
    /// The licensed part.
    pub of: &'static str,
    /// The licence, as an SPDX expression if there is one.
    pub licence: &'static str,
    /// The notice, or the whole licence text.
    pub text: &'static str,
}

/// The licences of everything inside the program. WordNet's and METEOR's must accompany every copy.
pub fn all() -> Vec<Licence> {
    let own = "MIT OR Apache-2.0";
    let mut all = vec![
        Licence { of: "Tribunal", licence: own, text: NOTICE },
        Licence { of: "Tribunal, at your option", licence: "MIT", text: include_str!("../../LICENSE-MIT") },
        Licence { of: "Tribunal, at your option", licence: "Apache-2.0", text: include_str!("../../LICENSE-APACHE") },
        Licence { of: "WordNet 3.0", licence: "WordNet", text: wordnet::LICENSE },
    ];
    if metrics::meteor::HAS_DATA {
        let of = "METEOR 1.5's data for English";
        all.push(Licence { of, licence: "LGPL-2.1-only", text: metrics::meteor::NOTICE });
        all.push(Licence { of, licence: "LGPL-2.1-only", text: metrics::meteor::LICENSE });
    }
    all.push(Licence { of: "Crates", licence: "of each", text: include_str!("../../docs/crates.txt") });
    all
}

/// The notice for the program as a whole.
const NOTICE: &str = "\
The source of Tribunal is under the MIT licence or the Apache licence 2.0, at your option.
Data of others is compiled into the program: WordNet 3.0, under its own licence, and, unless it was built without the
cargo feature 'meteor-data', four files of METEOR 1.5, under the GNU Lesser General Public License 2.1. A copy of the
program comes with the notices below; docs/licences.md says what else they ask for.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_text() {
        let all = all();
        let text = |of: &str| all.iter().filter(|part| part.of == of).map(|part| part.text).collect::<String>();
        assert!(text("WordNet 3.0").contains("Princeton University"));
        assert!(all.iter().all(|part| !part.text.trim().is_empty()));
        #[cfg(feature = "meteor-data")]
        assert!(text("METEOR 1.5's data for English").contains("GNU LESSER GENERAL PUBLIC LICENSE"));
    }
}
