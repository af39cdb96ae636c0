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
    let own = elsewhere(&all, &error);
    let mut command = command(all);
    if error.kind() == ErrorKind::UnknownArgument {
        // That it can be passed as a value, behind `--`: nobody means that of an option.
        error.remove(ContextKind::Suggested);
    }
    if error.get(ContextKind::Usage).is_some() {
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    if let Some(step) = next_step(&error, command.get_name()).or(own) {
        // What is written alike is not what was meant.
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        let step = vec![StyledStr::from(step)];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(step));
    }
    error
}

/// Options that do the same, and are called otherwise in different commands.
const SAME: [&[&str]; 3] =
    [&["launches", "rounds"], &["time-limit", "duration"], &["precision", "until"]];

/// What the command calls an option that it does not have and others do, and which these are.
fn elsewhere(all: &Command, error: &Error) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let name = word.strip_prefix("--")?;
    let own = command(all.clone());
    let same = SAME.iter().filter(|names| names.contains(&name)).copied().flatten();
    let same = same.copied().find(|other| *other != name && has(&own, other));
    let others = all.get_subcommands().filter(|other| !other.is_hide_set() && has(other, name));
    let others: Vec<&str> = others.map(Command::get_name).collect();
    let (own, others) = (own.get_name(), others.join(", "));
    match (same, others.is_empty()) {
        (Some(same), true) => Some(format!("{own} calls it --{same}")),
        (Some(same), false) => Some(format!("--{name} is of {others}; {own} calls it --{same}")),
        (None, false) => Some(format!("--{name} is an option of {others}, not of {own}")),
        (None, true) => None,
    }
}

/// Whether a command shows an option of this name.
fn has(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|own| own.get_long() == Some(name) && !own.is_hide_set())
}

/// The command that the arguments of this process name, or all of the program.
fn command(mut all: Command) -> Command {
    // Before it is built, a subcommand's usage lacks the name of the program.
    all.build();
    let named = std::env::args_os().skip(1).find_map(|word| all.find_subcommand(word).cloned());
    named.unwrap_or(all)
}

/// Whether the unknown option is this one.
fn is_named(error: &Error, name: &str) -> bool {
    let unknown = error.get(ContextKind::InvalidArg);
    matches!(unknown, Some(ContextValue::String(word)) if word == name)
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
        ErrorKind::UnknownArgument if command == "compare" && is_named(error, "--level") => Some(
            "compare shows layers (--view layers), not their kernels: onnxray summary RECORDING \
             --level kernel"
                .to_string(),
        ),
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
