//! The grounding of outputs in their contexts, as metrics beside them.

use rayon::prelude::*;

use super::context::Context;
use crate::error::pluralized;
use crate::judgments::output::{Marks, OutputSignal, Outputs};
use crate::metrics::grounding::{self, NAMES, SIMILARITY};

/// Adds the metrics of [`grounding`] to outputs, if any has a context; that of an encoder only if there is one.
pub(super) fn with_grounding(context: Context<'_>, mut outputs: Outputs) -> Outputs {
    let without = outputs.rows.iter().filter(|output| output.context.is_empty()).count();
    if without == outputs.rows.len() {
        return outputs;
    }
    if without > 0 {
        let count = pluralized(outputs.rows.len(), "output");
        outputs.notes.push(format!("{without} of {count} without a context, and so without values of {}", NAMES[0]));
    }
    let (engine, count) = (context.engine(), context.counter("comparing with contexts", outputs.rows.len()));
    outputs.rows.par_iter_mut().for_each_init(
        || engine.lexicons().borrow(),
        |lexicon, output| {
            output.values.extend(grounding::overlap(&output.text, &output.context, lexicon));
            count();
        },
    );
    if let Some(encoder) = engine.encoder() {
        for output in &mut outputs.rows {
            output.values.push(grounding::similarity(&output.text, &output.context, encoder));
        }
    }
    let names = NAMES.into_iter().filter(|name| *name != SIMILARITY || engine.encoder().is_some());
    let signal = |name: &str| OutputSignal {
        name: name.to_owned(),
        is_judge: false,
        lower_is_better: false,
        marks: Marks::Numbers,
    };
    outputs.signals.extend(names.map(signal));
    outputs
}
