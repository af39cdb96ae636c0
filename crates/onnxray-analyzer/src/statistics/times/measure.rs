//! What the times of operators are measured against.

use crate::units::Milliseconds;
use onnxray_format::Nanoseconds;

/// Denominators of means and shares.
#[derive(Clone, Copy, Debug)]
pub(in crate::statistics) struct Measure {
    /// Typical iterations of all launches; 0 if the trace does not tell.
    pub iterations: usize,
    /// Their number times the mean that operators and overhead add up to.
    pub wall: Option<Nanoseconds>,
}

impl Measure {
    /// `latency` is the mean that operators and overhead add up to.
    pub(in crate::statistics) fn of(iterations: usize, latency: Option<Milliseconds>) -> Measure {
        let wall = |latency: Milliseconds| latency.0 * 1e6 * iterations as f64;
        let wall = latency.map(|latency| Nanoseconds(wall(latency).round() as u64));
        Measure { iterations, wall }
    }
}
