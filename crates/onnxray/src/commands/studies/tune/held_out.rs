//! Compares outputs with what is recommended with the base's on inputs that the search did not see.

use onnxray_analyzer::tune::Tuning;
use onnxray_format::OutputDifference;
use onnxray_recorder::tune::{TuneEntry, TuneJournal, TuneWorker};

/// Input by input, `Some(None)` if nothing is recommended or there are no such inputs; `None` if it
/// was interrupted.
pub(super) fn held_out(
    tuning: &Tuning,
    worker: &TuneWorker,
    journal: &mut TuneJournal,
) -> anyhow::Result<Option<Option<Vec<OutputDifference>>>> {
    let has_inputs = tuning.run.loss_inputs.held_out > 0;
    let Some(best) = tuning.best.as_ref().filter(|_| has_inputs) else { return Ok(Some(None)) };
    let known = journal.entries().find_map(|entry| match entry {
        TuneEntry::HeldOut { changes, held_out } if *changes == best.changes => {
            Some(held_out.clone())
        }
        _ => None,
    });
    if known.is_some() {
        return Ok(Some(known));
    }
    let Some(held_out) = worker.held_out(&best.changes)? else { return Ok(None) };
    let changes = best.changes.clone();
    journal.keep(TuneEntry::HeldOut { changes, held_out: held_out.clone() })?;
    Ok(Some(Some(held_out)))
}
