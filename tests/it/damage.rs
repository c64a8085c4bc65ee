//! The table of kinds of damage in the documentation of `tribunal::error`, each row run with the real binary.

use crate::common::Bench;

const TABLE: &str = include_str!("../../src/damage.md");

const MODEL: &str = include_str!("../../models/wmt.json");

/// The file of a row: its name, and its content unless the row leaves it to [`content`].
fn file(cell: &str) -> Option<(&str, Option<Vec<u8>>)> {
    let (name, rest) = cell.strip_prefix('`')?.split_once('`')?;
    let text = rest.strip_prefix(": `` ").and_then(|rest| rest.strip_suffix(" ``"));
    Some((name, text.map(unescaped).or((rest == ", empty").then(Vec::new))))
}

/// The bytes that `\n`, `\t`, `\|`, `\\` and `\xff` stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        let (byte, length) = match (first, after) {
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [b'x', ..]) => (u8::from_str_radix(std::str::from_utf8(&rest[2..4]).unwrap(), 16).unwrap(), 4),
            (b'\\', [other, ..]) => (*other, 2),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    bytes
}

/// The content of a file that is too long for the table, for most rows the built-in model with some damage.
fn content(kind: &str) -> String {
    let with_number = |field: &str, number: &str| {
        let (before, rest) = MODEL.split_once(&format!("\"{field}\": ")).unwrap();
        let end = rest.find([',', '\n']).unwrap();
        format!("{before}\"{field}\": {number}{}", &rest[end..])
    };
    let without_brace = MODEL.trim_end().trim_end_matches('}').trim_end();
    let changed = match kind {
        "pairs: a line without end" => "a ".repeat(1 << 23),
        "model: cut off" => MODEL[..MODEL.len() / 2].trim_end().to_owned(),
        "model: the last line is missing" => without_brace.to_owned(),
        "model: another number" => with_number("tie_intercept", "0.25"),
        "model: a number that is none" => with_number("tie_intercept", "-1e999"),
        "model: a number beyond all bounds" => with_number("tie_intercept", "1e308"),
        "model: a scale of scores without width" => with_number("width", "0"),
        "model: text after its end" => MODEL.to_owned() + "{}\n",
        "model: a field after the checksum" => without_brace.to_owned() + ",\n\"a\": 1}",
        "model: no checksum" => MODEL.split_once(",\n  \"checksum\"").unwrap().0.to_owned() + "\n}\n",
        "model: a newer version" => MODEL.replacen("\"version\": 2", "\"version\": 3", 1),
        "model: another feature" => MODEL.replacen("\"name\": \"chrf\"", "\"name\": \"chfr\"", 1),
        "model: another WordNet" | "score: a model of another WordNet" => MODEL.replacen("\"3.0 ", "\"3.1 ", 1),
        other => panic!("what is the file of '{other}'?"),
    };
    assert_ne!(changed, MODEL, "{kind}");
    changed
}

/// The longest part of a message that the table shows, in characters.
const SHOWN: usize = 190;

/// A message as the table shows it: without what depends on the numbers of the built-in model, and with escaped bars.
fn shown(message: &str) -> String {
    let version = concat!("tribunal ", env!("CARGO_PKG_VERSION"));
    let message = message.trim_end().trim_start_matches("tribunal: ").replace(version, "tribunal VERSION");
    let message = without_digits(&without_digits(&message, "m.json:", "LINE"), "xxh3:", "...");
    let cut: String = message.chars().take(SHOWN).collect();
    let end = if cut.len() < message.len() { "..." } else { "" };
    format!("`` {}{end} ``", cut.replace('|', "\\|"))
}

/// The text with the hexadecimal digits after each `start` replaced by `other`.
fn without_digits(text: &str, start: &str, other: &str) -> String {
    let mut parts = text.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
        text + start + if rest.len() < part.len() { other } else { "" } + rest
    })
}

#[test]
fn the_table_says_what_the_program_says() {
    let (_, table) = TABLE.split_once("| --- | --- | --- | --- |\n").unwrap();
    assert!(table.lines().count() > 75);
    for row in table.lines() {
        // Bars within a cell are escaped.
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [kind, damaged, command, message] = cells[..] else { panic!("4 cells: {row}") };
        let bench = Bench::of(2);
        bench.write("x.ref", "r\n");
        if let Some((name, given)) = file(damaged) {
            bench.write(name, given.unwrap_or_else(|| content(kind).into_bytes()));
        }
        let before = bench.content();
        let said = bench.refused(command.trim_matches('`'));
        assert_eq!(bench.content(), before, "{kind}: something was written");
        assert_eq!(shown(&said), message, "{kind}");
    }
}
