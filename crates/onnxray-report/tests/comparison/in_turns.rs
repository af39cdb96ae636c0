//! Recordings that took turns iteration by iteration are compared pair by pair.

use crate::made::compared;
use crate::turned::{PLAN, Place, Plan, in_turns, recordings, rough};
use onnxray_analyzer::comparison::{
    Basis, Change, ComparedGroup, Comparison, Gate, Grade, Limits, Options, Recording, Verdict,
    check, gate,
};
use onnxray_format::{Iteration, IterationKind, Nanoseconds};
use onnxray_import::Launch;
use onnxray_report::{Cell, ComparisonReport, ComparisonSelection, ComparisonView, Report};

const ONE: [f64; 5] = [1.0; 5];

fn both(plan: Plan, time: impl FnMut(Place) -> u64) -> Comparison {
    let [a, b] = recordings(in_turns(plan, time));
    compared(&a, &b)
}

fn group<'a>(comparison: &'a Comparison, name: &str) -> &'a ComparedGroup {
    comparison.groups.iter().find(|group| group.name == name).unwrap()
}

fn assert_note(comparison: &Comparison, text: &str) {
    assert!(comparison.notes.iter().any(|note| note.contains(text)), "{:?}", comparison.notes);
}

/// By chance all three launches have one side at the upper of two levels.
#[test]
fn three_launches_decide_what_is_beyond_levels() {
    let of = |launches: u32, factor: f64| both(Plan { launches, ..PLAN }, rough(7, [factor; 5]));
    for factor in [1.0, 1.3, 1.9, 1.0 / 1.9] {
        let verdict = of(3, factor).total.change.verdict;
        assert_eq!(verdict, Some(Verdict::Inconclusive), "{factor}");
    }
    for (launches, factor, verdict) in
        [(3, 3.5, Verdict::Slower), (4, 3.5, Verdict::Slower), (3, 0.3, Verdict::Faster)]
    {
        let found = of(launches, factor);
        assert_eq!(found.total.change.verdict, Some(verdict), "{factor}");
        // One of many layers may have such a level by chance.
        let layers = found.groups.iter().map(|group| group.compared.change.verdict);
        assert!(layers.flatten().all(|verdict| verdict == Verdict::Inconclusive));
    }
    for launches in [1, 2] {
        assert_eq!(of(launches, 3.5).total.change.verdict, Some(Verdict::Inconclusive));
    }
}

/// Launches differ by up to 100 %, the latency rises by 4 % in each: pairs see neither.
#[test]
fn pairs_tell_what_launches_hide() {
    let comparison = both(PLAN, rough(1, [1.0, 1.05, 1.0, 0.9, 1.0]));
    assert_eq!(comparison.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
    use Verdict::{Faster, Same, Slower};
    let verdicts: Vec<_> =
        comparison.groups.iter().map(|group| group.compared.change.verdict.unwrap()).collect();
    assert_eq!(verdicts, [Same, Slower, Same, Faster, Same]);
    assert_eq!(comparison.total.change.verdict, Some(Faster));
    for (name, factor) in [("/a", 1.0), ("/b", 1.05), ("/d", 0.9)] {
        let change = &group(&comparison, name).compared.change;
        let interval = change.ratio_interval.unwrap();
        assert!(interval.low < factor && factor < interval.high, "{name}: {interval:?}");
        assert!(interval.high - interval.low < 0.02, "{name}: {interval:?}");
        let effect = change.minimum_detectable_effect.unwrap().0;
        assert!((0.001..0.03).contains(&effect), "{name}: {effect}");
    }
    // The same launches one by one: nothing that small is seen.
    let [mut a, mut b] = in_turns(PLAN, rough(1, [1.0, 1.05, 1.0, 0.9, 1.0]));
    for launch in a.iter_mut().chain(&mut b) {
        launch.run.interleaved = None;
    }
    let [a, b] = recordings([a, b]);
    let apart = compared(&a, &b);
    assert_eq!(apart.basis, Basis::Launches([6, 6]));
    assert_eq!(group(&apart, "/b").compared.change.verdict, Some(Verdict::Inconclusive));
}

#[test]
fn the_first_iteration_after_a_switch_is_left_out_where_it_differs() {
    // Of B alone, so that it would count as a difference.
    let mut time = rough(2, ONE);
    let cold = |place: Place| if place.side == 1 && place.after_switch { 1.3 } else { 1.0 };
    let found = both(PLAN, |place| (time(place) as f64 * cold(place)) as u64);
    // Of 8 rounds, all but the first of a launch has a pair with one.
    let Basis::IterationPairs { launches: 6, pairs } = found.basis else {
        panic!("{:?}", found.basis)
    };
    assert_eq!(pairs, 6 * (40 - 8));
    assert_note(&found, "pairs that contain it are left out of the test");
    let interval = found.total.change.ratio_interval.unwrap();
    assert!(interval.low < 1.0 && 1.0 < interval.high, "{interval:?}");
    // In turns of one there is no other: it stays, and both orders are averaged.
    let mut time = rough(3, ONE);
    let cold = |place: Place| if place.after_switch { 1.3 } else { 1.0 };
    let plan = Plan { turn: 1, ..PLAN };
    let found = both(plan, |place| (time(place) as f64 * cold(place)) as u64);
    assert_eq!(found.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
    // Nothing is left out, and nothing is known of it: there is nothing to say.
    assert!(!found.notes.iter().any(|note| note.contains("after")), "{:?}", found.notes);
    assert_eq!(found.total.change.verdict, Some(Verdict::Same));
    // Where nothing differs, nothing is left out.
    let even = both(PLAN, |place| 50_000 + u64::from(place.iteration * 13 % 7));
    assert_eq!(even.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
}

/// What is added up is of the same iterations on both sides.
#[test]
fn iterations_without_a_partner_do_not_count() {
    let [mut a, b] = in_turns(PLAN, rough(4, ONE));
    // A's launch 2 ends early, and its launch 5 is missing.
    a[2].iterations.truncate(23);
    for chunk in &mut a[2].events.chunks {
        let kept = chunk.iteration.iter().filter(|&&iteration| iteration < 23).count();
        chunk.operator.truncate(kept);
        chunk.iteration.truncate(kept);
        chunk.thread.truncate(kept);
        chunk.start.truncate(kept);
        chunk.duration.truncate(kept);
    }
    a.pop();
    let [a, b] = recordings([a, b]);
    let found = compared(&a, &b);
    assert_eq!(found.basis, Basis::IterationPairs { launches: 5, pairs: 4 * 40 + 23 });
    for (parts, left_out) in found.conservation.iter().zip(&found.left_out) {
        let left_out = left_out.unwrap();
        assert_eq!(left_out.of, 4 * 40 + 23);
        assert_eq!(parts.iterations, (left_out.of - left_out.iterations) as f64);
    }
    assert_note(&found, &format!("B: {} measured iterations have no partner in A", 17 + 40));
    let causes: f64 = found.causes.iter().map(|cause| cause.difference.0).sum();
    let whole = found.parted_difference().unwrap().0;
    assert!((causes - whole).abs() < 1e-9, "{causes} {whole}");
}

/// The first iterations of B take long: they are left out on both sides.
#[test]
fn what_has_not_settled_on_one_side_is_left_out_on_both() {
    let mut time = rough(5, ONE);
    let slow = |place: Place| match place {
        Place { side: 1, iteration: 0..5, .. } => 5,
        _ => 1,
    };
    let found = both(PLAN, |place| time(place) * slow(place));
    let Basis::IterationPairs { launches: 6, pairs } = found.basis else {
        panic!("{:?}", found.basis)
    };
    assert!(pairs <= 6 * 35, "{pairs}");
    assert_note(&found, "because the latency of B had not settled");
    assert_eq!(found.conservation[0].iterations, found.conservation[1].iterations);
}

#[test]
fn two_launches_are_compared_in_blocks_of_pairs() {
    let found = both(Plan { launches: 2, iterations: 60, ..PLAN }, rough(6, [1.2; 5]));
    assert!(matches!(found.basis, Basis::PairBlocks { blocks: 10, .. }), "{:?}", found.basis);
    assert_note(&found, "weak: fewer than 3 launches");
    // 20 % slower for sure, in these two processes.
    let change = &found.total.change;
    assert_eq!(
        (change.verdict, change.launches_needed.unwrap().low),
        (Some(Verdict::Inconclusive), Some(5))
    );
    assert!(change.ratio_interval.unwrap().low > 1.15);
}

/// Which iterations are warm-up is told by the index of the others.
#[test]
fn warmup_is_no_pair() {
    let found = both(Plan { warmup: 4, iterations: 44, ..PLAN }, rough(7, ONE));
    assert_eq!(found.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
}

/// One layer of one side is below a step of the clock in every tenth iteration.
#[test]
fn a_layer_that_took_no_time_in_many_pairs_is_compared_by_launch() {
    let mut time = rough(9, ONE);
    let found = both(PLAN, |place| match place {
        Place { side: 1, operator: 1, iteration, .. } if iteration % 10 == 3 => 0,
        place => time(place),
    });
    assert_eq!(found.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
    let bases: Vec<Basis> = found.groups.iter().map(|group| group.compared.basis).collect();
    assert_eq!(bases[1], Basis::Pairs(6), "{bases:?}");
    assert!((0..5).filter(|&at| at != 1).all(|at| bases[at] == found.basis), "{bases:?}");
    assert_note(&found, "1 layer is compared by launches, not by pairs of iterations");
    assert_note(&found, "(a coarse clock, or a branch not taken): /b");
    // Of two launches, blocks are what is left.
    let mut time = rough(9, ONE);
    let few = both(Plan { launches: 2, iterations: 60, ..PLAN }, |place| match place {
        Place { side: 1, operator: 1, iteration, .. } if iteration % 10 == 3 => 0,
        place => time(place),
    });
    assert!(matches!(few.basis, Basis::PairBlocks { .. }), "{:?}", few.basis);
    assert_note(&few, "1 layer is compared by blocks of iterations, not by pairs of iterations");
    let all = both(PLAN, rough(9, ONE));
    assert!(!all.notes.iter().any(|note| note.contains("by launches, not by pairs")));
}

/// What is said instead.
#[test]
fn what_is_no_pair_is_compared_by_launch() {
    let set = |launches: &mut Vec<Launch>, turn: Option<u32>| {
        for launch in launches {
            launch.run.interleaved.as_mut().unwrap().turn = turn;
        }
    };
    let changed = |change: &dyn Fn(&mut [Vec<Launch>; 2])| {
        let mut made = in_turns(PLAN, rough(8, ONE));
        change(&mut made);
        let [a, b] = recordings(made);
        compared(&a, &b)
    };
    let found = changed(&|made| set(&mut made[1], Some(3)));
    assert_eq!(found.basis, Basis::Pairs(6));
    assert_note(&found, "not compared as pairs: A has turns of 5 iterations, B has turns of 3");
    let found = changed(&|made| set(&mut made[0], None));
    assert_note(&found, "A has no turns of iterations, B has turns of 5 iterations");
    let found = changed(&|made| made.iter_mut().for_each(|side| set(side, Some(0))));
    assert_note(&found, "not compared as pairs");
    // Launch by launch, in turns: nothing to be said.
    let found = changed(&|made| made.iter_mut().for_each(|side| set(side, None)));
    assert_eq!(found.basis, Basis::Pairs(6));
    assert!(!found.notes.iter().any(|note| note.contains("pairs")), "{:?}", found.notes);
    let found = changed(&|made| {
        made[1].iter_mut().for_each(|launch| launch.run.recording = "another".to_string());
    });
    assert_eq!(found.basis, Basis::Launches([6, 6]));
    assert_note(&found, "with other recordings, not with each other");
    let found = changed(&|made| {
        let number = |launch: &mut Launch| launch.run.launch += 100;
        made[1].iter_mut().for_each(number);
    });
    assert_note(&found, "no iteration of A has a partner in B");
    let found = changed(&|made| {
        for iteration in made[1].iter_mut().flat_map(|launch| &mut launch.iterations) {
            iteration.index += 1000;
        }
    });
    assert_note(&found, "no iteration of A has a partner in B");
    assert_eq!(found.basis, Basis::Pairs(6));
    let few = both(Plan { launches: 1, iterations: 10, ..PLAN }, rough(9, ONE));
    assert_note(&few, "too few pairs");
}

/// Layer `/c` runs in every other iteration, as in a branch of an If; on B's side also
/// in the others, if `shifted`.
#[test]
fn a_branch_is_compared_where_both_took_it() {
    let branch = |shifted: bool| {
        let mut time = rough(10, [1.0, 1.0, 1.2, 1.0, 1.0]);
        both(PLAN, |place| {
            let odd = (place.iteration + u32::from(shifted && place.side == 1)) % 2;
            let time = time(place);
            if place.operator == 2 && odd == 1 { 0 } else { time }
        })
    };
    let found = branch(false);
    let change = &group(&found, "/c").compared.change;
    let interval = change.ratio_interval.unwrap();
    assert!(interval.low < 1.2 && 1.2 < interval.high && interval.low > 1.15, "{interval:?}");
    assert_eq!(change.verdict, Some(Verdict::Slower));
    let found = branch(true);
    let compared = &group(&found, "/c").compared;
    // Pairs in which only one side ran tell nothing: launches are compared.
    assert_eq!(compared.basis, Basis::Pairs(6));
    let ratio = compared.change.ratio.unwrap();
    assert!((1.19..1.22).contains(&ratio), "{ratio}");
    assert_eq!(group(&found, "/a").compared.change.verdict, Some(Verdict::Same));
}

#[test]
fn a_recording_and_its_own_copy_are_the_same() {
    let found = both(PLAN, |place| 10_000 * (1 + place.operator as u64));
    let change = &found.total.change;
    assert_eq!((change.verdict, change.ratio), (Some(Verdict::Same), Some(1.0)));
    assert_eq!(change.p, Some(1.0));
    assert_eq!(change.minimum_detectable_effect.map(|share| share.0), Some(0.0));
}

fn headline(a: &Recording, b: &Recording) -> String {
    let selection = ComparisonSelection {
        views: ComparisonView::ALL.to_vec(),
        rows: None,
        layer: None,
        totals: true,
        sure_causes: false,
        ..ComparisonSelection::default()
    };
    let found = compared(a, b);
    let document =
        ComparisonReport { baseline: a, versions: &[b], comparisons: std::slice::from_ref(&found) }
            .document(&selection);
    let layers = document.table("layers").unwrap();
    assert!(layers.cell("minimum_detectable_effect_share", 0).unwrap().as_number().is_some());
    document.headline.join("\n")
}

/// The ratio scatters by 4 % from launch to launch: more launches would tell, and as
/// many as it says do.
#[test]
fn launches_needed_are_enough() {
    let scattered = |launches: u32| {
        let mut time = rough(14, ONE);
        both(Plan { launches, ..PLAN }, |place| {
            let factor = match (place.side, place.launch % 2) {
                (0, _) => 1.0,
                (_, 0) => 1.01,
                _ => 1.09,
            };
            (time(place) as f64 * factor) as u64
        })
    };
    let change = scattered(4).total.change;
    assert_eq!(change.verdict, Some(Verdict::Inconclusive));
    let needed = change.launches_needed.unwrap();
    let (low, needed) = (needed.low.unwrap(), needed.high.unwrap());
    assert!((5..=needed).contains(&low), "{low} {needed}");
    assert!((5..40).contains(&needed), "{needed}");
    assert!(change.minimum_detectable_effect.unwrap().0 > 0.05, "{change:?}");
    assert_eq!(scattered(needed + needed % 2).total.change.verdict, Some(Verdict::Slower));
}

#[test]
fn verdicts_say_what_could_have_been_detected() {
    let [a, b] = recordings(in_turns(PLAN, rough(11, ONE)));
    let same = headline(&a, &b);
    let sure = "b is 0.1 % faster than a, within the noise threshold of 3 %: ";
    assert!(same.starts_with(sure), "{same}");
    assert!(same.contains("Any difference is at most "), "{same}");
    assert!(same.contains("; minimum detectable effect "), "{same}");
    assert!(same.contains("240 pairs of iterations in 6 launches, interleaved"), "{same}");
    let [a, b] = recordings(in_turns(PLAN, rough(15, ONE)));
    assert!(
        headline(&a, &b).starts_with("No significant difference between b and a: "),
        "{}",
        headline(&a, &b)
    );
    let [a, b] = recordings(in_turns(PLAN, rough(12, [1.1; 5])));
    assert!(!headline(&a, &b).contains("detectable effect"));
}

#[test]
fn a_recording_in_turns_is_graded_by_what_it_could_show() {
    let launches = |a: &Recording, options: &Options| {
        let found = check(a, options);
        let finding = found.findings.into_iter().find(|finding| finding.subject == "launches");
        finding.unwrap()
    };
    let plan = Plan { launches: 4, ..PLAN };
    let [a, _] = recordings(in_turns(plan, rough(13, ONE)));
    let found = launches(&a, &Options::default());
    assert!(
        found.found.starts_with(
            "4 launches interleaved in turns of 5 iterations; minimum detectable effect"
        ),
        "{found:?}"
    );
    let [a, _] = recordings(in_turns(Plan { launches: 10, ..PLAN }, rough(13, ONE)));
    let found = launches(&a, &Options::default());
    assert_eq!((found.grade, found.advice.as_str()), (Grade::Good, ""), "{found:?}");
    let strict = Options { noise_threshold: onnxray_analyzer::Share(0.0001), ..Options::default() };
    let found = launches(&a, &strict);
    assert_eq!(found.grade, Grade::Doubtful);
    assert!(found.advice.contains("shorter turns"), "{found:?}");
    let [a, _] = recordings(in_turns(Plan { launches: 1, ..PLAN }, rough(13, ONE)));
    assert_eq!(launches(&a, &Options::default()).grade, Grade::Doubtful);
}

/// Recordings that are the same, and whose unprofiled iterations take this many times less.
fn with_plain(costs: [f64; 2]) -> Comparison {
    with_plain_of(costs, rough(7, ONE))
}

fn with_plain_of(costs: [f64; 2], time: impl FnMut(Place) -> u64) -> Comparison {
    let mut sides = in_turns(PLAN, time);
    for (side, cost) in sides.iter_mut().zip(costs) {
        for launch in side {
            let measured = launch.iterations.clone();
            let end = measured.iter().map(|iteration| iteration.end().0).max().unwrap();
            // Behind all the measured ones, in turns of one; the sides begin alternately.
            let begin = end + 100_000_000;
            launch.iterations.extend(measured.iter().map(|iteration| Iteration {
                kind: IterationKind::Unprofiled,
                start: Nanoseconds(begin + u64::from(iteration.index) * 10_000_000),
                duration: Nanoseconds((iteration.duration.0 as f64 / cost) as u64),
                ..*iteration
            }));
            launch.iteration_threads.clear();
        }
    }
    let [a, b] = recordings(sides);
    compared(&a, &b)
}

/// What profiling adds to one side more than to the other is not a difference of the models.
#[test]
fn the_latency_decides_whatever_profiling_adds() {
    let even = with_plain([1.0, 1.0]);
    assert_eq!(even.decisive().change.verdict, Some(Verdict::Same));
    assert!(even.hidden_by().is_none() && !even.causes.is_empty());
    let costly = with_plain([1.0, 1.3]);
    assert_eq!(costly.total.change.verdict, Some(Verdict::Same), "profiled");
    let plain = costly.unprofiled.as_ref().unwrap();
    assert_eq!(plain.basis, Basis::IterationPairs { launches: 6, pairs: 240 });
    assert_eq!(plain.change.verdict, Some(Verdict::Faster));
    let interval = plain.change.ratio_interval.unwrap();
    assert!(interval.low < 1.0 / 1.3 && 1.0 / 1.3 < interval.high, "{interval:?}");
    assert!(std::ptr::eq(costly.decisive(), plain));
    let whole = Limits { verdicts: vec![Verdict::Faster], above: None };
    let stops = Gate { whole, share: 1.0, ..Gate::default() };
    assert_eq!(gate(&costly, &stops).failures.len(), 1);
    // No part of the profiled latency explains that.
    let [of_a, of_b] = costly.hidden_by().unwrap().costs.map(|cost| cost.0);
    let profiled = costly.total.sides[1].typical.unwrap().0;
    assert!(of_a.abs() < 0.01 * profiled, "{of_a}");
    assert!((of_b - profiled * 0.3 / 1.3).abs() < 0.01 * profiled, "{of_b} of {profiled}");
    assert!(costly.causes.is_empty());
    let [a, b] = recordings(in_turns(PLAN, rough(7, ONE)));
    let selection = ComparisonSelection {
        views: vec![ComparisonView::Inference],
        rows: None,
        layer: None,
        totals: true,
        sure_causes: false,
        ..ComparisonSelection::default()
    };
    let report = ComparisonReport { baseline: &a, versions: &[&b], comparisons: &[costly] }
        .document(&selection);
    assert!(report.headline[0].starts_with("b is 23.1 % faster than a: "), "{:?}", report.headline);
    let said = &report.headline[1];
    assert!(said.starts_with("Layers cannot explain a difference of "), "{said}");
    for part in [
        ": profiling adds ",
        " to A and ",
        " to B, which is more than they can show. Measured with it, no layer is faster or slower",
        "; most is ",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let table = report.table("inference").unwrap();
    let figure = |row| table.cell("figure", row).unwrap().clone();
    assert_eq!(figure(0), Cell::label("latency_typical_ms", "latency, typical (ms)"));
    let profiled = Cell::label("profiled_latency_typical_ms", "profiled latency, typical (ms)");
    let row = (0..table.len()).find(|&row| figure(row) == profiled).unwrap();
    assert_eq!(table.cell("verdict", row), Some(&Cell::None));
}

/// Every operator takes 20 % longer, and profiling adds half of the latency to B: a group of one
/// kind on both sides has its part of that on B alone.
#[test]
fn layers_are_open_where_profiling_costs_as_much_as_they_differ_by() {
    let layer = |costs| {
        let comparison = with_plain_of(costs, rough(7, [1.2; 5]));
        group(&comparison, "/b").compared.change.clone()
    };
    let plain = layer([1.0, 1.0]);
    assert_eq!((plain.verdict, plain.reason), (Some(Verdict::Slower), None));
    let apart = layer([1.0, 1.5]);
    assert_eq!(apart.verdict, Some(Verdict::Inconclusive), "{apart:?}");
    let reason = apart.reason.unwrap().text();
    assert_eq!(reason, "profiling costs as much as the difference");
    // The test is what it was: only the ends are further away.
    assert_eq!(apart.p, plain.p);
    assert_eq!(apart.ratio, plain.ratio);
    let width = |change: &Change| {
        let ends = change.difference_interval.unwrap();
        ends.high - ends.low
    };
    assert!(width(&apart) > 2.0 * width(&plain), "{apart:?} {plain:?}");
}
