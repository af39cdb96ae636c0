//! The layers of a plan: which may be pruned, and which have one weight.

use crate::printable::short_name;
use crate::projection::Projection;
use crate::projection::estimate::Estimate;
use crate::projection::operator::Outcome;
use crate::projection::origin::RatioOrigin;
use crate::projection::settings::{PlanSettings, Sensitivity};
use crate::statistics::Summary;
use onnxray_format::{Operator, Weight, elements};
use std::borrow::Cow;
use std::collections::HashMap;

/// A layer at its level.
#[derive(Clone, Debug)]
pub struct PlannedLayer {
    /// Position in the summary.
    pub operator: usize,
    /// Elements of its weight; 0 where an earlier layer has the same weight.
    pub parameters: u64,
    /// The first layer that has the weight, by its position among the layers.
    pub same_weight: usize,
    /// Why the plan leaves it dense, or another layer that has the same weight.
    pub exclusion: Option<Exclusion>,
    /// Why the plan would leave it dense if no level were fixed, whatever other layers
    /// have the same weight.
    pub unfixed: Option<Exclusion>,
    /// Level that the budget or the largest loss puts it at, from 0 to 1.
    pub planned: f64,
    /// Level that it is fixed at, from 0 to 1.
    pub fixed: Option<f64>,
    /// Perf ratio at its level.
    pub ratio: Estimate,
    /// Origin of the ratio; `None` if no ratio is looked up.
    pub origin: Option<RatioOrigin>,
    /// Latency before, in milliseconds.
    pub dense: Option<Estimate>,
    /// Latency at its level, in milliseconds.
    pub projected: Option<Estimate>,
    /// FLOPs per iteration; `None` if unknown.
    pub flops: Option<f64>,
    /// `flops` without those of zero weights.
    pub planned_flops: Option<f64>,
}

impl PlannedLayer {
    /// The level that counts.
    pub fn level(&self) -> f64 {
        self.fixed.unwrap_or(self.planned)
    }
}

/// Why a layer is left dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// Pruning what sees the input costs most.
    First,
    /// A convolution with groups.
    Grouped,
    /// A target would change nothing.
    Outcome(Outcome),
}

impl Exclusion {
    /// Word of tables and workbooks.
    pub fn text(self) -> &'static str {
        match self {
            Exclusion::First => "first layer",
            Exclusion::Grouped => "grouped convolution",
            Exclusion::Outcome(outcome) => outcome.text(),
        }
    }
}

/// Layers that have one weight, which is pruned once.
pub(super) struct Shared<'a> {
    pub(super) layers: Vec<usize>,
    /// As the first of these layers states it.
    pub(super) weight: &'a Weight,
    /// Loss given for one of them, by the first that has one.
    pub(super) sensitivity: Option<&'a Sensitivity>,
}

/// Every operator with a weight, and why it may not be pruned.
pub(super) fn layers(
    summary: &Summary,
    projection: &Projection,
    bounds: &PlanSettings,
) -> Vec<PlannedLayer> {
    let fixed: HashMap<Cow<str>, f64> =
        bounds.overrides.iter().map(|(name, level)| (short_name(name), *level)).collect();
    let mut first = true;
    let mut layers = Vec::new();
    for (number, summary) in summary.operators.iter().enumerate() {
        let operator = &summary.operator;
        let Some(weight) = &operator.weight else { continue };
        let projected = &projection.operators[number];
        let settable = projected.outcome.is_settable();
        // A level that changes nothing is not fixed; `unmatched` names it.
        let fixed = fixed.get(&short_name(&operator.name)).copied().filter(|_| settable);
        let unfixed = match () {
            _ if !settable => Some(Exclusion::Outcome(projected.outcome)),
            _ if first && !bounds.first => Some(Exclusion::First),
            _ if is_grouped(operator) && !bounds.grouped => Some(Exclusion::Grouped),
            _ => None,
        };
        // The first layer of the model, even if it cannot be pruned anyway.
        first = false;
        layers.push(PlannedLayer {
            operator: number,
            parameters: parameters(weight),
            same_weight: layers.len(),
            exclusion: unfixed.filter(|_| fixed.is_none()),
            unfixed,
            planned: 0.0,
            fixed,
            ratio: Estimate::exact(1.0),
            origin: None,
            dense: projected.dense,
            projected: projected.dense,
            flops: summary.flops,
            planned_flops: summary.flops,
        });
    }
    layers
}

fn parameters(weight: &Weight) -> u64 {
    let stored = elements(&weight.stored_shape).filter(|_| !weight.stored_shape.is_empty());
    // A damaged model may state any sizes.
    stored.unwrap_or_else(|| weight.outputs.saturating_mul(weight.inputs))
}

fn is_grouped(operator: &Operator) -> bool {
    let group = operator.attributes.get("group").and_then(|group| group.parse::<u64>().ok());
    group.is_some_and(|group| group > 1)
}

/// Puts layers of one weight together; the parameters stay with the first.
pub(super) fn share<'a>(
    summary: &'a Summary,
    layers: &mut [PlannedLayer],
    bounds: &'a PlanSettings,
) -> Vec<Shared<'a>> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let mut shared: Vec<Shared> = Vec::new();
    for (at, layer) in layers.iter_mut().enumerate() {
        let operator = &summary.operators[layer.operator].operator;
        let Some(weight) = &operator.weight else { continue };
        // Weights without a name have nothing in common.
        let known = by_name.get(weight.name.as_str()).filter(|_| !weight.name.is_empty());
        let given = || sensitivity(bounds, operator, weight);
        match known.and_then(|&known| shared.get_mut(known)) {
            Some(known) => {
                layer.parameters = 0;
                layer.same_weight = known.layers[0];
                known.layers.push(at);
                known.sensitivity = known.sensitivity.or_else(given);
            }
            None => {
                by_name.insert(&weight.name, shared.len());
                shared.push(Shared { layers: vec![at], weight, sensitivity: given() });
            }
        }
    }
    shared
}

/// Makes layers of one weight agree: there is one weight to prune or to leave.
/// A level fixed for one is fixed for all, and a reason to leave one dense leaves all dense.
/// Returns caveats for those fixed at different levels.
pub(super) fn agree(
    summary: &Summary,
    layers: &mut [PlannedLayer],
    shared: &[Shared],
) -> Vec<String> {
    let mut caveats = Vec::new();
    for shared in shared {
        let own = || shared.layers.iter().map(|&at| &layers[at]);
        let of_outcome = |exclusion: &Exclusion| matches!(exclusion, Exclusion::Outcome(_));
        // Not even a fixed level prunes what a target would not change.
        let outcome = own().filter_map(|layer| layer.exclusion).find(of_outcome);
        let first = own().find(|layer| layer.fixed.is_some()).filter(|_| outcome.is_none());
        let fixed = first.and_then(|layer| layer.fixed);
        let other = own().find(|layer| layer.fixed.is_some() && layer.fixed != fixed);
        if let (Some(first), Some(other)) = (first, other) {
            let name = |layer: &PlannedLayer| &summary.operators[layer.operator].operator.name;
            caveats.push(format!(
                "{} and {} have one weight: it is pruned to the sparsity of the first",
                name(first),
                name(other)
            ));
        }
        let exclusion = match fixed {
            Some(_) => None,
            None => outcome.or_else(|| own().find_map(|layer| layer.exclusion)),
        };
        for &at in &shared.layers {
            let layer = &mut layers[at];
            (layer.fixed, layer.exclusion) = (fixed, exclusion);
        }
    }
    caveats
}

/// Given loss of a layer, under its name or that of its weight.
fn sensitivity<'a>(
    bounds: &'a PlanSettings,
    operator: &Operator,
    weight: &Weight,
) -> Option<&'a Sensitivity> {
    let fits = |given: &&Sensitivity| given.layer == operator.name || given.layer == weight.name;
    bounds.sensitivities.iter().find(fits)
}
