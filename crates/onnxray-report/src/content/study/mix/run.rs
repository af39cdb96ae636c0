//! What was mixed, and on what, in figures.

use super::result::MixResult;
use crate::content::study::setting::{self, Setting};
use crate::document::{Cell, Figures, Unit, columns};
use Unit::{Count, Scientific, Text};
use std::collections::HashSet;

columns! {
    pub(super) const RUN: MixResult;

    /// hash of A's file
    "a_sha256" "A SHA-256" Text =
        |result| Cell::stated(result.mixing.run.a.sha256.clone().unwrap_or_default());
    /// hash of B's file
    "b_sha256" "B SHA-256" Text =
        |result| Cell::stated(result.mixing.run.b.sha256.clone().unwrap_or_default());
    /// how outputs are compared to A's
    "outputs" "outputs" Text = |result| {
        let outputs = result.mixing.run.outputs.iter().map(|output| match output.measure {
            Some(measure) => format!("{}: {}", output.name, measure.text()),
            None => format!("{}: not compared, {}", output.name, output.reason),
        });
        Cell::some_text(outputs.collect::<Vec<_>>().join("; "))
    };
    /// inputs that losses are averaged over
    "loss_inputs" "inputs of the search" Count =
        |result| Cell::Whole(result.mixing.run.search.loss_inputs.search);
    /// inputs unseen by the search
    "held_out_inputs" "inputs held out" Count =
        |result| Cell::Whole(result.mixing.run.search.loss_inputs.held_out);
    /// largest allowed loss in the search
    "loss_limit" "loss limit" Scientific = |result| Cell::number(result.mixing.limit);
    /// tensors that B computes differently
    "changes" "changes" Count = |result| Cell::Whole(result.mixing.changes.len() as u64);
    /// B's nodes in the best mix
    "nodes_taken" "nodes from B" Count =
        |result| Cell::whole(result.mixing.best.as_ref().map(|_| nodes(result)));
}

fn nodes(result: &MixResult) -> u64 {
    let both = result.mixing.run.changes.iter().zip(&result.mixing.changes);
    let taken = both.filter(|(_, tried)| tried.is_taken).flat_map(|(change, _)| &change.nodes_b);
    // Changes may share nodes: each counts once.
    taken.collect::<HashSet<_>>().len() as u64
}

/// What was mixed.
pub(super) fn figures(result: &MixResult) -> Figures {
    let (run, base_ns) = (&result.mixing.run, result.mixing.base_ns);
    let setting = Setting { setup: &run.setup, search: Some(&run.search), base_ns };
    Figures::new("mix", "Mix", &setting::columns(), &setting).with(RUN, result)
}
