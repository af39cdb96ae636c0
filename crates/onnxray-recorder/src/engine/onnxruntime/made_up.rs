//! Nodes whose names the runtime makes up, found in the profile of another session.
//!
//! Names such as `ReorderOutput_token_45` and `Transpose_12` are given in an order that is not
//! the same in each session, even of one model: the one of a profile is another node's in the
//! graph that was saved. What stays is the order in which nodes of a kind run.

use super::executed_node::ExecutedNode;
use onnxray_format::{Operator, Tensor};
use std::collections::HashMap;

/// Whether a name says the type of a node and nothing else.
pub(super) fn is_made_up(name: &str, operator_type: &str) -> bool {
    let rest = name.strip_prefix(operator_type).map(|rest| rest.strip_prefix("_token"));
    let number = match (rest, name.strip_prefix(operator_type)) {
        (_, Some("")) => return true,
        (Some(Some(number)), _) | (Some(None), Some(number)) => number.strip_prefix('_'),
        _ => None,
    };
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Tells nodes apart by holder, type and shapes of tensors.
type Kind<'a> = (Option<usize>, &'a str, Vec<Option<&'a [u64]>>);

/// Gives those of the `operators` of a profile whose names are `made_up` the numbers of `nodes`
/// of such names: those of one kind follow each other in the same order. Where there are more
/// of a kind, or fewer, nothing changes.
pub(super) fn renumber(
    operators: &[Operator],
    made_up: &[usize],
    nodes: &[(usize, &ExecutedNode)],
    numbers: &mut [Option<usize>],
) {
    // By order alone first, then by shapes, which tell more and overwrite it where they fit.
    for with_shapes in [false, true] {
        let mut ran: HashMap<Kind, Vec<usize>> = HashMap::new();
        for &position in made_up {
            let operator = &operators[position];
            let parent = operator.parent.and_then(|parent| numbers[parent as usize]);
            let kind = kind(
                parent,
                &operator.operator_type,
                &operator.inputs,
                &operator.outputs,
                with_shapes,
            );
            ran.entry(kind).or_default().push(position);
        }
        let mut known: HashMap<Kind, Vec<usize>> = HashMap::new();
        for (number, node) in nodes {
            let parent = node.home.as_ref().map(|(holder, _)| *holder);
            let kind = kind(parent, &node.operator_type, &node.inputs, &node.outputs, with_shapes);
            known.entry(kind).or_default().push(*number);
        }
        for (kind, positions) in ran {
            let Some(known) = known.get(&kind).filter(|known| known.len() == positions.len())
            else {
                continue;
            };
            for (position, number) in positions.into_iter().zip(known) {
                numbers[position] = Some(*number);
            }
        }
    }
}

fn kind<'a>(
    parent: Option<usize>,
    operator_type: &'a str,
    inputs: &'a [Tensor],
    outputs: &'a [Tensor],
    with_shapes: bool,
) -> Kind<'a> {
    let tensors = inputs.iter().chain(outputs).filter(|_| with_shapes);
    (parent, operator_type, tensors.map(|tensor| tensor.shape.as_deref()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_made_up() {
        for name in ["ReorderOutput", "ReorderOutput_token_45", "ReorderOutput_12"] {
            assert!(is_made_up(name, "ReorderOutput"), "{name}");
        }
        for name in ["/a/ReorderOutput", "ReorderOutput_of_it", "ReorderOutput_token_", "Other"] {
            assert!(!is_made_up(name, "ReorderOutput"), "{name}");
        }
    }

    #[test]
    fn nodes_of_a_kind_follow_each_other() {
        let tensor =
            |size| Tensor { name: "t".to_string(), data_type: None, shape: Some(vec![size]) };
        let node = |size| ExecutedNode {
            name: String::new(),
            operator_type: "Reorder".to_string(),
            provider: None,
            position: None,
            home: None,
            allocated_bytes: None,
            executions: 1,
            inputs: vec![tensor(size)],
            outputs: Vec::new(),
        };
        let nodes = [node(1), node(2), node(2)];
        let nodes: Vec<(usize, &ExecutedNode)> = (5..).zip(&nodes).collect();
        let operator = |size| Operator {
            operator_type: "Reorder".to_string(),
            inputs: vec![tensor(size)],
            ..Operator::default()
        };
        // In parallel branches, the order may be another one.
        let operators = [operator(2), operator(1), operator(2)];
        let mut numbers = vec![Some(5), None, Some(5)];
        renumber(&operators, &[0, 1, 2], &nodes, &mut numbers);
        assert_eq!(numbers, [Some(6), Some(5), Some(7)]);
        // With other shapes, as of another step, the order is all there is.
        let operators = [operator(3), operator(4), operator(3)];
        renumber(&operators, &[0, 1, 2], &nodes, &mut numbers);
        assert_eq!(numbers, [Some(5), Some(6), Some(7)]);
        let mut fewer = vec![Some(5), Some(6)];
        renumber(&operators[..2], &[0, 1], &nodes, &mut fewer);
        assert_eq!(fewer, [Some(5), Some(6)]);
    }
}
