//! Roles of axes, in small graphs of the kinds that exporters write.

use super::with_roles;
use crate::model::graph::{Attribute, AxisRole, Constant, Constants};
use crate::model::graph::{Graph, GraphInput, InputDimension, InputKind, Node};
use onnxray_format::DataType;
use std::rc::Rc;

/// `Type a,b > y` and attributes behind it: `axis=1`, `perm=0.2.1`.
fn node(text: &str) -> Node {
    let words: Vec<&str> = text.split(' ').collect();
    let names = |words: &str| words.split(',').map(str::to_string).collect::<Vec<_>>();
    let attribute = |text: &str| {
        let (name, value) = text.split_once('=').unwrap();
        let numbers: Vec<i64> = value.split('.').map(|number| number.parse().unwrap()).collect();
        let is_list = ["perm", "axes"].contains(&name);
        let value = if is_list { Attribute::Ints(numbers) } else { Attribute::Int(numbers[0]) };
        (name.to_string(), value)
    };
    Node {
        name: text.to_string(),
        is_named: true,
        operator_type: words[0].to_string(),
        inputs: names(words[1]),
        outputs: names(words[3]),
        attributes: words[4..].iter().map(|text| attribute(text)).collect(),
        bodies: Vec::new(),
    }
}

/// Sizes of constants; those of a list of whole numbers are its elements.
fn constant(shape: &[u64], numbers: Option<&[f64]>) -> Constant {
    let shape = numbers.map_or(shape.to_vec(), |numbers| vec![numbers.len() as u64]);
    let data_type = if numbers.is_some() { DataType::S64 } else { DataType::Fp32 };
    let numbers = numbers.map(Into::into);
    Constant { shape, data_type, initializer: true, numbers, is_sparse: false }
}

/// What the axes of the first input are, a letter each, and whether a batch is added.
fn roles(inputs: &[(&str, &str)], nodes: &[&str]) -> (String, bool) {
    let inputs = inputs.iter().map(|(name, shape)| GraphInput {
        name: name.to_string(),
        kind: InputKind::Tensor,
        dimensions: Some(
            shape
                .split('x')
                .map(|size| size.parse().map_or(InputDimension::Unnamed, InputDimension::Fixed))
                .collect(),
        ),
        element_type: 1,
        data_type: DataType::Fp32,
        roles: Vec::new(),
    });
    let constants = [
        ("filter1", constant(&[4, 8, 3], None)),
        ("filter2", constant(&[4, 3, 3, 3], None)),
        ("weight", constant(&[8, 8], None)),
        ("table", constant(&[100, 8], None)),
        ("zero", constant(&[], Some(&[0.0]))),
        ("one", constant(&[], Some(&[1.0]))),
        ("image", constant(&[], Some(&[1.0, 3.0, 32.0, 32.0]))),
        ("heads", constant(&[], Some(&[0.0, 0.0, 2.0, 4.0]))),
        ("rows", constant(&[], Some(&[-1.0, 8.0]))),
    ];
    let own = constants.into_iter().map(|(name, constant)| (name.to_string(), constant)).collect();
    let graph = Graph {
        nodes: nodes.iter().map(|text| node(text)).collect(),
        inputs: inputs.collect(),
        constants: Rc::new(Constants { own, outer: None }),
        ..Graph::default()
    };
    let graph = with_roles(graph.linked());
    let letter = |role: &AxisRole| match role {
        AxisRole::Batch => 'b',
        AxisRole::Rows => 'r',
        AxisRole::Other => 'o',
        AxisRole::Unknown => '?',
    };
    (graph.inputs[0].roles.iter().map(letter).collect(), graph.adds_batch)
}

fn check(shape: &str, nodes: &[&str], expected: &str) {
    assert_eq!(roles(&[("x", shape)], nodes).0, expected, "{shape}: {nodes:?}");
}

#[test]
fn a_convolution_takes_its_first_axis_for_the_batch() {
    check("?x3x32x32", &["Conv x,filter2 > y"], "booo");
    check("?x32x32x3", &["Transpose x > t perm=0.3.1.2", "Conv t,filter2 > y"], "booo");
    // A normalization and a pooling before it are looked through.
    check("4x3x32x32", &["Relu x > r", "MaxPool r > p", "Conv p,filter2 > y"], "booo");
}

#[test]
fn a_batch_that_the_graph_adds_is_no_axis_of_the_input() {
    let image = [("x", "3x32x32")];
    let added = ["Unsqueeze x,zero > u", "Conv u,filter2 > y"];
    assert_eq!(roles(&image, &added), ("ooo".to_string(), true));
    let reshaped = ["Reshape x,image > u", "Conv u,filter2 > y"];
    assert_eq!(roles(&image, &reshaped), ("ooo".to_string(), true));
    let frames = ["Unsqueeze x,zero > u", "Transpose u > t perm=0.2.1", "Conv t,filter1 > y"];
    assert_eq!(roles(&[("x", "?x8")], &frames), ("oo".to_string(), true));
}

#[test]
fn a_recurrence_says_which_axis_is_time() {
    check("100x1x8", &["LSTM x,weight,weight > y"], "obo");
    check("1x100x8", &["GRU x,weight,weight > y layout=1"], "boo");
    check("1x100x8", &["Transpose x > t perm=1.0.2", "RNN t,weight,weight > y"], "boo");
    // Indices take the place of the rows of a table.
    let embedded = ["Gather table,x > e", "Transpose e > t perm=1.0.2", "LSTM t,weight,weight > y"];
    check("1x50", &embedded, "bo");
}

#[test]
fn rows_of_a_product_are_items_unless_they_depend_on_each_other() {
    check("16x8", &["MatMul x,weight > y"], "ro");
    check("16x8", &["Gemm x,weight > y"], "ro");
    check("16x8", &["MatMul x,weight > m", "Softmax m > y axis=1"], "ro");
    check("16x8", &["MatMul x,weight > m", "Softmax m > y axis=0"], "oo");
    check("16x8", &["MatMul x,weight > m", "ReduceMean m > y axes=0"], "oo");
    check("16x8", &["MatMul x,weight > m", "Transpose m > t", "MatMul m,t > s"], "ro");
    // Attention within a sequence, with heads or without.
    let attention = [
        "MatMul x,weight > q",
        "MatMul x,weight > k",
        "Reshape q,heads > qh",
        "Reshape k,heads > kh",
        "Transpose qh > qt perm=0.2.1.3",
        "Transpose kh > kt perm=0.2.3.1",
        "MatMul qt,kt > s",
        "Softmax s > p axis=-1",
    ];
    check("2x50x8", &attention, "roo");
    // With the sequence in front, as PyTorch's transformers have it.
    let first = [
        "MatMul x,weight > q",
        "Transpose q > qt perm=1.0.2",
        "Transpose q > kt perm=1.2.0",
        "MatMul qt,kt > s",
    ];
    let (roles, _) = roles(&[("x", "50x1x8")], &first);
    assert!(roles.starts_with('o'), "{roles}");
}

#[test]
fn what_nobody_says_is_unknown() {
    check("?x8", &["Relu x > y"], "??");
    check("5x8", &["Add x,weight > y"], "??");
    check("5x8", &["NobodyKnows x > y", "Softmax y > z axis=0"], "??");
    // Images that are the moments of a film, too.
    let film = [
        "Conv x,filter2 > c",
        "GlobalAveragePool c > g",
        "Flatten g > f",
        "Unsqueeze f,one > u",
        "LSTM u,weight,weight > y",
    ];
    check("?x3x8x8", &film, "?ooo");
}

#[test]
fn axes_are_followed_through_shapes_that_are_computed() {
    let shaped = [
        "Shape x > shape",
        "Gather shape,zero > size",
        "Unsqueeze size,zero > first",
        "Concat first,rows > target axis=0",
        "Reshape x,target > flat",
        "Conv x,filter2 > y",
    ];
    check("?x3x8x8", &shaped, "booo");
    check("?x8x1x1", &["Reshape x,rows > f", "MatMul f,weight > y"], "r???");
}
