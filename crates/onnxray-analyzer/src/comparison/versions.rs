//! Recognizes versions of one model before anything was measured.

use super::result::SAME_MODEL;
use super::{Certainty, Side, align};
use onnxray_format::Operator;

/// Checks that enough of the operators of both align by more than their place: half of their
/// number, or of their FLOPs. [`Comparison::is_one_model`](super::Comparison::is_one_model) does so
/// for the time that they take.
pub fn are_versions(a: &[Operator], b: &[Operator]) -> bool {
    let operators = [a, b];
    let alignment = align(a, b);
    let sure = alignment.groups.iter().filter(|group| {
        group.method().is_some_and(|method| method.certainty() < Certainty::Possible)
    });
    let mut aligned = [vec![false; a.len()], vec![false; b.len()]];
    for group in sure {
        for side in [Side::A, Side::B] {
            for member in group.members(side) {
                aligned[side as usize][member.operator as usize] = true;
            }
        }
    }
    let is_enough = |weight: fn(&Operator) -> f64| {
        [0, 1].into_iter().all(|side| {
            let own = || operators[side].iter().map(weight);
            let found = own().zip(&aligned[side]).filter(|(_, aligned)| **aligned);
            let found: f64 = found.map(|(weight, _)| weight).sum();
            found >= SAME_MODEL * own().sum::<f64>()
        })
    };
    let flops = |operator: &Operator| operator.flops.unwrap_or(0) as f64;
    // Half of no FLOPs would be reached by any two models.
    let has_flops = operators.iter().all(|own| own.iter().map(flops).sum::<f64>() > 0.0);
    // Either: quantization adds many small operators, and FLOPs are unknown of some types.
    is_enough(|_| 1.0) || has_flops && is_enough(flops)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(types: &[(&str, &str, Option<u64>)]) -> Vec<Operator> {
        let operator =
            |(number, &(operator_type, name, flops)): (usize, &(&str, &str, _))| Operator {
                number: number as u32,
                name: name.to_string(),
                operator_type: operator_type.to_string(),
                nodes: vec![name.to_string()],
                flops,
                ..Operator::default()
            };
        types.iter().enumerate().map(operator).collect()
    }

    #[test]
    fn versions_have_most_nodes_or_most_work_in_common() {
        let a = model(&[("Conv", "c", Some(100)), ("Relu", "r", Some(1))]);
        let b = model(&[("Conv", "c", Some(100)), ("Cast", "x", None), ("Cast", "y", None)]);
        let other = model(&[("MatMul", "m", Some(100)), ("Softmax", "s", Some(1))]);
        assert!(are_versions(&a, &a));
        assert!(are_versions(&a, &b), "by FLOPs");
        assert!(!are_versions(&a, &other));
        let [moves, others] = [("Reshape", "r"), ("Gather", "g")]
            .map(|(operator_type, name)| model(&[(operator_type, name, None)]));
        assert!(!are_versions(&moves, &others), "without FLOPs, nodes alone decide");
        assert!(are_versions(&[], &[]), "nothing says that they are not");
    }
}
