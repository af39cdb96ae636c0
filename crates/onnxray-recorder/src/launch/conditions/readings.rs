//! Readings of the machine now and then, between iterations, and what happened from one
//! to the next.
//!
//! However long a launch is, at most [`MOST`] readings are kept: when there are more,
//! every other one goes, and further ones come half as often.

use super::process::CoreTimes;
use onnxray_format::{Nanoseconds, Slices};

/// One snapshot. All counters are monotonic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reading {
    pub at: Nanoseconds,
    /// Times of the launch's cores, and of all others.
    pub times: Option<[CoreTimes; 2]>,
    /// Time of this process on cores.
    pub own_ms: Option<u64>,
    pub throttled_us: Option<u64>,
    pub frequency_khz: Option<u32>,
}

/// Times of cores are counted in ticks of 10 ms: fewer of them say little.
const SHORTEST: Nanoseconds = Nanoseconds(100_000_000);
/// A recording of 100 launches stays small.
const MOST: usize = 256;

/// In order of time, at most [`MOST`].
pub(super) struct Readings {
    readings: Vec<Reading>,
    apart: Nanoseconds,
}

impl Readings {
    pub(super) fn new() -> Readings {
        Readings { readings: Vec::new(), apart: SHORTEST }
    }

    pub(super) fn is_due(&self, now: Nanoseconds) -> bool {
        self.readings.last().is_none_or(|last| now - last.at >= self.apart)
    }

    pub(super) fn add(&mut self, reading: Reading) {
        if self.readings.len() >= MOST {
            let mut position = 0;
            // The first one stays: slices begin there.
            self.readings.retain(|_| {
                position += 1;
                position % 2 == 1
            });
            self.apart = self.apart + self.apart;
        }
        self.readings.push(reading);
    }

    /// `None` if there are no two readings.
    pub(super) fn slices(&self) -> Option<Slices> {
        let first = self.readings.first().filter(|_| self.readings.len() > 1)?;
        Some(Slices {
            start: first.at,
            ends: self.readings[1..].iter().map(|reading| reading.at).collect(),
            others_ms: self.others(),
            elsewhere_ms: self.grown(|reading| Some(reading.times?[1].busy_ms)),
            steal_ms: self.grown(|reading| Some(reading.times?[0].steal_ms)),
            throttled_us: self.grown(|reading| reading.throttled_us),
            frequency_khz: self.readings[1..].iter().map(|reading| reading.frequency_khz).collect(),
        })
    }

    /// CPU time that others used of the launch's cores, per slice. Both counters round, so that a
    /// slice may come out negative: the deficit is taken off the next ones.
    fn others(&self) -> Option<Vec<u32>> {
        let of = |reading: &Reading| {
            Some(i128::from(reading.times?[0].busy_ms) - i128::from(reading.own_ms?))
        };
        let mut told = of(self.readings.first()?)?;
        let mut slices = Vec::new();
        for reading in &self.readings[1..] {
            let now = of(reading)?;
            slices.push(u32::try_from((now - told).max(0)).ok()?);
            told = told.max(now);
        }
        Some(slices)
    }

    /// Growth of a counter in each slice.
    fn grown<T: TryFrom<u64>>(&self, of: impl Fn(&Reading) -> Option<u64>) -> Option<Vec<T>> {
        let pairs = self.readings.windows(2);
        // The time that cores waited for a disk may fall; a counter that does grew by nothing.
        let grown = pairs.map(|pair| Some(of(&pair[1])?.saturating_sub(of(&pair[0])?)));
        grown.map(|grown| T::try_from(grown?).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: u64, busy_ms: u64, own_ms: u64) -> Reading {
        let times = [
            CoreTimes { busy_ms, steal_ms: at / 10 },
            CoreTimes { busy_ms: 2 * busy_ms, steal_ms: 0 },
        ];
        Reading {
            at: Nanoseconds(at),
            times: Some(times),
            own_ms: Some(own_ms),
            throttled_us: Some(at),
            frequency_khz: None,
        }
    }

    fn readings(all: &[Reading]) -> Readings {
        let mut readings = Readings::new();
        all.iter().for_each(|&reading| readings.add(reading));
        readings
    }

    #[test]
    fn slices_hold_what_grew_meanwhile() {
        let all = [reading(100, 50, 10), reading(200, 150, 60), reading(500, 160, 70)];
        let slices = readings(&all).slices().unwrap();
        assert_eq!(
            (slices.start, slices.ends),
            (Nanoseconds(100), vec![Nanoseconds(200), Nanoseconds(500)])
        );
        assert_eq!(slices.others_ms, Some(vec![50, 0]));
        assert_eq!(slices.elsewhere_ms, Some(vec![200, 20]));
        assert_eq!(slices.steal_ms, Some(vec![10, 30]));
        assert_eq!(slices.throttled_us, Some(vec![100, 300]));
        assert_eq!(slices.frequency_khz, None);
        assert_eq!(readings(&all[..1]).slices(), None);
    }

    #[test]
    fn what_rounding_takes_it_gives_back() {
        // Own time is counted a tick early in the second, and is right in the third.
        let all =
            [reading(0, 0, 0), reading(1, 100, 110), reading(2, 210, 200), reading(3, 330, 290)];
        assert_eq!(readings(&all).slices().unwrap().others_ms, Some(vec![0, 10, 30]));
    }

    #[test]
    fn what_cannot_be_read_once_is_unknown() {
        let mut all = [reading(0, 0, 0), reading(1, 1, 1), reading(2, 2, 2)];
        all[1].own_ms = None;
        all[2].throttled_us = None;
        let slices = readings(&all).slices().unwrap();
        assert_eq!((slices.others_ms, slices.throttled_us), (None, None));
        assert!(slices.elsewhere_ms.is_some() && slices.steal_ms.is_some());
    }

    #[test]
    fn a_long_launch_has_no_more_readings() {
        let mut readings = Readings::new();
        let mut now = Nanoseconds(0);
        for _ in 0..1_000_000u32 {
            now += Nanoseconds(20_000_000);
            if readings.is_due(now) {
                readings.add(reading(now.0, now.0, 0));
            }
        }
        let slices = readings.slices().unwrap();
        assert!((MOST / 2..MOST).contains(&slices.ends.len()), "{}", slices.ends.len());
        let spans: Vec<u64> = slices.spans().map(|(from, to)| to.0 - from.0).collect();
        let (last, earlier) = spans.split_last().unwrap();
        assert!(earlier.iter().all(|&span| span == spans[0]) && *last <= spans[0], "{spans:?}");
        assert_eq!(slices.start, Nanoseconds(20_000_000));
    }
}
