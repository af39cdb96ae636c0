//! Time on the recording's clock, in whole nanoseconds.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// A duration, or a distance from the start of the recording's clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Nanoseconds(pub u64);

impl Nanoseconds {
    /// As milliseconds.
    pub fn milliseconds(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// As seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The microseconds of a Chrome trace, rounded to the nanosecond.
    ///
    /// Exact for every value that [`Microseconds`] writes up to 2^52 ns (52
    /// days); `None` for what no clock can show: negative, infinite, NaN.
    pub fn from_microseconds(microseconds: f64) -> Option<Nanoseconds> {
        let nanoseconds = (microseconds * 1000.0).round();
        // `u64::MAX as f64` is 2^64, which does not fit; NaN fails both comparisons.
        (nanoseconds >= 0.0 && nanoseconds < u64::MAX as f64)
            .then_some(Nanoseconds(nanoseconds as u64))
    }

    /// The distance from an earlier time; 0 if that is later.
    pub fn saturating_sub(self, other: Nanoseconds) -> Nanoseconds {
        Nanoseconds(self.0.saturating_sub(other.0))
    }
}

/// Writes nanoseconds as the microseconds of a Chrome trace, without rounding.
pub(crate) struct Microseconds(pub Nanoseconds);

impl fmt::Display for Microseconds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Nanoseconds(nanoseconds) = self.0;
        write!(out, "{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
    }
}

impl Add for Nanoseconds {
    type Output = Nanoseconds;
    fn add(self, other: Nanoseconds) -> Nanoseconds {
        Nanoseconds(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Nanoseconds {
    fn add_assign(&mut self, other: Nanoseconds) {
        *self = *self + other;
    }
}

impl Sub for Nanoseconds {
    type Output = Nanoseconds;
    /// Saturates at zero: clocks of foreign traces do run backwards.
    fn sub(self, other: Nanoseconds) -> Nanoseconds {
        self.saturating_sub(other)
    }
}

impl Sum for Nanoseconds {
    fn sum<I: Iterator<Item = Nanoseconds>>(values: I) -> Nanoseconds {
        values.fold(Nanoseconds(0), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_keep_every_nanosecond() {
        for nanoseconds in [0, 1, 999, 1000, 1_234_567, (1 << 52) - 1] {
            let text = Microseconds(Nanoseconds(nanoseconds)).to_string();
            let read = Nanoseconds::from_microseconds(text.parse().unwrap());
            assert_eq!(read, Some(Nanoseconds(nanoseconds)), "{text}");
        }
    }

    #[test]
    fn what_no_clock_shows_is_refused() {
        for value in [-1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Nanoseconds::from_microseconds(value), None);
        }
    }
}
