//! ONNX Runtime's profiles: what ten versions wrote, and three would have.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "onnxruntime/damage.rs"]
mod damage;
#[path = "onnxruntime/reading.rs"]
mod reading;

use onnxray_format::{DataType, Nanoseconds};
use onnxray_import::formats::onnxruntime::IMPORTER;
use onnxray_import::{Options, Source};
use reading::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

#[test]
fn every_profile_says_what_an_independent_reader_finds() {
    let paths = fixtures();
    assert_eq!(paths.len(), 53);
    let reader = root().join("tests/readers/onnxruntime.py");
    let output = Command::new("python3").arg(reader).args(&paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = String::from_utf8(output.stdout).unwrap();
    assert_eq!(expected.lines().count(), paths.len());
    for (path, expected) in paths.iter().zip(expected.lines()) {
        let launch = launch(Source::open(path).unwrap());
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(summary(&launch), expected, "{}", path.display());
        assert!(launch.warnings.iter().all(|warning| !warning.loss), "{}", messages(&launch));
    }
}

#[test]
fn a_chain_in_every_version() {
    for version in
        ["1.15.1", "1.17.3", "1.18.1", "1.20.1", "1.22.1", "1.24.4", "1.27.0", "1.29.0", "1.31.1"]
    {
        let launch = fixture(&format!("{version}/chain.json"));
        assert_eq!(messages(&launch), "", "{version}");
        assert_eq!(names(&launch), ["/layer/MatMul", "/layer/Add", "/layer/Relu"], "{version}");
        let [product, sum, _] = &launch.operators[..] else { panic!("{version}") };
        assert_eq!(product.operator_type, "MatMul");
        assert_eq!(product.kernel.as_deref(), Some("CPUExecutionProvider"));
        assert_eq!(product.nodes, ["/layer/MatMul"]);
        // The weight is repacked: the profile shows neither it nor its size.
        assert_eq!(product.inputs.len(), 1);
        assert_eq!(product.bytes, None);
        let shapes: Vec<_> = sum.inputs.iter().map(|tensor| tensor.shape.clone()).collect();
        assert_eq!(shapes, [Some(vec![1, 64, 128]), Some(vec![128])]);
        assert_eq!(sum.outputs[0].shape, Some(vec![1, 64, 128]));
        assert_eq!(sum.outputs[0].data_type, Some(DataType::Fp32));
        assert_eq!(sum.bytes, Some(4 * (64 * 128 + 128 + 64 * 128)));
        assert_eq!(launch.iterations.len(), 3);
        assert!(launch.run.load_time.is_some_and(|time| time > Nanoseconds(100_000)));
        assert_eq!(launch.run.engine, "ONNX Runtime");
        assert_eq!(launch.run.engine_version, "");
        assert!(launch.run.process > 0);
        let threads = figure(&launch, "threads");
        assert!(threads.iter().all(|threads| matches!(threads, Some(1 | 2))), "{threads:?}");
        assert!(figure(&launch, "thread_run_us").iter().all(Option::is_some));
        let memory = figure(&launch, "memory_in_use_bytes");
        let told = ["1.29.0", "1.31.1"].contains(&version);
        assert!(memory.iter().all(|value| value.is_some() == told), "{version}: {memory:?}");
    }
}

#[test]
fn times_are_exact() {
    let launch = fixture("0.4/chain.json");
    assert_eq!(launch.run.load_time, Some(Nanoseconds(2_900_000)));
    assert_eq!(launch.run.process, 4242);
    let starts: Vec<u64> = launch.iterations.iter().map(|run| run.start.0).collect();
    assert_eq!(starts, [10_000_000, 10_500_000]);
    assert_eq!(launch.iterations[1].duration, Nanoseconds(290_000));
    let event = |operator, iteration, start, duration| Event {
        operator,
        iteration,
        thread: 0,
        start,
        duration,
    };
    let all = events(&launch);
    assert_eq!(all[0], event(0, 0, 10_011_000, 100_000));
    assert_eq!(all[9], event(3, 1, 10_761_000, 7_000));
}

#[test]
fn names_with_quotes_and_backslashes_are_what_the_model_calls_them() {
    let expected =
        [r#"/the "first" layer/MatMul"#, r"/back\slash\new/Add", r#"/"a", {b}: [c]/Relu"#];
    for path in fixtures().iter().filter(|path| path.ends_with("quoted.json")) {
        let launch = launch(Source::open(path).unwrap());
        assert_eq!(names(&launch), expected, "{}", path.display());
        let escaped = path.to_string_lossy().contains("1.31.1");
        assert_eq!(launch.warnings.is_empty(), escaped, "{}", messages(&launch));
    }
}

#[test]
fn nodes_of_bodies_know_the_node_that_holds_them() {
    for version in ["1.8", "1.15.1", "1.24.4", "1.31.1"] {
        let launch = fixture(&format!("{version}/loop.json"));
        let expected = BTreeMap::from([
            ("/Loop", None),
            ("/Relu", None),
            ("/loop/Identity", Some("/Loop")),
            ("/loop/MatMul", Some("/Loop")),
            ("/loop/Tanh", Some("/Loop")),
        ]);
        assert_eq!(parents(&launch), expected, "{version}");
        assert_eq!(executions(&launch, "/loop/Tanh"), 2 * 3);
        assert_eq!(operator(&launch, "/loop/Tanh").executions, None);
    }
    let launch = fixture("1.31.1/scan.json");
    let parents = parents(&launch);
    assert_eq!(parents["/scan/large/Tanh"], Some("/scan/If"));
    assert_eq!(parents["/scan/small/Abs"], Some("/scan/If"));
    assert_eq!(parents["/scan/If"], Some("/Scan"));
    assert_eq!(parents["/scan/Neg"], Some("/Scan"));
    assert_eq!((parents["/Scan"], parents["/Relu"]), (None, None));
    assert_eq!(executions(&launch, "/scan/large/Tanh"), 2 * 2);
    assert_eq!(executions(&launch, "/scan/small/Abs"), 2);
}

#[test]
fn nodes_of_one_name_are_told_apart() {
    // By type, in two branches.
    let launch = fixture("1.29.0/if.json");
    let [first, second] = ["/branch/last", "/branch/last (2)"].map(|name| operator(&launch, name));
    assert_eq!((first.operator_type.as_str(), second.operator_type.as_str()), ("Tanh", "Abs"));
    assert_eq!(second.nodes, ["/branch/last"]);
    // By the body, in a Loop in a Loop.
    let launch = fixture("1.29.0/nameless.json");
    let expected = BTreeMap::from([
        ("Loop_0 (2)", None),
        ("MatMul_1 (3)", None),
        ("Loop_0", Some("Loop_0 (2)")),
        ("MatMul_1 (2)", Some("Loop_0 (2)")),
        ("Identity_2", Some("Loop_0 (2)")),
        ("MatMul_1", Some("Loop_0")),
        ("Tanh_0", Some("Loop_0")),
        ("Identity_2 (2)", Some("Loop_0")),
    ]);
    assert_eq!(parents(&launch), expected);
    let counts = ["MatMul_1", "MatMul_1 (2)", "MatMul_1 (3)"].map(|name| executions(&launch, name));
    assert_eq!(counts, [8, 4, 2]);
    // The oldest versions give nodes without names none: by type.
    let launch = fixture("0.4/chain.json");
    assert_eq!(names(&launch), ["conv1", "Relu", "conv2", "Softmax"]);
    assert!(operator(&launch, "Relu").nodes.is_empty());
    assert_eq!(operator(&launch, "Relu").bytes, None);
}

#[test]
fn runs_at_once_keep_their_own_nodes() {
    for version in ["1.20.1", "1.29.0", "1.31.1"] {
        let launch = fixture(&format!("{version}/concurrent.json"));
        assert_eq!(messages(&launch), "");
        assert_eq!(launch.iterations.len(), 6);
        let all = events(&launch);
        let threads: BTreeSet<u32> = all.iter().map(|event| event.thread).collect();
        assert_eq!(threads.len(), 2);
        for (position, run) in launch.iterations.iter().enumerate() {
            let inside: Vec<_> =
                all.iter().filter(|event| event.iteration == position as u32).collect();
            let numbers: Vec<u32> = inside.iter().map(|event| event.operator).collect();
            assert_eq!(numbers, [0, 1, 2]);
            for event in &inside {
                assert_eq!(event.thread, inside[0].thread);
                // Starts and durations are cut to microseconds, each for itself.
                let end = event.start + event.duration;
                assert!(event.start >= run.start.0 && end <= run.end().0 + 1000);
            }
        }
    }
}

#[test]
fn nodes_on_other_threads_than_their_run_are_found_by_time() {
    for version in ["1.20.1", "1.29.0", "1.31.1"] {
        let launch = fixture(&format!("{version}/parallel.json"));
        assert_eq!(messages(&launch), "");
        assert_eq!(launch.iterations.len(), 3);
        for position in 0..3 {
            let all = events(&launch);
            let inside = all.iter().filter(|event| event.iteration == position);
            let numbers: BTreeSet<u32> = inside.map(|event| event.operator).collect();
            assert_eq!(numbers.len(), 5, "{version}");
        }
        // One thread works on each node: there are no statistics of threads.
        assert!(figure(&launch, "threads").iter().all(Option::is_none));
    }
}

#[test]
fn what_old_versions_do_not_tell_is_unknown() {
    let launch = fixture("1.8/loop.json");
    assert!(figure(&launch, "threads").iter().all(Option::is_none));
    assert!(figure(&launch, "thread_run_us").iter().all(Option::is_none));
    let tanh = operator(&launch, "/loop/Tanh");
    assert!(tanh.inputs.is_empty() && tanh.outputs.is_empty());
    assert_eq!(tanh.bytes, Some(2048));
    assert_eq!(operator(&launch, "/loop/MatMul").bytes, None);
    // A stray comma where a sequence is left out.
    let launch = fixture("1.11/sequence.json");
    let at = operator(&launch, "/SequenceAt");
    assert_eq!(at.inputs.len(), 1);
    assert_eq!(at.inputs[0].data_type, Some(DataType::S64));
    assert_eq!(at.inputs[0].shape, Some(vec![]));
    assert_eq!(figure(&launch, "threads"), [Some(1); 4]);
}

#[test]
fn several_profiles_are_several_launches() {
    let sources = ["1.31.1/chain.json", "1.31.1/loop.json"]
        .map(|name| Source::from_bytes(name, bytes(name)).unwrap());
    let launches = IMPORTER.read(sources.into(), &Options::default()).unwrap();
    let numbers: Vec<u32> = launches.iter().map(|launch| launch.run.launch).collect();
    assert_eq!(numbers, [0, 1]);
    assert_eq!(launches[1].operators.len(), 5);
}
