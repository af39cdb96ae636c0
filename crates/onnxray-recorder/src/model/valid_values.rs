//! Which values of an input are valid for the operators that read it: an index lies in its
//! table, a size is positive, axes differ.

use super::graph::{Graph, Node};
use super::tensor_table::TensorTable;
use std::collections::HashSet;

/// Values that operators take.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValidValues {
    /// Whole numbers from 0 to below it.
    Below(u64),
    /// These, again and again.
    These(Vec<i64>),
}

impl ValidValues {
    /// What is valid for both: a wrong index ends a run as any other wrong value does, but one
    /// that an operator states exactly cannot be drawn.
    fn and(self, other: ValidValues) -> ValidValues {
        match (self, other) {
            (ValidValues::Below(a), ValidValues::Below(b)) => ValidValues::Below(a.min(b)),
            (ValidValues::Below(_), these) | (these, _) => these,
        }
    }
}

/// What the operators demand that read an input, found by following it through nodes that keep
/// its values; `None` where any value will do.
pub(super) fn valid_values(
    graph: &Graph,
    tensors: &TensorTable,
    name: &str,
) -> Option<ValidValues> {
    #[rustfmt::skip] // one a line would take pages
    const KEEPS_VALUES: [&str; 12] = [
        "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Slice",
        "Expand", "Concat", "Tile", "Clip",
    ];
    let mut valid: Option<ValidValues> = None;
    let mut pending = vec![name.to_string()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(tensor) = pending.pop() {
        for &index in graph.consumers.get(&tensor).into_iter().flatten() {
            let node = &graph.nodes[index];
            for position in (0..node.inputs.len()).filter(|&input| node.inputs[input] == tensor) {
                let here = of_input(node, position, tensors);
                valid = match (valid, here) {
                    (Some(valid), Some(here)) => Some(valid.and(here)),
                    (valid, here) => valid.or(here),
                };
            }
            if KEEPS_VALUES.contains(&node.operator_type.as_str())
                && node.input(0) == Some(tensor.as_str())
            {
                pending.extend(
                    node.outputs.iter().filter(|name| seen.insert((*name).clone())).cloned(),
                );
            }
        }
    }
    valid
}

/// What an operator demands of one of its inputs.
fn of_input(node: &Node, position: usize, tensors: &TensorTable) -> Option<ValidValues> {
    use ValidValues::{Below, These};
    let shape = |input: usize| node.input(input).and_then(|name| tensors.shape(name));
    // Elements of a list, such as one of axes.
    let length = || shape(position).map_or(1, |shape| shape.iter().product::<u64>());
    let operator_type = node.operator_type.as_str();
    match (operator_type, position) {
        ("Gather" | "GatherElements" | "Scatter" | "ScatterElements", 1) => {
            axis_size(node, shape(0)?).map(Below)
        }
        ("GatherND" | "ScatterND", 1) => Some(Below(shape(0)?.iter().copied().min()?)),
        ("RoiAlign", 2) | ("MaxUnpool", 1) => Some(Below(1)),
        // Sizes, counts, steps, divisors and scales.
        ("ConstantOfShape" | "Loop" | "HannWindow" | "HammingWindow" | "BlackmanWindow", 0)
        | ("OneHot" | "Expand" | "Tile" | "TopK" | "CenterCropPad" | "Upsample", 1)
        | ("QuantizeLinear" | "DequantizeLinear" | "ReverseSequence" | "DFT" | "STFT", 1)
        | ("Range" | "Resize", 2)
        | ("Slice" | "RNN" | "GRU" | "LSTM" | "BatchNormalization", 4)
        | ("Div" | "Mod", 1) => Some(These(vec![1])),
        // As long as the window that it is weighted by.
        ("STFT", 3) => {
            Some(These(vec![shape(2).map_or(1, |shape| shape.iter().product::<u64>()) as i64]))
        }
        ("CumSum", 1) => Some(These(vec![0])),
        ("Unsqueeze", 1) | ("Slice", 3) => Some(These((0..length().min(64) as i64).collect())),
        (reduction, 1) if reduction.starts_with("Reduce") => {
            Some(These((0..length().min(64) as i64).collect()))
        }
        ("Squeeze", 1) => {
            let places = (0..).zip(shape(0)?);
            let of_one: Vec<i64> =
                places.filter(|(_, size)| **size == 1).map(|(place, _)| place).collect();
            (!of_one.is_empty()).then_some(These(of_one))
        }
        // The last axis takes what the others leave.
        ("Reshape", 1) => {
            let mut sizes = vec![1; length().clamp(1, 64) as usize];
            *sizes.last_mut()? = -1;
            Some(These(sizes))
        }
        ("Resize", 3) => Some(These(shape(0)?.iter().map(|&size| size as i64).collect())),
        ("Split", 1) => {
            let (size, parts) = (axis_size(node, shape(0)?)?, length().clamp(1, 1024));
            let mut sizes = vec![(size / parts) as i64; parts as usize];
            *sizes.last_mut()? += (size % parts) as i64;
            Some(These(sizes))
        }
        _ => None,
    }
}

/// The size of the axis that a node works along.
fn axis_size(node: &Node, shape: &[u64]) -> Option<u64> {
    let axis = node.int("axis").unwrap_or(0);
    let axis = if axis < 0 { axis + shape.len() as i64 } else { axis };
    shape.get(usize::try_from(axis).ok()?).copied()
}
