//! What a loss profile is to be of: the layers to prune by themselves, and a plan for all.

use super::spec::SensitivitySpec;
use crate::error::RecordError;
use crate::model::pruning::{Layers, Pruning};
use onnxray_format::LossLayer;
use onnxray_text::printable;
use std::path::Path;

/// What is measured of pruned layers.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// What they cost.
    pub losses: bool,
    /// How long they take with kernels of this many threads.
    pub times: Option<u32>,
}

/// The layers and levels of a loss profile to be measured.
pub struct LossRequest {
    /// A model, an engine, and what to compare.
    pub spec: SensitivitySpec,
    /// What is measured of them.
    pub asked: Asked,
    /// Shares of the blocks to prune, ascending.
    pub(super) levels: Vec<f64>,
    /// Layers that are pruned one at a time; their points are not measured yet.
    pub(super) layers: Vec<LossLayer>,
    /// Whether these are all layers of the model.
    pub(super) is_whole: bool,
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
        asked: Asked,
        mut levels: Vec<f64>,
        names: &[String],
        targets: Option<&[(String, f64)]>,
    ) -> Result<LossRequest, RecordError> {
        levels.sort_by(f64::total_cmp);
        // Sorted first: `dedup` only sees neighbours.
        levels.dedup();
        let all = Layers::read(Path::new(&spec.model), spec.block, &levels)?.layers;
        let layers = named(&all, names)?;
        let is_whole = layers.len() == all.len();
        // A plan prunes all layers, even where few are pruned by themselves.
        let plan = targets.map(|targets| PlannedPruning::of(&all, targets)).transpose()?;
        Ok(LossRequest { spec, asked, levels, layers, is_whole, plan })
    }

    /// Numbers of the prunings in the order in which they are measured.
    pub(super) fn order(&self) -> Vec<usize> {
        if !self.asked.losses {
            return Vec::new();
        }
        order(self.layers.iter().map(|layer| layer.points.len()), self.plan.is_some())
    }

    /// The layer of a pruning and its level, for progress; of a plan, that.
    pub(super) fn says(&self, pruning: &Pruning) -> String {
        let [(weight, level)] = &pruning[..] else { return "the plan".to_string() };
        let layer = self.layers.iter().find(|layer| layer.weight == *weight);
        // A plan of one layer may prune another than those that are measured.
        let name = layer.map_or(weight, |layer| &layer.name);
        // To hundredths: 0.95 * 100 is not 95.
        format!("{name} at {} %", (level * 1e4).round() / 1e2)
    }

    /// All layers that are pruned by themselves, at this level.
    pub(super) fn all_at(&self, level: f64) -> Pruning {
        let prunable = self.layers.iter().filter(|layer| layer.left_out.is_none());
        prunable.map(|layer| (layer.weight.clone(), level)).collect()
    }

    /// Each layer at each of its levels, in their order, then the plan.
    pub(super) fn prunings(&self) -> Vec<Pruning> {
        let points = self.layers.iter().flat_map(|layer| {
            layer.points.iter().map(|point| vec![(layer.weight.clone(), point.level)])
        });
        points.chain(self.plan.iter().map(|plan| plan.pruning.clone())).collect()
    }
}

/// So that a run that is ended early says most: first the plan, then the highest level of every
/// layer, which tables and headline are of, then the next lower one. Layers of a level are spread
/// over the model: the first, the one in the middle, then those in the middle between them.
fn order(levels: impl Iterator<Item = usize>, has_plan: bool) -> Vec<usize> {
    let points = levels.enumerate().flat_map(|(layer, count)| {
        // Van der Corput's sequence: bits in reverse.
        let spread = (layer as u64).reverse_bits();
        (0..count).map(move |level| (count - level, spread))
    });
    let plan = has_plan.then_some((0, 0));
    let mut keys: Vec<((usize, u64), usize)> = points.chain(plan).zip(0..).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, number)| number).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_and_the_highest_levels_come_first_and_layers_are_spread() {
        // Eight layers of two levels, so that a layer's highest one has an odd number.
        let found = order([2; 8].into_iter(), true);
        assert_eq!(found[..9], [16, 1, 9, 5, 13, 3, 11, 7, 15]);
        assert_eq!(found[9..], [0, 8, 4, 12, 2, 10, 6, 14]);
        // A layer that cannot be pruned has no points.
        assert_eq!(order([1, 0, 3].into_iter(), false), [0, 3, 2, 1]);
    }
}
