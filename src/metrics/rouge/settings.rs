//! The settings of ROUGE.

use std::fmt;

use crate::error::{Error, Result};
use crate::text::{Form, Stemmer, Tokenizer, View};

/// The highest order of n-grams that rouge-score has a name for.
pub const MAX_ORDER: usize = 9;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RougeKind {
    /// ROUGE-N: n-grams of this many tokens, 1 to [`MAX_ORDER`].
    N(usize),
    /// ROUGE-L: the longest common subsequence, with the whole text as one sentence.
    L,
    /// ROUGE-Lsum: the longest common subsequences of lines.
    LSum,
}

impl fmt::Display for RougeKind {
    /// rouge-score's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::N(order) => write!(formatter, "rouge{order}"),
            Self::L => formatter.write_str("rougeL"),
            Self::LSum => formatter.write_str("rougeLsum"),
        }
    }
}

/// The settings of [`Rouge`](super::Rouge).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RougeSettings {
    /// What is compared.
    pub kind: RougeKind,
    /// Compare stems ([`Stemmer::RougeScore`]) instead of words.
    pub stemming: bool,
}

impl RougeSettings {
    /// rouge-score's default: no stemming.
    pub fn new(kind: RougeKind) -> Self {
        Self { kind, stemming: false }
    }

    /// Checks the order.
    ///
    /// # Errors
    /// An order outside 1 to [`MAX_ORDER`].
    pub fn check(self) -> Result<CheckedRougeSettings> {
        if let RougeKind::N(order) = self.kind
            && !(1..=MAX_ORDER).contains(&order)
        {
            let expected = format!("1 to {MAX_ORDER}");
            return Err(Error::invalid("rouge: order", expected, order.to_string(), "choose another order of n-grams"));
        }
        Ok(CheckedRougeSettings(self))
    }

    pub(super) fn view(&self) -> View {
        let form = if self.stemming { Form::Stem(Stemmer::RougeScore) } else { Form::Lower };
        // If all kinds keep lines, they share one view.
        let view = View::new(Tokenizer::Rouge, form).lines();
        match self.kind {
            RougeKind::N(_) => view,
            RougeKind::L => view,
            RougeKind::LSum => view.ngrams(1),
        }
    }
}

/// Checked settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRougeSettings(pub(super) RougeSettings);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_bounds() {
        for order in [1, MAX_ORDER] {
            assert!(RougeSettings::new(RougeKind::N(order)).check().is_ok());
        }
        for order in [0, MAX_ORDER + 1] {
            let error = RougeSettings::new(RougeKind::N(order)).check().unwrap_err().to_string();
            assert!(error.starts_with("rouge: order: expected 1 to 9, found "), "{error}");
        }
    }
}
