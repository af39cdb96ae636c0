//! Texts as words of a shell's command line, for hints that one can copy.

use crate::is_hidden;

/// A word that bash and its like read as these bytes: plain words as they are, others in quotes,
/// with invisible characters as escapes.
pub fn shell_word(text: impl AsRef<[u8]>) -> String {
    let bytes = text.as_ref();
    let is_unprofiled = |letter: char| letter.is_alphanumeric() || "_-./=:,+@%".contains(letter);
    // Some shells look up a command after an equals sign.
    let is_safe =
        |text: &str| !text.is_empty() && !text.starts_with('=') && text.chars().all(is_unprofiled);
    let seen = str::from_utf8(bytes).ok().filter(|text| !text.chars().any(is_hidden));
    match seen {
        Some(text) if is_safe(text) => text.to_string(),
        Some(text) => match shlex::try_quote(text) {
            Ok(word) => word.into_owned(),
            Err(_) => escaped(bytes),
        },
        None => escaped(bytes),
    }
}

/// Shells read escapes between `$'` and `'`.
fn escaped(bytes: &[u8]) -> String {
    let mut word = "$'".to_string();
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match (letter, u32::from(letter)) {
                ('\'' | '\\', _) => word.extend(['\\', letter]),
                (letter, _) if !is_hidden(letter) => word.push(letter),
                (_, number @ ..=0xffff) => word += &format!("\\u{number:04x}"),
                (_, number) => word += &format!("\\U{number:08x}"),
            }
        }
        word.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    word + "'"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn words_are_plain_quoted_or_escaped() {
        let check = |text: &str, word: &str| assert_eq!(shell_word(text), word);
        check("out/a_0.json", "out/a_0.json");
        check("past.0=SIZE", "past.0=SIZE");
        check("past + 1=SIZE", "'past + 1=SIZE'");
        check("=cat", "'=cat'");
        check("my traces/a.json", "'my traces/a.json'");
        check("", "''");
        check("it's", "\"it's\"");
        check("$(rm)", "'$(rm)'");
        check("$(rm)\n", "$'$(rm)\\u000a'");
        check("a\u{1b}[1m\nb'", "$'a\\u001b[1m\\u000ab\\''");
        check("a\u{202e}b", "$'a\\u202eb'");
        check("a\u{e0041}b", "$'a\\U000e0041b'");
        assert_eq!(shell_word(b"a\xff"), "$'a\\xff'");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// An argument has no NUL.
        #[test]
        fn bash_reads_what_was_meant(
            text in "[a'\"\\\\$!`~#*?\u{1}-\u{1f}\u{7f}é\u{202e}\u{e0041} =-]{0,12}"
        ) {
            let script = format!("printf %s {}", shell_word(&text));
            let mut bash = Command::new("bash");
            let read = bash.args(["--norc", "-c", &script]).env("LC_ALL", "C.UTF-8").output();
            prop_assert_eq!(String::from_utf8(read.unwrap().stdout).unwrap(), text);
        }
    }
}
