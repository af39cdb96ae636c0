//! What the events of one kind have in common: name, category and facts.
//!
//! A trace repeats a few labels many times. They are compared and stored as one
//! run of bytes, as they stand in the file, and looked at once.

use crate::json::{Cursor, Text, Value};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::HashMap;

/// The most facts that a format may name.
pub(crate) const MOST_FACTS: usize = 12;

/// Numbers for runs of bytes, in order of first appearance.
#[derive(Default)]
pub(crate) struct Interner {
    numbers: HashMap<Box<[u8]>, u32, RandomState>,
}

impl Interner {
    /// The number of `bytes`, and whether they are new.
    #[inline]
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> (u32, bool) {
        if let Some(&number) = self.numbers.get(bytes) {
            return (number, false);
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(bytes.into(), number);
        (number, true)
    }

    /// All runs of bytes by their numbers.
    pub(crate) fn into_list(self) -> Vec<Box<[u8]>> {
        let mut list: Vec<(u32, Box<[u8]>)> =
            self.numbers.into_iter().map(|(bytes, number)| (number, bytes)).collect();
        list.sort_unstable_by_key(|&(number, _)| number);
        list.into_iter().map(|(_, bytes)| bytes).collect()
    }
}

/// A label as it is stored: fields of a flag, a length and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label(pub Box<[u8]>);

const MISSING: u8 = 0;
const PLAIN: u8 = 1;
const ESCAPED: u8 = 2;

#[inline]
pub(crate) fn encode(
    scratch: &mut Vec<u8>,
    name: Option<Text<'_>>,
    category: Text<'_>,
    facts: &[Option<&[u8]>],
) {
    scratch.clear();
    for text in [name, Some(category)] {
        match text {
            Some(text) => field(scratch, if text.escaped { ESCAPED } else { PLAIN }, text.raw),
            None => scratch.push(MISSING),
        }
    }
    for fact in facts {
        match fact {
            Some(raw) => field(scratch, PLAIN, raw),
            None => scratch.push(MISSING),
        }
    }
}

#[inline]
fn field(scratch: &mut Vec<u8>, flag: u8, bytes: &[u8]) {
    scratch.push(flag);
    scratch.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    scratch.extend_from_slice(bytes);
}

impl Label {
    fn field(&self, number: usize) -> Option<Text<'_>> {
        let mut rest = &self.0[..];
        for position in 0.. {
            let (&flag, behind) = rest.split_first()?;
            if flag == MISSING {
                if position == number {
                    return None;
                }
                rest = behind;
                continue;
            }
            let (length, behind) = behind.split_first_chunk::<4>()?;
            let (raw, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            if position == number {
                return Some(Text { raw, escaped: flag == ESCAPED });
            }
            rest = behind;
        }
        None
    }

    /// Whether the event has a name.
    pub fn has_name(&self) -> bool {
        self.field(0).is_some()
    }

    /// Name of the event; empty if it has none.
    pub fn name(&self) -> Cow<'_, str> {
        self.field(0).unwrap_or_default().decode()
    }

    /// Its category; empty if it has none.
    pub fn category(&self) -> Cow<'_, str> {
        self.field(1).unwrap_or_default().decode()
    }

    /// The name's bytes as they stand in the file.
    pub fn raw_name(&self) -> &[u8] {
        self.field(0).unwrap_or_default().raw
    }

    /// Its category as it stands in the text.
    pub fn raw_category(&self) -> &[u8] {
        self.field(1).unwrap_or_default().raw
    }

    /// A fact's value as it stands in the file.
    pub fn raw_fact(&self, number: usize) -> Option<&[u8]> {
        Some(self.field(number + 2)?.raw)
    }

    /// A fact by its number; `None` if the event has none or it is not a value.
    pub fn fact(&self, number: usize) -> Option<Value<'_>> {
        // A value of digits only must have an end.
        let raw = self.raw_fact(number)?;
        match raw.first()? {
            b'"' | b'{' | b'[' => Cursor::new(raw).value().ok(),
            b'-' | b'0'..=b'9' => Some(Value::Number(raw)),
            _ => Some(Value::Word(raw)),
        }
    }

    /// A fact's value as text.
    pub fn fact_text(&self, number: usize) -> Option<String> {
        Some(self.fact(number)?.as_text()?.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_gives_back_its_parts() {
        let mut scratch = Vec::new();
        let name = Text { raw: br#"a\"b"#, escaped: true };
        let facts: [Option<&[u8]>; 4] =
            [None, Some(b"\"MatMul\""), Some(b"12"), Some(b"[{\"float\":[1]}]")];
        encode(&mut scratch, Some(name), Text::default(), &facts);
        let label = Label(scratch.into());
        assert_eq!(label.name(), "a\"b");
        assert_eq!(label.category(), "");
        assert_eq!(label.fact(0), None);
        assert_eq!(label.fact_text(1).as_deref(), Some("MatMul"));
        assert_eq!(label.fact(2).and_then(|value| value.as_i64()), Some(12));
        assert_eq!(label.raw_fact(3), Some(&b"[{\"float\":[1]}]"[..]));
        assert_eq!(label.fact(4), None);
    }
}
