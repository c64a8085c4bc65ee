//! Tensors in a file, each read when it is asked for: beside those in use, a file takes no memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use candle_core::{DType, Device, Result, Tensor, bail};
use rustc_hash::FxHashMap;
use safetensors::tensor::{Dtype, Metadata};
use sha2::{Digest, Sha256};

/// The most bytes of the head of a file, which lists its tensors.
const MAX_HEAD: u64 = 16 << 20;

/// The bytes that are read at once: few enough for a core's cache.
const CHUNK: usize = 1 << 18;

/// Where a tensor is.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub dtype: DType,
    pub shape: Vec<usize>,
    /// Its first byte in the file.
    pub start: u64,
}

impl Stored {
    /// Its bytes; `None` for more than there can be.
    pub fn bytes(&self) -> Option<u64> {
        let size = self.dtype.size_in_bytes() as u64;
        self.shape.iter().try_fold(size, |bytes, &length| bytes.checked_mul(length as u64))
    }
}

/// The tensors of a file.
#[derive(Debug)]
pub struct Weights {
    file: Mutex<File>,
    tensors: FxHashMap<String, Stored>,
}

impl Weights {
    /// These tensors of a file.
    ///
    /// # Errors
    /// One of them is not within the file; together they are larger than it.
    pub fn new(file: File, tensors: FxHashMap<String, Stored>) -> Result<Self> {
        let size = file.metadata()?.len();
        let is_outside = |stored: &Stored| {
            stored.bytes().and_then(|bytes| stored.start.checked_add(bytes)).is_none_or(|end| end > size)
        };
        if let Some((name, _)) = tensors.iter().find(|(_, stored)| is_outside(stored)) {
            bail!("a file that ends before the tensor {name}");
        }
        // So that a small file does not take any amount of memory.
        if tensors.values().filter_map(Stored::bytes).fold(0, u64::saturating_add) > size {
            bail!("tensors that share their numbers");
        }
        Ok(Self { file: Mutex::new(file), tensors })
    }

    /// The tensors of a file in the form safetensors, those with floating-point numbers.
    ///
    /// # Errors
    /// The file cannot be read, or is not in this form.
    pub fn of_safetensors(path: &Path) -> Result<Self> {
        let mut file = File::open(path)?;
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        if length > MAX_HEAD {
            bail!("a head of {length} bytes");
        }
        let mut head = vec![0; length as usize];
        file.read_exact(&mut head)?;
        let head: Metadata = serde_json::from_slice(&head).map_err(candle_core::Error::wrap)?;
        let stored = |(name, info): (String, &safetensors::tensor::TensorInfo)| {
            let dtype = match info.dtype {
                Dtype::F16 => DType::F16,
                Dtype::BF16 => DType::BF16,
                Dtype::F32 => DType::F32,
                Dtype::F64 => DType::F64,
                _ => return None,
            };
            let start = length + 8 + info.data_offsets.0 as u64;
            Some((name, Stored { dtype, shape: info.shape.clone(), start }))
        };
        Self::new(file, head.tensors().into_iter().filter_map(stored).collect())
    }

    /// The shape of a tensor, if there is one of this name.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(|stored| stored.shape.as_slice())
    }

    /// A tensor in single precision on the processor.
    ///
    /// # Errors
    /// It is missing, of another shape, cannot be read, or has values that are not finite.
    pub fn get(&self, shape: &[usize], name: &str) -> Result<Tensor> {
        let stored = self.stored(name)?;
        if stored.shape != shape {
            bail!("{name} of the shape {:?}, not {shape:?}", stored.shape);
        }
        Tensor::from_vec(self.read(stored, name)?, shape, &Device::Cpu)
    }

    /// Rows of a table, one after the other.
    ///
    /// # Errors
    /// As [`Self::get`]; there are no such rows.
    pub fn rows(&self, name: &str, rows: Range<usize>) -> Result<Vec<f32>> {
        match self.stored(name)? {
            Stored { dtype, shape, start } if shape.len() == 2 && rows.end <= shape[0] => {
                let start = start + (rows.start * shape[1] * dtype.size_in_bytes()) as u64;
                self.read(&Stored { dtype: *dtype, shape: vec![rows.len(), shape[1]], start }, name)
            }
            Stored { shape, .. } => bail!("{name} of the shape {shape:?}, without the rows {rows:?}"),
        }
    }

    /// Adds all bytes of the file to a digest.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn digest(&self, digest: &mut Sha256) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.rewind()?;
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(()),
                read => digest.update(&chunk[..read]),
            }
        }
    }

    fn stored(&self, name: &str) -> Result<&Stored> {
        self.tensors.get(name).ok_or_else(|| candle_core::Error::Msg(format!("no tensor {name}")))
    }

    fn read(&self, stored: &Stored, name: &str) -> Result<Vec<f32>> {
        let mut values = Vec::with_capacity(stored.shape.iter().product());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(stored.start))?;
        let mut rest = stored.bytes().unwrap_or_default() as usize;
        let mut chunk = vec![0; CHUNK.min(rest)];
        while rest > 0 {
            let bytes = &mut chunk[..CHUNK.min(rest)];
            file.read_exact(bytes)?;
            rest -= bytes.len();
            let shape = bytes.len() / stored.dtype.size_in_bytes();
            let part = Tensor::from_raw_buffer(bytes, stored.dtype, &[shape], &Device::Cpu)?;
            let part = part.to_dtype(DType::F32)?.to_vec1::<f32>()?;
            if !part.iter().fold(true, |all_finite, value| all_finite & value.is_finite()) {
                bail!("values in {name} that are not numbers");
            }
            values.extend(part);
        }
        Ok(values)
    }
}
