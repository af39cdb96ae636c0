//! A recording to be compared, and how it is tested.

use super::timing::Measured;
use super::{Group, Side};
use crate::statistics::{Summary, Timeline};
use onnxray_format::Operator;

/// A recording as comparisons take it.
pub struct Recording {
    /// What reports call it.
    pub label: String,
    /// Times and facts of its operators.
    pub summary: Summary,
    /// `None` if it does not tell of single iterations.
    pub timeline: Option<Timeline>,
}

impl Recording {
    /// Smallest step of its clock, in nanoseconds.
    pub(super) fn tick(&self) -> Option<f64> {
        self.summary.run.clock_resolution.map(|resolution| resolution.0 as f64)
    }
}

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

/// An operator's type, or the word for one that nobody knows.
pub(super) fn type_name(operator: &Operator) -> &str {
    match operator.operator_type.as_str() {
        "" => "unknown",
        name => name,
    }
}
