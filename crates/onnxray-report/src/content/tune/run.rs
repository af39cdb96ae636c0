//! What was tuned, and what came of it, in figures.

use super::result::TuneResult;
use crate::content::shares::sizes;
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Milliseconds, Ratio, Text};

pub(super) const RUN: &[Column<TuneResult>] = &[
    column("model", "model", Text, "name of the model's file", |result| {
        Cell::text(&result.tuning.run.model)
    }),
    column("model_sha256", "model SHA-256", Text, "hash of the model file", |result| {
        Cell::stated(result.tuning.run.model_sha256.clone().unwrap_or_default())
    }),
    column("engine", "engine", Text, "what ran the model, and its version", |result| {
        let run = &result.tuning.run;
        Cell::stated(format!("{} {}", run.engine, run.engine_version).trim())
    }),
    column("threads", "threads", Count, "intra-op threads of the base", |result| {
        Cell::Whole(result.tuning.run.threads.into())
    }),
    column("cores", "cores", Count, "cores that the process may use", |result| {
        Cell::Whole(result.tuning.run.cores.into())
    }),
    column("cpu", "CPU", Text, "name of the processor", |result| {
        Cell::stated(result.tuning.run.cpu.clone().unwrap_or_default())
    }),
    column("batch_size", "batch size", Count, "items of a batch", |result| {
        Cell::whole(result.tuning.run.batch_size)
    }),
    column("dimensions", "dimensions", Text, "sizes of the free dimensions", |result| {
        Cell::some_text(sizes(&result.tuning.run.dimensions))
    }),
    column("inputs", "inputs", Text, "what the model ran on", |result| {
        Cell::text(&result.tuning.run.inputs)
    }),
    column(
        "base_ms",
        "base latency (ms)",
        Milliseconds,
        "of the model as it is: median over launches of the median over turns",
        |result| Cell::number(result.tuning.base_ns.map(|base| base / 1e6)),
    ),
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
        |result| verified(result, |(ratio, ..)| ratio),
    ),
    column("verified_ratio_low", "verified, from", Ratio, "lower end of its 95 % CI", |result| {
        verified(result, |(_, interval, _)| Some(interval?.0))
    }),
    column("verified_ratio_high", "verified, to", Ratio, "upper end of its 95 % CI", |result| {
        verified(result, |(_, interval, _)| Some(interval?.1))
    }),
];

type Latency = (Option<f64>, Option<(f64, f64)>, Option<onnxray_analyzer::comparison::Verdict>);

fn verified(result: &TuneResult, figure: fn(Latency) -> Option<f64>) -> Cell {
    match &result.verified {
        Some(verified) => Cell::number(figure(verified.latency())),
        None => Cell::None,
    }
}

/// What was tuned.
pub(super) fn figures(result: &TuneResult) -> Figures {
    let mut figures = Figures::new("tune", "Tuning", RUN, result);
    for key in ["predicted_ratio", "verified_ratio", "verified_ratio_low", "verified_ratio_high"] {
        if figures.value(key) == Some(&Cell::None) {
            figures = figures.without(key);
        }
    }
    figures
}
