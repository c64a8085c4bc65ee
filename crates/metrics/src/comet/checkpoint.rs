//! COMET's checkpoints: the settings of a model, and where its tensors are.
//!
//! A checkpoint is a zip archive that Lightning writes with torch: a pickle of everything but the numbers of tensors, and an
//! uncompressed file for those of each. As safetensors, the same tensors have the same names.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use candle_core::DType;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};
use zip::{CompressionMethod, ZipArchive};

use super::FILES;
use super::pickle::{Object, Pickle};
use crate::encoder::first_line;
use crate::encoder::guarded::guarded;
use crate::encoder::weights::{Stored, Weights};
use crate::error::{Error, Result, truncated};

/// The most bytes of a pickle.
const MAX_PICKLE: u64 = 16 << 20;

/// The most bytes of written settings, which have less than 2 kB.
const MAX_SETTINGS: u64 = 1 << 14;

/// The most elements of a setting, and the most dimensions of a tensor.
const MAX_LIST: usize = 8;

/// The settings of a model, by their names.
#[derive(Debug, Clone, Default)]
pub struct Settings(pub Map<String, Value>);

/// The file of a model, its settings and its tensors.
pub struct Checkpoint {
    pub file: PathBuf,
    pub settings: Settings,
    pub weights: Weights,
}

impl Checkpoint {
    /// Opens a model's folder: `hparams.yaml`, and `checkpoints/model.ckpt` or `model.safetensors`.
    ///
    /// # Errors
    /// A file is missing or damaged, or has what no checkpoint needs.
    pub fn open(folder: &Path) -> Result<Self> {
        let written = folder.join("hparams.yaml");
        let confused = match (folder.is_file(), folder.join("tokenizer.json").is_file() && !written.exists()) {
            (true, _) => {
                Some(("a file", "name the folder above checkpoints/, whose file COMET's `download_model` returns"))
            }
            (_, true) => Some(("a tokeniser", "name the model with `comet`, and this folder with `comet_tokenizer`")),
            _ => None,
        };
        if let Some((found, advice)) = confused {
            let expected = "the folder of a COMET model, with hparams.yaml";
            return Err(Error::invalid(folder.display().to_string(), expected, found, advice));
        }
        let settings = Settings::read(&written)?;
        let refused = |file: &Path, expected: &str, found: &str| {
            let advice = "copy the folder again, as COMET's `download_model` leaves it";
            Err(Error::invalid(file.display().to_string(), expected, found, advice))
        };
        let file = match FILES.map(|name| folder.join(name)).into_iter().find(|file| file.is_file()) {
            Some(file) => file,
            None => return refused(folder, "checkpoints/model.ckpt or model.safetensors", "neither"),
        };
        let is_torch = file.extension().is_some_and(|ending| ending == "ckpt");
        let open = || match is_torch {
            true => open_torch(&file),
            false => {
                let read = Weights::of_safetensors(&file).map(|weights| (None, weights));
                read.map_err(|error| first_line(&error.to_string()))
            }
        };
        match guarded(open).unwrap_or_else(|| Err("a damaged one".to_owned())) {
            Ok((known, weights)) => Ok(Self { file, settings: settings.with(known), weights }),
            Err(found) => refused(&file, "the checkpoint of a COMET model", &found),
        }
    }
}

impl Settings {
    fn read(path: &Path) -> Result<Self> {
        let failed = |error| Error::io(path, error, "read the settings of a COMET model");
        if !fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(std::io::ErrorKind::InvalidInput.into()));
        }
        let (mut text, file) = (String::new(), File::open(path).map_err(failed)?);
        file.take(MAX_SETTINGS + 1).read_to_string(&mut text).map_err(failed)?;
        let broken = |found: String| {
            let expected = "the settings of a COMET model, in YAML";
            Error::invalid(path.display().to_string(), expected, found, "copy the folder again")
        };
        // An alias repeats what may have been long.
        let is_alias = |[before, sign, after]: [char; 3]| {
            " \n\t[{,".contains(before) && "&*".contains(sign) && !after.is_whitespace()
        };
        let chars = || text.chars();
        let has_alias = chars().zip(chars().skip(1)).zip(chars().skip(2)).any(|((a, b), c)| is_alias([a, b, c]));
        if text.len() as u64 > MAX_SETTINGS || has_alias {
            return Err(broken("a file with aliases, or of more than 16 kB".to_owned()));
        }
        serde_norway::from_str(text.trim_start_matches('\u{feff}')).map(Self).map_err(|error| broken(error.to_string()))
    }

    /// Those of a checkpoint count, where it has some, but for the class, and for a correction of published models: their
    /// sparsemax had been trained as softmax.
    fn with(mut self, known: Option<Map<String, Value>>) -> Self {
        let class = self.0.get("class_identifier").cloned();
        let is_corrected = self.0.get("layer_transformation").and_then(Value::as_str) == Some("sparsemax_patch");
        self.0 = known.unwrap_or(self.0);
        self.0.extend(class.map(|class| ("class_identifier".to_owned(), class)));
        if is_corrected {
            self.0.insert("layer_transformation".to_owned(), json!("softmax"));
        }
        self
    }

    /// A setting; `None` where it is missing or null.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }
}

/// The settings and the tensors of a checkpoint of torch.
fn open_torch(path: &Path) -> std::result::Result<(Option<Map<String, Value>>, Weights), String> {
    let told = |error: zip::result::ZipError| match error {
        zip::result::ZipError::InvalidArchive(_) => "an archive that is cut off or damaged, or no archive".to_owned(),
        other => other.to_string(),
    };
    let failed = |error: std::io::Error| error.to_string();
    let mut archive = ZipArchive::new(BufReader::new(File::open(path).map_err(failed)?)).map_err(told)?;
    let names: Vec<String> = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let name = names.iter().find(|name| name.ends_with("/data.pkl")).ok_or("an archive without data.pkl")?;
    let mut bytes = Vec::new();
    archive.by_name(name).map_err(told)?.take(MAX_PICKLE).read_to_end(&mut bytes).map_err(failed)?;
    let pickle = Pickle::parse(&bytes)?;
    let folder = name.trim_end_matches("data.pkl");
    let state = pickle.get(pickle.root(), "state_dict").ok_or("no state_dict")?;
    let (mut tensors, mut checked) = (FxHashMap::default(), FxHashSet::default());
    for (name, object) in pickle.entries(state) {
        let Some((key, offset, stored)) =
            tensor(&pickle, object).map_err(|found| truncated(&format!("{found} in {name}")))?
        else {
            continue;
        };
        let mut entry = archive.by_name(&format!("{folder}data/{key}")).map_err(told)?;
        let end = stored.bytes().and_then(|bytes| bytes.checked_add(offset));
        if entry.compression() != CompressionMethod::Stored || end.is_none_or(|end| end > entry.size()) {
            return Err(truncated(&format!("fewer numbers than {name} has")));
        }
        let start = entry.data_start().ok_or("an entry without a place")? + offset;
        // To the end, where the checksum is compared.
        if checked.insert(key) {
            io::copy(&mut entry, &mut io::sink()).map_err(failed)?;
        }
        tensors.insert(name.to_owned(), Stored { start, ..stored });
    }
    let settings = pickle.get(pickle.root(), "hyper_parameters").ok_or("no hyper_parameters")?;
    let settings = pickle.entries(settings).map(|(name, value)| (name.to_owned(), setting(&pickle, value)));
    let settings: Map<String, Value> = settings.collect();
    let weights = Weights::new(File::open(path).map_err(failed)?, tensors).map_err(|error| error.to_string())?;
    Ok((Some(settings), weights))
}

/// What the call of torch's `_rebuild_tensor_v2` says: the name of the numbers, the first byte of them, type and shape. `None` for
/// what is no tensor of floating-point numbers.
fn tensor(pickle: &Pickle, object: &Object) -> std::result::Result<Option<(String, u64, Stored)>, String> {
    let Object::Call(function, arguments) = object else { return Ok(None) };
    if *pickle.at(*function) != Object::Name("torch._utils._rebuild_tensor_v2".to_owned()) {
        return Ok(None);
    }
    let arguments = pickle.elements(pickle.at(*arguments));
    let [Object::Outside(storage), offset, size, stride, ..] = arguments[..] else {
        return Err("an unknown kind of tensor".to_owned());
    };
    let storage = pickle.elements(pickle.at(*storage));
    let [_, Object::Name(kind), Object::Text(key), ..] = storage[..] else {
        return Err("an unknown kind of storage".to_owned());
    };
    let dtype = match kind.as_str() {
        "torch.FloatStorage" => DType::F32,
        "torch.HalfStorage" => DType::F16,
        "torch.BFloat16Storage" => DType::BF16,
        "torch.DoubleStorage" => DType::F64,
        _ => return Ok(None),
    };
    let whole = |object: &Object| match object {
        Object::Int(number) => usize::try_from(*number).map_err(|_| format!("the length {number}")),
        _ => Err("a length that is no number".to_owned()),
    };
    let all = |object: &Object| -> std::result::Result<Vec<usize>, String> {
        match object {
            Object::List(all) if all.len() <= MAX_LIST => all.iter().map(|&at| whole(pickle.at(at))).collect(),
            _ => Err("a shape of too many dimensions".to_owned()),
        }
    };
    let (shape, stride, offset) = (all(size)?, all(stride)?, whole(offset)?);
    let mut expected = 1_usize;
    for (length, step) in shape.iter().zip(&stride).rev() {
        if *length > 1 && *step != expected {
            return Err("numbers that are not one after the other".to_owned());
        }
        expected = expected.saturating_mul(*length);
    }
    let start = (offset as u64).checked_mul(dtype.size_in_bytes() as u64).ok_or("a huge offset")?;
    Ok(Some((key.clone(), start, Stored { dtype, shape, start: 0 })))
}

fn setting(pickle: &Pickle, object: &Object) -> Value {
    match object {
        Object::Bool(value) => json!(value),
        Object::Int(value) => json!(value),
        Object::Float(value) => json!(value),
        Object::Text(value) => json!(value),
        Object::List(all) if all.len() <= MAX_LIST => {
            let text = |&at: &usize| if let Object::Text(text) = pickle.at(at) { json!(text) } else { Value::Null };
            all.iter().map(text).collect()
        }
        _ => Value::Null,
    }
}
