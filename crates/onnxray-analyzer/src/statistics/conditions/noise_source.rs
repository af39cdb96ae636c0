//! During which iterations something happened, and how much of it.

use crate::statistics::IterationSummary;
use onnxray_format::{Conditions, Counts, Nanoseconds, Slices};

/// Kinds of interference with a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoiseSource {
    /// Other programs on the cores that the launch might use, or else on others.
    Load,
    /// A hypervisor that withholds time.
    Steal,
    /// The limit of a container.
    Throttling,
    /// A lower clock frequency.
    Frequency,
    /// Moves to another core.
    Migrations,
    /// Page faults.
    PageFaults,
    /// Involuntary context switches.
    Switches,
}

impl NoiseSource {
    /// All of them.
    pub const ALL: [NoiseSource; 7] = [
        NoiseSource::Load,
        NoiseSource::Steal,
        NoiseSource::Throttling,
        NoiseSource::Frequency,
        NoiseSource::Migrations,
        NoiseSource::PageFaults,
        NoiseSource::Switches,
    ];

    /// True if it is counted per iteration; other sources are sampled in slices.
    pub(super) fn is_counted(self) -> bool {
        matches!(self, NoiseSource::Migrations | NoiseSource::PageFaults | NoiseSource::Switches)
    }

    /// Less of it is noise of the readings: times of cores are counted in ticks of 10 ms in
    /// tenths of a second.
    fn smallest(self) -> f64 {
        match self {
            NoiseSource::Load => 0.25,
            NoiseSource::Steal => 0.1,
            NoiseSource::Throttling => 0.01,
            NoiseSource::Frequency => 0.02,
            NoiseSource::Migrations | NoiseSource::PageFaults | NoiseSource::Switches => 1.0,
        }
    }

    /// Amount per slice, in cores or as a share of the frequency; `None` if unknown, or if it is
    /// counted per iteration.
    pub(super) fn of_slices(self, slices: &Slices, load_of: LoadOf) -> Option<Vec<f64>> {
        let milliseconds = |column: &Option<Vec<u32>>| {
            let column = column.as_ref()?;
            Some(rates(slices, column.iter().map(|&time| time.into())))
        };
        match self {
            NoiseSource::Load => match load_of {
                LoadOf::OwnCores => milliseconds(&slices.others_ms),
                LoadOf::OtherCores => milliseconds(&slices.elsewhere_ms),
            },
            NoiseSource::Steal => milliseconds(&slices.steal_ms),
            NoiseSource::Throttling => {
                let microseconds = slices.throttled_us.as_ref()?;
                Some(rates(slices, microseconds.iter().map(|&time| time as f64 / 1e3)))
            }
            NoiseSource::Frequency => {
                let column = slices.frequency_khz.as_ref()?;
                // A drop below this launch's own highest reading: launches are not compared with
                // each other.
                let highest = f64::from(*column.iter().max().filter(|&&highest| highest > 0)?);
                Some(column.iter().map(|&khz| 1.0 - f64::from(khz) / highest).collect())
            }
            NoiseSource::Migrations | NoiseSource::PageFaults | NoiseSource::Switches => None,
        }
    }

    /// Amount per iteration of a launch; `None` if unknown.
    pub(super) fn of_iterations(
        self,
        conditions: &Conditions,
        iterations: &[&IterationSummary],
        load_of: LoadOf,
    ) -> Option<Vec<f64>> {
        let count = |counts: &[&Option<Counts>]| -> Option<Vec<f64>> {
            let counts: Vec<&Counts> =
                counts.iter().map(|counts| counts.as_ref()).collect::<Option<_>>()?;
            let of = |iteration: &&IterationSummary| {
                counts.iter().map(|counts| f64::from(counts.of(iteration.index))).sum()
            };
            Some(iterations.iter().map(of).collect())
        };
        match self {
            NoiseSource::Migrations => count(&[&conditions.migrations]),
            NoiseSource::PageFaults => count(&[&conditions.minor_faults, &conditions.major_faults]),
            NoiseSource::Switches => count(&[&conditions.involuntary_switches]),
            NoiseSource::Load
            | NoiseSource::Steal
            | NoiseSource::Throttling
            | NoiseSource::Frequency => {
                let slices = conditions.slices.as_ref()?;
                let amounts = self.of_slices(slices, load_of)?;
                let spans: Vec<(Nanoseconds, Nanoseconds)> = slices.spans().collect();
                let of = |iteration: &&IterationSummary| mean_during(iteration, &spans, &amounts);
                Some(iterations.iter().map(of).collect())
            }
        }
    }

    /// True where there is more than halfway from the least to the most, so that a little of it
    /// throughout is not a phase; of counts, where there is more than the least.
    pub(super) fn affected(self, amounts: &[f64]) -> Vec<bool> {
        let least = amounts.iter().copied().fold(f64::INFINITY, f64::min);
        let most = amounts.iter().copied().fold(0.0, f64::max);
        let counted = self.is_counted();
        let limit = if counted { least } else { (least + most) / 2.0 };
        amounts
            .iter()
            .map(|&amount| match most - least >= self.smallest() {
                true => amount > limit,
                // It does not change: all iterations have it, or none.
                false => least >= self.smallest() && !counted,
            })
            .collect()
    }
}

impl NoiseSource {
    /// True if iterations that are not affected had more of it than noise of the readings.
    pub(super) fn is_everywhere(self, amounts: &[f64], affected: &[bool]) -> bool {
        let others = amounts.iter().zip(affected).filter(|&(_, &is)| !is);
        let (sum, count) = others.fold((0.0, 0.0), |(sum, count), (of, _)| (sum + of, count + 1.0));
        // Counts are held against their least, so that none is without.
        !self.is_counted() && count > 0.0 && sum / count >= self.smallest()
    }
}

/// Cores whose load is reported, the same ones for all launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadOf {
    /// Those that the launches might use.
    OwnCores,
    /// All others, where there was none on the launches' own.
    OtherCores,
}

impl LoadOf {
    pub(super) fn of<'a>(launches: impl IntoIterator<Item = &'a Slices>) -> LoadOf {
        let launches: Vec<&Slices> = launches.into_iter().collect();
        let least = NoiseSource::Load.smallest();
        let is_loaded = |slices: &&Slices| {
            let own = NoiseSource::Load.of_slices(slices, LoadOf::OwnCores);
            // What is unknown may be load: then the launch's own cores are the ones to look at.
            own.is_none_or(|own| own.iter().any(|&rate| rate >= least))
        };
        let is_known = |slices: &&Slices| slices.elsewhere_ms.is_some();
        match launches.iter().all(is_known) && !launches.iter().any(is_loaded) {
            true => LoadOf::OtherCores,
            false => LoadOf::OwnCores,
        }
    }
}

/// Milliseconds / length of each slice; 0 for a slice without length.
fn rates(slices: &Slices, milliseconds: impl Iterator<Item = f64>) -> Vec<f64> {
    let lengths = slices.spans().map(|(from, to)| (to - from).milliseconds());
    let rate = |(time, length): (f64, f64)| if length > 0.0 { time / length } else { 0.0 };
    milliseconds.zip(lengths).map(rate).collect()
}

/// Mean over the slices that an iteration touches, weighted by the time it shares with each.
fn mean_during(
    iteration: &IterationSummary,
    spans: &[(Nanoseconds, Nanoseconds)],
    amounts: &[f64],
) -> f64 {
    let (from, to) = (iteration.start, iteration.start + iteration.latency);
    // Slices follow each other, so their ends are in order.
    let first = spans.partition_point(|&(_, end)| end <= from);
    let touched = spans.iter().zip(amounts).skip(first).take_while(|((start, _), _)| *start < to);
    let (mut sum, mut time) = (0.0, 0.0);
    for (&(start, end), amount) in touched {
        let shared = end.min(to).saturating_sub(start.max(from)).0 as f64;
        sum += amount * shared;
        time += shared;
    }
    if time > 0.0 { sum / time } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Iteration, IterationKind};

    fn iteration(start: u64, latency: u64) -> IterationSummary {
        IterationSummary::of_time(
            0,
            0,
            Iteration {
                index: 0,
                kind: IterationKind::Measured,
                start: Nanoseconds(start),
                duration: Nanoseconds(latency),
                step: None,
            },
        )
    }

    #[test]
    fn an_iteration_has_what_its_slices_have() {
        let spans =
            [(0, 100), (100, 200), (200, 300)].map(|(a, b)| (Nanoseconds(a), Nanoseconds(b)));
        let mean =
            |start, latency| mean_during(&iteration(start, latency), &spans, &[0.0, 1.0, 0.5]);
        assert_eq!(mean(10, 50), 0.0);
        assert_eq!(mean(100, 100), 1.0);
        assert_eq!(mean(50, 100), 0.5);
        assert_eq!(mean(150, 100), 0.75);
        assert_eq!(mean(290, 100), 0.5, "the last slice ends within it");
        assert_eq!(mean(300, 10), 0.0);
    }

    #[test]
    fn a_phase_is_what_stands_out() {
        let load = |amounts: &[f64]| NoiseSource::Load.affected(amounts);
        assert_eq!(load(&[0.0, 1.0, 0.9, 0.1]), [false, true, true, false]);
        assert_eq!(load(&[0.0, 0.1, 0.2, 0.0]), [false; 4], "noise of the readings");
        assert_eq!(load(&[0.9, 1.0, 1.0, 0.9]), [true; 4], "throughout");
        let switches = |amounts: &[f64]| NoiseSource::Switches.affected(amounts);
        assert_eq!(switches(&[0.0, 1.0, 9.0]), [false, true, true]);
        assert_eq!(switches(&[12.0, 12.0, 13.0]), [false, false, true]);
        assert_eq!(switches(&[12.0, 12.0]), [false; 2], "as always");
    }

    #[test]
    fn load_elsewhere_counts_where_there_is_none_on_ones_own_cores() {
        let slices = |others: [u32; 2]| Slices {
            start: Nanoseconds(0),
            ends: vec![Nanoseconds(100_000_000), Nanoseconds(200_000_000)],
            others_ms: Some(others.to_vec()),
            elsewhere_ms: Some(vec![150, 100]),
            frequency_khz: Some(vec![2_000_000, 1_000_000]),
            ..Slices::default()
        };
        let load = |launches: &[[u32; 2]]| -> Vec<Option<Vec<f64>>> {
            let launches: Vec<Slices> = launches.iter().map(|&others| slices(others)).collect();
            let load_of = LoadOf::of(&launches);
            launches.iter().map(|slices| NoiseSource::Load.of_slices(slices, load_of)).collect()
        };
        assert_eq!(load(&[[90, 0]]), [Some(vec![0.9, 0.0])]);
        assert_eq!(load(&[[10, 0]]), [Some(vec![1.5, 1.0])]);
        // In all launches alike.
        assert_eq!(load(&[[10, 0], [90, 0]]), [Some(vec![0.1, 0.0]), Some(vec![0.9, 0.0])]);
        let of = |source: NoiseSource| source.of_slices(&slices([0, 0]), LoadOf::OwnCores);
        assert_eq!(of(NoiseSource::Frequency), Some(vec![0.0, 0.5]));
        assert_eq!(of(NoiseSource::Steal), None);
    }
}
