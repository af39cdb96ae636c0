//! Values for the model's inputs: from NumPy files, or random but valid.

use super::graph::{Graph, GraphInput};
use super::tensor_table::TensorTable;
use crate::error::RecordError;
use crate::tensor::Tensor;
use half::f16;
use ndarray::{ArrayD, IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, ReadNpyExt, ReadableElement};
use onnxray_format::DataType;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;

/// NumPy files that the user gave for inputs, by the input's name.
pub type InputFiles = BTreeMap<String, OsString>;

/// Makes one tensor per input of the graph, of the shapes given in the graph's order.
pub(crate) fn inputs(
    graph: &Graph,
    shapes: &[Vec<u64>],
    tensors: &TensorTable,
    files: &InputFiles,
    seed: u64,
) -> Result<Vec<Tensor>, RecordError> {
    let names: Vec<String> = graph.inputs.iter().map(|input| input.name.clone()).collect();
    if let Some(name) = files.keys().find(|name| !names.contains(name)) {
        return Err(RecordError::UnknownInput { name: name.clone(), inputs: names });
    }
    let inputs = graph.inputs.iter().zip(shapes).map(|(input, shape)| {
        let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
        match files.get(&input.name) {
            Some(path) => read(input, Path::new(path), &shape),
            None => random(input, &shape, index_limit(graph, tensors, &input.name), seed),
        }
    });
    inputs.collect()
}

/// `limit` is the size of the smallest table that the values select from, if any.
fn random(
    input: &GraphInput,
    shape: &[usize],
    limit: Option<u64>,
    seed: u64,
) -> Result<Tensor, RecordError> {
    use DataType::*;
    let mut numbers = Random::new(seed, &input.name);
    let is_mask = input.name.to_ascii_lowercase().contains("mask");
    // An index outside its table would end the run; 0 and 1 fit any table of two.
    let below = match (limit, input.data_type) {
        (None, S8 | U8) => 128,
        (limit, _) => limit.unwrap_or(2).max(1),
    };
    macro_rules! integers {
        ($element:ty) => {{
            let mut draw = || if is_mask { 1 } else { (numbers.next() % below) as $element };
            ArrayD::from_shape_simple_fn(shape, &mut draw).into()
        }};
    }
    let mut floats = || {
        let mut draw = || if is_mask { 1.0 } else { numbers.uniform() };
        ArrayD::from_shape_simple_fn(shape, &mut draw)
    };
    Ok(match input.data_type {
        Fp64 => floats().mapv(f64::from).into(),
        Fp32 => floats().into(),
        Fp16 => floats().mapv(f16::from_f32).into(),
        S64 => integers!(i64),
        S32 => integers!(i32),
        S16 => integers!(i16),
        S8 => integers!(i8),
        U64 => integers!(u64),
        U32 => integers!(u32),
        U16 => integers!(u16),
        U8 => integers!(u8),
        Bool => ArrayD::from_elem(shape, true).into(),
        Bf16 | String | Other => {
            let data_type = input.data_type.to_string();
            return Err(RecordError::NoValues { name: input.name.clone(), data_type });
        }
    })
}

/// The smallest table that values of this input select from, found by following
/// it through nodes that keep its values.
fn index_limit(graph: &Graph, tensors: &TensorTable, name: &str) -> Option<u64> {
    #[rustfmt::skip] // one a line would take pages
    const KEEPS_VALUES: [&str; 12] = [
        "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Slice",
        "Expand", "Concat", "Tile", "Clip",
    ];
    let mut limit: Option<u64> = None;
    let mut pending = vec![name.to_string()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(tensor) = pending.pop() {
        for &index in graph.consumers.get(&tensor).into_iter().flatten() {
            let node = &graph.nodes[index];
            let selects = matches!(node.operator_type.as_str(), "Gather" | "GatherElements")
                && node.input(1) == Some(tensor.as_str());
            if selects {
                let table = node.input(0).and_then(|data| tensors.shape(data));
                let axis = node.int("axis").unwrap_or(0);
                let size = table.and_then(|table| {
                    let axis = if axis < 0 { axis + table.len() as i64 } else { axis };
                    table.get(axis as usize).copied()
                });
                limit = limit.into_iter().chain(size).min();
            } else if KEEPS_VALUES.contains(&node.operator_type.as_str())
                && node.input(0) == Some(tensor.as_str())
            {
                pending.extend(
                    node.outputs.iter().filter(|name| seen.insert((*name).clone())).cloned(),
                );
            }
        }
    }
    limit
}

fn read(input: &GraphInput, path: &Path, shape: &[usize]) -> Result<Tensor, RecordError> {
    use DataType::*;
    let name = &input.name;
    macro_rules! read_as {
        ($element:ty) => {
            read_elements::<$element>(name, path).map(Tensor::from)
        };
    }
    let tensor = match input.data_type {
        Fp32 => read_as!(f32),
        Fp64 => read_as!(f64),
        S64 => read_as!(i64),
        S32 => read_as!(i32),
        S16 => read_as!(i16),
        S8 => read_as!(i8),
        U64 => read_as!(u64),
        U32 => read_as!(u32),
        U16 => read_as!(u16),
        U8 => read_as!(u8),
        Bool => read_as!(bool),
        Fp16 | Bf16 | String | Other => Err(ReadFailure::Other(format!(
            "inputs of type {} cannot be read from a file",
            input.data_type
        ))),
    };
    let mismatch = |actual: std::string::String| RecordError::InputMismatch {
        name: name.clone(),
        path: path.to_path_buf(),
        expected: format!("{} of shape {}", input.data_type, show(shape)),
        actual,
    };
    let tensor = tensor.map_err(|failure| match failure {
        ReadFailure::WrongType(elements) => mismatch(elements),
        ReadFailure::Other(reason) => RecordError::InputFile { path: path.to_path_buf(), reason },
    })?;
    if tensor.shape() != shape {
        return Err(mismatch(format!("shape {}", show(tensor.shape()))));
    }
    Ok(tensor)
}

enum ReadFailure {
    WrongType(String),
    Other(String),
}

fn read_elements<T: ReadableElement>(name: &str, path: &Path) -> Result<ArrayD<T>, ReadFailure> {
    let other = |error: &dyn std::fmt::Display| ReadFailure::Other(error.to_string());
    let file = File::open(path).map_err(|error| other(&error))?;
    if path.extension().is_none_or(|extension| extension != "npz") {
        return ArrayD::<T>::read_npy(file).map_err(|error| match error {
            ndarray_npy::ReadNpyError::WrongDescriptor(descriptor) => {
                ReadFailure::WrongType(format!("elements of NumPy type {descriptor}"))
            }
            error => other(&error),
        });
    }
    let mut archive = NpzReader::new(file).map_err(|error| other(&error))?;
    let names = archive.names().map_err(|error| other(&error))?;
    let entry = match names.iter().find(|entry| entry.trim_end_matches(".npy") == name) {
        Some(entry) => entry.clone(),
        None if names.len() == 1 => names[0].clone(),
        None => {
            let listed = names.join(", ");
            let reason = format!("holds no array named `{name}`; its arrays are {listed}");
            return Err(ReadFailure::Other(reason));
        }
    };
    archive.by_name::<OwnedRepr<T>, IxDyn>(&entry).map_err(|error| match error {
        ndarray_npy::ReadNpzError::Npy(ndarray_npy::ReadNpyError::WrongDescriptor(descriptor)) => {
            ReadFailure::WrongType(format!("elements of NumPy type {descriptor}"))
        }
        error => other(&error),
    })
}

fn show(shape: &[usize]) -> String {
    match shape {
        [] => "a scalar".to_string(),
        shape => shape.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
    }
}

/// SplitMix64: a sequence that is the same on every machine.
struct Random(SplitMix64);

impl Random {
    fn new(seed: u64, name: &str) -> Random {
        let mixed = name.bytes().fold(seed, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Random(SplitMix64::seed_from_u64(mixed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}
