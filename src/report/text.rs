//! In: numbers, names and sentences. Out: text that fits a terminal.

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

/// `1 pair`, or `2 pairs`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A name in at most `width` characters. The beginning is cut off, as file names tend to differ at the end.
pub(super) fn cut(name: &str, width: usize) -> String {
    let count = name.chars().count();
    if count <= width {
        return name.to_owned();
    }
    std::iter::once('…').chain(name.chars().skip(count + 1 - width.max(1))).collect()
}

/// A paragraph in lines of at most `width` characters, except for longer words, ending with a line break.
pub(super) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return format!("{text}\n") };
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        let letters = word.chars().count();
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
    fn one_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "pair")), ["0 pairs", "1 pair", "2 pairs"]);
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
    }
}
