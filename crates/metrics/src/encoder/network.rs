//! The forward pass: from the numbers of tokens to hidden states.
//!
//! BERT, RoBERTa, XLM-RoBERTa and DistilBERT are the same network with different names of tensors (Devlin et al. 2019;
//! Vaswani et al. 2017, normalised after each sublayer). ModernBERT normalises before each sublayer, rotates positions,
//! gates its inner layer, and lets most layers see nearby tokens alone (Warner et al. 2024).

use candle_core::{CpuStorage, CustomOp1, D, DType, Device, IndexOp, Layout, Result, Shape, Tensor};
use candle_nn::VarBuilder;
use candle_nn::ops::{layer_norm, softmax_last_dim};

use super::config::{Activation, Config, Rotary};

/// An encoder's weights.
pub struct Network {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// The normalisation after the last layer, of ModernBERT.
    last: Option<Norm>,
    heads: usize,
    padding: u32,
    /// What is particular to ModernBERT; `None` for the others.
    rotary: Option<Rotary>,
    device: Device,
}

struct Embeddings {
    words: Tensor,
    /// The vectors of positions, and the first that is used.
    positions: Option<(Tensor, usize)>,
    norm: Norm,
}

struct Layer {
    /// Before attention in ModernBERT, whose first layer has none; after it in the others.
    attention_norm: Option<Norm>,
    /// Queries, keys and values, one after the other.
    query_key_value: Linear,
    attention_output: Linear,
    /// Before the inner layer in ModernBERT, after it in the others.
    output_norm: Norm,
    inner: Linear,
    output: Linear,
    activation: Activation,
}

struct Norm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f32,
}

/// x W + b.
struct Linear {
    /// (inputs, outputs).
    weight: Tensor,
    bias: Option<Tensor>,
}

impl Norm {
    fn parameters(&self) -> usize {
        self.weight.elem_count() + self.bias.elem_count()
    }

    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        layer_norm(states, &self.weight, &self.bias, self.epsilon)
    }
}

impl Linear {
    fn parameters(&self) -> usize {
        self.weight.elem_count() + self.bias.as_ref().map_or(0, Tensor::elem_count)
    }

    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let product = states.matmul(&self.weight)?;
        self.bias.as_ref().map_or(Ok(product.clone()), |bias| product.broadcast_add(bias))
    }
}

/// Reads tensors by name, and checks their shapes.
struct Reader<'r> {
    tensors: VarBuilder<'r>,
    /// Before all names: some files name the model that the encoder is part of.
    prefix: &'static str,
    config: &'r Config,
}

impl Reader<'_> {
    fn tensor(&self, shape: &[usize], name: &str) -> Result<Tensor> {
        let name = format!("{}{name}", self.prefix);
        finite(self.tensors.get(shape, &name)?, &name)
    }

    /// The first row of a table, if there is such a table.
    fn first_row(&self, name: &str) -> Result<Option<Tensor>> {
        let name = format!("{}{name}", self.prefix);
        if !self.tensors.contains_tensor(&name) {
            return Ok(None);
        }
        let table = self.tensors.get_unchecked(&name)?;
        let (rows, width) = table.dims2()?;
        if rows == 0 || width != self.config.width {
            candle_core::bail!("{name} of the shape {rows} x {width}");
        }
        finite(table.i(0)?, &name).map(Some)
    }

    fn linear(&self, [inputs, outputs]: [usize; 2], name: &str, has_bias: bool) -> Result<Linear> {
        let weight = self.tensor(&[outputs, inputs], &format!("{name}.weight"))?.t()?.contiguous()?;
        let bias = has_bias.then(|| self.tensor(&[outputs], &format!("{name}.bias"))).transpose()?;
        Ok(Linear { weight, bias })
    }

    fn norm(&self, name: &str, has_bias: bool) -> Result<Norm> {
        let width = [self.config.width];
        // Files that were made from TensorFlow's checkpoints have its names.
        let old = self.tensors.contains_tensor(&format!("{}{name}.gamma", self.prefix));
        let [weight, bias] = if old { ["gamma", "beta"] } else { ["weight", "bias"] };
        let weight = self.tensor(&width, &format!("{name}.{weight}"))?;
        let bias = if has_bias { self.tensor(&width, &format!("{name}.{bias}"))? } else { weight.zeros_like()? };
        Ok(Norm { weight, bias, epsilon: self.config.epsilon as f32 })
    }

    /// Three linear maps as one.
    fn joined(&self, names: [String; 3]) -> Result<Linear> {
        let width = self.config.width;
        let parts = names.map(|name| self.linear([width, width], &name, true));
        let parts = parts.into_iter().collect::<Result<Vec<Linear>>>()?;
        let weights: Vec<&Tensor> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<&Tensor> = parts.iter().filter_map(|part| part.bias.as_ref()).collect();
        Ok(Linear { weight: Tensor::cat(&weights, 1)?.contiguous()?, bias: Some(Tensor::cat(&biases, 0)?) })
    }
}

/// A tensor, whose values must be finite.
fn finite(tensor: Tensor, name: &str) -> Result<Tensor> {
    if !tensor.sum_all()?.to_scalar::<f32>()?.is_finite() {
        candle_core::bail!("values in {name} that are not numbers");
    }
    Ok(tensor)
}

/// The names of BERT's tensors, which RoBERTa shares, and of DistilBERT's; `{}` stands for the number of a layer.
struct Names {
    layer: &'static str,
    query_key_value: [&'static str; 3],
    attention_output: &'static str,
    attention_norm: &'static str,
    inner: &'static str,
    output: &'static str,
    output_norm: &'static str,
}

const BERT: Names = Names {
    layer: "encoder.layer",
    query_key_value: ["attention.self.query", "attention.self.key", "attention.self.value"],
    attention_output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    inner: "intermediate.dense",
    output: "output.dense",
    output_norm: "output.LayerNorm",
};

const DISTILBERT: Names = Names {
    layer: "transformer.layer",
    query_key_value: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    attention_output: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    inner: "ffn.lin1",
    output: "ffn.lin2",
    output_norm: "output_layer_norm",
};

impl Network {
    /// Reads the weights from the bytes of a `model.safetensors`.
    ///
    /// # Errors
    /// The bytes are damaged; a tensor is missing, or of another shape than the architecture has.
    pub fn read(bytes: Vec<u8>, config: &Config, device: &Device) -> Result<Self> {
        let tensors = VarBuilder::from_buffered_safetensors(bytes, DType::F32, device)?;
        let words = if config.architecture == "modernbert" { "tok_embeddings" } else { "word_embeddings" };
        let words = format!("embeddings.{words}.weight");
        let prefixes = ["", "bert.", "roberta.", "distilbert.", "model."];
        let prefix = prefixes.into_iter().find(|prefix| tensors.contains_tensor(&format!("{prefix}{words}")));
        let reader = Reader { tensors, prefix: prefix.unwrap_or_default(), config };
        let words = reader.tensor(&[config.vocabulary, config.width], &words)?;
        match config.architecture.as_str() {
            "modernbert" => Self::modern(&reader, words, device),
            "distilbert" => Self::classic(&reader, &DISTILBERT, words, device),
            _ => Self::classic(&reader, &BERT, words, device),
        }
    }

    fn classic(reader: &Reader<'_>, names: &Names, words: Tensor, device: &Device) -> Result<Self> {
        let config = reader.config;
        let Config { width, inner_width, .. } = *config;
        let mut positions = reader.tensor(&[config.positions, width], "embeddings.position_embeddings.weight")?;
        // All tokens are of the first type, whose vector can be added once and for all.
        if let Some(first) = reader.first_row("embeddings.token_type_embeddings.weight")? {
            positions = positions.broadcast_add(&first)?;
        }
        let layer = |number: usize| {
            let name = |part: &str| format!("{}.{number}.{part}", names.layer);
            Ok(Layer {
                attention_norm: Some(reader.norm(&name(names.attention_norm), true)?),
                query_key_value: reader.joined(names.query_key_value.map(name))?,
                attention_output: reader.linear([width, width], &name(names.attention_output), true)?,
                output_norm: reader.norm(&name(names.output_norm), true)?,
                inner: reader.linear([width, inner_width], &name(names.inner), true)?,
                output: reader.linear([inner_width, width], &name(names.output), true)?,
                activation: config.activation,
            })
        };
        Ok(Self {
            embeddings: Embeddings {
                words,
                positions: Some((positions, config.first_position)),
                norm: reader.norm("embeddings.LayerNorm", true)?,
            },
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            last: None,
            heads: config.heads,
            padding: config.padding,
            rotary: None,
            device: device.clone(),
        })
    }

    fn modern(reader: &Reader<'_>, words: Tensor, device: &Device) -> Result<Self> {
        let config = reader.config;
        let Config { width, inner_width, .. } = *config;
        let layer = |number: usize| {
            let name = |part: &str| format!("layers.{number}.{part}");
            Ok(Layer {
                attention_norm: (number > 0).then(|| reader.norm(&name("attn_norm"), false)).transpose()?,
                query_key_value: reader.linear([width, 3 * width], &name("attn.Wqkv"), false)?,
                attention_output: reader.linear([width, width], &name("attn.Wo"), false)?,
                output_norm: reader.norm(&name("mlp_norm"), false)?,
                inner: reader.linear([width, 2 * inner_width], &name("mlp.Wi"), false)?,
                output: reader.linear([inner_width, width], &name("mlp.Wo"), false)?,
                activation: config.activation,
            })
        };
        Ok(Self {
            embeddings: Embeddings { words, positions: None, norm: reader.norm("embeddings.norm", false)? },
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            last: Some(reader.norm("final_norm", false)?),
            heads: config.heads,
            padding: config.padding,
            rotary: Some(config.rotary),
            device: device.clone(),
        })
    }

    /// The hidden states of texts, given as the numbers of their tokens: those after `layer` layers (0 for the
    /// embeddings), and those after all. Both are (texts, tokens of the longest, width); what is beyond the end of a
    /// shorter text has no meaning.
    pub fn states(&self, texts: &[&[u32]], layer: usize) -> Result<[Tensor; 2]> {
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let padded = texts
            .iter()
            .flat_map(|text| text.iter().copied().chain(std::iter::repeat_n(self.padding, longest - text.len())));
        let ids = Tensor::from_iter(padded, &self.device)?;
        let masks = Masks::new(texts, longest, self.rotary, &self.device)?;
        let shape = (texts.len(), longest, ());
        let mut states = self.embed(&ids, texts.len(), longest)?;
        let mut wanted = states.clone();
        for (number, of_layer) in self.layers.iter().enumerate() {
            let is_global = self.rotary.is_none_or(|rotary| rotary.is_global(number));
            let mask = if is_global { &masks.global } else { &masks.local };
            let rotation = self.rotary.map(|rotary| (rotary.theta[usize::from(!is_global)], longest));
            states = of_layer.forward(&states, texts.len(), self.heads, mask.as_ref(), rotation)?;
            if number + 1 == layer {
                wanted = states.clone();
            }
        }
        if let Some(last) = &self.last {
            states = last.forward(&states)?;
        }
        let wanted = if layer == self.layers.len() { states.clone() } else { wanted };
        Ok([wanted.reshape(shape)?, states.reshape(shape)?])
    }

    /// The number of weights of all layers and embeddings.
    pub fn parameters(&self) -> usize {
        let Embeddings { words, positions, norm } = &self.embeddings;
        let positions = positions.as_ref().map_or(0, |(positions, _)| positions.elem_count());
        let layers: usize = self.layers.iter().map(Layer::parameters).sum();
        let last = self.last.as_ref().map_or(0, Norm::parameters);
        words.elem_count() + positions + norm.parameters() + layers + last
    }

    /// The embeddings of tokens: (texts x tokens, width).
    fn embed(&self, ids: &Tensor, texts: usize, longest: usize) -> Result<Tensor> {
        let words = self.embeddings.words.index_select(ids, 0)?;
        let Some((positions, first)) = &self.embeddings.positions else { return self.embeddings.norm.forward(&words) };
        let positions = positions.narrow(0, *first, longest)?;
        let sum = words.reshape((texts, longest, ()))?.broadcast_add(&positions)?;
        self.embeddings.norm.forward(&sum.flatten(0, 1)?)
    }
}

/// What hides a token: minus infinity would give tokens that see none values that are not numbers.
const HIDDEN: f32 = -1e9;

/// What attention adds to the scores of tokens: 0, or [`HIDDEN`] for those that are not to be seen.
struct Masks {
    /// (texts, 1, 1, tokens), where texts differ in length.
    global: Option<Tensor>,
    /// (texts, 1, tokens, tokens), for ModernBERT.
    local: Option<Tensor>,
}

impl Masks {
    fn new(texts: &[&[u32]], longest: usize, rotary: Option<Rotary>, device: &Device) -> Result<Self> {
        let is_even = texts.iter().all(|text| text.len() == longest);
        let padding =
            texts.iter().flat_map(|text| (0..longest).map(|at| if at < text.len() { 0.0_f32 } else { HIDDEN }));
        let padding = Tensor::from_iter(padding, device)?.reshape((texts.len(), 1, 1, longest))?;
        let local = rotary.map(|rotary| {
            let reach = rotary.local_tokens / 2;
            let is_near = |(from, to): (usize, usize)| from.abs_diff(to) <= reach;
            let all = (0..longest).flat_map(|from| (0..longest).map(move |to| (from, to)));
            let window = all.map(|places| if is_near(places) { 0.0_f32 } else { HIDDEN });
            let window = Tensor::from_iter(window, device)?.reshape((1, 1, longest, longest))?;
            padding.broadcast_add(&window)
        });
        Ok(Self { global: (!is_even).then_some(padding), local: local.transpose()? })
    }
}

impl Layer {
    fn parameters(&self) -> usize {
        let Self { query_key_value, attention_output, inner, output, .. } = self;
        let linear: usize = [query_key_value, attention_output, inner, output].map(Linear::parameters).iter().sum();
        linear + self.output_norm.parameters() + self.attention_norm.as_ref().map_or(0, Norm::parameters)
    }

    /// One layer; `rotation` has the base of rotary positions and the number of tokens.
    fn forward(
        &self,
        states: &Tensor,
        texts: usize,
        heads: usize,
        mask: Option<&Tensor>,
        rotation: Option<(f64, usize)>,
    ) -> Result<Tensor> {
        let is_modern = rotation.is_some();
        let before = match &self.attention_norm {
            Some(norm) if is_modern => &norm.forward(states)?,
            _ => states,
        };
        let attended = self.attention(before, texts, heads, mask, rotation)?;
        let mut states = (self.attention_output.forward(&attended)? + states)?;
        if let Some(norm) = self.attention_norm.as_ref().filter(|_| !is_modern) {
            states = norm.forward(&states)?;
        }
        let inner = self.inner.forward(&if is_modern { self.output_norm.forward(&states)? } else { states.clone() })?;
        let inner = if is_modern {
            let halves = inner.chunk(2, D::Minus1)?;
            (self.activation.forward(&halves[0].contiguous()?)? * &halves[1])?
        } else {
            self.activation.forward(&inner)?
        };
        let states = (self.output.forward(&inner)? + states)?;
        if is_modern { Ok(states) } else { self.output_norm.forward(&states) }
    }

    /// softmax(q kᵀ / √d + mask) v of each head, side by side. Vaswani et al. 2017, section 3.2.
    fn attention(
        &self,
        states: &Tensor,
        texts: usize,
        heads: usize,
        mask: Option<&Tensor>,
        rotation: Option<(f64, usize)>,
    ) -> Result<Tensor> {
        let (rows, width) = states.dims2()?;
        // (3, texts, heads, tokens, width of a head)
        let all = self.query_key_value.forward(states)?.reshape((texts, rows / texts, 3, heads, width / heads))?;
        let all = all.permute((2, 0, 3, 1, 4))?.contiguous()?;
        let (mut query, mut key, value) = (all.i(0)?, all.i(1)?, all.i(2)?);
        if let Some((theta, tokens)) = rotation {
            let [cos, sin] = rotations(theta, tokens, width / heads, states.device())?;
            query = candle_nn::rotary_emb::rope(&query, &cos, &sin)?;
            key = candle_nn::rotary_emb::rope(&key, &cos, &sin)?;
        }
        let scale = 1.0 / ((width / heads) as f64).sqrt();
        let scores = ((query * scale)?.matmul(&key.t()?))?;
        let scores = mask.map_or(Ok(scores.clone()), |mask| scores.broadcast_add(mask))?;
        softmax_last_dim(&scores)?.matmul(&value)?.transpose(1, 2)?.reshape((rows, width))
    }
}

/// The cosines and sines of rotary positions: (tokens, half the width of a head). Su et al. 2021, section 3.2.
fn rotations(theta: f64, tokens: usize, width: usize, device: &Device) -> Result<[Tensor; 2]> {
    let angle = |(at, pair): (usize, usize)| (at as f64 * theta.powf(-2.0 * pair as f64 / width as f64)) as f32;
    let all = (0..tokens).flat_map(|at| (0..width / 2).map(move |pair| angle((at, pair))));
    let angles = Tensor::from_iter(all, device)?.reshape((tokens, width / 2))?;
    Ok([angles.cos()?, angles.sin()?])
}

impl Activation {
    fn forward(self, states: &Tensor) -> Result<Tensor> {
        match self {
            Self::Gelu if states.device().is_cpu() => states.apply_op1_no_bwd(&FastGelu),
            Self::Gelu => states.gelu_erf(),
            Self::GeluTanh => states.gelu(),
            Self::Relu => states.relu(),
            Self::Silu => states.silu(),
        }
    }
}

/// x Φ(x) on the processor; candle's calls a function for each value, which takes a quarter of the time of a forward pass.
struct FastGelu;

impl CustomOp1 for FastGelu {
    fn name(&self) -> &'static str {
        "fast-gelu"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let Some((start, end)) = layout.contiguous_offsets() else {
            candle_core::bail!("values that are not contiguous")
        };
        let values = storage.as_slice::<f32>()?[start..end].iter().map(|&value| gelu(value)).collect();
        Ok((CpuStorage::F32(values), layout.shape().clone()))
    }
}

/// x Φ(x), with an absolute error below 1e-6 |x|. Φ by the error function, Abramowitz and Stegun 1964, 7.1.28:
/// 1 - erf(z) = (1 + a1 z + ... + a6 z^6)^-16 for z >= 0.
fn gelu(value: f32) -> f32 {
    const A: [f32; 6] = [0.070_523_08, 0.042_282_01, 0.009_270_527, 0.000_152_014_3, 0.000_276_567_2, 0.000_043_063_8];
    let z = value.abs() * std::f32::consts::FRAC_1_SQRT_2;
    let sum = 1.0 + z * (A[0] + z * (A[1] + z * (A[2] + z * (A[3] + z * (A[4] + z * A[5])))));
    let fourth = (sum * sum) * (sum * sum);
    let tail = 0.5 / ((fourth * fourth) * (fourth * fourth));
    value * if value < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::gelu;

    #[test]
    fn gelu_is_that_of_the_error_function() {
        for value in (-12_000..=12_000).map(|number| f64::from(number) / 1000.0) {
            let exact = value * 0.5 * libm::erfc(-value * std::f64::consts::FRAC_1_SQRT_2);
            assert!((f64::from(gelu(value as f32)) - exact).abs() <= 1e-6 * value.abs(), "{value}");
        }
    }
}
