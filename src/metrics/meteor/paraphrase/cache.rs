//! The table as it is kept on disk, so that it is parsed once.
//!
//! Numbers are little-endian.
//!
//! | bytes  | what                                                                            |
//! |--------|---------------------------------------------------------------------------------|
//! | 0..8   | `tribpar\n`                                                                     |
//! | 8..12  | version of this format                                                          |
//! | 12..20 | XXH3 checksum (64 bits) of all bytes after it                                   |
//! | 20..28 | fingerprint of METEOR's file                                                    |
//! | 28..36 | fingerprint of a phrase, which differs where the program takes words otherwise   |
//! | 36..52 | phrases, entries, words of the longest phrase, words of the longest paraphrase  |
//! | 52..   | `phrases` (8 bytes each), `first` (4), `paraphrases` (8), `lengths` (1)         |
//!
//! A file that is not exactly this is ignored and written anew.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use super::{ParaphraseTable, reader};
use crate::error::{Error, Result};

const MAGIC: [u8; 8] = *b"tribpar\n";
/// Change it whenever the bytes change their meaning.
const FORMAT_VERSION: u32 = 1;
const CHECKED_FROM: usize = 20;
const HEADER_BYTES: usize = 52;
/// Its fingerprint is another one where tokeniser or fingerprints are.
const PROBE: &[u8] = b"Mr. O'Neill's  co-op , 5,000 \xc3\x84pfel";

/// A table, and what became of its cache.
#[derive(Debug)]
pub struct Cached {
    /// The table.
    pub table: ParaphraseTable,
    /// Why the table could not be kept for the next time.
    pub not_kept: Option<Error>,
}

impl ParaphraseTable {
    /// The table in a file of METEOR, from `folder` if it was read before, and kept there if it was not. The cache goes
    /// by the bytes of METEOR's file, wherever that lies. One that is damaged or of another version is replaced.
    ///
    /// # Errors
    /// Those of [`Self::read`]. A folder that cannot be written to is none.
    pub fn cached(path: &Path, folder: &Path) -> Result<Cached> {
        let bytes = reader::bytes_of(path)?;
        let source = xxh3_64(&bytes);
        let place = place_of(source, folder);
        if let Some(table) = fs::read(&place).ok().and_then(|kept| decode(&kept)).filter(|table| table.source == source)
        {
            return Ok(Cached { table, not_kept: None });
        }
        let table = Self::parse(&bytes, path)?;
        let not_kept = write(&encode(&table), &place).err();
        let not_kept = not_kept.map(|error| Error::io(&place, error, "keep the paraphrase table for the next time"));
        Ok(Cached { table, not_kept })
    }
}

fn place_of(source: u64, folder: &Path) -> PathBuf {
    folder.join(format!("paraphrases-{source:016x}.bin"))
}

/// Writes a temporary neighbour and renames it, so that no other run ever sees a half.
fn write(bytes: &[u8], place: &Path) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(place)?;
    Ok(())
}

fn encode(table: &ParaphraseTable) -> Vec<u8> {
    let ParaphraseTable { source, phrases, first, paraphrases, lengths, longest_phrase, longest_paraphrase, .. } =
        table;
    let sizes = [phrases.len(), paraphrases.len(), *longest_phrase, *longest_paraphrase];
    let mut body = Vec::with_capacity(HEADER_BYTES + 12 * phrases.len() + 9 * paraphrases.len() + 4);
    body.extend(source.to_le_bytes());
    body.extend(reader::phrase(PROBE).0.to_le_bytes());
    // Entries are numbered with 32 bits.
    body.extend(sizes.iter().flat_map(|&size| (size as u32).to_le_bytes()));
    body.extend(phrases.iter().flat_map(|number| number.to_le_bytes()));
    body.extend(first.iter().flat_map(|number| number.to_le_bytes()));
    body.extend(paraphrases.iter().flat_map(|number| number.to_le_bytes()));
    body.extend(lengths);
    [&MAGIC[..], &FORMAT_VERSION.to_le_bytes(), &xxh3_64(&body).to_le_bytes(), &body].concat()
}

/// The table in these bytes; None unless they are exactly one.
fn decode(bytes: &[u8]) -> Option<ParaphraseTable> {
    let mut rest = bytes;
    let expected = MAGIC.into_iter().chain(FORMAT_VERSION.to_le_bytes());
    if !take(&mut rest, 12)?.iter().copied().eq(expected) {
        return None;
    }
    let (checksum, body) = (number(&mut rest)?, bytes.get(CHECKED_FROM..)?);
    if checksum != xxh3_64(body) {
        return None;
    }
    let source = number(&mut rest)?;
    if number(&mut rest)? != reader::phrase(PROBE).0 {
        return None;
    }
    let sizes = short_numbers(take(&mut rest, 16)?);
    let (phrases, entries) = (sizes[0] as usize, sizes[1] as usize);
    let mut table = ParaphraseTable {
        source,
        phrases: numbers(take(&mut rest, phrases.checked_mul(8)?)?),
        first: short_numbers(take(&mut rest, phrases.checked_add(1)?.checked_mul(4)?)?),
        paraphrases: numbers(take(&mut rest, entries.checked_mul(8)?)?),
        lengths: take(&mut rest, entries)?.to_vec(),
        longest_phrase: sizes[2] as usize,
        longest_paraphrase: sizes[3] as usize,
        ..ParaphraseTable::default()
    };
    let ordered = table.phrases.is_sorted() && table.first.is_sorted() && table.first.last() == Some(&sizes[1]);
    table.index();
    (ordered && rest.is_empty()).then_some(table)
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    numbers(take(rest, 8)?).first().copied()
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect()
}

fn short_numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "0.5\na lot\nmuch\n0.2\nbig\nlarge\n0.1\na lot\nvery many things\n";

    fn table() -> ParaphraseTable {
        ParaphraseTable::parse(TABLE.as_bytes(), Path::new("table")).unwrap()
    }

    /// A folder with METEOR's file, the place of that file, and the only file in the cache.
    fn cached_once() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("table");
        fs::write(&source, TABLE).unwrap();
        let found = ParaphraseTable::cached(&source, &folder.path().join("new/cache")).unwrap();
        assert_eq!(found.table, table());
        assert!(found.not_kept.is_none());
        let mut files: Vec<_> =
            fs::read_dir(folder.path().join("new/cache")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        let kept = files.remove(0);
        (folder, source, kept)
    }

    #[test]
    fn what_is_kept_comes_back() {
        assert_eq!(decode(&encode(&table())), Some(table()));
    }

    #[test]
    fn any_damage_is_noticed() {
        let bytes = encode(&table());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(decode(&damaged), None, "byte {at}");
            assert_eq!(decode(&bytes[..at]), None, "cut at {at}");
        }
        assert_eq!(decode(&[&bytes[..], b"more"].concat()), None);
    }

    #[test]
    fn lists_that_mislead_are_refused_though_their_checksum_is_right() {
        let mut misled = table();
        misled.first[1] = 7;
        assert_eq!(decode(&encode(&misled)), None);
        let mut unsorted = table();
        unsorted.phrases.reverse();
        assert_eq!(decode(&encode(&unsorted)), None);
    }

    #[test]
    fn the_second_time_the_kept_table_is_taken() {
        let (_folder, source, kept) = cached_once();
        // Another table under the same fingerprint shows which of the two is read.
        let mut other = table();
        other.longest_phrase = 9;
        fs::write(&kept, encode(&other)).unwrap();
        let found = ParaphraseTable::cached(&source, kept.parent().unwrap()).unwrap();
        assert_eq!(found.table.longest_phrase, 9);
    }

    #[test]
    fn a_damaged_or_older_cache_is_replaced() {
        let (_folder, source, kept) = cached_once();
        let whole = fs::read(&kept).unwrap();
        let mut older = whole.clone();
        older[8] = 0;
        for bytes in [&b""[..], b"tribpar\n", &whole[..whole.len() - 1], &older] {
            fs::write(&kept, bytes).unwrap();
            let found = ParaphraseTable::cached(&source, kept.parent().unwrap()).unwrap();
            assert_eq!(found.table, table());
            assert_eq!(fs::read(&kept).unwrap(), whole);
        }
    }

    #[test]
    fn another_table_has_another_cache() {
        let (_folder, source, kept) = cached_once();
        fs::write(&source, TABLE.replace("large", "huge")).unwrap();
        let found = ParaphraseTable::cached(&source, kept.parent().unwrap()).unwrap().table;
        assert_ne!(found, table());
        assert_eq!(fs::read_dir(kept.parent().unwrap()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_a_warning_only() {
        let (_folder, source, kept) = cached_once();
        let found = ParaphraseTable::cached(&source, &kept).unwrap();
        assert_eq!(found.table, table());
        assert!(found.not_kept.unwrap().to_string().contains("cannot keep the paraphrase table"));
    }
}
