//! Writes settings as JSON, names and rows in the order in which they are.

use super::json::{FORMAT, VERSION};
use crate::projection::{RatioPoint, RatioRow, Settings};
use serde::{Serialize, Serializer};
use std::io;

/// The document, with everything that settings hold.
pub(crate) fn write(settings: &Settings) -> io::Result<Vec<u8>> {
    let (targets, plan) = (&settings.targets, &settings.plan);
    let document = Document {
        format: FORMAT,
        version: VERSION,
        block: settings.block.to_string(),
        levels: &settings.levels,
        targets: Targets {
            model: targets.model,
            types: Named(&targets.types),
            operators: Named(&targets.operators),
        },
        default_ratios: settings.default_ratios,
        ratios: settings.ratios.iter().map(ratio).collect(),
        plan: Plan {
            budget: plan.budget,
            minimum: plan.minimum,
            maximum: plan.maximum,
            balance: plan.balance,
            first: plan.first,
            grouped: plan.grouped,
            overrides: Named(&plan.overrides),
            sensitivities: plan
                .sensitivities
                .iter()
                .map(|known| Sensitivity { layer: &known.layer, points: &known.points })
                .collect(),
        },
    };
    let mut text = serde_json::to_vec_pretty(&document)?;
    text.push(b'\n');
    Ok(text)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u64,
    block: String,
    levels: &'a [f64],
    targets: Targets<'a>,
    default_ratios: bool,
    ratios: Vec<Ratio<'a>>,
    plan: Plan<'a>,
}

#[derive(Serialize)]
struct Targets<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<f64>,
    types: Named<'a>,
    operators: Named<'a>,
}

#[derive(Serialize)]
struct Ratio<'a> {
    weight_shape: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data_type: Option<&'static str>,
    block: String,
    others: f64,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    sparse_ratio: f64,
    perf_ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    origin: &'static str,
}

#[derive(Serialize)]
struct Plan<'a> {
    budget: f64,
    minimum: f64,
    maximum: f64,
    balance: f64,
    first: bool,
    grouped: bool,
    overrides: Named<'a>,
    sensitivities: Vec<Sensitivity<'a>>,
}

#[derive(Serialize)]
struct Sensitivity<'a> {
    layer: &'a str,
    points: &'a [(f64, f64)],
}

/// An object of names.
struct Named<'a>(&'a [(String, f64)]);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, level)| (name, level)))
    }
}

fn ratio(row: &RatioRow) -> Ratio<'_> {
    Ratio {
        weight_shape: row.key.shape.to_string(),
        operator_type: row.key.operator_type.as_deref(),
        data_type: row.key.data_type.map(|data_type| data_type.name()),
        block: row.key.block.to_string(),
        others: row.others,
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
        origin: point.origin.key(),
    }
}
