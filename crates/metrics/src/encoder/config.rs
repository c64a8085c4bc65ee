//! What `config.json` says of an encoder's architecture.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result, json_fault, quoted};

/// The architectures that can be read, by `model_type`.
pub const ARCHITECTURES: [&str; 6] = ["bert", "roberta", "xlm-roberta", "xlm-roberta-xl", "distilbert", "modernbert"];

/// The architecture of an encoder. As JSON, it is part of the encoder's digest: it is all that is read of the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Config {
    /// One of [`ARCHITECTURES`].
    pub architecture: String,
    /// The number of tokens of the vocabulary.
    pub vocabulary: usize,
    /// The length of a hidden state.
    pub width: usize,
    pub layers: usize,
    pub heads: usize,
    /// The width between the two linear maps of a layer.
    pub inner_width: usize,
    pub activation: Activation,
    /// What is added to the variance in layer normalisation.
    pub epsilon: f64,
    /// The number of positions that have a vector.
    pub positions: usize,
    /// The position of the first token: RoBERTa counts from the number after that of the padding token.
    pub first_position: usize,
    /// The number of the token that fills short texts up.
    pub padding: u32,
    /// What is particular to ModernBERT.
    pub rotary: Rotary,
}

/// The rotary positions and the local attention of ModernBERT. Warner et al. 2024, section 2.1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rotary {
    /// Every n-th layer attends to all tokens; the others only to those nearby.
    pub global_every: usize,
    /// The number of tokens, on both sides together, that a local layer attends to.
    pub local_tokens: usize,
    /// The base of the frequencies in global and in local layers.
    pub theta: [f64; 2],
}

/// A function between two linear maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// x Φ(x). Hendrycks and Gimpel 2016.
    Gelu,
    /// Its approximation with tanh.
    GeluTanh,
    /// max(x, 0).
    Relu,
    /// x / (1 + exp(-x)).
    Silu,
}

impl Activation {
    fn named(name: &str) -> Option<Self> {
        match name {
            "gelu" => Some(Self::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" => Some(Self::GeluTanh),
            "relu" => Some(Self::Relu),
            "silu" | "swish" => Some(Self::Silu),
            _ => None,
        }
    }
}

impl Rotary {
    /// Whether a layer attends to all tokens.
    pub fn is_global(&self, layer: usize) -> bool {
        layer.is_multiple_of(self.global_every)
    }
}

/// No encoder has dimensions beyond this; larger ones would be memory asked for in vain.
const MAX_DIMENSION: u64 = 1 << 24;

/// The fields of a `config.json`.
struct Fields<'f> {
    all: Value,
    file: &'f Path,
}

impl Fields<'_> {
    fn refused(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::invalid(self.file.display().to_string(), expected, found, "use another encoder")
    }

    /// The first field of these names that is there; architectures name the same thing differently.
    fn any(&self, names: &[&str]) -> &Value {
        names.iter().map(|name| &self.all[name]).find(|value| !value.is_null()).unwrap_or(&Value::Null)
    }

    fn whole(&self, names: &[&str]) -> Result<usize> {
        let value = self.any(names);
        let known = value.as_u64().filter(|number| (1..=MAX_DIMENSION).contains(number));
        known.map(|number| number as usize).ok_or_else(|| {
            let expected = format!("a whole number from 1 to {MAX_DIMENSION} in {}", names[0]);
            self.refused(expected, quoted(&value.to_string()))
        })
    }

    fn whole_or(&self, name: &str, otherwise: usize) -> Result<usize> {
        if self.all[name].is_null() { Ok(otherwise) } else { self.whole(&[name]) }
    }

    /// The base of rotary positions; version 5 of transformers writes it by kind of layer.
    fn theta(&self, name: &str, layers: &str, otherwise: f64) -> Result<f64> {
        let of_kind = self.all["rope_parameters"][layers]["rope_theta"].as_f64();
        of_kind.map_or_else(|| self.number(&[name], otherwise), Ok)
    }

    fn number(&self, names: &[&str], otherwise: f64) -> Result<f64> {
        let value = self.any(names);
        let known = if value.is_null() { Some(otherwise) } else { value.as_f64().filter(|number| *number > 0.0) };
        known.ok_or_else(|| self.refused(format!("a number above 0 in {}", names[0]), quoted(&value.to_string())))
    }
}

impl Config {
    /// Reads the text of a `config.json`.
    ///
    /// # Errors
    /// It is no JSON, or of an architecture or with a setting that cannot be computed.
    pub fn parse(text: &str, file: &Path) -> Result<Self> {
        let all = serde_json::from_str(text).map_err(|error| {
            let place = file.display().to_string();
            Error::invalid(place, "the configuration of an encoder", json_fault(&error), "copy the folder again")
        })?;
        let fields = Fields { all, file };
        let architecture = fields.all["model_type"].as_str().unwrap_or_default().to_owned();
        if !ARCHITECTURES.contains(&architecture.as_str()) {
            let found = if architecture.is_empty() { "none".to_owned() } else { quoted(&architecture) };
            return Err(fields.refused(format!("a model_type among {}", ARCHITECTURES.join(", ")), found));
        }
        let activation = fields.any(&["hidden_act", "hidden_activation", "activation"]).as_str().unwrap_or("gelu");
        let Some(activation) = Activation::named(activation) else {
            return Err(fields.refused("the activation gelu, gelu_new, relu or silu", quoted(activation)));
        };
        let positions = fields.any(&["position_embedding_type"]).as_str().unwrap_or("absolute");
        if positions != "absolute" && architecture != "modernbert" {
            return Err(fields.refused("absolute positions", quoted(positions)));
        }
        let biases = ["attention_bias", "mlp_bias", "norm_bias"];
        if let Some(bias) = biases.iter().find(|name| fields.all[name].as_bool() == Some(true)) {
            return Err(fields.refused("a ModernBERT without biases", format!("{bias}: true")));
        }
        let vocabulary = fields.whole(&["vocab_size"])?;
        let padding = fields.any(&["pad_token_id"]).as_u64().unwrap_or(0);
        let Some(padding) = u32::try_from(padding).ok().filter(|&token| (token as usize) < vocabulary) else {
            return Err(fields.refused(format!("a pad_token_id below {vocabulary}"), padding.to_string()));
        };
        let config = Self {
            vocabulary,
            width: fields.whole(&["hidden_size", "dim"])?,
            layers: fields.whole(&["num_hidden_layers", "n_layers"])?,
            heads: fields.whole(&["num_attention_heads", "n_heads"])?,
            inner_width: fields.whole(&["intermediate_size", "hidden_dim"])?,
            activation,
            epsilon: fields.number(&["layer_norm_eps", "norm_eps"], 1e-12)?,
            positions: fields.whole(&["max_position_embeddings"])?,
            first_position: if architecture.contains("roberta") { padding as usize + 1 } else { 0 },
            padding,
            rotary: Rotary {
                global_every: fields.whole_or("global_attn_every_n_layers", 3)?,
                local_tokens: fields.whole_or("local_attention", 128)?,
                theta: [
                    fields.theta("global_rope_theta", "full_attention", 160_000.0)?,
                    fields.theta("local_rope_theta", "sliding_attention", 10_000.0)?,
                ],
            },
            architecture,
        };
        if !config.width.is_multiple_of(config.heads) || config.max_tokens() < 3 {
            let found = format!("width {}, {} heads, {} positions", config.width, config.heads, config.positions);
            return Err(fields.refused("a width that is a multiple of the heads, and positions for a text", found));
        }
        if config.architecture == "modernbert" && !config.width.is_multiple_of(2 * config.heads) {
            let found = format!("width {}, {} heads", config.width, config.heads);
            return Err(fields.refused("heads of an even width, as rotary positions need them", found));
        }
        Ok(config)
    }

    /// The most tokens of a text that have a position.
    pub fn max_tokens(&self) -> usize {
        self.positions.saturating_sub(self.first_position)
    }
}
