//! What one inference costs beside its latency: CPU time, memory, start.

mod figure;
mod growth;
mod liveness;
mod pace;

pub use figure::CostFigure;
pub use growth::Growth;
pub use liveness::{AliveTensor, Liveness};
pub use pace::{PaceSummary, Percentile, departure, rate_number, rate_text};

use crate::statistics::steady::warmup::settled_by;
use crate::units::Milliseconds;
use onnxray_format::{Costs, InferenceBlocks, Nanoseconds, Start};
use std::iter;

/// Costs of an inference, over processes that only load the model and run it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostSummary {
    /// Processes that came to their end.
    pub starts: usize,
    /// Of these, those whose model's file the system had dropped from memory.
    pub cold_starts: usize,
    /// Why there are none, or fewer than planned, or why they have no mean.
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
    /// Inferences until the latency is settled, the first one included.
    pub until_settled: Option<CostFigure>,
    /// Resident bytes at the most, beyond those before the engine was loaded.
    pub peak: Option<CostFigure>,
    /// Resident bytes at the end, beyond those before the engine was loaded.
    pub retained: Option<CostFigure>,
    /// Bytes of the model's file and its weights.
    pub file_bytes: Option<u64>,
    /// Growth of resident memory in bytes per inference.
    pub growth: Option<Growth>,
    /// Cores that are busy while the session, which ran once, is left alone.
    pub idle_cores: Option<CostFigure>,
    /// Calls at a pace, in the order in which they were run.
    pub paces: Vec<PaceSummary>,
}

impl CostSummary {
    /// `None` if the trace does not tell of costs.
    pub(crate) fn of(costs: &Costs) -> CostSummary {
        let starts = &costs.starts;
        let figure = |of: &dyn Fn(&Start) -> Option<f64>| CostFigure::of(starts.iter().map(of));
        let time =
            |of: fn(&Start) -> Nanoseconds| figure(&|start| Some(Milliseconds::from(of(start)).0));
        let cold_starts = starts.iter().filter(|start| start.is_cold).count();
        let is_mixed = cold_starts > 0 && cold_starts < starts.len();
        // A mean of both is of neither.
        let loading = |of| time(of).filter(|_| !is_mixed);
        let mixed = is_mixed.then(|| {
            format!(
                "{cold_starts} of {} starts are of a cold file: their times have no mean",
                starts.len()
            )
        });
        let settled: Vec<Settled> = starts.iter().map(|start| Settled::of(&start.blocks)).collect();
        let of_settled = |of: fn(&Settled) -> Option<f64>| CostFigure::of(settled.iter().map(of));
        CostSummary {
            starts: starts.len(),
            cold_starts,
            unknown: costs.unknown.clone().or(mixed),
            cpu_time: of_settled(|loops| Some(loops.cpu_time? / loops.inferences)),
            busy_cores: of_settled(|loops| Some(loops.cpu_time? / loops.duration)),
            library: time(|start| start.library),
            session: loading(|start| start.session),
            first: loading(|start| start.first),
            until_settled: figure(&until_settled),
            peak: figure(&|start| beyond(start.memory.peak()?, start)),
            retained: figure(&|start| beyond(start.memory.end?, start)),
            file_bytes: starts.first().and_then(|start| start.file_bytes),
            growth: Growth::of(settled.iter().map(|loops| &loops.resident[..])),
            idle_cores: figure(&|start| {
                let idle = start.idle.as_ref()?;
                let share = idle.cpu_time?.0 as f64 / idle.duration.0 as f64;
                Some(share).filter(|share| share.is_finite())
            }),
            paces: PaceSummary::all(starts),
        }
    }

    /// Milliseconds from the library's loading to the end of the first inference.
    pub fn start(&self) -> Option<CostFigure> {
        let [library, session, first] =
            [&self.library, &self.session, &self.first].map(|part| Some(&part.as_ref()?.values));
        let parts = library?.iter().zip(session?).zip(first?);
        CostFigure::of(parts.map(|((library, session), first)| Some(library + session + first)))
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

/// Inferences before the latency is that of the second half, within its noise; `None` if it is not
/// by then.
fn until_settled(start: &Start) -> Option<f64> {
    let InferenceBlocks { inferences, durations, .. } = &start.blocks;
    let mut counts = vec![1.0];
    counts.extend(inferences.iter().copied().map(f64::from));
    let times = iter::once(start.first).chain(durations.iter().copied());
    let latencies: Vec<f64> =
        times.zip(&counts).map(|(time, count)| Milliseconds::from(time).0 / count).collect();
    settled_by(&latencies, latencies.len() / 2).map(|blocks| counts[..blocks].iter().sum())
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

#[cfg(test)]
mod tests {
    use super::*;
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
        // t of one degree is 12.706, the standard error 1; no CPU time is below 0.
        let interval = cpu.interval.unwrap();
        assert!(interval.low == 0.0 && (interval.high - 14.7062).abs() < 1e-3, "{interval:?}");
        assert_eq!(summary.busy_cores.clone().unwrap().values, [0.5, 1.5]);
        assert_eq!(summary.session.clone().unwrap().mean, 50.0);
        assert_eq!(summary.peak.clone().unwrap().mean, 10_000.0);
        assert_eq!(summary.retained.clone().unwrap().mean, 7000.0);
        assert_eq!(summary.beside_model(), Some(6000.0));
        let single = CostSummary::of(&Costs { starts: vec![one], unknown: None });
        assert_eq!(single.cpu_time.unwrap().interval, None, "of one process");
    }

    #[test]
    fn starts_of_a_cold_file_and_of_a_warm_one_have_no_mean() {
        let warm = start(&[5, 5], &[1, 1], &[5, 5]);
        let cold = Start { is_cold: true, ..warm.clone() };
        let of = |starts: [&Start; 2]| {
            let starts = starts.map(Start::clone).to_vec();
            CostSummary::of(&Costs { starts, unknown: None })
        };
        let mixed = of([&warm, &cold]);
        assert_eq!((mixed.cold_starts, &mixed.session, mixed.start()), (1, &None, None));
        assert!(mixed.cpu_time.is_some() && mixed.unknown.is_some());
        let all = of([&cold, &cold]);
        assert_eq!((all.cold_starts, all.start().unwrap().mean, all.unknown), (2, 50.0, None));
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

    /// Of latencies 1 + 1/2^n, for n = 0, 1, 2, ..., the fifth is the first one within a twentieth of
    /// 1; blocks after the third inference are of two.
    #[test]
    fn the_latency_is_settled_once_it_is_the_second_half_s() {
        let latency = |n: i32| 1e6 * (1.0 + 0.5f64.powi(n));
        let mut blocks = InferenceBlocks::default();
        let mut n = 1;
        for count in [1, 1].into_iter().chain([2; 20]) {
            let duration: f64 = (n..n + count).map(latency).sum();
            n += count;
            blocks.inferences.push(count as u32);
            blocks.durations.push(Nanoseconds(duration as u64));
        }
        let first = Nanoseconds(latency(0) as u64);
        let of =
            |blocks: InferenceBlocks| until_settled(&Start { first, blocks, ..Start::default() });
        // 1 + 1/8 and 1 + 1/16 are of one block, 1 + 1/32 and 1 + 1/64 of the next.
        assert_eq!(of(blocks.clone()), Some(5.0));
        // Settled in the second half, or seen too shortly, it is not known.
        let mut late = blocks.clone();
        late.durations[..15].iter_mut().for_each(|duration| duration.0 *= 3);
        assert_eq!(of(late), None);
        blocks.inferences.truncate(4);
        blocks.durations.truncate(4);
        assert_eq!(of(blocks), None);
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
}
