//! Words that several reports have.

/// `A, B and C`
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A model as sentences call it, by the name of its file.
pub(super) fn stem(file: &str) -> &str {
    file.strip_suffix(".onnx").unwrap_or(file)
}
