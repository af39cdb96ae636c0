//! The loss profiles in the folder of a project.

use crate::document::{Cell, Table, Unit, columns};
use Unit::{Count, Text};
use onnxray_analyzer::quantity::percent;
use onnxray_format::{LossLayer, LossProfile};
use std::path::PathBuf;

columns! {
    pub(super) const COLUMNS: (PathBuf, LossProfile);

    /// file in the profiles folder
    "loss_profile" "Loss profile" Text =
        |(file, _)| Cell::stated(file.file_name().unwrap_or_default().to_string_lossy());
    /// model file
    "model" "Model" Text = |(_, profile)| Cell::text(&profile.run.file.model);
    /// block that is pruned as one
    "block" "Block" Text = |(_, profile)| Cell::text(profile.run.block.to_string());
    /// measured sparsities
    "levels" "Sparsities" Text = |(_, profile)| {
        let levels = profile.run.levels.iter().map(|&level| format!("{} %", percent(level)));
        Cell::stated(levels.collect::<Vec<_>>().join(", "))
    };
    /// input data
    "data" "Data" Text =
        |(_, profile)| Cell::text(if profile.run.data.random { "random" } else { "files" });
    /// runs of the model per figure
    "batches" "Batches" Count = |(_, profile)| Cell::Whole(profile.run.data.batches);
    /// measured layers
    "layers" "Layers" Count = |(_, profile)| {
        let is_measured = |layer: &&LossLayer| layer.left_out.is_none();
        Cell::Whole(profile.layers.iter().filter(is_measured).count() as u64)
    };
}

/// One row each.
pub(in crate::content) fn list(profiles: &[(PathBuf, LossProfile)]) -> Table {
    Table::new("loss_profiles", "Loss profiles", COLUMNS, profiles)
}
