//! Whatever the tables are, nothing is lost and nothing is counted twice.

use super::tables::*;
use onnxray_analyzer::comparison::align;
use onnxray_format::Operator;
use proptest::prelude::*;

const TYPES: [&str; 12] = [
    "Conv",
    "QLinearConv",
    "MatMul",
    "Add",
    "Relu",
    "BiasGelu",
    "Gelu",
    "QuantizeLinear",
    "DequantizeLinear",
    "Transpose",
    "SkipLayerNormalization",
    "",
];
const ENDS: [&str; 8] =
    ["", "_quant", "_output_0", "_output_0_QuantizeLinear", "_token_5", "_1", "/", "#step"];
const SHAPES: [&[u64]; 3] = [&[], &[1, 4, 8], &[8, 4]];

/// A name out of few, so that many meet.
fn name() -> impl Strategy<Value = String> {
    let made = (0..5, 0..ENDS.len()).prop_map(|(node, end)| format!("/n.{node}/Op{}", ENDS[end]));
    prop_oneof![6 => made, 1 => Just(String::new()), 1 => "\\PC{0,6}"]
}

fn tensors() -> impl Strategy<Value = Vec<(String, usize)>> {
    prop::collection::vec((name(), 0..SHAPES.len()), 0..3)
}

fn table() -> impl Strategy<Value = Vec<Operator>> {
    let nodes = prop::collection::vec(name(), 0..3);
    let weight = prop::option::weighted(0.2, name());
    let one = (0..TYPES.len(), name(), nodes, tensors(), tensors(), weight).prop_map(
        |(kind, name, nodes, inputs, outputs, weight)| {
            let mut made = operator(TYPES[kind], &name);
            made.nodes = nodes;
            for (tensor, shape) in inputs {
                made = made.reads(&tensor, SHAPES[shape]);
            }
            for (tensor, shape) in outputs {
                made = made.writes(&tensor, SHAPES[shape]);
            }
            weight.iter().fold(made, |made, weight| made.weight(weight))
        },
    );
    prop::collection::vec(one, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn every_operator_is_in_exactly_one_group(a in table(), b in table()) {
        check_that_all_are_there(&a, &b);
    }

    /// With itself, each operator is in a group with itself.
    #[test]
    fn a_table_aligns_with_itself(table in table()) {
        for group in &align(&table, &table).groups {
            let sides = [&group.a, &group.b].map(|members| {
                members.iter().map(|member| member.operator).collect::<Vec<_>>()
            });
            prop_assert_eq!(&sides[0], &sides[1]);
        }
    }
}
