//! The command that wrong arguments were meant for, and errors about it.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// An error about the command of `all` that was meant.
pub(in crate::args) fn error(all: Command, message: &str) -> Error {
    command(all).error(ErrorKind::ValueValidation, message)
}

/// Gives an error its next step.
pub(super) fn advise(error: &mut Error, step: String) {
    // What is written alike is not what was meant.
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::SuggestedArg);
    let step = vec![StyledStr::from(step)];
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(step));
}

/// The command that the arguments of this process name, or all of the program.
pub(super) fn command(mut all: Command) -> Command {
    // Before it is built, a subcommand's usage lacks the name of the program.
    all.build();
    let named = std::env::args_os().skip(1).find_map(|word| all.find_subcommand(word).cloned());
    named.unwrap_or(all)
}
