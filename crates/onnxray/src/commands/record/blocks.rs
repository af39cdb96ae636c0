//! Where a model is cut, by what its blocks take in a first look.

use crate::commands::signals::Stop;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::{self, StudyError};
use onnxray_text::printable;

/// Gives launches of blocks what a first look at the first of them says: those that take most time
/// are cut further, in all launches alike. Where the look fails, cuts are where estimates put them.
pub(super) fn refine(specs: &mut [LaunchSpec], stop: &Stop) -> anyhow::Result<()> {
    let Some(first) = specs.first().filter(|spec| spec.options.blocks.is_some()) else {
        return Ok(());
    };
    let progress = Progress::working("looking for the blocks that take most time".to_string());
    let found = study::look(first, worker()?(), stop.asked());
    progress.clear();
    let measured = match found {
        Ok(found) => found.unwrap_or_default(),
        // The launch says so itself.
        Err(StudyError::Refused(_)) => Vec::new(),
        Err(error) => {
            message::note(format_args!(
                "cuts are where estimates put them: {}",
                printable(error.to_string().lines().next().unwrap_or_default())
            ));
            Vec::new()
        }
    };
    if measured.len() == 1 {
        message::note(
            "the model cannot be cut: one node computes, or each place lies inside a function or is \
             refused by the engine; its one block is the whole",
        );
    }
    for blocks in specs.iter_mut().filter_map(|spec| spec.options.blocks.as_mut()) {
        blocks.measured.clone_from(&measured);
    }
    Ok(())
}
