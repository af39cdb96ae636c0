//! Perf ratios that a sensitivity profile measured.

use super::given::GivenSettings;
use crate::probability::Student;
use crate::projection::{
    Estimate, MeasuredOn, Origin, RatioKey, RatioPoint, RatioRow, WeightShape,
};
use onnxray_format::{LossLayer, LossProfile, PrunedTimes};
use std::collections::BTreeMap;

/// Probability that an interval contains the ratio.
const CONFIDENCE: f64 = 0.95;

/// Dense / sparse time: the geometric mean over launches, with the interval of its logarithm's mean
/// (`docs/statistics.md#measured-ratios`). `None` of fewer than two launches, of which nothing
/// tells how far they are off.
pub fn measured_ratio(launches: &[PrunedTimes]) -> Option<Estimate> {
    let is_time = |time: f64| time.is_finite() && time > 0.0;
    if !launches.iter().all(|times| is_time(times.dense_ns) && is_time(times.sparse_ns)) {
        return None;
    }
    let logarithms: Vec<f64> =
        launches.iter().map(|times| (times.dense_ns / times.sparse_ns).ln()).collect();
    let student = Student::of(&logarithms, CONFIDENCE, 1.0)?;
    let (mean, half) = (student.mean, student.half_width);
    Some(Estimate { value: mean.exp(), low: (mean - half).exp(), high: (mean + half).exp() })
}

/// A row for each operator type, weight shape and element type: in each launch, the sum of its
/// layers' dense times / the sum of their sparse ones.
pub fn measured_ratios(profile: &LossProfile) -> GivenSettings {
    let mut rows: BTreeMap<(WeightShape, String, String), Vec<&LossLayer>> = BTreeMap::new();
    for layer in profile.layers.iter().filter(|layer| layer.left_out.is_none()) {
        let shape = WeightShape { outputs: layer.outputs, inputs: layer.inputs };
        let place = (shape, layer.operator_type.to_lowercase(), layer.data_type.to_string());
        rows.entry(place).or_default().push(layer);
    }
    let row = |((shape, ..), layers): ((WeightShape, String, String), Vec<&LossLayer>)| {
        let mut row = RatioRow::new(RatioKey {
            operator_type: Some(layers[0].operator_type.clone()),
            shape,
            data_type: Some(layers[0].data_type),
            block: profile.run.block,
        });
        for &level in &profile.run.levels {
            let launches = sums(&layers, level);
            if let Some(ratio) = measured_ratio(&launches) {
                row.insert(RatioPoint { level, ratio, origin: Origin::Measured });
            }
        }
        Some(row).filter(|row| !row.points.is_empty())
    };
    let measured: Vec<RatioRow> = rows.into_iter().filter_map(row).collect();
    let measured_on = profile.timed.clone().filter(|_| !measured.is_empty()).map(|timed| {
        MeasuredOn { file: profile.run.file.clone(), setup: profile.run.setup.clone(), timed }
    });
    GivenSettings { measured, measured_on, ..GivenSettings::default() }
}

/// Dense time of all timed layers in nanoseconds, and dense / sparse time of all together, at a
/// level; `None` if fewer than two launches timed them.
pub fn measured_together(profile: &LossProfile, level: f64) -> Option<(f64, Estimate)> {
    let layers: Vec<&LossLayer> = profile.layers.iter().collect();
    let launches = sums(&layers, level);
    let ratio = measured_ratio(&launches)?;
    let dense: f64 = launches.iter().map(|times| times.dense_ns).sum();
    Some((dense / launches.len() as f64, ratio))
}

/// Times of these layers together, in each launch in which all of them have some.
fn sums(layers: &[&LossLayer], level: f64) -> Vec<PrunedTimes> {
    let times = |layer: &&LossLayer| {
        let point = layer.points.iter().find(|point| point.level == level);
        point.map(|point| point.times.clone()).filter(|times| !times.is_empty())
    };
    // Layers that could not be timed, as those in no operator, have no part in it.
    let known: Vec<Vec<PrunedTimes>> = layers.iter().filter_map(times).collect();
    let launches = known.iter().map(Vec::len).min().unwrap_or(0);
    let sum = |launch: usize| {
        let of = |time: fn(&PrunedTimes) -> f64| known.iter().map(|own| time(&own[launch])).sum();
        PrunedTimes { dense_ns: of(|own| own.dense_ns), sparse_ns: of(|own| own.sparse_ns) }
    };
    (0..launches).map(sum).collect()
}
