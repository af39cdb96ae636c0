//! What is found in fleets where it is known what differs.

use super::family::{Differing, Family, Test, Way};
use crate::comparison::Fleet;
use crate::probability::Generator;
use crate::units::Milliseconds;
use onnxray_import::Source;

fn test(comparison: usize, name: usize, weight: f64, p: f64, differs: bool) -> Test {
    let differing = Differing {
        layers: 1,
        comparison,
        name: name.to_string(),
        types: Default::default(),
        times: [None; 2],
        ratio: Some(1.1),
        ratio_interval: None,
        difference: Some(Milliseconds(name as f64)),
        difference_interval: None,
        p,
        way: Way::Slower,
    };
    Test { weight, differing: differs.then_some(differing) }
}

/// By the definition: the largest k of which k tests have a p over its weight of at most
/// alpha · k / m are the discoveries. What does not differ by itself is none.
fn by_definition(fleet: &[Vec<(f64, f64, bool)>], alpha: f64) -> Vec<(usize, usize)> {
    let m: usize = fleet.iter().map(Vec::len).sum();
    let mut weighted = Vec::new();
    for (comparison, tests) in fleet.iter().enumerate() {
        let all: f64 = tests.iter().map(|(weight, ..)| weight).sum();
        for (name, &(weight, p, differs)) in tests.iter().enumerate() {
            // Weights with a mean of 1 over all tests.
            let weight = weight / all * m as f64 / fleet.len() as f64;
            weighted.push((if differs { p / weight } else { f64::INFINITY }, comparison, name));
        }
    }
    let within = |bound: f64| weighted.iter().filter(move |(p, ..)| *p <= bound);
    let largest = (1..=m).rev().find(|&k| within(alpha * k as f64 / m as f64).count() >= k);
    let mut found: Vec<(usize, usize)> = match largest {
        None => Vec::new(),
        Some(k) => within(alpha * k as f64 / m as f64).map(|&(_, at, name)| (at, name)).collect(),
    };
    found.sort_unstable();
    found
}

fn family(fleet: &[Vec<(f64, f64, bool)>]) -> Family {
    let mut family = Family::default();
    for (comparison, tests) in fleet.iter().enumerate() {
        let tests = tests.iter().enumerate();
        let tests =
            tests.map(|(name, &(weight, p, differs))| test(comparison, name, weight, p, differs));
        family.add(tests.collect(), 0);
    }
    family
}

fn found(family: &Family, alpha: f64) -> Vec<(usize, usize)> {
    let found = family.discoveries(alpha).into_iter();
    let mut found: Vec<(usize, usize)> =
        found.map(|one| (one.differing.comparison, one.differing.name.parse().unwrap())).collect();
    found.sort_unstable();
    found
}

#[test]
fn discoveries_are_those_of_the_definition() {
    let mut random = Generator::new(7);
    let mut some = 0;
    for _ in 0..300 {
        let comparisons = 1 + random.below(5);
        let fleet: Vec<Vec<(f64, f64, bool)>> = (0..comparisons)
            .map(|_| {
                (0..1 + random.below(12))
                    .map(|_| {
                        let p = random.uniform().powi(1 + random.below(6) as i32);
                        (0.05 + random.uniform(), p, random.below(4) > 0)
                    })
                    .collect()
            })
            .collect();
        for alpha in [0.05, 0.2] {
            let expected = by_definition(&fleet, alpha);
            some += expected.len();
            assert_eq!(found(&family(&fleet), alpha), expected, "{fleet:?}");
        }
    }
    assert!(some > 1000, "{some}");
}

#[test]
fn a_comparison_without_shares_weighs_its_layers_alike() {
    let fleet = [vec![(0.0, 0.01, true), (0.0, 0.04, true)], vec![(1.0, 0.03, true)]];
    let found = family(&fleet);
    let adjusted: Vec<f64> = found.discoveries(1.0).iter().map(|one| one.p_adjusted).collect();
    // Weights are 0.75, 0.75 and 1.5; the larger difference of the first is first.
    let expected = [0.04 / 0.75, 0.02 * 1.5, 0.02 * 1.5];
    let is_near = |(one, other): (&f64, f64)| (one - other).abs() < 1e-12;
    assert!(adjusted.iter().zip(expected).all(is_near), "{adjusted:?}");
}

#[test]
fn what_holds_of_one_comparison_alone_need_not_hold_of_many() {
    let quiet = || vec![(1.0, 0.5, false); 20];
    let mut fleet = vec![quiet()];
    fleet[0][3] = (1.0, 0.001, true);
    assert_eq!(found(&family(&fleet), 0.05), [(0, 3)]);
    fleet.extend((0..9).map(|_| quiet()));
    let among_all = family(&fleet);
    assert_eq!(
        (found(&among_all, 0.05), among_all.differing(), among_all.tested),
        (vec![], 1, 200)
    );
}

/// Tests of 100 comparisons of 20 layers. Those of a comparison share a part of their noise, as
/// layers of one machine do. The first `planted` layers of each tenth comparison differ.
fn simulated(random: &mut Generator, planted: usize) -> Family {
    let mut family = Family::default();
    for comparison in 0..100 {
        let shared = random.normal();
        let tests = (0..20).map(|name| {
            let noise = 0.8 * random.normal() + 0.6 * shared;
            let effect = if comparison % 10 == 0 && name < planted { 5.0 } else { 0.0 };
            let p = 2.0 * crate::probability::upper_tail((noise + effect).abs());
            // As if no band and no adjustment held back anything.
            test(comparison, name, 1.0 + (name % 5) as f64, p.min(1.0), true)
        });
        family.add(tests.collect(), 0);
    }
    family
}

#[test]
fn no_more_is_false_than_is_said() {
    const FLEETS: usize = 2000;
    let mut random = Generator::new(11);
    let nothing_differs = (0..FLEETS).filter(|_| {
        let family = simulated(&mut random, 0);
        !family.discoveries(0.05).is_empty()
    });
    let rate = nothing_differs.count() as f64 / FLEETS as f64;
    let deviation = (0.05f64 * 0.95 / FLEETS as f64).sqrt();
    assert!(rate < 0.05 + 3.0 * deviation, "{rate}");
    // The bound means something: far fewer would be a loss of power.
    assert!(rate > 0.02, "{rate}");

    let shares: Vec<f64> = (0..FLEETS / 4)
        .map(|_| {
            let family = simulated(&mut random, 10);
            let found = found(&family, 0.05);
            let is_false = |(at, name): &&(usize, usize)| at % 10 != 0 || *name >= 10;
            assert!(found.len() > 50, "{}", found.len());
            found.iter().filter(is_false).count() as f64 / found.len() as f64
        })
        .collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean <= 0.05, "{mean}");
    assert!(mean > 0.02, "{mean}");
}

fn read(text: &str) -> Fleet {
    let mut fleet = Fleet::default();
    fleet.read(Source::from_bytes("all.json", text.as_bytes().to_vec()).unwrap()).unwrap();
    fleet
}

fn document(p: &str) -> String {
    format!(
        r#"{{"report": "comparison", "layers": [
  {{"layer": "x", "version": "b", "a_share": 1, "b_share": 1, "p": {p}, "verdict": "slower"}}]}}"#
    )
}

#[test]
fn documents_follow_each_other_in_any_way() {
    let one = document("0.001");
    let line = one.replace('\n', "");
    for text in [
        format!("{one}\n{one}\n{one}"),
        format!("\u{feff}{line}\r\n{line}\n\n{line}\n"),
        format!("{line}{line} {one}"),
    ] {
        let fleet = read(&text);
        assert_eq!((fleet.comparisons.len(), fleet.losses.len()), (3, 0), "{:?}", fleet.losses);
        assert_eq!((fleet.layers.tested, fleet.layers.differing()), (3, 3));
    }
    // Longer than what is read at once.
    let long = format!("{}{line}", format!("{line}\n").repeat(20_000));
    let fleet = read(&long);
    assert_eq!((fleet.comparisons.len(), fleet.losses.len()), (20_001, 0));
}

#[test]
fn reading_goes_on_behind_damage() {
    let good = document("0.001");
    for (damaged, says) in [
        (good[..good.len() / 2].to_string(), "invalid JSON"),
        (document("1.5"), "the p of \"x\" is 1.5, not from 0 to 1"),
        (document("1e999"), "number out of range at line 5"),
        (document("NaN"), "invalid JSON"),
        (document("\"low\""), "\"layers[0].p\": invalid JSON: invalid type: string"),
        (good.replace("comparison", "summary"), "another report (\"summary\")"),
        ("{}".to_string(), "of no comparison"),
        ("{\"report\": \"comparison\"}".to_string(), "neither"),
        (good.replace("\"layers\"", "\"schema_version\": 2, \"layers\""), "schema_version 2"),
    ] {
        let fleet = read(&format!("{good}\n\n{damaged}\n{good}\n"));
        assert_eq!(fleet.comparisons.len(), 2, "{damaged}: {:?}", fleet.losses);
        assert_eq!(fleet.losses.len(), 1, "{damaged}: {:?}", fleet.losses);
        let loss = &fleet.losses[0];
        assert!(loss.starts_with("all.json: line 4: ") && loss.contains(says), "{loss}");
        let at_the_end = read(&format!("{good}\n\n{damaged}"));
        assert_eq!((at_the_end.comparisons.len(), at_the_end.losses.len()), (1, 1));
    }
}

/// A cost that is higher is a difference of its own family, and never taken for the latency.
#[test]
fn costs_are_judged_together_apart_from_latencies() {
    let cost = |figure: &str, p: &str, verdict: &str| {
        format!(
            r#"{{"figure": "{figure}", "a": 4.0, "b": 6.0, "ratio": 1.5, "p": {p}, "verdict": "{verdict}"}}"#
        )
    };
    let rows = [
        r#"{"figure": "latency_typical_ms", "ratio": 1.0}"#.to_string(),
        cost("cpu_time_ms", "0.001", "higher"),
        cost("memory_peak_mb", "0.3", "inconclusive"),
        cost("start_ms", "null", "not tested"),
    ];
    let text = format!(r#"{{"report": "comparison", "inference": [{}]}}"#, rows.join(", "));
    let fleet = read(&text);
    assert_eq!(fleet.losses, Vec::<String>::new());
    assert_eq!((fleet.wholes.tested, fleet.wholes.not_tested), (0, 1));
    assert_eq!((fleet.costs.tested, fleet.costs.not_tested), (2, 1));
    let [found] = &fleet.costs.discoveries(0.05)[..] else { panic!("one") };
    assert_eq!((found.differing.name.as_str(), found.differing.way), ("cpu_time_ms", Way::Slower));
    // Twice its p: there are two tests.
    assert!((found.p_adjusted - 0.002).abs() < 1e-12, "{found:?}");
    assert_eq!(found.differing.times, [None; 2], "of other units");
}
