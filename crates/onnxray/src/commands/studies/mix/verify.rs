//! Records the best mix next to A and next to B, in launches that the search did not see.

use crate::commands::signals::Stop;
use crate::commands::studies::verification::{Traces, compared, found, record, recorded_as, times};
use onnxray_analyzer::comparison::{Comparison, Field, Recording};
use onnxray_format::Verification;
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::mix::{MixEntry, MixJournal, MixSpec, MixSurvey};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Subfolders of the result for the recordings next to A and next to B.
pub(super) const FOLDERS: [&str; 2] = ["with-a", "with-b"];
/// Names of recordings in these.
pub(super) const NAMES: [[&str; 2]; 2] = [["a", "mixed"], ["b", "mixed"]];

/// The recordings of A, or of B, and of the mix in `file`, and the second next to the first;
/// `None` if it was interrupted.
pub(super) fn verify(
    spec: &MixSpec,
    survey: &MixSurvey,
    (from_b, file): (&[u32], &Path),
    with_b: bool,
    journal: &mut MixJournal,
    limit: Duration,
    stop: &Stop,
) -> anyhow::Result<Option<([Recording; 2], Comparison)>> {
    let place = with_b as usize;
    let folder = journal.place().join(FOLDERS[place]);
    let names = NAMES[place];
    let traces = match recorded(journal, from_b, with_b, &folder) {
        Some(traces) => traces,
        None => {
            let model = if with_b { spec.b.clone() } else { spec.a.model.clone() };
            let base = LaunchSpec { model, ..spec.a.clone() };
            let mixed = LaunchSpec { model: file.into(), ..spec.a.clone() };
            let specs =
                [recorded_as(base, &folder, names[0]), recorded_as(mixed, &folder, names[1])];
            let latency = survey.latencies[place];
            let Some(traces) = record(specs, [latency; 2], limit, stop)? else { return Ok(None) };
            // Kept only if their names lead to them again.
            if let Some(recordings) = times(&traces) {
                let changes = from_b.to_vec();
                journal.keep(MixEntry::Verified(Verification { with_b, changes, recordings }))?;
            }
            traces
        }
    };
    compared(&traces, names, vec![Field::Model]).map(Some)
}

/// The traces of the recordings that the journal names for this mix, if they are still there.
fn recorded(journal: &MixJournal, chosen: &[u32], with_b: bool, folder: &Path) -> Option<Traces> {
    let times = journal.recordings(with_b, chosen)?;
    let folders: [PathBuf; 2] = NAMES[with_b as usize].map(|name| folder.join(name));
    found(folders, times)
}
