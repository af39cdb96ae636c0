//! What an inference costs, as far as a recording tells.

use super::tables::{Tables, members};
use crate::chrome::EventTrace;
use onnxray_format::{Costs, Pace, Start};

pub(super) const MEMBER: &str = "costs";
/// A start has a block for each hundredth of a second.
const MOST: usize = 1 << 24;

/// `None` if the recording does not tell. What cannot be is not believed.
pub(super) fn costs(trace: &EventTrace, tables: &mut Tables) -> Option<Costs> {
    let member = trace.member(MEMBER)?;
    let position = Some(member.position);
    let read = (member.value.len() <= MOST).then(|| members::<Costs>(&member.value));
    let Some((mut costs, mut unreadable)) = read.flatten() else {
        tables.fields("launches", position, &[MEMBER.to_string()]);
        return None;
    };
    let is_possible =
        |start: &Start| start.blocks.are_whole() && start.paces.iter().all(Pace::is_whole);
    if !costs.starts.iter().all(is_possible) {
        costs.starts.retain(is_possible);
        unreadable.push("starts".to_string());
    }
    tables.fields(MEMBER, position, &unreadable);
    Some(costs)
}
