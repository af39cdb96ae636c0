//! Values for the model's inputs: from NumPy files, or random but valid.

use super::numpy::{self, ReadFailure, show};
use super::readers::readers;
use super::switches;
use super::valid_values::{ValidValues, valid_values};
use crate::error::RecordError;
use crate::memory;
use crate::model::generation::GenerationPlan;
use crate::model::graph::{Attribute, Graph, GraphInput, InputKind};
use crate::model::tensor_table::TensorTable;
use crate::tensor::{Draw, Element, Tensor, Zeros, dispatch};
use ndarray::ArrayD;
use onnxray_format::{DataType, Step, elements};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::iter::{self, Cycle};
use std::path::Path;
use std::slice;

/// NumPy files that the user gave for inputs, by the input's name.
pub type InputFiles = BTreeMap<String, OsString>;

/// Determines the values of made-up inputs.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    pub(crate) seed: u64,
    /// Which of their [`choices_of`] inputs of one element are.
    pub(crate) choice: usize,
}

/// Values of made-up inputs of one element, by name: of inputs that the model compares with
/// something.
pub(crate) fn choices_of(
    graph: &Graph,
    shapes: &[Vec<u64>],
    tensors: &TensorTable,
    files: &InputFiles,
) -> BTreeMap<String, Vec<f64>> {
    let of_one = graph.inputs.iter().zip(shapes).filter(|(input, shape)| {
        shape.len() <= 1 && elements(shape) == Some(1) && !files.contains_key(&input.name)
    });
    let free = of_one.filter(|(input, _)| valid_values(graph, tensors, &input.name).is_none());
    let choices = free.map(|(input, _)| {
        (input.name.clone(), switches::choices(graph, &input.name, input.data_type))
    });
    choices.filter(|(_, choices)| !choices.is_empty()).collect()
}

/// Makes one tensor per input of the graph, of the shapes given in the graph's order.
pub(crate) fn inputs(
    graph: &Graph,
    shapes: &[Vec<u64>],
    tensors: &TensorTable,
    files: &InputFiles,
    Made { seed, choice }: Made,
) -> Result<Vec<Tensor>, RecordError> {
    let names: Vec<String> = graph.inputs.iter().map(|input| input.name.clone()).collect();
    // A misspelled name would leave the input it was meant for to random values.
    if let Some(name) = files.keys().find(|name| !names.contains(name)) {
        return Err(RecordError::UnknownInput { name: name.clone(), inputs: names });
    }
    check_memory(graph, shapes)?;
    let choices = choices_of(graph, shapes, tensors, files);
    let longest = longest(graph, shapes);
    let inputs = graph.inputs.iter().zip(shapes).map(|(input, shape)| {
        let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
        // Inputs have different numbers of choices: one with fewer stays at its last.
        let chosen = choices.get(&input.name).and_then(|own| own.get(choice.min(own.len() - 1)));
        let valid = || match chosen {
            Some(&chosen) => Some(ValidValues::These(vec![chosen])),
            None => valid_values(graph, tensors, &input.name)
                .or_else(|| says_length(input).then(|| ValidValues::These(vec![longest as f64]))),
        };
        match files.get(&input.name) {
            Some(path) if input.kind == InputKind::Sequence => sequence(input, Path::new(path)),
            Some(path) => read(input, Path::new(path), &shape),
            None if input.kind == InputKind::Sequence => {
                Err(RecordError::NoSequence { name: input.name.clone() })
            }
            None if input.data_type == DataType::String => {
                let mut texts = texts(graph, &input.name).into_iter().cycle();
                Ok(filled(input, &shape, || texts.next().unwrap_or_default())?.into())
            }
            None => random(input, &shape, valid(), seed),
        }
    });
    inputs.collect()
}

/// Texts that the readers of an input know, or else a single one of no meaning.
fn texts(graph: &Graph, name: &str) -> Vec<String> {
    let known = readers(graph, None, name).into_iter().find_map(|reader| {
        let lists = ["keys_strings", "cats_strings", "string_vocabulary", "pool_strings"];
        lists.into_iter().find_map(|list| match reader.node.attributes.get(list) {
            Some(Attribute::Texts(texts)) if !texts.is_empty() => Some(texts.clone()),
            _ => None,
        })
    });
    known.unwrap_or_else(|| vec!["a".to_string()])
}

/// The inputs of a step of a generation; `None` for those that come from the step before.
pub(crate) fn inputs_of_step(
    graph: &Graph,
    shapes: &[Vec<u64>],
    tensors: &TensorTable,
    (plan, step): (&GenerationPlan, Step),
    seed: u64,
) -> Result<Vec<Option<Tensor>>, RecordError> {
    let inputs = graph.inputs.iter().zip(shapes).enumerate().map(|(position, (input, shape))| {
        if !plan.is_first(step) && plan.is_fed(position) {
            return Ok(None);
        }
        let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
        if let Some(stated) = stated(input, &shape, step) {
            return Ok(Some(stated));
        }
        // Each step has other tokens.
        let seed = seed.wrapping_add(u64::from(step.cached));
        random(input, &shape, valid_values(graph, tensors, &input.name), seed).map(Some)
    });
    inputs.collect()
}

/// Refuses a generation whose steps have more inputs together than fit into memory: all are
/// made before the first one runs. `shapes` are those of the first and of the last step.
pub(crate) fn check_memory_of_steps(
    graph: &Graph,
    plan: &GenerationPlan,
    shapes: [&[Vec<u64>]; 2],
) -> Result<(), RecordError> {
    let Some(limit) = memory::limit() else { return Ok(()) };
    let own = |shapes: &[Vec<u64>]| -> u128 {
        let inputs = graph.inputs.iter().zip(shapes).enumerate();
        let own = inputs.filter(|(position, _)| !plan.is_fed(*position));
        let bytes = own.map(|(_, (input, shape))| {
            let bytes = u128::from(input.data_type.bytes().unwrap_or(1));
            elements(shape).map_or(u128::from(u64::MAX), u128::from) * bytes
        });
        bytes.sum()
    };
    // They grow evenly from step to step.
    let [first, last] = shapes.map(own);
    let steps = plan.steps().count();
    // An arithmetic series, in 128 bits: sizes come from the user and have no bound yet.
    let bytes = (first + last) * steps as u128 / 2;
    // Twice, for the copies that an engine makes.
    match bytes * 2 > u128::from(limit) {
        true => Err(RecordError::MemoryOfSteps {
            steps,
            bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
            limit,
        }),
        false => Ok(()),
    }
}

/// The input states how long others are, by its name: `lengths`, `x_length`, `seq_len`.
fn says_length(input: &GraphInput) -> bool {
    let name = input.name.to_ascii_lowercase();
    let is_whole = matches!(input.data_type, DataType::S64 | DataType::S32);
    is_whole && (name.contains("length") || name.ends_with("_len") || name.ends_with("_lens"))
}

/// Longest axis after the first one, over all inputs that do not state lengths.
fn longest(graph: &Graph, shapes: &[Vec<u64>]) -> u64 {
    let others = graph.inputs.iter().zip(shapes).filter(|(input, _)| !says_length(input));
    others.flat_map(|(_, shape)| shape.iter().skip(1)).copied().max().unwrap_or(1)
}

/// Inputs that a step determines: positions of its tokens, and whether there is a cache.
fn stated(input: &GraphInput, shape: &[usize], step: Step) -> Option<Tensor> {
    let name = input.name.to_ascii_lowercase();
    let count = shape.iter().product::<usize>();
    match input.data_type {
        DataType::S64
            if name.contains("position") && shape.last() == Some(&(step.tokens as usize)) =>
        {
            let positions = (0..count)
                .map(|place| i64::from(step.cached) + (place % step.tokens.max(1) as usize) as i64);
            Some(ArrayD::from_shape_vec(shape, positions.collect()).ok()?.into())
        }
        DataType::Bool if name.contains("use_cache") => {
            Some(ArrayD::from_elem(shape, step.cached > 0).into())
        }
        _ => None,
    }
}

/// Refuses inputs that cannot fit into memory together with the copies that an engine
/// makes of them: the system would end the program in the middle of them.
fn check_memory(graph: &Graph, shapes: &[Vec<u64>]) -> Result<(), RecordError> {
    let Some(limit) = memory::limit() else { return Ok(()) };
    let bytes = |(input, shape): (&GraphInput, &Vec<u64>)| {
        elements(shape)?.checked_mul(input.data_type.bytes().unwrap_or(1))
    };
    let each: Vec<u64> =
        graph.inputs.iter().zip(shapes).map(|input| bytes(input).unwrap_or(u64::MAX)).collect();
    let all = each.iter().fold(0u64, |sum, &bytes| sum.saturating_add(bytes));
    let largest = (0..each.len()).max_by_key(|&input| each[input]);
    match largest.filter(|_| all.saturating_mul(2) > limit) {
        Some(largest) => Err(RecordError::Memory {
            bytes: all,
            limit,
            name: graph.inputs[largest].name.clone(),
            shape: shapes[largest].clone(),
        }),
        None => Ok(()),
    }
}

/// Random values, or those that its readers accept.
fn random(
    input: &GraphInput,
    shape: &[usize],
    valid: Option<ValidValues>,
    seed: u64,
) -> Result<Tensor, RecordError> {
    let is_mask = input.name.to_ascii_lowercase().contains("mask");
    let these = match &valid {
        Some(ValidValues::These(these)) => these.as_slice(),
        _ if is_mask => &[1.0],
        _ => &[],
    };
    let below = match (&valid, input.data_type) {
        (Some(ValidValues::Below(limit)), _) => (*limit).max(1),
        // Valid for either sign: quantized inputs are of any value.
        (_, DataType::S8 | DataType::U8) => 128,
        // 0 and 1 fit any table of two.
        _ => 2,
    };
    let mut drawn =
        Drawn { these: these.iter().cycle(), below, random: Random::new(seed, &input.name) };
    dispatch!(T => if input.data_type == T::DATA_TYPE {
        return Ok(filled(input, shape, || T::made_up(&mut drawn))?.into());
    });
    match input.data_type {
        data_type if data_type != DataType::String && input.element_type > 0 => {
            Ok(Tensor::Zeros(Zeros { element_type: input.element_type, shape: shape.to_vec() }))
        }
        data_type => Err(RecordError::NoValues {
            name: input.name.clone(),
            data_type: data_type.to_string(),
        }),
    }
}

/// Cycles through `these`, or else draws random numbers.
struct Drawn<'a> {
    these: Cycle<slice::Iter<'a, f64>>,
    /// Upper bound of whole numbers, exclusive.
    below: u64,
    random: Random,
}

impl Draw for Drawn<'_> {
    fn whole(&mut self) -> i64 {
        let random = || (self.random.next() % self.below) as i64;
        self.these.next().map_or_else(random, |&this| this as i64)
    }

    fn real(&mut self) -> f32 {
        self.these.next().map_or_else(|| self.random.uniform(), |&this| this as f32)
    }

    fn truth(&mut self) -> bool {
        self.these.next().is_none_or(|&this| this != 0.0)
    }
}

/// An array of drawn values, if there is memory for it.
fn filled<T>(
    input: &GraphInput,
    shape: &[usize],
    draw: impl FnMut() -> T,
) -> Result<ArrayD<T>, RecordError> {
    let no_memory = || RecordError::NoMemory {
        name: input.name.clone(),
        shape: shape.iter().map(|&size| size as u64).collect(),
    };
    let count = shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    let count = count.ok_or_else(no_memory)?;
    let mut values = Vec::new();
    // Reserved first: where an allocation fails while values are added, the process ends.
    values.try_reserve_exact(count).map_err(|_| no_memory())?;
    values.extend(iter::repeat_with(draw).take(count));
    ArrayD::from_shape_vec(shape, values).map_err(|_| no_memory())
}

fn read(input: &GraphInput, path: &Path, shape: &[usize]) -> Result<Tensor, RecordError> {
    let name = &input.name;
    let mismatch = |actual, cast| RecordError::InputMismatch {
        name: name.clone(),
        path: path.to_path_buf(),
        expected: format!("{} of shape {}", input.data_type, show(shape)),
        actual,
        cast,
    };
    let failed = |failure| match failure {
        ReadFailure::Mismatch(actual) => mismatch(actual, None),
        ReadFailure::OtherType(descriptor) => {
            mismatch(format!("elements of NumPy type {descriptor}"), numpy::name(input.data_type))
        }
        failure => failure.of(path),
    };
    dispatch!(T => if input.data_type == T::DATA_TYPE {
        return numpy::read::<T>(path, name, shape).map(Tensor::from).map_err(failed);
    });
    if input.data_type == DataType::String {
        return numpy::read::<String>(path, name, shape).map(Tensor::from).map_err(failed);
    }
    Err(failed(ReadFailure::Other(format!(
        "inputs of type {} cannot be read from a file",
        input.data_type
    ))))
}

/// The arrays of a file, in their order, as the tensors of a sequence.
fn sequence(input: &GraphInput, path: &Path) -> Result<Tensor, RecordError> {
    let failed = |failure| match failure {
        ReadFailure::OtherType(found) => ReadFailure::Other(format!(
            "holds an array of NumPy type {found}, and `{}` is a sequence of {}",
            input.name, input.data_type
        )),
        failure => failure,
    };
    let failed = |failure| failed(failure).of(path);
    macro_rules! read {
        ($element:ty) => {
            numpy::read_all::<$element>(path)
                .map(|arrays| Tensor::Sequence(arrays.into_iter().map(Tensor::from).collect()))
        };
    }
    dispatch!(T => if input.data_type == T::DATA_TYPE {
        return read!(T).map_err(failed);
    });
    match input.data_type {
        DataType::String => read!(String).map_err(failed),
        other => {
            Err(RecordError::NoValues { name: input.name.clone(), data_type: other.to_string() })
        }
    }
}

/// SplitMix64: a sequence that is the same on every machine.
struct Random(SplitMix64);

impl Random {
    fn new(seed: u64, name: &str) -> Random {
        // FNV-1a's step: each input has a sequence of its own, whatever inputs come before it.
        let mixed = name.bytes().fold(seed, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Random(SplitMix64::seed_from_u64(mixed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    fn uniform(&mut self) -> f32 {
        // 24 bits, as many as an f32 holds exactly: from -1 up to below 1.
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}
