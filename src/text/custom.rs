//! In: a metric's request for a view of its own. Out: what the view prepares from a text. Next: [`super::Plan`].
//!
//! A metric that needs a view of the text that no other metric shares defines it as a [`CustomView`]. A plan stores it
//! without knowing its type; equal requests share one view, and the id that the plan returns carries the type of the
//! output.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::lexicon::Lexicon;

/// A view of a text that a metric defines for itself.
pub trait CustomView: fmt::Debug + PartialEq + Send + Sync + 'static {
    /// What the view prepares from a text.
    type Output: Send + Sync + 'static;

    /// Prepares a text. Facts about words can be cached in the lexicon's [memory](Lexicon::memory).
    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> Self::Output;
}

/// The position of a [`CustomView`] in a plan.
pub struct CustomViewId<V> {
    pub(super) place: usize,
    view: PhantomData<fn() -> V>,
}

impl<V> CustomViewId<V> {
    pub(super) fn new(place: usize) -> Self {
        Self { place, view: PhantomData }
    }
}

impl<V> Clone for CustomViewId<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for CustomViewId<V> {}

impl<V> PartialEq for CustomViewId<V> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<V> Eq for CustomViewId<V> {}

impl<V> fmt::Debug for CustomViewId<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("CustomViewId").field(&self.place).finish()
    }
}

/// The output of a [`CustomView`], with its type erased.
pub(super) type Prepared = Arc<dyn Any + Send + Sync>;

/// A [`CustomView`] with its type erased.
pub(super) trait AnyView: fmt::Debug + Send + Sync {
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

/// True if the stored view equals the requested one.
pub(super) fn is_same<V: CustomView>(kept: &dyn AnyView, wanted: &V) -> bool {
    kept.as_any().downcast_ref::<V>() == Some(wanted)
}
