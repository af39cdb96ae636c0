//! Units of results, so that a number cannot be taken for another kind.

use onnxray_format::Nanoseconds;
use serde::Serialize;

/// A duration in milliseconds; results may lie between two clock ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Milliseconds(pub f64);

impl Milliseconds {
    /// From a duration between two clock ticks.
    pub fn from_nanoseconds(nanoseconds: f64) -> Milliseconds {
        Milliseconds(nanoseconds / 1e6)
    }
}

impl From<Nanoseconds> for Milliseconds {
    fn from(nanoseconds: Nanoseconds) -> Milliseconds {
        Milliseconds(nanoseconds.milliseconds())
    }
}

/// A part of a whole, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Share(pub f64);

impl Share {
    /// `None` if there is no whole to be a part of.
    pub fn of(part: Nanoseconds, whole: Nanoseconds) -> Option<Share> {
        (whole.0 > 0).then(|| Share(part.0 as f64 / whole.0 as f64))
    }
}

impl std::ops::Add for Milliseconds {
    type Output = Milliseconds;
    fn add(self, other: Milliseconds) -> Milliseconds {
        Milliseconds(self.0 + other.0)
    }
}

impl std::ops::Add for Share {
    type Output = Share;
    fn add(self, other: Share) -> Share {
        Share(self.0 + other.0)
    }
}
