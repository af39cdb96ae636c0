//! What a loss profile is to be of: the layers to prune by themselves, and a plan for all.

use super::layers::{Layers, Pruning};
use super::spec::SensitivitySpec;
use crate::error::RecordError;
use onnxray_format::LossLayer;
use onnxray_text::printable;
use std::path::Path;

/// The layers and levels of a loss profile to be measured.
pub struct LossRequest {
    /// A model, an engine, and what to compare.
    pub spec: SensitivitySpec,
    /// Shares of the blocks to prune, ascending.
    pub(super) levels: Vec<f64>,
    /// Layers that are pruned one at a time; their points are not measured yet.
    pub(super) layers: Vec<LossLayer>,
    /// All layers at once.
    pub plan: Option<PlannedPruning>,
}

/// Weights that are pruned together.
pub struct PlannedPruning {
    /// Level by weight.
    pub(super) pruning: Pruning,
    /// Level by layer.
    pub(super) levels: Vec<(String, f64)>,
    /// Targets without a layer in the model.
    pub unknown: Vec<String>,
}

impl LossRequest {
    /// Prunes the layers that have one of these names, or all without names, to each of the
    /// levels, and all layers at once to their `targets`, without running the model.
    ///
    /// # Errors
    ///
    /// If the file is not an ONNX model, if it has no such layer, or if none or one of the targets
    /// can be pruned.
    pub fn read(
        spec: SensitivitySpec,
        mut levels: Vec<f64>,
        names: &[String],
        targets: Option<&[(String, f64)]>,
    ) -> Result<LossRequest, RecordError> {
        levels.sort_by(f64::total_cmp);
        // Sorted first: `dedup` only sees neighbours.
        levels.dedup();
        let all = Layers::read(Path::new(&spec.model), spec.block, &levels)?.layers;
        let layers = named(&all, names)?;
        // A plan prunes all layers, even where few are pruned by themselves.
        let plan = targets.map(|targets| PlannedPruning::of(&all, targets)).transpose()?;
        Ok(LossRequest { spec, levels, layers, plan })
    }

    /// Each layer at each of its levels, in their order, then the plan.
    pub(super) fn prunings(&self) -> Vec<Pruning> {
        let points = self.layers.iter().flat_map(|layer| {
            layer.points.iter().map(|point| vec![(layer.weight.clone(), point.level)])
        });
        points.chain(self.plan.iter().map(|plan| plan.pruning.clone())).collect()
    }
}

impl PlannedPruning {
    fn of(layers: &[LossLayer], targets: &[(String, f64)]) -> Result<PlannedPruning, RecordError> {
        let target = |layer: &LossLayer| {
            let found = targets.iter().find(|(name, _)| is_called(layer, name));
            // A target of 0 leaves the layer dense, so that it need not be prunable.
            found.map(|(_, level)| *level).filter(|&level| level > 0.0)
        };
        let (mut pruning, mut levels) = (Vec::new(), Vec::new());
        for layer in layers {
            let Some(level) = target(layer) else { continue };
            if let Some(reason) = &layer.left_out {
                let (layer, reason) = (layer.name.clone(), reason.clone());
                return Err(RecordError::PlannedLayer { layer, reason });
            }
            pruning.push((layer.weight.clone(), level));
            levels.push((layer.name.clone(), level));
        }
        let is_known = |name: &String| layers.iter().any(|layer| is_called(layer, name));
        let unknown =
            targets.iter().filter(|(name, level)| *level > 0.0 && !is_known(name)).map(|(n, _)| n);
        Ok(PlannedPruning { pruning, levels, unknown: unknown.cloned().collect() })
    }

    /// Whether it prunes nothing.
    pub fn is_empty(&self) -> bool {
        self.pruning.is_empty()
    }
}

fn is_called(layer: &LossLayer, name: &String) -> bool {
    layer.weight == *name || layer.nodes.contains(name)
}

/// The layers of these names, of which one at least can be pruned.
fn named(all: &[LossLayer], names: &[String]) -> Result<Vec<LossLayer>, RecordError> {
    let is_known = |name: &&String| all.iter().any(|layer| is_called(layer, name));
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let layers = all.iter().map(|layer| layer.name.clone()).collect();
        return Err(RecordError::UnknownLayer { name: name.clone(), layers });
    }
    let is_asked_for =
        |layer: &&LossLayer| names.is_empty() || names.iter().any(|name| is_called(layer, name));
    let layers: Vec<LossLayer> = all.iter().filter(is_asked_for).cloned().collect();
    let reason = |layer: &LossLayer| {
        Some(format!("{}: {}", printable(&layer.name), layer.left_out.as_ref()?))
    };
    let reasons: Vec<String> = layers.iter().filter_map(reason).collect();
    match layers.len() {
        0 => Err(RecordError::NoLayer),
        // Some that can be pruned are enough; the others are listed with their reasons.
        all if all == reasons.len() => Err(RecordError::NoPrunableLayer { reasons }),
        _ => Ok(layers),
    }
}
