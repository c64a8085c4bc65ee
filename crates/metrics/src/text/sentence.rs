//! The views of a sentence that metrics request, and the sentence prepared with all of them.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use smallvec::SmallVec;

use super::fingerprint::{self, Fingerprint};
use super::lexicon::{Lexicon, Word};
use super::models::Models;
use super::punctuation;
use super::stem::Stemmer;
use super::tokenizers::Tokenizer;
use crate::encoder::{Encoded, Encoder};

/// The form of a token that comparisons use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The token as written.
    Cased,
    /// The token in lower case.
    Lower,
    /// The token of the lower-cased text, as in sacreBLEU: differs from [`Self::Lower`] where the lower case of a
    /// letter depends on its neighbours (a final sigma) or changes the tokenisation. The lower case is that of Rust's
    /// Unicode (17 in 1.95); 55 rare capitals of Unicode 16 and 17 have no lower case yet in Python 3.11 (Unicode 14).
    LowerText,
    /// The stem of the token in lower case.
    Stem(Stemmer),
}

/// One way of looking at a sentence: how it is tokenised, and in which form tokens are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    tokenizer: Tokenizer,
    form: Form,
    lexical: bool,
    lines: bool,
}

impl View {
    /// The tokens of one tokeniser in one form.
    pub fn new(tokenizer: Tokenizer, form: Form) -> Self {
        Self { tokenizer, form, lexical: false, lines: false }
    }

    /// Also looks each token up in the lexicon: stem, synsets, function word or not.
    pub fn lexical(self) -> Self {
        Self { lexical: true, ..self }
    }

    /// Tokenises each line (lines end at line feeds) separately, and keeps where lines end.
    pub fn lines(self) -> Self {
        Self { lines: true, ..self }
    }

    /// True if only the fingerprints of tokens are needed.
    fn is_plain(&self) -> bool {
        matches!(self.form, Form::Cased | Form::LowerText) && !self.lexical && !self.lines
    }

    /// True if both views cut a text into the same tokens.
    fn cuts_as(&self, other: &Self) -> bool {
        let is_of_lower_text = |view: &Self| view.form == Form::LowerText;
        self.tokenizer == other.tokenizer
            && self.lines == other.lines
            && is_of_lower_text(self) == is_of_lower_text(other)
    }

    fn serves(&self, other: &Self) -> bool {
        self.tokenizer == other.tokenizer && self.form == other.form && self.lines == other.lines
    }
}

/// The position of a view in a [`Plan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ViewId(usize);

/// A view of a text other than as tokens. A plan stores it without knowing its type.
pub trait CustomView: fmt::Debug + PartialEq + Send + Sync + 'static {
    /// What the view prepares from a text.
    type Output: Send + Sync + 'static;

    /// Prepares a text. Facts about words can be cached in the lexicon's [memory](Lexicon::memory).
    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> Self::Output;
}

/// The position of a [`CustomView`] in a [`Plan`]; it carries the type of the output.
#[derive(Debug, Clone, Copy)]
pub struct CustomViewId<V> {
    at: usize,
    view: PhantomData<fn() -> V>,
}

/// The hidden states of a text at a layer of an encoder, and its sentence embedding.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedView {
    encoder: Encoder,
    /// 0 for the embeddings of tokens.
    layer: usize,
}

impl CustomView for EncodedView {
    type Output = Arc<Encoded>;

    fn prepare(&self, text: &str, _lexicon: &mut Lexicon) -> Arc<Encoded> {
        self.encoder.encode(text, self.layer)
    }
}

/// The output of a [`CustomView`], with its type erased.
type Prepared = Arc<dyn Any + Send + Sync>;

/// A [`CustomView`] with its type erased.
trait AnyView: fmt::Debug + Send + Sync {
    fn prepare_any(&self, text: &str, lexicon: &mut Lexicon) -> Prepared;

    fn as_any(&self) -> &dyn Any;
}

impl<V: CustomView> AnyView for V {
    fn prepare_any(&self, text: &str, lexicon: &mut Lexicon) -> Prepared {
        Arc::new(self.prepare(text, lexicon))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// All views that the chosen metrics need.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    views: Vec<View>,
    custom_views: Vec<Arc<dyn AnyView>>,
    /// The views of tokens that were requested since [`Self::take_requested`], and whether others were.
    requested: Vec<ViewId>,
    has_requested_custom: bool,
    /// The models that metrics can request, and the views of encoders that they did.
    models: Models,
    encoded: Vec<EncodedView>,
}

impl Plan {
    /// Requests a view; shares one that another metric requested.
    pub fn add(&mut self, wanted: View) -> ViewId {
        let known = self.views.iter().position(|view| view.serves(&wanted));
        let at = known.unwrap_or_else(|| {
            self.views.push(wanted);
            self.views.len() - 1
        });
        self.views[at].lexical |= wanted.lexical;
        self.requested.push(ViewId(at));
        ViewId(at)
    }

    /// The views that were requested since the last call if all are of tokens, else none.
    pub fn take_requested(&mut self) -> Vec<ViewId> {
        let requested = std::mem::take(&mut self.requested);
        if std::mem::take(&mut self.has_requested_custom) { Vec::new() } else { requested }
    }

    /// Requests a view other than as tokens; shares one that another metric requested.
    pub fn add_custom<V: CustomView>(&mut self, wanted: V) -> CustomViewId<V> {
        self.has_requested_custom = true;
        let is_wanted = |view: &Arc<dyn AnyView>| view.as_any().downcast_ref() == Some(&wanted);
        let known = self.custom_views.iter().position(is_wanted);
        let at = known.unwrap_or_else(|| {
            self.custom_views.push(Arc::new(wanted));
            self.custom_views.len() - 1
        });
        CustomViewId { at, view: PhantomData }
    }

    /// Lets metrics request views of these models.
    pub fn set_models(&mut self, models: &Models) {
        self.models = models.clone();
    }

    /// The models that metrics can request views of.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// Requests the view of a layer of an encoder.
    pub fn add_encoded(&mut self, encoder: &Encoder, layer: usize) -> CustomViewId<EncodedView> {
        let view = EncodedView { encoder: encoder.clone(), layer };
        if !self.encoded.contains(&view) {
            self.encoded.push(view.clone());
        }
        self.add_custom(view)
    }

    /// The most bytes of texts whose views of an encoder are kept together; `None` if no such views are requested.
    pub fn bytes_at_once(&self) -> Option<usize> {
        self.encoded.iter().map(|view| view.encoder.bytes_at_once() / self.encoded.len()).min()
    }

    /// Encodes texts in batches, ahead of [`Sentence::prepare`], if views of an encoder are requested.
    pub fn encode_all(&self, texts: &[&str]) {
        self.encoded.iter().for_each(|view| view.encoder.encode_all(texts, view.layer));
    }
}

/// The tokens of a sentence in one [`View`].
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// One fingerprint per token, in order.
    pub ids: Vec<Fingerprint>,
    /// The lexicon's entry for each token (for its stem if the form is a stem), in order; empty unless the view is
    /// [lexical](View::lexical).
    pub words: Vec<Arc<Word>>,
    line_ends: Vec<usize>,
}

impl Tokens {
    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// True if the sentence has no tokens.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn end_line(&mut self) {
        self.line_ends.push(self.ids.len());
    }

    /// The fingerprints of each line that has tokens; empty unless the view keeps [lines](View::lines).
    pub fn lines(&self) -> impl Iterator<Item = &[Fingerprint]> {
        let starts = std::iter::once(0).chain(self.line_ends.iter().copied());
        starts.zip(&self.line_ends).map(|(start, &end)| &self.ids[start..end]).filter(|line| !line.is_empty())
    }
}

/// A sentence prepared once: all views of a [`Plan`].
#[derive(Debug, Clone)]
pub struct Sentence {
    text: String,
    source: Option<Arc<Sentence>>,
    views: Vec<Tokens>,
    custom: Vec<Prepared>,
}

impl Sentence {
    /// The number of sentences of the text, at least 1.
    pub fn sentences(&self) -> usize {
        punctuation::sentences(&self.text)
    }

    /// Prepares a text for all metrics of a plan.
    pub fn prepare(text: &str, plan: &Plan, lexicon: &mut Lexicon) -> Self {
        let views = all_views(text, plan, lexicon);
        let custom = plan.custom_views.iter().map(|view| view.prepare_any(text, lexicon)).collect();
        Self { text: text.to_owned(), source: None, views, custom }
    }

    /// The same sentence as a translation of another.
    pub fn of_source(self, source: Option<Arc<Self>>) -> Self {
        Self { source, ..self }
    }

    /// What it is a translation of, where that is known.
    pub fn source(&self) -> Option<&Self> {
        self.source.as_deref()
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tokens in a view.
    pub fn view(&self, id: ViewId) -> &Tokens {
        &self.views[id.0]
    }

    /// The output of a view other than as tokens.
    ///
    /// # Panics
    /// If the id belongs to another plan than the one that the sentence was prepared for.
    pub fn custom<V: CustomView>(&self, id: &CustomViewId<V>) -> &V::Output {
        let prepared: &(dyn Any + Send + Sync) = self.custom[id.at].as_ref();
        prepared.downcast_ref().unwrap_or_else(|| panic!("{id:?} is of another plan"))
    }
}

/// Bytes per token, at a guess: lower than in most texts, so that a list of tokens seldom has to grow.
const BYTES_PER_TOKEN: usize = 4;

/// The tokens of all views of a plan; views with the same tokenisation share it.
fn all_views(text: &str, plan: &Plan, lexicon: &mut Lexicon) -> Vec<Tokens> {
    let mut all = vec![Tokens::default(); plan.views.len()];
    for (at, view) in plan.views.iter().enumerate() {
        if plan.views[..at].iter().any(|earlier| earlier.cuts_as(view)) {
            continue;
        }
        let same: SmallVec<[usize; 8]> =
            (at..plan.views.len()).filter(|&other| plan.views[other].cuts_as(view)).collect();
        let lower = (view.form == Form::LowerText).then(|| text.to_lowercase());
        let text = lower.as_deref().unwrap_or(text);
        for &at in &same {
            all[at].ids.reserve(text.len() / BYTES_PER_TOKEN);
            all[at].words.reserve(if plan.views[at].lexical { text.len() / BYTES_PER_TOKEN } else { 0 });
        }
        if same.len() == 1 && view.is_plain() {
            view.tokenizer.tokenize(text, &mut |token| all[at].ids.push(fingerprint::of_token(token)));
            continue;
        }
        let mut add = |all: &mut [Tokens], text: &str| {
            view.tokenizer.tokenize(text, &mut |token| {
                let id = fingerprint::of_token(token);
                same.iter().for_each(|&at| add_token(&mut all[at], token, id, &plan.views[at], lexicon));
            });
        };
        if !view.lines {
            add(&mut all, text);
            continue;
        }
        for line in text.split('\n') {
            add(&mut all, line);
            same.iter().for_each(|&at| all[at].end_line());
        }
    }
    all
}

/// Adds a token to a view; `id` is the fingerprint of the token as written.
fn add_token(tokens: &mut Tokens, token: &str, id: Fingerprint, view: &View, lexicon: &mut Lexicon) {
    if view.lexical {
        tokens.words.push(match view.form {
            Form::Stem(stemmer) => {
                let stem = stemmer.stem(&token.to_lowercase());
                lexicon.word(&stem, fingerprint::of_token(&stem))
            }
            _ => lexicon.word(token, id),
        });
    }
    tokens.ids.push(match (view.form, tokens.words.last()) {
        (Form::Cased | Form::LowerText, _) => id,
        (Form::Lower, Some(word)) => word.id,
        (Form::Lower, None) => fingerprint::of_lower(token, id),
        (Form::Stem(stemmer), _) => lexicon.stem(token, id, stemmer),
    });
}
