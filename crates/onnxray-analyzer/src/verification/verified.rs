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
