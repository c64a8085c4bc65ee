//! Finds texts that a program quoted as for CSV in files that are read without quoting: their quotes became text.

use crate::error::{pluralized, quoted};
use crate::judgments::Pair;

/// The texts in quotes in which every quote is doubled: `"He said ""go"""`.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuotedTexts {
    count: usize,
    first: String,
}

impl QuotedTexts {
    /// Counts those of a pair.
    pub(crate) fn add(&mut self, pair: &Pair) {
        for text in pair.hypotheses.iter().chain(&pair.references).filter(|text| is_quoted(text)) {
            if self.count == 0 {
                self.first.clone_from(text);
            }
            self.count += 1;
        }
    }

    /// What to do about them; `None` if there are none.
    pub(crate) fn note(&self) -> Option<String> {
        let texts = pluralized(self.count, "text");
        (self.count > 0).then(|| {
            format!(
                "{texts} in quotes with doubled quotes inside, such as {}: only CSV has quoting, so these quotes are \
                 read as text; write the table without them (pandas: quoting=csv.QUOTE_NONE) or as CSV",
                quoted(&self.first)
            )
        })
    }
}

fn is_quoted(text: &str) -> bool {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.is_some_and(|inner| inner.contains('"') && !inner.replace("\"\"", "").contains('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_program_quoted_is_found() {
        assert!([r#""He said ""go""""#, r#""a ""b"" c""#].iter().all(|text| is_quoted(text)));
        let others = [r#""He said go""#, r#"He said ""go"""#, r#""Go," he said, "now""#, r#""""#, r#"""#, ""];
        assert!(!others.iter().any(|text| is_quoted(text)));
    }
}
