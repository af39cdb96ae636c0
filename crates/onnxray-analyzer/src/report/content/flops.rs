//! The FLOPS profile: the tables of a recording without a measurement, and the plan of a budget by
//! what layers cost in theory.

use super::projection::untimed_plan;
use super::selection::{Level, Order, Selection};
use super::summary::{KERNELS, OPERATORS};
use super::{model, operators, types};
use crate::projection::{PlanSettings, Settings, plan, project};
use crate::report::document::{Document, Page, Table, View, view};
use crate::statistics::{FlopsProfile, OperatorSummary};
use onnxray_format::{Operator, Run};

const VIEWS: &[View] = &[
    view("model", "Model"),
    view("operator-types", "Layer types"),
    view("operators", "Layers"),
    view("plan", "Plan"),
    view("planned-layers", "Planned layers"),
];

/// Operators and layers where no script shows all of them.
const STILL_ROWS: usize = 50;

/// The FLOPS profile of a model that was not run.
pub fn flops_report(profile: &FlopsProfile, run: &Run, selection: &Selection) -> Document {
    let order = if selection.order == Order::Time { Order::Flops } else { selection.order };
    let selection = Selection { order, ..selection.clone() };
    let unmeasured = |table: &[Operator]| -> Vec<OperatorSummary> {
        table.iter().cloned().map(OperatorSummary::unmeasured).collect()
    };
    let mut document = Document::new("flops");
    for level in &selection.levels {
        match level {
            Level::Model => document.push(model::unmeasured_figures(profile, run)),
            Level::Type => {
                document.push(types::types(profile.types.clone(), &selection, Vec::new()));
            }
            Level::Operator => {
                let operators = unmeasured(&profile.operators);
                document.push(operators::unmeasured(OPERATORS, &operators, &selection));
            }
            Level::Kernel => {
                let kernels = unmeasured(profile.kernels());
                document.push(operators::unmeasured(KERNELS, &kernels, &selection));
            }
            Level::Launch | Level::Iteration | Level::Resource => {}
        }
    }
    document
}

/// A budget spread over the layers, and what of the model is left. Without times, steps of layers
/// are worth what FLOPs they save; latencies are unknown.
pub fn flops_plan(
    profile: &FlopsProfile,
    run: &Run,
    settings: &PlanSettings,
    most: Option<usize>,
) -> [Table; 2] {
    let summary = profile.unmeasured(run);
    let settings = Settings { plan: settings.clone(), ..Settings::default() };
    let projection = project(&summary, &settings);
    untimed_plan(&summary, &plan(&summary, &projection, &settings), most)
}

/// Everything of the profile, and the plan.
pub(crate) fn whole(
    profile: &FlopsProfile,
    run: &Run,
    settings: &PlanSettings,
    most: Option<usize>,
) -> Document {
    let order = if most.is_some() { Order::Flops } else { Order::Execution };
    let selection = Selection { order, rows: most, ..Selection::default() };
    let mut document = flops_report(profile, run, &selection);
    document.extend(flops_plan(profile, run, settings, most));
    document
}

/// The page of a FLOPS profile, with the plan.
pub fn flops_page(profile: &FlopsProfile, run: &Run, settings: &PlanSettings) -> Page {
    let document = |most| whole(profile, run, settings, most);
    Page::new(run.model.clone(), VIEWS, document(None), document(Some(STILL_ROWS)))
}
