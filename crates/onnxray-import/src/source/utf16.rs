//! Text in UTF-16, as PowerShell redirects it, on its way to UTF-8.

use encoding_rs::{Decoder, DecoderResult, Encoding};
use std::io::{self, Read};

/// How much is decoded at a time.
const PIECE: usize = 1 << 16;

/// The UTF-16 that the byte order mark in front of a text tells of; `None` if there is none.
pub(crate) fn encoding_of(text: &[u8]) -> Option<&'static Encoding> {
    let (encoding, _) = Encoding::for_bom(text)?;
    (encoding != encoding_rs::UTF_8).then_some(encoding)
}

/// Decodes UTF-16 and drops the byte order mark. What is not a character, a surrogate
/// without its other half or half a code unit at the end, becomes a byte that is not
/// UTF-8, so that it is counted where text is.
pub(crate) struct Utf8<R> {
    reader: R,
    decoder: Decoder,
    decoded: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl<R: Read> Utf8<R> {
    pub(crate) fn new(reader: R, encoding: &'static Encoding) -> Utf8<R> {
        let decoder = encoding.new_decoder_with_bom_removal();
        Utf8 { reader, decoder, decoded: Vec::new(), taken: 0, ended: false }
    }

    fn decode(&mut self) -> io::Result<()> {
        let mut piece = Vec::with_capacity(PIECE);
        self.reader.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        self.ended = piece.len() < PIECE;
        self.taken = 0;
        let mut text = String::with_capacity(2 * PIECE);
        self.decoded.clear();
        let mut rest = piece.as_slice();
        loop {
            let (result, read) =
                self.decoder.decode_to_string_without_replacement(rest, &mut text, self.ended);
            rest = rest.get(read..).unwrap_or_default();
            self.decoded.extend_from_slice(text.as_bytes());
            text.clear();
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => self.decoded.push(0xff),
            }
        }
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.decoded.len() {
            if self.ended {
                return Ok(0);
            }
            self.decode()?;
        }
        let read = (&self.decoded[self.taken..]).read(buffer)?;
        self.taken += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        Utf8::new(bytes, encoding_of(bytes).unwrap()).read_to_end(&mut text).unwrap();
        text
    }

    fn encode(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(unit).collect()
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_decoded(text: String) {
            prop_assert_eq!(decode(&encode(&text, u16::to_le_bytes)), text.as_bytes());
            prop_assert_eq!(decode(&encode(&text, u16::to_be_bytes)), text.as_bytes());
        }
    }

    #[test]
    fn characters_lie_across_pieces() {
        for shift in 0..4 {
            let text = "x".repeat(shift) + &"😀".repeat(PIECE);
            assert_eq!(decode(&encode(&text, u16::to_le_bytes)), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_character_is_no_utf_8() {
        assert_eq!(decode(b"\xff\xfea\0\x3d\xd8b\0"), b"a\xffb");
        assert_eq!(decode(b"\xff\xfea\0b"), b"a\xff");
        assert_eq!(decode(b"\xff\xfea\0\x3d\xd8"), b"a\xff");
    }
}
