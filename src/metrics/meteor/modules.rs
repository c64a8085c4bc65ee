//! In: both texts. Out: all matches that the modules propose. Next: [`search`](super::search).

use super::bits;
use super::lists;
use super::matches::{Match, Proposals};
use super::paraphrases::ParaphraseTable;
use super::view::MeteorTokens;
use crate::metrics::links::Module;
use crate::text::overlap;

/// The matches of all modules; `None` if there are more than [`MOST_MATCHES`](super::matches::MOST_MATCHES). `table` is
/// called only if the paraphrase module is among them.
///
/// If the two texts are equal, only the first module is used, whichever it is.
pub(super) fn proposals<'t>(
    hypothesis: &MeteorTokens,
    reference: &MeteorTokens,
    modules: &[Module],
    table: impl FnOnce() -> &'t ParaphraseTable,
) -> Option<Proposals> {
    let modules = if hypothesis.keys == reference.keys { &modules[..modules.len().min(1)] } else { modules };
    let paraphrases = paraphrases(hypothesis, reference, modules, table)?;
    if hypothesis.len() > overlap::CAPACITY {
        return lists::proposals(hypothesis, reference, modules, paraphrases);
    }
    bits::proposals(hypothesis, reference, modules, &paraphrases)
}

/// The matches of the paraphrase module, if it is among the modules.
fn paraphrases<'t>(
    hypothesis: &MeteorTokens,
    reference: &MeteorTokens,
    modules: &[Module],
    table: impl FnOnce() -> &'t ParaphraseTable,
) -> Option<Vec<Match>> {
    match modules.iter().zip(0..).find(|(module, _)| **module == Module::Paraphrase) {
        Some((_, number)) => {
            let table = table();
            let [hypothesis, reference] = [hypothesis, reference].map(|text| text.listed.for_table(&text.ids, table));
            table.matches(&hypothesis, &reference, number)
        }
        None => Some(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokenizer::Normalization;
    use super::*;
    use crate::text::Lexicon;
    use crate::wordnet::WordNet;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_what_the_modules_list(
            words in prop::collection::vec("car|cars|auto|automobile|run|runs|ran|the|[ab]", 0..30), cut in 0_usize..30,
        ) {
            let mut lexicon = Lexicon::new(WordNet::embedded());
            let mut tokens = |words: &[String]| MeteorTokens::of(&words.join(" "), Normalization::Words, &mut lexicon);
            let (one, other) = words.split_at(cut.min(words.len()));
            let (one, other) = (tokens(one), tokens(other));
            let paraphrases = paraphrases(&one, &other, &Module::ALL, ParaphraseTable::embedded).unwrap();
            let found = bits::proposals(&one, &other, &Module::ALL, &paraphrases);
            prop_assert_eq!(found, lists::proposals(&one, &other, &Module::ALL, paraphrases));
        }
    }

    #[test]
    fn repeated_words_are_not_listed_beyond_the_bound() {
        let mut lexicon = Lexicon::new(WordNet::embedded());
        let mut tokens = |text: &str, times| MeteorTokens::of(&text.repeat(times), Normalization::Words, &mut lexicon);
        let table = ParaphraseTable::embedded;
        let mut are_listed = |[one, other]: [(&str, usize); 2]| {
            proposals(&tokens(one.0, one.1), &tokens(other.0, other.1), &Module::ALL, table).is_some()
        };
        assert!(are_listed([("the ", 500), ("the ", 501)]));
        assert!(!are_listed([("the ", 513), ("the ", 514)]));
        assert!(!are_listed([("the ", 60), ("the ", 5_000)]));
        assert!(!are_listed([("car ", 600), ("car auto ", 500)]));
    }
}
