//! Aligns the operators of two recordings.

use super::sets::Sets;
use super::tensors::Table;
use super::{Alignment, Group, Member, Side, by_name, by_order, fused, serve};
use onnxray_format::Operator;

/// Aligns two tables of operators, each in order of execution.
///
/// Cost grows with the number of operators and names, not with their product.
pub fn align(a: &[Operator], b: &[Operator]) -> Alignment {
    let mut sets = Sets::new(a.len(), b.len());
    // The surest evidence first: a link is never taken back, and what follows looks only at what
    // has no counterpart yet (docs/statistics.md#groups-of-layers).
    let nodes = by_name::by_nodes(a, b, &mut sets);
    by_name::by_origins(a, b, &nodes, &mut sets);
    by_name::by_tensors(a, b, &nodes, &mut sets);
    by_name::by_weights(a, b, &mut sets);
    by_order::by_shapes(a, b, &mut sets);
    by_order::by_place(a, b, &mut sets);
    let both = [Table::of(Side::A, a), Table::of(Side::B, b)];
    fused::added_before(&both, &mut sets);
    fused::fused_away(&both, &mut sets);
    // Last, since a conversion may serve any of the groups above.
    let conversions = serve::conversions(&both, &mut sets);
    groups(a, b, &mut sets, &conversions)
}

/// The sets as groups. What only B has follows what came before it there.
fn groups(a: &[Operator], b: &[Operator], sets: &mut Sets, conversions: &[bool]) -> Alignment {
    let mut group_of = vec![usize::MAX; a.len() + b.len()];
    let mut groups: Vec<(f64, Group)> = Vec::new();
    let mut behind = -0.5;
    for (place, &conversion) in conversions.iter().enumerate() {
        let root = sets.root(place);
        if group_of[root] == usize::MAX {
            group_of[root] = groups.len();
            // A's groups have whole numbers, since its places come first; B's alone go half a step
            // after the group that came before them.
            let order = if place < a.len() { groups.len() as f64 } else { behind };
            groups.push((order, Group::default()));
        }
        let (order, group) = &mut groups[group_of[root]];
        let member = |operator: usize| Member {
            operator: operator as u32,
            method: sets.method(place),
            conversion,
        };
        match place.checked_sub(a.len()) {
            None => group.a.push(member(place)),
            Some(operator) => {
                behind = order.floor() + 0.5;
                group.b.push(member(operator));
            }
        }
    }
    // Stable: several groups that only B has keep B's order.
    groups.sort_by(|(first, _), (second, _)| first.total_cmp(second));
    Alignment { groups: groups.into_iter().map(|(_, group)| group).collect() }
}
