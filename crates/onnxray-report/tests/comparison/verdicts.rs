//! What is said of differences.

use crate::made::{averaged, compared, launches, model, noisy, noisy_recording, recording};
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{
    Basis, Comparison, Gate, Limits, Options, Reason, Recording, Verdict, compare, gate,
};
use onnxray_format::Interleaved;
use onnxray_import::Launch;
use onnxray_report::{Cell, ComparisonReport, ComparisonSelection, ComparisonView, Report};

const ONE: [f64; 5] = [1.0; 5];

fn verdicts(comparison: &Comparison) -> Vec<Verdict> {
    comparison.groups.iter().map(|group| group.compared.change.verdict.unwrap()).collect()
}

#[test]
fn ten_launches_tell_what_changed_and_what_did_not() {
    let slowed = [1.0, 1.2, 1.0, 0.8, 1.0];
    let comparison = compared(&noisy_recording(1, 10, ONE), &noisy_recording(2, 10, slowed));
    use Verdict::{Faster, Same, Slower};
    assert_eq!(verdicts(&comparison), [Same, Slower, Same, Faster, Same]);
    assert_eq!(comparison.total.change.verdict, Some(Faster));
    for (group, factor) in comparison.groups.iter().zip(slowed) {
        let interval = group.compared.change.ratio_interval.unwrap();
        assert!(interval.low < factor && factor < interval.high, "{factor}: {interval:?}");
        assert_eq!(group.compared.change.launches_needed, None);
    }
}

#[test]
fn a_wide_noise_threshold_makes_everything_the_same() {
    let (a, b) = (noisy_recording(1, 10, ONE), noisy_recording(2, 10, [1.1; 5]));
    let options = Options { noise_threshold: Share(0.15), ..Options::default() };
    let comparison = compare(&a, &b, &options).unwrap();
    assert_eq!(verdicts(&comparison), [Verdict::Same; 5]);
}

/// Two clock ticks are the least that matters.
#[test]
fn what_the_clock_cannot_tell_apart_is_the_same() {
    let make = |time: u64| {
        let mut made = launches(&model(), 10, 40, |_, _, _| time);
        for launch in &mut made {
            launch.run.clock_resolution = Some(onnxray_format::Nanoseconds(1_000));
        }
        recording("ticks", made)
    };
    assert_eq!(verdicts(&compared(&make(10_000), &make(11_000))), [Verdict::Same; 5]);
    assert_eq!(verdicts(&compared(&make(10_000), &make(13_000))), [Verdict::Slower; 5]);
    // A tenth is not the same; programs read what they always read.
    let (a, b) = (make(10_000), make(11_000));
    let selection = ComparisonSelection {
        views: vec![ComparisonView::Layers],
        rows: None,
        layer: None,
        totals: true,
        sure_causes: true,
        ..ComparisonSelection::default()
    };
    let report =
        ComparisonReport { baseline: &a, versions: &[&b], comparisons: &[compared(&a, &b)] }
            .document(&selection);
    let layers = report.table("layers").unwrap();
    assert_eq!(layers.cell("verdict", 0), Some(&Cell::label("same", "negligible")));
    assert!(layers.caveat.as_ref().unwrap().starts_with("negligible: within two steps of the"));
}

#[test]
fn fewer_than_five_launches_have_no_verdict_and_ask_for_more() {
    let of = |launches: u32, factor: f64| {
        compared(&noisy_recording(1, launches, ONE), &noisy_recording(2, launches, [factor; 5]))
    };
    for launches in 1..5 {
        for factor in [1.0, 1.2, 3.0] {
            let found = of(launches, factor);
            let changes = found.groups.iter().map(|group| &group.compared.change);
            for change in changes.chain([&found.total.change]) {
                assert_eq!(change.verdict, Some(Verdict::Inconclusive), "{launches}: {change:?}");
                // What the machine did between the two, no number of launches decides.
                let is_number = change.reason == Some(Reason::Launches);
                let expected = if is_number { Some(5) } else { None };
                let needed = change.launches_needed.and_then(|needed| needed.low);
                assert!(needed >= expected, "{launches}: {change:?}");
                assert!(needed.is_none_or(|needed| needed >= 5));
            }
            let all = [Verdict::Faster, Verdict::Slower, Verdict::Same];
            let gated = gate(&found, &stops(&all, Some(0.03), 0.0));
            assert!(gated.failures.is_empty() && gated.is_undecided, "{gated:?}");
        }
        let reason = of(launches, 1.2).total.change.reason.unwrap().text();
        assert_eq!(reason, "too few launches, record 5 or more");
    }
    assert_eq!(of(5, 1.2).total.change.verdict, Some(Verdict::Slower));
    assert_eq!(of(5, 1.0).total.change.verdict, Some(Verdict::Same));
    let comparison = of(3, 1.2);
    let few = "3 launches per side detect large differences only: record 10 or more".to_string();
    assert!(comparison.notes.contains(&few), "{:?}", comparison.notes);
}

#[test]
fn one_launch_is_weak() {
    let comparison = compared(&noisy_recording(1, 1, ONE), &noisy_recording(2, 10, [1.5; 5]));
    assert_eq!(comparison.basis, Basis::Blocks([10, 10]));
    assert!(comparison.notes.iter().any(|note| note.contains("weak")), "{:?}", comparison.notes);
    let change = &comparison.total.change;
    assert_eq!(
        (change.verdict, change.launches_needed.unwrap().low),
        (Some(Verdict::Inconclusive), Some(5))
    );
}

/// Launches of two recordings of which each is slower than the one before, A and B
/// alike.
fn drifting(factor: f64, paired: bool) -> [Recording; 2] {
    [("a", 1.0, 3), ("b", factor, 4)].map(|(name, factor, seed)| {
        let mut noise = noisy(seed, [factor; 5]);
        let time = |launch: u32, iteration: u32, operator: usize| {
            let drift = 1.0 + 0.2 * f64::from(launch);
            (noise(launch, iteration, operator) as f64 * drift) as u64
        };
        let mut made: Vec<Launch> = launches(&model(), 8, 40, time);
        for launch in &mut made {
            launch.run.recording = name.to_string();
            let other = if name == "a" { "b" } else { "a" };
            let interleaved = Interleaved { with: other.to_string(), position: 0, turn: None };
            launch.run.interleaved = paired.then_some(interleaved);
        }
        recording(name, made)
    })
}

#[test]
fn pairs_of_launches_tell_what_drift_hides() {
    let [a, b] = drifting(1.1, false);
    let unpaired = compared(&a, &b);
    assert_eq!(unpaired.basis, Basis::Launches([8, 8]));
    assert_eq!(unpaired.total.change.verdict, Some(Verdict::Inconclusive));
    assert!(unpaired.notes.iter().any(|note| note.contains("from first to last launches")));
    let [a, b] = drifting(1.1, true);
    let paired = compared(&a, &b);
    assert_eq!(paired.basis, Basis::Pairs(8));
    assert_eq!(paired.total.change.verdict, Some(Verdict::Slower));
    let interval = paired.total.change.ratio_interval.unwrap();
    assert!(interval.low > 1.08 && interval.high < 1.12, "{interval:?}");
}

/// The machine got slower by half while both were recorded, one after the other: a
/// difference of a tenth may be that.
#[test]
fn a_difference_within_the_drift_cannot_be_told() {
    let make = |seed, factor: f64, drift: f64| {
        let mut noise = noisy(seed, [factor; 5]);
        let time = |launch: u32, iteration: u32, operator: usize| {
            (noise(launch, iteration, operator) as f64 * (1.0 + drift * f64::from(launch))) as u64
        };
        recording("drift", launches(&model(), 10, 20, time))
    };
    let verdict = |a, b| compared(&a, &b).total.change.verdict.unwrap();
    assert_eq!(verdict(make(1, 1.0, 0.0), make(2, 1.2, 0.0)), Verdict::Slower);
    assert_eq!(verdict(make(1, 1.0, 0.01), make(2, 1.2, 0.01)), Verdict::Slower);
    assert_eq!(verdict(make(1, 1.0, 0.05), make(2, 1.2, 0.05)), Verdict::Inconclusive);
}

/// Recordings that do not know each other are not pairs, even if both were made in
/// turns with something.
#[test]
fn only_recordings_that_know_each_other_are_paired() {
    let [a, _] = drifting(1.1, true);
    let [_, mut b] = drifting(1.1, true);
    b.summary.run.recording = "somebody else".to_string();
    assert_eq!(compared(&a, &b).basis, Basis::Launches([8, 8]));
}

/// The whole and layers alike.
fn stops(verdicts: &[Verdict], above: Option<f64>, share: f64) -> Gate {
    let limits = Limits { verdicts: verdicts.to_vec(), above: above.map(Share) };
    Gate { whole: limits.clone(), layers: limits, share, ..Gate::default() }
}

#[test]
fn a_gate_stops_what_is_slower_and_large() {
    let comparison =
        compared(&noisy_recording(1, 10, ONE), &noisy_recording(2, 10, [1.0, 1.2, 1.0, 1.0, 1.2]));
    let of =
        |verdicts: &[Verdict], share| gate(&comparison, &stops(verdicts, None, share)).failures;
    // /b takes 5 % of the time, /e 3 %.
    let [both] = &of(&[Verdict::Slower], 0.01)[..] else { panic!("one reason") };
    assert_eq!(both.text, "noisy: 2 layers are slower");
    let starts = |text: &str, start: &str| assert!(text.starts_with(start), "{text}");
    starts(&both.worst[0], "/b: +0.00");
    starts(&both.worst[1], "/e: +0.00");
    let [one] = &of(&[Verdict::Slower], 0.04)[..] else { panic!("one reason") };
    assert_eq!((one.text.as_str(), one.worst.len()), ("noisy: 1 layer is slower", 1));
    assert!(of(&[Verdict::Faster], 0.0).is_empty());
}

/// The gate is the verdict: what is the same within the noise threshold passes, and a closer look
/// takes a smaller threshold.
#[test]
fn a_limit_stops_a_slowdown_that_is_sure_and_beyond_it() {
    let slower = compared(&noisy_recording(1, 10, ONE), &noisy_recording(2, 10, [1.02; 5]));
    assert_eq!(slower.total.change.verdict, Some(Verdict::Same));
    let of =
        |comparison: &Comparison, limit| gate(comparison, &stops(&[], Some(limit), 0.0)).failures;
    assert!(of(&slower, 0.01).is_empty());
    let options = Options { noise_threshold: Share(0.01), ..Options::default() };
    let sides = [noisy_recording(1, 10, ONE), noisy_recording(2, 10, [1.02; 5])];
    let slower = compare(&sides[0], &sides[1], &options).unwrap();
    let failures = of(&slower, 0.01);
    assert!(
        failures[0].text.starts_with("noisy is slower by more than 1 %: +2.0 % ("),
        "{failures:?}"
    );
    assert_eq!(failures[1].text, "noisy: 5 layers are slower by more than 1 %");
    assert!(of(&slower, 0.05).is_empty());
    // What is slower by a p that one in thirty has by chance stops nothing.
    let mut unsure = slower;
    let changes = unsure.groups.iter_mut().map(|group| &mut group.compared.change);
    for change in changes.chain(unsure.unprofiled.iter_mut().map(|plain| &mut plain.change)) {
        (change.p, change.p_adjusted) = (Some(0.03), Some(0.03));
    }
    (unsure.total.change.p, unsure.total.change.p_adjusted) = (Some(0.03), Some(0.03));
    let gated = gate(&unsure, &stops(&[], Some(0.01), 0.0));
    assert!(gated.failures.is_empty() && gated.is_undecided, "{gated:?}");
    let passed = gated.passed.unwrap();
    let expected =
        "; its p is 0.030, and a limit stops at 0.01 or below; minimum detectable effect ";
    assert!(
        passed.starts_with("noisy is slower: +2.0 % (")
            && passed.contains(expected)
            && passed.ends_with("; 5 layers pass, too, undecided"),
        "{passed}"
    );
    // Where layers alone are gated, nothing is said of the latency.
    let of_layers = |limit| Gate {
        layers: Limits { verdicts: Vec::new(), above: Some(Share(limit)) },
        ..Gate::default()
    };
    let gated = gate(&unsure, &of_layers(0.01));
    assert_eq!(gated.passed.as_deref(), Some("noisy: 5 layers pass, undecided"));
    assert!(gated.is_undecided && gated.failures.is_empty(), "{gated:?}");
    let strict = Gate { stops_undecided: true, ..of_layers(0.01) };
    let [failure] = &gate(&unsure, &strict).failures[..] else { panic!("{gated:?}") };
    assert_eq!(failure.text, "undecided (--fail-undecided): noisy: 5 layers pass, undecided");
    // A limit more stops no less.
    let whole = Limits { verdicts: Vec::new(), above: Some(Share(0.5)) };
    let both = Gate { whole, stops_undecided: true, ..of_layers(0.01) };
    assert_eq!(gate(&unsure, &both).failures.len(), 1);
    let strict = Gate { stops_undecided: true, ..of_layers(0.05) };
    assert!(gate(&unsure, &strict).failures.is_empty(), "it is decided");
    let gated = gate(&unsure, &of_layers(0.05));
    assert_eq!(gated.passed.as_deref(), Some("noisy: 5 layers pass"));
    assert!(!gated.is_undecided, "{gated:?}");
    assert!(!gate(&unsure, &stops(&[Verdict::Slower], None, 0.0)).failures.is_empty());
    // Nothing is known of any layer.
    let layers = unsure.groups.iter_mut().map(|group| &mut group.compared.change);
    let patterns = unsure.folded.iter_mut().map(|folded| &mut folded.compared.change);
    layers.chain(patterns).for_each(|change| (change.ratio, change.verdict) = (None, None));
    let gated = gate(&unsure, &of_layers(0.05));
    let none = "noisy: no layer could be compared";
    assert_eq!((gated.passed.as_deref(), gated.is_undecided), (Some(none), true));
    // Faster by far, and beyond no limit.
    let faster = compared(&noisy_recording(1, 10, ONE), &noisy_recording(2, 10, [0.5; 5]));
    assert!(of(&faster, 0.0).is_empty());
    // Of averages the estimate decides, and of the whole alone.
    let [a, b] = [100_000.0, 110_000.0].map(|mean| averaged(&model(), &[mean; 5]));
    let averages = compared(&a, &b);
    let [whole] = &of(&averages, 0.05)[..] else { panic!("the whole") };
    assert!(whole.text.contains("by an estimate that was not tested: +10.0 %"), "{whole:?}");
    assert!(of(&averages, 0.2).is_empty());
}
