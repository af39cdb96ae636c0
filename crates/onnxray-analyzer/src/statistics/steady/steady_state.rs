//! When the launches of a recording reach a steady state, taken together.

use super::warmup;
use crate::statistics::{Advice, LaunchSummary};
use onnxray_text::counted;

/// Launches that settle late, never, or are too short to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SteadyState {
    /// Launches that reach it after their flagged warm-up, so that measured iterations
    /// came before.
    pub late: usize,
    /// Launches that never reach it.
    pub never: usize,
    /// Launches of too few iterations to tell.
    pub too_short: usize,
    /// All launches.
    pub launches: usize,
    /// The most iterations after which one reaches it.
    pub longest: u64,
    /// Flagged warm-up iterations of the launch that has fewest.
    pub flagged: u64,
}

impl SteadyState {
    pub(crate) fn of(launches: &[LaunchSummary]) -> SteadyState {
        let mut all = SteadyState { launches: launches.len(), ..SteadyState::default() };
        for launch in launches {
            match launch.warmup_found {
                Some(found) => {
                    all.late += usize::from(found > launch.warmup_flagged);
                    all.longest = all.longest.max(found);
                }
                // The warm-up of a short launch is unknown, too, which says nothing about its
                // latency.
                None if launch.iterations + launch.warmup_flagged < warmup::FEWEST as u64 => {
                    all.too_short += 1;
                }
                None => all.never += 1,
            }
        }
        all.flagged = launches.iter().map(|launch| launch.warmup_flagged).min().unwrap_or(0);
        all
    }

    /// Advice where launches settle late.
    pub(crate) fn advice(&self, advice: Advice) -> String {
        match 2 * self.late >= self.launches {
            true => advice.warmup(self.longest),
            // If most launches settle at once, it is not a warm-up.
            false => "other programs may have disturbed them: stop these, pin threads".to_string(),
        }
    }

    /// Caveat that launches settle late, with advice.
    pub(crate) fn late(&self, advice: Advice) -> String {
        let first = match self.longest {
            1 => "the first iteration looks like warm-up".to_string(),
            longest => format!("the first {longest} iterations look like warm-up"),
        };
        let included = match (self.flagged, self.longest) {
            (0, 1) => "and is included in the figures".to_string(),
            (0, _) => "and are included in the figures".to_string(),
            (flagged, _) => format!("but only {} flagged", counted(flagged, "is", "are")),
        };
        format!("{}{first} {included}; {}", self.among(self.late), self.advice(advice))
    }

    /// `in 2 of 10 launches `; empty if there is one launch.
    pub(crate) fn among(&self, count: usize) -> String {
        match self.launches {
            1 => String::new(),
            all => format!("in {count} of {all} launches "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(iterations: u64, warmup_flagged: u64, warmup_found: Option<u64>) -> LaunchSummary {
        LaunchSummary {
            launch: 0,
            rank: None,
            instance: None,
            iterations,
            warmup_flagged,
            warmup_found,
            latency: None,
            clock_origin: None,
            unprofiled: None,
        }
    }

    #[test]
    fn more_warm_up_is_advised_only_if_most_launches_need_it() {
        let advice =
            |launches: &[LaunchSummary]| SteadyState::of(launches).advice(Advice::default());
        let (late, early) = (launch(90, 10, Some(14)), launch(90, 10, Some(3)));
        let most = advice(&[late.clone(), late.clone(), early.clone()]);
        assert_eq!(most, "--warmup 14 leaves them out");
        assert!(advice(&[late, early.clone(), early]).starts_with("other programs"));
    }

    #[test]
    fn launches_settle_late_never_or_are_too_short_to_tell() {
        let launches = [
            launch(4, 3, None),
            launch(8, 0, None),
            launch(90, 2, Some(2)),
            launch(90, 1, Some(2)),
        ];
        let expected =
            SteadyState { late: 1, never: 1, too_short: 1, launches: 4, longest: 2, flagged: 0 };
        let found = SteadyState::of(&launches);
        assert_eq!(found, expected);
        assert_eq!(found.among(1), "in 1 of 4 launches ");
        assert_eq!(SteadyState::of(&launches[..1]).among(1), "");
    }
}
