//! Segments of text, prepared once for all metrics.
//!
//! Metrics disagree on what a token is, so each one requests the [`View`]s of a sentence that it needs when it is
//! built. A [`Plan`] collects the requests, equal ones share a view, and preparing a sentence fills all views at once.
//! What is known about a word (stem, synsets) is looked up once per distinct word, in the [`Lexicon`].
//!
//! ```
//! use tribunal_text_metrics::text::{Form, Lexicon, Plan, Sentence, Tokenizer, View};
//! use tribunal_text_metrics::wordnet::WordNet;
//!
//! let mut plan = Plan::default();
//! let words = plan.add(View::new(Tokenizer::Words, Form::Lower).lexical());
//! let mut lexicon = Lexicon::new(WordNet::embedded());
//! let sentence = Sentence::prepare("The cat sat on the mat.", &plan, &mut lexicon);
//! assert_eq!(sentence.view(words).len(), 6);
//! assert_eq!(&*sentence.view(words).words[1].text, "cat");
//! ```

pub(crate) mod bytes;
pub(crate) mod character_grams;
pub mod english;
pub mod fingerprint;
pub(crate) mod lexicon;
mod models;
pub mod overlap;
pub mod punctuation;
pub mod python_whitespace;
mod sentence;
pub mod spans;
pub(crate) mod stem;
pub mod tokenizers;

pub use character_grams::{CharacterGrams, CharacterView};
pub use fingerprint::Fingerprint;
pub use lexicon::{Lexicon, Lexicons, Memory, Word};
pub use models::Models;
pub use overlap::Counts;
pub use sentence::{CustomView, CustomViewId, EncodedView, Form, Plan, Sentence, Tokens, View, ViewId};
pub use stem::Stemmer;
pub use tokenizers::Tokenizer;
