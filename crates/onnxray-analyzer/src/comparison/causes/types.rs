//! Operator types of both sides: time, share, and how many layers compute in
//! which precision.

use super::precision::precision;
use crate::comparison::recording::type_name;
use crate::comparison::timing::Measured;
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
    /// Per iteration; `None` if no time is known.
    pub mean: Option<Milliseconds>,
    /// Share of the whole.
    pub share: Option<Share>,
    sum: Option<f64>,
}

impl TypeSide {
    /// Time outside layers, such as framework overhead.
    pub fn of_time(mean: Milliseconds, share: Option<Share>) -> TypeSide {
        TypeSide { mean: Some(mean), share, ..TypeSide::default() }
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
            sum.mean = add(sum.mean.map(|m| m.0), side.mean.map(|m| m.0)).map(Milliseconds);
            sum.share = add(sum.share.map(|s| s.0), side.share.map(|s| s.0)).map(Share);
            sum.sum = add(sum.sum, side.sum);
            Some(sum)
        })
    }
}

impl ComparedType {
    fn sort_time_ms(&self) -> f64 {
        self.sides.iter().flatten().filter_map(|side| side.mean).map(|mean| mean.0).sum()
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

/// Types by time, largest sum of both sides first.
pub(crate) fn types(operators: &[Vec<Operator>; 2], measured: &[Measured; 2]) -> Vec<ComparedType> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut types: Vec<ComparedType> = Vec::new();
    for (side, measured) in measured.iter().enumerate() {
        for (number, operator) in operators[side].iter().enumerate() {
            let name = type_name(operator);
            let position = *positions.entry(name).or_insert_with(|| {
                types.push(ComparedType { operator_type: name.to_string(), sides: [None, None] });
                types.len() - 1
            });
            let known = types[position].sides[side].get_or_insert_default();
            known.layers += 1;
            *known.precisions.entry(precision(operator)).or_default() += 1;
            if let Some(sum) = measured.sums.get(number).copied().flatten() {
                known.sum = Some(known.sum.unwrap_or(0.0) + sum);
            }
        }
    }
    for known in &mut types {
        for (side, measured) in known.sides.iter_mut().zip(measured) {
            let Some(side) = side else { continue };
            side.mean = side.sum.map(|sum| measured.mean(sum));
            side.share =
                side.sum.filter(|_| measured.whole > 0.0).map(|sum| Share(sum / measured.whole));
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
