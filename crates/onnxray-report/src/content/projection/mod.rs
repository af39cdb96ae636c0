//! Decides what a report says of a projection: a file per table or two.

mod estimates;
mod inputs;
mod levels;
mod notes;
mod operators;
mod page;
mod plan;
mod totals;
mod types;

pub use inputs::projection_inputs;
pub(crate) use notes::{Shown, projection_notes};
pub(crate) use operators::{OperatorRow, operators_chart};
pub use page::projection_page;
pub use plan::flops_plan;
pub(crate) use plan::{LayerRow, PLAN_FIGURES, PlanFigure};
pub(crate) use totals::TOTAL_FIGURES;
pub(crate) use types::{TypeRow, types_chart};

use crate::document::{Block, Document, Notes};
use onnxray_analyzer::projection::{Plan, Projection};
use onnxray_analyzer::statistics::Summary;

/// What of a projection is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProjectionSelection {
    /// At most so many operators and layers; `None` for all.
    pub operators: Option<usize>,
    /// The whole model at each level.
    pub levels_table: bool,
    /// The plan of the budget.
    pub plan: bool,
    /// Long tables as well: perf ratios, and operator types at each level.
    pub details: bool,
}

/// The report of a projection.
pub fn projection_report(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    selection: ProjectionSelection,
) -> Document {
    let mut blocks: Vec<Block> = vec![
        totals::table(projection).into(),
        types::table(projection).into(),
        types_chart().into(),
        operators::table(summary, projection, selection.operators).into(),
    ];
    if selection.operators.is_none() {
        // A choice of operators does not stand in their order of execution.
        blocks.push(operators_chart().into());
    }
    if selection.details {
        blocks.push(levels::ratios(projection).into());
    }
    if selection.levels_table {
        blocks.extend([levels::levels(projection).into(), levels::chart().into()]);
    }
    if selection.levels_table && selection.details {
        blocks.push(levels::types(summary, projection).into());
    }
    if selection.plan {
        blocks.push(plan::figures(plan).into());
        blocks.extend(plan.loss.as_ref().map(|loss| plan::loss(loss).into()));
        blocks.push(plan::layers(summary, plan, selection.operators).into());
    }
    let shown = Shown { levels_table: selection.levels_table, plan: selection.plan };
    let notes = projection_notes(summary, projection, plan, shown);
    blocks.push(Notes { notes }.into());
    Document { name: "projection", headline: Vec::new(), blocks }
}
