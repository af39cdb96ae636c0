//! How long a run takes, without what other programs make it wait for a core.

use crate::clock::Clock;
use crate::engine::Engine;
use onnxray_format::Nanoseconds;

/// Option of ONNX Runtime that names its execution provider.
const PROVIDER: &str = "execution provider";

/// Whether an engine runs models itself, and no provider for it.
pub(super) fn has_no_provider(engine: &dyn Engine) -> bool {
    engine.options().get(PROVIDER).is_none_or(|name| name.starts_with("CPU"))
}

/// Times runs of an engine.
#[derive(Clone, Copy)]
pub(crate) struct Timing<'a> {
    clock: &'a dyn Clock,
    /// Whether the thread that asks for a run is the one that computes.
    is_alone: bool,
}

impl<'a> Timing<'a> {
    /// Of an engine with this many threads; with what a run waits for a core if it `keeps_waits`. A provider
    /// may have threads of its own: what it costs that one of several has no core is unknown.
    pub(crate) fn of(engine: &'a dyn Engine, threads: u32, keeps_waits: bool) -> Timing<'a> {
        Timing {
            clock: engine.clock(),
            is_alone: threads == 1 && !keeps_waits && has_no_provider(engine),
        }
    }

    /// Whether it takes out what a run waits.
    pub(crate) fn takes_out_waits(self) -> bool {
        self.is_alone && self.clock.waited().is_some()
    }

    /// The time of what this does. Other programs interrupt a long part in each run, and a short one in
    /// few: their turns would be the time of the block that makes a part long.
    pub(super) fn time<E>(self, run: impl FnOnce() -> Result<(), E>) -> Result<Nanoseconds, E> {
        let waited = || self.clock.waited().filter(|_| self.is_alone);
        let waited_before = waited();
        let begin = self.clock.now();
        run()?;
        let took = self.clock.now() - begin;
        let more = waited().zip(waited_before);
        let more = more.map_or(0, |(after, before)| after.0.saturating_sub(before.0));
        Ok(Nanoseconds(took.0.saturating_sub(more)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A clock that says itself what it is.
    #[derive(Default)]
    struct Told {
        now: Cell<u64>,
        waited: Cell<u64>,
    }

    impl Clock for Told {
        fn now(&self) -> Nanoseconds {
            Nanoseconds(self.now.get())
        }

        fn origin(&self) -> Option<Nanoseconds> {
            None
        }

        fn resolution(&self) -> Nanoseconds {
            Nanoseconds(1)
        }

        fn waited(&self) -> Option<Nanoseconds> {
            Some(Nanoseconds(self.waited.get()))
        }
    }

    #[test]
    fn a_run_is_timed_without_what_its_thread_waited_if_no_other_computes() {
        for (is_alone, expected) in [(true, 30), (false, 100)] {
            let clock = Told::default();
            clock.waited.set(7);
            let run = || {
                clock.now.set(clock.now.get() + 100);
                clock.waited.set(clock.waited.get() + 70);
                Ok::<(), ()>(())
            };
            let timing = Timing { clock: &clock, is_alone };
            assert_eq!(timing.time(run), Ok(Nanoseconds(expected)));
            assert_eq!(timing.takes_out_waits(), is_alone);
        }
    }
}
