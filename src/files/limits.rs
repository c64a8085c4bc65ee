//! Limits on the memory that an input may take: a line has at most 8 MiB, and compressed data may grow to 8 MiB or to
//! 100 times its size, whichever is more. Real texts stay far below that. [`allow_decompressed`] raises the limit.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::{Error, Result, quoted};

/// The longest line, in bytes. A file of gigabytes without a line end, or one that was compressed to look small, is
/// refused before it fills the memory.
pub(crate) const MAX_LINE: usize = 8 << 20;

/// Bytes that compressed data may grow to in any case.
const MIN_DECOMPRESSED: u64 = 8 << 20;

/// The highest ratio of decompressed to compressed bytes above [`MIN_DECOMPRESSED`]. Real judgments, in which sources and
/// references repeat, reach 30.
const MAX_RATIO: u64 = 100;

/// The limit that the program's user set. It is the process's, as its memory is; a library's user never sets it.
static ALLOWED: OnceLock<Size> = OnceLock::new();

/// Lets compressed inputs of this process grow to `size` bytes, whatever their compressed size; for a program, before it
/// reads anything. Only the first call has an effect.
pub fn allow_decompressed(size: Size) {
    let _ = ALLOWED.set(size);
}

/// A number of bytes, read from `1048576`, `1024K`, `1M` or `1MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(pub u64);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl FromStr for Size {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let upper = text.trim().to_ascii_uppercase();
        let number = upper.strip_suffix('B').unwrap_or(&upper);
        let number = number.strip_suffix('I').unwrap_or(number);
        let unit = UNITS.iter().find_map(|&(letter, bits)| Some((number.strip_suffix(letter)?, bits)));
        let (digits, bits) = unit.unwrap_or((number, 0));
        let bytes = digits.trim().parse().ok().and_then(|count: u64| count.checked_mul(1 << bits));
        bytes.filter(|&bytes| bytes > 0).map(Self).ok_or_else(|| {
            Error::invalid("size", "a number of bytes above 0", quoted(text), "write, for example, 512M or 2G")
        })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, bits)| self.0 >= 1 << bits) {
            Some((unit, bits)) => {
                let tenths = (u128::from(self.0) * 10) >> bits;
                let (whole, tenth) = (tenths / 10, tenths % 10);
                if tenth == 0 {
                    write!(formatter, "{whole} {unit}iB")
                } else {
                    write!(formatter, "{whole}.{tenth} {unit}iB")
                }
            }
            None => write!(formatter, "{} bytes", self.0),
        }
    }
}

/// A reader that counts its bytes.
pub(super) struct Counted<R> {
    source: R,
    count: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    /// The reader, and the counter that it updates.
    pub(super) fn new(source: R) -> (Self, Arc<AtomicU64>) {
        let count = Arc::default();
        (Self { source, count: Arc::clone(&count) }, count)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Decompressed bytes, up to the limit.
pub(super) struct Bounded<R> {
    pub(super) decompressed: R,
    pub(super) given: u64,
    /// The number of compressed bytes read so far.
    pub(super) compressed: Arc<AtomicU64>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decompressed.read(buffer)?;
        self.given += count as u64;
        let compressed = self.compressed.load(Ordering::Relaxed);
        let by_size = || compressed.saturating_mul(MAX_RATIO).max(MIN_DECOMPRESSED);
        let limit = ALLOWED.get().map_or_else(by_size, |size| size.0);
        if self.given <= limit {
            return Ok(count);
        }
        Err(io::Error::other(TooMuch { limit: Size(limit), ratio: self.given / compressed.max(1) }))
    }
}

/// The error that stops decompression.
#[derive(Debug)]
struct TooMuch {
    limit: Size,
    ratio: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "more than {} when decompressed", self.limit)
    }
}

impl std::error::Error for TooMuch {}

/// The error for an input that cannot be read.
pub(crate) fn read_error(place: &str, error: &io::Error) -> Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<TooMuch>()) {
        Some(TooMuch { limit, ratio }) => Error::invalid(
            place,
            format!("at most {limit} of decompressed data"),
            format!("more, {ratio} times the compressed data"),
            "if the file is intact, raise the limit, for example with `max_decompressed` 1G",
        ),
        None => Error::io(place.as_ref(), io::Error::new(error.kind(), error.to_string()), "read"),
    }
}

/// The error for an input that is too long to be held in memory.
pub(crate) fn too_long(place: &str, expected: &str, limit: usize) -> Error {
    let expected = format!("{expected} {}", Size(limit as u64));
    Error::invalid(
        place,
        expected,
        "a longer one",
        "check that this is the right file and that it contains line breaks",
    )
}

/// Appends the next line with its `end`; of a line that is too long, [`MAX_LINE`] + 1 bytes.
pub(crate) fn read_line(reader: &mut dyn BufRead, end: u8, line: &mut Vec<u8>) -> io::Result<usize> {
    reader.take(MAX_LINE as u64 + 1).read_until(end, line)
}

/// All bytes of a file of at most `largest` bytes. `action` tells errors what the file was opened for.
pub(crate) fn read_file(path: &Path, largest: usize, action: &str) -> Result<Vec<u8>> {
    let cannot = |error| Error::io(path, error, action);
    let file = File::open(path).map_err(cannot)?;
    let length = file.metadata().map_err(cannot)?.len();
    if length <= largest as u64 {
        let mut bytes = Vec::new();
        file.take(largest as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() <= largest {
            return Ok(bytes);
        }
    }
    let expected = format!("a file of at most {}", Size(largest as u64));
    let advice = "check that the right file was named";
    Err(Error::invalid(path.display().to_string(), expected, "a larger one", advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes, shown) in [
            ("512", 512, "512 bytes"),
            ("1k", 1 << 10, "1 KiB"),
            ("1536 KiB", 3 << 19, "1.5 MiB"),
            ("512M", 512 << 20, "512 MiB"),
            ("2gb", 2 << 30, "2 GiB"),
        ] {
            assert_eq!(text.parse::<Size>().unwrap(), Size(bytes));
            assert_eq!(Size(bytes).to_string(), shown);
        }
        for text in ["", "0", "M", "-1", "1.5G", "99999999999T", "1Q"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        assert!(Size(u64::MAX).to_string().ends_with("TiB"));
    }

    #[test]
    fn decompressed_data_is_bounded_by_its_compressed_size() {
        let bounded = |given: u64, compressed: u64| {
            let zeros = io::repeat(0).take(given);
            let mut reader = Bounded { decompressed: zeros, given: 0, compressed: Arc::new(compressed.into()) };
            io::copy(&mut reader, &mut io::sink()).map_err(|error| read_error("x", &error).to_string())
        };
        assert_eq!(bounded(8 << 20, 1), Ok(8 << 20));
        assert_eq!(bounded(30 << 20, 1 << 20), Ok(30 << 20));
        let message = bounded((8 << 20) + 1, 1000).unwrap_err();
        assert!(message.starts_with("x: expected at most 8 MiB of decompressed data, found more, 8"), "{message}");
        assert!(message.contains(" times the compressed data; ") && message.contains("`max_decompressed`"));
        assert!(bounded(120 << 20, 1 << 20).unwrap_err().contains("at most 100 MiB"));
    }
}
