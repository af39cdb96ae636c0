//! Calls at a pace: how long answers take, and what they cost.

use super::figure::CostFigure;
use crate::probability::Student;
use crate::statistics::spread::distribution::quantile;
use crate::units::{Milliseconds, Share};
use onnxray_format::{Nanoseconds, Pace, Start};
use statrs::distribution::{Binomial, DiscreteCDF};

const CONFIDENCE: f64 = 0.95;

/// Milliseconds: a step of the clock, which has a logarithm.
const LEAST: f64 = 1e-6;

/// Waiting for calls before / service time from which on the latency departs.
const DEPARTED: f64 = 0.5;
/// Fewer calls of a process say nothing.
const FEWEST_CALLS: usize = 10;
/// Fewer calls than this share of those that were due began where the queue grows.
const FOLLOWED: f64 = 0.95;

/// Calls at one rate, of all processes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaceSummary {
    /// Calls per second of the schedule; `None` of calls that each follow the answer before.
    pub rate: Option<f64>,
    /// Gaps are random rather than equal.
    pub is_poisson: bool,
    /// Calls that were answered.
    pub calls: u64,
    /// Calls that were due and did not begin.
    pub unserved: u64,
    /// Answers per second.
    pub served: Option<CostFigure>,
    /// Milliseconds from when a call was due to its answer: 50th, 90th, 99th and 99.9th percentile.
    pub latency: [Option<Percentile>; 4],
    /// Median latency of each process.
    pub medians: Option<CostFigure>,
    /// The same from when the call began: without waiting.
    pub service: [Option<Percentile>; 4],
    /// Share of calls whose answer came after the next one was due.
    pub late: Option<Share>,
    /// CPU time in milliseconds of all threads, per call, what they take between two calls included.
    pub cpu_time: Option<CostFigure>,
    /// Cores that were busy: CPU time over time.
    pub busy_cores: Option<CostFigure>,
    /// Answers do not come as fast as the work alone takes: calls wait for each other, or are not
    /// served at all. `None` of calls without a schedule, and where processes do not agree.
    pub departs: Option<bool>,
    /// Milliseconds per call for which a container's limit stopped threads.
    pub throttled: Option<f64>,
}

/// `20/s`
pub fn rate_text(rate: f64) -> String {
    format!("{}/s", rate_number(rate))
}

/// Calls per second as people write them: `20`, `0.333`.
pub fn rate_number(rate: f64) -> String {
    format!("{}", (rate * 1e3).round() / 1e3)
}

/// A percentile in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percentile {
    /// Interpolated, of the calls of all processes; of the median, the mean over processes.
    pub value: f64,
    /// Its 95 % interval, lower end.
    pub low: f64,
    /// The upper end; `None` where there are too few calls for one.
    pub high: Option<f64>,
}

/// Percentiles of [`PaceSummary`], as shares.
const PERCENTILES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

impl PaceSummary {
    /// Of each rate, in the order in which they were run.
    pub(super) fn all(starts: &[Start]) -> Vec<PaceSummary> {
        let of_rate = |place: usize| -> Option<PaceSummary> {
            // One that ended early has not all of them.
            let paces = starts.iter().filter_map(|start| start.paces.get(place));
            let paces: Vec<&Pace> = paces.collect();
            let Pace { rate, is_poisson, .. } = *paces[0];
            let is_one = |pace: &Pace| pace.rate == rate && pace.is_poisson == is_poisson;
            paces.iter().all(|pace| is_one(pace)).then(|| PaceSummary::of(&paces))
        };
        let most = starts.iter().map(|start| start.paces.len()).max().unwrap_or(0);
        (0..most).filter_map(of_rate).collect()
    }

    /// Whether calls follow the same schedule, which alone can be compared.
    pub fn has_schedule_of(&self, other: &PaceSummary) -> bool {
        (self.rate, self.is_poisson) == (other.rate, other.is_poisson)
    }

    fn of(paces: &[&Pace]) -> PaceSummary {
        let Pace { rate, is_poisson, .. } = *paces[0];
        let calls = |pace: &Pace| pace.due.len() as f64;
        let milliseconds = |time: Nanoseconds| Milliseconds::from(time).0;
        let time = |pace: &Pace| milliseconds(pace.duration);
        let cpu = |pace: &Pace| pace.cpu_time.map(milliseconds);
        let figure = |of: &dyn Fn(&Pace) -> Option<f64>| {
            CostFigure::of(paces.iter().map(|pace| of(pace).filter(|value| value.is_finite())))
        };
        let spans = |from: fn(&Pace) -> &[Nanoseconds]| -> Vec<Vec<f64>> {
            let of_pace = |pace: &Pace| {
                let ends = pace.ended.iter().zip(from(pace));
                ends.map(|(end, from)| milliseconds(end.saturating_sub(*from))).collect()
            };
            paces.iter().map(|pace| of_pace(pace)).collect()
        };
        let throttled = paces.iter().map(|pace| pace.throttled.map(milliseconds));
        let throttled: Option<f64> = throttled.sum();
        let all: f64 = paces.iter().map(|pace| calls(pace)).sum();
        let latencies = spans(|pace| &pace.due);
        let medians = latencies.iter().map(|times| quantile(times, 0.5));
        PaceSummary {
            rate,
            is_poisson,
            medians: CostFigure::of(medians),
            calls: paces.iter().map(|pace| pace.due.len() as u64).sum(),
            // Whatever a file says.
            unserved: paces.iter().fold(0, |all, pace| all.saturating_add(pace.unserved)),
            served: figure(&|pace| Some(1e3 * calls(pace) / time(pace))),
            latency: percentiles(&latencies),
            service: percentiles(&spans(|pace| &pace.begun)),
            late: late(paces),
            cpu_time: figure(&|pace| Some(cpu(pace)? / calls(pace))),
            busy_cores: figure(&|pace| Some(cpu(pace)? / time(pace))),
            departs: departs(paces),
            throttled: throttled.filter(|_| all > 0.0).map(|time| time / all),
        }
    }
}

/// Whether calls wait for each other, by each process. Waking up late, as threads do
/// on a busy machine, does not count: only how long the call before was still running.
fn departs(paces: &[&Pace]) -> Option<bool> {
    let of_process = |pace: &Pace| -> Option<bool> {
        pace.rate?;
        let all = (pace.due.len() as u64).saturating_add(pace.unserved);
        if all < FEWEST_CALLS as u64 {
            return None;
        }
        let gaps = pace.due.iter().skip(1).zip(&pace.ended);
        let waits: Vec<f64> =
            gaps.map(|(due, before)| before.saturating_sub(*due).0 as f64).collect();
        let service = pace.ended.iter().zip(&pace.begun);
        let service: Vec<f64> = service.map(|(end, begun)| (*end - *begun).0 as f64).collect();
        let is_behind = (pace.due.len() as f64) < FOLLOWED * all as f64;
        let (Some(wait), Some(service)) = (quantile(&waits, 0.5), quantile(&service, 0.5)) else {
            return Some(is_behind);
        };
        Some(is_behind || wait > DEPARTED * service)
    };
    let all: Vec<bool> = paces.iter().map(|pace| of_process(pace)).collect::<Option<_>>()?;
    let first = *all.first()?;
    all.iter().all(|departs| *departs == first).then_some(first)
}

/// The lowest rate that was tried from which on the latency departs at each; `None` if it does at
/// none.
pub fn departure(paces: &[PaceSummary]) -> Option<&PaceSummary> {
    let mut by_rate: Vec<&PaceSummary> = paces.iter().filter(|pace| pace.rate.is_some()).collect();
    by_rate.sort_by(|a, b| a.rate.partial_cmp(&b.rate).unwrap_or(std::cmp::Ordering::Equal));
    let held = by_rate.iter().rposition(|pace| pace.departs != Some(true));
    by_rate.get(held.map_or(0, |last| last + 1)).copied()
}

fn late(paces: &[&Pace]) -> Option<Share> {
    let (mut late, mut all) = (0u64, 0u64);
    for pace in paces.iter().filter(|pace| pace.rate.is_some()) {
        let next = pace.due.iter().skip(1);
        late += pace.ended.iter().zip(next).filter(|(ended, next)| ended > next).count() as u64;
        all += (pace.due.len() as u64).saturating_sub(1);
    }
    (all > 0).then(|| Share(late as f64 / all as f64))
}

/// Of the times of all processes together; the median is the mean of those of each process, as
/// [`PaceSummary::medians`] has it. Calls of one process share what befell it: an interval holds both
/// the one of order statistics and, of two processes or more, Student's of the percentile of each.
fn percentiles(times: &[Vec<f64>]) -> [Option<Percentile>; 4] {
    let mut all: Vec<f64> = times.concat();
    all.sort_by(f64::total_cmp);
    PERCENTILES.map(|share| {
        // With fewer, no call is beyond it.
        if (all.len() as f64) * (1.0 - share) < 1.0 - 1e-9 {
            return None;
        }
        let of_each = times.iter().map(|times| quantile(times, share));
        let of_each: Vec<f64> = of_each.collect::<Option<_>>()?;
        let value = match share == 0.5 {
            true => of_each.iter().sum::<f64>() / of_each.len() as f64,
            false => quantile(&all, share)?,
        };
        let (low, high) = order_statistics(&all, share);
        // Of logarithms: times are above 0, and scatter by factors.
        let logarithms: Vec<f64> = of_each.iter().map(|value| value.max(LEAST).ln()).collect();
        let between = Student::of(&logarithms, CONFIDENCE, 1.0);
        let reach = between.map_or(1.0, |student| student.half_width.exp());
        let (low, high) = (low.min(value / reach), high.map(|high| high.max(value * reach)));
        Some(Percentile { value, low, high })
    })
}

/// The values between which the quantile of a distribution lies with 95 % (Conover, "Practical
/// nonparametric statistics", section 3.2): the number of values below it is binomial.
fn order_statistics(sorted: &[f64], share: f64) -> (f64, Option<f64>) {
    let least = sorted.first().copied().unwrap_or(0.0);
    let Ok(below) = Binomial::new(share, sorted.len() as u64) else { return (least, None) };
    let tail = (1.0 - CONFIDENCE) / 2.0;
    // Ranks from 1.
    let (low, high) =
        (below.inverse_cdf(tail) as usize, below.inverse_cdf(1.0 - tail) as usize + 1);
    let at = |rank: usize| sorted.get(rank.checked_sub(1)?).copied();
    (at(low).unwrap_or(least), at(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;

    fn pace(rate: f64, due: &[u64], begun: &[u64], ended: &[u64]) -> Pace {
        let times =
            |times: &[u64]| times.iter().map(|time| Nanoseconds(time * 1_000_000)).collect();
        Pace {
            rate: Some(rate),
            duration: Nanoseconds(1_000_000_000),
            cpu_time: Some(Nanoseconds(500_000_000)),
            due: times(due),
            begun: times(begun),
            ended: times(ended),
            ..Pace::default()
        }
    }

    fn starts(paces: &[Pace]) -> Vec<Start> {
        paces.iter().map(|pace| Start { paces: vec![pace.clone()], ..Start::default() }).collect()
    }

    /// By hand: the second call waits 10 ms for the first, which takes 60.
    #[test]
    fn latency_is_from_when_a_call_was_due() {
        let found = pace(20.0, &[0, 50, 100], &[0, 60, 100], &[60, 70, 110]);
        let all = PaceSummary::all(&starts(&[found.clone(), found]));
        let [summary] = &all[..] else { panic!("one rate") };
        assert_eq!((summary.calls, summary.unserved), (6, 0));
        assert_eq!(summary.latency[0].unwrap().value, 20.0);
        assert_eq!(summary.service[0].unwrap().value, 10.0);
        assert_eq!(summary.late, Some(Share(0.5)));
        let cpu = summary.cpu_time.as_ref().unwrap();
        assert!((cpu.mean - 500.0 / 3.0).abs() < 1e-9);
        assert_eq!(summary.busy_cores.as_ref().unwrap().mean, 0.5);
        assert_eq!(summary.served.as_ref().unwrap().mean, 3.0);
        assert!(summary.latency[1].is_none(), "none of six calls is beyond the 90th percentile");
        assert_eq!(summary.departs, None, "of three calls");
    }

    /// Calls of 10 ms at a rate, each of which waits for the one before.
    fn queue(rate: f64, unserved: u64) -> PaceSummary {
        let due: Vec<u64> = (0..20).map(|call| (1e3 / rate * f64::from(call)) as u64).collect();
        let mut free = 0;
        let begun: Vec<u64> = due
            .iter()
            .map(|&due| {
                let begun = due.max(free);
                free = begun + 10;
                begun
            })
            .collect();
        let ended: Vec<u64> = begun.iter().map(|begun| begun + 10).collect();
        PaceSummary::of(&[&Pace { unserved, ..pace(rate, &due, &begun, &ended) }])
    }

    #[test]
    fn the_latency_departs_where_calls_wait_for_each_other() {
        assert_eq!(queue(50.0, 0).departs, Some(false));
        assert_eq!(queue(200.0, 0).departs, Some(true));
        assert_eq!(queue(50.0, 2).departs, Some(true), "a tenth was not served");
        assert_eq!(queue(50.0, 1).departs, Some(false));
        // Threads wake up late, and wait for nothing.
        let due: Vec<u64> = (0..20).map(|call| 50 * call).collect();
        let late: Vec<u64> = due.iter().map(|due| due + 30).collect();
        let ended: Vec<u64> = late.iter().map(|begun| begun + 10).collect();
        let woken = pace(20.0, &due, &late, &ended);
        assert_eq!(PaceSummary::of(&[&woken]).departs, Some(false));
        // Processes that do not agree.
        let behind = Pace { unserved: 20, ..woken.clone() };
        assert_eq!(PaceSummary::of(&[&woken, &behind]).departs, None);
    }

    #[test]
    fn the_latency_departs_from_where_it_never_holds_again() {
        let of =
            |rate, departs| PaceSummary { rate: Some(rate), departs, ..PaceSummary::default() };
        // Of chance, the lowest.
        let all = [
            of(5.0, Some(true)),
            of(20.0, Some(false)),
            of(160.0, Some(true)),
            of(80.0, Some(true)),
        ];
        assert_eq!(departure(&all).unwrap().rate, Some(80.0));
        assert_eq!(departure(&all[..2]), None);
        assert_eq!(departure(&[of(5.0, Some(true)), of(20.0, None)]), None);
        let closed = PaceSummary { rate: None, ..of(20.0, None) };
        assert_eq!(departure(&[closed]), None);
    }

    /// Ranks 40 and 61 of 100 for the median: the usual table (Conover, A3).
    #[test]
    fn order_statistics_are_those_of_tables() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(order_statistics(&values, 0.5), (40.0, Some(61.0)));
        let (low, high) = order_statistics(&values, 0.99);
        assert_eq!((low, high), (97.0, None), "the 99th percentile may be beyond all");
    }

    /// Of 2,000 made-up recordings of three processes, which differ from each other or not.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = Generator::new(11);
        for between in [0.0, 0.2] {
            let mut held = [0u32; 2];
            for _ in 0..2000 {
                let processes: Vec<Vec<f64>> = (0..3)
                    .map(|_| {
                        let shift = between * random.normal();
                        (0..100).map(|_| 10.0 + shift + random.normal()).collect()
                    })
                    .collect();
                let [median, p90, ..] = percentiles(&processes);
                // Of the sum of both normals.
                let deviation = f64::sqrt(1.0 + between * between);
                for (at, (found, truth)) in
                    [(median, 10.0), (p90, 10.0 + 1.2816 * deviation)].into_iter().enumerate()
                {
                    let found = found.unwrap();
                    held[at] += u32::from(
                        found.low <= truth && found.high.is_none_or(|high| truth <= high),
                    );
                }
            }
            assert!(held.iter().all(|&held| held >= 1880), "{held:?} of 2000 at {between}");
        }
    }

    #[test]
    fn a_rate_is_of_the_processes_that_came_to_it() {
        let one = starts(&[pace(20.0, &[0], &[0], &[1])]);
        let other = starts(&[pace(30.0, &[0], &[0], &[1])]);
        assert!(PaceSummary::all(&[one[0].clone(), other[0].clone()]).is_empty());
        let ended_early = PaceSummary::all(&[Start::default(), one[0].clone()]);
        assert_eq!((ended_early.len(), ended_early[0].calls), (1, 1));
        assert!(PaceSummary::all(&[]).is_empty());
        let never = PaceSummary::all(&starts(&[pace(20.0, &[], &[], &[])]));
        assert_eq!((never[0].cpu_time.clone(), never[0].departs), (None, None));
    }
}
