//! Names in messages: not too many, and words of a shell in hints.

use std::fmt::Display;

/// The first of a list of names, with `between` them, and how many more there are.
pub(crate) fn first_of<T: Display>(names: impl IntoIterator<Item = T>, between: &str) -> String {
    const MOST: usize = 8;
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MOST).map(|name| name.to_string()).collect();
    match names.count() {
        0 => shown.join(between),
        more => format!("{} and {more} more", shown.join(between)),
    }
}

/// A text as one word of a shell's command line.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./=:,+@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_string();
    }
    if text.chars().any(char::is_control) {
        // Shells read escapes between `$'` and `'`.
        let escaped = text.chars().map(|letter| match letter {
            '\'' | '\\' => format!("\\{letter}"),
            letter if letter.is_control() => format!("\\u{:04x}", u32::from(letter)),
            letter => letter.to_string(),
        });
        return format!("$'{}'", escaped.collect::<String>());
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_a_shell_makes_of_them() {
        let check = |text: &str, quoted: &str| assert_eq!(word(text), quoted);
        check("past.0=SIZE", "past.0=SIZE");
        check("past + 1=SIZE", "'past + 1=SIZE'");
        check("it's", "'it'\\''s'");
        check("$(rm)\n", "$'$(rm)\\u000a'");
    }

    #[test]
    fn lists_end() {
        assert_eq!(first_of(["a", "b"], " and "), "a and b");
        assert_eq!(first_of(0..10, ", "), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
