//! Joins what an ONNX model says of its nodes to the operators of a trace.
//!
//! An operator's nodes are found by name: the nodes that the trace states, the
//! operator's own name, or the names of its tensors, which some runtimes use in
//! place of names of nodes. For ONNX Runtime there are rules of its own.

mod model_nodes;
mod onnxruntime;

use crate::Launch;
pub use model_nodes::ModelNodes;
use onnxray_format::Operator;
use std::collections::{BTreeSet, HashMap};

/// What came together and what did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// Operators with at least one node.
    pub matched: usize,
    /// Names of operators without a node.
    pub operators_without_node: Vec<String>,
    /// Names of nodes that no operator stands for, without those of the same result for all
    /// inputs: runtimes compute these once, while they load the model.
    pub nodes_without_operator: Vec<String>,
}

/// Adds facts of the nodes of a `model` to the launch's operators. What the trace states itself
/// stands; only the type becomes the ONNX op type, if it is not that of a kernel that ran.
pub fn join(launch: &mut Launch, model: &ModelNodes) -> Joined {
    let ModelNodes { nodes, constant, .. } = model;
    let of_onnx_runtime = launch.run.is_of_onnx_runtime();
    let own_nodes: Vec<BTreeSet<usize>> = match of_onnx_runtime {
        true => onnxruntime::nodes_of(&launch.operators, model),
        false => {
            let index = Index::new(nodes);
            launch.operators.iter().map(|operator| index.nodes_of(operator)).collect()
        }
    };
    let mut joined = Joined::default();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for (operator, own) in launch.operators.iter_mut().zip(&own_nodes) {
        if operator.device {
            continue;
        }
        if own.is_empty() {
            joined.operators_without_node.push(operator.name.clone());
            continue;
        }
        joined.matched += 1;
        used.extend(own);
        let group: Vec<&Operator> = own.iter().map(|&node| &nodes[node]).collect();
        describe(operator, &group, of_onnx_runtime);
    }
    let is_constant = |node: usize| constant.get(node).copied().unwrap_or_default();
    let without = (0..nodes.len()).filter(|node| !used.contains(node) && !is_constant(*node));
    joined.nodes_without_operator = without.map(|node| nodes[node].name.clone()).collect();
    joined
}

/// Nodes by their names and by the tensors that they write.
struct Index<'a> {
    nodes: &'a [Operator],
    by_name: HashMap<&'a str, usize>,
    by_output: HashMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    fn new(nodes: &'a [Operator]) -> Index<'a> {
        let mut by_name = HashMap::new();
        let mut by_output = HashMap::new();
        for (position, node) in nodes.iter().enumerate() {
            by_name.entry(node.name.as_str()).or_insert(position);
            for output in &node.outputs {
                by_output.entry(output.name.as_str()).or_insert(position);
            }
        }
        Index { nodes, by_name, by_output }
    }

    /// Positions of the nodes behind an operator, in graph order.
    fn nodes_of(&self, operator: &Operator) -> BTreeSet<usize> {
        if operator.device {
            // What it does is the work of the operator that launched it.
            return BTreeSet::new();
        }
        let stated: BTreeSet<usize> =
            operator.nodes.iter().filter_map(|name| self.find(name)).collect();
        match stated.first() {
            Some(&node) if stated.len() == 1 => return self.fused(node, &operator.operator_type),
            Some(_) => return stated,
            None => {}
        }
        if let Some(node) = self.find(&operator.name) {
            return self.fused(node, &operator.operator_type);
        }
        let outputs = operator.outputs.iter();
        outputs.filter_map(|tensor| self.by_output.get(tensor.name.as_str()).copied()).collect()
    }

    /// A node and those in front of it that were fused with it. An operator of
    /// several nodes may bear the last one's name: then its type is that of the
    /// first.
    fn fused(&self, last: usize, operator_type: &str) -> BTreeSet<usize> {
        const MOST_FUSED: usize = 4;
        let wanted = operator_type.strip_prefix("Fused").unwrap_or(operator_type);
        let is_wanted = |node: usize| self.nodes[node].operator_type == wanted;
        let mut chain = BTreeSet::from([last]);
        let mut node = last;
        while !is_wanted(node) && chain.len() < MOST_FUSED {
            let input = self.nodes[node].inputs.first();
            let producer = input.and_then(|input| self.by_output.get(input.name.as_str()));
            match producer {
                Some(&producer) if chain.insert(producer) => node = producer,
                _ => break,
            }
        }
        if is_wanted(node) { chain } else { BTreeSet::from([last]) }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).or_else(|| self.by_output.get(name)).copied()
    }
}

/// Adds what the nodes behind an operator tell. Where its type is that of what ran, it stays.
fn describe(operator: &mut Operator, nodes: &[&Operator], ran_as_typed: bool) {
    let heavy = nodes.iter().position(|node| node.weight.is_some());
    // An Erf stays one where the engine fused it with the Div before it.
    let of_its_type = nodes.iter().position(|node| node.operator_type == operator.operator_type);
    let naming = nodes[heavy.or(of_its_type).unwrap_or(0)];
    operator.node_types = nodes.iter().map(|node| node.operator_type.clone()).collect();
    if operator.operator_type != naming.operator_type && !ran_as_typed {
        let engine_type =
            std::mem::replace(&mut operator.operator_type, naming.operator_type.clone());
        if operator.kernel.is_none() {
            operator.kernel = Some(engine_type);
        } else {
            operator.attributes.insert("engine type".to_string(), engine_type);
        }
    }
    operator.nodes = nodes.iter().map(|node| node.name.clone()).collect();
    if operator.post_ops.is_empty() {
        let behind = &nodes[heavy.map_or(nodes.len(), |heavy| heavy + 1)..];
        operator.post_ops = behind.iter().map(|node| node.operator_type.clone()).collect();
    }
    let sum = |part: fn(&Operator) -> Option<u64>| -> Option<u64> {
        nodes.iter().try_fold(0u64, |sum, node| sum.checked_add(part(node)?))
    };
    operator.flops = operator.flops.or_else(|| sum(|node| node.flops));
    operator.parameters = operator.parameters.or_else(|| sum(|node| node.parameters));
    operator.weight = operator.weight.take().or_else(|| naming.weight.clone());
    operator.sparse_support |= naming.sparse_support;
    // The trace knows the shapes that ran; the model knows the names.
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    adopt(&mut operator.inputs, &first.inputs);
    adopt(&mut operator.outputs, &last.outputs);
    if operator.bytes.is_none() && nodes.len() == 1 {
        operator.bytes = first.bytes;
    }
    for (name, value) in &naming.attributes {
        operator.attributes.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

/// Takes the model's tensors if the trace has none, and their names if the trace
/// has as many without names of their own.
fn adopt(stated: &mut Vec<onnxray_format::Tensor>, model: &[onnxray_format::Tensor]) {
    if stated.is_empty() {
        *stated = model.to_vec();
        return;
    }
    let nameless = stated.iter().all(|tensor| is_placeholder(&tensor.name));
    if nameless && stated.len() == model.len() {
        for (stated, model) in stated.iter_mut().zip(model) {
            stated.name.clone_from(&model.name);
            stated.data_type = stated.data_type.or(model.data_type);
            stated.shape = stated.shape.take().or_else(|| model.shape.clone());
        }
    }
}

/// Whether a tensor's name is only its place: `input 0`.
fn is_placeholder(name: &str) -> bool {
    let number = name.strip_prefix("input ").or_else(|| name.strip_prefix("output "));
    name.is_empty() || number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{DataType, Tensor, Weight};

    fn tensor(name: &str) -> Tensor {
        Tensor { name: name.to_string(), data_type: None, shape: None }
    }

    fn node(number: u32, name: &str, kind: &str, input: &str, output: &str) -> Operator {
        let weight = (kind == "Conv").then(|| Weight {
            name: format!("{name}.weight"),
            data_type: DataType::Fp32,
            stored_shape: vec![8, 3, 3, 3],
            outputs: 8,
            inputs: 27,
            sparse_ratios: Vec::new(),
            magnitudes: Vec::new(),
        });
        Operator {
            number,
            name: name.to_string(),
            operator_type: kind.to_string(),
            inputs: vec![tensor(input)],
            outputs: vec![tensor(output)],
            sparse_support: weight.is_some(),
            weight,
            flops: Some(100 + u64::from(number)),
            ..Operator::default()
        }
    }

    fn model() -> Vec<Operator> {
        vec![
            node(0, "/a/Conv", "Conv", "x", "a"),
            node(1, "/a/Clip", "Clip", "a", "b"),
            node(2, "/b/Conv", "Conv", "b", "c"),
            node(3, "/b/Relu", "Relu", "c", "y"),
            node(4, "/unused", "Cast", "y", "z"),
        ]
    }

    fn run(operators: Vec<Operator>) -> (Vec<Operator>, Joined) {
        let mut launch = Launch { operators, ..Launch::default() };
        let joined = join(&mut launch, &ModelNodes { nodes: model(), ..ModelNodes::default() });
        (launch.operators, joined)
    }

    fn executed(name: &str, kind: &str, nodes: &[&str]) -> Operator {
        Operator {
            name: name.to_string(),
            operator_type: kind.to_string(),
            nodes: nodes.iter().map(|name| name.to_string()).collect(),
            ..Operator::default()
        }
    }

    #[test]
    fn an_operator_named_after_its_last_output_is_all_that_was_fused() {
        let (operators, joined) = run(vec![executed("b", "Conv", &["b"])]);
        assert_eq!(operators[0].nodes, ["/a/Conv", "/a/Clip"]);
        assert_eq!(operators[0].operator_type, "Conv");
        assert_eq!(operators[0].post_ops, ["Clip"]);
        assert_eq!(operators[0].flops, Some(201));
        assert_eq!(operators[0].weight.as_ref().unwrap().name, "/a/Conv.weight");
        assert!(operators[0].sparse_support);
        assert_eq!(joined.matched, 1);
        assert_eq!(joined.nodes_without_operator, ["/b/Conv", "/b/Relu", "/unused"]);
    }

    #[test]
    fn nodes_that_the_trace_states_are_taken_as_they_are() {
        let stated =
            executed("/a/Conv + /a/Clip + x", "CaskConvolution", &["/a/Conv", "/a/Clip", "x?"]);
        let (operators, joined) = run(vec![stated, executed("Reorder", "Reorder", &[])]);
        assert_eq!(operators[0].nodes, ["/a/Conv", "/a/Clip"]);
        assert_eq!(operators[0].operator_type, "Conv");
        assert_eq!(operators[0].kernel.as_deref(), Some("CaskConvolution"));
        assert_eq!(operators[1].operator_type, "Reorder", "what has no node stays as it is");
        assert_eq!(joined.operators_without_node, ["Reorder"]);
    }

    #[test]
    fn what_the_trace_states_itself_stands() {
        let mut stated = executed("/b/Relu", "Relu", &["/b/Relu"]);
        stated.flops = Some(7);
        stated.outputs =
            vec![Tensor { name: "output 0".to_string(), data_type: None, shape: Some(vec![4]) }];
        let (operators, _) = run(vec![stated]);
        assert_eq!(operators[0].flops, Some(7));
        assert_eq!(operators[0].outputs[0].name, "y", "the model knows the name");
        assert_eq!(operators[0].outputs[0].shape, Some(vec![4]), "the trace knows the shape");
        // A tensor's name is as good as a node's.
        let (operators, _) = run(vec![executed("c", "Conv", &[])]);
        assert_eq!(operators[0].nodes, ["/b/Conv"]);
    }

    #[test]
    fn a_node_of_the_operator_s_type_names_it_where_none_has_weights() {
        let nodes = vec![
            node(0, "/g/Div", "Div", "x", "d"),
            node(1, "/g/Erf", "Erf", "d", "e"),
            node(2, "/g/Mul", "Mul", "e", "g"),
        ];
        let erf = executed("/g/Erf", "Erf", &["/g/Div", "/g/Erf", "/g/Mul"]);
        let mut launch = Launch { operators: vec![erf], ..Launch::default() };
        join(&mut launch, &ModelNodes { nodes, ..ModelNodes::default() });
        let erf = &launch.operators[0];
        assert_eq!(erf.operator_type, "Erf");
        assert_eq!(erf.kernel, None);
        assert_eq!(erf.node_types, ["Div", "Erf", "Mul"]);
    }

    fn executed_by_onnx_runtime(operators: Vec<Operator>, constant: &[bool]) -> (Launch, Joined) {
        let run = onnxray_format::Run { engine: "ONNX Runtime".to_string(), ..Default::default() };
        let mut launch = Launch { operators, run, ..Launch::default() };
        let mut nodes = model();
        nodes.extend([node(5, "/g/Erf", "Erf", "z", "e"), node(6, "/g/Mul", "Mul", "e", "g")]);
        nodes.push(node(7, "/h/Shape", "Shape", "x", "s"));
        let model = ModelNodes { nodes, constant: constant.to_vec(), calls: Vec::new() };
        let joined = join(&mut launch, &model);
        (launch, joined)
    }

    #[test]
    fn what_onnx_runtime_fused_leads_to_its_nodes() {
        let operators = vec![
            executed("b_nchwc", "Conv", &[]),
            executed("/b/Conv_token_3", "QLinearConv", &[]),
            executed("/unused/CastFusion/", "Cast", &[]),
            executed("Gelu_token_0", "Gelu", &[]),
            executed("ReorderOutput", "ReorderOutput", &[]),
        ];
        let mut constant = [false; 8];
        constant[7] = true;
        let (launch, joined) = executed_by_onnx_runtime(operators, &constant);
        let nodes: Vec<&[String]> = launch.operators.iter().map(|o| o.nodes.as_slice()).collect();
        assert_eq!(nodes[0], ["/a/Conv", "/a/Clip"]);
        assert_eq!(nodes[1], ["/b/Conv", "/b/Relu"]);
        assert_eq!(nodes[2], ["/unused"]);
        assert_eq!(nodes[3], ["/g/Erf", "/g/Mul"]);
        assert_eq!(launch.operators[3].operator_type, "Gelu", "the type of what ran stays");
        assert_eq!(launch.operators[3].node_types, ["Erf", "Mul"]);
        assert_eq!(joined.operators_without_node, ["ReorderOutput"]);
        assert!(joined.nodes_without_operator.is_empty(), "a constant is folded: {joined:?}");
    }

    #[test]
    fn nodes_that_several_operators_could_have_are_counted() {
        let operators = vec![
            executed("b_nchwc", "Conv", &[]),
            executed("c", "Conv", &[]),
            executed("made of anything", "FusedElementwise", &[]),
        ];
        let (launch, joined) = executed_by_onnx_runtime(operators, &[]);
        assert!(launch.operators[2].nodes.is_empty());
        let left = ["/b/Relu", "/unused", "/g/Erf", "/g/Mul", "/h/Shape"];
        assert_eq!(joined.nodes_without_operator, left);
    }
}
