//! Small tables of operators, and alignments as text.

use onnxray_analyzer::comparison::{Alignment, Group, Member, Method, Side, align};
use onnxray_format::{DataType, Operator, Tensor, Weight};

/// An operator of a type, by its name.
pub(crate) fn operator(operator_type: &str, name: &str) -> Operator {
    let (name, operator_type) = (name.to_string(), operator_type.to_string());
    Operator { name, operator_type, ..Operator::default() }
}

pub(crate) trait With {
    fn nodes(self, nodes: &[&str]) -> Self;
    fn reads(self, tensor: &str, shape: &[u64]) -> Self;
    fn writes(self, tensor: &str, shape: &[u64]) -> Self;
    fn weight(self, name: &str) -> Self;
    /// Without tensors.
    fn bare(self) -> Self;
}

/// A tensor; no dimensions are unknown ones.
fn tensor(name: &str, shape: &[u64]) -> Tensor {
    let shape = (!shape.is_empty()).then(|| shape.to_vec());
    Tensor { name: name.to_string(), data_type: None, shape }
}

impl With for Operator {
    fn nodes(mut self, nodes: &[&str]) -> Operator {
        self.nodes = nodes.iter().map(ToString::to_string).collect();
        self
    }

    fn reads(mut self, name: &str, shape: &[u64]) -> Operator {
        self.inputs.push(tensor(name, shape));
        self
    }

    fn writes(mut self, name: &str, shape: &[u64]) -> Operator {
        self.outputs.push(tensor(name, shape));
        self
    }

    fn weight(mut self, name: &str) -> Operator {
        self.weight = Some(Weight {
            name: name.to_string(),
            data_type: DataType::Fp32,
            stored_shape: vec![4, 4],
            outputs: 4,
            inputs: 4,
            sparse_ratios: Vec::new(),
            magnitudes: Vec::new(),
        });
        self
    }

    fn bare(mut self) -> Operator {
        self.inputs.clear();
        self.outputs.clear();
        self
    }
}

/// Groups as `operators of A = operators of B`, in alphabetic order.
pub(crate) fn shown(a: &[Operator], b: &[Operator]) -> Vec<String> {
    let names = |members: &[Member], operators: &[Operator]| {
        let names: Vec<&str> =
            members.iter().map(|member| &*operators[member.operator as usize].name).collect();
        names.join(" + ")
    };
    let text = |group: &Group| {
        let text = format!("{} = {}", names(&group.a, a), names(&group.b, b));
        text.trim().to_string()
    };
    sorted(align(a, b).groups.iter().map(text).collect())
}

pub(crate) fn sorted(mut groups: Vec<String>) -> Vec<String> {
    groups.sort();
    groups
}

/// The other way around.
pub(crate) fn mirror(group: &str) -> String {
    let (a, b) = group.split_once('=').unwrap();
    format!("{} = {}", b.trim(), a.trim()).trim().to_string()
}

/// Checks the groups, and that swapping the sides swaps them.
#[track_caller]
pub(crate) fn check(a: &[Operator], b: &[Operator], expected: &[&str]) {
    let expected = sorted(expected.iter().map(ToString::to_string).collect());
    assert_eq!(shown(a, b), expected);
    let mirrored = expected.iter().map(|group| mirror(group)).collect();
    assert_eq!(shown(b, a), sorted(mirrored), "the other way around");
}

/// How the groups were matched.
pub(crate) fn methods(a: &[Operator], b: &[Operator]) -> Vec<Option<Method>> {
    align(a, b).groups.iter().map(Group::method).collect()
}

/// Operators of a side, over all groups.
pub(crate) fn count(alignment: &Alignment, side: Side) -> usize {
    alignment.groups.iter().map(|group| group.members(side).len()).sum()
}

/// Checks that each operator of each side is in exactly one group.
#[track_caller]
pub(crate) fn check_that_all_are_there(a: &[Operator], b: &[Operator]) {
    let alignment = align(a, b);
    for (side, operators) in [(Side::A, a), (Side::B, b)] {
        let members = alignment.groups.iter().flat_map(|group| group.members(side));
        let mut found: Vec<usize> = members.map(|member| member.operator as usize).collect();
        found.sort_unstable();
        assert_eq!(found, (0..operators.len()).collect::<Vec<_>>(), "{side:?}");
    }
    assert!(alignment.groups.iter().all(|group| !(group.a.is_empty() && group.b.is_empty())));
}
