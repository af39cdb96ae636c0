//! Numbers of things and times, in sentences.

use std::time::Duration;

/// A number with the noun, and perhaps the verb, in its form: `1 event lies`, `2 events lie`.
pub fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// About how long it is: `99 s`, `2 min`.
pub fn about(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}
