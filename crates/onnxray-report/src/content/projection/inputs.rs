//! Decides what a page gets to know so that it can project anew.

use crate::document::{LayerInputs, OperatorInputs, ProjectionInputs, SettingNames, TypeInputs};
use onnxray_analyzer::projection::{
    Plan, Projection, Settings, outside, positions, same_operators, same_types,
};
use onnxray_analyzer::statistics::Summary;

/// What a projection and a plan were made from with these settings.
pub fn projection_inputs(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    settings: &Settings,
) -> ProjectionInputs {
    let settings = projection.settings(settings);
    let operator_names = summary.operators.iter().map(|of| of.operator.name.as_str());
    let type_names = summary.types.iter().map(|of| of.operator_type.as_str());
    let operators = same_operators(operator_names);
    let types = same_types(type_names);
    let names = SettingNames {
        types: settings.targets.types.iter().map(|(name, _)| types.find(name)).collect(),
        operators: settings.targets.operators.iter().map(|(n, _)| operators.find(n)).collect(),
        overrides: settings.plan.overrides.iter().map(|(n, _)| operators.find(n)).collect(),
    };
    ProjectionInputs {
        basis: projection.basis,
        latency_ends: projection.spread.parts.is_some(),
        outside: outside(summary, projection.basis),
        parameters: summary.run.parameters,
        operators: operator_inputs(summary, projection, operators.first),
        types: type_inputs(summary, types.first),
        layers: layer_inputs(plan),
        row_operators: projection.rows.iter().map(|row| row.operators).collect(),
        settings,
        names,
    }
}

fn operator_inputs(
    summary: &Summary,
    projection: &Projection,
    same_name: Vec<usize>,
) -> OperatorInputs {
    let measured = || summary.operators.iter();
    let projected = || projection.operators.iter();
    let sparse_ratio = |weight: &onnxray_format::Weight| weight.sparse_ratio(projection.block);
    let fixed =
        |outcome: onnxray_analyzer::projection::Outcome| Some(outcome).filter(|o| !o.is_settable());
    OperatorInputs {
        latency: projected().map(|operator| operator.dense).collect(),
        sparse_support: measured().map(|summary| summary.operator.sparse_support).collect(),
        sparse_ratio: measured()
            .map(|summary| summary.operator.weight.as_ref().and_then(sparse_ratio))
            .collect(),
        fixed: projected().map(|operator| fixed(operator.outcome)).collect(),
        operator_type: positions(summary),
        row: projected().map(|operator| operator.row).collect(),
        same_name,
        flops: measured().map(|summary| summary.flops).collect(),
    }
}

fn type_inputs(summary: &Summary, same_name: Vec<usize>) -> TypeInputs {
    let types = || summary.types.iter();
    TypeInputs {
        name: types().map(|known| known.operator_type.clone()).collect(),
        operators: types().map(|known| known.operators).collect(),
        same_name,
        flops: types().map(|known| known.flops.whole()).collect(),
    }
}

fn layer_inputs(plan: &Plan) -> LayerInputs {
    let layers = || plan.layers.iter();
    LayerInputs {
        operator: layers().map(|layer| layer.operator).collect(),
        parameters: layers().map(|layer| layer.parameters).collect(),
        same_weight: layers().map(|layer| layer.same_weight).collect(),
        exclusion: layers().map(|layer| layer.unfixed).collect(),
        planned: layers().map(|layer| layer.planned).collect(),
    }
}
