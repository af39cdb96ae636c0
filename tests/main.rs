//! The built program, run as its users run it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod alignment;
mod bad_input;
mod bounds;
mod compare;
mod comparison_workbook;
mod conditions;
mod consistency;
mod crash;
mod examples;
mod gate;
mod generation;
mod guide;
mod hostile_traces;
mod import;
mod instances;
mod interleaved;
mod killed_outputs;
mod killed_recordings;
mod loss;
mod loss_ended;
mod loss_unknown;
mod markdown;
mod messages;
mod models;
mod names;
mod office;
mod onnx_file;
mod onnxruntime;
mod onnxruntime_ended;
mod onnxruntime_package;
mod output_files;
mod page;
mod predecessors;
mod profiles;
mod profiles_refused;
mod program;
mod project;
mod ranks;
mod record;
#[path = "../benches/profiles/sequence.rs"]
mod sequence;
mod settings_bounds;
mod sources;
mod spreadsheet;
mod streams;
mod summary;
mod sweep;
mod sweep_killed;
mod sweep_resumed;
mod sweep_workbook;
#[path = "../crates/onnxray-analyzer/tests/sweeps/mod.rs"]
mod sweeps;
#[path = "../benches/profiles/synthetic.rs"]
mod synthetic;
mod tables;
mod terminal;
mod trust;
mod vector_registers;
mod workbook;
mod workbook_look;
