//! Operators that only one side has because the other fused them into what feeds
//! or follows them.

use super::kind::{Kind, adds_first, kind};
use super::sets::Sets;
use super::tensors::Table;
use super::{Method, Side};
use onnxray_format::Operator;
use std::collections::{HashMap, HashSet};

/// Where one side's operator adds before its own work and its counterpart does not, the addition is
/// in the operator that feeds the counterpart.
pub(crate) fn added_before(both: &[Table; 2], sets: &mut Sets) {
    let mut adding: HashMap<usize, [bool; 2]> = HashMap::new();
    for Table { side, operators, .. } in both {
        let side = *side;
        for (number, operator) in operators.iter().enumerate() {
            if adds_first(&operator.operator_type) {
                let root = sets.root(sets.place(side, number));
                adding.entry(root).or_default()[side as usize] = true;
            }
        }
    }
    let mut feeders: Vec<(usize, usize)> = Vec::new();
    for Table { side, operators, tensors } in both {
        let side = *side;
        let mut before = None;
        let mut joined: HashSet<usize> = HashSet::new();
        for (number, operator) in operators.iter().enumerate() {
            if kind(&operator.operator_type).is_conversion() {
                continue;
            }
            let place = sets.place(side, number);
            let root = sets.root(place);
            let adds = adding.get(&root).copied().unwrap_or_default();
            // Only the first of several steps is fed by what comes before.
            if adds[side.other() as usize] && !adds[side as usize] && joined.insert(root) {
                let feeder = tensors.feeder(operators, number).or(before);
                let feeder = feeder.filter(|&feeder| may_add(&operators[feeder]));
                feeders.extend(feeder.map(|feeder| (sets.place(side, feeder), place)));
            }
            before = Some(number);
        }
    }
    // Only now: joining changes roots, which the loop looks up.
    for (feeder, place) in feeders {
        sets.join(feeder, place);
        sets.note(feeder, Method::Place);
    }
}

/// Additions, and what engines fuse additions into.
fn may_add(operator: &Operator) -> bool {
    let kind = kind(&operator.operator_type);
    matches!(kind, Kind::Product | Kind::Convolution | Kind::Elementwise(_))
}

/// Joins operators that only one side has because the other fused them: work whose fused operator
/// is named after its last step, and elementwise operators, which engines fuse into what feeds
/// them.
pub(crate) fn fused_away(both: &[Table; 2], sets: &mut Sets) {
    named_after_last_step(both, sets);
    for Table { side, operators, tensors } in both {
        let side = *side;
        // What feeds an operator stands before it, so that chains follow.
        let mut before = None;
        for (number, operator) in operators.iter().enumerate() {
            let place = sets.place(side, number);
            let kind = kind(&operator.operator_type);
            if !sets.is_matched(place) && matches!(kind, Kind::Elementwise(_)) {
                // The last of several has just been made, and is still at hand.
                if let Some(feeder) = tensors.feeder(operators, number).or(before) {
                    let feeder = sets.place(side, feeder);
                    if sets.is_matched(feeder) {
                        sets.join(feeder, place);
                        sets.note(place, Method::Place);
                    }
                }
            }
            if !kind.is_conversion() {
                before = Some(number);
            }
        }
    }
}

/// Work without a counterpart, whose reader is matched to work of that kind without being such
/// work, as a convolution before an activation: the counterpart computes both and is named after
/// its last step.
fn named_after_last_step(both: &[Table; 2], sets: &mut Sets) {
    let mut roots: Vec<usize> = Vec::new();
    let mut kinds: HashSet<(usize, Side, Kind)> = HashSet::new();
    for Table { side, operators, .. } in both {
        let side = *side;
        for (number, operator) in operators.iter().enumerate() {
            let root = sets.root(sets.place(side, number));
            roots.push(root);
            kinds.insert((root, side, kind(&operator.operator_type)));
        }
    }
    for Table { side, operators, tensors } in both {
        let side = *side;
        for (number, operator) in operators.iter().enumerate() {
            let place = sets.place(side, number);
            let kind = kind(&operator.operator_type);
            if kind.is_conversion() || sets.is_matched(place) {
                continue;
            }
            let read = operator.outputs.iter().find_map(|t| tensors.reader(&t.name));
            let reader = sets.place(side, read.unwrap_or(number + 1));
            let Some(&root) =
                roots.get(reader).filter(|_| read.is_some() || number + 1 < operators.len())
            else {
                continue;
            };
            let same = |side| kinds.contains(&(root, side, kind));
            // The reader's counterpart does work of this kind, which the reader itself does not: it
            // computes both. Roots are those from before any join in this loop.
            if sets.is_matched(reader) && same(side.other()) && !same(side) {
                sets.join(reader, place);
                sets.note(place, Method::Shape);
            }
        }
    }
}
