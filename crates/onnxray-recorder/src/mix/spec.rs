//! What is asked of the process that runs mixes of two models.

use crate::launches::LaunchSpec;
use crate::sensitivity::MeasureChoice;
use onnxray_format::{MixRun, Nanoseconds};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::OsString;
use std::time::Duration;

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
}

/// What a process is asked for: one of them, and then it ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// What is known before anything is measured.
    Survey(MixSpec),
    /// A launch.
    Launch(MixSpec, MixRequest),
    /// How far mixes are from A on inputs that no launch saw.
    Losses(MixSpec, LossesRequest),
}

/// Mixes that are to be compared with A on inputs that no launch saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LossesRequest {
    /// The changes that each mix takes from B, by number.
    pub mixes: Vec<Vec<u32>>,
    /// Element types that the survey saw, where both models differ.
    pub types: ElementTypes,
}

/// A launch to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixRequest {
    /// Number of the launch.
    pub number: u32,
    /// The changes that each mix takes from B, by number.
    pub mixes: Vec<Vec<u32>>,
    /// Element types that the survey saw, where both models differ.
    pub types: ElementTypes,
    /// No round is begun after this long.
    pub time: Duration,
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
