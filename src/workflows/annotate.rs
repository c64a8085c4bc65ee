//! `annotate`: which pairs a page for labelling shows, in which order, and which hypothesis comes first.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::judgments::Pair;
use crate::report::html::{AnnotationItem, AnnotationPage};

/// Settings of [`annotate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotateSettings {
    /// The name of the file of pairs, after which the page names what it exports.
    pub name: String,
    /// The annotator; the page asks if there is no name.
    pub annotator: Option<String>,
    /// How many pairs are shown twice, the second time with the hypotheses exchanged; `None` for five, but at most a
    /// tenth of the pairs.
    pub controls: Option<usize>,
    /// The seed of order and sides.
    pub seed: u64,
}

/// A page on which people label pairs, in random order and with random sides. Control pairs are drawn from the first half;
/// their repeats come at least a third of the pairs later. Labels of earlier waves, which [`next`](super::next()) writes
/// beside the pairs that it draws, are not shown, but exported with the others.
///
/// # Errors
/// There are fewer pairs than control pairs; the annotator's name has a semicolon, which separates names.
pub fn annotate(pairs: Vec<Pair>, settings: &AnnotateSettings) -> Result<AnnotationPage> {
    let AnnotateSettings { name, annotator, controls, seed } = settings.clone();
    let is_open = pairs.iter().any(|pair| pair.label.is_none());
    let is_earlier = |pair: &Pair| is_open && pair.label.is_some() && pair.drawn.is_some();
    let (earlier, pairs): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_earlier);
    let controls = controls.unwrap_or(5.min(pairs.len() / 10));
    if controls > pairs.len() {
        let (expected, found) = (format!("at most {}, the number of pairs", pairs.len()), controls.to_string());
        return Err(Error::invalid("`controls`", expected, found, "choose fewer"));
    }
    if let Some(name) = annotator.iter().find(|name| name.contains(';') || name.trim().is_empty()) {
        let expected = "a name without semicolons, which separate names";
        return Err(Error::invalid("`annotator`", expected, format!("'{name}'"), "choose another name"));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.random_range(0..=at));
    }
    let item = |pair: usize, is_exchanged: bool, is_repeat: bool| AnnotationItem { pair, is_exchanged, is_repeat };
    let mut items: Vec<AnnotationItem> = order.iter().map(|&pair| item(pair, random.random(), false)).collect();
    let (half, third) = (pairs.len().div_ceil(2), pairs.len() / 3);
    let mut places: Vec<usize> = (0..half.max(controls)).collect();
    for at in (1..places.len()).rev() {
        places.swap(at, random.random_range(0..=at));
    }
    let control = |&place: &usize| item(items[place].pair, !items[place].is_exchanged, true);
    let repeats: Vec<AnnotationItem> = places[..controls].iter().map(control).collect();
    for repeat in repeats {
        let first = items.iter().position(|shown| shown.pair == repeat.pair).unwrap_or(0);
        let place = random.random_range((first + 1 + third).min(items.len())..=items.len());
        items.insert(place, repeat);
    }
    Ok(AnnotationPage { name, annotator, pairs, items, earlier })
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
                    items.iter().enumerate().filter(|(_, item)| item.pair == pair).collect();
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
