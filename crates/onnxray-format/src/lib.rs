//! What a recording is: its folder, its files and their content.
//!
//! This crate is the leaf of the workspace. The recorder writes recordings
//! through it and the analyzer reads them through it, so that neither needs to
//! know the other. It holds no statistics and knows no engine; the field by
//! field description is `docs/format.md`.

#![warn(missing_docs)]

mod calibration;
mod compact;
mod completed;
mod conditions;
mod costs;
mod dtype;
mod event;
mod exclusive;
mod generation;
mod kernels;
pub mod layout;
mod magnitudes;
mod operator;
mod placement;
pub mod profile_csv;
mod roofs;
mod run;
mod study;
mod time;
mod trace_writer;
mod track;
mod warning;

pub use calibration::{Calibration, CalibrationChain};
pub use compact::{Compact, FurtherLaunch, PackedIteration};
pub use completed::completed_iterations;
pub use conditions::{Conditions, Counts, CpuLimit, Slices};
pub use costs::{Costs, Idle, InferenceBlocks, Pace, Start, StartMemory};
pub use dtype::DataType;
pub use event::{Iteration, IterationKind, Span};
pub use exclusive::{Coinciding, Exclusive, covered, depths, exclusive};
pub use generation::{Feed, Generation, Phase, Step};
pub use kernels::{Kernels, fold, fold_devices};
pub use magnitudes::{MAGNITUDE_PARTS, part_start};
pub use operator::{
    BY_BOTH_SIDES, Block, CONDITIONS, CUT_ADDS, CUT_ADDS_AT_LEAST, CUT_CHANGES, IN_A_ROW,
    IN_HUGE_PAGES, Operator, SparseRatio, TAKEN_OFF, Tensor, WITHOUT_WAITS, Weight, ZeroBlocks,
    elements,
};
pub use placement::{Crossing, NodePartition, Placement};
pub use roofs::{ArithmeticRoof, BandwidthRoof, Roofs};
pub use run::{
    Dimension, FORMAT_VERSION, Interleaved, ONNX_RUNTIME, Run, VectorRegisters, names_batch,
    options_text,
};
pub use study::*;
pub use time::Nanoseconds;
pub use trace_writer::{OperatorArguments, TraceWriter};
pub use track::{Lane, Track};
pub use warning::{Position, Warning};
