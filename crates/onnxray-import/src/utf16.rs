//! Text in UTF-16, as PowerShell redirects it, on its way to UTF-8.

use std::io::{self, Read};

/// How much is decoded at a time.
const PIECE: usize = 1 << 16;

/// Which byte of a code unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// What the byte order mark in front of the text says; `None` if there is none.
    pub(crate) fn of(text: &[u8]) -> Option<ByteOrder> {
        match text {
            [0xff, 0xfe, ..] => Some(ByteOrder::Little),
            [0xfe, 0xff, ..] => Some(ByteOrder::Big),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// Decodes UTF-16 and drops the byte order mark. What is no character, a surrogate
/// without its other half or half a code unit at the end, becomes a byte that is no
/// UTF-8, so that it is counted where text is.
pub(crate) struct Utf8<R> {
    reader: R,
    order: ByteOrder,
    /// Bytes of the input that are not decoded yet.
    ahead: Vec<u8>,
    decoded: Vec<u8>,
    taken: usize,
    begun: bool,
    ended: bool,
}

impl<R: Read> Utf8<R> {
    pub(crate) fn new(reader: R, order: ByteOrder) -> Utf8<R> {
        let (ahead, decoded) = (Vec::new(), Vec::new());
        Utf8 { reader, order, ahead, decoded, taken: 0, begun: false, ended: false }
    }

    /// Decodes the next piece, but for what may belong to the one behind it.
    fn decode(&mut self) -> io::Result<()> {
        let read = self.reader.by_ref().take(PIECE as u64).read_to_end(&mut self.ahead)?;
        self.ended = read < PIECE;
        self.decoded.clear();
        self.taken = 0;
        let (pairs, half) = self.ahead.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|&pair| self.order.unit(pair)).collect();
        let mut rest = half.to_vec();
        if !self.ended
            && let Some(0xd800..0xdc00) = units.last()
        {
            units.pop();
            rest.splice(..0, pairs[units.len()]);
        }
        let mark = usize::from(!self.begun && units.first() == Some(&0xfeff));
        self.begun = true;
        for character in char::decode_utf16(units.into_iter().skip(mark)) {
            match character {
                Ok(character) => {
                    self.decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Err(_) => self.decoded.push(0xff),
            }
        }
        if self.ended && !rest.is_empty() {
            self.decoded.push(0xff);
            rest.clear();
        }
        self.ahead = rest;
        Ok(())
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
        let order = ByteOrder::of(bytes).unwrap();
        Utf8::new(bytes, order).read_to_end(&mut text).unwrap();
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
