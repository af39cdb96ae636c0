//! How long what is left of a profile takes.

use std::time::Duration;

/// What a launch that times layers takes beside its models: it starts a process, and has rounds of
/// turns.
const LAUNCH: Duration = Duration::from_millis(800);
/// It loads two models where a loss loads one, and runs each several times.
const LOSSES: f64 = 4.0;

/// What is left, and what results took so far.
pub(super) struct Foretold {
    /// Losses that are measured side by side.
    jobs: usize,
    losses: Kind,
    launches: Kind,
    /// When the last result came.
    last: Duration,
}

/// Results of one kind.
#[derive(Default)]
struct Kind {
    left: usize,
    done: u32,
    took: Duration,
}

impl Foretold {
    pub(super) fn new(jobs: usize, losses: usize, launches: usize) -> Foretold {
        let of = |left: usize| Kind { left, ..Kind::default() };
        Foretold { jobs, losses: of(losses), launches: of(launches), last: Duration::ZERO }
    }

    /// A loss is known, so long after the beginning.
    pub(super) fn loss(&mut self, at: Duration) {
        self.losses.done(at.saturating_sub(self.last));
        self.last = at;
    }

    /// A launch is known, so long after the beginning.
    pub(super) fn launch(&mut self, at: Duration) {
        self.launches.done(at.saturating_sub(self.last));
        self.last = at;
    }

    /// Time that is left; `None` before the first result.
    pub(super) fn left(&self) -> Option<Duration> {
        let loss = self.losses.mean();
        let guessed = loss.map(|loss| LAUNCH + loss.mul_f64(LOSSES * self.jobs as f64));
        let launch = self.launches.mean().or(guessed);
        let of = |kind: &Kind, each: Option<Duration>| match kind.left {
            0 => Some(Duration::ZERO),
            left => each.map(|each| each.mul_f64(left as f64)),
        };
        Some(of(&self.losses, loss)? + of(&self.launches, launch)?)
    }
}

impl Kind {
    fn done(&mut self, took: Duration) {
        self.left = self.left.saturating_sub(1);
        self.done += 1;
        self.took += took;
    }

    fn mean(&self) -> Option<Duration> {
        (self.done > 0).then(|| self.took / self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_count_for_what_they_take() {
        let millis = Duration::from_millis;
        let mut foretold = Foretold::new(2, 10, 5);
        assert_eq!(foretold.left(), None, "nothing has told");
        foretold.loss(millis(100));
        foretold.loss(millis(200));
        // 8 losses of 100 ms, and 5 launches of 800 ms and 8 times such a loss.
        assert_eq!(foretold.left(), Some(millis(8 * 100 + 5 * 1600)));
        (3..=10).for_each(|loss| foretold.loss(millis(100 * loss)));
        foretold.launch(millis(4000));
        assert_eq!(foretold.left(), Some(millis(4 * 3000)), "as the first one");
        let mut times_only = Foretold::new(2, 0, 3);
        times_only.launch(millis(2000));
        assert_eq!(times_only.left(), Some(millis(4000)));
    }
}
