//! Fusions that one side has and the other one lacks: a kernel of which the other side executes
//! the nodes one by one.

use super::types;
use crate::comparison::{ComparedGroup, Group, Side, Verdict};
use crate::units::Milliseconds;
use onnxray_format::Operator;

/// Fused operators of one side in a group of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Fusion {
    /// Their types, such as `BiasGelu` or `DynamicQuantizeMatMul (2) + Gelu`.
    pub kernels: String,
    /// Name of the group.
    pub group: String,
    /// The side that has them: A has lost them otherwise, B has gained them.
    pub side: Side,
    /// Typical time of the whole group on B minus that on A.
    pub difference: Option<Milliseconds>,
    /// Verdict on that difference.
    pub verdict: Option<Verdict>,
}

/// Fusions of all groups, largest difference first.
pub(crate) fn fusions(groups: &[ComparedGroup], operators: &[Vec<Operator>; 2]) -> Vec<Fusion> {
    let mut found = Vec::new();
    for compared in groups.iter().filter(|compared| compared.group.is_matched()) {
        for side in [Side::A, Side::B] {
            let own = computing(&compared.group, side, operators);
            let others = computing(&compared.group, side.other(), operators);
            // A fusion does in fewer kernels what the other side does in more.
            if own.len() >= others.len() {
                continue;
            }
            let is_only_here = |operator: &&Operator| {
                // Its type is that of none of its nodes, and the other side has no kernel of that
                // type: the same fusion on both sides is not a difference.
                operator.is_renamed()
                    && others.iter().all(|other| other.operator_type != operator.operator_type)
            };
            let kernels = types::list(own.into_iter().filter(is_only_here));
            if !kernels.is_empty() {
                let change = &compared.compared.change;
                found.push(Fusion {
                    kernels,
                    group: compared.name.clone(),
                    side,
                    difference: change.difference,
                    verdict: change.verdict,
                });
            }
        }
    }
    let size = |fusion: &Fusion| fusion.difference.map_or(0.0, |difference| difference.0.abs());
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// Operators of a group, conversions left out.
fn computing<'a>(
    group: &Group,
    side: Side,
    operators: &'a [Vec<Operator>; 2],
) -> Vec<&'a Operator> {
    let members = group.members(side).iter().filter(|member| !member.conversion);
    members.filter_map(|member| operators[side as usize].get(member.operator as usize)).collect()
}
