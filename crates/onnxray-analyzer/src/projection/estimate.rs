//! A figure and how far it may be off.

use serde::Serialize;

/// A value between two ends. The ends equal the value where nothing is known of
/// how far it may be off; [`Projection::spread`](super::Projection::spread) says
/// so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
}

impl Estimate {
    /// A value of which nothing is known but itself.
    pub fn exact(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }

    /// Itself, if it is known how far it may be off.
    pub fn interval(self) -> Option<Estimate> {
        (self.low < self.high).then_some(self)
    }

    /// By a divisor above 0: low by high, and high by low.
    pub fn by(self, divisor: Estimate) -> Estimate {
        Estimate {
            value: self.value / divisor.value,
            low: self.low / divisor.high,
            high: self.high / divisor.low,
        }
    }

    /// Value and ends, each times a factor of 0 or more.
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// Ends are added to ends: nothing is assumed to be independent, so that the ends
/// of a sum are rather too far apart.
impl std::ops::Add for Estimate {
    type Output = Estimate;
    fn add(self, other: Estimate) -> Estimate {
        Estimate {
            value: self.value + other.value,
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }
}

/// Takes a part off its whole: each end of the part from the same end.
impl std::ops::Sub for Estimate {
    type Output = Estimate;
    fn sub(self, part: Estimate) -> Estimate {
        Estimate {
            value: self.value - part.value,
            low: self.low - part.low,
            high: self.high - part.high,
        }
    }
}

impl std::iter::Sum for Estimate {
    fn sum<I: Iterator<Item = Estimate>>(terms: I) -> Estimate {
        terms.fold(Estimate::default(), |sum, term| sum + term)
    }
}
