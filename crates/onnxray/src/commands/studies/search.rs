//! Measures launch after launch, until what is searched is known or time is up.

use crate::message;
use crate::progress::Progress;
use onnxray_recorder::study::{Journal, Plan, StudyError};
use onnxray_recorder::{Clock, memory_limit};
use onnxray_text::counted;
use std::process::ExitStatus;
use std::time::Duration;

/// A launch measures at least and at most this long.
const TIMES: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(5000)];
/// Sessions that are loaded at once.
const MOST_SESSIONS: usize = 48;
/// The share of the time that is for the search; the rest is for the launches that verify what
/// it found.
const SEARCH: f64 = 0.6;

/// Something that is found out launch by launch.
pub(in crate::commands) trait Search {
    /// Plan of the journal.
    type Run: Plan;
    /// Results so far.
    type Found;
    /// Request for a launch.
    type Request: Clone;

    /// Launches that the journal has.
    fn launches(journal: &Journal<Self::Run>) -> usize;

    /// Evaluates the journal.
    fn found(&self, journal: &Journal<Self::Run>) -> Self::Found;

    /// The next launch, of this many variants at most; `None` if nothing is left to measure.
    fn next(&self, found: &Self::Found, most: usize) -> Option<Self::Request>;

    /// Variants of a launch.
    fn variants(request: &Self::Request) -> usize;

    /// Label of the progress, and the share that is done; `spent` is the share of the time limit.
    fn progress(found: &Self::Found, request: &Self::Request, spent: f64) -> (&'static str, f64);

    /// Measures a launch; `None` if it was asked to end.
    fn launch(&self, request: Self::Request) -> Launched<Self>;

    /// Entry for a launch during which the engine ended its process.
    fn ended(request: Self::Request, status: ExitStatus) -> <Self::Run as Plan>::Entry;
}

/// Outcome of a launch: an entry, or `None` if it was asked to end.
pub(in crate::commands) type Launched<S> =
    Result<Option<<<S as Search>::Run as Plan>::Entry>, StudyError>;

/// Time limit of a search, and the variants that are loaded at once.
pub(in crate::commands) struct Budget<'a> {
    clock: &'a dyn Clock,
    /// For the search alone.
    limit: Duration,
    /// For the launches that verify what it found.
    pub(in crate::commands) verification: Duration,
    /// Variants that are loaded at once, beside the base.
    at_once: usize,
    /// Fewer of them tell nothing.
    fewest: usize,
}

impl<'a> Budget<'a> {
    /// Within this time, with sessions of this many bytes.
    pub(in crate::commands) fn new(
        clock: &'a dyn Clock,
        limit: Duration,
        session: Option<u64>,
        fewest: usize,
    ) -> Budget<'a> {
        // One session is the base's. Never negative: there are two at least.
        let at_once = sessions(session, memory_limit()) - 1;
        let [search, verification] = [SEARCH, 1.0 - SEARCH].map(|share| limit.mul_f64(share));
        Budget { clock, limit: search, verification, at_once: at_once.max(fewest), fewest }
    }

    /// Goes on from what the journal has; `None` if it was interrupted.
    pub(in crate::commands) fn search<S: Search>(
        &self,
        search: &S,
        journal: &mut Journal<S::Run>,
    ) -> anyhow::Result<Option<S::Found>> {
        let progress = Progress::new();
        let begun = self.clock.now();
        let mut at_once = self.at_once;
        let searched = loop {
            let found = search.found(journal);
            let Some(request) = search.next(&found, at_once) else { break Ok(Some(found)) };
            let spent = Duration::from_nanos((self.clock.now() - begun).0);
            // Before a launch, not during one: what has begun is finished, even past the limit.
            if spent >= self.limit {
                progress.clear();
                message::warning(format_args!(
                    "the time limit ended the search after {}; raise --time-limit and run the \
                     same command to go on",
                    counted(S::launches(journal) as u64, "launch", "launches")
                ));
                break Ok(Some(found));
            }
            // Not divided by 0: a limit of 0 has ended the search above.
            let share = spent.as_secs_f64() / self.limit.as_secs_f64();
            let (what, done) = S::progress(&found, &request, share);
            progress.show(what.to_string(), done, None);
            let count = S::variants(&request);
            let entry = match search.launch(request.clone()) {
                Ok(Some(entry)) => entry,
                Ok(None) => break Ok(None),
                // With fewer of them at once it is found out which one it is.
                Err(StudyError::Ended(_)) if count > self.fewest => {
                    at_once = (count / 2).max(self.fewest);
                    continue;
                }
                Err(StudyError::Ended(status)) => {
                    // The one that crashes is known and noted: the others fit together again.
                    at_once = self.at_once;
                    S::ended(request, status)
                }
                Err(error) => break Err(error.into()),
            };
            journal.keep(entry)?;
        };
        progress.clear();
        searched
    }
}

/// Duration of a launch with this many variants, at `each` per variant.
pub(in crate::commands) fn launch_time(variants: usize, each: Duration) -> Duration {
    each.saturating_mul(variants as u32).clamp(TIMES[0], TIMES[1])
}

/// Sessions of this many bytes that may be loaded at once: half of the memory is for them. At
/// least two.
fn sessions(each: Option<u64>, limit: Option<u64>) -> usize {
    let fitting = limit.zip(each).map(|(limit, each)| limit / 2 / each.max(1));
    fitting.unwrap_or(MOST_SESSIONS as u64).clamp(2, MOST_SESSIONS as u64) as usize
}
