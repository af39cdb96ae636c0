//! Use of a loss profile: sensitivities for a plan, and the loss of a plan by each measure.

use super::line::on_line;
use crate::probability::Student;
use crate::projection::estimate::Estimate;
use crate::projection::settings::Sensitivity;
use crate::quantity::percent;
use onnxray_format::{LossLayer, LossPoint, LossProfile, Measured};
use onnxray_text::first_of;
use std::collections::HashMap;

/// Loss of a plan by a loss profile of single layers, as if these added up.
///
/// Unknown for layers that the profile lacks, and for levels above its highest one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedLoss {
    /// Share of the weights' L1 norm that goes; `None` if that of one is unknown.
    pub l1: Option<f64>,
    /// L2 norm of the removed weights / that of the weights; `None` if that of one is unknown.
    pub l2: Option<f64>,
    /// Sum of the layers' own sensitivities; `None` if that of one is unknown, as beside a
    /// level at which its run failed.
    pub sensitivity: Option<f64>,
    /// Of which layers too little is known, in words.
    pub caveats: Vec<String>,
}

/// Which figure of a loss profile sensitivities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitivityBasis {
    /// Measured on the pruned model.
    Measured,
    /// L2 norm of what goes: not all layers were measured at all levels.
    Magnitude,
}

/// Sensitivities of the layers of a loss profile, all by the same figure: what was measured, if
/// all layers that can be pruned were at all their levels, else the L2 norm of what goes. A
/// level that is missing would make its layer look cheap.
pub fn sensitivities(profile: &LossProfile) -> (Vec<Sensitivity>, SensitivityBasis) {
    let layers = || profile.layers.iter().filter(|layer| layer.left_out.is_none());
    let is_measured =
        |layer: &LossLayer| layer.points.iter().all(|point| measured(point).is_some());
    let basis = match layers().all(is_measured) {
        true => SensitivityBasis::Measured,
        false => SensitivityBasis::Magnitude,
    };
    let figure = match basis {
        SensitivityBasis::Measured => measured,
        SensitivityBasis::Magnitude => |point: &LossPoint| point.l2,
    };
    let sensitivity = |layer: &LossLayer| Sensitivity {
        layer: layer.weight.clone(),
        points: points(layer, figure),
    };
    (layers().map(sensitivity).filter(|given| given.points.len() > 1).collect(), basis)
}

/// What is known of losses for a plan under one.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedSensitivities {
    /// Of each layer, up to the first level at which its run failed: beyond, it may lose anything.
    pub sensitivities: Vec<Sensitivity>,
    /// Name and that level of the layers of which a run failed.
    pub bounds: Vec<(String, f64)>,
}

/// The measured sensitivities for a plan under a loss; `None` if one is not measured yet.
pub fn bounded_sensitivities(profile: &LossProfile) -> Option<BoundedSensitivities> {
    let mut bounded = BoundedSensitivities { sensitivities: Vec::new(), bounds: Vec::new() };
    let layers = profile.layers.iter().filter(|layer| layer.left_out.is_none());
    for layer in layers.filter(|layer| !layer.points.is_empty()) {
        if layer.points.iter().any(|point| point.measured.not_measured) {
            return None;
        }
        let failed = layer.points.iter().find(|point| measured(point).is_none());
        let end = failed.map_or(f64::INFINITY, |point| point.level);
        let mut points = points(layer, measured);
        points.retain(|(level, _)| *level < end);
        bounded.sensitivities.push(Sensitivity { layer: layer.weight.clone(), points });
        bounded.bounds.extend(failed.map(|point| (layer.name.clone(), point.level)));
    }
    Some(bounded)
}

/// Probability that an interval contains the mean over all inputs.
const CONFIDENCE: f64 = 0.95;

/// A sensitivity, with Student's interval of its mean over inputs or labels
/// (`docs/statistics.md#loss`); `None` of a single one.
pub fn sensitivity_interval(measured: &Measured) -> Option<Estimate> {
    let mean = measured.sensitivity()?;
    let scatter = measured.scatter.filter(|own| own.count > 1 && own.standard_error >= 0.0)?;
    let student = Student::of_mean(mean, scatter.standard_error, scatter.count, CONFIDENCE);
    let (low, high) = (mean - student.half_width, mean + student.half_width);
    // No divergence is below 0; a change of the loss may be.
    let least = if measured.loss_change.is_some() { f64::NEG_INFINITY } else { 0.0 };
    let interval = Estimate { value: mean, low: low.max(least), high };
    Some(interval).filter(|_| low.is_finite() && high.is_finite())
}

/// The highest level that a loss profile has of all layers that can be pruned; `None` if it has
/// none.
pub fn highest_level(profile: &LossProfile) -> Option<f64> {
    let layers = profile.layers.iter().filter(|layer| layer.left_out.is_none());
    layers.filter_map(|layer| layer.points.last()).map(|point| point.level).reduce(f64::min)
}

/// Sum of the layers' own sensitivities at these levels, by name of the layer or its weight;
/// `None` if that of one is unknown.
pub fn predicted_sensitivity(profile: &LossProfile, levels: &[(String, f64)]) -> Option<f64> {
    planned_loss(profile, levels).sensitivity
}

/// Loss of layers pruned to these levels, by name of the layer or its weight.
pub fn planned_loss(profile: &LossProfile, levels: &[(String, f64)]) -> PlannedLoss {
    let by_name: HashMap<&str, f64> =
        levels.iter().map(|(name, level)| (name.as_str(), *level)).collect();
    let level = |layer: &LossLayer| {
        let level = names(layer).find_map(|name| by_name.get(name.as_str()).copied());
        level.filter(|&level| level > 0.0)
    };
    let caveats = caveats(profile, levels);
    // A layer that the profile lacks would count as losing nothing.
    let is_whole = caveats.missing.is_empty();
    let at = |layer: &LossLayer, figure: fn(&LossPoint) -> Option<f64>| match level(layer) {
        None => Some(0.0),
        Some(level) => at(layer, level, figure),
    };
    let layers = || profile.layers.iter();
    let sum = |values: &mut dyn Iterator<Item = Option<f64>>| values.sum::<Option<f64>>();
    let l1 = sum(&mut layers().map(|layer| Some(at(layer, |point| point.l1)? * layer.l1_norm?)));
    // Norms of separate weights add up as squares.
    let l2 =
        sum(&mut layers()
            .map(|layer| Some((at(layer, |point| point.l2)? * layer.l2_norm?).powi(2))));
    let all_l1 = sum(&mut layers().map(|layer| layer.l1_norm));
    let all_l2 = sum(&mut layers().map(|layer| Some(layer.l2_norm?.powi(2))));
    let share = |part: Option<f64>, all: Option<f64>| {
        part.zip(all).filter(|(_, all)| *all > 0.0).map(|(part, all)| part / all)
    };
    let sensitivity = sum(&mut layers().map(|layer| at(layer, measured)));
    PlannedLoss {
        l1: share(l1, all_l1).filter(|_| is_whole),
        l2: share(l2, all_l2).map(f64::sqrt).filter(|_| is_whole),
        sensitivity: sensitivity.filter(|_| is_whole),
        caveats: caveats.texts(),
    }
}

/// Layers of a plan of which a loss profile knows too little.
#[derive(Default)]
struct Caveats {
    /// Not there, or without levels.
    missing: Vec<String>,
    /// Pruned further than the profile goes.
    above: Vec<String>,
    /// Beside a run that failed.
    failed: Vec<String>,
}

impl Caveats {
    fn texts(&self) -> Vec<String> {
        let lists = [
            ("the loss of the plan is unknown: the loss profile has nothing of ", &self.missing),
            ("the loss of the plan is unknown: the loss profile ends below ", &self.above),
            ("the plan's sum of sensitivities is unknown: runs failed beside ", &self.failed),
        ];
        let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
        lists.map(|(what, names)| format!("{what}{}", first_of(names, ", "))).collect()
    }
}

fn caveats(profile: &LossProfile, levels: &[(String, f64)]) -> Caveats {
    let mut caveats = Caveats::default();
    for (name, level) in levels.iter().filter(|(_, level)| *level > 0.0) {
        let layer = profile.layers.iter().find(|layer| names(layer).any(|own| own == name));
        let at_level = |layer: &LossLayer| format!("{} at {} %", layer.name, percent(*level));
        let last = layer.and_then(|layer| Some((layer, layer.points.last()?.level)));
        let (list, name) = match last {
            None => (&mut caveats.missing, name.clone()),
            Some((layer, last)) if last < *level => (&mut caveats.above, at_level(layer)),
            Some((layer, _)) if at(layer, *level, measured).is_none() => {
                (&mut caveats.failed, at_level(layer))
            }
            Some(_) => continue,
        };
        // Operators that share a weight are one layer.
        if !list.contains(&name) {
            list.push(name);
        }
    }
    caveats
}

/// Names by which a plan may refer to a layer.
fn names(layer: &LossLayer) -> impl Iterator<Item = &String> {
    layer.nodes.iter().chain([&layer.weight])
}

/// A figure of a layer at a level, on the straight line between the levels beside it, from
/// nothing at level 0 on; `None` above the highest level, or if it is unknown at one of these.
fn at(layer: &LossLayer, level: f64, figure: fn(&LossPoint) -> Option<f64>) -> Option<f64> {
    let number = layer.points.partition_point(|point| point.level < level);
    let point = layer.points.get(number)?;
    let above = figure(point)?;
    if point.level == level {
        return Some(above);
    }
    let below = match number.checked_sub(1).and_then(|number| layer.points.get(number)) {
        Some(point) => (point.level, figure(point)?),
        None => (0.0, 0.0),
    };
    Some(on_line(&[below, (point.level, above)], level))
}

fn measured(point: &LossPoint) -> Option<f64> {
    point.measured.sensitivity()
}

/// A figure by level, from nothing where nothing is pruned.
fn points(layer: &LossLayer, figure: fn(&LossPoint) -> Option<f64>) -> Vec<(f64, f64)> {
    let known = layer.points.iter().filter_map(|point| Some((point.level, figure(point)?)));
    let mut points: Vec<(f64, f64)> = [(0.0, 0.0)].into_iter().chain(known).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Block, DataType, DenseLoss, LossData, LossRun, LossScatter, Measured};

    #[test]
    fn an_interval_is_students_and_a_divergence_is_not_below_zero() {
        // The mean is 2, and 4.302652729911275 deviations of 1/√3 are more than that.
        let scatter = LossScatter::of(&[1.0, 2.0, 3.0]);
        let divergence = Measured { divergence: Some(2.0), scatter, ..Measured::default() };
        let high = 2.0 + 4.302_652_729_911_275 / 3f64.sqrt();
        let found = sensitivity_interval(&divergence).unwrap();
        assert!((found.value, found.low) == (2.0, 0.0) && (found.high - high).abs() < 1e-8);
        let change = Measured { loss_change: Some(2.0), ..divergence.clone() };
        let found = sensitivity_interval(&change).unwrap();
        assert!((found.low - (4.0 - high)).abs() < 1e-8, "a change may be a gain");
        let of = |scatter| sensitivity_interval(&Measured { scatter, ..divergence.clone() });
        assert_eq!(of(LossScatter::of(&[2.0])), None, "of one nothing tells");
        let broken = |count, standard_error| of(Some(LossScatter { count, standard_error }));
        assert_eq!((broken(1, 1.0), broken(0, 1.0), broken(3, -1.0)), (None, None, None));
        assert_eq!(of(LossScatter::of(&[2.0, 2.0])), Some(Estimate::exact(2.0)));
    }

    fn layer(name: &str, norm: f64, points: &[(f64, f64, Option<f64>)]) -> LossLayer {
        let point = |&(level, l, divergence): &(f64, f64, Option<f64>)| LossPoint {
            level,
            l1: Some(l),
            l2: Some(l),
            measured: Measured { divergence, ..Measured::default() },
            ..LossPoint::default()
        };
        LossLayer {
            name: name.to_string(),
            nodes: vec![name.to_string(), format!("{name}, again")],
            operator_type: "MatMul".to_string(),
            weight: format!("{name}.weight"),
            data_type: DataType::Fp32,
            outputs: 4,
            inputs: 4,
            parameters: 16,
            l1_norm: Some(norm),
            l2_norm: Some(norm),
            left_out: None,
            multiplies_zeros: None,
            points: points.iter().map(point).collect(),
        }
    }

    fn profile(layers: Vec<LossLayer>) -> LossProfile {
        LossProfile {
            format: String::new(),
            version: 1,
            producer: String::new(),
            run: LossRun {
                file: Default::default(),
                setup: Default::default(),
                data: LossData {
                    random: true,
                    seed: Some(1),
                    batches: 1,
                    items: None,
                    sha256: None,
                    labels_sha256: None,
                },
                block: Block::new(1, 1),
                levels: Vec::new(),
                outputs: Vec::new(),
            },
            dense: DenseLoss::default(),
            layers,
            timed: None,
            times_only: false,
            plan: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn layers_add_up_on_their_own_lines() {
        let a = layer("a", 3.0, &[(0.5, 0.2, Some(1.0)), (0.9, 0.6, Some(5.0))]);
        let b = layer("b", 1.0, &[(0.5, 0.4, Some(2.0))]);
        let profile = profile(vec![a, b]);
        let levels = [("a, again".to_string(), 0.7), ("b.weight".to_string(), 0.25)];
        let planned = planned_loss(&profile, &levels);
        assert!((planned.sensitivity.unwrap() - 4.0).abs() < 1e-12, "3 and 1");
        assert!((planned.l1.unwrap() - (0.4 * 3.0 + 0.2) / 4.0).abs() < 1e-12);
        let l2 = ((1.2f64 * 1.2 + 0.2 * 0.2) / 10.0).sqrt();
        assert!((planned.l2.unwrap() - l2).abs() < 1e-12);
        assert_eq!(planned_loss(&profile, &[]).sensitivity, Some(0.0), "all dense");
    }

    #[test]
    fn all_sensitivities_are_of_one_kind() {
        let a = layer("a", 3.0, &[(0.5, 0.2, Some(1.0))]);
        let b = layer("b", 1.0, &[(0.5, 0.4, None)]);
        let both = profile(vec![a.clone(), b]);
        let (given, basis) = sensitivities(&both);
        assert_eq!(basis, SensitivityBasis::Magnitude);
        assert_eq!(given[1].points, [(0.0, 0.0), (0.5, 0.4)]);
        let (given, basis) = sensitivities(&profile(vec![a]));
        assert_eq!(
            (basis, &given[0].points[..]),
            (SensitivityBasis::Measured, &[(0.0, 0.0), (0.5, 1.0)][..])
        );
        assert_eq!(planned_loss(&both, &[("b".to_string(), 0.5)]).sensitivity, None);
    }

    /// A layer that failed at 80 %, and one that did not.
    fn with_a_failed_level() -> LossProfile {
        let points = [(0.5, 0.2, Some(1.0)), (0.8, 0.4, None), (0.9, 0.6, Some(5.0))];
        let a = layer("a", 3.0, &points);
        profile(vec![a, layer("b", 1.0, &points.map(|(level, l, _)| (level, l, Some(l))))])
    }

    #[test]
    fn a_level_that_failed_makes_no_layer_cheap() {
        let profile = with_a_failed_level();
        let (given, basis) = sensitivities(&profile);
        assert_eq!(basis, SensitivityBasis::Magnitude);
        assert_eq!(given[0].points, given[1].points);
        let planned = |level| planned_loss(&profile, &[("a".to_string(), level)]);
        for (level, expected) in [(0.25, Some(0.5)), (0.5, Some(1.0)), (0.9, Some(5.0))] {
            let planned = planned(level);
            assert_eq!((planned.sensitivity, planned.caveats.len()), (expected, 0), "{level}");
        }
        for level in [0.51, 0.8, 0.85] {
            let planned = planned(level);
            assert_eq!(planned.sensitivity, None, "{level}");
            assert!(planned.l1.is_some() && planned.l2.is_some(), "{level}: of the weight only");
            assert!(planned.caveats[0].contains("failed beside a at "), "{:?}", planned.caveats);
        }
    }

    #[test]
    fn nothing_is_known_above_the_highest_level() {
        let mut profile = with_a_failed_level();
        assert_eq!(highest_level(&profile), Some(0.9));
        profile.layers[0].points.pop();
        assert_eq!(highest_level(&profile), Some(0.8), "of all layers");
        let planned = planned_loss(&profile, &[("b.weight".to_string(), 0.91)]);
        assert_eq!((planned.l1, planned.l2, planned.sensitivity), (None, None, None));
        assert_eq!(
            planned.caveats,
            ["the loss of the plan is unknown: the loss profile ends below b at 91 %"]
        );
    }

    #[test]
    fn nothing_is_known_of_layers_that_the_profile_lacks() {
        let profile = profile(vec![layer("a", 3.0, &[(0.5, 0.2, Some(1.0))])]);
        let level = |name: &str, level| (name.to_string(), level);
        let planned = planned_loss(&profile, &[level("a", 0.5), level("c", 0.5), level("d", 0.0)]);
        assert_eq!((planned.l1, planned.l2, planned.sensitivity), (None, None, None));
        assert_eq!(
            planned.caveats,
            ["the loss of the plan is unknown: the loss profile has nothing of c"]
        );
        let dense = planned_loss(&profile, &[level("a", 0.5), level("d", 0.0)]);
        assert_eq!(dense.sensitivity, Some(1.0), "a layer that stays dense loses nothing");
    }
}
