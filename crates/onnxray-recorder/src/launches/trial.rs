//! A launch tried out before any is recorded: what a model is refused for costs no launch
//! of another one, and how long it runs says how long turns are.

use super::spec::LaunchSpec;
use crate::engine::{Engines, Instrumentation};
use crate::error::RecordError;
use crate::launch::run_once;
use crate::memory;
use crate::record::Length;
use crate::workload::Workload;
use onnxray_format::{Nanoseconds, Operator};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// Facts about a model that was loaded and run a few times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Names of its free dimensions.
    pub dimensions: Vec<String>,
    /// The shortest of a few runs.
    pub latency: Nanoseconds,
    /// Growth of resident memory in bytes; `None` where the system does not say.
    pub memory: Option<u64>,
    /// Its operators.
    pub operators: Vec<Operator>,
}

/// Runs of a trial; the first one finds cold caches.
const RUNS: usize = 3;
/// A turn takes at least this long: what the other side left in the caches is a small part
/// of it.
const LONG_TURN: Nanoseconds = Nanoseconds(10_000_000);
/// But a launch is made of at least this many turns of each side, which what changes on the
/// machine falls on alike.
const FEWEST_TURNS: u32 = 10;
/// And no turn has more iterations than this.
const LONGEST_TURN: u32 = 100;

impl LaunchSpec {
    /// Loads the model, and runs it a few times.
    ///
    /// # Errors
    ///
    /// As [`LaunchSpec::load`], or if the model fails.
    pub fn try_out(&self, engines: &dyn Engines) -> Result<Trial, RecordError> {
        let before = memory::used();
        let (model, workload) = self.load(engines)?;
        let operators = model.operators_of(&workload)?;
        // Instrumented, so that an operator that fails is named.
        let registers = self.options.registers(&*model.engine);
        let mut runner = model.loaded.runner(registers, Instrumentation::Spans)?;
        let mut spans = Vec::new();
        let mut latency = Nanoseconds(u64::MAX);
        let runs = match workload {
            Workload::Inference(_) => RUNS,
            // Its steps are runs enough.
            Workload::Generation(_) => 1,
        };
        for _ in 0..runs {
            let start = model.engine.clock().now();
            run_once(&mut *runner, &workload, &operators)
                .map_err(|error| self.explained(&model.file, error))?;
            // The shortest, which cold caches and other work only make longer.
            latency = latency.min(model.engine.clock().now() - start);
            runner.take_spans(&mut spans);
        }
        let memory = memory::used().zip(before).map(|(now, before)| now.saturating_sub(before));
        let dimensions = model.bound.dimensions.iter().map(|dimension| dimension.name.clone());
        Ok(Trial { dimensions: dimensions.collect(), latency, memory, operators })
    }
}

/// Iterations of a turn, by the latencies of all sides.
pub fn iterations_per_turn(
    latencies: impl IntoIterator<Item = Nanoseconds>,
    length: Length,
) -> NonZeroU32 {
    let latencies: Vec<u64> = latencies.into_iter().map(|latency| latency.0.max(1)).collect();
    let shortest = latencies.iter().copied().min().unwrap_or(1);
    let long = LONG_TURN.0.div_ceil(shortest).min(u64::from(LONGEST_TURN)) as u32;
    let most = match length {
        Length::Iterations(count) => count / FEWEST_TURNS,
        Length::Duration(duration) => {
            // An iteration of each, with instrumentation and without.
            let all = 2 * latencies.iter().map(|&latency| u128::from(latency)).sum::<u128>();
            let rounds = duration.as_nanos() / all.max(1);
            (rounds / u128::from(FEWEST_TURNS)).min(u128::from(LONGEST_TURN)) as u32
        }
    };
    // A launch that is too short for ten turns has turns of one iteration.
    NonZeroU32::new(long.min(most)).unwrap_or(NonZeroU32::MIN)
}

/// Checks that models fit into the memory together, as far as the system says.
///
/// # Errors
///
/// If they do not.
pub fn check_memory(trials: &[Trial]) -> Result<(), RecordError> {
    let needed = trials.iter().map(|trial| trial.memory);
    // If one is unknown, so is the sum: then nothing is refused.
    let needed = needed.reduce(|sum, more| sum?.checked_add(more?)).flatten();
    match needed.zip(memory::limit()) {
        Some((bytes, limit)) if bytes > limit => Err(RecordError::MemoryOfBoth { bytes, limit }),
        _ => Ok(()),
    }
}

/// Checks that this many instances of a model fit into the memory, as far as the system says.
///
/// # Errors
///
/// If they do not fit.
pub fn check_memory_of_instances(trial: &Trial, instances: u32) -> Result<(), RecordError> {
    let needed = trial.memory.map(|memory| memory.saturating_mul(u64::from(instances)));
    match needed.zip(memory::limit()) {
        Some((bytes, limit)) if bytes > limit => {
            Err(RecordError::MemoryOfInstances { instances, bytes, limit })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn turns_are_long_and_not_too_few() {
        let milliseconds = |time: f64| Nanoseconds((time * 1e6) as u64);
        let of =
            |times: [f64; 2], length| iterations_per_turn(times.map(milliseconds), length).get();
        assert_eq!(of([4.0, 5.0], Length::Iterations(100)), 3);
        assert_eq!(of([200.0, 1.0], Length::Iterations(1000)), 10);
        assert_eq!(of([200.0, 300.0], Length::Iterations(100)), 1);
        assert_eq!(of([0.05, 0.05], Length::Iterations(100)), 10);
        assert_eq!(of([0.05, 0.05], Length::Duration(Duration::from_secs(1))), 100);
        // A second has ten rounds of both, plain and instrumented.
        assert_eq!(of([0.1, 20.0], Length::Duration(Duration::from_secs(1))), 2);
        assert_eq!(of([0.1, 900.0], Length::Duration(Duration::from_secs(1))), 1);
        assert_eq!(of([0.0, 0.0], Length::Iterations(1)), 1);
    }

    #[test]
    fn models_fit_together_or_not() {
        let trial = |memory| Trial {
            dimensions: Vec::new(),
            latency: Nanoseconds(1),
            memory,
            operators: Vec::new(),
        };
        assert!(check_memory(&[trial(Some(1)), trial(Some(1))]).is_ok());
        assert!(check_memory(&[trial(Some(u64::MAX)), trial(None)]).is_ok(), "unknown");
        assert!(check_memory_of_instances(&trial(None), 1000).is_ok(), "unknown");
        let Some(limit) = memory::limit() else { return };
        assert!(check_memory_of_instances(&trial(Some(limit / 2)), 2).is_ok());
        assert!(check_memory_of_instances(&trial(Some(limit / 2 + 1)), 2).is_err());
        let error = check_memory(&[trial(Some(limit)), trial(Some(1))]).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("\nhint: --interleave launches runs each in a process of its own")
        );
    }
}
