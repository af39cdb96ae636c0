//! Calls of functions, and what comes of them.

use super::super::protobuf::Protobuf;
use super::*;

fn put_texts(message: &mut Vec<u8>, number: u64, texts: &[&str]) {
    texts.iter().for_each(|text| put(message, number, text.as_bytes()));
}

/// A node of the domain `own`, or of ONNX where `domain` is empty.
fn call(
    domain: &str,
    operator_type: &str,
    name: &str,
    inputs: &[&str],
    outputs: &[&str],
) -> Vec<u8> {
    let mut node = Vec::new();
    put_texts(&mut node, 1, inputs);
    put_texts(&mut node, 2, outputs);
    put_texts(&mut node, 3, &[name]);
    put_texts(&mut node, NODE_OPERATOR_TYPE, &[operator_type]);
    put_texts(&mut node, 7, &[domain]);
    node
}

fn onnx(operator_type: &str, name: &str, inputs: &[&str], outputs: &[&str]) -> Vec<u8> {
    call("", operator_type, name, inputs, outputs)
}

fn own(operator_type: &str, name: &str, inputs: &[&str], outputs: &[&str]) -> Vec<u8> {
    call("own", operator_type, name, inputs, outputs)
}

fn function(name: &str, inputs: &[&str], outputs: &[&str], nodes: &[Vec<u8>]) -> Vec<u8> {
    let mut function = Vec::new();
    put_texts(&mut function, FUNCTION_NAME, &[name]);
    put_texts(&mut function, 4, inputs);
    put_texts(&mut function, 5, outputs);
    nodes.iter().for_each(|node| put(&mut function, FUNCTION_NODE, node));
    put_texts(&mut function, 10, &["own"]);
    function
}

fn graph(nodes: &[Vec<u8>]) -> Vec<u8> {
    let mut graph = Vec::new();
    nodes.iter().for_each(|node| put(&mut graph, GRAPH_NODE, node));
    graph
}

fn model(nodes: &[Vec<u8>], functions: &[Vec<u8>]) -> Vec<u8> {
    let mut model = Vec::new();
    put(&mut model, MODEL_GRAPH, &graph(nodes));
    functions.iter().for_each(|function| put(&mut model, MODEL_FUNCTION, function));
    model
}

/// An attribute `alpha`, a float, or the caller's of that name.
fn alpha(node: &mut Vec<u8>, value: Option<f32>) {
    let mut attribute = Vec::new();
    put_texts(&mut attribute, 1, &["alpha"]);
    match value {
        Some(value) => {
            attribute.push(2 << 3 | 5);
            attribute.extend(value.to_le_bytes());
        }
        None => put_texts(&mut attribute, 21, &["alpha"]),
    }
    crate::model::bytes::wire::put_integer(&mut attribute, 20, 1);
    put(node, NODE_ATTRIBUTE, &attribute);
}

/// Name, type, inputs and outputs of each node.
fn nodes(bytes: &[u8]) -> Vec<String> {
    let model = Protobuf::decode(bytes).unwrap().model;
    let shown = |node: &pb::NodeProto| {
        let (inputs, outputs) = (node.input.join(" "), node.output.join(" "));
        format!("{}: {} {inputs} -> {outputs}", node.name, node.op_type)
    };
    model.graph.unwrap().node.iter().map(shown).collect()
}

fn block() -> Vec<u8> {
    let nodes = [onnx("MatMul", "mm", &["a", "w"], &["t"]), onnx("Relu", "", &["t"], &["o"])];
    function("Block", &["a", "w"], &["o"], &nodes)
}

#[test]
fn a_call_becomes_the_nodes_of_its_function() {
    let outer = function(
        "Outer",
        &["a", "w"],
        &["o"],
        &[own("Block", "in", &["a", "w"], &["b"]), onnx("Tanh", "tanh", &["b"], &["o"])],
    );
    let calls =
        [own("Block", "blk0", &["x", "w0"], &["h"]), own("Outer", "", &["h", "w1"], &["y"])];
    let model = model(&calls, &[block(), outer]);
    assert_eq!(
        nodes(&model),
        [
            "blk0/mm: MatMul x w0 -> blk0/t",
            "blk0/o: Relu blk0/t -> h",
            "y/in/mm: MatMul h w1 -> y/in/t",
            "y/in/o: Relu y/in/t -> y/b",
            "y/tanh: Tanh y/b -> y",
        ]
    );
    let decoded = Protobuf::decode(&model).unwrap();
    assert!(decoded.is_renamed, "a call and a node of a function had no name");
    assert_eq!(decoded.node_names(), ["blk0", "y", "mm", "o", "in", "tanh"]);
    let graph = decoded.graph();
    let calls: Vec<(&str, &str)> =
        graph.calls.iter().map(|call| (call.path.as_str(), call.function.as_str())).collect();
    assert_eq!(calls, [("blk0", "Block"), ("y", "Outer"), ("y/in", "Block")]);
}

#[test]
fn what_is_left_out_or_handed_on_keeps_its_meaning() {
    let clip = onnx("Clip", "clip", &["a", "low", "high"], &["o"]);
    let negative = onnx("Neg", "neg", &["a"], &["unused"]);
    let opt = function("Opt", &["a", "low", "high"], &["o", "unused", "a"], &[clip, negative]);
    let calls = [own("Opt", "op", &["x", "zero"], &["y", "", "same"])];
    assert_eq!(
        nodes(&model(&calls, &[opt])),
        ["op/clip: Clip x zero  -> y", "op/neg: Neg x -> op/unused", "op/a: Identity x -> same",]
    );
}

#[test]
fn attributes_of_the_caller_and_defaults_are_filled_in() {
    let mut elu = onnx("Elu", "elu", &["a"], &["o"]);
    alpha(&mut elu, None);
    let mut plain = function("Plain", &["a"], &["o"], std::slice::from_ref(&elu));
    let mut with_default = function("Default", &["a"], &["o"], &[elu]);
    put_texts(&mut plain, 6, &["alpha"]);
    let mut holder = Vec::new();
    alpha(&mut holder, Some(0.5));
    let attribute = values(&holder, NODE_ATTRIBUTE).next().unwrap();
    put(&mut with_default, FUNCTION_ATTRIBUTE, attribute);
    let mut stated = own("Plain", "stated", &["x"], &["a"]);
    alpha(&mut stated, Some(0.25));
    let calls = [
        stated,
        own("Plain", "left_out", &["a"], &["b"]),
        own("Default", "default", &["b"], &["y"]),
    ];
    let model = Protobuf::decode(&model(&calls, &[plain, with_default])).unwrap().model;
    let alphas: Vec<Option<f32>> =
        model.graph.unwrap().node.iter().map(|node| Some(node.attribute.first()?.f)).collect();
    assert_eq!(alphas, [Some(0.25), None, Some(0.5)]);
}

#[test]
fn overloads_are_told_apart_and_bodies_are_unfolded() {
    let overload = |mut message: Vec<u8>, number: u64, name: &str| {
        put_texts(&mut message, number, &[name]);
        message
    };
    let act = |inner: &str| {
        let nodes = [onnx(inner, "n", &["a"], &["o"])];
        overload(function("Act", &["a"], &["o"], &nodes), FUNCTION_OVERLOAD, inner)
    };
    let tanh = overload(own("Act", "in_body", &["x"], &["b"]), NODE_OVERLOAD, "Tanh");
    let mut attribute = Vec::new();
    put_texts(&mut attribute, 1, &["then_branch"]);
    put(&mut attribute, ATTRIBUTE_GRAPH, &graph(&[tanh]));
    let mut branch = onnx("If", "if", &["c"], &["h"]);
    put(&mut branch, NODE_ATTRIBUTE, &attribute);
    let relu = overload(own("Act", "act", &["h"], &["y"]), NODE_OVERLOAD, "Relu");
    let model = model(&[branch, relu], &[act("Relu"), act("Tanh")]);
    assert_eq!(nodes(&model), ["if: If c -> h", "act/n: Relu h -> y"]);
    let graph = Protobuf::decode(&model).unwrap().graph();
    let (_, body) = &graph.nodes[0].bodies[0];
    let inner = &body.nodes[0];
    assert_eq!((inner.name.as_str(), inner.operator_type.as_str()), ("in_body/n", "Tanh"));
    assert_eq!(body.calls[0].function, "Act");
}

#[test]
fn functions_without_an_end_are_refused() {
    let loops = function("Loop", &["a"], &["o"], &[own("Loop", "l", &["a"], &["o"])]);
    let refused = |model: &[u8]| Protobuf::decode(model).err().unwrap();
    let endless = model(&[own("Loop", "first", &["x"], &["y"])], &[loops]);
    assert_eq!(refused(&endless), "its function `Loop` calls itself");
    // Each calls the next one twice.
    let doubling = |depth: usize| {
        let next = format!("F{}", depth + 1);
        let nodes = [own(&next, "a", &["a"], &["t"]), own(&next, "b", &["t"], &["o"])];
        function(&format!("F{depth}"), &["a"], &["o"], &nodes)
    };
    let mut functions: Vec<Vec<u8>> = (0..40).map(doubling).collect();
    functions.push(function("F40", &["a"], &["o"], &[onnx("Relu", "r", &["a"], &["o"])]));
    let growing = model(&[own("F0", "first", &["x"], &["y"])], &functions);
    assert!(refused(&growing).starts_with("its functions unfold to more than 200000 nodes"));
}
