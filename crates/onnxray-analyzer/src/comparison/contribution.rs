//! What the difference of the whole is made of.
//!
//! In each group, the type that takes most time on one side stands against that
//! of the other: the same work, done differently. Every other type of the group
//! is work of its own, such as a quantization that B adds. Causes of one name add
//! up over groups, and all causes to the difference of the whole.

use super::recording::type_name;
use super::timing::Measured;
use super::{Compared, ComparedGroup, Conservation, Side};
use crate::units::Milliseconds;
use onnxray_format::Operator;
use std::collections::{BTreeMap, HashMap};

/// A part of the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// `MatMul → MatMulInteger`, `DynamicQuantizeLinear, only in B`.
    pub name: String,
    /// Groups in which it is.
    pub groups: u64,
    /// Per iteration, by side; what a side does not have takes no time.
    pub means: [Milliseconds; 2],
    /// Mean of B minus mean of A.
    pub difference: Milliseconds,
    /// Of the difference of the whole, as a share; `None` if there is none.
    pub contribution: Option<f64>,
}

/// The largest part first. Empty if the sides have no common unit.
pub(crate) fn causes(
    groups: &[ComparedGroup],
    operators: &[Vec<Operator>; 2],
    measured: &[Measured; 2],
    conservation: &[Conservation; 2],
    total: &Compared,
) -> Vec<Cause> {
    let Some(whole) = total.change.mean_difference else { return Vec::new() };
    let mut found: BTreeMap<String, (u64, [f64; 2])> = BTreeMap::new();
    let mut add = |name: String, sums: [f64; 2]| {
        let (groups, known) = found.entry(name).or_default();
        *groups += 1;
        *known = [known[0] + sums[0], known[1] + sums[1]];
    };
    for group in groups {
        for (name, sums) in of_group(group, operators, measured) {
            add(name, sums);
        }
    }
    let sides = conservation.each_ref();
    if sides.iter().any(|side| side.overhead.is_some()) {
        add("overhead".to_string(), sides.map(|side| side.overhead.unwrap_or(0.0)));
    }
    if sides.iter().any(|side| side.concurrent > 0.0) {
        add("side by side".to_string(), sides.map(|side| -side.concurrent));
    }
    let mut causes: Vec<Cause> = found
        .into_iter()
        .map(|(name, (groups, sums))| {
            let means = [measured[0].mean(sums[0]), measured[1].mean(sums[1])];
            let difference = Milliseconds(means[1].0 - means[0].0);
            let contribution = (whole.0 != 0.0).then(|| difference.0 / whole.0);
            Cause { name, groups, means, difference, contribution }
        })
        .collect();
    causes.sort_by(|a, b| b.difference.0.abs().total_cmp(&a.difference.0.abs()));
    causes
}

/// Names and sums of the causes in a group.
fn of_group(
    group: &ComparedGroup,
    operators: &[Vec<Operator>; 2],
    measured: &[Measured; 2],
) -> Vec<(String, [f64; 2])> {
    let mut sums: HashMap<&str, [Option<f64>; 2]> = HashMap::new();
    for (side, number) in [(Side::A, 0), (Side::B, 1)] {
        for member in group.group.members(side) {
            let at = member.operator as usize;
            let Some(operator) = operators[number].get(at) else { continue };
            let time = measured[number].sums.get(at).copied().flatten().unwrap_or(0.0);
            let known = &mut sums.entry(type_name(operator)).or_default()[number];
            *known = Some(known.unwrap_or(0.0) + time);
        }
    }
    let [a, b] = group.types.each_ref().map(String::as_str);
    let mut causes = Vec::new();
    if group.group.is_matched() && a != b {
        let mut take = |name: &str, side: usize| {
            let known = sums.get_mut(name).and_then(|sums| sums[side].take());
            known.unwrap_or(0.0)
        };
        let pair = [take(a, 0), take(b, 1)];
        causes.push((format!("{a} → {b}"), pair));
    }
    for (name, sums) in sums {
        let name = match sums {
            [None, None] => continue,
            [Some(_), None] => format!("{name}, only in A"),
            [None, Some(_)] => format!("{name}, only in B"),
            [Some(_), Some(_)] => name.to_string(),
        };
        causes.push((name, sums.map(|sum| sum.unwrap_or(0.0))));
    }
    causes
}
