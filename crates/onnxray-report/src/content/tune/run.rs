//! What was tuned, and what came of it, in figures.

use super::result::TuneResult;
use crate::content::searches::{SETTING, Setting, VerifiedRatio};
use crate::document::{Cell, End, Figures, Unit, columns};
use Unit::{Count, Ratio, Scientific, Text};

columns! {
    pub(super) const MODEL: TuneResult;

    /// name of the model's file
    "model" "model" Text = |result| Cell::text(&result.tuning.run.file.model);
    /// hash of the model file
    "model_sha256" "model SHA-256" Text =
        |result| Cell::stated(result.tuning.run.file.model_sha256.clone().unwrap_or_default());
}

columns! {
    pub(super) const RUN: TuneResult;

    /// cores that the process may use
    "cores" "cores" Count = |result| Cell::Whole(result.tuning.run.cores.into());
    /// changes that were measured, each by itself
    "tried" "changes tried" Count = |result| Cell::Whole(result.tuning.single.len() as u64);
    /// the changes that pay together
    "recommended" "recommended" Text = |result| match result.recommended() {
        Some(best) => Cell::text(super::changes::text(&result.tuning.run, &best.changes)),
        None => Cell::text("nothing"),
    };
    /// inputs that the search compares outputs on
    "loss_inputs" "inputs of the search" Count =
        |result| Cell::Whole(result.tuning.run.search.loss_inputs.search);
    /// inputs that the search did not see
    "held_out_inputs" "inputs held out" Count =
        |result| Cell::Whole(result.tuning.run.search.loss_inputs.held_out);
    /// largest difference of outputs / the largest value of the base's, on inputs held out
    "held_out_difference" "largest difference held out" Scientific =
        |result| result.farthest().map_or(Cell::None, |far| Cell::number(Some(far.relative)));
    /// product of the ratios of these changes by themselves, as if they added up
    "predicted_ratio" "predicted ratio" Ratio =
        |result| match (result.tuning.predicted, &result.tuning.best) {
            (Some(ratio), _) => Cell::Number(ratio),
            (None, None) => Cell::None,
            (None, Some(_)) => Cell::Unknown,
        };
    /// latency with these changes / that of the base, in launches that the search did not see
    "verified_ratio" "verified ratio" Ratio = |result| verified(result, |verified| verified.ratio);
    /// its 95 % CI
    ends END: End in [
        "verified_ratio_low" "verified, low",
        "verified_ratio_high" "verified, high",
    ] Ratio = |result| verified(result, |verified| Some(END.of(verified.interval?)));
}

fn verified(result: &TuneResult, figure: fn(VerifiedRatio) -> Option<f64>) -> Cell {
    match &result.verified {
        Some(verified) => Cell::number(figure(verified.latency())),
        None => Cell::None,
    }
}

/// What was tuned.
pub(super) fn figures(result: &TuneResult) -> Figures {
    let run = &result.tuning.run;
    let setting = Setting {
        engine: run.setup.engine.clone(),
        engine_version: run.setup.engine_version.clone(),
        threads: run.search.threads,
        cpu: run.search.cpu.clone(),
        batch_size: run.setup.batch_size,
        dimensions: run.setup.dimensions.clone(),
        inputs: run.search.inputs.clone(),
        base_ns: result.tuning.base_ns,
    };
    let figures = Figures::new("tune", "Tuning", MODEL, result);
    let mut figures = figures.with(SETTING, &setting).with(RUN, result);
    // What does not apply is left out; what is unknown stays.
    for key in [
        "held_out_difference",
        "predicted_ratio",
        "verified_ratio",
        "verified_ratio_low",
        "verified_ratio_high",
    ] {
        if figures.value(key) == Some(&Cell::None) {
            figures = figures.without(&[key]);
        }
    }
    figures
}
