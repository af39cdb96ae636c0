//! What a page projects from, as data: a member per column.

use crate::document::{ProjectionInputs, SettingNames};
use onnxray_analyzer::projection::{Basis, DEFAULT_TARGET, Estimate, Outcome, RatioRow};
use serde_json::{Value, json};

/// The block `projection` of a page's data, which `web/source/projection_inputs.js` reads.
pub fn projection_json(inputs: &ProjectionInputs) -> Value {
    let ProjectionInputs { operators, types, layers, outside, .. } = inputs;
    let latency = |pick: fn(Estimate) -> f64| -> Vec<Option<f64>> {
        operators.latency.iter().map(|latency| latency.map(pick)).collect()
    };
    let outcomes = Outcome::ALL.map(|o| json!({ "text": o.text(), "meaning": o.meaning() }));
    let fixed = |outcome: &Option<Outcome>| Outcome::ALL.iter().position(|o| Some(*o) == *outcome);
    let exclusions = layers.exclusion.iter().map(|exclusion| exclusion.map(|why| why.text()));
    json!({
        "block": "projection",
        "basis": match inputs.basis {
            Basis::Iteration => "iteration",
            Basis::Trace => "trace",
        },
        "latency_ends": inputs.latency_ends,
        "concurrent_ms": outside.concurrent,
        "overhead_ms": outside.overhead,
        "batch_size": outside.batch_size,
        "parameters": inputs.parameters,
        "default_target": DEFAULT_TARGET,
        "outcomes": outcomes,
        "operators": {
            "latency_ms": latency(|latency| latency.value),
            "latency_low_ms": latency(|latency| latency.low),
            "latency_high_ms": latency(|latency| latency.high),
            "sparse_support": operators.sparse_support,
            "sparse_ratio": operators.sparse_ratio,
            "fixed": places(operators.fixed.iter().map(fixed)),
            "type": operators.operator_type,
            "row": places(operators.row.iter().copied()),
            "same_name": operators.same_name,
            "flops": operators.flops,
        },
        "types": {
            "name": types.name,
            "operators": types.operators,
            "same_name": types.same_name,
            "flops": types.flops,
        },
        "layers": {
            "operator": layers.operator,
            "parameters": layers.parameters,
            "same_weight": layers.same_weight,
            "exclusion": exclusions.collect::<Value>(),
            "planned": layers.planned,
        },
        "settings": settings(inputs),
    })
}

/// Positions; -1 where there is none.
fn places(places: impl Iterator<Item = Option<usize>>) -> Value {
    places.map(|place| place.map_or(Value::from(-1), Value::from)).collect()
}

fn settings(inputs: &ProjectionInputs) -> Value {
    let ProjectionInputs { settings, names, .. } = inputs;
    let SettingNames { types, operators, overrides } = names;
    let plan = &settings.plan;
    let rows = settings.ratios.iter().zip(&inputs.row_operators);
    let layers = plan.sensitivities.iter();
    json!({
        "block": settings.block.to_string(),
        "levels": settings.levels,
        "default_ratios": settings.default_ratios,
        "ratios": rows.map(|(row, operators)| ratios(row, *operators)).collect::<Value>(),
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
            "first": plan.first,
            "grouped": plan.grouped,
            "overrides": named(&plan.overrides, overrides),
            "sensitivities": layers
                .map(|known| json!({ "layer": known.layer, "points": known.points }))
                .collect::<Value>(),
        },
    })
}

/// Levels by name, in columns: names are data, not keys of an object.
fn named(list: &[(String, f64)], at: &[Option<usize>]) -> Value {
    json!({
        "name": list.iter().map(|(name, _)| name.as_str()).collect::<Value>(),
        "at": places(at.iter().copied()),
        "level": list.iter().map(|(_, level)| *level).collect::<Value>(),
    })
}

fn ratios(row: &RatioRow, operators: u64) -> Value {
    let point = |point: &onnxray_analyzer::projection::RatioPoint| {
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
