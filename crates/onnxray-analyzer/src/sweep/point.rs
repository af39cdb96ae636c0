//! A configuration with its latency and throughput, or with why it has none.

use crate::profiles::{Configuration, Profile};
use crate::statistics::{Interval, Measured};
use crate::units::Share;
use std::cmp::Ordering;

/// A configuration that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Profile with all figures.
    pub profile: Profile,
    /// Position of its model in [`Sweep::models`](super::Sweep::models).
    pub model: usize,
    /// Milliseconds of an iteration, at the percentile of the sweep.
    pub latency: Measured,
    /// Per second, of all instances, of what [`Candidates`](super::Candidates) of its
    /// model count.
    pub throughput: Measured,
    /// Milliseconds of CPU time for one of these.
    pub cpu_time: Option<Measured>,
}

/// A configuration that was not measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipped {
    /// File name of the model.
    pub model: String,
    /// As far as it was known; 0 instances if they were not.
    pub configuration: Configuration,
    /// Why, in a few words.
    pub reason: String,
}

/// Unit of throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// Inputs: batch size times iterations.
    Items,
    /// Iterations, where a batch size is unknown.
    Iterations,
}

impl Counted {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Counted::Items => "items",
            Counted::Iterations => "iterations",
        }
    }

    /// Per second, of a profile. `None` if its batch size is unknown and items count.
    pub(super) fn throughput(self, profile: &Profile) -> Option<Measured> {
        match self {
            Counted::Items => profile.items_per_second.map(sound),
            Counted::Iterations => Some(sound(profile.iterations_per_second)),
        }
    }

    /// Milliseconds of CPU time for one of them.
    pub(super) fn cpu_time(self, profile: &Profile) -> Option<Measured> {
        let Measured { value, interval } = sound(profile.costs.as_ref()?.cpu_time_ms?);
        let each = match self {
            Counted::Items => profile.configuration.batch_size? as f64,
            Counted::Iterations => 1.0,
        };
        let interval =
            interval.map(|Interval { low, high }| Interval { low: low / each, high: high / each });
        Some(Measured { value: value / each, interval })
    }
}

impl Point {
    /// Why its CPU time, memory or start is unknown, in a few words; `None` if all are known.
    pub fn costs_unknown(&self) -> Option<String> {
        let of_instances = self.profile.configuration.instances > 1;
        let Some(costs) = &self.profile.costs else {
            let reason = match of_instances {
                true => "instances run side by side",
                false => "not measured",
            };
            return Some(reason.to_string());
        };
        let figures = [costs.cpu_time_ms, costs.memory_peak_bytes, costs.start_ms];
        if figures.iter().all(Option::is_some) {
            return None;
        }
        let reason = costs.unknown.clone();
        Some(reason.unwrap_or_else(|| "the system does not tell".to_string()))
    }

    /// The larger half-width of the intervals of its latency and its throughput, as far as they
    /// reach above these, relative to them. `None` if one of them is unknown.
    pub fn precision(&self) -> Option<Share> {
        let latency = half_width(self.latency)?;
        Some(Share(latency.max(half_width(self.throughput)?)))
    }

    /// True if both intervals are known.
    pub fn has_intervals(&self) -> bool {
        self.latency.interval.is_some() && self.throughput.interval.is_some()
    }
}

fn half_width(measured: Measured) -> Option<f64> {
    // The lower end is never below 0, and may be less far away.
    let Interval { high, .. } = measured.interval?;
    (measured.value > 0.0).then(|| (high - measured.value) / measured.value)
}

/// Figures with an interval first: what has none proves nothing.
pub(super) fn known_first(a: Measured, b: Measured) -> Ordering {
    a.interval.is_none().cmp(&b.interval.is_none())
}

/// Drops an interval that is not one: the file may have been edited.
pub(super) fn sound(measured: Measured) -> Measured {
    let is_sound = |i: &Interval| i.low.is_finite() && i.high.is_finite() && i.low <= i.high;
    Measured { interval: measured.interval.filter(is_sound), ..measured }
}
