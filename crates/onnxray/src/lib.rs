//! The program: parse, run, report.
//!
//! It is a library so that tests run the same program on engines and a clock of their own.

mod args;
mod commands;
mod destination;
mod engine_process;
mod exit;
mod message;
mod output_files;
mod print;
mod progress;
mod study_host;

use args::{Arguments, Command};
use commands::{end_on_signals, outlive_size_limits};
use exit::Ended;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::engine::onnxruntime::log_to;
use std::process::ExitCode;

/// Does what the command line of this process asks for, and returns its exit code.
pub fn run(engines: &dyn Engines) -> ExitCode {
    let arguments = Arguments::from_command_line();
    arguments.messages.color.write_global();
    message::set(arguments.messages.verbosity());
    log_to(message::engine);
    outlive_size_limits();
    exit::code(done(arguments.command, engines))
}

fn done(mut command: Command, engines: &dyn Engines) -> anyhow::Result<Ended> {
    // Those that run models listen by themselves: they finish the iteration first.
    if !command.runs_models() {
        end_on_signals()?;
    }
    if let Some((recordings, all)) = command.unnamed() {
        recordings.push(commands::usual_recording(all)?);
    }
    match command {
        Command::Record(arguments) => commands::record::run(*arguments, engines),
        Command::Xray(arguments) => {
            let arguments =
                arguments.record().unwrap_or_else(|message| Arguments::refuse(&message));
            commands::record::run(arguments, engines)
        }
        Command::Launch => commands::record::run_described(engines),
        Command::Work => commands::work::run(engines),
        Command::Summary(arguments) => commands::summary::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Study(command) => commands::studies::run(command, engines),
        Command::Profiles(arguments) => commands::profiles::run(arguments),
        Command::Project(arguments) => commands::project::run(*arguments),
        Command::Compare(arguments) if arguments.per_recording => {
            commands::per_recording::run(*arguments)
        }
        Command::Compare(arguments) => commands::compare::run(*arguments),
        Command::Regressions(arguments) => commands::regressions::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Flops(arguments) => commands::flops::run(*arguments),
        Command::Inspect(arguments) => commands::inspect::run(arguments),
        Command::Convert(arguments) => commands::convert::run(arguments),
        Command::Schema { command } => commands::packaging::schema(&command),
        Command::Completions { shell } => commands::packaging::completions(shell),
        Command::Manual { folder, force } => commands::packaging::manual(&folder, force),
    }
}
