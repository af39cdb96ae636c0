//! The table of configurations that were not measured.

use super::words;
use crate::document::Unit::{Count, Text};
use crate::document::{Cell, Column, Table, column};
use onnxray_analyzer::sweep::{Skipped, Sweep};

pub(super) const SKIPPED: &[Column<Skipped>] = &[
    column("model", "Model", Text, "file name of the model", |skipped| {
        Cell::stated(&skipped.model)
    }),
    column("engine", "Engine", Text, "what would have run it", |skipped| {
        Cell::stated(&skipped.configuration.engine)
    }),
    column("batch_size", "Batch", Count, "size of the batch dimension", |skipped| {
        Cell::whole(skipped.configuration.batch_size)
    }),
    column("dimensions", "Dimensions", Text, "sizes of other free dimensions", |skipped| {
        words::dimensions(&skipped.configuration)
    }),
    column("threads", "Threads", Count, "threads that a kernel may use", |skipped| {
        Cell::whole(skipped.configuration.threads.map(u64::from))
    }),
    column("instances", "Instances", Count, "processes side by side", |skipped| {
        words::instances(&skipped.configuration)
    }),
    column("reason", "Reason", Text, "why it was not measured", |skipped| {
        Cell::text(&skipped.reason)
    }),
];

pub(super) fn table(sweep: &Sweep) -> Table {
    Table::new("skipped", "Not measured", SKIPPED, &sweep.skipped)
        .essential(&["reason"])
        .wrapping(&["reason"])
}
