//! Names from traces and models, and paths, made safe to show: one line each, and nothing in
//! it that a terminal would obey.

use std::fmt::Display;
use std::path::Path;

/// Control characters would reach the terminal as commands; what turns the
/// direction of writing would make a name look like another.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A path in a message, on one line whatever its name is.
pub fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Whether a letter is invisible: it controls the terminal or the direction of text.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The first of a list of names, with `between` them, and how many more there are.
pub fn first_of<T: Display>(names: impl IntoIterator<Item = T>, between: &str) -> String {
    const MOST: usize = 8;
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MOST).map(|name| name.to_string()).collect();
    match names.count() {
        0 => shown.join(between),
        more => format!("{} and {more} more", shown.join(between)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_on_their_line_and_command_no_terminal() {
        assert_eq!(printable("MatMul/é #1"), "MatMul/é #1");
        assert_eq!(printable("a\u{1b}[1m\u{202e}"), "a\\u{1b}[1m\\u{202e}");
        assert_eq!(printable("a\u{e0041}"), "a\\u{e0041}");
        assert_eq!(shown(Path::new("a\u{1b}[1m\nhint: b")), "a\\u{1b}[1m\\nhint: b");
    }

    #[test]
    fn lists_end() {
        assert_eq!(first_of(["a", "b"], " and "), "a and b");
        assert_eq!(first_of(0..10, ", "), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
