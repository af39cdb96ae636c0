//! Where a model is cut, by what its blocks take in a first look.

use crate::commands::signals::Stop;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{Blocks, LaunchSpec};
use onnxray_text::printable;

/// Gives launches of blocks what a first look at the first of them says: those that take most time
/// are cut further, in all launches alike. Where the look fails, cuts are where estimates put them;
/// where a model before a cut ends the engine's process, there are fewer of them.
pub(super) fn refine(specs: &mut [LaunchSpec], stop: &Stop) -> anyhow::Result<()> {
    let Some(mut first) = specs.first().cloned() else { return Ok(()) };
    let Some(asked) = first.options.blocks.clone() else { return Ok(()) };
    let progress = Progress::working("looking for the blocks that take most time".to_string());
    let mut most = asked.most;
    let measured = loop {
        first.options.blocks = Some(Blocks { most, ..asked.clone() });
        match study::look(&first, worker()?(), stop.asked()) {
            // Cuts that a second look would put elsewhere might end it again.
            Ok(_) if most < asked.most => break Vec::new(),
            Ok(found) => break found.unwrap_or_default(),
            Err(StudyError::Ended(status)) if most > FEWEST => {
                let fewer = (most * 2 / 3).max(FEWEST);
                message::note(format_args!(
                    "the engine ended its process with {most} blocks ({}): trying {fewer}",
                    printable(&status.to_string())
                ));
                most = fewer;
            }
            // The launch says so itself.
            Err(_) => break Vec::new(),
        }
    };
    progress.clear();
    if measured.len() == 1 {
        message::note(
            "the model cannot be cut: one node computes, or each place lies inside a function or is \
             refused by the engine; its one block is the whole",
        );
    }
    for blocks in specs.iter_mut().filter_map(|spec| spec.options.blocks.as_mut()) {
        *blocks = Blocks { most, measured: measured.clone() };
    }
    Ok(())
}

/// With fewer, nothing is cut.
const FEWEST: u32 = 2;
