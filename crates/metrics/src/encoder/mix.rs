//! One vector of a text by COMET's mix of an encoder's layers. Rei et al. 2020, "COMET: A Neural Framework for MT Evaluation",
//! sections 2.2 and 2.3.

use candle_core::Result;
use ndarray::{Array1, Array2, Axis};
use serde::Serialize;

use super::network::Network;

/// The hidden states of all layers as one: gamma sum_l s_l h_l.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mix {
    /// gamma s_l, from the embeddings on. Layers of weight 0 are left out, and those after the last other one not computed.
    pub weights: Vec<f64>,
    /// Whether each h_l is normalised first, over all tokens and dimensions of a text: (h - mean) / sqrt(variance + 1e-12).
    pub normalises: bool,
    /// How the states of tokens become one vector.
    pub pooling: Pooling,
}

/// How the states of a text's tokens become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Their mean; a padding token that the text contains counts as zeros.
    Avg,
    /// The greatest value in each dimension, without such tokens.
    Max,
    /// That of the first token.
    Cls,
}

impl Mix {
    /// A layer alone.
    pub fn of_layer(layer: usize, layers: usize) -> Self {
        let weights = (0..=layers).map(|number| f64::from(u8::from(number == layer))).collect();
        Self { weights, normalises: false, pooling: Pooling::Cls }
    }

    /// The vector of a text with these tokens and mixed states.
    pub fn pooled(&self, states: &Array2<f64>, tokens: &[u32], padding: u32) -> Array1<f64> {
        let kept = || states.rows().into_iter().zip(tokens).filter(|(_, token)| **token != padding).map(|(row, _)| row);
        let zeros = || Array1::zeros(states.ncols());
        match self.pooling {
            Pooling::Avg => kept().fold(zeros(), |sum, row| sum + row) / tokens.len().max(1) as f64,
            Pooling::Max => kept().fold(zeros() + f64::NEG_INFINITY, |most, row| {
                Array1::from_iter(most.iter().zip(row).map(|(one, other)| one.max(*other)))
            }),
            Pooling::Cls => states.axis_iter(Axis(0)).next().map_or_else(zeros, |row| row.to_owned()),
        }
    }
}

/// The states of each text, (tokens, width), in each of the mixes.
///
/// # Errors
/// The encoder's file cannot be read any more.
pub fn mixed(network: &Network, texts: &[&[u32]], mixes: &[&Mix], width: usize) -> Result<Vec<Vec<Array2<f64>>>> {
    let zeros = || texts.iter().map(|text| Array2::zeros((text.len(), width))).collect();
    let mut all: Vec<Vec<Array2<f64>>> = mixes.iter().map(|_| zeros()).collect();
    let last = mixes.iter().filter_map(|mix| mix.weights.iter().rposition(|weight| *weight != 0.0)).max();
    network.each_layer(texts, last.unwrap_or(0), &mut |number, states| {
        let wanted = || mixes.iter().map(|mix| mix.weights[number]);
        if wanted().all(|weight| weight == 0.0) {
            return Ok(());
        }
        let (longest, values) = (states.dim(1)?, states.flatten_all()?.to_vec1::<f32>()?);
        for ((mix, weight), all) in mixes.iter().zip(wanted()).zip(&mut all) {
            for (at, sum) in all.iter_mut().enumerate() {
                let values = &values[at * longest * width..][..sum.len()];
                let (mean, scale) = if mix.normalises { moments(values) } else { (0.0, 1.0) };
                sum.iter_mut().zip(values).for_each(|(sum, &value)| *sum += weight * (f64::from(value) - mean) * scale);
            }
        }
        Ok(())
    })?;
    Ok(all)
}

/// The mean, and the inverse of the standard deviation.
fn moments(values: &[f32]) -> (f64, f64) {
    let of =
        |part: &dyn Fn(f64) -> f64| values.iter().map(|&value| part(value.into())).sum::<f64>() / values.len() as f64;
    let mean = of(&|value| value);
    (mean, 1.0 / (of(&|value| (value - mean) * (value - mean)) + 1e-12).sqrt())
}
