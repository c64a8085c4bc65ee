//! Importing judgments in every format with the real binary: labels, ties, counts, and accounts of what is dropped.

use crate::common::{Bench, gzip, zstd};
use serde_json::Value;

/// Imports to JSON Lines; returns the pairs, each with its better hypothesis first.
fn imported(bench: &Bench, arguments: &str) -> Vec<Pair> {
    let run = bench.run(&format!("import {arguments} --to jsonl -q"));
    assert_eq!(run.status, 0, "{arguments}: {}", run.stderr);
    let pair = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let (first, second) = (text("hyp1").unwrap(), text("hyp2").unwrap());
        let label = value["label"].as_i64().unwrap();
        let (better, other) =
            if label < 0 || (label == 0 && first > second) { (second, first) } else { (first, second) };
        Pair {
            better,
            other,
            is_tie: label == 0,
            reference: text("ref").unwrap(),
            group: text("group").unwrap_or_default(),
            annotators: text("annotator").unwrap_or_default(),
            weight: value["weight"].as_f64(),
        }
    };
    run.stdout.lines().map(pair).collect()
}

struct Pair {
    better: String,
    other: String,
    is_tie: bool,
    reference: String,
    group: String,
    annotators: String,
    weight: Option<f64>,
}

/// `better > other` or `one = another`.
fn orders(pairs: &[Pair]) -> Vec<String> {
    let order = |pair: &Pair| format!("{} {} {}", pair.better, if pair.is_tie { "=" } else { ">" }, pair.other);
    let mut orders: Vec<String> = pairs.iter().map(order).collect();
    orders.sort();
    orders
}

const RANKINGS: &str = "s1 ||| 1 ||| the cat ||| a cat\ns1 ||| 0 ||| the cat ||| cat\ns1 ||| 0 ||| the cat ||| cats\n\
    s2 ||| 2 ||| a dog ||| dog\ns2 ||| 0 ||| a dog ||| dogs\n";

#[test]
fn labels_beside_a_table_are_refused() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    for table in ["-o x.csv", "-o x.tsv.gz", "-o x.pairs --to jsonl", "--to csv"] {
        let told = "--answers: expected pairs as lines of text, found a table";
        bench.refuses(&format!("import rankings x.rankings {table} -a x.answers"), &[told, "; omit --answers, or "]);
    }
    let lines = bench.run("import rankings x.rankings -a x.answers").done().stdout;
    bench.run("import rankings x.rankings -o x.pairs -a y.answers").done();
    assert_eq!((lines, bench.read("x.answers")), (bench.read("x.pairs"), bench.read("y.answers")));
}

#[test]
fn annotators_with_a_semicolon_in_their_name_are_refused_where_names_are_joined() {
    let bench = Bench::of(1);
    let mqm = |rater: &str| {
        let row =
            |system: &str, severity: &str| format!("{system}\td\t1\t{rater}\tthe cat {system}\tStyle\t{severity}\n");
        let rows = [row("refA", "Neutral"), row("A", "Major"), row("B", "Minor")];
        format!("system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity\n{}", rows.concat())
    };
    bench.write("x.tsv", mqm("Lee; Ann"));
    bench.refuses(
        "import mqm x.tsv -o x.csv",
        &["without a semicolon, which separates names, found 'Lee; Ann'; rename "],
    );
    bench.run("import mqm x.tsv -o x.pairs -a x.answers").done();
    // Nobody is named where no rater is.
    for (rater, judges) in [("", ""), ("Lee, Ann", "Lee, Ann")] {
        bench.write("x.tsv", mqm(rater));
        assert_eq!(imported(&bench, "mqm x.tsv")[0].annotators, judges);
    }
}

#[test]
fn rankings() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    let pairs = imported(&bench, "rankings x.rankings --score-weights");
    assert_eq!(orders(&pairs), ["a cat > cat", "a cat > cats", "cat = cats", "dog > dogs"]);
    assert_eq!(pairs.iter().filter_map(|pair| pair.weight).sum::<f64>(), 1.0 + 1.0 + 1.0 + 2.0);
    assert!(pairs.iter().all(|pair| (pair.group == "s1") == (pair.reference == "the cat")));
    assert_eq!(orders(&imported(&bench, "rankings x.rankings --human-ties drop")).len(), 3);
    let said = bench.run("import rankings x.rankings -o x.csv");
    assert!(said.stdout.starts_with("x.rankings: 5 rows read, 5 used; 4 pairs of 2 segments; "), "{}", said.stdout);
    let said = bench.run("import rankings x.rankings --human-ties drop -o x.csv").stdout;
    assert!(said.contains("dropped 1 pair: ties"), "{said}");
}

#[test]
fn the_same_pairs_whatever_the_compression() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    bench.write("x.rankings.gz", gzip(RANKINGS));
    bench.write("x.rankings.zst", zstd(RANKINGS));
    let plain = bench.output("import rankings x.rankings -q");
    assert_eq!(bench.output("import rankings x.rankings.gz -q"), plain);
    assert_eq!(bench.output("import rankings x.rankings.zst -q"), plain);
    // The extension before that of the compression shows the format.
    assert_eq!(bench.output("predict x.rankings.gz"), bench.output("predict x.rankings"));
}

#[test]
fn all_formats_of_pairs_hold_the_same() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    let evaluate = |pairs: &str, more: &str| {
        let run = bench.run(&format!("compare {pairs} {more} --json"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let direct = evaluate("x.rankings", "");
    assert!(direct.contains("\"rows\":4,\"groups\":2"), "{direct}");
    for name in ["x.csv", "x.tsv", "x.jsonl"] {
        bench.run(&format!("import rankings x.rankings -o {name}"));
        assert_eq!(evaluate(name, ""), direct, "{name}");
    }
    bench.run("import rankings x.rankings -o x.pairs -a x.answers");
    assert_eq!(evaluate("x.pairs", "--answers x.answers"), direct);
}

const MQM: &str = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n\
    ref\td\t1\t1\tr1\t\tthe cat sat\tNo-error\tNo-error\n\
    A\td\t1\t1\tr1\tle <v>chat</v>\tthe <v>cats</v> sat\tFluency/Grammar\tMajor\n\
    A\td\t1\t1\tr2\tq\tthe cats sat\tNo-error\tNo-error\n\
    B\td\t1\t1\tr1\tq\tthe cat \"sat<v></v>\tFluency/Punctuation\tMinor\n\
    C\td\t1\t1\tr1\tq\tcat sat\tAccuracy/Omission\tMinor\n\
    A\td\t1\t2\tr1\tq\tno reference\tNo-error\tNo-error\n";

#[test]
fn error_annotations() {
    let bench = Bench::of(1);
    bench.write("x.tsv", MQM);
    // A: -2.5, B: -0.1, C: -1; margin 1.
    let pairs = imported(&bench, "mqm x.tsv");
    assert_eq!(orders(&pairs), ["cat sat = the cat \"sat", "cat sat > the cats sat", "the cat \"sat > the cats sat"]);
    assert!(pairs.iter().any(|pair| pair.annotators == "r1;r2"));
    let finer = imported(&bench, "mqm x.tsv --margin 0 --penalty Accuracy/Omission=3 --score-weights");
    assert_eq!(orders(&finer)[2], "the cats sat > cat sat");
    assert!(finer.iter().any(|pair| pair.weight.is_some_and(|weight| (weight - 2.9).abs() < 1e-9)));
    let said = bench.run("import mqm x.tsv -o x.csv").stdout;
    for part in ["6 rows read, 4 used", "dropped 1 row: errors of the reference", "dropped 1 row: of a segment without"]
    {
        assert!(said.contains(part), "{said}");
    }
    let direct = bench.run("compare x.tsv --format mqm --json").stdout;
    assert_eq!(direct, bench.run("compare x.csv --json").stdout);
    // A source without the marks of errors, the first that is there.
    assert!(bench.read("x.csv").lines().skip(1).all(|line| line.contains(",le chat,")), "{}", bench.read("x.csv"));
}

fn write_outputs(bench: &Bench) {
    for (name, text) in [
        ("out/test.A.cs-en", "a one\na two\n"),
        ("out/test.B.cs-en", "b one\nb two\n"),
        ("out/test.C.cs-en", "c one\nc two\n"),
        ("out/test.A.de-en", "german\ngerman\n"),
        ("ref/test-csen-ref.en", "one\ntwo\n"),
        ("ref/test-deen-ref.en", "eins\nzwei\n"),
    ] {
        let path = bench.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

const RR: &str = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,\
    system3Number,system3Id,system1rank,system2rank,system3rank\n\
    cze,eng,1,-1,1,j1,1,test.A.cs-en,2,test.B.cs-en,3,test.C.cs-en,1,2,2\n\
    cze,eng,1,-1,1,j2,1,test.A.cs-en,2,test.B.cs-en,3,test.C.cs-en,1,3,-1\n\
    cze,eng,1,-1,1,j3,2,test.B.cs-en,1,test.A.cs-en,3,test.Z.cs-en,1,4,5\n\
    cze,eng,2,-1,2,j3,2,test.B.cs-en,1,test.Z.cs-en,3,test.C.cs-en,1,4,-1\n\
    ger,eng,2,-1,2,j3,1,test.A.de-en,2,test.A.de-en,3,test.A.de-en,-1,-1,-1\n";

#[test]
fn relative_rankings_of_wmt() {
    let bench = Bench::of(1);
    write_outputs(&bench);
    bench.write("rr.csv", RR);
    let pairs = imported(&bench, "wmt-rr rr.csv --systems out --references ref");
    let all = ["a one > b one", "a one > b one", "a one > c one", "b one = c one", "b one > a one"];
    assert_eq!(orders(&pairs), all);
    assert!(
        pairs.iter().all(|pair| pair.reference == "one" && pair.group == "cze-eng:1" && pair.annotators.len() == 2)
    );
    let merged = imported(&bench, "wmt-rr rr.csv --systems out --references ref/test-csen-ref.en --merge");
    assert_eq!(orders(&merged), ["a one > b one", "a one > c one", "b one = c one"]);
    let of_three = merged.iter().find(|pair| pair.other == "b one" && !pair.is_tie).unwrap();
    assert_eq!((of_three.weight, of_three.annotators.as_str()), (Some(2.0 / 3.0), "j1;j2;j3"));
    let said = bench.run("import wmt-rr rr.csv --systems out --references ref --languages cze-eng -o x.csv").stdout;
    for part in ["5 rows read, 3 used", "dropped 1 row: of other languages", "dropped 1 row: of system 'test.Z.cs-en'"]
    {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn direct_assessments() {
    let bench = Bench::of(1);
    write_outputs(&bench);
    bench.write(
        "da.txt",
        "SYS SID RAW.SCR Z.SCR N\nA 1 90.5 0.7 2\nB 1 65.5 0 1\nC 1 50 -0.5 1\nA 2 70 0 1\nB 2 60 0 1\nC 9 1 0 1\n",
    );
    let options = "da da.txt --systems out --references ref --languages cs-en";
    assert_eq!(orders(&imported(&bench, options)), ["a one > b one", "a one > c one"]);
    let with_ties = imported(&bench, &format!("{options} --human-ties keep"));
    assert_eq!(orders(&with_ties), ["a one > b one", "a one > c one", "a two = b two", "b one = c one"]);
    let said = bench.run(&format!("import {options} -o x.csv")).stdout;
    for part in ["6 rows read, 5 used", "dropped 1 row: of a segment that has no reference", "dropped 2 pairs: ties"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn rank_files_of_meteor() {
    let bench = Bench::of(1);
    let sgml = |system: &str, texts: [&str; 2]| {
        let [one, two] = texts;
        let text = format!("<tstset><doc><seg id=\"1\">{one}</seg>\n<seg id=\"2\"> {two} </seg></doc></tstset>\n");
        bench.write(&format!("cz-en.{system}.sgm"), text);
    };
    sgml("ref", ["one", "Q&amp;A"]);
    sgml("alpha", ["an alpha", "Q &amp; alpha"]);
    sgml("beta", ["a beta", "beta"]);
    bench.write("x.rank", "1\tcz-en\talpha\tcz-en\tbeta\n2\tcz-en\tbeta\tcz-en\talpha\n2\tcz-en\tbeta\tcz-en\tgamma\n3\tcz-en\tbeta\tcz-en\talpha\n");
    let pairs = imported(&bench, "rank x.rank");
    assert_eq!(orders(&pairs), ["an alpha > a beta", "beta > Q & alpha"]);
    assert_eq!(pairs[1].reference, "Q&A");
    let said = bench.run("import rank x.rank -o x.csv").stdout;
    assert!(said.contains("4 rows read, 2 used") && said.contains("of system 'gamma'"), "{said}");
}

#[test]
fn tables_of_comet() {
    let bench = Bench::of(1);
    bench.write("scores.csv", "src,mt,ref,score\nq,x,r,0.5\nq,y,r,0.9\np,z,r,0.1\nq,w,r,\n");
    assert_eq!(orders(&imported(&bench, "table scores.csv")), ["y > x"]);
    let said = bench.run("import table scores.csv -o x.csv").stdout;
    assert!(said.contains("4 rows read, 2 used") && said.contains("1 row: without a score"), "{said}");
    assert_eq!(orders(&imported(&bench, "table scores.csv --margin 0.5")), ["x = y"]);
    bench.write("chosen.tsv", "src\tpos\tneg\tref\nq\tgood\tbad\tr\nq\tfine\tpoor\tr\n");
    assert_eq!(orders(&imported(&bench, "table chosen.tsv")), ["fine > poor", "good > bad"]);
    bench.write("named.jsonl", "{\"a\":\"one\",\"b\":\"two\",\"truth\":\"r\",\"who\":-1}\n{\"a\":\"x\",\"b\":\"y\",\"truth\":\"r\",\"who\":null}\n");
    let named = "table named.jsonl --column hyp1=a,hyp2=b,ref=truth,label=who";
    assert_eq!(orders(&imported(&bench, named)), ["two > one"]);
    bench.write("named", bench.read("named.jsonl"));
    let unnamed = named.replace("named.jsonl", "named --format jsonl");
    assert_eq!(orders(&imported(&bench, &unnamed)), ["two > one"]);
    let told = "named.jsonl:1: expected the columns hyp1, hyp2, label";
    bench.refuses("import table named.jsonl -o y.csv", &[told]);
}

#[test]
fn several_files_keep_their_segments_apart() {
    let bench = Bench::of(1);
    bench.write("x.rankings", RANKINGS);
    bench.write("y.rankings", "s1 ||| 0 ||| of y ||| one\ns1 ||| 1 ||| of y ||| one\n");
    let pairs = imported(&bench, "rankings x.rankings y.rankings");
    assert_eq!(pairs.len(), 5);
    assert!(pairs.iter().any(|pair| pair.group == "y:s1") && pairs.iter().any(|pair| pair.group == "x:s1"));
    let said = bench.run("import rankings x.rankings y.rankings --drop-same-text -o x.csv").stdout;
    assert!(said.contains("y.rankings: 2 rows read, 2 used; 0 pairs"), "{said}");
    assert!(said.contains("dropped 1 pair: both hypotheses are identical"), "{said}");
}

#[test]
fn a_column_that_is_named_must_be_there() {
    let bench = Bench::of(1);
    bench.write("x.csv", "system,ref,mt,score\na,r,b,1\nb,r,c,2\n");
    for option in ["group=segmet", "id=sytem", "src=source", "weight=w", "annotator=j"] {
        let told = format!("x.csv:1: expected a column '{}'", option.split_once('=').unwrap().1);
        bench.refuses(&format!("import table x.csv --column {option} -o pairs.csv"), &[&told]);
    }
    assert_eq!(bench.run("import table x.csv --column id=system -o pairs.csv").status, 0);
}

#[test]
fn outputs_of_systems_are_joined_to_pairs_and_to_one_table() {
    let bench = Bench::of(1);
    let line = |id: usize, text: &str, model: &str| {
        format!("{{\"id\": {id}, \"text\": \"{text}\", \"model\": \"{model}\"}}\n")
    };
    bench.write("a.jsonl", line(1, "one", "x") + &line(2, "two", "x"));
    bench.write("b.jsonl", line(2, "deux", "y") + &line(1, "un", "y"));
    bench.write("c.csv", "id,output\n2,zwei\n3,drei\n");
    bench.write(
        "q.jsonl",
        "{\"id\": 1, \"turns\": [\"first?\"]}\n{\"id\": 2, \"turns\": [\"second?\"], \"ref\": \"2\"}\n",
    );
    let pairs = bench.output("import outputs a.jsonl b.jsonl c.csv --questions q.jsonl --by id");
    let two = bench.output("import outputs a.jsonl b.jsonl --questions q.jsonl --by id -q");
    assert!(two.contains("\none,un,,,1,,,,first?,x,y\n"), "{two}");
    let expected = "hyp1,hyp2,ref,label,id,group,annotator,weight,prompt,system1,system2\none,un,,,,,,,first?,x,y\n\
        two,deux,2,,,,,,second?,x,y\ntwo,zwei,2,,,,,,second?,x,c\ndeux,zwei,2,,,,,,second?,y,c\n";
    assert_eq!(pairs, expected);
    let outputs = bench.output("import outputs a.jsonl b.jsonl --by id --outputs -q");
    assert_eq!(outputs, "system,output,group,label,annotator\nx,one,1,,\ny,un,1,,\nx,two,2,,\ny,deux,2,,\n");
    let said = bench.output("import outputs a.jsonl c.csv --by id -o p.csv");
    assert!(said.contains("2 files joined by id: 2 outputs of 1 question, 1 of them in every file; 2 outputs of questions of one file only left out"), "{said}");
    bench.write("d.jsonl", line(9, "neuf", "z") + &line(9, "nine", "z"));
    bench.refuses(
        "import outputs a.jsonl d.jsonl --by id",
        &["d.jsonl:2: expected one row for each id, found '9' again, as in line 1"],
    );
    bench.write("e.jsonl", line(9, "neuf", "z"));
    bench.refuses(
        "import outputs a.jsonl e.jsonl --by id",
        &["a.jsonl, e.jsonl: expected a value of id that two files have, found none"],
    );
    bench
        .refuses("import outputs a.jsonl --by id -o p.csv", &["expected two or more, for pairs of outputs, found one"]);
    bench.write("twice.jsonl", line(1, "uno", "x"));
    bench.refuses(
        "import outputs a.jsonl twice.jsonl --by id",
        &["twice.jsonl: expected another system in each file, found 'x' in a.jsonl, too"],
    );
    bench.refuses("import outputs a.jsonl b.jsonl --by id --column label=x", &["--column: expected the roles output"]);
    bench.refuses("import outputs a.jsonl b.jsonl --by key", &["a.jsonl:1: expected a column 'key'"]);
    bench.refuses("import outputs a.jsonl b.jsonl --by id -o a.jsonl", &["a.jsonl"]);
}

#[test]
fn metrics_in_columns_stay_beside_scores_and_labels() {
    let bench = Bench::of(1);
    bench.write(
        "s.csv",
        "src,mt,ref,score,comet,ter\nq,a cat sat,the cat sat,0.9,0.7,0.2\nq,cats sat,the cat sat,0.1,0.3,0.6\n",
    );
    let pairs = bench.output("import table s.csv --own comet,ter- -q");
    assert_eq!(
        pairs.lines().next().unwrap().split(',').skip(8).collect::<Vec<_>>(),
        ["src", "comet.1", "comet.2", "ter.1", "ter.2"]
    );
    assert!(
        pairs.contains("a cat sat,cats sat") && pairs.contains(",0.7,0.3,0.2,0.6")
            || pairs.contains(",0.3,0.7,0.6,0.2"),
        "{pairs}"
    );
    bench.write("l.csv", "a,b,ref,label,m.1,m.2\nx y,y x,x y,1,2,1\n");
    let labelled = bench.output("import table l.csv --column hyp1=a,hyp2=b --own m -q");
    assert!(labelled.ends_with(",2,1\n"), "{labelled}");
    bench.refuses("import table s.csv --own bleurt", &["s.csv:1: expected a column 'bleurt'"]);
    bench.refuses("import rankings s.rankings --own comet", &["--own: expected the format table"]);
    let row = |at: usize| format!("q{},a {at},r {},{},{}\n", at / 2, at / 2, at * 7 % 11, at * 7 % 11);
    bench.write("t.csv", "src,mt,ref,score,comet\n".to_owned() + &(0..80).map(row).collect::<String>());
    let report = bench.json("train t.csv --format table --own comet --folds 2 -q");
    let comet = report["systems"].as_array().unwrap().iter().find(|row| row["name"] == "own.comet").unwrap();
    assert_eq!(comet["accuracy"], 1.0);
}

#[test]
fn what_is_drawn_for_labelling_keeps_judges_and_metrics() {
    let bench = Bench::of(1);
    let row = |at: usize| {
        format!(
            "q{at},a {at},b {at},x,y,{},{},{},{},{}\n",
            ["A", "B", "tie"][at % 3],
            at % 5,
            at % 4,
            at % 7,
            0.25 * (at % 5) as f64
        )
    };
    let header = "prompt,hyp1,hyp2,system1,system2,gpt.12,m.1,m.2,n,llama\n".replace("gpt.12", "gpt");
    bench.write("x.csv", header + &(0..20).map(row).collect::<String>());
    bench.output("next x.csv -n 5 --judge gpt,llama:probability -o next.csv -q");
    let (drawn, pool) = (bench.read("next.csv"), bench.read("x.csv"));
    assert!(
        drawn
            .starts_with("hyp1,hyp2,ref,label,id,group,annotator,weight,prompt,system1,system2,drawn,wave,gpt,llama\n"),
        "{drawn}"
    );
    for line in drawn.lines().skip(1).take(5) {
        let cells: Vec<&str> = line.split(',').collect();
        let found = pool.lines().find(|row| row.starts_with(&format!("{},", cells[8]))).unwrap();
        let known: Vec<&str> = found.split(',').collect();
        assert_eq!([cells[13], cells[14]], [known[5], known[9]], "{line}");
    }
}
