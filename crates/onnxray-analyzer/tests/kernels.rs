//! Kernels are added up into operators, and nothing gets lost on the way.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::statistics::{OperatorSummary, PartialSum, Summary};
use onnxray_analyzer::{Needs, Trace, examine, flops_profile};
use onnxray_format::{Iteration, IterationKind, Nanoseconds, Operator, Run};
use onnxray_import::{EventChunk, Events, Format, Launch, Reading, Thread, import};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Traces among the fixtures that read on their own.
fn launches() -> Vec<(PathBuf, Vec<Launch>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut folders = vec![root];
    let mut launches = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(read) = import(std::slice::from_ref(&path), &Reading::default()) {
                launches.push((path, read));
            }
        }
    }
    launches
}

/// A converted trace: names in it mean nothing, so that every kernel is an operator.
fn unfolded(launches: &[Launch]) -> Vec<Launch> {
    let mut launches = launches.to_vec();
    for launch in &mut launches {
        launch.run.converted_from.get_or_insert_with(|| "another producer".to_string());
    }
    launches
}

fn types(summary: &Summary) -> BTreeMap<&str, (Option<u64>, f64, f64)> {
    let of_type = |t: &onnxray_analyzer::statistics::TypeSummary| {
        (t.total.map(|total| total.0), t.flops.known, t.bytes.known)
    };
    summary.types.iter().map(|t| (t.operator_type.as_str(), of_type(t))).collect()
}

#[track_caller]
fn check_sums(folded: &Summary, single: &Summary, name: &str) {
    let (of_folded, of_single) = (&folded.model, &single.model);
    assert_eq!(of_folded.operators, of_single.operators, "{name}");
    assert_eq!(of_folded.overhead, of_single.overhead, "{name}");
    assert_eq!(of_folded.flops.known, of_single.flops.known, "{name}");
    assert_eq!(of_folded.bytes.known, of_single.bytes.known, "{name}");
    assert_eq!(types(folded), types(single), "{name}");
    let times = |summary: &Summary| -> Vec<_> {
        summary
            .iterations
            .iter()
            .map(|iteration| (iteration.operators, iteration.overhead))
            .collect()
    };
    assert_eq!(times(folded), times(single), "{name}");
    // A kernel's figures do not depend on what it is a part of.
    let figures = |kernel: &OperatorSummary| {
        (kernel.operator.name.clone(), kernel.calls, kernel.total, kernel.time, kernel.flops)
    };
    let kernels = folded.kernels().iter().map(figures).collect::<Vec<_>>();
    assert_eq!(kernels, single.operators.iter().map(figures).collect::<Vec<_>>(), "{name}");
}

#[test]
fn sums_of_every_fixture_are_the_same_with_and_without_kernels() {
    let mut folded_traces = 0;
    let all = launches();
    assert!(all.len() > 20);
    for (path, mut launches) in all {
        let name = path.display().to_string();
        // What runs on a device has a clock of its own, on which times do not add up with others.
        if launches.iter().flat_map(|launch| &launch.operators).any(|operator| operator.device) {
            continue;
        }
        // Of a converted recording, nothing is taken out.
        launches.iter_mut().for_each(|launch| launch.calibration = None);
        let folded = Trace::new(launches.clone());
        let single = Trace::new(unfolded(&launches));
        assert!(single.kernels.is_none(), "{name}");
        if launches.iter().any(|launch| launch.format != Format::ONNXRAY) {
            assert!(folded.kernels.is_none(), "{name}");
        }
        folded_traces += usize::from(folded.kernels.is_some());
        let figures = |trace| examine(trace, Needs::Measured).map(|examined| examined.summary);
        let (Ok(folded), Ok(single)) = (figures(&folded), figures(&single)) else { continue };
        check_sums(&folded, &single, &name);
    }
    assert!(folded_traces > 0);
}

/// Two convolutions with a kernel that packs before each, and a body in a loop.
fn table() -> Vec<Operator> {
    let kernel = |number: u32, name: &str, nodes: &[&str], flops| Operator {
        number,
        name: name.to_string(),
        operator_type: "Conv".to_string(),
        nodes: nodes.iter().map(|node| node.to_string()).collect(),
        flops,
        bytes: Some(8),
        executions: Some(1),
        ..Operator::default()
    };
    vec![
        kernel(0, "a#pack", &["a"], Some(0)),
        kernel(1, "a", &["a"], Some(100)),
        kernel(2, "b#pack", &["b"], Some(0)),
        kernel(3, "b", &["b", "c"], None),
    ]
}

/// Each kernel runs once in each iteration, for the nanoseconds that are given.
fn launch(operators: Vec<Operator>, times: &[[u64; 4]]) -> Launch {
    let mut chunk = EventChunk::default();
    let mut iterations = Vec::new();
    let mut clock = 0;
    for (index, times) in (0..).zip(times) {
        let start = clock;
        for (operator, &time) in (0..).zip(times) {
            chunk.operator.push(operator);
            chunk.iteration.push(index);
            chunk.thread.push(0);
            chunk.start.push(clock);
            chunk.duration.push(time);
            clock += time;
        }
        let (start, duration) = (Nanoseconds(start), Nanoseconds(clock - start));
        iterations.push(Iteration {
            index,
            kind: IterationKind::Measured,
            start,
            duration,
            step: None,
        });
    }
    let events = Events { chunks: vec![chunk], threads: vec![Thread::default()], figures: vec![] };
    Launch { run: Run::default(), operators, iterations, events, ..Launch::default() }
}

#[test]
fn an_operator_is_the_sum_of_its_kernels_in_each_iteration() {
    let times = [[10, 100, 1, 50], [30, 100, 1, 50], [20, 140, 1, 50]];
    let trace = Trace::new(vec![launch(table(), &times)]);
    let summary = examine(&trace, Needs::Measured).unwrap().summary;
    let names: Vec<&str> = summary.operators.iter().map(|o| o.operator.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let [a, b] = &summary.operators[..] else { panic!() };
    assert_eq!(a.total, Some(Nanoseconds(400)));
    // 110, 130 and 160: the median of sums, not the sum of medians.
    assert_eq!(a.median.unwrap().0, 130e-6);
    assert_eq!((a.calls, a.executions), (Some(3), Some(1.0)), "those of the main kernel");
    assert_eq!((a.flops, a.bytes), (Some(100.0), Some(16.0)));
    assert_eq!(a.gflops_per_second, Some(300.0 / 400.0));
    assert_eq!((b.flops, b.gflops_per_second), (None, None));
    assert_eq!(summary.model.flops, PartialSum { known: 100.0, unknown: 1 });
    assert_eq!((summary.types[0].operators, summary.types[0].calls), (2, Some(6)));
    assert_eq!(summary.kernels().len(), 4);
    assert_eq!(summary.kernels()[0].median.unwrap().0, 20e-6);
}

#[test]
fn events_have_the_numbers_of_both() {
    let trace = Trace::new(vec![launch(table(), &[[1, 2, 3, 4]])]);
    let kernels = &trace.events.kernel;
    let operators = kernels.iter().map(|&kernel| trace.operator_of(kernel));
    assert_eq!(operators.collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(*kernels, [0, 1, 2, 3]);
}

#[test]
fn the_flops_profile_has_operators_and_the_same_sums() {
    let profile = flops_profile(table(), Run::default());
    assert_eq!(profile.operators.len(), 2);
    assert_eq!(profile.kernels.as_ref().unwrap().len(), 4);
    assert_eq!(profile.model.flops, PartialSum { known: 100.0, unknown: 1 });
    assert_eq!(profile.model.bytes, PartialSum { known: 32.0, unknown: 0 });
}
