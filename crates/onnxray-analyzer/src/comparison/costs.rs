//! What an inference of both sides costs beside its latency: CPU time, memory, start.

use super::evidence::t_test::{Tested, of_means};
use super::{Band, Change, Options, Verdict, verdict};
use crate::statistics::{CostFigure, CostSummary, Interval, PaceSummary, rate_text};
use onnxray_format::Run;

/// A cost that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// CPU time of an inference, in milliseconds.
    CpuTime,
    /// Resident memory at its peak, in bytes.
    MemoryPeak,
    /// Resident memory after the last inference, in bytes.
    MemoryRetained,
    /// Milliseconds from the library's loading to the end of the first inference.
    Start,
    /// Median of the milliseconds from when a call was due to its answer, at a pace.
    PacedLatency,
    /// CPU time of a call at a pace, in milliseconds.
    PacedCpuTime,
}

impl Cost {
    /// All of them, in the order of reports.
    pub const ALL: [Cost; 6] = [
        Cost::CpuTime,
        Cost::MemoryPeak,
        Cost::MemoryRetained,
        Cost::Start,
        Cost::PacedLatency,
        Cost::PacedCpuTime,
    ];

    /// Wording of reports.
    pub fn name(self) -> &'static str {
        match self {
            Cost::CpuTime => "CPU time",
            Cost::MemoryPeak => "memory at peak",
            Cost::MemoryRetained => "memory retained",
            Cost::Start => "start",
            Cost::PacedLatency => "latency at pace",
            Cost::PacedCpuTime => "CPU time at pace",
        }
    }

    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Cost::CpuTime => "cpu_time_ms",
            Cost::MemoryPeak => "memory_peak_mb",
            Cost::MemoryRetained => "memory_retained_mb",
            Cost::Start => "start_ms",
            Cost::PacedLatency => "paced_latency_ms",
            Cost::PacedCpuTime => "paced_cpu_time_ms",
        }
    }

    /// Whether it is of calls at a pace.
    pub(super) fn is_paced(self) -> bool {
        matches!(self, Cost::PacedLatency | Cost::PacedCpuTime)
    }

    pub(crate) fn of(self, costs: &CostSummary, pace: Option<&PaceSummary>) -> Option<CostFigure> {
        match self {
            Cost::PacedLatency => pace?.medians.clone(),
            Cost::PacedCpuTime => pace?.cpu_time.clone(),
            Cost::CpuTime => costs.cpu_time.clone(),
            Cost::MemoryPeak => costs.peak.clone(),
            Cost::MemoryRetained => costs.retained.clone(),
            Cost::Start => costs.start(),
        }
    }
}

/// Calls at the lowest rate that both sides have.
fn paces<'a>(sides: [Option<&'a CostSummary>; 2]) -> [Option<&'a PaceSummary>; 2] {
    let [a, b] = sides.map(|costs| costs.map_or(&[][..], |costs| &costs.paces));
    let pair = |of_a: &'a PaceSummary| {
        let of_b = b.iter().find(|of_b| of_b.has_schedule_of(of_a))?;
        Some((of_a.rate?, [of_a, of_b]))
    };
    let lowest = a.iter().filter_map(pair).min_by(|(one, _), (other, _)| one.total_cmp(other));
    lowest.map_or([None; 2], |(_, pair)| pair.map(Some))
}

/// A cost of both sides.
#[derive(Clone, Debug)]
pub struct ComparedCost {
    /// What is compared.
    pub cost: Cost,
    /// Calls per second, of costs at a pace: the lowest rate that both sides have.
    pub rate: Option<f64>,
    /// By side: the mean over processes, in the unit of the cost.
    pub means: [Option<f64>; 2],
    /// Starts are of a cold file on one side only: they are not compared.
    pub is_of_two_kinds: bool,
    /// CPU time of a loop whose threads spin, of sides that did not take turns: it depends on what else
    /// ran. Two recordings of one thing differ by up to 2.5 times beside other programs.
    pub depends_on_load: bool,
    /// Ratio, interval, p and verdict; less is `Faster`. Nothing else of it is known.
    pub change: Change,
}

impl ComparedCost {
    /// Wording of reports, with the rate of a cost at a pace: `CPU time at 20/s`.
    pub fn name(&self) -> String {
        match (self.cost, self.rate.map(rate_text)) {
            (Cost::PacedLatency, Some(rate)) => format!("latency at {rate}"),
            (Cost::PacedCpuTime, Some(rate)) => format!("CPU time at {rate}"),
            (cost, _) => cost.name().to_string(),
        }
    }
}

/// Whether threads of its pool look for work while another one has it.
pub(super) fn spins(run: &Run) -> bool {
    run.threads.unwrap_or(1) > 1 && run.engine_options.get("spinning").is_some_and(|is| is == "on")
}

/// Costs that a side tells of at least; a loop's CPU time may depend on the load.
pub(super) fn costs(
    sides: [Option<&CostSummary>; 2],
    depends_on_load: bool,
    options: &Options,
) -> Vec<ComparedCost> {
    let paces = paces(sides);
    let compared = Cost::ALL.map(|cost| {
        let figures = [0, 1].map(|side| cost.of(sides[side]?, paces[side]));
        let is_cold = sides.map(|costs| costs.is_some_and(|costs| costs.cold_starts > 0));
        let is_known = figures.iter().all(Option::is_some);
        let is_of_two_kinds = cost == Cost::Start && is_known && is_cold[0] != is_cold[1];
        let mut change = match &figures {
            [Some(a), Some(b)] if !is_of_two_kinds => change([a, b], options),
            _ => Change::default(),
        };
        let depends_on_load = depends_on_load && cost == Cost::CpuTime;
        if depends_on_load && change.p.is_some() {
            change.verdict = Some(Verdict::Inconclusive);
        }
        let rate = paces[0].and_then(|pace| pace.rate).filter(|_| cost.is_paced());
        let means = figures.map(|figure| Some(figure?.mean));
        ComparedCost { cost, rate, means, is_of_two_kinds, depends_on_load, change }
    });
    let is_known = |compared: &ComparedCost| compared.means.iter().any(Option::is_some);
    compared.into_iter().filter(is_known).collect()
}

/// Why a difference of CPU times is not decided.
pub(super) fn note(costs: &[ComparedCost]) -> Option<String> {
    let is_open = |own: &ComparedCost| own.depends_on_load && own.change.ratio.is_some();
    costs.iter().any(is_open).then(|| {
        "threads spin: the CPU time of a loop is what other programs left them, and the sides did not take \
         turns; record A --against B, or both with --rate, decides it"
            .to_string()
    })
}

/// Welch's test of the processes' values; the ratio is of the means that are shown.
fn change([a, b]: [&CostFigure; 2], options: &Options) -> Change {
    let is_positive = |figure: &CostFigure| figure.values.iter().all(|value| *value > 0.0);
    if !is_positive(a) || !is_positive(b) {
        return Change { verdict: Some(Verdict::NotTested), ..Change::default() };
    }
    let Some(tested) = of_means([&a.values, &b.values], false) else {
        let (ratio, verdict) = (Some(b.mean / a.mean), Some(Verdict::NotTested));
        return Change { ratio, verdict, ..Change::default() };
    };
    let Tested { student, estimate, .. } = tested;
    let band = Band { share: options.noise_threshold.0, ticks: 0.0 };
    Change {
        ratio: Some(b.mean / a.mean),
        ratio_interval: Some(Interval { low: estimate.ratio_low, high: estimate.ratio_high }),
        p: Some(student.p),
        p_adjusted: Some(student.p),
        verdict: Some(verdict(&estimate, a.mean, student.p, options.alpha, band)),
        ..Change::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;
    use crate::probability::references::assert_close;

    fn figure(values: &[f64]) -> CostFigure {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        CostFigure { values: values.to_vec(), mean, interval: None }
    }

    fn of_cpu_time(values: &[f64]) -> CostSummary {
        CostSummary { cpu_time: Some(figure(values)), ..CostSummary::default() }
    }

    fn of(a: &[f64], b: &[f64]) -> ComparedCost {
        let (a, b) = (of_cpu_time(a), of_cpu_time(b));
        costs([Some(&a), Some(&b)], false, &Options::default()).remove(0)
    }

    #[test]
    fn the_ratio_is_of_the_means_that_are_shown() {
        let found = of(&[4.0, 4.1, 3.9], &[3.6, 3.7, 3.8]);
        assert!((found.means[1].unwrap() - 3.7).abs() < 1e-12, "{found:?}");
        assert_close(found.change.ratio.unwrap(), 0.925, 1e-12, "ratio");
        let Interval { low, high } = found.change.ratio_interval.unwrap();
        // By hand: relative errors 0.1/4/√3 and 0.1/3.7/√3, together 0.02126; t of 3.98 degrees
        // is 2.781: a reach of 0.05911 of the logarithm.
        assert_close(high / low, (2.0 * 0.05911f64).exp(), 1e-3, "interval");
        assert_eq!(found.change.verdict, Some(Verdict::Faster));
    }

    #[test]
    fn what_one_side_does_not_know_is_not_compared() {
        let a = of_cpu_time(&[4.0, 4.1]);
        let found = costs([Some(&a), None], false, &Options::default());
        assert_eq!(
            (found.len(), found[0].means, found[0].change.ratio),
            (1, [Some(4.05), None], None)
        );
        assert_eq!(found[0].change.verdict, None);
        assert!(costs([None, None], false, &Options::default()).is_empty());
        assert_eq!(of(&[4.0], &[5.0]).change.verdict, Some(Verdict::NotTested));
        assert_eq!(of(&[0.0, 1.0], &[5.0, 5.0]).change.ratio, None, "nothing was counted");
    }

    #[test]
    fn a_loop_whose_threads_spin_decides_only_in_turns() {
        let [a, b] = [of_cpu_time(&[4.0, 4.1, 3.9]), of_cpu_time(&[8.0, 8.1, 8.2])];
        let [in_turns, apart] = [false, true]
            .map(|depends| costs([Some(&a), Some(&b)], depends, &Options::default()).remove(0));
        assert_eq!(in_turns.change.verdict, Some(Verdict::Slower));
        assert_eq!(apart.change.verdict, Some(Verdict::Inconclusive));
        assert_eq!(apart.change.ratio, in_turns.change.ratio);
        assert!(note(&[in_turns]).is_none() && note(&[apart]).is_some());
        let run = |threads, spinning: &str| Run {
            threads: Some(threads),
            engine_options: [("spinning".to_string(), spinning.to_string())].into(),
            ..Run::default()
        };
        let spinning = [run(2, "on"), run(2, "off"), run(1, "on"), Run::default()];
        assert_eq!(spinning.map(|run| spins(&run)), [true, false, false, false]);
    }

    #[test]
    fn starts_of_a_cold_file_are_not_compared_with_those_of_a_warm_one() {
        let [warm, cold] = [0, 3].map(|cold_starts| {
            let of = || Some(figure(&[4.0, 4.1, 3.9]));
            let (library, session, first) = (of(), of(), of());
            CostSummary { cold_starts, library, session, first, ..CostSummary::default() }
        });
        let start = |a, b| costs([Some(a), Some(b)], false, &Options::default()).remove(0);
        let found = start(&warm, &cold);
        assert!(found.is_of_two_kinds && found.means[1].is_some(), "{found:?}");
        assert_eq!((found.change.ratio, found.change.verdict), (None, None));
        let found = start(&cold, &cold);
        assert!(!found.is_of_two_kinds && found.change.ratio == Some(1.0));
    }

    #[test]
    fn paces_are_compared_at_the_lowest_rate_of_both() {
        let pace = |rate, cpu: &[f64]| PaceSummary {
            rate: Some(rate),
            cpu_time: Some(figure(cpu)),
            ..PaceSummary::default()
        };
        let [a, b] = [
            vec![pace(5.0, &[9.0; 3]), pace(80.0, &[4.0; 3]), pace(20.0, &[8.0; 3])],
            vec![pace(80.0, &[4.0; 3]), pace(20.0, &[4.0; 3])],
        ]
        .map(|paces| CostSummary { paces, ..CostSummary::default() });
        let found = costs([Some(&a), Some(&b)], false, &Options::default());
        let [cpu] = &found[..] else { panic!("{found:?}") };
        assert_eq!((cpu.cost, cpu.rate), (Cost::PacedCpuTime, Some(20.0)));
        assert_eq!(cpu.change.verdict, Some(Verdict::Faster));
        let apart = CostSummary { paces: vec![pace(7.0, &[4.0; 3])], ..CostSummary::default() };
        assert!(costs([Some(&a), Some(&apart)], false, &Options::default()).is_empty());
    }

    #[test]
    fn memory_that_never_varies_is_the_same() {
        assert_eq!(of(&[5e7; 3], &[5e7; 3]).change.verdict, Some(Verdict::Same));
        assert_eq!(of(&[5e7; 3], &[6e7; 3]).change.verdict, Some(Verdict::Slower));
    }

    /// Of 4,000 pairs of one cost, at most 1 in 20 has a verdict that is wrong, however few processes
    /// there were.
    #[test]
    fn equal_costs_seldom_differ() {
        let mut random = Generator::new(3);
        for spread in [0.01, 0.1, 0.4] {
            let mut side = || {
                let value = |_| 10.0 * (spread * random.normal()).exp();
                (0..3).map(value).collect::<Vec<f64>>()
            };
            let wrong = (0..4000).filter(|_| {
                let verdict = of(&side(), &side()).change.verdict;
                matches!(verdict, Some(Verdict::Faster | Verdict::Slower))
            });
            let share = wrong.count() as f64 / 4000.0;
            assert!(share < 0.055, "{share} at a spread of {spread}");
        }
    }
}
