//! Decides what a page gets to know so that it can project anew: everything that the arithmetic
//! needs, and no figure that follows from it. `web/source/projection_inputs.js` reads it.

use onnxray_analyzer::projection::{
    Basis, DEFAULT_TARGET, Estimate, Outcome, Plan, ProjectedOperator, Projection, RatioPoint,
    RatioRow, SameNames, Sensitivity, Settings, outside, positions, same_operators, same_types,
};
use onnxray_analyzer::statistics::{OperatorSummary, Summary};
use serde_json::{Value, json};

/// What a projection and a plan were made from with these settings. A column has a value for each
/// operator, type or layer, in the order of their tables; positions are those of these tables.
pub(crate) fn projection_inputs(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    settings: &Settings,
) -> Value {
    let operators = same_operators(summary.operators.iter().map(|of| of.operator.name.as_str()));
    let types = same_types(summary.types.iter().map(|of| of.operator_type.as_str()));
    let outside = outside(summary, projection.basis);
    json!({
        "basis": match projection.basis {
            Basis::Iteration => "iteration",
            Basis::Trace => "trace",
        },
        "latency_ends": projection.spread.parts.is_some(),
        "concurrent_ms": outside.concurrent,
        "overhead_ms": outside.overhead,
        "batch_size": outside.batch_size,
        "parameters": summary.run.parameters,
        "default_target": DEFAULT_TARGET,
        "outcomes": Outcome::ALL.map(|of| json!({ "text": of.text(), "meaning": of.meaning() })),
        "operators": operator_inputs(summary, projection, &operators),
        "types": type_inputs(summary, &types),
        "layers": layer_inputs(plan),
        "settings": setting_inputs(projection, settings, &operators, &types),
    })
}

fn operator_inputs(summary: &Summary, projection: &Projection, names: &SameNames) -> Value {
    let measured = || summary.operators.iter();
    let projected = || projection.operators.iter();
    let latency = |pick: fn(Estimate) -> f64| -> Value {
        projected().map(|operator| operator.dense.map(pick)).collect()
    };
    let sparse_ratio = |weight: &onnxray_format::Weight| weight.sparse_ratio(projection.block);
    // Why no target can change it.
    let fixed = |outcome: Outcome| {
        Outcome::ALL.iter().position(|one| *one == outcome && !outcome.is_settable())
    };
    json!({
        "latency_ms": latency(|latency| latency.value),
        "latency_low_ms": latency(|latency| latency.low),
        "latency_high_ms": latency(|latency| latency.high),
        "sparse_support": measured().map(|of| of.operator.sparse_support).collect::<Value>(),
        "sparse_ratio": measured()
            .map(|of| of.operator.weight.as_ref().and_then(sparse_ratio))
            .collect::<Value>(),
        "fixed": places(projected().map(|operator| fixed(operator.outcome))),
        "type": positions(summary),
        "elements": measured().zip(projected()).map(elements).collect::<Value>(),
        "row": places(projected().map(|operator| operator.row)),
        "same_name": names.first,
        "flops": measured().map(|of| of.flops).collect::<Value>(),
    })
}

/// Elements of a weight that a target can change.
fn elements((measured, projected): (&OperatorSummary, &ProjectedOperator)) -> f64 {
    let weight = measured.operator.weight.as_ref().filter(|_| projected.outcome.is_settable());
    weight.map_or(0.0, onnxray_format::Weight::elements)
}

fn type_inputs(summary: &Summary, names: &SameNames) -> Value {
    let types = || summary.types.iter();
    json!({
        "name": types().map(|known| known.operator_type.as_str()).collect::<Value>(),
        "operators": types().map(|known| known.operators).collect::<Value>(),
        "same_name": names.first,
        "flops": types().map(|known| known.flops.whole()).collect::<Value>(),
    })
}

fn layer_inputs(plan: &Plan) -> Value {
    let layers = || plan.layers.iter();
    json!({
        "operator": layers().map(|layer| layer.operator).collect::<Value>(),
        "parameters": layers().map(|layer| layer.parameters).collect::<Value>(),
        "same_weight": layers().map(|layer| layer.same_weight).collect::<Value>(),
        // Why it is left dense unless its level is fixed.
        "exclusion": layers().map(|layer| layer.unfixed.map(|why| why.text())).collect::<Value>(),
        "planned": layers().map(|layer| layer.planned).collect::<Value>(),
        "reached": plan.reached,
    })
}

/// The settings, with all ratios that apply, defaults among them, and all levels.
fn setting_inputs(
    projection: &Projection,
    settings: &Settings,
    operators: &SameNames,
    types: &SameNames,
) -> Value {
    let settings = projection.settings(settings);
    let rows = settings.ratios.iter().zip(&projection.rows);
    let plan = &settings.plan;
    let sensitivity = |known: &Sensitivity| json!({ "layer": known.layer, "points": known.points });
    json!({
        "block": settings.block.to_string(),
        "levels": settings.levels,
        "default_ratios": settings.default_ratios,
        "ratios": rows.map(|(row, used)| ratios(row, used.operators)).collect::<Value>(),
        // As it is saved: the page has no use for it.
        "measured_on": match settings.measured_on.as_slice() {
            [] => String::new(),
            on => serde_json::to_string_pretty(on).unwrap_or_default(),
        },
        "targets": {
            "model": settings.targets.model,
            "types": named(&settings.targets.types, types),
            "operators": named(&settings.targets.operators, operators),
        },
        "plan": {
            "budget": plan.budget,
            "minimum": plan.minimum,
            "maximum": plan.maximum,
            "balance": plan.balance,
            "max_loss": plan.max_loss,
            "first": plan.first,
            "grouped": plan.grouped,
            "overrides": named(&plan.overrides, operators),
            "sensitivities": plan.sensitivities.iter().map(sensitivity).collect::<Value>(),
        },
    })
}

/// Levels by name, in columns: names are data, not keys of an object. Each is at the first type
/// or operator of its name.
fn named(list: &[(String, f64)], names: &SameNames) -> Value {
    json!({
        "name": list.iter().map(|(name, _)| name.as_str()).collect::<Value>(),
        "at": places(list.iter().map(|(name, _)| names.find(name))),
        "level": list.iter().map(|(_, level)| *level).collect::<Value>(),
    })
}

/// Positions; -1 where there is none.
fn places(places: impl Iterator<Item = Option<usize>>) -> Value {
    places.map(|place| place.map_or(Value::from(-1), Value::from)).collect()
}

/// A row of perf ratios, and the number of `operators` that look it up.
fn ratios(row: &RatioRow, operators: u64) -> Value {
    let point = |point: &RatioPoint| {
        let ratio = point.ratio;
        json!([point.level, ratio.value, ratio.low, ratio.high, point.origin.key()])
    };
    json!({
        "weight_shape": row.key.shape.to_string(),
        "operator_type": row.key.operator_type,
        "data_type": row.key.data_type.map(|data_type| data_type.name()),
        "block": row.key.block.to_string(),
        "operators": operators,
        "others": row.others,
        "points": row.points.iter().map(point).collect::<Value>(),
    })
}
