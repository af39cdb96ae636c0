//! Under which conditions a launch runs: readings between its iterations, never within.
//!
//! A reading before and one after each iteration tell what happened to its threads; every
//! tenth of a second one of the machine is added. What the system
//! does not tell is unknown, and so is everything on systems that are not Linux.

mod container;
mod fresh;
pub(crate) mod others;
mod process;
mod processor;
mod readings;
mod threads;

use crate::clock::Clock;
use crate::cores;
use crate::memory;
use container::Container;
use fresh::Fresh;
use onnxray_format::{Conditions, CpuLimit, Nanoseconds};
use process::{Stat, core_times};
use processor::Processor;
use readings::{Reading, Readings};
use threads::{Tasks, Threads};

/// CPU time that the container allows, in cores; `None` without a limit.
pub fn limit() -> Option<f64> {
    Container::find()?.cores
}

/// Which threads there are before those of a launch are started.
pub(super) struct Before(Tasks);

impl Before {
    pub(super) fn launch() -> Before {
        Before(Tasks::now())
    }
}

pub(super) struct Observer {
    processor: Processor,
    cores: Option<Vec<u32>>,
    container: Option<Container>,
    /// When the limit of the container had been reached before.
    throttled_before: Option<u64>,
    threads: Threads,
    machine: Fresh,
    process: Fresh,
    readings: Readings,
    conditions: Conditions,
}

/// Time for which a container's limit stopped this process's group since that was made; `None` where
/// the system does not tell.
pub(crate) fn throttled() -> Option<Nanoseconds> {
    let microseconds = Container::find()?.throttled()?.microseconds;
    Some(Nanoseconds(microseconds.saturating_mul(1000)))
}

impl Observer {
    /// To be called by the thread that runs the iterations, when the launch's other threads
    /// are there.
    pub(super) fn begin(pinned: &[u32], before: &Before) -> Observer {
        let processor = Processor(cores::SYSTEM.into());
        let cores = cores::allowed();
        let known = cores.as_deref().unwrap_or_default();
        let mut container = Container::find();
        let conditions = Conditions {
            pinned: Some(pinned.to_vec()),
            cores: cores.clone(),
            siblings: cores.as_deref().and_then(|cores| processor.siblings(cores)),
            smt: processor.smt(),
            governor: processor.governor(known),
            turbo: processor.turbo(),
            memory_limit: memory::container(),
            ..Conditions::default()
        };
        Observer {
            // Counters of a container go on from before the launch: the first reading is taken off.
            throttled_before: container
                .as_mut()
                .and_then(|container| Some(container.throttled()?.periods)),
            processor,
            cores,
            container,
            threads: Threads::since(&before.0),
            machine: Fresh::open("/proc/stat"),
            process: Fresh::open("/proc/self/stat"),
            readings: Readings::new(),
            conditions,
        }
    }

    /// To be called right before an iteration.
    pub(super) fn before(&mut self, clock: &dyn Clock) {
        if self.readings.is_due(clock.now()) {
            self.read(clock);
        }
        // Last, so that the readings of the machine are not counted as the iteration's.
        self.threads.before();
    }

    /// To be called right after an iteration that is recorded with this index.
    pub(super) fn after(&mut self, iteration: u32) {
        self.threads.after(iteration);
    }

    /// To be called in place of [`Observer::after`] after an iteration of many runs: what happened in
    /// all of them is not that of the one that it tells the time of.
    pub(super) fn uncounted(&mut self) {
        self.threads.uncounted();
    }

    fn read(&mut self, clock: &dyn Clock) {
        let cores = self.cores.as_deref();
        let container = self.container.as_mut();
        let reading = Reading {
            times: cores.and_then(|cores| core_times(self.machine.read()?, cores)),
            own_ms: self.process.read().and_then(Stat::parse).map(|own| own.own_ms),
            throttled_us: container.and_then(|container| Some(container.throttled()?.microseconds)),
            frequency_khz: self.threads.core().and_then(|core| self.processor.frequency_khz(core)),
            at: clock.now(),
        };
        self.readings.add(reading);
    }

    pub(super) fn finish(mut self, clock: &dyn Clock) -> Conditions {
        self.read(clock);
        let mut conditions = self.conditions;
        let cores = self.cores.as_deref().unwrap_or_default();
        conditions.governor_at_end = self.processor.governor(cores);
        conditions.limit = self.container.map(|mut container| CpuLimit {
            cores: container.cores,
            throttled_periods: container
                .throttled()
                .zip(self.throttled_before)
                .map(|(now, before)| now.periods.saturating_sub(before)),
        });
        conditions.slices = self.readings.slices();
        self.threads.finish(&mut conditions);
        conditions
    }
}
