//! The agreement of a system with human labels by every convention of the field, from one confusion matrix.

use serde::Serialize;

use super::confusion::Confusion;
use super::tie_threshold::WithTies;

/// A convention for measuring agreement, which differs from others in how ties count.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Convention {
    /// Its name; that of the `correlate` command for statistics that it has.
    pub name: &'static str,
    /// How human ties and those of the system count, as a sentence.
    pub rule: &'static str,
    /// The publication that it comes from.
    pub source: &'static str,
    #[serde(skip)]
    value: fn(&Confusion, Option<&WithTies>) -> Option<f64>,
}

impl PartialEq for Convention {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Convention {
    /// The value; `None` where it is undefined. `with_ties`: a metric's accuracy with a tie threshold.
    pub fn value(&self, confusion: &Confusion, with_ties: Option<&WithTies>) -> Option<f64> {
        (self.value)(confusion, with_ties)
    }
}

/// All conventions. C counts concordant pairs, D discordant pairs, and T human ties alone, of the system alone, or
/// of both.
pub const CONVENTIONS: [Convention; 8] = [
    Convention {
        name: "acc23",
        rule: "(C + T of both) / all pairs: a tie counts as correct only where the label is a tie; the accuracy of the \
               report.",
        source: "Deutsch et al. 2023, \"Ties Matter\", section 4",
        value: |confusion, _| confusion.pair_counts().accuracy(),
    },
    Convention {
        name: "acc23 with tie threshold",
        rule: "acc23 where score differences up to a threshold, tuned on the other folds, count as ties; only for \
               metrics, as other systems predict ties themselves.",
        source: "Deutsch et al. 2023, \"Ties Matter\", section 5, with folds",
        value: |_, with_ties| with_ties.map(|found| found.accuracy),
    },
    Convention {
        name: "accuracy on untied pairs",
        rule: "C / (C + D + T of the system): human ties are skipped; a predicted tie counts as an \
               error.",
        source: "Callison-Burch et al. 2010, as a share: (kendall_10 + 1) / 2",
        value: |confusion, _| {
            let counts = confusion.pair_counts();
            let decided = counts.concordant + counts.discordant + counts.metric_ties;
            (decided > 0).then(|| counts.concordant as f64 / decided as f64)
        },
    },
    Convention {
        name: "kendall_23",
        rule: "(C + T of both - D - T of one alone) / all pairs: ties count as correct or wrong like any verdict; 2 \
               acc23 - 1.",
        source: "Deutsch et al. 2023, \"Ties Matter\", table 1",
        value: |confusion, _| confusion.pair_counts().tau_23(),
    },
    Convention {
        name: "kendall_10, kendall_like",
        rule: "(C - D - T of the system) / (C + D + T of the system): human ties are skipped, and a tie of \
               the system counts as the wrong order.",
        source: "Callison-Burch et al. 2010; WMT 2017 to 2020: Ma et al. 2019, section 4.1",
        value: |confusion, _| confusion.pair_counts().tau_10(),
    },
    Convention {
        name: "kendall_13",
        rule: "(C - D) / (C + D): pairs with a tie on either side are skipped.",
        source: "Macháček and Bojar 2013; Deutsch et al. 2023, table 1",
        value: |confusion, _| confusion.pair_counts().tau_13(),
    },
    Convention {
        name: "kendall_14, kendall_tau",
        rule: "(C - D) / (C + D + T of the system): human ties are skipped, and a tie of the system counts \
               in the denominator only.",
        source: "Macháček and Bojar 2014, section 3.2; Deutsch et al. 2023, table 1",
        value: |confusion, _| confusion.pair_counts().tau_14(),
    },
    Convention {
        name: "kendall_b",
        rule: "(C - D) / sqrt((C + D + T of the system) (C + D + T of people)): common ties are skipped, other ties \
               lower the absolute value.",
        source: "Kendall 1945",
        value: |confusion, _| confusion.pair_counts().tau_b(),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::PairCounts;

    fn value(name: &str, confusion: &Confusion) -> Option<f64> {
        CONVENTIONS.iter().find(|convention| convention.name.starts_with(name)).unwrap().value(confusion, None)
    }

    #[test]
    fn by_hand() {
        // C = 4 + 3, D = 1 + 2, human ties alone 3, of the system alone 2, of both 5: 20 pairs.
        let confusion = Confusion { counts: [[4, 2, 1], [1, 5, 2], [2, 0, 3]] };
        let expected = PairCounts { concordant: 7, discordant: 3, people_ties: 3, metric_ties: 2, both_ties: 5 };
        assert_eq!(confusion.pair_counts(), expected);
        let near = |name: &str, expected: f64| {
            let found = value(name, &confusion).unwrap();
            assert!((found - expected).abs() < 1e-15, "{name}: {found}");
        };
        near("acc23", 12.0 / 20.0);
        near("accuracy on untied", 7.0 / 12.0);
        near("kendall_23", 0.2);
        near("kendall_10", 2.0 / 12.0);
        near("kendall_13", 4.0 / 10.0);
        near("kendall_14", 4.0 / 12.0);
        near("kendall_b", 4.0 / 156_f64.sqrt());
        assert_eq!(value("acc23 with", &confusion), None);
        let with_ties = WithTies { accuracy: 0.7, threshold: 0.1 };
        assert_eq!(CONVENTIONS[1].value(&confusion, Some(&with_ties)), Some(0.7));
    }

    #[test]
    fn nothing_but_ties_is_undefined_and_never_nan() {
        let ties = Confusion { counts: [[0, 0, 0], [0, 4, 0], [0, 0, 0]] };
        let defined: Vec<&str> =
            CONVENTIONS.iter().filter(|one| one.value(&ties, None).is_some()).map(|one| one.name).collect();
        assert_eq!(defined, ["acc23", "kendall_23"]);
        assert!(CONVENTIONS.iter().all(|one| one.value(&Confusion::default(), None).is_none()));
    }
}
