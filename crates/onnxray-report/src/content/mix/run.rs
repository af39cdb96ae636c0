//! What was mixed, and on what, in figures.

use super::result::MixResult;
use crate::content::searches::{SETTING, Setting};
use crate::document::{Cell, Column, Figures, Unit, column};
use Unit::{Count, Scientific, Text};
use std::collections::HashSet;

pub(super) const RUN: &[Column<MixResult>] = &[
    column("a_sha256", "A SHA-256", Text, "of the file", |result| {
        Cell::stated(result.mixing.run.a.sha256.clone().unwrap_or_default())
    }),
    column("b_sha256", "B SHA-256", Text, "of the file", |result| {
        Cell::stated(result.mixing.run.b.sha256.clone().unwrap_or_default())
    }),
    column("outputs", "outputs", Text, "how compared", |result| {
        let outputs = result.mixing.run.outputs.iter().map(|output| match output.measure {
            Some(measure) => format!("{}: {}", output.name, measure.text()),
            None => format!("{}: not compared, {}", output.name, output.reason),
        });
        Cell::some_text(outputs.collect::<Vec<_>>().join("; "))
    }),
    column("loss_inputs", "inputs of the search", Count, "that losses are means over", |result| {
        Cell::Whole(result.mixing.run.loss_inputs.search)
    }),
    column("held_out_inputs", "inputs held out", Count, "that the search did not see", |result| {
        Cell::Whole(result.mixing.run.loss_inputs.held_out)
    }),
    column("loss_limit", "loss limit", Scientific, "what a mix may lose in the search", |result| {
        Cell::number(result.mixing.limit)
    }),
    column("changes", "changes", Count, "in what B differs", |result| {
        Cell::Whole(result.mixing.changes.len() as u64)
    }),
    column("nodes_taken", "nodes from B", Count, "of the best mix", |result| {
        Cell::whole(result.mixing.best.as_ref().map(|_| nodes(result)))
    }),
];

fn nodes(result: &MixResult) -> u64 {
    let both = result.mixing.run.changes.iter().zip(&result.mixing.changes);
    let taken = both.filter(|(_, tried)| tried.is_taken).flat_map(|(change, _)| &change.nodes_b);
    taken.collect::<HashSet<_>>().len() as u64
}

/// What was mixed.
pub(super) fn figures(result: &MixResult) -> Figures {
    let run = &result.mixing.run;
    let setting = Setting {
        engine: run.engine.clone(),
        engine_version: run.engine_version.clone(),
        threads: run.threads,
        cpu: run.cpu.clone(),
        batch_size: run.batch_size,
        dimensions: run.dimensions.clone(),
        inputs: run.inputs.clone(),
        base_ns: result.mixing.base_ns,
    };
    Figures::new("mix", "Mix", SETTING, &setting).with(RUN, result)
}
