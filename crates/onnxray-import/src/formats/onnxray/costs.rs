//! What an inference costs, as far as a recording tells.

use super::tables::{Object, Tables};
use crate::chrome::EventTrace;
use onnxray_format::{Costs, Pace, Start};

pub(super) const MEMBER: &str = "costs";
/// A start has a block for each hundredth of a second, and at each rate up to 10,000 calls.
const MOST: usize = 1 << 27;

/// `None` if the recording does not tell. What cannot be is not believed.
pub(super) fn costs(trace: &EventTrace, tables: &mut Tables) -> Option<Costs> {
    let object = tables.member::<Costs>(trace, MEMBER, MOST)?;
    let Object { value: mut costs, mut unreadable, position } = object;
    let is_possible =
        |start: &Start| start.blocks.are_whole() && start.paces.iter().all(Pace::is_whole);
    if !costs.starts.iter().all(is_possible) {
        costs.starts.retain(is_possible);
        unreadable.push("starts".to_string());
    }
    tables.fields(MEMBER, position, &unreadable);
    Some(costs)
}
