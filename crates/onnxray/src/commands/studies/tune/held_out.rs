//! Compares outputs with what is recommended with the base's on inputs that the search did not see.

use onnxray_analyzer::study::{Study, Tuning};
use onnxray_format::{HeldOut, OutputDifference, TuneHeldOut};
use onnxray_recorder::tune::{TuneEntry, TuneJournal, TuneWorker};
use std::slice;

/// Input by input, `Some(None)` if nothing is recommended or there are no such inputs; `None` if it
/// was interrupted.
pub(super) fn held_out(
    tuning: &Tuning,
    worker: &TuneWorker,
    journal: &mut TuneJournal,
) -> anyhow::Result<Option<Option<Vec<OutputDifference>>>> {
    let has_inputs = tuning.run.search.loss_inputs.held_out > 0;
    let Some(best) = tuning.best.as_ref().filter(|_| has_inputs) else { return Ok(Some(None)) };
    let changes = tuning.run.named(&best.changes);
    let of_one = |held_out: &[TuneHeldOut]| held_out.first().map(|own| own.distances.clone());
    if let Some(known) = journal.held_out(slice::from_ref(&changes)) {
        return Ok(Some(of_one(known)));
    }
    let Some(distances) = worker.held_out(&changes)? else { return Ok(None) };
    let held_out = vec![HeldOut { changes, distances, failed: None }];
    let found = of_one(&held_out);
    journal.keep(TuneEntry::HeldOut { held_out })?;
    Ok(Some(found))
}
