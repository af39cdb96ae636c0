//! Numbers of things, in sentences.

/// `1 event lies`, `2 events lie`: a number, what it counts, and perhaps its verb.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
