//! `onnxray judge`: one word on a candidate, that a job or an assistant can act on.
//!
//! ```text
//! told ◀ { recorded | bundle ◀ measured ◀ bundled }
//! ```

mod bundle;
mod bundled;
mod measured;
mod recorded;
mod told;

use crate::args::{Arguments, JudgeArguments};
use crate::exit::Ended;
use onnxray_recorder::engine::Engines;

pub(crate) fn run(arguments: JudgeArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let refuse = |message: String| -> ! { Arguments::refuse(&message) };
    if let Some(path) = arguments.bundle_to_read().unwrap_or_else(|message| refuse(message)) {
        return bundled::run(&path, arguments, engines);
    }
    match arguments.recordings().unwrap_or_else(|message| refuse(message)) {
        Some(words) => recorded::run(&arguments, words),
        None => measured::measured(&arguments, engines, None),
    }
}
