//! The fuzz targets on inputs that fuzzing found, on their seeds, and on some thousand damaged copies of these, which
//! are the same in every run.

use crate::targets;
use std::fs;
use std::path::Path;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of damaged copies of each seed.
const COPIES: usize = 150;

/// The files of a folder of the target, in order; none if there is no such folder.
fn inputs(kind: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A copy with bytes changed, removed, repeated, or copied from elsewhere in it.
fn damaged(seed: &[u8], random: &mut impl Rng) -> Vec<u8> {
    let mut copy = seed.to_vec();
    for _ in 0..random.random_range(1..6) {
        if copy.is_empty() {
            copy.push(random.random());
        }
        let at = random.random_range(0..copy.len());
        let end = (at + random.random_range(1..20)).min(copy.len());
        match random.random_range(0..5) {
            0 => copy[at] = random.random(),
            1 => drop(copy.drain(at..end)),
            2 => copy.extend_from_within(at..end),
            3 => copy.insert(at, *b"\n\t,\"|{[\0\xff-"[..].get(random.random_range(0..10)).unwrap_or(&b' ')),
            _ => copy.truncate(end),
        }
    }
    copy
}

fn run(target: &str, run: impl Fn(&[u8])) {
    for finding in inputs("findings", target) {
        run(&finding);
    }
    let seeds = inputs("seeds", target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    run_damaged(&seeds, run);
}

fn run_damaged(seeds: &[Vec<u8>], run: impl Fn(&[u8])) {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for seed in seeds {
        run(seed);
        let copies = if seed.len() > 10_000 { COPIES / 10 } else { COPIES };
        for _ in 0..copies {
            run(&damaged(seed, &mut random));
        }
    }
}

#[test]
fn readers() {
    run("readers", targets::readers);
    let sample = |format: &&tribunal::formats::Format| format!("{}\n{}", format.name, format.sample).into_bytes();
    let samples: Vec<Vec<u8>> = tribunal::formats::REGISTRY.iter().map(sample).collect();
    run_damaged(&samples, targets::readers);
}

#[test]
fn words() {
    run("words", targets::words);
}

#[test]
fn metrics() {
    run("metrics", targets::metrics);
}

#[test]
fn models() {
    run("models", targets::models);
    let model = include_bytes!("../../models/wmt.json");
    let mut random = ChaCha8Rng::seed_from_u64(2);
    (0..COPIES).for_each(|_| targets::models(&damaged(model, &mut random)));
}
