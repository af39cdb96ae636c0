//! The rules, one by one, on graphs as ONNX Runtime makes them.

use super::*;
use std::collections::HashSet;

fn node<'a>(
    name: &'a str,
    operator_type: &'a str,
    inputs: &[&'a str],
    output: &'a str,
) -> ModelNode<'a> {
    let (inputs, outputs) = (inputs.to_vec(), vec![output]);
    ModelNode { name, operator_type, inputs, outputs, ..ModelNode::default() }
}

fn ran<'a>(
    name: &'a str,
    operator_type: &'a str,
    inputs: &[&'a str],
    outputs: &[&'a str],
) -> ExecutedNode<'a> {
    let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
    let operands = inputs.len();
    ExecutedNode { name, operator_type, inputs, outputs, operands, activation: None }
}

/// Names of the nodes of each executed node.
fn nodes_of<'a>(graph: &ModelGraph<'a>, executed: &[ExecutedNode]) -> Vec<Vec<&'a str>> {
    let names = |origin: Origin| origin.nodes.iter().map(|&node| graph.nodes[node].name).collect();
    origins(graph, executed).into_iter().map(names).collect()
}

/// Two convolutions of 8 bits, as ONNX Runtime's quantizer writes them: what quantizes a
/// tensor and what makes numbers of it again have one scale.
fn quantized() -> ModelGraph<'static> {
    let dequantize = |name, input, scale, output| {
        node(name, "DequantizeLinear", &[input, scale, "zero"], output)
    };
    let quantize =
        |name, input, scale, output| node(name, "QuantizeLinear", &[input, scale, "zero"], output);
    ModelGraph {
        nodes: vec![
            quantize("q0", "x", "s0", "x8"),
            dequantize("d0", "x8", "s0", "x32"),
            dequantize("dw0", "w0", "sw", "w0f"),
            node("conv0", "Conv", &["x32", "w0f"], "c0"),
            node("relu0", "Relu", &["c0"], "r0"),
            quantize("q1", "r0", "s1", "r8"),
            dequantize("d1", "r8", "s1", "r32"),
            dequantize("dw1", "w1", "sw", "w1f"),
            node("conv1", "Conv", &["r32", "w1f"], "c1"),
            quantize("q2", "c1", "s2", "c8"),
            dequantize("d2", "c8", "s2", "y"),
        ],
        weights: HashSet::from(["w0", "w1", "s0", "s1", "s2", "sw", "zero"]),
        ..ModelGraph::default()
    }
}

#[test]
fn whoever_reads_the_scale_of_a_convolution_does_not_own_it() {
    let graph = quantized();
    for names in [["conv0_token_4", "conv1_token_5"], ["made of the first", "and of the second"]] {
        let executed = [
            ran("q0", "QuantizeLinear", &["x", "s0", "zero"], &["x8"]),
            ran(names[0], "QLinearConv", &["x8", "s0", "zero", "w0", "sw", "zero", "s1"], &["r8"]),
            ran(names[1], "QLinearConv", &["r8", "s1", "zero", "w1", "sw", "zero", "s2"], &["c8"]),
            ran("d2", "DequantizeLinear", &["c8", "s2", "zero"], &["y"]),
        ];
        let nodes = nodes_of(&graph, &executed);
        assert_eq!(nodes[0], ["q0"]);
        assert_eq!(nodes[1], ["d0", "dw0", "conv0", "relu0", "q1"], "{names:?}");
        assert_eq!(nodes[2], ["d1", "dw1", "conv1", "q2"], "{names:?}");
        assert_eq!(nodes[3], ["d2"]);
    }
}

#[test]
fn an_activation_fused_elsewhere_belongs_to_what_writes_its_result() {
    let graph = ModelGraph {
        nodes: vec![
            node("conv0", "Conv", &["x", "w0"], "c0"),
            node("sigmoid", "Sigmoid", &["c0"], "s"),
            node("mul", "Mul", &["c0", "s"], "m"),
            node("conv1", "Conv", &["m", "w1"], "c1"),
        ],
        weights: HashSet::from(["w0", "w1"]),
        ..ModelGraph::default()
    };
    let expected = [vec!["conv0"], vec!["sigmoid", "mul"], vec!["conv1"]];
    // In blocks of channels, tensors have other names.
    let blocked = [
        ran("c0_nchwc", "Conv", &["x", "reorder"], &["reorder_token_1"]),
        ran("mul/QuickGeluFusion/", "QuickGelu", &["reorder_token_1"], &["reorder_token_2"]),
        ran("c1_nchwc", "Conv", &["reorder_token_2", "reorder_token_3"], &["reorder_token_4"]),
    ];
    assert_eq!(nodes_of(&graph, &blocked), expected);
    let plain = [
        ran("conv0", "Conv", &["x", "w0"], &["c0"]),
        ran("QuickGelu_token_3", "QuickGelu", &["c0"], &["m"]),
        ran("conv1", "Conv", &["m", "w1"], &["c1"]),
    ];
    assert_eq!(nodes_of(&graph, &plain), expected);
    // A profile has no tensors.
    let read = [
        ran("conv0", "Conv", &[], &[]),
        ran("QuickGelu_token_3", "QuickGelu", &[], &[]),
        ran("conv1", "Conv", &[], &[]),
    ];
    assert_eq!(nodes_of(&graph, &read), expected);
}

#[test]
fn a_product_is_not_part_of_what_quantizes() {
    let graph = ModelGraph {
        nodes: vec![
            node("product", "MatMul", &["x", "w"], "p"),
            node("q", "QuantizeLinear", &["p", "s", "zero"], "y"),
        ],
        ..ModelGraph::default()
    };
    let executed = [
        ran("", "Unknown", &["x"], &["somewhere"]),
        ran("q", "QuantizeLinear", &["somewhere", "s", "zero"], &["y"]),
    ];
    assert_eq!(nodes_of(&graph, &executed)[1], ["q"]);
}

fn calls(calls: &[(&str, &str)]) -> Vec<Call> {
    let call = |(path, function): &(&str, &str)| Call {
        path: path.to_string(),
        function: function.to_string(),
    };
    calls.iter().map(call).collect()
}

#[test]
fn nodes_of_functions_are_those_of_their_calls() {
    let calls = calls(&[("first", "Block"), ("outer", "Outer"), ("outer/inner", "Block")]);
    let graph = ModelGraph {
        nodes: vec![
            node("first/mm", "MatMul", &["x", "w0"], "first/t"),
            node("first/relu", "Relu", &["first/t"], "h"),
            node("outer/inner/mm", "MatMul", &["h", "w1"], "outer/inner/t"),
            node("outer/inner/relu", "Relu", &["outer/inner/t"], "outer/b"),
            node("outer/sigmoid", "Sigmoid", &["outer/b"], "y"),
        ],
        calls: &calls,
        ..ModelGraph::default()
    };
    let expected: Vec<Vec<&str>> = graph.nodes.iter().map(|node| vec![node.name]).collect();
    // The runtime unfolds functions one level after the other.
    let names = [
        "_inlfunc_Block_mm",
        "_inlfunc_Block_relu",
        "_inlfunc_Block_token_7_mm",
        "_inlfunc_Block_token_7_relu",
        "_inlfunc_Outer_sigmoid",
    ];
    let read: Vec<ExecutedNode> = names
        .iter()
        .zip(&graph.nodes)
        .map(|(name, node)| ran(name, node.operator_type, &[], &[]))
        .collect();
    assert_eq!(nodes_of(&graph, &read), expected);
    // Whatever ran first: the results tell.
    let executed = [
        ran(names[2], "MatMul", &["h", "w1"], &["_inlfunc_Block_token_7_t"]),
        ran(names[3], "Relu", &["_inlfunc_Block_token_7_t"], &["_inlfunc_Outer_b"]),
        ran(names[4], "Sigmoid", &["_inlfunc_Outer_b"], &["y"]),
        ran(names[0], "MatMul", &["x", "w0"], &["_inlfunc_Block_t"]),
        ran(names[1], "Relu", &["_inlfunc_Block_t"], &["h"]),
    ];
    let nodes = nodes_of(&graph, &executed);
    assert_eq!(nodes[..3].concat(), expected[2..].concat());
    assert_eq!(nodes[3..].concat(), expected[..2].concat());
}

#[test]
fn nodes_without_names_are_found_by_their_numbers() {
    let graph = ModelGraph {
        nodes: vec![
            node("a", "Relu", &["x"], "a"),
            node("b", "Relu", &["a"], "b"),
            node("named", "Relu", &["b"], "y"),
        ],
        ..ModelGraph::default()
    };
    let of = |name| {
        let origin = origins(&graph, &[ran(name, "Relu", &[], &[])]).remove(0);
        origin.named_after.map(|node| graph.nodes[node].name)
    };
    assert_eq!((of("Relu_0"), of("Relu_1")), (Some("a"), Some("b")));
    // Of a node with a name the runtime would have said it, and there is no fourth one.
    assert_eq!((of("Relu_2"), of("Relu_3")), (None, None));
}

#[test]
fn what_the_runtime_adds_to_names_is_known() {
    let graph = ModelGraph {
        nodes: vec![node("/a/MatMul", "MatMul", &["x", "w"], "y")],
        ..ModelGraph::default()
    };
    for name in [
        "/a/MatMul",
        "/a/MatMul_token_12",
        "fused /a/MatMul",
        "/a/MatMul/MatMulScaleFusion/",
        "/a/MatMul/MatMulAddFusion",
        "/a/MatMul/MatMulAddFusion_token_3",
        "y_nchwc",
    ] {
        assert_eq!(nodes_of(&graph, &[ran(name, "MatMul", &[], &[])]), [["/a/MatMul"]], "{name}");
    }
    // The one with nothing added owns it, whatever comes first.
    let twice =
        [ran("/a/MatMul/duplicated", "MatMul", &[], &[]), ran("/a/MatMul", "MatMul", &[], &[])];
    let origins = origins(&graph, &twice);
    assert_eq!(origins[1].nodes, [0]);
    assert_eq!(origins[0].helps, Some(Helps::Node(0)));
}
