//! BLEU and chrF of a sentence and of a corpus.

use tribunal_text_metrics::{Corpus, MetricSet, Result, Scope};

fn main() -> Result<()> {
    let metrics = MetricSet::named(&["bleu", "chrf"])?;
    println!("{:.2?}", metrics.segment_scores("the cat sat on the mat", &["the cat is on the mat"]));

    let hypotheses = ["the cat sat on the mat", "dogs bark at night"].map(str::to_owned);
    let references = ["the cat is on the mat", "dogs bark at night"].map(|text| vec![text.to_owned()]);
    println!("{:.2?}", Corpus::new(&metrics, &hypotheses, &references, Scope::Whole).scores(&metrics));
    Ok(())
}
