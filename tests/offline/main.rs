//! What follows from a recording: the built program on committed recordings, sweeps, loss
//! profiles and foreign traces.
//!
//! No test here starts an engine, so that all of them run in parallel and say the same on any
//! machine. `tests/live` has the tests of recording itself; `tests/tidy` keeps the two apart.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod bad_input;
#[path = "../harness/broken_streams.rs"]
mod broken_streams;
mod compare;
mod comparison_workbook;
mod consistency;
mod gate;
mod hostile_traces;
mod import;
mod killed_outputs;
mod markdown;
mod messages;
mod models;
mod names;
mod office;
#[path = "../harness/onnx_file.rs"]
mod onnx_file;
mod output_files;
mod page;
mod predecessors;
#[path = "../harness/program.rs"]
mod program;
mod project;
mod ranks;
#[path = "../harness/recordings.rs"]
mod recordings;
#[path = "../../benches/profiles/sequence.rs"]
mod sequence;
mod settings_bounds;
mod sources;
mod spreadsheet;
mod streams;
mod summary;
mod sweep_workbook;
#[path = "../../crates/onnxray-analyzer/tests/sweeps/mod.rs"]
mod sweeps;
#[path = "../../benches/profiles/synthetic.rs"]
mod synthetic;
mod tables;
mod terminal;
mod trust;
mod workbook;
mod workbook_look;
