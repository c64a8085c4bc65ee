//! METEOR 1.5's data for English: word lists and the short entries of its paraphrase table. They are Carnegie Mellon
//! University's, under the LGPL 2.1, and are compiled in with the cargo feature `meteor-data`; without it
//! METEOR 1.5 is not available.

use crate::error::{Error, Result};

/// Whether the data is compiled into the program.
pub const HAS_DATA: bool = cfg!(feature = "meteor-data");

/// The copyright notice of the data, to be shown with every copy of it.
pub const NOTICE: &str = "\
METEOR 1.5: Automatic Machine Translation Evaluation System
Copyright Carnegie Mellon University; by Michael Denkowski and Alon Lavie.
Its lists of function words, of prefixes and of words whose synsets it takes for one, and the short entries of its
table of English paraphrases are inside this program, under the GNU Lesser General Public License 2.1, which follows.
They come with the source of this program, in crates/metrics/data/meteor, with all that is needed to build it with others in their
place.
";

/// The text of the licence.
pub const LICENSE: &str = include_str!("../../../data/meteor/LICENSE");

/// Function words, one per line.
#[cfg(feature = "meteor-data")]
pub(super) const FUNCTION_WORDS: &str = include_str!("../../../data/meteor/function-words.txt");
/// Words before a dot that is not a full stop.
#[cfg(feature = "meteor-data")]
pub(super) const PREFIXES: &str = include_str!("../../../data/meteor/prefixes.txt");
/// Sets of words whose synsets METEOR conflates.
#[cfg(feature = "meteor-data")]
pub(super) const COLLISIONS: &str = include_str!("../../../data/meteor/synset-collisions.txt");
/// The table of [`super::ParaphraseTable::embedded`].
#[cfg(feature = "meteor-data")]
pub(super) const PARAPHRASES: &[u8] = include_bytes!("../../../data/meteor/paraphrases.idx");

#[cfg(not(feature = "meteor-data"))]
pub(super) const FUNCTION_WORDS: &str = "";
#[cfg(not(feature = "meteor-data"))]
pub(super) const PREFIXES: &str = "";
#[cfg(not(feature = "meteor-data"))]
pub(super) const COLLISIONS: &str = "";
#[cfg(not(feature = "meteor-data"))]
pub(super) const PARAPHRASES: &[u8] = &[];

/// Checks that the data is available.
///
/// # Errors
/// The program was built without its data.
pub(super) fn check() -> Result<()> {
    let advice = "build with the cargo feature meteor-data, or use other metrics and models of your own";
    let missing = || Error::invalid("meteor", "a program with METEOR's data", "one that was built without it", advice);
    if HAS_DATA { Ok(()) } else { Err(missing()) }
}
