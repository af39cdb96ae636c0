//! The steps of a study once it has begun: it is searched, what was chosen is compared on inputs held
//! out, and recorded next to each base.

use crate::host::Host;
use crate::journal::{interrupted, tell};
use crate::search::{Budget, ChangesOf, HeldOutOf, Search, ended};
use crate::verification::verify;
use onnxray_analyzer::study::Verified;
use onnxray_format::HeldOut;
use onnxray_recorder::study::{Journal, SearchEntry, StudyError, Worker};

/// What came of a study.
pub struct Outcome<S: Search> {
    /// What the search found.
    pub found: S::Found,
    /// Of each variant that [`Search::held_out`] lists.
    pub held_out: Vec<HeldOutOf<S>>,
    /// Of each of [`Search::verifications`].
    pub verified: Vec<Verified>,
}

/// Takes all steps; `None` if it was interrupted, which it has reported then.
///
/// # Errors
///
/// If the base cannot be measured, or if a file cannot be written.
pub fn outcome<S: Search>(
    search: &S,
    worker: &Worker<S::Run>,
    budget: Budget,
    journal: &mut Journal<S::Run>,
    host: &Host,
) -> anyhow::Result<Option<Outcome<S>>> {
    tell(journal, journal.trials().len(), host);
    let outcome = steps(search, worker, budget, journal, host)?;
    if outcome.is_none() {
        interrupted(journal, journal.trials().len(), host);
    }
    Ok(outcome)
}

fn steps<S: Search>(
    search: &S,
    worker: &Worker<S::Run>,
    budget: Budget,
    journal: &mut Journal<S::Run>,
    host: &Host,
) -> anyhow::Result<Option<Outcome<S>>> {
    let Some(found) = budget.search(search, host, worker, journal)? else { return Ok(None) };
    let compared = search.held_out(&found);
    let Some(held_out) = held_out(search, compared, worker, journal)? else { return Ok(None) };
    let verifications = search.verifications(&found, journal.place())?;
    let time = budget.verification / verifications.len().max(1) as u32;
    let mut verified = Vec::new();
    for planned in verifications {
        let Some(recorded) = verify(planned, journal, time, host)? else { return Ok(None) };
        verified.push(recorded);
    }
    Ok(Some(Outcome { found, held_out, verified }))
}

/// Compares variants with the base on inputs that the search did not see.
fn held_out<S: Search>(
    search: &S,
    variants: Vec<ChangesOf<S>>,
    worker: &Worker<S::Run>,
    journal: &mut Journal<S::Run>,
) -> anyhow::Result<Option<Vec<HeldOutOf<S>>>> {
    if variants.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if let Some(known) = journal.held_out(&variants) {
        return Ok(Some(known.to_vec()));
    }
    let held_out = match worker.held_out(variants.clone()) {
        Ok(Some(held_out)) => held_out,
        Ok(None) => return Ok(None),
        // An engine that crashes is a result, too, and kept, so that no later run repeats it.
        Err(StudyError::Ended(status)) => {
            let failed =
                |changes| HeldOut { changes, distances: Vec::new(), failed: Some(ended(status)) };
            variants.into_iter().map(failed).collect()
        }
        Err(error) => return Err(error.into()),
    };
    search.check(&held_out)?;
    journal.keep(SearchEntry::HeldOut { held_out: held_out.clone() })?;
    Ok(Some(held_out))
}
