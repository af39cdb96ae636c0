//! Recording itself: the built program runs models, one test at a time.
//!
//! Tests here assert what holds for any times: counts that options fix, sums, order, exit codes,
//! files, and figures recomputed from the file's own numbers. What depends on time by its nature
//! runs in an engine that takes the times of a script, by a clock that follows it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod alignment;
mod bounds;
#[path = "../harness/broken_streams.rs"]
mod broken_streams;
mod conditions;
mod crash;
mod examples;
mod generation;
mod guide;
mod instances;
mod interleaved;
mod killed_recordings;
mod loss;
mod loss_ended;
mod loss_unknown;
mod messages;
#[path = "../harness/onnx_file.rs"]
mod onnx_file;
mod onnxruntime;
mod onnxruntime_ended;
#[path = "../harness/onnxruntime_package.rs"]
mod onnxruntime_package;
mod profiles;
mod profiles_refused;
#[path = "../harness/program.rs"]
mod program;
mod record;
mod script;
mod streams;
mod sweep;
mod sweep_killed;
mod sweep_resumed;
mod vector_registers;
