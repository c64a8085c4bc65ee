//! Limits on the memory that an input may take: a line has at most 8 MiB, and compressed data may grow to 8 MiB or to
//! 100 times its size, whichever is more. Real texts stay far below that.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// The longest line, in bytes. A file of gigabytes without a line end, or one that was compressed to look small, is
/// refused before it fills the memory.
pub(crate) const MAX_LINE: usize = 8 << 20;

/// Bytes that compressed data may grow to in any case.
const MIN_DECOMPRESSED: u64 = 8 << 20;

/// The highest ratio of decompressed to compressed bytes above [`MIN_DECOMPRESSED`]. Real judgments, in which sources and
/// references repeat, reach 30.
const MAX_RATIO: u64 = 100;

/// A number of bytes, shown as `1.5 MiB`.
#[derive(Debug, Clone, Copy)]
struct Size(u64);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

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
        let limit = compressed.saturating_mul(MAX_RATIO).max(MIN_DECOMPRESSED);
        if self.given <= limit {
            return Ok(count);
        }
        Err(io::Error::other(LimitExceeded { limit: Size(limit), ratio: self.given / compressed.max(1) }))
    }
}

/// The error that stops decompression.
#[derive(Debug)]
struct LimitExceeded {
    limit: Size,
    ratio: u64,
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "more than {} when decompressed", self.limit)
    }
}

impl std::error::Error for LimitExceeded {}

/// The error for an input that cannot be read.
pub(crate) fn read_error(place: &str, error: &io::Error) -> Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<LimitExceeded>()) {
        Some(LimitExceeded { limit, ratio }) => Error::invalid(
            place,
            format!("at most {limit} of decompressed data"),
            format!("more, {ratio} times the compressed data"),
            "if the file is intact, decompress it first",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_down_to_tenths() {
        for (bytes, shown) in [(512, "512 bytes"), (1 << 10, "1 KiB"), (3 << 19, "1.5 MiB"), (2 << 30, "2 GiB")] {
            assert_eq!(Size(bytes).to_string(), shown);
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
        assert!(message.contains(" times the compressed data; ") && message.contains("decompress it first"));
        assert!(bounded(120 << 20, 1 << 20).unwrap_err().contains("at most 100 MiB"));
    }
}
