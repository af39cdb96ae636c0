//! Compares outputs with what is recommended with the base's on inputs that the search did not see.

use onnxray_analyzer::tune::Tuning;
use onnxray_format::{OutputDifference, TuneHeldOut, TuneRun};
use onnxray_recorder::study::tune::{TuneEntry, TuneJournal};
use onnxray_recorder::study::{StudyError, Worker};
use std::slice;

/// Input by input, `Some(None)` if nothing is recommended or there are no such inputs; `None` if it
/// was interrupted.
pub(super) fn held_out(
    tuning: &Tuning,
    worker: &Worker<TuneRun>,
    journal: &mut TuneJournal,
) -> anyhow::Result<Option<Option<Vec<OutputDifference>>>> {
    let has_inputs = tuning.run.search.loss_inputs.held_out > 0;
    let Some(best) = tuning.best.as_ref().filter(|_| has_inputs) else { return Ok(Some(None)) };
    let of_one = |held_out: &[TuneHeldOut]| held_out.first().map(|own| own.distances.clone());
    if let Some(known) = journal.held_out(slice::from_ref(&best.changes)) {
        return Ok(Some(of_one(known)));
    }
    let Some(held_out) = worker.held_out(vec![best.changes.clone()])? else { return Ok(None) };
    if let Some(reason) = held_out.iter().find_map(|own| own.failed.clone()) {
        return Err(StudyError::Refused(reason).into());
    }
    let found = of_one(&held_out);
    journal.keep(TuneEntry::HeldOut { held_out })?;
    Ok(Some(found))
}
