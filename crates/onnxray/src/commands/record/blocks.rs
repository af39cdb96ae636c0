//! Where a model is cut, by what its blocks take in a first look.

use crate::commands::signals::Stop;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::study::{self, StudyError};
use onnxray_recorder::{Blocks, LaunchSpec};
use onnxray_text::printable;

/// Gives launches of blocks what a first look at them says: those that take most time are cut
/// further. Two launches of one model are cut alike. Where a look fails, cuts stay where estimates
/// put them, and the launch says why it fails.
pub(super) fn refine(specs: &mut [LaunchSpec], stop: &Stop) -> anyhow::Result<()> {
    for position in 0..specs.len() {
        let (before, rest) = specs.split_at_mut(position);
        let Some(spec) = rest.first_mut() else { continue };
        let twin = before.iter().find(|other| other.model == spec.model);
        let Some(blocks) = &spec.options.blocks else { continue };
        let measured = match twin.and_then(|other| other.options.blocks.as_ref()) {
            Some(of_twin) => of_twin.measured.clone(),
            None => {
                let progress =
                    Progress::working("looking for the blocks that take most time".into());
                let found = study::look(spec, worker()?(), stop.asked());
                progress.clear();
                match found {
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
                }
            }
        };
        let most = blocks.most;
        spec.options.blocks = Some(Blocks { most, measured });
    }
    Ok(())
}
