//! What the times of operators are measured against.

use onnxray_format::Nanoseconds;

/// What operators are measured against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    /// Measured iterations of all launches; 0 if the trace does not tell.
    pub iterations: usize,
    /// Their wall time.
    pub wall: Option<Nanoseconds>,
}
