//! gzip and zstd. Input is recognised by its first bytes, whatever the file's name; output is compressed if the file's
//! name says so.

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Write};

use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use zstd::stream::{read, write};

use super::limits::{Bounded, Counted};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

const ENDINGS: [(&str, Compression); 2] = [(".gz", Compression::Gzip), (".zst", Compression::Zstd)];

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Bytes 2 to 4 of a frame that decoders skip; the first byte is 0x50 to 0x5f.
const ZSTD_SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Size of the read buffers, in bytes.
const CAPACITY: usize = 1 << 16;

impl Compression {
    /// Splits a file's name into the name without its compression ending, and the compression. Case does not matter.
    pub(super) fn split_name(name: &str) -> (&str, Option<Self>) {
        let found = ENDINGS.iter().find_map(|&(ending, compression)| {
            let start = name.len().checked_sub(ending.len())?;
            let is_ending = name.get(start..)?.eq_ignore_ascii_case(ending);
            is_ending.then(|| (&name[..start], Some(compression)))
        });
        found.unwrap_or((name, None))
    }

    fn of_content(start: &[u8]) -> Option<Self> {
        if start.starts_with(&GZIP) {
            Some(Self::Gzip)
        } else if start == ZSTD || is_skipped_frame(start) {
            Some(Self::Zstd)
        } else {
            None
        }
    }
}

fn is_skipped_frame(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, rest @ ..] if *rest == ZSTD_SKIPPED)
}

/// Whether these bytes could be the beginning of a compressed file.
fn may_be_compressed(start: &[u8]) -> bool {
    let is_skipped = matches!(start, [0x50..=0x5f, rest @ ..] if ZSTD_SKIPPED.starts_with(rest));
    GZIP.starts_with(start) || ZSTD.starts_with(start) || is_skipped
}

/// The content of a source, decompressed if its first bytes or, failing that, its name say that it is compressed.
pub(crate) fn decompressed(
    mut source: Box<dyn Read + Send>,
    named: Option<Compression>,
) -> io::Result<Box<dyn BufRead + Send>> {
    let start = read_while(&mut source, |start| start.len() < ZSTD.len() && may_be_compressed(start))?;
    let compression = Compression::of_content(&start).or(named);
    let (source, compressed) = Counted::new(Cursor::new(start).chain(source));
    let source = BufReader::with_capacity(CAPACITY, source);
    let decompressed: Box<dyn Read + Send> = match compression {
        None => return Ok(Box::new(source)),
        Some(Compression::Gzip) => Box::new(Members::new(source)),
        Some(Compression::Zstd) => Box::new(Frames(read::Decoder::with_buffer(source)?)),
    };
    Ok(Box::new(BufReader::with_capacity(CAPACITY, Bounded { decompressed, given: 0, compressed })))
}

/// The first bytes, read for as long as `may_go_on` allows and no further: someone who types line by line is waiting
/// for an answer.
pub(super) fn read_while(source: &mut dyn Read, may_go_on: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    while may_go_on(&start) && source.take(1).read_to_end(&mut start)? > 0 {}
    Ok(start)
}

/// The concatenated members of a gzip file. Zeros after the last member, which pad the blocks of a tape, are ignored,
/// as gzip does.
struct Members<R> {
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    fn new(source: R) -> Self {
        Self { member: Some(GzDecoder::new(source)) }
    }

    fn following(mut source: R) -> io::Result<Option<GzDecoder<R>>> {
        loop {
            let bytes = source.fill_buf()?;
            let (zeros, all) = (bytes.iter().take_while(|&&byte| byte == 0).count(), bytes.len());
            source.consume(zeros);
            if zeros < all {
                return Ok(Some(GzDecoder::new(source)));
            }
            if all == 0 {
                return Ok(None);
            }
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let ended = self.member.take().map(GzDecoder::into_inner);
            self.member = ended.map(Self::following).transpose()?.flatten();
        }
        Ok(0)
    }
}

/// The frames of a zstd file. The decoder refuses windows of more than 128 MiB, which bounds its memory.
struct Frames<R: BufRead>(read::Decoder<'static, R>);

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            if error.to_string().contains("too much memory") {
                let reason = "it was compressed with a zstd window of more than 128 MiB";
                return io::Error::new(io::ErrorKind::OutOfMemory, reason);
            }
            match error.kind() {
                io::ErrorKind::Other => {
                    io::Error::new(io::ErrorKind::InvalidData, format!("the zstd data is damaged: {error}"))
                }
                _ => error,
            }
        })
    }
}

/// A writer that compresses as the file's name asks for.
pub(super) enum Compressor<W: Write> {
    Plain(BufWriter<W>),
    Gzip(Box<GzEncoder<BufWriter<W>>>),
    Zstd(Box<write::Encoder<'static, BufWriter<W>>>),
}

impl<W: Write> Compressor<W> {
    pub(super) fn new(compression: Option<Compression>, writer: W) -> io::Result<Self> {
        let writer = BufWriter::with_capacity(CAPACITY, writer);
        Ok(match compression {
            None => Self::Plain(writer),
            Some(Compression::Gzip) => Self::Gzip(Box::new(GzEncoder::new(writer, flate2::Compression::default()))),
            Some(Compression::Zstd) => {
                let mut encoder = write::Encoder::new(writer, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Box::new(encoder))
            }
        })
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(writer) => writer,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
        }
    }

    /// Ends the compressed data and flushes everything into the inner writer.
    pub(super) fn finish(self) -> io::Result<W> {
        let writer = match self {
            Self::Plain(writer) => writer,
            Self::Gzip(encoder) => encoder.finish()?,
            Self::Zstd(encoder) => encoder.finish()?,
        };
        writer.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(compression: Compression, text: &str) -> Vec<u8> {
        let mut compressor = Compressor::new(Some(compression), Vec::new()).unwrap();
        compressor.write_all(text.as_bytes()).unwrap();
        compressor.finish().unwrap()
    }

    fn text(bytes: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        decompressed(Box::new(Cursor::new(bytes)), None)?.read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn all_members_and_frames_are_read() {
        let long = "a line of text\n".repeat(20_000);
        for compression in [Compression::Gzip, Compression::Zstd] {
            let parts = [long.as_str(), "second\n", ""].map(|text| compressed(compression, text));
            assert_eq!(text(parts.concat()).unwrap(), long.clone() + "second\n");
        }
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let frame = compressed(Compression::Zstd, "a\n");
        assert_eq!(text([skipped.clone(), frame.clone(), skipped, frame].concat()).unwrap(), "a\na\n");
        let padded = [compressed(Compression::Gzip, "a\n"), vec![0; 100_000]].concat();
        assert_eq!(text(padded).unwrap(), "a\n");
    }

    #[test]
    fn text_that_only_begins_alike_stays_as_it_is() {
        for plain in ["", "(", "(a)", "P", "P*", "P*M", "\u{1f}x", "a"] {
            assert_eq!(text(plain.as_bytes().to_vec()).unwrap(), plain);
        }
    }

    #[test]
    fn what_is_damaged_is_refused() {
        for compression in [Compression::Gzip, Compression::Zstd] {
            let whole = compressed(compression, &"a line of text\n".repeat(2000));
            assert!(text(whole[..whole.len() / 2].to_vec()).is_err());
            let mut turned = whole.clone();
            let last = turned.len() - 1;
            turned[last] ^= 1;
            assert!(text(turned).is_err(), "{compression:?}: the checksum is another");
            assert!(text([whole, b"garbage".to_vec()].concat()).is_err());
        }
    }

    #[test]
    fn endings_may_be_in_capitals() {
        assert_eq!(Compression::split_name("a.csv.GZ"), ("a.csv", Some(Compression::Gzip)));
        assert_eq!(Compression::split_name("a.csv.zst"), ("a.csv", Some(Compression::Zstd)));
        assert_eq!(Compression::split_name("gz"), ("gz", None));
        assert_eq!(Compression::split_name("ä"), ("ä", None));
    }
}
