//! Records what is recommended next to the base, in launches that the search did not see.

use crate::commands::signals::Stop;
use crate::commands::studies::verification::{Traces, compared, found, record, recorded_as, times};
use onnxray_analyzer::comparison::Field;
use onnxray_analyzer::study::{Study, Tuning};
use onnxray_format::{RuntimeChange, Verification};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::tune::{Survey, TuneEntry, TuneJournal, changed};
use onnxray_report::Verified;
use std::time::Duration;

/// Subfolders of the result for both recordings.
pub(super) const FOLDERS: [&str; 2] = ["base", "tuned"];

/// Verifies the recommendation next to the base; `Some(None)` if there is none, `None` if
/// interrupted.
pub(super) fn verify(
    tuning: &Tuning,
    base: &LaunchSpec,
    journal: &mut TuneJournal,
    survey: &Survey,
    limit: Duration,
    stop: &Stop,
) -> anyhow::Result<Option<Option<Verified>>> {
    let Some(best) = &tuning.best else { return Ok(Some(None)) };
    let changes = tuning.run.named(&best.changes);
    let traces = match recorded(journal, &changes) {
        Some(traces) => traces,
        None => {
            let changed = [base.clone(), changed(base, &changes)];
            let [base, tuned] = FOLDERS;
            let [first, second] = changed;
            let folder = journal.place();
            let specs = [recorded_as(first, folder, base), recorded_as(second, folder, tuned)];
            let Some(traces) = record(specs, [survey.latency; 2], limit, stop)? else {
                return Ok(None);
            };
            // Kept only if their names lead to them again.
            if let Some(recordings) = times(&traces) {
                let with_b = false;
                journal.keep(TuneEntry::Verified(Verification { with_b, changes, recordings }))?;
            }
            traces
        }
    };
    // What a change may alter: a difference in these is the point, not an obstacle.
    let fields = vec![Field::EngineOptions, Field::Threads];
    let ([base, tuned], comparison) = compared(&traces, FOLDERS, fields)?;
    Ok(Some(Some(Verified { base, tuned, comparison })))
}

/// The traces of the recordings that the journal names for these changes, if they are still there.
fn recorded(journal: &TuneJournal, chosen: &[RuntimeChange]) -> Option<Traces> {
    let times = journal.recordings(false, chosen)?;
    found(FOLDERS.map(|name| journal.place().join(name)), times)
}
