//! How many iterations a launch has where nobody says so: about half a second of them.

use onnxray_format::Nanoseconds;
use onnxray_recorder::{AS_MEASURED, Length, Schedule};
use std::num::NonZeroU32;

/// Duration of a launch's iterations: half of it profiled, half unprofiled.
const LAUNCH: Nanoseconds = Nanoseconds(500_000_000);
/// Iterations of each kind, at least.
pub(crate) const FEWEST: u64 = 5;
/// Fewest and most profiled iterations.
const ITERATIONS: [u64; 2] = [FEWEST, 1000];
/// Duration of the warm-up.
const WARMUP: Nanoseconds = Nanoseconds(50_000_000);
/// Fewest and most warm-up iterations.
const WARMUPS: [u64; 2] = [2, 10];

/// A launch that is long enough for its median, and short enough for many rounds.
pub(crate) fn schedule(latency: Nanoseconds, iterations: Option<u32>) -> Schedule {
    let fill = |time: Nanoseconds, [fewest, most]: [u64; 2]| {
        // A clock of low resolution may measure 0.
        (time.0 / latency.0.max(1)).clamp(fewest, most) as u32
    };
    let measured = iterations.unwrap_or(fill(Nanoseconds(LAUNCH.0 / 2), ITERATIONS));
    Schedule {
        warmup: fill(WARMUP, WARMUPS),
        length: Length::Iterations(measured),
        unprofiled: AS_MEASURED,
        turn: NonZeroU32::MIN,
    }
}

/// True if [`schedule`] could have made it, for a model of any speed.
pub(crate) fn is_asked_for(found: &Schedule, iterations: Option<u32>) -> bool {
    let Length::Iterations(measured) = found.length else { return false };
    let within = |count: u32, [fewest, most]: [u64; 2]| (fewest..=most).contains(&count.into());
    let is_usual = iterations.map_or(within(measured, ITERATIONS), |asked| asked == measured);
    let others = (found.unprofiled, found.turn);
    is_usual && within(found.warmup, WARMUPS) && others == (AS_MEASURED, NonZeroU32::MIN)
}
