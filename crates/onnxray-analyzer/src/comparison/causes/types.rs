//! Operator types of both sides: time, share, and how many layers compute in
//! which precision.

use super::precision::precision;
use crate::comparison::judging::change::Judge;
use crate::comparison::recording::type_name;
use crate::units::{Milliseconds, Share};
use onnxray_format::Operator;
use std::collections::{BTreeMap, HashMap};

/// An operator type on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedType {
    /// ONNX op type, or the producer's own; `unknown` if it is blank.
    pub operator_type: String,
    /// `None` if the side has no operator of this type.
    pub sides: [Option<TypeSide>; 2],
}

/// An operator type on one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypeSide {
    /// Number of its operators.
    pub layers: u64,
    /// Layers by the element type they compute in.
    pub precisions: BTreeMap<&'static str, u64>,
    /// Of all its operators together, per iteration, of the kind of [`Comparison::layer_times`];
    /// `None` if no time is known.
    ///
    /// [`Comparison::layer_times`]: crate::comparison::Comparison::layer_times
    pub time: Option<Milliseconds>,
    /// Share of the whole that types are parts of.
    pub share: Option<Share>,
    /// Their numbers.
    members: Vec<u32>,
}

impl TypeSide {
    /// Time outside layers, such as framework overhead.
    pub fn of_time(time: Milliseconds, share: Option<Share>) -> TypeSide {
        TypeSide { time: Some(time), share, ..TypeSide::default() }
    }

    /// Several types as one; `None` if the side has none of them.
    pub fn sum<'a>(types: impl Iterator<Item = &'a TypeSide>) -> Option<TypeSide> {
        types.fold(None, |sum, side| {
            let mut sum: TypeSide = sum.unwrap_or_default();
            sum.layers += side.layers;
            for (name, count) in &side.precisions {
                *sum.precisions.entry(name).or_default() += count;
            }
            // What is not known of a type is missing in all sums.
            let add =
                |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(|a, b| a + b);
            sum.time = add(sum.time.map(|t| t.0), side.time.map(|t| t.0)).map(Milliseconds);
            sum.share = add(sum.share.map(|s| s.0), side.share.map(|s| s.0)).map(Share);
            Some(sum)
        })
    }
}

impl ComparedType {
    fn sort_time_ms(&self) -> f64 {
        self.sides.iter().flatten().filter_map(|side| side.time).map(|time| time.0).sum()
    }
}

/// Types of some operators with counts, in the order of first occurrence.
pub(in crate::comparison) fn list<'a>(operators: impl Iterator<Item = &'a Operator>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in operators.map(type_name) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let words = counts.iter().map(|&(name, count)| match count {
        1 => name.to_string(),
        _ => format!("{name} ({count})"),
    });
    words.collect::<Vec<_>>().join(" + ")
}

/// Types by time, largest sum of both sides first, and the `wholes` that they are parts of.
pub(crate) fn types(
    operators: &[Vec<Operator>; 2],
    judge: &Judge,
    wholes: [Milliseconds; 2],
) -> Vec<ComparedType> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut types: Vec<ComparedType> = Vec::new();
    for (side, operators) in operators.iter().enumerate() {
        for (number, operator) in (0..).zip(operators) {
            let name = type_name(operator);
            let position = *positions.entry(name).or_insert_with(|| {
                types.push(ComparedType { operator_type: name.to_string(), sides: [None, None] });
                types.len() - 1
            });
            let known = types[position].sides[side].get_or_insert_default();
            known.layers += 1;
            *known.precisions.entry(precision(operator)).or_default() += 1;
            known.members.push(number);
        }
    }
    for known in &mut types {
        let members =
            known.sides.each_ref().map(|side| side.as_ref().map_or(&[][..], |side| &side.members));
        let times = judge.times_of(members);
        for ((side, time), whole) in known.sides.iter_mut().zip(times).zip(wholes) {
            let Some(side) = side else { continue };
            side.time = time;
            side.share = time.filter(|_| whole.0 > 0.0).map(|time| Share(time.0 / whole.0));
        }
    }
    types.sort_by(|a, b| {
        b.sort_time_ms()
            .total_cmp(&a.sort_time_ms())
            // Types without times are all 0: by name, the order is the same in each run.
            .then_with(|| a.operator_type.cmp(&b.operator_type))
    });
    types
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_each_type_once() {
        let operator = |name: &str| Operator { operator_type: name.into(), ..Operator::default() };
        let operators = ["Add", "Div", "", "Add"].map(operator);
        assert_eq!(list(operators.iter()), "Add (2) + Div + unknown");
        assert_eq!(list([].iter()), "");
    }
}
