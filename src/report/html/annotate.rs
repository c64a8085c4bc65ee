//! A page on which people label pairs, without a network.

use askama::Template;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::{data_in_page, not_rendered, rendered, visible};
use crate::error::Result;
use crate::judgments::Pair;
use crate::judgments::identity::canonical;

/// What a page for labelling shows.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotationPage {
    /// The name of the file of pairs.
    pub name: String,
    /// The annotator; the page asks if there is no name.
    pub annotator: Option<String>,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// What is shown, one after another.
    pub items: Vec<AnnotationItem>,
    /// Pairs that were labelled before, which are exported with the others.
    pub earlier: Vec<Pair>,
}

/// A pair to label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AnnotationItem {
    /// The number of the pair, from 0.
    pub pair: usize,
    /// Whether the second hypothesis is shown first.
    pub is_exchanged: bool,
    /// Whether the pair was shown before, with the sides exchanged.
    pub is_repeat: bool,
}

/// The data of the page's script. `columns` and `cells` are what is exported of a pair besides its label.
#[derive(Serialize)]
struct Data<'p> {
    name: &'p str,
    annotator: Option<&'p str>,
    /// Tells one set of pairs from another in the browser's storage.
    digest: String,
    columns: Vec<String>,
    pairs: Vec<PairData>,
    items: &'p [AnnotationItem],
    /// The cells of pairs that were labelled before, then label and annotators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct PairData {
    cells: Vec<String>,
    /// The texts as they are shown.
    hypotheses: [String; 2],
    references: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
}

/// A column of the export: its name, and its cell for a pair.
type Column = (String, Box<dyn Fn(&Pair) -> Option<String>>);

#[derive(Template)]
#[template(path = "annotate.html")]
struct Page {
    title: String,
    data: String,
}

/// Renders the page.
///
/// # Errors
/// A template cannot be rendered.
pub fn annotation(page: &AnnotationPage) -> Result<String> {
    let all = || page.pairs.iter().chain(&page.earlier);
    let references = all().map(|pair| pair.references.len()).max().unwrap_or(0);
    let has = |column: fn(&Pair) -> bool| all().any(column);
    let mut columns: Vec<Column> = vec![
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
    let data_of = |pair: &Pair| PairData {
        // What is exported is read again, and matched by its texts: line ends and marks would not survive that.
        cells: columns.iter().map(|(_, cell)| canonical(&cell(pair).unwrap_or_default()).into_owned()).collect(),
        hypotheses: pair.hypotheses.each_ref().map(|text| shown(text)),
        references: pair.references.iter().map(|text| shown(text)).collect(),
        prompt: pair.prompt.as_deref().map(shown),
    };
    let earlier = page.earlier.iter().map(|pair| {
        let label = pair.label.map_or_else(String::new, |label| label.to_string());
        let cells = columns.iter().map(|(_, cell)| cell(pair).unwrap_or_default());
        cells.chain([label, pair.annotators.join(";")]).collect()
    });
    let earlier: Vec<Vec<String>> = earlier.collect();
    let pairs: Vec<PairData> = page.pairs.iter().map(data_of).collect();
    let (name, annotator) = (page.name.as_str(), page.annotator.as_deref());
    let columns = columns.iter().map(|(name, _)| name.clone()).collect();
    let mut data = Data { name, annotator, digest: String::new(), columns, pairs, items: &page.items, earlier };
    let json = serde_json::to_string(&data).map_err(|error| not_rendered(&error))?;
    data.digest = format!("{:016x}", xxh3_64(json.as_bytes()));
    rendered(&Page { title: format!("Which text is better? {name}"), data: data_in_page(&data)? })
}

/// A text without control characters, with its lines.
fn shown(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}
