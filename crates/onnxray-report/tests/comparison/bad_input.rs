//! Recordings with little or strange in them.

use crate::made::{averaged, compared, converted, launches, model, noisy_recording, recording};
use onnxray_analyzer::comparison::{
    Basis, ComparisonError, Options, Recording, Verdict, check, compare,
};
use onnxray_import::{EventChunk, Events, Launch, NO_ITERATION, Thread};

#[test]
fn averages_cannot_be_tested() {
    let (a, b) = (averaged(&model(), &[1e5; 5]), averaged(&model(), &[2e5; 5]));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.basis, Basis::Averages);
    assert_eq!(comparison.total.change.ratio, Some(2.0));
    for group in &comparison.groups {
        assert_eq!(group.compared.change.verdict, Some(Verdict::NotTested));
        assert_eq!(group.compared.change.ratio_interval, None);
        assert_eq!(group.compared.change.p, None);
    }
}

/// The wall time of one side is unknown, so that operators are compared.
#[test]
fn averages_next_to_iterations_are_compared_by_operators() {
    let a = recording("a", launches(&model(), 3, 10, |_, _, _| 100_000));
    let comparison = compared(&a, &averaged(&model(), &[1e5; 5]));
    assert_eq!(comparison.basis, Basis::Averages);
    assert_eq!(comparison.total.change.ratio, Some(1.0));
    assert!(comparison.conservation.iter().all(|side| side.overhead.is_none()));
    assert!(comparison.notes.iter().any(|note| note.contains("without overhead")));
}

/// Operators of a trace without iterations.
fn totals() -> Recording {
    let mut chunk = EventChunk::default();
    for operator in 0..5u32 {
        chunk.operator.push(operator);
        chunk.iteration.push(NO_ITERATION);
        chunk.thread.push(0);
        chunk.start.push(u64::from(operator) * 1_000);
        chunk.duration.push(1_000);
    }
    let threads = vec![Thread::default()];
    recording(
        "totals",
        vec![Launch {
            run: converted(),
            operators: model(),
            events: Events { chunks: vec![chunk], threads, figures: Vec::new() },
            ..Launch::default()
        }],
    )
}

#[test]
fn sums_are_compared_with_sums_only() {
    let comparison = compared(&totals(), &totals());
    assert_eq!(comparison.basis, Basis::Totals);
    assert_eq!(comparison.total.change.ratio, Some(1.0));
    let unlike = compared(&noisy_recording(1, 3, [1.0; 5]), &totals());
    assert_eq!(unlike.basis, Basis::Unlike);
    assert_eq!(unlike.total.change.ratio, None);
    assert_eq!(unlike.total.change.mean_difference, None);
    assert!(unlike.causes.is_empty());
    assert!(unlike.groups.iter().all(|group| group.compared.change.difference.is_none()));
    assert!(unlike.groups.iter().all(|group| group.compared.sides[0].share.is_some()));
}

#[test]
fn a_side_without_times_is_an_error_that_names_it() {
    let silent = recording(
        "silent",
        vec![Launch { run: converted(), operators: model(), ..Launch::default() }],
    );
    let loud = noisy_recording(1, 3, [1.0; 5]);
    for [a, b] in [[&loud, &silent], [&silent, &loud], [&silent, &silent]] {
        let error = compare(a, b, &Options::default()).unwrap_err();
        assert_eq!(error, ComparisonError::NoTimes { label: "silent".to_string() });
    }
}

#[test]
fn equal_times_and_no_time_at_all_are_the_same() {
    for time in [0, 1, 1_000_000] {
        let make = || recording("equal", launches(&model(), 5, 10, |_, _, _| time));
        let comparison = compared(&make(), &make());
        for group in &comparison.groups {
            // Within two steps of the clock, nothing of a layer is tested.
            let expected = match time {
                1_000_000 => (Some(Verdict::Same), Some(1.0)),
                _ => (Some(Verdict::NotTested), None),
            };
            let change = &group.compared.change;
            assert_eq!((change.verdict, change.p), expected, "{time}");
            assert_eq!(group.compared.change.ratio, (time > 0).then_some(1.0));
        }
        assert_eq!(comparison.total.change.contribution, None, "nothing of nothing");
    }
}

#[test]
fn one_iteration_says_nothing_about_noise() {
    let make = |time| recording("one", launches(&model(), 1, 1, |_, _, _| time));
    let comparison = compared(&make(1_000), &make(2_000));
    assert_eq!(comparison.basis, Basis::Blocks([1, 1]));
    assert_eq!(comparison.total.change.verdict, Some(Verdict::NotTested));
    assert_eq!(comparison.total.change.p, None);
    check(&make(1_000), &Options::default());
}

#[test]
fn operators_of_one_name_are_one_operator() {
    let mut operators = model();
    operators[3].name = "/a".to_string();
    operators[3].nodes = vec!["/a".to_string()];
    let make = || recording("twice", launches(&operators, 3, 10, |_, _, _| 1_000));
    let comparison = compared(&make(), &make());
    let first = comparison.groups.iter().find(|group| group.name == "/a").unwrap();
    assert_eq!(first.compared.sides[0].mean.unwrap().0, 0.002);
    assert_eq!(comparison.groups.len(), 4);
}

/// Nothing in it looks at all pairs of operators.
#[test]
fn a_hundred_thousand_operators_are_compared() {
    let operators: Vec<_> = (0..100_000)
        .map(|at| {
            let mut found = crate::made::operator(&format!("/layer.{at}/MatMul"), "MatMul");
            found.number = at;
            found
        })
        .collect();
    let quantized: Vec<_> = operators
        .iter()
        .map(|found| {
            let name = format!("{}_quant", found.name);
            onnxray_format::Operator { nodes: vec![name.clone()], name, ..found.clone() }
        })
        .collect();
    let a = recording("a", launches(&operators, 1, 1, |_, _, _| 1_000));
    let b = recording("b", launches(&quantized, 1, 1, |_, _, _| 1_000));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.groups.len(), 100_000);
    assert!(comparison.groups.iter().all(|group| group.group.is_matched()));
}
