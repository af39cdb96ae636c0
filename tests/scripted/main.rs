//! The program on engines that follow a script: the tests' own `onnxray`, in which a test decides
//! how long operators take and where a process waits.
//!
//! It is the program that users run, but for where engines and the clock come from. `SCRIPT`
//! names the script; `tests/live/script.rs` writes it and starts this program.
//!
//! ```text
//! script ◀ { clock | points } ◀ engine
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used)] // a script that is wrong fails its test

mod clock;
mod engine;
mod points;
mod script;

use engine::ScriptedEngines;
use script::Script;
use std::process::ExitCode;

fn main() -> ExitCode {
    onnxray::run(&ScriptedEngines::new(Script::of_environment()))
}
