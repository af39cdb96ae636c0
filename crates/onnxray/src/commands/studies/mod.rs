//! Commands that run a study: a base and its variants, measured in turns.

mod judge;
mod mix;
mod own_report;
pub(crate) mod sensitivity;
mod sweep;
mod tune;

use crate::args::StudyCommand;
use crate::exit::Ended;
use onnxray_recorder::engine::Engines;

pub(crate) fn run(command: StudyCommand, engines: &dyn Engines) -> anyhow::Result<Ended> {
    match command {
        StudyCommand::Sweep(arguments) => sweep::run(*arguments, engines),
        StudyCommand::Tune(arguments) => tune::run(*arguments, engines),
        StudyCommand::Mix(arguments) => mix::run(*arguments, engines),
        StudyCommand::Judge(arguments) => judge::run(*arguments, engines),
        StudyCommand::Sensitivity(arguments) => sensitivity::run(*arguments, engines),
    }
}
