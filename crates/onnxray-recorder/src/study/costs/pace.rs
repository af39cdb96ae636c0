//! Calls at a pace: a schedule that does not wait for answers, as that of a program whose users know
//! nothing of each other.

use crate::clock::Clock;
use crate::engine::Runner;
use crate::error::RecordError;
use crate::launch::{conditions::throttled, run_once};
use crate::workload::Workload;
use onnxray_format::{Idle, Nanoseconds, Pace};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// No schedule has more calls: what a recording keeps of them stays small.
const MOST_CALLS: usize = 10_000;
/// A session is left alone for this long.
const ALONE: Nanoseconds = Nanoseconds(1_000_000_000);

/// Which calls there are in each process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PaceSpec {
    /// Calls per second, each above 0; `None`: each call follows the answer before.
    pub rates: Vec<Option<f64>>,
    /// Gaps are random rather than equal.
    pub is_poisson: bool,
    /// How long calls go on at each rate.
    pub duration: Duration,
    /// Whether the session is left alone before.
    pub rests: bool,
}

impl PaceSpec {
    /// How long a process is left alone, and calls the model, at the least.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(ALONE.0) + self.duration * self.rates.len() as u32
    }
}

/// Leaves the process alone.
pub(super) fn alone(clock: &dyn Clock) -> Idle {
    let (begun, cpu_begun) = (clock.now(), clock.cpu_time());
    clock.sleep_until(begun + ALONE);
    let cpu_time = clock.cpu_time_since(cpu_begun);
    Idle { duration: clock.now() - begun, cpu_time }
}

/// Runs at each rate in turn. `number` is the process's own: no two have the same random gaps, but
/// for the processes of two models of one turn.
pub(super) fn at_paces<'a>(
    runner: &'a mut dyn Runner,
    workload: &'a Workload,
    clock: &'a dyn Clock,
    spec: &'a PaceSpec,
    number: u32,
) -> impl Iterator<Item = Result<Pace, RecordError>> + 'a {
    let duration = Nanoseconds(u64::try_from(spec.duration.as_nanos()).unwrap_or(u64::MAX / 2));
    let mut call = move || run_once(runner, workload, &[]);
    let rates = spec.rates.iter().zip(1u64..);
    rates.map(move |(&rate, place)| {
        let mut random = spec
            .is_poisson
            .then(|| SplitMix64::seed_from_u64(u64::from(number).wrapping_mul(1_000_003) + place));
        at_pace(&mut call, clock, rate, random.as_mut(), duration)
    })
}

fn at_pace(
    call: &mut dyn FnMut() -> Result<(), RecordError>,
    clock: &dyn Clock,
    rate: Option<f64>,
    random: Option<&mut SplitMix64>,
    duration: Nanoseconds,
) -> Result<Pace, RecordError> {
    let is_poisson = random.is_some() && rate.is_some();
    let mut pace = Pace { rate, is_poisson, ..Pace::default() };
    let mut schedule = rate.map(|rate| Schedule { rate, random, calls: 0, due: 0.0 });
    let stopped = throttled();
    let (start, cpu_start) = (clock.now(), clock.cpu_time());
    let passed = || clock.now() - start;
    let mut due = Nanoseconds(0);
    while due < duration && pace.due.len() < MOST_CALLS {
        clock.sleep_until(start + due);
        let begun = passed();
        // Also where the queue never ends.
        if begun >= duration {
            break;
        }
        call()?;
        let ended = passed();
        // Without a schedule, a call is due when it begins.
        pace.due.push(if schedule.is_some() { due } else { begun });
        pace.begun.push(begun);
        pace.ended.push(ended);
        due = match &mut schedule {
            Some(schedule) => {
                schedule.advance();
                Nanoseconds(schedule.due as u64)
            }
            None => ended,
        };
    }
    let is_full = pace.due.len() == MOST_CALLS;
    if let Some(schedule) = schedule.as_mut().filter(|_| !is_full) {
        // What was due since, and waits for an answer.
        while Nanoseconds(schedule.due as u64) < duration {
            pace.unserved += 1;
            schedule.advance();
        }
    }
    // To the schedule's end: threads may be busy between two calls.
    if !is_full {
        clock.sleep_until(start + duration);
    }
    pace.duration = passed();
    pace.cpu_time = clock.cpu_time_since(cpu_start);
    pace.throttled = throttled().zip(stopped).map(|(end, start)| end.saturating_sub(start));
    Ok(pace)
}

/// When calls are due, in nanoseconds since the schedule's start.
struct Schedule<'a> {
    rate: f64,
    random: Option<&'a mut SplitMix64>,
    calls: u64,
    due: f64,
}

impl Schedule<'_> {
    /// Goes to the next call.
    fn advance(&mut self) {
        self.calls += 1;
        let mean = 1e9 / self.rate;
        self.due = match &mut self.random {
            // The inverse of the exponential distribution's function, of a number above 0 and up to 1.
            Some(random) => {
                let share = ((random.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
                self.due - mean * share.ln()
            }
            // Not a sum, whose rounding would add up.
            None => self.calls as f64 * 1e9 / self.rate,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SetClock;

    /// Calls of which each takes what the list says, over and over.
    fn served(services: &[u64], rate: Option<f64>, seed: Option<u64>, duration: u64) -> Pace {
        let clock = SetClock::default();
        let mut calls = 0;
        let mut call = || {
            clock.0.set(clock.0.get() + services[calls % services.len()]);
            calls += 1;
            Ok(())
        };
        let mut random = seed.map(SplitMix64::seed_from_u64);
        at_pace(&mut call, &clock, rate, random.as_mut(), Nanoseconds(duration)).unwrap()
    }

    /// Lindley's recursion (1952, "The theory of queues with a single server"): a call waits for what
    /// the one before it waited and took, less the gap between the two.
    #[test]
    fn latencies_are_those_of_a_queue() {
        let mut services = vec![3_000_000; 99];
        services.push(30_000_000);
        for (rate, seed) in [(250.0, None), (100.0, Some(5)), (320.0, Some(6))] {
            let pace = served(&services, Some(rate), seed, 3_000_000_000);
            let mut wait = 0;
            for call in 0..pace.due.len() {
                if call > 0 {
                    let gap = pace.due[call].0 - pace.due[call - 1].0;
                    wait = (wait + services[(call - 1) % 100]).saturating_sub(gap);
                }
                let latency = pace.ended[call].0 - pace.due[call].0;
                assert_eq!(latency, wait + services[call % 100], "call {call} at {rate}");
            }
            assert!(pace.is_whole() && pace.due.len() > 250 && pace.is_poisson == seed.is_some());
        }
    }

    #[test]
    fn calls_come_as_often_as_asked() {
        let even = served(&[1], Some(20.0), None, 5_000_000_000);
        assert_eq!((even.due.len(), even.due[1], even.unserved), (100, Nanoseconds(50_000_000), 0));
        assert_eq!(even.duration, Nanoseconds(5_000_000_000), "the last gap belongs to it");
        // Of a Poisson process with a mean of 9,000: within four standard deviations.
        let random = served(&[1], Some(1000.0), Some(1), 9_000_000_000);
        assert!((8_620..9_380).contains(&random.due.len()), "{}", random.due.len());
        // Exponential gaps scatter as much as they are long.
        let gaps: Vec<f64> =
            random.due.windows(2).map(|pair| (pair[1] - pair[0]).0 as f64).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let squares = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>();
        let deviation = (squares / gaps.len() as f64).sqrt();
        assert!((deviation / mean - 1.0).abs() < 0.05, "{deviation} {mean}");
    }

    /// 412 calls a second, of which 230 can be served.
    #[test]
    fn a_rate_beyond_the_machine_ends_in_time() {
        let pace = served(&[4_347_826], Some(412.0), None, 2_000_000_000);
        assert_eq!(pace.due.len(), 461);
        assert_eq!(pace.due.len() as u64 + pace.unserved, 824);
        assert!(pace.duration.0 < 2_010_000_000, "{:?}", pace.duration);
        let closed = served(&[4_000_000], None, None, 2_000_000_000);
        assert_eq!((closed.due.len(), closed.unserved), (500, 0));
        assert_eq!(closed.due, closed.begun);
    }

    #[test]
    fn there_are_no_more_calls_than_a_recording_has_room_for() {
        let pace = served(&[1], Some(1e6), None, 10_000_000_000);
        assert_eq!((pace.due.len(), pace.unserved), (MOST_CALLS, 0));
        assert!(pace.duration.0 < 11_000_000, "it ends with the last call");
    }

    #[test]
    fn a_session_is_left_alone() {
        let clock = SetClock::default();
        assert_eq!(alone(&clock).duration, ALONE);
    }
}
