//! Numbers of things, in sentences.

/// A number with the noun, and perhaps the verb, in its form: `1 event lies`, `2 events lie`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
