//! Random inputs: what they depend on, and what they never leave.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, Model, Tensor};
use std::path::{Path, PathBuf};

fn path(model: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(model)
}

fn load(model: &str, sizes: &[(&str, u64)]) -> Model {
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    Model::load(&EngineSpec::default(), &path(model), &given, 1).unwrap()
}

/// An input by its name.
fn input(model: &Model, seed: u64, files: &InputFiles, name: &str) -> Tensor {
    let position = model.input_names().iter().position(|other| *other == name).unwrap();
    model.inputs(files, seed).unwrap().swap_remove(position)
}

fn indices(tensor: &Tensor) -> Vec<i64> {
    match tensor {
        Tensor::I64(array) => array.iter().copied().collect(),
        other => panic!("{:?}", other.shape()),
    }
}

const ENCODER: &[(&str, u64)] = &[("batch", 4), ("sequence", 128)];

#[test]
fn one_seed_gives_the_same_inputs_and_another_one_others() {
    for (name, sizes, random) in [
        ("encoder.onnx", ENCODER, &["input_ids", "token_type_ids"][..]),
        ("cnn.onnx", &[("batch", 1)], &["image"]),
        ("scan.onnx", &[("frames", 4)], &["signal"]),
    ] {
        // Loaded twice.
        let [model, again] = [(), ()].map(|()| load(name, sizes));
        let none = InputFiles::new();
        for seed in [0, 1, 2, u64::MAX] {
            let same = [&model, &again].map(|model| model.inputs(&none, seed).unwrap());
            assert_eq!(same[0], same[1], "{name}, seed {seed}");
        }
        for own in random {
            let of = |seed| input(&model, seed, &none, own);
            assert!(of(1) != of(2) && of(1) != of(0), "{name}: {own}");
        }
    }
}

#[test]
fn each_input_depends_on_its_own_name_only() {
    let none = InputFiles::new();
    let encoder = load("encoder.onnx", ENCODER);
    let ids = |model: &Model, files| input(model, 3, files, "input_ids");
    // Of another model that has an input of that name and size.
    let other = load("encoder-int8.onnx", &[("batch", 4), ("sequence", 128)]);
    assert_eq!(ids(&encoder, &none), ids(&other, &none));
    // Where another input comes from a file.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mask.npy");
    std::fs::write(&file, zeros(&[4, 128])).unwrap();
    let files = InputFiles::from([("attention_mask".to_string(), file.into_os_string())]);
    assert_eq!(ids(&encoder, &none), ids(&encoder, &files));
    let mask = |files| indices(&input(&encoder, 3, files, "attention_mask"));
    assert!(mask(&none).iter().all(|&one| one == 1) && mask(&files).iter().all(|&zero| zero == 0));
    // Two inputs of one model are not the same numbers in other bounds.
    let below_two: Vec<i64> = indices(&ids(&encoder, &none)).iter().map(|id| id % 2).collect();
    assert_ne!(below_two, indices(&input(&encoder, 3, &none, "token_type_ids")));
}

#[test]
fn indices_lie_inside_the_tables_that_they_select_from() {
    let encoder = load("encoder.onnx", ENCODER);
    for seed in 1..=20 {
        for (name, rows) in [("input_ids", 256), ("token_type_ids", 2)] {
            let found = indices(&input(&encoder, seed, &InputFiles::new(), name));
            assert!(found.iter().all(|index| (0..rows).contains(index)), "{name}, seed {seed}");
            // They are spread over the table.
            let [least, most] = [found.iter().min().unwrap(), found.iter().max().unwrap()];
            assert!(*least < rows / 4 + 1 && *most >= rows / 2, "{name}: {least} to {most}");
        }
    }
}

/// A NumPy file of whole numbers.
fn zeros(shape: &[usize; 2]) -> Vec<u8> {
    let [rows, columns] = shape;
    let header =
        format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(header.bytes());
    file.resize(127, b' ');
    file.push(b'\n');
    file.resize(128 + rows * columns * 8, 0);
    file
}
