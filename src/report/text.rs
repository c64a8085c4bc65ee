//! In: numbers, names and sentences. Out: text that fits a terminal.

use unicode_width::UnicodeWidthStr;

/// `= 0.012`, or `< 0.001`.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// `.012`, or `<.001`.
pub(super) fn short_p_value(p: f64) -> String {
    if p < 0.001 {
        "<.001".to_owned()
    } else if p >= 0.9995 {
        "1".to_owned()
    } else {
        format!("{p:.3}").trim_start_matches('0').to_owned()
    }
}

/// The columns of a terminal that a text takes: most characters of Chinese, Japanese and Korean take two.
pub(super) fn columns_of(text: &str) -> usize {
    text.width()
}

/// A text followed by spaces, in at least `columns` columns.
pub(super) fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(columns_of(text))))
}

/// A name in at most `columns` columns. The beginning is cut off, as file names tend to differ at the end.
pub(super) fn cut(name: &str, columns: usize) -> String {
    if columns_of(name) <= columns {
        return name.to_owned();
    }
    let starts = name.char_indices().skip(1).map(|(at, _)| &name[at..]);
    let rest = starts.into_iter().find(|rest| columns_of(rest) < columns).unwrap_or_default();
    format!("…{rest}")
}

/// A name in at most `columns` columns. The end is cut off.
pub(super) fn cut_end(name: &str, columns: usize) -> String {
    if columns_of(name) <= columns {
        return name.to_owned();
    }
    let ends = name.char_indices().rev().map(|(at, _)| &name[..at]);
    let rest = ends.into_iter().find(|rest| columns_of(rest) < columns).unwrap_or_default();
    format!("{rest}…")
}

/// A paragraph in lines of at most `width` columns, except for longer words, ending with a line break.
pub(super) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return format!("{text}\n") };
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        let letters = columns_of(word);
        let is_first = length == 0;
        if !is_first && length + 1 + letters > width {
            lines.push('\n');
            length = 0;
        } else if !is_first {
            lines.push(' ');
            length += 1;
        }
        lines.push_str(word);
        length += letters;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_p_values_are_bounds() {
        assert_eq!([0.0001, 0.0123, 1.0].map(p_value), ["< 0.001", "= 0.012", "= 1.000"]);
        assert_eq!([0.0001, 0.0123, 0.9, 0.9999, 1.0].map(short_p_value), ["<.001", ".012", ".900", "1", "1"]);
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(wrapped("one two three", Some(7)), "one two\nthree\n");
        assert_eq!(wrapped("one two three", Some(3)), "one\ntwo\nthree\n");
        assert_eq!(wrapped("one two three", None), "one two three\n");
    }

    #[test]
    fn names_keep_their_end() {
        assert_eq!(["a/dev", "model/a/dev"].map(|name| cut(name, 6)), ["a/dev", "…a/dev"]);
        assert_eq!(cut("äöü", 1), "…");
        assert_eq!(["a/系统一", "ab系统一"].map(|name| cut(name, 6)), ["…统一", "…统一"]);
        assert_eq!(["系统一", "metric"].map(|name| cut_end(name, 5)), ["系统…", "metr…"]);
        assert_eq!((padded("系统", 6), padded("abc", 2)), ("系统  ".to_owned(), "abc".to_owned()));
    }
}
