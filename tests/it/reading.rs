//! Properties of all readers: no bytes do harm, what is written is read back, and a ranking's pairs follow its ranks.

use crate::properties::settings;
use crate::targets;
use proptest::collection::vec;
use proptest::prelude::*;

use tribunal::files::table::TableKind;
use tribunal::files::{Input, Output};
use tribunal::formats::{self, PairReader, PairShape, PairWriter, Reading};
use tribunal::judgments::{Pair, Verdict};
use tribunal::model::checksum;
use tribunal::options::Options;

/// Fragments of judgment files, in any order.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        proptest::sample::select(
            [
                "hyp1", "hyp2", "ref", "label", "weight", ",", ",", "\t", "\t", "\n", "\n", "\"", " ||| ", " ||| ",
                "{", "}", "[", ":", "1", "-1", "0", "1e999", "nan", "\r\n", "\u{feff}", "a b", "system", "seg_id",
                "rater", "target", "category", "severity", "Major", "SYS", "\0", "\u{301}", "null", "<v>", "cs-en",
                "A", "B", "mt", "score",
            ]
            .as_slice()
        )
        .prop_map(|text| text.as_bytes().to_vec()),
        vec(any::<u8>(), 0..4),
    ];
    vec(fragment, 0..60).prop_map(|parts| parts.concat())
}

#[test]
fn no_bytes_do_harm() {
    for kind in formats::REGISTRY.iter().map(|format| format.name).chain(targets::OTHER_READERS) {
        let named = |content: &[u8]| [kind.as_bytes(), b"\n", content].concat();
        proptest!(settings(60), |(text in fragments())| targets::readers(&named(&text)));
        proptest!(settings(30), |(bytes in vec(any::<u8>(), 0..300))| targets::readers(&named(&bytes)));
    }
    proptest!(settings(150), |(bytes in vec(any::<u8>(), 0..200))| targets::words(&bytes));
    proptest!(settings(150), |(text in any::<String>())| targets::words(text.as_bytes()));
    proptest!(settings(100), |(bytes in vec(any::<u8>(), 0..200))| targets::metrics(&bytes));
    proptest!(settings(100), |(text in fragments())| targets::models(&text));
}

#[test]
fn a_model_that_was_changed_anywhere_is_refused_or_judges() {
    let model = include_str!("../../models/wmt.json");
    proptest!(settings(60), |(place in 0..model.len(), byte in 0_u8..128)| {
        let mut bytes = model.as_bytes().to_vec();
        bytes[place] = byte;
        let text = String::from_utf8_lossy(&bytes);
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
        prop_assert_eq!(checksum::verify(&text, "m").is_ok(), value(&text) == value(model));
        targets::models(text.as_bytes());
    });
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z,\"\t |]{0,20}", Just("a\nb\r\nc".to_owned())]
        .prop_map(|text| text.trim().to_owned())
}

fn pair() -> impl Strategy<Value = Pair> {
    let name = || proptest::option::of("[a-z:;]{1,8}");
    let weight = proptest::option::of(0.0_f64..1e9);
    let label = proptest::option::of(proptest::sample::select(Verdict::ALL.as_slice()));
    let judges = proptest::collection::btree_set("[a-z:]{1,8}", 0..3).prop_map(|names| names.into_iter().collect());
    (text(), text(), vec(text(), 1..3), (label, name(), name(), judges, weight)).prop_map(
        |(first, second, mut references, (label, id, group, judges, weight))| {
            // A table cannot distinguish an empty further reference from a missing one.
            let further: Vec<String> = references.drain(1..).filter(|text| !text.is_empty()).collect();
            references.extend(further);
            references = if references.iter().all(String::is_empty) { Vec::new() } else { references };
            Pair { label, id, group, annotators: judges, weight, line: 0, ..Pair::new([first, second], references) }
        },
    )
}

/// The pair without characters that TSV cannot hold.
fn without_breaks(pair: &Pair) -> Pair {
    let plain = |text: &String| text.replace(['\t', '\n', '\r'], " ").trim().to_owned();
    let hypotheses = pair.hypotheses.each_ref().map(plain);
    let mut references: Vec<String> = pair.references.iter().map(plain).collect();
    let first = if references.is_empty() { None } else { Some(references.remove(0)) };
    references.retain(|text| !text.is_empty());
    references.splice(0..0, first.filter(|first| !first.is_empty() || !references.is_empty()));
    Pair { hypotheses, references, ..pair.clone() }
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for &kind in TableKind::ALL {
        proptest!(settings(60), |(pairs in vec(pair(), 1..5))| {
            let path = folder.path().join(format!("x.{}", kind.name()));
            let mut writer = PairWriter::begin(Output::create(Some(&path)).unwrap(), kind, PairShape::of_references(2), std::iter::empty()).unwrap();
            let pairs: Vec<Pair> = if kind == TableKind::Tsv { pairs.iter().map(without_breaks).collect() } else { pairs };
            pairs.iter().for_each(|pair| writer.write(pair).unwrap());
            writer.finish().unwrap();
            let read = PairReader::open(&Input::File(path), None).unwrap();
            let read: Vec<Pair> = read.map(|pair| Pair { line: 0, ..pair.unwrap() }).collect();
            // Line ends in quoted fields are read as \n.
            let plain = |text: &String| text.replace("\r\n", "\n");
            let plain = |pair: &Pair| Pair {
                hypotheses: pair.hypotheses.each_ref().map(plain),
                references: pair.references.iter().map(plain).collect(),
                ..pair.clone()
            };
            prop_assert_eq!(read.iter().map(plain).collect::<Vec<_>>(), pairs.iter().map(plain).collect::<Vec<_>>());
        });
    }
}

#[test]
fn pairs_of_a_ranking_say_what_its_ranks_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.rankings");
    proptest!(settings(80), |(blocks in vec(vec(0_u8..4, 1..7), 1..5))| {
        let lines = blocks.iter().enumerate().flat_map(|(id, ranks)| {
            ranks.iter().enumerate().map(move |(at, rank)| format!("{id} ||| {rank} ||| reference {id} ||| text {at} {rank}\n"))
        });
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        let input = Input::File(path.clone());
        let rankings = formats::find("rankings").unwrap();
        let of = |options: &Options| {
            let mut pairs = (rankings.open)(&input, &Reading::from(options.clone())).unwrap();
            let all: Vec<Pair> = pairs.by_ref().map(Result::unwrap).collect();
            all
        };
        let mut turned = Options::default();
        turned.set(rankings.options.iter().find(|spec| spec.name == "lowest-is-best").unwrap(), "").unwrap();
        let (highest, lowest) = (of(&Options::default()), of(&turned));
        let expected: usize = blocks.iter().map(|ranks| ranks.len() * (ranks.len() - 1) / 2).sum();
        prop_assert_eq!(lowest.len(), expected);
        for (pair, turned) in lowest.iter().zip(&highest) {
            let rank = |side: usize| f64::from(pair.hypotheses[side].as_bytes().last().unwrap() - b'0');
            prop_assert_eq!(pair.label, Some(Verdict::compare(-rank(0), -rank(1))));
            prop_assert_eq!(pair.label.map(Verdict::swapped), turned.label);
        }
    });
}
