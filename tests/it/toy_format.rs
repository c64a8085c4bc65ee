//! The toy format (cargo feature `toy`) takes only one file and one line in the registry. The tests in `formats.rs` and
//! the fuzz target cover it without another edit, as they iterate over the registry.

use tribunal::formats::{REGISTRY, find};

use crate::common::Bench;
use crate::targets;

#[test]
fn a_format_appears_wherever_formats_do() {
    let bench = Bench::of(1);
    assert!(bench.run("import --help").stdout.contains("\n  toy "));
    let help = bench.run("import toy --help").stdout;
    assert!(help.contains("--worse-first") && help.contains("The worse one stands first"), "{help}");
    assert!(help.contains("a cat sat > cats sat = the cat sat"), "{help}");
    assert!(bench.run("predict --help").stdout.contains("- toy: "));
}

#[test]
fn a_format_is_read_with_its_option() {
    let bench = Bench::of(1);
    let toy = find("toy").unwrap();
    bench.write("x.toy", toy.sample);
    bench.write("y", toy.sample);
    assert_eq!(bench.run("predict x.toy").stdout.lines().count(), 2);
    assert_eq!(bench.run("predict y --format toy").stdout, bench.run("predict x.toy").stdout);
    let labels = |options: &str| {
        let table = bench.run(&format!("import toy x.toy -q {options}")).stdout;
        table.lines().skip(1).map(|row| row.split(',').nth(3).unwrap().parse::<i32>().unwrap()).collect::<Vec<_>>()
    };
    let turned: Vec<i32> = labels("--worse-first").iter().map(|label| -label).collect();
    assert_eq!(labels(""), turned);
    bench.write("x.toy", "a > b\n");
    assert!(bench.run("predict x.toy").stderr.contains("x.toy:1: expected texts separated by ' > ' and ' = '"));
}

#[test]
fn the_generic_tests_and_the_fuzz_target_walk_over_it() {
    assert!(REGISTRY.iter().any(|format| format.name == "toy"));
    targets::readers(b"toy\na > b = c\n");
    targets::readers(b"toy\n\xff");
}
