//! The columns of the feature table, and the families that they form.

use super::column::{Column, ColumnSource, DISTANCE};
use crate::error::{Error, Result, pluralized, quoted};
use crate::judgments::{ExternalJudge, ExternalMetric, Pair};
use crate::metrics::{Entry, Member, Needs, REGISTRY, grounding};

/// The columns of the feature table: metrics, then similarities, then external metrics, then judges. What compares the
/// hypotheses gives x, and what is symmetric t, each in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schema {
    /// The columns.
    pub columns: Vec<Column>,
}

impl FromIterator<Column> for Schema {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self { columns: columns.into_iter().collect() }
    }
}

impl Schema {
    /// The columns that a predicate holds for.
    pub fn filtered(&self, is_kept: impl Fn(&Column) -> bool) -> Self {
        self.columns.iter().filter(|column| is_kept(column)).cloned().collect()
    }

    /// The columns of x, in which each hypothesis has a value.
    pub fn compared(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.compares())
    }

    /// The columns of t, which are invariant under swapping the hypotheses.
    pub fn symmetric(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_symmetric())
    }

    /// The columns whose values come with the pairs.
    pub fn external(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_external())
    }

    /// The user's own metrics.
    pub fn external_metrics(&self) -> impl Iterator<Item = &ExternalMetric> {
        self.columns.iter().filter_map(|column| match &column.source {
            ColumnSource::External { metric } => Some(metric),
            _ => None,
        })
    }

    /// The user's judges.
    pub fn judges(&self) -> impl Iterator<Item = &ExternalJudge> {
        self.columns.iter().filter_map(|column| match &column.source {
            ColumnSource::Judge { judge } => Some(judge),
            _ => None,
        })
    }

    /// Whether there is no column that compares the hypotheses, and so nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.compared().next().is_none()
    }

    /// Whether no column is computed from texts.
    pub fn is_only_external(&self) -> bool {
        !self.is_empty() && self.columns.iter().all(Column::is_external)
    }

    /// Whether a column compares a hypothesis with references.
    pub fn needs_references(&self) -> bool {
        self.columns.iter().any(Column::needs_references)
    }

    /// Whether a column is uninformative for languages other than English.
    pub fn needs_english(&self) -> bool {
        self.columns.iter().any(Column::needs_english)
    }

    /// Whether a column is computed by an encoder.
    pub fn needs_encoder(&self) -> bool {
        self.external_metrics().any(|metric| metric.name == grounding::SIMILARITY)
            || REGISTRY.iter().any(|entry| entry.needs == Needs::Encoder && self.needs(entry))
    }

    /// The name of a metric that compares with sources, if a column is computed from one.
    pub fn needs_source(&self) -> Option<&'static str> {
        REGISTRY.iter().find(|entry| entry.needs_source() && self.needs(entry)).map(|entry| entry.name)
    }

    /// Whether a column is computed from this metric.
    pub fn needs(&self, entry: &Entry) -> bool {
        self.columns.iter().any(|column| {
            column.is_part_of(entry) || column.name.strip_prefix(DISTANCE).is_some_and(|name| name == entry.name)
        })
    }

    /// Whether a column is a value of this metric.
    pub fn has_parts_of(&self, entry: &Entry) -> bool {
        self.columns.iter().any(|column| column.is_part_of(entry))
    }

    /// Checks that pairs have everything that the columns are computed from.
    ///
    /// # Errors
    /// A pair lacks values of an external column, or a reference; `place` says where the pairs come from.
    pub fn check<'p>(&self, pairs: impl Iterator<Item = &'p Pair>, place: &str) -> Result<()> {
        let (needs_references, needs_source) = (self.needs_references(), self.needs_source());
        let (mut count, mut without) = (0, Vec::new());
        for pair in pairs {
            count += 1;
            if needs_references && pair.references.is_empty() {
                without.push(pair.line);
            }
            if let Some(metric) = needs_source.filter(|_| pair.source.is_none()) {
                return Err(without_source(format!("{place}:{}", pair.line), metric));
            }
            self.external().try_for_each(|column| check_beside(column, pair, place))?;
        }
        let Some(first) = without.first() else { return Ok(()) };
        let (found, advice) = if without.len() == count {
            let advice = "give one, in tables in the column 'ref', or use a model that was trained without references";
            ("none".to_owned(), advice)
        } else {
            let found = format!("none in {} of {}", without.len(), pluralized(count, "pair"));
            (found, "add the references, or remove these pairs")
        };
        Err(Error::invalid(
            format!("{place}:{first}"),
            "a reference for every pair, which the features need",
            found,
            advice,
        ))
    }
}

/// The error where a metric lacks the source of a translation.
pub(crate) fn without_source(place: impl Into<String>, metric: &str) -> Error {
    let advice = "give it in the column src of a table, or name another one with `column` src=NAME";
    Error::invalid(place, format!("the source of each translation, which {metric} reads"), "none", advice)
}

/// Checks that a pair has the values of an external column.
fn check_beside(column: &Column, pair: &Pair, place: &str) -> Result<()> {
    let (expected, advice) = match &column.source {
        ColumnSource::External { metric } if pair.own_score(&metric.name).is_none() => {
            let name = &metric.name;
            let advice = format!("name them with `own` {name} (columns {name}.1 and {name}.2) or `own` {name}=FILE");
            (format!("values of the own metric {}", quoted(name)), advice)
        }
        ColumnSource::Judge { judge } if pair.verdicts_of(&judge.name).is_none() => {
            let name = &judge.name;
            let columns = match judge.both_orders {
                true => format!("columns {name}.12 and {name}.21"),
                false => format!("column {name}"),
            };
            let advice = format!("name them with `judge` {name} ({columns}) or `judge` {name}=FILE");
            (format!("verdicts of the judge {}", quoted(name)), advice)
        }
        _ => return Ok(()),
    };
    Err(Error::invalid(format!("{place}:{}", pair.line), expected, "none", advice))
}

/// The columns that a metric's values give.
pub(super) fn columns_of(member: &Member) -> impl Iterator<Item = Column> {
    member.values().map(|(name, signature)| Column::metric(name, signature.to_string()))
}

/// The families of the columns that compare hypotheses: all columns of one metric, or one external signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Families {
    /// Their names, in alphabetical order.
    names: Vec<String>,
    /// For each column of x, the position of its family in `names`.
    of_column: Vec<usize>,
}

impl Families {
    /// The families of a schema.
    pub fn new(schema: &Schema) -> Self {
        let mut names: Vec<String> = schema.compared().map(|column| column.family().to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        let position = |column: &Column| names.binary_search_by(|name| name.as_str().cmp(column.family())).ok();
        Self { of_column: schema.compared().filter_map(position).collect(), names }
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// For each column of x, the position of its family among the names.
    pub fn of_column(&self) -> &[usize] {
        &self.of_column
    }

    /// The sum of the values in each family; `values` holds one per column of x.
    pub fn sums(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.names.len()];
        self.of_column.iter().zip(values).for_each(|(&family, value)| sums[family] += value);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::Scale;

    #[test]
    fn columns_of_one_metric_are_a_family() {
        let [bleurt, bleu] = ["bleurt", "bleu"].map(|name| ColumnSource::from(ExternalMetric::new(name)));
        let judge = ExternalJudge { name: "bleurt".into(), both_orders: true, scale: Scale::Words };
        let computed = ["ter", "bleu", "bleu.p1"].map(|name| Column::metric(name.into(), String::new()));
        let similarity = Column::similarity("pair.same".into(), String::new());
        let external = Column::external(&[judge.into(), bleurt, bleu]);
        let schema: Schema = computed.into_iter().chain([similarity]).chain(external).collect();
        let families = Families::new(&schema);
        assert_eq!(families.names(), ["bleu", "bleurt", "judge.bleurt", "own.bleu", "ter"]);
        assert_eq!(families.of_column(), [4, 0, 0, 1, 3, 2]);
        assert_eq!(families.sums(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]), [6.0, 8.0, 32.0, 16.0, 1.0]);
        assert_eq!(
            schema.symmetric().map(Column::family).collect::<Vec<_>>(),
            ["pair", "bleurt", "own.bleu", "judge.bleurt"]
        );
    }
}
