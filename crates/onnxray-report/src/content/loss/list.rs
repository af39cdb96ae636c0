//! The loss profiles in the folder of a project.

use crate::document::{Cell, Column, Table, Unit, column};
use Unit::{Count, Text};
use onnxray_analyzer::quantity::percent;
use onnxray_format::{LossLayer, LossProfile};
use std::path::PathBuf;

pub(super) const COLUMNS: &[Column<(PathBuf, LossProfile)>] = &[
    column("loss_profile", "Loss profile", Text, "its file in the profiles folder", |(file, _)| {
        Cell::stated(file.file_name().unwrap_or_default().to_string_lossy())
    }),
    column("model", "Model", Text, "file name of the model", |(_, profile)| {
        Cell::text(&profile.run.model)
    }),
    column("block", "Block", Text, "weights that are pruned together", |(_, profile)| {
        Cell::text(profile.run.block.to_string())
    }),
    column("levels", "Sparsities", Text, "sparse ratios that were measured", |(_, profile)| {
        let levels = profile.run.levels.iter().map(|&level| format!("{} %", percent(level)));
        Cell::stated(levels.collect::<Vec<_>>().join(", "))
    }),
    column("data", "Data", Text, "what the model ran on", |(_, profile)| {
        Cell::text(if profile.run.data.random { "random" } else { "files" })
    }),
    column("batches", "Batches", Count, "runs of the model for a figure", |(_, profile)| {
        Cell::Whole(profile.run.data.batches)
    }),
    column("layers", "Layers", Count, "layers that were measured", |(_, profile)| {
        let is_measured = |layer: &&LossLayer| layer.left_out.is_none();
        Cell::Whole(profile.layers.iter().filter(is_measured).count() as u64)
    }),
];

/// One row each.
pub(in crate::content) fn list(profiles: &[(PathBuf, LossProfile)]) -> Table {
    Table::new("loss_profiles", "Loss profiles", COLUMNS, profiles)
}
