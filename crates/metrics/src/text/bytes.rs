//! The positions of the bytes of one class in a text, found 64 bytes at a time.
//!
//! A class is a few comparisons, which the compiler turns into vector instructions, so that only separators are visited
//! one by one.

/// Bytes classified at a time.
const BLOCK: usize = 64;

/// The positions of the bytes for which `is_wanted` is true, ascending. `is_wanted` is also called with zeros beyond
/// the end.
pub(crate) fn places(text: &str, is_wanted: impl Fn(u8) -> bool) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let (mut start, mut bits) = (0, bytes_of(bytes, 0).map_or(0, |block| bits_of(&block, &is_wanted)));
    std::iter::from_fn(move || {
        while bits == 0 {
            start += BLOCK;
            bits = bits_of(&bytes_of(bytes, start)?, &is_wanted);
        }
        let place = start + bits.trailing_zeros() as usize;
        bits &= bits - 1;
        (place < bytes.len()).then_some(place)
    })
}

/// The block that begins at `start`, padded with zeros; `None` at the end of the text.
#[inline]
fn bytes_of(bytes: &[u8], start: usize) -> Option<[u8; BLOCK]> {
    let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
    Some(rest.first_chunk().copied().unwrap_or_else(|| {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        block
    }))
}

/// One bit per byte; the first byte is the lowest bit.
#[inline]
fn bits_of(block: &[u8; BLOCK], is_wanted: impl Fn(u8) -> bool) -> u64 {
    let flags = block.map(|byte| u8::from(is_wanted(byte)));
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| bits << 8 | gathered(*eight))
}

/// Packs eight bytes of 0 or 1 into eight bits: byte i moves from bit 8 i to bit 56 + i.
#[inline]
fn gathered(eight: [u8; 8]) -> u64 {
    u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// True for ASCII letters and digits; branch-free, unlike the standard library's version.
#[inline]
pub(crate) fn is_alphanumeric(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_and_digits_are_those_of_ascii() {
        (0..=u8::MAX).for_each(|byte| assert_eq!(is_alphanumeric(byte), byte.is_ascii_alphanumeric()));
    }

    proptest! {
        #[test]
        fn places_are_those_of_every_byte_that_is_wanted(text in "[ab \0é.]{0,200}") {
            for wanted in [b' ', 0, b'.', 0xc3] {
                let expected: Vec<usize> = (0..text.len()).filter(|&at| text.as_bytes()[at] == wanted).collect();
                prop_assert_eq!(places(&text, |byte| byte == wanted).collect::<Vec<_>>(), expected);
            }
        }
    }
}
