//! Small models and arrays, changed at random: whatever they say then, they are read or
//! refused. `ONNXRAY_MUTATIONS` says how many of each there are, `ONNXRAY_MUTATIONS_SEED`
//! which.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, Model, OnnxNodes};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fs;
use std::path::{Path, PathBuf};

/// The files from which fuzzing begins.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus").join(name);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap())
}

/// Calls `read` with one file after the other, each changed in a few places.
fn mutate(corpus: &[Vec<u8>], mut read: impl FnMut(&[u8])) {
    let mut random = SplitMix64::seed_from_u64(number("ONNXRAY_MUTATIONS_SEED", 1));
    let mut below = |limit: usize| (random.next_u64() % limit.max(1) as u64) as usize;
    for _ in 0..number("ONNXRAY_MUTATIONS", 3000) {
        let mut bytes = corpus[below(corpus.len())].clone();
        for _ in 0..=below(4) {
            let at = below(bytes.len());
            let part = at..(at + 1 + below(24)).min(bytes.len());
            match below(6) {
                0 => bytes[at] ^= 1 << below(8),
                1 => bytes[at] = [0, 1, 2, 0x7f, 0x80, 0xff][below(6)],
                2 => drop(bytes.drain(part)),
                3 => {
                    let copy = bytes[part].to_vec();
                    let to = below(bytes.len());
                    bytes.splice(to..to, copy);
                }
                4 => {
                    // A name that another one has, or another length.
                    let copy = bytes[part].to_vec();
                    let to = below(bytes.len() - copy.len() + 1);
                    bytes[to..to + copy.len()].copy_from_slice(&copy);
                }
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        read(&bytes);
    }
}

#[test]
fn a_changed_model_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    let (mut read, mut refused) = (0, 0);
    mutate(&corpus("onnx_model"), |bytes| {
        fs::write(&path, bytes).unwrap();
        match OnnxNodes::read(&path, &GivenDimensions::default()) {
            Ok(model) => {
                read += 1;
                for (position, node) in model.model.nodes.iter().enumerate() {
                    assert_eq!(node.number as usize, position);
                    assert!(node.parent.is_none_or(|parent| (parent as usize) < position));
                }
            }
            Err(_) => refused += 1,
        }
    });
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}

#[test]
fn a_changed_array_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let relu = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus/onnx_model");
    let model = Model::load(
        &EngineSpec::default(),
        &relu.join("relu.onnx"),
        &GivenDimensions::default(),
        1,
    )
    .unwrap();
    let (mut read, mut refused) = (0, 0);
    mutate(&corpus("numpy"), |bytes| {
        for name in ["x.npy", "x.npz"] {
            let file = folder.path().join(name);
            fs::write(&file, bytes).unwrap();
            let files = InputFiles::from([("x".to_string(), file.into_os_string())]);
            match model.inputs(&files, 1) {
                Ok(inputs) => {
                    read += 1;
                    assert_eq!(inputs[0].shape(), [2, 2]);
                }
                Err(_) => refused += 1,
            }
        }
    });
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
