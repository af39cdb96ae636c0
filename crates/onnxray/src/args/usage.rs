//! What is said of wrong arguments: besides what is wrong, what to do next, and the usage of the
//! command that was meant, in one line.

use crate::message::quoted;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::path::Path;

/// An error about the command of `all` that was meant.
pub(super) fn error(all: Command, message: &str) -> Error {
    command(all).error(ErrorKind::ValueValidation, message)
}

/// The same error with a next step, and the usage of the command instead of all that might follow.
pub(super) fn explained(all: Command, mut error: Error) -> Error {
    let mut command = command(all);
    if error.get(ContextKind::Usage).is_some() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    if let Some(step) = next_step(&error, command.get_name()) {
        // A command that is written alike is not what was meant.
        error.remove(ContextKind::SuggestedSubcommand);
        let step = vec![StyledStr::from(step)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(step));
    }
    error
}

/// The command that the arguments of this process name, or all of the program.
fn command(mut all: Command) -> Command {
    // Before it is built, a subcommand's usage lacks the name of the program.
    all.build();
    let named = std::env::args_os().skip(1).find_map(|word| all.find_subcommand(word).cloned());
    named.unwrap_or(all)
}

/// Whether an unknown option is one of what makes a comparison fail.
fn is_of_gate(error: &Error) -> bool {
    let unknown = error.get(ContextKind::InvalidArg);
    matches!(unknown, Some(ContextValue::String(word)) if word.starts_with("--fail-"))
}

fn next_step(error: &Error, command: &str) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) if !word.starts_with('-') => Some(word),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let path = Path::new(word(ContextKind::InvalidSubcommand)?);
            let is_model = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("onnx"));
            match path.exists() {
                // A mistyped model was still meant to be recorded: `record` tells that it is
                // missing.
                _ if is_model => Some(format!("to profile it: onnxray record {}", quoted(path))),
                true => {
                    Some(format!("to see where its time goes: onnxray summary {}", quoted(path)))
                }
                false => None,
            }
        }
        ErrorKind::UnknownArgument if command == "record" && is_of_gate(error) => {
            Some("onnxray compare A B --fail-above 3% gates recordings".to_string())
        }
        ErrorKind::UnknownArgument if command == "record" => {
            let other = Path::new(word(ContextKind::InvalidArg)?);
            Some(format!("to record two models: --against {}", quoted(other)))
        }
        _ => None,
    }
}
