//! Hidden states on disk, for texts that are encoded again in another run.
//!
//! A file holds the states of one layer of one encoder: a line of text that says so, then a record for each text, with
//! its key (16 bytes), its number of tokens (4 bytes), the checksum of its numbers (8 bytes), that of these 28 bytes (8
//! bytes), and its numbers (4 bytes each): the mean of its last states and its states, all little-endian.
//!
//! A record that was cut off is overwritten, and so is everything from a damaged head on, as nothing tells where the
//! next record begins. Damaged numbers are not used: the text is encoded again, and its new record follows the others.

use std::collections::hash_map::Entry;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ndarray::{Array1, Array2};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::kept::Key;
use crate::error::{Error, Result};

/// The bytes of a record before its numbers.
const HEAD: usize = CHECKED + size_of::<u64>();

/// The bytes of a head that its own checksum covers.
const CHECKED: usize = size_of::<Key>() + size_of::<u32>() + size_of::<u64>();

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

    /// The files that had damaged records. They are told once.
    pub fn take_damage(&mut self) -> Option<String> {
        let place = |store: &mut Store| std::mem::take(&mut store.is_damaged).then(|| store.path.display().to_string());
        let mut places: Vec<String> = self.open.values_mut().filter_map(place).collect();
        places.sort();
        (!places.is_empty()).then(|| places.join(", "))
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

/// Where a text's numbers are in the file.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u64,
    tokens: usize,
    checksum: u64,
}

/// The records of a file.
#[derive(Debug)]
struct Records {
    places: FxHashMap<Key, Place>,
    /// Where the next record goes.
    end: u64,
    is_damaged: bool,
}

/// A file of hidden states.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    width: usize,
    places: FxHashMap<Key, Place>,
    end: u64,
    /// Whether a record is damaged that was read since this was asked last.
    is_damaged: bool,
}

impl Store {
    /// Opens, or creates, the file in a folder for a layer of the encoder with this digest.
    ///
    /// # Errors
    /// The folder cannot be created, or the file cannot be read and written, or is another file.
    pub fn open(folder: &Path, digest: &str, layer: usize, width: usize) -> Result<Self> {
        let path = folder.join(format!("{}-{layer}.states", digest.get(..16).unwrap_or(digest)));
        let head = format!("tribunal-states 2 {digest} layer {layer} width {width}\n");
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
        let Records { places, end, is_damaged } = records(&file, head.len() as u64, size, width).map_err(failed)?;
        Ok(Self { path, file, width, places, end, is_damaged })
    }

    /// The states of a text, if the file has them undamaged.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn get(&mut self, key: Key) -> Result<Option<States>> {
        let Some(&Place { start, tokens, checksum }) = self.places.get(&key) else { return Ok(None) };
        let mut bytes = vec![0; (tokens + 1) * self.width * size_of::<f32>()];
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| Error::io(&self.path, error, "read hidden states"))?;
        if xxh3_64(&bytes) != checksum {
            self.is_damaged = true;
            return Ok(None);
        }
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
            let numbers: Vec<u8> = mean.iter().chain(states).flat_map(|number| number.to_le_bytes()).collect();
            let (tokens, checksum) = (states.nrows(), xxh3_64(&numbers));
            bytes.extend(head(key, tokens as u32, checksum));
            added.push((key, Place { start: self.end + bytes.len() as u64, tokens, checksum }));
            bytes.extend(numbers);
        }
        let written = self.file.seek(SeekFrom::Start(self.end)).and_then(|_| self.file.write_all(&bytes));
        written.map_err(|error| Error::io(&self.path, error, "write hidden states"))?;
        self.end += bytes.len() as u64;
        self.places.extend(added);
        Ok(())
    }
}

/// The head of a record, with its checksum.
fn head(key: Key, tokens: u32, checksum: u64) -> Vec<u8> {
    let mut head = key.to_le_bytes().to_vec();
    head.extend(tokens.to_le_bytes());
    head.extend(checksum.to_le_bytes());
    head.extend(xxh3_64(&head).to_le_bytes());
    head
}

/// The records up to the first one that is cut off or has a damaged head.
fn records(file: &File, start: u64, size: u64, width: usize) -> io::Result<Records> {
    let mut records = Records { places: FxHashMap::default(), end: start, is_damaged: false };
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(start))?;
    let mut bytes = [0; HEAD];
    while records.end + (HEAD as u64) <= size {
        reader.read_exact(&mut bytes)?;
        let (key, rest) = bytes.split_first_chunk().expect("a head is longer");
        let (tokens, rest) = rest.split_first_chunk().expect("a head is longer");
        let (checksum, _) = rest.split_first_chunk().expect("a head is longer");
        let (key, tokens) = (Key::from_le_bytes(*key), u32::from_le_bytes(*tokens));
        let checksum = u64::from_le_bytes(*checksum);
        if bytes[..] != head(key, tokens, checksum) {
            records.is_damaged = true;
            break;
        }
        let tokens = tokens as usize;
        let numbers = ((tokens + 1) * width * size_of::<f32>()) as u64;
        let start = records.end + HEAD as u64;
        if start + numbers > size {
            break;
        }
        reader.seek_relative(numbers as i64)?;
        records.places.insert(key, Place { start, tokens, checksum });
        records.end = start + numbers;
    }
    Ok(records)
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
        assert_eq!(open().get(9).unwrap(), Some((states.clone(), mean.clone())));
        let mut bytes = fs::read(&path).unwrap();
        let numbers = bytes.len() - 1;
        bytes[numbers] ^= 0x40;
        fs::write(&path, &bytes).unwrap();
        let mut store = open();
        assert_eq!((store.get(9).unwrap(), store.is_damaged), (None, true));
        store.add([(9, &states, &mean)].into_iter()).unwrap();
        assert_eq!(open().get(9).unwrap(), Some((states.clone(), mean.clone())));
        // The head of the first record: those after it are lost, too, and the next one is written in its place.
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        bytes[first + size_of::<Key>()] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let mut store = open();
        assert!(store.is_damaged && store.places.is_empty());
        store.add([(10, &states, &mean)].into_iter()).unwrap();
        assert_eq!(open().get(10).unwrap(), Some((states, mean)));
        fs::write(&path, "something else").unwrap();
        let message = Store::open(folder.path(), &"ab".repeat(32), 3, 2).unwrap_err().to_string();
        assert!(message.contains("another file; remove it"), "{message}");
    }
}
