//! Latencies of a part of a model: dense, projected, and measured sparse.

use crate::projection::Estimate;

/// Projected and measured latencies in milliseconds, per iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verified {
    /// Of the dense recording.
    pub dense: Option<Estimate>,
    /// What that is projected to.
    pub projected: Option<Estimate>,
    /// Of the sparse recording.
    pub measured: Option<Estimate>,
}

impl Verified {
    /// Projected / measured - 1: above 0, the projection is too long. `None` where one is unknown, or
    /// nothing was measured.
    pub fn error(&self) -> Option<f64> {
        let (projected, measured) = (self.projected?.value, self.measured?.value);
        (measured > 0.0).then(|| projected / measured - 1.0)
    }

    /// The least and the most that the error is with both latencies within their intervals. `None` where
    /// one has no interval, or what was measured may be nothing.
    pub fn error_ends(&self) -> Option<(f64, f64)> {
        let (projected, measured) = (self.projected?.interval()?, self.measured?.interval()?);
        let error = |projected: f64, measured: f64| projected / measured - 1.0;
        (measured.low > 0.0)
            .then(|| (error(projected.low, measured.high), error(projected.high, measured.low)))
    }

    /// Milliseconds by which the projection is off; `None` where one is unknown.
    pub(super) fn off(&self) -> Option<f64> {
        Some((self.projected?.value - self.measured?.value).abs())
    }

    pub(super) fn and(self, other: Verified) -> Verified {
        let sum = |one: Option<Estimate>, other: Option<Estimate>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Verified {
            dense: sum(self.dense, other.dense),
            projected: sum(self.projected, other.projected),
            measured: sum(self.measured, other.measured),
        }
    }
}

/// An operator of the dense recording with the one of its name in the sparse one, or one of either
/// alone.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedOperator {
    /// Its name.
    pub name: String,
    /// Its type.
    pub operator_type: String,
    /// Outputs x inputs of its weight; `None` without one.
    pub weight_shape: Option<String>,
    /// Share of its weight's blocks that are zero in the sparse recording, if they are skipped; that of
    /// a perf ratio if it is within half a block of that.
    pub level: Option<f64>,
    /// Dense / sparse latency that the projection takes it for; `None` if its latency stays.
    pub ratio: Option<f64>,
    /// Its latencies.
    pub times: Verified,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_ends_where_both_latencies_have() {
        let of = |projected: [f64; 3], measured: [f64; 3]| {
            let own = |[low, value, high]: [f64; 3]| Some(Estimate { value, low, high });
            Verified { projected: own(projected), measured: own(measured), dense: None }
                .error_ends()
        };
        let ends = of([1.5, 2.0, 3.0], [1.0, 1.6, 2.0]).unwrap();
        assert_eq!(ends, (1.5 / 2.0 - 1.0, 3.0 / 1.0 - 1.0));
        assert_eq!(of([2.0, 2.0, 2.0], [1.0, 1.6, 2.0]), None, "one has no interval");
        assert_eq!(of([1.5, 2.0, 3.0], [0.0, 1.6, 2.0]), None, "it may have taken nothing");
    }
}
