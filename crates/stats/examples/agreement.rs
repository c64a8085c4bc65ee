//! How often a judge is right, with an interval, and how far it agrees with people beyond chance.

use tribunal_stats::Verdict::{First, Second, Tie};
use tribunal_stats::{Correct, Groups, cohens_kappa};

fn main() {
    let labels = [First, Tie, Second, First, Second, First];
    let judge = [First, First, Second, First, Second, Second];
    // The verdicts on one source sentence are not independent.
    let groups = Groups { of_row: vec![0, 0, 1, 2, 3, 4], count: 5 };
    let interval = Correct::new(&labels, &judge, &groups).interval();
    println!("accuracy 66.7% ({:.1} to {:.1})", 100.0 * interval.low, 100.0 * interval.high);
    println!("kappa {:.3}", cohens_kappa(&labels, &judge, &groups).map_or(f64::NAN, |kappa| kappa.value));
}
