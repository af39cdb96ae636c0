//! Looks for characters that JSON does not allow, and that are read nevertheless.

use crate::damage::{Damage, DamageKind};
use crate::json::code_unit;

/// Counts bytes that are not UTF-8, and, unless they are what the producer writes,
/// backslashes that escape nothing: one that is read as it is.
pub(super) fn check(bytes: &[u8], lone_backslashes: bool, damage: &mut Damage) {
    damage.add_not_utf8(bytes);
    if lone_backslashes {
        return;
    }
    let mut offset = 0;
    while let Some(step) = memchr::memchr(b'\\', &bytes[offset..]) {
        offset += step;
        let text = &bytes[offset..];
        let (length, reason) = match text.get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => (2, None),
            Some(b'u') => match (code_unit(text), text.get(6..).and_then(code_unit)) {
                (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (12, None),
                (Some(0xd800..0xe000), _) => (6, Some("half a character (`\\u`)")),
                (Some(_), _) => (6, None),
                (None, _) => (1, Some("a backslash that escapes nothing")),
            },
            Some(_) => (1, Some("a backslash that escapes nothing")),
            None => return,
        };
        if let Some(reason) = reason {
            damage.add_at(DamageKind::Repaired, bytes, offset, reason);
        }
        offset += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_json_does_not_allow_is_counted() {
        let count = |text: &[u8]| {
            let mut damage = Damage::default();
            check(text, false, &mut damage);
            (damage.count(DamageKind::NotUtf8), damage.count(DamageKind::Repaired))
        };
        assert_eq!(count(br#"{"a\\\"\u00e9\n": "\ud83d\ude00\/"}"#), (0, 0));
        assert_eq!(count(br#"{"a\q": "\u00zz\\\x"}"#), (0, 3));
        assert_eq!(count(br#""\ud83d \ude00""#), (0, 2));
        assert_eq!(count(b"{\"a\xff\": \"\xc3\xa9\xe2\x82\"}"), (2, 0));
    }
}
