//! The program that users run: the command line on this machine's engines.

use onnxray_recorder::engine::InstalledEngines;
use std::process::ExitCode;

fn main() -> ExitCode {
    onnxray::run(&InstalledEngines)
}
