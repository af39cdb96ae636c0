//! A plan that is measured as a whole.

use crate::message;
use anyhow::bail;
use onnxray_analyzer::first_of;
use onnxray_analyzer::projection::predicted_sensitivity;
use onnxray_analyzer::settings;
use onnxray_format::{Block, LossLayer, LossPlan, LossProfile, Measured, printable, shown};
use onnxray_recorder::sensitivity::Pruning;
use std::path::Path;

/// What is pruned at once.
pub(super) struct Plan {
    /// By weight.
    pub(super) pruning: Pruning,
    /// By name of the layer.
    levels: Vec<(String, f64)>,
}

/// The targets of operators in a file of settings, which should be for these blocks.
pub(super) fn read(path: &Path, block: Block) -> anyhow::Result<Vec<(String, f64)>> {
    let read = settings::read(path)?;
    for note in &read.notes {
        message::note(format_args!("{}: {note}", shown(path)));
    }
    if let Some(own) = read.settings.block.filter(|&own| own != block) {
        message::note(format_args!("{}: is for blocks of {own}; {block} are pruned", shown(path)));
    }
    let operators = read.settings.targets.operators;
    match operators.is_empty() {
        true => bail!(
            "{}: has no targets of operators\nhint: project --budget --save-settings writes them",
            shown(path)
        ),
        false => Ok(operators),
    }
}

/// The layers that a plan prunes.
pub(super) fn pruning(layers: &[LossLayer], targets: &[(String, f64)]) -> anyhow::Result<Plan> {
    let target = |layer: &LossLayer| {
        let is_of = |name: &String| *name == layer.weight || layer.nodes.contains(name);
        let found = targets.iter().find(|(name, _)| is_of(name));
        found.map(|(_, level)| *level).filter(|&level| level > 0.0)
    };
    let mut plan = Plan { pruning: Vec::new(), levels: Vec::new() };
    for layer in layers {
        let Some(level) = target(layer) else { continue };
        if let Some(reason) = &layer.left_out {
            let name = printable(&layer.name);
            bail!("layer `{name}` of the plan cannot be pruned: {reason}");
        }
        plan.pruning.push((layer.weight.clone(), level));
        plan.levels.push((layer.name.clone(), level));
    }
    let is_known = |name: &String| {
        layers.iter().any(|layer| *name == layer.weight || layer.nodes.contains(name))
    };
    let unknown: Vec<String> = targets
        .iter()
        .filter(|(name, level)| *level > 0.0 && !is_known(name))
        .map(|(name, _)| printable(name))
        .collect();
    if !unknown.is_empty() {
        message::warning(format_args!(
            "targets of the plan that are no layers of this model: {}",
            first_of(&unknown)
        ));
    }
    match plan.pruning.is_empty() {
        true => bail!("the plan prunes none of the layers"),
        false => Ok(plan),
    }
}

impl Plan {
    /// The plan with what came out, beside what the layers let expect.
    pub(super) fn measured(self, profile: &LossProfile, measured: Measured) -> LossPlan {
        let predicted = predicted_sensitivity(profile, &self.levels);
        LossPlan { levels: self.levels, predicted, measured }
    }
}
