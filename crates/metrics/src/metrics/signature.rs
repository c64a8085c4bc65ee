//! Everything that a score depends on, as data; strings are made only for display.

use std::fmt;

use crate::wordnet::WordNet;

/// One setting: `case:lc`, or `c:lc` in the short form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name in the short form.
    pub short: &'static str,
    /// The name in the long form.
    pub long: &'static str,
    /// The value, the same in both forms.
    pub value: String,
}

/// A metric's name with every setting that changes its values.
///
/// ```
/// use tribunal_text_metrics::metrics::Signature;
///
/// let signature = Signature::new("chrF2").with("c", "case", "mixed").with("nc", "nchar", 6);
/// assert_eq!(signature.to_string(), "chrF2|case:mixed|nchar:6");
/// assert_eq!(signature.short(), "chrF2|c:mixed|nc:6");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The metric's name with these settings.
    pub name: String,
    /// The settings, in display order.
    pub settings: Vec<Setting>,
}

impl Signature {
    /// A signature without settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), settings: Vec::new() }
    }

    /// Adds a setting.
    pub fn with(mut self, short: &'static str, long: &'static str, value: impl ToString) -> Self {
        self.settings.push(Setting { short, long, value: value.to_string() });
        self
    }

    /// Adds the WordNet that values depend on: its version, and its fingerprint unless it is the embedded one. It comes
    /// before the version of the metric, which is last.
    pub fn with_wordnet(mut self, wordnet: &WordNet) -> Self {
        let is_embedded = wordnet.fingerprint() == WordNet::embedded().fingerprint();
        let version = wordnet.version();
        let value = if is_embedded { version.to_owned() } else { format!("{version}-{:016x}", wordnet.fingerprint()) };
        let last = self.settings.iter().position(|setting| setting.long == "version");
        let setting = Setting { short: "wn", long: "wordnet", value };
        self.settings.insert(last.unwrap_or(self.settings.len()), setting);
        self
    }

    /// The short form.
    pub fn short(&self) -> String {
        self.join(|setting| setting.short)
    }

    fn join(&self, name: impl Fn(&Setting) -> &'static str) -> String {
        let settings = self.settings.iter().map(|setting| format!("|{}:{}", name(setting), setting.value));
        std::iter::once(self.name.clone()).chain(settings).collect()
    }
}

impl fmt::Display for Signature {
    /// The long form.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.join(|setting| setting.long))
    }
}
