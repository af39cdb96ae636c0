//! A plan that is measured as a whole.

use crate::message;
use anyhow::bail;
use onnxray_analyzer::settings;
use onnxray_format::Block;
use onnxray_recorder::study::sensitivity::PlannedPruning;
use onnxray_text::first_of;
use onnxray_text::{printable, shown};
use std::path::Path;

/// The targets of operators in a file of settings.
pub(super) struct Targets {
    pub(super) operators: Vec<(String, f64)>,
    /// That it is for other blocks, in words.
    pub(super) of_others: Option<String>,
}

/// Reads the targets, which should be for these blocks.
pub(super) fn read(path: &Path, block: Block) -> anyhow::Result<Targets> {
    let read = settings::read(path)?;
    for note in &read.notes {
        message::note(format_args!("{}: {note}", shown(path)));
    }
    let of_others = read.settings.block.filter(|&own| own != block).map(|own| {
        format!("the plan is for blocks of {own}; {block} are pruned: --block {own} prunes its own")
    });
    if let Some(of_others) = &of_others {
        message::note(format_args!("{}: {of_others}", shown(path)));
    }
    let operators = read.settings.targets.operators;
    match operators.is_empty() {
        true => bail!(
            "{}: has no targets of operators\nhint: project --budget --save-settings writes them",
            shown(path)
        ),
        false => Ok(Targets { operators, of_others }),
    }
}

/// Warns of targets that are not layers, and refuses a plan without any other.
pub(super) fn check(plan: &PlannedPruning) -> anyhow::Result<()> {
    if !plan.unknown.is_empty() {
        let unknown: Vec<String> = plan.unknown.iter().map(|name| printable(name)).collect();
        message::warning(format_args!(
            "targets of the plan that are not layers of this model: {}",
            first_of(&unknown, ", ")
        ));
    }
    match plan.is_empty() {
        true => bail!("the plan prunes none of the layers"),
        false => Ok(()),
    }
}
