//! The arguments of studies.

mod judge;
mod mix;
mod run;
mod sensitivity;
mod sweep;
mod tune;

pub(crate) use judge::JudgeArguments;
pub(in crate::args) use judge::unmeasured;
pub(crate) use mix::MixArguments;
pub(in crate::args) use run::{MeasureArguments, RunArguments, loss};
pub(crate) use sensitivity::{LEVELS, SensitivityArguments};
pub(crate) use sweep::SweepArguments;
pub(crate) use tune::TuneArguments;

use clap::Subcommand;

/// A study: it runs models, variant after variant, until it is done or asked to end.
#[derive(Subcommand)]
pub(crate) enum StudyCommand {
    /// Benchmark batch sizes, threads, instances and engines, interleaved
    Sweep(Box<SweepArguments>),
    /// Find runtime options that make a model faster on ONNX Runtime, one change at a time
    Tune(Box<TuneArguments>),
    /// Find the fastest mix of a model and its quantized or converted version
    Mix(Box<MixArguments>),
    /// Judge a candidate next to its baseline: one word, with an exit code for it
    Judge(Box<JudgeArguments>),
    /// Measure what pruning each layer costs the outputs, and gains in time
    Sensitivity(Box<SensitivityArguments>),
}
