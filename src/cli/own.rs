//! `--own`: metrics that the user computed elsewhere.

use anyhow::Result;
use clap::Args;
use tribunal::formats::ExternalMetrics;

/// The user's own metrics.
#[derive(Debug, Args)]
pub struct ExternalOptions {
    /// Your own metrics, comma-separated: NAME reads the columns NAME.1 and NAME.2 of a table, NAME=FILE a file
    /// with two numbers per line, separated by a tab; `NAME-` if lower is better
    #[arg(long, value_name = "NAME[=FILE]", value_delimiter = ',', allow_hyphen_values = false)]
    own: Vec<String>,
}

impl ExternalOptions {
    /// The metrics that are named.
    pub fn metrics(&self) -> Result<ExternalMetrics> {
        Ok(ExternalMetrics::parse(&self.own)?)
    }
}

/// The files of several systems, each with the name of its metric: of `comet=a`, `b` the second is `comet=b`.
pub fn with_names(texts: &[String]) -> Vec<String> {
    let mut name = String::new();
    let named = |text: &String| match text.split_once('=') {
        None if !name.is_empty() => format!("{name}={text}"),
        Some((given, _)) => {
            given.clone_into(&mut name);
            text.clone()
        }
        None => text.clone(),
    };
    texts.iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_the_metric_before_them() {
        let texts = ["a=1", "2", "b-=x=y", "z"].map(str::to_owned);
        assert_eq!(with_names(&texts), ["a=1", "a=2", "b-=x=y", "b-=z"]);
        assert_eq!(with_names(&["c".to_owned()]), ["c"]);
    }
}
