//! The bytes of a zstd file, frame after frame.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Decompresses what it reads. The decoder refuses windows of more than 128 MiB, which bounds its memory.
pub(crate) struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    /// Between frames there is nothing to decode.
    is_in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Begins the next frame, if there is one.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                self.is_in_frame = self.begin_frame()?;
                if !self.is_in_frame {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, one).map_err(damaged)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.check_sum()?;
            self.is_in_frame = false;
        }
    }
}

impl<R> Zstd<R> {
    /// The frame is what it was when it was compressed.
    fn check_sum(&self) -> io::Result<()> {
        let (stated, found) = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        if stated.is_some() && stated != found { Err(damaged("its checksum is another")) } else { Ok(()) }
    }
}

fn damaged(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the zstd data is damaged: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn text(compressed: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Zstd::new(compressed).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn all_frames_are_read() {
        let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let long = "a line of text\n".repeat(20_000);
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let file = [frame(&long), skipped, frame("second\n"), frame("")].concat();
        assert_eq!(text(&file).unwrap(), long + "second\n");
        assert_eq!(text(b"").unwrap(), "");
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let whole = compress_to_vec("a line of text\n".repeat(2000).as_bytes(), CompressionLevel::Fastest);
        assert!(text(&whole[..whole.len() / 2]).is_err());
        assert!(text(b"no zstd at all").is_err());
    }
}
