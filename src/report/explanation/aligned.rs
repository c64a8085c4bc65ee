//! A metric's alignment of two texts as pieces of both, marked as matched, unmatched or moved.

use std::ops::Range;

use super::{AlignedTexts, Piece, PieceKind};
use crate::metrics::links::{Alignment, Link, Module};

/// A run of links that are adjacent and in the same order on both sides.
struct Chunk {
    /// The range of its links among all links.
    links: Range<usize>,
    /// Its first word in the hypothesis.
    start: usize,
    /// The number of its words, both sides together.
    words: usize,
}

impl AlignedTexts {
    /// Cuts both texts into words and the text between them.
    pub fn new(hypothesis: &str, reference: &str, alignment: &Alignment) -> Self {
        let chunks = chunks(&alignment.links);
        let mut is_moved = vec![true; alignment.links.len()];
        for chunk in longest_run(&chunks) {
            is_moved[chunks[chunk].links.clone()].fill(false);
        }
        let side = |text: &str, words: &[Range<usize>], places: fn(&Link) -> Range<usize>| {
            let mut number_of = vec![None; words.len()];
            for (number, link) in alignment.links.iter().enumerate() {
                number_of[places(link)].fill(Some(number));
            }
            let between = |bytes: Range<usize>| Piece::plain(text[bytes].to_owned(), PieceKind::Between);
            let (mut pieces, mut at, mut done) = (Vec::new(), 0, 0);
            while at < words.len() {
                let number = number_of[at];
                let end = number.map_or(at + 1, |number| places(&alignment.links[number]).end);
                // Tokenisation may turn one character into two words, such as ½, or produce words that are not in the
                // text; what remains of them is empty and no piece.
                let bytes = words[at].start.max(done)..words[end - 1].end.max(done);
                at = end;
                if bytes.is_empty() {
                    continue;
                }
                if done < bytes.start {
                    pieces.push(between(done..bytes.start));
                }
                done = bytes.end;
                let word = Piece::plain(text[bytes].to_owned(), PieceKind::Unmatched);
                pieces.push(match number {
                    Some(number) => {
                        let kind = alignment.links[number].module.into();
                        Piece { kind, matched: Some(number), is_moved: is_moved[number], ..word }
                    }
                    None => word,
                });
            }
            if done < text.len() {
                pieces.push(between(done..text.len()));
            }
            pieces
        };
        Self {
            reference: alignment.reference,
            in_hypothesis: side(hypothesis, &alignment.hypothesis_words, |link| link.hypothesis.clone()),
            in_reference: side(reference, &alignment.reference_words, |link| link.reference.clone()),
            chunks: chunks.len(),
        }
    }
}

impl From<Module> for PieceKind {
    fn from(module: Module) -> Self {
        match module {
            Module::Exact => Self::Exact,
            Module::Stem => Self::Stem,
            Module::Synonym => Self::Synonym,
            Module::Paraphrase => Self::Paraphrase,
        }
    }
}

/// The chunks, in the order of the reference.
fn chunks(links: &[Link]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (at, link) in links.iter().enumerate() {
        let words = link.hypothesis.len() + link.reference.len();
        let before = at.checked_sub(1).map(|before| &links[before]);
        let follows = before.is_some_and(|before| {
            before.hypothesis.end == link.hypothesis.start && before.reference.end == link.reference.start
        });
        match chunks.last_mut().filter(|_| follows) {
            Some(chunk) => {
                chunk.links.end = at + 1;
                chunk.words += words;
            }
            None => chunks.push(Chunk { links: at..at + 1, start: link.hypothesis.start, words }),
        }
    }
    chunks
}

/// The chunks in the same order on both sides with the most words in total; all others have moved.
fn longest_run(chunks: &[Chunk]) -> Vec<usize> {
    // Of the best run that ends with each chunk: its number of words, and the chunk before.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::with_capacity(chunks.len());
    let best = |runs: &[(usize, Option<usize>)], end: usize| {
        let earlier = (0..runs.len()).filter(|&at| chunks[at].start < end);
        earlier.max_by_key(|&at| (runs[at].0, chunks[at].start))
    };
    for chunk in chunks {
        let before = best(&runs, chunk.start);
        runs.push((chunk.words + before.map_or(0, |at| runs[at].0), before));
    }
    std::iter::successors(best(&runs, usize::MAX), |&at| runs[at].1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(hypothesis: Range<usize>, reference: Range<usize>, module: Module) -> Link {
        Link { hypothesis, reference, module }
    }

    fn words(text: &str) -> Vec<Range<usize>> {
        let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        text.split(' ').map(|word| start(word)..start(word) + word.len()).collect()
    }

    fn aligned(hypothesis: &str, reference: &str, links: Vec<Link>) -> AlignedTexts {
        let (hypothesis_words, reference_words) = (words(hypothesis), words(reference));
        let alignment = Alignment { reference: 0, links, hypothesis_words, reference_words };
        AlignedTexts::new(hypothesis, reference, &alignment)
    }

    /// The moved words.
    fn moved(pieces: &[Piece]) -> Vec<&str> {
        pieces.iter().filter(|piece| piece.is_moved).map(|piece| piece.text.as_str()).collect()
    }

    /// Aligns two orders of the same words.
    fn reordered(hypothesis: &str, reference: &str) -> AlignedTexts {
        let place = |word: &str| hypothesis.split(' ').position(|other| other == word).unwrap();
        let links = reference.split(' ').enumerate().map(|(at, word)| {
            let place = place(word);
            link(place..place + 1, at..at + 1, Module::Exact)
        });
        aligned(hypothesis, reference, links.collect())
    }

    #[test]
    fn one_word_that_moved_is_marked_and_the_rest_is_not() {
        let texts = reordered("today the cat sat down", "the cat sat down today");
        assert_eq!(moved(&texts.in_hypothesis), ["today"]);
        assert_eq!(moved(&texts.in_reference), ["today"]);
        assert_eq!(texts.chunks, 2);
        assert!(moved(&reordered("a b c", "a b c").in_hypothesis).is_empty());
        // The chunk with more words stays in place, not the larger number of chunks.
        assert_eq!(moved(&reordered("f d e a b c", "a b c d e f").in_hypothesis), ["f", "d", "e"]);
        assert_eq!(moved(&reordered("b a d c", "a b c d").in_hypothesis), ["b", "d"]);
    }

    #[test]
    fn phrases_are_one_piece() {
        let links =
            vec![link(0..1, 0..1, Module::Exact), link(1..2, 1..4, Module::Paraphrase), link(2..3, 4..5, Module::Stem)];
        let texts = aligned("on much works hard", "on a lot of work", links);
        let kinds = |pieces: &[Piece]| -> Vec<(String, PieceKind, Option<usize>)> {
            let words = pieces.iter().filter(|piece| piece.kind != PieceKind::Between);
            words.map(|piece| (piece.text.clone(), piece.kind, piece.matched)).collect()
        };
        let piece = |text: &str, kind, matched| (text.to_owned(), kind, matched);
        assert_eq!(
            kinds(&texts.in_hypothesis),
            [
                piece("on", PieceKind::Exact, Some(0)),
                piece("much", PieceKind::Paraphrase, Some(1)),
                piece("works", PieceKind::Stem, Some(2)),
                piece("hard", PieceKind::Unmatched, None),
            ]
        );
        assert_eq!(kinds(&texts.in_reference)[1], piece("a lot of", PieceKind::Paraphrase, Some(1)));
        assert_eq!((texts.chunks, texts.reference), (1, 0));
    }

    #[test]
    fn words_that_overlap_or_are_missing_lose_no_text() {
        let (text, reference) = ("1½ cups", "");
        let hypothesis_words = vec![0..3, 1..3, 3..3, 4..8];
        let alignment = Alignment { reference: 0, links: Vec::new(), hypothesis_words, reference_words: Vec::new() };
        let texts = AlignedTexts::new(text, reference, &alignment);
        let pieces: Vec<&str> = texts.in_hypothesis.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(pieces, ["1½", " ", "cups"]);
        assert!(texts.in_reference.is_empty());
    }
}
