//! In: METEOR's paraphrase file. Out: its table, from a cache file if there is one. Next: `options`.
//!
//! The cache file has the table's [format](super::format). Any other file is ignored and overwritten.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

use super::format::ParaphraseTable;
use super::source;
use crate::error::{Error, Result};
use crate::files::limits::read_file;

/// The largest cache file that is read, in bytes; that of METEOR's largest table has 40 MB.
const LARGEST_CACHE: usize = 1 << 30;

/// A table, and the outcome of caching it.
#[derive(Debug)]
pub struct Cached {
    /// The table.
    pub table: ParaphraseTable,
    /// The error if the table could not be cached.
    pub not_kept: Option<Error>,
}

impl ParaphraseTable {
    /// The table in METEOR's file at `path`: read from the cache in `folder` if it is there, otherwise parsed and
    /// cached. The cache is keyed by the contents of METEOR's file, not by its path. A cache file that is damaged or of
    /// another version is replaced.
    ///
    /// # Errors
    /// Any error of [`Self::read`]. Failure to write to the folder is not an error; see [`Cached::not_kept`].
    pub fn cached(path: &Path, folder: &Path) -> Result<Cached> {
        let bytes = source::bytes_of(path)?;
        let fingerprint = xxh3_64(&bytes);
        let place = place_of(fingerprint, folder);
        if let Some(table) = kept(&place).filter(|table| table.fingerprint() == fingerprint) {
            return Ok(Cached { table, not_kept: None });
        }
        let table = Self::parse(bytes, path)?;
        let not_kept = write(table.bytes(), &place).err();
        let not_kept = not_kept.map(|error| Error::io(&place, error, "keep the paraphrase table for the next time"));
        Ok(Cached { table, not_kept })
    }
}

fn place_of(fingerprint: u64, folder: &Path) -> PathBuf {
    folder.join(format!("paraphrases-{fingerprint:016x}.bin"))
}

/// The table in a cache file, if it is valid.
fn kept(place: &Path) -> Option<ParaphraseTable> {
    // A pipe with this name would never end.
    if !fs::metadata(place).ok()?.is_file() {
        return None;
    }
    let bytes = read_file(place, LARGEST_CACHE, "read the cache").ok()?;
    ParaphraseTable::open(bytes.into()).filter(|table| table.is_sound(source::probe()))
}

/// Writes a temporary file next to it and renames that, so that no other run sees a partial file.
fn write(bytes: &[u8], place: &Path) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(place)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "0.5\na lot\nmuch\n0.2\nbig\nlarge\n0.1\na lot\nvery many things\n";

    fn table() -> ParaphraseTable {
        ParaphraseTable::parse(TABLE.into(), Path::new("table")).unwrap()
    }

    /// A folder with METEOR's file, the path of that file, and the path of the only cache file.
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
    fn any_damage_is_noticed() {
        let (_folder, _, place) = cached_once();
        let bytes = table().bytes().to_vec();
        let refused = |damaged: &[u8], what: String| {
            fs::write(&place, damaged).unwrap();
            assert_eq!(kept(&place), None, "{what}");
        };
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            refused(&damaged, format!("byte {at}"));
            refused(&bytes[..at], format!("cut at {at}"));
        }
        refused(&[&bytes[..], b"more"].concat(), "more".into());
    }

    #[test]
    fn the_second_time_the_kept_table_is_taken() {
        let (_folder, source, kept) = cached_once();
        // Another table with the same fingerprint shows which of the two is read.
        let other = ParaphraseTable::parse(TABLE.replace("large", "huge").into(), Path::new("other")).unwrap();
        let other = other.with_fingerprint(table().fingerprint());
        fs::write(&kept, other.bytes()).unwrap();
        let found = ParaphraseTable::cached(&source, kept.parent().unwrap()).unwrap();
        assert_eq!(found.table, other);
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
