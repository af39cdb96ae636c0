//! The sentence for readers in a hurry: what the targets would bring, and what that rests on.

use onnxray_analyzer::projection::{
    Basis, Estimate, LossBasis, Origins, Outcome, Plan, ProjectedOperator, Projection,
};
use onnxray_analyzer::quantity::percent;
use onnxray_text::difference::slower_or_faster;

/// Latency at the targets, before, and the origin of the perf ratios; `None` where a total is
/// unknown.
pub(super) fn headline(projection: &Projection) -> Option<String> {
    let totals = &projection.totals;
    let (before, after) = (totals.total?, totals.projected_total?);
    let is_projected = |operator: &&ProjectedOperator| operator.outcome == Outcome::Projected;
    let projected: Vec<_> = projection.operators.iter().filter(is_projected).collect();
    let targets = projected.iter().filter_map(|operator| Some(operator.target?.level));
    let (low, high) = targets.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), target| {
        (low.min(target), high.max(target))
    });
    let of = match projection.basis {
        Basis::Iteration => "",
        Basis::Trace => " over the whole trace",
    };
    if projected.is_empty() || before.value <= 0.0 {
        return Some(format!(
            "No operator is projected, each for the reason in its row: {:.3} ms{of}.",
            before.value
        ));
    }
    let targets = match low == high {
        true => format!("{} %", percent(low)),
        false => format!("{} to {} %", percent(low), percent(high)),
    };
    let operators = match projected.len() {
        1 => "1 operator".to_string(),
        number => format!("{number} operators"),
    };
    let origins: Origins = projected.iter().map(|operator| operator.origin).collect();
    let rests = rest_on(origins);
    let ratio = after.value / before.value;
    // As far as percents are shown.
    let difference = match (ratio - 1.0).abs() < 5e-4 {
        true => "no difference".to_string(),
        false => slower_or_faster(ratio),
    };
    // As in the table: without a spread, ends would say nothing.
    let has_ends = projection.spread.parts.is_some() || projection.spread.ratios;
    let ends = match totals.speedup.filter(|_| has_ends) {
        Some(Estimate { value, low, high }) => {
            format!(" (speedup {value:.2}, {low:.2} to {high:.2})")
        }
        None => String::new(),
    };
    Some(format!(
        "With {targets} sparsity in {operators}: {:.3} ms{of} instead of {:.3} ms, {difference}\
         {ends}, {rests}.",
        after.value, before.value
    ))
}

/// What perf ratios figures rest on.
pub(crate) fn rest_on(origins: Origins) -> &'static str {
    match (origins.measured, origins.given, origins.default) {
        (true, false, false) => "by measured perf ratios",
        (true, true, false) => "by perf ratios measured and given",
        (false, _, false) => "by the perf ratios given",
        (false, false, true) => {
            "by placeholder perf ratios, not measurements: `onnxray sensitivity` measures them"
        }
        (_, _, true) => {
            "partly by placeholder perf ratios, not measurements: `onnxray sensitivity` measures them"
        }
    }
}

/// What a plan under a loss is estimated to gain; `None` of one without.
pub(super) fn limited(plan: &Plan) -> Option<String> {
    let most = plan.settings.max_loss.filter(|_| plan.reached)?;
    let speedup = plan.totals.speedup?;
    let ends = match speedup.low < speedup.high {
        true => format!(" ({:.2} to {:.2})", speedup.low, speedup.high),
        false => String::new(),
    };
    let lost = match plan.loss.as_ref().and_then(|loss| loss.sensitivity) {
        Some(lost) => format!("{lost:.4} of at most {most}"),
        None => format!("at most {most}"),
    };
    Some(format!(
        "Estimated speedup with limited effect on the loss: {:.2}{ends}; the layers' losses add up \
         to {lost}.",
        speedup.value
    ))
}

/// That a plan misses its budget or its loss; `None` if it does not.
pub(super) fn missed(plan: &Plan) -> Option<String> {
    if let Some(most) = plan.settings.max_loss {
        let is_missed = !plan.reached && plan.prunable > 0;
        return is_missed.then(|| match plan.basis {
            LossBasis::Sensitivity => {
                format!(
                    "The loss is not kept: the fixed sparsities alone lose above {most}, or an \
                     unknown amount."
                )
            }
            LossBasis::Magnitude | LossBasis::Level => {
                format!("A loss of {most} cannot be kept: the losses of layers are unknown.")
            }
        });
    }
    // Without prunable parameters, the share would be 0 / 0.
    (!plan.reached && plan.prunable > 0).then(|| {
        format!(
            "The budget is not reached: {:.1} % are pruned, not {} %.",
            100.0 * plan.pruned / plan.prunable as f64,
            percent(plan.settings.budget)
        )
    })
}
