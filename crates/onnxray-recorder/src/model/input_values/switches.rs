//! Inputs of one element by which a model chooses what it computes, and what they may be.

use super::readers::{Reader, readers};
use crate::model::graph::Graph;
use onnxray_format::DataType;

/// Values of an input of one element, those that the model names first; empty where the model
/// compares it with nothing.
pub(in crate::model) fn choices(graph: &Graph, name: &str, data_type: DataType) -> Vec<f64> {
    let readers = readers(graph, None, name);
    let chooses = |reader: &Reader| reader.node.operator_type == "If" && reader.position == 0;
    if data_type == DataType::Bool || readers.iter().any(chooses) {
        let is_read_so = |reader: &Reader| {
            chooses(reader)
                || ["And", "Or", "Xor", "Where"].contains(&reader.node.operator_type.as_str())
        };
        return if readers.iter().any(is_read_so) { vec![1.0, 0.0] } else { Vec::new() };
    }
    let (mut equal, mut near) = (Vec::new(), Vec::new());
    for reader in &readers {
        // The other operand of a comparison, if it is a lone constant.
        let Some(&[number]) = reader.numbers(1 - reader.position.min(1)) else { continue };
        match reader.node.operator_type.as_str() {
            "Equal" => equal.push(number),
            "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" => {
                // One on either side and the bound itself: both ways, with or without equality.
                near.extend([number + 1.0, number - 1.0, number]);
            }
            _ => {}
        }
    }
    // What is none of them takes the other way.
    let largest = equal.iter().copied().reduce(f64::max);
    let other = largest.map(|largest| largest + 1.0);
    let mut choices: Vec<f64> = Vec::new();
    for choice in equal.into_iter().chain(near).chain(other) {
        let is_possible = data_type != DataType::U8 || (0.0..=255.0).contains(&choice);
        if is_possible && !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    choices.truncate(MOST);
    choices
}

/// Most values that are tried.
const MOST: usize = 8;
