//! Strings and numbers of JSON, understood once somebody asks.

use crate::text::number::number;
use std::borrow::Cow;

/// A string, without its quotes and as it stands in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text<'a> {
    /// Between its quotes, escapes and all.
    pub raw: &'a [u8],
    /// Whether there is a backslash in it.
    pub escaped: bool,
}

/// A value; containers as they stand in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A string.
    Text(Text<'a>),
    /// A number as it is written.
    Number(&'a [u8]),
    /// `true`, `false`, `null`, and the `NaN`, `Infinity`, `nan` and `inf` that
    /// some write.
    Word(&'a [u8]),
    /// From brace to brace.
    Object(&'a [u8]),
    /// From bracket to bracket.
    Array(&'a [u8]),
}

impl<'a> Text<'a> {
    /// The text with its escapes resolved. Bytes that are not UTF-8 become
    /// replacement characters, and so do surrogates without their other half. A
    /// backslash that escapes nothing is one that its producer did not escape.
    pub fn decode(&self) -> Cow<'a, str> {
        if !self.escaped {
            return String::from_utf8_lossy(self.raw);
        }
        let mut decoded = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(offset) = memchr::memchr(b'\\', rest) {
            decoded.extend_from_slice(&rest[..offset]);
            let (character, length) = escape(&rest[offset..]);
            decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[offset + length..];
        }
        decoded.extend_from_slice(rest);
        Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
    }
}

/// The character that an escape stands for, and the escape's length.
fn escape(text: &[u8]) -> (char, usize) {
    match text.get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(&literal @ (b'"' | b'\\' | b'/')) => (char::from(literal), 2),
        Some(b'u') => {
            let Some(first) = code_unit(text) else { return ('\\', 1) };
            let second = text.get(6..).and_then(code_unit);
            let pair = [first, second.unwrap_or(0)];
            match char::decode_utf16(pair).next() {
                Some(Ok(character)) if character as u32 > 0xffff => (character, 12),
                Some(Ok(character)) => (character, 6),
                _ => (char::REPLACEMENT_CHARACTER, 6),
            }
        }
        _ => ('\\', 1),
    }
}

/// The code unit that a text begins with as an escape, `\u00e9`.
pub(crate) fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(text.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

impl<'a> Value<'a> {
    /// Text, or a number or word as it is written.
    pub fn as_text(&self) -> Option<Cow<'a, str>> {
        match *self {
            Value::Text(text) => Some(text.decode()),
            Value::Number(raw) | Value::Word(raw) => Some(String::from_utf8_lossy(raw)),
            Value::Object(_) | Value::Array(_) => None,
        }
    }

    /// A number, also one that is written as a string.
    pub fn as_f64(&self) -> Option<f64> {
        let (Value::Number(raw) | Value::Text(Text { raw, .. })) = *self else { return None };
        let number = number(std::str::from_utf8(raw).ok()?.trim());
        number.filter(|number: &f64| number.is_finite())
    }

    /// A whole number, also one that is written as a string.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        let (Value::Number(raw) | Value::Text(Text { raw, .. })) = *self else { return None };
        whole(raw)
    }
}

/// Where the first number stands that is none of 64 bits, such as 1e999, which would be read
/// as if it were missing.
pub(crate) fn beyond_range(json: &[u8]) -> Option<usize> {
    let mut in_text = false;
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'0'..=b'9' if !in_text => {
                let is_part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let length = json[at..].iter().position(|byte| !is_part(byte));
                let number = &json[at..length.map_or(json.len(), |length| at + length)];
                let value = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
                if value.is_some_and(|value: f64| value.is_infinite()) {
                    return Some(at);
                }
                at += number.len();
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// A whole number; `None` if it is none or does not fit 64 bits.
#[inline]
pub fn whole(raw: &[u8]) -> Option<i64> {
    let (negative, digits) = match raw {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let mut number = 0u64;
    for &digit in digits {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        // 19 digits fit an unsigned number of 64 bits.
        number = number * 10 + u64::from(value);
    }
    let number = i64::try_from(number).ok()?;
    Some(if negative { -number } else { number })
}
