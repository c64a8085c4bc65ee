//! An encoder in a folder, whose files are checked when it is opened.

mod encoding;

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candle_core::Device;
use ndarray::Array2;
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokenizers::models::ModelWrapper;
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use super::config::Config;
use super::guarded::guarded;
use super::kept::{Kept, Key, MAX_BYTES, key};
use super::mix::Mix;
use super::network::Network;
use super::store::Stores;
use super::weights::Weights;
use super::{DEFAULT, Description, Encoded, FILES};
use crate::error::{Error, Result, json_fault, pluralized};

/// Vocabularies are often rounded up, but not by more than this.
const ROUNDED: usize = 1024;

/// A letter of Gothic, which hardly any vocabulary has.
const UNKNOWN: &str = "\u{10348}";

/// The encoder that the built-in model was trained with: its digest, name and licence.
const KNOWN: [&str; 3] = ["f87f8e69dcc5e5647b14d01a115f888e7f4b87281f636ada50fa5cac065b42a2", DEFAULT, "Apache-2.0"];

/// An encoder. Cheap to clone and usable from several threads: clones share its weights and what was encoded last.
///
/// ```no_run
/// use tribunal_text_metrics::encoder::Encoder;
///
/// let encoder = Encoder::open("all-MiniLM-L6-v2".as_ref())?;
/// let layers = encoder.description().layers;
/// assert_eq!(encoder.encode("The cat sat.", layers).states.ncols(), 384);
/// # Ok::<(), tribunal_text_metrics::Error>(())
/// ```
#[derive(Clone)]
pub struct Encoder(Arc<Opened>);

struct Opened {
    description: Description,
    tokenizer: Tokenizer,
    network: Network,
    /// The number of tokens that have a vector.
    vocabulary: usize,
    padding: u32,
    /// The mix of layers whose pooled states are the mean in the place of that of the last layer: a text has no other states.
    mix: Option<Mix>,
    /// Whether BERTScore sees each text after a space: bert-score does so for RoBERTa.
    after_space: bool,
    /// The most tokens that the mean is taken of, as sentence-transformers does.
    max_tokens_of_mean: usize,
    kept: Mutex<Kept>,
    /// Hidden states on disk.
    stores: Mutex<Stores>,
    /// The texts that are longer than it can see.
    truncated: Mutex<FxHashSet<Key>>,
    /// The number of texts that the tokeniser fails on.
    unsplit: AtomicUsize,
    /// The number of sequences of tokens whose states are not numbers.
    overflowing: AtomicUsize,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Encoder").field(&self.0.description).finish()
    }
}

impl PartialEq for Encoder {
    fn eq(&self, other: &Self) -> bool {
        self.0.description.digest == other.0.description.digest
    }
}

impl Encoder {
    /// Opens the encoder in a folder.
    ///
    /// # Errors
    /// A file is missing or damaged; the architecture is not a known one; tokeniser and weights do not belong together;
    /// a weight is not a number.
    pub fn open(folder: &Path) -> Result<Self> {
        let [config, tokenizer, weights] = FILES.map(|name| folder.join(name));
        check_files(folder)?;
        let text = |path: &Path| fs::read_to_string(path).map_err(|error| Error::io(path, error, "read the encoder"));
        let (config_text, tokenizer_text) = (text(&config)?, text(&tokenizer)?);
        let config = Config::parse(&config_text, &config)?;
        let max_tokens = max_tokens(folder, "tokenizer_config.json", "model_max_length", config.max_tokens())?;
        let max_tokens_of_mean = max_tokens_of_mean(folder, max_tokens)?;
        let stored = guarded(|| Weights::of_safetensors(&weights).map_err(|error| error.to_string()));
        let stored = stored.unwrap_or_else(|| Err("damaged ones".to_owned()));
        let stored = stored.map_err(|found| broken_weights(&config.architecture, &weights, &found))?;
        let parts = Parts {
            name: name_of(folder),
            licence: licence(folder),
            weights: (&weights, stored),
            tokenizer: (&tokenizer, &tokenizer_text),
            max_tokens,
            max_tokens_of_mean,
            mix: None,
            of_model: None,
        };
        Self::of_parts(config, parts)
    }

    /// An encoder whose files are open.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(crate) fn of_parts(config: Config, parts: Parts<'_>) -> Result<Self> {
        let Parts { max_tokens, max_tokens_of_mean, tokenizer: (path, text), weights: (file, weights), mix, .. } =
            parts;
        let tokenizer = guarded(|| open_tokenizer(text, path, &config, max_tokens))
            .unwrap_or_else(|| Err(broken_tokenizer(path, "a damaged one")))?;
        let settings =
            Settings { config: &config, max_tokens, max_tokens_of_mean, mix: mix.as_ref(), of_model: parts.of_model };
        let weights = Arc::new(weights);
        let read = || {
            let digest = digest(&weights, &[text.as_bytes(), &settings.to_json()])?;
            Ok((Network::read(&weights, &config, &device())?, digest))
        };
        let read = guarded(read).unwrap_or_else(|| Err(candle_core::Error::msg("damaged ones")));
        let (network, digest) = read.map_err(|found| broken_weights(&config.architecture, file, &found.to_string()))?;
        let is_known = digest == KNOWN[0];
        let description = Description {
            name: if is_known { KNOWN[1].to_owned() } else { parts.name },
            licence: if is_known { Some(KNOWN[2].to_owned()) } else { parts.licence },
            digest,
            layers: config.layers,
            width: config.width,
            max_tokens,
            parameters: network.parameters(),
            architecture: config.architecture,
        };
        Ok(Self(Arc::new(Opened {
            after_space: description.architecture == "roberta" && mix.is_none(),
            description,
            tokenizer,
            network,
            vocabulary: config.vocabulary,
            padding: config.padding,
            max_tokens_of_mean,
            mix,
            kept: Mutex::default(),
            stores: Mutex::default(),
            truncated: Mutex::default(),
            unsplit: AtomicUsize::new(0),
            overflowing: AtomicUsize::new(0),
        })))
    }

    /// As [`Opened::tokens`].
    pub(crate) fn tokens(&self, text: &str) -> (Vec<u32>, Vec<Range<usize>>) {
        self.0.tokens(text)
    }

    /// As [`Opened::mixed`].
    pub(crate) fn mixed(&self, texts: &[&[u32]], mixes: &[&Mix]) -> Vec<Vec<Array2<f64>>> {
        self.0.mixed(texts, mixes)
    }

    /// A score; one that is no number is counted, and is 0.
    pub(crate) fn finite(&self, score: f64) -> f64 {
        self.0.overflowing.fetch_add(usize::from(!score.is_finite()), Ordering::Relaxed);
        if score.is_finite() { score } else { 0.0 }
    }

    /// Counts a text of which only the beginning is seen.
    pub(crate) fn count_truncated(&self, text: &str) {
        locked(&self.0.truncated).insert(key(text, 0));
    }

    /// The token that fills short texts up.
    pub(crate) fn padding(&self) -> u32 {
        self.0.padding
    }

    /// The same encoder, which keeps the hidden states of all texts in a folder, and takes them from there in another run.
    /// They take some 40 kB for each text.
    pub fn with_cache(self, folder: &Path) -> Self {
        let Description { digest, width, .. } = self.description();
        *locked(&self.0.stores) = Stores::new(folder, digest, *width);
        self
    }

    /// What reports say of it.
    pub fn description(&self) -> &Description {
        &self.0.description
    }

    /// What the user should know of the texts since the last call: how many were longer than it can see, and why hidden
    /// states could not be kept on disk or taken from there.
    pub fn take_warnings(&self) -> Vec<String> {
        let (count, most) = (std::mem::take(&mut *locked(&self.0.truncated)).len(), self.0.description.max_tokens);
        let verb = if count == 1 { "has" } else { "have" };
        let text = pluralized(count, "text");
        let truncated = format!("{text} {verb} more than {most} tokens; the encoder saw only the beginning");
        let unsplit = self.0.unsplit.swap(0, Ordering::Relaxed);
        let damaged = format!("the encoder's tokeniser fails on {}; they count as empty", pluralized(unsplit, "text"));
        let broken = self.0.overflowing.swap(0, Ordering::Relaxed);
        let overflowing =
            format!("the encoder gives {} values that are not numbers; they count as 0", pluralized(broken, "text"));
        let mut stores = locked(&self.0.stores);
        let fault = stores.take_fault().map(|fault| format!("hidden states are not kept: {fault}"));
        let lost = stores.take_damage().map(|place| format!("{place} is damaged; what it lost was encoded again"));
        let told = [
            (count > 0).then_some(truncated),
            (unsplit > 0).then_some(damaged),
            (broken > 0).then_some(overflowing),
            fault,
            lost,
        ];
        told.into_iter().flatten().collect()
    }

    /// The most bytes of texts that are kept together, at a guess: few tokens are shorter than two bytes.
    pub fn bytes_at_once(&self) -> usize {
        2 * MAX_BYTES / (size_of::<f32>() * self.0.description.width)
    }

    /// Encodes texts in batches, on all cores, and keeps them for [`Self::encode`]; those that are kept already are not
    /// encoded again.
    pub fn encode_all(&self, texts: &[&str], layer: usize) {
        let mut new: Vec<&str> = texts.to_vec();
        new.sort_unstable();
        new.dedup();
        {
            let mut kept = locked(&self.0.kept);
            new.retain(|text| kept.get(key(text, layer)).is_none());
        }
        let encoded = self.0.encoded(&new, layer);
        let mut kept = locked(&self.0.kept);
        new.iter().zip(encoded).for_each(|(text, encoded)| kept.insert(key(text, layer), Arc::new(encoded)));
    }

    /// Encodes a text, unless it is kept.
    ///
    /// # Panics
    /// The graphics processor fails; on other devices, never: the shapes of all tensors were checked.
    pub fn encode(&self, text: &str, layer: usize) -> Arc<Encoded> {
        let key = key(text, layer);
        if let Some(known) = locked(&self.0.kept).get(key) {
            return known;
        }
        let encoded: Arc<Encoded> = self.0.encoded(&[text], layer).pop().expect("one for each text").into();
        locked(&self.0.kept).insert(key, Arc::clone(&encoded));
        encoded
    }
}

/// What an encoder is made of.
pub(crate) struct Parts<'p> {
    pub name: String,
    pub licence: Option<String>,
    /// The file of weights, and they.
    pub weights: (&'p Path, Weights),
    /// The file of the tokeniser, and its text.
    pub tokenizer: (&'p Path, &'p str),
    pub max_tokens: usize,
    pub max_tokens_of_mean: usize,
    pub mix: Option<Mix>,
    /// The settings of the model that the encoder is part of.
    pub of_model: Option<&'p Map<String, Value>>,
}

fn broken_weights(architecture: &str, file: &Path, found: &str) -> Error {
    let expected = format!("the finite weights of a {architecture} as config.json describes it");
    let advice = "copy the folder again, with all files of one model";
    Error::invalid(file.display().to_string(), expected, first_line(found), advice)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A graphics processor where the program was built for one and the machine has it, or else the processor.
fn device() -> Device {
    #[cfg(feature = "cuda")]
    if let Ok(device) = Device::new_cuda(0) {
        return device;
    }
    #[cfg(feature = "metal")]
    if let Ok(device) = Device::new_metal(0) {
        return device;
    }
    // Cores work on batches of their own, which takes less time in all than to share each product of matrices.
    gemm::set_threading_threshold(usize::MAX);
    Device::Cpu
}

/// Checks that all files are there.
fn check_files(folder: &Path) -> Result<()> {
    let refused = |expected: &str, found: &str, advice: &str| {
        Err(Error::invalid(folder.display().to_string(), expected, found, advice))
    };
    if !folder.is_dir() {
        let found = if folder.exists() { "a file" } else { "no folder of that name" };
        return refused("the folder of an encoder", found, "'tribunal encoder' says how to get one");
    }
    let has = |name: &str| folder.join(name).is_file();
    let Some(missing) = FILES.iter().find(|name| !has(name)) else { return Ok(()) };
    let expected = format!("the file {missing}");
    if *missing == FILES[2] && has("model.safetensors.index.json") {
        return refused(&expected, "weights in several files", "use an encoder with one file of weights");
    }
    if *missing == FILES[2] && has("pytorch_model.bin") {
        let advice = "download the version in safetensors, or convert it with Python: \
                      AutoModel.from_pretrained(FOLDER).save_pretrained(FOLDER)";
        return refused(&expected, "pytorch_model.bin alone, which can run programs when it is opened", advice);
    }
    let found = match fs::metadata(folder.join(missing)) {
        Err(_) => "no such file",
        Ok(found) if found.is_dir() => "a folder of that name",
        Ok(_) => "a pipe or device of that name, which cannot be read twice",
    };
    refused(&expected, found, "'tribunal encoder' says how to get a folder with all files")
}

/// A limit of tokens in a file of settings, at most `most`; that is the limit where there is no such file.
///
/// # Errors
/// The file cannot be read, or is no JSON.
fn max_tokens(folder: &Path, file: &str, name: &str, most: usize) -> Result<usize> {
    let path = folder.join(file);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(most),
        Err(error) => return Err(Error::io(&path, error, "read the encoder")),
    };
    let settings: serde_json::Value = serde_json::from_str(&text).map_err(|error| {
        let place = path.display().to_string();
        Error::invalid(place, "settings of an encoder, in JSON", json_fault(&error), "copy the folder again")
    })?;
    // Without a limit, the number is a huge one, which is no integer.
    let limit = settings[name].as_u64().map_or(most, |limit| usize::try_from(limit).unwrap_or(most));
    Ok(if limit < 3 { most } else { limit.min(most) })
}

/// What hidden states depend on beside weights and tokeniser: part of the digest.
#[derive(Serialize)]
struct Settings<'s> {
    config: &'s Config,
    max_tokens: usize,
    max_tokens_of_mean: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    mix: Option<&'s Mix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_model: Option<&'s Map<String, Value>>,
}

impl Settings<'_> {
    fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("numbers and texts, all finite")
    }
}

/// The most tokens that sentence-transformers reads.
fn max_tokens_of_mean(folder: &Path, most: usize) -> Result<usize> {
    max_tokens(folder, "sentence_bert_config.json", "max_seq_length", most)
}

/// Opens a tokeniser and checks that it belongs to the configuration.
fn open_tokenizer(text: &str, path: &Path, config: &Config, max_tokens: usize) -> Result<Tokenizer> {
    let broken = |found: &str| broken_tokenizer(path, found);
    let of_another_model = |expected: String, found: String| {
        let advice = "copy config.json and tokenizer.json of one model";
        Err(Error::invalid(path.display().to_string(), expected, found, advice))
    };
    serde_json::from_str::<serde::de::IgnoredAny>(text).map_err(|error| broken(&json_fault(&error)))?;
    let mut tokenizer: Tokenizer = text.parse().map_err(|error: tokenizers::Error| broken(&error.to_string()))?;
    let size = tokenizer.get_vocab(true).into_values().max().map_or(0, |last| last as usize + 1);
    if size > config.vocabulary || config.vocabulary - size > ROUNDED {
        return of_another_model(format!("the {} tokens of config.json", config.vocabulary), format!("{size} tokens"));
    }
    let padding = ["[PAD]", "<pad>"].iter().find_map(|token| tokenizer.token_to_id(token));
    if let Some(padding) = padding.filter(|&padding| padding != config.padding) {
        let expected = format!("the padding token {} of config.json", config.padding);
        return of_another_model(expected, format!("token {padding}"));
    }
    if matches!(tokenizer.get_model(), ModelWrapper::BPE(model) if model.dropout.is_some_and(|share| share > 0.0)) {
        return Err(broken("one with dropout, which splits a text differently each time"));
    }
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(|error| broken(&error.to_string()))?;
    for text in ["", "a", UNKNOWN] {
        split(&tokenizer, text, config.vocabulary, max_tokens).map_err(|found| broken(&found))?;
    }
    Ok(tokenizer)
}

pub(crate) fn broken_tokenizer(path: &Path, found: &str) -> Error {
    let expected = "a tokeniser of Hugging Face that splits every text";
    Error::invalid(path.display().to_string(), expected, first_line(found), "copy the folder again")
}

/// The tokens of a text, or what is wrong with them: a damaged tokeniser may fail on a text, and give tokens that the
/// encoder does not have, or more than it sees.
fn split(
    tokenizer: &Tokenizer,
    text: &str,
    vocabulary: usize,
    max_tokens: usize,
) -> std::result::Result<Encoding, String> {
    let encoding = guarded(|| tokenizer.encode(text, true).map_err(|error| error.to_string()));
    let encoding = encoding.unwrap_or_else(|| Err("one that fails on a text".to_owned()))?;
    match encoding.get_ids().iter().find(|&&token| token as usize >= vocabulary) {
        Some(token) => Err(format!("token {token}, for which there is no vector")),
        None if encoding.len() > max_tokens => Err(format!("{} tokens of a short text", encoding.len())),
        None => Ok(encoding),
    }
}

pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// SHA-256 of a file of weights and other parts, in hexadecimal.
fn digest(weights: &Weights, parts: &[&[u8]]) -> candle_core::Result<String> {
    let mut digest = Sha256::new();
    weights.digest(&mut digest)?;
    parts.iter().for_each(|part| digest.update(part));
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The name of a folder; in Hugging Face's cache, `models--NAME/snapshots/REVISION`, that of the model.
pub(crate) fn name_of(folder: &Path) -> String {
    let folder = folder.canonicalize().unwrap_or_else(|_| PathBuf::from(folder));
    let names = folder.components().rev().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let names: Vec<String> = names.collect();
    let in_cache = names.get(2).and_then(|name| name.strip_prefix("models--")).map(|name| name.replace("--", "/"));
    in_cache.unwrap_or_else(|| names.first().cloned().unwrap_or_default())
}

/// The licence that the folder's `README.md` states in its head.
fn licence(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("README.md")).ok()?;
    let head = text.strip_prefix("---")?.split("\n---").next()?;
    let line = head.lines().find_map(|line| line.strip_prefix("license:"))?;
    Some(line.trim().to_owned())
}
