//! What models compute in ONNX Runtime, next to tract and to the runtime's own Python package.
//!
//! `ONNXRAY_PYTHON` names a Python that has it. The runtime reports its use over the network
//! unless `ORT_DISABLE_TELEMETRY` is set, which a test cannot do for its own process.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "../../../tests/harness/onnxruntime_package.rs"]
mod package;
#[path = "../../../tests/harness/pruned_encoder.rs"]
mod pruned_encoder;

use ndarray::ArrayD;
use onnxray_format::IterationKind;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::{
    Folders, GivenDimensions, InputFiles, Launch, LaunchOptions, Model, Session, Tensor,
};
use package::{library, python};
use std::path::{Path, PathBuf};

const MODELS: [(&str, &[(&str, u64)]); 7] = [
    ("encoder.onnx", &[("sequence", 32)]),
    ("encoder-pruned-4x1.onnx", &[("sequence", 16)]),
    ("encoder-int8.onnx", &[("sequence", 16)]),
    ("cnn.onnx", &[]),
    ("cnn-int8.onnx", &[]),
    ("lstm.onnx", &[("sequence", 8)]),
    ("scan.onnx", &[("frames", 8)]),
];

fn path(model: &str) -> PathBuf {
    if model.strip_suffix(".onnx") == Some(pruned_encoder::NAME) {
        return pruned_encoder::path();
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(model)
}

fn runtime() -> EngineSpec {
    assert!(
        std::env::var_os("ORT_DISABLE_TELEMETRY").is_some(),
        "set ORT_DISABLE_TELEMETRY=1, as .ci/test does: this process loads ONNX Runtime"
    );
    EngineSpec::OnnxRuntime(OnnxRuntimeOptions {
        library: Some(library().into()),
        ..OnnxRuntimeOptions::default()
    })
}

/// Outputs of one recorded iteration, on the same inputs for all engines.
fn outputs(engine: &EngineSpec, name: &str, sizes: &[(&str, u64)], folder: &Path) -> Vec<Tensor> {
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    let model = Model::load(engine, &path(name), &given, 1).unwrap();
    let inputs = model.inputs(&InputFiles::new(), 1).unwrap();
    let out = folder.join("out");
    let _folders = Folders::prepare([out.as_path()]).unwrap();
    let options = LaunchOptions { folder: out.into(), ..LaunchOptions::default() };
    let mut launch = Launch::begin(&model, &inputs, &options).unwrap();
    launch.run(&inputs, IterationKind::Measured).unwrap();
    let outputs = launch.outputs().unwrap();
    assert_eq!(launch.finish().unwrap().lost, None, "{name}");
    outputs
}

/// The largest difference, as a part of the largest value.
fn difference(a: &Tensor, b: &Tensor) -> f64 {
    match (a, b) {
        (Tensor::F32(a), Tensor::F32(b)) => {
            assert_eq!(a.shape(), b.shape());
            let largest = |values: &ArrayD<f32>| values.iter().fold(0f32, |m, v| m.max(v.abs()));
            f64::from(largest(&(a - b)) / largest(b).max(1e-6))
        }
        _ => panic!("outputs of the bundled models are fp32: {a:?}"),
    }
}

/// Runs a model on random numbers as `Model::inputs` makes them up, which come in as texts.
const RUN: &str = "
import sys, json, numpy as np, onnxruntime as rt
options = rt.SessionOptions()
options.intra_op_num_threads = 1
session = rt.InferenceSession(sys.argv[1], options, providers=['CPUExecutionProvider'])
given = json.load(open(sys.argv[2]))
types = {'tensor(float)': np.float32, 'tensor(int64)': np.int64}
feeds = {i.name: np.array(given[i.name]['values'], types[i.type]).reshape(given[i.name]['shape'])
         for i in session.get_inputs()}
print(json.dumps([[float(v) for v in o.ravel()] for o in session.run(None, feeds)]))
";

/// Values of an input as JSON.
fn written(tensor: &Tensor) -> serde_json::Value {
    let values: Vec<f64> = match tensor {
        Tensor::F32(array) => array.iter().map(|value| f64::from(*value)).collect(),
        Tensor::I64(array) => array.iter().map(|value| *value as f64).collect(),
        _ => panic!("inputs of the bundled models are fp32 or s64"),
    };
    serde_json::json!({ "shape": tensor.shape(), "values": values })
}

#[test]
fn outputs_are_those_of_other_engines() {
    let place = tempfile::tempdir().unwrap();
    let runtime = runtime();
    for (name, sizes) in MODELS {
        let ours = outputs(&runtime, name, sizes, place.path());
        let tract = outputs(&EngineSpec::default(), name, sizes, place.path());
        // Quantized products saturate in one and not in the other, and differ in rounding.
        let tolerance = if name.contains("int8") { 0.2 } else { 1e-4 };
        assert_eq!(ours.len(), tract.len(), "{name}");
        for (ours, tract) in ours.iter().zip(&tract) {
            let difference = difference(ours, tract);
            assert!(difference <= tolerance, "{name}: {difference} from tract");
        }
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        let given = GivenDimensions { sizes, ..GivenDimensions::default() };
        let model = Model::load(&EngineSpec::default(), &path(name), &given, 1).unwrap();
        let inputs = model.inputs(&InputFiles::new(), 1).unwrap();
        let names = model.input_names();
        let given: serde_json::Map<String, serde_json::Value> =
            names.iter().map(|name| name.to_string()).zip(inputs.iter().map(written)).collect();
        let file = place.path().join("inputs.json");
        std::fs::write(&file, serde_json::to_string(&given).unwrap()).unwrap();
        let theirs = python(RUN, &[&path(name), &file]);
        let theirs: Vec<Vec<f32>> = serde_json::from_str(&theirs).unwrap();
        for (ours, theirs) in ours.iter().zip(theirs) {
            let theirs = ArrayD::from_shape_vec(ours.shape(), theirs).unwrap();
            let difference = difference(ours, &theirs.into());
            assert!(difference <= 1e-5, "{name}: {difference} from the Python package");
        }
    }
}

/// What the runtime fused reads what comes in from outside and writes what goes out.
#[test]
fn products_have_bytes() {
    let runtime = runtime();
    for (name, sizes) in MODELS {
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        let given = GivenDimensions { sizes, ..GivenDimensions::default() };
        let model = Model::load(&runtime, &path(name), &given, 1).unwrap();
        let inputs = model.inputs(&InputFiles::new(), 1).unwrap();
        let operators = model.operators(&inputs).unwrap();
        let products = operators.iter().filter(|operator| operator.weight.is_some());
        let unknown: Vec<&str> =
            products.clone().filter(|o| o.bytes.is_none()).map(|o| o.name.as_str()).collect();
        assert!(products.count() > 0 && unknown.is_empty(), "{name}: {unknown:?}");
        if name == "encoder.onnx" {
            let product = "/bert/encoder/layer.0/attention/self/query/MatMul";
            let product = operators.iter().find(|operator| operator.name == product).unwrap();
            // 32 rows in and out, the weight, and the bias if it was fused.
            let (rows, weight) = (32 * 256, 256 * 256);
            let bias = if product.nodes.len() > 1 { 256 } else { 0 };
            assert_eq!(product.bytes, Some(4 * (2 * rows + weight + bias)));
        }
    }
}

#[test]
fn a_program_of_ones_own_runs_and_records_in_it() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let _folders = Folders::prepare([out.as_path()]).unwrap();
    let options = LaunchOptions { folder: out.into(), ..LaunchOptions::default() };
    let (engine, given) = (runtime(), GivenDimensions::default());
    let image = || Tensor::from(ndarray::Array4::<f32>::ones((1, 3, 96, 96)));
    let open = |options| Session::open_with(&engine, &path("cnn.onnx"), &given, options).unwrap();
    let mut plain = open(None);
    let mut recorded = open(Some(&options));
    for _ in 0..3 {
        assert_eq!(plain.run(&[image()]).unwrap(), recorded.run(&[image()]).unwrap());
    }
    assert!(plain.finish().unwrap().is_none());
    let files = recorded.finish().unwrap().unwrap();
    let read = onnxray_import::import(&[files.trace], &onnxray_import::Reading::default()).unwrap();
    assert_eq!(read[0].iterations.len(), 3);
    assert!(read[0].warnings.is_empty(), "{:?}", read[0].warnings);
    assert!(!read[0].events.is_empty());
}
