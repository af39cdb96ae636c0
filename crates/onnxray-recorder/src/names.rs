//! Names in messages: not too many.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end() {
        assert_eq!(first_of(["a", "b"], " and "), "a and b");
        assert_eq!(first_of(0..10, ", "), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
