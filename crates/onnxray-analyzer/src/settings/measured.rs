//! Perf ratios that a sensitivity profile measured.

use super::given::GivenSettings;
use crate::probability::Student;
use crate::projection::{
    Estimate, MeasuredOn, Origin, RatioKey, RatioPoint, RatioRow, WeightShape,
};
use onnxray_format::{LossLayer, LossProfile, PrunedTimes, TimedRun};
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
/// layers' dense times / the sum of their sparse ones. 1 if all of them multiply by their zeros: what
/// their times differ by is noise.
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
        // Those that multiply by their zeros gain nothing, and say nothing of the others.
        let skip: Vec<&LossLayer> =
            layers.iter().copied().filter(|layer| layer.multiplies_zeros.is_none()).collect();
        for &level in &profile.run.levels {
            let ratio = match skip.is_empty() {
                true => measured_ratio(&sums(&layers, level)).map(|_| Estimate::exact(1.0)),
                false => measured_ratio(&sums(&skip, level)),
            };
            if let Some(ratio) = ratio {
                row.insert(RatioPoint { level, ratio: written(ratio), origin: Origin::Measured });
            }
        }
        Some(row).filter(|row| !row.points.is_empty())
    };
    let mut measured: Vec<RatioRow> = rows.into_iter().filter_map(row).collect();
    measured.extend(of_not_pruned(profile));
    let measured_on = profile.timed.iter().filter(|_| !measured.is_empty()).map(|timed| {
        // Its times have become ratios.
        let (run, timed) = (&profile.run, TimedRun { not_pruned: Vec::new(), ..timed.clone() });
        let dense_ms = dense_ms(profile);
        let (file, setup) = (run.file.clone(), run.setup.clone());
        MeasuredOn { file, setup, timed, block: run.block, dense_ms }
    });
    let measured_on = measured_on.collect();
    GivenSettings { measured, measured_on, ..GivenSettings::default() }
}

/// Dense milliseconds of each layer that skips zeros, by its weight: the mean over launches and
/// levels.
fn dense_ms(profile: &LossProfile) -> BTreeMap<String, f64> {
    let skips = |layer: &&LossLayer| layer.left_out.is_none() && layer.multiplies_zeros.is_none();
    let mean = |layer: &LossLayer| {
        let times = layer.points.iter().flat_map(|point| &point.times);
        let times: Vec<f64> = times.map(|times| times.dense_ns / 1e6).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        (!times.is_empty()).then(|| (layer.weight.clone(), mean))
    };
    profile.layers.iter().filter(skips).filter_map(mean).collect()
}

/// What operators gain that skip no zeros, by how sparse the layers are. 1 where the interval holds 1:
/// it is of most operators of a model, and beside other programs noise of a tenth would hide
/// what layers gain.
fn of_not_pruned(profile: &LossProfile) -> Option<RatioRow> {
    let mut row = RatioRow::new(RatioKey {
        operator_type: None,
        shape: WeightShape::NOT_PRUNED,
        data_type: None,
        block: profile.run.block,
    });
    for known in profile.timed.iter().flat_map(|timed| &timed.not_pruned) {
        if let Some(ratio) = measured_ratio(&known.times) {
            let is_told = ratio.low > 1.0 || ratio.high < 1.0;
            let value = if is_told { ratio.value } else { 1.0 };
            let (level, ratio) = (known.level, written(Estimate { value, ..ratio }));
            row.insert(RatioPoint { level, ratio, origin: Origin::Measured });
        }
    }
    Some(row).filter(|row| !row.points.is_empty())
}

/// To thousandths, as people read and edit it.
fn written(ratio: Estimate) -> Estimate {
    let rounded = |value: f64| (value * 1e3).round().max(1.0) / 1e3;
    Estimate { value: rounded(ratio.value), low: rounded(ratio.low), high: rounded(ratio.high) }
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
    let points = layers.iter().flat_map(|layer| &layer.points);
    let times = points.filter(|point| point.level == level).map(|point| &point.times[..]);
    // Layers that could not be timed, as those in no operator, have no part in it.
    let known: Vec<&[PrunedTimes]> = times.filter(|times| !times.is_empty()).collect();
    let launches = known.iter().map(|times| times.len()).min().unwrap_or(0);
    let sum = |launch: usize| {
        let of = |time: fn(&PrunedTimes) -> f64| known.iter().map(|own| time(&own[launch])).sum();
        PrunedTimes { dense_ns: of(|own| own.dense_ns), sparse_ns: of(|own| own.sparse_ns) }
    };
    (0..launches).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::Settings;
    use onnxray_format::{Block, DataType, LossPoint, NotPrunedTimes};

    fn times(pairs: &[[f64; 2]]) -> Vec<PrunedTimes> {
        pairs.iter().map(|&[dense_ns, sparse_ns]| PrunedTimes { dense_ns, sparse_ns }).collect()
    }

    #[test]
    fn a_ratio_is_the_mean_over_launches_with_an_interval() {
        let ratio = measured_ratio(&times(&[[100.0, 50.0], [400.0, 50.0]])).unwrap();
        assert!((ratio.value - 4.0).abs() < 1e-12, "the geometric mean of 2 and 8");
        // With one degree of freedom: 12.706 standard errors, which are ln(2) here.
        let high = 4.0 * (12.706_204_736 * 2f64.ln()).exp();
        assert!((ratio.high / high - 1.0).abs() < 1e-6, "{ratio:?}");
        assert!((ratio.low * ratio.high - 16.0).abs() < 1e-9);
        assert_eq!(measured_ratio(&times(&[[100.0, 50.0]])), None, "one launch");
        assert_eq!(measured_ratio(&times(&[[100.0, 0.0], [100.0, 50.0]])), None, "no time");
    }

    #[test]
    fn a_row_has_the_sums_of_its_layers() {
        let point = |level: f64, pairs: &[[f64; 2]]| LossPoint {
            level,
            times: times(pairs),
            ..LossPoint::default()
        };
        let layer = |name: &str, points: Vec<LossPoint>| LossLayer {
            name: name.to_string(),
            nodes: vec![name.to_string()],
            operator_type: "MatMul".to_string(),
            weight: format!("{name}.weight"),
            data_type: DataType::Fp32,
            outputs: 8,
            inputs: 4,
            parameters: 32,
            l1_norm: None,
            l2_norm: None,
            left_out: None,
            multiplies_zeros: None,
            points,
        };
        let a = vec![point(0.5, &[[90.0, 40.0], [90.0, 40.0]]), point(0.9, &[[90.0, 10.0]])];
        let b = vec![point(0.5, &[[10.0, 10.0], [10.0, 10.0], [10.0, 10.0]]), point(0.9, &[])];
        let mut profile: LossProfile = serde_json::from_str(
            r#"{"format": "", "version": 1, "producer": "", "dense": {"loss": null, "accuracy": null},
                "run": {"model": "m", "model_sha256": null, "engine": "tract", "engine_version": "1",
                    "engine_options": {}, "batch_size": 1, "dimensions": [],
                    "data": {"random": true, "seed": 1, "batches": 1, "items": 1, "sha256": null,
                        "labels_sha256": null},
                    "block": "4x1", "levels": [0.5, 0.9], "outputs": []},
                "layers": [], "timed": {"launches": 2, "planned_launches": 5, "threads": 1,
                    "cpu": null, "at": null}, "notes": []}"#,
        )
        .unwrap();
        profile.layers = vec![layer("a", a), layer("b", b)];
        let given = measured_ratios(&profile);
        let [row] = &given.measured[..] else { panic!("{given:?}") };
        assert_eq!((row.key.block, row.key.data_type), (Block::new(4, 1), Some(DataType::Fp32)));
        // At 90 % there is one launch, of which nothing tells how far it is off.
        let [only] = &row.points[..] else { panic!("{row:?}") };
        assert_eq!((only.level, only.origin), (0.5, Origin::Measured));
        assert!((only.ratio.value - 2.0).abs() < 1e-12 && only.ratio.low <= only.ratio.high);
        let on = &given.measured_on[0];
        assert_eq!(on.timed.threads, 1);
        // The mean over launches of both levels, of 90 and 10 ns.
        let dense = [("a.weight", 90e-6), ("b.weight", 10e-6)];
        assert_eq!(on.dense_ms, dense.map(|(name, time)| (name.to_string(), time)).into());
        // What is in no layer has a row of its own; a ratio that is not told from 1 is 1.
        let unsure = NotPrunedTimes { level: 0.9, times: times(&[[100.0, 50.0], [400.0, 50.0]]) };
        let others = NotPrunedTimes { level: 0.5, times: times(&[[100.0, 80.0], [101.0, 80.0]]) };
        let mut with_others = profile.clone();
        with_others.timed.as_mut().unwrap().not_pruned = vec![others, unsure];
        let others = measured_ratios(&with_others);
        let [_, others_row] = &others.measured[..] else { panic!("{others:?}") };
        assert_eq!(others_row.key.shape, WeightShape::NOT_PRUNED);
        let [told, unsure] = &others_row.points[..] else { panic!("{others_row:?}") };
        assert_eq!((told.ratio.value, unsure.ratio.value), (1.256, 1.0));
        assert!(told.ratio.low > 1.0 && unsure.ratio.high > 4.0 && unsure.ratio.low < 1.0);
        assert_eq!(others.measured_on[0].timed.not_pruned, [], "its times have become ratios");
        let levels = |mut settings: Settings| {
            given.apply(&mut settings);
            settings.levels
        };
        assert_eq!(levels(Settings::default()), [0.5], "those of the defaults say nothing of it");
        let own = Settings { levels: vec![0.6], ..Settings::default() };
        assert_eq!(levels(own), [0.6, 0.5], "those that were asked for stay");
        // One that multiplies by its zeros has no part in it; of such alone, nothing is gained.
        profile.layers[1].multiplies_zeros = Some("no whole blocks".to_string());
        let ratio = |profile: &LossProfile| measured_ratios(profile).measured[0].points[0].ratio;
        assert_eq!(ratio(&profile), Estimate::exact(2.25));
        profile.layers[0].multiplies_zeros = Some("no whole blocks".to_string());
        assert_eq!(ratio(&profile), Estimate::exact(1.0));
        profile.layers.iter_mut().for_each(|layer| layer.multiplies_zeros = None);
        let (dense, ratio) = measured_together(&profile, 0.5).unwrap();
        assert!((dense - 100.0).abs() < 1e-9 && (ratio.value - 2.0).abs() < 1e-12);
    }
}
