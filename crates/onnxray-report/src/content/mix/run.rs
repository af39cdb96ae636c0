//! What was mixed, and what the changes come to, in figures.

use super::result::{MixResult, found};
use crate::content::searches::{SETTING, Setting};
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Ratio, Scientific, Text};

pub(super) const RUN: &[Column<MixResult>] = &[
    column("outputs", "outputs", Text, "how each is compared with A's", |result| {
        let outputs = result.mixing.run.outputs.iter().map(|output| match output.measure {
            Some(measure) => format!("{}: {}", output.name, measure.text()),
            None => format!("{}: not compared, {}", output.name, output.reason),
        });
        Cell::some_text(outputs.collect::<Vec<_>>().join("; "))
    }),
    column("loss_limit", "loss limit", Scientific, "what a mix may lose", |result| {
        Cell::number(result.mixing.limit)
    }),
    column("limit_from", "limit from", Text, "who says so", |result| {
        match (result.mixing.options.max_loss, result.mixing.limit) {
            (Some(_), _) => Cell::label("max_loss", "--max-loss"),
            (None, Some(_)) => Cell::label("b", "B's own loss"),
            (None, None) => Cell::None,
        }
    }),
    column("changes", "changes", Count, "in what B differs", |result| {
        Cell::Whole(result.mixing.changes.len() as u64)
    }),
    column("mixes", "mixes measured", Count, "with A and B", |result| {
        Cell::Whole(result.mixing.mixes.len() as u64)
    }),
    column("taken", "taken from B", Count, "changes of the best mix", |result| {
        Cell::whole(result.mixing.best.as_ref().map(|best| best.from_b.len() as u64))
    }),
    column("nodes_taken", "nodes from B", Count, "of these changes", |result| {
        Cell::whole(result.mixing.best.as_ref().map(|_| nodes(result)))
    }),
    column("best_ratio", "measured ratio", Ratio, "best mix / A, in the search", |result| {
        Cell::number(result.mixing.best.as_ref().and_then(|best| best.ratio))
    }),
    column("predicted_ratio", "predicted", Ratio, "if changes added up", |result| {
        match found(&result.mixing) {
            None => Cell::None,
            Some(_) => Cell::number(result.mixing.predicted),
        }
    }),
];

fn nodes(result: &MixResult) -> u64 {
    let both = result.mixing.run.changes.iter().zip(&result.mixing.changes);
    let taken = both.filter(|(_, tried)| tried.is_taken).flat_map(|(change, _)| &change.nodes_b);
    taken.collect::<std::collections::HashSet<_>>().len() as u64
}

/// What was mixed.
pub(super) fn figures(result: &MixResult) -> Figures {
    let run = &result.mixing.run;
    let setting = Setting::of(
        [&run.engine, &run.engine_version],
        run.threads,
        run.cpu.as_deref(),
        (run.batch_size, &run.dimensions),
        &run.inputs,
        result.mixing.base_ns,
    );
    let figures = Figures::new("mix", "Mix", SETTING, &setting).with(RUN, result);
    let is_empty = figures.value("predicted_ratio") == Some(&Cell::None);
    if is_empty { figures.without("predicted_ratio") } else { figures }
}
