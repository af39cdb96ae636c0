//! The operators that groups are named after, and whose types they have.

use super::recording::type_name;
use super::timing::Measured;
use super::{Group, Side};
use onnxray_format::Operator;

/// By side, the operator of a group that takes most time, conversions aside if there is
/// another.
pub(super) fn main_operators<'a>(
    group: &Group,
    measured: &[Measured; 2],
    operators: &'a [Vec<Operator>; 2],
) -> [Option<&'a Operator>; 2] {
    [Side::A, Side::B].map(|side| {
        let members = group.members(side).iter().filter(|member| !member.conversion);
        let members: Vec<u32> = members.map(|member| member.operator).collect();
        let all = || group.members(side).iter().map(|member| member.operator).collect();
        let members: Vec<u32> = if members.is_empty() { all() } else { members };
        let main = measured[side as usize].largest(&members)?;
        operators[side as usize].get(main as usize)
    })
}

/// The types of these; blank without operators.
pub(super) fn main_types<'a>(
    group: &Group,
    measured: &[Measured; 2],
    operators: &'a [Vec<Operator>; 2],
) -> [&'a str; 2] {
    main_operators(group, measured, operators).map(|main| main.map_or("", type_name))
}
