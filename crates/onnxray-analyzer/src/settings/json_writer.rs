//! Writes settings as JSON.

use super::json_document::{
    Document, FORMAT, Levels, Plan, Point, Ratio, Sensitivity, Targets, VERSION,
};
use crate::projection::{RatioPoint, RatioRow, Settings};
use std::io;

/// The document, with everything that settings hold.
pub(crate) fn write(settings: &Settings) -> io::Result<Vec<u8>> {
    let (targets, plan) = (&settings.targets, &settings.plan);
    let sensitivities = plan.sensitivities.iter().cloned();
    let document = Document {
        format: FORMAT.to_string(),
        version: VERSION,
        block: Some(settings.block.to_string()),
        levels: Some(settings.levels.clone()),
        targets: Targets {
            model: targets.model,
            types: Levels(targets.types.clone()),
            operators: Levels(targets.operators.clone()),
        },
        default_ratios: Some(settings.default_ratios),
        ratios: settings.ratios.iter().map(ratio).collect(),
        measured_on: settings.measured_on.clone(),
        plan: Plan {
            budget: Some(plan.budget),
            minimum: Some(plan.minimum),
            maximum: Some(plan.maximum),
            balance: Some(plan.balance),
            max_loss: plan.max_loss,
            first: Some(plan.first),
            grouped: Some(plan.grouped),
            overrides: Levels(plan.overrides.clone()),
            sensitivities: sensitivities
                .map(|known| Sensitivity { layer: known.layer, points: known.points })
                .collect(),
        },
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

fn ratio(row: &RatioRow) -> Ratio {
    Ratio {
        weight_shape: row.key.shape.to_string(),
        operator_type: row.key.operator_type.clone(),
        data_type: row.key.data_type.map(|data_type| data_type.name().to_string()),
        block: Some(row.key.block.to_string()),
        others: Some(row.others),
        points: row.points.iter().map(point).collect(),
    }
}

/// Ends that equal the value are not written.
fn point(point: &RatioPoint) -> Point {
    let ratio = point.ratio;
    let end = |end: f64| (end != ratio.value).then_some(end);
    Point {
        sparse_ratio: point.level,
        perf_ratio: ratio.value,
        low: end(ratio.low),
        high: end(ratio.high),
        origin: Some(point.origin.key().to_string()),
    }
}
