//! Names and paths in messages: one line each, and not too many.

use std::fmt::Display;
use std::path::Path;

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

/// A path as text without control characters: a line break in a name would let the name
/// pass for a line of a message.
pub(crate) fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// A name likewise.
pub(crate) fn one_line(name: &str) -> String {
    let mut shown = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter.is_control() {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_and_names_stay_on_their_line() {
        assert_eq!(first_of(["a", "b"], " and "), "a and b");
        assert_eq!(first_of(0..10, ", "), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
        assert_eq!(shown(Path::new("a\u{1b}[1m\nhint: b")), "a\\u{1b}[1m\\nhint: b");
    }
}
