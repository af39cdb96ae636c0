//! Whether intervals hold the truth as often as they say, and seldom anything is found where
//! nothing differs: recordings whose truth is known, in every way to record.

use crate::made::{compared, launches, model, recording};
use crate::sequence::Sequence;
use crate::turned::{PLAN, Plan, in_turns, recordings};
use onnxray_analyzer::comparison::{Basis, ComparedGroup, Recording, Verdict};
use onnxray_format::Interleaved;

/// About normal, with a deviation of 1.
fn normal(random: &mut Sequence) -> f64 {
    (0..12).map(|_| random.below(1 << 32) as f64 / (1u64 << 32) as f64).sum::<f64>() - 6.0
}

/// Nanoseconds by launch and operator: what launches have in common scatters by a tenth, each
/// of them by 3 %, and the iterations of a launch by 2 %, one in twenty of which takes twice as
/// long.
struct Machine {
    random: Sequence,
    /// By launch.
    common: Vec<f64>,
    /// By side, launch and operator.
    own: [Vec<[f64; 5]>; 2],
}

impl Machine {
    fn new(seed: u64, count: u32, ratio: f64) -> Machine {
        let mut random = Sequence::new(seed);
        let common = (0..count).map(|_| 0.1 * normal(&mut random)).collect();
        let own = [0.0, ratio.ln()].map(|ratio| {
            let of_launch = |_| [(); 5].map(|()| ratio + 0.03 * normal(&mut random));
            (0..count).map(of_launch).collect()
        });
        Machine { random, common, own }
    }

    fn time(&mut self, side: usize, launch: u32, operator: usize) -> u64 {
        let base = [100_000.0, 20_000.0, 30_000.0, 200_000.0, 10_000.0][operator];
        let launch = launch as usize;
        let level = self.common[launch] + self.own[side][launch][operator];
        let spike = if self.random.below(20) == 0 { 2.0 } else { 1.0 };
        (base * spike * (level + 0.02 * normal(&mut self.random)).exp()) as u64
    }
}

/// How both were recorded.
#[derive(Clone, Copy, Debug)]
enum Way {
    Apart,
    Launches,
    Iterations,
}

fn made(way: Way, seed: u64, count: u32, ratio: f64) -> [Recording; 2] {
    let mut machine = Machine::new(seed, count, ratio);
    if let Way::Iterations = way {
        let plan = Plan { launches: count, iterations: 20, ..PLAN };
        return recordings(in_turns(plan, |at| machine.time(at.side, at.launch, at.operator)));
    }
    [("a", "b"), ("b", "a")].map(|(name, with)| {
        let side = usize::from(name == "b");
        if let Way::Apart = way {
            machine.common.fill(0.0);
        }
        let mut made = launches(&model(), count, 20, |launch, _, operator| {
            machine.time(side, launch, operator)
        });
        for launch in &mut made {
            launch.run.recording = name.to_string();
            let turns = Interleaved { with: with.to_string(), position: 0, turn: None };
            launch.run.interleaved = matches!(way, Way::Launches).then_some(turns);
        }
        recording(name, made)
    })
}

#[test]
fn intervals_hold_the_truth_and_alarms_are_rare() {
    const SIMULATIONS: u64 = 100;
    for way in [Way::Apart, Way::Launches, Way::Iterations] {
        for count in [3, 10] {
            let (mut all, mut held, mut alarms) = (0, 0, 0);
            for seed in 0..SIMULATIONS {
                let [a, b] = made(way, seed, count, 1.1);
                let comparison = compared(&a, &b);
                match comparison.basis {
                    Basis::Launches(_) => assert!(matches!(way, Way::Apart)),
                    Basis::Pairs(_) => assert!(matches!(way, Way::Launches)),
                    basis => assert!(matches!(basis, Basis::IterationPairs { .. }), "{basis:?}"),
                }
                for group in &comparison.groups {
                    let interval = group.compared.change.ratio_interval.unwrap();
                    all += 1;
                    held += u32::from(interval.low <= 1.1 && 1.1 <= interval.high);
                }
                let [a, b] = made(way, 1000 + seed, count, 1.0);
                let is_alarm = |group: &ComparedGroup| {
                    let verdict = group.compared.change.verdict;
                    matches!(verdict, Some(Verdict::Faster | Verdict::Slower))
                };
                alarms += u32::from(compared(&a, &b).groups.iter().any(is_alarm));
            }
            let share = |count: u32, of: u32| f64::from(count) / f64::from(of);
            let (held, alarms) = (share(held, all), share(alarms, SIMULATIONS as u32));
            println!("{way:?}, {count} launches: {held} hold the truth, {alarms} raise an alarm");
            // Three deviations of this many trials.
            assert!(held >= 0.95 - 0.03, "{way:?} {count}: {held}");
            assert!(alarms <= 0.05 + 0.065, "{way:?} {count}: {alarms}");
        }
    }
}
