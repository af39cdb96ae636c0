//! Beside other programs: first screen, layers, causes and gate tell one story, and it is true.

use crate::made::{compared, launches, operator, recording};
use crate::sequence::Sequence;
use crate::turned::{Place, Plan, in_turns, recordings};
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{Comparison, Gate, Limits, Recording, Verdict, gate};
use onnxray_format::Operator;
use onnxray_report::{ComparisonReport, ComparisonSelection, ComparisonView, Report};

const ONE: [f64; 5] = [1.0; 5];
/// `/c`, the Softmax, which takes 8 % of the time, is a tenth slower in B.
const PLANTED: [f64; 5] = [1.0, 1.0, 1.1, 1.0, 1.0];
const LONG: Plan = Plan { launches: 10, iterations: 60, warmup: 0, turn: 5 };

/// Of so many percent of the iterations, one layer takes longer by a time with a heavy tail: more
/// than a tenth of the whole, and now and then many times as long.
fn busy(seed: u64, percent: u64, factors: [f64; 5]) -> impl FnMut(Place) -> u64 {
    let mut random = Sequence::new(seed);
    let mut hit = (usize::MAX, 0);
    move |place| {
        let base = [100_000, 20_000, 30_000, 200_000, 10_000][place.operator] as f64;
        if place.operator == 0 {
            let is_hit = random.below(100) < percent;
            let part = (1 + random.below(9_999)) as f64 / 10_000.0;
            let extra = 36_000.0 + 180_000.0 * (part.powf(-1.0 / 1.2) - 1.0);
            let operator = random.below(5) as usize;
            hit = if is_hit { (operator, extra as u64) } else { (usize::MAX, 0) };
        }
        let level = 1.0 + f64::from(place.launch * 7 % 5) / 100.0;
        let noise = 1.0 + random.below(2_000) as f64 / 100_000.0;
        let factor = if place.side == 1 { factors[place.operator] } else { 1.0 };
        (base * level * noise * factor) as u64 + if hit.0 == place.operator { hit.1 } else { 0 }
    }
}

fn both(percent: u64, factors: [f64; 5]) -> ([Recording; 2], Comparison) {
    let sides = recordings(in_turns(LONG, busy(percent + 1, percent, factors)));
    let comparison = compared(&sides[0], &sides[1]);
    (sides, comparison)
}

/// What the first screen's times add up to is the latency above them.
fn adds_up_to_its_latency(recording: &Recording, what: &str) {
    let model = &recording.summary.model;
    let latency = model.latency().unwrap();
    let (median, ends) = (latency.times.median.0, latency.interval.unwrap().interval);
    let (mean, about) = (model.whole.unwrap().0, model.whole_interval.unwrap());
    let is_one = ends.low <= about.high && about.low <= ends.high;
    assert!(is_one, "{what}: {mean} {about:?}, {median} {ends:?}");
    assert!((mean / median - 1.0).abs() < 0.05, "{what}: {mean}, {median}");
    let types: f64 = recording.summary.types.iter().map(|of_type| of_type.mean.unwrap().0).sum();
    let parts = types + model.overhead.unwrap().mean.0;
    assert!((parts - mean).abs() < 1e-9, "{what}: {parts}, {mean}");
}

fn limits(whole: f64, layers: f64) -> Gate {
    let above = |limit| Limits { verdicts: Vec::new(), above: Some(Share(limit)) };
    Gate { whole: above(whole), layers: above(layers), share: 0.01, ..Gate::default() }
}

/// Causes of one layer are that layer, and what causes come to is the difference.
fn causes_are_layers(sides: &[Recording; 2], comparison: Comparison, what: &str) {
    let sum: f64 = comparison.causes.iter().map(|cause| cause.difference.0).sum();
    let whole = comparison.parted_difference().unwrap().0;
    assert!((sum - whole).abs() < 1e-9, "{what}: {sum}, {whole}");
    for (name, layer) in [("Add", "/b"), ("Softmax", "/c")] {
        let cause = comparison.causes.iter().find(|cause| cause.name == name).unwrap();
        let own = comparison.groups.iter().find(|group| group.name == layer).unwrap();
        let own = own.compared.change.difference.unwrap().0;
        assert!((cause.difference.0 - own).abs() < 1e-12, "{what}: {cause:?}, {own}");
    }
    let rest = comparison.causes.iter().position(|cause| cause.is_rest);
    assert!(rest.is_none_or(|rest| rest + 1 == comparison.causes.len()), "{what}");
    let causes: Vec<f64> = comparison.causes.iter().map(|cause| cause.difference.0).collect();
    let selection = ComparisonSelection {
        views: vec![ComparisonView::Inference, ComparisonView::Causes, ComparisonView::Layers],
        rows: None,
        layer: None,
        totals: false,
        sure_causes: false,
        ..ComparisonSelection::default()
    };
    let report = ComparisonReport {
        baseline: &sides[0],
        versions: &[&sides[1]],
        comparisons: &[comparison],
    }
    .document(&selection);
    let table = report.table("causes").unwrap();
    let shown = (0..table.len()).map(|row| table.cell("difference_ms", row).unwrap());
    let shown: Vec<f64> = shown.map(|cell| cell.as_number().unwrap()).collect();
    assert_eq!(shown, causes, "{what}");
    let inference = report.table("inference").unwrap();
    let stated = inference.cell("difference", 0).unwrap().as_number().unwrap();
    assert!((stated - whole).abs() < 1e-12, "{what}: {stated}, {whole}");
}

#[test]
fn a_model_and_its_copy_pass_whatever_runs_beside() {
    for percent in [0, 10, 20, 30, 45] {
        let what = format!("{percent} %");
        let (sides, found) = both(percent, ONE);
        sides.iter().for_each(|side| adds_up_to_its_latency(side, &what));
        let gated = gate(&found, &limits(0.03, 0.1));
        assert!(gated.failures.is_empty(), "{what}: {gated:?}");
        let verdicts = found.groups.iter().map(|group| group.compared.change.verdict);
        let is_apart =
            |verdict: Option<Verdict>| matches!(verdict, Some(Verdict::Slower | Verdict::Faster));
        assert!(!verdicts.into_iter().any(is_apart), "{what}");
        causes_are_layers(&sides, found, &what);
    }
}

#[test]
fn a_layer_a_tenth_slower_is_found_and_is_the_first_cause() {
    for percent in [0, 10, 20, 30, 45] {
        let what = format!("{percent} %");
        let (sides, found) = both(percent, PLANTED);
        let slower = found
            .groups
            .iter()
            .filter(|group| group.compared.change.verdict == Some(Verdict::Slower));
        let slower: Vec<&str> = slower.map(|group| &*group.name).collect();
        assert_eq!(slower, ["/c"], "{what}");
        let ratio = found.groups[2].compared.change.ratio.unwrap();
        assert!((ratio - 1.1).abs() < 0.005, "{what}: {ratio}");
        assert_eq!(found.causes[0].name, "Softmax", "{what}: {:?}", found.causes);
        let gated = gate(&found, &limits(0.5, 0.05));
        let [failure] = &gated.failures[..] else { panic!("{what}: {gated:?}") };
        assert!(failure.worst[0].starts_with("/c: "), "{what}: {failure:?}");
        causes_are_layers(&sides, found, &what);
    }
}

/// Ten launches of 40 layers of `time` nanoseconds, in which every layer waits for a core now and
/// then, the more often the longer it takes.
fn interrupted(seed: u64, time: u64) -> Recording {
    let mut random = Sequence::new(seed);
    let layers =
        (0..40).map(|number| Operator { number, ..operator(&format!("/{number}"), "MatMul") });
    let made = launches(&layers.collect::<Vec<_>>(), 10, 60, |_, _, _| {
        let waits = random.below(100_000) < time;
        time + random.below(200) + if waits { 20_000 } else { 0 }
    });
    recording(if time == 10_000 { "a" } else { "b" }, made)
}

#[test]
fn causes_explain_what_interrupts_many_layers_now_and_then() {
    let found = compared(&interrupted(1, 10_000), &interrupted(2, 7_000));
    let layers = found.groups.iter().map(|group| group.compared.change.difference.unwrap().0);
    let (layers, whole) = (layers.sum::<f64>(), found.parted_difference().unwrap().0);
    // Layer by layer, a wait is an exception.
    assert!(layers / whole < 0.9, "{layers} of {whole}");
    assert_eq!(found.causes[0].name, "MatMul");
    let share = found.causes[0].contribution.unwrap();
    assert!((share - 1.0).abs() < 0.02, "{:?}", found.causes);
}
