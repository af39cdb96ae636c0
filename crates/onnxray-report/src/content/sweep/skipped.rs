//! The table of configurations that were not measured.

use super::configuration;
use crate::document::Unit::{Count, Text};
use crate::document::{Cell, Table, columns};
use onnxray_analyzer::sweep::{Skipped, Sweep};

columns! {
    pub(super) const SKIPPED: Skipped;

    /// model file
    "model" "Model" Text = |skipped| Cell::stated(&skipped.model);
    /// name and version
    "engine" "Engine" Text = |skipped| Cell::stated(&skipped.configuration.engine);
    /// size of the batch dimension
    "batch_size" "Batch" Count = |skipped| Cell::whole(skipped.configuration.batch_size);
    /// sizes of other free dimensions
    "dimensions" "Dimensions" Text = |skipped| configuration::dimensions(&skipped.configuration);
    /// threads per kernel
    "threads" "Threads" Count = |skipped| Cell::whole(skipped.configuration.threads.map(u64::from));
    /// processes side by side
    "instances" "Instances" Count = |skipped| configuration::instances(&skipped.configuration);
    /// why it was not measured
    "reason" "Reason" Text = |skipped| Cell::text(&skipped.reason);
}

pub(super) fn table(sweep: &Sweep) -> Table {
    Table::new("skipped", "Not measured", SKIPPED, &sweep.skipped)
        .essential(&["reason"])
        .wrapping(&["reason"])
}
