//! The percentile of the latency that configurations are judged by.

use super::point::sound;
use crate::statistics::{Latencies, Measured};
use std::fmt;
use std::str::FromStr;

/// A percentile that every profile has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Percentile {
    /// Median.
    #[default]
    P50,
    /// 90th percentile.
    P90,
    /// 99th percentile.
    P99,
}

impl Percentile {
    /// All, from the lowest on.
    pub const ALL: [Percentile; 3] = [Percentile::P50, Percentile::P90, Percentile::P99];

    /// `p50`, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Percentile::P50 => "p50",
            Percentile::P90 => "p90",
            Percentile::P99 => "p99",
        }
    }

    /// Latency at this percentile, in milliseconds.
    pub fn of(self, latencies: &Latencies) -> Measured {
        sound(match self {
            Percentile::P50 => latencies.p50,
            Percentile::P90 => latencies.p90,
            Percentile::P99 => latencies.p99,
        })
    }
}

impl fmt::Display for Percentile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// No percentile has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected p50, p90 or p99")]
pub struct UnknownPercentile;

impl FromStr for Percentile {
    type Err = UnknownPercentile;

    fn from_str(text: &str) -> Result<Percentile, UnknownPercentile> {
        Percentile::ALL.into_iter().find(|known| known.name() == text).ok_or(UnknownPercentile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_shown() {
        for percentile in Percentile::ALL {
            assert_eq!(percentile.to_string().parse(), Ok(percentile));
        }
        for text in ["", "50", "P50", "p95", "p50 "] {
            assert_eq!(text.parse::<Percentile>(), Err(UnknownPercentile), "{text}");
        }
    }
}
