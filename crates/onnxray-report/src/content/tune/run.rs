//! What was tuned, and what came of it, in figures.

use super::result::TuneResult;
use crate::content::searches::{SETTING, Setting, VerifiedRatio};
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Ratio, Scientific, Text};

pub(super) const MODEL: &[Column<TuneResult>] = &[
    column("model", "model", Text, "name of the model's file", |result| {
        Cell::text(&result.tuning.run.model)
    }),
    column("model_sha256", "model SHA-256", Text, "hash of the model file", |result| {
        Cell::stated(result.tuning.run.model_sha256.clone().unwrap_or_default())
    }),
];

pub(super) const RUN: &[Column<TuneResult>] = &[
    column("cores", "cores", Count, "cores that the process may use", |result| {
        Cell::Whole(result.tuning.run.cores.into())
    }),
    column("tried", "changes tried", Count, "each by itself", |result| {
        Cell::Whole(result.tuning.single.len() as u64)
    }),
    column("recommended", "recommended", Text, "the changes that pay together", |result| {
        match result.recommended() {
            Some(best) => Cell::text(super::changes::text(&best.changes)),
            None => Cell::text("nothing"),
        }
    }),
    column(
        "loss_inputs",
        "inputs of the search",
        Count,
        "that outputs are compared on",
        |result| Cell::Whole(result.tuning.run.loss_inputs.search),
    ),
    column(
        "held_out_inputs",
        "inputs held out",
        Count,
        "that the search did not see, and what is recommended is reported by",
        |result| Cell::Whole(result.tuning.run.loss_inputs.held_out),
    ),
    column(
        "held_out_difference",
        "largest difference held out",
        Scientific,
        "of outputs / the largest value of the base's, on these",
        |result| result.farthest().map_or(Cell::None, |far| Cell::number(Some(far.relative))),
    ),
    column(
        "predicted_ratio",
        "predicted ratio",
        Ratio,
        "product of the ratios of these changes by themselves, as if they added up",
        |result| match (result.tuning.predicted, &result.tuning.best) {
            (Some(ratio), _) => Cell::Number(ratio),
            (None, None) => Cell::None,
            (None, Some(_)) => Cell::Unknown,
        },
    ),
    column(
        "verified_ratio",
        "verified ratio",
        Ratio,
        "latency with these changes / that of the base, in launches that the search did not see",
        |result| verified(result, |verified| verified.ratio),
    ),
    column("verified_ratio_low", "verified, from", Ratio, "lower end of its 95 % CI", |result| {
        verified(result, |verified| Some(verified.interval?.0))
    }),
    column("verified_ratio_high", "verified, to", Ratio, "upper end of its 95 % CI", |result| {
        verified(result, |verified| Some(verified.interval?.1))
    }),
];

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
        engine: run.engine.clone(),
        engine_version: run.engine_version.clone(),
        threads: run.threads,
        cpu: run.cpu.clone(),
        batch_size: run.batch_size,
        dimensions: run.dimensions.clone(),
        inputs: run.inputs.clone(),
        base_ns: result.tuning.base_ns,
    };
    let figures = Figures::new("tune", "Tuning", MODEL, result);
    let mut figures = figures.with(SETTING, &setting).with(RUN, result);
    for key in [
        "held_out_difference",
        "predicted_ratio",
        "verified_ratio",
        "verified_ratio_low",
        "verified_ratio_high",
    ] {
        if figures.value(key) == Some(&Cell::None) {
            figures = figures.without(key);
        }
    }
    figures
}
