//! `annotate`: what a page for labelling shows, in which order, and which hypothesis of a pair comes first.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::files::table::Cell;
use crate::formats::OutputTable;
use crate::judgments::Pair;
use crate::judgments::output::{Marks, Output, Outputs};
use crate::report::html::{AnnotationItem, AnnotationPage, AnnotationRow, AnnotationTask, RatingScale};

/// Settings of [`annotate`] and [`annotate_outputs`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotateSettings {
    /// The name of the file of pairs or outputs, after which the page names what it exports.
    pub name: String,
    /// The annotator; the page asks if there is no name.
    pub annotator: Option<String>,
    /// How many pairs or outputs are shown twice, pairs the second time with the hypotheses exchanged; `None` for five, but
    /// at most a tenth of them.
    pub controls: Option<usize>,
    /// The seed of order and sides.
    pub seed: u64,
}

/// A page on which people label pairs, in random order and with random sides. Control pairs are drawn from the first half;
/// their repeats come at least a third of the pairs later. Where some pairs have no label, as [`next`](super::next()) writes
/// them, the others are not shown, but exported with their labels.
///
/// # Errors
/// There are fewer pairs than control pairs; the annotator's name has a semicolon, which separates names.
pub fn annotate(pairs: Vec<Pair>, settings: &AnnotateSettings) -> Result<AnnotationPage> {
    let columns = columns_of(&pairs);
    let is_open = pairs.iter().any(|pair| pair.label.is_none());
    let is_earlier = |pair: &Pair| is_open && pair.label.is_some();
    let (earlier, pairs): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_earlier);
    let cells = |pair: &Pair| columns.iter().map(|(_, cell)| cell(pair).unwrap_or_default()).collect::<Vec<_>>();
    let earlier_rows = earlier.iter().map(|pair| {
        let label = pair.label.map_or_else(String::new, |label| label.to_string());
        [cells(pair), vec![label, pair.annotators.join(";")]].concat()
    });
    let earlier_rows = earlier_rows.collect();
    let row = |pair: Pair| AnnotationRow {
        cells: cells(&pair),
        texts: pair.hypotheses.into(),
        contexts: Vec::new(),
        references: pair.references,
        prompt: pair.prompt,
    };
    let rows = pairs.into_iter().map(row).collect();
    let columns = columns.iter().map(|(name, _)| name.clone()).collect();
    page(AnnotationTask::Better, columns, rows, earlier_rows, settings)
}

/// As [`annotate`], of outputs, which pass or fail, or are rated on a scale. Signals are exported, too.
///
/// # Errors
/// As for [`annotate`]; the outputs have labels that are numbers, and there is no scale, or they are not on it.
pub fn annotate_outputs(
    outputs: &Outputs,
    scale: Option<RatingScale>,
    settings: &AnnotateSettings,
) -> Result<AnnotationPage> {
    check_scale(outputs, scale)?;
    let table = OutputTable::new(outputs);
    let text = |cell: Cell<'_>| match cell {
        Cell::Empty | Cell::Texts(_) => String::new(),
        Cell::Text(text) => text.to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Json(value) => value.to_string(),
    };
    let texts = |cells: Vec<Cell<'_>>| cells.into_iter().map(text).collect::<Vec<_>>();
    let is_open = outputs.rows.iter().any(|row| row.labels.is_empty());
    let is_earlier = |row: &&Output| is_open && !row.labels.is_empty();
    let (earlier, rows): (Vec<&Output>, Vec<&Output>) = outputs.rows.iter().partition(is_earlier);
    let row = |output: &&Output| AnnotationRow {
        cells: texts(table.cells(output)),
        texts: vec![output.text.clone()],
        contexts: output.context.clone(),
        references: output.references.clone(),
        prompt: output.prompt.clone(),
    };
    let task = scale.map_or(AnnotationTask::PassFail, AnnotationTask::Rating);
    let names = table.columns();
    let columns = names[..names.len() - 2].iter().map(|(name, _)| (*name).to_owned()).collect();
    let earlier = earlier.into_iter().flat_map(|output| table.rows(output)).map(texts).collect();
    page(task, columns, rows.iter().map(row).collect(), earlier, settings)
}

/// # Errors
/// As for [`annotate_outputs`].
fn check_scale(outputs: &Outputs, scale: Option<RatingScale>) -> Result<()> {
    let labels = outputs.rows.iter().flat_map(|row| &row.labels).map(|(_, label)| *label);
    let [low, high] =
        labels.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], label| [label.min(low), label.max(high)]);
    let (expected, advice) = match scale {
        None if outputs.marks == Marks::Numbers => {
            ("a scale for labels that are numbers", "name it, such as `scale` 1-5")
        }
        Some(scale) if low < f64::from(scale.low) || high > f64::from(scale.high) => {
            ("a scale that has all labels of the file", "name theirs, or leave out the column of the labels")
        }
        _ => return Ok(()),
    };
    Err(Error::invalid("`scale`", expected, format!("labels from {low} to {high}"), advice))
}

/// The page of some rows, of which others were labelled before.
fn page(
    task: AnnotationTask,
    columns: Vec<String>,
    rows: Vec<AnnotationRow>,
    earlier: Vec<Vec<String>>,
    settings: &AnnotateSettings,
) -> Result<AnnotationPage> {
    let AnnotateSettings { name, annotator, controls, seed } = settings.clone();
    let controls = controls.unwrap_or(5.min(rows.len() / 10));
    if controls > rows.len() {
        let expected = format!("at most {}, the number of {}s", rows.len(), task.unit());
        return Err(Error::invalid("`controls`", expected, controls.to_string(), "choose fewer"));
    }
    if let Some(name) = annotator.iter().find(|name| name.contains(';') || name.trim().is_empty()) {
        let expected = "a name without semicolons, which separate names";
        return Err(Error::invalid("`annotator`", expected, format!("'{name}'"), "choose another name"));
    }
    let items = items(rows.len(), controls, task == AnnotationTask::Better, seed);
    Ok(AnnotationPage { name, annotator, task, columns, rows, items, earlier })
}

/// So many rows in random order, some of them twice, with random sides if they have two.
fn items(rows: usize, controls: usize, has_sides: bool, seed: u64) -> Vec<AnnotationItem> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..rows).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.random_range(0..=at));
    }
    let item = |row: usize, is_exchanged: bool, is_repeat: bool| AnnotationItem { row, is_exchanged, is_repeat };
    let mut items: Vec<AnnotationItem> =
        order.iter().map(|&row| item(row, has_sides && random.random(), false)).collect();
    let (half, third) = (rows.div_ceil(2), rows / 3);
    let mut places: Vec<usize> = (0..half.max(controls)).collect();
    for at in (1..places.len()).rev() {
        places.swap(at, random.random_range(0..=at));
    }
    let control = |&place: &usize| item(items[place].row, has_sides && !items[place].is_exchanged, true);
    let repeats: Vec<AnnotationItem> = places[..controls].iter().map(control).collect();
    for repeat in repeats {
        let first = items.iter().position(|shown| shown.row == repeat.row).unwrap_or(0);
        let place = random.random_range((first + 1 + third).min(items.len())..=items.len());
        items.insert(place, repeat);
    }
    items
}

/// A column of the export: its name, and its cell for a pair.
type PairColumn = (String, Box<dyn Fn(&Pair) -> Option<String>>);

/// The columns that these pairs have besides labels.
fn columns_of(pairs: &[Pair]) -> Vec<PairColumn> {
    let references = pairs.iter().map(|pair| pair.references.len()).max().unwrap_or(0);
    let has = |column: fn(&Pair) -> bool| pairs.iter().any(column);
    let mut columns: Vec<PairColumn> = vec![
        ("hyp1".to_owned(), Box::new(|pair| Some(pair.hypotheses[0].clone()))),
        ("hyp2".to_owned(), Box::new(|pair| Some(pair.hypotheses[1].clone()))),
    ];
    for at in 0..references {
        let name = if at == 0 { "ref".to_owned() } else { format!("ref{}", at + 1) };
        columns.push((name, Box::new(move |pair| pair.references.get(at).cloned())));
    }
    if has(|pair| pair.prompt.is_some()) {
        columns.push(("prompt".to_owned(), Box::new(|pair| pair.prompt.clone())));
    }
    if has(|pair| pair.systems.is_some()) {
        columns.push(("system1".to_owned(), Box::new(|pair| Some(pair.systems.as_ref()?[0].clone()))));
        columns.push(("system2".to_owned(), Box::new(|pair| Some(pair.systems.as_ref()?[1].clone()))));
    }
    if has(|pair| pair.id.is_some()) {
        columns.push(("id".to_owned(), Box::new(|pair| pair.id.clone())));
    }
    if has(|pair| pair.group.is_some()) {
        columns.push(("group".to_owned(), Box::new(|pair| pair.group.clone())));
    }
    if has(|pair| pair.drawn.is_some()) {
        columns.push(("drawn".to_owned(), Box::new(|pair| pair.drawn.map(|drawn| drawn.to_string()))));
    }
    if has(|pair| pair.wave.is_some()) {
        columns.push(("wave".to_owned(), Box::new(|pair| pair.wave.map(|wave| wave.to_string()))));
    }
    if has(|pair| pair.weight.is_some()) {
        columns.push(("weight".to_owned(), Box::new(|pair| pair.weight.map(|weight| weight.to_string()))));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(pairs: usize, controls: usize, seed: u64) -> Result<AnnotationPage> {
        let pair = |at: usize| Pair::new([format!("a{at}"), format!("b{at}")], vec![]);
        let name = "x.csv".to_owned();
        let controls = Some(controls);
        annotate((0..pairs).map(pair).collect(), &AnnotateSettings { name, annotator: None, controls, seed })
    }

    #[test]
    fn every_pair_is_shown_and_controls_twice_with_sides_exchanged() {
        for (pairs, controls) in [(40, 5), (1, 1), (7, 7), (10, 0)] {
            let items = page(pairs, controls, 3).unwrap().items;
            assert_eq!(items.len(), pairs + controls);
            for pair in 0..pairs {
                let shown: Vec<(usize, &AnnotationItem)> =
                    items.iter().enumerate().filter(|(_, item)| item.row == pair).collect();
                match shown.as_slice() {
                    [(_, alone)] => assert!(!alone.is_repeat),
                    [(first, one), (second, two)] => {
                        assert!(!one.is_repeat && two.is_repeat && one.is_exchanged != two.is_exchanged);
                        assert!(pairs < 10 || second - first >= pairs / 3, "{first} {second}");
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        let exchanged = page(400, 0, 1).unwrap().items.iter().filter(|item| item.is_exchanged).count();
        assert!((150..250).contains(&exchanged), "{exchanged}");
    }

    #[test]
    fn the_seed_decides_and_wrong_settings_are_refused() {
        assert_eq!(page(30, 3, 1).unwrap().items, page(30, 3, 1).unwrap().items);
        assert_ne!(page(30, 3, 1).unwrap().items, page(30, 3, 2).unwrap().items);
        assert!(page(3, 4, 1).is_err());
        let settings = AnnotateSettings { name: String::new(), annotator: Some("a;b".into()), controls: None, seed: 1 };
        assert!(annotate(vec![Pair::new(["a".into(), "b".into()], vec![])], &settings).is_err());
    }
}
