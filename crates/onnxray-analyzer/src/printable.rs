//! Names from traces and models made short.

use onnxray_text::printable;
use std::borrow::Cow;

/// A name that fits a cell of a spreadsheet: the start of a very long one, and what tells
/// it from others that start alike. Settings by name are found by this, too.
pub fn short_name(name: &str) -> Cow<'_, str> {
    /// Each of them may take eight in a cell, which has room for 32,767.
    const MOST: usize = 4000;
    const SHOWN: usize = 120;
    if name.len() <= MOST || name.chars().count() <= MOST {
        return Cow::Borrowed(name);
    }
    // FNV-1a.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let shown: String = name.chars().take(SHOWN).collect();
    Cow::Owned(format!("{shown}… ({} characters, {hash:016x})", name.chars().count()))
}

/// A probability for people: no test is as sure as 0.000 looks.
pub fn probability(p: f64) -> String {
    if p < 0.0005 { "<0.001".to_string() } else { format!("{p:.3}") }
}

/// Text of a file in a message: safe to show, and not longer than it helps.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", printable(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_name_is_told_from_others() {
        assert_eq!(short_name(&"x".repeat(4000)), "x".repeat(4000));
        let (one, other) = (format!("{}1", "é".repeat(40_000)), format!("{}2", "é".repeat(40_000)));
        assert!(short_name(&one).starts_with("ééé") && short_name(&one) != short_name(&other));
        assert!(short_name(&one).chars().count() < 200);
        assert_eq!(short_name(&short_name(&one)), short_name(&one));
    }

    #[test]
    fn long_texts_are_cut_and_none_commands_the_terminal() {
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 63);
        assert_eq!(quoted("a\u{1b}[1m\u{202e}"), "\"a\\u{1b}[1m\\u{202e}\"");
    }
}
