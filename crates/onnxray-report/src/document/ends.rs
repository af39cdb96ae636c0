//! The ends of an interval, for columns that are declared for both at once.

use super::cell::Cell;
use onnxray_analyzer::statistics::Interval;

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Low,
    High,
}

impl End {
    /// Suffix of its key.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            End::Low => "low",
            End::High => "high",
        }
    }

    pub(crate) fn of(self, interval: impl HasEnds) -> f64 {
        let [low, high] = interval.ends();
        match self {
            End::Low => low,
            End::High => high,
        }
    }

    /// The end as a cell; a missing interval is unknown.
    pub(crate) fn cell(self, interval: Option<impl HasEnds>) -> Cell {
        Cell::number(interval.map(|interval| self.of(interval)))
    }
}

/// Anything that has a low and a high end.
pub(crate) trait HasEnds {
    fn ends(self) -> [f64; 2];
}

impl HasEnds for Interval {
    fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }
}

impl HasEnds for (f64, f64) {
    fn ends(self) -> [f64; 2] {
        [self.0, self.1]
    }
}
