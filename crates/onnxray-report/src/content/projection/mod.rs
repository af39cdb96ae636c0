//! Decides what a report says of a projection: a file per table or two.

mod estimates;
mod groups;
mod headline;
mod inputs;
mod levels;
mod lookup;
mod model;
mod notes;
mod operators;
mod page;
mod plan;
mod pruned;
mod setting;
mod summary_type;
mod totals;
mod typed;
mod types;

pub(crate) use headline::rest_on;
pub(crate) use inputs::projection_inputs;
pub(crate) use model::Model;
pub use notes::no_faster_at_targets;
pub(crate) use notes::{Shown, projection_notes};
pub(crate) use operators::{operators_chart, operators_sheet};
pub(crate) use plan::flops_plan;
pub(crate) use plan::{can_be_set, plan_figures, plan_sheet};
pub use pruned::pruned_report;
pub(crate) use setting::{POINTS, ratios_sheet};
pub(crate) use summary_type::{group_levels, model_levels, type_levels};
pub(crate) use totals::totals_sheet;
pub(crate) use typed::level as typed_level;
pub(crate) use types::{types_chart, types_rest, types_sheet};

use crate::document::{Block, Document, Notes};
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::projection::{Plan, Projection, Settings};
use onnxray_analyzer::statistics::Summary;

/// What of a projection is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProjectionSelection {
    /// At most this many operators and layers; `None` for all.
    pub operators: Option<usize>,
    /// The whole model at each level.
    pub levels_table: bool,
    /// The plan of the budget.
    pub plan: bool,
    /// Long tables as well: perf ratios, and operator types at each level.
    pub details: bool,
}

/// A projection of a recording, and the plan of its budget.
#[derive(Clone, Copy)]
pub struct ProjectionReport<'a> {
    pub name: &'a str,
    pub summary: &'a Summary,
    /// What it would cost.
    pub projection: &'a Projection,
    /// The budget spread over its layers.
    pub plan: &'a Plan,
    /// What the projection was made with.
    pub settings: &'a Settings,
    /// The profile of a project that it is of, which is printed in front.
    pub profile: Option<&'a Named>,
}

/// The report of a projection.
pub(crate) fn projection_report(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    selection: ProjectionSelection,
) -> Document {
    let model = Model::new(summary, projection);
    let mut blocks: Vec<Block> = vec![
        totals::table(&model).into(),
        types::table(projection).into(),
        types_chart().into(),
        operators::table(&model, selection.operators).into(),
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
    let missed = selection.plan.then(|| headline::missed(plan)).flatten();
    let limited = selection.plan.then(|| headline::limited(plan)).flatten();
    let headline = limited.into_iter().chain(headline::headline(projection)).chain(missed);
    Document { name: "projection", headline: headline.collect(), blocks, ..Document::default() }
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    let mut totals = totals::figures();
    totals.retain(|figure| !figure.sheet.alone);
    vec![
        Declared::of("Projection: figures of the total", &totals),
        Declared::of("Projection: total", &totals::columns()),
        Declared::of("Projection: by type", &types::TypeRow::columns()),
        Declared::of("Projection: operators", &operators::OperatorRow::columns()),
        Declared::of("Projection: perf ratios", &levels::RatioPoint::columns()),
        Declared::of("Projection: levels", &levels::LevelRow::columns()),
        Declared::of("Projection: types at levels", &levels::LevelType::columns()),
        Declared::of("Plan", &plan::columns()),
        Declared::of("Plan: layers", &plan::LayerRow::columns()),
        Declared::of("Plan: expected loss", plan::LOSS),
        Declared::of("Pruned layers", &pruned::columns()),
    ]
}
