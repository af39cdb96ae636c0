//! Typical times of operators that are summed up, of the overhead, and of what ran side by side.

use super::change::{Judge, Work};
use crate::comparison::Recording;
use crate::comparison::timing::{Timing, Whole};
use crate::statistics::Timeline;
use crate::units::Milliseconds;

impl Judge<'_> {
    /// Typical time of some operators together, by side.
    pub(crate) fn times_of(&self, members: [&[u32]; 2]) -> [Option<Milliseconds>; 2] {
        let mut work = Work::default();
        let mut present = [false; 2];
        let sides = [0, 1].map(|side| {
            let own = members[side].iter().copied();
            let sum = self.measured[side].sum(own.clone());
            present[side] = sum.is_some() && self.tells_operators();
            if let Some(timeline) = &self.recordings[side].timeline {
                timeline.time_per_iteration(own, &mut work.times[side]);
            }
            Timing { typical: sum.map(|sum| self.measured[side].mean(sum)), ..Timing::default() }
        });
        self.draft(sides, present, &mut work).sides.map(|side| side.typical)
    }

    /// Typical framework overhead, less the profiling cost between events where it is known; `None`
    /// without times per iteration.
    pub(crate) fn overheads(&self) -> Option<[Milliseconds; 2]> {
        let is_latency = self.measured[0].whole_is == Whole::Latency;
        self.times_beyond(|recording, timeline| {
            let model = &recording.summary.model;
            let cost = model.profiling_cost().filter(|_| is_latency);
            let between = cost.map_or(0.0, |cost| cost.between * cost.outermost) as u64;
            let gaps = timeline.overhead.as_ref()?.iter();
            // What profiling costs inside of events is time of no operator.
            let inside = timeline.profiling.iter().copied().chain(std::iter::repeat(0));
            let own = gaps.zip(inside).map(|(gap, inside)| match is_latency {
                true => gap.saturating_sub(between),
                false => gap + inside,
            });
            Some(own.collect())
        })
    }

    /// Whether what profiling costs is in the time that no operator covers: it is taken out of
    /// operators, and the whole has it.
    pub(crate) fn profiles_outside(&self) -> bool {
        let is_calibrated = |recording: &&Recording| recording.summary.model.is_calibrated;
        self.measured[0].whole_is != Whole::Latency && self.recordings.iter().any(is_calibrated)
    }

    /// Typical excess of concurrent operators over the time that they cover; `None` without times
    /// per iteration.
    pub(crate) fn side_by_side(&self) -> Option<[Milliseconds; 2]> {
        self.times_beyond(|_, timeline| Some(timeline.concurrent.clone()))
    }

    fn times_beyond(
        &self,
        of: impl Fn(&Recording, &Timeline) -> Option<Vec<u64>>,
    ) -> Option<[Milliseconds; 2]> {
        let times = |side: usize| {
            let timeline = self.recordings[side].timeline.as_ref()?;
            let times = of(self.recordings[side], timeline)?;
            // Cells index iterations: a series that the trace does not have, or has in part, cannot
            // be located.
            (times.len() == timeline.latencies.len()).then_some(times)
        };
        let mut work = Work { times: [times(0)?, times(1)?], ..Work::default() };
        let [a, b] = self.draft(Default::default(), [true; 2], &mut work).sides;
        Some([a.typical?, b.typical?])
    }
}
