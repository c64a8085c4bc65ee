//! What stands beside the pairs, as the user names it: own metrics, judges and annotators, each with the columns or files
//! that hold its values.

use std::ffi::OsString;
use std::sync::{Arc, OnceLock};

use super::votes::ANNOTATORS;
use super::winner::{Numbers, Winner};
use crate::error::{Error, Result, pluralized, quoted};
use crate::files::Input;
use crate::files::table::Header;
use crate::judgments::{ExternalJudge, ExternalMetric, Pair, Scale};
use crate::options::Options;

/// What a signal beside the pairs is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Numbers of the user's own metric: columns `NAME.1` and `NAME.2`, or two a line, separated by a tab.
    Metric(ExternalMetric),
    /// Verdicts of a judge: the column `NAME`, or `NAME.12` and `NAME.21` for both orders of the hypotheses; or one a line,
    /// or two, separated by a tab.
    Judge {
        /// The judge's name.
        name: String,
        /// The scale of its numbers.
        scale: ScaleInUse,
    },
    /// Labels of the annotator with this name: a column, or one label a line, blank where there is none.
    Annotator(String),
}

impl Signal {
    /// The user's name for it.
    pub fn name(&self) -> &str {
        match self {
            Self::Metric(metric) => &metric.name,
            Self::Judge { name, .. } | Self::Annotator(name) => name,
        }
    }

    /// The option that names it.
    pub(crate) fn option(&self) -> &'static str {
        match self {
            Self::Metric(_) => OWN,
            Self::Judge { .. } => JUDGE,
            Self::Annotator(_) => ANNOTATORS.name,
        }
    }

    /// Takes the scale that the same signal, named again, declares.
    ///
    /// # Errors
    /// A judge has two scales.
    fn declare(&mut self, again: &Self) -> Result<()> {
        let (Self::Judge { name, scale }, Self::Judge { scale: other, .. }) = (self, again) else { return Ok(()) };
        match (scale.known(), other.known()) {
            (Some((one, _)), Some((other, _))) if one != other => {
                let found = format!("{} and {}", one.name(), other.name());
                let expected = format!("one scale for the judge {}", quoted(name));
                Err(Error::invalid("`judge`", expected, found, "name the scale of all its files"))
            }
            (None, Some(_)) => {
                *scale = other.clone();
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A signal beside a file of pairs, and where its values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignalSource {
    /// The signal.
    pub signal: Signal,
    /// The file of values; `None` for columns of the pairs.
    pub file: Option<Input>,
    /// The name of the columns, if it is not the signal's.
    pub column: Option<String>,
}

impl SignalSource {
    /// What the columns of its values are called, without an ending for side or order.
    pub(crate) fn column(&self) -> &str {
        self.column.as_deref().unwrap_or(self.signal.name())
    }

    /// Whether the file is not there: what follows the name may then be that of a column.
    pub(crate) fn may_be_column(&self) -> bool {
        matches!(&self.file, Some(Input::File(path)) if !path.exists())
    }

    /// Reads a column of this table, if what follows the name is one, and no file.
    pub(crate) fn settle(&mut self, header: &Header) {
        let Some(Input::File(path)) = self.file.as_ref().filter(|_| self.may_be_column()) else { return };
        if let Some(column) = path.to_str().filter(|name| has_columns(header, name)) {
            (self.column, self.file) = (Some(column.to_owned()), None);
        }
    }
}

/// The option that names own metrics.
const OWN: &str = "own";

/// The option that names judges.
const JUDGE: &str = "judge";

const OWN_ADVICE: &str =
    "write `own` NAME for the columns NAME.1 and NAME.2, or `own` NAME=FILE; NAME- where lower is better";

const JUDGE_ADVICE: &str = "write `judge` NAME for the column NAME, or NAME.12 and NAME.21 in both orders, or `judge` \
    NAME=FILE; NAME:probability, NAME:signed, NAME:words or NAME:one-to-two declares the scale";

/// The signals that the user names, each with files of values for several files of pairs, or for several systems.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signals(Vec<(Signal, Vec<Input>)>);

impl Signals {
    /// Parses own metrics, `NAME`, `NAME-` where lower is better, and `NAME=FILE`; and judges, `NAME` and `NAME=FILE`, where
    /// the name may be followed by the scale of the judge's numbers: `NAME:probability`. One with a file may be repeated
    /// once for each file of pairs.
    ///
    /// # Errors
    /// A name is empty, or repeated other than with a file each time; a metric has two directions, or a judge two scales.
    pub fn parse(own: &[String], judges: &[String]) -> Result<Self> {
        let mut all = Self::default();
        for text in own {
            let (name, file) = with_file(text);
            all.add_named(metric(name)?, file)?;
        }
        for text in judges {
            let (name, file) = with_file(text);
            all.add_named(judge(name)?, file)?;
        }
        Ok(all)
    }

    /// Adds the annotators that the options name: `NAME`, or `NAME=FILE`, which may be repeated once for each file of
    /// pairs.
    ///
    /// # Errors
    /// A name is empty, or repeated other than with a file each time.
    pub fn with_annotators(mut self, options: &Options) -> Result<Self> {
        for text in options.texts(&ANNOTATORS) {
            let (name, file) = with_file(text);
            if name.is_empty() {
                let advice = "write `annotators` NAME for a column, or NAME=FILE for a file with one label per line";
                return Err(Error::invalid(ANNOTATORS.argument(), "the name of an annotator", quoted(text), advice));
            }
            self.add_named(Signal::Annotator(name.to_owned()), file)?;
        }
        Ok(self)
    }

    fn add_named(&mut self, signal: Signal, file: Option<Input>) -> Result<()> {
        let Some((known, files)) = self.0.iter_mut().find(|(known, _)| is_same(known, &signal)) else {
            self.0.push((signal, file.into_iter().collect()));
            return Ok(());
        };
        known.declare(&signal)?;
        let is_other = matches!((&*known, &signal), (Signal::Metric(one), Signal::Metric(other)) if one != other);
        if is_other || files.is_empty() || file.is_none() {
            let advice = "name it once, or with one file for each file of pairs";
            let found = format!("{} twice", quoted(signal.name()));
            return Err(Error::invalid(format!("`{}`", signal.option()), "every name once", found, advice));
        }
        files.extend(file);
        Ok(())
    }

    /// All of them, in the order given.
    pub fn iter(&self) -> impl Iterator<Item = &Signal> {
        self.0.iter().map(|(signal, _)| signal)
    }

    /// The own metrics, in the order given.
    pub fn metrics(&self) -> Vec<ExternalMetric> {
        let metric = |(signal, _): &(Signal, Vec<Input>)| match signal {
            Signal::Metric(metric) => Some(metric.clone()),
            Signal::Judge { .. } | Signal::Annotator(_) => None,
        };
        self.0.iter().filter_map(metric).collect()
    }

    /// The names of the judges, in the order given.
    pub fn judges(&self) -> impl Iterator<Item = &str> {
        self.scales().map(|(name, _)| name)
    }

    /// The judges as their verdicts on pairs show them.
    pub fn judges_in<'p, P: Iterator<Item = &'p Pair>>(&self, pairs: impl Fn() -> P) -> Vec<ExternalJudge> {
        self.judges().map(|name| ExternalJudge::seen_in(name, pairs())).collect()
    }

    fn scales(&self) -> impl Iterator<Item = (&str, &ScaleInUse)> {
        self.0.iter().filter_map(|(signal, _)| match signal {
            Signal::Judge { name, scale } => Some((name.as_str(), scale)),
            Signal::Metric(_) | Signal::Annotator(_) => None,
        })
    }

    /// The judges whose scale is neither declared nor known from a model.
    pub fn undeclared(&self) -> impl Iterator<Item = &str> {
        self.scales().filter(|(_, scale)| scale.is_open()).map(|(name, _)| name)
    }

    /// All files of annotators' labels.
    pub fn files_of_annotators(&self) -> impl Iterator<Item = &Input> {
        self.0.iter().filter(|(signal, _)| matches!(signal, Signal::Annotator(_))).flat_map(|(_, files)| files)
    }

    /// All files of values.
    pub fn files(&self) -> impl Iterator<Item = &Input> {
        self.0.iter().flat_map(|(_, files)| files)
    }

    /// Adds a judge of this name, unless it is there.
    pub fn with_judge(mut self, name: &str) -> Self {
        if !self.judges().any(|known| known == name) {
            self.0.push((Signal::Judge { name: name.to_owned(), scale: ScaleInUse::default() }, Vec::new()));
        }
        self
    }

    /// Each name once, where single outputs have a judge whose values a model learned from as a metric's.
    pub fn each_once(mut self) -> Self {
        let judges: Vec<String> = self.judges().map(str::to_owned).collect();
        let is_judge = |signal: &Signal| matches!(signal, Signal::Metric(metric) if judges.contains(&metric.name));
        self.0.retain(|(signal, _)| !is_judge(signal));
        self
    }

    /// Adds a metric that a model learned from, unless it is there; its values are in columns unless a file was given.
    ///
    /// # Errors
    /// The metric was given the opposite direction.
    pub fn with_learned_metric(mut self, wanted: &ExternalMetric) -> Result<Self> {
        match self.metrics().into_iter().find(|known| known.name == wanted.name) {
            None => self.0.push((Signal::Metric(wanted.clone()), Vec::new())),
            Some(known) if known == *wanted => {}
            Some(_) => {
                let (name, sign) = (&wanted.name, if wanted.lower_is_better { "-" } else { "" });
                let [better, worse] = if wanted.lower_is_better { ["lower", "higher"] } else { ["higher", "lower"] };
                return Err(Error::invalid(
                    "`own`",
                    format!("{} with {better} values better, as the model learned it", quoted(name)),
                    format!("{worse} values better"),
                    format!("write `own` {name}{sign}"),
                ));
            }
        }
        Ok(self)
    }

    /// Adds a judge that a model learned from, unless it is there, with the scale of its numbers unless another is
    /// declared.
    ///
    /// # Errors
    /// Another model learned another scale.
    pub fn with_learned_judge(self, judge: &ExternalJudge) -> Result<Self> {
        let mut all = self.with_judge(&judge.name);
        let scales = all.0.iter_mut().filter_map(|(signal, _)| match signal {
            Signal::Judge { name, scale } if *name == judge.name => Some(scale),
            _ => None,
        });
        for scale in scales {
            match scale.known() {
                None => *scale = ScaleInUse::new(judge.scale, Origin::Model),
                Some((known, Origin::Model)) if known != judge.scale => {
                    let expected = format!("one scale for the judge {}", quoted(&judge.name));
                    let found = format!("{} in one model, {} in another", known.name(), judge.scale.name());
                    let advice = format!("declare that of the pairs: `judge` {}:{}", judge.name, known.name());
                    return Err(Error::invalid("`judge`", expected, found, advice));
                }
                Some(_) => {}
            }
        }
        Ok(all)
    }

    /// The sources of values for file number `at`, from 0, of `count` files of pairs or systems.
    ///
    /// # Errors
    /// A signal has files, but not `count` of them.
    pub fn of_file(&self, at: usize, count: usize) -> Result<Vec<SignalSource>> {
        let source = |(signal, files): &(Signal, Vec<Input>)| {
            if !files.is_empty() && files.len() != count {
                let place = format!("`{}` {}", signal.option(), signal.name());
                let content = match signal {
                    Signal::Metric(_) => "values",
                    Signal::Judge { .. } => "verdicts",
                    Signal::Annotator(_) => "labels",
                };
                let expected = format!("{} of {content}", pluralized(count, "file"));
                let advice = "name one with NAME=FILE for each of them, in their order";
                return Err(Error::invalid(place, expected, files.len().to_string(), advice));
            }
            Ok(SignalSource { signal: signal.clone(), file: files.get(at).cloned(), column: None })
        };
        self.0.iter().map(source).collect()
    }
}

/// Whether a table has the columns of a signal of this name: one, or for both sides or orders.
pub(super) fn has_columns(header: &Header, name: &str) -> bool {
    let has_both = |both: (&str, &str)| header.has(both.0) && header.has(both.1);
    ["", ".1", ".12"].iter().any(|ending| header.has(&format!("{name}{ending}")))
        || both_orders(name).is_some_and(has_both)
}

/// The columns of both orders of the hypotheses, `ONE+OTHER`.
pub(super) fn both_orders(columns: &str) -> Option<(&str, &str)> {
    columns.split_once('+')
}

/// A name, and the file that follows it.
fn with_file(text: &str) -> (&str, Option<Input>) {
    match text.split_once('=') {
        Some((name, file)) => (name.trim(), Some(Input::from(OsString::from(file)))),
        None => (text.trim(), None),
    }
}

/// The own metric that a name stands for.
fn metric(text: &str) -> Result<Signal> {
    let (name, lower_is_better) = text.strip_suffix('-').map_or((text, false), |name| (name, true));
    if name.is_empty() {
        return Err(Error::invalid("`own`", "the name of a metric", quoted(text), OWN_ADVICE));
    }
    if lower_is_better && name.ends_with('-') {
        let advice = format!("write `own` {}-", name.trim_end_matches('-'));
        return Err(Error::invalid("`own`", "NAME, or NAME- where lower is better", quoted(text), advice));
    }
    Ok(Signal::Metric(ExternalMetric { name: name.to_owned(), lower_is_better }))
}

/// The judge that a name stands for, which its scale may follow.
fn judge(text: &str) -> Result<Signal> {
    let declared = text.rsplit_once(':').and_then(|(name, scale)| Some((name.trim(), Scale::named(scale.trim())?)));
    let (name, scale) = declared
        .map_or((text, ScaleInUse::default()), |(name, scale)| (name, ScaleInUse::new(scale, Origin::Declared)));
    if name.is_empty() {
        return Err(Error::invalid("`judge`", "the name of a judge", quoted(name), JUDGE_ADVICE));
    }
    Ok(Signal::Judge { name: name.to_owned(), scale })
}

/// Whether both are of one kind and one name.
fn is_same(one: &Signal, other: &Signal) -> bool {
    one.option() == other.option() && one.name() == other.name()
}

/// The scale of a judge's numbers, the same for all files: declared, known from a model, or else shown by the first rows
/// that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScaleInUse(Arc<OnceLock<(Scale, Origin)>>);

/// How a scale is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Declared,
    Model,
    /// By so many rows.
    Rows(usize),
}

/// The rows that show a scale which is not declared.
pub(crate) const ROWS_FOR_SCALE: usize = 1000;

impl ScaleInUse {
    fn new(scale: Scale, origin: Origin) -> Self {
        Self(Arc::new(OnceLock::from((scale, origin))))
    }

    fn known(&self) -> Option<(Scale, Origin)> {
        self.0.get().copied()
    }

    /// Whether rows must show the scale.
    pub fn is_open(&self) -> bool {
        self.known().is_none()
    }

    /// Whether a model learned numbers from -1 to 1, among which probabilities would not be noticed.
    pub(super) fn is_signed_of_model(&self) -> bool {
        self.known() == Some((Scale::Signed, Origin::Model))
    }

    /// The scale; that of words as long as it is not known.
    pub fn scale(&self) -> Scale {
        self.known().map_or(Scale::Words, |(scale, _)| scale)
    }

    /// Takes the scale of these numbers in so many rows, unless it is known.
    pub(super) fn settle(&self, numbers: &Numbers, rows: usize) {
        self.0.get_or_init(|| (numbers.scale(), Origin::Rows(rows)));
    }

    /// What a cell of the judge says, from 1 (the first hypothesis) to -1 (the second).
    ///
    /// # Errors
    /// A number does not fit.
    pub(super) fn value(&self, winner: Winner, text: &str, judge: &str, place: &dyn Fn() -> String) -> Result<f64> {
        let scale = self.scale();
        winner.on(scale).ok_or_else(|| {
            let how = match self.known().map(|(_, origin)| origin) {
                Some(Origin::Model) => "that the model learned".to_owned(),
                Some(Origin::Rows(rows)) => format!("of the first {}", pluralized(rows, "row")),
                Some(Origin::Declared) | None => "declared".to_owned(),
            };
            let fitting = |other: &Scale| *other != scale && winner.on(*other).is_some();
            let others: Vec<String> =
                Scale::ALL.into_iter().filter(fitting).map(|other| format!("{judge}:{}", other.name())).collect();
            let advice = match others.join(" or ") {
                none if none.is_empty() => "correct the value, or leave it blank where there is no verdict".to_owned(),
                others => {
                    format!("correct the value, or leave it blank; or declare the column's scale: `judge` {others}")
                }
            };
            let expected = format!("{scale}: the scale {} {how} for the judge {}", scale.name(), quoted(judge));
            Error::invalid(place(), expected, quoted(text.trim()), advice)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn own(names: &[&str]) -> Result<Signals> {
        Signals::parse(&texts(names), &[])
    }

    fn judges(names: &[&str]) -> Result<Signals> {
        Signals::parse(&[], &texts(names))
    }

    fn lower(name: &str) -> ExternalMetric {
        ExternalMetric { name: name.into(), lower_is_better: true }
    }

    #[test]
    fn names_have_a_direction_and_files() {
        let named = own(&["comet", "ter-", "judge=a.tsv", "judge=b.tsv", "mx-=-"]).unwrap();
        let metrics = [ExternalMetric::new("comet"), lower("ter"), ExternalMetric::new("judge"), lower("mx")];
        assert_eq!(named.metrics(), metrics);
        assert_eq!(named.files().count(), 3);
        assert!(named.files().any(|file| *file == Input::Stdin));
        assert!(named.of_file(0, 2).is_err(), "one file for two of pairs");
        let second = own(&["judge=a.tsv", "comet", "judge=b.tsv"]).unwrap().of_file(1, 2).unwrap();
        let files: Vec<_> = second.iter().map(|source| source.file.as_ref().map(Input::to_string)).collect();
        assert_eq!(files, [Some("b.tsv".to_owned()), None]);
        for wrong in [&[""][..], &["-"], &["=x"], &["a", "a"], &["a", "a-"], &["a=x", "a-=y"], &["a", "a=x"], &["a--"]]
        {
            assert!(own(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_model_asks_for_the_direction_that_it_learned() {
        let named = own(&["ter-=x"]).unwrap().with_learned_metric(&lower("ter")).unwrap();
        let named = named.with_learned_metric(&ExternalMetric::new("comet")).unwrap();
        assert_eq!(named.metrics(), [lower("ter"), ExternalMetric::new("comet")]);
        assert!(own(&["ter"]).unwrap().with_learned_metric(&lower("ter")).is_err());
    }

    #[test]
    fn a_scale_is_declared_or_known_from_a_model() {
        let scale = |signals: &Signals| signals.scales().next().map(|(_, scale)| scale.scale()).unwrap();
        let named = judges(&["gpt:probability=a.txt", "llama3:8b", "gpt=b.txt"]).unwrap();
        assert_eq!(named.judges().collect::<Vec<_>>(), ["gpt", "llama3:8b"]);
        assert_eq!(named.undeclared().collect::<Vec<_>>(), ["llama3:8b"]);
        assert_eq!(scale(&named), Scale::Probability);
        assert_eq!(scale(&judges(&["gpt=a.txt", "gpt:signed=b.txt"]).unwrap()), Scale::Signed);
        assert!(judges(&["gpt:probability=a.txt", "gpt:signed=b.txt"]).is_err());
        let learned = |scale| ExternalJudge { name: "gpt".into(), both_orders: false, scale };
        let of_model = judges(&["gpt"]).unwrap().with_learned_judge(&learned(Scale::Signed)).unwrap();
        assert_eq!(scale(&of_model), Scale::Signed);
        assert!(of_model.with_learned_judge(&learned(Scale::Words)).is_err());
        let declared = judges(&["gpt:words"]).unwrap().with_learned_judge(&learned(Scale::Signed)).unwrap();
        assert_eq!(scale(&declared), Scale::Words);
    }
}
