//! What a launch measured of the cost of profiling, as far as a recording tells.

use super::tables::{Object, Tables};
use crate::chrome::EventTrace;
use crate::formats::together::LONGEST;
use onnxray_format::{Calibration, CalibrationChain};

pub(super) const MEMBER: &str = "calibration";
const MOST: usize = 1 << 20;

/// `None` if the recording does not tell. What contradicts itself is not believed.
pub(super) fn calibration(trace: &EventTrace, tables: &mut Tables) -> Option<Calibration> {
    let object = tables.member::<Calibration>(trace, MEMBER, MOST)?;
    let Object { value: mut calibration, mut unreadable, position } = object;
    if !calibration.chains.iter().all(is_possible) {
        unreadable.push("chains".to_string());
    }
    if !unreadable.is_empty() {
        calibration.chains.clear();
    }
    tables.fields(MEMBER, position, &unreadable);
    Some(calibration)
}

fn is_possible(chain: &CalibrationChain) -> bool {
    let CalibrationChain { nodes, tensors, dimensions, plain_ns, profiled_ns, node_ns } = chain;
    let time = |time: &f64| (0.0..=LONGEST).contains(time);
    let size = |size: &f64| (0.0..=1e6).contains(size);
    *nodes > 0
        && [tensors, dimensions].into_iter().all(size)
        && [profiled_ns.len(), node_ns.len()] == [plain_ns.len(); 2]
        && plain_ns.iter().chain(profiled_ns).all(|&of_run| time(&(of_run as f64)))
        && node_ns.iter().all(time)
}
