//! The clock that recordings and decisions go by, and the time of day in the names of files.

use crate::cores;
use jiff::Zoned;
use onnxray_format::Nanoseconds;
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

/// The time source of recordings and decisions. It never goes back.
pub trait Clock {
    /// Time since the clock's zero.
    fn now(&self) -> Nanoseconds;

    /// Unix time of the clock's zero; `None` where the system's clock was never set.
    fn origin(&self) -> Option<Nanoseconds>;

    /// The smallest step that the clock makes.
    fn resolution(&self) -> Nanoseconds;

    /// CPU time of all threads of this process; `None` where the system does not say.
    fn cpu_time(&self) -> Option<Nanoseconds> {
        cores::cpu_time()
    }

    /// Time for which this thread was ready to run and had no core; `None` where the system does not
    /// say, or if time is not the machine's.
    fn waited(&self) -> Option<Nanoseconds> {
        None
    }

    /// CPU time since an earlier reading of it; `None` if either is unknown.
    fn cpu_time_since(&self, earlier: Option<Nanoseconds>) -> Option<Nanoseconds> {
        Some(self.cpu_time()?.saturating_sub(earlier?))
    }

    /// Waits until it is that time, asleep; not at all if it was.
    fn sleep_until(&self, time: Nanoseconds) {
        std::thread::sleep(Duration::from_nanos(time.0.saturating_sub(self.now().0)));
    }

    /// Time since an earlier one.
    fn since(&self, earlier: Nanoseconds) -> Duration {
        Duration::from_nanos((self.now() - earlier).0)
    }
}

/// The machine's own clock; its zero is the first time that this process asks.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicClock;

static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Time on the machine's own clock.
pub(crate) fn now() -> Nanoseconds {
    Nanoseconds(ORIGIN.elapsed().as_nanos() as u64)
}

impl Clock for MonotonicClock {
    fn now(&self) -> Nanoseconds {
        now()
    }

    fn origin(&self) -> Option<Nanoseconds> {
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let nanoseconds = u64::try_from(unix.as_nanos()).ok()?;
        // A clock that is set while this runs moves the origin, never the times themselves.
        Some(Nanoseconds(nanoseconds.checked_sub(now().0)?))
    }

    fn waited(&self) -> Option<Nanoseconds> {
        cores::waited()
    }

    /// The smallest step seen while the clock is read 1,000 times; `u64::MAX` if it never moved.
    fn resolution(&self) -> Nanoseconds {
        let mut smallest = u64::MAX;
        let mut last = now();
        for _ in 0..1000 {
            let next = now();
            // Readings within one step are equal: they say nothing of its size.
            if next > last {
                smallest = smallest.min((next - last).0);
            }
            last = next;
        }
        Nanoseconds(smallest)
    }
}

/// The local time for file names: `2026-11-20_14-05-09`.
pub(crate) fn file_time() -> String {
    Zoned::now().strftime("%Y-%m-%d_%H-%M-%S").to_string()
}

/// The local time in RFC 3339, to the second.
pub(crate) fn local_time() -> String {
    Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct SetClock(pub(crate) std::cell::Cell<u64>);

#[cfg(test)]
impl Clock for SetClock {
    fn now(&self) -> Nanoseconds {
        Nanoseconds(self.0.get())
    }

    fn origin(&self) -> Option<Nanoseconds> {
        None
    }

    fn sleep_until(&self, time: Nanoseconds) {
        self.0.set(self.0.get().max(time.0));
    }

    fn resolution(&self) -> Nanoseconds {
        Nanoseconds(1)
    }
}
