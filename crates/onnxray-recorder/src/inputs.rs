//! Values for the model's inputs: from NumPy files, or random but valid.

use crate::engine;
use crate::error::RecordError;
use crate::model::Model;
use crate::onnx::Graph;
use ndarray::{ArrayD, IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, ReadNpyExt, ReadableElement};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use tract_onnx::prelude::*;

/// Files that the user gave for inputs, by the input's name.
pub type InputFiles = BTreeMap<String, PathBuf>;

/// Makes one tensor per input of the model, in the model's order.
///
/// Inputs without a file get random values that depend on `seed` and the
/// input's name only: indices lie inside the table that they select from, masks
/// are ones, floats are uniform in [-1, 1).
pub fn inputs(model: &Model, files: &InputFiles, seed: u64) -> Result<Vec<Tensor>, RecordError> {
    let graph = &model.graph;
    if let Some(name) = files.keys().find(|name| !graph.inputs.iter().any(|i| i.name == **name)) {
        let known = graph.inputs.iter().map(|input| input.name.clone()).collect();
        return Err(RecordError::UnknownInput { name: name.clone(), known });
    }
    graph
        .inputs
        .iter()
        .zip(&model.bound.shapes)
        .enumerate()
        .map(|(index, (input, shape))| {
            let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
            let fact = model.optimized.input_fact(index);
            let datum_type = fact.map(|fact| fact.datum_type).unwrap_or(DatumType::F32);
            match files.get(&input.name) {
                Some(path) => read(&input.name, path, datum_type, &shape),
                None => random(model, &input.name, datum_type, &shape, seed),
            }
        })
        .collect()
}

fn random(
    model: &Model,
    name: &str,
    datum_type: DatumType,
    shape: &[usize],
    seed: u64,
) -> Result<Tensor, RecordError> {
    let mut numbers = Random::new(seed, name);
    let lower = name.to_ascii_lowercase();
    let is_mask = lower.contains("mask");
    let count: usize = shape.iter().product();
    // An index outside its table would end the run; 0 and 1 fit any table of two.
    let limit = index_limit(&model.graph, model, name).unwrap_or(2).max(1);
    let mut integers = || -> Vec<i64> {
        let mut draw = || if is_mask { 1 } else { (numbers.next() % limit) as i64 };
        (0..count).map(|_| draw()).collect()
    };
    let tensor = match datum_type.unquantized() {
        DatumType::F32 | DatumType::F16 | DatumType::F64 => {
            let values: Vec<f32> =
                (0..count).map(|_| if is_mask { 1.0 } else { numbers.uniform() }).collect();
            Tensor::from_shape(shape, &values)
        }
        DatumType::I8 | DatumType::U8
            if index_limit(&model.graph, model, name).is_none() && !is_mask =>
        {
            let values: Vec<i64> = (0..count).map(|_| (numbers.next() % 128) as i64).collect();
            Tensor::from_shape(shape, &values)
        }
        DatumType::Bool => Tensor::from_shape(shape, &vec![true; count]),
        other if other.is_integer() => Tensor::from_shape(shape, &integers()),
        other => {
            let data_type = engine::data_type(other).to_string();
            return Err(RecordError::NoValues { name: name.to_string(), data_type });
        }
    };
    tensor
        .and_then(|tensor| Ok(tensor.cast_to_dt(datum_type)?.into_owned()))
        .map_err(|error| RecordError::Load { reason: crate::error::causes(&error) })
}

/// The smallest table that values of this input select from, found by following
/// it through nodes that keep its values.
fn index_limit(graph: &Graph, model: &Model, name: &str) -> Option<u64> {
    const KEEPS_VALUES: [&str; 12] = [
        "Cast",
        "Identity",
        "Reshape",
        "Squeeze",
        "Unsqueeze",
        "Flatten",
        "Transpose",
        "Slice",
        "Expand",
        "Concat",
        "Tile",
        "Clip",
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
                let table = node.input(0).and_then(|data| model.tensors.shape(data));
                let axis = node.int("axis").unwrap_or(0);
                let size = table.and_then(|table| {
                    let axis = if axis < 0 { axis + table.len() as i64 } else { axis };
                    table.get(axis as usize).copied()
                });
                limit = match (limit, size) {
                    (Some(limit), Some(size)) => Some(limit.min(size)),
                    (known, found) => known.or(found),
                };
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

fn read(
    name: &str,
    path: &Path,
    datum_type: DatumType,
    shape: &[usize],
) -> Result<Tensor, RecordError> {
    macro_rules! read_as {
        ($element:ty) => {
            read_elements::<$element>(name, path).map(|array| {
                let shape = array.shape().to_vec();
                let values: Vec<$element> = array.iter().copied().collect();
                (Tensor::from_shape(&shape, &values), shape)
            })
        };
    }
    let read = match datum_type.unquantized() {
        DatumType::F32 => read_as!(f32),
        DatumType::F64 => read_as!(f64),
        DatumType::I64 | DatumType::TDim => read_as!(i64),
        DatumType::I32 => read_as!(i32),
        DatumType::I16 => read_as!(i16),
        DatumType::I8 => read_as!(i8),
        DatumType::U64 => read_as!(u64),
        DatumType::U32 => read_as!(u32),
        DatumType::U16 => read_as!(u16),
        DatumType::U8 => read_as!(u8),
        DatumType::Bool => read_as!(bool),
        other => Err(ReadFailure::Other(format!(
            "inputs of type {} cannot be read from a file",
            engine::data_type(other)
        ))),
    };
    let expected = format!("{} of shape {}", engine::data_type(datum_type), show(shape));
    let (tensor, found) = read.map_err(|failure| match failure {
        ReadFailure::WrongType(found) => RecordError::InputMismatch {
            name: name.to_string(),
            path: path.to_path_buf(),
            expected: expected.clone(),
            found,
        },
        ReadFailure::Other(reason) => RecordError::InputFile { path: path.to_path_buf(), reason },
    })?;
    if found != shape {
        return Err(RecordError::InputMismatch {
            name: name.to_string(),
            path: path.to_path_buf(),
            expected,
            found: format!("shape {}", show(&found)),
        });
    }
    tensor.map_err(|error| RecordError::InputFile {
        path: path.to_path_buf(),
        reason: crate::error::causes(&error),
    })
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
            ndarray_npy::ReadNpyError::WrongDescriptor(found) => {
                ReadFailure::WrongType(format!("elements of NumPy type {found}"))
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
        ndarray_npy::ReadNpzError::Npy(ndarray_npy::ReadNpyError::WrongDescriptor(found)) => {
            ReadFailure::WrongType(format!("elements of NumPy type {found}"))
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
struct Random(u64);

impl Random {
    fn new(seed: u64, name: &str) -> Random {
        let mixed = name.bytes().fold(seed, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Random(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn uniform(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}
