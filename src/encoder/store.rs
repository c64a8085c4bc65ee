//! Hidden states on disk, for texts that are encoded again in another run.
//!
//! A file holds the states of one layer of one encoder: a line of text that says so, then a record for each text, with
//! its key (16 bytes), its number of tokens (4 bytes), the mean of its last states and its states, as numbers of 4 bytes,
//! all little-endian. A record that was cut off is overwritten.

use std::collections::hash_map::Entry;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use rustc_hash::FxHashMap;

use super::kept::Key;
use crate::error::{Error, Result};

/// The bytes of a record before its numbers.
const HEAD: usize = size_of::<Key>() + size_of::<u32>();

/// The states of a text, and the mean of its last states.
pub type States = (Array2<f32>, Array1<f32>);

/// The files of an encoder, one for each layer that is asked for; none without a folder.
#[derive(Debug, Default)]
pub struct Stores {
    folder: Option<PathBuf>,
    digest: String,
    width: usize,
    open: FxHashMap<usize, Store>,
    /// Why no more states are kept.
    fault: Option<String>,
}

impl Stores {
    /// The files of the encoder with this digest and width, in a folder.
    pub fn new(folder: &Path, digest: &str, width: usize) -> Self {
        Self { folder: Some(folder.to_owned()), digest: digest.to_owned(), width, ..Self::default() }
    }

    /// Why no more states are kept: a file cannot be read or written. It is told once.
    pub fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// Works with the file of a layer. After an error there is none, as texts can be encoded without.
    pub fn with<T>(&mut self, layer: usize, work: impl FnOnce(&mut Store) -> Result<T>) -> Option<T> {
        let folder = self.folder.as_deref()?;
        let opened = match self.open.entry(layer) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => Store::open(folder, &self.digest, layer, self.width).map(|store| free.insert(store)),
        };
        let done = opened.and_then(work);
        if let Err(error) = &done {
            (self.folder, self.fault) = (None, Some(error.to_string()));
        }
        done.ok()
    }
}

/// Where each text's numbers begin, and its number of tokens.
type Places = FxHashMap<Key, (u64, usize)>;

/// A file of hidden states.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    width: usize,
    places: Places,
    end: u64,
}

impl Store {
    /// Opens, or creates, the file in a folder for a layer of the encoder with this digest.
    ///
    /// # Errors
    /// The folder cannot be created, or the file cannot be read and written, or is another file.
    pub fn open(folder: &Path, digest: &str, layer: usize, width: usize) -> Result<Self> {
        let path = folder.join(format!("{}-{layer}.states", digest.get(..16).unwrap_or(digest)));
        let head = format!("tribunal-states 1 {digest} layer {layer} width {width}\n");
        let failed = |error| Error::io(&path, error, "keep hidden states in the file");
        fs::create_dir_all(folder).map_err(failed)?;
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        if size == 0 {
            file.write_all(head.as_bytes()).map_err(failed)?;
        }
        file.rewind().map_err(failed)?;
        let mut found = vec![0; head.len()];
        let is_ours = file.read_exact(&mut found).is_ok() && found == head.as_bytes();
        if !is_ours {
            let place = path.display().to_string();
            return Err(Error::invalid(place, "hidden states of this encoder", "another file", "remove it"));
        }
        let (places, end) = places(&file, head.len() as u64, size, width).map_err(failed)?;
        Ok(Self { path, file, width, places, end })
    }

    /// The states of a text, if the file has them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn get(&mut self, key: Key) -> Result<Option<States>> {
        let Some(&(start, tokens)) = self.places.get(&key) else { return Ok(None) };
        let mut bytes = vec![0; (tokens + 1) * self.width * size_of::<f32>()];
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| Error::io(&self.path, error, "read hidden states"))?;
        let numbers: Vec<f32> = bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect();
        let (mean, states) = numbers.split_at(self.width);
        let states = Array2::from_shape_vec((tokens, self.width), states.to_vec()).expect("a row for each token");
        Ok(Some((states, Array1::from(mean.to_vec()))))
    }

    /// Adds the states of texts.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add<'s>(&mut self, all: impl Iterator<Item = (Key, &'s Array2<f32>, &'s Array1<f32>)>) -> Result<()> {
        let mut bytes = Vec::new();
        let mut added = Vec::new();
        for (key, states, mean) in all {
            bytes.extend(key.to_le_bytes());
            bytes.extend((states.nrows() as u32).to_le_bytes());
            added.push((key, (self.end + bytes.len() as u64, states.nrows())));
            mean.iter().chain(states).for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&bytes));
        written.map_err(|error| Error::io(&self.path, error, "write hidden states"))?;
        self.end += bytes.len() as u64;
        self.places.extend(added);
        Ok(())
    }
}

/// Where the numbers of each text begin, and where the last complete record ends.
fn places(file: &File, start: u64, size: u64, width: usize) -> io::Result<(Places, u64)> {
    let (mut places, mut at) = (FxHashMap::default(), start);
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(start))?;
    let mut head = [0; HEAD];
    while at + (HEAD as u64) <= size {
        reader.read_exact(&mut head)?;
        let (key, tokens) = head.split_at(size_of::<Key>());
        let key = Key::from_le_bytes(key.try_into().expect("its length"));
        let tokens = u32::from_le_bytes(tokens.try_into().expect("its length")) as usize;
        let numbers = ((tokens + 1) * width * size_of::<f32>()) as u64;
        let begin = at + HEAD as u64;
        if begin + numbers > size {
            break;
        }
        reader.seek_relative(numbers as i64)?;
        places.insert(key, (begin, tokens));
        at = begin + numbers;
    }
    Ok((places, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_and_a_cut_record_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path(), &"ab".repeat(32), 3, 2).unwrap();
        let states = Array2::from_shape_fn((3, 2), |(row, column)| row as f32 - 0.1 * column as f32);
        let mean = Array1::from(vec![0.5, -2.5]);
        let mut store = open();
        store.add([(7, &states, &mean), (8, &states, &mean)].into_iter()).unwrap();
        drop(store);
        let path = folder.path().join("abababababababab-3.states");
        let size = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(size - 1).unwrap();
        let mut store = open();
        assert_eq!(store.get(7).unwrap(), Some((states.clone(), mean.clone())));
        assert_eq!(store.get(8).unwrap(), None);
        store.add([(9, &states, &mean)].into_iter()).unwrap();
        assert_eq!(open().get(9).unwrap(), Some((states, mean)));
        fs::write(&path, "something else").unwrap();
        let message = Store::open(folder.path(), &"ab".repeat(32), 3, 2).unwrap_err().to_string();
        assert!(message.contains("another file; remove it"), "{message}");
    }
}
