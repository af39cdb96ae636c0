//! What the figures rest on, and what was passed over.

use crate::printable::first_of;
use crate::projection::{AppliedRow, LossBasis, Origin, Plan, Projection, TargetOrigin};
use crate::report::document::Note;
use crate::statistics::{Parts, Summary};

pub(crate) fn projection_notes(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
) -> Vec<Note> {
    let texts = [settings(projection), vec![spread(projection)], unused(projection)];
    let texts = texts.into_iter().flatten().chain(planned(plan)).chain(summary.doubts.clone());
    texts.map(Note::note).collect()
}

/// Defaults that nobody set.
fn settings(projection: &Projection) -> Vec<String> {
    let mut notes = Vec::new();
    let defaults = projection.rows.iter().filter(|row| row.ratios.origin == Origin::Default);
    let defaults: u64 = defaults.map(|row| row.operators).sum();
    if defaults > 0 {
        notes.push(format!(
            "the perf ratios of {defaults} operators are defaults: placeholders of a plausible size \
             that nobody measured; set them with --ratio, --ratios or in the workbook"
        ));
    }
    let mut inheriting = projection.types.iter().filter(|of_type| of_type.inheriting > 0);
    if inheriting.any(|of_type| of_type.target.from == TargetOrigin::Default) {
        notes.push(format!(
            "the target of {} % is the default; set it with --target",
            projection.model_target.level * 100.0
        ));
    }
    notes
}

/// What low and high ends are.
fn spread(projection: &Projection) -> String {
    match projection.spread.parts {
        Some(Parts::Launches(launches)) => format!(
            "low and high latencies are 95 % intervals of the mean over {launches} launches; the ends \
             of sums are sums of ends"
        ),
        Some(Parts::Blocks(blocks)) => format!(
            "low and high latencies are 95 % intervals of the mean over {blocks} blocks of iterations, \
             which says little about other launches; record with --launches 3 or more"
        ),
        None if projection.spread.ratios => {
            "low and high ends come from the ranges of perf ratios alone: how far the latencies may \
             be off is unknown"
                .to_string()
        }
        None => "how far the latencies may be off is unknown".to_string(),
    }
}

/// What is missing, and settings that apply to nothing.
fn unused(projection: &Projection) -> Vec<String> {
    let mut notes = Vec::new();
    if projection.totals.overhead.is_none() {
        notes.push("the overhead is unknown: totals are of operators only".to_string());
    }
    let ratios = |filter: fn(&&AppliedRow) -> bool| -> Vec<String> {
        projection.rows.iter().filter(filter).map(|row| row.ratios.key.to_string()).collect()
    };
    let lists = [
        ("perf ratios that apply to no weight of this model: ", ratios(|row| row.operators == 0)),
        (
            "no perf ratio is given for ",
            ratios(|row| row.operators > 0 && row.ratios.points.is_empty()),
        ),
        (
            "targets of operators or types that this model does not have: ",
            projection.unmatched_targets.clone(),
        ),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    notes.extend(lists.map(|(what, names)| format!("{what}{}", first_of(&names))));
    notes
}

/// What the plan rests on.
fn planned(plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if !plan.unmatched.is_empty() {
        let names = first_of(&plan.unmatched);
        notes.push(format!(
            "fixed levels of layers that are not there or cannot be pruned: {names}"
        ));
    }
    notes.extend(plan.doubts.iter().cloned());
    if plan.basis == LossBasis::Level && plan.prunable > 0 {
        notes.push(
            "the plan knows nothing of the loss: neither sensitivities nor weight magnitudes are \
             there for all layers"
                .to_string(),
        );
    }
    if !plan.reached && plan.prunable > 0 {
        notes.push(format!(
            "the budget of {} % cannot be reached within the plan's bounds: {:.1} % are pruned",
            plan.settings.budget * 100.0,
            100.0 * plan.pruned / plan.prunable as f64
        ));
    }
    notes
}
