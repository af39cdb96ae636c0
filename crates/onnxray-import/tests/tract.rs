//! What tract prints: real output, bodies, and damage.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod files;

use files::{Files, warnings};
use onnxray_import::formats::tract::IMPORTER;
use onnxray_import::{Average, Launch, Options, Source};
use proptest::prelude::*;
use serde_json::Value;

const TRACT: Files = Files { importer: &IMPORTER, folder: "tract/0.23.9" };

fn average<'a>(launch: &'a Launch, name: &str) -> Option<&'a Average> {
    let operator = launch.operators.iter().find(|operator| operator.name == name).unwrap();
    launch.averages.iter().find(|average| average.operator == operator.number)
}

#[test]
fn nodes_stand_in_order_with_their_bodies_behind_them() {
    let launch = TRACT.read("unfolded.json");
    let found: Vec<(&str, &str, Option<u32>)> = launch
        .operators
        .iter()
        .map(|o| (o.name.as_str(), o.operator_type.as_str(), o.parent))
        .collect();
    assert_eq!(
        found,
        [
            ("signal", "Source", None),
            ("/recurrent/Scan.extracted./cell/input/MatMul.pack_b", "OptMatMulPack", None),
            ("/recurrent/Scan.extracted./cell/input/MatMul", "OptMatMul", None),
            ("initial", "Source", None),
            ("/recurrent/Scan", "Scan", None),
            ("h", "Source", Some(4)),
            ("/cell/hidden/MatMul.pack_b", "OptMatMulPack", Some(4)),
            ("/recurrent/Scan.extracted./cell/input/MatMul (2)", "Source", Some(4)),
            ("/cell/input/MatMul.prop_axis.a.output", "IntoShape", Some(4)),
            ("/cell/Add", "OptMatMul", Some(4)),
            ("/cell/Tanh", "Tanh", Some(4)),
            ("/recurrent/Scan.output-0-adjust-dim.axis-0", "IntoShape", Some(4)),
            ("/head/MatMul.pack_b", "OptMatMulPack", None),
            ("/head/Add", "OptMatMul", None),
        ]
    );
    assert_eq!(launch.operators[7].nodes, ["/recurrent/Scan.extracted./cell/input/MatMul"]);
    assert_eq!(warnings(&launch), [""; 0]);
    assert_eq!(launch.run.engine, "tract");
}

#[test]
fn times_and_costs_are_those_of_the_file() {
    let launch = TRACT.read("scan.json");
    let document: Value = serde_json::from_slice(&TRACT.bytes("scan.json")).unwrap();
    let iterations = document["profiling_info"]["iterations"].as_u64();
    let mut timed = 0;
    for node in document["nodes"].as_array().unwrap() {
        let Some(seconds) = node["secs_per_iter"].as_f64() else { continue };
        let average = average(&launch, node["node_name"].as_str().unwrap()).unwrap();
        assert_eq!(average.mean_ns, Some(seconds * 1e9));
        assert_eq!((average.executions, average.iterations), (Some(1.0), iterations));
        timed += 1;
    }
    assert_eq!((timed, launch.averages.len()), (7, 7));
    let operator = |name: &str| launch.operators.iter().find(|o| o.name == name).unwrap();
    // 9 x 64 by 64 x 64, two operations per multiply-add.
    assert_eq!(operator("/recurrent/Scan.extracted./cell/input/MatMul").flops, Some(73_728));
    // Of all turns of the loop: nothing tells how many there are.
    assert_eq!(operator("/cell/Add").flops, None);
    assert_eq!(operator("/cell/Tanh").attributes["Div(F32)"], "576");
    // It was timed with the Scan, and is unknown by itself.
    assert!(average(&launch, "/cell/Tanh").is_none());
    assert!(launch.operators.iter().all(|operator| operator.operator_type != "Const"));
}

#[test]
fn a_larger_model_reads() {
    let launch = TRACT.read("cnn.json");
    let document: Value = serde_json::from_slice(&TRACT.bytes("cnn.json")).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let ran = nodes.iter().filter(|node| node["op_name"] != "Const").count();
    assert_eq!((launch.operators.len(), launch.averages.len()), (ran, ran));
    let flops: u64 = launch.operators.iter().filter_map(|operator| operator.flops).sum();
    assert!(flops >= 34_500_864, "the model's contractions: {flops}");
    assert_eq!(warnings(&launch), [""; 0]);
}

#[test]
fn defects_are_mended_or_counted() {
    let launch = TRACT.read("defects.json");
    let names: Vec<&str> = launch.operators.iter().map(|o| o.name.as_str()).collect();
    let matmul = "/recurrent/Scan.extracted./cell/input/MatMul";
    assert_eq!(names, ["say \"hi\" and \\d", matmul, "symbolic }, { name"]);
    assert_eq!(
        warnings(&launch),
        [
            "2 nodes could not be understood and are left out; the first: expected a node",
            "1 node is not a record and is left out; the first: a value that is not an object",
            "1 node has no usable time and is left out; the first: a negative time",
            "1 node lacks a member that others have, and which is unknown; the first: `cost: FMA` \
             of \"say \\\"hi\\\" and \\\\d\"",
            "1 node was malformed and was repaired; the first: expected a node",
        ]
    );
    let symbolic = &launch.operators[2];
    assert_eq!((symbolic.flops, symbolic.parameters), (None, Some(12)));
    assert_eq!(symbolic.attributes["FMA(F32)"], "B*64");
}

#[test]
fn dumps_cut_anywhere_keep_their_whole_nodes() {
    let whole = TRACT.bytes("unfolded.json");
    let mut most = 0;
    for length in 0..whole.len() {
        let Some(launch) = TRACT.read_bytes(whole[..length].to_vec()) else {
            assert_eq!(most, 0, "at {length}");
            continue;
        };
        let losses = launch.warnings.iter().filter(|warning| warning.loss).count();
        assert_eq!(losses, 1, "at {length}: {:?}", warnings(&launch));
        assert!(launch.operators.len() >= most, "at {length}");
        most = launch.operators.len();
    }
    assert_eq!(most, 14);
}

#[test]
fn nothing_to_read_is_an_error_with_a_place() {
    for text in ["{\"nodes\":3}", "{\"nodes\":[", "{\"nodes\":[]}", "[1]", "{\"nodes\":[7]}"] {
        let source = Source::from_bytes("dump.json", text.as_bytes().to_vec()).unwrap();
        let error = IMPORTER.read(vec![source], &Options::default());
        let message = error.unwrap_err().to_string();
        assert!(message.starts_with("dump.json: line 1, byte "), "{message}");
    }
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let text = String::from_utf8(TRACT.bytes("scan.json")).unwrap();
    let damaged = text.replacen("/cell/Tanh", "/cell/T@nh", 1).into_bytes();
    let damaged: Vec<u8> = damaged.into_iter().map(|b| if b == b'@' { 0xff } else { b }).collect();
    let launch = TRACT.read_bytes(damaged).unwrap();
    assert!(launch.operators.iter().any(|operator| operator.name == "/cell/T\u{fffd}nh"));
    assert!(!launch.warnings[0].loss);
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(changes in prop::collection::vec((0usize..2000, any::<u8>()), 1..20)) {
        let mut damaged = TRACT.bytes("unfolded.json");
        for (at, byte) in changes {
            let length = damaged.len();
            damaged[at % length] = byte;
        }
        let _ = TRACT.read_bytes(damaged);
    }
}
