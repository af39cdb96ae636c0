//! What follows from a recording: the built program on committed recordings, sweeps, loss
//! profiles and foreign traces.
//!
//! No test here starts an engine, so that all of them run in parallel and say the same on any
//! machine. `tests/live` has the tests of recording itself; `tests/tidy` keeps the two apart.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

/// Tests here run beside each other.
type Turn = ();

fn turn() -> Turn {}

mod bad_input;
#[path = "../harness/broken_streams.rs"]
mod broken_streams;
mod cases;
mod compact;
mod compare;
mod comparison_workbook;
mod conditions;
mod consistency;
mod damaged_projects;
mod devices;
mod engines;
mod first_screen;
mod folded_layers;
#[path = "../harness/formulas.rs"]
mod formulas;
mod gate;
mod generation;
mod hostile_traces;
mod import;
mod iteration_marks;
#[path = "../harness/json_schemas.rs"]
mod json_schemas;
mod judge;
mod killed_outputs;
mod limits;
#[path = "../harness/listed_profiles.rs"]
mod listed_profiles;
mod made_launches;
mod markdown;
mod messages;
mod mistakes;
mod models;
mod names;
mod node_data;
mod office;
mod output_files;
#[path = "../harness/output_rules.rs"]
mod output_rules;
mod page;
mod patterns;
mod planned_loss;
mod predecessors;
mod profile_csv;
mod profiling_cost;
#[path = "../harness/program.rs"]
mod program;
mod project;
mod projects;
mod ranks;
#[path = "../harness/recordings.rs"]
mod recordings;
mod regressions;
mod roofs;
mod schemas;
#[path = "../../benches/profiles/sequence.rs"]
mod sequence;
mod settings_bounds;
mod sources;
mod spreadsheet;
mod streamed_tables;
mod streams;
mod summary;
mod sweep_shown;
mod sweep_workbook;
#[path = "../../crates/onnxray-report/tests/sweeps/mod.rs"]
mod sweeps;
#[path = "../../benches/profiles/synthetic.rs"]
mod synthetic;
mod tables;
mod terminal;
mod trackers;
mod trust;
mod vector_registers;
mod warmup;
mod workbook;
mod workbook_look;
