//! McNemar's test against SciPy: tests/golden/mcnemar.json, which tests/golden/mcnemar.py writes.

use serde::Deserialize;
use tribunal::evaluation::Groups;
use tribunal::evaluation::{Correct, McNemar};
use tribunal::judgments::Verdict::{self, First, Second};

#[derive(Deserialize)]
struct Golden {
    exact: Vec<Exact>,
    clustered: Vec<Clustered>,
}

#[derive(Deserialize)]
struct Exact {
    b: usize,
    c: usize,
    p: f64,
}

#[derive(Deserialize)]
struct Clustered {
    b: Vec<usize>,
    c: Vec<usize>,
    statistic: f64,
    p: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../golden/mcnemar.json")).unwrap()
}

/// Verdicts of people and two systems: only the first is right on b pairs, only the second on c, and both on one.
fn verdicts(b: usize, c: usize) -> [Vec<Verdict>; 3] {
    let said = |right: [bool; 3]| {
        let verdict = |right: bool| if right { First } else { Second };
        [vec![verdict(right[0]); b], vec![verdict(right[1]); c], vec![verdict(right[2])]].concat()
    };
    [said([true; 3]), said([true, false, true]), said([false, true, true])]
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() <= 1e-10 * expected, "{found}, not {expected}");
}

#[test]
fn exact_p_values_are_scipys() {
    for Exact { b, c, p } in golden().exact {
        let [people, one, other] = verdicts(b, c);
        let test = McNemar::exact(&people, &one, &other);
        assert_eq!((test.only_one, test.only_other), (b, c));
        close(test.p_value, p);
    }
}

#[test]
fn p_values_over_groups_are_scipys() {
    for Clustered { b, c, statistic, p } in golden().clustered {
        let [mut people, mut one, mut other] = [(); 3].map(|()| Vec::new());
        let mut of_pair = Vec::new();
        for (group, (&b, &c)) in b.iter().zip(&c).enumerate() {
            let of_group = verdicts(b, c);
            of_pair.extend(vec![group; of_group[0].len()]);
            [&mut people, &mut one, &mut other].into_iter().zip(of_group).for_each(|(all, some)| all.extend(some));
        }
        let groups = Groups { of_row: of_pair, count: b.len() };
        let [of_one, of_other] = [&one, &other].map(|system| Correct::new(&people, system, &groups));
        let test = McNemar::clustered(&people, [&one, &other], [&of_one, &of_other]);
        close(test.statistic, statistic);
        close(test.p_value, p);
    }
}
