//! Aligned texts in lines of text, with marks below words other than exact matches in place.

use anstyle::Style;
use textwrap::{Options, WordSplitter};
use unicode_width::UnicodeWidthChar;

use super::{AlignedTexts, Explanation, Piece, PieceKind};
use crate::error::escaped;
use crate::report::table::BOLD;
use crate::report::terminal::{BLUE, CYAN, DIM, GREEN, MAGENTA, RED, Terminal, YELLOW};

/// The indent of a text in columns.
const INDENT: usize = 6;

/// A mark below a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    symbol: char,
    style: Style,
    meaning: &'static str,
}

const EXTRA: Mark = Mark { symbol: '+', style: RED, meaning: "not in the reference" };
const MISSING: Mark = Mark { symbol: '-', style: RED, meaning: "not in the hypothesis" };
const STEM: Mark = Mark { symbol: '~', style: BLUE, meaning: "same stem" };
const SYNONYM: Mark = Mark { symbol: '=', style: MAGENTA, meaning: "synonym" };
const PARAPHRASE: Mark = Mark { symbol: '"', style: CYAN, meaning: "paraphrase" };
const MOVED: Mark = Mark { symbol: '>', style: YELLOW, meaning: "moved" };

/// All marks, in the order of the legend.
const MARKS: [Mark; 6] = [EXTRA, MISSING, STEM, SYNONYM, PARAPHRASE, MOVED];

/// A character with the mark below it.
#[derive(Debug, Clone, Copy)]
struct Glyph {
    character: char,
    width: usize,
    style: Style,
    mark: Option<Mark>,
}

/// Both hypotheses, each above its reference, in lines of at most `width` columns.
pub(super) fn lines(explanation: &Explanation, terminal: Terminal, width: usize) -> String {
    let block = |label: &str, glyphs: &[Glyph]| block(label, glyphs, terminal, width - INDENT);
    let Some(alignments) = &explanation.alignments else {
        let texts = explanation.hypotheses.iter().zip(["hyp1", "hyp2"]);
        let plain = |text: &String| glyphs(&[Piece::plain(text.clone(), PieceKind::Between)], EXTRA);
        return texts.map(|(text, label)| block(label, &plain(text))).collect();
    };
    let mut text = String::new();
    let mut used: Vec<Mark> = Vec::new();
    for (at, texts) in alignments.iter().enumerate() {
        let reference = match explanation.references.len() {
            1 => "ref".to_owned(),
            _ => format!("ref{}", texts.reference + 1),
        };
        for (label, pieces, missing) in
            [(format!("hyp{}", at + 1), &texts.in_hypothesis, EXTRA), (reference, &texts.in_reference, MISSING)]
        {
            let glyphs = glyphs(pieces, missing);
            used.extend(glyphs.iter().filter_map(|glyph| glyph.mark));
            text += &block(&label, &glyphs);
        }
        let matches = matches(texts).join(", ");
        let lines = Terminal::plain(width - INDENT).paragraph(&matches);
        let lines = lines.lines().filter(|line| !line.is_empty());
        text.extend(lines.map(|line| format!("{}{}\n", " ".repeat(INDENT), terminal.paint.apply(DIM, line))));
        text.push('\n');
    }
    let legend = MARKS.iter().filter(|mark| used.contains(mark));
    let legend: Vec<String> = legend.map(|mark| format!("{} {}", mark.symbol, mark.meaning)).collect();
    if legend.is_empty() {
        return text.trim_end_matches('\n').to_owned() + "\n";
    }
    text + &terminal.styled_paragraph(&format!("Marks: {}", legend.join(", ")), DIM)
}

/// The inexact matches, each word with its counterpart.
fn matches(texts: &AlignedTexts) -> Vec<String> {
    let other = |number: Option<usize>| texts.in_reference.iter().find(|piece| piece.matched == number);
    let matched = |piece: &Piece| {
        let mark = mark_of(piece.kind)?;
        let reference = other(piece.matched)?;
        Some(format!("{} {} {}", escaped(&piece.text), mark.symbol, escaped(&reference.text)))
    };
    texts.in_hypothesis.iter().filter_map(matched).collect()
}

/// The mark of an inexact match.
fn mark_of(kind: PieceKind) -> Option<Mark> {
    match kind {
        PieceKind::Stem => Some(STEM),
        PieceKind::Synonym => Some(SYNONYM),
        PieceKind::Paraphrase => Some(PARAPHRASE),
        PieceKind::Between | PieceKind::Exact | PieceKind::Unmatched => None,
    }
}

/// The characters of a text; words without a match get the mark `missing`.
fn glyphs(pieces: &[Piece], missing: Mark) -> Vec<Glyph> {
    let mut glyphs = Vec::new();
    for piece in pieces {
        let mark = if piece.kind == PieceKind::Unmatched { Some(missing) } else { mark_of(piece.kind) };
        let exact = if piece.kind == PieceKind::Exact { GREEN } else { Style::new() };
        // A moved word is marked as such at its first character, and throughout if it has no other mark.
        let (first, rest) = if piece.is_moved { (Some(MOVED), mark.or(Some(MOVED))) } else { (mark, mark) };
        let style = rest.map_or(exact, |mark| mark.style);
        let start = glyphs.len();
        for character in escaped(&piece.text).to_string().chars() {
            let mark = if glyphs.len() == start { first } else { rest };
            glyphs.push(Glyph { character, width: character.width().unwrap_or(0), style, mark });
        }
    }
    glyphs
}

/// A labelled text: its lines, each with its marks below.
fn block(label: &str, glyphs: &[Glyph], terminal: Terminal, width: usize) -> String {
    let paint = terminal.paint;
    let label = paint.apply(BOLD, format!("{label:INDENT$}"));
    if glyphs.is_empty() {
        return format!("{label}{}\n", paint.apply(DIM, "(empty)"));
    }
    let mut text = label;
    for (number, line) in wrapped(glyphs, width).into_iter().enumerate() {
        if number > 0 {
            text += &" ".repeat(INDENT);
        }
        text += &painted(line, terminal, |glyph| (glyph.style, glyph.character.to_string()));
        text.push('\n');
        if line.iter().any(|glyph| glyph.mark.is_some()) {
            text += &" ".repeat(INDENT);
            text += &painted(line, terminal, |glyph| match glyph.mark {
                Some(mark) => (mark.style, mark.symbol.to_string().repeat(glyph.width)),
                None => (Style::new(), " ".repeat(glyph.width)),
            });
            text.push('\n');
        }
    }
    text
}

/// The characters or marks of a line, grouped by style, without trailing spaces.
fn painted(line: &[Glyph], terminal: Terminal, part: impl Fn(&Glyph) -> (Style, String)) -> String {
    let mut runs: Vec<(Style, String)> = Vec::new();
    for (style, text) in line.iter().map(part) {
        match runs.last_mut().filter(|(before, _)| *before == style) {
            Some((_, run)) => run.push_str(&text),
            None => runs.push((style, text)),
        }
    }
    if let Some((_, last)) = runs.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
    }
    runs.into_iter().map(|(style, text)| terminal.paint.apply(style, text)).collect()
}

/// Breaks the characters into lines of at most `width` columns, between words, or within words that are longer.
fn wrapped(glyphs: &[Glyph], width: usize) -> Vec<&[Glyph]> {
    let text: String = glyphs.iter().map(|glyph| glyph.character).collect();
    let mut rest = glyphs;
    let mut lines = Vec::new();
    for line in textwrap::wrap(&text, Options::new(width).word_splitter(WordSplitter::NoHyphenation)) {
        // The spaces at the end of the line before are in no line.
        if !line.starts_with(' ') {
            let spaces = rest.iter().take_while(|glyph| glyph.character == ' ').count();
            rest = &rest[spaces..];
        }
        let (of_line, after) = rest.split_at(line.chars().count());
        lines.push(of_line);
        rest = after;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(text: &str, kind: PieceKind, is_moved: bool) -> Piece {
        Piece { text: text.into(), kind, matched: None, is_moved }
    }

    fn shown(pieces: &[Piece], width: usize) -> String {
        block("hyp", &glyphs(pieces, EXTRA), Terminal::plain(None), width)
    }

    #[test]
    fn marks_stand_below_their_words() {
        let pieces = [
            piece("The", PieceKind::Exact, false),
            piece(" ", PieceKind::Between, false),
            piece("大きい", PieceKind::Unmatched, false),
            piece(" ", PieceKind::Between, false),
            piece("cars", PieceKind::Synonym, true),
            piece(".", PieceKind::Exact, true),
        ];
        assert_eq!(shown(&pieces, 40), "hyp   The 大きい cars.\n          ++++++ >===>\n");
        assert_eq!(shown(&pieces, 10), "hyp   The 大きい\n          ++++++\n      cars.\n      >===>\n");
    }

    #[test]
    fn long_words_are_cut_and_what_cannot_be_seen_is_spelt_out() {
        let word = piece("abcdefgh", PieceKind::Exact, false);
        assert_eq!(shown(std::slice::from_ref(&word), 3), "hyp   abc\n      def\n      gh\n");
        let hostile = piece("a\u{1b}[31m\u{202e}\n\0", PieceKind::Unmatched, false);
        let text = shown(&[hostile], 80);
        assert_eq!(text.lines().next(), Some("hyp   a\\u{1b}[31m\\u{202e}\\n\\u{0}"));
        assert_eq!(shown(&[], 80), "hyp   (empty)\n");
    }

    #[test]
    fn lines_break_at_spaces_and_lose_nothing_else() {
        let text = "one  two three";
        let glyphs = glyphs(&[piece(text, PieceKind::Between, false)], EXTRA);
        for width in 1..20 {
            let lines = wrapped(&glyphs, width);
            assert!(lines.iter().all(|line| line.len() <= width && !line.is_empty()), "{width}");
            let letters: String = lines.concat().iter().map(|glyph| glyph.character).collect();
            assert_eq!(letters.replace(' ', ""), text.replace(' ', ""));
        }
    }
}
