use serde::Serialize;

use super::resampling::Correct;
use crate::judgments::{Verdict, sign_test};

/// How the p-value of [`McNemar`] is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum McNemarMethod {
    /// From the binomial distribution, for independent pairs.
    Exact,
    /// From the chi-squared distribution, for pairs that are dependent within groups.
    Clustered,
}

/// McNemar's test of whether two systems are equally accurate, from the pairs that only one of them gets right. McNemar
/// 1947, "Note on the Sampling Error of the Difference between Correlated Proportions or Percentages".
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct McNemar {
    /// b: the number of pairs that only the first system gets right.
    pub only_one: usize,
    /// c: the number of pairs that only the second system gets right.
    pub only_other: usize,
    /// How p is computed.
    pub method: McNemarMethod,
    /// Chi-squared with one degree of freedom; `None` for the exact test, and where it is undefined.
    pub statistic: Option<f64>,
    /// Two-sided p-value; `None` where the clustered test has fewer than two groups.
    pub p_value: Option<f64>,
}

impl McNemar {
    /// The exact test: p = min(1, 2 sum_{i <= min(b, c)} C(n, i) / 2^n), where n = b + c; 1 for n = 0.
    pub fn exact(people: &[Verdict], one: &[Verdict], other: &[Verdict]) -> Self {
        let [only_one, only_other] = only(people, one, other);
        let p_value = Some(sign_test(only_one, only_other));
        Self { only_one, only_other, method: McNemarMethod::Exact, statistic: None, p_value }
    }

    /// The test over groups: chi-squared = (K - 1)/K (sum_k d_k)^2 / sum_k d_k^2, where d_k = b_k - c_k of group k of
    /// K; 0 where every d_k is 0. With one pair per group it is McNemar's (b - c)^2 / (b + c) times (K - 1)/K.
    /// Obuchowski 1998, "On the Comparison of Correlated Proportions for Clustered Data", section 2.
    pub fn clustered(people: &[Verdict], [one, other]: [&[Verdict]; 2], [of_one, of_other]: [&Correct; 2]) -> Self {
        let [only_one, only_other] = only(people, one, other);
        let leads = of_one.right.iter().zip(&of_other.right).map(|(&one, &other)| f64::from(one) - f64::from(other));
        let (groups, sum, squares) = leads
            .fold((0.0, 0.0, 0.0), |(groups, sum, squares), lead| (groups + 1.0, sum + lead, squares + lead * lead));
        let statistic = match (groups > 1.0, squares > 0.0) {
            (false, _) => None,
            (true, false) => Some(0.0),
            (true, true) => Some((groups - 1.0) / groups * sum * sum / squares),
        };
        // The upper tail of chi-squared with one degree of freedom.
        let p_value = statistic.map(|statistic: f64| libm::erfc((0.5 * statistic).sqrt()));
        Self { only_one, only_other, method: McNemarMethod::Clustered, statistic, p_value }
    }
}

/// The numbers of pairs that only the first, and only the second system gets right.
fn only(people: &[Verdict], one: &[Verdict], other: &[Verdict]) -> [usize; 2] {
    let mut counts = [0; 2];
    for ((label, one), other) in people.iter().zip(one).zip(other) {
        counts[0] += usize::from(one == label && other != label);
        counts[1] += usize::from(other == label && one != label);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgments::grouping::Groups;
    use Verdict::{First, Second};

    /// The verdicts of a system that is right where `right` is true, given that people say 1 for every pair.
    fn said(right: &[bool]) -> Vec<Verdict> {
        right.iter().map(|&right| if right { First } else { Second }).collect()
    }

    fn clustered(one: &[bool], other: &[bool], of_pair: &[usize]) -> McNemar {
        let people = vec![First; one.len()];
        let groups = Groups { of_pair: of_pair.to_vec(), count: 1 + of_pair.iter().max().unwrap() };
        let (one, other) = (said(one), said(other));
        let [of_one, of_other] = [&one, &other].map(|system| Correct::of(&people, system, &groups));
        McNemar::clustered(&people, [&one, &other], [&of_one, &of_other])
    }

    #[test]
    fn exact_by_hand() {
        // n = 5, min(b, c) = 1: p = 2 (1 + 5) / 32.
        let one = [true, true, true, true, false, true, false];
        let other = [false, false, false, false, true, true, false];
        let test = McNemar::exact(&[First; 7], &said(&one), &said(&other));
        assert_eq!((test.only_one, test.only_other, test.statistic), (4, 1, None));
        assert!((test.p_value.unwrap() - 12.0 / 32.0).abs() < 1e-15);
        assert_eq!(McNemar::exact(&[First; 7], &said(&one), &said(&one)).p_value, Some(1.0));
    }

    #[test]
    fn clustered_by_hand() {
        // d = 2, -1, 1 in groups of two: (2/3) 2^2 / (4 + 1 + 1) = 4/9.
        let one = [true, true, false, true, true, false];
        let other = [false, false, true, true, false, false];
        let test = clustered(&one, &other, &[0, 0, 1, 1, 2, 2]);
        assert_eq!((test.only_one, test.only_other), (3, 1));
        assert!((test.statistic.unwrap() - 4.0 / 9.0).abs() < 1e-15);
        // The upper tail of chi-squared with one degree of freedom at 4/9: 2 (1 - Phi(2/3)).
        assert!((test.p_value.unwrap() - 0.504_985_075_093_846).abs() < 1e-12);
        let swapped = clustered(&other, &one, &[0, 0, 1, 1, 2, 2]);
        assert_eq!((swapped.statistic, swapped.p_value), (test.statistic, test.p_value));
    }

    #[test]
    fn without_groups_to_compare_it_is_undefined_and_without_a_difference_certain() {
        let (one, other) = ([true, false], [false, false]);
        assert_eq!(clustered(&one, &other, &[0, 0]).p_value, None);
        assert_eq!(clustered(&one, &one, &[0, 1]).p_value, Some(1.0));
    }

    #[test]
    fn with_one_pair_a_group_it_is_mcnemars_own_statistic() {
        let one: Vec<bool> = (0..60).map(|at| at % 3 != 0).collect();
        let other: Vec<bool> = (0..60).map(|at| at % 5 == 0).collect();
        let test = clustered(&one, &other, &(0..60).collect::<Vec<_>>());
        let (b, c) = (test.only_one as f64, test.only_other as f64);
        assert!((test.statistic.unwrap() - 59.0 / 60.0 * (b - c).powi(2) / (b + c)).abs() < 1e-12);
    }
}
