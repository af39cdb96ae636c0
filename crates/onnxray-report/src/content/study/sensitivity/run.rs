//! How sensitivities were measured, and a plan that was measured as a whole.

use super::layers::{end_of_loss, highest};
use super::notes::{RANDOM, mixed_sensitivities};
use crate::content::study::setting::{self, MODEL, Setting};
use crate::document::{Cell, Column, End, Figures, Table, Unit, columns};
use Unit::{Count, Number, Quantity, Scientific, Share, Text};
use onnxray_analyzer::study::Spread;
use onnxray_format::{LossOutput, LossPlan, LossProfile};

columns! {
    pub(super) const RUN: LossProfile;

    /// input data
    "data" "data" Text = |profile| match profile.run.data.seed.filter(|_| profile.run.data.random) {
        Some(seed) => Cell::text(format!("{RANDOM} (seed {seed})")),
        None => Cell::text("files"),
    };
    /// runs of the model per figure
    "batches" "batches" Count = |profile| Cell::Whole(profile.run.data.batches);
    /// items of all batches
    "items" "items" Count = |profile| Cell::whole(profile.run.data.items);
    /// block that is pruned as one, outputs x inputs
    "block" "block" Text = |profile| Cell::text(profile.run.block.to_string());
    /// threads of a kernel where layers are timed
    "threads" "threads, timed" Count =
        |profile| profile.timed.as_ref().map_or(Cell::None, |timed| Cell::Whole(timed.threads.into()));
    /// launches in which layers are timed
    "launches" "launches, timed" Count = |profile| {
        profile.timed.as_ref().map_or(Cell::None, |timed| Cell::Whole(timed.launches.into()))
    };
    /// layers measured at the highest sparsity
    "layers_measured" "layers measured" Count =
        |profile| Cell::Whole(profile.measured_layers().measured as u64);
    /// layers that can be pruned
    "layers_prunable" "prunable layers" Count =
        |profile| Cell::Whole(profile.measured_layers().all as u64);
    /// elements of the layers' weights
    "parameters" "parameters" Quantity =
        |profile| Cell::Whole(profile.layers.iter().map(|layer| layer.parameters).sum());
    /// mean of the layers' sensitivities at the highest sparsity
    "average_sensitivity" "average sensitivity" Scientific =
        |profile| Cell::number(average(profile));
    /// mean cross-entropy in nats
    "dense_loss" "loss, unpruned" Number = |profile| Cell::number(profile.dense.loss);
    /// share of labels with the largest value
    "dense_accuracy" "accuracy, unpruned" Share = |profile| Cell::number(profile.dense.accuracy);
}

/// `None` if that of a layer is unknown, or if they are of several kinds.
fn average(profile: &LossProfile) -> Option<f64> {
    // Different measures have no common unit to take a mean in.
    if mixed_sensitivities(profile).is_some() {
        return None;
    }
    let layers = profile.layers.iter().filter(|layer| layer.left_out.is_none());
    // One unknown layer makes the mean unknown: without it, the mean is of other layers.
    let own: Option<Vec<f64>> =
        layers.map(|layer| highest(layer)?.measured.sensitivity()).collect();
    let own = own.filter(|own| !own.is_empty())?;
    Some(own.iter().sum::<f64>() / own.len() as f64)
}

/// No latency is measured, and threads matter where layers are timed alone.
pub(super) fn setup_columns<'a>() -> Vec<Column<Setting<'a>>> {
    let mut columns = setting::columns();
    columns.retain(|column| ["engine", "batch_size", "dimensions"].contains(&column.key));
    columns
}

/// How it was measured.
pub(super) fn figures(profile: &LossProfile) -> Figures {
    let run = &profile.run;
    let setting = Setting { setup: &run.setup, search: None, base_ns: None };
    let title = if profile.times_only { "Layer times" } else { "Loss" };
    let figures = Figures::new("loss", title, MODEL, &run.file);
    let figures = figures.with(&setup_columns(), &setting).with(RUN, profile);
    let mut without: Vec<&str> = Vec::new();
    if profile.run.data.labels_sha256.is_none() {
        without.extend(["dense_loss", "dense_accuracy"]);
    }
    if profile.timed.is_none() {
        without.extend(["threads", "launches"]);
    }
    if profile.times_only {
        without.extend(["layers_measured", "average_sensitivity"]);
    }
    figures.without(&without)
}

columns! {
    pub(super) const PLAN: LossPlan;

    /// layers the plan prunes
    "layers" "layers pruned" Count = |plan| Cell::Whole(plan.levels.len() as u64);
    /// sum of the layers' sensitivities, as if they added up
    "predicted_sensitivity" "predicted sensitivity" Scientific =
        |plan| Cell::number(plan.predicted);
    /// sensitivity with all pruned at once
    "measured_sensitivity" "measured sensitivity" Scientific =
        |plan| Cell::number(plan.measured.sensitivity());
    /// the 95 % CI of the measured sensitivity over inputs, or labels
    ends END: End in [
        "measured_sensitivity_low" "measured, low",
        "measured_sensitivity_high" "measured, high",
    ] Scientific = |plan| end_of_loss(Some(&plan.measured), END);
    /// above 1: layers increase each other's loss
    "measured_by_predicted" "measured by predicted" Number = |plan| {
        let both = plan.measured.sensitivity().zip(plan.predicted);
        Cell::number(both.filter(|(_, own)| *own > 0.0).map(|(whole, own)| whole / own))
    };
    /// inputs unseen by all measurements of layers
    "held_out_inputs" "inputs held out" Count = |plan| match plan.held_out.len() {
        0 => Cell::None,
        inputs => Cell::Whole(inputs as u64),
    };
    /// median over the inputs held out
    "held_out_sensitivity" "sensitivity held out" Scientific =
        |plan| spread(plan, |spread| spread.median);
    /// least of these
    "held_out_sensitivity_low" "held out, least" Scientific =
        |plan| spread(plan, |spread| spread.range.0);
    /// largest of these
    "held_out_sensitivity_high" "held out, most" Scientific =
        |plan| spread(plan, |spread| spread.range.1);
    /// change of the accuracy, with labels
    "accuracy_change" "change of accuracy" Number =
        |plan| plan.measured.accuracy_change.map_or(Cell::None, Cell::Number);
    /// output that diverges most
    "output" "output" Text = |plan| Cell::stated(plan.measured.output.clone().unwrap_or_default());
    /// reason for missing figures
    "failed" "failed" Text =
        |plan| Cell::some_text(plan.measured.failed.clone().unwrap_or_default());
}

fn spread(plan: &LossPlan, figure: fn(&Spread) -> f64) -> Cell {
    Spread::of(&plan.held_out).as_ref().map_or(Cell::None, |spread| Cell::Number(figure(spread)))
}

/// The plan, if one was measured.
pub(super) fn plan(profile: &LossProfile) -> Option<Figures> {
    let plan = profile.plan.as_ref()?;
    let keys = [
        "accuracy_change",
        "failed",
        "measured_sensitivity_low",
        "measured_sensitivity_high",
        "held_out_inputs",
        "held_out_sensitivity",
        "held_out_sensitivity_low",
        "held_out_sensitivity_high",
    ];
    Some(Figures::new("loss_plan", "Plan", PLAN, plan).applying(&keys))
}

columns! {
    pub(super) const OUTPUTS: LossOutput;

    /// name in the model
    "output" "Output" Text = |output| Cell::text(&output.name);
    /// how it is compared
    "measure" "Measure" Text =
        |output| output.measure.map_or(Cell::None, |measure| Cell::text(measure.text()));
    /// reason for that measure
    "reason" "Reason" Text = |output| Cell::text(&output.reason);
}

/// How each output is compared.
pub(super) fn outputs(profile: &LossProfile) -> Table {
    Table::new("loss_outputs", "Outputs", OUTPUTS, &profile.run.outputs)
}
