//! Which blocks the user asks for.

use onnxray_recorder::{Blocks, FIRST_LOOK, XrayAim};
use std::path::PathBuf;

/// Blocks that are timed in place of operators.
#[derive(Clone)]
pub(crate) struct Xray {
    pub aim: XrayAim,
    /// Cuts are those of this recording.
    pub cuts: Option<PathBuf>,
    /// Whether the number of iterations is the plan's.
    pub chooses_iterations: bool,
}

impl Xray {
    /// Those of a first look.
    pub(super) fn blocks(&self) -> Blocks {
        Blocks { most: self.aim.blocks.unwrap_or(FIRST_LOOK), ..Blocks::default() }
    }
}
