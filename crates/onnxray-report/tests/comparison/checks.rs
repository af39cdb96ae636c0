//! Whether a recording can be trusted.

use crate::made::{
    averaged, compared, launches, model, noisy, noisy_recording, recording, timed_apart,
};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{
    Check, Finding, Grade, Options, Recording, Split, Verdict, check,
};

fn checked(recording: &Recording) -> Check {
    check(recording, &Options::default())
}

fn finding<'a>(check: &'a Check, subject: &str) -> &'a Finding {
    check.findings.iter().find(|finding| finding.subject == subject).unwrap()
}

#[test]
fn a_quiet_recording_of_ten_launches_is_good() {
    let found = checked(&noisy_recording(1, 10, [1.0; 5]));
    for finding in &found.findings {
        let expected = match finding.subject {
            "profiling overhead" | "profiling cost" | "conditions" => Grade::Unknown,
            _ => Grade::Good,
        };
        assert_eq!(finding.grade, expected, "{finding:?}");
        assert_eq!(finding.advice.is_empty(), finding.grade == Grade::Good, "{finding:?}");
    }
    let splits: Vec<Split> = found.false_alarms.iter().map(|alarms| alarms.split).collect();
    assert_eq!(splits, [Split::LaunchesInOrder, Split::LaunchesAtRandom]);
    // Three launches are the fewest that are compared: 3 + 3 of 10 lie apart in fifteen ways.
    assert_eq!(found.false_alarms[0].splits, 15);
    assert!(found.false_alarms.iter().all(|alarms| alarms.rate <= 0.05), "{found:?}");
}

#[test]
fn one_launch_says_less() {
    let found = checked(&recording("one", launches(&model(), 1, 100, noisy(1, [1.0; 5]))));
    assert_eq!(finding(&found, "launches").grade, Grade::Doubtful);
    assert_eq!(finding(&found, "spread of launches").grade, Grade::Unknown);
    assert_eq!(found.false_alarms[0].split, Split::IterationsInOrder);
}

/// The latency rises by half over each launch: parts of a launch differ, although
/// nothing was changed.
#[test]
fn a_launch_that_drifts_raises_false_alarms() {
    let mut random = Sequence::new(5);
    let time = |_: u32, iteration: u32, _: usize| {
        100_000 + 250 * u64::from(iteration) + random.below(5_000)
    };
    let found = checked(&recording("drift", launches(&model(), 1, 200, time)));
    assert_eq!(finding(&found, "drift").grade, Grade::Doubtful);
    assert!(finding(&found, "drift").found.contains("rises over the iterations"));
    let alarms = found.false_alarms[0];
    assert!(alarms.interval.low > 0.05, "{alarms:?}");
    assert_eq!(finding(&found, "A/A false positives").grade, Grade::Doubtful);
}

#[test]
fn launches_that_get_slower_are_bad() {
    let mut noise = noisy(3, [1.0; 5]);
    let time = |launch: u32, iteration: u32, operator: usize| {
        noise(launch, iteration, operator) * (20 + u64::from(launch)) / 20
    };
    let found = checked(&recording("drift", launches(&model(), 10, 40, time)));
    assert_eq!(finding(&found, "drift").grade, Grade::Bad);
    assert_eq!(finding(&found, "spread of launches").grade, Grade::Doubtful);
    assert_eq!(found.grade(), Grade::Bad);
    // One stretch after another differs; launches in turns do not.
    assert_eq!(found.false_alarms[0].total_rate, 1.0);
    assert!(found.false_alarms[1].total_rate <= 0.05, "{:?}", found.false_alarms[1]);
    assert_eq!(finding(&found, "A/A false positives").grade, Grade::Doubtful);
}

#[test]
fn stragglers_and_coarse_clocks_are_seen() {
    let mut random = Sequence::new(1);
    let time = |_: u32, _: u32, operator: usize| {
        let slow = operator == 0 && random.below(12) == 0;
        1_000 + random.below(50) + if slow { 100_000 } else { 0 }
    };
    let mut made = launches(&model(), 5, 100, time);
    for launch in &mut made {
        launch.run.clock_resolution = Some(onnxray_format::Nanoseconds(1_000));
    }
    let found = checked(&recording("stragglers", made));
    assert_eq!(finding(&found, "outliers").grade, Grade::Doubtful);
    assert_eq!(finding(&found, "clock").grade, Grade::Doubtful);
}

#[test]
fn averages_are_bad_for_comparisons() {
    let found = checked(&averaged(&model(), &[1e5; 5]));
    assert_eq!(found.grade(), Grade::Bad);
    assert_eq!(found.false_alarms, []);
}

/// Operators that were timed apart from the iterations leave these as they are.
#[test]
fn latencies_are_tested_without_operators() {
    let latencies = |slower: u64| -> Vec<u64> {
        let mut random = Sequence::new(7 + slower);
        (0..100).map(|_| 1_000_000 + slower + random.below(5_000)).collect()
    };
    let means = [3e5, 1e5, 2e5, 5e5, 1e5];
    let a = timed_apart(&means, &latencies(0));
    assert!(a.summary.operators_timed_apart);
    assert_eq!(a.summary.model.overhead, None);
    let caveats = a.summary.caveats.join("\n");
    assert!(caveats.contains("119.7 % of the latency"), "{caveats}");
    let checked = checked(&a);
    assert_eq!(finding(&checked, "iterations").grade, Grade::Good);
    assert_eq!(finding(&checked, "conservation").grade, Grade::Unknown);
    assert!(finding(&checked, "conservation").found.contains("apart"), "{checked:?}");
    assert_eq!(checked.false_alarms[0].operators, 0);
    let slower = timed_apart(&means, &latencies(200_000));
    let found = compared(&a, &slower);
    let change = &found.total.change;
    assert_eq!(
        (change.verdict, change.launches_needed.unwrap().low),
        (Some(Verdict::Inconclusive), Some(5))
    );
    assert!(change.ratio_interval.unwrap().low > 1.19);
    assert!(
        found.groups.iter().all(|group| group.compared.change.verdict == Some(Verdict::NotTested))
    );
    assert_eq!(
        compared(&a, &averaged(&model(), &means)).total.change.verdict,
        Some(Verdict::NotTested)
    );
}
