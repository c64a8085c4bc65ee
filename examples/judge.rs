//! Judges a pair with the model inside the program: `cargo run --release --example judge`.

use tribunal::judgments::Pair;
use tribunal::model::builtin;
use tribunal::workflows::{Engine, PairPredictor};

fn main() -> tribunal::Result<()> {
    let judge = PairPredictor::new(&Engine::new(), builtin::model()?, builtin::NAME)?;
    let pair = Pair::parse("He has not resigned. ||| Not of he resigned. ||| He did not resign.", "example", 1)?;
    for judged in judge.judge(&[pair]) {
        println!("{}: probabilities of 1, 0 and -1: {:.3?}", judged.verdict, judged.probabilities.0);
    }
    Ok(())
}
