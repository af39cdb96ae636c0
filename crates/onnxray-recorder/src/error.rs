//! Everything that can go wrong between a model file and its recording.

use crate::memory::size;
use crate::names::{first_of, one_line, shown};
use std::io;
use std::path::{Path, PathBuf};

/// Why a model could not be loaded, run or recorded.
///
/// The first line of a message says where and what; a line that begins with
/// `hint:` says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum RecordError {
    /// The file cannot be read.
    #[error("{}: {source}", shown(path))]
    ReadModel { path: PathBuf, source: io::Error },

    /// The model is no regular file.
    #[error(
        "{}: not a regular file\n\
         hint: a model is read several times; write it to a file first",
        shown(path)
    )]
    NoFile { path: PathBuf },

    /// The file is larger than a model can be.
    #[error(
        "{}: an ONNX file has at most 2.15 GB, and this one has {}\n\
         hint: larger models keep their tensors in files beside it (external data)",
        shown(path),
        size(*bytes)
    )]
    HugeModel { path: PathBuf, bytes: u64 },

    /// Elements of a tensor lie in a file that is not read.
    #[error("{}: the data of `{}`, `{}`, {reason}", shown(path), one_line(tensor), one_line(place))]
    ExternalData { path: PathBuf, tensor: String, place: String, reason: &'static str },

    /// The file is something else, or damaged.
    #[error(
        "{}: not a whole ONNX model: {reason}\n\
         hint: the file has {bytes} bytes; is it an .onnx file, and was it copied completely?",
        shown(path)
    )]
    NotOnnx { path: PathBuf, bytes: u64, reason: String },

    /// There is no engine of that name.
    #[error("there is no engine `{name}`")]
    UnknownEngine { name: String },

    /// The engine lacks operator types of the model; of each, the first node.
    #[error("{engine} cannot run {}", list_unsupported(operators))]
    UnsupportedOperators { engine: String, operators: Vec<(String, String)> },

    /// Free dimensions without a size.
    #[error(
        "{} needs a size\nhint: give it with {}",
        first_of(missing.iter().map(|m| &m.text), ", "),
        first_of(missing.iter().map(|m| format!("--dim {}=SIZE", m.name)), " ")
    )]
    MissingDimensions { missing: Vec<MissingDimension> },

    /// A size was given for none of the model's dimensions.
    #[error(
        "the model has no free dimension `{name}`\nhint: {}",
        list_all("free dimensions", dimensions)
    )]
    UnknownDimension { name: String, dimensions: Vec<String> },

    /// The model fixes its batch size.
    #[error(
        "the model's batch size is fixed to {fixed}, {asked} was asked for\n\
         hint: export the model with a dynamic batch dimension, or leave --batch-size out"
    )]
    FixedBatch { fixed: String, asked: u64 },

    /// Two options give the batch dimension different sizes.
    #[error(
        "the batch size is given twice: --batch-size {asked} and --dim {name}={size}\n\
         hint: leave one of them out"
    )]
    BatchTwice { name: String, size: u64, asked: u64 },

    /// A file was given for none of the model's inputs.
    #[error("the model has no input `{name}`\nhint: {}", list_all("inputs", inputs))]
    UnknownInput { name: String, inputs: Vec<String> },

    /// The values of an input cannot be read.
    #[error("{}: {reason}", shown(path))]
    InputFile { path: PathBuf, reason: String },

    /// The values of an input are of another type or shape.
    #[error("input `{name}` should be {expected}, but {} holds {actual}", shown(path))]
    InputMismatch { name: String, path: PathBuf, expected: String, actual: String },

    /// Values of that type exist in models only.
    #[error(
        "input `{name}` has element type {data_type}, which cannot be made up or read from a file"
    )]
    NoValues { name: String, data_type: String },

    /// The file does not say how many dimensions an input has.
    #[error(
        "input `{name}` has no declared shape\n\
         hint: export the model with the shapes of its inputs; dimensions may stay free"
    )]
    UnknownRank { name: String },

    /// A size that must be a slip of the hand.
    #[error(
        "input `{}` of shape {} is too large: an input has at most {most} elements",
        one_line(name),
        show(shape)
    )]
    HugeInput { name: String, shape: Vec<u64>, most: u64 },

    /// More than the machine has.
    #[error(
        "the inputs take {}, and as much again in the engine, but there are {} of memory\n\
         hint: the largest is `{}` of shape {}",
        size(*bytes),
        size(*limit),
        one_line(name),
        show(shape)
    )]
    Memory { bytes: u64, limit: u64, name: String, shape: Vec<u64> },

    /// More than the system gives.
    #[error("no memory for input `{}` of shape {}", one_line(name), show(shape))]
    NoMemory { name: String, shape: Vec<u64> },

    /// The engine refuses the model.
    #[error("{engine} cannot load the model: {reason}")]
    Load { engine: &'static str, reason: String },

    /// The model fails in a certain place.
    #[error("the model fails in operator `{operator}` ({operator_type}): {reason}")]
    Operator { operator: String, operator_type: String, reason: String },

    /// The model fails.
    #[error("the model fails: {reason}")]
    Run { reason: String },

    /// A folder of the recording cannot be made.
    #[error("{}: cannot create the folder: {source}", shown(path))]
    CreateFolder { path: PathBuf, source: io::Error },

    /// A folder of the recording cannot hold files.
    #[error("{}: cannot write there: {source}", shown(path))]
    WriteFolder { path: PathBuf, source: io::Error },

    /// The recording cannot be written. The message of `source` may name the file that
    /// it was about.
    #[error("cannot write the recording{}: {source}", kept(trace.as_deref(), *iterations))]
    Write { trace: Option<PathBuf>, iterations: u32, source: io::Error },
}

fn kept(trace: Option<&Path>, iterations: u32) -> String {
    match trace {
        Some(trace) => {
            format!(" {} after {iterations} iterations, which are kept", trace.display())
        }
        None => String::new(),
    }
}

/// A free dimension that nobody gave a size.
#[derive(Debug)]
pub struct MissingDimension {
    /// As `--dim` takes it.
    pub name: String,
    /// With the inputs that have it: "dimension `sequence` of input `input_ids`".
    pub text: String,
}

fn list_unsupported(operators: &[(String, String)]) -> String {
    let listed = operators
        .iter()
        .map(|(operator_type, node)| format!("operator type {operator_type} (node `{node}`)"));
    first_of(listed, ", ")
}

fn list_all(what: &str, names: &[String]) -> String {
    match names {
        [] => format!("it has no {what}"),
        names => format!("its {what} are {}", first_of(names, ", ")),
    }
}

fn show(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}
