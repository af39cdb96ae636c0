//! The work of an iteration, handed from one process to another in a folder: a file in NumPy's
//! format for each array, and a list of them.

use super::{GenerationInputs, StepInputs, Workload};
use crate::tensor::{Element, Tensor, Zeros, dispatch};
use half::f16;
use ndarray::{ArrayD, IxDyn};
use ndarray_npy::{read_npy, write_npy};
use onnxray_format::{DataType, Step};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const LIST: &str = "inputs.json";

#[derive(Serialize, Deserialize)]
enum Stored {
    Inference(Vec<StoredTensor>),
    Generation { feeds: Vec<(usize, usize)>, steps: Vec<StoredStep> },
}

#[derive(Serialize, Deserialize)]
struct StoredStep {
    step: Step,
    inputs: Vec<Option<StoredTensor>>,
}

#[derive(Serialize, Deserialize)]
enum StoredTensor {
    /// In the file of this number.
    Array(DataType, usize),
    Text(Vec<usize>, Vec<String>),
    Zeros(i32, Vec<usize>),
    Sequence(Vec<StoredTensor>),
}

/// Writes a workload into an empty folder.
pub(crate) fn write(workload: &Workload, folder: &Path) -> io::Result<()> {
    let mut writer = Writer { folder, files: 0 };
    let stored = match workload {
        Workload::Inference(inputs) => Stored::Inference(
            inputs.iter().map(|input| writer.tensor(input)).collect::<Result<_, _>>()?,
        ),
        Workload::Generation(GenerationInputs { feeds, steps, .. }) => {
            let mut step = |StepInputs { step, inputs }: &StepInputs| {
                let inputs = inputs
                    .iter()
                    .map(|input| input.as_ref().map(|input| writer.tensor(input)).transpose());
                Ok::<_, io::Error>(StoredStep {
                    step: *step,
                    inputs: inputs.collect::<Result<_, _>>()?,
                })
            };
            let steps = steps.iter().map(&mut step).collect::<Result<_, _>>()?;
            Stored::Generation { feeds: feeds.clone(), steps }
        }
    };
    serde_json::to_writer(File::create_new(folder.join(LIST))?, &stored)?;
    Ok(())
}

/// Reads what [`write`] wrote. The typical steps of a generation are not among it: they serve to
/// describe a model.
pub(crate) fn read(folder: &Path) -> io::Result<Workload> {
    let tensors = |stored: Vec<StoredTensor>| -> io::Result<Vec<Tensor>> {
        stored.into_iter().map(|one| tensor(one, folder)).collect()
    };
    Ok(match serde_json::from_slice(&fs::read(folder.join(LIST))?)? {
        Stored::Inference(inputs) => Workload::Inference(tensors(inputs)?),
        Stored::Generation { feeds, steps } => {
            let step = |StoredStep { step, inputs }: StoredStep| {
                let inputs = inputs
                    .into_iter()
                    .map(|input| input.map(|input| tensor(input, folder)).transpose());
                Ok::<_, io::Error>(StepInputs { step, inputs: inputs.collect::<Result<_, _>>()? })
            };
            let steps = steps.into_iter().map(step).collect::<Result<_, _>>()?;
            Workload::Generation(GenerationInputs { feeds, steps, typical: Default::default() })
        }
    })
}

struct Writer<'a> {
    folder: &'a Path,
    files: usize,
}

impl Writer<'_> {
    fn tensor(&mut self, tensor: &Tensor) -> io::Result<StoredTensor> {
        Ok(match tensor {
            Tensor::Text(array) => {
                StoredTensor::Text(array.shape().to_vec(), array.iter().cloned().collect())
            }
            Tensor::Zeros(zeros) => StoredTensor::Zeros(zeros.element_type, zeros.shape.clone()),
            Tensor::Sequence(all) => StoredTensor::Sequence(
                all.iter().map(|one| self.tensor(one)).collect::<Result<_, _>>()?,
            ),
            array => {
                let file = self.files;
                self.files += 1;
                self.array(array, &path(self.folder, file))?;
                StoredTensor::Array(array.data_type(), file)
            }
        })
    }

    fn array(&self, tensor: &Tensor, path: &Path) -> io::Result<()> {
        dispatch!(T => if let Some(array) = T::array(tensor) {
            return write_npy(path, array).map_err(io::Error::other);
        }; f64, f32, i64, i32, i16, i8, u64, u32, u16, u8, bool);
        match tensor {
            // NumPy's format has no such type in Rust: as its bits.
            Tensor::F16(array) => {
                write_npy(path, &array.map(|half| half.to_bits())).map_err(io::Error::other)
            }
            other => Err(io::Error::other(format!("an input is of type {}", other.data_type()))),
        }
    }
}

fn path(folder: &Path, file: usize) -> PathBuf {
    folder.join(format!("{file}.npy"))
}

fn tensor(stored: StoredTensor, folder: &Path) -> io::Result<Tensor> {
    let (data_type, file) = match stored {
        StoredTensor::Text(shape, texts) => {
            let array = ArrayD::from_shape_vec(IxDyn(&shape), texts).map_err(io::Error::other)?;
            return Ok(Tensor::Text(array));
        }
        StoredTensor::Zeros(element_type, shape) => {
            return Ok(Tensor::Zeros(Zeros { element_type, shape }));
        }
        StoredTensor::Sequence(all) => {
            let all = all.into_iter().map(|one| tensor(one, folder)).collect::<Result<_, _>>()?;
            return Ok(Tensor::Sequence(all));
        }
        StoredTensor::Array(data_type, file) => (data_type, path(folder, file)),
    };
    if data_type == DataType::Fp16 {
        let bits: ArrayD<u16> = read_npy(&file).map_err(io::Error::other)?;
        return Ok(Tensor::F16(bits.map(|bits| f16::from_bits(*bits))));
    }
    dispatch!(T => if data_type == T::DATA_TYPE {
        let array: ArrayD<T> = read_npy(&file).map_err(io::Error::other)?;
        return Ok(array.into());
    }; f64, f32, i64, i32, i16, i8, u64, u32, u16, u8, bool);
    Err(io::Error::other(format!("no arrays of type {data_type}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::arr1;
    use onnxray_format::Phase;

    #[test]
    fn a_workload_comes_out_as_it_went_in() {
        let halves: ArrayD<f16> = arr1(&[0x7e01, 0x3c00, 0x8000].map(f16::from_bits)).into_dyn();
        let inputs = vec![
            Tensor::from(arr1(&[1.5f32, f32::INFINITY, -0.0])),
            Tensor::F16(halves.clone()),
            Tensor::from(arr1(&[i64::MIN, i64::MAX])),
            Tensor::from(arr1(&[true, false])),
            Tensor::from(arr1::<u8>(&[])),
            Tensor::Text(arr1(&["a\n\"".to_string(), String::new()]).into_dyn()),
            Tensor::Zeros(Zeros { element_type: 16, shape: vec![2, 0] }),
            Tensor::Sequence(vec![Tensor::from(arr1(&[3i32])), Tensor::from(arr1(&[4i32, 5]))]),
        ];
        let folder = tempfile::tempdir().unwrap();
        write(&Workload::Inference(inputs.clone()), folder.path()).unwrap();
        let Workload::Inference(read) = read(folder.path()).unwrap() else {
            panic!("another kind")
        };
        // One of the halves is not a number, which equals nothing.
        assert!(matches!(&read[1], Tensor::F16(found) if found.iter().map(|half| half.to_bits())
            .eq(halves.iter().map(|half| half.to_bits()))));
        for position in [0, 2, 3, 4, 5, 6, 7] {
            assert_eq!(read[position], inputs[position]);
        }
    }

    #[test]
    fn steps_of_a_generation_keep_their_places() {
        let step = |phase, cached| Step { phase, tokens: 1, cached };
        let of = |inputs: Vec<Option<Tensor>>, phase, cached| StepInputs {
            step: step(phase, cached),
            inputs,
        };
        let steps = vec![
            of(vec![Some(arr1(&[7i64]).into()), None], Phase::Prefill, 0),
            of(vec![None, Some(arr1(&[8i64]).into())], Phase::Decode, 1),
        ];
        let generation =
            GenerationInputs { feeds: vec![(3, 1)], steps, typical: Default::default() };
        let folder = tempfile::tempdir().unwrap();
        write(&Workload::Generation(generation.clone()), folder.path()).unwrap();
        let Workload::Generation(read) = read(folder.path()).unwrap() else {
            panic!("another kind")
        };
        assert_eq!(read.feeds, generation.feeds);
        for (read, written) in read.steps.iter().zip(&generation.steps) {
            assert_eq!((read.step, &read.inputs), (written.step, &written.inputs));
        }
        assert_eq!(read.steps.len(), 2);
    }
}
