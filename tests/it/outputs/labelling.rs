//! Outputs that `next` draws and `annotate` shows, and labels that come back.

use serde_json::{Value, json};

use super::{marked, report};
use crate::common::Bench;

#[test]
fn labels_of_a_page_join_those_of_the_file() {
    let bench = Bench::of(1);
    bench.write("traces.csv", include_str!("../../../data/sample/traces.csv"));
    // An eighth of the prompts has ties alone: the curve begins where there is something to learn.
    let found = report(&bench, "train traces.csv --judge gpt --own faithfulness --curve -m few.json");
    let few = found["outputs"]["outputs"].as_u64().unwrap();
    assert!(!found["learning_curve"].as_array().unwrap().is_empty(), "{found}");
    let more = "prompt,system,output,label\n".to_owned()
        + &bench
            .read("traces.csv")
            .lines()
            .filter(|line| line.ends_with(",,pass") || line.ends_with(",,fail"))
            .fold(String::new(), |all, line| {
                all + line.rsplitn(5, ',').last().unwrap() + "," + line.rsplit(',').next().unwrap() + "\n"
            });
    bench.write("more.csv", &more);
    let count = few + more.lines().count() as u64 - 1;
    for command in ["compare traces.csv -a more.csv --judge gpt", "compare traces.csv -a more.csv -m few.json"] {
        let found = report(&bench, command);
        assert_eq!(found["outputs"], count);
        // What a model passes is what its verdicts pass.
        if let Some(model) = found["rows"].as_array().unwrap().iter().find(|row| row["name"] == "few") {
            let passes = (model["mean"].as_f64().unwrap() * count as f64).fract();
            assert!(passes.min(1.0 - passes) < 1e-6, "{model}");
        }
    }
    let trained = report(&bench, "train traces.csv -a more.csv --judge gpt --own faithfulness");
    assert_eq!(trained["outputs"]["outputs"], count);
    let brief = bench.output("train traces.csv -a more.csv --judge gpt --own faithfulness --brief -q");
    assert!(brief.contains("of the outputs that people pass"), "{brief}");
    bench.refuses(
        "train traces.csv -a more.csv --criteria label,label2",
        &["--answers: expected labels in the columns of the criteria"],
    );
}

#[test]
fn an_output_with_two_labels_is_labelled_once() {
    let bench = Bench::of(1);
    bench.write("pool.csv", "system,output,label\nx,one,pass\ny,two,fail\ny,three,\n");
    bench.write("two.csv", "system,output,label,annotator\nx,one,fail,ann\nx,one,pass,bob\n");
    let said = bench.run("rank pool.csv -a two.csv").done().stderr;
    assert!(said.contains("two.csv: labels of 1 of 3 outputs"), "{said}");
}

/// The rows of a table without quotes.
fn cells(table: &str) -> Vec<Vec<String>> {
    table.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// What the page would export of a table that `next` wrote: the label of each output, by its text, from the whole table.
fn labelled(bench: &Bench, next: &str, annotator: &str) -> String {
    let truth = cells(&bench.read("marked.csv"));
    let label = |text: &String| truth.iter().find(|row| row[2] == *text).unwrap()[3].clone();
    let mut rows = cells(&bench.read(next));
    let [output, given, name] =
        ["output", "label", "annotator"].map(|name| rows[0].iter().position(|known| known == name).unwrap());
    for row in rows.iter_mut().skip(1).filter(|row| row[given].is_empty()) {
        (row[given], row[name]) = (label(&row[output]), annotator.to_owned());
    }
    rows.into_iter().map(|row| row.join(",") + "\n").collect()
}

#[test]
fn outputs_are_drawn_labelled_and_weighed_wave_by_wave() {
    let bench = Bench::of(1);
    marked(&bench);
    // A second judge disputes every fifth output, and only the first 60 have labels.
    let mut rows = cells(&bench.read("marked.csv"));
    rows[0].push("claude".to_owned());
    for (at, row) in rows.iter_mut().enumerate().skip(1) {
        let other = if at.is_multiple_of(5) == (row[4] == "pass") { "fail" } else { "pass" };
        row.push(other.to_owned());
        if at > 60 {
            row[3].clear();
        }
    }
    bench.write("pool.csv", rows.into_iter().map(|row| row.join(",") + "\n").collect::<String>());
    let said = bench.run("next pool.csv -n 60 --judge gpt,claude -o next.csv").done().stderr;
    assert!(said.contains("60 of 300 outputs without a label drawn"), "{said}");
    let rows = cells(&bench.read("next.csv"));
    assert_eq!(rows[0].join(","), "prompt,system,output,drawn,wave,gpt,claude,label,annotator");
    assert_eq!((rows.len(), &rows[1][4], &rows[61][4]), (121, &"2".to_owned(), &"1".to_owned()));
    assert_eq!(rows[61][3], (60.0_f64 / 360.0).to_string());
    let disputed = rows[1..61].iter().filter(|row| row[5] != row[6]).count();
    assert!(disputed > 25, "{disputed}");
    assert_eq!(bench.output("next pool.csv -n 60 --judge gpt,claude -q"), bench.read("next.csv"));
    bench.output("annotate next.csv -o page.html --judge gpt,claude -q");
    assert_eq!(data(&bench.read("page.html"))["columns"], json!(rows[0][..7]));
    // Its labels are read back, with the columns beside them, by all commands.
    bench.write("next-ann.csv", labelled(&bench, "next.csv", "ann"));
    let compared = bench.run("compare next-ann.csv --judge gpt,claude").done();
    assert!(
        compared.stderr.contains("next-ann.csv: labels were drawn with different probabilities"),
        "{}",
        compared.stderr
    );
    assert_eq!(report(&bench, "compare next-ann.csv --judge gpt")["outputs"], 120);
    bench.output("train next-ann.csv --judge gpt,claude -m m.json -q");
    let alone = report(&bench, "rank next-ann.csv");
    let both = report(&bench, "rank pool.csv -a next-ann.csv --by both --judge gpt");
    assert_eq!((&alone["is_weighted"], &both["is_weighted"]), (&json!(true), &json!(true)));
    assert_eq!((&both["labels"], &both["by_rates"]), (&json!(120), &Value::Null));
    // Only the size of the pool, which the labels alone estimate, makes a difference.
    let value = |estimate: &Value| estimate["value"].as_f64().unwrap();
    let [labels, alone] = [&both["all"]["labels_alone"], &alone["all"]["estimate"]].map(value);
    assert!((labels - alone).abs() < 0.001, "{labels} {alone}");
    let truth = value(&report(&bench, "rank marked.csv")["all"]["estimate"]);
    let [low, high] = ["low", "high"].map(|end| both["all"]["estimate"][end].as_f64().unwrap());
    assert!(low < truth && truth < high, "{low} {truth} {high}");
    let text = bench.output("rank pool.csv -a next-ann.csv --by both --judge gpt -q");
    assert!(text.contains("weighted by the probabilities with which they were drawn"), "{text}");
    // The next wave, by a model, is drawn from the rest.
    bench.run("next pool.csv -a next-ann.csv -n 30 -m m.json -o again.csv").done();
    let again = cells(&bench.read("again.csv"));
    let of_wave = |wave: &str| again.iter().filter(|row| row[4] == wave).count();
    assert_eq!(["1", "2", "3"].map(of_wave), [60, 60, 30]);
    assert!(again[1..31].iter().all(|row| row[4] == "3"), "{again:?}");
    bench.write("more.csv", labelled(&bench, "again.csv", "ann"));
    assert_eq!(report(&bench, "rank pool.csv -a more.csv --by both --judge gpt")["labels"], 150);
    let overruled = bench.read("next-ann.csv").replace(",1,ann", ",0,ann").replace(",pass,ann", ",fail,ann");
    bench.write("overruled.csv", overruled);
    let said = bench.run("rank more.csv -a overruled.csv").done().stderr;
    assert!(said.contains("overruled.csv overrules the labels of more.csv"), "{said}");
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"annotate-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_shows_outputs_one_at_a_time() {
    let bench = Bench::of(1);
    let table = "prompt,system,output,ref,group,id,label,annotator,drawn,wave,gpt\n\
        Why?,x,because,so,g,7,,,0.5,2,pass\nWhy?,y,<b>not</b>,so,g,8,,,0.25,2,\nHow?,x,thus,,h,9,pass,ann,0.5,1,fail\n\
        How?,x,thus,,h,9,fail,bob,0.5,1,fail\n";
    bench.write("x.csv", table);
    let said = bench.run("annotate x.csv -o page.html --judge gpt --annotator eve --controls 2").done().stderr;
    assert!(said.contains("page.html: 2 outputs, 2 of them twice; earlier labels, exported with them: 2"), "{said}");
    let page = bench.read("page.html");
    assert!(page.contains("Does the output pass? x.csv") && !page.contains("Text 2") && !page.contains("<b>not"));
    assert!(page.contains("Pass <kbd>1</kbd>") && page.contains("class=\"check\" hidden"));
    let found = data(&page);
    let names = found["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(names.join(","), "prompt,system,output,ref,group,id,drawn,wave,gpt");
    assert_eq!(found["rows"][0]["cells"], json!(["Why?", "x", "because", "so", "g", "7", "0.5", "2", "1"]));
    assert_eq!(found["rows"][0]["texts"], json!(["because"]));
    let items = found["items"].as_array().unwrap();
    assert!(items.len() == 4 && items.iter().all(|item| item["is_exchanged"] == false));
    assert_eq!((&found["earlier"][1][9], &found["earlier"][1][10]), (&json!("0"), &json!("bob")));
    bench.write("half.csv", "output,label\na,pass\nb,\nc,fail\n");
    let said = bench.run("annotate half.csv -o page.html").done().stderr;
    assert!(said.contains("page.html: 1 output, 0 of them twice; earlier labels, exported with them: 2"), "{said}");
    bench.write("y.csv", "output,label\na,5\nb,1\n");
    bench.output("annotate y.csv -o page.html --scale 5");
    let page = bench.read("page.html");
    assert!(
        page.contains("How good is the output, from 1 to 5? y.csv")
            && page.contains("aria-keyshortcuts=\"5\">5</button>")
    );
    assert_eq!(data(&page)["choices"].as_array().unwrap().len(), 5);
}
