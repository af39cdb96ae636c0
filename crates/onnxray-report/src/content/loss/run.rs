//! How sensitivities were measured, and a plan that was measured as a whole.

use super::layers::highest;
use super::notes::{RANDOM, mixed_sensitivities};
use crate::content::shares::sizes;
use crate::document::{Cell, Column, Figures, Table, Unit, column};
use Unit::{Count, Number, Quantity, Scientific, Share, Text};
use onnxray_analyzer::mix::Spread;
use onnxray_format::{LossOutput, LossPlan, LossProfile};

pub(super) const RUN: &[Column<LossProfile>] = &[
    column("model", "model", Text, "name of the model's file", |profile| {
        Cell::text(&profile.run.model)
    }),
    column("model_sha256", "model SHA-256", Text, "hash of the model file", |profile| {
        Cell::stated(profile.run.model_sha256.clone().unwrap_or_default())
    }),
    column("engine", "engine", Text, "what ran the model, and its version", |profile| {
        Cell::stated(format!("{} {}", profile.run.engine, profile.run.engine_version).trim())
    }),
    column("batch_size", "batch size", Count, "items of a batch", |profile| {
        Cell::whole(profile.run.batch_size)
    }),
    column("dimensions", "dimensions", Text, "sizes of the free dimensions", |profile| {
        Cell::some_text(sizes(&profile.run.dimensions))
    }),
    column("data", "data", Text, "what the model ran on", |profile| {
        match profile.run.data.seed.filter(|_| profile.run.data.random) {
            Some(seed) => Cell::text(format!("{RANDOM} (seed {seed})")),
            None => Cell::text("files"),
        }
    }),
    column("batches", "batches", Count, "runs of the model for a figure", |profile| {
        Cell::Whole(profile.run.data.batches)
    }),
    column("items", "items", Count, "items of all batches", |profile| {
        Cell::whole(profile.run.data.items)
    }),
    column(
        "block",
        "block",
        Text,
        "weights that are pruned together, outputs x inputs",
        |profile| Cell::text(profile.run.block.to_string()),
    ),
    column("parameters", "parameters", Quantity, "elements of the layers' weights", |profile| {
        Cell::Whole(profile.layers.iter().map(|layer| layer.parameters).sum())
    }),
    column(
        "average_sensitivity",
        "average sensitivity",
        Scientific,
        "mean of the layers' own at the highest sparsity",
        |profile| Cell::number(average(profile)),
    ),
    column("dense_loss", "loss as it is", Number, "mean cross-entropy in nats", |profile| {
        Cell::number(profile.dense.loss)
    }),
    column(
        "dense_accuracy",
        "accuracy as it is",
        Share,
        "labels that have the largest value",
        |profile| Cell::number(profile.dense.accuracy),
    ),
];

/// `None` if that of a layer is unknown, or if they are of several kinds.
fn average(profile: &LossProfile) -> Option<f64> {
    if mixed_sensitivities(profile).is_some() {
        return None;
    }
    let layers = profile.layers.iter().filter(|layer| layer.left_out.is_none());
    let own: Option<Vec<f64>> =
        layers.map(|layer| highest(layer)?.measured.sensitivity()).collect();
    let own = own.filter(|own| !own.is_empty())?;
    Some(own.iter().sum::<f64>() / own.len() as f64)
}

/// How it was measured.
pub(super) fn figures(profile: &LossProfile) -> Figures {
    let figures = Figures::new("loss", "Loss", RUN, profile);
    match profile.run.data.labels_sha256 {
        Some(_) => figures,
        None => figures.without("dense_loss").without("dense_accuracy"),
    }
}

pub(super) const PLAN: &[Column<LossPlan>] = &[
    column("layers", "layers pruned", Count, "layers that the plan prunes", |plan| {
        Cell::Whole(plan.levels.len() as u64)
    }),
    column(
        "predicted_sensitivity",
        "predicted sensitivity",
        Scientific,
        "sum of the layers' own at their sparsities, as if they added up",
        |plan| Cell::number(plan.predicted),
    ),
    column(
        "measured_sensitivity",
        "measured sensitivity",
        Scientific,
        "with all of them pruned at once",
        |plan| Cell::number(plan.measured.sensitivity()),
    ),
    column(
        "measured_by_predicted",
        "measured by predicted",
        Number,
        "above 1, layers make each other's loss larger",
        |plan| {
            let both = plan.measured.sensitivity().zip(plan.predicted);
            Cell::number(both.filter(|(_, own)| *own > 0.0).map(|(whole, own)| whole / own))
        },
    ),
    column("held_out_inputs", "inputs held out", Count, "that no layer was measured on", |plan| {
        match plan.held_out.len() {
            0 => Cell::None,
            inputs => Cell::Whole(inputs as u64),
        }
    }),
    column(
        "held_out_sensitivity",
        "sensitivity held out",
        Scientific,
        "median over the inputs that no layer was measured on",
        |plan| spread(plan, |spread| spread.median),
    ),
    column("held_out_sensitivity_low", "held out from", Scientific, "least of these", |plan| {
        spread(plan, |spread| spread.range.0)
    }),
    column("held_out_sensitivity_high", "held out to", Scientific, "largest of these", |plan| {
        spread(plan, |spread| spread.range.1)
    }),
    column("accuracy_change", "change of accuracy", Number, "with labels", |plan| {
        plan.measured.accuracy_change.map_or(Cell::None, Cell::Number)
    }),
    column("output", "output", Text, "the output that diverges most", |plan| {
        Cell::stated(plan.measured.output.clone().unwrap_or_default())
    }),
    column("failed", "failed", Text, "why there are no figures", |plan| {
        Cell::some_text(plan.measured.failed.clone().unwrap_or_default())
    }),
];

const HELD_OUT: [&str; 4] = [
    "held_out_inputs",
    "held_out_sensitivity",
    "held_out_sensitivity_low",
    "held_out_sensitivity_high",
];

fn spread(plan: &LossPlan, figure: fn(&Spread) -> f64) -> Cell {
    Spread::of(&plan.held_out).as_ref().map_or(Cell::None, |spread| Cell::Number(figure(spread)))
}

/// The plan, if one was measured.
pub(super) fn plan(profile: &LossProfile) -> Option<Figures> {
    let plan = profile.plan.as_ref()?;
    let mut figures = Figures::new("loss_plan", "Plan", PLAN, plan);
    for key in ["accuracy_change", "failed"].into_iter().chain(HELD_OUT) {
        if figures.value(key) == Some(&Cell::None) {
            figures = figures.without(key);
        }
    }
    Some(figures)
}

pub(super) const OUTPUTS: &[Column<LossOutput>] = &[
    column("output", "Output", Text, "its name in the model", |output| Cell::text(&output.name)),
    column("measure", "Measure", Text, "how it is compared", |output| {
        output.measure.map_or(Cell::None, |measure| Cell::text(measure.text()))
    }),
    column("reason", "Reason", Text, "why it is compared that way", |output| {
        Cell::text(&output.reason)
    }),
];

/// How each output is compared.
pub(super) fn outputs(profile: &LossProfile) -> Table {
    Table::new("loss_outputs", "Outputs", OUTPUTS, &profile.run.outputs)
}
