//! Products that skip zeros give what the engine's own give.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::{Block, Operator, ZeroBlocks};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::tract::{TractOptions, ZeroShare};
use onnxray_recorder::{
    GivenDimensions, InputFiles, LaunchOptions, Model, PrunedModel, Session, Tensor, WantedLayer,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Free dimensions.
type Sizes<'a> = &'a [(&'a str, u64)];

const BLOCK: Block = Block { outputs: 4, inputs: 1 };

fn fixture(model: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(model)
}

fn given(sizes: Sizes) -> GivenDimensions {
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    GivenDimensions { sizes, ..GivenDimensions::default() }
}

fn sparse(least: f64) -> EngineSpec {
    EngineSpec::Tract(TractOptions { sparse: Some(ZeroShare::try_from(least).unwrap()) })
}

fn operators(engine: &EngineSpec, model: &Path, sizes: Sizes) -> Vec<Operator> {
    let model = Model::load(engine, model, &given(sizes), 1).unwrap();
    let inputs = model.inputs(&InputFiles::new(), 7).unwrap();
    model.operators(&inputs).unwrap()
}

/// The model with this share of the blocks of all weights zero.
fn pruned(name: &str, sizes: Sizes, level: f64, folder: &Path) -> PathBuf {
    let wanted: Vec<WantedLayer> = operators(&EngineSpec::default(), &fixture(name), sizes)
        .into_iter()
        .filter_map(|operator| {
            let weight = operator.weight.filter(|weight| weight.outputs % 4 == 0)?;
            Some(WantedLayer {
                operator: operator.name,
                nodes: operator.nodes,
                weight: weight.name,
                outputs: weight.outputs,
                inputs: weight.inputs,
                level,
            })
        })
        .collect();
    let pruned = PrunedModel::read(&fixture(name), name, BLOCK, &wanted).unwrap();
    let path = folder.join(format!("{level}-{name}"));
    fs::write(&path, pruned.bytes().unwrap()).unwrap();
    path
}

fn outputs(engine: &EngineSpec, model: &Path, sizes: Sizes, threads: u32) -> Vec<Tensor> {
    let folder = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        folder: folder.path().join("recording").into(),
        threads,
        ..LaunchOptions::default()
    };
    let inputs = {
        let model = Model::load(engine, model, &given(sizes), 1).unwrap();
        model.inputs(&InputFiles::new(), 7).unwrap()
    };
    let mut session = Session::open_with(engine, model, &given(sizes), Some(&options)).unwrap();
    let first = session.run(&inputs).unwrap();
    assert_eq!(session.run(&inputs).unwrap(), first, "one run after the other");
    first
}

fn assert_close(is: &[Tensor], should: &[Tensor], what: &str) {
    assert_eq!(is.len(), should.len());
    for pair in is.iter().zip(should) {
        let (Tensor::F32(is), Tensor::F32(should)) = pair else { panic!("{what}: {pair:?}") };
        assert_eq!(is.shape(), should.shape(), "{what}");
        let scale = should.iter().fold(f32::MIN_POSITIVE, |scale, value| scale.max(value.abs()));
        for (is, should) in is.iter().zip(should) {
            assert!((is - should).abs() <= 1e-5 * scale, "{what}: {is} instead of {should}");
        }
    }
}

/// Models, their sizes, and how many of their products skip zeros where all may.
const MODELS: [(&str, Sizes, usize); 6] = [
    ("encoder.onnx", &[("batch", 1), ("sequence", 128)], 13),
    ("encoder.onnx", &[("batch", 3), ("sequence", 21)], 13),
    ("encoder.onnx", &[("batch", 1), ("sequence", 1)], 13),
    ("cnn.onnx", &[("batch", 1)], 15),
    ("cnn.onnx", &[("batch", 3)], 15),
    ("lstm.onnx", &[("sequence", 8)], 2),
];

#[test]
fn models_give_the_outputs_of_dense_products() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sizes, count) in MODELS {
        for level in [0.0, 0.8, 1.0] {
            let model = pruned(name, sizes, level, folder.path());
            let should = outputs(&EngineSpec::default(), &model, sizes, 1);
            for threads in [1, 2] {
                let is = outputs(&sparse(0.0), &model, sizes, threads);
                assert_close(&is, &should, &format!("{name}, {sizes:?}, {level}, {threads}"));
            }
            let operators = operators(&sparse(0.0), &model, sizes);
            let skip =
                |operator: &&Operator| matches!(operator.zero_blocks, Some(ZeroBlocks::Skipped(_)));
            let skipping = operators.iter().filter(skip).count();
            // Of weights that are all zero, the engine finds equal ones, and multiplies once.
            if level < 1.0 {
                assert_eq!(skipping, count, "{name}, {sizes:?}: {:#?}", dense(&operators));
            }
        }
    }
}

/// Why operators multiply by zeros.
fn dense(operators: &[Operator]) -> Vec<(&str, &str)> {
    let reasons = operators.iter().filter_map(|operator| match &operator.zero_blocks {
        Some(ZeroBlocks::Multiplied(reason)) => Some((operator.name.as_str(), reason.as_str())),
        _ => None,
    });
    reasons.collect()
}
