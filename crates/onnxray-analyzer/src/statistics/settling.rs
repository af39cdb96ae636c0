//! Where the launches of a recording settle, taken together.

use super::{Advice, LaunchSummary, warmup};

/// How many launches settle when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settling {
    /// Launches that settle after their flagged warm-up, so that measured iterations
    /// came before.
    pub late: usize,
    /// Launches whose latency never settles.
    pub never: usize,
    /// Launches of too few iterations to tell.
    pub too_short: usize,
    /// All launches.
    pub launches: usize,
    /// The most iterations after which one settles.
    pub longest: u64,
    /// Flagged warm-up iterations of the launch that has fewest.
    pub flagged: u64,
}

impl Settling {
    pub(crate) fn of(launches: &[LaunchSummary]) -> Settling {
        let mut all = Settling { launches: launches.len(), ..Settling::default() };
        for launch in launches {
            match launch.warmup_found {
                Some(found) => {
                    all.late += usize::from(found > launch.warmup_flagged);
                    all.longest = all.longest.max(found);
                }
                None if launch.iterations + launch.warmup_flagged < warmup::FEWEST as u64 => {
                    all.too_short += 1;
                }
                None => all.never += 1,
            }
        }
        all.flagged = launches.iter().map(|launch| launch.warmup_flagged).min().unwrap_or(0);
        all
    }

    /// What to do where launches settle late.
    pub(crate) fn advice(&self, advice: Advice) -> String {
        match 2 * self.late >= self.launches {
            true => advice.warmup(self.longest),
            // What most launches do not need is no warm-up.
            false => "other programs disturbed them: stop these, pin threads".to_string(),
        }
    }

    /// `in 2 of 10 launches`; nothing of a single one.
    pub(crate) fn among(&self, count: usize) -> String {
        match self.launches {
            1 => String::new(),
            all => format!("in {count} of {all} launches "),
        }
    }
}
