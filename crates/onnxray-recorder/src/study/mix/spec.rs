//! Two models to be mixed, and what is known of them before anything is measured.

use crate::launches::LaunchSpec;
use crate::study::sensitivity::MeasureChoice;
use onnxray_format::{MixRun, Nanoseconds};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::OsString;

/// Two models, and how they run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixSpec {
    /// A: its file, engine, inputs and threads, which are those of all mixes.
    pub a: LaunchSpec,
    /// B's file.
    pub b: OsString,
    /// Names that B's tensors have from A by a guess.
    pub guessed: Vec<String>,
    /// How outputs are compared.
    pub measure: MeasureChoice,
    /// Element types that the survey saw, where both models differ; empty before it.
    pub types: ElementTypes,
}

/// Element types of tensors in A and in B, as ONNX numbers them.
pub type ElementTypes = [HashMap<String, i32>; 2];

/// Facts about two models before anything is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixSurvey {
    /// Everything that figures will depend on.
    pub run: MixRun,
    /// Element types, where both models differ.
    pub types: ElementTypes,
    /// The shortest of a few runs of A and of B.
    pub latencies: [Nanoseconds; 2],
    /// Growth of resident memory with A, in bytes; `None` where the system does not say.
    pub memory: Option<u64>,
    /// Guessed names under which both models compute something else.
    pub apart: Vec<String>,
    /// Whether A and B, written as mixes are, compute the same as their files to the last bit;
    /// `None` if such a mix did not run.
    pub equal: [Option<bool>; 2],
}
