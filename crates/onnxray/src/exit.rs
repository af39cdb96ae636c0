//! Exit codes, as the README documents them.

use crate::message;
use onnxray_recorder::SERVED;
use std::process::ExitCode;

/// Nothing could be done, or not all that was asked for.
pub(crate) const FAILURE: u8 = 1;
/// A comparison came out as it should not, or was none.
const FAILED: u8 = 3;
const NOT_COMPARABLE: u8 = 4;
/// Words of a judgement that say neither yes nor no.
const INCONCLUSIVE: u8 = 5;
const DIFFERENT: u8 = 6;
const HARNESS: u8 = 7;
/// Ended by Ctrl-C or SIGTERM; what was recorded until then is kept. Wrong
/// usage is 2, which the argument parser sets.
pub(crate) const INTERRUPTED: u8 = 130;

/// Outcome of a command, other than an error.
pub(crate) enum Ended {
    Done,
    /// Done, in a process that serves another one of this program.
    Served,
    Interrupted,
    /// It failed, and the process that did so has said why.
    Told,
    /// A comparison is what a `--fail` option asks for.
    Failed,
    /// A `--fail` option is given, and the recordings are not comparable.
    NotComparable,
    /// A judgement is not decided.
    Inconclusive,
    /// A candidate's outputs are others.
    Different,
    /// A baseline differs from its own copy.
    Harness,
}

impl Ended {
    /// The outcome of a process that serves another one of this program.
    pub(crate) fn of_service(self) -> Ended {
        match self {
            Ended::Done => Ended::Served,
            other => other,
        }
    }

    /// Fails if not all of a recording that was asked for can be read.
    pub(crate) fn with_losses(self, lost: bool) -> Ended {
        match self {
            Ended::Done if lost => Ended::Told,
            other => other,
        }
    }

    /// A recording that was closed, by its schedule or by an interrupt.
    pub(crate) fn of_recording(interrupted: bool) -> Ended {
        match interrupted {
            true => Ended::Interrupted,
            false => Ended::Done,
        }
    }
}

/// Prints an error, if any, and picks the code.
pub(crate) fn code(result: anyhow::Result<Ended>) -> ExitCode {
    match result {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Served) => ExitCode::from(SERVED),
        Ok(Ended::Told) => ExitCode::from(FAILURE),
        Ok(Ended::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(Ended::Failed) => ExitCode::from(FAILED),
        Ok(Ended::NotComparable) => ExitCode::from(NOT_COMPARABLE),
        Ok(Ended::Inconclusive) => ExitCode::from(INCONCLUSIVE),
        Ok(Ended::Different) => ExitCode::from(DIFFERENT),
        Ok(Ended::Harness) => ExitCode::from(HARNESS),
        Err(error) => {
            message::error(error);
            ExitCode::from(FAILURE)
        }
    }
}
