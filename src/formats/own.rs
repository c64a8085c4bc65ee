//! The user's own metrics. In: `NAME`, `NAME-` where lower is better, `NAME=FILE`. Out: the metrics, and where to find
//! their values for each file. Next: values.

mod values;

pub use values::read_numbers;
pub(crate) use values::{Ended, ExternalFiles, OwnColumns};

use std::ffi::OsString;

use crate::error::{Error, Result, quoted};
use crate::files::Input;
use crate::judgments::ExternalMetric;
use crate::options::{OptionSpec, Value, any_text};

/// The own metrics whose values are columns of the table of pairs.
pub(crate) const OWN_COLUMNS: OptionSpec = OptionSpec {
    name: "own",
    value: Value::Many { placeholder: "NAME", default: None, check: any_text },
    help: "Your own metrics, with values in the columns NAME.1 and NAME.2",
};

/// Whether pairs may lack a reference.
pub(crate) const WITHOUT_REFERENCES: OptionSpec = OptionSpec::switch("only-own", "Pairs need no reference");

/// One of the user's own metrics, and where its values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalSource {
    /// The metric.
    pub metric: ExternalMetric,
    /// The file of values; `None` for the columns `NAME.1` and `NAME.2` of the pairs.
    pub file: Option<Input>,
}

/// The user's own metrics, each with files of values for several files of pairs, or for several systems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExternalMetrics {
    named: Vec<(ExternalMetric, Vec<Input>)>,
}

impl ExternalMetrics {
    /// Parses `NAME`, `NAME-` where lower is better, and `NAME=FILE`, which may be repeated once for each file of
    /// pairs.
    ///
    /// # Errors
    /// A name is empty; a name is repeated other than with a file each time; a metric has two directions.
    pub fn parse(texts: &[String]) -> Result<Self> {
        let mut all = Self::default();
        for text in texts {
            let (name, file) = match text.split_once('=') {
                Some((name, file)) => (name, Some(file)),
                None => (text.as_str(), None),
            };
            all.add(name.trim(), file.map(|file| Input::from(OsString::from(file))))?;
        }
        Ok(all)
    }

    fn add(&mut self, text: &str, file: Option<Input>) -> Result<()> {
        let (name, lower_is_better) = text.strip_suffix('-').map_or((text, false), |name| (name, true));
        if name.is_empty() {
            let advice =
                "write --own NAME for the columns NAME.1 and NAME.2, or --own NAME=FILE; NAME- where lower is better";
            return Err(Error::invalid("--own", "the name of a metric", quoted(text), advice));
        }
        let metric = ExternalMetric { name: name.to_owned(), lower_is_better };
        match self.named.iter_mut().find(|(known, _)| known.name == metric.name) {
            None => self.named.push((metric, file.into_iter().collect())),
            Some((known, files)) if *known == metric && !files.is_empty() && file.is_some() => files.extend(file),
            Some(_) => {
                let advice = "name it once, or with one file for each file of pairs";
                return Err(Error::invalid("--own", "every metric once", format!("{} twice", quoted(name)), advice));
            }
        }
        Ok(())
    }

    /// The metrics, in the order given.
    pub fn metrics(&self) -> Vec<ExternalMetric> {
        self.named.iter().map(|(metric, _)| metric.clone()).collect()
    }

    /// Whether there are no metrics.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// All files of values.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.named.iter().flat_map(|(_, files)| files)
    }

    /// Adds the metrics that a model needs; their values are in columns unless a file was given.
    ///
    /// # Errors
    /// A metric was given the opposite direction.
    pub fn and(mut self, metrics: &[ExternalMetric]) -> Result<Self> {
        for metric in metrics {
            match self.named.iter_mut().find(|(known, _)| known.name == metric.name) {
                None => self.named.push((metric.clone(), Vec::new())),
                Some((known, _)) if known == metric => {}
                Some((known, _)) => {
                    let direction = |metric: &ExternalMetric| if metric.lower_is_better { "lower" } else { "higher" };
                    return Err(Error::invalid(
                        "--own",
                        format!(
                            "{} with {} values better, as the model learned it",
                            quoted(&known.name),
                            direction(metric)
                        ),
                        format!("{} values better", direction(known)),
                        "name the metric as the model does: it knows the direction",
                    ));
                }
            }
        }
        Ok(self)
    }

    /// The sources of values for file number `at`, from 0, of `count` files of pairs or systems.
    ///
    /// # Errors
    /// A metric has files, but not `count` of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<ExternalSource>> {
        let source = |(metric, files): &(ExternalMetric, Vec<Input>)| {
            if !files.is_empty() && files.len() != count {
                let place = format!("--own {}", metric.name);
                let advice = "name one with NAME=FILE for each of them, in their order";
                let expected =
                    if count == 1 { "1 file of values".to_owned() } else { format!("{count} files of values") };
                return Err(Error::invalid(place, expected, files.len().to_string(), advice));
            }
            Ok(ExternalSource { metric: metric.clone(), file: files.get(at).cloned() })
        };
        self.named.iter().map(source).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<ExternalMetrics> {
        ExternalMetrics::parse(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_have_a_direction_and_files() {
        let own = parse(&["comet", "ter-", "judge=a.tsv", "judge=b.tsv", "mx-=-"]).unwrap();
        let lower = |name: &str| ExternalMetric { name: name.into(), lower_is_better: true };
        assert_eq!(
            own.metrics(),
            [ExternalMetric::new("comet"), lower("ter"), ExternalMetric::new("judge"), lower("mx")]
        );
        assert_eq!(own.files().count(), 3);
        assert!(own.files().any(|file| *file == Input::Stdin));
        assert!(own.of_file(0, 2).is_err(), "one file for two of pairs");
    }

    #[test]
    fn each_file_of_pairs_has_its_own() {
        let own = parse(&["judge=a.tsv", "comet", "judge=b.tsv"]).unwrap();
        let second = own.of_file(1, 2).unwrap();
        assert_eq!(
            second[0],
            ExternalSource { metric: ExternalMetric::new("judge"), file: Some("b.tsv".parse().unwrap()) }
        );
        assert_eq!(second[1], ExternalSource { metric: ExternalMetric::new("comet"), file: None });
    }

    #[test]
    fn a_model_asks_for_the_direction_that_it_learned() {
        let lower = ExternalMetric { name: "ter".into(), lower_is_better: true };
        let own = parse(&["ter-=x"]).unwrap().and(&[lower.clone(), ExternalMetric::new("comet")]).unwrap();
        assert_eq!(own.metrics(), [lower.clone(), ExternalMetric::new("comet")]);
        assert!(parse(&["ter"]).unwrap().and(&[lower]).is_err());
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for wrong in [&[""][..], &["-"], &["=x"], &["a", "a"], &["a", "a-"], &["a=x", "a-=y"], &["a", "a=x"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
