//! What was tuned, and what came of it, in figures.

use super::result::TuneResult;
use crate::content::study::objective::Words;
use crate::content::study::setting::{self, MODEL, Setting};
use crate::content::study::verified::VerifiedRatio;
use crate::document::{Cell, End, Figures, Unit, columns};
use Unit::{Count, Ratio, Scientific, Share, Text};
use onnxray_analyzer::study::{Study, Tuning};
use onnxray_format::Objective;

columns! {
    pub(super) const RUN: TuneResult;

    /// cores of the process
    "cores" "cores" Count = |result| Cell::Whole(result.tuning.run.cores.into());
    /// first of `--for`
    "objective" "made lower" Text =
        |result| Cell::text(Words::deciding(&result.tuning.run).name);
    /// how much worse it may get
    "latency_limit" "latency limit" Share = |result| {
        let Tuning { run, options, .. } = &result.tuning;
        match run.objective() {
            Objective::Latency => Cell::None,
            _ => Cell::Number(options.latency_limit),
        }
    };
    /// changes measured singly
    "tried" "changes tried" Count = |result| Cell::Whole(result.tuning.single.len() as u64);
    /// the changes that pay together
    "recommended" "recommended" Text = |result| match result.recommended() {
        Some(best) => Cell::text(result.tuning.run.list(&best.changes)),
        None => Cell::text("nothing"),
    };
    /// inputs on which the search compares outputs
    "loss_inputs" "inputs of the search" Count =
        |result| Cell::Whole(result.tuning.run.search.loss_inputs.search);
    /// inputs unseen by the search
    "held_out_inputs" "inputs held out" Count =
        |result| Cell::Whole(result.tuning.run.search.loss_inputs.held_out);
    /// largest output difference / largest value of the base's, on inputs held out
    "held_out_difference" "largest difference held out" Scientific =
        |result| result.farthest().map_or(Cell::None, |far| Cell::number(Some(far.relative)));
    /// largest loss on inputs held out (relative L2), where MatMulNBits computes in other numbers
    "held_out_loss" "largest loss held out" Scientific = |result| match result.has_loss() {
        true if result.held_out.is_some() => Cell::number(result.held_out_loss()),
        _ => Cell::None,
    };
    /// the file written with --write
    "written" "written" Text =
        |result| Cell::some_text(result.written.clone().unwrap_or_default());
    /// product of the single ratios, as if they combined
    "predicted_ratio" "predicted ratio" Ratio =
        |result| match (result.tuning.predicted, &result.tuning.best) {
            (Some(ratio), _) => Cell::Number(ratio),
            (None, None) => Cell::None,
            (None, Some(_)) => Cell::Unknown,
        };
    /// what is made lower with these changes / base, in launches unseen by the search
    "verified_ratio" "verified ratio" Ratio =
        |result| verified(result, result.tuning.run.objective(), |verified| verified.ratio);
    /// its 95 % CI
    ends END: End in [
        "verified_ratio_low" "verified, low",
        "verified_ratio_high" "verified, high",
    ] Ratio = |result| {
        let decides = result.tuning.run.objective();
        verified(result, decides, |verified| Some(END.of(verified.interval?)))
    };
    /// the same of the latency
    "verified_latency_ratio" "verified latency ratio" Ratio =
        |result| beside(result, |verified| verified.ratio);
    /// its 95 % CI
    ends LATENCY_END: End in [
        "verified_latency_ratio_low" "verified latency, low",
        "verified_latency_ratio_high" "verified latency, high",
    ] Ratio = |result| beside(result, |verified| Some(LATENCY_END.of(verified.interval?)));
}

fn verified(
    result: &TuneResult,
    objective: Objective,
    figure: fn(VerifiedRatio) -> Option<f64>,
) -> Cell {
    match result.verified(objective) {
        Some(verified) => Cell::number(figure(verified)),
        None => Cell::None,
    }
}

/// Of the latency, where something else decides.
fn beside(result: &TuneResult, figure: fn(VerifiedRatio) -> Option<f64>) -> Cell {
    match result.tuning.run.objective() {
        Objective::Latency => Cell::None,
        _ => verified(result, Objective::Latency, figure),
    }
}

/// What was tuned.
pub(super) fn figures(result: &TuneResult) -> Figures {
    let (run, base_ns) = (&result.tuning.run, result.tuning.base_ns);
    let setting = Setting { setup: &run.setup, search: Some(&run.search), base_ns };
    let figures = Figures::new("tune", "Tuning", MODEL, &run.file);
    let keys = [
        "latency_limit",
        "verified_latency_ratio",
        "verified_latency_ratio_low",
        "verified_latency_ratio_high",
        "held_out_difference",
        "held_out_loss",
        "written",
        "predicted_ratio",
        "verified_ratio",
        "verified_ratio_low",
        "verified_ratio_high",
    ];
    figures.with(&setting::columns(), &setting).with(RUN, result).applying(&keys)
}
