//! Agreement of metrics with people against mt-metrics-eval: tests/golden/meta.json.

use std::path::Path;

use serde_json::Value;
use tribunal::evaluation::meta::{HumanRanking, HumanScores, RowAgreement, segment_agreement};

pub fn golden(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn numbers(values: &Value) -> Vec<Option<f64>> {
    values.as_array().unwrap().iter().map(Value::as_f64).collect()
}

/// Checks that both are undefined, or equal up to 1e-9.
pub fn close(found: Option<f64>, expected: &Value, what: &str) {
    let is_close = match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
        (found, expected) => found == expected,
    };
    assert!(is_close, "{what}: {found:?}, expected {expected}");
}

fn check_rows(found: &RowAgreement, expected: &Value, what: &str) {
    let optimised = found.optimised.unwrap();
    let values = [
        ("kendall_b", found.kendall_b),
        ("kendall_c", found.kendall_c),
        ("kendall_23", found.kendall_23),
        ("kendall_acc23", found.accuracy),
        ("pearson", found.pearson),
        ("spearman", found.spearman),
        ("acc23_optimised", Some(optimised.accuracy)),
        ("acc23_threshold", Some(optimised.threshold)),
    ];
    assert_eq!(expected.as_object().unwrap().len(), values.len());
    values.iter().for_each(|(name, value)| close(*value, &expected[name], &format!("{what} {name}")));
}

#[test]
fn agreement_is_mt_metrics_evals() {
    let golden = golden("meta.json");
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for (at, case) in cases.iter().enumerate() {
        let systems = case["systems"].as_u64().unwrap() as usize;
        let people = HumanScores::new(systems, numbers(&case["people"])).unwrap();
        let metric: Vec<f64> = numbers(&case["metric"]).into_iter().map(Option::unwrap).collect();
        let expected = &case["segments"];
        let found = segment_agreement(&people, &metric, &[1.0]);
        check_rows(&found.none, &expected["none"], &format!("{at} none"));
        check_rows(&found.system, &expected["sys"], &format!("{at} sys"));
        check_rows(&found.item, &expected["item"], &format!("{at} item"));
        close(found.kendall_like[0], &expected["kendall_like_1"], &format!("{at} kendall_like_1"));
        let (ranking, expected) = (HumanRanking::new(&people, 1000, 4), &case["system_level"]);
        assert_eq!(ranking.is_none(), expected.is_null(), "{at}");
        let Some(ranking) = ranking else { continue };
        let found = ranking.beside(&metric).agreement();
        close(found.pairwise_accuracy, &expected["pairwise_accuracy"], "pairwise accuracy");
        let soft = &expected["soft_pairwise_accuracy_1000_permutations_seed_4"];
        close(found.soft_pairwise_accuracy, soft, "soft pairwise accuracy");
        close(found.pearson, &expected["pearson"], "pearson");
        close(found.spearman, &expected["spearman"], "spearman");
        close(found.kendall_b, &expected["kendall_b"], "kendall_b");
    }
}
