//! Intervals of figures of single outputs hold the true value as often as they say.

#[path = "../examples/intervals.rs"]
mod intervals;

use rayon::prelude::*;

const CAMPAIGNS: usize = 200;

/// The coverage that is promised, minus 3.5 standard errors of so many campaigns.
const LEAST: f64 = 0.93 - 3.5 * 0.018;

#[test]
fn intervals_of_single_outputs_hold() {
    intervals::NOISE.into_par_iter().for_each(|noise| {
        let truth = intervals::truth(noise);
        intervals::PROMPTS.into_par_iter().for_each(|prompts| {
            let found = intervals::coverage(noise, &truth, prompts, CAMPAIGNS);
            for (figure, found) in intervals::FIGURES.iter().zip(found) {
                assert!(found >= LEAST, "{figure}, noise {noise}, {prompts} prompts: {found}");
            }
        });
    });
}
