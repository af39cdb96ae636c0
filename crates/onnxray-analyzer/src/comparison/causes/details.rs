//! Parameters in which the two sides of a group differ.

use super::precision::precision;
use crate::comparison::{Group, Side};
use onnxray_format::{Block, CONDITIONS, Operator, Tensor};
use std::collections::BTreeSet;

/// A parameter that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// `kernel`, `input shapes`, `FLOPs`, or the name of an ONNX attribute.
    pub parameter: String,
    /// Blank where a side does not have it.
    pub values: [String; 2],
}

/// Compares the operators that take most time on each side, then all types of the group.
pub(crate) fn details(
    main: [Option<&Operator>; 2],
    group: &Group,
    operators: &[Vec<Operator>; 2],
) -> Vec<Detail> {
    let [Some(a), Some(b)] = main else { return Vec::new() };
    let mut details = Vec::new();
    let mut compare = |parameter: &str, values: [String; 2]| {
        if values[0] != values[1] {
            details.push(Detail { parameter: parameter.to_string(), values });
        }
    };
    let both = [a, b];
    compare("type", both.map(|operator| operator.operator_type.clone()));
    compare("precision", both.map(|operator| precision(operator).to_string()));
    compare("kernel", both.map(|operator| operator.kernel.clone().unwrap_or_default()));
    compare("input shapes", both.map(|operator| shapes(&operator.inputs)));
    compare("input types", both.map(|operator| types(&operator.inputs)));
    compare("output shapes", both.map(|operator| shapes(&operator.outputs)));
    compare("output types", both.map(|operator| types(&operator.outputs)));
    compare("weight shape", both.map(|o| text(o.weight.as_ref().map(|w| w.matrix_shape()))));
    for block in Block::ALL {
        let ratio = |operator: &Operator| {
            let ratio = operator.weight.as_ref().and_then(|weight| weight.sparse_ratio(block));
            text(ratio.map(|ratio| format!("{:.1} %", ratio * 100.0)))
        };
        compare(&format!("sparsity {block}"), both.map(ratio));
    }
    for (name, costs) in [
        ("FLOPs", both.map(|operator| operator.flops)),
        ("bytes", both.map(|operator| operator.bytes)),
        ("parameters", both.map(|operator| operator.parameters)),
    ] {
        // What one side does not tell is not a difference.
        if let [Some(first), Some(second)] = costs {
            compare(name, [first.to_string(), second.to_string()]);
        }
    }
    compare("fused", both.map(|operator| operator.post_ops.join(", ")));
    let names: BTreeSet<&String> = a.attributes.keys().chain(b.attributes.keys()).collect();
    // How a block was timed says nothing of it.
    for name in names.into_iter().filter(|name| !CONDITIONS.contains(&name.as_str())) {
        let value =
            |operator: &Operator| operator.attributes.get(name).cloned().unwrap_or_default();
        compare(name, both.map(value));
    }
    let list = |side: Side| {
        let members = group.members(side).iter();
        let of_side = &operators[side as usize];
        let types = members.filter_map(|member| of_side.get(member.operator as usize));
        let types: Vec<&str> = types.map(|operator| operator.operator_type.as_str()).collect();
        types.join(" + ")
    };
    compare("operators", [list(Side::A), list(Side::B)]);
    details
}

fn text(value: Option<String>) -> String {
    value.unwrap_or_default()
}

fn shapes(tensors: &[Tensor]) -> String {
    tensors.iter().map(|tensor| tensor.shape_text("x")).collect::<Vec<_>>().join("; ")
}

fn types(tensors: &[Tensor]) -> String {
    tensors.iter().map(Tensor::type_text).collect::<Vec<_>>().join("; ")
}
