//! Op profiles of TensorFlow Lite: all layouts, nesting, logs and damage.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod files;

use files::{Files, warnings};
use onnxray_import::formats::tflite::IMPORTER;
use onnxray_import::{Launch, Options, Source, Verdict};
use proptest::prelude::*;

const TFLITE: Files = Files { importer: &IMPORTER, folder: "tflite" };

/// `name: type, own microseconds per run x executions, in operator`.
fn lines(launch: &Launch) -> Vec<String> {
    let line = |(at, operator): (usize, &onnxray_format::Operator)| {
        let average = launch.averages.iter().find(|average| average.operator as usize == at);
        let mean = average.and_then(|average| average.mean_ns).map(|mean| mean / 1000.0);
        let mean = mean.map_or("-".to_string(), |mean| format!("{mean:.3}"));
        let executions = average.and_then(|average| average.executions);
        let executions = executions.map_or("-".to_string(), |executions| executions.to_string());
        let parent = operator.parent.map_or("top".to_string(), |parent| parent.to_string());
        format!("{}: {}, {mean} x {executions}, in {parent}", operator.name, operator.operator_type)
    };
    launch.operators.iter().enumerate().map(line).collect()
}

#[track_caller]
fn check(name: &str, expected: &[&str]) {
    assert_eq!(lines(&TFLITE.read(name)), expected, "{name}");
}

#[test]
fn a_plain_profile_has_means_nodes_and_outputs() {
    let launch = TFLITE.read("2.9/plain.csv");
    assert_eq!(warnings(&launch), [""; 0]);
    assert_eq!(
        lines(&launch),
        [
            "net/conv2d/Relu;net/conv2d/BiasAdd;net/conv2d/Conv2D: CONV_2D, 92.660 x 1, in top",
            "net/conv2d/Elu: ELU, 29.940 x 1, in top",
            "net/split, net/split1: SPLIT, 9.060 x 1, in top",
            "net/dense/MatMul: FULLY_CONNECTED, 2.000 x 1, in top",
            "Identity: SOFTMAX, 0.000 x 1, in top",
        ]
    );
    let [conv, _, split, dense, _] = launch.operators.as_slice() else { panic!() };
    assert_eq!(conv.nodes, ["net/conv2d/Relu", "net/conv2d/BiasAdd", "net/conv2d/Conv2D"]);
    assert_eq!(split.nodes, ["net/split", "net/split1"]);
    assert_eq!(split.outputs.len(), 2);
    assert_eq!(dense.kernel.as_deref(), Some("4x16"));
    assert!(launch.averages.iter().all(|average| average.iterations == Some(50)));
    assert!(launch.iterations.is_empty() && launch.events.is_empty());
    assert_eq!((launch.run.engine.as_str(), launch.run.threads), ("TensorFlow Lite", None));
}

#[test]
fn what_runs_inside_is_taken_off_what_it_runs_in() {
    let expected = [
        "a, b: TfLiteXNNPackDelegate, 12.250 x 1, in top",
        "while_out: WHILE, 247.930 x 1, in top",
        "out: TfLiteXNNPackDelegate, 10.950 x 1, in top",
        "less: LESS, 12.000 x 4, in 1",
        "add: ADD, 301.449 x 3, in 1",
        "fc: FULLY_CONNECTED, 450.951 x 3, in 1",
        "Convolution (NHWC, F32) GEMM:0: Convolution, 201.350 x 1, in 0",
        "Convolution (NHWC, F32) GEMM:1: Convolution, 179.675 x 1, in 0",
        "Softmax (NC, F32):0: Softmax, 291.575 x 1, in 2",
    ];
    check("2.9/subgraphs.csv", &expected);
    let launch = TFLITE.read("2.9/subgraphs.csv");
    let sum: f64 = launch.averages.iter().filter_map(|average| average.mean_ns).sum();
    // The primary graph's 1708.12 us: nothing is counted twice.
    assert!((sum - 1_708_130.0).abs() < 1.0, "{sum}");
    assert_eq!(warnings(&launch), [""; 0]);
    // The same as text has three decimals, and other lines around it.
    let names = |name| {
        TFLITE.read(name).operators.iter().map(|o| (o.name.clone(), o.parent)).collect::<Vec<_>>()
    };
    assert_eq!(names("2.9/subgraphs.log"), names("2.9/subgraphs.csv"));
}

#[test]
fn times_without_a_place_are_unknown_and_said_to_be() {
    let launch = TFLITE.read("2.19/subgraphs.csv");
    assert_eq!(launch.operators.len(), 9);
    assert_eq!(launch.averages.len(), 6, "two delegates share three operators");
    assert_eq!(warnings(&launch).len(), 1);
    assert!(launch.warnings[0].loss && launch.warnings[0].message.starts_with("3 operators ran"));
}

#[test]
fn newer_layouts_have_no_starts_and_names_with_tabs() {
    let delegate = [
        "tfl.quantize: QUANTIZE, 204.266 x 1, in top",
        "Identity, Identity_1: TfLiteXNNPackDelegate, 6.999 x 1, in top",
        "Convolution (NHWC, QC8) IGEMM:0: Convolution, 401.219 x 1, in 1",
        "Add (ND, QS8):1: Add, 23.812 x 1, in 1",
        "Convolution (NHWC, QC8) IGEMM:2: Convolution, 89.828 x 1, in 1",
    ];
    check("2.19/delegate.csv", &delegate);
    let launch = TFLITE.read("2.19/delegate.csv");
    let kernel = launch.operators[2].kernel.as_deref();
    assert_eq!(kernel, Some("Convolution (NHWC, QC8) IGEMM"));
    assert_eq!(TFLITE.read("2.19/spaces.txt").operators[1].outputs.len(), 2);
}

#[test]
fn logs_with_prefixes_tell_of_the_run() {
    let launch = TFLITE.read("2.13/logcat.log");
    assert_eq!(warnings(&launch), [""; 0]);
    assert_eq!(launch.operators.len(), 5);
    assert_eq!(launch.operators[3].operator_type, "FULLY_CONNECTED");
    assert_eq!(launch.run.model, "net.tflite");
    assert_eq!(launch.run.threads, Some(4));
    assert_eq!(launch.run.load_time.unwrap().0, 17_851_000);
}

#[test]
fn old_layouts_count_no_executions() {
    check(
        "1.10/old.txt",
        &[
            "MobilenetV1/Conv2d_0/Relu6: CONV_2D, 4267.000 x -, in top",
            "MobilenetV1/Conv2d_1_depthwise/Relu6: DEPTHWISE_CONV_2D, 2111.000 x -, in top",
            "MobilenetV1/Conv2d_1_depthwise/Relu6 (2): CONV_2D, 6089.000 x -, in top",
        ],
    );
}

#[test]
fn bad_rows_are_counted() {
    let launch = TFLITE.read("malformed/rows.csv");
    assert_eq!(launch.operators.len(), 2);
    let expected = [
        "2 lines could not be understood and are left out; the first: no type, numbers and name",
        "2 lines have no usable time and are left out; the first: an average that is not a time",
        "1 more profiles follow the first one and are left out",
        "5 nodes were executed, 2 were read",
        "the operators' times add up to 0.093 ms per run, but the profile says 0.134 ms",
    ];
    assert_eq!(warnings(&launch), expected);
    let position = launch.warnings[0].position.unwrap();
    let text = TFLITE.bytes("malformed/rows.csv");
    assert!(text[position.byte as usize..].starts_with(b"a line of somebody else"));
    assert_eq!(position.line, 28);
}

#[test]
fn the_most_expensive_operators_stand_in_for_all() {
    let launch = TFLITE.read("malformed/top-only.csv");
    assert_eq!(launch.operators.len(), 3);
    assert_eq!(warnings(&launch), ["only the 3 most expensive operators are there"]);
}

#[test]
fn profiles_cut_anywhere_keep_their_whole_rows() {
    for name in ["2.9/subgraphs.csv", "2.13/logcat.log"] {
        let whole = TFLITE.bytes(name);
        let all = TFLITE.read(name).operators;
        let rows = |bytes: &[u8]| {
            let regular = memchr::memmem::find(bytes, b"Regular Benchmark").unwrap_or(bytes.len());
            let text = String::from_utf8_lossy(&bytes[regular..]).into_owned();
            let run_order = text.split("Run Order").nth(1).unwrap_or_default().to_string();
            let table = run_order.split("Top by").next().unwrap_or_default().to_string();
            table.lines().filter(|line| line.contains('%') && line.contains("]:")).count()
                - usize::from(
                    !table.ends_with('\n')
                        && table.lines().last().is_some_and(|l| l.contains("]:")),
                )
        };
        for length in 0..whole.len() {
            let cut = &whole[..length];
            match TFLITE.read_bytes(cut.to_vec()) {
                Some(launch) => {
                    assert!(launch.operators.len() >= rows(cut), "{name} at {length}");
                    assert!(launch.operators.len() <= all.len());
                    let first: Vec<_> = launch.operators.iter().map(|o| &o.name).collect();
                    assert!(all.iter().map(|o| &o.name).zip(first).all(|(a, b)| a == b));
                }
                None => assert_eq!(rows(cut), 0, "{name} at {length}"),
            }
        }
        let half = TFLITE.read_bytes(whole[..whole.len() / 2].to_vec());
        assert!(half.is_none_or(|launch| launch.warnings.iter().any(|warning| warning.loss)));
    }
}

#[test]
fn other_text_is_not_taken_for_a_profile() {
    for text in ["{\"nodes\":[]}", "[1]", "<xml>", "node type, count, avg_ms, avg %, cdf %"] {
        let head = onnxray_import::Head::new(text.as_bytes(), true);
        assert_eq!(IMPORTER.detect(head), Verdict::No, "{text}");
    }
    let error = IMPORTER.read(
        vec![Source::from_bytes("log.txt", b"STARTING!\nnothing\n".to_vec()).unwrap()],
        &Options::default(),
    );
    let message = error.unwrap_err().to_string();
    assert!(message.contains("log.txt: line 1, byte 0: expected the operators"), "{message}");
}

proptest! {
    /// Any change of a few bytes leaves a launch or an error.
    #[test]
    fn damaged_bytes_never_panic(changes in prop::collection::vec((0usize..5000, any::<u8>()), 1..20)) {
        let mut damaged = TFLITE.bytes("2.9/subgraphs.csv");
        for (at, byte) in changes {
            let length = damaged.len();
            damaged[at % length] = byte;
        }
        let _ = TFLITE.read_bytes(damaged);
    }
}
