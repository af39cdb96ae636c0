//! Means are over typical iterations, and over pairs of them.

use crate::made::{compared, launches, model, recording};
use crate::turned::{PLAN, Place, in_turns, recordings};
use onnxray_analyzer::comparison::{Comparison, LeftOut, Recording};

/// Nanoseconds of the model's layers, no two iterations alike.
fn time(iteration: u32, operator: usize) -> u64 {
    [100_000, 20_000, 30_000, 200_000, 10_000][operator] + u64::from(iteration * 7 % 11) * 100
}

fn near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-12, "{what}: {found}, {expected}");
}

/// Layers, overhead and whole of a side are those of its summary.
fn is_summary(comparison: &Comparison, side: usize, recording: &Recording) {
    let summary = &recording.summary;
    for group in &comparison.groups {
        let members = if side == 0 { &group.group.a } else { &group.group.b };
        let means = members.iter().map(|member| &summary.operators[member.operator as usize]);
        let expected: f64 = means.map(|operator| operator.mean.unwrap().0).sum();
        near(group.compared.sides[side].mean.unwrap().0, expected, &group.name);
    }
    let parts = &comparison.conservation[side];
    near(parts.mean_whole().0, summary.model.whole.unwrap().0, "whole");
    let overhead = parts.overhead.unwrap() / parts.iterations / 1e6;
    near(overhead, summary.model.overhead.unwrap().mean.0, "framework overhead");
    let left_out = summary.model.stragglers.map_or(0, |stragglers| stragglers.left_out());
    assert_eq!(comparison.left_out[side].unwrap().iterations, left_out);
}

#[test]
fn each_side_leaves_out_its_own_where_there_are_no_pairs() {
    let slow = |iteration: u32| if [20, 31].contains(&iteration) { 18_000_000 } else { 0 };
    let a = recording(
        "a",
        launches(&model(), 3, 40, |launch, iteration, operator| {
            time(iteration, operator) + if launch == 1 { slow(iteration) } else { 0 }
        }),
    );
    let b = recording("b", launches(&model(), 3, 40, |_, iteration, at| time(iteration, at)));
    let found = compared(&a, &b);
    is_summary(&found, 0, &a);
    is_summary(&found, 1, &b);
    let causes: f64 = found.causes.iter().map(|cause| cause.difference.0.abs()).sum();
    assert!(causes < 0.001, "{:?}", found.causes);
    let LeftOut { iterations, of, mean, mean_of_all } = found.left_out[0].unwrap();
    // With the two fastest.
    assert_eq!((iterations, of), (4, 120));
    assert!((mean_of_all.0 - mean.0 - 2.0 * 5.0 * 18.0 / 120.0).abs() < 0.001);
    let note = "A: means leave out 4 of 120 profiled iterations: those far slower than the rest of \
                their launch, and as many of the fastest; with them, the mean is ";
    assert!(found.notes.iter().any(|found| found.starts_with(note)), "{:?}", found.notes);
}

#[test]
fn pairs_far_from_the_others_in_ratio_are_left_out_and_as_many_at_the_other_end() {
    let slow = |place: &Place| match (place.side, place.launch, place.iteration) {
        (0, 1, 20) | (1, 2, 31) | (1, 3, 31) => 18_000_000,
        _ => 0,
    };
    let sides = in_turns(PLAN, |place| time(place.iteration, place.operator) + slow(&place));
    let [a, b] = recordings(sides);
    let found = compared(&a, &b);
    for (parts, left_out) in found.conservation.iter().zip(&found.left_out) {
        assert_eq!(parts.iterations, 6.0 * 40.0 - 6.0);
        assert_eq!(left_out.unwrap().iterations, 6);
    }
    for cause in &found.causes {
        assert_eq!(cause.difference.0, 0.0, "{cause:?}");
    }
    let note = "means leave out 6 of 240 pairs of profiled iterations: those whose ratio or time is \
                far from the rest of their launch, and as many at the other end; with them, the mean \
                is ";
    assert!(found.notes.iter().any(|found| found.starts_with(note)), "{:?}", found.notes);
    // Nobody else's partners: the verdict is of all pairs.
    assert_eq!(found.total.basis, found.basis);
    let one_launch = compared(&a, &a);
    is_summary(&one_launch, 0, &a);
}

/// Who has averages of all iterations is compared with all iterations.
#[test]
fn nothing_is_left_out_beside_averages() {
    let slow = |iteration: u32| if iteration == 20 { 18_000_000 } else { 0 };
    let times = |_: u32, iteration: u32, at: usize| time(iteration, at) + slow(iteration);
    let a = recording("a", launches(&model(), 3, 40, times));
    let found = compared(&a, &crate::made::averaged(&model(), &[1e5; 5]));
    assert_eq!(found.left_out, [None; 2]);
    assert_eq!(found.conservation[0].iterations, 120.0);
}
