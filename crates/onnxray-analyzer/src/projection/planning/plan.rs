//! The plan: a budget of parameters spread over layers, and what it would bring.
//!
//! Sparsify called this the estimated speedup. How the budget is spread is in
//! `allocate`, and under a limit of the loss in `fastest`; this module says what steps cost and gain.

use super::allocation::{Budget, Prunable, allocate, fastest};
use super::layers::{PlannedLayer, Shared, agree, layers, share};
use super::line::on_line;
use super::loss::{PlannedLoss, planned_loss};
use crate::printable::short_name;
use crate::projection::Projection;
use crate::projection::estimate::Estimate;
use crate::projection::not_pruned::{NotPruned, is_not_pruned};
use crate::projection::operator::{Outcome, outcome_at, ratio_at};
use crate::projection::origin::{Origins, RatioOrigin};
use crate::projection::project::outside;
use crate::projection::ratio::SAME_LEVEL;
use crate::projection::settings::{PlanSettings, Settings};
use crate::projection::total::{Totals, Weights, totals};
use crate::statistics::{PartialSum, Summary};
use onnxray_format::LossProfile;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Steps of one percent, from dense on.
const STEPS: usize = 100;

/// Levels for all layers, and the model at them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Settings of the plan.
    pub settings: PlanSettings,
    /// Basis of the estimated loss.
    pub basis: LossBasis,
    /// Every operator with a weight, in the order of the summary.
    pub layers: Vec<PlannedLayer>,
    /// The budget could be reached, or the loss kept.
    pub reached: bool,
    /// Mean sparsity of the weights that a target could change, by elements.
    pub sparsity: f64,
    /// The model with each layer at its level.
    pub totals: Totals,
    /// Origin of the perf ratio of what is not pruned; `None` if its latency stays.
    pub not_pruned: Option<RatioOrigin>,
    /// FLOPs per iteration, before and after.
    pub flops: PartialSum,
    /// `flops` with each layer at its level.
    pub planned_flops: PartialSum,
    /// Elements of the model's constants; `None` if unknown.
    pub parameters: Option<u64>,
    /// Elements of the layers' weights, each weight counted once.
    pub weights: u64,
    /// Elements of these that the plan may prune.
    pub prunable: u64,
    /// Elements that it prunes.
    pub pruned: f64,
    /// Known and unknown weights of the operators.
    pub known: Weights,
    /// Overrides that name no layer, or one that cannot be pruned.
    pub unmatched: Vec<String>,
    /// Caveats, in words.
    pub caveats: Vec<String>,
    /// Expected loss by a loss profile; `None` without one.
    pub loss: Option<PlannedLoss>,
}

/// Basis of the estimated loss of a layer, the same for all layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossBasis {
    /// Sensitivities that were given.
    Sensitivity,
    /// Magnitude of the weights that go.
    Magnitude,
    /// Nothing is known: all layers lose alike.
    Level,
}

impl LossBasis {
    /// Word of workbooks.
    pub fn text(self) -> &'static str {
        match self {
            LossBasis::Sensitivity => "loss sensitivity",
            LossBasis::Magnitude => "weight magnitude",
            LossBasis::Level => "sparsity (nothing is known of the loss)",
        }
    }
}

/// Makes a plan for a model that was projected with the same settings.
pub fn plan(summary: &Summary, projection: &Projection, settings: &Settings) -> Plan {
    let bounds = &settings.plan;
    let mut layers = layers(summary, projection, bounds);
    let shared = share(summary, &mut layers, bounds);
    let mut caveats = agree(summary, &mut layers, &shared);
    // After `agree`: layers of one weight are all free, or none is.
    let free: Vec<&Shared> = shared
        .iter()
        .filter(|shared| shared.layers.iter().all(|&at| layers[at].exclusion.is_none()))
        .collect();
    let (basis, caveat) = basis(&free, bounds.max_loss.is_none());
    caveats.extend(caveat);
    let prunable = |shared: &&Shared| Prunable {
        parameters: layers[shared.layers[0]].parameters,
        loss: loss(basis, shared, bounds.max_loss.is_none()),
        latency: latency(summary, projection, &layers, shared),
        fixed: layers[shared.layers[0]].fixed.map(|level| level * 100.0),
    };
    let prunables: Vec<Prunable> = free.iter().map(prunable).collect();
    let budget = Budget {
        share: bounds.budget,
        minimum: bounds.minimum,
        maximum: bounds.maximum,
        balance: bounds.balance,
    };
    let allocation = match bounds.max_loss {
        Some(most) if basis == LossBasis::Sensitivity => fastest(&prunables, most, &budget),
        // Whatever is not known of the loss may be above any limit: what is not fixed stays dense.
        Some(_) => fastest(&prunables, f64::NEG_INFINITY, &budget),
        None => allocate(&prunables, &budget),
    };
    for (shared, &level) in free.iter().zip(&allocation.levels) {
        for &at in &shared.layers {
            // As it was given: percent and back is not always the same number.
            layers[at].planned = layers[at].fixed.unwrap_or(level);
        }
    }
    let prunable = prunables.iter().map(|prunable| prunable.parameters).sum();
    for layer in &mut layers {
        estimate(layer, summary, projection);
    }
    let pruned = layers.iter().map(|layer| layer.parameters as f64 * layer.level()).sum();
    let planned: HashMap<usize, Option<f64>> =
        layers.iter().map(|layer| (layer.operator, layer.planned_flops)).collect();
    let flops = summary.operators.iter().map(|summary| summary.flops);
    // Operators without a weight keep their FLOPs.
    let planned_flops =
        flops.clone().enumerate().map(|(at, flops)| planned.get(&at).copied().unwrap_or(flops));
    let (sparsity, totals, not_pruned) = totals_at(summary, projection, &layers);
    Plan {
        basis,
        reached: allocation.reached,
        sparsity,
        totals,
        not_pruned,
        planned_flops: planned_flops.collect(),
        flops: flops.collect(),
        parameters: summary.run.parameters,
        known: projection.weights(),
        weights: layers.iter().map(|layer| layer.parameters).sum(),
        prunable,
        pruned,
        unmatched: unmatched(summary, &layers, bounds),
        caveats,
        loss: None,
        settings: bounds.clone(),
        layers,
    }
}

/// Mean sparsity, and the model, with each layer at its level; and the origin of the perf ratio of
/// what is not pruned.
fn totals_at(
    summary: &Summary,
    projection: &Projection,
    layers: &[PlannedLayer],
) -> (f64, Totals, Option<RatioOrigin>) {
    let not_pruned = NotPruned::of(&summary.operators, &projection.operators, &projection.rows);
    let mut operators = projection.operators.clone();
    let mut levels = vec![0.0; operators.len()];
    for layer in layers {
        let operator = &mut operators[layer.operator];
        (operator.ratio, operator.projected) = (Some(layer.ratio), layer.projected);
        if is_pruned(layer, summary, projection) {
            levels[layer.operator] = layer.level();
        }
    }
    let sparsity = not_pruned.sparsity(|number| levels[number]);
    not_pruned.apply(&mut operators, sparsity);
    let origin = operators.iter().find(|own| is_not_pruned(own.outcome));
    let origin = origin.and_then(|own| own.origin);
    let supported = summary.operators.iter().map(|summary| summary.operator.sparse_support);
    let totals = totals(operators.iter().zip(supported), outside(summary, projection.basis));
    (sparsity, totals, origin)
}

/// Whether its level makes more of its weight zero.
fn is_pruned(layer: &PlannedLayer, summary: &Summary, projection: &Projection) -> bool {
    let row = projection.ratios_of(layer.operator);
    let weight = summary.operators[layer.operator].operator.weight.as_ref();
    let sparse_ratio = weight.and_then(|weight| weight.sparse_ratio(projection.block));
    layer.exclusion.is_none() && outcome_at(layer.level(), sparse_ratio, row) == Outcome::Projected
}

impl Plan {
    /// Parameters of the model, or of its weights where the model's are unknown;
    /// `None` if these are, too.
    pub fn all_parameters(&self) -> Option<f64> {
        let weights = Some(self.weights).filter(|_| self.known.are_known());
        self.parameters.or(weights).map(|count| count as f64)
    }

    /// Parameters that are left, as [`Plan::all_parameters`] counts them; `None` if no weight is
    /// known.
    pub fn parameters_left(&self) -> Option<f64> {
        let all = self.all_parameters().filter(|_| self.known.are_known());
        all.map(|all| all - self.pruned)
    }

    /// Origins of the perf ratios that the planned figures rest on.
    pub fn origins(&self) -> Origins {
        let layers = self.layers.iter().map(|layer| layer.origin);
        layers.chain([self.not_pruned]).collect()
    }

    /// Parameters before by parameters after: of the model, or of its weights
    /// where the model's are unknown. `None` if nothing is left.
    pub fn compression(&self) -> Option<f64> {
        let (before, after) = (self.all_parameters()?, self.parameters_left()?);
        (before > 0.0 && after > 0.0).then(|| before / after)
    }

    /// The plan with its expected loss by a loss profile.
    pub fn with_loss(self, summary: &Summary, profile: &LossProfile) -> Plan {
        let level = |layer: &PlannedLayer| {
            let operator = &summary.operators[layer.operator].operator;
            // A loss profile knows layers by their weights; one without a name, by its operator.
            let weight = operator.weight.as_ref().map(|weight| weight.name.clone());
            let name = weight.filter(|name| !name.is_empty());
            (name.unwrap_or_else(|| operator.name.clone()), layer.level())
        };
        let levels: Vec<(String, f64)> = self.layers.iter().map(level).collect();
        Plan { loss: Some(planned_loss(profile, &levels)), ..self }
    }

    /// The plan as targets of operators.
    pub fn targets(&self, summary: &Summary) -> Vec<(String, f64)> {
        let name = |layer: &PlannedLayer| summary.operators[layer.operator].operator.name.clone();
        self.layers.iter().map(|layer| (name(layer), layer.level())).collect()
    }
}

/// The best that is known of all layers that may be pruned: what is known of
/// some cannot be compared to the others. Where losses are taken to go on beyond the last level that is
/// known, all have to end at the same one: one whose run failed there would look cheap.
fn basis(free: &[&Shared], goes_on: bool) -> (LossBasis, Option<String>) {
    let end = |shared: &Shared| Some(shared.sensitivity?.points.last()?.0);
    let last = free.iter().filter_map(|shared| end(shared)).fold(0.0, f64::max);
    let is_known =
        |shared: &&&Shared| end(shared).is_some_and(|end| !goes_on || end >= last - SAME_LEVEL);
    let known = free.iter().filter(is_known).count();
    if known == free.len() && known > 0 {
        return (LossBasis::Sensitivity, None);
    }
    let caveat = (known > 0).then(|| {
        format!(
            "the loss is known of {known} of {} layers only, and is not used: that of the others \
             could not be compared",
            free.len()
        )
    });
    let magnitudes = free.iter().all(|shared| !shared.weight.magnitudes.is_empty());
    match magnitudes && !free.is_empty() {
        true => (LossBasis::Magnitude, caveat),
        false => (LossBasis::Level, caveat),
    }
}

/// Loss at each step, by the basis that all layers share. Beyond the last level of a sensitivity it
/// is not known, unless it is taken to go on as there.
fn loss(basis: LossBasis, shared: &Shared, goes_on: bool) -> Vec<f64> {
    let level = |step: usize| step as f64 / STEPS as f64;
    let steps = 0..STEPS;
    match basis {
        LossBasis::Sensitivity => {
            let points = shared.sensitivity.map_or(&[][..], |given| &given.points);
            // Dense loses nothing, whatever the scale of the loss.
            let dense = on_line(points, 0.0);
            let last = points.last().map_or(0.0, |(last, _)| *last + SAME_LEVEL);
            let known = |step: &usize| goes_on || level(*step) <= last;
            steps.take_while(known).map(|step| on_line(points, level(step)) - dense).collect()
        }
        LossBasis::Magnitude => {
            let magnitudes = &shared.weight.magnitudes;
            let parts = magnitudes.len() as f64;
            // A magnitude stands for its twentieth: the line runs between their middles.
            let middle =
                |(part, &value): (usize, &f32)| ((part as f64 + 0.5) / parts, value.into());
            let points: Vec<(f64, f64)> = magnitudes.iter().enumerate().map(middle).collect();
            // The line begins with the first twentieth's magnitude, but dense loses nothing.
            steps.map(|step| if step == 0 { 0.0 } else { on_line(&points, level(step)) }).collect()
        }
        LossBasis::Level => steps.map(level).collect(),
    }
}

/// Latency at each step, of all layers that have the weight.
fn latency(
    summary: &Summary,
    projection: &Projection,
    layers: &[PlannedLayer],
    shared: &Shared,
) -> Vec<f64> {
    let is_timed = summary.is_timed();
    let at = |step: usize| {
        let level = step as f64 / STEPS as f64;
        let of = |&at: &usize| match (layers[at].dense, layers[at].flops) {
            (Some(dense), _) => {
                let (ratio, _) = ratio_of(layers[at].operator, level, summary, projection);
                dense.value / ratio.value
            }
            // In theory, zeros cost nothing.
            (None, Some(flops)) if !is_timed => flops * (1.0 - level),
            (None, _) => 0.0,
        };
        shared.layers.iter().map(of).sum()
    };
    (0..STEPS).map(at).collect()
}

/// The perf ratio of an operator at a level, and where it comes from.
fn ratio_of(
    number: usize,
    level: f64,
    summary: &Summary,
    projection: &Projection,
) -> (Estimate, Option<RatioOrigin>) {
    let row = projection.ratios_of(number);
    let weight = summary.operators[number].operator.weight.as_ref();
    let sparse_ratio = weight.and_then(|weight| weight.sparse_ratio(projection.block));
    ratio_at(level, outcome_at(level, sparse_ratio, row), row)
}

fn estimate(layer: &mut PlannedLayer, summary: &Summary, projection: &Projection) {
    let level = layer.level();
    if layer.exclusion.is_none() {
        (layer.ratio, layer.origin) = ratio_of(layer.operator, level, summary, projection);
        layer.projected = layer.dense.map(|dense| dense.by(layer.ratio));
        layer.planned_flops = layer.flops.map(|flops| flops * (1.0 - level));
    }
}

fn unmatched(summary: &Summary, layers: &[PlannedLayer], bounds: &PlanSettings) -> Vec<String> {
    let name = |layer: &PlannedLayer| &summary.operators[layer.operator].operator.name;
    let fixed = layers.iter().filter(|layer| layer.fixed.is_some());
    let fixed: HashSet<Cow<str>> = fixed.map(|layer| short_name(name(layer))).collect();
    let overrides = bounds.overrides.iter().map(|(name, _)| name);
    overrides.filter(|name| !fixed.contains(&short_name(name))).cloned().collect()
}
