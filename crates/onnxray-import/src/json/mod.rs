//! A cursor over JSON text that borrows, never recurses, and says where it
//! stopped.
//!
//! It reads one value at a time, so that a damaged value costs only itself, and
//! steps over what nobody needs without looking closely at it. A value whose
//! inside was stepped over may be malformed; what is read is checked.

mod nesting;
mod value;

pub use value::{Text, Value, whole};
pub(crate) use value::{beyond_range, code_unit};

use nesting::Nesting;
use wide::u8x16;

/// Why a value could not be read. The cursor stands where it was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The text ends inside a value.
    Cut,
    /// Something else stands where this was expected.
    Expected(&'static str),
}

/// A place in JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    /// The whole text.
    pub bytes: &'a [u8],
    /// Where the cursor stands, from 0.
    pub offset: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a text.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, offset: 0 }
    }

    /// The next byte that is not white space; the cursor stands on it.
    #[inline(always)]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.offset) {
                Some(&byte) if byte > b' ' => return Some(byte),
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.offset += 1,
                other => return other.copied(),
            }
        }
    }

    /// Steps over `byte`, if it is the next one.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.offset += usize::from(is_next);
        is_next
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Broken> {
        match self.peek() {
            Some(found) if found == byte => {
                self.offset += 1;
                Ok(())
            }
            Some(_) => Err(Broken::Expected(what)),
            None => Err(Broken::Cut),
        }
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// If the text is cut, or something else stands there.
    #[inline(always)]
    pub fn text(&mut self) -> Result<Text<'a>, Broken> {
        self.expect(b'"', "a string")?;
        // Most strings are short and plain.
        if let Some(behind) = self.bytes.get(self.offset..)
            && let Some(length) = behind.first_chunk().and_then(plain_length)
            && let Some(raw) = behind.get(..length)
        {
            self.offset += length + 1;
            return Ok(Text { raw, escaped: false });
        }
        self.long_text()
    }

    /// The rest of a string, whatever its length and contents.
    #[inline(never)]
    fn long_text(&mut self) -> Result<Text<'a>, Broken> {
        let start = self.offset;
        let mut escaped = false;
        loop {
            self.offset = find_special(self.bytes, self.offset);
            match self.bytes.get(self.offset) {
                Some(b'"') => {
                    let raw = &self.bytes[start..self.offset];
                    self.offset += 1;
                    return Ok(Text { raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    if self.offset + 1 >= self.bytes.len() {
                        return Err(Broken::Cut);
                    }
                    self.offset += 2;
                }
                Some(_) => return Err(Broken::Expected("no control character in a string")),
                None => return Err(Broken::Cut),
            }
        }
    }

    /// Any value. Containers are stepped over.
    ///
    /// # Errors
    ///
    /// If the text is cut, or something else stands there.
    #[inline(always)]
    pub fn value(&mut self) -> Result<Value<'a>, Broken> {
        match self.peek() {
            Some(b'"') => Ok(Value::Text(self.text()?)),
            Some(b'0'..=b'9') => Ok(Value::Number(self.number()?)),
            first => self.rare_value(first),
        }
    }

    /// A value that begins with something else than a quote or a digit.
    #[inline(never)]
    fn rare_value(&mut self, first: Option<u8>) -> Result<Value<'a>, Broken> {
        match first {
            Some(b'{') => Ok(Value::Object(self.container()?)),
            Some(b'[') => Ok(Value::Array(self.container()?)),
            Some(b'-') => match self.number()? {
                word @ (b"-Infinity" | b"-inf" | b"-nan") => Ok(Value::Word(word)),
                number => Ok(Value::Number(number)),
            },
            Some(b'a'..=b'z' | b'A'..=b'Z') => match self.word()? {
                word @ (b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"nan" | b"inf") => {
                    Ok(Value::Word(word))
                }
                _ => Err(Broken::Expected("a value")),
            },
            Some(_) => Err(Broken::Expected("a value")),
            None => Err(Broken::Cut),
        }
    }

    /// Any value, as a whole number if it is one. Containers are stepped over.
    ///
    /// # Errors
    ///
    /// If the text is cut, or something else stands there.
    #[inline(always)]
    pub fn whole(&mut self) -> Result<Option<i64>, Broken> {
        match self.peek() {
            Some(b'"') => Ok(whole(self.text()?.raw)),
            Some(b'-' | b'0'..=b'9') => Ok(whole(self.number()?)),
            _ => self.value().map(|_| None),
        }
    }

    /// Steps over a value and returns it as it stands in the text.
    ///
    /// # Errors
    ///
    /// If the text is cut, or something else stands there.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a [u8], Broken> {
        let first = self.peek();
        let start = self.offset;
        match first {
            Some(b'"') => {
                self.text()?;
            }
            Some(b'{' | b'[') => {
                self.container()?;
            }
            _ => {
                self.value()?;
            }
        }
        Ok(&self.bytes[start..self.offset])
    }

    /// A number, as far as it can be told from its ends: one that lost digits there, to
    /// white space or another digit, would be read as another number.
    #[inline(always)]
    fn number(&mut self) -> Result<&'a [u8], Broken> {
        match self.word()? {
            [b'0', b'0'..=b'9', ..] | [b'-', b'0', b'0'..=b'9', ..] | [.., b'.'] => {
                Err(Broken::Expected("a number"))
            }
            number => Ok(number),
        }
    }

    #[inline(always)]
    fn word(&mut self) -> Result<&'a [u8], Broken> {
        let start = self.offset;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|&byte| !WORD[usize::from(byte)]);
        // A number that runs into the end may go on behind it.
        let length = length.ok_or(Broken::Cut)?;
        self.offset += length;
        Ok(&rest[..length])
    }

    fn container(&mut self) -> Result<&'a [u8], Broken> {
        let start = self.offset;
        let mut open = Nesting::default();
        loop {
            let rest = self.bytes.get(self.offset..).ok_or(Broken::Cut)?;
            let step = rest.iter().position(|&byte| STRUCTURE[usize::from(byte)]);
            self.offset += step.ok_or(Broken::Cut)?;
            let closed = match self.bytes[self.offset] {
                b'"' => {
                    self.text()?;
                    // A member of an array belongs to an object whose beginning is lost, and
                    // with it the end of what is stepped over.
                    if !open.in_object() && self.peek() == Some(b':') {
                        return Err(Broken::Expected("no colon in an array"));
                    }
                    continue;
                }
                byte @ (b'{' | b'[') => {
                    let before = self.bytes[start..self.offset].trim_ascii_end().last();
                    (open.depth == 0 || !open.in_object() || before == Some(&b':'))
                        && open.open(byte == b'{')
                }
                b'}' => open.close(true),
                _ => open.close(false),
            };
            if !closed {
                return Err(Broken::Expected("the end of what was opened last"));
            }
            self.offset += 1;
            if open.depth == 0 {
                return Ok(&self.bytes[start..self.offset]);
            }
        }
    }

    /// Reads an object: `member` gets each key and must read its value.
    ///
    /// # Errors
    ///
    /// If the text is cut or malformed, or what `member` returns.
    #[inline]
    pub fn object(
        &mut self,
        mut member: impl FnMut(Text<'a>, &mut Cursor<'a>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.expect(b'{', "an object")?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = self.text()?;
            self.expect(b':', "a colon")?;
            member(key, self)?;
            match self.peek() {
                Some(b',') => self.offset += 1,
                Some(b'}') => {
                    self.offset += 1;
                    return Ok(());
                }
                Some(_) => return Err(Broken::Expected("a comma or the end of the object")),
                None => return Err(Broken::Cut),
            }
        }
    }

    /// Reads an array: `element` must read one value each time.
    ///
    /// # Errors
    ///
    /// If the text is cut or malformed, or what `element` returns.
    #[inline]
    pub fn array(
        &mut self,
        mut element: impl FnMut(&mut Cursor<'a>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.expect(b'[', "an array")?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            element(self)?;
            match self.peek() {
                Some(b',') => self.offset += 1,
                Some(b']') => {
                    self.offset += 1;
                    return Ok(());
                }
                Some(_) => return Err(Broken::Expected("a comma or the end of the array")),
                None => return Err(Broken::Cut),
            }
        }
    }
}

/// Bytes of numbers and words.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'.' | b'-' | b'+');
        byte += 1;
    }
    table
};

/// Bytes at which stepping over a container stops.
const STRUCTURE: [bool; 256] = {
    let mut table = [false; 256];
    table[b'"' as usize] = true;
    table[b'{' as usize] = true;
    table[b'}' as usize] = true;
    table[b'[' as usize] = true;
    table[b']' as usize] = true;
    table
};

/// Where the string ends whose first bytes these are, if it ends here and holds
/// nothing but what it says.
#[inline(always)]
fn plain_length(bytes: &[u8; 32]) -> Option<usize> {
    let (halves, _) = bytes.as_chunks::<16>();
    let [first, second] = [u8x16::from(halves[0]), u8x16::from(halves[1])];
    let quotes = |text: u8x16| text.simd_eq(u8x16::splat(b'"')).to_bitmask();
    let quote = quotes(first) | quotes(second) << 16;
    let others = |text: u8x16| {
        let control = text.min(u8x16::splat(0x1f)).simd_eq(text);
        (text.simd_eq(u8x16::splat(b'\\')) | control).to_bitmask()
    };
    let other = others(first) | others(second) << 16;
    // Nothing else stands before the first quote.
    let before = quote.wrapping_sub(1) & !quote;
    (quote != 0 && other & before == 0).then_some(quote.trailing_zeros() as usize)
}

/// Position of the first quote, backslash or control character at or behind
/// `at`; the length of the text if there is none.
#[inline(always)]
fn find_special(bytes: &[u8], mut offset: usize) -> usize {
    while let Some(sixteen) = bytes.get(offset..).and_then(|rest| rest.first_chunk::<16>()) {
        let marks = special(sixteen);
        if marks != 0 {
            return offset + marks.trailing_zeros() as usize;
        }
        offset += 16;
    }
    let rest = bytes.get(offset..).unwrap_or_default();
    let step = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    offset + step.unwrap_or(rest.len())
}

/// A bit for each byte that a string cannot simply hold.
#[inline(always)]
fn special(bytes: &[u8; 16]) -> u32 {
    let text = u8x16::from(*bytes);
    let control = text.min(u8x16::splat(0x1f)).simd_eq(text);
    let marks = text.simd_eq(u8x16::splat(b'"')) | text.simd_eq(u8x16::splat(b'\\')) | control;
    marks.to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every string that serde_json writes reads back.
        #[test]
        fn strings_read_as_serde_json_writes_them(text: String, behind in "[ ,}]{1,9}") {
            let json = serde_json::to_string(&text).unwrap() + &behind;
            let mut cursor = Cursor::new(json.as_bytes());
            let read = cursor.text().unwrap();
            prop_assert_eq!(read.decode(), text);
            prop_assert_eq!(&json.as_bytes()[cursor.offset..], behind.as_bytes());
        }

        #[test]
        fn whole_numbers_read_as_the_standard_library_reads_them(number: i64) {
            if number != i64::MIN {
                prop_assert_eq!(whole(number.to_string().as_bytes()), Some(number));
            }
        }

        /// No bytes make the cursor panic or leave the text.
        #[test]
        fn any_bytes_end_somewhere(bytes: Vec<u8>) {
            let mut cursor = Cursor::new(&bytes);
            let _ = cursor.skip();
            prop_assert!(cursor.offset <= bytes.len());
        }
    }

    #[test]
    fn surrogates_and_bad_escapes() {
        let decode = |raw: &str| Text { raw: raw.as_bytes(), escaped: true }.decode().into_owned();
        assert_eq!(decode(r"\ud83d\ude00!"), "😀!");
        assert_eq!(decode(r"\ud83d!"), "\u{fffd}!");
        assert_eq!(decode(r"a\qb\u00z\"), r"a\qb\u00z\");
        assert_eq!(decode(r"\u00e9\u0041"), "éA");
    }

    #[test]
    fn deep_nesting_is_stepped_over_without_recursion() {
        let deep = ["[".repeat(100_000), "]".repeat(100_000), ",".into()].concat();
        assert_eq!(Cursor::new(deep.as_bytes()).skip().unwrap().len(), 200_000);
        assert_eq!(Cursor::new(&deep.as_bytes()[..150_000]).skip(), Err(Broken::Cut));
    }

    #[test]
    fn members_are_in_objects() {
        let skip = |text: &str| Cursor::new(text.as_bytes()).skip().map(<[u8]>::len);
        assert_eq!(skip(r#"{"a":["b",{"c":1},"d"]}"#), Ok(23));
        assert_eq!(skip(r#"["b",{"c":1},"d" :1]"#), Err(Broken::Expected("no colon in an array")));
    }

    #[test]
    fn brackets_close_what_they_opened() {
        for depth in [1, 2, 63, 64, 65, 127, 128, 129, 500] {
            // Which of them are objects looks at random and never repeats in 64.
            let kinds: Vec<bool> = (0..depth).map(|level| level * level % 7 < 3).collect();
            let opening = kinds.iter().map(|&object| if object { "{\"k\":" } else { "[" });
            let closing = kinds.iter().rev().map(|&object| if object { '}' } else { ']' });
            let opening = opening.collect::<String>() + "1";
            let closing: String = closing.collect();
            let text = format!("{opening}{closing} ");
            assert_eq!(Cursor::new(text.as_bytes()).skip().unwrap().len(), text.len() - 1);
            for wrong in 0..depth {
                let mut closing = closing.clone().into_bytes();
                closing[wrong] = if closing[wrong] == b'}' { b']' } else { b'}' };
                let text = [opening.as_bytes(), &closing].concat();
                let mut cursor = Cursor::new(&text);
                assert!(matches!(cursor.skip(), Err(Broken::Expected(_))), "{depth} {wrong}");
                assert_eq!(cursor.offset, opening.len() + wrong);
            }
        }
    }

    #[test]
    fn what_lost_digits_is_no_number() {
        let read = |text: &str| Cursor::new(text.as_bytes()).value().is_ok();
        assert!(
            ["0,", "-0,", "0.5,", "10,", "1.50,", "1e5,", "-0.25,"].map(read).iter().all(|&ok| ok)
        );
        assert!(!["00,", "0123,", "-01,", "1.,", "12. ,"].map(read).iter().any(|&ok| ok));
        assert!(Cursor::new(b"007,").whole().is_err());
    }

    #[test]
    fn numbers_beyond_any_range_are_seen() {
        for within in ["1e308", "[-1.5e-999, 12]", "\"1e999\"", "{\"1e999\\\"\": 0.004E62}", ""] {
            assert_eq!(beyond_range(within.as_bytes()), None, "{within}");
        }
        assert_eq!(beyond_range(b"[1, -2e999]"), Some(5));
        assert_eq!(beyond_range(b"{\"a\": 0.004E6211"), Some(6));
    }

    #[test]
    fn numbers_beyond_64_bits_are_no_whole_numbers() {
        assert_eq!(whole(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(whole(b"9223372036854775808"), None);
        assert_eq!(whole(b"99999999999999999999999"), None);
        assert_eq!(whole(b""), None);
        assert_eq!(whole(b"1.5"), None);
    }
}
