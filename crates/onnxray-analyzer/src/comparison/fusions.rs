//! Fusions that one side has and the other one lacks: a kernel of which the other side executes
//! the nodes one by one.

use super::{ComparedGroup, Group, Side};
use crate::units::Milliseconds;
use onnxray_format::Operator;

/// A fused operator of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Fusion {
    /// Type of the kernel, such as `BiasGelu`.
    pub kernel: String,
    /// Name of the operator.
    pub name: String,
    /// The side that has it: A has lost it otherwise, B has gained it.
    pub side: Side,
    /// Mean of B minus mean of A, of the group that it is in.
    pub difference: Option<Milliseconds>,
}

/// Those of all groups, the largest difference first.
pub(crate) fn fusions(groups: &[ComparedGroup], operators: &[Vec<Operator>; 2]) -> Vec<Fusion> {
    let mut found = Vec::new();
    for compared in groups.iter().filter(|compared| compared.group.is_matched()) {
        for side in [Side::A, Side::B] {
            let own = computing(&compared.group, side, operators);
            let others = computing(&compared.group, side.other(), operators);
            if own.len() >= others.len() {
                continue;
            }
            let is_only_here = |operator: &&&Operator| {
                operator.is_renamed()
                    && others.iter().all(|other| other.operator_type != operator.operator_type)
            };
            found.extend(own.iter().filter(is_only_here).map(|operator| Fusion {
                kernel: operator.operator_type.clone(),
                name: operator.name.clone(),
                side,
                difference: compared.compared.change.mean_difference,
            }));
        }
    }
    let size = |fusion: &Fusion| fusion.difference.map_or(0.0, |difference| difference.0.abs());
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// The operators of a group that do more than change how a tensor is stored.
fn computing<'a>(
    group: &Group,
    side: Side,
    operators: &'a [Vec<Operator>; 2],
) -> Vec<&'a Operator> {
    let members = group.members(side).iter().filter(|member| !member.conversion);
    members.filter_map(|member| operators[side as usize].get(member.operator as usize)).collect()
}
