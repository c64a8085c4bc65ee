//! The table of kinds of damage in the documentation of `tribunal::error`, each row checked with the real binary.

use std::path::Path;

use crate::common::Bench;

/// A kind of damage: the files, and the command that reads them.
struct Damage {
    kind: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    command: &'static str,
}

fn damage(kind: &'static str, name: &'static str, bytes: impl AsRef<[u8]>, command: &'static str) -> Damage {
    Damage { kind, files: vec![(name, bytes.as_ref().to_vec())], command }
}

/// The built-in model, damaged.
fn model(kind: &'static str, change: impl Fn(&str) -> String) -> Damage {
    let model = include_str!("../../models/wmt.json");
    let changed = change(model);
    assert_ne!(changed, model, "{kind}");
    damage(kind, "m.json", changed, "predict dev.pairs -m m.json")
}

const MQM: &str = "system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n";

const RR: &str = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n";

fn pairs() -> Vec<Damage> {
    vec![
        damage("pairs: a field is missing", "x.pairs", "a ||| b ||| c\na ||| b\n", "predict x.pairs"),
        damage("pairs: no separator", "x.pairs", "a ||| b ||| c\na b c\n", "predict x.pairs"),
        damage("pairs: separators without white space", "x.pairs", "a|||b|||c\n", "predict x.pairs"),
        damage("pairs: an empty line", "x.pairs", "a ||| b ||| c\n\n", "predict x.pairs"),
        damage("pairs: an empty file", "x.pairs", "", "predict x.pairs"),
        damage("pairs: not UTF-8", "x.pairs", b"a ||| b ||| c\nna\xefve ||| b ||| c\n", "predict x.pairs"),
        damage("pairs: UTF-16", "x.pairs", b"\xff\xfea\x00 \x00\n\x00", "predict x.pairs"),
        damage("pairs: no file of that name", "y.pairs", "", "predict x.pairs"),
        damage("pairs: a folder", "y.pairs", "", "predict ."),
        damage("pairs: a line without end", "x.pairs", "a ".repeat(1 << 23), "predict x.pairs"),
        damage("pairs: no labels", "x.pairs", "a ||| b ||| c\n", "train x.pairs"),
        damage(
            "pairs: gzip that is cut off",
            "x.pairs.gz",
            b"\x1f\x8b\x08\0\0\0\0\0\0\x03KT\xa8\xa9",
            "predict x.pairs.gz",
        ),
        damage("pairs: an ending .gz, but no gzip", "x.pairs.gz", "a ||| b ||| c\n", "predict x.pairs.gz"),
        damage("pairs: an ending .zst, but no zstd", "x.pairs.zst", "a ||| b ||| c\n", "predict x.pairs.zst"),
    ]
}

fn tables() -> Vec<Damage> {
    vec![
        damage("CSV: a column is missing", "x.csv", "hyp1,ref\na,b\n", "predict x.csv"),
        damage("CSV: no header", "x.csv", "a,b,c\n", "predict x.csv"),
        damage("CSV: another separator", "x.csv", "hyp1;hyp2;ref\na;b;c\n", "predict x.csv"),
        damage("CSV: a field too few", "x.csv", "hyp1,hyp2,ref\na,b,c\na,b\n", "predict x.csv"),
        damage("CSV: an open quotation mark", "x.csv", "hyp1,hyp2,ref\n\"a,b,c\na,b,c\n", "predict x.csv"),
        damage("CSV: not UTF-8", "x.csv", b"hyp1,hyp2,ref\na,\xff,c\n", "predict x.csv"),
        damage("CSV: an empty file", "x.csv", "", "predict x.csv"),
        damage("CSV: a header and no row", "x.csv", "hyp1,hyp2,ref\n", "predict x.csv"),
        damage("CSV: a wrong label", "x.csv", "hyp1,hyp2,ref,label\na,b,c,5\n", "train x.csv"),
        damage("CSV: a row without a label", "x.csv", "hyp1,hyp2,ref,label\na,b,c,1\na,b,c,\n", "train x.csv"),
        damage("CSV: a weight below 0", "x.csv", "hyp1,hyp2,ref,weight\na,b,c,-1\n", "predict x.csv"),
        damage("CSV: a weight that is no number", "x.csv", "hyp1,hyp2,ref,weight\na,b,c,1e999\n", "predict x.csv"),
        damage("CSV: a column twice", "x.csv", "hyp1,hyp2,ref,ref\na,b,c,d\n", "predict x.csv"),
        damage("CSV: a gap in references", "x.csv", "hyp1,hyp2,ref,ref3\na,b,c,d\n", "predict x.csv"),
        damage("TSV: a tab in a text", "x.tsv", "hyp1\thyp2\tref\na\tb\tc\td\n", "predict x.tsv"),
        damage("JSON Lines: a text is missing", "x.jsonl", "{\"hyp1\":\"a\",\"ref\":\"c\"}\n", "predict x.jsonl"),
        damage("JSON Lines: a line that is cut off", "x.jsonl", "{\"hyp1\":\"a\",\"hyp2\n", "predict x.jsonl"),
        damage(
            "JSON Lines: a list for a text",
            "x.jsonl",
            "{\"hyp1\":[\"a\"],\"hyp2\":\"b\",\"ref\":\"c\"}\n",
            "predict x.jsonl",
        ),
        damage(
            "JSON Lines: no reference",
            "x.jsonl",
            "{\"hyp1\":\"a\",\"hyp2\":\"b\",\"ref\":[]}\n",
            "predict x.jsonl",
        ),
        damage(
            "JSON Lines: half a surrogate",
            "x.jsonl",
            "{\"hyp1\":\"\\ud800\",\"hyp2\":\"b\",\"ref\":\"c\"}\n",
            "predict x.jsonl",
        ),
    ]
}

fn verdicts() -> Vec<Damage> {
    vec![
        damage("verdicts: another number", "x.out", "1\n2\n", "check x.out"),
        damage("verdicts: a word", "x.out", "1\nbetter\n", "check x.out"),
        damage("verdicts: an empty line", "x.out", "1\n\n0\n", "check x.out"),
        damage("verdicts: an empty file", "x.out", "", "check x.out"),
        damage("verdicts: too few", "x.out", "1\n0\n", "check x.out --pairs dev.pairs"),
        damage("verdicts: too many", "x.out", "1\n0\n1\n0\n1\n0\n1\n", "check x.out --pairs dev.pairs"),
        damage("answers: too few", "x.answers", "1\n0\n", "features dev.pairs --answers x.answers"),
        damage(
            "answers: only ties",
            "x.answers",
            "0\n0\n0\n0\n0\n0\n",
            "train dev.pairs --answers x.answers --folds 2",
        ),
        damage("answers: fewer references than folds", "x", "", "train dev.pairs --answers dev.answers --folds 3"),
    ]
}

fn models() -> Vec<Damage> {
    vec![
        model("model: cut off", |text| text[..text.len() / 2].trim_end().to_owned()),
        model("model: the last line is missing", |text| text.trim_end().trim_end_matches('}').trim_end().to_owned()),
        model("model: another number", |text| with_last_number(text, "0.25")),
        model("model: text after its end", |text| text.to_owned() + "{}\n"),
        model("model: a field after the checksum", |text| {
            text.trim_end().trim_end_matches("\n}").to_owned() + ",\n\"a\": 1}"
        }),
        model("model: no checksum", |text| text.split_once(",\n  \"checksum\"").unwrap().0.to_owned() + "\n}\n"),
        model("model: a newer version", |text| text.replacen("\"version\": 1", "\"version\": 2", 1)),
        model("model: another feature", |text| text.replacen("\"name\": \"chrf\"", "\"name\": \"chfr\"", 1)),
        model("model: another WordNet", |text| text.replacen("\"wordnet\": \"3.0 ", "\"wordnet\": \"3.1 ", 1)),
        model("model: a number that is none", |text| with_last_number(text, "-1e999")),
        model("model: a number beyond all bounds", |text| with_last_number(text, "1e308")),
        model("model: a scale of scores without width", |text| with_last_number_of(text, "width", "0")),
        damage("model: another JSON file", "m.json", "{\"weights\": [1]}\n", "predict dev.pairs -m m.json"),
        damage("model: no JSON", "m.json", "a ||| b ||| c\n", "predict dev.pairs -m m.json"),
        damage("model: no file of that name", "x", "", "predict dev.pairs -m m.json"),
    ]
}

fn imports() -> Vec<Damage> {
    let mqm = |rows: &str| format!("{MQM}{rows}");
    let texts = |rows: &str| vec![("x.csv", format!("{RR}{rows}").into_bytes()), ("x.ref", b"r\n".to_vec())];
    let rr = |kind, rows: &str| Damage { kind, files: texts(rows), command: "import wmt-rr x.csv --references x.ref" };
    vec![
        damage("rankings: a field is missing", "x.rankings", "1 ||| 0 ||| r\n", "import rankings x.rankings"),
        damage(
            "rankings: a rank that is no number",
            "x.rankings",
            "1 ||| best ||| r ||| h\n",
            "import rankings x.rankings",
        ),
        damage("rankings: an empty file", "x.rankings", "", "import rankings x.rankings"),
        damage("rankings: a single hypothesis", "x.rankings", "1 ||| 0 ||| r ||| h\n", "import rankings x.rankings"),
        damage(
            "rankings: an id comes back",
            "x.rankings",
            "1 ||| 0 ||| r ||| h\n2 ||| 0 ||| q ||| h\n1 ||| 1 ||| r ||| g\n",
            "import rankings x.rankings",
        ),
        damage(
            "rankings: an id with two references",
            "x.rankings",
            "1 ||| 0 ||| r ||| h\n1 ||| 0 ||| q ||| h\n",
            "import rankings x.rankings",
        ),
        damage("MQM: a column is missing", "x.tsv", "system\tdoc\n", "import mqm x.tsv"),
        damage("MQM: a field is missing", "x.tsv", mqm("ref\td\t1\tr\tt\tNo-error\n"), "import mqm x.tsv"),
        damage("MQM: an unknown severity", "x.tsv", mqm("ref\td\t1\tr\tt\tStyle\tCritical\n"), "import mqm x.tsv"),
        damage("MQM: no reference", "x.tsv", mqm("A\td\t1\tr\tt\tStyle\tMajor\n"), "import mqm x.tsv"),
        damage(
            "MQM: two texts of one segment",
            "x.tsv",
            mqm("A\td\t1\tr\tt\tStyle\tMajor\nA\td\t1\tr\tu\tStyle\tMajor\n"),
            "import mqm x.tsv",
        ),
        damage("WMT rankings: a column is missing", "x.csv", "srclang,trglang\n", "import wmt-rr x.csv"),
        rr("WMT rankings: a rank that is no number", "cze,eng,1,j,x.ref,x.ref,first,2\n"),
        rr("WMT rankings: an index that is none", "cze,eng,0,j,x.ref,x.ref,1,2\n"),
        damage(
            "direct assessments: a field is missing",
            "x.da",
            "SYS SID RAW Z N\nA 1\n",
            "import da x.da --references x.da",
        ),
        damage("direct assessments: a score that is none", "x.da", "A 1 nan 0 1\n", "import da x.da --references x.da"),
        damage(
            "METEOR's ranks: a field is missing",
            "x.rank",
            "1\tcs-en\tA\n",
            "import rank x.rank --references x.rank",
        ),
        damage("tables: unknown columns", "x.csv", "a,b\n1,2\n", "import table x.csv"),
        damage("tables: no reference", "x.csv", "pos,neg\na,b\n", "import table x.csv"),
        damage("tables: a score that is no number", "x.csv", "mt,ref,score\na,b,high\n", "import table x.csv"),
        damage("imports: lines have no place for labels", "x.csv", "mt,ref,score\n", "import table x.csv -o x.pairs"),
    ]
}

fn outputs() -> Vec<Damage> {
    vec![
        damage("output: no such folder", "x", "", "predict dev.pairs -o none/eval.out"),
        damage("output: a folder", "x", "", "predict dev.pairs -o ."),
        damage("output: Parquet", "x", "", "features dev.pairs -o x.parquet"),
        damage("output: an input", "x", "", "predict dev.pairs -o dev.pairs"),
        damage("score: a table", "x.csv", "hyp\na\n", "score x.csv -r x.csv"),
        damage("score: files of different length", "x.txt", "a\nb\n", "score x.txt -r dev.answers"),
        Damage {
            command: "score dev.answers -r dev.answers -m m.json",
            ..model("score: a model of another WordNet", |text| text.replacen("\"3.0 ", "\"3.1 ", 1))
        },
        damage("score: an unknown metric", "x.txt", "a\n", "score x.txt -r x.txt --metrics blue"),
    ]
}

/// The longest part of a message that the table shows, in characters.
const SHOWN: usize = 190;

/// A row of the table. Its message leaves out what depends on the numbers of the built-in model, and escapes bars so
/// that the table keeps its columns.
fn row(kind: &str, message: &str) -> String {
    let version = concat!("tribunal ", env!("CARGO_PKG_VERSION"));
    let message = message.trim_end().trim_start_matches("tribunal: ").replace(version, "tribunal VERSION");
    let message = without_digits(&without_digits(&message, "m.json:", "LINE"), "xxh3:", "...");
    let cut: String = message.chars().take(SHOWN).collect();
    let end = if cut.len() < message.len() { "..." } else { "" };
    format!("| {kind} | `` {}{end} `` |\n", cut.replace('|', "\\|"))
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

/// The model with its last weight replaced.
fn with_last_number(model: &str, number: &str) -> String {
    with_last_number_of(model, "tie_intercept", number)
}

/// The model with the last field of an object replaced.
fn with_last_number_of(model: &str, field: &str, number: &str) -> String {
    let (before, rest) = model.split_once(&format!("\"{field}\": ")).unwrap();
    let (_, after) = rest.split_once('\n').unwrap();
    format!("{before}\"{field}\": {number}\n{after}")
}

#[test]
fn the_table_says_what_the_program_says() {
    let all: Vec<Damage> =
        [pairs(), tables(), verdicts(), models(), imports(), outputs()].into_iter().flatten().collect();
    assert!(all.len() >= 40);
    let mut rows = String::new();
    for Damage { kind, files, command } in &all {
        let bench = Bench::of(2);
        files.iter().for_each(|(name, bytes)| bench.write(name, bytes));
        let before = bench.content();
        let run = bench.run(command);
        assert_eq!((run.status, run.stderr.lines().count()), (1, 1), "{kind}: {}{}", run.stdout, run.stderr);
        assert_eq!(bench.content(), before, "{kind}: something was written");
        rows += &row(kind, &run.stderr);
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/damage.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| --- | --- |\n").unwrap();
    assert!(table == rows, "src/damage.md should have these rows:\n{rows}");
}
