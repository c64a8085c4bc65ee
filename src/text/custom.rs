//! In: a wish for a view that only one metric needs. Out: what it prepares of a text. Next: [`super::Plan`].
//!
//! A metric whose view of a text is of no use to others brings it along as a [`CustomView`]. A plan keeps it without
//! knowing what it is, equal wishes share one view, and the id that the plan gives out knows the type of what is
//! prepared.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::lexicon::Lexicon;

/// A view of a text that a metric brings along.
pub trait CustomView: fmt::Debug + PartialEq + Send + Sync + 'static {
    /// What is prepared of a text.
    type Output: Send + Sync + 'static;

    /// Prepares a text; what is known of words can be kept in the lexicon's [memory](Lexicon::memory).
    fn prepare(&self, text: &str, lexicon: &mut Lexicon) -> Self::Output;
}

/// Where a plan keeps a [`CustomView`].
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

/// What a [`CustomView`] prepared, of whatever type.
pub(super) type Prepared = Arc<dyn Any + Send + Sync>;

/// A [`CustomView`] of whatever type.
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

/// True where a kept view is the wanted one.
pub(super) fn is_same<V: CustomView>(kept: &dyn AnyView, wanted: &V) -> bool {
    kept.as_any().downcast_ref::<V>() == Some(wanted)
}
