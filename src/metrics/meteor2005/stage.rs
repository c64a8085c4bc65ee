//! In: the possible matches of a stage, in components. Out: the alignment with the matches of that stage. Next: the
//! score.

use super::alignment::Alignment;
use super::components::Component;
use super::crossings::{self, Ties};

/// Components are matched without a search if words times possible matches would exceed this.
const MAXIMUM_SEARCH: usize = 1 << 18;
/// Components are matched without a search if possible matches times earlier matches would exceed this.
const MAXIMUM_COMPARISONS: usize = 1 << 24;

/// Adds the matches of one stage: as many as possible, with the fewest crossings.
pub(super) fn add(alignment: &mut Alignment, components: Vec<Component>, ties: Ties) {
    let (decided, mut open): (Vec<_>, Vec<_>) = components.into_iter().partition(Component::is_decided);
    add_from_the_end(alignment, &decided);
    if open.is_empty() {
        return;
    }
    open.sort_by_key(|component| (component.edges(), component.hypothesis[0]));
    let matched = alignment.len();
    let (mut words, mut edges) = (0, 0_usize);
    let is_affordable = |component: &&Component| {
        words += component.hypothesis.len();
        edges = edges.saturating_add(component.edges());
        edges.saturating_mul(words) <= MAXIMUM_SEARCH && edges.saturating_mul(matched) <= MAXIMUM_COMPARISONS
    };
    let affordable = open.iter().take_while(is_affordable).count();
    let large = open.split_off(affordable);
    add_from_the_end(alignment, &large);
    for (hypothesis, reference) in crossings::fewest(alignment, &open, ties) {
        alignment.insert(hypothesis, reference);
    }
}

fn add_from_the_end(alignment: &mut Alignment, components: &[Component]) {
    for component in components {
        if component.partners.is_some() {
            component.matches_from_the_end().into_iter().for_each(|pair| alignment.insert(pair.0, pair.1));
        } else {
            let places = component.hypothesis.iter().rev().zip(component.reference.iter().rev());
            places.for_each(|pair| alignment.insert(*pair.0, *pair.1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::components::equal;
    use super::*;
    use proptest::prelude::*;

    /// All matchings of equal letters, by deciding the words of the hypothesis one by one.
    fn all(hypothesis: &[u64], reference: &[u64], at: usize, alignment: &Alignment, found: &mut Vec<Alignment>) {
        if at == hypothesis.len() {
            found.push(alignment.clone());
            return;
        }
        all(hypothesis, reference, at + 1, alignment, found);
        for place in
            (0..reference.len()).filter(|&place| reference[place] == hypothesis[at] && !alignment.covered[place])
        {
            let mut next = alignment.clone();
            next.insert(at, place);
            all(hypothesis, reference, at + 1, &next, found);
        }
    }

    fn crossings_of(alignment: &Alignment) -> usize {
        let pairs: Vec<_> = alignment.pairs().collect();
        let crosses = |one: &(usize, usize), other: &(usize, usize)| (one.0 < other.0) != (one.1 < other.1);
        (0..pairs.len()).map(|at| pairs[..at].iter().filter(|other| crosses(&pairs[at], other)).count()).sum()
    }

    proptest! {
        #[test]
        fn the_search_finds_what_trying_everything_finds(
            hypothesis in prop::collection::vec(0_u64..4, 0..7),
            reference in prop::collection::vec(0_u64..4, 0..7),
        ) {
            let empty = Alignment::new(hypothesis.len(), reference.len());
            let mut every = Vec::new();
            all(&hypothesis, &reference, 0, &empty, &mut every);
            let largest = every.iter().map(Alignment::len).max().unwrap_or(0);
            every.retain(|alignment| alignment.len() == largest);
            let best = every.iter().map(|alignment| (crossings_of(alignment), alignment.chunks())).min();
            let mut found = empty;
            let components = equal(&found, &hypothesis, &reference);
            add(&mut found, components, Ties::Chunks);
            prop_assert_eq!(found.len(), largest);
            prop_assert_eq!(Some((crossings_of(&found), found.chunks())), best);
        }
    }
}
