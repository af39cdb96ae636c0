//! Everything that can go wrong between a model file and its recording.

use std::path::{Path, PathBuf};

/// Why a model could not be loaded, run or recorded.
///
/// The first line of a message says where and what; a line that begins with
/// `hint:` says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    #[error("{}: {source}", path.display())]
    ReadModel { path: PathBuf, source: std::io::Error },

    #[error(
        "{}: not a whole ONNX model: {reason}\n\
         hint: the file has {bytes} bytes; is it an .onnx file, and was it copied completely?",
        path.display()
    )]
    NotOnnx { path: PathBuf, bytes: u64, reason: String },

    #[error("tract {version} cannot run {}", list_unsupported(operators))]
    UnsupportedOperators {
        version: &'static str,
        /// Operator type and the first node of that type.
        operators: Vec<(String, String)>,
    },

    #[error(
        "{} needs a size\nhint: give it with {}",
        missing.iter().map(|m| m.text.clone()).collect::<Vec<_>>().join(", "),
        missing.iter().map(|m| format!("--dim {}=SIZE", m.name)).collect::<Vec<_>>().join(" ")
    )]
    MissingDimensions { missing: Vec<MissingDimension> },

    #[error(
        "the model has no free dimension `{name}`\nhint: {}",
        list_known("free dimensions", known)
    )]
    UnknownDimension { name: String, known: Vec<String> },

    #[error(
        "the model's batch size is fixed to {fixed}, {asked} was asked for\n\
         hint: export the model with a dynamic batch dimension, or leave --batch-size out"
    )]
    FixedBatch { fixed: String, asked: u64 },

    #[error("the model has no input `{name}`\nhint: {}", list_known("inputs", known))]
    UnknownInput { name: String, known: Vec<String> },

    #[error("{}: {reason}", path.display())]
    InputFile { path: PathBuf, reason: String },

    #[error("input `{name}` should be {expected}, but {} holds {found}", path.display())]
    InputMismatch { name: String, path: PathBuf, expected: String, found: String },

    #[error(
        "input `{name}` has element type {data_type}, which cannot be made up or read from a file"
    )]
    NoValues { name: String, data_type: String },

    #[error(
        "input `{name}` has no declared shape\n\
         hint: export the model with the shapes of its inputs; dimensions may stay free"
    )]
    UnknownRank { name: String },

    #[error("input `{name}` of shape {shape:?} does not fit into memory")]
    HugeInput { name: String, shape: Vec<u64> },

    #[error("tract cannot load the model: {reason}")]
    Load { reason: String },

    #[error("the model fails in operator `{operator}` ({operator_type}): {reason}")]
    Operator { operator: String, operator_type: String, reason: String },

    #[error("the model fails: {reason}")]
    Run { reason: String },

    /// The message of `source` may name the file that it was about.
    #[error("cannot write the recording{}: {source}", kept(trace.as_deref(), *iterations))]
    Write { trace: Option<PathBuf>, iterations: u32, source: std::io::Error },
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
    operators
        .iter()
        .map(|(operator_type, node)| format!("operator type {operator_type} (node `{node}`)"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn list_known(what: &str, names: &[String]) -> String {
    match names {
        [] => format!("it has no {what}"),
        names => format!("its {what} are {}", names.join(", ")),
    }
}

/// The chain of causes that tract reports, on one line.
pub(crate) fn causes(error: &tract_onnx::prelude::TractError) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if !causes.iter().any(|earlier| earlier.contains(&text)) {
            causes.push(text);
        }
    }
    causes.join(": ")
}
