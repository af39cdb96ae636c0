//! The data that a model runs on: batches of inputs, and labels.

use crate::error::RecordError;
use crate::model::file::sha256;
use crate::model::graph::Graph;
use crate::model::input_values::numpy::{self, ReadFailure};
use crate::model::sizes::dimensions::{GivenDimensions, IsBatch, named_dimensions};
use onnxray_text::{first_of, printable};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files of data, in the order in which they are run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DataFiles {
    /// An `.npz` archive for each batch, with an array for each input; none for random inputs.
    pub batches: Vec<OsString>,
    /// An `.npy` file with the class of each item.
    pub labels: Option<OsString>,
}

/// The batches at a path: an `.npz` archive, or a folder of them, in the order of their names.
///
/// # Errors
///
/// If there is none.
pub fn data_files(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let failed = |reason: String| RecordError::InputFile { path: path.to_path_buf(), reason };
    let is_archive =
        |path: &Path| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("npz"));
    if !path.is_dir() {
        return match is_archive(path) {
            true => Ok(vec![path.to_path_buf()]),
            false => Err(failed("expected a file that ends in .npz, or a folder".to_string())),
        };
    }
    let entries = fs::read_dir(path).map_err(|error| failed(error.to_string()))?;
    let paths: Result<Vec<PathBuf>, io::Error> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut found = paths.map_err(|error| failed(error.to_string()))?;
    found.retain(|path| is_archive(path));
    // Folders have no order of their own, and hashes and labels depend on it.
    found.sort();
    match found.is_empty() {
        true => Err(failed("holds no file that ends in .npz".to_string())),
        false => Ok(found),
    }
}

impl DataFiles {
    /// Sizes of the dimensions, with those that the first batch gives the free ones that were
    /// given none.
    ///
    /// # Errors
    ///
    /// If a batch cannot be read, or its arrays are not named as the inputs are.
    pub(super) fn sizes(
        &self,
        graph: &Graph,
        given: &GivenDimensions,
    ) -> Result<GivenDimensions, RecordError> {
        let mut sizes = given.clone();
        for (number, path) in self.batches.iter().enumerate() {
            let path = Path::new(path);
            let arrays = numpy::shapes(path).map_err(|failure| failure.of(path))?;
            check_names(graph, path, &arrays)?;
            // All names are checked, sizes are those of the first batch.
            if number > 0 {
                continue;
            }
            for input in &graph.inputs {
                let Some((_, shape)) = arrays.iter().find(|(name, _)| *name == input.name) else {
                    continue;
                };
                for (dimension, &size) in named_dimensions(input)?.into_iter().zip(shape) {
                    let is_batch = dimension.batch != IsBatch::No;
                    let is_given =
                        dimension.fixed.is_some() || is_batch && given.batch_size.is_some();
                    if !is_given {
                        // What the user gave stays; the file is compared with it when it is read.
                        sizes.sizes.entry(dimension.name).or_insert(size as u64);
                    }
                }
            }
        }
        Ok(sizes)
    }

    /// SHA-256 of the batches and their order, and of the labels; `None` where there are none.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub(super) fn hashes(&self) -> Result<(Option<String>, Option<String>), RecordError> {
        let of = |path: &OsString| {
            let unreadable = |source| RecordError::ReadFile { path: path.into(), source };
            sha256(Path::new(path)).map_err(unreadable)
        };
        let mut all = Sha256::new();
        for path in &self.batches {
            // A hash of hashes: where one file ends and the next begins changes it.
            all.update(of(path)?);
        }
        let all: String = all.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let labels = self.labels.as_ref().map(of).transpose()?;
        Ok(((!self.batches.is_empty()).then_some(all), labels))
    }

    /// The labels, of which there should be this many; `None` if there is no file of them.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or are not as many.
    pub(super) fn labels(&self, count: usize) -> Result<Option<Vec<i64>>, RecordError> {
        let Some(path) = self.labels.as_ref().map(Path::new) else { return Ok(None) };
        let expected = format!("expected {count} whole numbers, a label for each, found ");
        let labels = numpy::whole_numbers(path, count).map_err(|failure| {
            let reason = match failure {
                ReadFailure::Mismatch(found) => format!("{expected}{found}"),
                ReadFailure::OtherType(found) => {
                    format!("{expected}elements of NumPy type {found}")
                }
                ReadFailure::Io(source) => {
                    return RecordError::ReadFile { path: path.to_path_buf(), source };
                }
                ReadFailure::Other(reason) => reason,
            };
            RecordError::Labels { path: path.to_path_buf(), reason }
        })?;
        Ok(Some(labels))
    }
}

/// Refuses arrays that are not those of the inputs.
fn check_names(
    graph: &Graph,
    path: &Path,
    arrays: &[(String, Vec<usize>)],
) -> Result<(), RecordError> {
    let names = first_of(graph.inputs.iter().map(|input| &input.name), ", ");
    let refuse = |reason: String| Err(RecordError::InputFile { path: path.to_path_buf(), reason });
    let is_array = |name: &String| arrays.iter().any(|(array, _)| array == name);
    if let Some(input) = graph.inputs.iter().find(|input| !is_array(&input.name)) {
        let arrays: Vec<&String> = arrays.iter().map(|(array, _)| array).collect();
        return refuse(match arrays.is_empty() {
            true => format!("holds no array; the model's inputs are {names}"),
            false => format!(
                "holds no array named `{}`; {}",
                printable(&input.name),
                numpy::unlike(
                    &input.name,
                    &arrays,
                    &format!("the model's inputs are {names}, the arrays")
                )
            ),
        });
    }
    let is_input = |name: &String| graph.inputs.iter().any(|input| input.name == *name);
    match arrays.iter().find(|(array, _)| !is_input(array)) {
        Some((array, _)) => refuse(format!(
            "holds an array `{array}`, which is not an input; the model's inputs are {names}"
        )),
        None => Ok(()),
    }
}
