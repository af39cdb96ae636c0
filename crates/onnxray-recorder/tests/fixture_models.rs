//! The bundled models, described and run: what is known of them by other means.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "../../../tests/harness/pruned_encoder.rs"]
mod pruned_encoder;

use onnxray_format::{Block, Operator, VectorRegisters, Weight, fold};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, LaunchOptions, Model, Session, Tensor};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tract_onnx::pb::TensorProto;
use tract_onnx::prelude::Framework;

const MODELS: [(&str, &[(&str, u64)]); 7] = [
    ("encoder.onnx", &[("batch", 1), ("sequence", 128)]),
    ("encoder-pruned-4x1.onnx", &[("sequence", 128)]),
    ("encoder-int8.onnx", &[("sequence", 128)]),
    ("cnn.onnx", &[("batch", 1)]),
    ("cnn-int8.onnx", &[]),
    ("lstm.onnx", &[("sequence", 12)]),
    ("scan.onnx", &[("frames", 10)]),
];

fn path(model: &str) -> PathBuf {
    if model.strip_suffix(".onnx") == Some(pruned_encoder::NAME) {
        return pruned_encoder::path();
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(model)
}

fn sizes(sizes: &[(&str, u64)]) -> GivenDimensions {
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    GivenDimensions { sizes, ..GivenDimensions::default() }
}

fn load(model: &str) -> Model {
    let (_, given) = MODELS.iter().find(|(name, _)| *name == model).unwrap();
    Model::load(&EngineSpec::default(), &path(model), &sizes(given), 1).unwrap()
}

/// Operators that carry the work of their nodes; helpers have a role behind `#`.
fn carriers(operators: &[Operator]) -> impl Iterator<Item = &Operator> {
    operators.iter().filter(|operator| !operator.name.contains('#'))
}

#[test]
fn every_node_that_runs_is_counted_in_one_operator() {
    for (name, _) in MODELS {
        let model = load(name);
        let operators = model.operators(&[]).unwrap();
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        for operator in carriers(&operators) {
            for node in &operator.nodes {
                *owners.entry(node.clone()).or_default() += 1;
            }
        }
        let folded = model.constant_nodes();
        assert_eq!(folded, model.folded_nodes(&operators), "{name}");
        for node in model.nodes() {
            let expected = usize::from(!folded.iter().any(|folded| folded == node));
            let owners = owners.remove(node).unwrap_or(0);
            assert_eq!(owners, expected, "{name}: {node}");
        }
        assert!(owners.is_empty(), "{name}: no such nodes: {owners:?}");
        let mut names: Vec<&String> = operators.iter().map(|operator| &operator.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), operators.len(), "{name}: names are unique");
    }
}

/// Compares an operator's nodes, below a common prefix, and its post-ops with
/// what reading the model and tract's fusions by hand gives.
fn check_nodes(
    operators: &[Operator],
    prefix: &str,
    nodes: &[&str],
    kernel: &str,
    post_ops: &[&str],
) {
    let name = format!("{prefix}{}", nodes[0]);
    let owner = carriers(operators)
        .find(|operator| operator.nodes.contains(&name))
        .unwrap_or_else(|| panic!("nobody computes {name}"));
    let expected: Vec<String> = nodes.iter().map(|node| format!("{prefix}{node}")).collect();
    assert_eq!(owner.nodes, expected);
    assert_eq!(owner.kernel.as_deref(), Some(kernel), "{name}");
    assert_eq!(owner.post_ops, post_ops, "{name}");
}

#[test]
fn fused_nodes_of_transformers_are_found_by_their_kernel() {
    let encoder = load("encoder.onnx").operators(&[]).unwrap();
    for layer in 0..2 {
        let check = |nodes: &[&str], kernel: &str, post_ops: &[&str]| {
            check_nodes(
                &encoder,
                &format!("/bert/encoder/layer.{layer}/"),
                nodes,
                kernel,
                post_ops,
            );
        };
        for projection in ["query", "key", "value"] {
            let matmul = format!("attention/self/{projection}/MatMul");
            let bias = format!("attention/self/{projection}/Add");
            check(&[&matmul, &bias], "OptMatMul", &["Add"]);
        }
        check(
            &["attention/self/MatMul", "attention/self/Div", "attention/self/Add"],
            "OptMatMul",
            &["Div", "Add"],
        );
        check(
            &[
                "attention/output/dense/MatMul",
                "attention/output/dense/Add",
                "attention/output/Add",
            ],
            "OptMatMul",
            &["Add", "Add"],
        );
        check(&["intermediate/dense/MatMul", "intermediate/dense/Add"], "OptMatMul", &["Add"]);
        check(
            &[
                "intermediate/intermediate_act_fn/Div",
                "intermediate/intermediate_act_fn/Erf",
                "intermediate/intermediate_act_fn/Add",
                "intermediate/intermediate_act_fn/Mul",
                "intermediate/intermediate_act_fn/Mul_1",
            ],
            "GeluExact",
            &["Add", "Mul", "Mul"],
        );
        check(
            &["output/dense/MatMul", "output/dense/Add", "output/Add"],
            "OptMatMul",
            &["Add", "Add"],
        );
    }
}

#[test]
fn fused_nodes_of_convolutions_and_integers_are_found_by_their_kernel() {
    let cnn = load("cnn.onnx").operators(&[]).unwrap();
    let check = |nodes: &[&str], kernel: &str, post_ops: &[&str]| {
        check_nodes(&cnn, "/stages/", nodes, kernel, post_ops);
    };
    check(
        &["stages.0/layers/layers.0/Conv", "stages.0/layers/layers.2/Clip"],
        "OptMatMul",
        &["Clip"],
    );
    check(&["stages.0/layers/layers.3/Conv"], "DepthWiseConv", &[]);
    check(&["stages.1/layers/layers.6/Conv", "stages.1/Add"], "OptMatMul", &["Add"]);
    check(
        &["stages.4/layers/layers.0/Conv", "stages.4/layers/layers.2/Relu"],
        "OptMatMul",
        &["Relu"],
    );

    let int8 = load("encoder-int8.onnx").operators(&[]).unwrap();
    let prefix = "/bert/encoder/layer.0/attention/self/value/";
    check_nodes(&int8, prefix, &["MatMul_quant"], "OptMatMul", &[]);
    check_nodes(
        &int8,
        prefix,
        &["MatMul_quant_output_scale_mul", "Add"],
        "OptBinChain(Mul+Add)",
        &[],
    );
}

#[test]
fn operators_carry_what_the_model_file_says() {
    let operators = load("encoder.onnx").operators(&[]).unwrap();
    let name = "/bert/encoder/layer.0/intermediate/dense/MatMul";
    let operator = operators.iter().find(|operator| operator.name == name).unwrap();
    assert_eq!(operator.operator_type, "MatMul");
    let shapes: Vec<_> =
        operator.inputs.iter().map(|tensor| tensor.shape.clone().unwrap()).collect();
    assert_eq!(shapes, [vec![1, 128, 256], vec![256, 1024], vec![1024]]);
    assert_eq!(operator.outputs[0].shape, Some(vec![1, 128, 1024]));
    assert_eq!(operator.parameters, Some(256 * 1024 + 1024));
    assert_eq!(operator.flops, Some(2 * 128 * 256 * 1024 + 128 * 1024));
    assert_eq!(operator.bytes, Some(4 * (128 * 256 + 256 * 1024 + 1024 + 128 * 1024)));
    let weight = operator.weight.as_ref().unwrap();
    assert_eq!(
        (weight.stored_shape.as_slice(), weight.matrix_shape()),
        (&[256, 1024][..], "1024x256".to_string())
    );
    assert!(operator.sparse_support);

    let classifier = operators.iter().find(|operator| operator.name == "/classifier/Gemm").unwrap();
    assert!(!classifier.sparse_support, "two outputs are not divisible by four");
}

/// What a kernel packs is written as whole panels: at least as much as was read, and less than a
/// panel more.
#[track_caller]
fn check_packed(operators: &[Operator], name: &str, rows: u64, columns: u64) {
    const WIDEST_PANEL: u64 = 64;
    let pack = operators.iter().find(|operator| operator.name == name).unwrap();
    let read = 4 * rows * columns;
    let written = pack.bytes.unwrap() - read;
    assert!((read..=4 * (rows + WIDEST_PANEL) * columns).contains(&written), "{name}: {written}");
}

#[test]
fn products_and_what_packs_for_them_have_bytes() {
    for (name, _) in MODELS {
        let operators = load(name).operators(&[]).unwrap();
        let unknown: Vec<&str> = operators
            .iter()
            .filter(|operator| operator.bytes.is_none() && operator.executions.is_some())
            .map(|operator| operator.name.as_str())
            .collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    let encoder = load("encoder.onnx").operators(&[]).unwrap();
    let intermediate = "/bert/encoder/layer.0/intermediate/dense/MatMul";
    check_packed(&encoder, &format!("{intermediate}#pack_b"), 128, 256);
    let (folded, _) = fold(encoder.clone());
    let bytes = |operators: &[Operator], name: &str| {
        operators.iter().find(|operator| operator.name == name).unwrap().bytes.unwrap()
    };
    // Input, weight, bias, output; once more the input, and what it is packed to.
    let product = 4 * (128 * 256 + 256 * 1024 + 1024 + 128 * 1024);
    let packed = bytes(&encoder, &format!("{intermediate}#pack_b"));
    assert_eq!(bytes(&folded, intermediate), product + packed);

    // A convolution of 3x3 reads its input where it is: nothing is packed.
    let cnn = load("cnn.onnx").operators(&[]).unwrap();
    assert_eq!(bytes(&cnn, "/stem/stem.0/Conv#lazyIm2col"), 0);
    let is_fused = |operator: &&Operator| {
        operator.operator_type == "Conv"
            && !operator.post_ops.is_empty()
            && operator.weight.is_some()
    };
    let fused = cnn.iter().find(is_fused).unwrap();
    let of = |tensor: &onnxray_format::Tensor| {
        4 * tensor.shape.as_ref().unwrap().iter().product::<u64>()
    };
    let edge: u64 = fused.inputs.iter().chain(&fused.outputs).map(of).sum();
    assert_eq!(fused.bytes, Some(edge));
}

/// Sum over all executions of one iteration.
fn total_flops(operators: &[Operator], of: impl Fn(&Operator) -> bool) -> u64 {
    operators
        .iter()
        .filter(|operator| of(operator))
        .map(|operator| operator.flops.unwrap() * operator.executions.unwrap())
        .sum()
}

#[test]
fn flops_agree_with_closed_forms_and_with_pytorch() {
    // What is in the contractions beyond multiply-adds: biases and what else is
    // one operation per element of a result.
    let (s, h, i, layers, heads) = (128u64, 256u64, 1024u64, 2u64, 4u64);
    let projections = 4 * 2 * s * h * h;
    let attention = 2 * 2 * heads * s * s * (h / heads);
    let feed_forward = 2 * 2 * s * h * i;
    let head = 2 * h * h + 2 * h * 2;
    let contractions = layers * (projections + attention + feed_forward) + head;
    let biases = layers * (4 * s * h + s * i + s * h) + h + 2;
    let fused = layers * (2 * heads * s * s + 2 * s * h);

    let manifest = std::fs::read_to_string(path("../MANIFEST.json")).unwrap();
    let counted = |model: &str, what: &str| -> u64 {
        let entry = manifest
            .split("\"file\": ")
            .find(|entry| entry.starts_with(&format!("\"{model}\"")))
            .unwrap();
        let value = entry.split(&format!("\"{what}\": ")).nth(1).unwrap();
        value.split(',').next().unwrap().trim().parse().unwrap()
    };
    assert_eq!(counted("encoder.onnx", "contraction_flops"), contractions);

    let encoder = load("encoder.onnx");
    let operators = encoder.operators(&[]).unwrap();
    let found = total_flops(&operators, |o| matches!(o.operator_type.as_str(), "MatMul" | "Gemm"));
    assert_eq!(found, contractions + biases + fused);
    assert_eq!(encoder.file.parameters(), Some(counted("encoder.onnx", "parameters")));

    // Convolutions: results of each are its bias, and Clip, Relu and Add behind
    // it are one more per result.
    let cnn = load("cnn.onnx");
    let operators = cnn.operators(&[]).unwrap();
    let beyond: u64 = carriers(&operators)
        .filter(|o| matches!(o.operator_type.as_str(), "Conv" | "Gemm"))
        .map(|o| {
            o.outputs[0].shape.as_ref().unwrap().iter().product::<u64>()
                * (1 + o.post_ops.len() as u64)
        })
        .sum();
    let found = total_flops(&operators, |o| matches!(o.operator_type.as_str(), "Conv" | "Gemm"));
    assert_eq!(found - beyond, counted("cnn.onnx", "contraction_flops"));
}

#[test]
fn recurrences_cost_the_same_in_and_out_of_their_loop() {
    let (steps, inputs, hidden) = (12u64, 64u64, 96u64);
    let products = 2 * steps * 4 * hidden * (inputs + hidden);
    // Two additions for each gate's input, nine operations for each cell.
    let cells = steps * (2 * 4 * hidden + 9 * hidden);
    let operators = load("lstm.onnx").operators(&[]).unwrap();
    assert_eq!(total_flops(&operators, |o| o.operator_type == "LSTM"), products + cells);

    // The engine moves one of the two products out of the Scan.
    let operators = load("scan.onnx").operators(&[]).unwrap();
    let (steps, size) = (10u64, 64u64);
    let moved = operators.iter().find(|o| o.name == "/cell/input/MatMul").unwrap();
    assert_eq!((moved.flops, moved.executions), (Some(2 * steps * size * size), Some(1)));
    let inner = operators.iter().find(|o| o.name == "/cell/hidden/MatMul").unwrap();
    assert_eq!((inner.flops, inner.executions), (Some(2 * size * size + size), Some(steps)));
    assert_eq!(
        inner.parent,
        operators.iter().find(|o| o.operator_type == "Scan").map(|o| o.number)
    );
}

#[test]
fn sparse_ratios_are_those_that_pruning_made() {
    let operators = load("encoder-pruned-4x1.onnx").operators(&[]).unwrap();
    let ratios = |block| -> Vec<f64> {
        let weights =
            operators.iter().filter(|o| o.sparse_support).filter_map(|o| o.weight.as_ref());
        weights.map(|weight| weight.sparse_ratio(block).unwrap()).collect()
    };
    let pruned = ratios(Block::new(4, 1));
    assert_eq!(pruned.len(), 13);
    assert!(pruned.iter().all(|ratio| (ratio - 0.9).abs() < 1e-4), "{pruned:?}");
    // A random choice of 4x1 blocks leaves a 1x4 block empty with 0.9^4.
    assert!(ratios(Block::new(1, 4)).iter().all(|ratio| (ratio - 0.6561).abs() < 0.02));
    let dense = load("encoder.onnx").operators(&[]).unwrap();
    assert!(
        dense
            .iter()
            .filter_map(|o| o.weight.as_ref())
            .all(|w| w.sparse_ratio(Block::new(4, 1)).unwrap_or(0.0) == 0.0)
    );
}

fn initializers(model: &str) -> BTreeMap<String, TensorProto> {
    let mut bytes: &[u8] = &std::fs::read(path(model)).unwrap();
    let proto = tract_onnx::onnx().proto_model_for_read(&mut bytes).unwrap();
    let tensors = proto.graph.unwrap().initializer.into_iter();
    tensors.map(|tensor| (tensor.name.clone(), tensor)).collect()
}

/// Elements of a tensor of 32-bit floats.
fn floats(tensor: &TensorProto) -> Vec<f64> {
    let float = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
    let apart = tensor.float_data.iter().map(|&number| f64::from(number));
    tensor.raw_data.chunks_exact(4).map(float).chain(apart).collect()
}

/// Checks against what the elements are by other means.
fn check_magnitudes(weight: &Weight, elements: &[f64]) {
    let (name, magnitudes) = (&weight.name, &weight.magnitudes);
    assert_eq!(elements.len() as u64, weight.outputs * weight.inputs, "{name}");
    assert_eq!(magnitudes.len(), 20, "{name}");
    assert!(magnitudes.is_sorted(), "{name}: {magnitudes:?}");
    let (count, mut sum) = (elements.len() as f64, 0.0);
    for (part, &magnitude) in (0..).map(f64::from).zip(magnitudes) {
        let size = ((part + 1.0) * count / 20.0).round() - (part * count / 20.0).round();
        sum += f64::from(magnitude) * size;
    }
    let expected: f64 = elements.iter().map(|element| element.abs()).sum();
    assert!((sum / expected - 1.0).abs() < 1e-6, "{name}: {sum} of {expected}");
    let largest = elements.iter().fold(0.0f64, |largest, element| largest.max(element.abs()));
    let last = f64::from(magnitudes[19]);
    assert!(last <= largest * 1.000001 && last >= expected / count, "{name}: {last}");
}

#[test]
fn magnitudes_agree_with_the_elements_of_the_file() {
    for model in ["encoder.onnx", "encoder-pruned-4x1.onnx", "cnn.onnx", "scan.onnx"] {
        let (operators, file) = (load(model).operators(&[]).unwrap(), initializers(model));
        let mut checked = 0;
        for weight in operators.iter().filter_map(|operator| operator.weight.as_ref()) {
            let Some(tensor) = file.get(&weight.name) else { continue };
            check_magnitudes(weight, &floats(tensor));
            checked += 1;
            if model == "encoder-pruned-4x1.onnx" && weight.outputs % 4 == 0 {
                // Nine tenths are zero: eighteen of the parts, but for part of a block.
                let parts = &weight.magnitudes;
                assert!(parts[..17].iter().all(|&magnitude| magnitude == 0.0), "{parts:?}");
                assert!(parts[17] < parts[18] / 100.0 && parts[18] > 0.0, "{parts:?}");
            }
        }
        let expected = if model == "scan.onnx" { 1 } else { 14 };
        assert!(checked >= expected, "{model}: {checked}");
    }
}

#[test]
fn magnitudes_of_quantized_weights_are_of_their_real_values() {
    let (operators, file) =
        (load("cnn-int8.onnx").operators(&[]).unwrap(), initializers("cnn-int8.onnx"));
    let mut checked = 0;
    for weight in operators.iter().filter_map(|operator| operator.weight.as_ref()) {
        let base = weight.name.strip_suffix("_quantized").unwrap();
        let scale = floats(&file[&format!("{base}_scale")]);
        let zero_point = &file[&format!("{base}_zero_point")];
        let zero_points = (zero_point.raw_data.iter().map(|&byte| i32::from(byte)))
            .chain(zero_point.int32_data.iter().copied());
        assert_eq!((scale.len(), zero_points.collect::<Vec<_>>()), (1, vec![0]));
        let bytes = &file[&weight.name].raw_data;
        let real = bytes.iter().map(|&byte| f64::from(byte as i8) * scale[0]);
        check_magnitudes(weight, &real.collect::<Vec<_>>());
        checked += 1;
    }
    assert!(checked >= 20, "{checked}");
    // Its products of integers are scaled by nodes behind them.
    let operators = load("encoder-int8.onnx").operators(&[]).unwrap();
    let mut integers = operators.iter().filter_map(|operator| operator.weight.as_ref());
    assert!(integers.all(|weight| weight.magnitudes.is_empty()));
}

/// Values as they lie in memory; a comparison of numbers takes 0 and -0 for the same.
fn bits(outputs: &[Tensor]) -> Vec<Vec<u64>> {
    let bits = outputs.iter().map(|output| match output {
        Tensor::F32(array) => array.iter().map(|value| u64::from(value.to_bits())).collect(),
        Tensor::I64(array) => array.iter().map(|value| *value as u64).collect(),
        other => panic!("{:?}", other.shape()),
    });
    bits.collect()
}

#[test]
fn outputs_are_identical_whether_recorded_and_whether_registers_are_cleared() {
    for (name, given) in MODELS {
        let folder = tempfile::tempdir().unwrap();
        let inputs = load(name).inputs(&InputFiles::new(), 7).unwrap();
        let plain =
            |registers| Session::open_unprofiled(&path(name), &sizes(given), registers).unwrap();
        let recorded = |as_is: bool| {
            let folder = folder.path().join(as_is.to_string()).into();
            let options = LaunchOptions { folder, as_is, ..LaunchOptions::default() };
            Session::open_with(&EngineSpec::default(), &path(name), &sizes(given), Some(&options))
                .unwrap()
        };
        let mut untouched = plain(VectorRegisters::AsIs);
        let mut others = [
            plain(VectorRegisters::Cleared),
            Session::open_with(&EngineSpec::default(), &path(name), &sizes(given), None).unwrap(),
            recorded(false),
            recorded(true),
        ];
        // Twice, so that a state which outlives a run would show.
        for run in 0..2 {
            let outputs = untouched.run(&inputs).unwrap();
            for (way, session) in others.iter_mut().enumerate() {
                let same = bits(&session.run(&inputs).unwrap()) == bits(&outputs);
                assert!(same, "{name}, run {run}, way {way}");
            }
            assert!(
                !outputs.is_empty() && outputs.iter().all(|output| !output.shape().contains(&0))
            );
        }
        assert!(untouched.finish().unwrap().is_none());
        for (session, is_recorded) in others.into_iter().zip([false, false, true, true]) {
            let files = session.finish().unwrap();
            assert_eq!(files.is_some(), is_recorded);
            assert!(files.is_none_or(|files| files.trace.exists() && files.csv.exists()));
        }
    }
}
