//! Blocks of an x-ray, which may be nothing in single iterations.

use crate::made::compared;
use crate::turned::{PLAN, Place, Plan, in_turns, recordings, rough};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::comparison::{Basis, Comparison, Verdict};

/// X-rays whose second layer is nothing in six of ten iterations, and its neighbour so much longer; in B,
/// the layers take `factors` as long.
fn xrays(factors: [f64; 5]) -> [Vec<onnxray_import::Launch>; 2] {
    let mut time = rough(5, factors);
    let mut given = 0;
    let mut sides = in_turns(Plan { turn: 1, ..PLAN }, |place: Place| {
        let time = time(place) + std::mem::take(&mut given);
        // Another part of them in each launch.
        let is_nothing = (place.iteration * 7 + place.launch + place.side as u32) % 10 < 6;
        if place.operator == 1 && is_nothing {
            given = time;
            return 0;
        }
        time
    });
    sides.iter_mut().flatten().for_each(|launch| launch.run.blocks = true);
    sides
}

fn typical(comparison: &Comparison, side: usize) -> f64 {
    let times = comparison.groups.iter().map(|group| group.compared.sides[side].typical);
    times.map(|time| time.unwrap().0).sum()
}

#[test]
fn blocks_add_up_to_the_whole_though_single_ones_are_nothing_at_times() {
    let [a, b] = recordings(xrays([1.0; 5]));
    let found = compared(&a, &b);
    for side in [0, 1] {
        let whole = found.total.sides[side].typical.unwrap().0;
        let outside = whole - typical(&found, side);
        // The traces have gaps between operators, 1 % of an iteration; an x-ray has none.
        assert!((0.0..0.03 * whole).contains(&outside), "{outside} of {whole}");
    }
    for group in &found.groups {
        let change = &group.compared.change;
        assert_eq!(group.compared.basis, Basis::Pairs(6));
        let verdict = change.verdict.unwrap();
        assert!(matches!(verdict, Verdict::Same | Verdict::Inconclusive), "{group:?}");
        let ratio = change.ratio.unwrap();
        assert!((0.7..1.4).contains(&ratio), "{}: {ratio}", group.name);
    }
    let note = "took no time";
    assert!(!found.notes.iter().any(|own| own.contains(note)), "{:?}", found.notes);
}

#[test]
fn a_slower_block_is_found_beside_one_that_is_nothing_at_times() {
    let [a, b] = recordings(xrays([1.0, 1.0, 1.0, 3.0, 1.0]));
    let found = compared(&a, &b);
    let slower: Vec<&str> = found
        .groups
        .iter()
        .filter(|group| group.compared.change.verdict == Some(Verdict::Slower))
        .map(|group| group.name.as_str())
        .collect();
    assert_eq!(slower, ["/d"], "{:?}", found.groups);
    // Ratio and times never contradict each other.
    for group in &found.groups {
        let [a, b] = group.compared.sides.each_ref().map(|side| side.typical.unwrap().0);
        assert!((b / a / group.compared.change.ratio.unwrap() - 1.0).abs() < 1e-9, "{group:?}");
    }
}

#[test]
fn a_block_that_may_take_as_much_as_the_other_one_is_not_tested() {
    let verdict = |below: f64| {
        let [mut a, b] = recordings(xrays([1.0, 1.0, 1.0, 3.0, 1.0]));
        let own = a.summary.operators.iter_mut().find(|own| own.operator.name == "/d").unwrap();
        own.below = Some(Milliseconds(below));
        let found = compared(&a, &b);
        let group = found.groups.iter().find(|group| group.name == "/d").unwrap();
        (group.compared.change.verdict, group.compared.sides[1].typical.unwrap().0)
    };
    let (sure, other) = verdict(1e-9);
    assert_eq!(sure, Some(Verdict::Slower), "the other one takes more than the bound");
    assert_eq!(verdict(2.0 * other).0, Some(Verdict::NotTested));
}
