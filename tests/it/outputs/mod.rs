//! Commands on tables with one output a row.

mod comparing;
mod labelling;
mod learning;
mod reading;

use serde_json::Value;

use crate::common::Bench;

/// Rows of a table or objects, by their number.
fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
    (0..count).map(row).collect()
}

/// A number from 0 to below `count` that looks random.
fn draw(at: usize, seed: usize, count: usize) -> usize {
    let mixed = (at * 7919 + seed * 104_729 + 13).wrapping_mul(2_654_435_761) % 1_000_003;
    (mixed / 7) % count
}

/// 120 prompts with an output of each of three systems, of which `good` passes most often. The judge is right five times of
/// six, and its `points` are from 1 to 5.
pub fn marked(bench: &Bench) {
    let row = |at: usize| {
        let (prompt, system) = (at / 3, at % 3);
        let passes = draw(at, 1, 10) < [8, 5, 3][system];
        let judge = passes ^ (draw(at, 2, 6) == 0);
        let points = 1 + usize::from(passes) * 2 + draw(at, 3, 3);
        let word = |is: bool| if is { "pass" } else { "fail" };
        let system = ["good", "fair", "poor"][system];
        format!("Question {prompt}?,{system},answer {at} of {system},{},{},{points}\n", word(passes), word(judge))
    };
    bench.write("marked.csv", "prompt,system,output,label,gpt,points\n".to_owned() + &rows(360, row));
}

fn report(bench: &Bench, arguments: &str) -> Value {
    serde_json::from_str(&bench.output(&format!("{arguments} --json -q"))).unwrap()
}

fn row_of<'r>(report: &'r Value, name: &str) -> &'r Value {
    let rows = report["rows"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name} in {report}"))
}
