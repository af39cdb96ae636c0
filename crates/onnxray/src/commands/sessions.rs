//! How many sessions are loaded at once, and how long they take turns.

use std::time::Duration;

/// A launch measures at least and at most this long.
const TIMES: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(5000)];
/// Sessions that are loaded at once.
const MOST_SESSIONS: usize = 48;

/// How long a launch measures this many variants, with this long for each of them.
pub(super) fn launch_time(variants: usize, each: Duration) -> Duration {
    each.saturating_mul(variants as u32).clamp(TIMES[0], TIMES[1])
}

/// Sessions of this many bytes that may be loaded at once: half of the memory is for them. At least
/// two.
pub(super) fn sessions(each: Option<u64>, limit: Option<u64>) -> usize {
    let fitting = limit.zip(each).map(|(limit, each)| limit / 2 / each.max(1));
    fitting.unwrap_or(MOST_SESSIONS as u64).clamp(2, MOST_SESSIONS as u64) as usize
}
