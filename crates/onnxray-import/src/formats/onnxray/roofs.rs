//! What a launch measured of the machine's largest rates, as far as a recording tells.

use super::tables::{Object, Tables};
use crate::chrome::EventTrace;
use onnxray_format::Roofs;

pub(super) const MEMBER: &str = "roofs";
const MOST: usize = 1 << 16;

/// `None` if the recording does not tell. What cannot be is not believed.
pub(super) fn roofs(trace: &EventTrace, tables: &mut Tables) -> Option<Roofs> {
    let object = tables.member::<Roofs>(trace, MEMBER, MOST)?;
    let Object { value: mut roofs, mut unreadable, position } = object;
    let is_possible = |rate: f64| rate > 0.0 && rate <= 1e9;
    if !roofs.arithmetic.iter().filter_map(|roof| roof.gflops).all(is_possible) {
        roofs.arithmetic.clear();
        unreadable.push("arithmetic".to_string());
    }
    if !roofs.bandwidth.iter().all(|roof| is_possible(roof.gb_per_second)) {
        roofs.bandwidth.clear();
        unreadable.push("bandwidth".to_string());
    }
    tables.fields(MEMBER, position, &unreadable);
    Some(roofs)
}
