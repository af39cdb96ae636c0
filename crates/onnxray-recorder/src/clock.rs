//! The recording's clock, and the time of day in the names of its files.

use jiff::Zoned;
use onnxray_format::Nanoseconds;
use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

/// The clock's zero: the first time that anyone asks.
static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Time on the recording's clock, which is monotonic.
pub(crate) fn now() -> Nanoseconds {
    Nanoseconds(ORIGIN.elapsed().as_nanos() as u64)
}

/// Unix time of the clock's zero; `None` if the system's clock was never set.
pub(crate) fn origin() -> Option<Nanoseconds> {
    let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let nanoseconds = u64::try_from(unix.as_nanos()).ok()?;
    Some(Nanoseconds(nanoseconds.checked_sub(now().0)?))
}

/// The smallest step that the clock makes when it is read over and over.
pub(crate) fn resolution() -> Nanoseconds {
    let mut smallest = u64::MAX;
    let mut last = now();
    for _ in 0..1000 {
        let next = now();
        if next > last {
            smallest = smallest.min((next - last).0);
        }
        last = next;
    }
    Nanoseconds(smallest)
}

/// The local time as it stands in file names: `2026-11-20_14-05-09`.
pub(crate) fn file_time() -> String {
    Zoned::now().strftime("%Y-%m-%d_%H-%M-%S").to_string()
}

/// The local time in RFC 3339, to the second.
pub(crate) fn local_time() -> String {
    Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}
