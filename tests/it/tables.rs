//! Tables with the real binary: the same rules for all kinds, nothing silently lost or misread, and every output
//! compressed as its name says.

use crate::common::{Bench, without_lines};

/// The same pair with two further references, in every kind of table.
const SAME: [(&str, &str); 5] = [
    ("x.csv", "hyp1,hyp2,ref,ref2,ref3,label\na cat,dogs,a dog,the cat,,1\n"),
    ("x.tsv", "hyp1\thyp2\tref\tref2\tref3\tlabel\na cat\tdogs\ta dog\tthe cat\t\t1\n"),
    ("a.jsonl", "{\"hyp1\":\"a cat\",\"hyp2\":\"dogs\",\"ref\":\"a dog\",\"ref2\":\"the cat\",\"label\":1}\n"),
    ("b.jsonl", "{\"hyp1\":\"a cat\",\"hyp2\":\"dogs\",\"ref\":[\"a dog\",\"the cat\"],\"label\":1}\n"),
    (
        "c.jsonl",
        "{\"hyp1\":\"a cat\",\"hyp2\":\"dogs\",\"ref\":[\"a dog\",\"\"],\
         \"ref2\":null,\"ref3\":\"the cat\",\"label\":1}\n",
    ),
];

/// Safeguard 2.
#[test]
fn references_follow_one_rule_in_all_readers() {
    let bench = Bench::of(1);
    bench.write("x.pairs", "a cat ||| dogs ||| a dog ||| the cat |||\n");
    let probabilities = bench.output("predict x.pairs --json");
    bench.write("one.pairs", "a cat ||| dogs ||| a dog ||| |||\n");
    assert_ne!(bench.output("predict one.pairs --json"), probabilities);
    bench.write("alone.pairs", "a cat ||| dogs ||| a dog\n");
    assert_eq!(bench.output("predict one.pairs --json"), bench.output("predict alone.pairs --json"));
    for (name, table) in SAME {
        bench.write(name, table);
        let same = bench.output(&format!("predict {name} --json"));
        assert_eq!(without_lines(&same), without_lines(&probabilities), "{name}");
        let imported = bench.output(&format!("import table {name} --to jsonl -q"));
        assert!(imported.contains("\"ref\":[\"a dog\",\"the cat\"]"), "{name}: {imported}");
    }
}

/// Safeguard 2.
#[test]
fn a_gap_between_references_and_a_column_that_stands_twice_are_errors() {
    let bench = Bench::of(1);
    let (gap, two) = (
        "expected the column 'ref2' before 'ref3', found no such column",
        "expected distinct column names, found two columns ",
    );
    let row = r#"{"hyp1":"a","hyp2":"b","ref":"c","label":1"#;
    for (name, table, place, told) in [
        ("x.csv", "hyp1,hyp2,ref,ref3,label\na,b,c,d,1\n", 1, gap),
        ("x.tsv", "hyp1\thyp2\tref\tref3\tlabel\na\tb\tc\td\t1\n", 1, gap),
        ("x.jsonl", &format!("{row}}}\n{row},\"ref3\":\"d\"}}\n"), 2, gap),
        ("x.csv", "hyp1,hyp2,ref,label,label\na,b,c,1,0\n", 1, &format!("{two}'label'")),
        ("x.tsv", "hyp1\thyp2\tref\tref\tlabel\na\tb\tc\td\t1\n", 1, &format!("{two}'ref'")),
        ("x.jsonl", &format!("{row},\"hyp1\":\"d\"}}\n"), 1, &format!("{two}'hyp1'")),
    ] {
        bench.write(name, table);
        for command in [format!("predict {name} -o out"), format!("import table {name} -o out.csv")] {
            bench.refuses(&command, &[&format!("{name}:{place}: {told}")]);
        }
    }
}

/// Safeguard 3.
#[test]
fn a_stray_quote_swallows_no_rows() {
    let bench = Bench::of(1);
    let rows =
        |quote: &str| (0..500).map(|row| format!("a,b,{}c\n", if row == 3 { quote } else { "" })).collect::<String>();
    bench.write("x.csv", format!("hyp1,hyp2,ref\n{}", rows("\"")));
    bench.refuses("predict x.csv", &["x.csv:5: expected a closing quote"]);
    bench.write("y.csv", format!("better,worse,ref\n{}", rows("\"")));
    bench
        .refuses("import table y.csv --column pos=better,neg=worse -o out.csv", &["y.csv:5: expected a closing quote"]);
    let table = format!("hyp1,hyp2,ref\n{}", rows("\"")).replace(',', "\t");
    bench.write("x.tsv", &table);
    assert_eq!(bench.output("predict x.tsv").lines().count(), 500);
}

#[test]
fn answers_that_overrule_a_tables_labels_are_told_of() {
    let bench = Bench::of(1);
    bench.write("x.csv", "hyp1,hyp2,ref,label\na cat,dogs,a cat,1\ndogs,a cat,a cat,1\n");
    bench.write("x.answers", "1\n-1\n");
    let run = bench.run("compare x.csv -a x.answers");
    let warning = "warning: x.answers overrules the labels of x.csv, which differ in 1 of 2 pairs; omit --answers";
    assert!(run.status == 0 && run.stderr.contains(warning), "{}", run.stderr);
    bench.write("x.answers", "1\n1\n");
    assert!(!bench.run("compare x.csv -a x.answers").stderr.contains("overrules"));
}

#[test]
fn a_table_under_another_name_is_recognised() {
    let bench = Bench::of(1);
    let is_table = "if it is a table, name its format: --format";
    for (text, kind, tip) in [
        ("hyp1,hyp2,ref\na,b,c\n", "csv", is_table),
        ("hyp1\thyp2\tref\na\tb\tc\n", "tsv", is_table),
        (r#"{"hyp1": "a", "hyp2": "b", "ref": "c"}"#, "jsonl", "name the file .jsonl, or its format: --format"),
    ] {
        bench.write("x.txt", text);
        bench.refuses("predict x.txt", &["x.txt:1: expected ", &format!("{tip} {kind}")]);
        bench.output(&format!("predict x.txt --format {kind}"));
    }
    // Without names, another format would not help.
    bench.write("x.txt", "a\tb\tc\n");
    bench.refuses(
        "predict x.txt",
        &["if it is a table with column names in its first line, name its format: --format tsv"],
    );
}

/// The first lines of a table are not its first rows.
#[test]
fn the_first_pairs_are_taken_of_lines_alone() {
    let bench = Bench::of(1);
    bench.write("few.answers", "1\n");
    bench.write("x.csv", "hyp1,hyp2,ref\na cat,dogs,a cat\ndogs,a cat,a cat\n");
    bench.write("x.pairs", "a cat ||| dogs ||| a cat\ndogs ||| a cat ||| a cat\n");
    bench.refuses("train x.pairs -a few.answers", &["take those: head -n 1 x.pairs"]);
    bench.refuses("train x.csv -a few.answers", &["found 1; check that the files belong together and that neither"]);
    // One line less of many is missing in the middle, more often than at the end.
    let bench = Bench::of(30);
    let answers = bench.read("dev.answers");
    bench.write("most.answers", answers.split_once('\n').unwrap().1);
    bench.refuses("train dev.pairs -a most.answers", &["found 89; a line that is missing before the last one shifts"]);
    bench.output("train dev.pairs -a dev.answers --folds 2 --report report");
    let part: String = bench.read("report/pairs.csv").lines().take(40).map(|line| format!("{line}\n")).collect();
    bench.write("report/pairs.csv", part);
    bench.refuses("evaluate report/pairs.csv -a dev.answers", &["of a report, take one with --all-pairs"]);
}

/// Safeguard 5.
#[test]
fn features_are_written_as_the_name_says() {
    let bench = Bench::of(2);
    let csv = bench.output("features dev.pairs --answers dev.answers");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    bench.output("features dev.pairs --answers dev.answers -o x.tsv");
    let tsv = bench.read("x.tsv");
    assert_eq!(tsv.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect::<Vec<_>>(), rows);
    bench.output("features dev.pairs --answers dev.answers -o x.jsonl");
    let lines = bench.read("x.jsonl");
    assert_eq!(bench.output("features dev.pairs --answers dev.answers --json"), lines);
    for (line, row) in lines.lines().zip(&rows[1..]) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        for (name, cell) in rows[0].iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
            assert_eq!(object[name].as_f64(), cell.parse().ok(), "{name}");
        }
    }
    assert_eq!(lines.lines().count(), rows.len() - 1);
}

#[test]
fn tsv_refuses_what_it_cannot_hold() {
    let bench = Bench::of(1);
    bench.write("x.csv", "hyp1,hyp2,ref,label\n\"a\nb\",c,d,1\n");
    let parts = ["row 1 of ", "texts without tabs and line ends", "found 'a\\nb'; write CSV or JSON Lines"];
    bench.refuses("import table x.csv -o out.tsv", &parts);
    assert!(!bench.path("out.tsv").exists());
}

/// Safeguard 4.
#[test]
fn every_output_is_compressed_as_its_name_says() {
    let bench = Bench::of(3);
    bench.write("x.rankings", "s1 ||| 0 ||| the cat ||| a cat\ns1 ||| 1 ||| the cat ||| cats\n");
    for (ending, magic) in [("gz", &[0x1f, 0x8b][..]), ("zst", &[0x28, 0xb5, 0x2f, 0xfd])] {
        for (command, name, back) in [
            ("predict dev.pairs -o", "eval.out", "check FILE --pairs dev.pairs"),
            ("features dev.pairs -o", "table.csv", ""),
            ("import rankings x.rankings -o", "imported.csv", "compare FILE --json"),
            ("train dev.pairs --answers dev.answers --folds 2 -q -m", "model.json", "predict dev.pairs -m FILE"),
        ] {
            bench.output(&format!("{command} {name}"));
            bench.output(&format!("{command} {name}.{ending}"));
            let bytes = std::fs::read(bench.path(&format!("{name}.{ending}"))).unwrap();
            assert!(bytes.starts_with(magic), "{name}.{ending}");
            let plain = std::fs::read(bench.path(name)).unwrap();
            assert_eq!(decompressed(&bytes, ending), plain, "{name}.{ending}");
            if !back.is_empty() {
                let read = |name: &str| bench.output(&back.replace("FILE", name)).replace(name, "FILE");
                assert_eq!(read(&format!("{name}.{ending}")), read(name));
            }
        }
    }
}

fn decompressed(bytes: &[u8], ending: &str) -> Vec<u8> {
    let mut plain = Vec::new();
    match ending {
        "gz" => std::io::copy(&mut flate2::read::GzDecoder::new(bytes), &mut plain).unwrap(),
        _ => std::io::copy(&mut zstd::Decoder::new(bytes).unwrap(), &mut plain).unwrap(),
    };
    plain
}

#[test]
#[cfg(feature = "parquet")]
fn features_and_pairs_go_through_parquet() {
    let bench = Bench::of(2);
    bench.output("features dev.pairs --answers dev.answers -o x.parquet");
    bench.write("x.rankings", "s1 ||| 0 ||| the cat ||| a cat\ns1 ||| 1 ||| the cat ||| cats\n");
    bench.output("import rankings x.rankings -o pairs.parquet");
    assert_eq!(bench.output("compare pairs.parquet --json"), bench.output("compare x.rankings -q --json"));
}

#[test]
fn every_command_that_prints_tables_prints_them_for_a_paper() {
    let bench = Bench::of(60);
    let mut scores = "system,segment,score,m\n".to_owned();
    for at in 0..60 {
        scores += &format!("s{},{},{},{}\n", at % 3, at / 3, at * 7 % 11, at * 5 % 13);
    }
    bench.write("scores.csv", scores);
    crate::ranking::arena(&bench, true);
    crate::outputs::marked(&bench);
    let texts = |side: usize| {
        let sides = bench.read("dev.pairs");
        sides.lines().map(|line| line.split(" ||| ").nth(side).unwrap().to_owned() + "\n").collect::<String>()
    };
    for (name, side) in [("one.txt", 0), ("two.txt", 1), ("ref.txt", 2)] {
        bench.write(name, texts(side));
    }
    bench.output("train dev.pairs -a dev.answers --folds 2 -m m.json -q");
    for (command, key) in [
        ("train dev.pairs -a dev.answers --folds 2", "accuracy"),
        ("compare dev.pairs -a dev.answers -m m.json", "accuracy"),
        ("compare marked.csv --judge gpt", "agreement"),
        ("evaluate dev.answers -a dev.answers", "accuracy"),
        ("rank arena.csv", "systems"),
        ("rank marked.csv", "systems"),
        ("score one.txt two.txt -r ref.txt --clusters", "scores"),
        ("correlate scores.csv --people score", "statistics"),
    ] {
        let latex = bench.output(&format!("{command} --table latex -q"));
        let count = |text: &str| latex.matches(text).count();
        assert!(count("\\begin{table}") > 0 && count("\\begin{table}") == count("\\end{table}"), "{command} {latex}");
        assert_eq!(
            count("\\toprule"),
            count(&format!("Tribunal {}}}", env!("CARGO_PKG_VERSION"))),
            "{command} {latex}"
        );
        assert!(latex.contains(&format!("\\label{{tab:{key}}}")), "{command} {latex}");
        let markdown = bench.output(&format!("{command} --table markdown:{key} -q"));
        let widths: Vec<usize> = markdown
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.replace("\\|", "").matches('|').count())
            .collect();
        assert!(widths.len() > 2 && widths.iter().all(|width| *width == widths[0]), "{command} {markdown}");
        let csv = bench.output(&format!("{command} --table csv -q"));
        let fields = |line: &str| line.split(',').count();
        assert!(csv.lines().count() > 1 && fields(csv.lines().next().unwrap()) > 1, "{command} {csv}");
    }
    bench.refuses("rank arena.csv --table latex:lost -q", &["--table: expected one of the tables", "found 'lost'"]);
    bench.output("score one.txt two.txt -r ref.txt -o scores.tex");
    assert!(
        bench.read("scores.tex").contains("chrF2\\textbar{}") || bench.read("scores.tex").contains("chrF2|nrefs:1")
    );
    bench
        .refuses("score one.txt -r ref.txt --segments -o s.md", &["--segments: expected scores of systems in a table"]);
    for refused in ["rank arena.csv --json", "score one.txt -r ref.txt -o x.tsv", "score one.txt -r ref.txt --segments"]
    {
        assert_eq!(bench.run(&format!("{refused} --table latex")).status, 2, "{refused}");
    }
}
