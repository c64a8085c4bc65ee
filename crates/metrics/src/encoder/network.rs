//! The forward pass: from the numbers of tokens to hidden states.
//!
//! BERT, RoBERTa, XLM-RoBERTa and DistilBERT are the same network with different names of tensors (Devlin et al. 2019;
//! Vaswani et al. 2017, normalised after each sublayer). XLM-RoBERTa-XL normalises before each sublayer (Goyal et al. 2021).
//! So does ModernBERT, which also rotates positions, gates its inner layer, and lets most layers see nearby tokens alone
//! (Warner et al. 2024).

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{CpuStorage, CustomOp1, D, Device, IndexOp, Layout, Result, Shape, Tensor};
use candle_nn::ops::{layer_norm, softmax_last_dim};
use rustc_hash::FxHashMap;

use super::config::{Activation, Config, Rotary};
use super::weights::Weights;

/// An encoder's weights.
pub struct Network {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// The normalisation after the last layer, where layers normalise before their sublayers.
    last: Option<Norm>,
    heads: usize,
    padding: u32,
    /// What is particular to ModernBERT; `None` for the others.
    rotary: Option<Rotary>,
    device: Device,
}

struct Embeddings {
    words: Words,
    /// The vectors of positions, and the first that is used.
    positions: Option<(Tensor, usize)>,
    /// None in XLM-RoBERTa-XL.
    norm: Option<Norm>,
}

/// The vectors of tokens, each read when a text first has it: a vocabulary of many languages is half of a model, and few texts
/// have more than a part of it.
struct Words {
    weights: Arc<Weights>,
    name: String,
    /// The numbers of tokens, and of values of each.
    shape: [usize; 2],
    rows: Mutex<FxHashMap<u32, Arc<[f32]>>>,
}

/// Rows that are checked at once.
const ROWS: usize = 1024;

impl Words {
    /// # Errors
    /// There is no such table; a value of it is not finite.
    fn open(weights: &Arc<Weights>, name: String, shape: [usize; 2]) -> Result<Self> {
        if weights.shape(&name) != Some(&shape) {
            candle_core::bail!("no tensor {name} of the shape {shape:?}");
        }
        // Read once for faults, so that none is left for later.
        let parts = (0..shape[0]).step_by(ROWS).map(|start| start..shape[0].min(start + ROWS));
        parts.into_iter().try_for_each(|rows| weights.rows(&name, rows).map(drop))?;
        Ok(Self { weights: Arc::clone(weights), name, shape, rows: Mutex::default() })
    }

    /// The vectors of tokens: (tokens, width).
    fn of(&self, ids: &[u32], device: &Device) -> Result<Tensor> {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = Vec::with_capacity(ids.len() * self.shape[1]);
        for &id in ids {
            let row = match rows.entry(id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => {
                    let at = id as usize;
                    free.insert(self.weights.rows(&self.name, at..at + 1)?.into())
                }
            };
            values.extend_from_slice(row);
        }
        Tensor::from_vec(values, (ids.len(), self.shape[1]), device)
    }
}

struct Layer {
    /// Whether it normalises before its two sublayers, not after them.
    normalises_before: bool,
    /// That of attention; the first layer of ModernBERT has none.
    attention_norm: Option<Norm>,
    /// Queries, keys and values, one after the other.
    query_key_value: Linear,
    attention_output: Linear,
    /// That of the inner layer.
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

/// x Wᵀ + b.
struct Linear {
    /// (outputs, inputs).
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
        let product = states.matmul(&self.weight.t()?)?;
        self.bias.as_ref().map_or(Ok(product.clone()), |bias| product.broadcast_add(bias))
    }
}

/// Reads tensors by name, and checks their shapes.
struct Reader<'r> {
    weights: &'r Arc<Weights>,
    /// Before all names: some files name the model that the encoder is part of.
    prefix: &'static str,
    config: &'r Config,
    device: &'r Device,
}

impl Reader<'_> {
    fn tensor(&self, shape: &[usize], name: &str) -> Result<Tensor> {
        self.weights.get(shape, &format!("{}{name}", self.prefix))?.to_device(self.device)
    }

    /// The first row of a table, if there is such a table.
    fn first_row(&self, name: &str) -> Result<Option<Tensor>> {
        let name = format!("{}{name}", self.prefix);
        if self.weights.shape(&name).is_none() {
            return Ok(None);
        }
        let row = self.weights.rows(&name, 0..1)?;
        if row.len() != self.config.width {
            candle_core::bail!("{name} of the width {}", row.len());
        }
        Tensor::new(row, self.device).map(Some)
    }

    fn linear(&self, [inputs, outputs]: [usize; 2], name: &str, has_bias: bool) -> Result<Linear> {
        let weight = self.tensor(&[outputs, inputs], &format!("{name}.weight"))?;
        let bias = has_bias.then(|| self.tensor(&[outputs], &format!("{name}.bias"))).transpose()?;
        Ok(Linear { weight, bias })
    }

    fn norm(&self, name: &str, has_bias: bool) -> Result<Norm> {
        let width = [self.config.width];
        // Files that were made from TensorFlow's checkpoints have its names.
        let old = self.weights.shape(&format!("{}{name}.gamma", self.prefix)).is_some();
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
        Ok(Linear { weight: Tensor::cat(&weights, 0)?, bias: Some(Tensor::cat(&biases, 0)?) })
    }
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

const XL: Names = Names { attention_norm: "attention.self_attn_layer_norm", output_norm: "LayerNorm", ..BERT };

const DISTILBERT: Names = Names {
    layer: "transformer.layer",
    query_key_value: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    attention_output: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    inner: "ffn.lin1",
    output: "ffn.lin2",
    output_norm: "output_layer_norm",
};

/// What stands before the names of an encoder's tensors in files of models; the last is COMET's.
const PREFIXES: [&str; 6] = ["", "bert.", "roberta.", "distilbert.", "model.", "encoder.model."];

impl Network {
    /// Reads the weights of an encoder, which may be part of a model.
    ///
    /// # Errors
    /// The file is damaged; a tensor is missing, or of another shape than the architecture has.
    pub fn read(weights: &Arc<Weights>, config: &Config, device: &Device) -> Result<Self> {
        let words = if config.architecture == "modernbert" { "tok_embeddings" } else { "word_embeddings" };
        let words = format!("embeddings.{words}.weight");
        let is_there = |prefix: &&str| weights.shape(&format!("{prefix}{words}")).is_some();
        let prefix = PREFIXES.into_iter().find(is_there).unwrap_or_default();
        let reader = Reader { weights, prefix, config, device };
        let words = Words::open(weights, format!("{prefix}{words}"), [config.vocabulary, config.width])?;
        match config.architecture.as_str() {
            "modernbert" => Self::modern(&reader, words),
            "distilbert" => Self::classic(&reader, &DISTILBERT, words),
            "xlm-roberta-xl" => Self::classic(&reader, &XL, words),
            _ => Self::classic(&reader, &BERT, words),
        }
    }

    fn classic(reader: &Reader<'_>, names: &Names, words: Words) -> Result<Self> {
        let config = reader.config;
        let Config { width, inner_width, .. } = *config;
        let mut positions = reader.tensor(&[config.positions, width], "embeddings.position_embeddings.weight")?;
        let normalises_before = config.architecture == "xlm-roberta-xl";
        // All tokens are of the first type, whose vector can be added once and for all.
        if let Some(first) = reader.first_row("embeddings.token_type_embeddings.weight")? {
            positions = positions.broadcast_add(&first)?;
        }
        let layer = |number: usize| {
            let name = |part: &str| format!("{}.{number}.{part}", names.layer);
            Ok(Layer {
                normalises_before,
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
                norm: (!normalises_before).then(|| reader.norm("embeddings.LayerNorm", true)).transpose()?,
            },
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            last: normalises_before.then(|| reader.norm("encoder.LayerNorm", true)).transpose()?,
            heads: config.heads,
            padding: config.padding,
            rotary: None,
            device: reader.device.clone(),
        })
    }

    fn modern(reader: &Reader<'_>, words: Words) -> Result<Self> {
        let config = reader.config;
        let Config { width, inner_width, .. } = *config;
        let layer = |number: usize| {
            let name = |part: &str| format!("layers.{number}.{part}");
            Ok(Layer {
                normalises_before: true,
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
            embeddings: Embeddings { words, positions: None, norm: Some(reader.norm("embeddings.norm", false)?) },
            layers: (0..config.layers).map(layer).collect::<Result<_>>()?,
            last: Some(reader.norm("final_norm", false)?),
            heads: config.heads,
            padding: config.padding,
            rotary: Some(config.rotary),
            device: reader.device.clone(),
        })
    }

    /// The hidden states of texts, given as the numbers of their tokens: those after `layer` layers (0 for the
    /// embeddings), and those after all. Both are (texts, tokens of the longest, width); what is beyond the end of a
    /// shorter text has no meaning.
    pub fn states(&self, texts: &[&[u32]], layer: usize) -> Result<[Tensor; 2]> {
        let mut states = Vec::with_capacity(2);
        self.each_layer(texts, self.layers.len(), &mut |number, of_layer| {
            if number == layer || number == self.layers.len() {
                states.push(of_layer.clone());
            }
            Ok(())
        })?;
        Ok([states[0].clone(), states.swap_remove(states.len() - 1)])
    }

    /// The hidden states of texts after each layer, from 0 (the embeddings) to `last`, as in [`Self::states`].
    pub fn each_layer(
        &self,
        texts: &[&[u32]],
        last: usize,
        visit: &mut dyn FnMut(usize, &Tensor) -> Result<()>,
    ) -> Result<()> {
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let masks = Masks::new(texts, longest, self.rotary, &self.device)?;
        let shape = (texts.len(), longest, ());
        let mut states = self.embed(texts, longest)?;
        visit(0, &states.reshape(shape)?)?;
        for (number, of_layer) in self.layers.iter().enumerate().take(last) {
            let is_global = self.rotary.is_none_or(|rotary| rotary.is_global(number));
            let mask = if is_global { &masks.global } else { &masks.local };
            let rotation = self.rotary.map(|rotary| (rotary.theta[usize::from(!is_global)], longest));
            states = of_layer.forward(&states, texts.len(), self.heads, mask.as_ref(), rotation)?;
            let norm = self.last.as_ref().filter(|_| number + 1 == self.layers.len());
            let visited = norm.map_or(Ok(states.clone()), |norm| norm.forward(&states))?;
            visit(number + 1, &visited.reshape(shape)?)?;
        }
        Ok(())
    }

    /// The number of weights of all layers and embeddings.
    pub fn parameters(&self) -> usize {
        let Embeddings { words, positions, norm } = &self.embeddings;
        let positions = positions.as_ref().map_or(0, |(positions, _)| positions.elem_count());
        let layers: usize = self.layers.iter().map(Layer::parameters).sum();
        let last = self.last.as_ref().map_or(0, Norm::parameters);
        let norm = norm.as_ref().map_or(0, Norm::parameters);
        words.shape.iter().product::<usize>() + positions + norm + layers + last
    }

    /// The embeddings of tokens: (texts x tokens, width).
    fn embed(&self, texts: &[&[u32]], longest: usize) -> Result<Tensor> {
        let fill = |text: &[u32], with: u32| [text, &vec![with; longest - text.len()]].concat();
        let ids: Vec<u32> = texts.iter().flat_map(|text| fill(text, self.padding)).collect();
        let Embeddings { words, positions, norm } = &self.embeddings;
        let mut states = words.of(&ids, &self.device)?;
        if let Some((positions, first)) = positions {
            let places: Vec<u32> = texts.iter().flat_map(|text| fill(&self.places(text, *first), 0)).collect();
            let places = Tensor::from_vec(places, ids.len(), &self.device)?;
            states = (states + positions.index_select(&places, 0)?)?;
        }
        norm.as_ref().map_or(Ok(states.clone()), |norm| norm.forward(&states))
    }

    /// The positions of tokens. RoBERTa does not count a padding token that a text contains.
    fn places(&self, text: &[u32], first: usize) -> Vec<u32> {
        let is_counted = |id: u32| id != self.padding || first == 0;
        let counted = text.iter().scan(first as u32, |next, &id| {
            let place = *next;
            *next += u32::from(is_counted(id));
            Some(if is_counted(id) { place } else { self.padding })
        });
        counted.collect()
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
        let (before, is_gated) = (self.normalises_before, rotation.is_some());
        let normalised =
            self.attention_norm.as_ref().filter(|_| before).map(|norm| norm.forward(states)).transpose()?;
        let attended = self.attention(normalised.as_ref().unwrap_or(states), texts, heads, mask, rotation)?;
        let mut states = (self.attention_output.forward(&attended)? + states)?;
        if let Some(norm) = self.attention_norm.as_ref().filter(|_| !before) {
            states = norm.forward(&states)?;
        }
        let inner = self.inner.forward(&if before { self.output_norm.forward(&states)? } else { states.clone() })?;
        let inner = if is_gated {
            let halves = inner.chunk(2, D::Minus1)?;
            (self.activation.forward(&halves[0].contiguous()?)? * &halves[1])?
        } else {
            self.activation.forward(&inner)?
        };
        let states = (self.output.forward(&inner)? + states)?;
        if before { Ok(states) } else { self.output_norm.forward(&states) }
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

/// x Φ(x), with an absolute error below 3e-7 |x|. Φ by the error function, for whose argument z in [-4, 4] a ratio of polynomials
/// of degree 13 and 8 in z is taken, that of Eigen and TensorFlow.
fn gelu(value: f32) -> f32 {
    const A: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_4e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const B: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
    let z = (value * std::f32::consts::FRAC_1_SQRT_2).clamp(-4.0, 4.0);
    let polynomial = |all: &[f32]| all.iter().fold(0.0, |sum, coefficient| sum * z * z + coefficient);
    0.5 * value * (1.0 + z * polynomial(&A) / polynomial(&B))
}

#[cfg(test)]
mod tests {
    use super::gelu;

    #[test]
    fn gelu_is_that_of_the_error_function() {
        for value in (-12_000..=12_000).map(|number| f64::from(number) / 1000.0) {
            let exact = value * 0.5 * libm::erfc(-value * std::f64::consts::FRAC_1_SQRT_2);
            assert!((f64::from(gelu(value as f32)) - exact).abs() <= 3e-7 * value.abs(), "{value}");
        }
    }
}
