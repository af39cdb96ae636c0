//! The FLOPS profile: the tables of a recording without a measurement, and the plan of a budget by
//! what layers cost in theory.

use super::projection::flops_plan;
use super::selection::{Level, Order, Selection};
use super::summary::{KERNELS, OPERATORS};
use super::{model, operators, types};
use crate::document::{Document, Page, View, view};
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::statistics::Summary;

const VIEWS: &[View] = &[
    view("model", "Model"),
    view("operator-types", "Layer types"),
    view("operators", "Layers"),
    view("plan", "Plan"),
    view("planned-layers", "Planned layers"),
];

/// Operators and layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The FLOPS profile of a model that was not run.
pub fn flops_report(profile: &Summary, selection: &Selection) -> Document {
    let order = if selection.order == Order::Time { Order::Flops } else { selection.order };
    let selection = Selection { order, ..selection.clone() };
    let mut document = Document::new("flops");
    for level in &selection.levels {
        match level {
            Level::Model => document.push(model::unmeasured_figures(profile)),
            Level::Type => {
                document.push(types::types(profile.types.clone(), &selection, Vec::new()));
            }
            Level::Operator => {
                document.push(operators::unmeasured(OPERATORS, &profile.operators, &selection));
            }
            Level::Kernel => {
                document.push(operators::unmeasured(KERNELS, profile.kernels(), &selection));
            }
            Level::Launch | Level::Iteration | Level::Provider | Level::Resource => {}
        }
    }
    document
}

/// Everything of the profile, and the plan.
pub(crate) fn whole(profile: &Summary, plan: &Plan, most: Option<usize>) -> Document {
    let order = if most.is_some() { Order::Flops } else { Order::Execution };
    let selection = Selection { order, rows: most, ..Selection::default() };
    let mut document = flops_report(profile, &selection);
    document.extend(flops_plan(profile, plan, most));
    document
}

/// The page of a FLOPS profile, with the plan.
pub fn flops_page(profile: &Summary, plan: &Plan) -> Page {
    let document = |most| whole(profile, plan, most);
    Page::new(profile.run.model.clone(), VIEWS, document(None), document(Some(NOSCRIPT_ROWS)))
}
