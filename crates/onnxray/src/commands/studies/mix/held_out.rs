//! Compares the best mix, and B, with A on inputs that the search did not see.

use onnxray_analyzer::study::{HeldOut, Mixing};
use onnxray_format::MixHeldOut;
use onnxray_recorder::experiment::ExperimentError;
use onnxray_recorder::mix::{LossesRequest, MixEntry, MixJournal, MixSurvey, MixWorker};

/// `Some(None)` if there is no such mix, no such input, or nothing that can be compared; `None` if
/// it was interrupted.
pub(super) fn held_out(
    mixing: &Mixing,
    worker: &MixWorker,
    survey: &MixSurvey,
    journal: &mut MixJournal,
) -> anyhow::Result<Option<Option<HeldOut>>> {
    let Some(best) = mixing.mixed().filter(|_| survey.run.search.loss_inputs.held_out > 0) else {
        return Ok(Some(None));
    };
    // Every change taken: B as a whole, which the mix has to be better than.
    let all_of_b: Vec<u32> = (0..survey.run.changes.len() as u32).collect();
    let mixes = vec![best.changes.clone(), all_of_b];
    let losses = match journal.held_out(&mixes) {
        Some(losses) => losses.to_vec(),
        None => {
            let request = LossesRequest { mixes: mixes.clone(), types: survey.types.clone() };
            let losses = match worker.losses(request) {
                Ok(Some(losses)) => losses,
                Ok(None) => return Ok(None),
                // An engine that crashes is a result, too, and kept, so that no later run repeats
                // it.
                Err(ExperimentError::Ended(status)) => ended(mixes, &status.to_string()),
                Err(error) => return Err(error.into()),
            };
            journal.keep(MixEntry::HeldOut { held_out: losses.clone() })?;
            losses
        }
    };
    let Some((mix, others)) = losses.split_first() else { return Ok(Some(None)) };
    Ok(Some(HeldOut::of(mix, others.first())))
}

/// The engine ended its process.
fn ended(mixes: Vec<Vec<u32>>, status: &str) -> Vec<MixHeldOut> {
    let failed = Some(format!("the engine ended its process: {status}"));
    let of = |changes| MixHeldOut { changes, distances: Vec::new(), failed: failed.clone() };
    mixes.into_iter().map(of).collect()
}
