//! What one inference costs beside its latency: CPU time, memory, start.

use super::Interval;
use super::spread::distribution::median;
use crate::probability::{NORMAL_975, Student};
use crate::units::Milliseconds;
use onnxray_format::{Costs, InferenceBlocks, Nanoseconds, Start};

const CONFIDENCE: f64 = 0.95;

/// Costs of an inference, over processes that only load the model and run it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostSummary {
    /// Processes that came to their end.
    pub starts: usize,
    /// Why there are none, or fewer than planned.
    pub unknown: Option<String>,
    /// CPU time of an inference in milliseconds, of all threads.
    pub cpu_time: Option<CostFigure>,
    /// Cores that were busy with it: CPU time over time.
    pub busy_cores: Option<CostFigure>,
    /// Milliseconds to load the engine's library.
    pub library: Option<CostFigure>,
    /// Milliseconds to make the model ready, from its file.
    pub session: Option<CostFigure>,
    /// Milliseconds of the first inference.
    pub first: Option<CostFigure>,
    /// Resident bytes at the most, beyond those before the engine was loaded.
    pub peak: Option<CostFigure>,
    /// Resident bytes at the end, beyond those before the engine was loaded.
    pub retained: Option<CostFigure>,
    /// Bytes of the model's file and its weights.
    pub file_bytes: Option<u64>,
    /// Growth of resident memory in bytes per inference.
    pub growth: Option<Growth>,
}

/// A mean over processes.
#[derive(Clone, Debug, PartialEq)]
pub struct CostFigure {
    /// Of each process.
    pub values: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Of the mean; `None` of a single process.
    pub interval: Option<Interval>,
}

/// A robust slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Bytes per inference.
    pub slope: f64,
    /// Of the slope.
    pub interval: Interval,
}

impl CostSummary {
    /// `None` if the trace does not tell of costs.
    pub(crate) fn of(costs: &Costs) -> CostSummary {
        let starts = &costs.starts;
        let figure = |of: &dyn Fn(&Start) -> Option<f64>| CostFigure::of(starts.iter().map(of));
        let time =
            |of: fn(&Start) -> Nanoseconds| figure(&|start| Some(Milliseconds::from(of(start)).0));
        let settled: Vec<Settled> = starts.iter().map(|start| Settled::of(&start.blocks)).collect();
        let of_settled = |of: fn(&Settled) -> Option<f64>| CostFigure::of(settled.iter().map(of));
        CostSummary {
            starts: starts.len(),
            unknown: costs.unknown.clone(),
            cpu_time: of_settled(|loops| Some(loops.cpu_time? / loops.inferences)),
            busy_cores: of_settled(|loops| Some(loops.cpu_time? / loops.duration)),
            library: time(|start| start.library),
            session: time(|start| start.session),
            first: time(|start| start.first),
            peak: figure(&|start| beyond(start.memory.peak()?, start)),
            retained: figure(&|start| beyond(start.memory.end?, start)),
            file_bytes: starts.first().and_then(|start| start.file_bytes),
            growth: Growth::of(&settled),
        }
    }

    /// Resident bytes at the most that are not those of the model's file.
    pub fn beside_model(&self) -> Option<f64> {
        Some(self.peak.as_ref()?.mean - self.file_bytes? as f64).filter(|&bytes| bytes >= 0.0)
    }
}

/// Bytes beyond those before the engine's library was loaded, which are the program's own.
fn beyond(bytes: u64, start: &Start) -> Option<f64> {
    Some(bytes.saturating_sub(start.memory.before?) as f64)
}

impl CostFigure {
    /// `None` unless all values are known: a mean over fewer would be about other processes.
    fn of(values: impl Iterator<Item = Option<f64>>) -> Option<CostFigure> {
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let interval = Student::of(&values, CONFIDENCE, 1.0).map(|found| Interval {
            low: found.mean - found.half_width,
            high: found.mean + found.half_width,
        });
        Some(CostFigure { values, mean, interval })
    }
}

/// The second half of a process's inferences: the first ones fill caches and arenas.
struct Settled {
    inferences: f64,
    /// Milliseconds.
    duration: f64,
    /// Milliseconds.
    cpu_time: Option<f64>,
    /// Inferences until the end of each block, and resident bytes there.
    resident: Vec<(f64, f64)>,
}

impl Settled {
    fn of(blocks: &InferenceBlocks) -> Settled {
        let all: u64 = blocks.inferences.iter().copied().map(u64::from).sum();
        let mut ends = 0;
        let begins = blocks.inferences.iter().map(|&count| {
            ends += u64::from(count);
            ends - u64::from(count)
        });
        // The first block that begins in the second half; the last one where none does.
        let early = begins.take_while(|begin| 2 * begin < all).count();
        let first = early.min(blocks.inferences.len().saturating_sub(1));
        let sum = |times: &[Nanoseconds]| -> f64 {
            times[first..].iter().map(|&time| Milliseconds::from(time).0).sum()
        };
        let counts = &blocks.inferences;
        let done = |end: usize| counts[..=end].iter().map(|&count| f64::from(count)).sum::<f64>();
        let resident = blocks.resident.as_deref().unwrap_or_default();
        Settled {
            inferences: counts[first..].iter().map(|&count| f64::from(count)).sum(),
            duration: sum(&blocks.durations),
            cpu_time: blocks.cpu_times.as_deref().map(sum).filter(|_| !counts.is_empty()),
            resident: (first..resident.len())
                .map(|end| (done(end), resident[end] as f64))
                .collect(),
        }
    }
}

impl Growth {
    /// The median of the slopes between any two blocks of one process (Theil 1950; Sen 1968,
    /// "Estimates of the regression coefficient based on Kendall's tau"), with Sen's interval: the
    /// variance of Kendall's S is summed over processes, with its correction for equal values.
    /// `None` without two blocks.
    fn of(processes: &[Settled]) -> Option<Growth> {
        let mut slopes = Vec::new();
        let mut variance = 0.0;
        for Settled { resident, .. } in processes {
            for (index, (x, y)) in resident.iter().enumerate() {
                let later = resident[index + 1..].iter();
                slopes.extend(later.map(|(later_x, later_y)| (later_y - y) / (later_x - x)));
            }
            let bytes: Vec<f64> = resident.iter().map(|(_, bytes)| *bytes).collect();
            variance += variance_of_s(bytes);
        }
        let slope = median(&slopes)?;
        slopes.sort_by(f64::total_cmp);
        let (pairs, reach) = (slopes.len() as f64, NORMAL_975 * variance.sqrt());
        // Ranks from 1, outward to whole ones: the interval covers at least as often as it says.
        let low = (((pairs - reach) / 2.0).floor().max(1.0) as usize).min(slopes.len());
        let high = (((pairs + reach) / 2.0 + 1.0).ceil() as usize).clamp(1, slopes.len());
        Some(Growth { slope, interval: Interval { low: slopes[low - 1], high: slopes[high - 1] } })
    }
}

/// Of Kendall's S for one series (Kendall 1970, "Rank correlation methods", chapter 4).
fn variance_of_s(mut values: Vec<f64>) -> f64 {
    let of = |count: usize| {
        let count = count as f64;
        count * (count - 1.0) * (2.0 * count + 5.0) / 18.0
    };
    values.sort_by(f64::total_cmp);
    let ties: f64 = values.chunk_by(|a, b| a == b).map(|equal| of(equal.len())).sum();
    of(values.len()) - ties
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use onnxray_format::StartMemory;

    fn start(inferences: &[u32], cpu: &[u64], resident: &[u64]) -> Start {
        let durations = inferences.iter().map(|&count| Nanoseconds(u64::from(count) * 2_000_000));
        Start {
            session: Nanoseconds(50_000_000),
            file_bytes: Some(4000),
            memory: StartMemory {
                before: Some(1000),
                session_peak: Some(9000),
                first_peak: Some(11_000),
                loop_peak: Some(10_000),
                end: Some(8000),
                ..StartMemory::default()
            },
            blocks: InferenceBlocks {
                inferences: inferences.to_vec(),
                durations: durations.collect(),
                cpu_times: Some(cpu.iter().copied().map(Nanoseconds).collect()),
                resident: Some(resident.to_vec()),
            },
            ..Start::default()
        }
    }

    /// By hand: of 8 inferences the last 4 count, which is the last block.
    #[test]
    fn figures_are_means_over_the_second_half_of_each_process() {
        let one = start(&[1, 3, 4], &[9_000_000, 9_000_000, 4_000_000], &[5, 5, 5]);
        let other = start(&[4, 4], &[1_000_000, 12_000_000], &[5, 5]);
        let costs = Costs { starts: vec![one.clone(), other], unknown: None };
        let summary = CostSummary::of(&costs);
        let cpu = summary.cpu_time.clone().unwrap();
        assert_eq!((cpu.values.as_slice(), cpu.mean), (&[1.0, 3.0][..], 2.0));
        // t of one degree is 12.706, the standard error 1.
        let interval = cpu.interval.unwrap();
        assert!(
            (interval.low - (2.0 - 12.7062)).abs() < 1e-3 && (interval.high - 14.7062).abs() < 1e-3
        );
        assert_eq!(summary.busy_cores.clone().unwrap().values, [0.5, 1.5]);
        assert_eq!(summary.session.clone().unwrap().mean, 50.0);
        assert_eq!(summary.peak.clone().unwrap().mean, 10_000.0);
        assert_eq!(summary.retained.clone().unwrap().mean, 7000.0);
        assert_eq!(summary.beside_model(), Some(6000.0));
        let single = CostSummary::of(&Costs { starts: vec![one], unknown: None });
        assert_eq!(single.cpu_time.unwrap().interval, None, "of one process");
    }

    #[test]
    fn what_is_unknown_of_one_process_is_unknown() {
        let one = start(&[5, 5], &[1, 1], &[5, 5]);
        let mut other = one.clone();
        other.blocks.cpu_times = None;
        other.memory.before = None;
        let summary = CostSummary::of(&Costs { starts: vec![one, other], unknown: None });
        assert_eq!((summary.cpu_time, summary.busy_cores, summary.peak), (None, None, None));
        assert!(summary.session.is_some());
        let none = CostSummary::of(&Costs::default());
        assert_eq!((none.starts, none.cpu_time, none.growth), (0, None, None));
        let empty = Costs { starts: vec![Start::default()], unknown: None };
        assert_eq!(CostSummary::of(&empty).growth, None);
    }

    /// Sen's own example is in his paper's table; this one by hand: three points on a line but for
    /// one, whose slopes are 1, 1 and 1.
    #[test]
    fn a_line_has_its_slope() {
        let line = start(
            &[10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            &[1; 11],
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        );
        let growth = CostSummary::of(&Costs { starts: vec![line], unknown: None }).growth.unwrap();
        assert_eq!((growth.slope, growth.interval.low, growth.interval.high), (1.0, 1.0, 1.0));
    }

    /// Of 2,000 made-up recordings without growth, about 1 in 20 has an interval without 0.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = Generator::new(7);
        for truth in [0.0, 3.0] {
            let mut held = 0;
            for _ in 0..2000 {
                let processes: Vec<Settled> = (0..3)
                    .map(|_| Settled {
                        inferences: 12.0,
                        duration: 1.0,
                        cpu_time: None,
                        resident: (0..12)
                            .map(|x| (f64::from(x), truth * f64::from(x) + 5.0 * random.normal()))
                            .collect(),
                    })
                    .collect();
                let Interval { low, high } = Growth::of(&processes).unwrap().interval;
                held += u32::from(low <= truth && truth <= high);
            }
            assert!((1870..1980).contains(&held), "{held}");
        }
    }

    #[test]
    fn ties_take_variance_away() {
        // 5·4·15/18, and for two pairs of equal values 2·(2·1·9/18) less.
        assert_eq!(variance_of_s(vec![1.0, 2.0, 3.0, 4.0, 5.0]), 300.0 / 18.0);
        assert_eq!(variance_of_s(vec![1.0, 1.0, 2.0, 2.0, 3.0]), 300.0 / 18.0 - 2.0);
        assert_eq!(variance_of_s(vec![4.0; 9]), 0.0);
    }
}
