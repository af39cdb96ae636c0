//! Memory of tensors between operators: the most that is alive at once, and which tensors are.

use super::super::tensors::shape;
use crate::content::selection::Selection;
use crate::content::shares::partial;
use crate::document::{Cell, Table, Unit, columns};
use Unit::{Count, Quantity, Share, Text};
use onnxray_analyzer::statistics::{AliveTensor, Liveness, OperatorSummary, Summary};
use onnxray_text::printable;

columns! {
    /// Figures of the model, where the trace names tensors.
    pub(crate) const ALIVE: Summary;

    /// most bytes of tensors that are alive at once: from the operator that writes one to the last that
    /// reads it, without inputs, constants and reuse in place
    "peak_tensor_bytes" "tensors alive at peak (bytes)" Quantity = |summary| {
        let at_peak = summary.liveness.as_ref().map(Liveness::at_peak_bytes);
        at_peak.map_or(Cell::Unknown, partial)
    };
    /// operator while which they are alive
    "peak_operator" "operator at that peak" Text = |summary| {
        let peak = summary.liveness.as_ref().map(|alive| alive.peak);
        peak.map_or(Cell::Unknown, |position| Cell::text(name(summary, position)))
    };
    /// all tensors that operators write, as if none were freed
    "tensor_bytes" "tensors together (bytes)" Quantity =
        |summary| summary.liveness.as_ref().map_or(Cell::Unknown, |alive| partial(alive.all));
    /// tensors that are in neither, their type or shape being unknown
    "tensors_unknown" "tensors of unknown size" Count =
        |summary| Cell::whole(summary.liveness.as_ref().map(|alive| alive.all.unknown));
}

columns! {
    /// Figures of the engine's own allocator, where it tells.
    pub(crate) const ALLOCATED: OperatorSummary;

    /// most bytes that the engine's allocator had handed out when an operator of a first run ended:
    /// tensors and workspace, without constants (ONNX Runtime from 1.29 on)
    "allocated_peak_bytes" "allocated at peak (bytes)" Quantity =
        |own| Cell::whole(own.operator.allocated_bytes);
    /// operator that ended then
    "allocated_peak_operator" "operator at that peak of the engine" Text =
        |own| Cell::text(&own.operator.name);
}

/// The first operator after which the engine's allocator has most in use; `None` if it does not tell.
pub(crate) fn most_allocated(summary: &Summary) -> Option<&OperatorSummary> {
    let known = summary.operators.iter().filter(|own| own.operator.allocated_bytes.is_some());
    known.rev().max_by_key(|own| own.operator.allocated_bytes)
}

/// A tensor that is alive at the peak.
pub(crate) struct Row<'a> {
    summary: &'a Summary,
    alive: &'a AliveTensor,
}

columns! {
    pub(crate) fn tensor_columns<'a>: Row<'a>;

    /// its name
    "tensor" "Tensor" Text = |row| Cell::text(&row.alive.tensor.name);
    /// type of its elements
    "type" "Type" Text = |row| Cell::text(row.alive.tensor.type_text());
    /// its dimensions
    "shape" "Shape" Text = |row| Cell::text(shape(&row.alive.tensor));
    /// its size
    "bytes" "Bytes" Quantity = |row| row.alive.tensor.bytes().map_or(Cell::Unknown, Cell::Whole);
    /// share of all that is alive then
    "share" "Share" Share = |row| Cell::number(row.share());
    /// operator that writes it
    "written_by" "Written by" Text = |row| Cell::text(name(row.summary, row.alive.written_by));
    /// last operator that reads it
    "alive_until" "Alive until" Text = |row| Cell::text(name(row.summary, row.alive.until));
}

impl Row<'_> {
    fn share(&self) -> Option<f64> {
        // Of an unknown sum there is no share.
        let all = self.summary.liveness.as_ref()?.at_peak_bytes().whole()?;
        Some(self.alive.tensor.bytes()? as f64 / all).filter(|share| share.is_finite())
    }
}

/// The tensors that are alive at the peak; `None` if the trace names none.
pub(crate) fn table(summary: &Summary, selection: &Selection) -> Option<Table> {
    let liveness = summary.liveness.as_ref()?;
    let rows = liveness.at_peak.iter().map(|alive| Row { summary, alive });
    let table = Table::new("tensors", "Tensors alive at the peak", &tensor_columns(), rows);
    let peak = printable(name(summary, liveness.peak));
    let caveat = format!("while {peak} runs; without inputs, constants and reuse in place");
    Some(
        table
            .with_caveat(Some(caveat))
            .essential(&["tensor", "bytes", "share"])
            .shortened(selection.rows),
    )
}

/// An operator's name.
fn name(summary: &Summary, position: usize) -> &str {
    summary.operators.get(position).map_or("", |own| own.operator.name.as_str())
}
