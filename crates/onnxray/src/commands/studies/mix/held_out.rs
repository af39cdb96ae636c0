//! Compares the best mix, and B, with A on inputs that the search did not see.

use onnxray_analyzer::mix::{HeldOut, Mixing};
use onnxray_format::MixLosses;
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
    let Some(best) = mixing.mixed().filter(|_| survey.run.loss_inputs.held_out > 0) else {
        return Ok(Some(None));
    };
    // Every change taken: B as a whole, which the mix has to be better than.
    let all_of_b: Vec<u32> = (0..survey.run.changes.len() as u32).collect();
    let mixes = vec![best.from_b.clone(), all_of_b];
    let losses = match known(journal, &mixes) {
        Some(losses) => losses,
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
fn ended(mixes: Vec<Vec<u32>>, status: &str) -> Vec<MixLosses> {
    let failed = Some(format!("the engine ended its process: {status}"));
    let of = |from_b| MixLosses { from_b, losses: Vec::new(), failed: failed.clone() };
    mixes.into_iter().map(of).collect()
}

/// Losses of these mixes in the journal.
fn known(journal: &MixJournal, mixes: &[Vec<u32>]) -> Option<Vec<MixLosses>> {
    journal.entries().find_map(|entry| match entry {
        MixEntry::HeldOut { held_out }
            if held_out.iter().map(|own| &own.from_b).eq(mixes.iter()) =>
        {
            Some(held_out.clone())
        }
        _ => None,
    })
}
