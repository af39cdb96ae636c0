//! Cuts of an x-ray that another one is to have.

use crate::args::{InputArguments, Xray};
use crate::commands::sources::input::Input;
use anyhow::bail;
use onnxray_format::BY_BOTH_SIDES;
use onnxray_study::xray::{Asked, GivenCuts};
use onnxray_text::shown;
use std::path::PathBuf;

/// What an x-ray is to be, with the cuts of a recording if it names one.
///
/// # Errors
///
/// If that cannot be read, or is not an x-ray.
pub(super) fn asked(xray: &Xray) -> anyhow::Result<Asked> {
    let cuts = xray.cuts.as_ref().map(cuts_of).transpose()?;
    Ok(Asked { aim: xray.aim, cuts, chooses_iterations: xray.chooses_iterations })
}

/// The cuts of an x-ray.
fn cuts_of(recording: &PathBuf) -> anyhow::Result<GivenCuts> {
    let arguments = InputArguments::files(std::slice::from_ref(recording));
    let launches = Input::find(&arguments)?.read()?;
    let blocks = launches.iter().find(|launch| launch.run.blocks);
    let Some(launch) = blocks else {
        bail!(
            "{} is not an x-ray: its operators are not blocks\nhint: `onnxray xray` makes one, and \
             `--blocks 12` needs none",
            shown(recording)
        );
    };
    let last = launch.operators.iter().filter_map(|block| block.nodes.last().cloned());
    let last: Vec<String> = last.collect();
    if last.len() < 2 {
        bail!("{} has a single block: there is nothing to cut by", shown(recording));
    }
    let mut blocks = launch.operators.iter();
    let is_by_both = blocks.any(|block| block.attributes.contains_key(BY_BOTH_SIDES));
    Ok(GivenCuts {
        recording: shown(recording).to_string(),
        nodes: last,
        as_with_provider: !is_by_both,
    })
}
