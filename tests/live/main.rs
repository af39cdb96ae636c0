//! Recording itself: the built program runs models.
//!
//! Tests here assert what holds for any times: counts that options fix, sums, order, exit codes,
//! files, and figures recomputed from the file's own numbers. What depends on time by its nature
//! runs in an engine that takes the times of a script, by a clock that follows it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod alignment;
mod applied;
mod bad_models;
mod batches;
mod bounds;
#[path = "../harness/broken_streams.rs"]
mod broken_streams;
mod conditions;
mod costs;
mod crash;
mod engine_versions;
mod examples;
#[path = "../harness/formulas.rs"]
mod formulas;
mod generated_models;
mod generation;
mod guide;
#[path = "../harness/hardware.rs"]
mod hardware;
mod hostile_folders;
mod hostile_models;
mod instances;
mod interleaved;
#[path = "../harness/json_schemas.rs"]
mod json_schemas;
mod judge;
mod judged_apart;
mod judged_bundle;
mod killed_recordings;
#[path = "../harness/listed_profiles.rs"]
mod listed_profiles;
mod load;
mod loss;
mod loss_ended;
mod loss_unknown;
mod made_up_inputs;
mod messages;
mod mistakes;
mod mix;
mod mix_computed;
mod mix_ended;
mod mix_failed;
mod mix_renamed;
mod numpy_file;
#[path = "../harness/onnx_file.rs"]
mod onnx_file;
mod onnxruntime;
mod onnxruntime_ended;
mod onnxruntime_names;
#[path = "../harness/onnxruntime_package.rs"]
mod onnxruntime_package;
#[path = "../harness/output_rules.rs"]
mod output_rules;
mod pace;
mod planted;
mod profiles;
mod profiles_refused;
#[path = "../harness/program.rs"]
mod program;
mod providers;
#[path = "../harness/pruned_encoder.rs"]
mod pruned_encoder;
mod pruned_times;
mod record;
mod recorder;
#[path = "../harness/recordings.rs"]
mod recordings;
mod report_files;
mod roofs;
mod script;
mod searches_killed;
mod searches_refused;
mod sparse;
mod starts;
mod streams;
mod sweep;
mod sweep_costs;
mod sweep_killed;
mod sweep_resumed;
mod tune;
mod tune_accuracy;
mod tune_ended;
mod tune_for;
mod turn;
mod unusual_inputs;
mod vector_registers;
mod xray;

// What any place of a test waits for.
use turn::{Turn, beside_others as turn};
