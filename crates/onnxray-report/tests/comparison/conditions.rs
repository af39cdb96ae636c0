//! What happened on the machine, and whether it moved the result.

use crate::made::{compared, launches, model, noisy, recording};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{Field, Finding, Grade, Meaning, Options, Recording, check};
use onnxray_format::{Conditions, Counts, CpuLimit, Nanoseconds, Slices};
use onnxray_import::Launch;

const SUBJECTS: [&str; 7] = [
    "other load",
    "steal",
    "throttling",
    "frequency",
    "pinning",
    "page faults",
    "context switches",
];

/// A launch in which nothing happened, with a slice for every five iterations.
fn quiet(launch: &Launch) -> Conditions {
    let ends: Vec<Nanoseconds> =
        launch.iterations.chunks(5).map(|slice| slice.last().unwrap().end()).collect();
    let zeros = Some(vec![0; ends.len()]);
    Conditions {
        pinned: Some(vec![1]),
        cores: Some(vec![1]),
        siblings: Some(vec![]),
        smt: Some(false),
        governor: Some("performance".to_string()),
        governor_at_end: Some("performance".to_string()),
        turbo: Some(false),
        limit: Some(CpuLimit { cores: None, throttled_periods: Some(0) }),
        memory_limit: None,
        slices: Some(Slices {
            start: launch.iterations[0].start,
            others_ms: zeros.clone(),
            elsewhere_ms: zeros.clone(),
            steal_ms: zeros.clone(),
            throttled_us: Some(vec![0; ends.len()]),
            frequency_khz: Some(vec![3_000_000; ends.len()]),
            ends,
        }),
        minor_faults: Some(Counts::default()),
        major_faults: Some(Counts::default()),
        voluntary_switches: Some(Counts::default()),
        involuntary_switches: Some(Counts::default()),
        migrations: Some(Counts::default()),
        waits_us: Some(Counts::default()),
    }
}

/// A recording whose iterations take `slower` times as long in the slices for which this is
/// so, and whose conditions are what `change` makes of quiet ones.
fn made(seed: u64, slow: impl Fn(u32) -> f64, change: impl Fn(&mut Conditions)) -> Recording {
    let mut noise = noisy(seed, [1.0; 5]);
    let time = |launch: u32, iteration: u32, operator: usize| {
        (noise(launch, iteration, operator) as f64 * slow(iteration)) as u64
    };
    let mut all = launches(&model(), 3, 60, time);
    for launch in &mut all {
        let mut conditions = quiet(launch);
        change(&mut conditions);
        launch.conditions = Some(conditions);
    }
    recording("made", all)
}

/// But for that its profiling cost is unknown.
fn caveats(recording: &Recording) -> Vec<&String> {
    let caveats = recording.summary.caveats.iter();
    caveats.filter(|caveat| !caveat.starts_with("the profiling cost is unknown")).collect()
}

fn findings(recording: &Recording) -> Vec<Finding> {
    let all = check(recording, &Options::default()).findings;
    SUBJECTS
        .map(|subject| all.iter().find(|finding| finding.subject == subject).unwrap().clone())
        .to_vec()
}

/// The only one of the findings that is not good.
#[track_caller]
fn only(recording: &Recording) -> Finding {
    let bad: Vec<Finding> =
        findings(recording).into_iter().filter(|finding| finding.grade != Grade::Good).collect();
    assert_eq!(bad.len(), 1, "{bad:#?}");
    bad[0].clone()
}

#[test]
fn a_quiet_recording_names_nothing() {
    let recording = made(1, |_| 1.0, |_| ());
    for finding in findings(&recording) {
        assert_eq!((finding.grade, finding.advice.as_str()), (Grade::Good, ""), "{finding:?}");
    }
    assert_eq!(caveats(&recording), Vec::<&String>::new());
}

/// Iterations 20 to 29 of 60, which are slices 4 and 5.
fn in_phase(iteration: u32) -> bool {
    (20..30).contains(&iteration)
}

#[test]
fn each_noise_source_is_named_with_how_much() {
    let slow = |iteration: u32| if in_phase(iteration) { 2.0 } else { 1.0 };
    let column = |ends: usize, amount: u32| -> Option<Vec<u32>> {
        Some((0..ends).map(|slice| if [4, 5].contains(&slice) { amount } else { 0 }).collect())
    };
    let counted = || Counts { iterations: (20..30).collect(), counts: vec![2; 10] };
    let change = |subject: &str, conditions: &mut Conditions| {
        let slices = conditions.slices.as_mut().unwrap();
        let ends = slices.ends.len();
        // Five slow iterations of 0.73 ms make a slice.
        match subject {
            "other load" => slices.others_ms = column(ends, 3),
            "steal" => slices.steal_ms = column(ends, 3),
            "throttling" => {
                slices.throttled_us =
                    column(ends, 3_000).map(|all| all.into_iter().map(u64::from).collect());
            }
            "frequency" => {
                let low = column(ends, 1_500_000).unwrap();
                slices.frequency_khz = Some(low.iter().map(|low| 3_000_000 - low).collect());
            }
            "pinning" => conditions.migrations = Some(counted()),
            "page faults" => conditions.minor_faults = Some(counted()),
            _ => conditions.involuntary_switches = Some(counted()),
        }
    };
    for (subject, text) in [
        ("other load", "other programs used up to "),
        ("steal", "a hypervisor withheld up to "),
        ("throttling", "no limit; the limit of the container held the launch back"),
        ("frequency", "governor performance, turbo off; the clock frequency fell by up to 50 %"),
        ("pinning", "bound to core 1; moved to another core in 30 of 180"),
        ("page faults", "60 page faults in 30 of 180 iterations"),
        ("context switches", "descheduled 60 times in 30 of 180 iterations"),
    ] {
        let recording = made(7, slow, |conditions| change(subject, conditions));
        let found = only(&recording);
        assert_eq!((found.subject, found.grade), (subject, Grade::Doubtful), "{found:?}");
        assert!(found.found.starts_with(text), "{found:?}");
        assert!(
            found.found.contains("30 of 180 iterations")
                && (found.found.contains(" were 9") || found.found.contains(" were 2.0")),
            "{found:?}"
        );
        assert!(!found.advice.is_empty());
        let caveats = recording.summary.caveats.join("\n");
        assert!(caveats.contains("the typical latency is"), "{caveats}");
    }
}

#[test]
fn what_moves_nothing_is_told_and_not_graded() {
    // Four iterations of each launch are interrupted, and take longer: no median moves.
    let hit = [7, 18, 25, 44];
    let slow = |iteration: u32| if hit.contains(&iteration) { 1.5 } else { 1.0 };
    let recording = made(3, slow, |conditions| {
        conditions.involuntary_switches =
            Some(Counts { iterations: hit.to_vec(), counts: vec![1; 4] });
    });
    let found = &findings(&recording)[6];
    assert_eq!(found.grade, Grade::Good);
    assert!(found.found.contains("12 of 180 iterations; these were 49."), "{found:?}");
    // A few say nothing of what it costs.
    let recording = made(3, slow, |conditions| {
        conditions.involuntary_switches =
            Some(Counts { iterations: vec![7, 25], counts: vec![1; 2] });
    });
    let found = &findings(&recording)[6];
    assert_eq!(found.found, "descheduled 6 times in 6 of 180 iterations");
    // A load throughout may have cost anything, and so may one of most of the cores.
    let loaded = made(
        3,
        |_| 1.0,
        |conditions| {
            let slices = conditions.slices.as_mut().unwrap();
            slices.others_ms = Some(vec![2; slices.ends.len()]);
        },
    );
    let found = only(&loaded);
    assert_eq!((found.subject, found.grade), ("other load", Grade::Unknown));
    assert!(found.found.contains("throughout; what that costs"), "{found:?}");
}

#[test]
fn what_the_system_does_not_tell_is_unknown() {
    let recording = made(5, |_| 1.0, |conditions| *conditions = Conditions::default());
    for finding in findings(&recording) {
        assert_eq!(finding.grade, Grade::Unknown, "{finding:?}");
        assert!(finding.found.ends_with("not reported by the system"), "{finding:?}");
    }
}

/// Events that have nothing to do with the latency, in forty recordings.
#[test]
fn ordinary_noise_raises_no_caveats() {
    let mut doubtful = 0;
    for seed in 0..40 {
        let recording = made(
            100 + seed,
            |_| 1.0,
            |conditions| {
                let mut random = Sequence::new(seed);
                let slices = conditions.slices.as_mut().unwrap();
                let ends = slices.ends.len();
                slices.others_ms = Some((0..ends).map(|_| random.below(3) as u32).collect());
                slices.frequency_khz =
                    Some((0..ends).map(|_| 2_900_000 + random.below(100_000) as u32).collect());
                for counts in [
                    &mut conditions.minor_faults,
                    &mut conditions.involuntary_switches,
                    &mut conditions.migrations,
                ] {
                    let mut found = Counts::default();
                    (0..60).for_each(|at| found.add(at, u64::from(random.below(8) == 0)));
                    *counts = Some(found);
                }
            },
        );
        doubtful += findings(&recording).iter().filter(|f| f.grade == Grade::Doubtful).count();
        assert!(caveats(&recording).is_empty(), "{:?}", caveats(&recording));
    }
    assert_eq!(doubtful, 0);
}

#[test]
fn other_settings_of_the_machine_are_not_comparable_where_both_tell() {
    let quiet = made(11, |_| 1.0, |_| ());
    type Edit = fn(&mut Conditions);
    let changes: [(Field, Edit, &str); 4] = [
        (Field::Pinning, |c| c.pinned = Some(vec![0, 1]), "cores 0, 1"),
        (Field::Governor, |c| c.governor = Some("powersave".to_string()), "powersave"),
        (Field::Turbo, |c| c.turbo = Some(true), "on"),
        (
            Field::Limit,
            |c| c.limit = Some(CpuLimit { cores: Some(1.5), throttled_periods: None }),
            "1.5 cores",
        ),
    ];
    for (field, change, text) in changes {
        let other = made(12, |_| 1.0, change);
        let comparability = compared(&quiet, &other).comparability;
        assert_eq!(comparability.differences.len(), 1, "{comparability:?}");
        let difference = &comparability.differences[0];
        assert_eq!((difference.field, difference.meaning), (field, Meaning::NotComparable));
        assert_eq!(difference.values[1].as_deref(), Some(text));
    }
    let untold = made(13, |_| 1.0, |conditions| *conditions = Conditions::default());
    assert_eq!(compared(&quiet, &untold).comparability.differences, []);
}
