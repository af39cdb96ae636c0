//! What a loss profile says: sensitivities for a plan, and what a plan costs by each measure.

use super::line::on_line;
use super::settings::Sensitivity;
use onnxray_format::{LossLayer, LossPoint, LossProfile};
use std::collections::HashMap;

/// What a plan costs by what a loss profile says of the single layers, as if these added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlannedLoss {
    /// Share of the weights' L1 norm that goes; `None` if the norm of one is unknown.
    pub l1: Option<f64>,
    /// L2 norm of what goes by that of the weights; `None` if the norm of one is unknown.
    pub l2: Option<f64>,
    /// Sum of the layers' own sensitivities; `None` if that of one is unknown.
    pub sensitivity: Option<f64>,
}

/// Which figure of a loss profile sensitivities are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitivityBasis {
    /// What came out of running the pruned model.
    Measured,
    /// L2 norm of what goes: not all layers were measured.
    Magnitude,
}

/// Sensitivities of the layers of a loss profile, all by the same figure: what was measured, if
/// all layers that can be pruned were, else the L2 norm of what goes.
pub fn sensitivities(profile: &LossProfile) -> (Vec<Sensitivity>, SensitivityBasis) {
    let layers = || profile.layers.iter().filter(|layer| layer.left_out.is_none());
    let is_measured =
        |layer: &LossLayer| layer.points.iter().any(|point| measured(point).is_some());
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

/// Sum of the layers' own sensitivities at these levels, by name of the layer or its weight;
/// `None` if that of one is unknown.
pub fn predicted_sensitivity(profile: &LossProfile, levels: &[(String, f64)]) -> Option<f64> {
    planned_loss(profile, levels).sensitivity
}

/// What pruning layers to these levels costs, by name of the layer or its weight.
pub fn planned_loss(profile: &LossProfile, levels: &[(String, f64)]) -> PlannedLoss {
    let by_name: HashMap<&str, f64> =
        levels.iter().map(|(name, level)| (name.as_str(), *level)).collect();
    let level = |layer: &LossLayer| {
        let mut names = layer.nodes.iter().chain([&layer.weight]);
        names.find_map(|name| by_name.get(name.as_str()).copied()).filter(|&level| level > 0.0)
    };
    let at = |layer: &LossLayer, figure: fn(&LossPoint) -> Option<f64>| match level(layer) {
        None => Some(0.0),
        Some(level) => {
            let points = points(layer, figure);
            (points.len() > 1).then(|| on_line(&points, level))
        }
    };
    let layers = || profile.layers.iter();
    let sum = |values: &mut dyn Iterator<Item = Option<f64>>| values.sum::<Option<f64>>();
    let l1 = sum(&mut layers().map(|layer| Some(at(layer, |point| point.l1)? * layer.l1_norm?)));
    let l2 =
        sum(&mut layers()
            .map(|layer| Some((at(layer, |point| point.l2)? * layer.l2_norm?).powi(2))));
    let all_l1 = sum(&mut layers().map(|layer| layer.l1_norm));
    let all_l2 = sum(&mut layers().map(|layer| Some(layer.l2_norm?.powi(2))));
    let share = |part: Option<f64>, all: Option<f64>| {
        part.zip(all).filter(|(_, all)| *all > 0.0).map(|(part, all)| part / all)
    };
    PlannedLoss {
        l1: share(l1, all_l1),
        l2: share(l2, all_l2).map(f64::sqrt),
        sensitivity: sum(&mut layers().map(|layer| at(layer, measured))),
    }
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
    use onnxray_format::{Block, DataType, DenseLoss, LossData, LossRun, Measured};

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
            points: points.iter().map(point).collect(),
        }
    }

    fn profile(layers: Vec<LossLayer>) -> LossProfile {
        LossProfile {
            format: String::new(),
            version: 1,
            producer: String::new(),
            run: LossRun {
                model: String::new(),
                model_sha256: None,
                external_sha256: None,
                engine: String::new(),
                engine_version: String::new(),
                engine_options: Default::default(),
                batch_size: None,
                dimensions: Vec::new(),
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
}
