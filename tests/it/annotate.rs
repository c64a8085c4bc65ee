//! `annotate`: the page is complete, safe and the same for the same seed. `tests/browser/annotate.mjs` labels on it.

use serde_json::Value;

use crate::common::Bench;

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"annotate-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_holds_every_pair_and_its_controls_twice() {
    let bench = Bench::of(4);
    let run = bench.run("annotate dev.pairs -o page.html --controls 3 --annotator ann").done();
    assert!(run.stderr.contains("page.html: 12 pairs, 3 of them twice"), "{}", run.stderr);
    let page = bench.read("page.html");
    let data = data(&page);
    assert_eq!((&data["annotator"], data["columns"].as_array().unwrap().len()), (&"ann".into(), 3));
    let items = data["items"].as_array().unwrap();
    assert_eq!((items.len(), data["rows"].as_array().unwrap().len()), (15, 12));
    assert_eq!(items.iter().filter(|item| item["is_repeat"] == true).count(), 3);
    bench.output("annotate dev.pairs -o again.html --controls 3 --annotator ann");
    assert_eq!(bench.read("again.html"), page);
    bench.output("annotate dev.pairs -o other.html --controls 3 --annotator ann --seed 2");
    assert_ne!(bench.read("other.html"), page);
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn texts_cannot_leave_their_place_and_names_are_exported() {
    let bench = Bench::of(1);
    let text = "</script><script>alert(1)</script>";
    let header = "prompt,hyp1,hyp2,ref,ref2,system1,system2,id,group,drawn,weight";
    bench.write("x.csv", format!("{header}\n{text},\"a \"\"b\"\"\",c,r,s,one,two,7,g,0.25,0.5\n"));
    bench.output("annotate x.csv -o page.html");
    let page = bench.read("page.html");
    assert!(!page.contains(text) && page.matches("<script").count() == 2, "markup of a text is in the page");
    let data = data(&page);
    assert_eq!(data["rows"][0]["prompt"], text);
    let columns: Vec<&str> = data["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(columns.join(","), "hyp1,hyp2,ref,ref2,prompt,system1,system2,id,group,drawn,weight");
    assert_eq!(data["rows"][0]["cells"].as_array().unwrap()[9..], ["0.25", "0.5"]);
}

#[test]
fn what_cannot_be_labelled_is_refused() {
    let bench = Bench::of(1);
    bench.refuses("annotate dev.pairs -o page.txt", &["a file name for a page", "use the extension .html"]);
    bench.refuses("annotate dev.pairs -o page.html --controls 9", &["--controls", "at most 3"]);
    bench.refuses("annotate dev.pairs -o page.html --annotator a;b", &["a name without semicolons"]);
    bench.refuses("annotate nothing.pairs -o page.html", &["nothing.pairs"]);
    bench.write("empty.csv", "hyp1,hyp2\n");
    bench.refuses("annotate empty.csv -o page.html -q", &["at least one pair"]);
}

#[test]
fn earlier_labels_are_exported_and_not_shown() {
    let bench = Bench::of(1);
    let row =
        |at: usize| format!("Question {at}?,one {at},two {at},a,b,{}\n", if at.is_multiple_of(3) { "1" } else { "" });
    let rows: String = (0..30).map(row).collect();
    bench.write("pool.csv", format!("prompt,hyp1,hyp2,system1,system2,label\n{rows}"));
    bench.output("next pool.csv -n 10 -o next.csv -q");
    let said = bench.run("annotate next.csv -o page.html").done().stderr;
    assert!(said.contains("10 pairs, 1 of them twice; earlier labels, exported with them: 10"), "{said}");
}
