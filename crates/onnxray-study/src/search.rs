//! Measures launch after launch, until what is searched is known or time is up.

use crate::host::{Host, Left, Said};
use crate::verification::Planned;
use onnxray_format::{HeldOut, Stage, Trial, Variant};
use onnxray_recorder::memory_limit;
use onnxray_recorder::study::{
    Journal, SearchEntry, SearchPlan, Study, StudyError, TrialRequest, Worker,
};
use onnxray_text::counted;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// A launch measures at least and at most this long.
const TIMES: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(5000)];
/// Sessions that are loaded at once.
const MOST_SESSIONS: usize = 48;
/// The share of the time that is for the search; the rest is for the launches that verify what
/// it found.
const SEARCH: f64 = 0.6;

/// A study that searches for variants that are faster than a base, trial by trial: what is its own.
pub trait Search: Sized {
    /// Its journal's plan, and what its variants are.
    type Run: Study;
    /// Results so far.
    type Found;

    /// Fewer variants in a trial tell nothing.
    const FEWEST: usize;
    /// Time that a trial measures, for each of its variants.
    const TIME: Duration;
    /// What to do where time is up; blank if the result says so.
    const NEXT: &'static str = "; run the same command again to continue";

    /// Whether something may be chosen so far: then time is kept to verify it.
    fn is_promising(found: &Self::Found) -> bool;

    /// Evaluates trials.
    fn found(&self, trials: &[&TrialOf<Self>]) -> Self::Found;

    /// Measures what a trial's own process cannot; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the base cannot be measured.
    fn completed(&self, trial: TrialOf<Self>) -> anyhow::Result<Option<TrialOf<Self>>> {
        Ok(Some(trial))
    }

    /// Variants that a trial has at most.
    fn most(&self) -> usize {
        MOST_SESSIONS - 1
    }

    /// Stage, number and variants of the next trial, what others are compared with first; `None` if
    /// nothing is left to measure.
    fn next(&self, found: &Self::Found) -> Option<(Stage, u32, Vec<ChangesOf<Self>>)>;

    /// Label of the progress, and the share that is done; `spent` is the share of the time limit.
    fn progress(found: &Self::Found, stage: Stage, spent: f64) -> (&'static str, f64);

    /// What is compared on inputs held out, what was chosen first; nothing if nothing was chosen,
    /// or if there are no such inputs.
    fn held_out(&self, found: &Self::Found) -> Vec<ChangesOf<Self>>;

    /// Refuses what was chosen if it is unknown what it computes.
    ///
    /// # Errors
    ///
    /// Why it is unknown.
    fn check(&self, _held_out: &[HeldOutOf<Self>]) -> anyhow::Result<()> {
        Ok(())
    }

    /// What was chosen next to each base, in the folder of the result; nothing if nothing was.
    fn verifications(
        &self,
        found: &Self::Found,
        folder: &Path,
    ) -> anyhow::Result<Vec<Planned<ChangesOf<Self>>>>;
}

/// Changes that are made together.
pub type ChangesOf<S> = Vec<<<S as Search>::Run as SearchPlan>::Change>;
/// Of changes, on inputs held out.
pub type HeldOutOf<S> = HeldOut<
    <<S as Search>::Run as SearchPlan>::Change,
    <<S as Search>::Run as SearchPlan>::Distance,
>;
/// A launch of a search.
pub type TrialOf<S> =
    Trial<<<S as Search>::Run as SearchPlan>::Change, <<S as Search>::Run as SearchPlan>::Quality>;

/// Time limit of a search, and the variants that are loaded at once.
#[derive(Clone, Copy)]
pub struct Budget {
    /// For everything.
    limit: Duration,
    /// For the launches that verify what it found.
    pub(crate) verification: Duration,
    /// Variants that are loaded at once, beside the base.
    at_once: usize,
}

impl Budget {
    /// Within this time, with sessions of this many bytes.
    pub fn new(limit: Duration, session: Option<u64>) -> Budget {
        // One session is the base's. Never negative: there are two at least.
        let at_once = sessions(session, memory_limit()) - 1;
        Budget { limit, verification: limit.mul_f64(1.0 - SEARCH), at_once }
    }

    /// Goes on from what the journal has; `None` if it was interrupted.
    pub(crate) fn search<S: Search>(
        &self,
        search: &S,
        host: &Host,
        worker: &Worker<S::Run>,
        journal: &mut Journal<S::Run>,
    ) -> anyhow::Result<Option<S::Found>> {
        let begun = host.clock.now();
        let all_at_once = self.at_once.min(search.most()).max(S::FEWEST);
        let mut at_once = all_at_once;
        let searched = loop {
            let found = search.found(&journal.trials());
            let Some((stage, number, mut variants)) = search.next(&found) else {
                break Ok(Some(found));
            };
            let spent = host.clock.since(begun);
            let limit = for_search(self.limit, S::is_promising(&found));
            // Before a launch, not during one: what has begun is finished, even past the limit.
            if spent >= limit {
                host.teller.clear();
                let launches = counted(journal.trials().len() as u64, "launch", "launches");
                let next = S::NEXT;
                host.teller.say(
                    Said::Warning,
                    format_args!("the time limit ended the search after {launches}{next}"),
                );
                break Ok(Some(found));
            }
            // Not divided by 0: a limit of 0 has ended the search above.
            let share = spent.as_secs_f64() / limit.as_secs_f64();
            let (what, done) = S::progress(&found, stage, share);
            let most = self.limit.saturating_sub(spent);
            host.teller.show(what.to_string(), done, Left::AtMost(most));
            variants.truncate(at_once);
            let count = variants.len();
            let last = variants.last().cloned();
            let time = launch_time(count, S::TIME);
            let trial = match worker.trial(TrialRequest { stage, number, variants, time }) {
                Ok(Some(trial)) => match search.completed(trial) {
                    Ok(Some(trial)) => trial,
                    Ok(None) => break Ok(None),
                    Err(error) => break Err(error),
                },
                Ok(None) => break Ok(None),
                // With fewer of them at once it is found out which one it is.
                Err(StudyError::Ended(_)) if count > S::FEWEST => {
                    at_once = (count / 2).max(S::FEWEST);
                    continue;
                }
                Err(StudyError::Ended(status)) => {
                    // The one that crashes is known and noted: the others fit together again.
                    at_once = all_at_once;
                    // It is the last one: what it is compared with had run.
                    let failed = last.map(|last| Variant::failed(last, ended(status)));
                    let variants = failed.into_iter().collect();
                    Trial { stage, number, base_ns: None, rounds: 0, other_cores: None, variants }
                }
                Err(error) => break Err(error.into()),
            };
            journal.keep(SearchEntry::Trial(trial))?;
        };
        host.teller.clear();
        searched
    }
}

/// Time for the search: all, as long as there is nothing to verify.
fn for_search(limit: Duration, is_promising: bool) -> Duration {
    if is_promising { limit.mul_f64(SEARCH) } else { limit }
}

/// Why variants failed whose process the engine ended.
pub(crate) fn ended(status: ExitStatus) -> String {
    format!("the engine ended its process: {status}")
}

/// Duration of a launch with this many variants, at `each` per variant.
fn launch_time(variants: usize, each: Duration) -> Duration {
    each.saturating_mul(variants as u32).clamp(TIMES[0], TIMES[1])
}

/// Sessions of this many bytes that may be loaded at once: half of the memory is for them. At
/// least two.
fn sessions(each: Option<u64>, limit: Option<u64>) -> usize {
    let fitting = limit.zip(each).map(|(limit, each)| limit / 2 / each.max(1));
    fitting.unwrap_or(MOST_SESSIONS as u64).clamp(2, MOST_SESSIONS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_all_of_its_time_unless_something_is_to_be_verified() {
        let limit = Duration::from_secs(80);
        assert_eq!(for_search(limit, false), limit);
        assert_eq!(for_search(limit, true), Duration::from_secs(48));
        assert_eq!(for_search(limit, true) + limit.mul_f64(1.0 - SEARCH), limit);
    }
}
