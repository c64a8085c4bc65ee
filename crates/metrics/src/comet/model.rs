//! A model, from a checkpoint to scores.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ndarray::{Array1, Array2};
use serde_json::Value;

use super::checkpoint::{Checkpoint, Settings};
use super::{Class, Score, Span};
use crate::encoder::config::Config;
use crate::encoder::mix::{Mix, Pooling};
use crate::encoder::weights::Weights;
use crate::encoder::{Encoder, Parts, first_line, name_of};
use crate::error::{Error, Result, quoted};

/// A model. Cheap to clone.
#[derive(Clone)]
pub struct Comet(Arc<Opened>);

struct Opened {
    encoder: Encoder,
    class: Class,
    /// How layers are mixed, in a word.
    mix: String,
    /// Whether a unified model sees references.
    sees_references: bool,
    estimator: Estimator,
    /// Of unified models: the mix whose first state is scored.
    sentence: Mix,
    /// Of XCOMET: the layer of words, and the map from its states to labels.
    tags: Option<(Mix, Linear)>,
}

/// The most tokens of a text, and of texts that are encoded together.
const MAX_TOKENS: [usize; 2] = [510, 512];

/// The tokens that begin and end a text.
const ENDS: [u32; 2] = [0, 2];

/// The severities of errors, with what they cost (MQM).
const SEVERITIES: [(&str, f64); 3] = [("minor", 1.0), ("major", 5.0), ("critical", 10.0)];

/// The cost from which on XCOMET's share of errors is 0.
const MOST_COST: f64 = 25.0;

/// What XCOMET's score is made of: the scores with the source, with the reference and with both, and the share of errors.
const XCOMET: [f64; 4] = [0.12, 0.33, 0.33, 0.22];

/// The same without a reference.
const XCOMET_QE: [f64; 4] = [0.78, 0.0, 0.0, 0.22];

/// How much the labels of words count that the three sequences give.
const WORDS: [f64; 3] = [0.1667, 0.3333, 0.5];

impl fmt::Debug for Comet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Comet").field(self.0.encoder.description()).finish()
    }
}

impl PartialEq for Comet {
    fn eq(&self, other: &Self) -> bool {
        self.0.encoder == other.0.encoder
    }
}

impl Comet {
    /// Opens the model in a folder. `tokenizer` has the `tokenizer.json` of the encoder that it was made of, and its `config.json`
    /// where its architecture is not known by its size; by default, the folder itself.
    ///
    /// # Errors
    /// A file is missing or damaged; the model is of an unknown class; tokeniser and weights do not belong together.
    pub fn open(folder: &Path, tokenizer: Option<&Path>) -> Result<Self> {
        let Checkpoint { file, settings, weights } = Checkpoint::open(folder)?;
        let beside = tokenizer.unwrap_or(folder);
        let model = Model { file: &file, settings: &settings, weights: &weights };
        let class = model.one_of("class_identifier", &Class::ALL)?;
        let path = beside.join("tokenizer.json");
        let wanted = settings.get("pretrained_model").and_then(Value::as_str).unwrap_or("its encoder");
        let of_another = |found: String| {
            let advice = format!("name with `comet_tokenizer` the folder that has the tokenizer.json of {wanted}");
            Error::invalid(path.display().to_string(), "the tokeniser of a COMET model", found, advice)
        };
        let text = match fs::metadata(&path) {
            Ok(found) if !found.is_file() => Err(of_another("no file".to_owned())),
            _ => fs::read_to_string(&path).map_err(|error| of_another(first_line(&error.to_string()))),
        }?;
        let config = model.config(&beside.join("config.json"))?;
        let layer = if class.has_vectors() { "layer" } else { "sent_layer" };
        let (sentence, mix) = model.mix(layer, class, config.layers)?;
        let copies = match class {
            Class::Regression => 6,
            Class::Referenceless => 4,
            Class::Unified | Class::Xcomet => 1,
        };
        let estimator = model.estimator(copies * config.width)?;
        let tags = (class == Class::Xcomet).then(|| {
            let layer = model.whole("word_layer", config.layers)?;
            let linear = model.linear("hidden2tag", [SEVERITIES.len() + 1, config.width])?;
            Ok((Mix::of_layer(layer, config.layers), linear))
        });
        let tags = tags.transpose()?;
        let segments = settings.get("input_segments").and_then(Value::as_array);
        let sees_references = segments.is_none_or(|all| all.iter().any(|name| name == "ref"));
        let parts = Parts {
            name: name_of(folder),
            licence: None,
            weights: (&file, weights),
            tokenizer: (&path, &text),
            max_tokens: MAX_TOKENS[0].min(config.max_tokens()),
            max_tokens_of_mean: MAX_TOKENS[0].min(config.max_tokens()),
            mix: Some(sentence.clone()),
            of_model: Some(&settings.0),
        };
        let encoder = Encoder::of_parts(config, parts)?;
        let tokens = encoder.tokens("a").0;
        if [tokens.first(), tokens.last()] != ENDS.each_ref().map(Some) {
            return Err(of_another(format!("one that gives 'a' the tokens {tokens:?}, without those of both ends")));
        }
        Ok(Self(Arc::new(Opened { encoder, class, mix, sees_references, estimator, sentence, tags })))
    }

    /// The encoder, whose `mean` of a text is its vector.
    pub fn encoder(&self) -> &Encoder {
        &self.0.encoder
    }

    /// The same model, which keeps the vectors of all texts in a folder, and takes them from there in another run: one that encodes
    /// texts together keeps none.
    pub fn with_cache(self, folder: &Path) -> Self {
        drop(self.0.encoder.clone().with_cache(folder));
        self
    }

    /// How layers are mixed, in a word.
    pub fn mix(&self) -> &str {
        &self.0.mix
    }

    /// The kind of model.
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// Whether it can compare with a reference.
    pub fn sees_references(&self) -> bool {
        self.0.class != Class::Referenceless && self.0.sees_references
    }

    /// Whether it cannot do without one.
    pub fn needs_reference(&self) -> bool {
        self.0.class == Class::Regression
    }

    /// What the model says of a hypothesis. A source or a reference that it needs and lacks counts as empty.
    pub fn score(&self, source: Option<&str>, hypothesis: &str, reference: Option<&str>) -> Score {
        let encode = |text: Option<&str>| self.0.encoder.encode(text.unwrap_or_default(), 0);
        match self.0.class {
            Class::Regression | Class::Referenceless => {
                let reference = self.needs_reference().then(|| encode(reference));
                let vectors = [encode(source), encode(Some(hypothesis))];
                let value =
                    self.of_vectors(&vectors[0].mean, &vectors[1].mean, reference.as_ref().map(|text| &text.mean));
                Score { value, errors: Vec::new() }
            }
            Class::Unified | Class::Xcomet => self.together(source, hypothesis, reference),
        }
    }

    /// The score of a hypothesis by vectors of texts, of a model that encodes them one by one.
    pub fn of_vectors(&self, source: &Array1<f32>, hypothesis: &Array1<f32>, reference: Option<&Array1<f32>>) -> f64 {
        let [source, hypothesis] = [source, hypothesis].map(|vector| vector.mapv(f64::from));
        let beside = |other: &Array1<f64>| [&hypothesis * other, (&hypothesis - other).mapv(f64::abs)];
        let parts = match reference.map(|vector| vector.mapv(f64::from)) {
            Some(reference) => {
                let [first, second] = [beside(&reference), beside(&source)];
                [vec![hypothesis.clone(), reference], first.into(), second.into()].concat()
            }
            None => [vec![hypothesis.clone(), source.clone()], beside(&source).into()].concat(),
        };
        self.0.encoder.finite(self.0.estimator.value(parts.into_iter().flatten().collect()))
    }

    /// The score of a model that encodes texts together.
    fn together(&self, source: Option<&str>, hypothesis: &str, reference: Option<&str>) -> Score {
        let Opened { encoder, estimator, sentence, tags, .. } = &*self.0;
        let kept =
            |tokens: Vec<u32>| -> Vec<u32> { tokens.into_iter().filter(|token| *token != encoder.padding()).collect() };
        let tokens = |text: &str| kept(encoder.tokens(text).0);
        let (of_hypothesis, bytes) = encoder.tokens(hypothesis);
        let reference = reference.filter(|_| self.0.sees_references).map(tokens);
        let (source, of_hypothesis) = (source.map(tokens), kept(of_hypothesis));
        let with = |others: [Option<&Vec<u32>>; 2]| -> Vec<u32> {
            let [start, end] = ENDS;
            let inner = |tokens: &Vec<u32>| tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default().to_vec();
            let mut all: Vec<u32> = [start].into_iter().chain(inner(&of_hypothesis)).collect();
            others.into_iter().flatten().for_each(|other| all.extend([end, end].into_iter().chain(inner(other))));
            all.push(end);
            if all.len() > MAX_TOKENS[1] {
                encoder.count_truncated(hypothesis);
                all.truncate(MAX_TOKENS[1]);
            }
            all
        };
        let (source, reference) = (source.as_ref(), reference.as_ref());
        let mut sequences = [None, None, None];
        sequences[0] = source.map(|source| with([Some(source), None]));
        sequences[1] = reference.map(|reference| with([Some(reference), None]));
        sequences[2] = source.and(reference).map(|_| with([source, reference]));
        let texts: Vec<&[u32]> = sequences.iter().flatten().map(Vec::as_slice).collect();
        let mixes: Vec<&Mix> = [sentence].into_iter().chain(tags.as_ref().map(|(mix, _)| mix)).collect();
        let mut states = encoder.mixed(&texts, &mixes);
        let values = states[0].iter().map(|states| estimator.value(states.row(0).to_vec()));
        let Some((_, linear)) = tags else {
            let values: Vec<f64> = values.collect();
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            return Score { value: encoder.finite(mean), errors: Vec::new() };
        };
        let mut values = values.map(|value| value.min(1.0));
        let scores =
            sequences.each_ref().map(|sequence| sequence.as_ref().and_then(|_| values.next()).unwrap_or_default());
        let length = bytes.len().min(texts.iter().map(|text| text.len()).min().unwrap_or(0));
        let mut of_words = Array2::zeros((length, SEVERITIES.len() + 1));
        let words = states.swap_remove(1);
        let known = sequences.iter().zip(WORDS).filter(|(sequence, _)| sequence.is_some()).map(|(_, weight)| weight);
        let weights: Vec<f64> = if texts.len() == 1 { vec![1.0] } else { known.collect() };
        for (states, weight) in words.iter().zip(weights) {
            for (states, mut row) in states.rows().into_iter().zip(of_words.rows_mut()) {
                row.scaled_add(weight, &softmax(linear.forward(&states.to_vec())));
            }
        }
        let errors = spans(&of_words, &bytes);
        let cost = errors
            .iter()
            .map(|span| SEVERITIES.iter().find(|(name, _)| *name == span.severity).map_or(0.0, |(_, cost)| *cost));
        let share = (MOST_COST - cost.sum::<f64>().min(MOST_COST)) / MOST_COST;
        let weights = if reference.is_some() { XCOMET } else { XCOMET_QE };
        let value = scores.into_iter().chain([share]).zip(weights).map(|(score, weight)| score * weight).sum();
        Score { value: encoder.finite(value), errors }
    }
}

/// Runs of tokens that are most probably errors, each as severe as its first; one that does not end before the text is none.
fn spans(of_words: &Array2<f64>, bytes: &[Range<usize>]) -> Vec<Span> {
    let (mut spans, mut open) = (Vec::new(), None);
    for (at, row) in of_words.rows().into_iter().enumerate() {
        let label = (0..row.len()).reduce(|best, other| if row[other] > row[best] { other } else { best }).unwrap_or(0);
        match (label, open) {
            (0, Some((start, severity))) => {
                let of = |token: usize| bytes.get(token).cloned().unwrap_or_default();
                spans.push(Span { bytes: of(start).start..of(at - 1).end, severity });
                open = None;
            }
            (label, None) if label > 0 => open = Some((at, SEVERITIES[label - 1].0)),
            _ => {}
        }
    }
    spans
}

/// The exponentials, divided by their sum.
fn softmax(values: Vec<f64>) -> Array1<f64> {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers = Array1::from(values).mapv(|value| (value - most).exp());
    &powers / powers.sum()
}

/// The point of the simplex that is nearest. Martins and Astudillo 2016, "From Softmax to Sparsemax", section 2.
fn sparsemax(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, other| other.total_cmp(one));
    let (mut sum, mut threshold) = (0.0, 0.0);
    for (count, value) in (1..).map(f64::from).zip(sorted) {
        sum += value;
        if 1.0 + count * value > sum {
            threshold = (sum - 1.0) / count;
        }
    }
    values.iter().map(|value| (value - threshold).max(0.0)).collect()
}

/// W x + b. The estimator of a large model has 22 million weights.
struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    fn forward(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.weight.rows().into_iter().zip(&self.bias);
        rows.map(|(row, &bias)| dot(row.to_slice().expect("rows are contiguous"), vector) + f64::from(bias)).collect()
    }
}

/// The sum of products, in eight parts that a processor adds side by side.
fn dot(weights: &[f32], values: &[f64]) -> f64 {
    let (weights, values) = (weights.as_chunks::<8>(), values.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (weights, values) in weights.0.iter().zip(values.0) {
        (0..8).for_each(|lane| sums[lane] += f64::from(weights[lane]) * values[lane]);
    }
    let rest = weights.1.iter().zip(values.1).map(|(&weight, value)| f64::from(weight) * value);
    sums.into_iter().sum::<f64>() + rest.sum::<f64>()
}

/// A function of a number.
type Activation = fn(f64) -> f64;

/// The activations, by the names that COMET finds: it makes `relu` of ReLU, which torch does not have.
const ACTIVATIONS: [(&str, Activation); 4] = [
    ("tanh", f64::tanh),
    ("sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
    ("softsign", |x| x / (1.0 + x.abs())),
    ("identity", |x| x),
];

/// A feed-forward network with one value.
struct Estimator {
    layers: Vec<Linear>,
    activation: Activation,
    last: Activation,
}

impl Estimator {
    fn value(&self, mut vector: Vec<f64>) -> f64 {
        for (number, layer) in self.layers.iter().enumerate() {
            let activation = if number + 1 == self.layers.len() { self.last } else { self.activation };
            vector = layer.forward(&vector).into_iter().map(activation).collect();
        }
        vector[0]
    }
}

/// What is read of a checkpoint.
struct Model<'m> {
    file: &'m Path,
    settings: &'m Settings,
    weights: &'m Weights,
}

impl Model<'_> {
    fn refused(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        let advice = "copy the folder again, or use another model";
        Error::invalid(self.file.display().to_string(), expected, found, advice)
    }

    /// A setting that is one of these names.
    fn one_of<T: Copy>(&self, name: &str, all: &[(&str, T)]) -> Result<T> {
        let found = self.settings.get(name).unwrap_or(&Value::Null);
        let is_named = |known: &str| found.as_str().is_some_and(|text| text.eq_ignore_ascii_case(known));
        all.iter().find(|(known, _)| is_named(known)).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
            let found = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
            self.refused(format!("a model with {name} among {}", names.join(", ")), quoted(&found))
        })
    }

    /// The same, or a default where the setting is missing.
    fn one_of_or<T: Copy>(&self, name: &str, all: &[(&str, T)], default: T) -> Result<T> {
        self.settings.get(name).map_or(Ok(default), |_| self.one_of(name, all))
    }

    /// A setting that is the number of a layer.
    fn whole(&self, name: &str, most: usize) -> Result<usize> {
        let value = self.settings.get(name).unwrap_or(&Value::Null);
        let known = value.as_u64().filter(|number| *number <= most as u64);
        known
            .map(|number| number as usize)
            .ok_or_else(|| self.refused(format!("a layer from 0 to {most} in {name}"), quoted(&value.to_string())))
    }

    fn tensor(&self, shape: &[usize], name: &str) -> Result<Vec<f32>> {
        let values = self.weights.get(shape, name).and_then(|tensor| tensor.flatten_all()?.to_vec1::<f32>());
        values.map_err(|error| self.refused("the finite weights of a COMET model", first_line(&error.to_string())))
    }

    fn number(&self, name: &str) -> Result<f64> {
        self.tensor(&[1], name).map(|values| values[0].into())
    }

    fn linear(&self, name: &str, [outputs, inputs]: [usize; 2]) -> Result<Linear> {
        let weight = self.tensor(&[outputs, inputs], &format!("{name}.weight"))?;
        let bias = self.tensor(&[outputs], &format!("{name}.bias"))?;
        let weight = Array2::from_shape_vec((outputs, inputs), weight).expect("the shape was checked");
        Ok(Linear { weight, bias: bias.into() })
    }

    /// The linear maps `estimator.ff.0`, `.3`, ...: between them are the activation and dropout.
    fn estimator(&self, inputs: usize) -> Result<Estimator> {
        let name = |number: usize| format!("estimator.ff.{}", 3 * number);
        let outputs =
            (0..).map_while(|number| self.weights.shape(&format!("{}.weight", name(number)))?.first().copied());
        let widths: Vec<usize> = [inputs].into_iter().chain(outputs).collect();
        let layers = widths.windows(2).enumerate().map(|(number, both)| self.linear(&name(number), [both[1], both[0]]));
        let layers: Vec<Linear> = layers.collect::<Result<_>>()?;
        if widths.len() < 2 || widths.last() != Some(&1) {
            return Err(self.refused("an estimator.ff with one value", format!("the widths {widths:?}")));
        }
        let activation = self.one_of_or("activations", &ACTIVATIONS, f64::tanh)?;
        let last = self.one_of_or("final_activation", &ACTIVATIONS, |x| x)?;
        Ok(Estimator { layers, activation, last })
    }

    /// The mix of layers that a setting names, `mix` or the number of one, and its name.
    fn mix(&self, name: &str, class: Class, layers: usize) -> Result<(Mix, String)> {
        let pooling = [("avg", Pooling::Avg), ("max", Pooling::Max), ("cls", Pooling::Cls)];
        let pooling = self.one_of_or("pool", &pooling, Pooling::Avg)?;
        if self.settings.get(name).is_some_and(|value| value != "mix") {
            let layer = self.whole(name, layers)?;
            return Ok((Mix { pooling, ..Mix::of_layer(layer, layers) }, format!("layer{layer}")));
        }
        let normalises = match self.settings.get("layer_norm") {
            None => class != Class::Xcomet,
            Some(Value::Bool(normalises)) => *normalises,
            Some(other) => return Err(self.refused("true or false in layer_norm", quoted(&other.to_string()))),
        };
        let transformations = [("softmax", false), ("sparsemax", true)];
        let is_sparse = self.one_of_or("layer_transformation", &transformations, !class.has_vectors())?;
        let gamma = self.number("layerwise_attention.gamma")?;
        let scalars = (0..=layers).map(|layer| self.number(&format!("layerwise_attention.scalar_parameters.{layer}")));
        let scalars: Vec<f64> = scalars.collect::<Result<_>>()?;
        let shares = if is_sparse { sparsemax(&scalars) } else { softmax(scalars).to_vec() };
        let weights = shares.into_iter().map(|share| gamma * share).collect();
        let name = if is_sparse { "sparsemax" } else { "softmax" };
        Ok((Mix { weights, normalises, pooling }, name.to_owned()))
    }

    /// The architecture of the encoder: as a `config.json` describes it, or else by the shapes of its tensors and the heads of
    /// published models.
    fn config(&self, path: &Path) -> Result<Config> {
        let shape = |name: &str| -> Result<&[usize]> {
            let name = format!("encoder.model.{name}.weight");
            let matrix = self.weights.shape(&name).filter(|shape| shape.len() == 2);
            matrix.ok_or_else(|| self.refused("a COMET model with XLM-RoBERTa", format!("no matrix {name}")))
        };
        let layer = |number: usize| format!("encoder.layer.{number}.output.dense");
        let layers = (0..).take_while(|&number| shape(&layer(number)).is_ok()).count();
        let is_xl = self.weights.shape("encoder.model.encoder.LayerNorm.weight").is_some();
        let architecture = if is_xl { "xlm-roberta-xl" } else { "xlm-roberta" };
        if path.is_file() {
            let text = fs::read_to_string(path).map_err(|error| Error::io(path, error, "read the encoder"))?;
            let config = Config::parse(&text, path)?;
            if config.architecture != architecture || config.layers != layers {
                let expected = format!("{architecture} of {layers} layers, as the model has");
                let found = format!("{} of {}", config.architecture, config.layers);
                let advice = "name with `comet_tokenizer` the folder of its encoder";
                return Err(Error::invalid(path.display().to_string(), expected, found, advice));
            }
            return Ok(config);
        }
        let (words, positions) = (shape("embeddings.word_embeddings")?, shape("embeddings.position_embeddings")?);
        let inner = shape("encoder.layer.0.intermediate.dense")?;
        let width = words.last().copied().unwrap_or(0);
        let heads = match width {
            768 => 12,
            1024 => 16,
            2560 | 4096 => 32,
            _ => {
                let expected =
                    format!("a width of published encoders, or a config.json beside the tokeniser, {}", path.display());
                return Err(self.refused(expected, format!("the width {width}")));
            }
        };
        let text = serde_json::json!({
            "model_type": architecture, "vocab_size": words[0], "hidden_size": width,
            "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": inner[0], "hidden_act": "gelu",
            "layer_norm_eps": 1e-5, "max_position_embeddings": positions[0], "pad_token_id": 1,
        });
        Config::parse(&text.to_string(), self.file)
    }
}
