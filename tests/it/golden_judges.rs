//! Agreement of annotators, judges against them, and what is known of judges, as the reference implementations compute it
//! on PandaLM's, MT-bench's and LLMBar's labels.

use std::collections::BTreeMap;

use serde::Deserialize;
use tribunal::evaluation::{
    AlternativeTest, AnnotatedItem, Annotations, Groups, JudgeStatistics, Verdict, VerdictsByOrder,
};

/// The most by which values may differ.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Golden {
    pandalm: Annotated,
    mtbench: Annotated,
    llmbar: Prediction,
}

#[derive(Deserialize)]
struct Annotated {
    annotators: Vec<String>,
    labels: Vec<Vec<Option<i8>>>,
    judges: BTreeMap<String, Vec<Option<i8>>>,
    alpha: f64,
    #[serde(default)]
    kappa: Vec<f64>,
    #[serde(default)]
    agreement: Vec<f64>,
    alternative: BTreeMap<String, Vec<Alternative>>,
}

#[derive(Deserialize)]
struct Alternative {
    epsilon: f64,
    advantage_probability: f64,
    p_values: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct Prediction {
    labels: Vec<i8>,
    judges: BTreeMap<String, InBothOrders>,
}

#[derive(Deserialize)]
struct InBothOrders {
    verdicts: Vec<[Option<i8>; 2]>,
    accuracy: [f64; 2],
    consistency: f64,
    both_orders_right: f64,
    first_shown: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/judges.json")).unwrap()
}

fn verdict(sign: i8) -> Verdict {
    Verdict::compare(sign.into(), 0.0)
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < TOLERANCE, "{what}: {found}, not {expected}");
}

impl Annotated {
    fn annotations(&self) -> Annotations {
        let item = |(row, labels): (usize, &Vec<Option<i8>>)| {
            let labels = labels.iter().enumerate().filter_map(|(who, label)| Some((who, verdict((*label)?))));
            AnnotatedItem { row, group: row, labels: labels.collect() }
        };
        Annotations::new(self.annotators.clone(), self.labels.iter().enumerate().map(item).collect()).unwrap()
    }

    fn check(&self) {
        let annotations = self.annotations();
        close(annotations.alpha().unwrap().value, self.alpha, "alpha");
        for (judge, tests) in &self.alternative {
            let verdicts: Vec<_> = self.judges[judge].iter().map(|label| label.map(verdict)).collect();
            for expected in tests {
                let found = AlternativeTest::new(&annotations, &verdicts, expected.epsilon).unwrap();
                close(found.advantage_probability, expected.advantage_probability, judge);
                assert_eq!(found.annotators.len(), expected.p_values.len());
                assert_eq!((found.winning_rate, found.passes), (0.0, false));
                for annotator in &found.annotators {
                    close(annotator.p_value, expected.p_values[&annotator.name], &annotator.name);
                }
            }
        }
    }
}

#[test]
fn annotators_agree_as_much_as_elsewhere() {
    let Golden { pandalm, mtbench, .. } = golden();
    pandalm.check();
    mtbench.check();
    let pairs = pandalm.annotations().pairwise();
    assert_eq!(pairs.len(), 3);
    for (found, (kappa, agreement)) in pairs.iter().zip(pandalm.kappa.iter().zip(&pandalm.agreement)) {
        close(found.kappa.unwrap().value, *kappa, "kappa");
        close(found.agreement.value, *agreement, "agreement");
    }
}

#[test]
fn judges_are_as_accurate_and_as_biased_as_elsewhere() {
    let Prediction { labels, judges } = golden().llmbar;
    let labels: Vec<Verdict> = labels.into_iter().map(verdict).collect();
    assert_eq!(judges.len(), 18);
    for (name, InBothOrders { verdicts, accuracy, consistency, both_orders_right, first_shown }) in judges {
        let order = |order: usize| verdicts.iter().map(|orders| orders[order].map(verdict)).collect();
        let groups = Groups::numbered(0..labels.len());
        let found = VerdictsByOrder::new(vec![order(0), order(1)]);
        let found = JudgeStatistics::new(&found, &vec![Verdict::Tie; labels.len()], &labels, &groups).unwrap();
        close(found.accuracy_12.unwrap().value, accuracy[0], &name);
        close(found.accuracy_21.unwrap().value, accuracy[1], &name);
        close(found.accuracy.value, (accuracy[0] + accuracy[1]) / 2.0, &name);
        close(found.consistency.unwrap().value, consistency, &name);
        close(found.both_orders_right.unwrap().value, both_orders_right, &name);
        close(found.first_shown.unwrap().value, first_shown, &name);
    }
}
