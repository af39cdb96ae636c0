//! How far all launches of a recording are, and how long they take still.

use onnxray_recorder::{Length, ProcessSpec, Progress, Schedule};
use std::time::{Duration, Instant};

/// Position of a process among those of its command.
pub(super) struct Whole {
    schedule: Schedule,
    /// Number of this process, and their count; `None` with --until.
    place: Option<(u32, u32)>,
    begun: Instant,
    loaded: Option<Instant>,
}

impl Whole {
    pub(super) fn of(process: &ProcessSpec) -> Whole {
        let place = || {
            let options = &process.launches.first()?.options;
            // A launch without a place is the only one.
            let Some(place) = &options.place else { return Some((0, 1)) };
            let launches = options.launches?;
            Some(match &place.interleaved {
                // Launches that take turns have a process each, so that there are twice as many.
                Some(interleaved) if process.launches.len() == 1 => {
                    (interleaved.position, 2 * launches)
                }
                _ => (place.number, launches),
            })
        };
        let (schedule, place) = (process.schedule, place());
        Whole { schedule, place, begun: Instant::now(), loaded: None }
    }

    /// The share that other processes have done before.
    pub(super) fn begun_at(&self) -> f64 {
        self.place.map_or(0.0, |(number, launches)| f64::from(number) / f64::from(launches.max(1)))
    }

    /// The share of all that is done, and the time that the rest takes, once that can be told.
    pub(super) fn at(&mut self, state: Progress) -> (f64, Option<Duration>) {
        let now = Instant::now();
        // The first report comes when the model is loaded.
        let loaded = *self.loaded.get_or_insert(now);
        let share = of_launch(&self.schedule, state);
        let Some((number, launches)) = self.place else { return (share, None) };
        let behind = launches.saturating_sub(number + 1);
        let left = left(share, loaded - self.begun, now - loaded, behind);
        (self.begun_at() + share / f64::from(launches.max(1)), left)
    }
}

/// The share of a launch that is done, its warm-up included.
fn of_launch(schedule: &Schedule, state: Progress) -> f64 {
    let warmup = f64::from(schedule.warmup);
    let measured = match schedule.length {
        // Unprofiled iterations take turns with the profiled ones and take about as long.
        Length::Iterations(count) => f64::from(count) + schedule.unprofiled_of(count),
        // Nobody knows how many iterations that is: as if warming up took no time.
        Length::Duration(_) if state.warming_up => return 0.0,
        Length::Duration(_) => return state.share,
    };
    let done = match state.warming_up {
        true => warmup * state.share,
        false => warmup + measured * state.share,
    };
    done / (warmup + measured).max(1.0)
}

/// Time for the rest of a launch and for launches like it that follow.
fn left(share: f64, loading: Duration, running: Duration, behind: u32) -> Option<Duration> {
    /// Below this share, the rest would be extrapolated from noise.
    const TELLS: f64 = 0.02;
    if share < TELLS {
        return None;
    }
    let whole = running.div_f64(share);
    // Launches to come load the model, too.
    Some(whole.saturating_sub(running) + (loading + whole) * behind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_recorder::AS_MEASURED;
    use std::num::NonZeroU32;

    #[test]
    fn warming_up_is_a_part_of_the_whole() {
        let length = Length::Iterations(40);
        let schedule =
            Schedule { warmup: 20, length, unprofiled: AS_MEASURED, turn: NonZeroU32::MIN };
        let at =
            |warming_up, share| of_launch(&schedule, Progress { warming_up, measured: 0, share });
        assert_eq!([at(true, 0.0), at(true, 0.5), at(false, 0.0)], [0.0, 0.1, 0.2]);
        assert_eq!([at(false, 0.5), at(false, 1.0)], [0.6, 1.0]);
    }

    #[test]
    fn launches_that_are_to_come_are_loaded_and_run() {
        let seconds = Duration::from_secs;
        assert_eq!(left(0.01, seconds(1), seconds(2), 1), None);
        assert_eq!(left(0.5, seconds(1), seconds(2), 0), Some(seconds(2)));
        assert_eq!(left(0.5, seconds(1), seconds(2), 3), Some(seconds(2 + 3 * 5)));
    }
}
