//! What happened on the machine while a recording was made, and whether it moved the
//! result: iterations during which it happened are held against those without, in the same
//! recording; time that was stolen from the launch counts as such.

mod association;
mod interference;
mod noise_source;
mod steady_iterations;
mod words;

pub use interference::Interference;
pub use noise_source::NoiseSource;

use super::{IterationSummary, LaunchSummary};
use association::{Association, Typical};
use noise_source::LoadOf;
use onnxray_format::Conditions;
use std::ops::Range;
use steady_iterations::SteadyIterations;

/// Interference that was seen; only sources that all launches tell of.
pub(super) fn interferences(
    conditions: &[Option<Conditions>],
    iterations: &[IterationSummary],
    launches: &[LaunchSummary],
    threads: Option<u32>,
) -> Vec<Interference> {
    let steady = SteadyIterations::of(conditions, iterations, launches);
    let threads = f64::from(threads.unwrap_or(1).max(1));
    let known = NoiseSource::ALL
        .into_iter()
        .filter(|&of| of != NoiseSource::Load || is_load_of_others(conditions, launches));
    known.filter_map(|of| interference(of, &steady, threads)).collect()
}

/// True if load is from other programs: instances load each other's cores, unless each is bound to
/// its own.
fn is_load_of_others(conditions: &[Option<Conditions>], launches: &[LaunchSummary]) -> bool {
    let is_bound = |known: &Conditions| known.pinned.as_ref().is_some_and(|on| !on.is_empty());
    let has_peers = launches.iter().any(|launch| launch.instance.is_some());
    !has_peers || conditions.iter().flatten().all(is_bound)
}

fn interference(
    source: NoiseSource,
    steady: &SteadyIterations<'_>,
    threads: f64,
) -> Option<Interference> {
    let mut amounts = Vec::new();
    for (conditions, range) in &steady.launches {
        let iterations = steady.of_launch(range);
        amounts.extend(source.of_iterations(conditions, iterations, steady.load_of)?);
    }
    if amounts.is_empty() {
        return None;
    }
    let affected = source.affected(&amounts);
    let ranges: Vec<Range<usize>> =
        steady.launches.iter().map(|(_, range)| range.clone()).collect();
    let association = Association::of(&steady.latencies, &ranges, &affected);
    let cores = cores(source, steady);
    // Counters have ticks of 10 ms, which may exceed a short slice.
    let bound = cores.map_or(f64::INFINITY, |cores| cores as f64);
    let most = amounts.iter().copied().fold(0.0, f64::max).min(bound);
    Some(Interference {
        source,
        affected: affected.iter().filter(|&&is| is).count(),
        all: amounts.len(),
        cores,
        // Counts add up over iterations; rates do not, so their peak is stated.
        amount: if source.is_counted() { amounts.iter().sum() } else { most },
        ratio: association.map(|found| found.ratio),
        interval: association.and_then(|found| found.interval),
        // A ratio whose interval reaches 1 may be chance: no cost is claimed then.
        moved: association.filter(Association::is_longer).map(|found| found.moved),
        everywhere: source.is_everywhere(&amounts, &affected),
        stolen_slowdown: stolen_slowdown(source, steady, &ranges, threads),
        threads_waiting: match source {
            NoiseSource::Load if threads > 1.0 => threads_waiting(steady),
            _ => None,
        },
    })
}

/// Number of the launch's own cores, if load was seen on these.
fn cores(source: NoiseSource, steady: &SteadyIterations<'_>) -> Option<usize> {
    let is_own = source == NoiseSource::Load && steady.load_of == LoadOf::OwnCores;
    let counts = steady.launches.iter().map(|(known, _)| known.cores.as_ref().map(Vec::len));
    // `None` is the least: one launch with unknown cores leaves the number unknown.
    counts.min().flatten().filter(|_| is_own)
}

/// A larger share of the time cannot have been stolen from the launch alone.
const MOST_STOLEN: f64 = 0.95;

/// Slowdown by stolen time, as a share of the latency without it; `None` if unknown.
fn stolen_slowdown(
    source: NoiseSource,
    steady: &SteadyIterations<'_>,
    ranges: &[Range<usize>],
    threads: f64,
) -> Option<f64> {
    let share: f64 = match source {
        NoiseSource::Load if threads > 1.0 => return None,
        NoiseSource::Load => return waiting_slowdown(steady, ranges),
        NoiseSource::Steal | NoiseSource::Throttling => {
            let (mut lost, mut whole) = (0.0, 0.0);
            for (conditions, _) in &steady.launches {
                let slices = conditions.slices.as_ref()?;
                let rates = source.of_slices(slices, steady.load_of)?;
                // A hypervisor may withhold time from each core, a limit from each thread;
                // that of all processes in the container is counted together.
                let most = match source {
                    NoiseSource::Steal => conditions.cores.as_ref()?.len() as f64,
                    _ => threads,
                };
                let most = most.max(1.0);
                for ((from, to), rate) in slices.spans().zip(rates) {
                    let length = (to - from).milliseconds();
                    // Counters have ticks of 10 ms, which may exceed a short slice.
                    lost += rate.min(most) * length;
                    whole += most * length;
                }
            }
            if whole > 0.0 { lost / whole } else { 0.0 }
        }
        _ => return None,
    };
    // A launch that was held back all the time could not have measured anything.
    (share < MOST_STOLEN).then(|| share / (1.0 - share))
}

/// The typical latency by what it is without the time for which the launch's thread was
/// ready and had no core. Of several threads nobody knows who waited for whom, and some
/// that have nothing to do ask for a core over and over.
fn waiting_slowdown(steady: &SteadyIterations<'_>, ranges: &[Range<usize>]) -> Option<f64> {
    let mut without = Vec::new();
    for (conditions, range) in &steady.launches {
        let waits = conditions.waits_us.as_ref()?;
        without.extend(steady.of_launch(range).iter().map(|iteration| {
            let waited = f64::from(waits.of(iteration.index)) * 1000.0;
            let latency = iteration.latency.0 as f64;
            // The readings enclose a little more than the iteration.
            latency - waited.min(0.99 * latency)
        }));
    }
    let with = Typical::of(&steady.latencies, ranges, |_| true)?;
    let without = Typical::of(&without, ranges, |_| true)?;
    Some(with.latency / without.latency - 1.0)
}

/// Time without a core, of all threads together, / time. No slowdown follows from it: threads wait
/// for each other, and one that spins asks for a core though it has nothing to do.
fn threads_waiting(steady: &SteadyIterations<'_>) -> Option<f64> {
    let (mut waited, mut whole) = (0.0, 0.0);
    for (conditions, range) in &steady.launches {
        let waits = conditions.waits_us.as_ref()?;
        for iteration in steady.of_launch(range) {
            waited += f64::from(waits.of(iteration.index)) * 1000.0;
            whole += iteration.latency.0 as f64;
        }
    }
    (whole > 0.0).then(|| waited / whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Counts, Iteration, IterationKind, Nanoseconds, Slices};

    fn launch(latencies: &[u64]) -> (Vec<IterationSummary>, LaunchSummary) {
        let mut start = 0;
        let iterations = (0..).zip(latencies).map(|(index, &latency)| {
            let at = Nanoseconds(start);
            start += latency;
            IterationSummary::of_time(
                0,
                0,
                Iteration {
                    index,
                    kind: IterationKind::Measured,
                    start: at,
                    duration: Nanoseconds(latency),
                    step: None,
                },
            )
        });
        let summary = LaunchSummary {
            launch: 0,
            rank: None,
            instance: None,
            iterations: latencies.len() as u64,
            warmup_flagged: 0,
            warmup_found: Some(0),
            latency: None,
            clock_origin: None,
            unprofiled: None,
        };
        (iterations.collect(), summary)
    }

    fn found(conditions: Conditions, latencies: &[u64], of: NoiseSource) -> Option<Interference> {
        found_of_threads(1, conditions, latencies, of)
    }

    fn found_of_threads(
        threads: u32,
        conditions: Conditions,
        latencies: &[u64],
        of: NoiseSource,
    ) -> Option<Interference> {
        let (iterations, summary) = launch(latencies);
        let all = interferences(&[Some(conditions)], &iterations, &[summary], Some(threads));
        all.into_iter().find(|found| found.source == of)
    }

    /// Every iteration waits for half of its time: nothing is left to compare with, and the
    /// time is lost all the same.
    #[test]
    fn time_without_a_core_counts_though_all_iterations_lost_it() {
        let every = Counts { iterations: (0..50).collect(), counts: vec![2_000; 50] };
        let slices = Slices {
            start: Nanoseconds(0),
            ends: vec![Nanoseconds(200_000_000)],
            others_ms: Some(vec![100]),
            ..Slices::default()
        };
        let conditions = Conditions {
            waits_us: Some(every),
            slices: Some(slices),
            cores: Some(vec![0]),
            ..Conditions::default()
        };
        let several =
            found_of_threads(2, conditions.clone(), &[4_000_000; 50], NoiseSource::Load).unwrap();
        assert!(several.is_throughout() && several.cost().is_none(), "{several:?}");
        assert_eq!(several.threads_waiting, Some(0.5));
        assert_eq!(
            several.text(),
            "other programs used up to 0.50 of 1 core throughout; \
             on average, 0.50 threads waited for a core"
        );
        let found = found(conditions, &[4_000_000; 50], NoiseSource::Load).unwrap();
        assert!((found.stolen_slowdown.unwrap() - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found.is_throughout() && found.moved.is_none() && found.ratio.is_none());
        assert_eq!(found.cost(), found.stolen_slowdown);
    }

    #[test]
    fn what_is_not_read_in_all_launches_is_unknown() {
        assert_eq!(found(Conditions::default(), &[1_000; 20], NoiseSource::Switches), None);
        let conditions =
            Conditions { involuntary_switches: Some(Counts::default()), ..Conditions::default() };
        let quiet = found(conditions, &[1_000; 20], NoiseSource::Switches).unwrap();
        assert_eq!((quiet.affected, quiet.all, quiet.cost()), (0, 20, None));
        assert_eq!(interferences(&[None], &launch(&[1_000; 20]).0, &[], None), []);
    }

    #[test]
    fn stolen_time_is_a_share_of_all_cores() {
        let slices = Slices {
            start: Nanoseconds(0),
            ends: [100_000_000, 200_000_000].map(Nanoseconds).to_vec(),
            steal_ms: Some(vec![0, 80]),
            throttled_us: Some(vec![100_000, 0]),
            ..Slices::default()
        };
        let conditions =
            Conditions { slices: Some(slices), cores: Some(vec![2, 3]), ..Conditions::default() };
        let steal = found(conditions.clone(), &[10_000_000; 20], NoiseSource::Steal).unwrap();
        assert!((steal.stolen_slowdown.unwrap() - 0.25).abs() < 1e-9, "{steal:?}");
        assert_eq!((steal.affected, steal.all), (10, 20));
        let held = found(conditions, &[10_000_000; 20], NoiseSource::Throttling).unwrap();
        assert!((held.stolen_slowdown.unwrap() - 1.0).abs() < 1e-9, "{held:?}");
    }

    /// Half of the iterations ran beside one other program, the others beside two.
    #[test]
    fn what_all_iterations_had_costs_more_than_what_differs() {
        let of = |least: u32| {
            let slices = Slices {
                start: Nanoseconds(0),
                ends: [400_000_000, 1_000_000_000].map(Nanoseconds).to_vec(),
                others_ms: Some(vec![least * 4, 1_200]),
                ..Slices::default()
            };
            let conditions = Conditions {
                slices: Some(slices),
                cores: Some(vec![0, 1]),
                ..Conditions::default()
            };
            let latencies: Vec<u64> =
                [4_000_000; 100].into_iter().chain([6_000_000; 100]).collect();
            found_of_threads(2, conditions, &latencies, NoiseSource::Load).unwrap()
        };
        let more = of(100);
        assert!(more.is_at_least(), "{more:?}");
        let text = more.cost_text(0).unwrap();
        assert_eq!(text, "the typical latency is at least 25 % longer because of this");
        let alone = of(0);
        assert!(!alone.is_at_least() && alone.cost() == more.cost(), "{alone:?}");
        assert_eq!(
            alone.cost_text(1).unwrap(),
            "the typical latency is 25.0 % longer because of this"
        );
    }

    /// Eight processes behind a limit of one core: nobody knows what that costs one of them.
    #[test]
    fn what_is_held_back_of_others_as_well_has_no_known_cost() {
        let slices = Slices {
            start: Nanoseconds(0),
            ends: [100_000_000, 200_000_000].map(Nanoseconds).to_vec(),
            throttled_us: Some(vec![700_000, 690_000]),
            ..Slices::default()
        };
        let conditions = Conditions { slices: Some(slices), ..Conditions::default() };
        let held = found(conditions, &[10_000_000; 20], NoiseSource::Throttling).unwrap();
        assert_eq!((held.stolen_slowdown, held.cost()), (None, None));
        let text = held.text();
        assert!(
            text.starts_with("the limit of the container held back up to 7.00 cores"),
            "{text}"
        );
    }
}
